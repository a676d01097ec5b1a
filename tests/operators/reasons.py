"""Tests of calls that must be refused for one reason: a status, and words of the message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from children import found_on
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.chips import soc_name

#: Right call, what is changed, the status, and words of the reason; those of a right call are none.
Refused = tuple[str, dict[str, Any], int, str]
#: The same, with what is changed as text. What is behind a semicolon replaces what is before.
Written = tuple[str, str, int, str]


def reason_of(
    operator: str, right: Mapping[str, Any], changed: Mapping[str, Any], *, runs: bool = True
) -> list[Any]:
    """Return the status of a call, or of its first phase alone, and the message with it."""
    arguments = {**right, **changed}
    outputs = [a.name for a in pa.ops[operator].spec.outputs]
    if "out" not in arguments and any(name in arguments for name in outputs):
        out = tuple(arguments.pop(name, None) for name in outputs)
        arguments["out"] = out[0] if len(out) == 1 else out
    try:
        if runs:
            pa.ops[operator](**arguments)
            pa.current_stream().sync()
        else:
            pa.ops[operator].plan(**arguments).close()
    except pa.AclError as error:
        # The call itself names its arguments behind this.
        return [error.code, str(error).partition("\n  call: ")[0]]
    return [0, ""]


def otherwise(right: Mapping[str, Mapping[str, Any]], refused: Iterable[Refused]) -> list[str]:
    """Return what is not answered as expected: right calls with 0, others with status and reason.

    The first word of a kind is its operator.
    """
    found = []
    for kind, changed, status, words in [*((kind, {}, 0, "") for kind in right), *refused]:
        seen, reason = reason_of(kind.split()[0], right[kind], changed)
        if seen != status or words not in reason:
            found.append(
                f"{kind} on {soc_name()}, {changed}: {status} {words!r}, seen {seen} {reason}"
            )
    return found


def reason_tests(
    right: Mapping[str, Mapping[str, Any]], wrong: Iterable[Refused]
) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return the test of right calls, named by operator, and that of calls refused for a reason."""
    succeeds, _ = status_tests({name: right[name] for name in right if " " not in name}, {})

    @pytest.mark.parametrize(("kind", "changed", "expected", "words"), wrong)
    def answers(kind: str, changed: dict[str, Any], expected: int, words: str) -> None:
        code, reason = reason_of(kind.split()[0], right[kind], changed)

        assert (code, words if words in reason else reason) == (expected, words)

    return succeeds, answers


def changes(written: str, names: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that a text has; those behind a semicolon replace those before it."""
    found: dict[str, Any] = {}
    for part in written.split(";"):
        found |= eval(f"dict({part})", names)
    return found


def written_reasons(
    right: Mapping[str, Mapping[str, Any]], wrong: Iterable[Written], names: dict[str, Any]
) -> list[list[Any]]:
    """Return statuses and messages of all calls of a list, on the chip of this process."""
    return [
        reason_of(kind.split()[0], right[kind], changes(changed, names))
        for kind, changed, _, _ in wrong
    ]


def assert_refused_on(chip: str, module: str, call: str, wrong: list[Written]) -> None:
    """Assert that a process on a chip answers all calls of a list as the list says."""
    found = found_on(chip, f"operators.{module}", call)
    seen = [
        (kind, changed, code, words if words in reason else reason)
        for (kind, changed, _, words), (code, reason) in zip(wrong, found, strict=True)
    ]

    assert seen == wrong
