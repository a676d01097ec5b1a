"""Writing Python, in both styles."""
