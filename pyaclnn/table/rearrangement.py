"""Operators that move elements: rolling, expanding, splitting, joining, taking apart."""

from __future__ import annotations

from .dtypes import FLOAT4, FLOAT8, FLOAT8_E8M0, NUMBERS, REAL_BOOL, Dtypes, dtypes
from .format_steps import NoPrivateFormat, SameFormat
from .list_steps import EachTensor
from .optional_steps import If, Since
from .output_steps import ShapeOrOne
from .row import Output, Row
from .shape_steps import Axis, Formats
from .steps import (
    Broadcast,
    Call,
    Castable,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Kernel,
    NotSimulated,
    Null,
    NullInside,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    ShapeIs,
    Step,
    Steps,
    Struct,
    That,
)

_FAMILY = "copy"
_UNSIGNED = dtypes("uint16 uint32 uint64")
_FEW = dtypes("float16 float32 uint8 int8 int32 int64 bool", "bfloat16")


def _moved(
    name: str, accepted: Dtypes, shape: str, *steps: Step, given: tuple[str, ...] = (),
    operand: str = "self", before: Dtypes | None = None,
) -> Row:  # fmt: skip
    """Make the row of an operator that puts the elements of one tensor elsewhere.

    Releases before 9.1 take the types of ``before``, where there are others.
    """
    known: Step = DtypeIn(accepted, (operand,))
    if before is not None:
        known = Since("9.1", known, before=DtypeIn(before, (operand,)))
    return Row(
        name, _FAMILY,
        (
            Null((operand, *given, "out")),
            SameDtype((operand, "out")),
            known,
            *steps,
        ),
        {"out": Output(shape, f"same {operand}")},
    )  # fmt: skip


_APART = NUMBERS | dtypes("", "", "uint16 uint32 uint64")


def _split(name: str, given: tuple[str, ...], parts: str, whole: str, *checks: Step) -> Row:
    """Make the row of an operator that takes a tensor apart along a dimension.

    One that stays ``whole`` is only copied, which notices a wrong shape by itself.
    """
    return Row(
        name, _FAMILY,
        (
            Null(("self", *given, "out")),
            EachTensor("out", Null(("tensor",))),
            DtypeIn(_APART, ("self",)),
            EachTensor("out", DtypeIn(_APART, ("tensor",))),
            RankAtMost(8, ("self",)),
            That("self.rank() > 0", "self has no dimensions"),
            EachTensor("out", RankAtMost(8, ("tensor",))),
            Axis(),
            Cpp(f"const std::vector<std::int64_t> parts = {parts};"),
            Cpp(f"const bool is_whole = {whole};"),
            *checks,
            DoneIfEmpty(("self",)),
            Call("split", "check plan self parts axis is_whole out"),
        ),
    )  # fmt: skip


def _interleaved(name: str, shape: str, how: str, nothing: str, result: str, *checks: Step) -> Row:
    """Make the row of an operator that repeats each element, a number of times.

    CANN is done where there is ``nothing``. It takes the extent of the ``result`` from outputSize.
    """
    place = "axis" if "axis" in how else "0"
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(_FEW | dtypes("int16", "", "uint16 uint32 uint64"), ("self",)),
            SameDtype(("self", "out")),
            *checks,
            RankAtMost(8, ("self",)),
            Call("interleaved_shape", f"check self {how}", "repeated"),
            DoneIf(nothing),
            Cpp(f"Dims result_shape{{{result}}};"),
            If("repeats != 1",
               Steps((Call("result_shape.set", f"{place} outputSize"), ShapeIs(("out",)))),
               # CANN copies, and does not look at the shape.
               Inside("out.shape() == result_shape", "out has shape %s",
                      ("out.shape().text().c_str()",))),
            If("result_shape != repeated",
               NotSimulated("an outputSize that is not the number of elements repeated")),
            Call("repeat_interleave", f"plan self {how} out"),
        ),
        {"out": Output(shape, "same self")},
        missing=("an outputSize that is not the number of elements repeated",),
    )  # fmt: skip


