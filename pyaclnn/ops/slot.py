"""A tensor parameter of a plan: which tensors it accepts, and its aclTensor."""

from __future__ import annotations

from contextlib import suppress

from pyaclnn import abi
from pyaclnn.abi import lib
from pyaclnn.ops.spec import Argument
from pyaclnn.runtime import Buffer
from pyaclnn.runtime.pool import Pin
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.handles import TensorHandle


class TensorSlot:
    """One tensor parameter.

    Parameters
    ----------
    arguments : tuple of Argument
        All of the operator, in C order.
    position : int
        Which of them.
    tensor : Tensor
        What it was planned with.
    own : TensorHandle
        The plan's descriptor of it.
    pin : Pin
        What holds its memory.
    """

    __slots__ = (
        "argument",
        "buffer",
        "dtype",
        "form",
        "handle",
        "index",
        "is_result",
        "name",
        "next",
        "offset",
        "pin",
        "position",
        "setter",
        "shape",
        "strides",
    )

    def __init__(
        self,
        arguments: tuple[Argument, ...],
        position: int,
        tensor: Tensor,
        own: TensorHandle,
        pin: Pin,
    ) -> None:
        argument = arguments[position]
        self.position = position
        self.argument = argument.name
        self.pin = pin
        self.buffer = tensor.buffer
        #: What C was told, or is about to be told, while `buffer` is what it knew before.
        self.next: Buffer | None = None
        self.shape, self.strides = tensor.shape, tensor.strides
        self.offset, self.dtype = tensor.offset, tensor.dtype
        #: That of the tensors which are the whole of their memory; no tensor has what a view gets.
        self.form: object = tensor._form or object()
        self.handle = own.handle
        # CANN counts inputs and outputs separately, None and lists included.
        self.index = sum(
            1
            for a in arguments[:position]
            if a.output == argument.output and a.kind in ("tensor", "tensor_list")
        )
        self.name = "aclSetOutputTensorAddr" if argument.output else "aclSetInputTensorAddr"
        self.setter = getattr(lib, self.name)
        self.is_result = argument.output

    def describe(self, buffer: Buffer) -> None:
        """Set the address of the descriptor for the next phase 1."""
        status = lib.aclSetRawTensorAddr(self.handle, buffer.pointer)
        abi.check(status, "aclSetRawTensorAddr", [self.handle, buffer.pointer])

    def fits(self, tensor: Tensor) -> bool:
        """Whether a tensor has the planned shape, strides, offset and dtype."""
        return (
            tensor.shape == self.shape
            and tensor.strides == self.strides
            and tensor.offset == self.offset
            and tensor.dtype == self.dtype
        )

    def hold(self, buffer: Buffer) -> None:
        """Prevent this memory from being closed, and release the memory bound before."""
        buffer.pins.append(self.pin)
        self.let_go()
        self.buffer = buffer

    def let_go(self) -> None:
        """Allow the memory to be closed; calling it again does nothing."""
        with suppress(ValueError):
            self.buffer.pins.remove(self.pin)
