"""Linear algebra: CANN's decompositions, and what follows from them."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex

import numpy as np

from pyaclnn.array_api import statistical_functions as statistics
from pyaclnn.array_api._common import Axis, array, axes_of, ops, pair
from pyaclnn.array_api.creation_functions import empty, eye, zeros
from pyaclnn.array_api.elementwise_functions import abs as absolute
from pyaclnn.array_api.elementwise_functions import conj, exp, sqrt, where
from pyaclnn.array_api.manipulation_functions import flip, moveaxis, permute_dims, reshape
from pyaclnn.tensor import Tensor

__all__ = [
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm",
    "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve",
    "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]  # fmt: skip

#: What the matrix unit multiplies; other dtypes are multiplied and added up.
_CUBE = ("float16", "bfloat16", "float32")
_KEEP_DTYPE = 0


class EighResult(NamedTuple):
    """Eigenvalues, ascending, and eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """An orthonormal matrix and a triangular one."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its size."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Left vectors as columns, singular values, right vectors as rows."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply matrices (``aclnnMatmul``), or products added up where the matrix unit lacks it."""
    first, second = pair(array(x1), array(x2))
    if first.ndim == 0 or second.ndim == 0:
        raise ValueError("a product of matrices needs axes on both sides")
    inner = second.shape[-2] if second.ndim > 1 else second.shape[0]
    if first.shape[-1] != inner:
        raise ValueError(f"{first.describe()} and {second.describe()} do not multiply")
    if first.ndim == 1:
        return (
            matmul(first[None, :], second)[..., 0, :] if second.ndim > 1 else _inner(first, second)
        )
    if second.ndim == 1:
        return matmul(first, second[:, None])[..., 0]
    batch = np.broadcast_shapes(first.shape[:-2], second.shape[:-2])
    shape = (*batch, first.shape[-2], second.shape[-1])
    if 0 in (*shape, inner):
        return zeros(shape, dtype=first.dtype, device=first.device)
    if first.dtype.name in _CUBE:
        return ops.matmul(first, second, _KEEP_DTYPE)
    if first.dtype == np.complex64:
        a, b, c, d = first.real, first.imag, second.real, second.imag
        return ops.complex(matmul(a, c) - matmul(b, d), matmul(a, d) + matmul(b, c))
    products = first[..., :, :, None] * second[..., None, :, :]
    return statistics.sum(products, axis=-2, dtype=first.dtype)


def _inner(first: Tensor, second: Tensor) -> Tensor:
    return statistics.sum(first * second, axis=-1, dtype=first.dtype)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Return a view with the last two axes exchanged."""
    return array(x).mT


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: SupportsIndex = -1) -> Tensor:
    """Multiply vectors, the first conjugated, and add up."""
    first, second = pair(array(x1), array(x2))
    at = operator.index(axis)
    if not -min(first.ndim, second.ndim) <= at < 0 and first.ndim != second.ndim:
        raise ValueError("the axis is counted from the end where ranks differ")
    first, second = moveaxis(first, at, -1), moveaxis(second, at, -1)
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(f"{x1.describe()} and {x2.describe()} have vectors of other lengths")
    return _inner(conj(first) if first.dtype.kind == "c" else first, second)


def tensordot(
    x1: Tensor,
    x2: Tensor,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Tensor:
    """Multiply and add up over axes: one product of matrices."""
    if isinstance(axes, int):
        left = list(range(x1.ndim - axes, x1.ndim))
        right = list(range(axes))
    else:
        left, right = axes_of(list(axes[0]), x1.ndim), axes_of(list(axes[1]), x2.ndim)
    free1 = [a for a in range(x1.ndim) if a not in left]
    free2 = [a for a in range(x2.ndim) if a not in right]
    if [x1.shape[a] for a in left] != [x2.shape[a] for a in right]:
        raise ValueError("axes that are added up over have different extents")
    inner = math.prod(x1.shape[a] for a in left)
    rows, columns = [x1.shape[a] for a in free1], [x2.shape[a] for a in free2]
    a = reshape(permute_dims(x1, (*free1, *left)), (math.prod(rows), inner))
    b = reshape(permute_dims(x2, (*right, *free2)), (inner, math.prod(columns)))
    return matmul(a, b).reshape((*rows, *columns))


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply each element of a vector with each of another."""
    if array(x1).ndim != 1 or array(x2).ndim != 1:
        raise ValueError("vectors are needed")
    first, second = pair(x1, x2)
    return first[:, None] * second[None, :]


