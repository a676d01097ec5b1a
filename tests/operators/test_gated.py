"""What gated units and the parametric rectifier refuse, each as its sources have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code

import pyaclnn as pa

X = (4, 6)


def outs(count: int, shape: tuple[int, ...] = (4, 3), dtype: str = "float32") -> Any:
    made = tuple(pa.empty(shape, dtype) for _ in range(count))
    return made if count > 1 else made[0]


@pytest.mark.parametrize(
    ("name", "extra", "count", "expected"),
    [("glu", (), 1, INVALID), ("ge_glu", (0,), 2, INVALID), ("ge_glu_v3", (0, True), 2, INVALID),
     ("swi_glu", (), 1, TILING)],
)  # fmt: skip
def test_what_cannot_be_halved_is_refused(
    name: str, extra: tuple[Any, ...], count: int, expected: int
) -> None:
    x, odd = pa.ones(X, "float32"), pa.ones((4, 5), "float32")

    assert code(name, odd, 1, *extra, out=outs(count, (4, 2))) == expected
    assert code(name, x, 2, *extra, out=outs(count)) == expected
    assert code(name, x, 1, *extra, out=outs(count, (4, 2))) == expected
    assert code(name, pa.ones((), "float32"), 0, *extra, out=outs(count, ())) == expected


def test_geglu_knows_two_approximations() -> None:
    x = pa.ones(X, "float32")

    assert code("ge_glu", x, 1, 2, out=outs(2)) == INVALID
    assert code("gelu_mul", x, "sigmoid", out=outs(1)) == TILING


def test_the_left_half_is_activated_where_asked() -> None:
    x = pa.asarray(np.array([[3, -2]], "float32"))

    left, gelu_left = pa.ops.ge_glu_v3(x, 1, 1, True)
    right, gelu_right = pa.ops.ge_glu_v3(x, 1, 1, False)

    assert float(left.numpy()[0, 0]) == pytest.approx(-2 * float(gelu_left.numpy()[0, 0]))
    assert float(right.numpy()[0, 0]) == pytest.approx(3 * float(gelu_right.numpy()[0, 0]))
    assert float(gelu_left.numpy()[0, 0]) == pytest.approx(2.99636, rel=1e-4)


def test_an_empty_geglu_may_have_outputs_of_other_types() -> None:
    # aclnn_geglu.cpp looks for elements before it compares types.
    x, first, second = pa.empty((0, 4), "float32"), *outs(2, (0, 2), "float16")

    assert pa.ops.ge_glu(x, 1, 0, out=(first, second)) == (first, second)
    assert code("ge_glu", pa.ones(X, "float32"), 1, 0, out=outs(2, dtype="float16")) == INVALID


def test_prelu_has_one_slope_or_one_for_each_channel() -> None:
    x = pa.ones((2, 3), "float32")

    assert code("prelu", x, pa.ones((2,), "float32")) == INVALID
    assert code("prelu", pa.ones((3,), "float32"), pa.ones((3,), "float32")) == INVALID
    assert code("prelu", x, pa.ones((3,), "float32"), out=pa.empty((3,), "float32")) == INVALID
    assert code("prelu", x, None, out=x) == NULL
