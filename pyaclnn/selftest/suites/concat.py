"""Joining tensors: a list of any length, in any dimension, of one dtype or of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, layout_pairs, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, lacks_narrow

FLOATS = ("float32", "float16", "bfloat16", "float64")
INTEGERS = ("int8", "uint8", "int16", "int32", "int64")

#: Shapes of the tensors, and the dimension they are joined in.
EXAMPLES: tuple[tuple[tuple[tuple[int, ...], ...], int], ...] = (
    (((2, 3), (1, 3)), 0), (((2, 3), (2, 5)), 1), (((2, 3), (2, 5)), -1), (((7,), (9,)), 0),
    (((1,), (1,), (1,)), 0), (((4, 1), (4, 1), (4, 1)), 1), (((2, 3, 4), (2, 1, 4)), 1),
    (((2, 3, 4), (2, 3, 1), (2, 3, 2)), 2), (((5, 2, 3, 4), (1, 2, 3, 4)), -4),
    (((2, 1, 2, 1, 2, 1, 2, 3), (2, 1, 2, 2, 2, 1, 2, 3)), 3), (((300, 401), (5, 401)), 0),
    (((401, 300), (401, 5)), 1), (((4097,), (1,)), 0), (((3, 5),), 1), (((6,), (0,), (2,)), 0),
    (((0,), (2, 3), (0,), (4, 3)), 0), (((0, 3), (2, 3)), 0), (((2, 0), (2, 3), (2, 0)), 1),
    (((0,), (5, 2)), 1), (((0, 3), (0, 3)), 0), (((0,),), 0), (((2, 0), (2, 0)), 0),
    (((3, 2),) * 33, 1), (((2,),) * 70, 0), (((1, 9),) * 32, 0), (((64, 3), (1, 3), (2, 3)), -2),
)  # fmt: skip

#: dtypes that are joined, and the one of the result.
MIXED: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "float32": ((("float32", "int64", "bool"), "float32"), (("float16", "float32"), "float32")),
    "float16": ((("float16", "int32"), "float16"), (("bool", "float16"), "float32")),
    "bfloat16": ((("float16", "bfloat16"), "float32"), (("bfloat16", "uint8"), "bfloat16")),
    "float64": ((("float64", "float32", "int16"), "float64"), (("float32",), "float64")),
    "int8": ((("int8", "uint8"), "int16"), (("int8", "bool"), "float16")),
    "uint8": ((("uint8", "int32"), "int32"), (("uint8", "bool"), "uint8")),
    "int16": ((("int16", "int8"), "int16"), (("int16", "int16"), "float32")),
    "int32": ((("int32", "int64"), "int64"), (("int32", "uint8"), "complex64")),
    "int64": ((("int64", "float32"), "float32"), (("int64", "bool"), "int64")),
    "bool": ((("bool", "int8"), "int8"), (("bool", "bool"), "float32")),
    "complex64": ((("complex64", "float32"), "complex64"), (("int32", "complex64"), "complex64")),
    # CANN's table of common types ends before these: beside any other they are float32.
    "float8_e5m2": ((("float8_e5m2", "int64"), "float32"), (("float8_e5m2",), "bfloat16")),
    "float8_e4m3fn": (
        (("uint16", "float8_e4m3fn"), "float32"),
        (("float8_e4m3fn", "bool"), "float16"),
    ),
}


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    kind = numpy_dtype(dtype)
    if kind.kind == "b":
        return np.asarray(rng.integers(0, 2, shape)).astype(kind)
    if kind.kind == "c":
        return np.asarray(rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(kind)
    # Integers that every dtype here can hold.
    whole = kind.kind in "iu"
    values = np.asarray(rng.integers(0, 100, shape) if whole else rng.normal(size=shape))
    return (np.abs(values) if dtype == "float8_e8m0fnu" else values).astype(kind)


def join(arrays: Sequence[Array], dim: int) -> Array:
    """Return ``torch.cat``: NumPy's, but that an array of shape (0,) joins any others."""
    parts = [a for a in arrays if a.shape != (0,)] or list(arrays)
    return np.concatenate(parts, dim)


def _wide(array: Array) -> Array:
    kind = array.dtype.kind
    return array if kind in "biu" else array.astype(np.complex128 if kind == "c" else np.float64)


def _case(
    label: str, arrays: Sequence[Array], dim: int, layouts: Sequence[str] = (),
    out: tuple[str, ...] = (), out_dtype: str = "",
) -> Case:  # fmt: skip
    golden = join([_wide(a) for a in arrays], dim)
    placed = layouts or ("contiguous",) * len(arrays)
    operands = [Operand(a, layout) for a, layout in zip(arrays, placed, strict=True)]
    if out_dtype and numpy_dtype(out_dtype).kind in "biu":
        golden = golden.astype(out_dtype)
    return Case(label, (operands, dim), (golden,), out, (out_dtype,) if out_dtype else ())


def _cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if lacks_narrow(dtype):
        return
    for shapes, dim in EXAMPLES:
        shown = f"{len(shapes)} × {shapes[0]}" if len(shapes) > 4 else f"{shapes}"
        yield _case(f"{shown} in {dim}", [_values(s, dtype, rng) for s in shapes], dim)
    for first, second, third in layout_pairs():
        arrays = [_values((3, extent, 5), dtype, rng) for extent in (4, 7)]
        label = f"{first} + {second} → {third}"
        yield _case(label, arrays, 1, (first, second), (third,), dtype)
    for number, (dtypes, result) in enumerate(MIXED.get(dtype, ())):
        if "bfloat16" in dtypes and not has_bfloat16():
            continue
        arrays = [_values((2, 3 + i), d, rng) for i, d in enumerate(dtypes)]
        label = f"{' + '.join(dtypes)} → {result}"
        # The first follows from the inputs, the second is asked for.
        yield _case(label, arrays, 1, (), ("every_second",) * number, result)


SUITES = (
    Suite(
        "cat",
        (*FLOATS, *INTEGERS, "bool", "complex64", "float8_e5m2", "float8_e4m3fn", "float8_e8m0fnu"),
        _cases,
    ),
)
