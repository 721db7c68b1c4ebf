"""Hash functions that a reader can choose from, and the keys that they are tried on."""
