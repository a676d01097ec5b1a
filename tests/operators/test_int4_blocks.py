"""Words of int4 in FRACTAL_NZ: what makes them, and products that take them however described."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, code

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import quant_parameter
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor.formats import with_format

_EXPERTS, _DEPTH, _COLUMNS = 2, 512, 128
_RNG = np.random.default_rng(51)
_VALUES = _RNG.uniform(-9, 9, (_EXPERTS, _DEPTH, _COLUMNS)).astype(np.float32)
_NUMBERS = np.clip(np.rint(_VALUES), -8, 7).astype(np.int64)
_HALVES = in_blocks((_NUMBERS & 15).astype(np.uint8), 64)
_WORDS = np.ascontiguousarray(_HALVES[..., ::2] | _HALVES[..., 1::2] << 4).view(np.int32)
_SHAPE = (_EXPERTS, _DEPTH, _COLUMNS // 8)


def _floats(**changes: Any) -> dict[str, Any]:
    blocks = in_blocks(_VALUES, 16)
    x = with_format(pa.asarray(blocks), "FRACTAL_NZ", shape=_VALUES.shape,
                    storage_shape=blocks.shape)  # fmt: skip
    y = with_format(pa.zeros(_WORDS.shape, "int32"), "FRACTAL_NZ", shape=_SHAPE,
                    storage_shape=_WORDS.shape)  # fmt: skip
    return {"x": x, "scale": pa.ones((1,)), "offset": None, "sqrt_mode": False,
            "round_mode": "round", "dst_type": 3, "axis": -1, "out": y, **changes}  # fmt: skip


def test_blocks_of_floats_become_blocks_of_int4() -> None:
    made = pa.zeros(_WORDS.shape, "int32")
    y = with_format(made, "FRACTAL_NZ", shape=_SHAPE, storage_shape=_WORDS.shape)

    pa.ops.ascend_quant_v3(**_floats(out=y))

    assert np.array_equal(made.numpy(), _WORDS)


@pytest.mark.parametrize("changes", [
    {"round_mode": "floor"}, {"offset": pa.ones((1,))}, {"scale": pa.ones((_COLUMNS,))},
    {"axis": 0}, {"out": pa.zeros(_SHAPE, "int32")},
])  # fmt: skip
def test_blocks_are_quantised_by_one_scale_to_the_nearest(changes: dict[str, Any]) -> None:
    assert code("ascend_quant_v3", **_floats(**changes)) == INVALID


@pytest.mark.parametrize("storage", [_WORDS.shape, (_EXPERTS, 1, _DEPTH // 16, 16, 16)])
def test_products_take_words_described_in_blocks_of_8_or_16(storage: tuple[int, ...]) -> None:
    x = _RNG.integers(-9, 9, (3, _DEPTH)).astype(np.int8)
    scale = np.full((_EXPERTS, 1, _COLUMNS), 2.0**-6, np.float32)
    tokens = np.ones(3, np.float32)
    bias = 8 * (_NUMBERS * scale.astype(np.float64)).sum(1).astype(np.float32)
    weight = with_format(pa.asarray(_WORDS), "FRACTAL_NZ", shape=_SHAPE, storage_shape=storage)
    out = pa.zeros((3, _COLUMNS), "float16")

    pa.ops.grouped_matmul_v5(
        [pa.asarray(x)], [weight], [pa.asarray(bias)], [pa.asarray(quant_parameter(scale, None))],
        None, None, None, [pa.asarray(tokens)], pa.asarray(np.array([2, 3])), split_item=3,
        group_type=0, tuning_config_optional=None, out=([out], None, None),
    )  # fmt: skip

    wide = _NUMBERS[[0, 0, 1]].astype(np.float64)
    golden = np.einsum("rk,rkn->rn", x.astype(np.float64), wide) / 64
    assert np.allclose(out.numpy().astype(float), golden, rtol=0, atol=0.1)
