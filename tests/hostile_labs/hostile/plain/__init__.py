"""Labs that behave."""
