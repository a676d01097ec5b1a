"""Symbolic evaluation of a program: declarations, statements, expressions and calls."""
