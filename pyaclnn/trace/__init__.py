"""Record, show, replay and compare the CANN calls of any program: ``python -m pyaclnn.trace``."""
