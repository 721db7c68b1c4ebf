"""Models that two or more native labs share."""
