"""Functions that samples call: of C, of C++ and of CANN."""
