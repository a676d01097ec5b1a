"""Signals: spectra, and those of windows that slide over them."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel

_FAMILY = "signal"

ROWS: tuple[Row, ...] = (
    Row(
        "aclRfft1D", _FAMILY, (Kernel("rfft1d"),),
        {
            "out": Output(
                "(*self[:dim % len(self)], (n + (n == -1)) // 2 + 1, "
                "*self[dim % len(self) + 1:], 2)", "same self"
            )
        },
    ),
    Row(
        "aclStft", _FAMILY, (Kernel("stft"),),
        {
            "out": Output(
                "(*self[:-1], nFft // 2 + 1 if onesided else nFft, "
                "(self[-1] - nFft) // hopLength + 1, *(() if returnComplex else (2,)))",
                "complex64 if returnComplex and self.dtype in ('float32', 'complex64') else "
                "complex128 if returnComplex else "
                "float32 if self.dtype in ('float32', 'complex64') else float64",
            )
        },
    ),
)  # fmt: skip
