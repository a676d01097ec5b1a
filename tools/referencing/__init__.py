"""What ``tools/reference.py`` is made of: CANN's own first phase, compiled on a CPU."""
