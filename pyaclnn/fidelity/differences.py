"""The differences between two observations of one call."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyaclnn.fidelity.calls import Observation
from pyaclnn.fidelity.side import lines
from pyaclnn.tensor import as_dtype

#: Kinds of differences, the most serious first.
KINDS = (
    "ended", "absent", "status", "python", "message", "workspace", "outputs", "shape", "dtype",
    "nan", "bits",
)  # fmt: skip
_INTEGERS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    Attributes
    ----------
    unit, key : str
        The operator, or what else was tried, and the call.
    kind : str
        One of `KINDS`.
    reference, candidate : str
        What was seen on each side.
    size : float
        For ``bits`` the largest distance, in units in the last place for floats; else 0.
    why : str
        The reason, where the difference is known; else empty.
    """

    unit: str
    key: str
    kind: str
    reference: str
    candidate: str
    size: float = 0.0
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return its fields."""
        return asdict(self)


def unit_of(key: str) -> str:
    """Return the unit that a key belongs to."""
    first, _, rest = key.partition("/")
    return f"{first}/{rest.split(',')[0]}" if first in ("misuse", "stream") else first


def between(
    reference: Path, candidate: Path, accepted: Counter[str] | None = None
) -> Iterator[Difference]:
    """Yield the differences between two files of observations, one pair in memory at a time.

    Parameters
    ----------
    reference, candidate : Path
        The files.
    accepted : Counter, optional
        Is given how many calls of each unit the candidate's first phase accepts.
    """
    places: dict[str, int] = {}
    before = 0
    for end, line in lines(candidate):
        if "key" in line:
            places[line["key"]] = before
        before = end
    seen_there = set()
    for _, line in lines(reference):
        if "key" not in line or line["key"] in seen_there:
            continue
        key = line["key"]
        seen_there.add(key)
        other: Observation = {"absent": True}
        if key in places:
            other = next(lines(candidate, places[key]))[1]["seen"]
        if accepted is not None:
            accepted[unit_of(key)] += other.get("status", [1])[0] == 0
        yield from of(key, line["seen"], other)
    for key in places.keys() - seen_there:
        other = next(lines(candidate, places[key]))[1]["seen"]
        yield from of(key, {"absent": True}, other)


def of(key: str, ours: Observation, theirs: Observation) -> Iterator[Difference]:
    """Yield the differences between two observations of one call."""

    def difference(kind: str, a: Any, b: Any, size: float = 0.0) -> Difference:
        return Difference(unit_of(key), key, kind, str(a), str(b), size)

    if ours.get("absent") and theirs.get("absent"):
        return
    for kind in ("ended", "absent", "python"):
        if ours.get(kind) != theirs.get(kind):
            a, b = (_short(seen, kind) for seen in (ours, theirs))
            yield difference(kind, a, b)
            return
    for kind in ("status", "message", "workspace"):
        if ours.get(kind) != theirs.get(kind):
            yield difference(kind, ours.get(kind), theirs.get(kind))
            if kind == "status":
                return
    mine, yours = ours.get("outputs", []), theirs.get("outputs", [])
    if len(mine) != len(yours):
        yield difference("outputs", len(mine), len(yours))
        return
    for number, (a, b) in enumerate(zip(mine, yours, strict=True)):
        where = f"output {number}: " if len(mine) > 1 else ""
        found = _between_outputs(a, b)
        if found is not None:
            kind, left, right, size = found
            yield difference(kind, f"{where}{left}", f"{where}{right}", size)


def _short(seen: Observation, kind: str) -> str:
    if kind in seen:
        return "not there" if kind == "absent" else str(seen[kind])
    return f"status {seen['status'][-1]}" if "status" in seen else "was tried"


def _between_outputs(a: dict[str, Any], b: dict[str, Any]) -> tuple[str, Any, Any, float] | None:
    for kind in ("shape", "dtype"):
        if a[kind] != b[kind]:
            return kind, a[kind], b[kind], 0.0
    if a["digest"] == b["digest"]:
        return None
    dtype = as_dtype(a["dtype"])
    left, right = (np.frombuffer(base64.b64decode(each["bits"]), dtype) for each in (a, b))
    if left.dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        left, right = left.view(part), right.view(part)
    if left.tobytes() == right.tobytes():
        return "bits", "equal at first", "differ later", 0.0
    if left.dtype.kind not in "biu":
        nan = np.isnan(left.astype(np.float64)) != np.isnan(right.astype(np.float64))
        if nan.any():
            at = int(np.argmax(nan))
            return "nan", f"[{at}] {left[at]}", f"[{at}] {right[at]}", float(nan.sum())
    integer = _INTEGERS[left.dtype.itemsize]
    unequal = left.view(integer) != right.view(integer)
    # The distance between NaNs, and between zeros, is 0.
    distance = np.where(unequal, _distance(left, right), -1.0)
    at = int(np.argmax(distance))
    of_all = f"({int(unequal.sum())} of {unequal.size} differ)"
    return "bits", f"[{at}] {left[at]} {of_all}", f"[{at}] {right[at]}", float(distance[at])


def _distance(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the distance of values, in units in the last place for floats."""
    if a.dtype.kind in "biu":
        a, b = a.astype(np.float64), b.astype(np.float64)
    else:
        a, b = _ordered(a), _ordered(b)
    return np.asarray(np.abs(a - b))


def _ordered(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Map floats to integers in the same order; neighbours become consecutive."""
    bits = values.view(_INTEGERS[values.dtype.itemsize]).astype(np.float64)
    lowest = -(2.0 ** (8 * values.dtype.itemsize - 1))
    ordered: np.ndarray[Any, Any] = np.where(bits < 0, lowest - bits, bits)
    return np.where(np.isnan(values.astype(np.float64)), 0.0, ordered)
