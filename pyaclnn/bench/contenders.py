"""The ways to call one operator, from bare C functions to a port of CANN's sample.

A contender is made once, and then called with a number of repetitions; it submits that many calls
and returns. Waiting for the stream is left to the caller, outside the measured time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.abi import ffi, lib

#: Submits that many calls.
Contender = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Subject:
    """An operator to measure: two tensors of one shape, then plain arguments.

    Attributes
    ----------
    operator : str
        Python name.
    scalars : tuple of float
        Arguments that C takes as aclScalar.
    numbers : tuple of int
        Arguments that C takes by value.
    torch : str
        Function of ``torch.ops.aten`` that does the same, called with the same arguments.
    """

    operator: str
    scalars: tuple[float, ...] = ()
    numbers: tuple[int, ...] = ()
    torch: str = ""

    def tensors(self, size: int, dtype: str) -> tuple[pa.Tensor, pa.Tensor, pa.Tensor]:
        """Return gradient, input and output of ``size`` elements."""
        values = np.linspace(-2, 2, size).astype(np.float32)
        tensors = [pa.asarray(values, dtype=dtype) for _ in range(3)]
        for tensor in tensors:
            _ = tensor.handle
        return tensors[0], tensors[1], tensors[2]


SUBJECTS = (
    Subject("softshrink_backward", scalars=(0.5,), torch="softshrink_backward"),
    Subject("threshold_backward", scalars=(0.5,), torch="threshold_backward"),
    Subject("hardswish_backward", torch="hardswish_backward"),
    Subject("softmax_backward", numbers=(0,)),
    Subject("selu_backward"),
)


def eager_with_out(subject: Subject, size: int, dtype: str) -> Contender:
    """``operator(..., out=out)``."""
    operator = pa.ops[subject.operator]
    grad, x, out = subject.tensors(size, dtype)
    extra = (*subject.scalars, *subject.numbers)

    def run(times: int) -> None:
        for _ in range(times):
            operator(grad, x, *extra, out=out)

    return run


def eager(subject: Subject, size: int, dtype: str) -> Contender:
    """``operator(...)``, which allocates its output."""
    operator = pa.ops[subject.operator]
    grad, x, _ = subject.tensors(size, dtype)
    extra = (*subject.scalars, *subject.numbers)

    def run(times: int) -> None:
        for _ in range(times):
            operator(grad, x, *extra)

    return run


def bare(subject: Subject, size: int, dtype: str) -> Contender:
    """Call the two C functions through cffi, all arguments prepared."""
    name = pa.ops[subject.operator].c_name
    phase1, phase2 = getattr(lib, name + "GetWorkspaceSize"), getattr(lib, name)
    tensors = subject.tensors(size, dtype)
    grad, x, out = (t.handle for t in tensors)
    scalars = [lib.aclCreateScalar(ffi.new("float *", s), lib.ACL_FLOAT) for s in subject.scalars]
    arguments = [grad, x, *scalars, *subject.numbers, out]
    nbytes, executor = ffi.new("uint64_t *"), ffi.new("aclOpExecutor **")
    stream, null = pa.current_stream().handle, ffi.NULL

    def run(times: int) -> None:
        for _ in range(times):
            if phase1(*arguments, nbytes, executor):
                raise RuntimeError(name)
            if phase2(null, nbytes[0], executor[0], stream):
                raise RuntimeError(name)

    run.tensors = tensors  # type: ignore[attr-defined]
    return run


def bare_phase_2(subject: Subject, size: int, dtype: str) -> Contender:
    """Call phase 2 of a repeatable executor."""
    plan = _plan(subject, size, dtype)
    _, phase2 = pa.ops[subject.operator].resolve()
    executor, stream, null = plan.executor, pa.current_stream().handle, ffi.NULL

    def run(times: int) -> None:
        for _ in range(times):
            if phase2(null, 0, executor, stream):
                raise RuntimeError(subject.operator)

    run.plan = plan  # type: ignore[attr-defined]
    return run


def _plan(subject: Subject, size: int, dtype: str) -> pa.Plan:
    grad, x, out = subject.tensors(size, dtype)
    # The operator cache refuses to repeat what was planned before: a size of its own avoids it.
    _plan.count += 1  # type: ignore[attr-defined]
    length = size + _plan.count if size < 1024 else size  # type: ignore[attr-defined]
    if length != size:
        grad, x, out = subject.tensors(length, dtype)
    plan = pa.ops[subject.operator].plan(grad, x, *subject.scalars, *subject.numbers, out=out)
    if not plan.reused:
        raise RuntimeError(f"{subject.operator}: {plan.reason}")
    return plan


_plan.count = 0  # type: ignore[attr-defined]


def plan_run(subject: Subject, size: int, dtype: str) -> Contender:
    """``plan.run()``."""
    plan = _plan(subject, size, dtype)

    def run(times: int) -> None:
        for _ in range(times):
            plan.run()

    return run


def plan_rebind(subject: Subject, size: int, dtype: str) -> Contender:
    """``plan.rebind(one tensor)`` and nothing else."""
    plan = _plan(subject, size, dtype)
    name = pa.ops[subject.operator].spec.arguments[1].name
    planned = plan.tensor(name)
    other = {name: pa.empty(planned.shape, planned.dtype)}

    def run(times: int) -> None:
        for _ in range(times):
            plan.rebind(**other)

    return run


class _Sample:
    """CANN's sample in ctypes: descriptors, scalars and workspace made for every call."""

    def __init__(self, subject: Subject, size: int, dtype: str) -> None:
        paths = {r.name: r.path for r in pa.backend.libraries}
        self.base = ctypes.CDLL(_library(paths, "libnnopbase"))
        self.runtime = ctypes.CDLL(_library(paths, "libascendcl", "libacl_rt"))
        self.operators = ctypes.CDLL(pa.ops[subject.operator].library)
        self.subject = subject
        self.tensors = subject.tensors(size, dtype)
        self.dims = (ctypes.c_int64 * 1)(size)
        self.strides = (ctypes.c_int64 * 1)(1)
        self.dtype = pa.tensor.acl_dtype(dtype)
        self.stream = ctypes.c_void_p(int(ffi.cast("uintptr_t", pa.current_stream().handle)))
        name = pa.ops[subject.operator].c_name
        self.phase1 = getattr(self.operators, name + "GetWorkspaceSize")
        self.phase2 = getattr(self.operators, name)
        for create in (self.base.aclCreateTensor, self.base.aclCreateScalar):
            create.restype = ctypes.c_void_p

    def __call__(self, times: int) -> None:
        for _ in range(times):
            self.once()

    def once(self) -> None:
        address = [ctypes.c_void_p(t.buffer.ptr) for t in self.tensors]
        grad, x, out = (ctypes.c_void_p(self.describe(a)) for a in address)
        values = [ctypes.c_float(s) for s in self.subject.scalars]
        scalars = [
            ctypes.c_void_p(self.base.aclCreateScalar(ctypes.byref(v), ctypes.c_int(0)))
            for v in values
        ]
        numbers = [ctypes.c_int64(n) for n in self.subject.numbers]
        size, executor = ctypes.c_uint64(0), ctypes.c_void_p()
        self.check(
            self.phase1(
                grad, x, *scalars, *numbers, out, ctypes.byref(size), ctypes.byref(executor)
            )
        )
        workspace = ctypes.c_void_p()
        if size.value:
            self.check(self.runtime.aclrtMalloc(ctypes.byref(workspace), size, ctypes.c_int(0)))
        self.check(self.phase2(workspace, size, executor, self.stream))
        for tensor in (grad, x, out):
            self.base.aclDestroyTensor(tensor)
        for scalar in scalars:
            self.base.aclDestroyScalar(scalar)
        if size.value:
            self.check(self.runtime.aclrtSynchronizeStream(self.stream))
            self.check(self.runtime.aclrtFree(workspace))

    def describe(self, address: ctypes.c_void_p) -> Any:
        one = ctypes.c_uint64(1)
        return self.base.aclCreateTensor(
            self.dims, one, ctypes.c_int(self.dtype), self.strides, ctypes.c_int64(0),
            ctypes.c_int(2), self.dims, one, address,
        )  # fmt: skip

    @staticmethod
    def check(status: int) -> None:
        if status:
            raise RuntimeError(f"status {status}")


