"""Convolutions of int8, with a scale for each channel of the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.suites.convolution_forward import convolution

#: Input, weight, stride, padding, dilation.
_VOLUMES = (
    ((1, 3, 4, 5, 6), (5, 3, 1, 1, 1), (1, 1, 1), (0, 0, 0), (1, 1, 1)),
    ((2, 33, 3, 8, 7), (17, 33, 2, 3, 3), (1, 2, 1), (1, 0, 2), (1, 1, 2)),
    ((1, 40, 1, 70, 64), (3, 40, 1, 3, 2), (1, 1, 1), (0, 1, 1), (1, 1, 1)),
)


def _cases(blocks: bool) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() not in ("A2", "950"):
            return
        for number, (image, kernel, stride, padding, dilation) in enumerate(_VOLUMES):
            x, weight = (rng.integers(-128, 128, s).astype(np.int8) for s in (image, kernel))
            scale = rng.uniform(0.5, 1.5, kernel[0]).astype(np.float32) * np.float32(2.0**-12)
            bias = rng.uniform(-9, 9, kernel[0]).astype("float32" if number else numpy_dtype(dtype))
            exact = (v.astype(np.float64) for v in (x, weight))
            sums = convolution(next(exact), next(exact), None, stride, padding, dilation, 1)
            wide = (v.astype(np.float64)[:, None, None, None] for v in (scale, bias))
            golden = sums * next(wide) + next(wide)
            yield Case(f"{image} {kernel}",
                       (Operand(x), Operand(weight, format="FRACTAL_Z_3D" if blocks else ""),
                        Operand(bias), Operand(scale), None, stride, padding, dilation, False,
                        None, 1, 0, None),
                       (golden,), out_dtypes=(dtype,))  # fmt: skip

    return cases


_HALVES = ("float16", "bfloat16")

SUITES = (
    Suite("quant_convolution", _HALVES, _cases(False)),
    Suite("quant_convolution_weight_nz", _HALVES, _cases(True)),
)
