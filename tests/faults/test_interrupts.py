"""Ctrl-C wherever Python looks for signals: nothing is lost, and the next call works."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import numpy as np
import pytest
from faults.inject import Breaker, every, live, quiet_finalizers
from faults.paths import PATHS, WANTED

from pyaclnn.runtime.current import state

#: Of some 400 places each; with 1 it takes a few minutes.
STEP = int(os.environ.get("PYACLNN_TEST_STEP", "17"))
#: And this often at most by default: loops over what other tests have left pass one place again.
MOST = 60


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PATHS)
def test_an_interrupt_at_many_places(name: str) -> None:
    path = PATHS[name]
    for _ in range(3):
        path()
    before = live()
    with Breaker(sys.maxsize) as counted:
        path()
    step = STEP if "PYACLNN_TEST_STEP" in os.environ else max(STEP, counted.passed // MOST)

    def interrupt(n: int) -> bool:
        with quiet_finalizers(), suppress(KeyboardInterrupt), Breaker(n) as breaker:
            path()
        # What a block leaves as current is restored by its end, if that is not broken off.
        state.forget()
        after = live(before)
        assert after == before, f"interrupt {n} of {name}"
        if breaker.passed < n:
            return False
        np.testing.assert_array_equal(path(), WANTED, f"after interrupt {n} of {name}")
        return True

    assert every(interrupt, step) > 5
