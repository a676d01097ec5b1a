"""Which tests run which line of the operators' C++: the parts of ``tools/reached.py``."""
