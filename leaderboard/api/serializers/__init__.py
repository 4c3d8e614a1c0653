"""What goes in and out: one serializer to read, one to write, by noun."""
