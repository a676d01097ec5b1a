"""The ways to call one operator, from bare C functions to a port of CANN's sample.

Bare cffi is the two C calls and nothing else: outputs, workspace and all C objects are prepared.
Calls that allocate their outputs are compared with it, and with bare calls that create and destroy
an aclTensor for each output.

A contender is made once, and then called with a number of repetitions: it submits that many calls
and returns. The caller waits for the stream, outside of the measured time; only the port of the
sample waits as the sample does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyaclnn as pa
from pyaclnn.abi import ffi, lib
from pyaclnn.bench.measure import installed_torch
from pyaclnn.bench.subjects import SUBJECTS, Subject, unplanned_size
from pyaclnn.tensor.descriptions import acl_tensor_arguments

__all__ = ["CALLS", "SUBJECTS", "Contender", "Subject", "torch_eager"]

#: Submits that many calls.
Contender = Callable[[int], None]


def eager_with_out(subject: Subject, size: int, dtype: str) -> Contender:
    """``operator(..., out=out)``."""
    operator = pa.ops[subject.operator]
    inputs = subject.inputs(size, dtype)
    outputs = subject.outputs(inputs)
    out = outputs[0] if len(outputs) == 1 else outputs

    def run(times: int) -> None:
        for _ in range(times):
            operator(*inputs, out=out)

    return run


def eager(subject: Subject, size: int, dtype: str) -> Contender:
    """``operator(...)``, which allocates its output."""
    operator = pa.ops[subject.operator]
    inputs = subject.inputs(size, dtype)

    def run(times: int) -> None:
        for _ in range(times):
            operator(*inputs)

    return run


class Bare:
    """The two C functions called through cffi, all arguments and the workspace prepared."""

    def __init__(self, subject: Subject, size: int, dtype: str) -> None:
        operator = pa.ops[subject.operator]
        inputs = subject.inputs(size, dtype)
        self.values = operator.in_c_order(inputs, subject.outputs(inputs))
        self.name = operator.c_name
        self.phase1, self.phase2 = operator.resolve()
        #: What the arguments point to.
        self.keep: list[object] = []
        self.arguments = operator.convert(self.values, self.keep)
        self.nbytes, self.executor = ffi.new("uint64_t *"), ffi.new("aclOpExecutor **")
        self.check(self.phase1(*self.arguments, self.nbytes, self.executor))
        self.check(lib.aclDestroyAclOpExecutor(self.executor[0]))
        self.workspace = pa.Buffer(self.nbytes[0])

    def __call__(self, times: int) -> None:
        self.on(pa.current_stream())(times)

    def on(self, *streams: pa.Stream) -> Contender:
        """Return a contender that submits to these streams in turn."""
        phase1, phase2, arguments = self.phase1, self.phase2, self.arguments
        nbytes, executor, workspace = self.nbytes, self.executor, self.workspace.pointer
        handles = [stream.handle for stream in streams]

        def run(times: int) -> None:
            for _ in range(times // len(handles)):
                for stream in handles:
                    if phase1(*arguments, nbytes, executor):
                        raise RuntimeError(self.name)
                    if phase2(workspace, nbytes[0], executor[0], stream):
                        raise RuntimeError(self.name)

        return run

    def with_new_outputs(self, *streams: pa.Stream) -> Contender:
        """Return the same with aclTensors made for the outputs of each call, in kept memory.

        This is a lower bound for a call that returns new tensors, without allocating their memory.
        """
        phase1, phase2, nbytes, executor = self.phase1, self.phase2, self.nbytes, self.executor
        arguments, workspace = list(self.arguments), self.workspace.pointer
        handles = [stream.handle for stream in streams]
        create, destroy = lib.aclCreateTensor, lib.aclDestroyTensor
        described = [
            (place, [_in_c(value) for value in acl_tensor_arguments(self.values[place])])
            for place, argument in enumerate(pa.ops[self.name].spec.arguments)
            if argument.returned and self.values[place] is not None
        ]

        def run(times: int) -> None:
            for _ in range(times // len(handles)):
                for stream in handles:
                    for place, description in described:
                        arguments[place] = create(*description)
                    if phase1(*arguments, nbytes, executor):
                        raise RuntimeError(self.name)
                    if phase2(workspace, nbytes[0], executor[0], stream):
                        raise RuntimeError(self.name)
                    for place, _ in described:
                        destroy(arguments[place])

        return run

    def check(self, status: int) -> None:
        """Raise for a status; the arguments are wrong."""
        pa.check(status, self.name)


def _in_c(value: Any) -> Any:
    return ffi.new("int64_t[]", value) if isinstance(value, tuple) else value


def bare_with_new_outputs(subject: Subject, size: int, dtype: str) -> Contender:
    """Call the two C functions, and make aclTensors for the outputs."""
    return Bare(subject, size, dtype).with_new_outputs(pa.current_stream())


#: Sizes for plans: CANN refuses a repeatable executor for a size that is in its operator cache.
_TRIES = 20


class Planned:
    """A plan, and the ways to use it."""

    def __init__(self, subject: Subject, size: int, dtype: str) -> None:
        self.operator = pa.ops[subject.operator]
        for _ in range(_TRIES):
            inputs = subject.inputs(unplanned_size(size), dtype)
            self.outputs = subject.outputs(inputs)
            self.plan = self.operator.plan(*inputs, out=self.outputs)
            if self.plan.reused:
                return
        raise RuntimeError(f"{subject.operator}: {self.plan.reason}")

    def phase_2(self) -> Contender:
        """Call phase 2 of the executor."""
        _, phase2 = self.operator.resolve()
        executor, stream = self.plan.executor, pa.current_stream().handle
        size = self.plan.workspace_size
        workspace = pa.Buffer(size)

        def run(times: int) -> None:
            pointer = workspace.pointer
            for _ in range(times):
                if phase2(pointer, size, executor, stream):
                    raise RuntimeError(self.operator.name)

        return run

    def run(self) -> Contender:
        """``plan.run()``."""
        plan = self.plan

        def run(times: int) -> None:
            for _ in range(times):
                plan.run()

        return run

    def rebind(self) -> Contender:
        """``plan.rebind(one tensor)`` and nothing else."""
        plan = self.plan
        name = next(a.name for a in self.operator.spec.arguments if a.output)
        planned = plan.tensor(name)
        other = {name: pa.empty(planned.shape, planned.dtype)}

        def run(times: int) -> None:
            for _ in range(times):
                plan.rebind(**other)

        return run


def bare_phase_2(subject: Subject, size: int, dtype: str) -> Contender:
    """Call phase 2 of a repeatable executor."""
    return Planned(subject, size, dtype).phase_2()


def plan_run(subject: Subject, size: int, dtype: str) -> Contender:
    """``plan.run()``."""
    return Planned(subject, size, dtype).run()


def plan_rebind(subject: Subject, size: int, dtype: str) -> Contender:
    """``plan.rebind(one tensor)`` and nothing else."""
    return Planned(subject, size, dtype).rebind()


def in_graph(subject: Subject, size: int, dtype: str) -> Contender:
    """Run a graph of ten calls, which counts for ten."""
    operator = pa.ops[subject.operator]
    inputs = subject.inputs(size, dtype)
    outputs = subject.outputs(inputs)
    length = 10
    with pa.Graph.capture() as graph:
        for _ in range(length):
            operator(*inputs, out=outputs)

    def run(times: int) -> None:
        for _ in range(times // length):
            graph.run()

    return run


def ctypes_two_phases(subject: Subject, size: int, dtype: str) -> Contender:
    """Call the two functions by ctypes, descriptors made for every call, memory kept."""
    from pyaclnn.bench.ctypes_port import TwoPhases

    return TwoPhases(subject, size, dtype)


def sample_in_ctypes(subject: Subject, size: int, dtype: str) -> Contender:
    """CANN's sample, ported to ctypes line by line."""
    from pyaclnn.bench.ctypes_port import Sample

    return Sample(subject, size, dtype)


def torch_eager(subject: Subject, size: int, dtype: str) -> Contender:
    """PyTorch's CPU kernel of the same name.

    Raises
    ------
    LookupError
        Where PyTorch is not installed.
    """
    torch = installed_torch()
    function, arguments = subject.torch(torch, *subject.torch_inputs(torch, size, dtype))
    function(*arguments)

    def run(times: int) -> None:
        for _ in range(times):
            function(*arguments)

    return run


#: Label -> how to make it.
CALLS: dict[str, Callable[[Subject, int, str], Contender]] = {
    "bare cffi": Bare,
    "bare cffi, new outputs": bare_with_new_outputs,
    "bare phase 2": bare_phase_2,
    "eager, out=": eager_with_out,
    "eager": eager,
    "plan.run": plan_run,
    "plan.rebind": plan_rebind,
    "each of 10 in a graph": in_graph,
    "ctypes, two phases": ctypes_two_phases,
    "sample in ctypes": sample_in_ctypes,
    "torch eager": torch_eager,
}
