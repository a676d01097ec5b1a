"""Mutants that are compiled together: the parts of ``tools/mutate.py``."""
