"""Steps that are taken on a condition, as those on tensors that need not be given."""

from __future__ import annotations

from dataclasses import dataclass

from . import releases
from .dtypes import Dtypes
from .steps import DtypeIn, Step, Steps


@dataclass(frozen=True)
class If:
    """A step that is taken where a condition, in C++, holds, and what is taken elsewhere."""

    condition: str
    step: Step
    otherwise: Step | None = None

    def cpp(self) -> str:
        other = "" if self.otherwise is None else f" else {{ {self.otherwise.cpp()} }}"
        return f"if ({self.condition}) {{ {self.step.cpp()} }}{other}"


@dataclass(frozen=True)
class Since:
    """A step that is taken since a release, and what was taken before."""

    release: str
    step: Step
    before: Step | None = None

    def cpp(self) -> str:
        place = [r.name for r in releases.RELEASES].index(self.release)
        earlier = "" if self.before is None else f" else {{ {self.before.cpp()} }}"
        return f"if (current_place() >= {place}) {{ {self.step.cpp()} }}{earlier}"


def on_a2_and_950_since(release: str, step: Step, otherwise: Step) -> If:
    """Return a step that A2 and A3 take, and the 950 since a release."""
    on_950 = If("on_950()", Since(release, step, before=otherwise), otherwise)
    return If("on_a2_or_a3()", step, on_950)


def if_given(name: str, step: Step) -> If:
    """Return a step that is taken where an optional argument is given."""
    return If(f"{name}.given()", step)


def dtypes_by_release(
    names: tuple[str, ...], first: Dtypes, *more: tuple[str, Dtypes]
) -> tuple[Step, ...]:
    """Return the checks of element types to which releases added others, oldest first."""
    accepted = first
    checks: list[Step] = []
    for release, added in more:
        checks.append(Since(release, Steps(()), before=DtypeIn(accepted, names)))
        accepted = accepted | added
    return (DtypeIn(accepted, names), *reversed(checks))