def _library(paths: dict[str, str], *names: str) -> str:
    for name, path in paths.items():
        if name.startswith(names):
            return path
    raise LookupError(f"none of {names} among {sorted(paths)}")


def sample_in_ctypes(subject: Subject, size: int, dtype: str) -> Contender:
    """CANN's sample, ported to ctypes line by line."""
    return _Sample(subject, size, dtype)


def torch_eager(subject: Subject, size: int, dtype: str) -> Contender:
    """PyTorch's CPU kernel of the same name.

    Raises
    ------
    LookupError
        Where PyTorch is not installed or has no such kernel.
    """
    if not subject.torch:
        raise LookupError(f"PyTorch has no kernel like {subject.operator} with these arguments")
    try:
        import torch
    except ImportError:
        raise LookupError("PyTorch is not installed") from None
    function = getattr(torch.ops.aten, subject.torch)
    grad = torch.linspace(-2, 2, size).to(getattr(torch, dtype))
    x = grad.clone()

    def run(times: int) -> None:
        for _ in range(times):
            function(grad, x, *subject.scalars, *subject.numbers)

    return run


#: Label -> how to make it. Ratios are to the first two.
CALLS: dict[str, Callable[[Subject, int, str], Contender]] = {
    "bare cffi": bare,
    "bare phase 2": bare_phase_2,
    "eager, out=": eager_with_out,
    "eager": eager,
    "plan.run": plan_run,
    "plan.rebind": plan_rebind,
    "sample in ctypes": sample_in_ctypes,
    "torch eager": torch_eager,
}
