"""What the simulator and CANN's own phase 1 answer to the same calls, side by side.

Each side is a process of its own, which ``PYACLNN_SIM_HOME`` gives its libraries. It forks for the
calls of each operator: where sources did not compile, a call comes to a function that nobody has,
and ends the process.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pyaclnn.selftest.chips import family_of
from referencing.calls import Call

ROOT = Path(__file__).resolve().parents[2]
#: A call to which one side has no status.
NONE = -1
#: What a step behind the checks answers.
_INSIDE = 561103
#: What the sources of phase 1 do not decide: kernels are looked for and tiled by other libraries.
_KERNELS = frozenset({561000, 561002, 561003, 561107, 561112})

#: Why the simulator goes on where CANN cannot copy a result, as ``differences.json`` names it.
_OTHER_FORMAT = "an output of another format"
_WIDE_VIEWS = "views of wide unsigned integers"
#: Why the simulator refuses at once what chips without bfloat16 have no kernel for.
_NO_KERNEL_OF_TYPE = "no kernel of this type"
_NO_BFLOAT16 = re.compile(r"is bfloat16(?: \(27\))?; Ascend(?:310|910A)\w* takes")
#: How the simulator says that a kernel refuses inside of an operator that answers 561103 for it.
_KERNEL = re.compile(r"no (?:such )?kernel\b")
#: How it says that it lacks what CANN has.
_LACKS = re.compile(r"\bis not simulated\b")

_CHILD = Path(__file__).with_name("answering.py")


class Answer(NamedTuple):
    """What one side answers to a call.

    Attributes
    ----------
    status : int
        Of the first phase, ``NONE`` where there is none.
    prepared : int
        Kernels that the reference has prepared.
    said : str
        What the simulator says of a refusal.
    """

    status: int = NONE
    prepared: int = 0
    said: str = ""


@dataclass
class Comparison:
    """What came of the calls on one chip.

    Attributes
    ----------
    chip : str
        As ``PYACLNN_SIM_SOC`` has it.
    calls : Counter
        Operator -> calls to which both sides have a status.
    differences : dict
        Operator -> calls with the statuses of CANN and of the simulator.
    open : Counter
        Operator -> calls that the reference cannot answer.
    kernels : Counter
        Operator -> calls that only what chooses kernels refuses.
    lacking : Counter
        Operator -> calls that the simulator refuses by name, as what it does not simulate.
    known : dict
        Operator and both statuses -> the reason, of ``reasons``.
    because : Counter
        Reason -> calls that are answered otherwise for it.
    alike : dict
        Call as JSON -> the simulator's answer, where CANN's status is the same.
    """

    chip: str
    calls: Counter[str] = field(default_factory=Counter)
    differences: dict[str, list[tuple[Call, Answer, Answer]]] = field(default_factory=dict)
    open: Counter[str] = field(default_factory=Counter)
    kernels: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    known: Mapping[tuple[str, int, int], str] = field(default_factory=dict)
    because: Counter[str] = field(default_factory=Counter)
    alike: dict[str, Answer] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """Calls that are answered otherwise, of those that both answer."""
        different = sum(map(len, self.differences.values()))
        return different / max(1, sum(self.calls.values()))

    def add(self, call: Call, cann: Answer, simulator: Answer, because: str = "") -> None:
        """Count one call.

        Parameters
        ----------
        call : dict
            The call.
        cann, simulator : Answer
            Of both. A kernel that the reference has come by without a look ends a call before what
            CANN answers from a later step.
        because : str, optional
            Why they differ, where the call itself shows it.
        """
        operator = call["operator"]
        both = cann.status, simulator.status
        passed = cann.status == 0 or cann.prepared > 0
        inside = simulator.status == _INSIDE and _KERNEL.search(simulator.said)
        if NONE in both:
            self.open[operator] += 1
        elif _LACKS.search(simulator.said):
            self.lacking[operator] += 1
        elif passed and (simulator.status in _KERNELS or inside):
            self.kernels[operator] += 1
        else:
            self.calls[operator] += 1
            no_bfloat16 = passed and _NO_BFLOAT16.search(simulator.said)
            because = _NO_KERNEL_OF_TYPE if no_bfloat16 else because
            reason = because or self.known.get((operator, *both))
            if both[0] == both[1]:
                self.alike[json.dumps(call)] = simulator
            elif reason:
                self.because[reason] += 1
            else:
                self.differences.setdefault(operator, []).append((call, cann, simulator))


def reasons(chip: str) -> dict[tuple[str, int, int], str]:
    """Return why the simulator answers otherwise on a chip, by operator, CANN's status and its own.

    That there is no kernel of a type is no reason on chips that have other kernels.
    """
    files = (ROOT / "tests" / "operators" / "cann_statuses").glob("*.json")
    contents = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {
        (call["operator"], call["status"][own], status): call["because"]
        for content in contents for call in content.get("calls", ())
        for own, status in call.get("answers", {}).items()
        if call["because"] != _NO_KERNEL_OF_TYPE or family_of(own) == family_of(chip)
    }  # fmt: skip


def compare(
    groups: Iterable[Sequence[Call]], chip: str, reference: Path, simulator: Path
) -> Comparison:
    """Ask both sides and compare.

    Parameters
    ----------
    groups : iterable of sequence of dict
        Calls, those of one operator together.
    chip : str
        Chip of both.
    reference, simulator : Path
        Their toolkit roots.
    """
    found = Comparison(chip, known=reasons(chip))
    listed = [list(group) for group in groups]
    sides = [Side(reference, chip, "forks"), Side(simulator, chip, "stays")]
    try:
        for calls in listed:
            cann, ours = (side.answers(calls) for side in sides)
            both = list(zip(calls, cann, ours, strict=True))
            # Whether it is for one thing alone is seen where that goes.
            inside = [i for i, (_, a, b) in enumerate(both) if (a.status, b.status) == (_INSIDE, 0)]
            because = dict.fromkeys(range(len(both)), "")
            for reason, without in _PLAINER.items():
                plain = sides[0].answers([_changed(calls[i], without) for i in inside])
                for i, answer in zip(inside, plain, strict=True):
                    because[i] = reason if answer.status == 0 else because[i]
            for i, answered in enumerate(both):
                found.add(*answered, because[i])
    finally:
        for side in sides:
            side.close()
    return found


def _changed(value: Any, change: Callable[[list[Any]], list[Any]]) -> Any:
    """Return a call or an argument with its tensors changed."""
    if isinstance(value, dict):
        return {**value, "arguments": [_changed(a, change) for a in value["arguments"]]}
    if not isinstance(value, list) or not value:
        return value
    if value[0] == "T":
        return change(value)
    return [value[0], [_changed(v, change) for v in value[1]]] if value[0] == "TL" else value


def _in_nd(tensor: list[Any]) -> list[Any]:
    return [*tensor[:3], "ND", *tensor[4:]]


def _dense_if_wide(tensor: list[Any]) -> list[Any]:
    return tensor[:4] if tensor[1] in ("UINT16", "UINT32", "UINT64") else tensor


#: Reasons, and what CANN accepts a call without.
_PLAINER = {_OTHER_FORMAT: _in_nd, _WIDE_VIEWS: _dense_if_wide}


class Side:
    """A process with the libraries of one toolkit root."""

    def __init__(self, root: Path, chip: str, how: str) -> None:
        path = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
        environment = {
            "PYACLNN_SIM_HOME": str(root), "PYACLNN_SIM_SOC": chip, "PYACLNN_BACKEND": "simulator",
            "DISABLE_L2_CACHE": "1", "PYACLNN_SIM_DEVICES": "8", "PYTHONPATH": path,
        }  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, str(_CHILD), how], env={**os.environ, **environment}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        """Return the answer to each call."""
        found = [Answer()] * len(calls)
        asked = -1
        self._tell(json.dumps(calls))
        for line in self._lines():
            if line[0] == "end":
                return found
            if line[0] == "dead":
                self._tell(str(asked + 1))
                continue
            asked = int(line[0])
            if line[1] != "asked":
                found[asked] = Answer(int(line[1]), int(line[2]), " ".join(line[3:]))
        raise RuntimeError("a process of the comparison ended")

    def _tell(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def _lines(self) -> Iterator[list[str]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            # Some of CANN's sources print, too.
            words = line.split()
            if words and (words[0] in ("end", "dead") or words[0].isdigit()):
                yield words

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
