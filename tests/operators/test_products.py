"""Products of vectors and sums of matrix products: what their factors leave out, and refusals."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from children import output_of
from operators.calls import INVALID, TILING, code, code_with, device, ones

import pyaclnn as pa

NAN = float("nan")


def nans(*shape: int) -> pa.Tensor:
    return pa.full(shape, NAN, "float32")


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("addmm", (nans(2, 2), ones(2, 3), ones(3, 2), 0, 1)),
        ("addmv", (nans(2), ones(2, 3), ones(3), 1, 0)),
        ("addbmm", (nans(2, 2), ones(4, 2, 3), ones(4, 3, 2), 0, 1)),
        ("gemm", (ones(2, 3), ones(3, 2), nans(2, 2), 1, 0, 0, 0)),
        ("addr", (nans(2, 2), ones(2), ones(2), 0, 1)),
    ],
)
def test_what_is_multiplied_by_zero_is_not_read(name: str, inputs: tuple[Any, ...]) -> None:
    arguments = inputs if name == "addr" else (*inputs, 0)

    assert np.isfinite(pa.ops[name](*arguments).numpy()).all()


def test_integers_keep_their_low_bits() -> None:
    big = pa.full((3,), 2**31 - 1, "int32")

    assert int(pa.ops.dot(big, big).numpy()) == 3
    assert int(pa.ops.dot(pa.full((2,), 100, "uint8"), pa.full((2,), 2, "uint8")).numpy()) == 144


def test_a_depth_of_zero_leaves_the_addend() -> None:
    assert int(pa.ops.dot(ones(0), ones(0)).numpy()) == 0
    added = pa.full((2, 3), 5, "float32")
    products = (
        pa.ops.addbmm(added, ones(4, 2, 0), ones(4, 0, 3), 2, 1, 0),
        pa.ops.addbmm(added, ones(0, 2, 4), ones(0, 4, 3), 2, 1, 0),
        pa.ops.gemm(ones(2, 0), ones(0, 3), added, 1, 2, 0, 0, 0),
    )
    for result in products:
        np.testing.assert_array_equal(result.numpy(), np.full((2, 3), 10))


@pytest.mark.parametrize(
    ("name", "inputs", "out"),
    [
        ("dot", (ones(2), ones(3)), ()),
        ("dot", (ones(2), ones(2)), (1,)),
        ("ger", (ones(2), ones(3)), (3, 2)),
        ("addr", (ones(2, 2), ones(2), ones(3), 1, 1), (2, 3)),
        ("addmv", (ones(3), ones(2, 3), ones(3), 1, 1, 0), (2,)),
        ("addmv", (ones(2), ones(2, 3), ones(3), 1, 1, 9), (2,)),
        ("addbmm", (ones(2, 2), ones(2, 2, 3), ones(3, 3, 2), 1, 1, 0), (2, 2)),
        ("gemm", (ones(2, 3), ones(2, 3), ones(2, 2), 1, 1, 0, 0, 0), (2, 2)),
        ("linalg_cross", (ones(2, 4), ones(2, 4), 1), (2, 4)),
        ("linalg_cross", (ones(3), ones(3), 1), (3,)),
    ],
)
def test_shapes_that_do_not_fit_are_refused(
    name: str, inputs: tuple[Any, ...], out: tuple[int, ...]
) -> None:
    assert code(name, *inputs, out=ones(*out)) == INVALID


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64"])
@pytest.mark.parametrize("which", [0, 1])
def test_a_cross_product_may_take_the_place_of_an_operand(dtype: str, which: int) -> None:
    rng = np.random.default_rng(5)
    arrays = [np.round(rng.normal(size=(4, 3, 300)) * 9).astype(dtype) for _ in range(2)]
    operands = [pa.asarray(array) for array in arrays]
    pa.ops.linalg_cross(*operands, 1, out=operands[which])
    wanted = np.cross(arrays[0], arrays[1], axis=1)
    np.testing.assert_array_equal(operands[which].numpy(), wanted)


def test_scalars_of_another_kind_are_refused() -> None:
    whole = ones(2, dtype="int32")
    added = ones(2, 2, dtype="int32")
    for scalar in (0.5, True):
        assert code("addr", added, whole, whole, scalar, 1) == INVALID
    # A factor of 1 has no say in the type; another one has.
    matrix = ones(2, 2, dtype="int32")
    assert pa.ops.addmv(whole, matrix, whole, 1.0, 1.0, 0).dtype == np.int32
    assert code("addmv", whole, matrix, whole, 0.5, 1, 0) == INVALID


@pytest.mark.parametrize("dtype", ["float32", "float16", ml_dtypes.bfloat16])
@pytest.mark.parametrize("depth", [1, 17, 1030, 6150, 16400])
def test_few_rows_give_the_same_bits_however_the_matrix_lies(depth: int, dtype: Any) -> None:
    # Behind each depth is another way: pieces of the depth, several columns at a time, and rows
    # that are converted in several goes.
    rng = np.random.default_rng(depth)
    for rows, columns in ((1, 6), (2, 9), (3, 1), (3, 7), (4, 5)):
        x = rng.standard_normal((rows, depth)).astype(dtype)
        y = rng.standard_normal((depth, columns)).astype(dtype)
        expected = x.astype(np.float64) @ y.astype(np.float64)
        turned = pa.asarray(np.ascontiguousarray(y.T)).T
        apart = pa.asarray(np.ascontiguousarray(np.repeat(y.T, 2, axis=1))).T[::2]

        found = [
            pa.ops.mm(pa.asarray(x), each, 0).numpy() for each in (turned, apart, pa.asarray(y))
        ]

        error = 4e-7 * np.sqrt(depth) * max(1.0, float(np.abs(expected).max()))
        rounding = float(ml_dtypes.finfo(dtype).eps) / 2 * np.abs(expected)
        assert (np.abs(found[0].astype(np.float64) - expected) <= error + rounding).all()
        for other in found[1:]:
            assert found[0].tobytes() == other.tobytes()


@pytest.mark.parametrize("sizes", [(3, 1, 5), (7, 3, 49), (257, 1025, 40), (16, 600, 33)])
def test_bfloat16_gives_the_same_bits_however_its_operands_lie(sizes: tuple[int, ...]) -> None:
    rows, depth, columns = sizes
    rng = np.random.default_rng(1)
    a = rng.uniform(-1, 1, (rows, depth)).astype(ml_dtypes.bfloat16)
    b = rng.uniform(-1, 1, (depth, columns)).astype(ml_dtypes.bfloat16)

    def views(values: np.ndarray[Any, Any]) -> list[pa.Tensor]:
        """Return the matrix with dense rows, with dense columns, and with neither."""
        apart = np.zeros((*values.shape, 2), values.dtype)
        apart[..., 1] = values
        return [
            pa.asarray(values), pa.asarray(np.ascontiguousarray(values.T)).T,
            pa.asarray(apart)[..., 1],
        ]  # fmt: skip

    results = [pa.ops.mm(x, y, 0).numpy() for x in views(a) for y in views(b)]

    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert np.abs(results[0].astype(np.float64) - exact).max() <= np.abs(exact).max() * 2.0**-7
    for result in results:
        np.testing.assert_array_equal(result, results[0])


def half(*shape: int) -> pa.Tensor:
    return pa.ones(shape, "float16")


KEPT, SWAPPED = (0, 1, 2), (1, 0, 2)


@pytest.mark.parametrize(
    ("inputs", "out"),
    [
        ((half(4, 3, 16), half(4, 16, 16), None, None, KEPT, KEPT, KEPT, 0, 1), (3, 4, 16)),
        ((half(4, 3, 16), half(4, 16, 16), None, None, (2, 1, 0), KEPT, SWAPPED, 0, 1), (3, 4, 16)),
        ((half(4, 3, 16), half(4, 16, 16), None, None, (0,), KEPT, SWAPPED, 0, 1), (3, 4, 16)),
        ((half(4, 3, 16), half(4, 16, 16), None, None, KEPT, KEPT, SWAPPED, 0, 3), (3, 4, 16)),
        ((half(4, 3, 16), half(4, 16, 16), None, None, KEPT, KEPT, SWAPPED, 0, 0), (3, 4, 16)),
        ((half(4, 3, 8), half(4, 8, 16), None, None, KEPT, (0, 2, 1), SWAPPED, 0, 1), (3, 4, 8)),
        ((half(4, 3, 8), half(4, 8, 8), None, half(32), KEPT, KEPT, SWAPPED, 0, 1), (3, 1, 32)),
        ((half(4, 3, 16), half(2, 16, 16), None, None, KEPT, KEPT, SWAPPED, 0, 1), (3, 4, 16)),
        ((half(4, 3, 16), half(4, 16, 16), half(16), None, KEPT, KEPT, SWAPPED, 0, 1), (3, 4, 16)),
        ((half(0, 3, 16), half(0, 16, 16), None, None, KEPT, KEPT, SWAPPED, 0, 1), (3, 0, 16)),
    ],
)
def test_orders_and_extents_that_the_kernel_does_not_take(
    inputs: tuple[Any, ...], out: tuple[int, ...]
) -> None:
    assert code("transpose_batch_mat_mul", *inputs, out=half(*out)) == INVALID


def test_products_in_another_order_become_int8_by_words() -> None:
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-4, 5, s).astype(np.float16) for s in ((3, 4, 24), (4, 24, 10)))
    # Scales that leave no ties, and offsets in the bits above.
    scale, offset = np.full(40, 0.3, np.float32), rng.integers(-9, 9, 40)
    bits = scale.view(np.uint32) & np.uint32(0xFFFFE000)
    words = bits.astype(np.uint64) | (offset & 0x1FF).astype(np.uint64) << np.uint64(37)
    out = pa.zeros((3, 1, 40), "int8")

    pa.ops.transpose_batch_mat_mul(
        pa.asarray(a), pa.asarray(b), None, pa.asarray(words), SWAPPED, KEPT, SWAPPED, 0, 1, out=out
    )

    exact = np.einsum("mbk,bkn->mbn", a.astype(float), b.astype(float)).reshape(3, 1, 40)
    whole = np.rint(exact * bits.view(np.float32)) + offset
    np.testing.assert_array_equal(out.numpy(), np.clip(whole, -128, 127).astype(np.int8))


def test_products_in_another_order_take_a_turned_weight_and_any_depth() -> None:
    rng = np.random.default_rng(6)
    a, b = (rng.normal(0, 1, s).astype(np.float32) for s in ((2, 3, 21_999), (3, 7, 21_999)))

    found = pa.ops.transpose_batch_mat_mul(
        pa.asarray(a), pa.asarray(b), None, None, SWAPPED, (0, 2, 1), SWAPPED, 0, 1
    )

    exact = np.einsum("mbk,bnk->mbn", a.astype(float), b.astype(float))
    np.testing.assert_allclose(found.numpy(), exact, atol=2e-3)


@pytest.mark.parametrize(
    ("tensors", "equation", "out"),
    [
        ([half(2), half(3)], "ab,c->abc", (2, 3)),
        ([half(2), half(3)], "", (2, 3)),
        ([half(2)], "a,b->ab", (2, 2)),
        ([half(2), ones(3)], "a,b->ab", (2, 3)),
        ([half(2, 2), half(3)], "a,b->ab", (2, 3)),
        ([half(1, 2, 3, 4), half(1, 2, 3, 5, 6)], "abcd,abced->abce", (1, 2, 3, 5)),
        ([half(1, 2, 3, 0), half(1, 2, 3, 5, 0)], "abcd,abced->abce", (1, 2, 3, 5)),
    ],
)
def test_equations_that_are_none_of_two_are_refused(
    tensors: list[pa.Tensor], equation: str, out: tuple[int, ...]
) -> None:
    assert code("einsum", tensors, equation, out=half(*out)) == INVALID


@pytest.mark.parametrize(
    "changed",
    [
        {"layer_idx": 2}, {"layer_idx": -1}, {"y_offset": 32}, {"y_offset": -1},
        {"y_offset": 2**62, "y_slice_size": 2**62}, {"y_slice_size": 17}, {"y_slice_size": -1},
        {"x": half(3, 8)}, {"indices": pa.zeros((2,), "int32")}, {"weight_b": half(2, 2, 48, 16)},
        {"weight_a_optional": half(2, 2, 16, 32)}, {"out": half(3, 16)},
    ],
)  # fmt: skip
def test_corrections_that_do_not_fit_are_refused(changed: dict[str, Any]) -> None:
    right: dict[str, Any] = {
        "y": half(3, 32), "x": half(3, 16), "weight_b": half(2, 2, 16, 16),
        "indices": pa.zeros((3,), "int32"), "weight_a_optional": half(2, 2, 16, 16),
        "layer_idx": 1, "scale": 1.0, "y_offset": 16, "y_slice_size": 16,
    }  # fmt: skip
    assert pa.ops.add_lora(**right).shape == (3, 32)
    assert code("add_lora", **{**right, **changed}) == TILING


FEED_FORWARD: dict[str, Any] = {
    "x": half(4, 8), "weight1": half(2, 8, 16), "weight2": half(2, 16, 8),
    "expert_tokens": [1, 3], "bias1": half(2, 16), "bias2": half(2, 8),
    **dict.fromkeys(
        ("scale", "offset", "deq_scale1", "deq_scale2", "antiquant_scale1", "antiquant_scale2",
         "antiquant_offset1", "antiquant_offset2"),
    ),
    "activation": "ReLU", "inner_precise": 1, "tokens_index_flag": False,
}  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [
        {"expert_tokens": [1, 2]}, {"expert_tokens": [5, -1]}, {"expert_tokens": [2**62, 2**62]},
        {"expert_tokens": [3, 1], "tokens_index_flag": True}, {"expert_tokens": [1, 1, 2]},
        {"expert_tokens": None}, {"weight1": half(2, 8, 15)}, {"weight2": half(2, 16, 7)},
        {"bias1": half(2, 8)}, {"bias2": half(8)}, {"bias1": ones(2, 16)}, {"activation": "tanh"},
        {"activation": ""}, {"x": ones(4, 8)}, {"scale": ones(1)}, {"x": half(8)},
    ],
)  # fmt: skip
def test_networks_that_do_not_fit_are_refused(changed: dict[str, Any]) -> None:
    assert pa.ops.ffn_v2(**FEED_FORWARD).shape == (4, 8)
    assert code_with("ffn_v2", FEED_FORWARD, **changed, out=half(4, 8)) == INVALID


def test_numbers_on_the_device_never_lead_beyond_the_rows() -> None:
    x, first, second = half(4, 8), half(2, 8, 16), half(2, 16, 8)
    for numbers in ([9, 9], [-5, 2**62], [2**63 - 1, -(2**63)]):
        for ends in (False, True):
            tokens = pa.asarray(np.array(numbers, np.int64))
            out = pa.zeros((4, 8), "float16")
            pa.ops.ffn_v3(x, first, second, tokens, *(None,) * 10, "relu", 1, ends, out=out)
            assert set(np.unique(out.numpy())) <= {0, 128}


def test_less_precision_is_hfloat32_where_there_is_that_and_float16_elsewhere() -> None:
    # hfloat32 has 11 bits behind the point, float16 10; 3e5 is out of float16's range.
    program = """
        import pyaclnn as pa
        one = pa.ones((1, 1))
        print(*(float(pa.ops.mm(pa.full((1, 1), value), one, 1)) for value in (1 + 2**-11, 3e5)))
        """

    assert output_of(program, PYACLNN_SIM_SOC="Ascend910B1") == f"{1 + 2**-11} 300032.0"
    assert output_of(program, PYACLNN_SIM_SOC="Ascend910A") == "1.0 inf"


def test_operands_of_bfloat16_do_not_become_float16() -> None:
    large = pa.full((1, 1), 2.0**20, "bfloat16")

    assert pa.ops.mm(large, pa.ones((1, 1), "bfloat16"), 2).numpy() == 2.0**20


def test_a_number_is_added_to_a_product() -> None:
    a, number = device([[1.0, 2.0], [3.0, 4.0]]), device(10.0)

    assert pa.ops.addmm(number, a, a, 1, 1, 0).numpy().tolist() == [[17, 20], [25, 32]]
    batch = a.reshape((1, 2, 2))
    assert pa.ops.baddbmm(number, batch, batch, 1, 2, 0).numpy().tolist() == [[[24, 30], [40, 54]]]
