"""Convolutions, pooling and losses refuse extents, channels and formats that do not fit."""

from __future__ import annotations

from typing import Any

from operators import test_convolution_deformable, test_quant_convolution
from operators.calls import INNER_NULL, INVALID, ones
from operators.reasons import Refused, reason_tests
from operators.test_pooling_forward import RIGHT as POOLING

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def nd(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "ND")


_BACKWARD, _QUANT, _DEPTHWISE = "convolution_backward", "quant_convolution", "conv_depthwise2d"
_DEFORMED = "deformable_conv2d"
RIGHT: dict[str, dict[str, Any]] = {
    _BACKWARD: {
        "grad_output": ones(2, 4, 5, 5), "input": ones(2, 3, 5, 5),
        "weight": ones(4, 3, 3, 3), "bias_sizes": (4,), "stride": (1, 1), "padding": (1, 1),
        "dilation": (1, 1), "transposed": False, "output_padding": (0, 0), "groups": 1,
        "output_mask": (True, True, True), "cube_math_type": 0,
        "out": (ones(2, 3, 5, 5), ones(4, 3, 3, 3), ones(4)),
    },
    "convolution": {
        "input": ones(1, 3, 5, 5), "weight": ones(4, 3, 3, 3), "bias": None, "stride": (1, 1),
        "padding": (1, 1), "dilation": (1, 1), "transposed": False, "output_padding": (0, 0),
        "groups": 1, "cube_math_type": 0, "output": ones(1, 4, 5, 5),
    },
    "conv_tbc": {
        "self": ones(0, 2, 3), "weight": ones(3, 3, 4), "bias": ones(4), "pad": 1,
        "cube_math_type": 0, "output": ones(0, 2, 4),
    },
    _QUANT: test_quant_convolution._RIGHT,
    _DEPTHWISE: {
        "self": ones(1, 2, 4, 5), "weight": ones(4, 1, 3, 3), "kernel_size": (3, 3),
        "bias": ones(4), "stride": (1, 1), "padding": (0, 0), "dilation": (1, 1),
        "cube_math_type": 0, "out": ones(1, 4, 2, 3),
    },
    _DEFORMED: test_convolution_deformable.RIGHT[_DEFORMED],
    "max_pool": POOLING["max_pool"],
    "avg_pool2d": POOLING["avg_pool2d"],
    "adaptive_max_pool2d": POOLING["adaptive_max_pool2d"],
    "adaptive_max_pool3d": {
        "self": ones(2, 3, 4, 6, 8), "output_size": (2, 3, 4), "output_out": ones(2, 3, 2, 3, 4),
        "indices_out": pa.zeros((2, 3, 2, 3, 4), "int32"),
    },
    "nll_loss": {
        "self": ones(0, 0), "target": pa.zeros((0,), "int64"), "weight": ones(0), "reduction": 1,
        "ignore_index": -100, "out": ones(1), "total_weight_out": ones(1),
    },
    "multilabel_margin_loss": {
        "self": ones(0, 4), "target": pa.zeros((0, 4), "int64"), "reduction": 0, "out": ones(0),
        "is_target": ones(0, 4),
    },
    "ctc_loss": {
        "log_probs": ones(6, 2, 4, dtype="float16"), "targets": pa.zeros((2, 3), "int64"),
        "input_lengths": (6, 5), "targetlengths": (3, 2), "blank": 0, "zero_infinity": False,
        "neg_log_likelihood_out": ones(2, dtype="float16"),
        "log_alpha_out": ones(2, 6, 8, dtype="float16"),
    },
}  # fmt: skip
_TURNED = {"transposed": True, "output_padding": (0, 0)}


def _samples(count: int) -> dict[str, Any]:
    half: dict[str, Any] = {"dtype": "float16"}
    return {
        "log_probs": ones(1, count, 2, **half), "targets": pa.zeros((count, 1), "int64"),
        "input_lengths": (1,) * count, "targetlengths": (1,) * count,
        "neg_log_likelihood_out": ones(count, **half), "log_alpha_out": ones(count, 1, 8, **half),
    }  # fmt: skip


def _pooled(extent: int) -> dict[str, Any]:
    return {
        "self": ones(1, 1, 1, 1).broadcast_to((1, 1, 1, extent)), "output_size": (1, 1),
        "output_out": ones(1, 1, 1, 1), "indices_out": pa.zeros((1, 1, 1, 1), "int64"),
    }  # fmt: skip


