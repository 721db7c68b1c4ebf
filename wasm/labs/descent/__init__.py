"""One line of Python, followed through every layer below it."""
