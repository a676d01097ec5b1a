"""What C++ computes with: types, numbers, memory, and numbers that only a run knows."""
