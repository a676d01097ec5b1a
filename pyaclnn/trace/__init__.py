"""See, replay and compare what any program asks of an NPU: ``python -m pyaclnn.trace``."""
