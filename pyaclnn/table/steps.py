"""What the first phase of an operator does, step by step, in CANN's order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from .dtypes import C_NAMES, Dtypes


class Step(Protocol):
    """One step. A refusal of a null argument is 161001, any other 161002 unless said otherwise."""

    def cpp(self) -> str:
        """Return its statement in C++, without indentation."""


@dataclass(frozen=True)
class Null:
    """These arguments must be given."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"check.not_null({', '.join(self.names)});"


@dataclass(frozen=True)
class Given:
    """These arguments must be given; CANN answers null as any other wrong argument: 161002."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(f'check.that({n}.given(), "{n} is null");' for n in self.names)


@dataclass(frozen=True)
class NullInside:
    """These arguments are used unchecked, so that a null one is noticed inside: 561103."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(f'check_inside(plan, {n}.given(), "{n} is null");' for n in self.names)


@dataclass(frozen=True)
class DtypeIn:
    """These tensors and scalars have one of these element types."""

    accepted: Dtypes
    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"check.dtype_in({self.accepted.cpp()}, {', '.join(self.names)});"


@dataclass(frozen=True)
class SameDtype:
    """All have the element type of the first."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"check.same_dtype({', '.join(self.names)});"


@dataclass(frozen=True)
class ResultType:
    """Names what the operator computes in: a rule of ``types.py`` over these arguments."""

    rule: str
    names: tuple[str, ...]

    def cpp(self) -> str:
        types = "".join(f", {n}" for n in self.names)
        return f"const aclDataType result_type = {self.rule}(check{types});"


@dataclass(frozen=True)
class Promotes:
    """These have a type in common, which does not matter further."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"common(check, {', '.join(self.names)});"


@dataclass(frozen=True)
class CommonCastable:
    """What these have in common may be cast to these outputs, whatever is computed in."""

    operands: tuple[str, ...]
    names: tuple[str, ...]

    def cpp(self) -> str:
        operands = ", ".join(self.operands)
        return " ".join(
            f"check_castable(check, common(check, {operands}), {n});" for n in self.names
        )


@dataclass(frozen=True)
class CastableFrom:
    """A result of this type may be cast to these outputs."""

    dtype: str
    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(f"check_castable(check, {C_NAMES[self.dtype]}, {n});" for n in self.names)


@dataclass(frozen=True)
class ResultIs:
    """The operator gives this element type, whatever its arguments have."""

    dtype: str

    def cpp(self) -> str:
        return f"const aclDataType result_type = {C_NAMES[self.dtype]};"


@dataclass(frozen=True)
class ResultTypeIn:
    """The type computed in is one of these."""

    accepted: Dtypes

    def cpp(self) -> str:
        return f"check_result_type(check, result_type, {self.accepted.cpp()});"


@dataclass(frozen=True)
class Castable:
    """The result may be cast to these outputs: bool, integer, floating, complex, never back."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(f"check_castable(check, result_type, {n});" for n in self.names)


@dataclass(frozen=True)
class HasResultType:
    """These tensors have the type that is computed in."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        words = '"%s has element type %d, it must be %d"'
        return " ".join(
            f"check.that({n}.dtype() == result_type, {words}, {n}.name(), int({n}.dtype()), "
            f"int(result_type));"
            for n in self.names
        )


@dataclass(frozen=True)
class CategoryCastable:
    """On the 950, what a tensor and a number have in common may be cast to an output."""

    tensor: str
    number: str
    out: str = "out"

    def cpp(self) -> str:
        return f"check_category(check, {self.tensor}, {self.number}, {self.out});"


@dataclass(frozen=True)
class ScalarCastable:
    """These scalars may be cast to the type computed in, or ``to`` another.

    To bool only integers and bools may.
    """

    names: tuple[str, ...]
    to: str = ""

    def cpp(self) -> str:
        to = C_NAMES[self.to] if self.to else "result_type"
        return " ".join(f"check_scalar_castable(check, {n}, {to});" for n in self.names)


@dataclass(frozen=True)
class RankAtMost:
    """These tensors have at most so many dimensions."""

    limit: int
    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"check.rank_at_most({self.limit}, {', '.join(self.names)});"


