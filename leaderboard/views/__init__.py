"""Pages, one module per page family."""
