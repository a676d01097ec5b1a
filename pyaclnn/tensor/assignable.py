"""Writing and copying the elements of tensors on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.tensor.calculable import as_tensor, call
from pyaclnn.tensor.dtypes import as_dtype

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from pyaclnn.tensor.tensor import Tensor


class Assignable:
    """What a tensor offers to change and to copy its elements, on the current stream."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        view: Tensor = self[key]  # type: ignore[index]
        if isinstance(value, Assignable):
            call("inplace_copy", view, value)
        else:
            view.fill_(value)

    def fill_(self, value: complex | np.generic) -> Tensor:
        """Give all elements one value (``aclnnInplaceFillScalar``), and return the tensor.

        Parameters
        ----------
        value : number
            Converted to the dtype as CANN converts an ``aclScalar``.

        Raises
        ------
        TypeError
            If it is no number.
        """
        if isinstance(value, (np.ndarray, list, tuple)):
            raise TypeError(
                f"a number or a pyaclnn.Tensor is needed, not {type(value).__name__}: values of "
                "the host are not copied unasked; use pyaclnn.asarray(value), or copy_from(value)"
            )
        call("inplace_fill_scalar", self, value)
        return as_tensor(self)

    def copy(self) -> Tensor:
        """Return a row-major tensor with memory of its own and the same values (``aclnnCast``)."""
        return call("cast", self, as_tensor(self).dtype)

    def contiguous(self) -> Tensor:
        """Return the tensor itself if its elements lie row-major without gaps, else a copy."""
        this = as_tensor(self)
        return this if this.is_contiguous else self.copy()

    def astype(self, dtype: DTypeLike, copy: bool = True) -> Tensor:
        """Return the values in another dtype (``aclnnCast``).

        Parameters
        ----------
        dtype : dtype-like
            Wanted.
        copy : bool
            Copy even if it has that dtype already.

        Raises
        ------
        AclParameterError
            If CANN does not convert between the two on this chip.
        """
        wanted = as_dtype(dtype)
        this = as_tensor(self)
        if wanted is this.dtype:
            return self.copy() if copy else this
        return call("cast", self, wanted)

    def tolist(self) -> Any:
        """Wait for the work on this tensor and return its values as nested lists of numbers."""
        return as_tensor(self).numpy().tolist()
