"""Recording calls, to replay them as one C++ sample.

While a tape is open, the classes of operators have another ``__call__``. When the last tape is
closed they get their own back, so that recording costs nothing while it is off.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import AclError
from pyaclnn.ops.data_dependent import in_actual_shapes
from pyaclnn.ops.operator import Operator
from pyaclnn.ops.plan import Plan
from pyaclnn.ops.two_phase import TwoPhaseOperator
from pyaclnn.runtime import Device, Stream, current_device, current_stream

if TYPE_CHECKING:
    from types import TracebackType

    from pyaclnn.ops.cpp_steps import Call, Step

_thread = threading.local()


def record() -> Tape:
    """Record the calls of operators that this thread makes in a ``with`` block.

    Every recorded call waits for its results, so that asynchronous errors are raised by the call
    that caused them. Calls that fail are recorded as well, with their error. Runs of plans count as
    calls; calls into a graph that is being captured, which do not run, are left out.

    Returns
    -------
    Tape
        ``with pa.record() as tape: ...``, then ``tape.to_cpp()`` or ``tape.save(path)``.
    """
    return Tape()


class Tape:
    """Recorded calls; a context manager, see :func:`record`.

    It keeps copies of the values of tensors, which may be changed and closed afterwards. Tapes may
    be nested: both record.
    """

    def __init__(self) -> None:
        # Imported with the first tape, which few programs need.
        from pyaclnn.ops.cpp_steps import Steps

        self._steps = Steps()
        self._open = False

    @property
    def steps(self) -> list[Step]:
        """The recorded steps: calls, and the values that the program wrote between them."""
        return self._steps.steps

    def to_cpp(self) -> str:
        """Return the calls as a self-contained C++ sample, in order.

        Results that later calls used are shared variables. A call that failed is repeated and its
        error printed. Every element of every output is printed after its call.

        Returns
        -------
        str
            C++17 source that needs nothing but CANN.

        Raises
        ------
        ValueError
            If nothing was recorded, if tensors are too large to be written down, or if the calls
            were made on several devices.
        """
        from pyaclnn.ops.to_cpp import write_steps

        if not self.steps:
            raise ValueError("nothing was recorded: call operators inside `with pa.record():`")
        return write_steps(self.steps)

    def save(self, path: str | Path) -> Path:
        """Write :meth:`to_cpp` to a file.

        Parameters
        ----------
        path : str or Path
            Where to; overwritten.

        Returns
        -------
        Path
            The same.
        """
        target = Path(path)
        target.write_text(self.to_cpp(), encoding="utf-8")
        return target

    def __enter__(self) -> Tape:
        if self._open:
            raise ValueError("the tape is recording already")
        _redirection.begin()
        _tapes().append(self)
        self._open = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _tapes().remove(self)
        self._open = False
        self._steps.release()
        _redirection.end()

    def __repr__(self) -> str:
        return f"<pyaclnn tape with {len(self.steps)} steps{', recording' * self._open}>"

    # -- called by what stands in for an operator's call

    def note(self, operator: TwoPhaseOperator, values: tuple[Any, ...]) -> Call:
        """Record a call before it is made."""
        return self._steps.call(operator.spec, values)

    def settle(self, call: Call, values: tuple[Any, ...]) -> None:
        """Record the values that a call wrote."""
        self._steps.settle(call, values)

    def refuse(self, operator: Operator, error: BaseException) -> None:
        """Record a call that Python refused."""
        self._steps.refused(operator.spec, error)


def _tapes() -> list[Tape]:
    tapes: list[Tape] | None = getattr(_thread, "tapes", None)
    if tapes is None:
        tapes = _thread.tapes = []
    return tapes


class _Redirection:
    """Redirects calls to a recorder while one exists."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._originals: list[tuple[type, str, Any]] = []
        self._device: Device | None = None

    def begin(self) -> None:
        device = current_device()
        with self._lock:
            self._users += 1
            if self._users > 1:
                return
            # An operator that was compiled has a class of its own.
            classes: list[type] = [Operator, *Operator.__subclasses__()]
            for cls in classes:
                self._replace(cls, "__call__", _call)
            self._replace(Operator, "plan", _plan)
            self._replace(Plan, "run", _run)
            # Plans go through the class again, as they do while a stream is captured.
            self._device = device
            for stream in device.streams:
                stream.detach_dependents()

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users:
                return
            while self._originals:
                cls, name, original = self._originals.pop()
                setattr(cls, name, original)
            assert self._device is not None
            for stream in self._device.streams:
                if not stream.closed and stream.capture is None:
                    stream.attach_dependents()

    def _replace(self, cls: type, name: str, stand_in: Callable[..., Any]) -> None:
        self._originals.append((cls, name, cls.__dict__[name]))
        setattr(cls, name, stand_in)


_redirection = _Redirection()
_plan_of_operator, _run_of_plan = Operator.plan, Plan.run


def _call(
    operator: Operator,
    /,
    *inputs: Any,
    out: Any = None,
    stream: Stream | None = None,
    **named: Any,
) -> Any:
    """Stand in for ``Operator.__call__``; other threads get the general call."""
    tapes = _tapes()
    queue = current_stream() if stream is None else stream.activated()
    if not tapes or queue.graph is not None:
        return operator.call(inputs, out, stream, named)
    try:
        values = operator.call_arguments(inputs, out, queue, named)
    except BaseException as error:
        for tape in tapes:
            tape.refuse(operator, error)
        raise
    outputs = tuple(
        v
        for a, v in zip(operator.spec.arguments, values, strict=True)
        if a.output and not a.in_place
    )
    given = tuple(
        v
        for a, v in zip(operator.spec.arguments, values, strict=True)
        if not a.output or a.in_place
    )

    def make() -> Any:
        result = operator.call(given, outputs, stream, {})
        return in_actual_shapes(operator.c_name, result, queue) if out is None else result

    return _recorded(operator, values, queue, make)


def _recorded(
    operator: TwoPhaseOperator, values: tuple[Any, ...], queue: Stream, make: Callable[[], Any]
) -> Any:
    tapes = _tapes()
    calls = [(tape, tape.note(operator, values)) for tape in tapes]
    try:
        result = make()
        queue.sync()
    except BaseException as error:
        for _, call in calls:
            call.error = error
            call.refused = not isinstance(error, AclError)
        raise
    finally:
        for tape, call in calls:
            # If the device is lost, the call's own error is raised.
            try:
                tape.settle(call, values)
            except AclError:
                if call.error is None:
                    raise
    return result


def _plan(operator: Operator, /, *inputs: Any, **options: Any) -> Plan:
    """Stand in for ``Operator.plan``: a refusal is recorded as that of a call."""
    try:
        plan = _plan_of_operator(operator, *inputs, **options)
    except AclError as error:
        if _tapes():
            stream = options.pop("stream", None)
            queue = current_stream() if stream is None else stream.activated()
            out = options.pop("out", None)
            values = operator.call_arguments(inputs, out, queue, options)
            for tape in _tapes():
                tape.note(operator, values).error = error
        raise
    plan.detach()
    return plan


def _run(plan: Plan, stream: Stream | None = None) -> Any:
    """Stand in for ``Plan.run``."""
    queue = (plan.stream if stream is None else stream).activated()
    if not _tapes() or plan.closed or queue.graph is not None:
        return _run_of_plan(plan, stream)
    return _recorded(plan._operator, tuple(plan._values), queue, lambda: _run_of_plan(plan, stream))
