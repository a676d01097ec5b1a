"""What products of narrow integers refuse, and sums of many numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, TILING, code_of, ones
from operators.status_tests import refusal_tests

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import in_words, sparse_weight
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.selftest.suites.quantised_on_the_way import sparse
from pyaclnn.tensor.formats import with_format


def _int8(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def test_sums_are_exact_where_float32_is_not() -> None:
    x1 = np.full((1, 40_001), -128, np.int8)
    x2 = np.full((40_001, 2), -128, np.int8)
    x2[0] = [-127, 0]

    out = pa.zeros((1, 2), "int32")
    pa.ops.quant_matmul_v5(pa.asarray(x1), pa.asarray(x2), None, pa.ones((1,), "float32"), out=out)

    assert out.numpy().tolist() == [[128 * 128 * 40_000 + 128 * 127, 128 * 128 * 40_000]]


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize(
    "sizes", [(1, 3, 1), (5, 4, 63), (6, 513, 64), (13, 1030, 65), (97, 8, 300), (400, 70, 257)]
)
def test_sums_are_exact_where_tiles_end(
    sizes: tuple[int, int, int], transposed: tuple[bool, bool]
) -> None:
    rows, depth, columns = sizes
    rng = np.random.default_rng(rows)
    x1, x2 = (rng.integers(-128, 128, s).astype(np.int8) for s in ((rows, depth), (depth, columns)))
    given = [
        pa.asarray(np.ascontiguousarray(x.T) if turn else x)
        for x, turn in zip((x1, x2), transposed, strict=True)
    ]
    out = pa.zeros((rows, columns), "int32")

    pa.ops.quant_matmul_v4(
        *given, pa.ones((columns,), "float32"), None, None, None, *transposed, out=out
    )

    assert np.array_equal(out.numpy(), x1.astype(np.int32) @ x2.astype(np.int32))


@pytest.mark.parametrize("out", ["float16", "bfloat16"])
def test_columns_of_a_vocabulary_go_with_scales_of_rows_alone(out: str) -> None:
    rng = np.random.default_rng(11)
    rows, depth, columns = 2, 16, 65_540
    x1, x2 = (rng.integers(-9, 10, s).astype(np.int8) for s in ((rows, depth), (depth, columns)))
    scale, own = (rng.uniform(0.01, 0.1, n).astype(np.float32) for n in (columns, rows))
    result = pa.zeros((rows, columns), out)
    given = {"scale": pa.asarray(scale).astype("bfloat16" if out == "bfloat16" else "float32")}

    def multiply(**others: Any) -> None:
        pa.ops.quant_matmul_v4(pa.asarray(x1), pa.asarray(x2), **given, **others, out=result)

    def status_of(version: str, scale: str) -> int:
        one = {scale: given["scale"]}
        return code_of(pa.ops[version], pa.asarray(x1), pa.asarray(x2), **one, out=result)

    multiply(pertoken_scale_optional=pa.asarray(own))

    seen = result.astype("float32").numpy()
    stored = given["scale"].astype("float32").numpy().astype(np.float64)
    wanted = (x1.astype(np.int64) @ x2.astype(np.int64)) * stored * own[:, None].astype(np.float64)
    assert np.allclose(seen, wanted, rtol=2**-7, atol=1e-3)
    if out == "bfloat16":  # float16 has no such scale without that of rows
        with pytest.raises(pa.AclError, match="65535"):
            multiply()
        # The fifth version leaves it to the kernel.
        assert status_of("quant_matmul_v4", "scale") == INVALID
        assert status_of("quant_matmul_v5", "x2_scale") == TILING


def test_a_weight_in_blocks_is_multiplied_like_one_in_lines() -> None:
    rng = np.random.default_rng(5)
    x1, x2 = (rng.integers(-128, 128, s).astype(np.int8) for s in ((6, 50), (50, 70)))
    scale, plain, blocked = (
        pa.ones((1,), "float32"),
        pa.zeros((6, 70), "int32"),
        pa.zeros((6, 70), "int32"),
    )
    blocks = in_blocks(x2)
    weight = with_format(
        pa.asarray(blocks), "FRACTAL_NZ", shape=x2.shape, storage_shape=blocks.shape
    )

    pa.ops.quant_matmul_v5(pa.asarray(x1), pa.asarray(x2), None, scale, out=plain)
    pa.ops.quant_matmul_weight_nz(pa.asarray(x1), weight, None, scale, out=blocked)

    assert np.array_equal(plain.numpy(), blocked.numpy())


_BY_PARTS = ("groups", "columns", "columns, transposed", "columns, a transposed view")


@pytest.mark.parametrize("way", _BY_PARTS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_an_offset_holds_what_int8_lacks_beside_int4(way: str, dtype: str) -> None:
    rng = np.random.default_rng(8)
    rows, depth, columns, parts = 3, 512, 40, 2 if way == "groups" else 1
    x1, x2 = rng.integers(-128, 128, (rows, depth)), rng.integers(-8, 8, (depth, columns))
    # With 16 rows, what the matrix unit rounds to float16 is a whole number up to 2048.
    x2[rng.permutation(depth)[16:]] = 0
    scale, of_rows = (
        rng.choice([1.0, 2.0], s).astype(np.float32) for s in ((parts, columns), (rows,))
    )
    weight = x2 * np.repeat(scale, depth // parts, 0)
    turned = "transposed" in way
    words = pa.asarray(in_words((x2.T if turned else x2).astype(np.int8)))
    out = pa.zeros((rows, columns), dtype)

    pa.ops.quant_matmul_v5(
        pa.asarray(x1.astype(np.int8)), words.T if way.endswith("view") else words,
        pa.asarray(of_rows[:, None] if parts > 1 else of_rows),
        pa.asarray((scale if parts > 1 else scale[0]).view(np.uint32).astype(np.uint64)),
        y_offset=pa.asarray((8 * weight.sum(0)).astype(np.float32)),
        transpose_x2=way.endswith("transposed"), group_size=256 if parts > 1 else 0, out=out,
    )  # fmt: skip

    expected = (x1 @ weight * of_rows[:, None].astype(np.float64)).astype(out.numpy().dtype)
    assert np.array_equal(out.numpy(), expected)


def test_a_weight_in_blocks_that_begins_within_its_storage_is_refused() -> None:
    weight = with_format(_int8(33, 16, 32)[1:], "FRACTAL_NZ", shape=(32, 512),
                         storage_shape=(16, 2, 16, 32))  # fmt: skip

    with pytest.raises(pa.AclError) as error:
        pa.ops.quant_matmul_weight_nz(
            _int8(4, 32), weight, None, ones(1), out=pa.zeros((4, 512), "int32")
        )

    assert error.value.code == NO_KERNEL


def test_a_weight_whose_storage_is_not_that_of_blocks_is_refused() -> None:
    with pytest.raises(pa.AclError) as error:
        pa.ops.quant_matmul_weight_nz(
            _int8(4, 50), _int8(50, 70), None, ones(1), out=pa.zeros((4, 70), "int32")
        )

    assert error.value.code == INVALID


def _sparse_call(m: int, k: int, n: int) -> dict[str, Any]:
    """Return arguments whose weight and index fill their last blocks with zeros, and the result."""
    rng = np.random.default_rng(7)
    weight, x = sparse((n, k), rng), rng.integers(-128, 128, (m, k)).astype(np.int8)
    kept, index = sparse_weight(weight)
    blocks = in_blocks(kept)
    stored = with_format(pa.Tensor(pa.asarray(blocks).buffer, kept.shape, "int8"), "FRACTAL_NZ",
                         shape=kept.shape, storage_shape=blocks.shape)  # fmt: skip
    shape = (n, -(-k // 8))
    places = with_format(pa.Tensor(pa.asarray(index).buffer, shape, "uint8"), "ND",
                         shape=shape, storage_shape=index.shape)  # fmt: skip
    return {
        "x": pa.asarray(x), "sparse_weight": stored, "index": places, "x_scale": ones(m),
        "sparse_weight_scale": ones(n), "bias_optional": None, "out": pa.zeros((m, n), "bfloat16"),
        "expected": x.astype(np.int64) @ weight.T.astype(np.int64),
    }  # fmt: skip


def test_a_sparse_weight_is_restored_from_blocks_that_are_not_full() -> None:
    *given, out, expected = _sparse_call(3, 100, 21).values()

    pa.ops.sparse4to2_quant_matmul_weight_nz(*given, out=out)

    found = out.numpy()
    assert np.array_equal(found, expected.astype(found.dtype))


def _words(count: int) -> pa.Tensor:
    return pa.zeros((count,), "uint64")


_WEIGHT = with_format(_int8(2, 1, 2, 16, 32), "FRACTAL_NZ", shape=(2, 32, 32),
                      storage_shape=(2, 1, 2, 16, 32))  # fmt: skip

_INT8_BY_INT4: dict[str, Any] = {
    "x1": _int8(3, 512), "x2": pa.zeros((512, 2), "int32"), "x1_scale": ones(3, 1),
    "x2_scale": pa.zeros((2, 16), "uint64"), "y_scale": None, "x1_offset": None,
    "x2_offset": None, "y_offset": ones(16), "bias": None, "transpose_x1": False,
    "transpose_x2": False, "group_size": 256, "out": pa.zeros((3, 16), "float16"),
}  # fmt: skip

_RIGHT: dict[str, dict[str, Any]] = {
    "quant_matmul_v5": {
        "x1": _int8(3, 8), "x2": _int8(8, 6), "x1_scale": ones(3), "x2_scale": ones(6),
        "y_scale": None, "x1_offset": None, "x2_offset": None, "y_offset": None,
        "bias": pa.zeros((6,), "int32"), "transpose_x1": False, "transpose_x2": False,
        "group_size": 0, "out": pa.zeros((3, 6), "float16"),
    },
    "quant_matmul": {
        "x1": _int8(3, 8), "x2": _int8(8, 6), "bias": None, "deq_scale": 0.5,
        "out": pa.zeros((3, 6), "float16"),
    },
    "quant_matmul_v2": {
        "x1": _int8(3, 8), "x2": _int8(8, 6), "bias": None, "deq_scale": _words(16),
        "adj_x1": False, "adj_x2": False, "out": pa.zeros((3, 6), "float16"),
    },
    "fused_quant_matmul": {
        "x1": _int8(3, 8), "x2": _int8(8, 6), "x1_scale": ones(3), "x2_scale": ones(6),
        "fused_op_type": "gelu_erf", "group_size_optional": 0, "out": pa.zeros((3, 6), "float16"),
    },
    "quant_matmul_reduce_sum_weight_nz": {
        "x1": _int8(2, 3, 32), "x2": _WEIGHT, "x1_scale": ones(2, 3),
        "x2_scale": ones(32, dtype="bfloat16"), "y_scale": None, "x1_offset": None,
        "x2_offset": None, "y_offset": None, "bias": None, "transpose_x1": False,
        "transpose_x2": False, "group_size": 0, "dims": [0], "keep_dims": False,
        "out": pa.zeros((3, 32), "bfloat16"),
    },
    "sparse4to2_quant_matmul_weight_nz": dict(list(_sparse_call(3, 100, 21).items())[:-1]),
    "batch_matmul_quant": {
        "x1": ones(3, 8, dtype="float16"), "x2": ones(8, 6, dtype="float16"),
        "quant_param": _words(16), "bias": None, "transpose_x1": False, "transpose_x2": False,
        "out": _int8(3, 6),
    },
}  # fmt: skip

_OTHERS: dict[str, tuple[tuple[dict[str, Any], int], ...]] = {
    "quant_matmul": (
        ({"x1": None}, INNER_NULL),
        ({"bias": pa.zeros((5,), "int32")}, INVALID),
        ({"x1": _int8(8)}, INVALID),
        ({"x1": _int8(3, 7)}, INVALID),
        ({"x1": _int8(2, 3, 8), "x2": _int8(3, 8, 6)}, INVALID),
        ({"x1": _int8(3, 0), "x2": _int8(0, 6)}, 0),
        (
            {"x1": _int8(3, 0), "x2": _int8(0, 6), "bias": pa.zeros((6,), "int32")},
            INNER_NULL,
        ),
        ({"out": pa.zeros((3, 6), "bfloat16")}, INVALID),
    ),
    "quant_matmul_v2": (
        ({"deq_scale": None}, INNER_NULL),
        ({"deq_scale": _words(6)}, INVALID),
        ({"deq_scale": ones(16)}, INVALID),
        ({"adj_x2": True}, INVALID),
        ({"adj_x2": True, "x2": _int8(6, 8)}, 0),
    ),
    "fused_quant_matmul": (
        ({"fused_op_type": "relu"}, INVALID),
        ({"group_size_optional": -1}, NULL),
        ({"x1_scale": None}, NULL),
        ({"x3_optional": ones(1)}, NULL),
        ({"x1_scale": ones(2)}, INVALID),
        ({"x2_scale": ones(1)}, 0),
        ({"x2_scale": ones(1, dtype="uint64")}, INVALID),
        ({"x1": pa.zeros((3, 8), "uint8")}, INVALID),
    ),
    "quant_matmul_reduce_sum_weight_nz": (
        ({"x2": _int8(2, 32, 32)}, INVALID),
        ({"bias": ones(1)}, INVALID),
        ({"keep_dims": True}, INVALID),
        ({"dims": None}, NULL),
        ({"dims": [1]}, 0),
        ({"dims": []}, TILING),
        ({"x1_scale": ones(6)}, INVALID),
        ({"out": pa.zeros((3, 1, 32), "bfloat16")}, INNER_NULL),
    ),
    "sparse4to2_quant_matmul_weight_nz": (
        ({"index": None}, NULL),
        ({"sparse_weight": _int8(21, 52)}, INVALID),
        ({"x": _int8(3, 96)}, INVALID),
        ({"x": _int8(3, 101)}, 0),
        ({"index": pa.zeros((21, 13), "uint8")}, TILING),
        ({"index": pa.zeros((21, 13), "int8")}, INVALID),
        ({"x_scale": ones(4)}, INVALID),
        ({"bias_optional": ones(21)}, INVALID),
    ),
    "batch_matmul_quant": (
        ({"quant_param": None}, NULL),
        ({"quant_param": _words(6)}, INVALID),
        ({"quant_param": _words(1)}, 0),
        ({"bias": ones(1, dtype="float16")}, INVALID),
        ({"x1": ones(0, 8, dtype="float16"), "out": _int8(0, 6)}, INVALID),
    ),
}

_WRONG: list[tuple[str, dict[str, Any], int]] = [
    ("quant_matmul_v5", changed, expected)
    for changed, expected in (
        ({"x2": None}, NULL),
        ({"x2_scale": None}, NULL),
        ({"y_scale": ones(6)}, NULL),
        ({"x1_offset": ones(6)}, NULL),
        ({"x1": _int8(8)}, INVALID),
        ({"x1": pa.zeros((3, 8), "uint8")}, INVALID),
        ({"x1": _int8(3, 7)}, INVALID),
        ({"transpose_x1": True}, INVALID),
        ({"transpose_x2": True}, INVALID),
        ({"transpose_x2": True, "x2": _int8(6, 8)}, 0),
        ({"x2_scale": ones(5)}, INVALID),
        ({"x2_scale": ones(1)}, 0),
        ({"x2_scale": ones(6, dtype="bfloat16")}, INVALID),
        ({"x2_scale": ones(6, dtype="bfloat16"), "out": pa.zeros((3, 6), "bfloat16")}, 0),
        ({"x1_scale": ones(1)}, INVALID),
        ({"x1_scale": ones(3, dtype="float16")}, INVALID),
        ({"x1_scale": None}, INVALID),
        ({"x1_scale": None, "out": pa.zeros((3, 6), "int32")}, 0),
        ({"bias": ones(6)}, 0),
        ({"bias": ones(6, dtype="bfloat16")}, INVALID),
        ({"bias": pa.zeros((5,), "int32")}, INVALID),
        ({"bias": pa.zeros((1, 6), "int32")}, INVALID),
        ({"x2_offset": ones(6)}, INVALID),
        ({"out": pa.zeros((3, 5), "float16")}, INVALID),
        ({"out": pa.zeros((3, 1, 6), "float16")}, 0),
        (
            {"x1": _int8(0, 8), "x1_scale": ones(0), "out": pa.zeros((0, 6), "float16")},
            INVALID,
        ),
    )
]  # fmt: skip
_WRONG += [
    ("quant_matmul_v5", {**_INT8_BY_INT4, **changed}, expected)
    for changed, expected in (
        ({}, 0),
        ({"x2_offset": ones(16)}, NULL),
        ({"y_offset": None}, INVALID),
        ({"y_offset": ones(1, 16)}, INVALID),
        ({"bias": ones(16)}, INVALID),
        ({"y_scale": ones(1, 16)}, INVALID),
        ({"x1_scale": None}, INVALID),
        ({"x1_scale": ones(3)}, INVALID),
        ({"x2_scale": ones(2, 16)}, INVALID),
        ({"x2_scale": pa.zeros((2, 16), "int64")}, 0),
        ({"group_size": 0}, INVALID),
        ({"transpose_x1": True}, INVALID),
        ({"transpose_x2": True, "x2": pa.zeros((16, 64), "int32")}, TILING),
        ({"x1_scale": ones(3), "x2_scale": _words(16)}, INVALID),
        ({"x1_scale": ones(3), "x2_scale": _words(16), "group_size": 0}, 0),
        ({"x1": _int8(3, 256), "x2": pa.zeros((256, 2), "int32")}, INVALID),
        ({"out": ones(3, 16)}, INVALID),
    )
]
_WRONG += [(name, changed, code) for name, cases in _OTHERS.items() for changed, code in cases]

test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(_RIGHT, _WRONG)


def test_what_is_null_comes_before_the_offsets_format() -> None:
    x2, scale, out = pa.ones((8, 4), "int8"), pa.ones((4,)), pa.zeros((3, 4), "float16")
    offset = with_format(pa.ones((4,)), "NCHW")

    def status_of(x1: pa.Tensor | None) -> int:
        return code_of(pa.ops.quant_matmul_v4, x1, x2, scale, offset, None, None, out=out)

    assert status_of(None) == NULL
    assert status_of(pa.ones((3, 8), "int8")) == INVALID


@pytest.mark.parametrize(("of_x1", "of_x2"), [("int8", "int4"), ("int4", "int8")])
def test_integers_of_two_widths_are_refused(of_x1: str, of_x2: str) -> None:
    x1, x2 = pa.zeros((4, 8), of_x1), pa.zeros((8, 4), of_x2)
    scale, out = pa.ones((4,), "bfloat16"), pa.zeros((4, 4), "bfloat16")

    assert code_of(pa.ops.quant_matmul_v4, x1, x2, scale, None, None, None, out=out) == INVALID
