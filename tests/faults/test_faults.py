"""Every C call of every path fails once: the error says so, nothing is lost, and the next works."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from faults.inject import every, live, quiet_finalizers
from faults.paths import PATHS, WANTED

import pyaclnn as pa
from pyaclnn.sim import control

#: Out of memory, a parameter that is refused, and a driver that fails.
CODES = [207001, 107000, 507899]
#: What a function that returns null is said to have answered.
NULL = 161002


@pytest.mark.exhaustive
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", PATHS)
def test_each_call_fails_once(name: str, code: int) -> None:
    path = PATHS[name]
    for _ in range(2):
        path()
    before = live()

    def fail(n: int) -> bool:
        error: BaseException | None = None
        values = None
        with quiet_finalizers() as raised, warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            with control.fault(f"*:{n}:{code}"):
                try:
                    values = path()
                except (pa.AclError, MemoryError) as caught:
                    error = caught
                injected = control.count("fault")
            told = getattr(error, "code", None), [str(w.message) for w in warned]
            del error
            after = live(before)
        assert raised == []
        if not injected:
            assert told == (None, [])
            return False
        where = f"fault {n} of {name}, {told}"
        assert told[0] in (None, code, NULL), where
        if told[0] is None:
            # It was a clean-up, or there was another way.
            np.testing.assert_array_equal(values, WANTED, where)
        assert after == before, where
        np.testing.assert_array_equal(path(), WANTED, where)
        return True

    assert every(fail) > 3


@pytest.mark.parametrize("name", PATHS)
def test_an_interrupt_during_each_call(name: str) -> None:
    path = PATHS[name]
    for _ in range(2):
        path()
    before = live()

    def interrupt(n: int) -> bool:
        interrupted = False
        with quiet_finalizers() as raised, control.fault(f"*:{n}:signal=2"):
            try:
                path()
            except KeyboardInterrupt:
                interrupted = True
            injected = control.count("fault")
        after = live(before)
        if not injected:
            return False
        assert interrupted or raised == [KeyboardInterrupt], n
        assert after == before, f"interrupt {n} of {name}"
        np.testing.assert_array_equal(path(), WANTED)
        return True

    assert every(interrupt) > 3
