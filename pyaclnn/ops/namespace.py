"""``pyaclnn.ops``: every declared operator, as an attribute or by its C name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import ModuleType

from pyaclnn import abi
from pyaclnn.abi.declarations import nearest_hint
from pyaclnn.ops.naming import likely_c_name, operator_name
from pyaclnn.ops.operator import Operator

# Attributes that Python's import system looks up; no header is read for them.
_MODULES = frozenset(name.partition(".")[0] for name in os.listdir(os.path.dirname(__file__)))


class OperatorNamespace(ModuleType):
    """All declared operators, also those that the backend lacks.

    ``ops.selu_backward`` and ``ops["aclnnSeluBackward"]`` are the same object. A declaration is
    parsed on the first access to its operator. Iterating gives the Python names, as ``dir`` does.

    A custom operator with the name of a module of this package is found by its C name.
    """

    # The attribute access of modules takes 0.13 µs longer, of the 2 µs of a call.
    __getattribute__ = object.__getattribute__

    def __getattr__(self, name: str) -> Operator:
        if name.startswith("__") or name in _MODULES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        # The guess avoids a scan of all headers in the first call.
        c_name = likely_c_name(name)
        if not abi.is_operator(c_name) or operator_name(c_name) != name:
            known = _c_names()
            if name not in known:
                raise AttributeError(_unknown(name, list(known)))
            c_name = known[name]
        # Cached in the instance: the next access is a plain attribute.
        operator: Operator = self.__dict__.setdefault(name, _operator(c_name))
        return operator

    def __getitem__(self, name: str) -> Operator:
        if isinstance(name, str) and abi.is_operator(name):
            return _operator(name)
        known = _c_names()
        if name not in known:
            raise KeyError(_unknown(name, [*known.values(), *known]))
        return _operator(known[name])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in _c_names() or abi.is_operator(name))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_c_names()))

    def __dir__(self) -> list[str]:
        return sorted(_c_names())

    def __len__(self) -> int:
        return len(_c_names())

    def __repr__(self) -> str:
        """Return the families of what is simulated, and some operators of each."""
        # Both are read for this alone.
        import textwrap

        from pyaclnn.table import ROWS

        families: dict[str, list[str]] = {}
        for row in ROWS:
            families.setdefault(row.family, []).append(operator_name(row.c_name))
        lines = [
            f"<{len(self)} aclnn operators, {len(ROWS)} of them simulated: dir() names all, "
            "help(pyaclnn.ops.NAME) describes one>"
        ]
        for family, names in sorted(families.items()):
            shown = textwrap.shorten(", ".join(sorted(names, key=len)), 76, placeholder=" ...")
            lines.append(f"{family:<12} {len(names):>4}  {shown}")
        return "\n".join(lines)


_operators: dict[str, Operator] = {}
#: The generation of the index, and the C names by Python name of that generation.
_listed: tuple[int, dict[str, str]] = (-1, {})


def _operator(c_name: str) -> Operator:
    """Return the one object of an operator."""
    return _operators.get(c_name) or _operators.setdefault(c_name, Operator(c_name))


def _c_names() -> dict[str, str]:
    """Return the C names of all operators by their Python names, those of later headers too."""
    global _listed
    generation, names = _listed
    if generation != abi.index.generation:
        generation = abi.index.generation
        names = {operator_name(c_name): c_name for c_name in abi.operators()}
        _listed = generation, names
    return names


def _unknown(name: object, known: list[str]) -> str:
    hint = nearest_hint(name, known) if isinstance(name, str) else ""
    return f"no header declares an operator {name!r}{hint}"
