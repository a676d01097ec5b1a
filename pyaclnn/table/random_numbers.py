"""Random numbers: uniform, normal, integers, and the masks of dropout."""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_DOUBLE, INTEGERS, dtypes
from .row import Output, Row
from .steps import (
    Castable,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Null,
    RankAtMost,
    ResultType,
    SameShape,
    Step,
    That,
)

_INCLUDE = ("random/random.hpp", "common/kernel_checks.hpp")
_FILLED = FLOATS_DOUBLE | INTEGERS
_SELF = ("selfRef",)
_STREAM = "the numbers of Atlas A2 and A3, whose generator is not public: those of the 950 instead"

#: What takes seed and offset in tensors came with CANN 9.0, for chips with a generator.
_NEWER: tuple[Step, ...] = (
    Cpp("check.since_cann_9_0();"),
    That("config().has_bf16()", "%s has no generator that reads its seed from memory",
         ("config().soc_name.c_str()",)),
)  # fmt: skip
_BY_VALUE = "Seeds(std::int64_t(seed), std::int64_t(offset))"
_IN_TENSORS = "Seeds(seedTensor, offsetTensor, std::int64_t(offset))"
_SEEDS = Cpp("check_seeds(check, seedTensor, offsetTensor);")


def _with_tensors(name: str, checks: tuple[Step, ...], fill: str) -> tuple[Row, Row]:
    """Make the rows of a generator with its seed by value, and in tensors."""

    def row(name: str, steps: tuple[Step, ...]) -> Row:
        return Row(name, "random", steps, include=_INCLUDE, missing=(_STREAM,))

    empty = DoneIfEmpty(_SELF)
    return (
        row(name, (*checks, empty, Cpp(f"{fill}, {_BY_VALUE});"))),
        row(name + "Tensor", (*_NEWER, *checks, _SEEDS, empty, Cpp(f"{fill}, {_IN_TENSORS});"))),
    )  # fmt: skip


_uniform = _with_tensors(
    "InplaceUniform",
    (
        Null(_SELF), DtypeIn(_FILLED, _SELF), RankAtMost(8, _SELF),
        That("!(from > to)", "from is %g, more than to, %g", ("double(from)", "double(to)")),
    ),
    "fill_uniform(plan, selfRef, from, to",
)  # fmt: skip

_normal = _with_tensors(
    "InplaceNormal",
    (
        Null(_SELF),
        Cpp("check_deviation(plan, std);"),
        DtypeIn(_FILLED | dtypes("bool"), _SELF), RankAtMost(8, _SELF),
    ),
    "fill_normal(plan, selfRef, mean, std",
)  # fmt: skip

_integers = _with_tensors(
    "InplaceRandom",
    (
        Cpp("check_given(plan, selfRef);"),
        DtypeIn(INTEGERS | dtypes("float32 float16 bool float64 bfloat16"), _SELF),
        RankAtMost(8, _SELF),
        That("from < to", "from is %lld, not less than to, %lld",
             ("static_cast<long long>(from)", "static_cast<long long>(to)")),
    ),
    "fill_integers(plan, selfRef, from, to",
)  # fmt: skip

_PROBABILITY = That("prob >= 0 && prob <= 1", "prob is %g, it must be from 0 to 1",
                    ("double(prob)",))  # fmt: skip


def _mask(name: str, seeds: str, checks: tuple[Step, ...] = (), *, typed: bool = True) -> Row:
    steps: tuple[Step, ...] = (
        Null(("shape", "out")),
        DtypeIn(dtypes("uint8"), ("out",)),
        _PROBABILITY,
        That("out.elements() == mask_bytes(shape.values())",
             "out has %lld elements, the mask %lld bytes",
             ("static_cast<long long>(out.elements())",
              "static_cast<long long>(mask_bytes(shape.values()))")),
        *checks,
        *((Cpp("check_type_of_probability(plan, probDataType);"),) if typed else ()),
        DoneIfEmpty(("out",)),
        Cpp(f"fill_mask(plan, out, prob, {seeds});"),
    )  # fmt: skip
    output = {"out": Output("mask_bytes shape", "uint8")}
    return Row(name, "random", steps, output, include=_INCLUDE, missing=(_STREAM,))


_do_mask = Row(
    "DropoutDoMask", "random",
    (
        Null(("self", "mask", "out")),
        DtypeIn(FLOATS, ("self",)),
        DtypeIn(dtypes("uint8"), ("mask",)),
        ResultType("same", ("self",)),
        Castable(("out",)),
        _PROBABILITY,
        RankAtMost(8, ("self",)),
        SameShape(("self", "out")),
        That("mask.elements() == mask_bytes({self.elements()})",
             "mask has %lld elements, not as many as self needs",
             ("static_cast<long long>(mask.elements())",)),
        DoneIfEmpty(("self",)),
        Cpp("apply_mask(plan, self, mask, prob, out);"),
    ),
    {"out": Output("like self", "same self")}, include=_INCLUDE,
)  # fmt: skip

_mask_tensor = _mask("DropoutGenMaskV2Tensor", _IN_TENSORS, (_SEEDS,))

ROWS: tuple[Row, ...] = (
    *_uniform,
    *_normal,
    *_integers,
    _mask("DropoutGenMask", _BY_VALUE, typed=False),
    _mask("DropoutGenMaskV2", _BY_VALUE),
    Row(
        _mask_tensor.name, "random", (*_NEWER, *_mask_tensor.steps), _mask_tensor.outputs,
        include=_INCLUDE, missing=_mask_tensor.missing,
    ),
    _do_mask,
)  # fmt: skip
