"""What writes to places by number: refusals in CANN's order, numbers out of range, repeats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on, run_child
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, code, code_with, ones
from operators.status_tests import outside_test, refusal_tests

import pyaclnn as pa


def numbers(*values: int, dtype: str = "int64") -> pa.Tensor:
    return pa.asarray(np.array(values, dtype))


ADD: dict[str, Any] = {
    "self": ones(3, 4), "dim": 0, "index": numbers(0, 2), "source": ones(2, 4), "alpha": 1.0,
    "out": ones(3, 4),
}  # fmt: skip
PUT = {"self_ref": ones(2, 3), "index": numbers(0, 5), "source": ones(2), "accumulate": True}
UPDATE = {"data": ones(2, 3, 4), "indices": numbers(0, 1), "updates": ones(2, 2, 4), "axis": 1}
TUPLES = {"data": ones(3, 4), "indices": pa.zeros((2, 1), "int64"), "updates": ones(2, 4)}
OPERATORS: dict[str, dict[str, Any]] = {
    "index_add": ADD,
    "index_add_v2": {**ADD, "mode": 1},
    "inplace_put": PUT,
    "inplace_scatter_update": UPDATE,
    "inplace_masked_scatter": {
        "self_ref": ones(2, 3), "mask": ones(3, dtype="bool"), "source": ones(6),
    },
    "scatter_nd": {**TUPLES, "out": ones(3, 4)},
    "scatter_nd_update": {"var_ref": ones(3, 4), **dict(list(TUPLES.items())[1:])},
    "scatter_reduce": {
        "self": ones(3, 4), "dim": 0, "index": pa.zeros((2, 4), "int64"), "src": ones(2, 4),
        "reduce": 1, "include_self": True, "out": ones(3, 4),
    },
    "tf_scatter_add": {"var_ref": ones(3, 4), "indices": numbers(0, 2), "updates": ones(2, 4)},
}  # fmt: skip


test_right_arguments_are_accepted, test_refusals = refusal_tests(
    OPERATORS,
    [
        ("index_add", {"source": None, "self": ones(3, 4, dtype="complex64")}, NULL),
        ("index_add", {"index": ones(2)}, INVALID),
        ("index_add", {"index": numbers(0)}, INVALID),
        ("index_add", {"dim": 2}, INVALID),
        ("index_add", {"source": ones(2, 5)}, INVALID),
        ("index_add", {"source": ones(2, 4, dtype="int32")}, INVALID),
        ("index_add", {"out": ones(4, 4)}, INVALID),
        ("index_add", {"self": ones(), "source": ones(2), "out": ones()}, 0),
        ("index_add", {"self": ones(), "source": ones(2, 2), "out": ones()}, INVALID),
        ("index_add_v2", {"mode": 0}, 0),
        ("index_add_v2", {"mode": 0, "dim": -2}, 0),
        ("index_add_v2", {"mode": 0, "dim": 1, "source": ones(3, 2)}, INNER_NULL),
        ("index_add_v2", {"alpha": 1j}, INVALID),
        ("inplace_put", {"source": ones(3)}, INVALID),
        ("inplace_put", {"self_ref": ones(0)}, INVALID),
        ("inplace_put", {"self_ref": ones(2, 3, dtype="bfloat16"),
                         "source": ones(2, dtype="bfloat16")}, INVALID),
        ("inplace_scatter_update", {"axis": 0}, 561002),
        ("inplace_scatter_update", {"axis": -3}, 561002),
        ("inplace_scatter_update", {"updates": ones(2, 4, 4)}, 561002),
        ("inplace_scatter_update", {"updates": ones(2, 2)}, INVALID),
        ("inplace_scatter_update", {"indices": pa.zeros((2, 3), "int64")}, 561002),
        ("inplace_scatter_update", {"indices": pa.zeros((2, 2, 1), "int64")}, INVALID),
        ("inplace_masked_scatter", {"mask": ones(2, 2, 3, dtype="bool")}, INVALID),
        ("inplace_masked_scatter", {"source": ones(6, dtype="int32")}, INVALID),
        ("scatter_nd", {"updates": ones(2, 3)}, INVALID),
        ("scatter_nd", {"indices": pa.zeros((2, 3), "int64")}, INVALID),
        ("scatter_nd_update", {"updates": ones(2, 3)}, INNER_NULL),
        ("scatter_nd_update", {"indices": numbers(0, 1), "updates": ones(1)}, INNER_NULL),
        ("scatter_reduce", {"reduce": 2}, INVALID),
        ("scatter_reduce", {"include_self": False}, INVALID),
        ("scatter_reduce", {"self": None, "reduce": 6}, INVALID),
        ("scatter_reduce", {"index": None}, NULL),
        ("tf_scatter_add", {"updates": ones(2, 3)}, INVALID),
        ("tf_scatter_add", {"var_ref": ones(0, 4)}, INVALID),
    ],
)  # fmt: skip

test_numbers_out_of_range_end_the_task_and_write_nothing_there = outside_test(
    OPERATORS,
    [
        ("index_add", {"index": numbers(0, 3)}),
        ("index_add", {"index": numbers(0, -1)}),
        ("inplace_put", {"index": numbers(0, 6)}),
        ("inplace_put", {"index": numbers(-1, 5)}),
        ("inplace_scatter_update", {"indices": numbers(0, 2)}),
        ("inplace_masked_scatter", {"source": ones(5)}),
        ("scatter_nd", {"indices": pa.full((2, 1), 3, "int64")}),
    ],
)


def test_tensorflow_leaves_numbers_out_of_range_out() -> None:
    var = pa.zeros((3, 2))

    pa.ops.tf_scatter_add(var, numbers(2, 3, -1, 2), pa.full((4, 2), 5.0))

    assert var.numpy().tolist() == [[0, 0], [0, 0], [10, 10]]


def test_the_faster_mode_does_not_look_at_alpha() -> None:
    found = pa.ops.index_add_v2(pa.zeros((2, 2)), 0, numbers(1, 1), ones(2, 2), 7.0, 0)

    assert found.numpy().tolist() == [[0, 0], [2, 2]]


def test_an_integer_is_divided_by_as_c_does() -> None:
    done = run_child(
        """
