"""What losses with a mean or sum refuse, and what they give of nothing and at the ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, code

import pyaclnn as pa

NONE, MEAN, SUM, BATCH_MEAN = range(4)
LOSSES: dict[str, tuple[Any, ...]] = {
    "mse_loss": (), "l1_loss": (), "smooth_l1_loss": (1.0,), "soft_margin_loss": (),
    "kl_div": (False,),
}  # fmt: skip
every_loss = pytest.mark.parametrize("name", LOSSES)


@every_loss
def test_the_mean_of_nothing_is_nan_and_its_sum_0(name: str) -> None:
    x = pa.empty((0, 3), "float32")
    extra = LOSSES[name]

    assert pa.ops[name](x, x, NONE, *extra).shape == (0, 3)
    assert np.isnan(pa.ops[name](x, x, MEAN, *extra).numpy())
    assert pa.ops[name](x, x, SUM, *extra).numpy() == 0


@every_loss
def test_a_mean_is_one_number(name: str) -> None:
    x, out = pa.ones((2, 3), "float32"), pa.empty((2,), "float32")

    assert code(name, x, x, MEAN, *LOSSES[name], out=out) == INVALID


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "smooth_l1_loss"])
@pytest.mark.parametrize("reduction", [-1, 3])
def test_other_reductions_are_refused(name: str, reduction: int) -> None:
    x, out = pa.ones((2, 3), "float32"), pa.empty((), "float32")

    assert code(name, x, x, reduction, *LOSSES[name], out=out) == INVALID


def test_integers_have_an_l1_loss_but_no_mean() -> None:
    a, b = pa.asarray(np.array([1, -5])), pa.asarray(np.array([4, -1]))

    assert pa.ops.l1_loss(a, b, NONE).numpy().tolist() == [3, 4]
    assert pa.ops.l1_loss(a, b, SUM).numpy() == 7
    assert code("l1_loss", a, b, MEAN, out=pa.empty((), "int64")) == INVALID


def test_a_negative_beta_is_refused() -> None:
    x = pa.ones((2,), "float32")

    assert code("smooth_l1_loss", x, x, MEAN, -1.0) == INVALID


def test_the_divergence_from_nothing_is_nan() -> None:
    # Document of KlDiv: a target that is no logarithm must be positive.
    x, target = pa.ones((3,), "float32"), pa.asarray(np.array([0, -1, 1], "float32"))

    np.testing.assert_equal(pa.ops.kl_div(x, target, NONE, False).numpy(), [np.nan, np.nan, -1])


def test_the_mean_of_a_batch_is_the_sum_divided_by_its_size() -> None:
    x, target = pa.zeros((2, 3), "float32"), pa.full((2, 3), 2.0, "float32")

    result = pa.ops.kl_div(x, target, BATCH_MEAN, False, out=pa.empty((1,), "float32"))

    np.testing.assert_allclose(result.numpy(), [6 * 2 * np.log(2) / 2], rtol=1e-6)


def test_right_certainties_cost_nothing() -> None:
    p = pa.asarray(np.array([0, 1, 0], "float32"))
    target = pa.asarray(np.array([0, 1, 1], "float32"))

    assert pa.ops.binary_cross_entropy(p, target, None, NONE).numpy().tolist() == [0, 0, 100]


def test_large_logits_do_not_overflow() -> None:
    x, target = pa.asarray(np.array([500, -500], "float32")), pa.zeros((2,), "float32")

    result = pa.ops.binary_cross_entropy_with_logits(x, target, None, None, NONE)

    assert result.numpy().tolist() == [500, 0]


def test_weights_of_another_type_are_refused() -> None:
    x, w = pa.full((3,), 0.5, "float32"), pa.ones((3,), "float16")

    assert code("binary_cross_entropy", x, x, w, MEAN) == INVALID


@pytest.mark.parametrize("size", [0, 3])
def test_targets_and_outputs_of_another_type_are_refused_inside(size: int) -> None:
    x, other = pa.full((size,), 0.5, "float32"), pa.full((size,), 0.5, "float16")

    assert code("binary_cross_entropy", x, x, None, NONE, out=other) == INNER_NULL
    # What is empty needs no kernel.
    assert code("binary_cross_entropy", x, other, None, NONE, out=x) == (INNER_NULL if size else 0)


def test_a_mean_over_the_first_dimension_keeps_the_others() -> None:
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((2, 3), np.float32)

    result = pa.ops.mse_loss_out(pa.asarray(a), pa.asarray(b), MEAN)

    np.testing.assert_allclose(result.numpy(), ((a - b) ** 2).mean(axis=0))


def test_a_million_terms_are_added_in_double() -> None:
    x, y = pa.full((1 << 20,), 0.1, "float32"), pa.zeros((1 << 20,), "float32")

    exact = float(np.float32(0.1)) ** 2 * (1 << 20)

    assert float(pa.ops.mse_loss(x, y, SUM).numpy()) == pytest.approx(exact, rel=2e-7)


def test_a_loss_of_nothing_fills_an_output_of_any_shape() -> None:
    nothing = pa.ones((0, 5))
    for reduction, expected in ((0, 0.0), (1, np.nan), (2, 0.0)):
        out = pa.ones((3,))
        pa.ops.binary_cross_entropy(nothing, nothing, None, reduction, out=out)
        np.testing.assert_equal(out.numpy(), np.full(3, expected, np.float32))
