"""vllm-ascend's quantised layers, unchanged, beside the same layers in float64.

Weights are quantised here, as a checkpoint has them; the layer's class prepares them for the chip
and computes. The float64 layer has the weights that the quantised ones stand for, and inputs that
are not quantised, so that the two are as far apart as the inputs' quantisation makes them.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

#: Parts are by chip: Atlas A2, then Ascend950.
A5 = os.environ.get("PYACLNN_PART", "0/2").startswith("1/")
if A5:
    os.environ["PYACLNN_SIM_SOC"] = "Ascend950"
sys.path.insert(0, os.environ["PYACLNN_SOURCES"])

import stand_in_vllm  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

stand_in_vllm.install("A5" if A5 else "A2")

from vllm_ascend import ascend_config  # noqa: E402
from vllm_ascend.distributed import parallel_state  # noqa: E402
from vllm_ascend.ops import register_custom_ops  # noqa: E402, F401
from vllm_ascend.ops.fused_moe.moe_comm_method import AllGatherCommImpl  # noqa: E402
from vllm_ascend.quantization import methods  # noqa: E402, F401
from vllm_ascend.quantization.methods.registry import get_scheme_class  # noqa: E402

ROWS, INPUTS, OUTPUTS, EXPERTS, TOP = 6, 256, 128, 4, 2
#: Of float4 e2m1, by its bits.
FP4 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6]).double()
Loaded = tuple[dict[str, torch.Tensor], torch.Tensor]


class _Anything:
    """A configuration in which nothing is switched on."""

    weight_nz_mode = 1
    enable_fused_mc2 = 0
    eplb_config = types.SimpleNamespace(dynamic_eplb=False)
    ascend_fusion_config = types.SimpleNamespace(fusion_ops_gmmswigluquant=A5)
    vllm_config = stand_in_vllm.State.config

    def __getattr__(self, name: str) -> Any:
        return None


ascend_config._ASCEND_CONFIG = _Anything()
ascend_config._is_ascend_config_initialized = lambda config: True
parallel_state._MC2 = types.SimpleNamespace()  # of one process


def _draw(*shape: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64) / shape[-1] ** 0.5


def _by_channel(weight: torch.Tensor, most: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return integers up to ``most``, and one scale for each row, exact in bfloat16."""
    scale = (weight.abs().amax(-1, keepdim=True) / most).bfloat16().double()
    return (weight / scale).round().clamp(-most, most), scale