import numpy as np, pyaclnn as pa
var = pa.asarray(np.array([-(2**31), -7, 9, 5], np.int32))
index = pa.asarray(np.array([0, 1, 2, 2, 3]))
pa.ops.scatter_div(var, index, pa.asarray(np.array([-1, 2, 2, 2, 0], np.int32)), False)
print(var.numpy().tolist())
""",
        PYACLNN_SIM_SOC="Ascend910_95",
    )

    assert done.stdout.strip() == "[-2147483648, -3, 2, 0]"


@pytest.mark.parametrize("name", ["scatter_div", "scatter_max", "scatter_min", "scatter_mul"])
def test_only_the_950_has_these(name: str) -> None:
    right = {
        "var_ref": ones(3),
        "indices": numbers(0),
        "updates": ones(1),
        "use_locking": False,
    }

    assert code_with(name, right) == NO_KERNEL
    assert code_with(name, right, indices=None) == NULL
    assert code_with(name, right, updates=ones(1, dtype="int32")) == INVALID


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
def test_terms_of_short_rows_are_added_along_columns(dtype: str) -> None:
    rng = np.random.default_rng(7)
    table, terms = rng.integers(-4, 5, (700, 64)), rng.integers(-4, 5, (900, 64))
    places = rng.integers(0, 700, terms.shape)
    expected = table.copy()
    np.add.at(expected, (places, np.arange(64)), terms)

    result = pa.ops.scatter_add(
        pa.asarray(table, dtype=dtype), 0, pa.asarray(places), pa.asarray(terms, dtype=dtype)
    )

    assert np.array_equal(result.numpy(), expected.astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_one_element_is_written_to_a_number(dtype: str) -> None:
    table, out = pa.asarray(np.array([5], dtype)), pa.zeros((), dtype)

    pa.ops.scatter_value(table, 0, numbers(0, 0, 0), 3, 1, out=out)

    assert out.item() == 5 + 3 * 3


@pytest.mark.parametrize("length", [1, 3, 64, 100, 256, 300])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_numbers_of_short_rows_choose_in_their_own_row(length: int, dtype: str) -> None:
    # Numbers of short rows are read together where they lie one behind the other.
    rng = np.random.default_rng(length)
    table = rng.standard_normal((11, 40)).astype(np.float32)
    wide = rng.integers(0, 40, (11, 2 * length)).astype(dtype)
    dense = wide[:, :length].copy()
    for chosen, view in (
        (dense, pa.asarray(dense)),
        (dense, pa.asarray(wide)[:, :length]),
        (wide[:, ::2], pa.asarray(wide)[:, ::2]),
        (np.broadcast_to(dense[:1], dense.shape), pa.asarray(dense[0]).broadcast_to(dense.shape)),
    ):
        terms = rng.integers(-4, 5, chosen.shape).astype(np.float32)
        expected = table.copy()
        np.add.at(expected, (np.arange(11)[:, None], chosen), terms)

        found = pa.ops.gather(pa.asarray(table), 1, view).numpy()
        added = pa.ops.scatter_add(pa.asarray(table), 1, view, pa.asarray(terms)).numpy()

        np.testing.assert_array_equal(found, np.take_along_axis(table, chosen, 1))
        np.testing.assert_allclose(added, expected, rtol=1e-5, atol=1e-5)


def test_a_number_out_of_range_among_short_rows_is_told() -> None:
    chosen = np.zeros((9, 5), np.int64)
    chosen[6, 3] = 7
    with pytest.raises(pa.AclError, match="an index is 7, the dimension has 4 places"):
        pa.ops.gather(ones(9, 4), 1, pa.asarray(chosen)).numpy()


def found_of_scalars() -> list[int]:
    """Return how scatters of a scalar are answered: to one place, and to two."""
    return [
        code("inplace_scatter", ones(7), 0, places, ones(), 0)
        for places in (numbers(3), numbers(0, 1))
    ]


def test_the_950_scatters_a_scalar_to_one_place() -> None:
    found = found_on("Ascend950", "operators.test_scattering", "found_of_scalars()")

    assert found == [0, INNER_NULL]
