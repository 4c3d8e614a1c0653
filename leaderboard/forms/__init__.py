"""Forms check shape; the verbs check rules."""
