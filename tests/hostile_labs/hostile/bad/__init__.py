"""Labs that do not."""