@dataclass(frozen=True)
class Broadcast:
    """These tensors broadcast; their shape is the result's."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"const Dims result_shape = broadcast(check, {{{self._addresses()}}});"

    def _addresses(self) -> str:
        return ", ".join("&" + n for n in self.names)


@dataclass(frozen=True)
class ShapeOf:
    """The result has the shape of this tensor."""

    name: str

    def cpp(self) -> str:
        return f"const Dims& result_shape = {self.name}.shape();"


@dataclass(frozen=True)
class ShapeIs:
    """These tensors have the result's shape; ``or_one`` lets () and (1,) stand for each other."""

    names: tuple[str, ...]
    or_one: bool = False

    def cpp(self) -> str:
        return " ".join(self._one(n) for n in self.names)

    def _one(self, name: str) -> str:
        unless = f"if (!both_one(result_shape, {name}.shape())) " if self.or_one else ""
        return f'{unless}check.shape_is({name}, result_shape, "the result");'


@dataclass(frozen=True)
class FitsInPlace:
    """These tensors broadcast to the shape of the first, which is written."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        addresses = ", ".join("&" + n for n in self.names)
        words = '"what the operands broadcast to"'
        return f"check.shape_is({self.names[0]}, broadcast(check, {{{addresses}}}), {words});"


@dataclass(frozen=True)
class SameShape:
    """All have the shape of the first."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"check.same_shape({', '.join(self.names)});"


@dataclass(frozen=True)
class That:
    """Any other condition, in C++, and the words of its refusal (a printf format and arguments)."""

    condition: str
    message: str
    arguments: tuple[str, ...] = ()

    _check: ClassVar[str] = "check.that("

    def cpp(self) -> str:
        more = "".join(f", {a}" for a in self.arguments)
        return f'{self._check}{self.condition}, "{self.message}"{more});'


class Divides(That):
    """Such a condition where the work of a kernel is divided: 561002."""

    _check = "check_tiling(plan, "


class Inside(That):
    """Such a condition inside the operator: 561103."""

    _check = "check_inside(plan, "


@dataclass(frozen=True)
class About:
    """A step whose texts are made from the names of its operands.

    A row that is derived from another one names them otherwise.
    """

    make: Callable[..., Step]
    names: tuple[str, ...]

    def step(self) -> Step:
        """Return the step for these operands."""
        return self.make(*self.names)

    def cpp(self) -> str:
        return self.step().cpp()


@dataclass(frozen=True)
class ThatGiven:
    """A condition, in C++, without which ``what`` is missing: 161001."""

    condition: str
    what: str

    def cpp(self) -> str:
        return f'check.that_given({self.condition}, "{self.what}");'


@dataclass(frozen=True)
class KernelExists:
    """There is a kernel only where a condition, in C++, holds: 561003."""

    condition: str

    def cpp(self) -> str:
        return f"check_kernel_exists(plan, {self.condition});"


def bfloat16_kernel(name: str) -> KernelExists:
    """Return the step of a tensor whose bfloat16 every chip takes, and not every one has."""
    return KernelExists(f"chip().has_bf16() || {name}.dtype() != ACL_BF16")


@dataclass(frozen=True)
class ForKernel:
    """Checks of types that CANN leaves to the search for a kernel: 561003."""

    steps: tuple[Step, ...]

    def cpp(self) -> str:
        checks = " ".join(step.cpp() for step in self.steps)
        return f"{{ const Check check = kernel_types(plan); {checks} }}"


@dataclass(frozen=True)
class HasShape:
    """A tensor has a shape, an expression in C++; ``words`` say whose it is."""

    name: str
    shape: str
    words: str

    def cpp(self) -> str:
        return f'check.shape_is({self.name}, {self.shape}, "{self.words}");'


