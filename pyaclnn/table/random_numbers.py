"""Random numbers: uniform, normal, integers, and the masks of dropout."""

from __future__ import annotations

from .dtypes import COMPLEX, FLOATS, FLOATS_DOUBLE, INTEGERS, Dtypes, dtypes
from .format_steps import NoPrivateFormat
from .optional_steps import If, Since
from .row import Output, Row
from .steps import (
    Broadcast,
    Call,
    Castable,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Null,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    ShapeIs,
    Step,
    That,
)

_FILLED = FLOATS_DOUBLE | INTEGERS
_SELF = ("selfRef",)
STREAM = "the numbers of Atlas A2 and A3, whose generator is not public: those of the 950 instead"

#: What takes seed and offset in tensors is for chips with a generator; it came with CANN 9.0.
HAS_GENERATOR = That(
    "chip().has_bf16()", "%s has no generator that reads its seed from memory",
    ("chip().name",),
)  # fmt: skip
BY_VALUE = Call("Seeds", "seed offset", "seeds")
IN_TENSORS = Call("Seeds", "seedTensor offsetTensor offset", "seeds")
SEEDS = Call("check_seeds", "check seedTensor offsetTensor")
_TYPES_OF_SEEDS = Since(
    "9.1", If("on_950()", Call("check_types_of_seeds", "plan seedTensor offsetTensor"))
)


def _with_tensors(name: str, checks: tuple[Step, ...], fill: Step, *more: Step) -> tuple[Row, Row]:
    """Make the rows of a generator with its seed by value, and in tensors, with more checks."""

    def row(name: str, steps: tuple[Step, ...]) -> Row:
        return Row(name, "random", steps, missing=(STREAM,))  # fmt: skip

    empty = DoneIfEmpty(_SELF)
    return (
        row(name, (*checks, empty, BY_VALUE, fill)),
        row(name + "Tensor", (*checks, empty, HAS_GENERATOR, *more, SEEDS, IN_TENSORS, fill)),
    )  # fmt: skip


_uniform = _with_tensors(
    "InplaceUniform",
    (
        Null(_SELF), DtypeIn(_FILLED, _SELF), RankAtMost(8, _SELF),
        That("!(from > to)", "from is %g, more than to, %g", ("double(from)", "double(to)")),
    ),
    Call("fill_uniform", "plan selfRef from to seeds"),
)  # fmt: skip

_normal = _with_tensors(
    "InplaceNormal",
    (
        Null(_SELF),
        Call("check_deviation", "plan std"),
        DtypeIn(_FILLED | dtypes("bool"), _SELF), RankAtMost(8, _SELF),
    ),
    Call("fill_normal", "plan selfRef mean std seeds"), _TYPES_OF_SEEDS,
)  # fmt: skip

_integers = _with_tensors(
    "InplaceRandom",
    (
        Call("check_given", "plan selfRef"),
        DtypeIn(INTEGERS | COMPLEX | dtypes("float32 float16 bool float64 bfloat16"), _SELF),
        RankAtMost(8, _SELF),
        That("from < to", "from is %lld, not less than to, %lld",
             ("static_cast<long long>(from)", "static_cast<long long>(to)")),
    ),
    Call("fill_integers", "plan selfRef from to seeds"), _TYPES_OF_SEEDS,
)  # fmt: skip


def probability(name: str) -> That:
    """Return the check of a number from 0 to 1."""
    return That(f"{name} >= 0 && {name} <= 1", f"{name} is %g, it must be from 0 to 1",
                (f"double({name})",))  # fmt: skip


def mask_fits(mask: str, tensor: str) -> That:
    """Return the check that a mask has a bit for each element, in blocks of 128."""
    return That(f"{mask}.elements() == mask_bytes({{{tensor}.elements()}})",
                f"{mask} has %lld elements, not as many as {tensor} needs",
                (f"static_cast<long long>({mask}.elements())",))  # fmt: skip


def _mask(name: str, seeds: Step, checks: tuple[Step, ...] = (), *, typed: bool = True) -> Row:
    steps: tuple[Step, ...] = (
        Null(("shape", "out")),
        DtypeIn(dtypes("uint8"), ("out",)),
        probability("prob"),
        That("out.elements() == mask_bytes(shape.values())",
             "out has %lld elements, the mask %lld bytes",
             ("static_cast<long long>(out.elements())",
              "static_cast<long long>(mask_bytes(shape.values()))")),
        *checks,
        DoneIfEmpty(("out",)),
        *((Call("check_type_of_probability", "plan probDataType"),) if typed else ()),
        # Only the first version writes the mask where it lies, on chips with a generator.
        Inside("prob <= kDropsNothing || 1 - prob <= kDropsNothing || out.rank() == 1"
               + ("" if typed else " || on_a2_or_a3()"),
               "out has %zu dimensions, the mask one", ("out.rank()",)),
        seeds,
        Call("fill_mask", "plan out prob seeds"),
    )  # fmt: skip
    output = {"out": Output("mask_bytes shape", "uint8")}
    return Row(name, "random", steps, output, missing=(STREAM,))


