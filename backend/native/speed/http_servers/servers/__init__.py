"""One handler, served five ways: each a page of code."""
