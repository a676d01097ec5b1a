"""Every operator the backend offers, against float64 NumPy references.

``python -m pyaclnn.selftest`` prints a table. On the simulator it also misuses the libraries on
purpose and expects to be told. On an NPU the same command is the acceptance test of the
installation.
"""

from __future__ import annotations
