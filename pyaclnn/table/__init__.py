"""What is fact about an operator, once: a row for each, in a file for each family.

From a row follow the checks and the kernel call of the simulator's first phase (generated C++, see
``pyaclnn/sim/generate.py``), the shape and dtype of outputs that Python allocates, the cases of
selftest, and the refusals that the tests expect.

The simulator is built where only the standard library is to be had; so nothing here imports
anything else, or anything of pyaclnn outside this folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .generated import GENERATED
from .not_simulated import NOT_SIMULATED, why_not_simulated

if TYPE_CHECKING:
    from .families import ROWS, by_name
    from .row import Row

__all__ = ["GENERATED", "NOT_SIMULATED", "ROWS", "Row", "by_name", "why_not_simulated"]


def __getattr__(name: str) -> Any:
    """Read the families when rows are asked for: a call needs none of them."""
    if name in ("ROWS", "Row", "by_name"):
        from . import families

        return getattr(families, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
