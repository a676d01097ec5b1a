"""Weights copied into the blocks of a matrix unit, and back."""

from __future__ import annotations

from .row import Row
from .steps import Kernel

_FAMILY = "copy"

ROWS: tuple[Row, ...] = (
    Row("NpuFormatCast", _FAMILY, (Kernel("npu_format_cast"),)),
    Row(
        "TransMatmulWeight", _FAMILY, (Kernel("trans_matmul_weight"),),
        missing=("weights that begin within their storage",),
    ),
    Row(
        "TransConvolutionWeight", _FAMILY, (Kernel("trans_convolution_weight"),),
        missing=("several groups",),
    ),
    Row(
        "ConvertWeightToINT4Pack", _FAMILY, (Kernel("convert_weight_to_int4_pack"),),
        missing=("several matrices in FRACTAL_NZ that do not fill their blocks",),
    ),
)  # fmt: skip
