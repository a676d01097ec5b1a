"""Values of C++: types, numbers, memory, and symbolic numbers, which are known at run time only."""
