"""Tests of the statuses that right calls, and those with something changed, are answered with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from operators.calls import code_with

import pyaclnn as pa
from pyaclnn.selftest.chips import soc_name

#: What a stream answers whose kernel reached beyond its memory.
AICORE_EXCEPTION = 507015

#: Operator, arguments changed, and what CANN answers then.
Changed = tuple[str, dict[str, Any], int]


def _answers(
    operator: str, right: Mapping[str, Any], changed: Mapping[str, Any], expected: int
) -> None:
    seen = code_with(operator, right, **changed)

    called = f"{pa.ops[operator].c_name} on {soc_name()}, CANN {pa.backend.version}"
    arguments = ", ".join(f"{name}={value!r}" for name, value in {**right, **changed}.items())
    changes = f"changed: {', '.join(changed)}" if changed else "nothing changed"
    assert seen == expected, f"{called}, expected {expected}, seen {seen}; {changes}; {arguments}"


def status_tests(
    right: Mapping[str, Mapping[str, Any]], wrong: Mapping[str, Iterable[tuple[str, Any, int]]]
) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return the test of right calls and that of calls with one argument changed.

    Parameters
    ----------
    right : mapping
        The arguments of a right call for each operator, outputs included.
    wrong : mapping
        For each operator an argument, its value and the status that CANN answers.
    """

    @pytest.mark.parametrize("operator", right)
    def succeeds(operator: str) -> None:
        _answers(operator, right[operator], {}, 0)

    @pytest.mark.parametrize(
        ("operator", "argument", "value", "expected"),
        [(operator, *case) for operator, cases in wrong.items() for case in cases],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def answers(operator: str, argument: str, value: Any, expected: int) -> None:
        _answers(operator, right[operator], {argument: value}, expected)

    return succeeds, answers


def refusal_tests(
    right: Mapping[str, Mapping[str, Any]], wrong: Iterable[Changed]
) -> tuple[Callable[..., None], Callable[..., None]]:
    """Return the same tests, of calls with any number of arguments changed."""
    succeeds, _ = status_tests(right, {})

    @pytest.mark.parametrize(("operator", "changed", "expected"), wrong)
    def answers(operator: str, changed: dict[str, Any], expected: int) -> None:
        _answers(operator, right[operator], changed, expected)

    return succeeds, answers


def outside_test(
    right: Mapping[str, Mapping[str, Any]], outside: Iterable[tuple[str, dict[str, Any]]]
) -> Callable[..., None]:
    """Return the test of calls whose tensors hold numbers that lead outside: the kernel fails."""

    @pytest.mark.parametrize(("operator", "changed"), outside)
    def ends_the_task(operator: str, changed: dict[str, Any]) -> None:
        _answers(operator, right[operator], changed, 0)

        with pytest.raises(pa.AclError) as error:
            pa.current_stream().sync()

        assert error.value.code == AICORE_EXCEPTION

    return ends_the_task
