"""The HTTP client and the `egoboard` command. Imports no Django and nothing else of ours."""
