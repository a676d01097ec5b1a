"""The same calls on an installed CANN and on the simulator, and every difference between them.

``python -m pyaclnn.fidelity`` is run once on a server with an NPU. Each side runs in monitored
processes, a batch of operators in each: a crash or a hang is recorded as a result.
"""

from __future__ import annotations
