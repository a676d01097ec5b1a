"""Discrete Fourier transforms as products with the matrix of roots of unity.

CANN 8.1 and 9.0 have no operator for them that every chip has. The product takes n² operations for
n points, on the matrix unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from pyaclnn.array_api._common import Axis, array, axes_of, axis_of, ops
from pyaclnn.array_api.creation_functions import arange, zeros
from pyaclnn.array_api.elementwise_functions import conj, cos, sin
from pyaclnn.array_api.linalg import matmul
from pyaclnn.array_api.manipulation_functions import concat, flip, moveaxis, roll
from pyaclnn.runtime import Device
from pyaclnn.tensor import Tensor, as_dtype

__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfftn", "rfft", "rfftfreq", "rfftn",
]  # fmt: skip

Norm = Literal["backward", "ortho", "forward"]


def _roots(n: int, sign: int, dtype: np.dtype[Any], device: Device) -> Tensor:
    """Return exp(sign 2πi jk / n) for all j and k."""
    k = arange(n, device=device)
    # Whole turns are taken off as integers, where nothing is rounded.
    turns = ((k[:, None] * k[None, :]) % n).astype(dtype) * (2 * math.pi / n)
    return ops.complex(cos(turns), sin(turns) * float(sign))


def _scaled(x: Tensor, n: int, norm: Norm, sign: int) -> Tensor:
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    if norm == "ortho":
        return x / math.sqrt(n)
    return x / float(n) if (norm == "forward") == (sign < 0) else x


def _as_complex(x: Tensor) -> Tensor:
    if array(x).dtype.kind == "c":
        return x
    wide = "complex128" if x.dtype == np.float64 else "complex64"
    return x.astype(wide)


def _fitted(x: Tensor, n: int) -> Tensor:
    """Cut the last axis, or fill it with zeros."""
    extent = x.shape[-1]
    if n < 1:
        raise ValueError(f"a transform of {n} points is not defined")
    if extent >= n:
        return x[..., :n]
    return concat([x, zeros((*x.shape[:-1], n - extent), dtype=x.dtype, device=x.device)], axis=-1)


def _transformed(x: Tensor, n: int | None, axis: int, norm: Norm, sign: int) -> Tensor:
    at = axis_of(axis, array(x).ndim)
    points = x.shape[at] if n is None else n
    row = _fitted(moveaxis(_as_complex(x), at, -1), points)
    real = np.dtype(np.float64 if row.dtype == np.complex128 else np.float32)
    result = matmul(row, _roots(points, sign, real, x.device))
    return moveaxis(_scaled(result, points, norm, sign), -1, at)


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Transform an axis."""
    return _transformed(x, n, axis, norm, -1)


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Transform an axis back."""
    return _transformed(x, n, axis, norm, 1)


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Transform an axis of real numbers; the half that says all."""
    at = axis_of(axis, array(x).ndim)
    points = x.shape[at] if n is None else n
    whole = moveaxis(fft(x, n=n, axis=at, norm=norm), at, -1)
    return moveaxis(whole[..., : points // 2 + 1], -1, at)


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Transform half an axis back to real numbers."""
    at = axis_of(axis, array(x).ndim)
    points = 2 * (x.shape[at] - 1) if n is None else n
    half = _fitted(moveaxis(_as_complex(x), at, -1), points // 2 + 1)
    # The other half mirrors it, without what stands alone in the middle and at the start.
    mirrored = conj(half[..., 1 : (points + 1) // 2])
    whole = concat([half, flip(mirrored, axis=-1)], axis=-1) if mirrored.size else half
    # What stands alone has no imaginary part; it is not looked at.
    result = _transformed(whole, points, -1, norm, 1).real.copy()
    return moveaxis(result, -1, at)


_OTHER: dict[str, Norm] = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Transform half of a signal that mirrors itself to real numbers."""
    return irfft(conj(_as_complex(x)), n=n, axis=axis, norm=_OTHER[norm])


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """Transform real numbers to half of a signal that mirrors itself."""
    return conj(rfft(x, n=n, axis=axis, norm=_OTHER[norm]))


def _several(
    x: Tensor, s: Sequence[int] | None, axes: Sequence[int] | None
) -> list[tuple[int, int | None]]:
    if axes is None:
        rank = array(x).ndim
        axes = range(rank) if s is None else range(rank - len(s), rank)
    named = axes_of(list(axes), array(x).ndim)
    sizes = [None] * len(named) if s is None else list(s)
    return list(zip(named, sizes, strict=True))


def fftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Transform axes, one after the other."""
    for axis, n in _several(x, s, axes):
        x = fft(x, n=n, axis=axis, norm=norm)
    return x


def ifftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Transform axes back."""
    for axis, n in _several(x, s, axes):
        x = ifft(x, n=n, axis=axis, norm=norm)
    return x


def rfftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Transform axes of real numbers; of the last, the half that says all."""
    *others, (last, n) = _several(x, s, axes)
    x = rfft(x, n=n, axis=last, norm=norm)
    for axis, extent in others:
        x = fft(x, n=extent, axis=axis, norm=norm)
    return x


def irfftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """Transform axes, of the last half, back to real numbers."""
    *others, (last, n) = _several(x, s, axes)
    for axis, extent in others:
        x = ifft(x, n=extent, axis=axis, norm=norm)
    return irfft(x, n=n, axis=last, norm=norm)


def _frequencies(n: int, d: float, dtype: Any, device: Device | None, half: bool) -> Tensor:
    wanted = as_dtype("float32" if dtype is None else dtype)
    if half:
        whole = arange(n // 2 + 1, device=device)
    else:
        positive = arange((n + 1) // 2, device=device)
        negative = arange(-(n // 2), 0, device=device)
        whole = concat([positive, negative])
    return whole.astype(wanted) / (n * d)


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Device | None = None
) -> Tensor:
    """Return the frequencies of `fft`."""
    return _frequencies(n, d, dtype, device, half=False)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Device | None = None
) -> Tensor:
    """Return the frequencies of `rfft`."""
    return _frequencies(n, d, dtype, device, half=True)


def _shifted(x: Tensor, axes: Axis, way: Callable[[int], int]) -> Tensor:
    named = axes_of(axes, array(x).ndim)
    return roll(x, [way(x.shape[a]) for a in named], axis=named)


def fftshift(x: Tensor, /, *, axes: Axis = None) -> Tensor:
    """Put frequency zero in the middle."""
    return _shifted(x, axes, lambda n: n // 2)


def ifftshift(x: Tensor, /, *, axes: Axis = None) -> Tensor:
    """Put frequency zero back to the start."""
    return _shifted(x, axes, lambda n: -(n // 2))
