"""Plan: phase 1 once, phase 2 many times."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from pyaclnn import abi
from pyaclnn.abi import ClosedError, ffi, lib
from pyaclnn.ops import two_phase
from pyaclnn.ops.checks import note_use, tensors_of
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.handles import TensorHandle, tensor_list_handle
from pyaclnn.tensor.registry import adopt, release

if TYPE_CHECKING:
    from pyaclnn.ops.operator import Operator


class Plan:
    """An operator with its arguments, ready to run again and again.

    Made by :meth:`Operator.plan`. CANN's executor is made repeatable where CANN agrees; where it
    refuses (an identical call was planned before and is in its operator cache, the operator runs on
    the AI CPU, ...), every run plans anew, ``reused`` is False and ``reason`` says why.

    A plan belongs to one thread at a time.

    Attributes
    ----------
    reused : bool
        Whether phase 1 is spared on every run.
    reason : str
        Why not, or empty.
    workspace_size : int
        Bytes of device memory a run borrows from its stream.
    outputs : Tensor or tuple of Tensor
        What a run writes.
    """

    def __init__(
        self,
        operator: Operator,
        values: tuple[Any, ...],
        stream: Stream,
    ) -> None:
        self._closed = False
        self._executor: Any = None
        # The plan's own descriptors: rebinding changes their addresses, and the tensors' must stay.
        self._handles: list[Any] = []
        self._operator = operator
        self._stream = stream
        self._phase1, self._phase2 = operator.resolve()
        self._arguments = operator.spec.arguments
        self._positions = {a.name: i for i, a in enumerate(self._arguments)}
        self._values = list(values)
        self._keep: list[object] = []
        self._c_arguments: list[Any] = []
        self.reused = False
        self.reason = ""
        self.workspace_size = 0
        self._plan()

    def _plan(self) -> None:
        self._c_arguments = self._operator.convert(tuple(self._values), self._keep)
        for position, value in enumerate(self._values):
            own: Any = None
            if value.__class__ is Tensor:
                own = TensorHandle(value)
            elif self._arguments[position].kind == "tensor_list" and value is not None:
                own = tensor_list_handle(value)
            if own is not None:
                self._c_arguments[position] = own.handle
            self._handles.append(own)
        executor, self.workspace_size = self._phase_one()
        status = lib.aclSetAclOpExecutorRepeatable(executor)
        if status:
            self.reason = abi.describe_status(status, "aclSetAclOpExecutorRepeatable")
            two_phase.destroy_executor(executor)
            return
        # Adopted after the descriptors, so destroyed before them at interpreter exit too.
        self._executor = adopt(
            executor,
            lib.aclDestroyAclOpExecutor,
            self._operator.c_name,
            "aclDestroyAclOpExecutor",
        )
        self.reused = True

    def _phase_one(self) -> tuple[Any, int]:
        name = self._operator.c_name + "GetWorkspaceSize"
        return two_phase.plan(self._phase1, name, self._c_arguments, self._values)

    @property
    def outputs(self) -> Any:
        """The tensors a run writes: one, or a tuple in C order."""
        return self._operator.result(self._values)

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` ran."""
        return self._closed

    def run(self, stream: Stream | None = None) -> Any:
        """Enqueue the operator.

        Parameters
        ----------
        stream : Stream, optional
            The stream it was planned on by default.

        Returns
        -------
        Tensor or tuple of Tensor
            The outputs, valid after the stream is synchronised.

        Raises
        ------
        ClosedError
            After :meth:`close`.
        AclError
            Where CANN refuses.
        """
        if self._closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        stream = (self._stream if stream is None else stream).activated()
        for tensor in tensors_of(self._values):
            if tensor.buffer.stream is not stream:
                note_use(tensor, stream)
        if self._executor is None:
            executor, self.workspace_size = self._phase_one()
            two_phase.execute(
                self._phase2, self._operator.c_name, executor, self.workspace_size, stream,
                self._values,
            )  # fmt: skip
        else:
            self._run_again(stream)
        return self.outputs

    def _run_again(self, stream: Stream) -> None:
        size = self.workspace_size
        if size == 0:
            status = self._phase2(ffi.NULL, 0, self._executor, stream.handle)
        else:
            with stream.lock:
                status = self._phase2(stream.workspace(size), size, self._executor, stream.handle)
        if status:
            abi.check(status, self._operator.c_name, self._values)

    def rebind(self, /, **tensors: Tensor) -> Plan:
        """Let the next runs use other tensors of the same description.

        Parameters
        ----------
        **tensors : Tensor
            Parameter name to tensor; shape, strides, offset, dtype and device as planned.

        Returns
        -------
        Plan
            This one.

        Raises
        ------
        TypeError
            For a name that is no tensor parameter, or a value that is no tensor.
        ValueError
            For a tensor of another description.
        ClosedError
            After :meth:`close`.
        """
        if self._closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        replaced = [(self._replaceable(name, t), t) for name, t in tensors.items()]
        for position, tensor in replaced:
            self._set_address(position, tensor)
            self._values[position] = tensor
        return self

    def _replaceable(self, name: str, tensor: Tensor) -> int:
        position = self._positions.get(name, -1)
        planned = self._values[position] if position >= 0 else None
        if planned.__class__ is not Tensor:
            tensors = [n for n, i in self._positions.items() if self._values[i].__class__ is Tensor]
            raise TypeError(
                f"{self._operator.name}: {name!r} is no tensor of this plan; "
                f"there are: {', '.join(tensors)}"
            )
        if tensor.__class__ is not Tensor:
            raise TypeError(
                f"{self._operator.name}: {name} must be a pyaclnn.Tensor, "
                f"not {type(tensor).__name__}"
            )
        same = (
            tensor.shape == planned.shape
            and tensor.strides == planned.strides
            and tensor.offset == planned.offset
            and tensor.dtype == planned.dtype
            and tensor.device is planned.device
        )
        if not same:
            raise ValueError(
                f"{self._operator.name}: {name} was planned as {planned.describe()}, "
                f"{tensor.describe()} needs a plan of its own"
            )
        return position

    def _set_address(self, position: int, tensor: Tensor) -> None:
        own = self._handles[position]
        address = ffi.cast("void *", tensor.buffer.ptr)
        if self._executor is None:
            status, name = lib.aclSetRawTensorAddr(own.handle, address), "aclSetRawTensorAddr"
        else:
            # CANN counts inputs and outputs separately, None and lists included.
            written = self._arguments[position].output
            index = sum(
                1
                for a in self._arguments[:position]
                if a.output == written and a.kind in ("tensor", "tensor_list")
            )
            name = "aclSetOutputTensorAddr" if written else "aclSetInputTensorAddr"
            status = getattr(lib, name)(self._executor, index, own.handle, address)
        if status:
            abi.check(status, name, [index, tensor] if self._executor is not None else [tensor])

    def close(self) -> None:
        """Destroy the executor and the descriptors; calling it again does nothing."""
        if self._closed:
            return
        self._closed = True
        executor, self._executor = self._executor, None
        if executor is not None:
            release(executor)
        for handle in self._handles:
            if handle is not None:
                handle.close()
        self._handles.clear()

    def __enter__(self) -> Plan:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if not getattr(self, "_closed", True):
            self.close()

    def __repr__(self) -> str:
        state = "closed" if self._closed else "reused" if self.reused else "planned on every run"
        return f"<pyaclnn plan of {self._operator.name}, {state}>"
