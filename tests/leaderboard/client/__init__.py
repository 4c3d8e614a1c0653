"""The `egoboard` command and its HTTP client."""
