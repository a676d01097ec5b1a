"""Arithmetic, comparisons, reductions and copies of tensors: each is a call of an operator.

A table maps Python's operators to aclnn's. The layer above has these and passes them down with
`provide`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.promotion import NUMBERS, beside, promoted

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from pyaclnn.tensor.tensor import Tensor

#: cubeMathType of ``@``: the product keeps the precision of its operands.
_KEEP_DTYPE = 0


@cache
def _in_cube(dtype: np.dtype[Any]) -> bool:
    """Whether the matrix unit multiplies this dtype; the array API composes other products."""
    return dtype.name in ("float16", "bfloat16", "float32")


#: Narrow integers, for which some operators of CANN are missing: these compute in int32.
_NARROW = {np.dtype(name): np.dtype(np.int32) for name in ("int8", "uint8", "int16")}


#: Floats with cached `_Ranges`: float16, float32, float64 and bfloat16, which is of ml_dtypes and
#: compared by its code, to spare the import.
_FLOATS = ("<f2", "<f4", "<f8", "<V2")


class _Ranges(dict[tuple[np.dtype[Any], type], tuple[float, float]]):
    """The range in which CANN itself keeps the dtype of a tensor beside a Python number.

    By dtype of the tensor and class of the number; empty where there is none. Numbers in the range
    are passed as they are, others are converted first.

    Parameters
    ----------
    integers : tuple of str
        Integer dtypes of tensors that take an int as it is; floating ones always do.
    beside_floats : tuple of type
        Types of numbers that floating tensors take as they are.
    """

    def __init__(
        self, integers: tuple[str, ...] = (), beside_floats: tuple[type, ...] = (int, float)
    ) -> None:
        self._integers, self._beside_floats = integers, beside_floats

    def __missing__(self, key: tuple[np.dtype[Any], type]) -> tuple[float, float] | tuple[()]:
        dtype, kind = key
        if kind in self._beside_floats and dtype.str in _FLOATS:
            self[key] = (-(2**63), 2**63 - 1) if kind is int else (-math.inf, math.inf)
        elif kind is int and dtype.name in self._integers:
            limits = np.iinfo(dtype)
            self[key] = int(limits.min), int(limits.max)
        return self.get(key, ())


_ALL = _Ranges(("int8", "uint8", "int16", "int32", "int64"))
_WIDE = _Ranges(("int32", "int64"))
_ONLY_INT = _Ranges(("int64",), (int,))


@dataclass(frozen=True)
class _Binary:
    """The operators of one sign.

    Attributes
    ----------
    with_tensor, with_number, number_first : str
        Names of the operators for two tensors, for a number on the right, and for one on the left.
        Without an operator for numbers, a number becomes a tensor of one element.
    through : dict
        Dtype of operands -> the dtype that CANN computes in; the result is cast back.
    divides : bool
        Whether integers give floats.
    plain : mapping
        The ranges of numbers that are passed as they are.
    """

    with_tensor: str
    with_number: str = ""
    number_first: str = ""
    through: dict[np.dtype[Any], np.dtype[Any]] = field(default_factory=dict)
    divides: bool = False
    plain: _Ranges = field(default_factory=lambda: _Ranges((), ()))


_ADD = _Binary("add", "adds", "adds", plain=_ALL)
_SUB = _Binary("sub", "subs", "rsubs", plain=_ALL)
_MUL = _Binary("mul", "muls", "muls", plain=_ALL)
_DIV = _Binary("div", "divs", divides=True, plain=_ALL)
_FLOOR_DIV = _Binary("floor_divide", "floor_divides", plain=_ONLY_INT)
_REMAINDER = _Binary(
    "remainder_tensor_tensor", "remainder_tensor_scalar", "remainder_scalar_tensor",
    through=_NARROW, plain=_WIDE,
)  # fmt: skip
_POW = _Binary("pow_tensor_tensor", "pow_tensor_scalar", "pow_scalar_tensor", plain=_ALL)
_LEFT = _Binary("left_shift")
_RIGHT = _Binary("right_shift")
_AND = _Binary("bitwise_and_tensor", "bitwise_and_scalar", "bitwise_and_scalar", plain=_ONLY_INT)
_OR = _Binary("bitwise_or_tensor", "bitwise_or_scalar", "bitwise_or_scalar", plain=_ONLY_INT)
_XOR = _Binary("bitwise_xor_tensor", "bitwise_xor_scalar", "bitwise_xor_scalar", plain=_ONLY_INT)
_EQ = _Binary("eq_tensor", "eq_scalar", plain=_ALL)
_NE = _Binary("ne_tensor", "ne_scalar", plain=_ALL)
_LT = _Binary("lt_tensor", "lt_scalar", plain=_ALL)
_LE = _Binary("le_tensor", "le_scalar", plain=_ALL)
_GT = _Binary("gt_tensor", "gt_scalar", plain=_ALL)
_GE = _Binary("ge_tensor", "ge_scalar", plain=_ALL)

#: With this result Python tries the other operand, or raises TypeError.
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
    """Set the namespace whose attributes are the operators."""
    global _operators
    _operators = operators


def provide_empty(empty: Callable[..., Tensor]) -> None:
    """Set the function that creates tensors; its module imports this one."""
    global _empty
    _empty = empty


def provide_array_api(load: Callable[[], Any]) -> None:
    """Set the function that imports the array API's namespace on first use."""
    global _namespace
    _namespace = load


