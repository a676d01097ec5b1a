"""Index tensors of bools: what they choose is NumPy's; what does not fit ends the task."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

AI_CPU, AI_CORE, INVALID = 507018, 507015, 161002
X = np.arange(24, dtype=np.float32).reshape(4, 6)
EVEN = X % 2 == 0
ROWS = np.array([True, False, True, True])


def chosen(shape: tuple[int, ...], *indices: np.ndarray[Any, Any]) -> pa.Tensor:
    return pa.ops.index(pa.asarray(X), [*map(pa.asarray, indices)], out=pa.empty(shape))


def put(values: Any, *indices: np.ndarray[Any, Any], accumulate: bool = False) -> pa.Tensor:
    x = pa.asarray(X)
    source = pa.asarray(np.asarray(values, np.float32))
    pa.ops.index_put_impl(x, [*map(pa.asarray, indices)], source, accumulate, False)
    return x


def ends_with(attempt: Any) -> int:
    with pytest.raises(pa.AclError) as error:
        attempt().numpy()
    return int(error.value.code)


def test_a_mask_of_all_dimensions_and_one_of_the_first() -> None:
    assert chosen((12,), EVEN).numpy().tolist() == X[EVEN].tolist()
    assert chosen((3, 6), ROWS).numpy().tolist() == X[ROWS].tolist()
    turned = pa.asarray(EVEN.T.copy()).T  # a view
    assert pa.ops.index(pa.asarray(X), [turned], out=pa.empty((12,))).numpy().tolist() == (
        X[EVEN].tolist()
    )


@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("values", [-1.0, np.arange(12) * 10.0])
def test_values_go_where_a_mask_is_true(values: Any, accumulate: bool) -> None:
    expected = X.copy()
    expected[EVEN] = expected[EVEN] + values if accumulate else values
    np.testing.assert_array_equal(put(values, EVEN, accumulate=accumulate).numpy(), expected)


def test_nothing_true_puts_nothing() -> None:
    np.testing.assert_array_equal(put(5.0, np.zeros_like(EVEN)).numpy(), X)


@pytest.mark.parametrize(
    ("shape", "indices"),
    [
        ((11,), [EVEN]), ((12, 1), [EVEN]), ((3, 6), [ROWS[:3]]), ((12,), [EVEN, ROWS]),
        ((3, 6), [np.ones((6, 4), bool)]), ((3,), [ROWS, np.ones(6, bool)]),
        ((3, 6), [np.array(True)]),
    ],
)  # fmt: skip
def test_masks_and_results_that_do_not_fit(shape: Any, indices: Any) -> None:
    assert ends_with(lambda: chosen(shape, *indices)) == AI_CPU
    np.testing.assert_array_equal(put(0.0, ROWS).numpy()[1], X[1])  # and the stream goes on


def test_values_that_do_not_fit_and_numbers_that_there_are_not() -> None:
    assert ends_with(lambda: put(np.ones(5), EVEN)) == AI_CPU
    assert ends_with(lambda: put(1.0, np.array([0, 1, 2, 4]), np.arange(6) < 4)) == AI_CORE
    # Since CANN 9.1 numbers beside a mask, too, have the extent of their dimension.
    assert ends_with(lambda: put(1.0, ROWS, np.array([6]))) == INVALID


def test_the_caller_gives_room_for_what_a_mask_chooses() -> None:
    with pytest.raises(ValueError, match="how many elements are true"):
        pa.ops.index(pa.asarray(X), [pa.asarray(EVEN)])
