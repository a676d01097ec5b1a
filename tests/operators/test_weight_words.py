"""Weights of 4 and 8 bits that scales restore: in words, in blocks, with scales of 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, NULL, TILING, code_with, ones
from operators.reasons import reason_tests

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import quant_parameter
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

_OPERATOR = "weight_quant_batch_matmul_v2"
_ROWS, _DEPTH, _COLUMNS = 5, 128, 64
_RNG = np.random.default_rng(31)
_CODES = _RNG.integers(0, 16, (_DEPTH, _COLUMNS)).astype(np.uint8)
_BYTES = _RNG.integers(-9, 10, (_DEPTH, _COLUMNS)).astype(np.int8)
_X = _RNG.integers(-4, 5, (_ROWS, _DEPTH)).astype(np.float16)
_INT4 = np.concatenate([np.arange(8), np.arange(-8, 0)])
_FLOAT4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
_FLOAT4 = np.concatenate([_FLOAT4, -_FLOAT4])


def _words(kind: str, *, turned: bool = False, blocks: bool = False) -> pa.Tensor:
    """Return the codes in words of a type, packed along the axis that lies dense."""
    lying = in_blocks(_CODES, 64) if blocks else _CODES.T if turned else _CODES
    words = np.ascontiguousarray(lying[..., ::2] | lying[..., 1::2] << 4).view(kind)
    if not blocks:
        return pa.asarray(words).T if turned else pa.asarray(words)
    return with_format(pa.asarray(words), "FRACTAL_NZ", shape=(_DEPTH, _COLUMNS // 8),
                       storage_shape=words.shape)  # fmt: skip


def _int4(*, turned: bool = False, lines: int = _DEPTH, columns: int = _COLUMNS) -> pa.Tensor:
    """Return the first codes as int4 in blocks, whose lines are columns where they are turned."""
    codes = _CODES[:lines, :columns]
    blocks = in_blocks(codes.T if turned else codes, 64)
    packed = blocks[..., ::2] | blocks[..., 1::2] << 4
    strides = (1, lines) if turned else (columns, 1)
    return with_format(pa.asarray(packed), "FRACTAL_NZ", shape=codes.shape, dtype="int4",
                       strides=strides, storage_shape=blocks.shape)  # fmt: skip


def _scale(group: int, kind: str = "float16") -> tuple[pa.Tensor, np.ndarray[Any, Any]]:
    """Return powers of two for each group and column, and those of each row of the weight."""
    groups = _DEPTH // group if group else 1
    scale = 2.0 ** _RNG.integers(-2, 3, (groups, _COLUMNS))
    return pa.asarray(scale.astype(as_dtype(kind))), np.repeat(scale, group or _DEPTH, 0)


def _call(weight: pa.Tensor, values: np.ndarray[Any, Any], group: int = 0, *,
          kind: str = "float16", turned: bool = False) -> tuple[dict[str, Any], Any]:  # fmt: skip
    scale, factors = _scale(group, kind)
    if turned:
        scale = pa.asarray(np.ascontiguousarray(scale.numpy().T)).T
    given = {
        "x": pa.asarray(_X), "weight": weight, "antiquant_scale": scale,
        "antiquant_offset_optional": None, "quant_scale_optional": None,
        "quant_offset_optional": None, "bias_optional": ones(_COLUMNS, dtype="float16"),
        "antiquant_group_size": group, "y": ones(_ROWS, _COLUMNS, dtype="float16"),
    }  # fmt: skip
    return given, _X.astype(float) @ (values * factors) + 1


def _of_words() -> tuple[dict[str, Any], Any]:
    """Scales in words of 64 bits, of which 19 bits count, and whole offsets."""
    scale = _RNG.uniform(0.5, 1.5, _COLUMNS).astype(np.float32) / 16
    words = quant_parameter(scale, None)
    kept = words.astype(np.uint32).view(np.float32)
    offset = _RNG.integers(-9, 9, _COLUMNS).astype(np.int32)
    weight = pa.asarray(np.ascontiguousarray(_BYTES.T)).T
    given, _ = _call(weight, _BYTES)
    given["antiquant_scale"] = pa.asarray(words)
    given["antiquant_offset_optional"] = pa.asarray(offset)
    restored = ((_BYTES + offset).astype(np.float32) * kept).astype(np.float16)
    return given, _X.astype(float) @ restored.astype(float) + 1


def _blocks() -> pa.Tensor:
    return pa.format_cast(pa.asarray(_BYTES), "FRACTAL_NZ")


Right = Callable[[], tuple[dict[str, Any], Any]]
A2: dict[str, Right] = {
    "words": lambda: _call(_words("int32"), _INT4[_CODES], 32),
    "words of columns": lambda: _call(_words("int32"), _INT4[_CODES]),
    "turned words": lambda: _call(_words("int32", turned=True), _INT4[_CODES], 64, turned=True),
    "words in blocks": lambda: _call(_words("int32", blocks=True), _INT4[_CODES], 64),
    "int4 in blocks": lambda: _call(_int4(), _INT4[_CODES], 64),
    "turned int4 in blocks": lambda: _call(_int4(turned=True), _INT4[_CODES]),
    "int8 in blocks": lambda: _call(_blocks(), _BYTES),
    "scales of words": _of_words,
}
NEWEST: dict[str, Right] = {
    "words": A2["words"],
    "turned words": A2["turned words"],
    "powers": lambda: _call(_words("float32"), _FLOAT4[_CODES], 32, kind="float8_e8m0fnu"),
    "turned powers": lambda: _call(_words("float32", turned=True), _FLOAT4[_CODES], 32,
                                   kind="float8_e8m0fnu", turned=True),
    "groups of float4": lambda: _call(_words("float32"), _FLOAT4[_CODES], 64),
    "float8": lambda: _call(pa.asarray(_BYTES.astype(as_dtype("float8_e4m3fn"))), _BYTES),
}  # fmt: skip

#: Right call -> an argument, what it is in the wrong call, and the answer.
WRONG_A2 = (
    ("words", "antiquant_scale", "ones(4, 64)", INVALID),
    ("words", "weight", "_words('float32')", INVALID),
    ("words", "weight", "ones(2, 128, 8, dtype='int32')", INVALID),
    ("words in blocks", "antiquant_group_size", "32", INVALID),
    ("words in blocks", "antiquant_group_size", "0", INVALID),
    ("scales of words", "x", "ones(97, 128, dtype='float16')", INVALID),
    ("scales of words", "weight", "pa.asarray(_BYTES)", TILING),
    ("scales of words", "antiquant_offset_optional", "ones(64, dtype='float16')", INVALID),
)
WRONG_950 = (
    ("words", "quant_scale_optional", "ones(64, dtype='uint64')", NULL),
    ("words", "weight", "_blocks()", INVALID),
    ("words", "x", "pa.asarray(_X.T.copy()).T", INVALID),
    ("powers", "antiquant_group_size", "64", INVALID),
    ("powers", "antiquant_offset_optional", "ones(4, 64, dtype='float16')", INVALID),
    ("powers", "antiquant_scale", "ones(4, 64, dtype='int64')", INVALID),
    ("groups of float4", "antiquant_group_size", "0", INVALID),
    ("float8", "antiquant_scale", "ones(1, dtype='float16')", INVALID),
    ("float8", "antiquant_scale", "ones(1, 64, dtype='float8_e8m0fnu')", INVALID),
    ("float8", "antiquant_group_size", "32", INVALID),
)


def found(chip: str) -> dict[str, Any]:
    """Return whether results are right, and the statuses of wrong calls."""
    kinds, wrong = (A2, WRONG_A2) if chip == "A2" else (NEWEST, WRONG_950)
    results: dict[str, Any] = {}
    for name, right in kinds.items():
        given, golden = right()
        code = code_with(_OPERATOR, given)
        results[name] = [
            code, np.allclose(given["y"].numpy().astype(float), golden, rtol=1e-3, atol=1e-3)
        ]  # fmt: skip
    for of, argument, value, _ in wrong:
        given, _ = kinds[of]()
        results[f"{of} {argument}={value}"] = code_with(_OPERATOR, {**given, argument: eval(value)})
    return results


@pytest.mark.parametrize("chip", ["A2", "950"])
def test_weights_are_restored_and_wrong_calls_refused(chip: str) -> None:
    printed = found_on(
        "Ascend910B1" if chip == "A2" else "Ascend950",
        "operators.test_weight_words",
        f"found({chip!r})",
    )
    kinds, wrong = (A2, WRONG_A2) if chip == "A2" else (NEWEST, WRONG_950)
    expected = {f"{of} {argument}={value}": code for of, argument, value, code in wrong}

    assert printed == {**{kind: [0, True] for kind in kinds}, **expected}


_GROUPED, _TURNED = f"{_OPERATOR} in groups", f"{_OPERATOR} turned"
_NARROW: dict[str, Any] = {
    "x": ones(5, 96, dtype="float16"), "antiquant_scale": ones(2, 64, dtype="float16"),
}  # fmt: skip


def _short(columns: int) -> dict[str, Any]:
    """Fewer columns than blocks have."""
    return {
        "weight": _int4(columns=columns), "antiquant_scale": ones(2, columns, dtype="float16"),
        "bias_optional": None, "y": ones(5, columns, dtype="float16"),
    }  # fmt: skip


_, test_int4_in_blocks_is_refused_for_a_reason = reason_tests(
    {_GROUPED: A2["int4 in blocks"]()[0], _TURNED: A2["turned int4 in blocks"]()[0]},
    [
        (_GROUPED, {"weight": _int4(turned=True)}, INVALID, "must not be transposed"),
        (_GROUPED, {"x": pa.asarray(_X.T.copy()).T}, INVALID, "must not be transposed"),
        (_GROUPED, {"antiquant_group_size": 32, "antiquant_scale": ones(4, 64, dtype="float16")},
         INVALID, "must be 64 or 128"),
        (_GROUPED, {"antiquant_group_size": 96}, INVALID, "must be 64 or 128"),
        (_GROUPED, {**_NARROW, "weight": _int4(lines=96)}, INVALID, "no multiple of groups"),
        (_GROUPED, _short(48), INVALID, "no multiple of groups"),
        (_GROUPED, {"quant_scale_optional": ones(64, dtype="uint64"),
                    "y": ones(5, 64, dtype="int8")}, INVALID, "results are not quantised"),
        (_TURNED, {"quant_scale_optional": ones(64, dtype="uint64"),
                   "y": ones(5, 64, dtype="int8")}, INVALID, "results are not quantised"),
        (_TURNED, {"weight": _int4()}, INVALID, "must be transposed"),
        (_TURNED, {"antiquant_scale": ones(1, dtype="float16")}, INVALID, "one scale for all"),
        (_TURNED, {"x": pa.asarray(_X.T.copy()).T}, 0, ""),
    ],
)  # fmt: skip