def new(shape: tuple[int, ...], dtype: DTypeLike, beside: Any) -> Tensor:
    """Return a tensor with undefined values on the device of another."""
    assert _empty is not None
    return _empty(shape, dtype, device=beside.device)


def call(name: str, *arguments: Any, out: Tensor | None = None) -> Tensor:
    """Call an operator of one output by its Python name."""
    function = getattr(_operators, name)
    # A keyword argument takes 0.1 of the 2 µs of a call, even with its default.
    result: Tensor = function(*arguments) if out is None else function(*arguments, out=out)
    return result


_Method = Callable[[Any, Operand], "Tensor"]


def _arithmetic(signs: _Binary) -> tuple[_Method, _Method, _Method]:
    """Return the methods of a sign: tensor first, number first, and in place.

    They call the operator where CANN promotes as NumPy does, and a function below otherwise.
    """
    with_tensor, with_number, number_first = (
        signs.with_tensor, signs.with_number, signs.number_first
    )  # fmt: skip
    plain, through, divides = signs.plain, signs.through, signs.divides
    swapped = number_first.endswith("scalar_tensor")
    tensor_in_place, number_in_place = "inplace_" + with_tensor, "inplace_" + with_number

    def tensor_first(self: Any, other: Operand) -> Any:
        if isinstance(other, Calculable):
            if not through:
                return getattr(_operators, with_tensor)(self, other)
        else:
            bounds = plain[self.dtype, other.__class__]
            if bounds and bounds[0] <= other <= bounds[1]:
                return getattr(_operators, with_number)(self, other)
        return _binary(signs, self, other)

    def tensor_last(self: Any, other: Operand) -> Any:
        bounds = plain[self.dtype, other.__class__]
        if bounds and number_first and bounds[0] <= other <= bounds[1]:
            operands = (other, self) if swapped else (self, other)
            return getattr(_operators, number_first)(*operands)
        return _number_first(signs, self, other)

    def in_place(self: Any, other: Operand) -> Any:
        dtype = self.dtype
        if not (divides and dtype.kind in "biu"):
            if isinstance(other, Calculable):
                if with_number and not through and as_tensor(other).dtype is dtype:
                    return getattr(_operators, tensor_in_place)(self, other)
            else:
                bounds = plain[dtype, other.__class__]
                if bounds and bounds[0] <= other <= bounds[1]:
                    return getattr(_operators, number_in_place)(self, other)
        return _in_place(signs, self, other)

    return tensor_first, tensor_last, in_place


def _comparison(signs: _Binary) -> _Method:
    """Return the method of a comparison."""
    with_tensor, with_number, plain = signs.with_tensor, signs.with_number, signs.plain

    def compared(self: Any, other: Operand) -> Any:
        if isinstance(other, Calculable):
            return getattr(_operators, with_tensor)(self, other)
        bounds = plain[self.dtype, other.__class__]
        if bounds and bounds[0] <= other <= bounds[1]:
            return getattr(_operators, with_number)(self, other)
        return _compared(signs, self, other)

    return compared


