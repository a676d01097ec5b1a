"""Steps of optimisers refuse what their sources refuse, and with what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code
from operators.fullest import fullest

import pyaclnn as pa
from pyaclnn.selftest.suites.optimiser import Adam, adamw


def _of_rank(rank: int) -> dict[str, Any]:
    """One parameter of so many dimensions, and what goes with it."""
    names = ("params_ref", "grads_ref", "momentum_buffer_list_optional_ref")
    return {name: [pa.ones((1,) * rank)] for name in names}


#: Operator -> what is changed in a right call, and the status.
Cases = dict[str, tuple[Callable[[], dict[str, Any]], int]]
REFUSED: dict[str, Cases] = {
    "apply_adam_w_v2": {
        "amsgrad without a maximum": (
            lambda: {"amsgrad": True, "max_grad_norm_optional_ref": None}, NULL),
        "no step": (lambda: {"step": None}, NULL),
        "a type that is not listed": (lambda: {"m_ref": pa.ones((2, 3), "int32")}, INVALID),
        "a step of another type": (lambda: {"step": pa.ones((1,), "int32")}, INVALID),
        "two steps": (lambda: {"step": pa.ones((2,))}, INVALID),
        "another shape": (lambda: {"grad": pa.ones((2, 3, 4, 5))}, INVALID),
        "another shape of the maximum": (
            lambda: {"max_grad_norm_optional_ref": pa.ones((2, 3, 4, 5))}, INVALID),
    },
    "apply_adam_w_quant": {
        "no table": (lambda: {"qmap_m": None}, NULL),
        "moments in float32": (lambda: {"m_ref": pa.ones((256,))}, INVALID),
        "a gradient of another type": (lambda: {"grad": pa.ones((256,), "float16")}, INVALID),
        "another shape": (lambda: {"v_ref": pa.ones((9, 256), "uint8")}, TILING),
        "a short table": (lambda: {"qmap_m": pa.ones((255,))}, TILING),
        "two steps": (lambda: {"step": pa.ones((2,), "int64")}, TILING),
        "another size of blocks": (lambda: {"block_size": 128}, TILING),
        "a scale too many": (lambda: {"absmax_m_ref": pa.ones((99,))}, NO_KERNEL),
    },
    "apply_fused_ema_adam": {
        "null": (lambda: {"s_ref": None}, NULL),
        "several types": (lambda: {"m_ref": pa.ones((2, 3), "float16")}, INVALID),
        "a step in float32": (lambda: {"step": pa.ones((1,))}, INVALID),
        "several steps, as CANN's sample has": (lambda: {"step": pa.ones((2, 2), "int64")}, 0),
        "no step": (lambda: {"step": pa.ones((0,), "int64")}, TILING),
        "another shape": (lambda: {"v_ref": pa.ones((2, 3, 4, 5))}, TILING),
    },
    "fused_adamw": {
        "a negative rate before null": (lambda: {"lr": -1.0, "grads": None}, INVALID),
        "null": (lambda: {"exp_avgs_ref": None}, NULL),
        "no tensor": (lambda: {"params_ref": []}, INVALID),
        "one gradient too many": (lambda: {"grads": [pa.ones((1,)) for _ in range(40)]}, INVALID),
        "amsgrad without a maximum": (
            lambda: {"amsgrad": True, "max_exp_avg_sqs_ref": None}, INVALID),
        "one step for all": (lambda: {"state_steps": [pa.ones((1,))]}, INVALID),
    },
    "amp_update_scale": {
        "null": (lambda: {"found_inf": None}, NULL),
        "several types": (lambda: {"found_inf": pa.ones((1,), "float16")}, INVALID),
        "a tracker in int64": (lambda: {"growth_tracker": pa.ones((1,), "int64")}, INVALID),
        "two scales": (lambda: {"current_scale": pa.ones((2,))}, TILING),
        "no interval": (lambda: {"growth_interval": 0}, TILING),
    },
    "fused_sgd": {
        "a negative decay": (lambda: {"weight_decay": -0.5}, INVALID),
        "momentum without buffers": (
            lambda: {"momentum_buffer_list_optional_ref": None, "momentum": 0.9}, INVALID),
        "buffers without momentum": (lambda: {"momentum": 0.0}, INVALID),
        "nesterov with dampening": (lambda: {"nesterov": True, "dampening": 0.5}, INVALID),
        "null": (lambda: {"grads_ref": None}, NULL),
        "no tensor": (lambda: {"params_ref": [], "momentum": 0.9}, INVALID),
        "a complex scale": (
            lambda: {"grad_scale_optional": pa.ones((1,), "complex64")}, NO_KERNEL),
        "one gradient": (lambda: {"grads_ref": [pa.ones((1,))]}, INVALID),
        "eight dimensions": (lambda: _of_rank(8), 0),
        "nine dimensions": (lambda: _of_rank(9), INVALID),
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [(name, *case) for name, cases in REFUSED.items() for case in cases.values()],
    ids=[f"{name}: {case}" for name, cases in REFUSED.items() for case in cases],
)
def test_what_does_not_fit_is_refused(
    name: str, changed: Callable[[], dict[str, Any]], expected: int
) -> None:
    assert fullest(name).code({}) == 0
    assert fullest(name).code(changed()) == expected


def test_what_only_the_950_has_is_refused() -> None:
    x = pa.ones((2, 3))
    one = [pa.ones((1,)) for _ in range(7)]

    assert code("apply_adam_w", x, x, x, *one, x, None, False, False) == NO_KERNEL
    assert code("apply_adam", x, x, x, *one[:6], x, False, False) == NO_KERNEL


def test_steps_follow_one_another_and_keep_no_state() -> None:
    # The sum of squares: each step uses what the one before has written.
    attributes = Adam(lr=0.1, decay=0.0)
    start = np.linspace(-2, 3, 12, dtype=np.float32).reshape(3, 4)
    var, m, v = pa.asarray(start), pa.zeros((3, 4)), pa.zeros((3, 4))
    exact, moments = start.astype(np.float64), (np.zeros((3, 4)), np.zeros((3, 4)))
    plain = (attributes.lr, attributes.beta1, attributes.beta2, 0.0, attributes.eps, False, False)

    for step in range(20):
        gradient = pa.asarray(2 * var.numpy())
        pa.ops.apply_adam_w_v2(
            var, m, v, None, gradient, pa.asarray(np.array([step], np.int64)), *plain
        )
        exact, *moments, _ = adamw(attributes, step + 1, exact, *moments, None, 2 * exact)

    np.testing.assert_allclose(var.numpy(), exact, rtol=1e-4, atol=1e-5)
    assert np.abs(var.numpy()).sum() < np.abs(start).sum()
