"""Modes: integer parameters, and PyTorch's names for their values."""

from __future__ import annotations

from typing import Any

_REDUCTION = {"none": 0, "mean": 1, "sum": 2}
_MODES: dict[str, dict[str, int]] = {
    "reduction": _REDUCTION,
    "interpolationMode": {"bilinear": 0, "nearest": 1, "bicubic": 2},
    "paddingMode": {"zeros": 0, "border": 1, "reflection": 2},
}


def modes(operator: str, parameter: str) -> dict[str, int] | None:
    """Return the names that an integer parameter of an operator may be given by.

    Parameters
    ----------
    operator, parameter : str
        C names.

    Returns
    -------
    dict or None
        Name to integer; None where the parameter is a plain number.
    """
    if "Scatter" in operator:  # its reduction is another one
        return None
    if parameter == "reduction" and "KlDiv" in operator:
        return {**_REDUCTION, "batchmean": 3}
    return _MODES.get(parameter)


def by_number(operator: str, parameter: str, value: Any) -> Any:
    """Return an argument; the name of a mode becomes its integer."""
    names = modes(operator, parameter) if isinstance(value, str) else None
    return value if names is None else names.get(value, value)
