"""Tests of every operator that the backend has, against float64 NumPy references.

``python -m pyaclnn.selftest`` prints a table. On the simulator it also misuses the libraries and
checks that this is reported. On an NPU the same command is the acceptance test of the installation.
"""

from __future__ import annotations
