"""Loops: found again in what was printed, and written once."""
