"""All tests run on the simulator, unless the environment names a backend; races are errors."""

from __future__ import annotations

import os

os.environ.setdefault("PYACLNN_BACKEND", "simulator")
os.environ.setdefault("PYACLNN_SIM_CHECK", "races:error")
