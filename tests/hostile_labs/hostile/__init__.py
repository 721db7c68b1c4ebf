"""Labs used by tests only: plain ones that are easy to reason about, and bad ones that try to get away."""
