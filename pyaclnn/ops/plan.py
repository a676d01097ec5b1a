"""Plan: phase 1 once, phase 2 many times."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pyaclnn import abi
from pyaclnn.abi import ClosedError, ffi, lib
from pyaclnn.ops import two_phase
from pyaclnn.ops.checks import note_use, tensors_of
from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.ops.sequence import PlanSequence
from pyaclnn.ops.slot import TensorSlot
from pyaclnn.runtime import Buffer, Stream
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.cached import tensor_list_handle
from pyaclnn.tensor.handles import FORMAT_ND, TensorHandle
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
        self._pinned: list[Buffer] = []
        self._operator = operator
        self._stream = stream
        self._phase1, self._phase2 = operator.resolve()
        self._arguments = operator.spec.arguments
        self._values = list(values)
        self._keep: list[object] = []
        self._c_arguments: list[Any] = []
        self._workspace: Buffer | None = None
        self.reused = False
        self.reason = ""
        self.workspace_size = 0
        self._slots: dict[str, TensorSlot] = {}
        self._pick = operator.result
        # In a list, where rebinding changes it for the compiled run as well.
        self._result: list[Any] = [operator.result(values)]
        self._plan()

    @staticmethod
    def sequence(plans: Iterable[Plan]) -> PlanSequence:
        """Return several plans as one that runs them in order; see :class:`PlanSequence`."""
        return PlanSequence(plans)

    def _plan(self) -> None:
        self._c_arguments = self._operator.convert(tuple(self._values), self._keep)
        for position, value in enumerate(self._values):
            own: Any = None
            if value.__class__ is Tensor:
                own = TensorHandle(value, FORMAT_ND if self._operator.c_name in ONLY_ND else None)
            elif self._arguments[position].kind == "tensor_list" and value is not None:
                own = tensor_list_handle(value)
            if own is not None:
                self._c_arguments[position] = own.handle
                self._handles.append(own)
            if value.__class__ is Tensor:
                slot = TensorSlot(self._arguments, position, value, own)
                self._slots[self._arguments[position].name] = slot
        self._pin_all()
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
        self._workspace = Buffer(self.workspace_size, self._stream)
        self._bind_run()

    def _pin_all(self) -> None:
        """Hold the memory of all tensors: none may be freed by hand while the plan may run."""
        for tensor in tensors_of(self._values):
            tensor.buffer.pin()
            if tensor.buffer.stream is not self._stream:
                note_use(tensor, self._stream)
        for value in self._values:
            if value.__class__ is not Tensor:
                self._pinned += [tensor.buffer for tensor in tensors_of([value])]

    def _bind_run(self) -> None:
        """Give this plan a ``run`` of its own, in front of the method.

        All that a run on the planned stream needs is known: one C call with fixed arguments. The
        method, which looks them up, takes 1.0 µs beside the call, this takes 0.1. Another thread
        may have no context, or that of another device. CANN refuses the call then, and the method
        knows what to do; asking for the thread before every call would take another 0.04 µs.
        """
        assert self._workspace is not None
        phase2, executor = self._phase2, self._executor
        workspace, size = self._workspace.pointer, self.workspace_size
        handle, result, thread = self._stream.handle, self._result, get_ident()
        # Weak, for a plan that is dropped shall close at once.
        plan = weakref.ref(self)

        def run(stream: Stream | None = None) -> Any:
            if stream is None:
                status = phase2(workspace, size, executor, handle)
                if not status:
                    return result[0]
                if get_ident() == thread:
                    this = plan()
                    abi.check(status, name, [] if this is None else this._values)
                # The text of the refusal must not turn up in the next error.
                abi.recent_message()
            this = plan()
            assert this is not None
            return Plan.run(this, stream)

        name = self._operator.c_name
        self.__dict__["run"] = run
        # Neither a closed stream nor a forked child may be met by it.
        self._stream.dependents.add(self)

    def detach(self) -> None:
        """Go back to the method; called when the stream is closed, and in a forked child."""
        self.__dict__.pop("run", None)

    def attach(self) -> None:
        """Have a ``run`` of its own again, after a capture of the stream."""
        if self._executor is not None:
            self._bind_run()

    def _phase_one(self) -> tuple[Any, int]:
        name = self._operator.c_name + "GetWorkspaceSize"
        return two_phase.plan(self._phase1, name, self._c_arguments, self._values)

    @property
    def stream(self) -> Stream:
        """The stream it was planned on, and runs on unless another is named."""
        return self._stream

    @property
    def outputs(self) -> Any:
        """The tensors a run writes: one, or a tuple in C order."""
        return self._result[0]

    @property
    def executor(self) -> Any:
        """The ``aclOpExecutor``, for the raw surface; None where every run plans anew."""
        return self._executor

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` ran."""
        return self._closed

    def tensor(self, name: str) -> Tensor:
        """Return the tensor that is bound to a parameter now.

        Raises
        ------
        TypeError
            For a name that is no tensor parameter of this plan.
        ClosedError
            After :meth:`close`.
        """
        tensor: Tensor = self._values[self._slot(name).position]
        return tensor

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
            # Not the plan's own workspace: runs on two streams may overlap.
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
        slots, executor = self._slots, self._executor
        for name, tensor in tensors.items():
            slot = slots.get(name)
            # The good case in one expression, without properties: 0.2 µs of 1.
            if (
                slot is None
                or tensor.__class__ is not Tensor
                or tensor._buffer is None
                or tensor._buffer.open_on is not self._stream
                or (tensor._form is not slot.form and not slot.fits(tensor))
            ):
                self._check_replacement(name, tensor)
        for name, tensor in tensors.items():
            slot = slots[name]
            buffer: Any = tensor._buffer
            if executor is None:
                slot.describe(buffer)
            else:
                status = slot.setter(executor, slot.index, slot.handle, buffer.pointer)
                if status:
                    abi.check(status, slot.name, [executor, slot.index, slot.handle, tensor])
            if buffer is not slot.buffer:
                slot.hold(buffer)
            self._values[slot.position] = tensor
            if slot.is_result:
                self._result[0] = self._pick(self._values)
        return self

    def _slot(self, name: str) -> TensorSlot:
        if self._closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        slot = self._slots.get(name)
        if slot is None:
            raise TypeError(
                f"{self._operator.name}: {name!r} is no tensor of this plan; "
                f"there are: {', '.join(self._slots)}"
            )
        return slot

    def _check_replacement(self, name: str, tensor: Tensor) -> None:
        slot = self._slot(name)
        if tensor.__class__ is not Tensor:
            raise TypeError(
                f"{self._operator.name}: {name} must be a pyaclnn.Tensor, "
                f"not {type(tensor).__name__}"
            )
        planned: Tensor = self._values[slot.position]
        tensor.buffer.check_open()
        if tensor.device is not self._stream.device or not slot.fits(tensor):
            raise ValueError(
                f"{self._operator.name}: {name} was planned as {planned.describe()}, "
                f"{tensor.describe()} needs a plan of its own"
            )
        note_use(tensor, self._stream)

    def close(self) -> None:
        """Destroy the executor and the descriptors; calling it again does nothing."""
        if self._closed:
            return
        self._closed = True
        # What is left is the method, which refuses.
        self.detach()
        for slot in self._slots.values():
            slot.buffer.unpin()
        self._slots.clear()
        while self._pinned:
            self._pinned.pop().unpin()
        executor, self._executor = self._executor, None
        if executor is not None:
            release(executor)
        for handle in self._handles:
            handle.close()
        self._handles.clear()
        self._workspace = None

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
