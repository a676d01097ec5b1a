"""A pytest plugin that writes down which operators are compared with finite differences.

A test counts that passes, calls an operator, and calls ``numeric_gradient``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import finite_differences
import pytest

from pyaclnn.ops.operator import Operator

OUTPUT = "PYACLNN_TEST_DERIVATIVES"


class Watch:
    """What the test that is running has called."""

    def __init__(self) -> None:
        self.operators: set[str] = set()
        self.compared = False
        self.seen: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        self.operators, self.compared = set(), False
        outcome = yield
        if self.compared and outcome.excinfo is None:  # type: ignore[attr-defined]
            self.seen |= self.operators

    def pytest_sessionfinish(self) -> None:
        Path(os.environ[OUTPUT]).write_text(json.dumps(sorted(self.seen)), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Put a note into both functions."""
    watch = Watch()
    difference, call = finite_differences.numeric_gradient, Operator.__call__

    def numeric_gradient(*arguments: Any, **named: Any) -> Any:
        watch.compared = True
        return difference(*arguments, **named)

    def noted(self: Operator, /, *arguments: Any, **named: Any) -> Any:
        watch.operators.add(self.name)
        return call(self, *arguments, **named)

    # A call of its own, made for one operator, would pass the note by.
    assert hasattr(Operator, "_specialise")
    Operator._specialise = lambda self: None  # type: ignore[method-assign]
    Operator.__call__ = noted  # type: ignore[method-assign]
    finite_differences.numeric_gradient = numeric_gradient
    config.pluginmanager.register(watch)
