"""Cases of signs as bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite, in_views, numpy_dtype, uniform
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact

Shape = tuple[int, ...]

#: Numbers and rows of bytes.
_SIGNS = ((8, 1), (1, 1), (17, 3), (16, 2), (4097, 27), (33, 5), (0, 1), (1024, 64))


def _pack(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    for count, rows in _SIGNS:
        x = uniform((count,), dtype, rng)
        x.values[::5] = 0
        x.values[::7] = -0.0
        packed = np.packbits(exact(x.values) >= 0, bitorder="little").reshape(rows, -1)
        case = Case(f"{count} in {rows}", (x, rows), (packed,))
        yield case
        if count == 17:
            yield from in_views(case, 0)
            for layout in LAYOUTS[1:]:
                yield replace(case, label=layout, out_layouts=(layout,), out_dtypes=("uint8",))


def _unpack(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    for given in ("float32", "float16"):
        for count, rows in ((1, 1), (3, 6), (2, 16), (65, 4), (513, 27), (0, 1)):
            packed = Operand(rng.integers(0, 256, count).astype(numpy_dtype(dtype)))
            bits = np.unpackbits(packed.values, bitorder="little")
            golden = (bits.astype(np.float64) * 2 - 1).reshape(rows, -1)
            case = Case(f"{count} in {rows} {given}", (packed, rows, given), (golden,))
            yield case
            if count == 3:
                yield from in_views(case, 0)
                yield replace(
                    case, label="transposed", out_layouts=("transposed",), out_dtypes=(given,)
                )


SUITES = (
    Suite("sign_bits_pack", ("float32", "float16"), _pack),
    Suite("sign_bits_unpack", ("uint8",), _unpack),
)
