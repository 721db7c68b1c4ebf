"""Machine code for one element, for four processors: each instruction as text and as the bytes that say it."""
