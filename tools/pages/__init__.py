"""What the site computes: a page for each operator, examples with their output, status codes."""
