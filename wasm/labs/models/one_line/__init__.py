"""A line of Python over x, w and b: `line` reads it, and `call` names the operators that it calls."""
