"""Operators on whole tensors: what is equal, what a sum leaves out, where sequences end."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INNER_NULL, INVALID, code

import pyaclnn as pa


def of(dtype: str, *values: Any) -> pa.Tensor:
    return pa.asarray(np.array(values, dtype))


def equal(a: pa.Tensor, b: pa.Tensor) -> bool:
    return bool(pa.ops.equal(a, b).numpy()[0])


def test_tensors_are_equal_as_their_common_type_has_them() -> None:
    assert equal(of("int32", 1, 2), of("float32", 1, 2))
    assert not equal(of("int64", 2**53), of("int64", 2**53 + 1))
    assert not equal(of("uint64", 2**63 + 1), of("uint64", 2**63))
    # 70001 is no float16: both are infinite there.
    assert equal(of("int32", 70001), of("float16", np.inf))


def test_empty_tensors_are_equal_if_their_shapes_are() -> None:
    assert equal(pa.empty((0, 3), "float32"), pa.empty((0, 3), "float32"))
    assert not equal(pa.empty((0, 3), "float32"), pa.empty((3, 0), "float32"))


def test_equal_wants_a_list_of_one() -> None:
    x = of("float32", 1)

    assert code("equal", x, x, out=pa.empty((), "bool")) == INVALID
    assert code("equal", x, of("complex64", 1)) == INVALID


def test_outputs_that_no_argument_decides_are_made_at_every_call() -> None:
    x = of("float32", 1, 2)

    results = [pa.ops.equal(x, x) for _ in range(4)]

    assert [bool(r.numpy()[0]) for r in results] == [True] * 4
    assert len({id(r) for r in results}) == 4


def test_a_sum_without_nan_may_be_asked_for_in_another_type() -> None:
    x = of("float16", 1, np.nan, 2)

    assert pa.ops.reduce_nansum(x, (), False, "float32").numpy() == 3
    assert pa.ops.reduce_nansum(of("int8", 100, 100), (), False, "int32").numpy() == 200
    assert bool(pa.ops.reduce_nansum(of("bool", 0, 1), (), False, "bool").numpy())
    assert code("reduce_nansum", x, (), False, "int32") == INVALID
    assert code("reduce_nansum", x, (0, 0), False, "float16") == INVALID


def test_the_sum_of_nothing_is_0_of_any_shape() -> None:
    x, out = pa.empty((0, 3), "float32"), pa.full((2, 2), 9.0, "float32")

    pa.ops.reduce_nansum(x, (0,), False, "float32", out=out)

    assert out.numpy().tolist() == [[0, 0], [0, 0]]


def test_log_space_finds_its_errors_inside() -> None:
    out = pa.empty((3,), "float32")

    assert code("log_space", None, 1, 3, 10.0, out=out) == INNER_NULL
    assert code("log_space", 0, 1, 4, 10.0, out=out) == INNER_NULL
    assert code("log_space", 0, 1, -1, 10.0, out=out) == INVALID


def test_a_sum_of_one_element_goes_to_any_output_of_one_element() -> None:
    x = of("float32", [0, 1, 2], [3, 4, 5])

    for shape, dims, keep in (((1,), (0, 1), False), ((), (0, 1), True), ((1, 1, 1), (), False)):
        out = pa.ops.reduce_sum(x, dims, keep, "float32", out=pa.empty(shape))
        assert out.numpy().tolist() == np.full(shape, 15.0).tolist()
    for shape, dims in (((2,), (0, 1)), ((1, 3), (0,)), ((2,), (0,))):
        out = pa.empty(shape)
        assert code("reduce_sum", x, dims, False, "float32", out=out) == INVALID