def _averaged(kernel: tuple[int, int], padding: int, *extents: int) -> dict[str, Any]:
    """A window that only the matrix unit's way of averaging a whole image would take."""
    return {
        "kernel_size": kernel, "strides": (1,), "paddings": (padding,), "ceil_mode": True,
        "cube_math_type": 1, "out": ones(2, 3, *extents),
    }  # fmt: skip


def _volumes(*extents: int) -> dict[str, Any]:
    return {
        "self": ones(1, 1, 1, 1, 1).broadcast_to((1, 1, *extents)), "output_size": (1, 1, 1),
        "output_out": ones(1, 1, 1, 1, 1), "indices_out": pa.zeros((1, 1, 1, 1, 1), "int32"),
    }  # fmt: skip


def _empty(
    image: tuple[int, ...], weight: tuple[int, ...], grad: tuple[int, ...], **more: Any
) -> dict[str, Any]:
    return {
        "grad_output": ones(*grad), "input": ones(*image), "weight": ones(*weight),
        "bias_sizes": (grad[1],), "out": (ones(*image), ones(*weight), ones(grad[1])), **more,
    }  # fmt: skip


def _deep(channels: int) -> dict[str, Any]:
    return {
        "x": ones(1, channels, 1, 1), "weight": ones(1, channels, 3, 2), "bias_optional": ones(1),
        "offset": ones(1, 18, 1, 1), "deformable_groups": 1, "out": ones(1, 1, 1, 1),
        "deform_out_optional": ones(1, channels, 3, 2),
    }  # fmt: skip


