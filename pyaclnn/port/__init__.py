"""Porting C++ samples of CANN to Python: ``python -m pyaclnn.port sample.cpp``."""