def _repeated(name: str, shape: str, where: tuple[Step, ...], *last: Step) -> Row:
    """Make the row of an operator that repeats each element as often as a tensor says."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "repeats", "out")),
            DtypeIn(_FEW | dtypes("int16", "", "uint16 uint32 uint64"), ("self",)),
            DtypeIn(dtypes("int64 int32"), ("repeats",)),
            SameDtype(("self", "out")),
            RankAtMost(1, ("repeats",)),
            *where,
            RankAtMost(8, ("self",)),
            *last,
        ),
        {"out": Output(shape, "same self")},
    )  # fmt: skip


_HAS_REPEATS = That("!repeats.is_empty()", "repeats is empty, self is not")
_SIZED = That(
    "out.shape() == result_shape", "out has shape %s, outputSize is %lld",
    ("out.shape().text().c_str()", "static_cast<long long>(outputSize)"),
)  # fmt: skip
_REPEATS = OnlyOn(("A2", "950"), late=True)

_SLICE_MASKS = ("beginMask", "endMask", "ellipsisMask", "newAxisMask", "shrinkAxisMask")

_JOINED = REAL_BOOL | dtypes("complex64", newest="uint16 uint32 uint64")
_JOINED_9_0 = _JOINED | FLOAT8 | FLOAT8_E8M0
_CHUNKED = dtypes("float32 float16 bfloat16")

_SLICED = "starts.values() ends.values() axes.values() steps.values()"

_REAL_PARTS = DtypeIn(dtypes("complex64 complex128", middle="float32 float16 complex32"), ("self",))


def _joined(accepted: Dtypes) -> Step:
    """Return the check of the types of tensors that are joined, and of the result."""
    return Steps((Cpp(f"check_joined_types(check, {accepted.cpp()}, parts);"),
                  DtypeIn(accepted, ("out",))))  # fmt: skip


_ROLLED = dtypes("float32 float16 int8 uint8 int32 uint32 bool int64", "bfloat16")

ROWS: tuple[Row, ...] = (
    _moved(
        "Roll", _ROLLED | dtypes("", "int16"), "like x",
        SameShape(("x", "out")),
        Call("check_roll", "check shifts.values() dims.values()"),
        RankAtMost(8, ("x",)),
        DoneIfEmpty(("x",)),
        Kernel("roll"),
        given=("shifts", "dims"), operand="x", before=_ROLLED,
    ),
    _moved(
        "Expand", _FEW, "numbers_of size",
        Call("expanded_shape", "check self size.values()", "result_shape"),
        ShapeIs(("out",)),
        RankAtMost(8, ("self", "out")),
        DoneIfEmpty(("self", "out")),
        Call("expand", "plan self out"),
        given=("size",),
    ),
    _moved(
        "Flatten",
        dtypes("float32 float16 int32 int8 uint8 int64 int16 bool", "bfloat16") | _UNSIGNED,
        "flattened self axis",
        RankAtMost(8, ("self",)),
        Call("flattened_shape", "check self axis", "result_shape"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self", "out")),
        Call("flatten", "plan self out"),
    ),
    _moved(
        "SliceV2", _FEW, "slices self starts ends axes steps",
        RankAtMost(8, ("self",)),
        Call("check_slices", f"check self {_SLICED} out", "ranges"),
        DoneIfEmpty(("self", "out")),
        Call("slice", "plan self ranges out"),
        given=("starts", "ends", "axes", "steps"),
    ),
    _moved(
        "ChannelShuffle", NUMBERS | dtypes("", "bfloat16"), "like self",
        That("groups > 0 && self.rank() >= 3 && self.shape()[1] % groups == 0",
             "groups is %lld, self has shape %s",
             ("static_cast<long long>(groups)", "self.shape().text().c_str()")),
        SameShape(("self", "out")),
        RankAtMost(7, ("self",)),
        DoneIfEmpty(("self", "out")),
        Call("channel_shuffle", "plan self groups out"),
    ),
    Row(
        "Complex", _FAMILY,
        (
            Null(("real", "imag", "out")),
            DoneIfEmpty(("real", "imag")),
            DtypeIn(dtypes("float32 float16 float64"), ("real", "imag")),
            SameDtype(("real", "imag")),
            That("are_parts(real.dtype(), out.dtype())", "out is not complex of real's type"),
            RankAtMost(8, ("real", "imag")),
            Broadcast(("real", "imag")),
            ShapeIs(("out",)),
            If("on_950()", Since("9.1", Steps((SameFormat(("real", "imag", "out")),
                                              NoPrivateFormat(("real",)))))),
            Call("make_complex", "plan real imag out"),
        ),
        {"out": Output("broadcast real imag", "complex_of real")},
    ),
    Row(
        "Real", _FAMILY,
        (
            Null(("self", "out")),
            If("on_950()", Since("9.1", DtypeIn(dtypes("float32 float16 complex32 complex64"),
                                                ("self",)), before=_REAL_PARTS), _REAL_PARTS),
            That("(is_floating(self.dtype()) && self.dtype() == out.dtype()) || "
                 "are_parts(out.dtype(), self.dtype())",
                 "out is not of the type of self's real part"),
            RankAtMost(8, ("self",)),
            SameShape(("self", "out")),
            DoneIfEmpty(("self",)),
            Call("real_part", "plan self out"),
        ),
        {"out": Output("like self", "real_of self")},
    ),
    Row(
        "Stack", _FAMILY,
        (
            NullInside(("tensors", "out")),
            EachTensor("tensors", Null(("tensor",))),
            EachTensor("tensors", DtypeIn((NUMBERS | _UNSIGNED), ("tensor",))),
            DtypeIn(NUMBERS | _UNSIGNED, ("out",)),
            Call("listed_type", "check tensors", "result_type"),
            Castable(("out",)),
            Call("stacked_shape", "check tensors dim", "result_shape"),
            DoneIf("tensors.tensors.front().is_empty()"),
            ShapeOrOne(("out",)),
            Call("stack", "plan tensors dim result_shape result_type out"),
        ),
    ),
    Row(
        "Cat", _FAMILY,
        (
            Null(("tensors",)),
            Cpp("Parts parts = joined_parts(check, tensors);"),
            DoneIf("parts.empty()"),
            Null(("out",)),
            Since("9.1", _joined(_JOINED_9_0 | FLOAT4),
                  before=Since("9.0", _joined(_JOINED_9_0), before=_joined(_JOINED))),
            Call("joined_type", "check parts", "result_type"),
            Call("check_joined_castable", "check result_type out"),
            Call("check_joined_formats", "check parts out"),
            Call("joined_axis", "check parts dim", "axis"),
            Call("joined_shape", "check parts axis", "result_shape"),
            Call("join", "check plan std::move(parts) axis result_type result_shape out"),
        ),
        missing=("on the 950: float4 with gaps, beside other types or as another type",),
    ),
    Row(
        "ChunkCat", _FAMILY,
        (
            Null(("tensors",)),
            DoneIf("tensors.tensors.empty()"),
            EachTensor("tensors", Null(("tensor",))),
            Null(("out",)),
            Since("9.1", OnlyOn(("A2", "950"))),
            Steps((Cpp("const TensorArgument& first = tensors.tensors.front();"),
                   DtypeIn(_CHUNKED, ("first",)))),
            EachTensor("tensors", SameDtype(("first", "tensor"))),
            DtypeIn(_CHUNKED, ("out",)),
            That("first.dtype() != ACL_FLOAT || out.dtype() == ACL_FLOAT",
                 "out is not float32 as tensors are"),
            EachTensor("tensors", Formats(("tensor",))),
            Formats(("out",)),
            EachTensor("tensors", Steps((
                RankAtMost(8, ("tensor",)),
                That("tensor.rank() > 0", "%s has no dimensions", ("tensor.name()",)),
            ))),
            DoneIf("all_empty(tensors)"),
            Inside("dim == 0", "dim is %lld, it must be 0", ("static_cast<long long>(dim)",)),
            Since("9.1", Steps(()), Inside("chip().has_bf16() && !on_950()",
                  "%s has no such kernel", ("chip().name",))),
            Call("chunked_shape", "check plan tensors numChunks", "result_shape"),
            ShapeOrOne(("out",)),
            Call("chunk_cat", "plan tensors numChunks out"),
        ),
        {"out": Output("chunks tensors numChunks", "same tensors")},
    ),
    _split("SplitTensor", (), "equal_parts(check, self, splitSections, axis)",
           "splitSections == std::uint64_t(self.shape()[axis])",
           EachTensor("out", That("tensor.dtype() == out.tensors[0].dtype()",
                                  "%s is not of the first one's type", ("tensor.name()",)))),
    _split("SplitWithSize", ("splitSize",), "splitSize.values()", "parts.size() == 1",
           Call("check_parts", "check self parts axis out")),
    _interleaved(
        "RepeatInterleaveInt", "interleaved self repeats", "repeats",
        "self.is_empty() || out.is_empty()", "self.elements()",
    ),
    _interleaved(
        "RepeatInterleaveIntWithDim", "interleaved_along self repeats dim", "repeats axis",
        "self.is_empty() || outputSize == 0", "self.shape()",
        That("self.rank() > 0", "self has no dimensions"),
        Axis(),
    ),
    _repeated(
        "RepeatInterleave", "numbers outputSize",
        (Call("check_repeats", "check repeats self.elements()"),),
        That("!self.is_empty() || repeats.elements() <= 1", "self is empty, repeats is not"),
        DoneIfEmpty(("self", "out")),
        _HAS_REPEATS,
        Cpp("const Dims result_shape = {outputSize};"),
        # Where each comes once CANN copies, and does not look at the number.
        DoneIf("outputSize == self.elements() && repeats.elements() == 1", Steps((
            Inside("out.shape() == result_shape", "out has shape %s",
                   ("out.shape().text().c_str()",)),
            Call("flatten", "plan self out"),
        ))),
        _REPEATS,
        _SIZED,
        Call("repeat_interleave", "plan self repeats out"),
    ),
    _repeated(
        "RepeatInterleaveWithDim", "first_of self outputSize dim",
        (
            That("self.rank() > 0", "self has no dimensions"),
            Axis(),
            Cpp("check_repeats(check, repeats, self.shape()[axis]);"),
        ),
        DoneIf("self.is_empty() || outputSize == 0"),
        _HAS_REPEATS,
        Cpp("Dims result_shape = self.shape();"),
        Cpp("result_shape.set(axis, outputSize);"),
        _SIZED,
        _REPEATS,
        Call("repeat_interleave", "plan self repeats axis out"),
    ),
    Row(
        "RepeatInterleaveTensor", _FAMILY,
        (
            Null(("repeats", "out")),
            DtypeIn(dtypes("int64 int32"), ("repeats",)),
            SameDtype(("repeats", "out")),
            That("repeats.is_empty() || repeats.rank() == 1", "repeats has %zu dimensions, not 1",
                 ("repeats.rank()",)),
            DoneIfEmpty(("repeats", "out")),
            _REPEATS,
            Cpp("const Dims result_shape = {outputSize};"),
            _SIZED,
            Call("repeat_places", "plan repeats out"),
        ),
        {"out": Output("numbers outputSize", "same repeats")},
    ),
    Row(
        "StridedSlice", _FAMILY,
        (
            Null(("self", "begin", "end", "strides", "out")),
            OnlyOn(("950",)),
            DtypeIn(
                _FEW | _UNSIGNED | dtypes("int16 complex32 complex64 hifloat8 float8_e5m2 "
                                          "float8_e4m3fn"),
                ("self",),
            ),
            SameDtype(("self", "out")),
            RankAtMost(8, ("self",)),
            Struct("SliceEntries", "begin.values() end.values() strides.values()", "entries"),
            Struct("SliceMasks", " ".join(f"std::uint64_t({m})" for m in _SLICE_MASKS), "masks"),
            Call("check_entries", "check entries masks"),
            DoneIfEmpty(("self",)),
            Call("strided_slice", "check plan self entries masks out"),
        ),
        {"out": Output("strided self begin end strides beginMask endMask ellipsisMask "
                       "newAxisMask shrinkAxisMask", "same self")},
    ),
    Row(
        "ConfusionTranspose", _FAMILY,
        (
            Null(("x", "perm", "shape", "out")),
            DtypeIn(dtypes("int8 int16 int32 int64 uint8 float16 float32 bfloat16") | _UNSIGNED,
                    ("x",)),
            SameDtype(("x", "out")),
            DoneIfEmpty(("x",)),
            OnlyOn(("950",), late=True),
            Call("check_confusion", "plan x perm.values() shape.values() transpose_first out"),
            Call("check_filled_in_order", "check out"),
            Kernel("confusion_transpose"),
        ),
        {"out": Output("confused x perm shape transpose_first", "same x")},
    ),
)  # fmt: skip
