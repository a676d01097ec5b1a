"""The parameters of an operator, derived from its declaration, for the generic call."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

from pyaclnn import abi
from pyaclnn.ops.defaults import EVERYWHERE, REQUIRED, default_of, defaults_of
from pyaclnn.ops.directions import direction
from pyaclnn.ops.naming import operator_name, python_names

_PHASE_1 = "GetWorkspaceSize"


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter of an operator, as Python sees it.

    Attributes
    ----------
    c_name, name : str
        The name in the header, and in snake_case.
    kind : str
        What C takes: ``tensor``, ``scalar``, ``int_array``, ``int``, ``string``, ...
    c_type : str
        The declared type.
    output : bool
        Whether the operator writes it.
    in_place : bool
        Whether the operator reads and writes it.
    default : object
        The default of an input; ``REQUIRED`` if it has none.
    """

    c_name: str
    name: str
    kind: str
    c_type: str
    output: bool
    in_place: bool
    default: Any = REQUIRED

    @property
    def given(self) -> bool:
        """Whether the caller must give it: an input, in place or not."""
        return not self.output or self.in_place

    @property
    def returned(self) -> bool:
        """Whether the call returns it and the caller may omit it: an output, not an input."""
        return self.output and not self.in_place


@dataclass(frozen=True, slots=True)
class Spec:
    """An operator's parameters in C order, and their places in the Python call."""

    c_name: str
    name: str
    header: str
    arguments: tuple[Argument, ...]

    @property
    def comment(self) -> str:
        """The comment of the header on the operator; read on first use."""
        return abi.declaration(self.c_name + _PHASE_1).comment

    @property
    def release(self) -> str:
        """Which releases of CANN have it: ``Since CANN 9.0``, or empty for all."""
        return abi.declaration(self.c_name + _PHASE_1).release

    @property
    def inputs(self) -> tuple[Argument, ...]:
        """What the caller must give, in C order; in-place parameters are among them."""
        return tuple(a for a in self.arguments if a.given)

    @property
    def outputs(self) -> tuple[Argument, ...]:
        """What the caller may give as ``out`` and gets back, in C order."""
        return tuple(a for a in self.arguments if a.returned)

    def python_signature(self) -> inspect.Signature:
        """Return the signature of the Python call.

        Parameters are in C's order. From the first required one behind an optional one, they are
        keyword-only in the signature; calls may still pass them by position.
        """
        parameter = inspect.Parameter
        inputs, optional_before, by_name = [], False, False
        for a in self.inputs:
            required = a.default is REQUIRED
            by_name |= required and optional_before
            optional_before |= not required
            default = parameter.empty if required else a.default
            kind = parameter.KEYWORD_ONLY if by_name else parameter.POSITIONAL_OR_KEYWORD
            inputs.append(parameter(a.name, kind, default=default))
        names = ["out", *(a.name for a in self.outputs if a.name != "out"), "stream"]
        optional = [parameter(n, parameter.KEYWORD_ONLY, default=None) for n in names]
        return inspect.Signature([*inputs, *optional])


def load_spec(c_name: str) -> Spec:
    """Read the declaration of an operator.

    Parameters
    ----------
    c_name : str
        Such as ``aclnnSoftshrinkBackward``.

    Raises
    ------
    HeaderError
        Where the declaration cannot be parsed.
    """
    phase1 = abi.signature(c_name + _PHASE_1)
    # The last two are always workspaceSize and executor, which the call itself supplies.
    parameters = phase1.parameters[:-2]
    ways = [direction(c_name, p) for p in parameters]
    names = python_names(
        [p.name for p in parameters], [n for n, way in enumerate(ways) if way == "out"]
    )
    table = defaults_of(c_name)
    arguments = [
        Argument(
            p.name, name, p.kind, p.c_type, way != "in", way == "inout",
            REQUIRED if way == "out" else default_of(p.name, p.kind, table),
        )
        for p, name, way in zip(parameters, names, ways, strict=True)
    ]  # fmt: skip
    # Only the last inputs have defaults: a required parameter cannot follow an optional one.
    for at in range(len(arguments) - 1, -1, -1):
        argument = arguments[at]
        if not argument.given or argument.default is not REQUIRED:
            continue
        default = EVERYWHERE.get((argument.c_name, argument.kind), REQUIRED)
        if default is REQUIRED:
            break
        arguments[at] = replace(argument, default=default)
    header = str(abi.declaration(c_name + _PHASE_1).file)
    return Spec(c_name, operator_name(c_name), header, tuple(arguments))
