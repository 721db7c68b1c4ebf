"""Models that two or more native labs share; what one alone uses lies in its room."""