def cross(x1: Tensor, x2: Tensor, /, *, axis: SupportsIndex = -1) -> Tensor:
    """Return cross products (``aclnnLinalgCross``)."""
    first, second = pair(array(x1), array(x2))
    at = operator.index(axis)
    if not -min(first.ndim, second.ndim) <= at < max(first.ndim, second.ndim):
        raise ValueError(f"axis {at} is out of bounds")
    shape = np.broadcast_shapes(first.shape, second.shape)
    if first.shape[at] != 3 or second.shape[at] != 3:
        raise ValueError("vectors of three elements are needed")
    first, second = first.broadcast_to(shape), second.broadcast_to(shape)
    return ops.linalg_cross(first, second, at)


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """Return a view of diagonals."""
    if array(x).ndim < 2:
        raise ValueError(f"a matrix is needed, not {x.describe()}")
    rows, columns = x.shape[-2:]
    down, across = x.strides[-2:]
    row, column = max(-offset, 0), max(offset, 0)
    count = max(0, min(rows - row, columns - column))
    start = x.offset + (row * down + column * across if count else 0)
    return Tensor(
        x.buffer, (*x.shape[:-2], count), x.dtype, (*x.strides[:-2], down + across), start
    )


def trace(x: Tensor, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """Add diagonals up."""
    return statistics.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def _adjoint(x: Tensor) -> Tensor:
    return conj(x).mT if x.dtype.kind == "c" else x.mT


def _square(x: Tensor) -> Tensor:
    if array(x).ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"a square matrix is needed, not {x.describe()}")
    return x


def slogdet(x: Tensor, /) -> SlogdetResult:
    """Return signs and logarithms of determinants (``aclnnSlogdet``)."""
    if _square(x).size == 0:
        shape = x.shape[:-2]
        one = zeros(shape, dtype=x.dtype, device=x.device) + 1
        return SlogdetResult(one, zeros(shape, dtype=one.real.dtype, device=x.device))
    sign, logarithm = ops.slogdet(x)
    return SlogdetResult(sign, logarithm.real)


def det(x: Tensor, /) -> Tensor:
    """Return determinants, from `slogdet`."""
    sign, logarithm = slogdet(x)
    return sign * exp(logarithm)


def inv(x: Tensor, /) -> Tensor:
    """Return inverses (``aclnnInverse``)."""
    return x.copy() if _square(x).size == 0 else ops.inverse(x)


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Solve systems of equations: a QR decomposition, and ``aclnnTriangularSolve``."""
    matrix, right = pair(_square(x1), array(x2))
    if right.ndim == 1:
        return solve(matrix, right[:, None])[..., 0]
    batch = np.broadcast_shapes(matrix.shape[:-2], right.shape[:-2])
    shape = (*batch, *right.shape[-2:])
    if 0 in (*shape, *matrix.shape):
        return zeros(shape, dtype=matrix.dtype, device=matrix.device)
    q, r = qr(matrix)
    turned = matmul(_adjoint(q), right).broadcast_to(shape).contiguous()
    r = r.broadcast_to((*batch, *r.shape[-2:])).contiguous()
    return ops.triangular_solve(turned, r, True, False, False)[0]


def qr(x: Tensor, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Decompose into an orthonormal and a triangular matrix (``aclnnLinalgQr``)."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"mode is 'reduced' or 'complete', not {mode!r}")
    rows, columns = array(x).shape[-2:]
    if x.size == 0:
        inner = min(rows, columns) if mode == "reduced" else rows
        q = zeros((*x.shape[:-1], inner), dtype=x.dtype, device=x.device)
        if rows and inner:
            q += eye(rows, inner, dtype=x.dtype, device=x.device)
        return QRResult(q, zeros((*x.shape[:-2], inner, columns), dtype=x.dtype, device=x.device))
    return QRResult(*ops.linalg_qr(x, 1 if mode == "complete" else 0))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """Decompose into singular vectors and values (``aclnnSvd``)."""
    rows, columns = array(x).shape[-2:]
    if x.size == 0:
        few = min(rows, columns)
        left, right = (rows, columns) if full_matrices else (few, few)
        batch = x.shape[:-2]
        u = zeros((*batch, rows, left), dtype=x.dtype, device=x.device)
        v = zeros((*batch, right, columns), dtype=x.dtype, device=x.device)
        if u.size:
            u += eye(rows, left, dtype=x.dtype, device=x.device)
        if v.size:
            v += eye(right, columns, dtype=x.dtype, device=x.device)
        return SVDResult(u, empty((*batch, few), dtype=u.real.dtype, device=x.device), v)
    values, u, v = ops.svd(x, full_matrices, True)
    return SVDResult(u, values.real, _adjoint(v))


def svdvals(x: Tensor, /) -> Tensor:
    """Return singular values, descending."""
    return svd(x, full_matrices=False).S


def eigh(x: Tensor, /) -> EighResult:
    """Decompose symmetric matrices.

    CANN has no operator for it. A matrix shifted by its norm is positive; the singular vectors and
    values of that, from ``aclnnSvd``, are its eigenvectors and shifted eigenvalues.
    """
    if _square(x).size == 0:
        values = empty(x.shape[:-1], dtype=x.real.dtype, device=x.device)
        return EighResult(values, x.copy())
    # Of the lower triangle's mean with the upper one: exactly symmetric.
    symmetric = (x + _adjoint(x)) / 2
    shift = matrix_norm(symmetric, keepdims=True)
    identity = eye(x.shape[-1], dtype=x.dtype, device=x.device)
    u, values, _ = svd(symmetric + identity * shift.astype(x.dtype, copy=False))
    return EighResult(flip(values - shift[..., 0], axis=-1), flip(u, axis=-1))


def eigvalsh(x: Tensor, /) -> Tensor:
    """Return eigenvalues of symmetric matrices, ascending; see `eigh`."""
    return eigh(x).eigenvalues


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """Decompose positive matrices (``aclnnLinalgCholesky``); column by column in other dtypes."""
    if _square(x).size == 0:
        return x.copy()
    if x.dtype == np.float32 and x.ndim >= 2:
        return ops.linalg_cholesky(x, upper)
    lower = zeros(x.shape, dtype=x.dtype, device=x.device)
    for n in range(x.shape[-1]):
        row = lower[..., n, :n]
        rest = matmul(lower[..., n:, :n], conj(row)[..., None])[..., 0] if n else 0
        column = x[..., n:, n] - rest
        lower[..., n:, n] = column / sqrt(column[..., :1])
    return _adjoint(lower).copy() if upper else lower


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Multiply a matrix with itself, by squares."""
    power = operator.index(n)
    if power < 0:
        return matrix_power(inv(x), -power)
    result, square = None, _square(x)
    while power:
        if power & 1:
            result = square if result is None else matmul(result, square)
        power >>= 1
        square = matmul(square, square) if power else square
    if result is None:
        unit = eye(x.shape[-1], dtype=x.dtype, device=x.device)
        return unit.broadcast_to(x.shape).copy()
    return result.copy() if result is x else result


