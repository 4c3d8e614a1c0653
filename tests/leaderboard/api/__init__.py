"""The HTTP API, through its door."""
