"""All tests run on the simulator, unless the environment names a backend."""

from __future__ import annotations

import os

os.environ.setdefault("PYACLNN_BACKEND", "simulator")
