"""int8 that is computed with as it is: every pair of values, in views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

Array = np.ndarray[Any, Any]

_LEFT, _RIGHT = (grid.astype(np.int64) - 128 for grid in np.mgrid[:256, :256])

#: Operator -> what follows its operands, and the same of numbers that are wide enough.
OPERATORS: dict[str, tuple[tuple[Any, ...], Callable[[Array, Array], Array]]] = {
    "add": ((3,), lambda a, b: a + 3 * b),
    "sub": ((-2,), lambda a, b: a + 2 * b),
    "mul": ((), np.multiply),
    "maximum": ((), np.maximum),
    "minimum": ((), np.minimum),
    "lt_tensor": ((), np.less),
    "ge_tensor": ((), np.greater_equal),
    "eq_tensor": ((), np.equal),
    "bitwise_xor_tensor": ((), np.bitwise_xor),
    "logical_xor": ((), lambda a, b: (a != 0) != (b != 0)),
}
SINGLE: dict[str, tuple[tuple[Any, ...], Callable[[Array], Array]]] = {
    "clamp": ((-100, 77), lambda a: np.clip(a, -100, 77)),
    "neg": ((), np.negative),
    "abs": ((), np.abs),
    "relu": ((), lambda a: np.maximum(a, 0)),
    "adds": ((100, 2), lambda a: a + 200),
    "muls": ((-77,), lambda a: a * -77),
}


def lying(values: Array, view: str) -> pa.Tensor:
    small = values.astype(np.int8)
    match view:
        case "column":
            return pa.asarray(small[:, :1]).broadcast_to(small.shape)
        case "row":
            return pa.asarray(small[:1]).broadcast_to(small.shape)
        case "every second":
            return pa.asarray(np.repeat(small, 2, axis=1))[:, ::2]
        case "turned":
            return pa.asarray(np.ascontiguousarray(small.T)).T
    return pa.asarray(small)


def check(result: pa.Tensor, wanted: Array) -> None:
    actual = result.numpy()
    assert np.array_equal(actual, wanted.astype(actual.dtype))
    if actual.dtype == np.bool_:
        assert set(np.unique(actual.view(np.uint8))) <= {0, 1}


@pytest.mark.parametrize("view", ["", "column", "row", "every second", "turned"])
@pytest.mark.parametrize("name", OPERATORS)
def test_every_pair(name: str, view: str) -> None:
    numbers, exact = OPERATORS[name]
    seen = lying(_LEFT, view).numpy().astype(np.int64)

    check(pa.ops[name](lying(_LEFT, view), lying(_RIGHT, ""), *numbers), exact(seen, _RIGHT))
    check(pa.ops[name](lying(_RIGHT, ""), lying(_LEFT, view), *numbers), exact(_RIGHT, seen))


@pytest.mark.parametrize("view", ["", "column", "every second"])
@pytest.mark.parametrize("name", SINGLE)
def test_every_value(name: str, view: str) -> None:
    numbers, exact = SINGLE[name]
    seen = lying(_RIGHT, view).numpy().astype(np.int64)

    check(pa.ops[name](lying(_RIGHT, view), *numbers), exact(seen))
