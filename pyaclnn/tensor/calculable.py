"""Arithmetic, comparisons, reductions and copies of tensors: each is a call of an operator.

Python's operators are a table over aclnn's. The floor above, which has the operators, hands them
down with `provide`; nothing here computes.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.weak import NUMBERS, beside, promoted

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from pyaclnn.tensor.tensor import Tensor

#: cubeMathType of ``@``: the product keeps the precision of its operands.
_KEEP_DTYPE = 0
#: What the matrix unit multiplies, by name; others are composed, in the floor of the array API.
_CUBE = frozenset(("float16", "bfloat16", "float32"))


#: Narrow integers that CANN has some operators not for: these calculate in int32.
_NARROW = {np.dtype(name): np.dtype(np.int32) for name in ("int8", "uint8", "int16")}


#: By ``str`` of a tensor's dtype and class of a Python number: the range in which CANN itself keeps
#: the dtype of the tensor. Such a number is passed as it is, which takes a fifth of the time of a
#: typed one.
_Plain = dict[tuple[str, type], tuple[float, float]]
#: float16, float32, float64, and bfloat16, whose dtype ml_dtypes has, which is not imported here.
_FLOATS = ("<f2", "<f4", "<f8", "<V2")


def _plain(*integers: str, fractions: bool = True) -> _Plain:
    """Return the range of floats for all tensors of floats, and of integers for some."""
    found: _Plain = {(dtype, int): (-(2**63), 2**63 - 1) for dtype in _FLOATS}
    if fractions:
        found.update({(dtype, float): (-math.inf, math.inf) for dtype in _FLOATS})
    for name in integers:
        limits = np.iinfo(name)
        found[np.dtype(name).str, int] = int(limits.min), int(limits.max)
    return found


_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
_ALL = _plain(*_INTEGERS)
_WIDE = _plain("int32", "int64")
_ONLY_INT64 = _plain("int64", fractions=False)


@dataclass(frozen=True)
class _Binary:
    """The operators of one sign.

    Attributes
    ----------
    with_tensor, with_number, number_first : str
        For two tensors, for a number on the right, and for one on the left. Where there is none
        for a number, it becomes a tensor of one element.
    rest : tuple
        Further arguments.
    through : dict
        Dtype of operands -> the one CANN has the operator in; the result is cast back.
    divides : bool
        Whether integers give floats.
    plain : dict
        See `_Plain`.
    """

    with_tensor: str
    with_number: str = ""
    number_first: str = ""
    rest: tuple[int, ...] = ()
    through: dict[np.dtype[Any], np.dtype[Any]] = field(default_factory=dict)
    divides: bool = False
    plain: _Plain = field(default_factory=dict)


_ADD = _Binary("add", "adds", "adds", (1,), plain=_ALL)
_SUB = _Binary("sub", "subs", "rsubs", (1,), plain=_ALL)
_MUL = _Binary("mul", "muls", "muls", plain=_ALL)
_DIV = _Binary("div", "divs", divides=True, plain=_ALL)
_FLOOR_DIV = _Binary("floor_divide", "floor_divides", plain=_ONLY_INT64)
_REMAINDER = _Binary(
    "remainder_tensor_tensor", "remainder_tensor_scalar", "remainder_scalar_tensor",
    through=_NARROW, plain=_WIDE,
)  # fmt: skip
_POW = _Binary("pow_tensor_tensor", "pow_tensor_scalar", "pow_scalar_tensor", plain=_ALL)
_LEFT = _Binary("left_shift")
_RIGHT = _Binary("right_shift")
_AND = _Binary("bitwise_and_tensor", "bitwise_and_scalar", "bitwise_and_scalar", plain=_ONLY_INT64)
_OR = _Binary("bitwise_or_tensor", "bitwise_or_scalar", "bitwise_or_scalar", plain=_ONLY_INT64)
_XOR = _Binary("bitwise_xor_tensor", "bitwise_xor_scalar", "bitwise_xor_scalar", plain=_ONLY_INT64)
_EQ = _Binary("eq_tensor", "eq_scalar", plain=_ALL)
_NE = _Binary("ne_tensor", "ne_scalar", plain=_ALL)
_LT = _Binary("lt_tensor", "lt_scalar", plain=_ALL)
_LE = _Binary("le_tensor", "le_scalar", plain=_ALL)
_GT = _Binary("gt_tensor", "gt_scalar", plain=_ALL)
_GE = _Binary("ge_tensor", "ge_scalar", plain=_ALL)

#: Python tries the other operand, or raises TypeError.
_NOT_MINE: Tensor = NotImplemented

#: CANN negates int8, but neither uint8 nor int16.
_NARROW_AND_SIGNED = {d: wide for d, wide in _NARROW.items() if d != np.int8}

_operators: Any = None
_empty: Callable[..., Tensor] | None = None
_namespace: Callable[[], Any] | None = None

#: An operand that is not the tensor itself.
Operand = Any
Axes = SupportsIndex | Sequence[SupportsIndex] | None


def provide(operators: object) -> None:
    """Take the namespace whose attributes are the operators."""
    global _operators
    _operators = operators


def provide_empty(empty: Callable[..., Tensor]) -> None:
    """Take the function that makes tensors; the module that has it imports this one."""
    global _empty
    _empty = empty


def provide_array_api(load: Callable[[], Any]) -> None:
    """Take the function that imports the namespace of the array API, the first time it is asked."""
    global _namespace
    _namespace = load


def new(shape: tuple[int, ...], dtype: DTypeLike, beside: Any) -> Tensor:
    """Return a tensor with undefined values on the device of another."""
    assert _empty is not None
    return _empty(shape, dtype, device=beside.device)


def call(name: str, *arguments: Any, out: Tensor | None = None) -> Tensor:
    """Call an operator of one output by its Python name."""
    function = getattr(_operators, name)
    # Arguments by name take 0.1 µs of a call of 2, also where they say nothing.
    result: Tensor = function(*arguments) if out is None else function(*arguments, out=out)
    return result


class Calculable:
    """What a tensor computes by Python's signs and NumPy's methods.

    Everything is submitted to the current stream and not waited for. Types of results are CANN's:
    a Python number takes part as an ``aclScalar``. Arrays of the host are refused.
    """

    __slots__ = ()

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        """Return `pyaclnn.array_api`, whose functions take this tensor.

        Parameters
        ----------
        api_version : str, optional
            Of the array API standard: 2021.12 to 2024.12.

        Raises
        ------
        ValueError
            If it is another.
        """
        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            raise ValueError(f"version {api_version!r} of the array API is not there; 2024.12 is")
        assert _namespace is not None
        return _namespace()

    # NumPy's arrays leave the calculation to us, who refuse it, in place of copying each element.
    __array_ufunc__ = None

    def __add__(self, other: Operand) -> Tensor:
        return _binary(_ADD, self, other)

    def __radd__(self, other: Operand) -> Tensor:
        return _number_first(_ADD, self, other)

    def __iadd__(self, other: Operand) -> Tensor:
        return _in_place(_ADD, self, other)

    def __sub__(self, other: Operand) -> Tensor:
        return _binary(_SUB, self, other)

    def __rsub__(self, other: Operand) -> Tensor:
        return _number_first(_SUB, self, other)

    def __isub__(self, other: Operand) -> Tensor:
        return _in_place(_SUB, self, other)

    def __mul__(self, other: Operand) -> Tensor:
        return _binary(_MUL, self, other)

    def __rmul__(self, other: Operand) -> Tensor:
        return _number_first(_MUL, self, other)

    def __imul__(self, other: Operand) -> Tensor:
        return _in_place(_MUL, self, other)

    def __truediv__(self, other: Operand) -> Tensor:
        return _binary(_DIV, self, other)

    def __rtruediv__(self, other: Operand) -> Tensor:
        return _number_first(_DIV, self, other)

    def __itruediv__(self, other: Operand) -> Tensor:
        return _in_place(_DIV, self, other)

    def __floordiv__(self, other: Operand) -> Tensor:
        return _binary(_FLOOR_DIV, self, other)

    def __rfloordiv__(self, other: Operand) -> Tensor:
        return _number_first(_FLOOR_DIV, self, other)

    def __ifloordiv__(self, other: Operand) -> Tensor:
        return _in_place(_FLOOR_DIV, self, other)

    def __mod__(self, other: Operand) -> Tensor:
        return _binary(_REMAINDER, self, other)

    def __rmod__(self, other: Operand) -> Tensor:
        return _number_first(_REMAINDER, self, other)

    def __imod__(self, other: Operand) -> Tensor:
        return _in_place(_REMAINDER, self, other)

    def __pow__(self, other: Operand) -> Tensor:
        return _binary(_POW, self, other)

    def __rpow__(self, other: Operand) -> Tensor:
        return _number_first(_POW, self, other)

    def __ipow__(self, other: Operand) -> Tensor:
        return _in_place(_POW, self, other)

    def __and__(self, other: Operand) -> Tensor:
        return _binary(_AND, self, other)

    def __rand__(self, other: Operand) -> Tensor:
        return _number_first(_AND, self, other)

    def __iand__(self, other: Operand) -> Tensor:
        return _in_place(_AND, self, other)

    def __or__(self, other: Operand) -> Tensor:
        return _binary(_OR, self, other)

    def __ror__(self, other: Operand) -> Tensor:
        return _number_first(_OR, self, other)

    def __ior__(self, other: Operand) -> Tensor:
        return _in_place(_OR, self, other)

    def __xor__(self, other: Operand) -> Tensor:
        return _binary(_XOR, self, other)

    def __rxor__(self, other: Operand) -> Tensor:
        return _number_first(_XOR, self, other)

    def __ixor__(self, other: Operand) -> Tensor:
        return _in_place(_XOR, self, other)

    def __lshift__(self, other: Operand) -> Tensor:
        return _binary(_LEFT, self, other)

    def __rlshift__(self, other: Operand) -> Tensor:
        return _number_first(_LEFT, self, other)

    def __ilshift__(self, other: Operand) -> Tensor:
        return _in_place(_LEFT, self, other)

    def __rshift__(self, other: Operand) -> Tensor:
        return _binary(_RIGHT, self, other)

    def __rrshift__(self, other: Operand) -> Tensor:
        return _number_first(_RIGHT, self, other)

    def __irshift__(self, other: Operand) -> Tensor:
        return _in_place(_RIGHT, self, other)

    def __divmod__(self, other: Operand) -> tuple[Tensor, Tensor]:
        return self // other, self % other

    def __rdivmod__(self, other: Operand) -> tuple[Tensor, Tensor]:
        return other // self, other % self

    def __matmul__(self, other: Operand) -> Tensor:
        if not isinstance(other, Calculable):
            refuse_array(other)
            return NotImplemented
        dtype = as_tensor(self).dtype
        if dtype is as_tensor(other).dtype and dtype.name in _CUBE:
            return call("matmul", self, other, _KEEP_DTYPE)
        assert _namespace is not None
        product: Tensor = _namespace().matmul(self, other)
        return product

    def __rmatmul__(self, other: Operand) -> Tensor:
        refuse_array(other)
        return NotImplemented

    def __imatmul__(self, other: Operand) -> Tensor:
        product = self @ other
        return product if product is NotImplemented else call("inplace_copy", self, product)

    def __eq__(self, other: Operand) -> Tensor:  # type: ignore[override]
        return _compared(_EQ, self, other)

    def __ne__(self, other: Operand) -> Tensor:  # type: ignore[override]
        return _compared(_NE, self, other)

    def __lt__(self, other: Operand) -> Tensor:
        return _compared(_LT, self, other)

    def __le__(self, other: Operand) -> Tensor:
        return _compared(_LE, self, other)

    def __gt__(self, other: Operand) -> Tensor:
        return _compared(_GT, self, other)

    def __ge__(self, other: Operand) -> Tensor:
        return _compared(_GE, self, other)

    # Two tensors are the same key if they are the same object.
    __hash__ = object.__hash__

    def __pos__(self) -> Tensor:
        return call("cast", self, as_tensor(self).dtype)

    def __neg__(self) -> Tensor:
        return _through(_NARROW_AND_SIGNED, "neg", self)

    def __abs__(self) -> Tensor:
        return call("abs", self)

    def __invert__(self) -> Tensor:
        return call("bitwise_not", self)

    def sum(
        self, axis: Axes = None, dtype: DTypeLike | None = None, out: Tensor | None = None,
        keepdims: bool = False,
    ) -> Tensor:  # fmt: skip
        """Return the sum over axes, all of them if none is named.

        Parameters
        ----------
        axis : int or sequence of int, optional
            Which; negative ones count from the end.
        dtype : dtype-like, optional
            Type of the sum: int64 for bool and integers, that of the tensor otherwise.
        out : Tensor, optional
            Where to, in place of a new tensor.
        keepdims : bool
            Keep the axes, with extent 1.

        Returns
        -------
        Tensor
            By ``aclnnReduceSum``.
        """
        wanted = _accumulated_in(dtype, self, "int64")
        return call("reduce_sum", self, _axes(self, axis), keepdims, wanted, out=out)

    def mean(
        self, axis: Axes = None, dtype: DTypeLike | None = None, out: Tensor | None = None,
        keepdims: bool = False,
    ) -> Tensor:  # fmt: skip
        """Return the mean over axes, all of them if none is named.

        Parameters
        ----------
        axis : int or sequence of int, optional
            Which; negative ones count from the end.
        dtype : dtype-like, optional
            Type of the mean: float32 for bool and integers, that of the tensor otherwise.
        out : Tensor, optional
            Where to, in place of a new tensor.
        keepdims : bool
            Keep the axes, with extent 1.

        Returns
        -------
        Tensor
            By ``aclnnMean``.
        """
        wanted = _accumulated_in(dtype, self, "float32")
        return call("mean", self, _axes(self, axis), keepdims, wanted, out=out)

    def max(self, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False) -> Tensor:
        """Return the largest values over axes, all of them if none is named (``aclnnAmax``)."""
        return call("amax", self, _axes(self, axis), keepdims, out=out)

    def min(self, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False) -> Tensor:
        """Return the smallest values over axes, all of them if none is named (``aclnnAmin``)."""
        return call("amin", self, _axes(self, axis), keepdims, out=out)

    def argmax(
        self, axis: SupportsIndex | None = None, out: Tensor | None = None, keepdims: bool = False
    ) -> Tensor:
        """Return where the largest value stands along an axis (``aclnnArgMax``).

        Parameters
        ----------
        axis : int, optional
            Which; of the flattened tensor if not given.
        out : Tensor, optional
            Where to, in place of a new tensor.
        keepdims : bool
            Keep the axis, with extent 1.
        """
        return _position("arg_max", self, axis, out, keepdims)

    def argmin(
        self, axis: SupportsIndex | None = None, out: Tensor | None = None, keepdims: bool = False
    ) -> Tensor:
        """Return where the smallest value stands along an axis; see `argmax`."""
        return _position("arg_min", self, axis, out, keepdims)

    def all(self, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False) -> Tensor:
        """Return whether all elements over axes count as true (``aclnnAll``)."""
        return call("all", self, _axes(self, axis), keepdims, out=out)

    def any(self, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False) -> Tensor:
        """Return whether some element over axes counts as true (``aclnnAny``)."""
        return call("any", self, _axes(self, axis), keepdims, out=out)


def as_tensor(value: Any) -> Tensor:
    """Return it, known to the type checker as the tensor it is."""
    tensor: Tensor = value
    return tensor


def refuse_array(value: object) -> None:
    """Raise TypeError for values of the host, which are not copied unasked."""
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(
            f"a pyaclnn.Tensor or a number is needed, not {type(value).__name__}: values of the "
            "host are not copied unasked; make a tensor with pyaclnn.asarray"
        )


def _through(through: dict[Any, Any], name: str, this: Any, *others: Any) -> Tensor:
    """Call an operator in the dtype that it has, and cast the result back."""
    dtype = this.dtype
    wide = through.get(dtype)
    if wide is None:
        return call(name, this, *others)
    others = tuple(
        call("cast", o, wide) if isinstance(o, Calculable) else wide.type(o) for o in others
    )
    return call("cast", call(name, call("cast", this, wide), *others), dtype)


def _binary(signs: _Binary, this: Any, other: Operand) -> Tensor:
    if isinstance(other, Calculable):
        if not signs.through:
            return call(signs.with_tensor, this, other, *signs.rest)
        if this.dtype is as_tensor(other).dtype and this.dtype not in signs.through:
            return call(signs.with_tensor, this, other, *signs.rest)
        return _through(signs.through, signs.with_tensor, *_together(this, as_tensor(other)))
    bounds = signs.plain.get((this.dtype.str, other.__class__))
    if bounds and bounds[0] <= other <= bounds[1]:
        return call(signs.with_number, this, other, *signs.rest)
    if isinstance(other, NUMBERS):
        dtype, number = beside(this.dtype, other)
        if dtype is not this.dtype:
            this = call("cast", this, dtype)
        if not signs.with_number:
            return call(signs.with_tensor, this, new((), dtype, this).fill_(number))
        if signs.through:
            return _through(signs.through, signs.with_number, this, number)
        return call(signs.with_number, this, number, *signs.rest)
    refuse_array(other)
    return _NOT_MINE


def _number_first(signs: _Binary, this: Any, other: Operand) -> Tensor:
    bounds = signs.plain.get((this.dtype.str, other.__class__))
    if bounds and signs.number_first and bounds[0] <= other <= bounds[1]:
        if signs.number_first.endswith("scalar_tensor"):
            return call(signs.number_first, other, this)
        return call(signs.number_first, this, other, *signs.rest)
    if not isinstance(other, NUMBERS):
        refuse_array(other)
        return _NOT_MINE
    dtype, number = beside(this.dtype, other)
    if dtype is not this.dtype:
        this = call("cast", this, dtype)
    if signs.number_first == "remainder_scalar_tensor" and dtype in signs.through:
        wide = signs.through[dtype]
        return call(
            "cast", call(signs.number_first, wide.type(number), call("cast", this, wide)), dtype
        )
    if signs.number_first.endswith("scalar_tensor"):
        return call(signs.number_first, number, this)
    if signs.number_first:
        return call(signs.number_first, this, number, *signs.rest)
    return call(signs.with_tensor, new((), dtype, this).fill_(number), this)


def _together(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """Return two tensors in the dtype that both promote to."""
    dtype = promoted(first.dtype, second.dtype)
    return first.astype(dtype, copy=False), second.astype(dtype, copy=False)


def _compared(signs: _Binary, this: Any, other: Operand) -> Tensor:
    if isinstance(other, Calculable):
        return call(signs.with_tensor, this, other)
    bounds = signs.plain.get((this.dtype.str, other.__class__))
    if bounds and bounds[0] <= other <= bounds[1]:
        return call(signs.with_number, this, other)
    if not isinstance(other, NUMBERS):
        refuse_array(other)
        return _NOT_MINE
    given: Any = other
    try:
        dtype, number = beside(this.dtype, given)
    except OverflowError:
        # Beyond all that the dtype has, as infinity is.
        dtype = np.dtype(np.float32)
        number = np.float32(np.inf if given > 0 else -np.inf)
    if dtype is not this.dtype:
        if dtype == np.float32:
            # Large integers are not equal to what they are rounded to.
            dtype, number = (
                np.dtype(np.float64),
                np.float64(given if abs(number) < np.inf else number),
            )
        this = call("cast", this, dtype)
    return call(signs.with_number, this, number)


def _in_place(signs: _Binary, this: Any, other: Operand) -> Tensor:
    dtype = this.dtype
    bounds = signs.plain.get((dtype.str, other.__class__))
    if bounds and bounds[0] <= other <= bounds[1] and not (signs.divides and dtype.kind in "iu"):
        call("inplace_" + signs.with_number, this, other, *signs.rest)
        return as_tensor(this)
    if isinstance(other, Calculable):
        its = as_tensor(other).dtype
        together = dtype if its is dtype else promoted(dtype, its)
        name, value = "inplace_" + signs.with_tensor, other
    elif isinstance(other, NUMBERS):
        together, value = beside(dtype, other)
        name = "inplace_" + signs.with_number
    else:
        refuse_array(other)
        return _NOT_MINE
    if signs.divides and together.kind in "biu":
        together = np.dtype(np.float32)
    if together is not dtype and not _same_kind(together, dtype):
        raise TypeError(
            f"in place, a result of {together.name} does not fit {this.describe()}: the dtype of a "
            "tensor stays; write x = x + y, or cast with astype"
        )
    if together is dtype and not signs.through and signs.with_number:
        call(name, this, value, *signs.rest)
    else:
        call("inplace_copy", this, _binary(signs, this, other))
    return as_tensor(this)


def _same_kind(source: np.dtype[Any], target: np.dtype[Any]) -> bool:
    floats = "fV"
    if source.kind in floats and target.kind in floats:
        return True
    return bool(np.can_cast(source, target, "same_kind"))


def _axes(this: Any, axis: Axes) -> list[int]:
    rank: int = this.ndim
    if axis is None:
        return list(range(rank))
    given = axis if isinstance(axis, Sequence) else (axis,)
    axes = [operator.index(a) for a in given]
    for number in axes:
        if not -rank <= number < rank:
            raise ValueError(f"axis {number} is out of range for {this.describe()}")
    return [number % rank for number in axes]


def _accumulated_in(wanted: DTypeLike | None, this: Any, of_integers: str) -> np.dtype[Any]:
    if wanted is not None:
        return as_dtype(wanted)
    own: np.dtype[Any] = this.dtype
    return np.dtype(of_integers) if own.kind in "biu" else own


def _position(name: str, this: Any, axis: SupportsIndex | None, out: Any, keepdims: bool) -> Tensor:
    if axis is not None:
        return call(name, this, *_axes(this, axis), keepdims, out=out)
    flat = this.contiguous().reshape(math.prod(this.shape))
    if out is not None:
        out = out.reshape(())
    found = call(name, flat, 0, False, out=out)
    return as_tensor(found.reshape((1,) * this.ndim) if keepdims else found)
