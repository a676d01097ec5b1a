"""Lists whose description is longer than the operator cache takes, and what it tells apart."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa

#: Two lists and one of results: 45 and 150 descriptions of 73 bytes, of which 8,192 are kept.
_KNOWN, _LONG = 15, 50


def _tensors(count: int, length: int, value: float = 1.0) -> list[pa.Tensor]:
    return [pa.full(length, value, "float32") for _ in range(count)]


def _is_planned_anew(x: list[pa.Tensor], y: list[pa.Tensor], out: list[pa.Tensor]) -> bool:
    with pa.ops.foreach_mul_list.plan(x, y, out=out) as plan:
        return plan.reused


@pytest.mark.parametrize(("count", "is_known"), [(_KNOWN, True), (_LONG, False)])
def test_only_short_descriptions_are_in_the_operator_cache(count: int, is_known: bool) -> None:
    x, y, out = (_tensors(count, 61) for _ in range(3))
    pa.ops.foreach_mul_list(x, y, out=out)

    assert _is_planned_anew(x, y, out) is not is_known


def test_tensors_of_one_memory_are_another_description() -> None:
    x, y, out = (_tensors(_KNOWN, 67) for _ in range(3))
    pa.ops.foreach_mul_list(x, y, out=out)

    for far in (1, _KNOWN - 1):
        shared = [*y]
        shared[far] = x[far - 1]
        assert _is_planned_anew(x, shared, out)
    assert not _is_planned_anew(y, x, out)


def test_long_lists_are_computed_where_they_are_now() -> None:
    calls = [[_tensors(_LONG, 71, value) for value in (2.0, 3.0 + n, 0.0)] for n in range(3)]
    for x, y, out in [*calls, calls[0]]:
        y[7].copy_from(np.full(71, 9.0, np.float32))
        pa.ops.foreach_mul_list(x, y, out=out)

    for n, (_, _, out) in enumerate(calls):
        expected = [18.0 if i == 7 else 2.0 * (3.0 + n) for i in range(_LONG)]
        assert [set(t.numpy().tolist()) for t in out] == [{value} for value in expected]
    with pytest.raises(pa.AclError, match="561002"):
        pa.ops.foreach_mul_list(x, [*y[:-1], pa.ones(72)], out=out)
