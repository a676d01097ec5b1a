"""What other libraries see of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyaclnn.abi.dlpack import NPU
from pyaclnn.runtime import Stream
from pyaclnn.runtime.beside_torch import import_torch
from pyaclnn.tensor.calculable import as_tensor
from pyaclnn.tensor.dlpack import UNSAID, stream_number, to_capsule

if TYPE_CHECKING:
    import torch


class Shareable:
    """What a tensor offers to libraries that take its memory as it is."""

    __slots__ = ()

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = UNSAID,
        copy: bool | None = None,
    ) -> Any:
        """Hand the memory over to another library, which keeps it as long as it needs it.

        Parameters
        ----------
        stream : int, optional
            The consumer's ``aclrtStream``, which waits for the work on this tensor; the memory is
            not reused before the stream has run what it has then. -1 for no order at all. Without
            it, the work is waited for here.
        max_version : (int, int), optional
            The newest protocol the consumer knows.
        dl_device : (int, int), optional
            Where it is wanted: it is ``(12, index)``, kDLExtDev.
        copy : bool, optional
            True for memory of its own.

        Returns
        -------
        capsule
            Of the name ``dltensor`` or ``dltensor_versioned``.

        Raises
        ------
        BufferError
            If it is wanted in host memory, as ``numpy.from_dlpack`` does.
        ClosedError
            If the tensor is closed.
        """
        return to_capsule(as_tensor(self), stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return kDLExtDev, as torch_npu calls an NPU, and the index of the device."""
        return NPU, as_tensor(self).device.index

    def torch(self) -> torch.Tensor:
        """Return a torch_npu tensor over the same memory, which it keeps alive.

        torch's current stream waits for the work on this tensor. What other streams of torch do
        with it must be waited for before the torch tensor is dropped.

        Raises
        ------
        ImportError
            If torch_npu is not installed.
        """
        module, _ = import_torch()
        stream = Stream.from_torch(as_tensor(self).device)
        capsule = self.__dlpack__(stream=stream_number(stream))
        tensor: torch.Tensor = module.utils.dlpack.from_dlpack(capsule)
        return tensor
