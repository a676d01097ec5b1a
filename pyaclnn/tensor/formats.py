"""Tensors in formats or data types of CANN that NumPy lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyaclnn.abi import index
from pyaclnn.tensor.descriptions import override_description
from pyaclnn.tensor.dtypes import data_type
from pyaclnn.tensor.tensor import Tensor
from pyaclnn.tensor.views import contiguous_strides

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def with_format(
    tensor: Tensor,
    format: str | int = "ND",
    *,
    shape: Sequence[int] | None = None,
    storage_shape: Sequence[int] | None = None,
    dtype: DTypeLike | int | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    """Return a tensor over the same memory with another format or data type for aclnn.

    Parameters
    ----------
    tensor : Tensor
        The memory and how Python sees it.
    format : str or int
        ``"NCHW"``, ``"FRACTAL_NZ"`` and so on, or the aclFormat itself.
    shape : sequence of int, optional
        The shape that aclnn sees, where elements are smaller than a byte.
    storage_shape : sequence of int, optional
        Shape of the memory in a private format; the tensor's shape if not given.
    dtype : dtype-like or int, optional
        One that NumPy lacks, such as ``"int4"`` or ``"float8_e4m3fn"``; or an aclDataType.
    strides : sequence of int, optional
        Of `shape`, in elements, such as those of a transposed matrix; row-major if not given.

    Returns
    -------
    Tensor
        A view; Python sees the dtype and shape of `tensor`.

    Raises
    ------
    ValueError
        If the format is not known.
    ClosedError
        If the tensor is closed.
    """
    view = tensor.reshape(tensor.shape) if tensor.is_contiguous else tensor[...]
    code = _code(format) if isinstance(format, str) else format
    dims = tuple(tensor.shape if shape is None else shape)
    if strides is None:
        strides = tensor.strides if shape is None else contiguous_strides(dims)
    storage = dims if storage_shape is None else tuple(storage_shape)
    element = data_type(tensor.dtype if dtype is None else dtype)
    override_description(view, (dims, element, tuple(strides), code, storage))
    # Created now, so that CANN's refusal is raised here.
    _ = view.handle
    return view


def _code(name: str) -> int:
    word = "" if name == "FRACTAL_Z_3D" else "FORMAT_"
    try:
        return int(index.value(f"ACL_{word}{name}"))
    except KeyError:
        raise ValueError(
            f"{name!r} is no format; acl_base.h has them as ACL_FORMAT_NCHW and so on"
        ) from None