_do_mask = Row(
    "DropoutDoMask", "random",
    (
        Null(("self", "mask", "out")),
        # Whatever the other arguments are: an empty mask is not looked at either.
        DoneIfEmpty(("self", "mask")),
        DtypeIn(FLOATS, ("self",)),
        DtypeIn(dtypes("uint8"), ("mask",)),
        ResultType("same", ("self",)),
        Castable(("out",)),
        probability("prob"),
        RankAtMost(8, ("self",)),
        SameShape(("self", "out")),
        That("mask.elements() >= mask_bytes({self.elements()})",
             "mask has %lld elements, not as many as self needs",
             ("static_cast<long long>(mask.elements())",)),
        Call("apply_mask", "plan self mask prob out"),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip

_dropout = Row(
    "Dropout", "random",
    (
        Null(("input", "out", "maskOut")),
        ResultType("same", ("input",)),
        Castable(("out",)),
        DtypeIn(FLOATS, ("input",)),
        That("!on_950() || input.dtype() != ACL_BF16",
             "input is bfloat16, which this chip does not take here"),
        DtypeIn(dtypes("uint8"), ("maskOut",)),
        probability("p"),
        RankAtMost(8, ("input",)),
        SameShape(("input", "out")),
        mask_fits("maskOut", "input"),
        DoneIfEmpty(("input",)),
        BY_VALUE,
        Call("drop_out", "plan input p train seeds out maskOut"),
    ),
    {"out": Output("like input", "same input"), "maskOut": Output("mask_of input", "uint8")},
    missing=(STREAM,),
)  # fmt: skip

_permutation = Row(
    "Randperm", "random",
    (
        Call("check_given", "plan out"),
        DtypeIn(FLOATS_DOUBLE | INTEGERS, ("out",)),
        That("out.rank() == 1 && out.shape()[0] == n", "out has shape %s, not [%lld]",
             ("out.shape().text().c_str()", "static_cast<long long>(n)")),
        That("n >= 0", "n is %lld, it must not be negative", ("static_cast<long long>(n)",)),
        DoneIfEmpty(("out",)),
        BY_VALUE,
        Call("fill_permutation", "plan out seeds"),
    ),
    missing=("the permutations of a chip: its words decide, but by another rule",),
)  # fmt: skip

_mask_tensor = _mask("DropoutGenMaskV2Tensor", IN_TENSORS, (SEEDS,))

_THREE_FLOATS = dtypes("float16 float32 float64")


def _floats(*names: str) -> Step:
    """Tensors of normal numbers, of bfloat16 as well since 9.1."""
    newer = DtypeIn(_THREE_FLOATS | dtypes("bfloat16"), names)
    return Since("9.1", newer, before=DtypeIn(_THREE_FLOATS, names))


def _normal_of(name: str, tensors: tuple[str, ...], steps: tuple[Step, ...], shape: str) -> Row:
    """Row of normal numbers with mean and deviation by value, or in ``tensors``."""
    mean = "&mean 0.0f" if "mean" in tensors else "nullptr mean"
    std = "&std 0.0f" if "std" in tensors else "nullptr std"
    fill = f"plan out {mean} {std} seeds"
    plain = Call("fill_normal", fill)
    last: tuple[Step, ...] = (DoneIfEmpty(("out",)), BY_VALUE, plain)
    if len(tensors) == 2:
        # The kernel draws in the shape of the mean; that of the 950 since 9.1, which does not take
        # float64, in the shape of the result.
        for_means = Call("fill_normal", f"{fill} true")
        newest = If("!on_950() || result_type == ACL_DOUBLE", for_means, plain)
        last = (*last[:-1], Since("9.1", newest, before=for_means))
    output = {"out": Output(f"{shape} {' '.join(tensors)}", f"common {' '.join(tensors)}")}
    return Row(
        name, "random", (Null((*tensors, "out")), *steps, *last), output if tensors else {},
        missing=(STREAM,),
    )  # fmt: skip


_both = ("mean", "std")
_normals = (
    _normal_of(
        "NormalFloatFloat", (), (_floats("out"), RankAtMost(8, ("out",))), ""
    ),
    _normal_of(
        "NormalTensorFloat", ("mean",),
        (
            RankAtMost(8, ("mean", "out")),
            That("broadcast(check, {&mean, &out}) == out.shape()", "mean does not fit out"),
            _floats("mean", "out"),
        ),
        "like",
    ),
    _normal_of(
        "NormalFloatTensor", ("std",),
        (
            That("!std.is_empty()", "std is empty"),
            SameShape(("std", "out")),
            RankAtMost(8, ("std",)),
            _floats("std", "out"),
        ),
        "like",
    ),
    _normal_of(
        "NormalTensorTensor", _both,
        (
            RankAtMost(8, _both),
            Broadcast(_both),
            ShapeIs(("out",)),
            _floats(*_both, "out"),
            ResultType("common", _both),
            Castable(("out",)),
        ),
        "broadcast",
    ),
)  # fmt: skip

_BERNOULLI = Dtypes(
    ("float32", "int32", "int64", "float16", "int16", "int8", "uint8", "float64", "bool"),
    ("bfloat16",), ("uint16", "uint32", "uint64"),
)  # fmt: skip


def _bernoulli(self: str, out: str, *, tensor: bool) -> Row:
    value = "prob->to_double()"
    checks: tuple[Step, ...] = (
        RankAtMost(8, (self, "prob")),
    ) if tensor else (
        # NaN is no number that CANN's comparisons refuse.
        That(f"!({value} < 0 || {value} > 1)", "prob is %g, it must be from 0 to 1", (value,)),
        RankAtMost(8, (self,)),
    )  # fmt: skip
    steps: tuple[Step, ...] = (
        Null(tuple(dict.fromkeys((self, "prob", out)))),
        That("!on_310p()", "%s has no such operator",
             ("chip().name",)),
        DtypeIn(_BERNOULLI, (self,)),
        DtypeIn(FLOATS_DOUBLE, ("prob",)),
        *((SameDtype((self, out)),) if out != self else ()),
        *checks,
        *((SameShape((self, out)),) if out != self else ()),
        NoPrivateFormat((self, "prob") if tensor else (self,)),
        DoneIfEmpty((self, "prob") if tensor else (self,)),
        *((That(f"prob.elements() == 1 || prob.elements() == {self}.elements()",
                f"prob has neither one element nor those of {self}"),) if tensor else ()),
        BY_VALUE,
        Call("fill_truths", f"plan {out} {'prob' if tensor else value} seeds"),
    )  # fmt: skip
    name = "Bernoulli" + ("Tensor" if tensor else "")
    outputs = {out: Output(f"like {self}", f"same {self}")} if out != self else {}
    undefined = ("probabilities of another count, whose results CANN does not define",)
    return Row(
        name if outputs else "Inplace" + name, "random", steps, outputs,
        missing=(STREAM, *(undefined if tensor else ())),
    )  # fmt: skip


def _dropout_gradient(
    name: str, grad: str, out: str, first: tuple[Step, ...], share: tuple[Step, ...], kernel: str,
    scale: str,
) -> Row:  # fmt: skip
    return Row(
        name, "embedding",
        (
            *first,
            Null((grad, "mask", out)),
            ResultType("same", (grad,)),
            Castable((out,)),
            DtypeIn(FLOATS, (grad,)),
            DtypeIn(dtypes("uint8"), ("mask",)),
            *share,
            RankAtMost(8, (grad,)),
            SameShape((grad, out)),
            Call("check_dropout_mask", f"check {grad} mask"),
            DoneIfEmpty((grad,)),
            Call(kernel, f"plan {grad} mask {scale} {out}"),
        ),
        {out: Output(f"like {grad}", f"same {grad}")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    *_normals,
    *(_bernoulli("self", "out", tensor=tensor) for tensor in (False, True)),
    *(_bernoulli("selfRef", "selfRef", tensor=tensor) for tensor in (False, True)),
    *_uniform,
    *_normal,
    *_integers,
    _mask("DropoutGenMask", BY_VALUE, typed=False),
    _mask("DropoutGenMaskV2", BY_VALUE),
    Row(
        _mask_tensor.name, "random",
        (*_mask_tensor.steps[:1], HAS_GENERATOR, *_mask_tensor.steps[1:]), _mask_tensor.outputs,
        missing=_mask_tensor.missing,
    ),
    _do_mask,
    _dropout,
    _permutation,
    _dropout_gradient(
        "DropoutBackward", "gradOutput", "out", (),
        (
            Call("dropped_share", "scale", "p"),
            That("!(p > 1 || p < 0)", "scale is %g, it must be 0 or from 1 on", ("double(scale)",)),
        ),
        "dropout_gradient", "p",
    ),
    _dropout_gradient(
        "DropoutV3Grad", "gradY", "gradX",
        (That("on_950()", "%s does not have this operator, the 950 has",
              ("chip().name",)),),
        (), "dropout_v3_gradient", "scale",
    ),
)  # fmt: skip
