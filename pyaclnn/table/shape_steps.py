"""Steps about formats, dimensions, and attributes that are numbers."""

from __future__ import annotations

from dataclasses import dataclass

from .steps import RankAtMost, That


@dataclass(frozen=True)
class Formats:
    """These tensors have the memory formats that ``opapi/common/format_rules.cpp`` demands."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return f"check_formats(check, {', '.join(self.names)});"


@dataclass(frozen=True)
class FlatOrRankAtMost:
    """These tensors have at most so many dimensions, unless all of the second are contiguous."""

    limit: int
    names: tuple[str, ...]
    contiguous: tuple[str, ...]

    def cpp(self) -> str:
        flat = " && ".join(f"{n}.meta().is_contiguous()" for n in self.contiguous)
        return f"if (!({flat})) {{ {RankAtMost(self.limit, self.names).cpp()} }}"


@dataclass(frozen=True)
class ExtentsInInt32:
    """No extent of these tensors is beyond 32 bits."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(self._one(n) for n in self.names)

    @staticmethod
    def _one(name: str) -> str:
        words = f"{name} has the extent %lld, at most 2^31 - 1 are allowed"
        fits = That("extent <= INT32_MAX", words, ("static_cast<long long>(extent)",))
        return f"for (std::int64_t extent : {name}.shape()) {fits.cpp()}"


@dataclass(frozen=True)
class Axis:
    """The axis of a tensor that an attribute names, from its end where that is negative."""

    tensor: str = "self"
    dim: str = "dim"

    def cpp(self) -> str:
        return f"const std::size_t axis = check.dim_of({self.tensor}, {self.dim});"


@dataclass(frozen=True)
class Axes:
    """The axes of a tensor that an expression in C++ lists, all for an empty list.

    Attributes
    ----------
    dims, tensor : str
        The list and the tensor.
    repeated : bool
        Whether an axis may be there twice.
    """

    dims: str
    tensor: str = "self"
    repeated: bool = False

    def cpp(self) -> str:
        given = f"check, {self.tensor}, {self.dims}{', true' if self.repeated else ''}"
        return f"const AxisMask axes = axis_mask({given});"


@dataclass(frozen=True)
class Spatial:
    """These tensors have channels before so many axes, and before them a batch or none."""

    axes: int
    names: tuple[str, ...]

    def cpp(self) -> str:
        return " ".join(self._one(n).cpp() for n in self.names)

    def _one(self, name: str) -> That:
        a, b, rank = self.axes + 1, self.axes + 2, f"{name}.rank()"
        words = f"{name} has %zu dimensions, it must have {a} or {b}"
        return That(f"{rank} == {a} || {rank} == {b}", words, (rank,))


@dataclass(frozen=True)
class SameRank:
    """All have as many dimensions as the first."""

    names: tuple[str, ...]

    def cpp(self) -> str:
        first, *others = self.names
        return " ".join(self._one(n, first).cpp() for n in others)

    @staticmethod
    def _one(name: str, first: str) -> That:
        ranks = (f"{name}.rank()", f"{first}.rank()")
        return That(" == ".join(ranks), f"{name} has %zu dimensions, {first} has %zu", ranks)


@dataclass(frozen=True)
class ForEachAxis:
    """These attributes have a number for each of so many axes, or one for all.

    Attributes
    ----------
    axes : int
        How many there are.
    names : tuple of str
        The attributes.
    least : int, optional
        The numbers are at least this one, and fit an int32.
    or_none : bool
        Whether an attribute may be empty, too.
    """

    axes: int
    names: tuple[str, ...]
    least: int | None = None
    or_none: bool = False

    def cpp(self) -> str:
        return " ".join(self._one(n) for n in self.names)

    def _one(self, name: str) -> str:
        length = f"check_length(check, {name}, {self.axes}, {str(self.or_none).lower()});"
        if self.least is None:
            return length
        return f"{length} check_at_least(check, {name}, {self.least});"


@dataclass(frozen=True)
class NumberIn:
    """An integer is at least, and at most if that is said; ``words`` say what it must."""

    name: str
    least: int
    words: str
    most: int | None = None

    def cpp(self) -> str:
        above = "" if self.most is None else f" && {self.name} <= {self.most}"
        words = f"{self.name} is %lld, it must {self.words}"
        number = f"static_cast<long long>({self.name})"
        return That(f"{self.name} >= {self.least}{above}", words, (number,)).cpp()


def rank_is(name: str, *ranks: int, step: type[That] = That) -> That:
    """Return the step of a tensor with one of these numbers of dimensions."""
    holds = " || ".join(f"{name}.rank() == {rank}" for rank in ranks)
    words = " or ".join(map(str, ranks))
    return step(holds, f"{name} has %zu dimensions, it must have {words}", (f"{name}.rank()",))
