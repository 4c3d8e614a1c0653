"""The test suite; it mirrors the tree of the code."""