def vector_norm(
    x: Tensor,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Tensor:
    """Return norms of vectors."""
    axes = axes_of(axis, array(x).ndim)
    sizes = absolute(x)
    if sizes.dtype.kind in "biu":
        sizes = sizes.astype("float32")
    if ord == math.inf:
        return statistics.max(sizes, axis=axes, keepdims=keepdims)
    if ord == -math.inf:
        return statistics.min(sizes, axis=axes, keepdims=keepdims)
    if ord == 0:
        counted = statistics.count_nonzero(sizes, axis=axes, keepdims=keepdims)
        return counted.astype(sizes.dtype)
    if ord == 1:
        return statistics.sum(sizes, axis=axes, keepdims=keepdims)
    if ord == 2:
        return sqrt(statistics.sum(sizes * sizes, axis=axes, keepdims=keepdims))
    return statistics.sum(sizes**ord, axis=axes, keepdims=keepdims) ** (1 / ord)


def matrix_norm(
    x: Tensor,
    /,
    *,
    keepdims: bool = False,
    ord: float | Literal["fro", "nuc"] | None = "fro",
) -> Tensor:
    """Return norms of matrices."""
    if array(x).ndim < 2:
        raise ValueError(f"a matrix is needed, not {x.describe()}")
    if ord in ("fro", None):
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord in ("nuc", 2, -2):
        values = svdvals(x)
        kinds = {"nuc": statistics.sum, 2: statistics.max, -2: statistics.min}
        result = kinds[ord](values, axis=-1)
        return result[..., None, None] if keepdims else result
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"{ord!r} is no norm of matrices")
    assert isinstance(ord, (int, float))
    along, across = (-2, -1) if abs(ord) == 1 else (-1, -2)
    sums = statistics.sum(absolute(x), axis=along, keepdims=True)
    extreme = statistics.max if ord > 0 else statistics.min
    result = extreme(sums, axis=across, keepdims=True)
    return result if keepdims else result[..., 0, 0]


def _cut(values: Tensor, rtol: Any, shape: tuple[int, ...]) -> Tensor:
    """Return below which singular values count as zero."""
    if rtol is None:
        rtol = max(shape[-2:]) * float(np.finfo(values.dtype).eps)
    largest = statistics.max(values, axis=-1, keepdims=True)
    return largest * (rtol[..., None] if isinstance(rtol, Tensor) else rtol)


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Count the singular values that are not as good as zero."""
    if array(x).size == 0:
        return zeros(x.shape[:-2], dtype="int64", device=x.device)
    values = svdvals(x)
    return statistics.count_nonzero(values > _cut(values, rtol, x.shape), axis=-1)


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Return pseudo-inverses, from `svd`."""
    if array(x).size == 0:
        return x.mT.copy()
    u, values, right = svd(x, full_matrices=False)
    kept = values > _cut(values, rtol, x.shape)
    inverse = where(kept, 1.0 / where(kept, values, 1.0), 0.0).astype(x.dtype, copy=False)
    return matmul(_adjoint(right) * inverse[..., None, :], _adjoint(u))
