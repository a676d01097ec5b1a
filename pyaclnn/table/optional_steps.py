"""Steps that are taken on a condition, as those on tensors that need not be given."""

from __future__ import annotations

from dataclasses import dataclass

from .steps import Step


@dataclass(frozen=True)
class If:
    """A step that is taken where a condition, in C++, holds."""

    condition: str
    step: Step

    def cpp(self) -> str:
        return f"if ({self.condition}) {{ {self.step.cpp()} }}"


def if_given(name: str, step: Step) -> If:
    """Return a step that is taken where an optional argument is given."""
    return If(f"{name}.given()", step)
