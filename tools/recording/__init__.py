"""What `tools/samples.py` does with one sample: record its calls and those of its ports."""
