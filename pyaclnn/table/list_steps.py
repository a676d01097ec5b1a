"""Steps of operators on lists of tensors; what each refuses is in ``opapi/foreach/lists.hpp``."""

from __future__ import annotations

from dataclasses import dataclass

from .dtypes import Dtypes
from .steps import Step


def _addresses(names: tuple[str, ...]) -> str:
    return "{" + ", ".join("&" + n for n in names) + "}"


@dataclass(frozen=True)
class EachTensor:
    """A step for each tensor of a list, which it names ``tensor``."""

    tensors: str
    step: Step

    def cpp(self) -> str:
        loop = f"for (const TensorArgument& tensor : {self.tensors}.tensors)"
        return f"{loop} {{ {self.step.cpp()} }}"


@dataclass(frozen=True)
class SameLengthFirst:
    """The lists have one length: 161001, as if one were null."""

    first: str
    second: str

    def cpp(self) -> str:
        return f"check_lengths_first({self.first}, {self.second});"


@dataclass(frozen=True)
class ListsFit:
    """Everything that an operator written by hand demands of its lists; the last is written.

    Attributes
    ----------
    accepted : Dtypes
        Element types of the first list, which all tensors have.
    names : tuple of str
        The lists; all tensors of one place have one shape.
    """

    accepted: Dtypes
    names: tuple[str, ...]

    def cpp(self) -> str:
        *read, out = self.names
        return f"check_lists(check, {self.accepted.cpp()}, {_addresses((*read,))}, {out});"


@dataclass(frozen=True)
class ListsInPublicFormats:
    """No tensor of these lists is stored in the blocks of a matrix unit."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(
            f"for (const TensorArgument& tensor : {n}.tensors) {{ check_format(check, "
            f'{{FormatDemand::Kind::kNoneOf, "{n}", kPrivateFormats}}, {{&tensor}}); }}'
            for n in self.names
        )


@dataclass(frozen=True)
class ListsInOneFormat:
    """Tensors of one place in two lists have one format."""

    first: str
    second: str

    def cpp(self) -> str:
        a, b = f"{self.first}.tensors[i].meta().format", f"{self.second}.tensors[i].meta().format"
        words = f"{self.first} and {self.second} differ in format at %zu"
        return (
            f"for (std::size_t i = 0; i < {self.first}.tensors.size(); ++i) "
            f'check.that({a} == {b}, "{words}", i);'
        )


@dataclass(frozen=True)
class ScalarBeside:
    """The type of a scalar follows from that of the tensors; ``wide`` takes a float on the 950."""

    names: tuple[str, ...]
    scalar: str
    wide: bool = False

    def cpp(self) -> str:
        wide = str(self.wide).lower()
        return f"check_scalar_beside(check, {self.names[0]}, {self.scalar}, {wide});"


@dataclass(frozen=True)
class KernelChosen:
    """What a generated operator looks at to choose its kernel: the first tensor of each list.

    ``kernels`` says which chips have one, as in C++.
    """

    accepted: Dtypes
    names: tuple[str, ...]
    kernels: str = "kUsual"

    def cpp(self) -> str:
        *read, out = self.names
        lists = _addresses((*read,))
        more = "" if self.kernels == "kUsual" else f", Kernels::{self.kernels}"
        return f"check_kernel_lists(check, plan, {self.accepted.cpp()}, {lists}, {out}{more});"


@dataclass(frozen=True)
class NumberChosen:
    """The type of its numbers follows from that of the tensors, or is the ``same``.

    On the 950 those that are ``wide`` may be float32 beside float16.
    """

    names: tuple[str, ...]
    number: str
    same: bool = False
    wide: bool = False

    def cpp(self) -> str:
        check = "check_kernel_dtype" if self.same else "check_kernel_number"
        wide = ", true" if self.wide else ""
        return f"{check}(check, {self.names[0]}, {self.number}{wide});"


@dataclass(frozen=True)
class DoneIfAllEmpty:
    """Nothing is left to do where no tensor of this list has elements."""

    name: str

    def cpp(self) -> str:
        return f"if (all_empty({self.name})) return;"


@dataclass(frozen=True)
class WorkDivided:
    """What a generated operator finds wrong when its work is divided."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        *read, out = self.names
        return f"divide_lists(plan, {_addresses((*read,))}, {out});"


@dataclass(frozen=True)
class NumberDivided:
    """The same of its numbers: one, or one for each tensor."""

    names: tuple[str, ...]
    number: str
    each: bool = False

    def cpp(self) -> str:
        if self.each:
            return f"divide_each(plan, {self.names[0]}, {self.number});"
        return f"divide_one(plan, {self.number});"


@dataclass(frozen=True)
class ForEach:
    """The kernel: a formula over each tensor of the lists.

    Attributes
    ----------
    formula : str
        As that of ``Pointwise``, or ``copy``.
    lists : tuple of str
        Its first operands.
    shared : tuple of str
        Its further operands: tensors with one element for all, or one for each.
    numbers : tuple of str
        Its scalars: aclScalars, lists of them, constants.
    out : str
        Where the results go.
    compute : str
        What numbers are rounded to, in C++; ``kernel_type`` by default, which is none at all.
    """

    formula: str
    lists: tuple[str, ...]
    shared: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    out: str = "out"
    compute: str = ""

    def cpp(self) -> str:
        if self.formula == "copy":
            return f"foreach_copy(plan, {self.lists[0]}, {self.out});"
        compute = self.compute or f"kernel_type({(*self.lists, self.out)[0]})"
        numbers = ", ".join(f"Numbers({n})" for n in self.numbers)
        return (
            f"foreach_pointwise(plan, formulas::{self.formula}, {compute}, {self.out}, "
            f"{_addresses(self.lists)}, {_addresses(self.shared)}, {{{numbers}}});"
        )
