"""All tests run on the simulator, unless the environment names a backend; races are errors."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("PYACLNN_BACKEND", "simulator")
os.environ.setdefault("PYACLNN_SIM_CHECK", "races:error")

# Their assertions say what was compared, as those of tests do.
pytest.register_assert_rewrite("children", "operators.derivatives_seen", "operators.status_tests")
