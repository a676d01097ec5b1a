"""Right calls of every activation's gradient, for tests that change one argument of them."""

from __future__ import annotations

from typing import Any

from operators import calls
from operators.calls import ones

import pyaclnn as pa

#: Operator -> input name -> value, in the operator's order; tensors are (3, 4) float32 of ones.
RIGHT: dict[str, dict[str, Any]] = {
    "elu_backward": {
        "grad_output": "T", "alpha": 1.0, "scale": 1.0, "input_scale": 1.0, "is_result": False,
        "self_or_result": "T",
    },
    "fast_gelu_backward": {"grad_output": "T", "self": "T"},
    "ge_glu_backward": {
        "grad_output": "T", "self": "W", "gelu": "T", "dim": -1, "approximate": 1,
    },
    "ge_glu_v3_backward": {
        "grad_output": "T", "self": "W", "gelu": "T", "dim": -1, "approximate": 0,
        "activate_left": True,
    },
    "gelu_backward": {"grad_output": "T", "self": "T"},
    "gelu_backward_v2": {"grad_output": "T", "self": "T", "approximate": "none"},
    "glu_backward": {"grad_out": "T", "self": "W", "dim": -1},
    "hardshrink_backward": {"grad_output": "T", "self": "T", "lambd": 0.5},
    "hardsigmoid_backward": {"grad_output": "T", "self": "T"},
    "hardswish_backward_v2": {"grad_output": "T", "self": "T"},
    "hardtanh_backward": {"grad_output": "T", "self": "T", "min": -1.0, "max": 1.0},
    "leaky_relu_backward": {
        "grad_output": "T", "self": "T", "negative_slope": 0.01, "self_is_result": False,
    },
    "log_sigmoid_backward": {"grad_output": "T", "self": "T", "buffer": "T"},
    "logit_grad": {"x": "T", "dy": "T", "eps": -1.0},
    "mish_backward": {"grad_output": "T", "self": "T"},
    "sigmoid_backward": {"grad_output": "T", "output": "T"},
    "silu_backward": {"grad_output": "T", "self": "T"},
    "softplus_backward": {"grad_output": "T", "self": "T", "beta": 1.0, "threshold": 20.0},
    "swi_glu_grad": {"y_grad": "T", "x": "W", "dim": -1},
    "swish_backward": {"grad_output": "T", "self": "T", "beta_optional": 1.0},
    "tanh_backward": {"grad_output": "T", "output": "T"},
    "log_softmax_backward": {"grad_output": "T", "output": "T", "dim": -1},
}  # fmt: skip

#: Operators whose input is twice as wide as the gradient, and their output too.
HALVED = ("ge_glu_backward", "ge_glu_v3_backward", "glu_backward", "swi_glu_grad")
#: Operators that broadcast their two tensors.
BROADCAST = (
    "gelu_backward", "gelu_backward_v2", "hardshrink_backward", "leaky_relu_backward",
    "mish_backward", "sigmoid_backward", "tanh_backward",
)  # fmt: skip
#: A number that may be left out.
OPTIONAL = ("beta_optional",)


def arguments(name: str) -> dict[str, Any]:
    """Return the right arguments of an operator."""
    made = {"T": lambda: ones(3, 4), "W": lambda: ones(3, 8)}
    return {k: made[v]() if v in made else v for k, v in RIGHT[name].items()}


def output(name: str) -> pa.Tensor:
    """Return a fitting output."""
    return ones(3, 8) if name in HALVED else ones(3, 4)


def code(name: str, inputs: dict[str, Any], out: Any) -> int:
    """Return the status an operator refuses with; 0 if it does not."""
    return calls.code(name, *inputs.values(), out=out)


def tensors_of(name: str) -> list[str]:
    """Return the names of an operator's tensors."""
    return [k for k, v in RIGHT[name].items() if v in ("T", "W")]
