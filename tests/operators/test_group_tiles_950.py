"""Groups of small floats on the 950: scales of tiles, and groups of the depth, in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, code_with, ones

import pyaclnn as pa
from pyaclnn.tensor import as_dtype

_E4M3, _E5M2, _E8M0 = "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"
_ENDS = (70, 70, 300, 333)


def _turned(values: Any, dtype: str) -> pa.Tensor:
    """Return a tensor whose last two axes were exchanged after it was stored."""
    stored = np.ascontiguousarray(np.swapaxes(values, -1, -2))
    axes = (*range(values.ndim - 2), values.ndim - 1, values.ndim - 2)
    return pa.asarray(stored.astype(as_dtype(dtype))).transpose(axes)


def _plain(values: Any, dtype: str) -> pa.Tensor:
    return pa.asarray(np.ascontiguousarray(values).astype(as_dtype(dtype)))


def _call(x: pa.Tensor, weight: pa.Tensor, scale: pa.Tensor, token: pa.Tensor | None, ends: Any,
          kind: int, out: pa.Tensor) -> dict[str, Any]:  # fmt: skip
    return {
        "x": [x], "weight": [weight], "bias_optional": None, "scale_optional": [scale],
        "offset_optional": None, "antiquant_scale_optional": None,
        "antiquant_offset_optional": None,
        "per_token_scale_optional": None if token is None else [token],
        "group_list_optional": pa.asarray(np.array(ends)), "activation_input_optional": None,
        "activation_quant_scale_optional": None, "activation_quant_offset_optional": None,
        "split_item": 3, "group_type": kind, "group_list_type": 0, "act_type": 0,
        "tuning_config_optional": None, "out": ([out], None, None),
    }  # fmt: skip


def _error(arguments: dict[str, Any], expected: Any, most: Any) -> float:
    out = arguments.pop("out")
    pa.ops.grouped_matmul_v5(**arguments, out=out)
    found = out[0][0].numpy().astype(np.float64)
    return float((np.abs(found - expected) / (most + 1e-30)).max())


def _numbers(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    return rng.integers(-8, 9, shape) / 4


def rows_in_tiles(turned: bool) -> float:
    """Return the error of groups of rows whose weight has scales of tiles."""
    rng = np.random.default_rng(1)
    m, k, n = 12, 300, 200
    x, weight = _numbers((m, k), rng), _numbers((3, k, n), rng)
    token, scale = (rng.uniform(0.5, 2, s).astype(np.float32) for s in ((m, 3), (3, 3, 2)))
    each = np.repeat(np.repeat(scale.astype(float), 128, 1), 128, 2)[:, :k, :n]
    wide = x * np.repeat(token.astype(float), 128, 1)[:, :k]
    ends = (5, 5, 11)  # a row behind the last group
    expected, most = np.zeros((m, n)), np.zeros((m, n))
    for group, (begin, end) in enumerate(zip((0, *ends), ends, strict=False)):
        expected[begin:end] = wide[begin:end] @ (weight[group] * each[group])
        most[begin:end] = np.abs(wide[begin:end]) @ np.abs(weight[group] * each[group])
    lay = _turned if turned else _plain
    arguments = _call(_plain(x, _E4M3), lay(weight, _E5M2), lay(scale, "float32"),
                      _plain(token, "float32"), ends, 0, pa.zeros((m, n)))  # fmt: skip
    return _error(arguments, expected, most)


def of_depth(kind: str) -> float:
    """Return the error of groups of the depth, one of which is empty."""
    rng = np.random.default_rng(2)
    m, k, n, groups = 5, 340, 150, len(_ENDS)
    x, weight = _numbers((m, k), rng), _numbers((k, n), rng)
    expected, most = np.zeros((groups, m, n)), np.zeros((groups, m, n))
    token: pa.Tensor | None
    if kind == "tiles":
        # Pieces of 128 of each group; the next group's begin behind as many as whole ones before.
        own, other = (rng.uniform(0.5, 2, (k // 128 + groups, w)).astype("f4") for w in (m, 2))
        token, scale = _turned(own.T, "float32"), _plain(other, "float32")
    elif kind == "blocks":
        own, other = (2.0 ** rng.integers(-3, 4, (k // 64 + groups, w, 2)) for w in (m, n))
        token, scale = _plain(own, _E8M0).transpose((1, 0, 2)), _plain(other, _E8M0)
    else:
        own = rng.uniform(0.5, 2, (groups, m) if "rows" in kind else (groups, 1)).astype("f4")
        other = rng.uniform(0.5, 2, (groups, n) if "columns" in kind else (groups,)).astype("f4")
        token = None if kind == "columns" else _plain(own, "float32")
        scale = _plain(other, "float32")
    for group, (begin, end) in enumerate(zip((0, *_ENDS), _ENDS, strict=False)):
        for place in range(begin, end):
            if kind == "tiles":
                line = begin // 128 + group + (place - begin) // 128
                of_row, of_column = own[line], np.repeat(other[line], 128)[:n]
            elif kind == "blocks":
                line, half = begin // 64 + group + (place - begin) // 64, (place - begin) // 32 % 2
                of_row, of_column = own[line, :, half], other[line, :, half]
            else:
                of_row = np.ones(m) if kind == "columns" else own[group]
                of_column = other[group]
            left, right = (
                x[:, place] * of_row.astype(float),
                weight[place] * of_column.astype(float),
            )
            expected[group] += np.outer(left, right)
            most[group] += np.abs(np.outer(left, right))
    arguments = _call(_turned(x, _E4M3), _plain(weight, _E4M3), scale, token, _ENDS, 2,
                      pa.full((groups, m, n), 7.0))  # fmt: skip
    return _error(arguments, expected, most)


def _found(call: str) -> Any:
    return found_on("Ascend950", "operators.test_group_tiles_950", call)


@pytest.mark.parametrize("turned", [False, True])
def test_rows_of_groups_have_scales_of_tiles(turned: bool) -> None:
    assert _found(f"rows_in_tiles({turned})") < 1e-6


@pytest.mark.parametrize("kind", ["tiles", "blocks", "columns", "rows columns", "rows", "groups"])
def test_groups_of_the_depth_are_matrices_of_their_own(kind: str) -> None:
    assert _found(f"of_depth({kind!r})") < 2e-6


def _right(kind: str) -> dict[str, Any]:
    x, weight = ones(200, 3, dtype=_E4M3).T, ones(200, 64, dtype=_E4M3)
    scale, token = {
        "blocks": (ones(5, 64, 2, dtype=_E8M0), ones(5, 3, 2, dtype=_E8M0).transpose((1, 0, 2))),
        "tiles": (ones(3, 1), ones(3, 3).T), "rows": (ones(2, 64), ones(2, 3)),
    }[kind]  # fmt: skip
    return _call(x, weight, scale, token, (100, 200), 2, ones(2, 3, 64))


#: Kind, an argument, what it is in another call, and what the 950 answers.
_OTHERS: tuple[tuple[str, str, str, int], ...] = (
    *((kind, "split_item", "3", 0) for kind in ("blocks", "tiles", "rows")),
    *((kind, "x", "[ones(3, 200, dtype=_E4M3)]", INVALID) for kind in ("blocks", "rows")),
    *((kind, "weight", "[ones(64, 200, dtype=_E4M3).T]", INVALID) for kind in ("blocks", "rows")),
    *((kind, "bias_optional", "[ones(2, 64)]", INVALID) for kind in ("blocks", "tiles", "rows")),
    ("blocks", "scale_optional", "[ones(4, 64, 2, dtype=_E8M0)]", INVALID),
    ("blocks", "scale_optional", "[ones(64, 5, 2, dtype=_E8M0).transpose((1, 0, 2))]", INVALID),
    ("blocks", "per_token_scale_optional", "[ones(3, 5, 2, dtype=_E8M0)]", INVALID),
    ("blocks", "per_token_scale_optional", "None", INVALID),
    ("tiles", "per_token_scale_optional", "[ones(4, 3).T]", INVALID),
    ("tiles", "scale_optional", "[ones(4, 1)]", INVALID),
    ("rows", "per_token_scale_optional", "None", 0),
    ("rows", "per_token_scale_optional", "[ones(2)]", 0),
    ("rows", "per_token_scale_optional", "[ones(2, 1)]", 0),
    ("rows", "per_token_scale_optional", "[ones(3)]", INVALID),
    ("rows", "per_token_scale_optional", "[ones(2, 2)]", INVALID),
    ("rows", "scale_optional", "[ones(2)]", 0), ("rows", "scale_optional", "[ones(3)]", INVALID),
    ("rows", "scale_optional", "[ones(2, 64, dtype='int64')]", INVALID),
    ("rows", "out", "([ones(3, 64)], None, None)", INVALID),
)  # fmt: skip


def statuses() -> list[int]:
    """Return what each call is answered with."""
    return [
        code_with("grouped_matmul_v5", _right(kind), **{name: eval(value)})
        for kind, name, value, _ in _OTHERS
    ]


def test_groups_of_the_depth_refuse_what_cann_refuses() -> None:
    for case, found in zip(_OTHERS, _found("statuses()"), strict=True):
        assert found == case[-1], case
