"""Which parameters are optional, and their default values.

Tensors, arrays and strings whose names end in ``Optional`` are None by default.
``default_values.py`` has CANN's defaults of other parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from typing import Any

from pyaclnn.ops.default_values import TABLE


class _Required:
    """Stands for the default of a parameter that has none."""

    def __repr__(self) -> str:
        return "<required>"


REQUIRED: Any = _Required()

#: Defaults of parameters that have one meaning in all operators, where no required parameter
#: follows: the matrix unit keeps the precision of the operands, reduced dimensions are dropped.
EVERYWHERE: Mapping[tuple[str, str], Any] = {
    ("cubeMathType", "int"): 0,
    ("keepDim", "bool"): False,
    ("keepDims", "bool"): False,
    ("keepdim", "bool"): False,
}

#: Kinds that are pointers in C, and may be null.
_POINTERS = frozenset(
    (
        "tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array",
        "string",
    )
)  # fmt: skip


@cache
def _by_operator() -> dict[str, str]:
    return {
        name if name.startswith("acl") else "aclnn" + name: text
        for names, text in TABLE.items()
        for name in names.split()
    }


def defaults_of(operator: str) -> dict[str, Any]:
    """Return the defaults of an operator, by parameter.

    Parameters
    ----------
    operator : str
        C name.

    Returns
    -------
    dict
        C names of parameters to their defaults.
    """
    pairs = (text.split("=") for text in _by_operator().get(operator, "").split())
    return {name: ast.literal_eval(value) for name, value in pairs}


def default_of(name: str, kind: str, table: Mapping[str, Any]) -> Any:
    """Return the default of an input.

    Parameters
    ----------
    name, kind : str
        C name of the parameter, and what C takes.
    table : mapping
        Of its operator, from :func:`defaults_of`.

    Returns
    -------
    object
        ``REQUIRED`` where there is none.
    """
    if name in table:
        return table[name]
    return None if name.endswith("Optional") and kind in _POINTERS else REQUIRED
