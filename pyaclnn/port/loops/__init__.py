"""Loop recovery: loops are reconstructed from repeated prints."""
