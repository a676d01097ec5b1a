"""Products of narrow integers and floats of a byte with scales."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, is_late_950, release
from pyaclnn.selftest.formulas.narrow import in_words, narrowed, quant_parameter, whole_results

#: Batches of both operands, rows, depth, columns.
_SIZES: tuple[tuple[tuple[int, ...], tuple[int, ...], int, int, int], ...] = (
    ((), (), 1, 8, 8), ((), (), 5, 24, 16), ((), (), 130, 304, 264), ((3,), (), 7, 72, 40),
    ((2, 3), (3,), 4, 32, 64), ((), (), 9, 4104, 72),
)  # fmt: skip

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def _numbers(shape: tuple[int, ...], kind: str, rng: np.random.Generator) -> Array:
    most = 128 if kind == "int8" else 8
    return rng.integers(-most, most, shape)


def _operand(numbers: Array, kind: str, *, turned: bool, view: bool) -> Operand:
    """Return a matrix as a parameter: turned in memory, and back again by a view."""
    stored = np.ascontiguousarray(np.swapaxes(numbers, -1, -2)) if turned and not view else numbers
    if kind == "int32":
        return Operand(in_words(stored))
    return Operand(stored.astype(numpy_dtype(kind)), "transposed" if view else "contiguous")


#: Type of the operands, of the scale, whether rows have one, type of the bias, of the result.
_ON_A2 = (
    ("int8", "uint64", False, "", "float16"),
    ("int8", "uint64", False, "int32", "int8"),
    ("int8", "bfloat16", False, "bfloat16", "bfloat16"),
    ("int8", "float32", False, "int32", "int32"),
    ("int8", "float32", False, "float32", "bfloat16"),
    ("int8", "float32", True, "float16", "float16"),
    ("int8", "float32", True, "int32", "bfloat16"),
    ("int4", "int64", False, "int32", "float16"),
    ("int4", "bfloat16", True, "float32", "bfloat16"),
    ("int32", "uint64", False, "", "float16"),
    ("int32", "float32", True, "float16", "float16"),
)
_ON_310P = (
    ("int8", "uint64", False, "int32", "float16"), ("int8", "int64", False, "", "int8"),
    ("int8", "float32", True, "int32", "float16"),
)  # fmt: skip
_ON_950 = (
    ("int8", "uint64", False, "int32", "bfloat16"), ("int8", "int64", False, "", "int8"),
    ("int8", "bfloat16", False, "float32", "bfloat16"),
    ("int8", "float32", False, "int32", "int32"), ("int8", "float32", True, "float16", "float16"),
    ("int4", "uint64", False, "int32", "float16"),
    ("int32", "float32", True, "float16", "float16"),
    ("int4", "bfloat16", True, "", "bfloat16"),
    ("float8_e4m3fn", "float32", True, "float32", "float16"),
    ("float8_e5m2", "uint64", False, "float32", "bfloat16"),
)  # fmt: skip


def _cases(version: int, blocks: bool = False) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        family = chip_family()
        schemes = {"A2": _ON_A2, "310P": _ON_310P, "950": _ON_950}.get(family, ())
        number = 0
        for kind, scale_type, by_row, bias_type, out in schemes:
            if out != dtype or (by_row and version == 3) or (blocks and kind != "int8"):
                continue
            if version != 5 and kind.startswith("float8"):
                continue
            if kind in ("int4", "int32") and family == "950" and not is_late_950():
                continue
            for batch1, batch2, m, k, n in _SIZES:
                if kind != "int8" and batch2:
                    continue
                number += 1
                yield _case(rng, (kind, scale_type, by_row, bias_type, out),
                            (batch1, batch2, m, k, n), number, version, blocks)  # fmt: skip

    return cases


def _case(
    rng: np.random.Generator, scheme: tuple[str, str, bool, str, str], sizes: Any, number: int,
    version: int, blocks: bool,
) -> Case:  # fmt: skip
    kind, scale_type, by_row, bias_type, out = scheme
    batch1, batch2, m, k, n = sizes
    a, b = _numbers((*batch1, m, k), kind, rng), _numbers((*batch2, k, n), kind, rng)
    sums = a.astype(np.int64) @ b.astype(np.int64)
    count = 1 if number % 3 == 0 else n
    scale = rng.uniform(0.5, 1.5, count).astype(np.float32) * np.float32(2.0**-12)
    offset = rng.integers(-20, 20, count).astype(np.float32) if out == "int8" else None
    packed = "int64" in scale_type
    given_scale = (
        quant_parameter(scale, offset) if packed else scale.astype(numpy_dtype(scale_type))
    )
    if packed:
        scale = (given_scale.astype(np.uint32)).view(np.float32)
        given_scale = given_scale.astype(scale_type)
    rows = rng.uniform(0.5, 1.5, m).astype(np.float32) if by_row else None
    bias = rng.integers(-999, 999, n).astype(numpy_dtype(bias_type)) if bias_type else None
    golden: Array = sums
    # Since 9.1, a bias comes behind the scales of rows.
    bias_first = bias_type == "int32" or (
        kind.startswith("float8") and not (by_row and release() >= (9, 1))
    )
    if bias is not None and bias_first:
        golden = golden + bias
    if out != "int32":
        golden = golden.astype(np.float32) * (scale if packed else given_scale.astype(np.float32))
        golden = golden if rows is None else golden * rows[:, None]
        if bias is not None and not bias_first:
            golden = golden + bias.astype(np.float32)
        if offset is not None:
            golden = whole_results(golden, offset)
    turned1, turned2 = (bool(number & bit) and kind == "int8" for bit in (1, 2))
    view = number % 5 == 0 and kind == "int8" and not blocks
    if view:
        turned1 = turned2 = False
    left = _operand(a, kind, turned=turned1, view=view)
    right = _operand(b, kind, turned=turned2, view=view)
    if blocks:
        matrix = np.swapaxes(b, -1, -2) if turned2 else b
        right = Operand(matrix.astype(np.int8), format="FRACTAL_NZ")
    rest = [None if v is None else Operand(v) for v in (offset, rows, bias)]
    if version == 3:
        inputs: tuple[Any, ...] = (left, right, Operand(given_scale), rest[0], rest[2])
    elif version == 4:
        inputs = (left, right, Operand(given_scale), *rest)
    else:
        inputs = (left, right, rest[1], Operand(given_scale), None, None, rest[0], None, rest[2])
    inputs = (*inputs, turned1, turned2, *((0,) if version == 5 else ()))
    return Case(f"{scheme} {sizes} {number}", inputs, (golden,), out_dtypes=(out,))


def _weights(scores: Array, scale: Array, offset: Array, error: float) -> Array:
    """Return int8 weights as CANN rounds them, of a softmax that is wrong by so much."""
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True) * (1 + error)
    rounded = weights.astype(np.float16).astype(np.float32)
    for values in (scale * rounded, offset + (scale * rounded).astype(np.float16)):
        rounded = values.astype(np.float16).astype(np.float32)
    return narrowed(rounded, "int8")


def _swin(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, masked in product(((2, 3, 8, 32), (1, 2, 49, 64)), (True, False)):
        length, depth = shape[2:]
        scale1, scale2 = np.full(length, 2.0**-11), np.full(depth, 2.0**-7)
        bias1, bias2 = (rng.integers(-500, 500, n).astype(np.int32) for n in (length, depth))
        scale, offset = (rng.uniform(low, high, (1, length)).astype(np.float16)
                         for low, high in ((90, 120), (-3, 3)))  # fmt: skip
        mask = rng.normal(0, 1, (1, shape[1], length, length)).astype(np.float16)
        for _ in range(99):
            q, k, v = (rng.integers(-128, 128, shape).astype(np.int8) for _ in range(3))
            sums = q.astype(np.int64) @ np.swapaxes(k, -1, -2).astype(np.int64) + bias1
            scores = (sums * scale1).astype(np.float16)
            scores = (scores + mask if masked else scores).astype(np.float64)
            wide, added = (a.astype(np.float32) for a in (scale, offset))
            found = [_weights(scores, wide, added, error) for error in (-2e-6, 2e-6)]
            if (found[0] == found[1]).all():
                break
        results = (found[0].astype(np.int64) @ v.astype(np.int64) + bias2) * scale2
        packed = [quant_parameter(s.astype(np.float32), None)[None] for s in (scale1, scale2)]
        given: list[Array] = [q, k, v, scale, *packed, offset, bias1[None], bias2[None]]
        yield Case(
            f"{shape} masked {masked}",
            (*(Operand(a) for a in given),
             Operand(mask) if masked else None, None, False, False, False, -1),
            (results.astype(np.float16),),
        )  # fmt: skip


#: Images, height, width, height and width of a window, heads, depth.
_IMAGES = (
    (1, 7, 7, 7, 7, 1, 32), (2, 14, 21, 7, 7, 3, 32), (1, 16, 24, 16, 8, 1, 64),
    (1, 9, 7, 9, 7, 8, 64),
)  # fmt: skip


def _projected(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, sizes in enumerate(_IMAGES):
        images, height, width, high, wide, heads, depth = sizes
        channels = heads * depth
        gamma, beta, scale, offset = (
            rng.uniform(low, high, channels).astype(np.float16)
            for low, high in ((0.5, 1.5), (-0.5, 0.5), (20, 40), (-9, 9))
        )
        x = np.zeros((images * height * width, channels), np.float16)
        epsilon, doubtful = 1e-4, np.full(len(x), True)
        # Values so near to a tie that float32 and float64 may round them otherwise are drawn again.
        while doubtful.any():
            x[doubtful] = rng.normal(0.5, 2, (int(doubtful.sum()), channels))
            exact = x.astype(np.float64)
            centred = exact - exact.mean(-1, keepdims=True)
            exact = centred / np.sqrt(np.square(centred).mean(-1, keepdims=True) + epsilon)
            exact = exact * gamma.astype(np.float64) + beta.astype(np.float64)
            found = []
            for error in (-1e-6, 1e-6):
                half = (exact + error * (1 + np.abs(exact))).astype(np.float16)
                half = (half.astype(np.float32) * scale.astype(np.float32)).astype(np.float16)
                half = (half.astype(np.float32) + offset.astype(np.float32)).astype(np.float16)
                found.append(narrowed(half.astype(np.float32), "int8"))
            doubtful = (found[0] != found[1]).any(-1)
        weight = rng.integers(-128, 128, (3 * channels, channels)).astype(np.int8)
        bias = rng.integers(-9999, 9999, 3 * channels).astype(np.int32)
        packed = quant_parameter(
            (rng.uniform(0.5, 1.5, 3 * channels) * 2.0**-12).astype(np.float32), None
        )
        sums = found[0].astype(np.int64) @ weight.T.astype(np.int64) + bias
        made = (sums * packed.astype(np.uint32).view(np.float32)).reshape(
            images, height // high, high, width // wide, wide, 3, heads, depth
        )
        made = made.transpose(5, 0, 1, 3, 6, 2, 4, 7).reshape(3, -1, heads, high * wide, depth)
        view = ("transposed", "contiguous")[number % 2]
        given: list[Array] = [gamma, beta, weight, bias, scale, offset, packed]
        yield Case(
            str(sizes),
            (Operand(x.reshape(images, -1, channels), view), *map(Operand, given),
             heads, depth, epsilon, height, width, high, wide, True),
            tuple(made.astype(np.float16)),
        )  # fmt: skip


_RESULTS = ("float16", "bfloat16", "int8", "int32")

SUITES = (
    Suite("swin_attention_score_quant", ("int8",), _swin, chip="Ascend310P3"),
    Suite("swin_transformer_ln_qkv_quant", ("int8",), _projected, chip="Ascend310P3"),
    Suite("quant_matmul_v3", _RESULTS, _cases(3)),
    Suite("quant_matmul_v4", _RESULTS, _cases(4)),
    Suite("quant_matmul_v5", _RESULTS, _cases(5)),
    Suite("quant_matmul_weight_nz", _RESULTS, _cases(5, blocks=True)),
)
