"""What is fact about an operator, once: a row for each, in a file for each family.

From a row follow the checks and the kernel call of the simulator's first phase (generated C++, see
``pyaclnn/sim/generate.py``), the shape and dtype of outputs that Python allocates, the cases of
selftest, and the refusals that the tests expect.

The simulator is built where only the standard library is to be had; so nothing here imports
anything else, or anything of pyaclnn outside this folder.
"""

from __future__ import annotations

from .families import ROWS, by_name
from .not_simulated import NOT_SIMULATED, why_not_simulated
from .row import Row

__all__ = ["NOT_SIMULATED", "ROWS", "Row", "by_name", "why_not_simulated"]
