"""Modes by name."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa


@pytest.fixture
def t() -> pa.Tensor:
    return pa.asarray(np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4))


@pytest.mark.parametrize(("name", "number"), [("none", 0), ("mean", 1), ("sum", 2)])
def test_a_reduction_may_be_given_by_its_name(t: pa.Tensor, name: str, number: int) -> None:
    by_name = pa.ops.mse_loss_backward(t, t, pa.zeros_like(t), name)
    by_number = pa.ops.mse_loss_backward(t, t, pa.zeros_like(t), number)

    np.testing.assert_array_equal(by_name.numpy(), by_number.numpy())


def test_an_unknown_name_is_refused_with_those_there_are(t: pa.Tensor) -> None:
    with pytest.raises(ValueError, match=r"argument reduction: 'max' is none of none, mean, sum"):
        pa.ops.mse_loss_backward(t, t, t, "max")


def test_a_number_cann_does_not_know_is_cann_s_to_refuse(t: pa.Tensor) -> None:
    with pytest.raises(pa.AclParameterError):
        pa.ops.mse_loss_backward(t, t, t, 7)


def test_the_shape_of_an_output_follows_from_the_name_in_every_call(t: pa.Tensor) -> None:
    # The first call is the general one, later ones are compiled.
    shapes = [[pa.ops.mse_loss(t, t, name).shape for name in ("none", "mean")] for _ in range(3)]

    assert shapes == [[(3, 4), ()]] * 3
