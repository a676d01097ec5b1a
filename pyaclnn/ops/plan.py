"""Plan: phase 1 once, phase 2 many times.

`TensorBinding` is a tensor parameter of a plan. `PlanResources` owns what a plan holds in C and
releases it, also where a signal interrupted the plan's finalizer.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any

from pyaclnn import abi
from pyaclnn.abi import ClosedError, ffi, lib
from pyaclnn.ops import two_phase
from pyaclnn.ops.checks import note_use, tensors_of
from pyaclnn.ops.rules import ONLY_ND
from pyaclnn.ops.sequence import PlanSequence
from pyaclnn.ops.spec import Argument
from pyaclnn.runtime import Buffer, Stream, after_fork, at_leaving, at_teardown
from pyaclnn.runtime.block import Pin
from pyaclnn.runtime.current import queue_of, state
from pyaclnn.runtime.native_handle import not_copied
from pyaclnn.runtime.timeline import Timeline
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.cached import tensor_list_handle
from pyaclnn.tensor.descriptions import FORMAT_ND
from pyaclnn.tensor.handles import TensorHandle

#: Bound of the cached other streams on which the tensors are known to be used.
_KNOWN_STREAMS = 64


class Plan:
    """An operator with its arguments, prepared to run many times.

    Made by :meth:`Operator.plan`. CANN's executor is made repeatable. Where CANN refuses that (an
    identical call was planned before and is in its operator cache, the operator runs on the AI CPU,
    ...), every run repeats phase 1, ``reused`` is False and ``reason`` says why.

    A plan belongs to one thread at a time.

    Attributes
    ----------
    reused : bool
        Whether runs skip phase 1.
    reason : str
        Why not, or empty.
    workspace_size : int
        Bytes of device memory a run borrows from its stream.
    outputs : Tensor or tuple of Tensor
        What a run writes.
    """

    def __init__(
        self,
        operator: two_phase.TwoPhaseOperator,
        values: tuple[Any, ...],
        stream: Stream,
    ) -> None:
        close_dropped()
        self._resources = PlanResources(self)
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
        # A list, so that rebinding changes it for the compiled run as well.
        self._result: list[Any] = [operator.result(values)]
        # The other streams on which the present tensors are known to be used.
        self._known: set[Timeline] = set()
        self._run: Callable[[Plan, Stream | None], Any] = Plan._run_checked
        try:
            self._plan()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def sequence(plans: Iterable[Plan]) -> PlanSequence:
        """Return one plan that runs several in order; see :class:`PlanSequence`."""
        return PlanSequence(plans)

    def _plan(self) -> None:
        resources = self._resources
        self._c_arguments = self._operator.convert(tuple(self._values), self._keep)
        bindings: dict[str, TensorBinding] = {}
        acl_format = FORMAT_ND if self._operator.c_name in ONLY_ND else None
        for position, value in enumerate(self._values):
            own: Any = None
            if value.__class__ is Tensor:
                own = TensorHandle(value, acl_format)
            elif self._arguments[position].kind == "tensor_list" and value is not None:
                own = tensor_list_handle(value, acl_format)
            if own is not None:
                self._c_arguments[position] = own.handle
                resources.handles.append(own)
            if value.__class__ is Tensor:
                binding = TensorBinding(self._arguments, position, value, own, resources)
                bindings[binding.argument] = binding
        self._pin_all(bindings)
        cells = resources.cells = two_phase.take_out_parameters(self._phase1)
        name = self._operator.c_name + "GetWorkspaceSize"
        shown = self._values
        self.workspace_size = two_phase.phase_1(self._phase1, name, self._c_arguments, cells, shown)
        status = lib.aclSetAclOpExecutorRepeatable(cells[1][0])
        if status:
            self.reason = abi.describe_status(status, "aclSetAclOpExecutorRepeatable")
            two_phase.destroy(cells)
            self._bind_planning_run()
            return
        resources.executor = cells[1][0]
        self.reused = True
        self._workspace = Buffer(self.workspace_size, self._stream)
        self._bind_run()

    def _pin_all(self, bindings: dict[str, TensorBinding]) -> None:
        """Pin the memory of all tensors: it cannot be closed while the plan may run."""
        for tensor in tensors_of(self._values):
            note_use(tensor, self._stream)
        resources = self._resources
        # From here on nothing raises: `close` will unpin the memory.
        resources.bindings = bindings
        for binding in bindings.values():
            binding.buffer.pins.append(resources)
        for value in self._values:
            if value.__class__ is not Tensor:
                for tensor in tensors_of([value]):
                    resources.buffers.append(tensor.buffer)
                    tensor.buffer.pins.append(resources)

    def _bind_run(self) -> None:
        """Make ``run`` one C call with fixed arguments, where possible.

        Everything that a run on the planned stream needs is cached. `_run_checked`, which looks it
        up, takes 1.0 µs besides the C call, this takes 0.1. The thread may have no context, or that
        of another device. Then CANN refuses the call and `_run_checked` repeats it; testing the
        context first would take another 0.04 µs. For another stream, the use of the tensors there
        is recorded once.
        """
        assert self._workspace is not None
        phase2, executor = self._phase2, self._resources.executor
        workspace, size = self._workspace.pointer, self.workspace_size
        handle, device, result = self._stream.handle, self._stream.device, self._result
        known = self._known

        # It has no reference to the plan, so that a dropped plan closes at once.
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
                abi.recent_message()  # which must not appear in the next error
            return plan._run_checked(stream)

        name = self._operator.c_name
        self._run = run
        # Neither a closed stream nor a forked child may be met by it.
        self._stream.dependents.add(self)

    def _bind_planning_run(self) -> None:
        """Do the same where every run repeats phase 1: both phases with cached C arguments."""
        phase1, phase2, c_name = self._phase1, self._phase2, self._operator.c_name
        own, device, result = self._stream, self._stream.device, self._result
        cells, values = self._resources.cells, self._values
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
        """Drop the cached handles; called when the stream is closed, and in a forked child."""
        self._run = Plan._run_checked

    def attach(self) -> None:
        """Cache the handles again, after a capture of the stream."""
        if self.reused and self._resources.executor is not None:
            self._bind_run()
        elif not self.reused and not self._resources.closed:
            self._bind_planning_run()

    @property
    def stream(self) -> Stream:
        """The stream it was planned on, which is the default of runs."""
        return self._stream

    @property
    def outputs(self) -> Any:
        """The tensors a run writes: one, or a tuple in C order."""
        return self._result[0]

    @property
    def executor(self) -> Any:
        """The ``aclOpExecutor``, for the raw surface; None where every run repeats phase 1."""
        return self._resources.executor

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` ran."""
        return self._resources.closed

    def tensor(self, name: str) -> Tensor:
        """Return the tensor that is bound to a parameter now.

        Raises
        ------
        TypeError
            For a name that is no tensor parameter of this plan.
        ClosedError
            After :meth:`close`.
        """
        tensor: Tensor = self._values[self._binding(name).position]
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
        """Run without cached handles."""
        if self._resources.closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        stream = queue_of(self._stream if stream is None else stream)
        for tensor in tensors_of(self._values):
            note_use(tensor, stream)
        if len(self._known) >= _KNOWN_STREAMS:
            self._known.clear()
        self._known.add(stream.timeline)
        executor = self._resources.executor
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
        bindings, executor = self._resources.bindings, self._resources.executor
        for name, tensor in tensors.items():
            binding = bindings.get(name)
            # The usual case in one expression without properties: takes 0.2 µs and not 1.
            if (
                binding is None
                or tensor.__class__ is not Tensor
                or tensor._memory is None
                or tensor._memory.stream_while_open is not self._stream
                or (tensor._layout is not binding.layout and not binding.fits(tensor))
            ):
                self._check_replacement(name, tensor)
        for name, tensor in tensors.items():
            binding = bindings[name]
            buffer: Any = tensor._memory
            if buffer.__class__ is not Buffer:
                # Pinned by the plan, also when the program closes the tensor.
                buffer = tensor.buffer
            # Both stay alive until C has the new address, even if a signal interrupts this.
            binding.next = buffer
            if executor is None:
                binding.describe(buffer)
            else:
                status = binding.setter(executor, binding.index, binding.handle, buffer.pointer)
                if status:
                    shown = [executor, binding.index, binding.handle, tensor]
                    abi.check(status, binding.name, shown)
            if buffer is not binding.buffer:
                binding.pin_memory(buffer)
                self._known.clear()
            binding.next = None
            self._values[binding.position] = tensor
            if binding.is_result:
                self._result[0] = self._pick(self._values)
        return self

    def _binding(self, name: str) -> TensorBinding:
        if self._resources.closed:
            raise ClosedError(f"the plan of {self._operator.name} is closed")
        binding = self._resources.bindings.get(name)
        if binding is None:
            raise TypeError(
                f"{self._operator.name}: {name!r} is no tensor of this plan; "
                f"there are: {', '.join(self._resources.bindings)}"
            )
        return binding

    def _check_replacement(self, name: str, tensor: Tensor) -> None:
        binding = self._binding(name)
        if tensor.__class__ is not Tensor:
            raise TypeError(
                f"{self._operator.name}: {name} must be a pyaclnn.Tensor, "
                f"not {type(tensor).__name__}"
            )
        planned: Tensor = self._values[binding.position]
        tensor.buffer.check_open()
        if tensor.device is not self._stream.device or not binding.fits(tensor):
            raise ValueError(
                f"{self._operator.name}: {name} was planned as {planned.describe()}, "
                f"{tensor.describe()} needs a plan of its own"
            )
        note_use(tensor, self._stream)

    def close(self) -> None:
        """Destroy the executor and the descriptors; calling it again does nothing."""
        if self._resources.closed:
            return
        self.detach()  # later runs find that it is closed
        self._resources.close()
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
        # Now; what a signal interrupts here is released with the next plan.
        resources: PlanResources | None = getattr(self, "_resources", None)
        if resources is not None:
            try:
                resources.close()
            except Exception as error:
                abi.warn_cleanup(f"{self!r} was not closed: {error!r}")

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(
            self, f"it owns one executor; plan once more: ops.{self._operator.name}.plan(...)"
        )

    def __repr__(self) -> str:
        state = "closed" if self.closed else "reused" if self.reused else "planned on every run"
        return f"<pyaclnn plan of {self._operator.name}, {state}>"


