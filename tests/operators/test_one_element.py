"""Outputs of one element: which operators mind the number of their dimensions, and which do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, code, code_of, device

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_X = np.array([[3.0, -1.0], [2.0, 5.0]], np.float32)
_ALL = (0, 1)
_F32 = np.float32

#: Operator -> its inputs, and each result in float64. CANN compares these outputs with the result
#: by its one element alone.
_ANY_RANK: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "prod": ((_X, _F32), (_X.prod(),)),
    "prod_dim": ((_X[0], 0, False, _F32), (_X[0].prod(),)),
    "reduce_sum": ((_X, _ALL, False, _F32), (_X.sum(),)),
    "reduce_nansum": ((_X, _ALL, False, _F32), (_X.sum(),)),
    "reduce_log_sum": ((_X, _ALL, True, False), (np.log(_X.sum()),)),
    "mean": ((_X, _ALL, False, _F32), (_X.mean(),)),
    "mean_v2": ((_X, _ALL, False, False), (_X.mean(),)),
    "max": ((_X,), (_X.max(),)),
    "min": ((_X,), (_X.min(),)),
    "max_dim": ((_X[1], 0, False), (5, 1)),
    "min_dim": ((_X[1], 0, True), (2, 0)),
    "arg_max": ((_X[1], 0, False), (1,)),
    "arg_min": ((_X[1], 0, False), (0,)),
    "any": ((_X, _ALL, False), (1,)),
    "aminmax": ((_X[0], (0,), False), (-1, 3)),
    "aminmax_all": ((_X,), (-1, 5)),
    "aminmax_dim": ((_X[0], 0, False), (-1, 3)),
    "stack": (([_X[0, 0]], 0), (3,)),
    "median": ((_X,), (2,)),
    "nan_median": ((_X,), (2,)),
    "kthvalue": ((_X[1], 2, 0, True), (5, 1)),
    "topk": ((_X[1], 1, 0, True, True), (5, 1)),
    "diag": ((np.float32([7]), 0), (7,)),
}
_DTYPES = {"any": "bool", "arg_max": "int64", "arg_min": "int64"}
#: Type of the place that is given beside a value.
_PLACES_IN = {"max_dim": "int32", "min_dim": "int32", "kthvalue": "int64", "topk": "int64"}

#: Operators that want the very shape.
_EXACT: dict[str, tuple[Any, ...]] = {
    "all": (_X, _ALL, False),
    "amax": (_X, _ALL, False),
    "amin": (_X, _ALL, False),
    "var": (_X, _ALL, True, False),
    "log_sum_exp": (_X, _ALL, False),
    "global_max_pool": (_X[None, None],),
}


def _given(arguments: tuple[Any, ...]) -> list[Any]:
    def of(value: Any) -> Any:
        if isinstance(value, list):
            return [device(v) for v in value]
        # Four dimensions are NCHW by themselves, which no output of fewer is.
        is_array = isinstance(value, np.ndarray)
        return with_format(device(value), "ND") if is_array else value

    return [of(value) for value in arguments]


def _outputs(name: str, count: int, shape: tuple[int, ...]) -> Any:
    dtypes = (_DTYPES.get(name, "float32"), _PLACES_IN.get(name, "float32"))
    outs = tuple(with_format(pa.zeros(shape, dtype), "ND") for dtype in dtypes[:count])
    return outs[0] if count == 1 else outs


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1)])
@pytest.mark.parametrize("name", _ANY_RANK)
def test_one_element_goes_to_an_output_of_one_element(name: str, shape: tuple[int, ...]) -> None:
    arguments, expected = _ANY_RANK[name]
    out = _outputs(name, len(expected), shape)
    pa.ops[name](*_given(arguments), out=out)
    results = out if isinstance(out, tuple) else (out,)
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(result.numpy(), np.full(shape, value), rtol=1e-6)


@pytest.mark.parametrize("name", _ANY_RANK)
def test_two_elements_are_refused(name: str) -> None:
    arguments, expected = _ANY_RANK[name]
    refusal = code(name, *_given(arguments), out=_outputs(name, len(expected), (2,)))
    assert refusal != 0


@pytest.mark.parametrize("name", _EXACT)
def test_others_want_the_very_shape(name: str) -> None:
    out = pa.zeros((1,), "bool" if name == "all" else "float32")
    assert code(name, *_given(_EXACT[name]), out=out) == INVALID


def test_parts_of_one_element_go_to_scalars() -> None:
    parts = [pa.zeros((), "float32"), pa.zeros((1, 1), "float32")]
    pa.ops.split_tensor(device([4, 6]), 1, 0, out=parts)
    assert [part.numpy().item() for part in parts] == [4, 6]


_PLACES: dict[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    "nonzero": np.argwhere,
    "nonzero_v2": lambda x: np.argwhere(x).T,
}


@pytest.mark.parametrize("name", _PLACES)
def test_places_need_room_only_for_what_is_found(name: str) -> None:
    x = np.arange(8).reshape(4, 2)
    expected = _PLACES[name](x)
    out = pa.zeros(expected.shape, "int64")
    pa.ops[name](device(x), out=out)
    np.testing.assert_array_equal(out.numpy(), expected)
    # The device would write behind the end.
    with pytest.raises(pa.AclError, match="has room for the places of 6"):
        pa.ops[name](device(x), out=pa.zeros((2, 6), "int64")).numpy()


def test_a_nan_median_of_nothing_is_nan_whatever_the_output() -> None:
    for shape in ((), (1,), (2, 3)):
        for dtype in ("float16", "float32"):
            out = pa.full(shape, 1, dtype)
            pa.ops.nan_median(pa.empty((2, 0, 3), dtype), out=out)

            assert np.isnan(out.numpy()).all(), (shape, dtype)


def test_a_number_is_copied_to_one_element_alone() -> None:
    def status(*shape: int) -> int:
        outs = pa.zeros(shape), pa.zeros((1, 1))
        return code_of(pa.ops.aminmax, pa.ones(()), (0,), False, out=outs)

    assert (status(), status(1, 1, 1), status(8)) == (0, 0, INNER_NULL)
