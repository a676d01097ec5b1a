"""Resizing forward and backward."""

from __future__ import annotations

from operators.pairs import Pair, tupled

import pyaclnn as pa

_LINE, _IMAGE, _VOLUME = (2, 3, 5), (2, 3, 5, 4), (2, 2, 3, 2, 4)
_LONGER, _RESIZED, _LARGER = (7,), (7, 3), (4, 5, 3)

#: Operator, its gradient, shape, size, and what is between size and result in both calls.
_CALLS = (
    ("upsample_nearest1d", "upsample_nearest1d_backward", _LINE, _LONGER, ()),
    ("upsample_nearest1d_v2", "upsample_nearest1d_backward", _LINE, _LONGER, (0.0,)),
    ("upsample_nearest2d_v2", "upsample_nearest2d_backward", _IMAGE, _RESIZED, (0.0, 0.0)),
    ("upsample_nearest2d_v2", "upsample_nearest2d_backward", _IMAGE, (20, 16), (4.0, 4.0)),
    ("upsample_nearest_exact1d", "upsample_nearest_exact1d_backward", _LINE, _LONGER, (0.0,)),
    ("upsample_nearest_exact1d", "upsample_nearest_exact1d_backward", _LINE, (10,), (2.0,)),
    ("upsample_nearest_exact2d", "upsample_nearest_exact2d_backward", _IMAGE, _RESIZED,
     (0.0, 0.0)),
    ("upsample_nearest_exact3d", "upsample_nearest_exact3d_backward", _VOLUME, _LARGER,
     (0.0, 0.0, 0.0)),
    ("upsample_linear1d", "upsample_linear1d_backward", _LINE, _LONGER, (False, -1.0)),
    ("upsample_linear1d", "upsample_linear1d_backward", _LINE, (8,), (False, 1.7)),
    ("upsample_linear1d", "upsample_linear1d_backward", _LINE, _LONGER, (True, -1.0)),
    ("upsample_trilinear3d", "upsample_trilinear3d_backward", _VOLUME, _LARGER,
     (False, 0.0, 0.0, 0.0)),
    ("upsample_trilinear3d", "upsample_trilinear3d_backward", _VOLUME, (4, 3, 6),
     (False, 1.4, 1.7, 1.6)),
    ("upsample_bicubic2d", "upsample_bicubic2d_backward", _IMAGE, _RESIZED, (False, 0.0, 0.0)),
    ("upsample_bicubic2d", "upsample_bicubic2d_backward", _IMAGE, (8, 6), (False, 1.7, 1.6)),
    ("upsample_bicubic2d", "upsample_bicubic2d_backward", _IMAGE, _RESIZED, (True, 0.0, 0.0)),
    ("upsample_bicubic2d_aa", "upsample_bicubic2d_aa_grad", _IMAGE, (3, 6), (False, 0.0, 0.0)),
    ("upsample_bilinear2d_aa", "upsample_bilinear2d_aa_backward", _IMAGE, (2, 6),
     (False, 0.0, 0.0)),
)  # fmt: skip


def _pair(
    forward: str, backward: str, shape: tuple[int, ...], size: tuple[int, ...],
    given: tuple[float, ...],
) -> Pair:  # fmt: skip
    return Pair(
        {"x": shape},
        lambda t: tupled(pa.ops[forward](t["x"], size, *given)),
        # Sizes alone count where the gradient has scales and the operator has none.
        lambda g, t, r: tupled(pa.ops[backward](g, size, shape, *(given or (0.0,)))),
    )


PAIRS = {
    f"{forward} {size} {given}": _pair(forward, backward, shape, size, given)
    for forward, backward, shape, size, given in _CALLS
}
