"""Test cases, and the shapes, values and layouts that all operators are tried with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.tensor import as_dtype

Array = np.ndarray[Any, Any]

#: 0-d to 8-d, lengths around vector widths and block sizes, and one that spans threads.
SHAPES: tuple[tuple[int, ...], ...] = (
    (), (1,), (2,), (7,), (8,), (15,), (16,), (17,), (31,), (33,), (64,), (255,), (1023,), (1025,),
    (2049,), (4097,), (1, 1), (3, 5), (5, 1), (1, 7), (16, 16), (33, 65), (128, 3), (2, 3, 4),
    (4, 1, 6), (7, 5, 3), (2, 3, 4, 5), (1, 2, 1, 3), (2, 2, 3, 2, 2), (2, 1, 2, 3, 1, 2),
    (2, 1, 2, 1, 2, 1, 2), (2, 1, 2, 1, 2, 1, 2, 3), (300, 401),
)  # fmt: skip

EMPTY_SHAPES: tuple[tuple[int, ...], ...] = ((0,), (0, 3), (2, 0, 4))

#: Pairs that broadcast, with a result shape that is neither of them in half of the cases.
BROADCAST_PAIRS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((4, 5), (5,)), ((5,), (4, 5)), ((4, 1), (1, 5)), ((), (3, 4)), ((3, 4), ()), ((1,), (7,)),
    ((2, 1, 4), (3, 1)), ((6, 1, 5, 1), (4, 1, 3)), ((0, 3), (1, 3)), ((2, 1, 1, 3), (2, 5, 1, 3)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor argument: its values, its memory layout, and its format.

    An empty format is the usual one of the rank, such as NCHW for four dimensions.
    """

    values: Array
    layout: str = "contiguous"
    format: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """The description of an output in a private format, whose reference is its storage."""

    format: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One call and its references.

    Attributes
    ----------
    label : str
        For reports.
    inputs : tuple
        The Python call's arguments, tensors as :class:`Operand`, lists of them for tensor lists.
    golden : tuple of ndarray, list of ndarray, None or False
        References, one for each output, a list for a list of tensors; None for an output that is
        not compared; False, where dtypes are given, for an omitted one.
    out_layouts : tuple of str
        Layouts of outputs that are passed in; empty lets the operator allocate them.
    out_dtypes : tuple of str
        dtypes of outputs that are passed in; that of the first input by default.
    out_format : str
        Format of outputs that are passed in; empty for the usual one.
    out_stored : tuple of Stored or None
        How each output that is passed in is described where it has a format of its own.
    written : tuple
        Positions of inputs and their references, of an operator that writes these in place and
        gives other outputs.
    """

    label: str
    inputs: tuple[Any, ...]
    golden: tuple[Any, ...]
    out_layouts: tuple[str, ...] = ()
    out_dtypes: tuple[str, ...] = ()
    out_format: str = ""
    out_stored: tuple[Stored | None, ...] = ()
    written: tuple[tuple[int, Array], ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one operator.

    Attributes
    ----------
    operator : str
        Python name.
    dtypes : tuple of str
        dtypes on a chip that has bfloat16; others skip it.
    cases : callable
        (dtype name, random generator) to cases.
    chip : str
        The chip that alone has the operator; on the simulator it is tried there.
    ranks : int
        How many ranks it takes at least; one process tries what takes one.
    """

    operator: str
    dtypes: tuple[str, ...]
    cases: Callable[[str, np.random.Generator], Iterable[Case]] = field(repr=False)
    chip: str = ""
    ranks: int = 1


def numpy_dtype(name: str) -> np.dtype[Any]:
    """Return the NumPy dtype of a name, bfloat16 included."""
    return as_dtype(name)


def random_values(
    shape: tuple[int, ...], dtype: str, rng: np.random.Generator, scale: float = 2.0
) -> Array:
    """Return normal values; for integers small ones of both signs where the dtype has them."""
    kind = numpy_dtype(dtype)
    if kind.kind in "iu":
        low = 0 if kind.kind == "u" else -9
        return rng.integers(low, 10, shape).astype(kind)
    if kind.kind == "c":
        values = rng.normal(0.0, scale, shape) + 1j * rng.normal(0.0, scale, shape)
        return np.asarray(values).astype(kind)
    values = np.asarray(rng.normal(0.0, scale, shape))
    # Powers of two have no sign.
    return (np.abs(values) if dtype == "float8_e8m0fnu" else values).astype(kind)


def uniform(
    shape: tuple[int, ...], dtype: str, rng: np.random.Generator, low: float = -2.0,
    high: float = 2.0,
) -> Operand:  # fmt: skip
    """Return a tensor of numbers between two."""
    return Operand(np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype)))


def is_integer(dtype: str) -> bool:
    """Whether a dtype name is an integer's."""
    return numpy_dtype(dtype).kind in "iu"


def edge_values(dtype: str, around: Iterable[float] = ()) -> Array:
    """Return zeros, limits, subnormals, NaN, infinities, and the neighbourhood of some points."""
    kind = numpy_dtype(dtype)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        # Some releases of CANN compute 32-bit integers in float32, which is exact up to 2^24.
        high, low = min(limits.max, 2**24), max(limits.min, -(2**24))
        return np.array([0, 1, 2, 3, high, low], dtype=kind)
    points = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 65504.0, -65504.0, 1e-3, -1e-3, 6e-8]
    step = {"float16": 2.0**-10, "bfloat16": 2.0**-7}.get(dtype, 2.0**-23)
    for point in around:
        points += [point, point * (1 + step), point * (1 - step)]
    return np.array(points, dtype=np.float64).astype(kind)


def in_views(case: Case, *positions: int) -> Iterator[Case]:
    """Yield variants of a case, in each of which one operand is a view of a larger tensor."""
    for position in positions:
        for layout in ("every_second", "offset"):
            inputs = list(case.inputs)
            inputs[position] = replace(inputs[position], layout=layout)
            label = f"{case.label}, operand {position} {layout}"
            yield replace(case, label=label, inputs=tuple(inputs))


def layout_pairs() -> Iterator[tuple[str, str, str]]:
    """Layouts for two inputs and one output: each alone, and all of them together."""
    for layout in LAYOUTS[1:]:
        yield layout, "contiguous", "contiguous"
        yield "contiguous", layout, "contiguous"
        yield "contiguous", "contiguous", layout
        yield layout, layout, layout
    yield "transposed", "every_second", "offset"
    yield "inner_slice", "reversed_axes", "every_second"
