"""Padding with a number, or with copies of the tensor's own elements."""

from __future__ import annotations

from .dtypes import COMPLEX, NUMBERS, REAL, Dtypes, dtypes
from .format_steps import NoPrivateFormat
from .row import Output, Row
from .steps import (
    Call,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    Step,
    That,
)

_FAMILY = "padding"
_UNSIGNED = dtypes("uint16 uint32 uint64")
_ON_950 = dtypes("", "", "uint16 uint32 uint64")

_SAME_FORMAT = That("self.meta().format == out.meta().format", "self and out differ in format")
_FORMAT_KEPT = That(
    "self.meta().format == out.meta().format || self.meta().format == ACL_FORMAT_ND",
    "self and out differ in format",
)


def _copied(name: str, accepted: Dtypes, mode: str, axes: int, *checks: Step) -> Row:
    """Make the row of padding with copies of elements, of the last axes."""
    more = () if mode == "kCircular" else ("on the 950: float8",)
    return Row(
        name, _FAMILY,
        (
            Null(("self", "padding", "out")),
            DtypeIn(accepted, ("self", "out")),
            SameDtype(("self", "out")),
            _SAME_FORMAT,
            *((NoPrivateFormat(("self",)), OnlyOn(("A2", "950"), inside=True))
              if mode == "kCircular" else ()),
            # Of reflections, what is not padded is looked at last.
            Call("check_copied_pad", f"check self padding.values() out {axes} PadMode::{mode}"),
            DoneIf(f"is_empty_pad(check, self, out, {axes})"),
            *((Call("check_padded", "check self padding.values() out"),)
              if mode == "kReflect" else ()),
            *checks,
            Call("copied_pad", f"plan self padding.values() out PadMode::{mode}"),
        ),
        {"out": Output("padded self padding", "same self")},
        missing=more,
    )  # fmt: skip


_REFLECTED = REAL | dtypes("bool", "complex64 complex128") | _ON_950
_REPLICATED = REAL | COMPLEX | dtypes("", "", "bool") | _ON_950
_WRAPPED = dtypes("float32 float16 bfloat16 int32 int8")

ROWS: tuple[Row, ...] = (
    Row(
        "ConstantPadNd", _FAMILY,
        (
            Null(("self", "pad", "value", "out")),
            SameDtype(("self", "out")),
            DtypeIn(NUMBERS | _UNSIGNED, ("self",)),
            _FORMAT_KEPT,
            RankAtMost(8, ("self", "out")),
            Call("check_constant_pad", "check self pad.values() out"),
            DoneIfEmpty(("out",)),
            Kernel("constant_pad"),
        ),
        {"out": Output("padded self pad", "same self")},
        missing=("on the 950: float8",),
    ),
    *(_copied(f"ReflectionPad{n}d", _REFLECTED, "kReflect", n) for n in (1, 2, 3)),
    *(_copied(f"ReplicationPad{n}d", _REPLICATED, "kEdge", n) for n in (1, 2, 3)),
    *(_copied(f"CircularPad{n}d", _WRAPPED, "kCircular", n) for n in (2, 3)),
)  # fmt: skip
