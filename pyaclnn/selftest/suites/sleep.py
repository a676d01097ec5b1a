"""Cases of a stream that waits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Case, Suite
from pyaclnn.selftest.chips import NEWEST, is_950

Shape = tuple[int, ...]


def _sleep(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_950():
        yield from (Case(f"{n} cycles", ((n,),), ()) for n in (1, 1000, 1_650_000))


SUITES = (Suite("sleep", ("int64",), _sleep, chip=NEWEST),)
