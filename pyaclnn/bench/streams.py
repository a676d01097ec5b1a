"""Calls on another stream than that of the tensors, compared with bare C calls there."""

from __future__ import annotations

import pyaclnn as pa
from pyaclnn.bench.contenders import Bare, Contender, Planned
from pyaclnn.bench.measure import interleave
from pyaclnn.bench.subjects import SUBJECTS

_SMALL = 8

#: One of each kind: two tensors, nine tensors and two arrays, a list of tensors.
OPERATORS = ("hardswish_backward", "layer_norm_backward", "cat")


def streams(operator: str, calls: int = 300, rounds: int = 15) -> dict[str, float]:
    """Microseconds a call on 8 float32 elements of the default stream, by where it is submitted.

    Parameters
    ----------
    operator : str
        Python name.
    calls : int
        Calls in a batch.
    rounds : int
        Batches of each contender.
    """
    subject = next(s for s in SUBJECTS if s.operator == operator)
    device = pa.current_device()
    first, second = device.create_stream(), device.create_stream()
    call, inputs = pa.ops[operator], subject.inputs(_SMALL, "float32")
    bare = Bare(subject, _SMALL, "float32")
    planned = Planned(subject, _SMALL, "float32")
    plan = planned.plan

    outputs = subject.outputs(inputs)
    out = outputs[0] if len(outputs) == 1 else outputs

    def own(times: int) -> None:
        for _ in range(times):
            call(*inputs)

    def current(times: int) -> None:
        with first:
            for _ in range(times):
                call(*inputs)

    def named(times: int) -> None:
        for _ in range(times):
            call(*inputs, stream=first)

    def named_with_out(times: int) -> None:
        for _ in range(times):
            call(*inputs, out=out, stream=first)

    def in_turn(times: int) -> None:
        for _ in range(times // 2):
            call(*inputs, stream=first)
            call(*inputs, stream=second)

    def run_on_other_chips(times: int) -> None:
        for _ in range(times):
            plan.run(first)

    contenders: dict[str, Contender] = {
        "bare cffi": bare.on(pa.current_stream()),
        "eager": own,
        "bare cffi, new outputs": bare.with_new_outputs(pa.current_stream()),
        "bare cffi, elsewhere": bare.on(first),
        "eager, with stream": current,
        "eager, stream=": named,
        "eager, out=, stream=": named_with_out,
        "bare cffi, in turn": bare.on(first, second),
        "eager, in turn": in_turn,
        "bare phase 2": planned.phase_2(),
        "plan.run": planned.run(),
        "plan.run(stream)": run_on_other_chips,
    }
    return interleave(contenders, device.sync, calls=calls, rounds=rounds)
