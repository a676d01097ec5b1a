"""What tools/fuzz.py tries: a target makes cases from random numbers, and runs a case again."""
