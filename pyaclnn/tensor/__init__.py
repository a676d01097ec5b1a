"""libnnopbase: dtypes, tensors, and the other argument objects of aclnn."""

from __future__ import annotations

from pyaclnn.tensor.creation import (
    asarray,
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from pyaclnn.tensor.dtypes import acl_dtype, as_dtype, bfloat16, dtype_of_code
from pyaclnn.tensor.handles import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
    TensorHandle,
)
from pyaclnn.tensor.lists import ScalarList, TensorList
from pyaclnn.tensor.pinned import empty_pinned
from pyaclnn.tensor.received import from_dlpack
from pyaclnn.tensor.tensor import Tensor
from pyaclnn.tensor.trimmed import trimmed

__all__ = [
    "BoolArray",
    "FloatArray",
    "IntArray",
    "Scalar",
    "ScalarList",
    "Tensor",
    "TensorHandle",
    "TensorList",
    "acl_dtype",
    "as_dtype",
    "asarray",
    "bfloat16",
    "dtype_of_code",
    "empty",
    "empty_like",
    "empty_pinned",
    "from_dlpack",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "trimmed",
    "zeros",
    "zeros_like",
]
