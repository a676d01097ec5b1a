"""The same calls on an installed CANN and on the simulator, and every difference between them.

``python -m pyaclnn.fidelity`` is run once on a server with an NPU. Each side runs in processes of
its own, a batch of operators in each, watched: a crash or a hang is an observation like any other.
"""

from __future__ import annotations