class TensorBinding:
    """A tensor parameter of a plan: which tensors it accepts, and its aclTensor.

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
        "handle",
        "index",
        "is_result",
        "layout",
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
        #: The buffer whose address C has or is about to get; `buffer` is the one before.
        self.next: Buffer | None = None
        self.shape, self.strides = tensor.shape, tensor.strides
        self.offset, self.dtype = tensor.offset, tensor.dtype
        self.layout = tensor._layout
        self.handle = own.handle
        # CANN numbers inputs and outputs separately, including None and lists.
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

    def pin_memory(self, buffer: Buffer) -> None:
        """Prevent this memory from being closed, and release the memory bound before."""
        buffer.pins.append(self.pin)
        self.unpin()
        self.buffer = buffer

    def unpin(self) -> None:
        """Allow the memory to be closed; calling it again does nothing."""
        with suppress(ValueError):
            self.buffer.pins.remove(self.pin)


class PlanResources(weakref.ref[Plan]):
    """The executor and the descriptors of a plan, and the memory of its tensors.

    A signal may interrupt the finalizer of a plan. This object is a weak reference to the plan,
    whose callback records it in C (see `pyaclnn.runtime.native_handle`), so that `close_dropped`
    releases what it owns.

    Parameters
    ----------
    plan : Plan
        Whose they are.

    Attributes
    ----------
    closed : bool
        Whether everything is released, or being released.
    cells : tuple or None
        The cells of phase 1, which own the executor.
    executor : cffi pointer or None
        That executor, if it is repeatable.
    handles : list of Handle
        The plan's own descriptors: rebinding changes their addresses, and must not change the
        tensors'.
    bindings : dict
        Tensor parameters by name.
    buffers : list of Buffer
        Memory of the tensors in lists.
    """

    __slots__ = ("bindings", "buffers", "cells", "closed", "executor", "handles")

    def __new__(cls, plan: Plan) -> PlanResources:  # noqa: D102 - the class says it
        return super().__new__(cls, plan, _dropped.append)

    def __init__(self, plan: Plan) -> None:
        # Looked up beforehand: a finalizer may run while cffi parses, and cffi's lock is not
        # reentrant.
        _ = lib.aclDestroyAclOpExecutor, lib.aclGetRecentErrMsg
        super().__init__(plan, _dropped.append)  # type: ignore[call-arg]
        self.closed = False
        self.cells: two_phase.OutParameters | None = None
        self.executor: Any = None
        self.handles: list[Any] = []
        self.bindings: dict[str, TensorBinding] = {}
        self.buffers: list[Buffer] = []
        _all[id(self)] = self

    def close(self) -> None:
        """Release everything; after an interruption, another call releases the rest."""
        self.closed = True
        for binding in self.bindings.values():
            binding.unpin()
        self.bindings.clear()
        while self.buffers:
            with suppress(ValueError):
                self.buffers[-1].pins.remove(self)
            del self.buffers[-1]
        self.executor = None
        # The executor first, since it refers to the descriptors.
        if self.cells is not None:
            two_phase.destroy(self.cells)
        while self.handles:
            self.handles[-1].close()
            del self.handles[-1]
        _all.pop(id(self), None)

    def forget(self) -> None:
        """Forget the objects of C without destroying them."""
        self.cells = self.executor = None


def close_dropped() -> None:
    """Release the resources of plans that no longer exist."""
    while _dropped:
        try:
            resources = _dropped[0]
            resources.close()
            _dropped.remove(resources)
        except (IndexError, ValueError):  # another thread was faster
            return


def _close_all() -> None:
    for resources in list(_all.values()):
        resources.close()


def _forget_all() -> None:
    for resources in list(_all.values()):
        resources.forget()
    _all.clear()
    _dropped.clear()


#: Open ones, by identity, and those whose plans are gone.
_all: dict[int, PlanResources] = {}
_dropped: deque[Any] = deque()

at_teardown(_close_all)
after_fork(_forget_all)
at_leaving(_forget_all)
