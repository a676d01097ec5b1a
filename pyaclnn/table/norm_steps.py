"""Steps of the gradients of normalisations.

CANN generates some from their kernels; what these refuse where it divides their work is 561002, and
is in ``opapi/norm/fused_checks.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .optional_steps import If
from .steps import Call, Divides, DoneIf, Step, Steps, That

FAMILY = "norm"


@dataclass(frozen=True)
class Rank:
    """These tensors have so many dimensions: the least and the most, in C++."""

    names: tuple[str, ...]
    low: str
    high: str

    def cpp(self) -> str:
        return " ".join(f"rank_in(plan, {n}, {self.low}, {self.high});" for n in self.names)


@dataclass(frozen=True)
class Alike:
    """All have the shape of the first."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        first, *others = self.names
        return " ".join(f"same_shape(plan, {first}, {n});" for n in others)


def not_empty(name: str) -> Divides:
    """Return the step of a tensor that has elements."""
    return Divides(f"!{name}.is_empty()", f"{name} is empty: %s", (shape_of(name),))


def has_elements(
    step: type[That | Divides], count: str, *names: str, why: str = ""
) -> tuple[Step, ...]:
    """Return the steps of tensors that have so many elements, in C++."""
    words = f"has shape %s, it must have %lld elements{why}"
    most = number(f"Count({count}).saturated()")
    return tuple(
        step(f"{n}.elements() == Count({count})", f"{n} {words}", (shape_of(n), most))
        for n in names
    )


#: Outputs, and where they are wanted, in C++.
Outs = dict[str, str]


def masked(*names: str) -> Outs:
    """Return outputs that the elements of a mask ask for."""
    return {name: f"outputMask.values()[{i}] != 0" for i, name in enumerate(names)}


MASK_OF_THREE = That(
    "outputMask.values().size() == 3", "outputMask has %zu elements, it must have 3",
    ("outputMask.values().size()",),
)  # fmt: skip


def each(outs: Outs, step: Callable[[str], Step], first: int = 0) -> tuple[Step, ...]:
    """Return a step for each output, from the ``first`` on, that is taken where it is wanted."""
    return tuple(If(wanted, step(out)) for out, wanted in (*outs.items(),)[first:])


def none_wanted(outs: Outs) -> Step:
    """Return the step that is the last where no output is wanted."""
    return DoneIf(f"!({' || '.join(outs.values())})")


def when(condition: str, *steps: Step) -> Step:
    """Return the step of several that are taken where a condition, in C++, holds."""
    return If(condition, Steps(steps))


def zero(out: str) -> Step:
    """Return the step that writes the sum of nothing."""
    return Call("launch_zero", f"plan {out}")


def shape_of(name: str) -> str:
    """Return a tensor's shape for a message, in C++."""
    return f"{name}.shape().text().c_str()"


def number(expression: str) -> str:
    """Return an integer for a message, in C++."""
    return f"static_cast<long long>({expression})"
