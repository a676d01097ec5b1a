"""``pyaclnn.ops``: every declared operator, as an attribute or by its C name."""

from __future__ import annotations

from functools import cached_property

from pyaclnn import abi
from pyaclnn.ops.naming import likely_c_name, operator_name
from pyaclnn.ops.operator import Operator


class OperatorNamespace:
    """All operators that are declared, whichever the backend has.

    ``ops.selu_backward`` and ``ops["aclnnSeluBackward"]`` are the same object. A declaration is
    parsed when its operator is first asked for.
    """

    @cached_property
    def _c_names(self) -> dict[str, str]:
        return {operator_name(c_name): c_name for c_name in abi.operators()}

    def __getattr__(self, name: str) -> Operator:
        if name.startswith("__"):
            raise AttributeError(name)
        # The guess spares the first call a scan of all headers.
        c_name = likely_c_name(name)
        if not abi.is_operator(c_name) or operator_name(c_name) != name:
            try:
                c_name = self._c_names[name]
            except KeyError:
                raise AttributeError(self._unknown(name, list(self._c_names))) from None
        # Kept in the instance: the next access is a plain attribute.
        operator: Operator = self.__dict__.setdefault(name, Operator(c_name))
        return operator

    def __getitem__(self, name: str) -> Operator:
        if abi.is_operator(name):
            name = operator_name(name)
        elif name not in self._c_names:
            raise KeyError(self._unknown(name, [*self._c_names.values(), *self._c_names]))
        known = self.__dict__.get(name)
        return known if isinstance(known, Operator) else self.__getattr__(name)

    def __contains__(self, name: object) -> bool:
        return name in self._c_names or (isinstance(name, str) and abi.is_operator(name))

    def __dir__(self) -> list[str]:
        return sorted(self._c_names)

    def __len__(self) -> int:
        return len(self._c_names)

    def __repr__(self) -> str:
        return f"<{len(self)} aclnn operators>"

    def refresh(self) -> None:
        """Forget the list of names; headers were added."""
        self.__dict__.pop("_c_names", None)

    @staticmethod
    def _unknown(name: str, known: list[str]) -> str:
        import difflib  # seldom needed, and a thirtieth of the time to import pyaclnn

        near = difflib.get_close_matches(name, known, 4)
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        return f"no header declares an operator {name!r}{hint}"
