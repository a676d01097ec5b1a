"""What distances, overlaps, determinants, signs and stretches refuse, and some of their answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NULL, code, device, ones

import pyaclnn as pa

LIMITS = (-(2**63), 2**63 - 1)


@pytest.mark.parametrize("p", [-1.0, math.nan, -1e-30])
def test_a_norm_is_not_negative(p: float) -> None:
    assert code("cdist", ones(2, 3), ones(4, 3), p, 2) == INVALID
    assert code("pdist", ones(2, 3), p) == INVALID


def test_only_a_negative_norm_is_refused_as_a_scalar() -> None:
    assert code("pdist_forward", ones(2, 3), -1.0) == INVALID
    assert code("pdist_forward", ones(2, 3), math.nan) == 0
    assert code("pdist_forward", ones(2, 3), None) == INNER_NULL


def test_euclidean_distances_have_one_mode() -> None:
    x = ones(2, 3)

    assert code("cdist", x, x, 2.0, 1) == INVALID
    assert code("cdist", x, x, 2.0000005, 0) == INVALID
    assert code("cdist", x, x, 1.0, LIMITS[0]) == 0


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((3,), (2, 3), INVALID), ((2, 3), (4, 2), INVALID), ((2, 2, 3), (3, 2, 3), INVALID),
        ((2, 3), (1,) * 9, INVALID), ((0, 3), (4, 3), 0), ((0, 2, 3), (3, 2, 3), 0),
    ],
)  # fmt: skip
def test_points_are_in_batches_that_broadcast(
    first: tuple[int, ...], second: tuple[int, ...], expected: int
) -> None:
    out = pa.empty((2, 4), "float32")

    assert code("cdist", ones(*first), ones(*second), 1.0, 2, out=out) == expected


def test_distances_are_copied_to_an_output_of_their_shape() -> None:
    out = pa.empty((4, 2), "float32")

    assert code("cdist", ones(2, 3), ones(4, 3), 1.0, 2, out=out) == INNER_NULL


def test_points_without_coordinates_are_at_one_place() -> None:
    nothing = pa.empty((2, 0), "float32")
    out = pa.full((2, 2), 7, "float32")

    pa.ops.cdist(nothing, nothing, 2.0, 2, out=out)

    assert not out.numpy().any()
    assert not pa.ops.pdist(nothing, 2.0).numpy().any()


@pytest.mark.parametrize(("p", "expected"), [(0.0, 2.0), (math.inf, 4.0), (1.0, 7.0), (2.0, 5.0)])
def test_a_triangle_of_three_and_four(p: float, expected: float) -> None:
    a, b = device([[0.0, 0.0, 1.0]]), device([[3.0, 4.0, 1.0]])
    both = device([[0.0, 0.0, 1.0], [3.0, 4.0, 1.0]])

    assert pa.ops.cdist(a, b, p, 2).numpy().tolist() == [[expected]]
    assert pa.ops.pdist(both, p).numpy().tolist() == [expected]


@pytest.mark.parametrize(("shape", "out"), [((2, 3), 2), ((4, 3), 5), ((2, 3, 1), 1), ((3,), 3)])
def test_there_is_a_distance_for_each_pair(shape: tuple[int, ...], out: int) -> None:
    assert code("pdist", ones(*shape), 2.0, out=pa.empty((out,), "float32")) == INVALID


def test_more_rows_than_have_countable_pairs_are_refused() -> None:
    rows = ones(1, 1).broadcast_to((2**40, 1))

    assert code("pdist", rows, 2.0, out=pa.empty((0,), "float32")) == INVALID


def test_boxes_are_four_numbers() -> None:
    boxes, out = ones(3, 4), pa.empty((3, 3), "float32")

    assert code("iou", boxes, ones(3, 5), "iou", 0.0, False, out=out) == INVALID
    assert code("iou", ones(4), boxes, "iou", 0.0, False, out=out) == INVALID
    assert code("iou", boxes, boxes, "giou", 0.0, False) == INVALID
    assert code("iou", boxes, boxes, None, 0.0, False) == NULL
    assert code("iou", boxes, boxes, "iou", -0.5, False) == INVALID
    assert code("iou", boxes, ones(2, 4), "iou", 0.0, True) == INVALID
    assert code("iou", boxes, boxes, "iou", 0.0, True, out=out) == INVALID
    assert code("iou", boxes, ones(2, 4), "iou", 0.0, False, out=out) == INNER_NULL
    assert code("iou", boxes, ones(3, 4, dtype="float16"), "iou", 0.0, False) == INVALID


def test_the_overlap_of_the_documented_boxes() -> None:
    boxes = device([[1.0, 1.0, 5.0, 3.0]])
    others = device([[4.0, 2.0, 9.0, 5.0]])

    assert pa.ops.iou(boxes, others, "iou", 0.0, True).numpy() == pytest.approx(1 / 22)
    assert pa.ops.iou(boxes, others, "iof", 0.0, False).numpy() == pytest.approx(1 / 15)


@pytest.mark.parametrize("name", ["logdet", "slogdet"])
def test_determinants_are_of_square_matrices(name: str) -> None:
    outs = 2 if name == "slogdet" else 1

    def out(*shape: int, dtype: str = "float32") -> pa.Tensor | tuple[pa.Tensor, ...]:
        made = tuple(pa.empty(shape, dtype) for _ in range(outs))
        return made if outs > 1 else made[0]

    assert code(name, ones(2, 3), out=out()) == INVALID
    assert code(name, ones(3), out=out()) == INVALID
    assert code(name, ones(2, 3, 3), out=out(3)) == INVALID
    assert code(name, ones(2, 2, dtype="float16"), out=out()) == INVALID
    complex_ = ones(2, 2, dtype="complex64")
    assert code(name, complex_, out=out()) == INVALID
    assert code(name, ones(2, 2), out=out(dtype="complex128")) == 0


def test_a_batch_of_determinants_may_have_many_dimensions() -> None:
    matrices = device(np.eye(2)).broadcast_to((1,) * 8 + (2, 2))

    assert pa.ops.logdet(matrices).shape == (1,) * 8
    assert [t.shape for t in pa.ops.slogdet(matrices)] == [(1,) * 8] * 2


def test_signs_of_the_documented_numbers() -> None:
    numbers = device([5, 4, 3, 2, 0, -1, -2, 4, 3, 2, 1, 0, -1, -2])

    packed = pa.ops.sign_bits_pack(numbers, 2)

    assert packed.numpy().tolist() == [[159], [15]]
    back = pa.ops.sign_bits_unpack(packed.reshape(2), 2, "float32").numpy()
    assert back.tolist() == [[1] * 5 + [-1] * 2 + [1], [1] * 4 + [-1] * 4]


def test_nan_has_no_sign_that_is_positive() -> None:
    assert pa.ops.sign_bits_pack(device([math.nan, 1.0]), 1).numpy().tolist() == [[2]]


@pytest.mark.parametrize("size", [0, -1, 2, 4, *LIMITS])
def test_signs_are_in_rows(size: int) -> None:
    out = pa.empty((1, 3), "uint8")

    assert code("sign_bits_pack", ones(17), size, out=out) == INVALID
    wide = pa.empty((1, 24), "float32")
    if size not in (2, 4):
        assert code("sign_bits_unpack", ones(3, dtype="uint8"), size, "float32", out=wide) == (
            INVALID
        )


def test_packed_signs_have_the_shape_that_follows() -> None:
    assert code("sign_bits_pack", ones(17), 3, out=pa.empty((3, 2), "uint8")) == INNER_NULL
    assert code("sign_bits_pack", ones(3, 3), 1, out=pa.empty((1, 2), "uint8")) == INVALID
    packed = ones(3, dtype="uint8")
    assert code("sign_bits_unpack", packed, 3, "float16", out=pa.empty((3, 8), "float32")) == (
        INVALID
    )
    endless = ones(1, dtype="uint8").broadcast_to((2**61,))
    assert code("sign_bits_unpack", endless, 1, "float32", out=pa.empty((1, 0), "float32")) == (
        INVALID
    )


def test_a_comparison_gives_the_code_of_a_chip() -> None:
    x = device([1.0, -0.0, 2.0])

    assert int(pa.ops.precision_compare(x, device([1.0, 0.0, 2.0])).numpy()) == 0
    assert int(pa.ops.precision_compare(x, device([1.0, 0.0, 2.5])).numpy()) == 503
    assert code("precision_compare", x, ones(2)) == INVALID
    assert code("precision_compare", x, x, out=pa.empty((1,), "uint32")) == INVALID
    assert code("precision_compare", x, ones(3, dtype="float16")) == INVALID


def test_stretches_are_of_rows_in_a_batch() -> None:
    assert code("exp_segsum", ones(2, 3), out=ones(2, 3, 3)) == INVALID
    assert code("exp_segsum", ones(1, 2, 3), out=ones(1, 2, 3, 4)) == INVALID
    assert code("exp_segsum", ones(1, 2, 3), out=ones(1, 2, 3, 3, dtype="float16")) == INVALID


def test_a_transport_plan_has_uniform_sums() -> None:
    cost = device(np.random.default_rng(0).uniform(0, 1, (6, 4)))

    plan = pa.ops.sinkhorn(cost, 1e-7).numpy()

    assert np.allclose(plan.sum(1), 1 / 6, rtol=1e-3)
    assert np.allclose(plan.sum(0), 1 / 4, rtol=1e-3)


def test_an_iteration_that_reaches_nothing_ends() -> None:
    assert np.isfinite(pa.ops.sinkhorn(ones(2, 3), -1.0).numpy()).all()


def test_a_transport_plan_is_a_matrix_of_its_cost() -> None:
    assert code("sinkhorn", ones(2, 3, 4), None) == INVALID
    assert code("sinkhorn", ones(1, 4097), None) == INVALID
    assert code("sinkhorn", ones(2, 3), None, out=pa.empty((2, 3), "float16")) == INVALID
    assert code("sinkhorn", ones(2, 3), None, out=ones(2, 6)[:, ::2]) == INVALID