_NO_IMAGES = ((0, 3, 5, 5), (4, 3, 3, 3), (0, 4, 5, 5))
WRONG: list[Refused] = [
    (_BACKWARD, _empty(*_NO_IMAGES), 0, ""),
    (_BACKWARD, _empty((0, 3, 5, 5), (4, 3, 3), (0, 4, 5, 5)), INVALID,
     "must have one number of dimensions"),
    (_BACKWARD, _empty(*_NO_IMAGES, stride=(1, 1, 1)), INVALID, "stride has 3 values"),
    (_BACKWARD, _empty((0, 6, 5, 5), (6, 2, 3, 3), (0, 6, 5, 5), groups=3), 0, ""),
    (_BACKWARD, _empty((0, 6, 5, 5), (4, 2, 3, 3), (0, 4, 5, 5), groups=3), INVALID,
     "weight[0] is 4, it must be a multiple of groups"),
    (_BACKWARD, _empty((0, 4, 5, 5), (4, 3, 3, 3), (0, 4, 5, 5)), INVALID,
     "4 channels, it must have 3: weight[1] times groups"),
    (_BACKWARD, _empty((0, 3, 5, 5), (4, 3, 7, 3), (0, 4, 1, 5)), 0, ""),
    (_BACKWARD, _empty((0, 3, 5, 5), (4, 3, 8, 3), (0, 4, 0, 5)), INVALID, "weight covers 8"),
    (_BACKWARD, _empty((0, 3, 5, 5), (3, 4, 3, 3), (0, 4, 5, 5), transposed=True), 0, ""),
    (_BACKWARD, _empty((0, 3, 5, 5), (4, 4, 3, 3), (0, 4, 5, 5), transposed=True), INVALID,
     "weight[0] is 4, it must be the channels of input"),
    (_BACKWARD, _empty((2, 0, 5, 5), (0, 4, 3, 3), (2, 4, 5, 5), transposed=True), INVALID,
     "weight[0] is 0, it must be the channels of input"),
    (_DEFORMED, _deep(10922), 0, ""),
    (_DEFORMED, _deep(10923), INVALID, "covers too many elements of 10923 channels"),
    (_BACKWARD, {"grad_output": ones(2, 5, 5, 5), "out": (ones(2, 3, 5, 5), ones(4, 3, 3, 3),
     ones(5))}, INVALID, "5 channels, it must have 4 as weight[0]"),
    (_BACKWARD, {"weight": ones(4, 1, 3, 3), "groups": 3, "out": (ones(2, 3, 5, 5),
     ones(4, 1, 3, 3), ones(4))}, INVALID, "it must have a multiple of groups, 3"),
    (_BACKWARD, {"weight": ones(3, 4, 3, 3), **_TURNED, "out": (ones(2, 3, 5, 5),
     ones(3, 4, 3, 3), ones(4))}, 0, ""),
    (_BACKWARD, {"weight": ones(3, 4, 3, 3), **_TURNED, "output_padding": (-1, 0),
     "out": (ones(2, 3, 5, 5), ones(3, 4, 3, 3), ones(4))}, INVALID,
     "outputPadding has the value -1, it must be at least 0"),
    ("convolution", {"dilation": (1, 1, 1)}, INVALID, "dilation has 3 values, it must have 2"),
    ("convolution", {"padding": (1,)}, INVALID, "padding has 1 values, it must have 2"),
    ("convolution", {"padding": (1, 1, 1)}, INVALID, "padding has 3 values, it must have 2"),
    ("convolution", {"weight": ones(3, 4, 3, 3), "transposed": True}, 0, ""),
    ("convolution", {"weight": ones(3, 4, 3, 3), "transposed": True, "output_padding": (0,)},
     INVALID, "outputPadding has 1 values, it must have 2"),
    ("convolution", {"input": ones(1, 0, 5, 5), "weight": ones(4, 0, 3, 3)}, INVALID,
     "input or weight is empty"),
    ("conv_tbc", {"pad": 0}, INVALID, "3 taps, more than self and pad"),
    (_QUANT, {"input": pa.zeros((1, 3, 5, 6), "int8")}, INVALID, "input has 4 dimensions"),
    (_QUANT, {"weight": pa.zeros((7, 3, 3, 3), "int8")}, INVALID, "weight and output have 4 and 5"),
    (_QUANT, {"output": ones(1, 7, 5, 6, dtype="float16")}, INVALID,
     "weight and output have 5 and 4"),
    (_QUANT, {"scale": with_format(ones(7), "NCL")}, INVALID, "must be in the format ND"),
    (_QUANT, {"bias": with_format(ones(7), "NCL")}, INVALID, "must be in the format ND"),
    (_QUANT, {"output": ones(2, 7, 3, 5, 6, dtype="float16")}, INVALID, "output has shape"),
    (_QUANT, {"output": ones(1, 6, 3, 5, 6, dtype="float16")}, INVALID, "output has shape"),
    (_DEPTHWISE, {"weight": ones(0, 1, 3, 3), "bias": ones(0), "out": ones(1, 0, 2, 3)}, INVALID,
     "weight has 0 filters"),
    (_DEPTHWISE, {"self": ones(1, 2, 3, 5), "out": ones(1, 4, 1, 3)}, 0, ""),
    (_DEPTHWISE, {"self": ones(1, 2, 2, 5), "out": ones(1, 4, 0, 3)}, INVALID,
     "less than weight covers"),
    (_DEFORMED, {"out": nd(ones(2, 3, 5, 6))}, INVALID, "out has format 2, not 0"),
    (_DEFORMED, {"deform_out_optional": nd(ones(2, 4, 15, 12))}, INVALID,
     "deformOutOptional has format 2, not 0"),
    ("max_pool", {"self": ones(2, 0, 6, 8)}, INVALID, "only the batch may be empty"),
    ("max_pool", {"self": ones(2, 3, 0, 8)}, INVALID, "last 2 extents must be positive"),
    ("max_pool", {"self": ones(2, 3, 1, 8), "pads": (0,), "out": ones(2, 3, 1, 6)}, INVALID,
     "too small for the kernel"),
    ("max_pool", {"pads": (-(2**30) - 1,)}, INVALID, "pads contains -1073741825"),
    ("max_pool", {"pads": (-1, 0), "out": ones(2, 3, 2, 6)}, INNER_NULL, "negative value"),
    ("avg_pool2d", _averaged((6, 8), 0, 1, 1), INVALID, "cubeMathType is 1"),
    ("avg_pool2d", _averaged((6, 8), 1, 3, 3), 0, ""),
    ("avg_pool2d", _averaged((5, 7), 0, 2, 2), 0, ""),
    ("adaptive_max_pool2d", _pooled(2**36 + 1), INVALID, "fit a memory"),
    ("adaptive_max_pool3d", {"output_size": (2, 3, 0), "output_out": ones(2, 3, 2, 3, 0),
     "indices_out": pa.zeros((2, 3, 2, 3, 0), "int32")}, INVALID, "it must be positive"),
    ("adaptive_max_pool3d", _volumes(1, 2**16, 2**15), INVALID, "at most 2^31 - 1"),
    ("nll_loss", {"self": ones(2, 0), "target": pa.zeros((2,), "int64")}, INVALID, "no classes"),
    ("multilabel_margin_loss", {"is_target": ones(3, 4)}, INVALID, "isTarget has elements"),
    ("multilabel_margin_loss", {"is_target": ones(0, 1, 4)}, INVALID, "isTarget has elements"),
    ("ctc_loss", _samples(8180), 0, ""),
    ("ctc_loss", _samples(8181), INVALID, "float16 and bfloat16 take at most"),
]  # fmt: skip
test_right_calls_succeed, test_wrong_calls_are_refused = reason_tests(RIGHT, WRONG)
