"""Products of bytes and small floats with scales on the 950, beside formulas in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
from children import found_on
from operators.calls import INVALID, NULL, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.chips import release
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_E4M3, _E5M2, _E8M0 = "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"
_FLOAT4, _HIFLOAT8 = "float4_e2m1fn", "hifloat8"
_MX_GROUPS = 32 | 1 << 16 | 1 << 32
_TILE_GROUPS = 128 | 128 << 16 | 1 << 32

#: x1, x2, scheme of the scales, result, whether there is a bias, batches, m, k, n.
_FLOATS: tuple[tuple[Any, ...], ...] = (
    (_E4M3, _E4M3, "static one", "float16", True, (), (), 5, 33, 7),
    (_E5M2, _E4M3, "static each", "bfloat16", True, (2,), (), 3, 64, 18),
    (_HIFLOAT8, _HIFLOAT8, "static each", "float32", False, (), (), 9, 130, 5),
    (_E4M3, _E5M2, "one one", "float32", True, (), (2,), 4, 70, 6),
    (_E5M2, _E5M2, "one each", "float16", False, (2, 1), (3,), 4, 31, 6),
    (_E4M3, _E4M3, "each each", "bfloat16", True, (), (), 17, 300, 40),
    (_HIFLOAT8, _HIFLOAT8, "each one", "float32", True, (3,), (3,), 2, 16, 4),
    (_E4M3, _E5M2, "mx", "float32", True, (), (), 5, 100, 7),
    (_E4M3, _E4M3, "mx", "bfloat16", False, (2,), (2,), 6, 160, 12),
    (_E5M2, _E5M2, "mx", "float16", True, (3,), (), 1, 64, 1),
    (_FLOAT4, _FLOAT4, "mx", "float32", True, (), (), 6, 70, 8),
    (_FLOAT4, _FLOAT4, "mx", "float16", False, (2,), (), 4, 128, 2),
    (_E4M3, _E4M3, "tiles 1", "float32", False, (), (), 5, 300, 200),
    (_E5M2, _E4M3, "tiles 1", "bfloat16", False, (2,), (1,), 3, 256, 128),
    (_HIFLOAT8, _HIFLOAT8, "tiles 128", "float32", False, (), (), 130, 129, 257),
    (_E4M3, _E5M2, "tiles 128", "float16", False, (3,), (3,), 128, 384, 130),
)  # fmt: skip

#: Scale, whether rows have one, bias, whether there is an offset, result.
_BYTES = (
    ("uint64", False, "int32", False, "float16"), ("int64", False, "", False, "bfloat16"),
    ("uint64", False, "int32", True, "int8"), ("float32", False, "bfloat16", False, "bfloat16"),
    ("bfloat16", False, "float32", False, "bfloat16"),
    ("float32", False, "int32", False, "int32"), ("float32", True, "float16", False, "float16"),
    ("bfloat16", True, "bfloat16", False, "bfloat16"), ("float32", True, "", False, "float16"),
)  # fmt: skip


def _numbers(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Any, Any]:
    """Return numbers as an array that a tensor is made of, and in float64."""
    if kind == _HIFLOAT8:
        codes = rng.choice([*range(16, 96), *range(144, 224)], shape).astype(np.uint8)
        return codes, hifloat8_values()[codes]
    stored = rng.normal(0, 2, shape).astype(as_dtype(kind))
    return stored, stored.astype(np.float64)


def _operand(stored: Any, kind: str, how: str) -> pa.Tensor:
    """Return matrices that are stored transposed, are a transposed view, or lie as they are."""
    if how == "plain":
        made = np.ascontiguousarray(stored)
        if kind != _HIFLOAT8:
            return pa.asarray(made)
        return with_format(pa.asarray(made), "ND", shape=made.shape, dtype=kind)
    turned = np.ascontiguousarray(np.swapaxes(stored, -1, -2))
    if how == "stored":
        return _operand(turned, kind, "plain")
    # NumPy's strides of axes of 1 are any.
    dense = [int(np.prod(turned.shape[axis + 1 :])) for axis in range(turned.ndim)]
    strides = (*dense[:-2], dense[-1], dense[-2])
    return with_format(pa.asarray(turned), "ND", shape=stored.shape, strides=strides, dtype=kind)


def _powers(lines: int, depth: int, how: str, across: bool,
            rng: np.random.Generator) -> tuple[pa.Tensor, Any]:  # fmt: skip
    """Return the scales of blocks as a tensor, and for each number of [lines, depth]."""
    pairs = -(-depth // 64)
    exponents = rng.integers(-4, 4, (lines, pairs, 2))
    each = np.repeat(2.0 ** exponents.reshape(lines, -1), 32, 1)[:, :depth]
    stored = (2.0**exponents).astype(as_dtype(_E8M0))
    depth_first = across != (how != "plain")
    if depth_first:
        stored = np.ascontiguousarray(stored.transpose(1, 0, 2))
    scales = pa.asarray(stored)
    return (scales.transpose((1, 0, 2)) if how == "view" else scales), each


def _tiles(shape: tuple[int, ...], tall: int, wide: int, how: str,
           rng: np.random.Generator) -> tuple[pa.Tensor, Any]:  # fmt: skip
    """Return a scale for each tile of matrices as a tensor, and for each of their numbers."""
    *batch, lines, length = shape
    scales = rng.uniform(0.5, 2, (*batch, -(-lines // tall), -(-length // wide))).astype("float32")
    each = np.repeat(np.repeat(scales.astype(np.float64), tall, -2), wide, -1)
    return _operand(scales, "float32", how), each[..., :lines, :length]


def _bias(scheme: str, batch: tuple[int, ...], n: int, rng: np.random.Generator) -> Any:
    shape = (batch[0], 1, n) if len(batch) == 1 and scheme == "mx" else (n,)
    return rng.normal(0, 5, shape).astype(np.float32)


def float_error(case: int, how: str) -> float:
    """Return the largest error of a product, relative to sums of magnitudes."""
    x1, x2, scheme, out, has_bias, batch1, batch2, m, k, n = _FLOATS[case]
    rng = np.random.default_rng(case)
    (a, exact_a), (b, exact_b) = (
        _numbers(x1, (*batch1, m, k), rng), _numbers(x2, (*batch2, k, n), rng)
    )  # fmt: skip
    batch = np.broadcast_shapes(batch1, batch2)
    bias = _bias(scheme, batch, n, rng) if has_bias else None
    rows: Any = None
    factor: Any = 1.0
    if scheme == "mx":
        rows, each_a = _powers(m, k, how, False, rng)
        columns, each_b = _powers(n, k, how, True, rng)
        exact_a, exact_b = exact_a * each_a, exact_b * each_b.T
    elif scheme.startswith("tiles"):
        tall = int(scheme.split()[1])
        rows, each_a = _tiles((*batch1, m, k), tall, 128, how, rng)
        columns, each_b = _tiles((*batch2, k, n), 128, 128, how, rng)
        exact_a, exact_b = exact_a * each_a, exact_b * each_b
    else:
        of_rows, of_columns = scheme.split()
        scale = rng.uniform(0.5, 2, n if of_columns == "each" else 1).astype(np.float32)
        if of_rows == "static":
            # A chip takes 19 bits of a scale that lies in a word.
            bits = scale.view(np.uint32) & np.uint32(0xFFFFE000)
            columns, scale = pa.asarray(bits.astype(np.uint64)), bits.view(np.float32)
        else:
            columns = pa.asarray(scale)
            own = rng.uniform(0.5, 2, m if of_rows == "each" else 1).astype(np.float32)
            rows, factor = pa.asarray(own), own.astype(np.float64)[:, None]
        factor = factor * scale.astype(np.float64)
    added = 0.0 if bias is None else bias.astype(np.float64)
    # Since 9.1, a bias comes behind two scales.
    last = rows is not None and release() >= (9, 1)
    before, behind = (0.0, added) if last else (added, 0.0)
    expected = (exact_a @ exact_b + before) * factor + behind
    most = (np.abs(exact_a) @ np.abs(exact_b) + np.abs(before)) * factor + np.abs(behind)
    result = pa.zeros((*batch, m, n), out)
    turned = how == "stored"
    # Where the blocks are whole, the shapes tell the size of groups.
    groups = _MX_GROUPS if scheme == "mx" and k % 64 else 0
    if scheme.startswith("tiles") and (m, k, n) != (3, 256, 128):
        groups = 128 | 128 << 16 | int(scheme.split()[1]) << 32
    pa.ops.quant_matmul_v5(
        _operand(a, x1, how), _operand(b, x2, how), rows, columns, None, None, None, None,
        None if bias is None else pa.asarray(bias), turned, turned, groups, out=result,
    )  # fmt: skip
    found = result.numpy().astype(np.float64)
    return float(np.max(np.abs(found - expected) / (most + 1e-30)))


def float_errors() -> dict[str, float]:
    """Return the errors of all products, however their operands lie."""
    found = {}
    for case, (kind, *_) in enumerate(_FLOATS):
        for how in ("plain", "stored", "view"):
            if kind != _FLOAT4 or how != "view":
                found[f"{case} {how}"] = float_error(case, how)
    return found


def wrong_bytes() -> list[str]:
    """Return which products of int8 are not what they are in float64, rounded."""
    rng = np.random.default_rng(3)
    wrong = []
    for version in (3, 4, 5):
        for scheme in _BYTES:
            kind, by_row, bias_kind, has_offset, out = scheme
            if by_row and version == 3:
                continue
            m, k, n = 5, 50, 6
            a, b = (rng.integers(-128, 128, s).astype(np.int8) for s in ((m, k), (k, n)))
            # Powers of two let sums be rounded once, as in float64.
            scale = 2.0 ** rng.integers(-12, -9, n)
            offset = rng.integers(-9, 9, n) if has_offset else np.zeros(n, int)
            words = scale.astype(np.float32).view(np.uint32) | (offset & 0x1FF) << 37
            columns = words if "int64" in kind else scale
            rows = 2.0 ** rng.integers(-2, 3, m) if by_row else None
            bias = rng.integers(-99, 99, n) if bias_kind else None
            expected = a.astype(np.float64) @ b.astype(np.float64)
            if bias_kind == "int32":
                expected = expected + bias
            if out != "int32":
                expected = expected * scale * (1 if rows is None else rows[:, None])
            if bias_kind not in ("", "int32"):
                expected = expected + bias
            if has_offset:
                expected = np.clip(np.clip(np.rint(expected), -256, 255) + offset, -128, 127)

            def tensor(values: Any, dtype: str) -> pa.Tensor | None:
                return None if values is None else pa.asarray(values.astype(as_dtype(dtype)))

            x1, x2, last = pa.asarray(a), pa.asarray(b), tensor(bias, bias_kind or "int32")
            of_rows, of_columns = tensor(rows, "float32"), tensor(columns, kind)
            moved = tensor(offset, "float32") if has_offset else None
            result = pa.zeros((m, n), out)
            if version == 3:
                pa.ops.quant_matmul_v3(x1, x2, of_columns, moved, last, out=result)
            elif version == 4:
                pa.ops.quant_matmul_v4(x1, x2, of_columns, moved, of_rows, last, out=result)
            else:
                pa.ops.quant_matmul_v5(x1, x2, of_rows, of_columns, None, None, moved, None, last,
                                       False, False, 0, out=result)  # fmt: skip
            found = result.numpy()
            if not np.array_equal(found, expected.astype(found.dtype)):
                wrong.append(f"{version} {scheme}")
    return wrong


def _right(kind: str = _E4M3) -> dict[str, Any]:
    return {
        "x1": ones(3, 64, dtype=kind), "x2": ones(64, 6, dtype=kind), "x1_scale": ones(3),
        "x2_scale": ones(6), "y_scale": None, "x1_offset": None, "x2_offset": None,
        "y_offset": None, "bias": ones(6), "transpose_x1": False, "transpose_x2": False,
        "group_size": 0, "out": ones(3, 6),
    }  # fmt: skip


def _blocks(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=_E8M0)


def _mx() -> dict[str, Any]:
    return {**_right(), "x1_scale": _blocks(3, 1, 2), "x2_scale": _blocks(1, 6, 2)}


def _tiled() -> dict[str, Any]:
    return {**_right(), "x1": ones(3, 200, dtype=_E4M3), "x2": ones(200, 6, dtype=_E4M3),
            "x1_scale": ones(3, 2), "x2_scale": ones(2, 1), "bias": None,
            "group_size": _TILE_GROUPS}  # fmt: skip


#: Right arguments, what is changed, and what the 950 answers.
_STATUSES: tuple[tuple[str, dict[str, str], int], ...] = (
    ("_right()", {}, 0), ("_mx()", {}, 0),
    ("_right('int8')", {"out": "ones(3, 6, dtype='float16')"}, 0),
    ("_right()", {"x2": "None"}, NULL), ("_right()", {"x1_offset": "ones(1)"}, NULL),
    ("_right()", {"x2_scale": "ones(6, dtype='bfloat16')"}, INVALID),
    ("_right()", {"x1_scale": "None"}, INVALID), ("_right()", {"x1_scale": "ones(2)"}, INVALID),
    ("_right()", {"x1_scale": "ones(1)"}, INVALID),
    ("_right()", {"x1_scale": "ones(1)", "bias": "None"}, 0),
    ("_right()", {"bias": "ones(6, dtype='float16')"}, INVALID),
    ("_right()", {"bias": "ones(1, 6)"}, INVALID), ("_right()", {"group_size": "32"}, INVALID),
    ("_right()", {"out": "ones(3, 6, dtype='int8')"}, INVALID),
    ("_right()", {"out": "ones(3, 1, 6)"}, 0), ("_right()", {"out": "ones(6, 3)"}, INVALID),
    ("_right()", {"x2_offset": "ones(6)"}, INVALID),
    ("_right()", {"x1": "ones(0, 64, dtype=_E4M3)"}, 0),
    ("_right()", {"x1": "ones(3, 0, dtype=_E4M3)", "x2": "ones(0, 6, dtype=_E4M3)"}, INVALID),
    ("_right()", {"x1": "ones(3, 65, dtype=_E4M3)"}, INVALID),
    ("_mx()", {"group_size": "_MX_GROUPS"}, 0), ("_mx()", {"group_size": "64"}, INVALID),
    ("_mx()", {"x1_scale": "_blocks(3, 2)"}, INVALID),
    ("_mx()", {"x1_scale": "_blocks(1, 3, 2)"}, INVALID),
    ("_mx()", {"x2_scale": "_blocks(2, 6, 2)"}, INVALID),
    ("_mx()", {"x2_scale": "ones(1, 6, 2)"}, INVALID),
    ("_tiled()", {}, 0), ("_tiled()", {"bias": "ones(6)"}, INVALID),
    ("_tiled()", {"group_size": "0"}, INVALID), ("_tiled()", {"group_size": "128"}, INVALID),
    ("_tiled()", {"group_size": "128 | 128 << 16 | 2 << 32"}, INVALID),
    ("_tiled()", {"group_size": "128 | 128 << 16"}, 0),
    ("_tiled()", {"group_size": "128 | 128 << 16 | 128 << 32"}, INVALID),
    ("_tiled()", {"group_size": "128 | 128 << 16 | 128 << 32", "x1_scale": "ones(1, 2)"}, 0),
    ("_tiled()", {"x1_scale": "ones(2, 3)"}, INVALID),
    ("_tiled()", {"x2_scale": "ones(1, 2)"}, INVALID),
    ("_tiled()", {"x2_scale": "ones(2)"}, INVALID),
    ("_tiled()", {"x1_scale": "ones(3)"}, INVALID),
    ("_right(_FLOAT4)", {}, INVALID), ("_right(_FLOAT4)", {"x1_scale": "None"}, INVALID),
    ("_right('int8')", {}, INVALID), ("_right('int8')", {"bias": "None"}, INVALID),
    ("_right('int8')", {"out": "ones(3, 6, dtype='float16')", "group_size": "1"}, INVALID),
    ("_right('int8')", {"out": "ones(3, 6, dtype='float16')", "x1_scale": "ones(1)"}, INVALID),
)  # fmt: skip


def statuses() -> list[int]:
    """Return what each call is answered with."""
    return [
        code_with("quant_matmul_v5", eval(right), **{name: eval(v) for name, v in changes.items()})
        for right, changes, _ in _STATUSES
    ]


def _on_950(call: str) -> Any:
    return found_on("Ascend950", "operators.test_quant_products_950", f"{call}()")


def test_products_of_small_floats_are_those_of_float64() -> None:
    # Half of the last place of a result, and what sums in float32 lose.
    rounding = {"float32": 2e-6, "float16": 2.0**-11 + 2e-6, "bfloat16": 2.0**-8}

    errors = _on_950("float_errors")

    assert len(errors) == 3 * len(_FLOATS) - 2
    for name, error in errors.items():
        scheme = _FLOATS[int(name.split()[0])]
        assert error <= rounding[scheme[3]], (name, scheme)


def test_products_of_bytes_are_exact() -> None:
    assert _on_950("wrong_bytes") == []


def test_products_refuse_what_cann_refuses() -> None:
    found = _on_950("statuses")

    for (right, changes, expected), seen in zip(_STATUSES, found, strict=True):
        assert seen == expected, (right, changes)
