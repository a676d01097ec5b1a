"""Arithmetic, comparisons, reductions and copies of tensors: each is a call of an operator.

Python's operators are a table over aclnn's. The floor above, which has the operators, hands them
down with `provide`; nothing here computes.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from pyaclnn.tensor.dtypes import as_dtype

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from pyaclnn.tensor.tensor import Tensor

_NUMBERS = (bool, int, float, complex, np.generic)
#: cubeMathType of ``@``: the product keeps the precision of its operands.
_KEEP_DTYPE = 0


@dataclass(frozen=True)
class _Binary:
    """The operators of one sign: for a tensor, for a number, and for a number on the left."""

    with_tensor: str
    with_number: str
    number_first: str = ""
    rest: tuple[int, ...] = ()


_ADD = _Binary("add", "adds", "adds", (1,))
_SUB = _Binary("sub", "subs", "rsubs", (1,))
_MUL = _Binary("mul", "muls", "muls")
_DIV = _Binary("div", "divs")
_FLOOR_DIV = _Binary("floor_divide", "floor_divides")
_REMAINDER = _Binary("remainder_tensor_tensor", "remainder_tensor_scalar")
_POW = _Binary("pow_tensor_tensor", "pow_tensor_scalar")
_AND = _Binary("bitwise_and_tensor", "bitwise_and_scalar", "bitwise_and_scalar")
_OR = _Binary("bitwise_or_tensor", "bitwise_or_scalar", "bitwise_or_scalar")
_XOR = _Binary("bitwise_xor_tensor", "bitwise_xor_scalar", "bitwise_xor_scalar")
_EQ = _Binary("eq_tensor", "eq_scalar")
_NE = _Binary("ne_tensor", "ne_scalar")
_LT = _Binary("lt_tensor", "lt_scalar")
_LE = _Binary("le_tensor", "le_scalar")
_GT = _Binary("gt_tensor", "gt_scalar")
_GE = _Binary("ge_tensor", "ge_scalar")

#: Python tries the other operand, or raises TypeError.
_NOT_MINE: Tensor = NotImplemented

_operators: Any = None

#: An operand that is not the tensor itself.
Operand = Any
Axes = SupportsIndex | Sequence[SupportsIndex] | None


def provide(operators: object) -> None:
    """Take the namespace whose attributes are the operators."""
    global _operators
    _operators = operators


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
        # aclnn divides no number by a tensor.
        if not isinstance(other, _NUMBERS):
            _refuse_array(other)
            return NotImplemented
        return _binary(_MUL, call("reciprocal", self), other)

    def __itruediv__(self, other: Operand) -> Tensor:
        return _in_place(_DIV, self, other)

    def __floordiv__(self, other: Operand) -> Tensor:
        return _binary(_FLOOR_DIV, self, other)

    def __ifloordiv__(self, other: Operand) -> Tensor:
        return _in_place(_FLOOR_DIV, self, other)

    def __mod__(self, other: Operand) -> Tensor:
        return _binary(_REMAINDER, self, other)

    def __rmod__(self, other: Operand) -> Tensor:
        return _of_number("remainder_scalar_tensor", other, self)

    def __imod__(self, other: Operand) -> Tensor:
        return _in_place(_REMAINDER, self, other)

    def __pow__(self, other: Operand) -> Tensor:
        return _binary(_POW, self, other)

    def __rpow__(self, other: Operand) -> Tensor:
        return _of_number("pow_scalar_tensor", other, self)

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

    def __matmul__(self, other: Operand) -> Tensor:
        if not isinstance(other, Calculable):
            _refuse_array(other)
            return NotImplemented
        product: Tensor = call("matmul", self, other, _KEEP_DTYPE)
        return product

    def __rmatmul__(self, other: Operand) -> Tensor:
        _refuse_array(other)
        return NotImplemented

    def __eq__(self, other: Operand) -> Tensor:  # type: ignore[override]
        return _binary(_EQ, self, other)

    def __ne__(self, other: Operand) -> Tensor:  # type: ignore[override]
        return _binary(_NE, self, other)

    def __lt__(self, other: Operand) -> Tensor:
        return _binary(_LT, self, other)

    def __le__(self, other: Operand) -> Tensor:
        return _binary(_LE, self, other)

    def __gt__(self, other: Operand) -> Tensor:
        return _binary(_GT, self, other)

    def __ge__(self, other: Operand) -> Tensor:
        return _binary(_GE, self, other)

    # Two tensors are the same key if they are the same object.
    __hash__ = object.__hash__

    def __neg__(self) -> Tensor:
        return call("neg", self)

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


def _refuse_array(value: object) -> None:
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(
            f"a pyaclnn.Tensor or a number is needed, not {type(value).__name__}: values of the "
            "host are not copied unasked; make a tensor with pyaclnn.asarray"
        )


def _binary(signs: _Binary, this: Any, other: Operand) -> Tensor:
    if isinstance(other, Calculable):
        return call(signs.with_tensor, this, other, *signs.rest)
    if isinstance(other, _NUMBERS):
        return call(signs.with_number, this, other, *signs.rest)
    _refuse_array(other)
    return _NOT_MINE


def _number_first(signs: _Binary, this: Any, number: Operand) -> Tensor:
    if isinstance(number, _NUMBERS):
        return call(signs.number_first, this, number, *signs.rest)
    _refuse_array(number)
    return _NOT_MINE


def _of_number(name: str, number: Operand, this: Any) -> Tensor:
    if isinstance(number, _NUMBERS):
        return call(name, number, this)
    _refuse_array(number)
    return _NOT_MINE


def _in_place(signs: _Binary, this: Any, other: Operand) -> Tensor:
    if isinstance(other, Calculable):
        call("inplace_" + signs.with_tensor, this, other, *signs.rest)
    elif isinstance(other, _NUMBERS):
        call("inplace_" + signs.with_number, this, other, *signs.rest)
    else:
        _refuse_array(other)
        return _NOT_MINE
    return as_tensor(this)


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
