"""Recurrent networks: what they refuse, and gradients beside derivatives and PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.suites.networks import Net
from pyaclnn.tensor.formats import with_format

Array = np.ndarray[Any, Any]

_LAYER = [ones(8, 3), ones(8, 2), ones(8), ones(8)]
_KEPT = ("i_out", "j_out", "f_out", "o_out", "h_out", "c_out", "tanh_c_out")
_FORWARD: dict[str, Any] = {
    "input": ones(4, 2, 3), "params": _LAYER, "hx": [ones(1, 2, 2), ones(1, 2, 2)],
    "has_bias": True, "num_layers": 1, "dropout": 0.0, "train": True, "bidirectional": False,
    "batch_first": False, "output": ones(4, 2, 2), "hy": ones(1, 2, 2), "cy": ones(1, 2, 2),
    **{name: [ones(4, 2, 2)] for name in _KEPT},
}  # fmt: skip
_GRU_LAYER = [ones(6, 3), ones(6, 2), ones(6), ones(6)]
_GATES = ("i", "g", "f", "o", "h", "c", "tanhc")
RIGHT: dict[str, dict[str, Any]] = {
    "lstm": _FORWARD,
    "gru": {
        "input": ones(4, 2, 3), "params": _GRU_LAYER, "hx": ones(1, 2, 2), "has_bias": True,
        "num_layers": 1, "dropout": 0.0, "train": True, "bidirection": False, "batch_first": False,
        "output": ones(4, 2, 2), "hy": ones(1, 2, 2),
        **{name: [ones(4, 2, 2)] for name in ("r_out", "z_out", "n_out", "hn_out", "h_out")},
    },
    "lstm_backward": {
        "input": ones(4, 2, 3), "hx": _FORWARD["hx"], "params": _LAYER, "dy": ones(4, 2, 2),
        "dh": ones(1, 2, 2), "dc": ones(1, 2, 2), **{name: [ones(4, 2, 2)] for name in _GATES},
        "batch_sizes_optional": None, "has_bias": True, "num_layers": 1, "dropout": 0.0,
        "train": True, "bidirectional": False, "batch_first": False, "output_mask": None,
        "dx_out": ones(4, 2, 3), "dh_prev_out": ones(1, 2, 2), "dc_prev_out": ones(1, 2, 2),
        "dparams_out": [ones(*p.shape) for p in _LAYER],
    },
    "gru_backward": {
        "input": ones(4, 2, 3), "params": _GRU_LAYER, "hx": ones(1, 2, 2), "dy": ones(4, 2, 2),
        "dh": ones(1, 2, 2), **{name: [ones(4, 2, 2)] for name in ("r", "z", "n", "hn", "h")},
        "batch_sizes": None, "has_bias": True, "num_layers": 1, "bidirection": False,
        "batch_first": False, "dx_out": ones(4, 2, 3), "dh_prev_out": ones(1, 2, 2),
        "dparams_out": [ones(*p.shape) for p in _GRU_LAYER],
    },
    "thnn_fused_lstm_cell": {
        "input_gates": ones(3, 8), "hidden_gates": ones(3, 8), "cx": ones(3, 2),
        "input_bias_optional": ones(8), "hidden_bias_optional": ones(8), "hy_out": ones(3, 2),
        "cy_out": ones(3, 2), "storage_out": ones(3, 8),
    },
    "thnn_fused_lstm_cell_backward": {
        "grad_hy_optional": ones(3, 2), "grad_c_optional": ones(3, 2), "cx": ones(3, 2),
        "cy": ones(3, 2), "storage": ones(3, 8), "has_bias": True, "grad_gates_out": ones(3, 8),
        "grad_cx_out": ones(3, 2), "grad_bias_out": ones(8),
    },
}  # fmt: skip
_NONE = pa.empty((0, 2, 3), "float32")
_HALF = ones(4, 2, 3, dtype="float16")
_COUNTS = device([2, 2, 1, 1], "int64")
_LAYERS: tuple[tuple[str, Any, int], ...] = (
    ("num_layers", 2, INVALID), ("num_layers", 2**62, INVALID), ("num_layers", -1, INVALID),
    ("has_bias", False, INVALID), ("batch_first", True, INVALID), ("input", _HALF, INVALID),
    ("input", ones(8, 3), INVALID), ("params", [None, *_LAYER[1:]], NULL),
    ("output", ones(4, 2, 3), INVALID), ("h_out", [ones(4, 2, 3)], INVALID),
    ("train", False, 0), ("dropout", 0.5, 0), ("hx", None, 0),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "lstm": (
        *_LAYERS, ("input", _NONE, 0), ("hx", [ones(1, 2, 2)], INVALID),
        ("bidirectional", True, INVALID), ("batch_sizes", _COUNTS, INVALID), ("i_out", [], INVALID),
    ),
    "gru": (
        *_LAYERS, ("input", _NONE, INVALID), ("hx", ones(2, 2, 2), INVALID),
        ("bidirection", True, INVALID), ("batch_sizes", _COUNTS, INVALID),
    ),
    # CANN answers lists of the wrong length as null ones.
    "lstm_backward": (
        ("input", None, NULL), ("num_layers", 2, NULL), ("num_layers", 2**62, NULL),
        ("num_layers", -1, NULL), ("has_bias", False, NULL), ("i", [], NULL),
        ("i", [ones(4, 2, 3)], INVALID), ("tanhc", [ones(4, 2, 2, dtype="float16")], INVALID),
        ("dy", ones(4, 2, 3), INVALID), ("input", _HALF, INVALID), ("dy", None, 0),
        ("dh", None, 0), ("dc", None, 0), ("dx_out", ones(4, 2, 2), INVALID),
        ("input", with_format(ones(4, 2, 3), "ND"), INVALID), ("hx", [ones(1, 2, 2)], NULL),
        ("batch_sizes_optional", _COUNTS, INVALID),
    ),
    "gru_backward": (
        ("dy", None, NULL), ("num_layers", 2, INVALID), ("num_layers", 2**62, INVALID),
        ("num_layers", 0, INVALID), ("r", [None], INVALID), ("r", [], INVALID),
        ("batch_sizes", _COUNTS, INVALID), ("input", _NONE, INVALID), ("n", [_HALF], INVALID),
        ("input", with_format(ones(4, 2, 3), "ND"), 0), ("params", _GRU_LAYER[:2], INVALID),
    ),
    "thnn_fused_lstm_cell": (
        ("input_bias_optional", None, NULL), ("hidden_bias_optional", None, NULL),
        ("cx", None, NULL), ("cx", ones(3, 3), INVALID),
        ("input_gates", pa.empty((0, 8), "float32"), 0),
        ("hidden_gates", ones(3, 8, dtype="float16"), INVALID), ("hy_out", ones(2, 2), INVALID),
    ),
    "thnn_fused_lstm_cell_backward": (
        ("grad_hy_optional", None, NULL), ("grad_c_optional", None, NULL),
        ("storage", ones(3, 9), INVALID), ("has_bias", False, 0),
        ("grad_bias_out", ones(9), INVALID), ("cy", ones(3, 2, dtype="float16"), INVALID),
        ("cx", with_format(ones(3, 2), "NHWC"), INVALID),
    ),
}  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_answered_as_by_cann = status_tests(RIGHT, WRONG)

_NETS = (
    Net("lstm", 3, 2, 3, 2, layers=2, both=True),
    Net("lstm", 4, 3, 2, 2, both=True, counts=(3, 2, 2, 1)),
    Net("gru", 3, 2, 3, 2, layers=2, both=True),
)


def _gradient(scalar: Callable[..., Any], given: list[Array]) -> list[Array]:
    """Return derivatives by each number, by a step along the imaginary axis, which is exact."""
    result = []
    for place, array in enumerate(given):
        grad = np.zeros(array.shape)
        for at in np.ndindex(array.shape):
            moved = [a.astype(complex) for a in given]
            moved[place][at] += 1e-30j
            grad[at] = scalar(moved).imag / 1e-30
        result.append(grad)
    return result


@pytest.mark.parametrize("net", _NETS, ids=lambda net: f"{net.kind} {net.counts}")
def test_the_gradients_are_derivatives_of_the_network(net: Net) -> None:
    rng = np.random.default_rng(7)
    state = (net.layers * net.ways, net.batch, net.hidden)
    x = rng.normal(0, 1, (net.steps, net.batch, net.inputs))
    h0, c0, dh, dc = (rng.normal(0, 1, state) for _ in range(4))
    dy = rng.normal(0, 1, (net.steps, net.batch, net.ways * net.hidden))
    parameters = [rng.normal(0, 0.5, p.shape) for p in net.parameters(np.dtype("f8"), rng)]
    lstm = net.kind == "lstm"

    def scalar(given: list[Array]) -> Any:
        y, h, c, _ = net.run(given[0], given[3:], given[1], given[2])
        return (y * dy).sum() + (h * dh).sum() + ((c * dc).sum() if lstm else 0)

    wanted = _gradient(scalar, [x, h0, c0, *parameters])
    f32 = [device(p) for p in parameters]
    rows = (lambda a: device(a.reshape(-1, a.shape[-1]))) if net.counts else device
    flags = (net.bias, net.layers, 0.0, True, net.both, False)
    if lstm:
        counts = device(net.counts, "int64") if net.counts else None
        hx = [device(h0), device(c0)]
        _, _, _, *kept = pa.ops.lstm(rows(x), f32, hx, counts, *flags)
        dx, dh0, dc0, grads = pa.ops.lstm_backward(
            rows(x), hx, f32, rows(dy), device(dh), device(dc), *kept, counts, *flags, None
        )
        first = [dh0.numpy(), dc0.numpy()]
    else:
        _, _, *kept = pa.ops.gru(device(x), f32, device(h0), None, *flags)
        dx, dh0, grads = pa.ops.gru_backward(
            device(x), f32, device(h0), device(dy), device(dh), *kept, None, net.bias, net.layers,
            net.both, False,
        )  # fmt: skip
        first = [dh0.numpy(), wanted[2]]

    seen = [dx.numpy().reshape(x.shape), *first, *(g.numpy() for g in grads)]
    for one, other in zip(seen, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_a_network_is_that_of_pytorch(kind: str) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    module = {"lstm": torch.nn.LSTM, "gru": torch.nn.GRU}[kind](5, 4, 2, bidirectional=True)
    x, h0, c0 = torch.randn(6, 3, 5), torch.randn(4, 3, 4), torch.randn(4, 3, 4)
    wanted, state = module(x, (h0, c0) if kind == "lstm" else h0)
    given = [device(p.detach().numpy()) for p in module.parameters()]
    first = [device(t.numpy()) for t in (h0, c0)]

    y, h, *_ = pa.ops[kind](
        device(x.numpy()), given, first if kind == "lstm" else first[0], None, True, 2, 0.0, False,
        True, False,
    )  # fmt: skip

    np.testing.assert_allclose(y.numpy(), wanted.detach().numpy(), rtol=1e-4, atol=1e-6)
    last = (state[0] if kind == "lstm" else state).detach().numpy()
    np.testing.assert_allclose(h.numpy(), last, rtol=1e-4, atol=1e-6)
