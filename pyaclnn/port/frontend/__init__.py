"""Reading C++: files, preprocessor, syntax tree."""