@dataclass(frozen=True)
class DoneIfEmpty:
    """Nothing is left to do where one of these tensors has no elements."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"if ({' || '.join(n + '.is_empty()' for n in self.names)}) return;"


#: Families of chips that CANN tells apart, and how the simulator asks for them.
#: The 950 with kernels that came to it later than to others.
LATE_950 = "950 since 9.1"
_CHIPS = {
    "910": "chip().soc == Soc::kAscend910",
    "310P": "on_310p()",
    "A2": "on_a2_or_a3()",
    "950": "on_950()",
    LATE_950: "on_late_950()",
}


@dataclass(frozen=True)
class OnlyOn:
    """Only these families of chips have the operator: 161002 elsewhere.

    ``inside`` it is 561003, behind the other checks, and 561103 where the operator asks for its
    chip as ``late``.
    """

    chips: tuple[str, ...]
    inside: bool = False
    late: bool = False

    def cpp(self) -> str:
        has = " || ".join(_CHIPS[chip] for chip in self.chips)
        if self.inside:
            return f"needs_kernel(plan, {has});"
        check = "check_inside(plan, " if self.late else "check.that("
        return f'{check}{has}, "%s has no such kernel", chip().name);'


@dataclass(frozen=True)
class EndedOn950:
    """361001 on the Ascend 950, which has later versions of the operator only."""

    def cpp(self) -> str:
        return "check_chip_has(plan, !on_950());"


@dataclass(frozen=True)
class On950:
    """A step that only the 950 takes."""

    step: Step

    def cpp(self) -> str:
        return f"if (on_950()) {{ {self.step.cpp()} }}"


@dataclass(frozen=True)
class DoneIf:
    """Nothing is left to do where a condition, in C++, holds, besides one last step."""

    condition: str
    last: Step | None = None

    def cpp(self) -> str:
        last = "return;" if self.last is None else f"{{ {self.last.cpp()} return; }}"
        return f"if ({self.condition}) {last}"


@dataclass(frozen=True)
class NotSimulated:
    """What CANN does from here on, and the simulator does not."""

    what: str

    def cpp(self) -> str:
        return f'fail_not_simulated(plan, "{self.what}");'


@dataclass(frozen=True)
class Steps:
    """Several steps as one."""

    steps: tuple[Step, ...]

    def cpp(self) -> str:
        return " ".join(step.cpp() for step in self.steps)


#: A name, an enumerator or a number, what is asked of one, or a value made of one by its type.
_NAME = r"\w+(?:::\w+)*(?:(?:\.|->)\w+(?:\(\))?)*"
_WORD = re.compile(rf'[&!-]?{_NAME}|[\w:]+\({_NAME}\)|"\w+"')
#: An argument: a word, or several in braces.
_ARGUMENT = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}|[^\s{}]+")


def _arguments(function: str, text: str) -> str:
    """Return words as arguments in C++; expressions with operators are none."""
    arguments = _ARGUMENT.findall(text)
    for argument in arguments:
        words = re.split(r"[\s,{}]+", argument) if argument[0] == "{" else [argument]
        if wrong := [word for word in words if word and not _WORD.fullmatch(word)]:
            raise ValueError(f"{function}: an expression is no argument: {' '.join(wrong)}")
    return ", ".join(arguments)


@dataclass(frozen=True)
class Call:
    """A function in C++ of parameters and earlier results, which a header in ``opapi`` declares.

    The build includes the headers that declare what the steps name.

    Attributes
    ----------
    function : str
        Its name.
    arguments : str
        ``check``, ``plan``, parameters and what earlier steps have named, in the function's order.
    gives : str
        What its result is named for the steps that follow.
    """

    function: str
    arguments: str
    gives: str = ""

    def cpp(self) -> str:
        result = f"const auto {self.gives} = " if self.gives else ""
        return f"{result}{self.function}({_arguments(self.function, self.arguments)});"


@dataclass(frozen=True)
class Struct:
    """Parameters and earlier results as a struct of C++, named for the steps that follow."""

    type: str
    arguments: str
    name: str

    def cpp(self) -> str:
        return f"const {self.type} {self.name}{{{_arguments(self.type, self.arguments)}}};"


_BRANCH = re.compile(r"\b(if|else|for|while|do|switch|return)\b|\?")


@dataclass(frozen=True)
class Cpp:
    """Any other statement, in C++ that sees the parameters, ``check`` and ``plan``.

    More than a statement without a branch is a function in a ``.cpp`` of the family.
    """

    text: str

    def cpp(self) -> str:
        if _BRANCH.search(self.text) or ";" in self.text.rstrip("; "):
            raise ValueError(f"as a function in C++, which can be compiled alone: {self.text}")
        return self.text


@dataclass(frozen=True)
class Kernel:
    """The rest of the first phase: a function in C++ that takes all parameters by their names.

    The build writes ``parameters/<of>.hpp``, with the struct ``<of>Parameters`` made from the
    operator's declaration, and declares ``function(check, plan, parameters)``. A source file
    includes it and defines the function, so no list of parameters is written again. Versions of an
    operator share a function: `of` is the one that has all parameters, and what another lacks
    (names are compared without a trailing ``Optional``) is absent, 0, false or null.

    Attributes
    ----------
    function : str
        Its name.
    of : str
        The operator, without ``aclnn``, whose parameters it takes; that of the row by default.
    given : dict
        Parameter of `of` -> expression in C++ for it, where the name alone does not tell.
    """

    function: str
    of: str = ""
    given: dict[str, str] = field(default_factory=dict)

    def cpp(self) -> str:
        raise TypeError(f"{self.function}: only the generator knows the declaration")


@dataclass(frozen=True)
class Stage:
    """What CANN makes of operands and result around the kernel, where that is not the usual.

    Attributes
    ----------
    names : tuple of str
        The operands, which are made contiguous.
    out : str
        Where the result is copied to.
    spreads : bool
        Whether operands are broadcast to the result's shape and cast to its type.
    casts : bool
        Whether the result may have another type than ``out``.
    cast_first : bool
        Whether operands are cast before they are broadcast.
    """

    names: tuple[str, ...]
    out: str
    spreads: bool = True
    casts: bool = True
    cast_first: bool = False

    def cpp(self) -> str:
        ways = [".broadcast_to(result_shape)", ".cast_to(result_type)"] if self.spreads else []
        if self.cast_first:
            ways.reverse()
        operands = [f"plan.stage({n}).contiguous(){''.join(ways)};" for n in self.names]
        cast = f".cast_to({self.out}.dtype())" if self.casts else ""
        result = f"plan.result(result_type, result_shape){cast}.copy_to({self.out});"
        return " ".join((*operands, result))


@dataclass(frozen=True)
class Pointwise:
    """The kernel of an element-wise operator.

    Attributes
    ----------
    formula : str
        Its name in ``opapi/pointwise/formulas.hpp`` and in ``selftest/formulas``.
    tensors, scalars : tuple of str
        The operands in the formula's order: broadcast tensors; aclScalars and attributes.
    out : str
        Where the result goes.
    gives : str
        The element type of the result, or the tensor that has it; empty for that computed in.
    of_bool : str
        The formula where bool is computed in, if it is another.
    choice : str
        Which formula in C++, where that depends on an attribute: an expression.
    hidden : tuple of str
        Further scalars of the C++ formula, as expressions.
    exact : tuple of str
        More of them, floats that are not rounded to what is computed in.
    staged : bool
        Whether a step before it says what is prepared.
    """

    formula: str
    tensors: tuple[str, ...]
    scalars: tuple[str, ...] = ()
    out: str = "out"
    gives: str = ""
    of_bool: str = ""
    choice: str = ""
    hidden: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    staged: bool = False

    def cpp(self) -> str:
        formula = self.choice or f"formulas::{self.formula}"
        if self.of_bool:
            formula = f"result_type == ACL_BOOL ? formulas::{self.of_bool} : {formula}"
        gives = "result_type"
        if self.gives:
            gives = C_NAMES.get(self.gives, f"{self.gives}.dtype()")
        scalars = ", ".join(
            (
                *(f"Number({s})" for s in (*self.scalars, *self.hidden)),
                *(f"Number::unrounded({e})" for e in self.exact),
            )
        )
        call, out = "pointwise", self.out
        tensors = ", ".join("&" + t for t in self.tensors)
        if self.staged:
            call, out = "launch_pointwise", f"plan.writes({out})"
            tensors = ", ".join(f"plan.reads({t})" for t in self.tensors)
        return (
            f"{call}(plan, {formula}, result_type, {gives}, {out}, {{{tensors}}}, {{{scalars}}});"
        )


@dataclass(frozen=True)
class Cast:
    """The kernel of a cast: ``tensor`` as ``dtype``, a parameter, which must be that of ``out``."""

    tensor: str
    dtype: str
    out: str = "out"

    def cpp(self) -> str:
        return f"cast(plan, {self.tensor}, {self.dtype}, {self.out});"


@dataclass(frozen=True)
class Copy:
    """The kernel of a copy: ``tensor``, cast and broadcast, to ``out``."""

    tensor: str
    out: str

    def cpp(self) -> str:
        return f"copy(plan, {self.tensor}, {self.out});"
