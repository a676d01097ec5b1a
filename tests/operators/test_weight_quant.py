"""Products with quantised weights: 4 bits, weights that lie transposed, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, TILING, code

import pyaclnn as pa
from pyaclnn.selftest.suites.weight_quant import restored
from pyaclnn.tensor.formats import with_format

NO_KERNEL = 561003
NAMES = ("weight_quant_batch_matmul_v2", "weight_quant_batch_matmul_v3")


def floats(*shape: int, dtype: str = "float16") -> pa.Tensor:
    return pa.full(shape, 0.5, dtype)


def weight(*shape: int) -> pa.Tensor:
    return pa.ones(shape, "int8")


def int4(values: np.ndarray[Any, Any], transposed: bool = False) -> pa.Tensor:
    """Return a matrix of int4: two elements of its inner axis in a byte, low bits first."""
    lying = values.T if transposed else values
    low, high = lying.reshape(-1, 2).astype(np.int64).T & 0xF
    packed = pa.asarray((low | high << 4).astype(np.uint8))
    strides = (1, values.shape[0]) if transposed else (values.shape[1], 1)
    return with_format(packed, shape=values.shape, dtype=int(pa.lib.ACL_INT4), strides=strides)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("group", [0, 32])
def test_weights_of_four_bits(group: int, transposed: bool) -> None:
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, (3, 64)).astype(np.float16)
    values = rng.integers(-8, 8, (64, 10))
    scale = rng.uniform(0.1, 1, (2 if group else 1, 10)).astype(np.float16)
    inputs = (pa.asarray(x), int4(values, transposed), pa.asarray(scale), None, None, None, None)
    out = pa.ops.weight_quant_batch_matmul_v2(*inputs, group, out=pa.empty((3, 10), "float16"))

    golden = x.astype(np.float64) @ restored(values, scale, None, group)
    np.testing.assert_allclose(out.numpy(), golden, rtol=2e-3, atol=2e-2)


def test_weights_and_scales_that_lie_transposed() -> None:
    rng = np.random.default_rng(6)
    x = rng.uniform(-1, 1, (64, 3)).astype(np.float16)
    values = rng.integers(-128, 128, (10, 64)).astype(np.int8)
    scale = rng.uniform(0.01, 0.1, (10, 2)).astype(np.float16)
    tensors = (pa.asarray(a).T for a in (x, values, scale))
    out = pa.ops.weight_quant_batch_matmul_v2(*tensors, None, None, None, None, 32)

    golden = x.T.astype(np.float64) @ restored(values.T, scale.T, None, 32)
    np.testing.assert_allclose(out.numpy(), golden, rtol=2e-3, atol=2e-2)


def test_a_weight_of_four_bits_is_read_within_its_memory() -> None:
    long = with_format(pa.ones((8,), "uint8"), shape=(64, 65534), dtype=int(pa.lib.ACL_INT4))
    inputs = (floats(2, 64), long, floats(1), None, None, None, None, 0)
    with pytest.raises(pa.AclError, match="2097088 bytes from"):
        pa.ops.weight_quant_batch_matmul_v2(*inputs, out=pa.empty((2, 65534), "float16")).numpy()


X, W, S = floats(4, 64), weight(64, 6), floats(2, 6)
REFUSED: dict[str, tuple[Any, ...]] = {
    "the type of x": (pa.ones((4, 64)), W, S, None, None, None, None, 32),
    "the type of the weight": (X, pa.ones((64, 6), "uint8"), S, None, None, None, None, 32),
    "a scale of another type": (X, W, pa.ones((2, 6)), None, None, None, None, 32),
    "an offset of another type": (X, W, S, pa.ones((2, 6)), None, None, None, 32),
    "an offset of another shape": (X, W, S, floats(1, 6), None, None, None, 32),
    "the type of the bias": (X, W, S, None, None, None, pa.ones((6,)), 32),
    "the shape of the bias": (X, W, S, None, None, None, floats(5), 32),
    "a batch": (floats(1, 4, 64), W, S, None, None, None, None, 32),
    "depths that differ": (floats(4, 63), W, S, None, None, None, None, 32),
    "a group of 33": (X, W, S, None, None, None, None, 33),
    "a group below nothing": (X, W, S, None, None, None, None, -32),
    "the least group there is": (X, W, S, None, None, None, None, -(2**31)),
    "a group of the depth": (X, W, floats(1, 6), None, None, None, None, 64),
    "groups without their scales": (X, W, floats(6), None, None, None, None, 32),
    "scales of groups without groups": (X, W, S, None, None, None, None, 0),
    "a strided weight": (X, weight(64, 12)[:, ::2], S, None, None, None, None, 32),
    "strided scales": (X, W, floats(6, 2).T, None, None, None, None, 32),
    "an offset of no scale": (X, W, S, None, None, pa.ones((6,)), None, 32),
    "an empty x": (floats(0, 64), W, S, None, None, None, None, 32),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused(what: str, name: str) -> None:
    more = (0,) if name.endswith("v3") else ()
    out = pa.empty((4, 6), "float16")

    assert code(name, *REFUSED[what], *more, out=out) == INVALID


def test_an_odd_inner_axis_of_four_bits_is_refused() -> None:
    odd = with_format(pa.ones((160,), "uint8"), shape=(64, 5), dtype=int(pa.lib.ACL_INT4))
    out = pa.empty((4, 5), "float16")
    inputs = (X, odd, floats(2, 5), None, None, None, None, 32)

    assert code(NAMES[0], *inputs, out=out) == INVALID


def test_precision_inside_is_0_or_1() -> None:
    out = pa.empty((4, 6), "float16")
    inputs = (X, W, S, None, None, None, None, 32)

    assert [code(NAMES[1], *inputs, n, out=out) for n in (0, 1, 2, -1)] == [0, 0, INVALID, INVALID]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["uint64", "int64"])
def test_results_of_int8_are_whole_before_their_offset_comes(kind: str, name: str) -> None:
    # What the words hold is what aclnnTransQuantParam makes of a scale and an offset.
    x = np.array([[1.0], [3], [5], [-7], [700], [-700]], np.float16)
    scale, offset = np.array([0.5, 0.5, -1.5], np.float32), np.array([0, 3, -200], np.float32)
    words = pa.ops.trans_quant_param_v2(pa.asarray(scale), pa.asarray(offset)).numpy()
    inputs = (pa.asarray(x), pa.ones((1, 3), "int8"), pa.ones((3,), "float16"), None)
    more = (0,) if name.endswith("v3") else ()
    out = getattr(pa.ops, name)(*inputs, pa.asarray(words.astype(kind)), None, None, 0, *more)

    # 0.5, 1.5, 2.5 and -3.5 go to the even one; then 9 bits, then the offset, then 8 bits.
    assert out.dtype == np.int8
    assert out.numpy().tolist() == [
        [0, 3, -128], [2, 5, -128], [2, 5, -128], [-4, -1, -128], [127, 127, -128],
        [-128, -128, 55],
    ]  # fmt: skip


def test_words_and_offsets_of_results_have_one_shape() -> None:
    words, out = pa.ones((6,), "uint64"), pa.empty((4, 6), "int8")

    def answer(scale: Any, offset: Any, out: pa.Tensor = out) -> int:
        return code(NAMES[0], X, W, S, None, scale, offset, None, 32, out=out)

    assert answer(words, pa.ones((6,))) == 0
    assert answer(pa.ones((1, 6), "uint64"), pa.ones((1, 6))) == 0
    assert answer(words, pa.ones((1, 6))) == INVALID
    assert answer(words, pa.ones((1,))) == INVALID
    assert answer(pa.ones((5,), "uint64"), None) == INVALID
    assert answer(pa.ones((6,)), None) == INVALID
    assert answer(words, None, pa.empty((4, 6), "float16")) == INVALID
    assert answer(words, pa.ones((6,), "float16")) == NO_KERNEL
    assert answer(pa.zeros((0,), "uint64"), None) == NO_KERNEL  # which is not simulated


def in_columns(columns: int, depth: int) -> pa.Tensor:
    """Return a weight of ones in blocks, with its columns first."""
    blocks = (-(-depth // 32), -(-columns // 16), 16, 32)
    return with_format(pa.ones(blocks, "int8"), "FRACTAL_NZ", shape=(columns, depth),
                       storage_shape=blocks)  # fmt: skip


def on_310p() -> list[int]:
    """Return what calls of weights of 64 by 6 are answered with on the 310P."""

    def answer(x: pa.Tensor, w: pa.Tensor, out: pa.Tensor, scale: pa.Tensor, bias: Any = None,
               group: int = 32) -> int:  # fmt: skip
        return code(NAMES[0], x, w, scale, None, None, None, bias, group, out=out)

    batch, results = floats(2, 4, 64), floats(2, 4, 6)
    nz, out = in_columns(6, 64), floats(4, 6)
    large = with_format(floats(8), "ND", shape=(8001, 64000))
    return [
        answer(batch, W, results, S),
        answer(batch, W, results, S, floats(2, 1, 6)),
        answer(X, nz, out, S.T.copy()),
        answer(X, nz, out, floats(6, 1), group=0),
        answer(batch, weight(3, 64, 6), results, S),
        answer(batch, W, out, S),
        answer(floats(1, 1, 1, 1, 1, 4, 64), W, floats(1, 1, 1, 1, 1, 4, 6), S),
        answer(X, nz, out, S),
        answer(X, nz, out, S.T),
        answer(X, nz, out, floats(1, 6), group=0),
        answer(floats(4, 6), nz, floats(4, 64), floats(64), group=0),
        answer(large, weight(64000, 1), floats(8001, 1), floats(2000, 1)),
        answer(X, W, out, S, floats(1, 1, 6)),
        answer(batch, W, results, S, floats(1, 1, 6)),
        answer(floats(0, 4, 64), W, floats(0, 4, 6), S),
        answer(floats(1, 65536), weight(65536, 1), floats(1, 1), floats(1), group=0),
        answer(floats(2, 65536).T, weight(2, 1), floats(65536, 1), floats(1), group=0),
    ]  # fmt: skip


def test_the_310p_has_batches_and_blocks_with_columns_first() -> None:
    found = found_on("Ascend310P3", "operators.test_weight_quant", "on_310p()")
    assert found == [0] * 4 + [INVALID] * 8 + [TILING] * 5
