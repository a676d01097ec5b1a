"""What pyaclnn adds to the C call, and how fast the simulator is: measured, never asserted.

``python -m pyaclnn.bench`` runs every contender for the same operator on the same backend, several
times in processes of their own, and prints medians and ratios within one run.
"""

from __future__ import annotations
