"""Lossless codes: the bits that they are, those they give back, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code_of, ones
from operators.status_tests import AICORE_EXCEPTION, status_tests

import pyaclnn as pa
from pyaclnn.selftest.cases import numpy_dtype
from pyaclnn.selftest.suites.codes import drawn, encoded, room_needed

_CORE = 32768
_HEADER = 512


def _counts(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    last = x.view(np.uint8)[x.itemsize - 1 :: x.itemsize]
    return np.bincount(last, minlength=256).astype(np.int32)[None]


def _filled(count: int, dtype: str) -> pa.Tensor:
    """Return so many bytes, all of them 0xA5."""
    return pa.asarray(np.full(count, 0xA5, np.uint8).view(numpy_dtype(dtype)))


def _bytes(tensor: pa.Tensor) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(tensor.numpy()).view(np.uint8)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("evenly", [False, True])
@pytest.mark.parametrize(
    ("count", "each", "together"),
    [
        (_CORE, 0, False), (_CORE + 64, 0, True), (2 * _CORE + 9 * 64, 17000, False),
        (3 * _CORE + 200 * 64, 25000, False), (5 * _CORE, 0, True),
        (2 * _CORE, 8448, False), (2 * _CORE, 8000, False),
    ],
)  # fmt: skip
def test_every_bit_of_the_code_is_the_formulas_and_comes_back(
    dtype: str, evenly: bool, count: int, each: int, together: bool
) -> None:
    x = drawn(count, dtype, np.random.default_rng(count), evenly=evenly)
    needed = -(-room_needed(count) // 4) * 4
    fixed, var = (_HEADER + each * (count // _CORE), needed) if each else (needed, 0)
    counts = pa.zeros((1, 256), "int32")
    out = tuple(_filled(n, dtype) for n in (count * (x.itemsize - 1), fixed, var))

    pa.ops.hans_encode(pa.asarray(x.view(numpy_dtype(dtype))), counts, True, together, out=out)
    restored = pa.ops.hans_decode(*out, counts, together)

    np.testing.assert_array_equal(counts.numpy(), _counts(x))
    for seen, golden in zip(
        out, encoded(x, _counts(x), fixed, var, together=together), strict=True
    ):
        np.testing.assert_array_equal(_bytes(seen), np.where(golden < 0, 0xA5, golden))
    np.testing.assert_array_equal(_bytes(restored), x.view(np.uint8))


def test_elements_are_dealt_to_all_vector_cores_and_no_more() -> None:
    count = 50 * _CORE
    x = drawn(count, "bfloat16", np.random.default_rng(1), evenly=False)
    counts, out = pa.zeros((1, 256), "int32"), [_filled(count, "bfloat16") for _ in range(3)]

    pa.ops.hans_encode(
        pa.asarray(x.view(numpy_dtype("bfloat16"))), counts, True, False, out=tuple(out)
    )

    assert out[1].numpy().view(np.int32)[1] == 48
    restored = pa.ops.hans_decode(*out, counts, False)
    np.testing.assert_array_equal(_bytes(restored), x.view(np.uint8))


def test_what_is_compressed_takes_less_room() -> None:
    count = 4 * _CORE
    x = drawn(count, "bfloat16", np.random.default_rng(2), evenly=False)
    counts, fixed = pa.zeros((1, 256), "int32"), _filled(2 * count, "bfloat16")
    mantissa, var = _filled(count, "bfloat16"), _filled(64, "bfloat16")

    pa.ops.hans_encode(
        pa.asarray(x.view(numpy_dtype("bfloat16"))), counts, True, True, out=(mantissa, fixed, var)
    )

    coded = fixed.numpy().view(np.int32)[8:12].sum()
    assert 0.2 * count < coded - 4 * 8448 < 0.4 * count


def test_a_code_whose_rest_has_no_room_ends_the_task() -> None:
    x = drawn(_CORE, "float16", np.random.default_rng(3), evenly=True)
    needed = room_needed(_CORE)
    fixed = _HEADER + 25596
    out = tuple(_filled(n, "float16") for n in (_CORE, fixed, needed - fixed))

    pa.ops.hans_encode(
        pa.asarray(x.view(np.float16)), pa.zeros((1, 256), "int32"), True, False, out=out
    )

    assert code_of(pa.current_stream().sync) == AICORE_EXCEPTION


def _code() -> tuple[np.ndarray[Any, Any], ...]:
    """Return the parts of a code, of which some lies in each, and its counts."""
    x = drawn(2 * _CORE, "float32", np.random.default_rng(4), evenly=True)
    parts = encoded(x, _counts(x), _HEADER + 2 * 18000, _CORE * 2, together=False)
    bits = [np.where(p < 0, 0, p).astype(np.uint8) for p in parts]
    return (*bits, _counts(x))


@pytest.mark.parametrize(
    ("place", "number"),
    [
        (8, -1), (8, 8447), (9, 2**31 - 1), (64, -64), (64, 2**31 - 1), (65, 63), (2, -1),
        (2, 2**31 - 1), (2, 1 << 20), (1, 1), (1, 2**31 - 1),
    ],
)  # fmt: skip
def test_a_header_that_no_encoder_writes_ends_the_task(place: int, number: int) -> None:
    mantissa, fixed, var, counts = _code()
    fixed.view(np.int32)[place] = number
    given = [pa.asarray(p.view(np.float32)) for p in (mantissa, fixed, var)]

    pa.ops.hans_decode(*given, pa.asarray(counts), False)

    assert code_of(pa.current_stream().sync) == AICORE_EXCEPTION


@pytest.mark.parametrize("seed", range(20))
def test_bytes_that_no_encoder_writes_are_decoded_within_the_tensors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mantissa, fixed, var, counts = _code()
    fixed[_HEADER:] = rng.integers(0, 256, len(fixed) - _HEADER)
    fixed[_HEADER:][:: 1 + seed] = 0
    given = [pa.asarray(p.view(np.float32)) for p in (mantissa, fixed, var)]

    pa.ops.hans_decode(*given, pa.asarray(counts), False)

    assert code_of(pa.current_stream().sync) in (0, AICORE_EXCEPTION)


def test_a_code_of_no_cores_leaves_the_result_as_it_is() -> None:
    out = ones(128)
    header = pa.zeros((128,))

    pa.ops.hans_decode(ones(96), header, ones(1), pa.zeros((256,), "int32"), False, out=out)

    assert (out.numpy() == 1).all()


_ROOM = -(-room_needed(_CORE) // 4)
_PDF = pa.zeros((1, 256), "int32")
RIGHT: dict[str, dict[str, Any]] = {
    "hans_encode": {
        "input_tensor": ones(64, 512), "pdf_ref": _PDF, "statistic": True, "reshuff": False,
        "mantissa_out": ones(3, 8192), "fixed_out": ones(_ROOM), "var_out": ones(4),
    },
    "hans_decode": {
        "mantissa": ones(3, 32), "fixed": pa.zeros((128,)), "var": ones(4), "pdf": _PDF,
        "reshuff": True, "out": ones(4, 32),
    },
}  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "hans_encode": (
        *((name, None, NULL) for name in ("input_tensor", "pdf_ref", "mantissa_out", "fixed_out",
                                          "var_out")),
        ("input_tensor", ones(64, 512, dtype="float64"), INVALID),
        ("input_tensor", ones(64, 512, dtype="float16"), NO_KERNEL),
        ("pdf_ref", ones(1, 256), INVALID), ("pdf_ref", pa.zeros((255,), "int32"), TILING),
        ("pdf_ref", pa.zeros((16, 16), "int32"), 0),
        ("input_tensor", ones(64, 511), TILING), ("input_tensor", ones(511, 65), TILING),
        ("mantissa_out", ones(8192), TILING), ("mantissa_out", ones(64, 512), TILING),
        ("var_out", ones(4, dtype="float16"), NO_KERNEL), ("var_out", ones(0), 0),
        ("fixed_out", ones(127), TILING), ("fixed_out", ones(128), TILING),
        ("fixed_out", ones(_ROOM - 8), TILING),
    ),
    "hans_decode": (
        *((name, None, NULL) for name in ("mantissa", "fixed", "var", "pdf")),
        ("mantissa", ones(3, 32, dtype="int32"), INVALID),
        ("out", ones(4, 32, dtype="float16"), NO_KERNEL), ("out", ones(4, 31), TILING),
        ("mantissa", ones(2, 32), TILING), ("pdf", pa.zeros((2, 256), "int32"), TILING),
        ("pdf", ones(256), INVALID), ("fixed", ones(127), TILING),
        ("fixed", ones(128, dtype="bfloat16"), NO_KERNEL),
    ),
}  # fmt: skip
test_right_calls_succeed, test_wrong_calls_are_refused = status_tests(RIGHT, WRONG)


def test_together_the_code_must_have_room_for_all_of_it() -> None:
    right = RIGHT["hans_encode"]
    outputs = (right["mantissa_out"], ones(_ROOM - 1), ones(4096))

    with pytest.raises(pa.AclError) as error:
        pa.ops.hans_encode(right["input_tensor"], _PDF, True, True, out=outputs)

    assert error.value.code == TILING
