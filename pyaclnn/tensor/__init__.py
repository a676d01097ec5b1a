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
from pyaclnn.tensor.data_dependent import filled_part
from pyaclnn.tensor.dtypes import acl_dtype, as_dtype, bfloat16, dtype_of_code
from pyaclnn.tensor.from_dlpack import from_dlpack
from pyaclnn.tensor.handles import (
    BoolArray,
    FloatArray,
    IntArray,
    Scalar,
    TensorHandle,
)
from pyaclnn.tensor.lists import ScalarList, TensorList
from pyaclnn.tensor.pinned import empty_pinned
from pyaclnn.tensor.tensor import Tensor

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
    "filled_part",
    "from_dlpack",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]
