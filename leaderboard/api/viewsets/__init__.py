"""What one can do, by noun. Each class says who may use it."""
