"""Models that two or more labs share; what one alone uses lies in its room."""
