"""Python's signs and NumPy's methods of tensors give what NumPy gives."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

FLOATS = np.array([[-2.5, -1.0, 0.5, 3.0], [4.0, 7.5, -6.0, 2.0]], np.float32)
OTHERS = np.array([[2.0, -3.0, 1.5, 2.0], [-4.0, 2.5, 4.0, 2.0]], np.float32)
WHOLE = np.array([[-5, 3, 12, 7], [0, 1, 255, -256]], np.int64)
MASKS = np.array([[1, 2, 4, 7], [3, 1, 15, 8]], np.int64)
ARITHMETIC = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
]
BITS = [operator.and_, operator.or_, operator.xor]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
REDUCTIONS = ["sum", "mean", "max", "min", "any", "all"]


def close(result: Any, expected: Any) -> None:
    expected = np.asarray(expected)
    assert isinstance(result, pa.Tensor)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("sign", [*ARITHMETIC, *COMPARISONS])
def test_signs_between_tensors_and_numbers(sign: Callable[[Any, Any], Any]) -> None:
    x, y = pa.asarray(FLOATS), pa.asarray(OTHERS)

    close(sign(x, y), sign(FLOATS, OTHERS))
    close(sign(x[0], y), sign(FLOATS[0], OTHERS))
    close(sign(x.T, 1.5), sign(FLOATS.T, np.float32(1.5)))
    close(sign(x, 2), sign(FLOATS, np.float32(2)))


@pytest.mark.parametrize("sign", [operator.add, operator.sub, operator.mul, operator.truediv,
                                  operator.mod, *COMPARISONS])  # fmt: skip
def test_a_number_may_stand_on_the_left(sign: Callable[[Any, Any], Any]) -> None:
    close(sign(1.5, pa.asarray(FLOATS)), sign(np.float32(1.5), FLOATS))
    close(sign(np.float32(1.5), pa.asarray(FLOATS)), sign(np.float32(1.5), FLOATS))


@pytest.mark.parametrize("sign", BITS)
def test_bits(sign: Callable[[Any, Any], Any]) -> None:
    x, y = pa.asarray(WHOLE), pa.asarray(MASKS)

    close(sign(x, y), sign(WHOLE, MASKS))
    close(sign(x, 6), sign(WHOLE, 6))
    close(sign(6, x), sign(6, WHOLE))
    close(~x, ~WHOLE)
    close(~(x > 2), ~(WHOLE > 2))


def test_powers_signs_and_products() -> None:
    x = pa.asarray(np.abs(FLOATS))

    close(x**2, np.abs(FLOATS) ** 2)
    close(2**x, 2 ** np.abs(FLOATS))
    close(x**x, np.abs(FLOATS) ** np.abs(FLOATS))
    close(-x, -np.abs(FLOATS))
    close(abs(-x), np.abs(FLOATS))
    close(x @ x.T, np.abs(FLOATS) @ np.abs(FLOATS).T)


@pytest.mark.parametrize(
    ("sign", "numbers"),
    [(s, FLOATS) for s in (operator.iadd, operator.isub, operator.imul, operator.itruediv)]
    + [(s, WHOLE) for s in (operator.iand, operator.ior, operator.ixor)],
)
def test_assigning_signs_write_the_same_memory(
    sign: Callable[[Any, Any], Any], numbers: np.ndarray[Any, Any]
) -> None:
    x, host = pa.asarray(numbers), numbers.copy()
    other = OTHERS if numbers is FLOATS else MASKS
    memory, view = x.buffer, x[:, 1:]

    sign(view, pa.asarray(other[:, 1:]))
    sign(view, 3)
    sign(host[:, 1:], other[:, 1:])
    sign(host[:, 1:], numbers.dtype.type(3))

    assert x.buffer is memory
    close(x, host)


def test_in_place_the_dtype_stays_or_the_result_is_refused() -> None:
    whole, narrow, half = (pa.asarray(WHOLE.astype(t)) for t in ("int64", "int8", "float16"))

    for spoil in (operator.iadd, operator.imul, operator.itruediv, operator.ipow):
        with pytest.raises(TypeError, match="in place, a result of float32 does not fit int64"):
            spoil(whole, 1.5)
    with pytest.raises(TypeError, match="does not fit"):
        whole /= 2
    with pytest.raises(OverflowError, match="300 out of bounds for int8"):
        narrow += 300
    assert np.array_equal(whole.numpy(), WHOLE)
    narrow += whole
    half *= pa.asarray(WHOLE)
    whole <<= 1
    assert (narrow.dtype, half.dtype, whole.dtype) == ("int8", "float16", "int64")
    assert np.array_equal(narrow.numpy(), (WHOLE.astype("i1") * 2).astype("i1"))
    assert np.array_equal(whole.numpy(), WHOLE << 1)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "float16",
                                   "float32", "float64", "complex64", "bool"])  # fmt: skip
@pytest.mark.parametrize("number", [True, 3, 2.5, 1 + 2j, np.float64(1.5), np.int16(2)], ids=repr)
@pytest.mark.parametrize("sign", [operator.add, operator.sub, operator.mul, operator.truediv,
                                  operator.floordiv, operator.mod, operator.pow])  # fmt: skip
@pytest.mark.parametrize("swapped", [False, True])
def test_python_numbers_do_not_widen(sign: Any, number: Any, dtype: str, swapped: bool) -> None:
    host = np.array([1, 2, 5]).astype(dtype)
    device = pa.asarray(host)
    try:
        with np.errstate(all="ignore"):
            expected = sign(number, host) if swapped else sign(host, number)
    except TypeError:
        return
    if host.dtype == bool and expected.dtype == "int8":
        # Powers and quotients of bool alone have no meaning in CANN.
        return

    result = sign(number, device) if swapped else sign(device, number)

    # Where NumPy goes from integers to float64, the device goes to its own default.
    default = expected.dtype
    if default.kind in "fc" and host.dtype.kind in "biu" and not isinstance(number, np.inexact):
        default = np.dtype("complex64" if default.kind == "c" else "float32")
    elif dtype == "float16" and isinstance(number, np.integer):
        default = host.dtype
    assert result.dtype == default
    np.testing.assert_allclose(result.numpy(), expected, rtol=2e-3 if dtype == "float16" else 1e-5)


@pytest.mark.parametrize("dtype", ["int64", "float64", "complex64"])
def test_products_of_what_the_matrix_unit_lacks(dtype: str) -> None:
    a, b = FLOATS.astype(dtype), OTHERS.T.astype(dtype)

    close(pa.asarray(a) @ pa.asarray(b), a @ b)
    close(pa.asarray(a) @ pa.asarray(b[:, 0]), a @ b[:, 0])


@pytest.mark.parametrize("sign", COMPARISONS)
@pytest.mark.parametrize("number", [300, -1, 2**70, 2.5, True])
def test_comparisons_with_what_the_dtype_lacks(sign: Any, number: Any) -> None:
    host = np.array([0, 2, 3, 255], np.uint8)

    assert np.array_equal(sign(pa.asarray(host), number).numpy(), sign(host, number))


@pytest.mark.parametrize("sign", [operator.lshift, operator.rshift])
def test_shifts_and_floor_division_of_numbers(sign: Any) -> None:
    x = np.array([1, 2, 3], np.int32)

    for result, expected in (
        (sign(pa.asarray(x), 2), sign(x, 2)),
        (sign(9, pa.asarray(x)), sign(9, x)),
        (sign(pa.asarray(x), pa.asarray(x)), sign(x, x)),
        (7 // pa.asarray(x), 7 // x),
        (divmod(pa.asarray(x), 2)[1], divmod(x, 2)[1]),
    ):
        assert result.dtype == np.int32
        assert np.array_equal(result.numpy(), expected)


def test_protocols_of_numbers() -> None:
    x, c = pa.asarray(np.arange(6, dtype="f4")), pa.asarray(np.complex64(1 + 2j))

    assert complex(c) == 1 + 2j
    assert [10, 20, 30][pa.asarray(np.array([2, 1]))[0]] == 30
    assert f"{x[1]:.2f}" == "1.00"
    assert not np.iterable(x[0])
    assert 3 in x
    assert 7 not in x
    assert [float(e) for e in x] == list(range(6))
    with pytest.raises(TypeError, match="0-d"):
        iter(x[0])
    with pytest.raises(TypeError, match="index"):
        operator.index(x[0])
    with pytest.raises(TypeError, match="only 0-d"):
        operator.index(x.astype("int32")[:1])
    assert (+x).buffer is not x.buffer
    np.testing.assert_array_equal(pa.asarray([1 + 2j, 3]).real.numpy(), [1, 3])
    np.testing.assert_array_equal(pa.asarray([1 + 2j, 3])[::-1].imag.numpy(), [0, 2])


def test_copies_and_pickles_keep_values_dtype_and_device() -> None:
    x = pa.asarray(FLOATS).T

    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert twin.device is x.device
        assert twin.dtype == x.dtype
        twin += 1
        close(twin, FLOATS.T + 1)
    close(x, FLOATS.T)
    described = with_format(pa.zeros((16, 16)), "NCHW", shape=(1, 1, 16, 16))
    for way in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"its values can: tensor\.numpy\(\)"):
            way(described)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(name: str, axis: Any, keepdims: bool) -> None:
    expected = getattr(FLOATS, name)(axis=axis, keepdims=keepdims)

    close(getattr(pa.asarray(FLOATS), name)(axis, keepdims=keepdims), expected)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_positions(name: str, axis: Any, keepdims: bool) -> None:
    expected = getattr(FLOATS, name)(axis, keepdims=keepdims)

    close(getattr(pa.asarray(FLOATS), name)(axis, keepdims=keepdims), expected)
    close(getattr(pa.asarray(FLOATS).T, name)(), getattr(FLOATS.T, name)())


def test_reductions_write_where_they_are_told_as_numpy_tells_them() -> None:
    x, out, place = pa.asarray(FLOATS), pa.zeros(4), pa.zeros((), "int64")

    assert x.sum(0, out=out) is out
    close(out, FLOATS.sum(0))
    close(np.sum(x, axis=1), FLOATS.sum(1))
    close(np.amax(x), FLOATS.max())
    x.argmax(out=place)
    close(place, FLOATS.argmax())


def test_sums_of_integers_are_wide_and_means_of_them_float() -> None:
    x = pa.asarray(np.full(3, 100, np.int8))

    assert (x.sum().dtype, x.sum().item()) == (np.int64, 300)
    assert (x.mean().dtype, x.mean().item()) == (np.float32, 100.0)
    assert (pa.asarray([True, True, False]).sum().item()) == 2


@pytest.mark.parametrize("sign", [*ARITHMETIC, operator.matmul, operator.eq, operator.lt])
@pytest.mark.parametrize("swapped", [False, True])
def test_arrays_of_the_host_are_refused(sign: Callable[[Any, Any], Any], swapped: bool) -> None:
    pair = (FLOATS, pa.asarray(FLOATS)) if swapped else (pa.asarray(FLOATS), FLOATS)

    with pytest.raises(TypeError, match=r"pyaclnn\.asarray"):
        sign(*pair)


def test_what_is_no_number_compares_as_python_does() -> None:
    x = pa.asarray(FLOATS)

    assert (x == None) is False  # noqa: E711
    assert (x != "text") is True
    assert {x: 1}[x] == 1
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = x + "text"
    with pytest.raises(ValueError, match="axis 2 is out of range for float32"):
        x.sum(2)


def test_lists_of_tensors_with_equal_values_are_told_apart() -> None:
    ones, twos, others = [pa.full((1,), 1.0)], [pa.full((1,), 2.0)], [pa.full((1,), 1.0)]

    for tensors in (ones, twos, others, ones):
        result = pa.ops.cat([*tensors, *tensors], 0)
        assert result.tolist() == [tensors[0].item()] * 2
    others[0].fill_(3)
    assert pa.ops.cat([*others, *ones], 0).tolist() == [3, 1]


def test_assignment_on_the_device() -> None:
    x, host = pa.asarray(FLOATS), FLOATS.copy()

    x[0] = 7
    x[:, 1] = pa.asarray(np.array([1, 2]))  # of another dtype
    x[1, ::2] = x[0, 1]
    host[0] = 7
    host[:, 1] = [1, 2]
    host[1, ::2] = host[0, 1]
    close(x, host)
    close(x.fill_(2.5), np.full_like(host, 2.5))
    with pytest.raises(TypeError, match="copy_from"):
        x[0] = host[0]
    with pytest.raises(TypeError, match="a number is needed, not str"):
        x[0] = "text"


def test_copies_and_conversions() -> None:
    x = pa.asarray(FLOATS)

    assert x.contiguous() is x
    assert x.T.contiguous().is_contiguous
    close(x.T.contiguous(), FLOATS.T)
    twin = x.copy()
    twin.fill_(0)
    close(x, FLOATS)
    assert x.astype(np.float32, copy=False) is x
    assert x.astype(np.float32) is not x
    close(x.astype("int32"), FLOATS.astype(np.int32))
    close(x.astype("float16").astype("float32"), FLOATS)
    assert x.tolist() == FLOATS.tolist()


@pytest.mark.parametrize(
    "shape", [(), (3,), (0, 4), (2, 1000), (40, 50), (7, 8, 30), (3, 1001), (9, 9, 9, 9)]
)
def test_values_print_as_numpy_prints_them(shape: tuple[int, ...]) -> None:
    host = np.random.default_rng(5).normal(size=shape).astype(np.float32)

    assert str(pa.asarray(host)) == str(host)
    assert str(pa.asarray(host.T.copy()).T) == str(host)


def test_only_corners_of_a_large_tensor_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    x = pa.zeros((1000, 1000))
    copied = []
    numpy = pa.Tensor.numpy
    monkeypatch.setattr(pa.Tensor, "numpy", lambda self: copied.append(self.size) or numpy(self))

    assert "..." in str(x)
    assert sum(copied) == 64


def test_a_notebook_shows_a_table_and_a_closed_tensor_no_values() -> None:
    x = pa.asarray(FLOATS)

    page = x._repr_html_()
    for text in ("(2, 4)", "float32", "-2.5"):
        assert text in page
    x.close()
    assert "closed" in str(x)
    assert "closed" in x._repr_html_()
