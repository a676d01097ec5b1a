"""Following a program: declarations, statements, expressions and calls."""
