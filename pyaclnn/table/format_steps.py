"""Steps about memory formats, whose demands stand in the row.

What operators with demands of more kinds want stands in ``opapi/common/format_rules.cpp``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .steps import Step


def _demand(kind: str, names: tuple[str, ...], formats: str = "") -> str:
    addresses = ", ".join("&" + n for n in names)
    demand = f'{{FormatDemand::Kind::{kind}, "{" ".join(names)}"{formats}}}'
    return f"check_format(check, {demand}, {{{addresses}}});"


@dataclass(frozen=True)
class SameFormat:
    """All have the format of the first."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return _demand("kAlike", self.names)


@dataclass(frozen=True)
class NoPrivateFormat:
    """None is stored in the blocks of a matrix unit."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return _demand("kNoneOf", self.names, ", kPrivateFormats")


@dataclass(frozen=True)
class FormatIn:
    """These have one of these formats, named as in C without ``ACL_FORMAT_``."""

    formats: tuple[str, ...]
    names: tuple[str, ...]

    def cpp(self) -> str:
        formats = ", ".join(f"ACL_FORMAT_{f}" for f in self.formats)
        return _demand("kOneOf", self.names, f", FormatSet{{{formats}}}")


@dataclass(frozen=True)
class FormatNotIn:
    """These have none of these formats."""

    formats: tuple[str, ...]
    names: tuple[str, ...]

    def cpp(self) -> str:
        formats = ", ".join(f"ACL_FORMAT_{f}" for f in self.formats)
        return _demand("kNoneOf", self.names, f", FormatSet{{{formats}}}")


@dataclass(frozen=True)
class KeepsFormat:
    """Results have the format of a tensor, so that these outputs may not have another than ND's.

    It is 561103, or 161001 where the operator answers so for what it made of its arguments.
    """

    tensor: str
    names: tuple[str, ...]
    as_null: bool = False

    def cpp(self) -> str:
        as_null = str(self.as_null).lower()
        return " ".join(
            f"check_kept_format(plan, {self.tensor}, {n}, {as_null});" for n in self.names
        )


#: What makes the steps about the formats of these tensors.
Formatted = Callable[..., tuple[Step, ...]]


def any_format(*_: str) -> tuple[Step, ...]:
    """Return nothing: the formats are not looked at."""
    return ()


def same_format(*names: str) -> tuple[Step, ...]:
    """Return the step of operators that want one format for all."""
    return (SameFormat(names),)


def public_formats(*names: str) -> tuple[Step, ...]:
    """Return the step of operators that want no private format."""
    return (NoPrivateFormat(names),)


def public_and_same(*names: str) -> tuple[Step, ...]:
    """Return the steps of operators that want one format for all, and no private one."""
    return SameFormat(names), NoPrivateFormat(names)
