"""Operators on lists refuse what their rows say: at once, or where CANN finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code
from operators.fullest import Call, fullest

import pyaclnn as pa
from pyaclnn.ops.naming import operator_name, snake_case
from pyaclnn.table import ROWS, Row
from pyaclnn.table.list_steps import ForEach, KernelChosen, ListsFit, NumberChosen, ScalarBeside


def is_of_another_chip(row: Row) -> bool:
    return any(isinstance(s, KernelChosen) and s.kernels == "kNewest" for s in row.steps)


EVERY = [r for r in ROWS if isinstance(r.steps[-1], ForEach)]
FOREACH = [r for r in EVERY if not is_of_another_chip(r)]
every_row = pytest.mark.parametrize("row", FOREACH, ids=lambda r: r.name)


def call_of(row: Row) -> tuple[Call, dict[str, Any], list[str]]:
    """Return a right call, its arguments, and which of them are lists of tensors."""
    call = fullest(operator_name(row.c_name))
    arguments = {**call.inputs, **call.outputs}
    spec = pa.ops[row.c_name].spec
    return call, arguments, [a.name for a in spec.arguments if a.kind == "tensor_list"]


def is_written(row: Row) -> bool:
    return any(isinstance(s, ListsFit) for s in row.steps)


@every_row
def test_element_types_that_are_not_listed_are_refused(row: Row) -> None:
    call, arguments, lists = call_of(row)

    found = {n: call.code({n: [pa.ones(t.shape, "complex64") for t in arguments[n]]})
             for n in lists}  # fmt: skip

    assert found == dict.fromkeys(found, INVALID)


@every_row
def test_lists_of_several_element_types_are_refused(row: Row) -> None:
    call, arguments, lists = call_of(row)
    found = {}
    for name in lists:
        *most, last = arguments[name]
        found[name] = call.code({name: [*most, pa.ones(last.shape, "complex64")]})

    assert found == dict.fromkeys(found, INVALID if is_written(row) else TILING)


@every_row
def test_other_lengths_are_refused(row: Row) -> None:
    call, arguments, lists = call_of(row)
    # Of that one CANN says that something is null.
    early = row.name == "ForeachAddScalarV2"
    expected = NULL if early else INVALID if is_written(row) else TILING

    found = {n: call.code({n: [*arguments[n], arguments[n][-1]]}) for n in lists if lists != [n]}

    refused = dict.fromkeys(found, expected)
    if row.name in ("ForeachPowScalarV2", "ForeachSubListV2"):
        refused["out"] = 0  # the first list says how many there are
    assert found == refused


@every_row
def test_other_shapes_are_refused(row: Row) -> None:
    call, arguments, lists = call_of(row)
    expected = INVALID if is_written(row) else TILING
    found = {}
    for name in lists if len(lists) > 1 else ():
        first, *rest = arguments[name]
        found[name] = call.code({name: [pa.ones((*first.shape, 2), first.dtype), *rest]})

    assert found == dict.fromkeys(found, expected)


@every_row
def test_too_many_dimensions_and_too_many_tensors_are_refused(row: Row) -> None:
    call, arguments, lists = call_of(row)
    expected = INVALID if is_written(row) else TILING
    dtype = arguments[lists[0]][0].dtype
    count = len(arguments[lists[0]])

    deep = call.code({n: [pa.ones((1,) * 9, dtype) for _ in range(count)] for n in lists})
    many = call.code({n: [pa.ones((2,), dtype) for _ in range(51)] for n in lists})

    assert (deep, many) == (expected, expected)


@every_row
def test_empty_lists(row: Row) -> None:
    call, _, lists = call_of(row)

    assert call.code({n: [] for n in lists}) == (0 if is_written(row) else INVALID)


@every_row
def test_numbers_of_other_element_types_are_refused(row: Row) -> None:
    call, arguments, _ = call_of(row)
    found = {}
    for step in row.steps:
        if not isinstance(step, ScalarBeside | NumberChosen):
            continue
        name = snake_case(getattr(step, "scalar", "") or getattr(step, "number", ""))
        value = arguments[name]
        if isinstance(value, pa.Tensor):
            other: Any = pa.ones(value.shape, "int64")
        else:
            other = [np.int16(1)] * len(value) if isinstance(value, list) else np.int16(1)
        found[name] = call.code({name: other})

    assert found == dict.fromkeys(found, INVALID)


@every_row
def test_numbers_of_another_count_are_refused(row: Row) -> None:
    call, arguments, _ = call_of(row)
    found = {}
    for name, value in arguments.items():
        tensor = isinstance(value, pa.Tensor)
        if tensor or (isinstance(value, list) and not isinstance(value[0], pa.Tensor)):
            size = value.size if tensor else len(value)
            many: Any = pa.ones((size + 1,), value.dtype) if tensor else [*value, value[0]]
            found[name] = call.code({name: many})

    assert found == dict.fromkeys(found, TILING)


@pytest.mark.parametrize("row", [r for r in EVERY if is_of_another_chip(r)], ids=lambda r: r.name)
def test_what_only_another_chip_has_is_refused(row: Row) -> None:
    x = [pa.ones((2, 3))]
    kinds = [a.kind for a in pa.ops[row.c_name].spec.inputs]

    arguments = (x if kind == "tensor_list" else pa.ones((1,)) for kind in kinds)

    assert code(row.c_name, *arguments) == NO_KERNEL


def _many(*names: str) -> dict[str, Any]:
    return {name: [pa.ones((1,)) for _ in range(257)] for name in names}


#: What is changed in a right call, and the status.
Case = tuple[Callable[[], dict[str, Any]], int]
NORM: dict[str, Case] = {
    "null": (lambda: {"x": None}, NULL),
    "no order": (lambda: {"scalar": None}, NULL),
    "a type without kernel": (lambda: {"x": [pa.ones((2,), "int32")] * 2}, INVALID),
    "an order of another type": (lambda: {"scalar": np.int32(2)}, INVALID),
    "too many": (lambda: _many("x", "out"), TILING),
    "too few results": (lambda: {"out": [pa.ones(())]}, TILING),
    "a result of two": (lambda: {"out": [pa.ones(()), pa.ones((2,))]}, TILING),
    "results of several types": (lambda: {"out": [pa.ones(()), pa.ones((), "float16")]}, TILING),
    "nine dimensions": (lambda: {"x": [pa.ones((1,) * 9), pa.ones((2,))]}, TILING),
}  # fmt: skip
UNSCALE: dict[str, Case] = {
    "null": (lambda: {"scaled_grads": None}, NULL),
    "no flag": (lambda: {"found_inf": None}, NULL),
    "a type without kernel": (lambda: {"scaled_grads": [pa.ones((2,), "int32")] * 2}, INVALID),
    "a flag of another type": (lambda: {"found_inf": pa.ones((1,), "float16")}, INVALID),
    "an empty tensor": (lambda: {"scaled_grads": [pa.ones((2,)), pa.ones((0,))]}, TILING),
    "too many": (lambda: _many("scaled_grads"), TILING),
    "several types": (lambda: {"scaled_grads": [pa.ones((2,)), pa.ones((2,), "float16")]}, TILING),
    "two scales": (lambda: {"inv_scale": pa.ones((2,))}, TILING),
}


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [("foreach_norm", *case) for case in NORM.values()]
    + [("foreach_non_finite_check_and_unscale", *case) for case in UNSCALE.values()],
    ids=[*NORM, *UNSCALE],
)
def test_what_is_no_formula_refuses(
    name: str, changed: Callable[[], dict[str, Any]], expected: int
) -> None:
    assert fullest(name).code(changed()) == expected


def test_a_result_that_is_strided_is_refused_where_cann_would_not_see_it() -> None:
    x = pa.ones((4, 6), "float32")
    out = [pa.ones((6, 4), "float32").T]

    with pytest.raises(pa.AclParameterError, match="contiguous"):
        pa.ops.foreach_add_scalar_v2([x], 1.0, out=out)


def test_the_results_may_be_the_operands() -> None:
    values = [np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((5,), np.float32)]
    x = [pa.asarray(v) for v in values]

    results = pa.ops.foreach_mul_scalar_v2(x, 3.0, out=x)

    assert all(r is t for r, t in zip(results, x, strict=True))
    assert all(np.array_equal(t.numpy(), 3 * v) for t, v in zip(x, values, strict=True))
