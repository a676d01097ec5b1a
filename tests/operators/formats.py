"""Which memory formats operators accept, written down a second time, from documents and sources.

By argument, as Python names them. An operator of neither list has forgotten one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from operators.fullest import Call, fullest

import pyaclnn as pa
from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.selftest.chips import soc_name
from pyaclnn.tensor.formats import with_format

NCHW, NHWC, ND, NDHWC, NZ, NCDHW, NCL = 0, 1, 2, 27, 29, 30, 47
#: Blocks of a matrix unit.
PRIVATE = frozenset({3, 4, 12, 29, 32, 33, 50, 51, 52, 53, 54})
#: All there are: undefined, those, HWCN, DHWCN and NC.
ALL = tuple(sorted({-1, NCHW, NHWC, ND, NDHWC, NCDHW, NCL, 16, 31, 35} | PRIVATE))
PUBLIC = frozenset(ALL) - PRIVATE
#: What generated operators take for ND.
PLAIN = frozenset({ND, NCHW, NHWC, NCL, NCDHW, 31})


@dataclass(frozen=True)
class Rule:
    """What one operator wants.

    Attributes
    ----------
    alike : str
        Arguments that must have one format.
    accepted : dict
        Arguments to the formats they may have; to a dict where that depends on their rank.
    after_types, after_shapes : bool
        What is refused first.
    channels_last : frozenset
        Formats that give shapes another meaning.
    """

    alike: str = ""
    accepted: Mapping[str, frozenset[int] | Mapping[int, frozenset[int]]] = field(
        default_factory=dict
    )
    after_types: bool = True
    after_shapes: bool = False
    channels_last: frozenset[int] = frozenset({NHWC, NDHWC})

    def refuses(self, formats: Mapping[str, int], ranks: Mapping[str, int]) -> bool:
        """Say whether tensors of these formats and ranks are refused."""
        same = {formats[name] for name in self.alike.split() if name in formats}
        return len(same) > 1 or any(
            formats[name] not in self._of(allowed, ranks[name])
            for names, allowed in self.accepted.items()
            for name in names.split()
            if name in formats
        )

    @staticmethod
    def _of(allowed: frozenset[int] | Mapping[int, frozenset[int]], rank: int) -> frozenset[int]:
        return allowed if isinstance(allowed, frozenset) else allowed[rank]


def only(*formats: int) -> frozenset[int]:
    return frozenset(formats)


_POOL = "grad_output self indices grad_input"
_PAD = "grad_output self grad_input"
_BY_RANK = {3: only(ND, NCL), 4: only(NCHW), 5: only(NCDHW)}
_ADAPTIVE = Rule(_POOL, {_POOL: PUBLIC}, after_shapes=True)
_MAX_POOL = Rule(_PAD, {_POOL: PUBLIC})
_PADDING = Rule(_PAD, {_PAD: PUBLIC})
_ANTIALIAS = Rule("grad_output out", {"grad_output out": only(ND, NCHW)})

RULES: dict[str, Rule] = {
    "fast_gelu_backward": Rule(_PAD, after_shapes=True),
    "cat": Rule("tensors out", {"tensors": PUBLIC}),
    "convolution_backward": Rule(
        "", {"grad_output input weight grad_input grad_weight": _BY_RANK, "grad_bias": only(ND)}
    ),
    "conv_tbc_backward": Rule(
        "", {"self input weight grad_input grad_weight": only(ND, NCL), "bias grad_bias": only(ND)}
    ),
    "embedding_dense_backward": Rule("", {"grad indices out": PUBLIC}, after_shapes=True),
    "exp_segsum_backward": Rule(
        "grad_output grad_self grad_input", {"grad_output": only(ND)}, after_shapes=True
    ),
    "binary_cross_entropy_backward": Rule("self target weight_optional"),
    "binary_cross_entropy_with_logits_backward": Rule("self target out"),
    "binary_cross_entropy_with_logits_target_backward": Rule("self target grad_target"),
    "kl_div_target_backward": Rule(
        "", {"grad_output self target grad_target": PUBLIC}, after_shapes=True
    ),
    "batch_norm_backward": Rule("grad_out input grad_input", {"grad_out input": PUBLIC}),
    "fast_batch_norm_backward": Rule("grad_out input grad_input", {"grad_out input": PUBLIC}),
    "batch_norm_reduce_backward": Rule(
        "grad_out input",
        {"grad_out input mean invstd sum_dy sum_dy_xmu grad_weight grad_bias": PUBLIC},
    ),
    "batch_norm_elemt_backward": Rule("", {"grad_out input grad_input": PUBLIC}),
    "adaptive_avg_pool2d_backward": Rule(
        "grad_output self", {"grad_output": PUBLIC}, after_shapes=True
    ),
    "adaptive_avg_pool3d_backward": Rule(
        "grad_output self out", {"grad_output": PUBLIC}, after_shapes=True
    ),
    "adaptive_max_pool2d_backward": _ADAPTIVE,
    "adaptive_max_pool3d_backward": _ADAPTIVE,
    "avg_pool2d_backward": Rule(
        "",
        {
            "self": only(NCHW, NCL),
            "grad_output grad_input": {3: only(NCHW, NCL), 4: only(NCHW)},
        },
    ),
    "avg_pool3d_backward": Rule(
        "grad_output output", {"grad_output": PUBLIC}, after_shapes=True
    ),
    "max_pool2d_with_indices_backward": _MAX_POOL,
    "max_pool2d_with_mask_backward": _MAX_POOL,
    "max_pool3d_with_argmax_backward": _MAX_POOL,
    **{f"{kind}_pad{n}d_backward": _PADDING for kind in ("reflection", "replication")
       for n in (1, 2, 3)},
    "circular_pad2d_backward": Rule(_PAD, {"grad_output": PUBLIC}),
    "circular_pad3d_backward": Rule(_PAD, {"grad_output": PUBLIC}),
    "unfold_grad": Rule("", {"grad_out": frozenset(ALL) - {NZ}}),
    "upsample_nearest2d_backward": Rule("", {"grad_input": only(NCHW, NHWC)}),
    "upsample_nearest_exact1d_backward": Rule("grad_output out"),
    "upsample_nearest_exact2d_backward": Rule(
        "grad_output out", {"grad_output": frozenset(ALL) - {NHWC}}
    ),
    "upsample_bilinear2d_backward": Rule(
        "", {"grad_out": only(NCHW, NHWC)}, after_shapes=True,
        channels_last=frozenset(ALL) - {NCHW},
    ),
    "upsample_bilinear2d_backward_v2": Rule(
        "", {"grad_out out": only(NCHW, NHWC)}, after_types=False
    ),
    "upsample_trilinear3d_backward": Rule("", {"grad_out": only(ND, NCDHW, NDHWC)}),
    "upsample_bicubic2d_backward": Rule(
        "", {"grad_out": only(ND, NCHW)}, after_types=False,
        after_shapes=True, channels_last=frozenset(ALL) - {NCHW, ND},
    ),
    "upsample_bilinear2d_aa_backward": _ANTIALIAS,
    "upsample_bicubic2d_aa_grad": _ANTIALIAS,
    "scaled_masked_softmax_backward": Rule(
        "", {"grad_output y out": PLAIN, "mask": frozenset(ALL) - {NZ}}, after_shapes=True
    ),
    "roi_align_v2_backward": Rule("", {"grad_output grad_input": only(NCHW), "boxes": only(ND)}),
    "swi_glu_grad": Rule("", {"y_grad x out": PLAIN}),
    "logit_grad": Rule("", {"x dy out": PLAIN}),
    "cross_entropy_loss_grad": Rule("", {"grad_loss log_prob target out": PLAIN}),
    "add_layer_norm_grad": Rule(
        "", {"dy x1 x2 rstd mean gamma dx_out dgamma_out dbeta_out": PLAIN}
    ),
    "deep_norm_grad": Rule(
        "", {"dy x gx gamma mean rstd dx_out dgx_out dbeta_out dgamma_out": PLAIN}
    ),
    "rms_norm_grad": Rule("", {"dy x rstd gamma dx_out dgamma_out": PLAIN}),
    "group_norm_swish_grad": Rule(
        "", {"dy mean rstd x gamma beta dx_out dgamma_out dbeta_out": PLAIN}
    ),
}  # fmt: skip

#: On the 950 series.
RULES_950: dict[str, Rule] = {
    "batch_norm_backward": Rule(
        "grad_out input grad_input",
        {"grad_out": PUBLIC, "input grad_input": {
            **dict.fromkeys((2, 3, 4, 6, 7, 8), PUBLIC), 5: only(NCDHW, NDHWC)}},
    ),
    "upsample_bilinear2d_backward": Rule(
        "grad_out out", {"grad_out": only(NCHW, NHWC)}, after_shapes=True,
        channels_last=frozenset(ALL) - {NCHW},
    ),
    "upsample_bicubic2d_backward": Rule(
        "grad_out grad_input", {"grad_out": only(ND, NCHW, NHWC)}, after_types=False,
        channels_last=frozenset(ALL) - {NCHW, ND},
    ),
    "scaled_masked_softmax_backward": Rule("", {"grad_output y out": PLAIN}),
}  # fmt: skip

#: Operators that look at no format.
ANY = frozenset(
    """
    cdist_backward chamfer_distance_backward ctc_loss_backward dropout_backward
    dropout_v3_grad elu_backward ge_glu_backward ge_glu_v3_backward gelu_backward
    gelu_backward_v2 glu_backward grid_sampler2d_backward grid_sampler3d_backward
    group_norm_backward grouped_bias_add_grad grouped_bias_add_grad_v2 hardshrink_backward
    hardsigmoid_backward hardswish_backward hardswish_backward_v2 hardtanh_backward
    im2col_backward kl_div_backward l1_loss_backward layer_norm_backward leaky_relu_backward
    log_sigmoid_backward log_softmax_backward max_unpool2d_backward max_unpool3d_backward
    mish_backward mse_loss_backward nll_loss2d_backward nll_loss_backward prelu_backward
    selu_backward sigmoid_backward silu_backward smooth_l1_loss_backward
    soft_margin_loss_backward softmax_backward softplus_backward softshrink_backward
    swish_backward tanh_backward threshold_backward upsample_linear1d_backward
    upsample_nearest1d_backward upsample_nearest3d_backward
    upsample_nearest_exact3d_backward
    """.split()  # noqa: SIM905
)

#: Tensors whose format a result keeps, and the output that is refused inside when the result is
#: copied to it: that has the format, too, unless it is ND.
KEPT = {f"grid_sampler{n}d_backward": ("grid", "grid_grad") for n in (2, 3)}

_ANYTHING = Rule()


def rule_of(operator: str) -> Rule:
    """Return the rule of an operator on the chip of this process."""
    rules = {**RULES, **RULES_950} if soc_name().startswith("Ascend910_95") else RULES
    return rules.get(operator, _ANYTHING)


def format_of(call: Call, tensor: pa.Tensor) -> int:
    """Return the aclFormat a tensor goes to the operator with."""
    if pa.ops[call.operator].spec.c_name in ONLY_ND:
        return ND
    out = pa.ffi.new("aclFormat *")
    assert pa.lib.aclGetFormat(tensor.handle, out) == 0
    return int(out[0])


def tensors_of(call: Call) -> dict[str, list[pa.Tensor]]:
    """Return the tensors of every argument that has some."""
    found: dict[str, list[pa.Tensor]] = {}
    for name, value in {**call.inputs, **call.outputs}.items():
        if isinstance(value, pa.Tensor):
            found[name] = [value]
        elif isinstance(value, list) and value and isinstance(value[0], pa.Tensor):
            found[name] = value
    return found


def reformatted(tensor: pa.Tensor, format: int) -> pa.Tensor:
    """Return the same view of the same memory, with another format."""
    elements = tensor.buffer.nbytes // tensor.dtype.itemsize
    return with_format(tensor, format, storage_shape=(elements,))


def formatted(call: Call, name: str, format: int) -> object:
    """Return the argument with another format; of a list the last."""
    tensors = tensors_of(call)[name]
    changed = reformatted(tensors[-1], format)
    value = {**call.inputs, **call.outputs}[name]
    return [*tensors[:-1], changed] if isinstance(value, list) else changed


def answer(call: Call, changed: Mapping[str, object]) -> tuple[int, bool]:
    """Return the status, and whether it is for a format."""
    inputs = [changed.get(name, value) for name, value in call.inputs.items()]
    outputs = tuple(changed.get(name, value) for name, value in call.outputs.items())
    try:
        pa.ops[call.operator](*inputs, out=outputs[0] if len(outputs) == 1 else outputs)
    except pa.AclError as error:
        return error.code, " has format " in error.message
    return 0, False


def tried(call: Call) -> Iterator[dict[str, int]]:
    """Yield assignments of formats: one argument changed at a time, and all of them."""
    names = tensors_of(call)
    for format in ALL:
        yield dict.fromkeys(names, format)
        for name in names:
            yield {name: format}


def disagreements(operator: str) -> list[str]:
    """Say which formats are answered otherwise than the rule says."""
    call = fullest(operator)
    rule = rule_of(operator)
    tensors = tensors_of(call)
    ranks = {name: value[-1].ndim for name, value in tensors.items()}
    found = []
    for changed in tried(call):
        # A list keeps the format of its first.
        mixed = any(len(tensors[n]) > 1 and format_of(call, tensors[n][0]) != f
                    for n, f in changed.items())  # fmt: skip
        formats = {n: changed.get(n, format_of(call, t[-1])) for n, t in tensors.items()}
        kept, out = (formats[n] for n in KEPT[operator]) if operator in KEPT else (ND, ND)
        refused = rule.refuses(formats, ranks) or (mixed and bool(rule.alike))
        expected = 161002 if refused else 0 if kept in (ND, out) else 561103
        code, for_format = answer(call, {n: formatted(call, n, f) for n, f in changed.items()})
        by_shape = code != 0 and not rule.channels_last.isdisjoint(changed.values())
        agrees = (
            code == expected and (for_format or by_shape)
            if expected
            else (not for_format and (code == 0 or by_shape))
        )
        if not agrees:
            found.append(f"{changed}: {code}, expected {expected}")
    return found
