"""Plan: phase 1 once, phase 2 many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pyaclnn import abi
from pyaclnn.abi import ClosedError, ffi, lib
from pyaclnn.ops import two_phase
from pyaclnn.ops.checks import note_use, tensors_of
from pyaclnn.ops.held import Held, close_dropped
from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.ops.sequence import PlanSequence
from pyaclnn.ops.slot import TensorSlot
from pyaclnn.runtime import Buffer, Stream
from pyaclnn.runtime.current import queue_of, state
from pyaclnn.runtime.native_handle import not_copied
from pyaclnn.runtime.timeline import Timeline
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.cached import tensor_list_handle
from pyaclnn.tensor.descriptions import FORMAT_ND
from pyaclnn.tensor.handles import TensorHandle

if TYPE_CHECKING:
    from pyaclnn.ops.operator import Operator

#: How many other streams the tensors are known to be used on, at most.
_KNOWN_STREAMS = 64


class Plan:
    """An operator with its arguments, prepared to run many times.

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
        close_dropped()
        self._held = Held(self)
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
        self._pick = operator.result
        # In a list, where rebinding changes it for the compiled run as well.
        self._result: list[Any] = [operator.result(values)]
        # Of the other streams that the present tensors are known to be used on.
        self._known: set[Timeline] = set()
        self._run: Callable[[Plan, Stream | None], Any] = Plan._run_checked
        try:
            self._plan()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def sequence(plans: Iterable[Plan]) -> PlanSequence:
        """Return several plans as one that runs them in order; see :class:`PlanSequence`."""
        return PlanSequence(plans)

    def _plan(self) -> None:
        held = self._held
        self._c_arguments = self._operator.convert(tuple(self._values), self._keep)
        slots: dict[str, TensorSlot] = {}
        acl_format = FORMAT_ND if self._operator.c_name in ONLY_ND else None
        for position, value in enumerate(self._values):
            own: Any = None
            if value.__class__ is Tensor:
                own = TensorHandle(value, acl_format)
            elif self._arguments[position].kind == "tensor_list" and value is not None:
                own = tensor_list_handle(value, acl_format)
            if own is not None:
                self._c_arguments[position] = own.handle
                held.handles.append(own)
            if value.__class__ is Tensor:
                slot = TensorSlot(self._arguments, position, value, own, held)
                slots[slot.argument] = slot
        self._hold_all(slots)
        cells = held.cells = two_phase.take_out_parameters(self._phase1)
        name = self._operator.c_name + "GetWorkspaceSize"
        shown = self._values
        self.workspace_size = two_phase.phase_1(self._phase1, name, self._c_arguments, cells, shown)
        status = lib.aclSetAclOpExecutorRepeatable(cells[1][0])
        if status:
            self.reason = abi.describe_status(status, "aclSetAclOpExecutorRepeatable")
            two_phase.destroy(cells)
            self._bind_planning_run()
            return
        held.executor = cells[1][0]
        self.reused = True
        self._workspace = Buffer(self.workspace_size, self._stream)
        self._bind_run()

    def _hold_all(self, slots: dict[str, TensorSlot]) -> None:
        """Hold the memory of all tensors: none may be freed by hand while the plan may run."""
        for tensor in tensors_of(self._values):
            note_use(tensor, self._stream)
        held = self._held
        # Nothing is refused any more: what is held is what `close` lets go of.
        held.slots = slots
        for slot in slots.values():
            slot.buffer.pins.append(held)
        for value in self._values:
            if value.__class__ is not Tensor:
                for tensor in tensors_of([value]):
                    held.buffers.append(tensor.buffer)
                    tensor.buffer.pins.append(held)

    def _bind_run(self) -> None:
        """Let ``run`` be one C call with fixed arguments, as far as that goes.

        All that a run on the planned stream needs is known. `_run_checked`, which looks it up,
        takes 1.0 µs beside the call, this takes 0.1. The thread may have no context, or that of
        another device. CANN refuses the call then, and `_run_checked` knows what to do; asking
        first would take another 0.04 µs. On another stream, it notes once that the tensors are used
        there.
        """
        assert self._workspace is not None
        phase2, executor = self._phase2, self._held.executor
        workspace, size = self._workspace.pointer, self.workspace_size
        handle, device, result = self._stream.handle, self._stream.device, self._result
        known = self._known

        # It does not keep the plan, for a plan that is dropped shall close at once.
        def run(plan: Plan, stream: Stream | None) -> Any:
            status = 0
            if stream is None:
                status = phase2(workspace, size, executor, handle)
                if not status:
                    return result[0]
            else:
                try:
                    there = stream._handle if stream.timeline in known else None
                    if stream.capture is not None:
                        there = None
                except AttributeError:  # no stream, which the method says
                    there = None
                if there is not None:
                    if size:
                        # Not the plan's own workspace: runs on two streams may overlap.
                        with stream.lock:
                            status = phase2(stream.workspace(size), size, executor, stream.handle)
                    else:
                        status = phase2(workspace, 0, executor, there)
                    if not status:
                        return result[0]
            if status:
                if state.bound is device:
                    abi.check(status, name, plan._values)
                abi.recent_message()  # the refusal's, which must not turn up in the next error
            return plan._run_checked(stream)

        name = self._operator.c_name
        self._run = run
        # Neither a closed stream nor a forked child may be met by it.
        self._stream.dependents.add(self)

    def _bind_planning_run(self) -> None:
        """Do the same where every run plans anew: both phases with what C takes kept."""
        phase1, phase2, c_name = self._phase1, self._phase2, self._operator.c_name
        own, device, result = self._stream, self._stream.device, self._result
        cells, values = self._held.cells, self._values
        assert cells is not None
        arguments = (*self._c_arguments, *cells)

        def run(plan: Plan, stream: Stream | None) -> Any:
            if stream is None and state.bound is device:
                try:
                    status = phase1(*arguments)
                    if status:
                        cells[1][0] = ffi.NULL
                        abi.check(status, c_name + "GetWorkspaceSize", values)
                    two_phase.execute(phase2, c_name, cells, own, values)
                except BaseException:
                    two_phase.destroy(cells)
                    raise
                return result[0]
            return plan._run_checked(stream)

        self._run = run
        own.dependents.add(self)

    def detach(self) -> None:
        """Drop what was looked up; called when the stream is closed, and in a forked child."""
        self._run = Plan._run_checked

    def attach(self) -> None:
        """Keep again what a run needs, after a capture of the stream."""
        if self.reused and self._held.executor is not None:
            self._bind_run()
        elif not self.reused and not self._held.closed:
            self._bind_planning_run()

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
        return self._held.executor

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` ran."""
        return self._held.closed

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
        return self._run(self, stream)

    def _run_checked(self, stream: Stream | None) -> Any:
        """Run with everything looked up."""
        if self._held.closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        stream = queue_of(self._stream if stream is None else stream)
        for tensor in tensors_of(self._values):
            note_use(tensor, stream)
        if len(self._known) >= _KNOWN_STREAMS:
            self._known.clear()
        self._known.add(stream.timeline)
        executor = self._held.executor
        if executor is None:
            self.workspace_size = two_phase.run(
                self._phase1, self._phase2, self._operator.c_name, self._c_arguments, stream,
                self._values,
            )  # fmt: skip
        else:
            self._run_again(executor, stream)
        return self.outputs

    def _run_again(self, executor: Any, stream: Stream) -> None:
        size = self.workspace_size
        if size == 0:
            status = self._phase2(ffi.NULL, 0, executor, stream.handle)
        else:
            # Not the plan's own workspace: runs on two streams may overlap.
            with stream.lock:
                status = self._phase2(stream.workspace(size), size, executor, stream.handle)
        if status:
            abi.check(status, self._operator.c_name, self._values)

    def rebind(self, /, **tensors: Tensor) -> Plan:
        """Bind other tensors of the same shape, strides, offset and dtype for the next runs.

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
        slots, executor = self._held.slots, self._held.executor
        for name, tensor in tensors.items():
            slot = slots.get(name)
            # The good case in one expression, without properties: 0.2 µs of 1.
            if (
                slot is None
                or tensor.__class__ is not Tensor
                or tensor._memory is None
                or tensor._memory.stream_while_open is not self._stream
                or (tensor._form is not slot.form and not slot.fits(tensor))
            ):
                self._check_replacement(name, tensor)
        for name, tensor in tensors.items():
            slot = slots[name]
            buffer: Any = tensor._memory
            if buffer.__class__ is not Buffer:
                # Held by the plan, also when the program closes the tensor.
                buffer = tensor.buffer
            # Both stay until C knows of the new one only, whatever comes between.
            slot.next = buffer
            if executor is None:
                slot.describe(buffer)
            else:
                status = slot.setter(executor, slot.index, slot.handle, buffer.pointer)
                if status:
                    abi.check(status, slot.name, [executor, slot.index, slot.handle, tensor])
            if buffer is not slot.buffer:
                slot.hold(buffer)
                self._known.clear()
            slot.next = None
            self._values[slot.position] = tensor
            if slot.is_result:
                self._result[0] = self._pick(self._values)
        return self

    def _slot(self, name: str) -> TensorSlot:
        if self._held.closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        slot = self._held.slots.get(name)
        if slot is None:
            raise TypeError(
                f"{self._operator.name}: {name!r} is no tensor of this plan; "
                f"there are: {', '.join(self._held.slots)}"
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
        if self._held.closed:
            return
        self.detach()  # what is looked up then is that it is closed
        self._held.close()
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
        # At once; what a signal breaks off here is left to the next plan.
        held: Held | None = getattr(self, "_held", None)
        if held is not None:
            try:
                held.close()
            except Exception as error:
                abi.warn_cleanup(f"{self!r} was not closed: {error!r}")

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(
            self, f"it owns one executor; plan once more: ops.{self._operator.name}.plan(...)"
        )

    def __repr__(self) -> str:
        state = "closed" if self.closed else "reused" if self.reused else "planned on every run"
        return f"<pyaclnn plan of {self._operator.name}, {state}>"
