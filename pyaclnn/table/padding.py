"""Padding with a number, or with copies of the tensor's own elements."""

from __future__ import annotations

from .dtypes import COMPLEX, FLOAT4, FLOAT8, FLOAT8_E8M0, NUMBERS, REAL, Dtypes, dtypes
from .format_steps import NoPrivateFormat
from .optional_steps import Since, dtypes_by_release
from .row import Output, Row
from .steps import (
    Call,
    DoneIf,
    DoneIfEmpty,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    Step,
    Steps,
    That,
)

_FAMILY = "padding"
_UNSIGNED = dtypes("uint16 uint32 uint64")
_ON_950 = dtypes("", "", "uint16 uint32 uint64")
_FLOAT8 = FLOAT8 | FLOAT8_E8M0

_SAME_FORMAT = That("self.meta().format == out.meta().format", "self and out differ in format")
_FORMAT_KEPT = That(
    "self.meta().format == out.meta().format || self.meta().format == ACL_FORMAT_ND",
    "self and out differ in format",
)


def _copied(name: str, accepted: Dtypes, mode: str, axes: int, *checks: Step) -> Row:
    """Make the row of padding with copies of elements, of the last axes."""
    more = () if mode == "kCircular" else (("9.0", _FLOAT8),)
    return Row(
        name, _FAMILY,
        (
            Null(("self", "padding", "out")),
            *dtypes_by_release(("self", "out"), accepted, *more),
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
            *dtypes_by_release(("self",), NUMBERS | _UNSIGNED, ("9.0", _FLOAT8), ("9.1", FLOAT4)),
            _FORMAT_KEPT,
            RankAtMost(8, ("self", "out")),
            Call("check_constant_pad", "check self pad.values() out"),
            DoneIfEmpty(("out",)),
            Since("9.1", Steps(()),
                  before=Call("check_zero_bits", "check self pad.values() value")),
            Kernel("constant_pad"),
        ),
        {"out": Output("padded self pad", "same self")},
        missing=("on the 950: float4 with gaps", "on the 950: a value of float6"),
    ),
    *(_copied(f"ReflectionPad{n}d", _REFLECTED, "kReflect", n) for n in (1, 2, 3)),
    *(_copied(f"ReplicationPad{n}d", _REPLICATED, "kEdge", n) for n in (1, 2, 3)),
    *(_copied(f"CircularPad{n}d", _WRAPPED, "kCircular", n) for n in (2, 3)),
)  # fmt: skip