class Calculable:
    """Python's operators and NumPy's methods on tensors.

    All calls are asynchronous, on the current stream. Dtypes of results are CANN's: a Python
    number takes part as an ``aclScalar``. Host arrays raise TypeError, since nothing is copied to
    the device implicitly.
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

    # Makes NumPy return NotImplemented, so that `array + tensor` raises and does not copy element
    # by element.
    __array_ufunc__ = None

    __add__, __radd__, __iadd__ = _arithmetic(_ADD)
    __sub__, __rsub__, __isub__ = _arithmetic(_SUB)
    __mul__, __rmul__, __imul__ = _arithmetic(_MUL)
    __truediv__, __rtruediv__, __itruediv__ = _arithmetic(_DIV)
    __floordiv__, __rfloordiv__, __ifloordiv__ = _arithmetic(_FLOOR_DIV)
    __mod__, __rmod__, __imod__ = _arithmetic(_REMAINDER)
    __pow__, __rpow__, __ipow__ = _arithmetic(_POW)
    __and__, __rand__, __iand__ = _arithmetic(_AND)
    __or__, __ror__, __ior__ = _arithmetic(_OR)
    __xor__, __rxor__, __ixor__ = _arithmetic(_XOR)
    __lshift__, __rlshift__, __ilshift__ = _arithmetic(_LEFT)
    __rshift__, __rrshift__, __irshift__ = _arithmetic(_RIGHT)

    def __divmod__(self, other: Operand) -> tuple[Tensor, Tensor]:
        return self // other, self % other

    def __rdivmod__(self, other: Operand) -> tuple[Tensor, Tensor]:
        return other // self, other % self

    def __matmul__(self, other: Operand) -> Tensor:
        if not isinstance(other, Calculable):
            refuse_array(other)
            return NotImplemented
        dtype = as_tensor(self).dtype
        if dtype is as_tensor(other).dtype and _in_cube(dtype):
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

    __eq__ = _comparison(_EQ)  # type: ignore[assignment]
    __ne__ = _comparison(_NE)  # type: ignore[assignment]
    __lt__ = _comparison(_LT)
    __le__ = _comparison(_LE)
    __gt__ = _comparison(_GT)
    __ge__ = _comparison(_GE)

    # Tensors are hashed by identity.
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
    """Return the same object, typed as a tensor for the type checker."""
    tensor: Tensor = value
    return tensor


def refuse_array(value: object) -> None:
    """Raise TypeError for host arrays, which are not copied implicitly."""
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
        if this.dtype is as_tensor(other).dtype and this.dtype not in signs.through:
            return call(signs.with_tensor, this, other)
        return _through(signs.through, signs.with_tensor, *_together(this, as_tensor(other)))
    if isinstance(other, NUMBERS):
        dtype, number = beside(this.dtype, other)
        if dtype is not this.dtype:
            this = call("cast", this, dtype)
        if not signs.with_number:
            return call(signs.with_tensor, this, new((), dtype, this).fill_(number))
        if signs.through:
            return _through(signs.through, signs.with_number, this, number)
        return call(signs.with_number, this, number)
    refuse_array(other)
    return _NOT_MINE


def _number_first(signs: _Binary, this: Any, other: Operand) -> Tensor:
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
        return call(signs.number_first, this, number)
    return call(signs.with_tensor, new((), dtype, this).fill_(number), this)


def _together(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """Return two tensors in the dtype that both promote to."""
    dtype = promoted(first.dtype, second.dtype)
    return first.astype(dtype, copy=False), second.astype(dtype, copy=False)


def _compared(signs: _Binary, this: Any, other: Operand) -> Tensor:
    if not isinstance(other, NUMBERS):
        refuse_array(other)
        return _NOT_MINE
    given: Any = other
    try:
        dtype, number = beside(this.dtype, given)
    except OverflowError:
        # Out of range of the dtype: it compares as infinity does.
        dtype = np.dtype(np.float32)
        number = np.float32(np.inf if given > 0 else -np.inf)
    if dtype is not this.dtype:
        if dtype == np.float32:
            # In float64, so that a large integer does not equal the float32 that it rounds to.
            dtype, number = (
                np.dtype(np.float64),
                np.float64(given if abs(number) < np.inf else number),
            )
        this = call("cast", this, dtype)
    return call(signs.with_number, this, number)


def _in_place(signs: _Binary, this: Any, other: Operand) -> Tensor:
    dtype = this.dtype
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
        call(name, this, value)
    else:
        call("inplace_copy", this, _binary(signs, this, other))
    return as_tensor(this)


def _same_kind(source: np.dtype[Any], target: np.dtype[Any]) -> bool:
    floats = "fV"
    if source.kind in floats and target.kind in floats:
        return True
    return bool(np.can_cast(source, target, "same_kind"))


def _axes(this: Any, axis: Axes) -> list[int]:
    rank: int = len(this.shape)
    if axis is None:
        return list(range(rank))
    if isinstance(axis, Sequence):
        return [_axis(this, rank, each) for each in axis]
    return [_axis(this, rank, axis)]


def _axis(this: Any, rank: int, axis: SupportsIndex) -> int:
    number = operator.index(axis)
    if not -rank <= number < rank:
        raise ValueError(f"axis {number} is out of range for {this.describe()}")
    return number % rank


def _accumulated_in(wanted: DTypeLike | None, this: Any, of_integers: str) -> np.dtype[Any]:
    if wanted is not None:
        return as_dtype(wanted)
    own: np.dtype[Any] = this.dtype
    return np.dtype(of_integers) if own.kind in "biu" else own


def _position(name: str, this: Any, axis: SupportsIndex | None, out: Any, keepdims: bool) -> Tensor:
    if axis is not None:
        return call(name, this, _axis(this, len(this.shape), axis), keepdims, out=out)
    flat = this.contiguous().reshape(math.prod(this.shape))
    if out is not None:
        out = out.reshape(())
    found = call(name, flat, 0, False, out=out)
    return as_tensor(found.reshape((1,) * this.ndim) if keepdims else found)