def _by_group(weight: torch.Tensor, most: float, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what is up to ``most`` in groups of the last axis, and their powers of 2."""
    groups = weight.unflatten(-1, (-1, size))
    power = (groups.abs().amax(-1) / most).log2().ceil()
    return (groups / power.exp2()[..., None]).flatten(-2), power


def int8(weight: torch.Tensor, prefix: str = "") -> Loaded:
    """Return what a checkpoint has of a weight of int8, with one scale for each row."""
    whole, scale = _by_channel(weight, 127)
    named = {"weight": whole.to(torch.int8), "weight_scale": scale, "weight_offset": 0 * scale}
    return {prefix + n: v for n, v in named.items()}, whole * scale


def static(weight: torch.Tensor) -> Loaded:
    """Return it with a scale of the inputs, which is a power of 2."""
    named, restored = int8(weight)
    step = torch.tensor([2.0**-7], dtype=torch.float64)
    whole, scale = named["weight"].double(), named["weight_scale"]
    offset = torch.tensor([3], dtype=torch.int8)
    bias = (-(whole.sum(-1)) * 3).to(torch.int32)  # what the offset adds is taken away
    named |= {"input_scale": step, "input_offset": offset, "quant_bias": bias}
    return {**named, "deq_scale": (scale[:, 0] * step)}, restored


def int4(weight: torch.Tensor) -> Loaded:
    """Return a weight of int4, a number in a byte."""
    whole, scale = _by_channel(weight, 7)
    named = {"weight": whole.to(torch.int8), "weight_scale": scale, "weight_offset": 0 * scale}
    return named, whole * scale


def packed_int4(weight: torch.Tensor, prefix: str = "") -> Loaded:
    """Return a weight of int4 as LLM-Compressor packs it: 8 in an int32, 8 added to each."""
    groups = weight.unflatten(-1, (-1, 32))
    scale = (groups.abs().amax(-1) / 7).bfloat16().double()
    whole = (groups / scale[..., None]).round().clamp(-7, 7)
    bits = (whole.flatten(-2).long() + 8).unflatten(-1, (-1, 8)) << torch.arange(0, 32, 4)
    named = {"weight_packed": bits.sum(-1).to(torch.int32), "weight_scale": scale}
    named["weight_offset"] = 0 * scale
    return {prefix + n: v for n, v in named.items()}, (whole * scale[..., None]).flatten(-2)


def fp8(weight: torch.Tensor, prefix: str = "") -> Loaded:
    """Return a weight of float8 e4m3fn, with one scale for each row."""
    scale = (weight.abs().amax(-1, keepdim=True) / 448).float().double()
    small = (weight / scale).to(torch.float8_e4m3fn)
    named = {"weight": small, "weight_scale": scale, "weight_offset": 0 * scale}
    return {prefix + n: v for n, v in named.items()}, small.double() * scale


def mx_fp8(weight: torch.Tensor, prefix: str = "") -> Loaded:
    """Return a weight of float8 e4m3fn with a power of 2 for each 32 numbers."""
    small, power = _by_group(weight, 448, 32)
    small = small.to(torch.float8_e4m3fn)
    named = {"weight": small, "weight_scale": (power + 127).to(torch.uint8)}
    restored = small.double() * power.exp2().repeat_interleave(32, -1)
    return {prefix + n: v for n, v in named.items()}, restored


def mx_fp4(weight: torch.Tensor, prefix: str = "") -> Loaded:
    """Return a weight of float4 e2m1, 2 in a byte, with a power of 2 for each 32 numbers."""
    small, power = _by_group(weight, 6, 32)
    bits = (small[..., None] - FP4).abs().argmin(-1)
    packed = (bits[..., 0::2] | bits[..., 1::2] << 4).to(torch.uint8)
    named = {"weight": packed, "weight_scale": (power + 127).to(torch.uint8)}
    restored = FP4[bits] * power.exp2().repeat_interleave(32, -1)
    return {prefix + n: v for n, v in named.items()}, restored


def _layer(parameters: dict[str, Any], loaded: dict[str, torch.Tensor]) -> nn.Module:
    """Return a layer whose parameters are those that the method asks for, loaded."""
    layer = nn.Module()
    for name, parameter in parameters.items():
        if isinstance(parameter, torch.Tensor):
            value = loaded[name].reshape(parameter.shape).to(parameter.dtype) if (
                name in loaded
            ) else torch.zeros_like(parameter)  # fmt: skip
            made = nn.Parameter(value.npu(), requires_grad=False)
            layer.register_parameter(name, made)
    return layer


def _apart(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return how far results are apart, relative to the expected ones' length."""
    return float((got.cpu().double() - expected).norm() / expected.norm())


#: Scheme -> the chip, how weights are loaded, the bias, how far inputs' quantisation may lead.
LINEAR: dict[str, tuple[str, Callable[[torch.Tensor], Loaded], bool, float]] = {
    "W8A8": ("A2", static, False, 0.02),
    "W8A8_DYNAMIC": ("A2", int8, True, 0.02),
    "W8A8_MIX": ("A2", static, False, 0.02),
    "W8A16": ("A2", int8, False, 0.005),  # CANN takes no bias of bfloat16 here
    "W4A4_DYNAMIC": ("A2", int4, True, 0.2),
    "W8A8FP8_DYNAMIC": ("A5", fp8, True, 0.05),
    "W8A8_MXFP8": ("A5", mx_fp8, True, 0.05),
    "W4A8_MXFP": ("A5", mx_fp4, False, 0.05),
    "W4A4_MXFP4": ("A5", mx_fp4, True, 0.25),
}


@pytest.mark.parametrize("scheme", [s for s, v in LINEAR.items() if (v[0] == "A5") == A5])
def test_linear(scheme: str) -> None:
    """A linear layer."""
    _, quantise, biased, within = LINEAR[scheme]
    stand_in_vllm.State.config = stand_in_vllm.config(group_size=32)
    stand_in_vllm.State.config.kv_transfer_config = None
    method = get_scheme_class(scheme, "linear")()
    parameters = {
        **method.get_weight(INPUTS, OUTPUTS, torch.bfloat16),
        **method.get_pertensor_param(torch.bfloat16),
        **method.get_perchannel_param(OUTPUTS, torch.bfloat16),
        **method.get_pergroup_param(INPUTS, OUTPUTS, torch.bfloat16),
    }
    loaded, weight = quantise(_draw(OUTPUTS, INPUTS, seed=1))
    layer = _layer(parameters, loaded)
    layer.params_dtype = torch.bfloat16
    method.process_weights_after_loading(layer)
    x = (_draw(ROWS, INPUTS, seed=2) * 4).bfloat16()
    bias = _draw(OUTPUTS, seed=3).bfloat16() if biased else None
    got = method.apply(layer, x.npu(), None if bias is None else bias.npu())
    assert got.dtype == torch.bfloat16
    expected = x.double() @ weight.T + (0 if bias is None else bias.double())
    assert _apart(got, expected) < within


#: Scheme -> the chip, how weights are loaded, how a checkpoint describes them, and how far.
EXPERT: dict[str, tuple[str, Callable[..., Loaded], dict[str, object], float]] = {
    "W8A8_DYNAMIC": ("A2", int8, {}, 0.02),
    "W4A16": ("A2", packed_int4, {"group_size": 32}, 0.01),
    "W4A8_DYNAMIC": ("A2", int4, {"ascend_quant_method": "compressed-tensors"}, 0.03),
    "W8A8FP8_DYNAMIC": ("A5", fp8, {}, 0.06),
    "W8A8_MXFP8": ("A5", mx_fp8, {}, 0.06),
    "W4A8_MXFP": ("A5", mx_fp4, {"group_size": 32}, 0.06),
    "W4A16_MXFP4": ("A5", mx_fp4, {"group_size": 32}, 0.01),
    "W4A4_MXFP4": ("A5", mx_fp4, {"group_size": 32}, 0.3),
}


def _experts(x: torch.Tensor, w13: torch.Tensor, w2: torch.Tensor, weights: torch.Tensor,
             ids: torch.Tensor) -> torch.Tensor:  # fmt: skip
    """Return the sum of a row's experts, in float64."""
    out = torch.zeros_like(x)
    for row, (chosen, shares) in enumerate(zip(ids, weights, strict=True)):
        for expert, share in zip(chosen, shares, strict=True):
            gate, up = (w13[expert] @ x[row]).chunk(2)
            out[row] += share * (w2[expert] @ (nn.functional.silu(gate) * up))
    return out


@pytest.mark.parametrize("scheme", [s for s, v in EXPERT.items() if (v[0] == "A5") == A5])
def test_experts(scheme: str) -> None:
    """A mixture of experts, on one device."""
    _, quantise, described, within = EXPERT[scheme]
    stand_in_vllm.State.config = stand_in_vllm.config(**described)
    method = get_scheme_class(scheme, "moe")()
    sizes = EXPERTS, OUTPUTS, INPUTS, torch.bfloat16
    parameters = {**method.get_weight(*sizes), **method.get_dynamic_quant_param(*sizes)}
    first, w13 = quantise(_draw(EXPERTS, 2 * OUTPUTS, INPUTS, seed=4))
    second, w2 = quantise(_draw(EXPERTS, INPUTS, OUTPUTS, seed=5))
    loaded = {f"w13_{n}": v for n, v in first.items()} | {f"w2_{n}": v for n, v in second.items()}
    layer = _layer(parameters, loaded)
    method.process_weights_after_loading(layer)
    layer.activation = stand_in_vllm.MoEActivation.SILU
    layer.global_redundant_expert_num = 0
    layer.apply_router_weight_on_input = False
    layer.ascend_expert_map = layer.ascend_mc2_mask = layer.ascend_pertoken_scale = None

    space = types.SimpleNamespace
    moe = space(experts_per_token=TOP, num_experts=EXPERTS, num_local_experts=EXPERTS,
                activation=layer.activation, tp_size=1, dp_size=1, ep_size=1)  # fmt: skip
    stand_in_vllm.State.forward = space(moe_comm_method=AllGatherCommImpl(moe))
    x = (_draw(ROWS, INPUTS, seed=6) * 4).bfloat16()
    chosen = _draw(ROWS, EXPERTS, seed=7).softmax(-1).topk(TOP)
    shares = chosen.values.bfloat16()
    got = method.apply(
        layer, x.npu(), shares.npu(), chosen.indices.to(torch.int32).npu(), None, None
    ).routed_out
    expected = _experts(x.double(), w13, w2, shares.double(), chosen.indices)
    assert _apart(got, expected) < within
