"""From source text to the program it is."""

from __future__ import annotations

from functools import cache
from typing import Any

from pyaclnn import abi
from pyaclnn.port import (  # these register what they compile or know
    aclcalls,
    aclobjects,
    acloperators,
    aclruntime,
    expressions,
    output,
    statements,
    stdlib,
    structs,
    typeexpressions,
)
from pyaclnn.port.callexpressions import Follower
from pyaclnn.port.errors import PortError
from pyaclnn.port.interpreter import Scope
from pyaclnn.port.model import Program
from pyaclnn.port.preprocess import Preprocessor
from pyaclnn.port.source import refuse_deep_nesting
from pyaclnn.port.syntax import named, parse, walk
from pyaclnn.port.values import DEPTH, RECORDERS, Cell, Function

_REGISTERED = (
    aclcalls, aclobjects, acloperators, aclruntime, expressions, output, statements, stdlib,
    structs, typeexpressions,
)  # fmt: skip


@cache
def signature(name: str) -> Any:
    """Return the signature of a C function, or None if no header declares it."""
    try:
        return abi.signature(name)
    except (abi.SymbolNotFoundError, abi.HeaderError):
        return None


def understand(text: str, file: str) -> Program:
    """Follow a sample.

    Parameters
    ----------
    text : str
        Its source.
    file : str
        Its name, for messages.

    Returns
    -------
    Program
        What it does; its gaps are what was not understood.

    Raises
    ------
    PortError
        If it is no C++, has no main function, or is too large to follow.
    """
    expanded = Preprocessor(file).run(text)
    refuse_deep_nesting(expanded, file)
    root = parse(expanded, file)
    nodes = named(root)
    if not any(n.type in ("function_definition", "template_declaration") for n in walk_top(root)):
        raise PortError("holds no function: this is not the source of a C or C++ program", file)
    follower = Follower(file, text, signature)
    follower.globals.names["cout"] = Cell("cout", output.OutputStream())
    follower.globals.names["cerr"] = follower.globals.names["clog"] = Cell("cerr", output.ERRORS)
    follower.globals.names["stderr"] = Cell("stderr", output.ERRORS)
    follower.globals.names["stdout"] = Cell("stdout", "stdout")
    RECORDERS.append(follower.assign)
    DEPTH[0] = 0
    try:
        for node in nodes:
            follower.statement(node)(follower.globals)
        main = follower.globals.find("main")
        if not isinstance(main, Function):
            raise PortError("has no main function, which the translation would start from", file)
        follower.run_body(main, _main_scope(follower, main))
    except RecursionError:
        raise PortError("is nested too deeply to follow", file, follower.line) from None
    finally:
        RECORDERS.pop()
    return follower.program


def walk_top(root: Any) -> Any:
    """Yield the nodes that may hold functions: not into their bodies."""
    for node in walk(root):
        if node.type != "compound_statement":
            yield node


def _main_scope(follower: Follower, main: Function) -> Scope:
    names = [n for n in named(main.parameters) if n.type.endswith("parameter_declaration")]
    return follower.bind(main, [1, None][: len(names)])
