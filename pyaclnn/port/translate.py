"""Translation of source text to the model of its program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pyaclnn import abi
from pyaclnn.port.data.cpp_types import BOOL, INT, STRING
from pyaclnn.port.data.decisions import followed
from pyaclnn.port.data.memory import Vector
from pyaclnn.port.data.runtime_numbers import comparison
from pyaclnn.port.data.symbols import TRUTHS, Expression, Named
from pyaclnn.port.data.values import Cell, Function
from pyaclnn.port.errors import ExitError, LimitError, OtherApiError, PortError, ThrownError

# These register what they compile or know.
from pyaclnn.port.evaluation import expressions, statements, structs, typeexpressions
from pyaclnn.port.evaluation.callexpressions import ProgramInterpreter
from pyaclnn.port.evaluation.interpreter import Scope
from pyaclnn.port.frontend.includes import Includes
from pyaclnn.port.frontend.preprocess import Preprocessor
from pyaclnn.port.frontend.source import refuse_deep_nesting
from pyaclnn.port.frontend.syntax import line_of, named, parse, walk
from pyaclnn.port.library import (
    aclcalls,
    aclobjects,
    acloperators,
    aclruntime,
    algorithms,
    clocks,
    communication,
    descriptions,
    files,
    hostfunctions,
    mathematics,
    output,
    processes,
    randoms,
    scheduling,
    sets,
    stdlib,
    textstreams,
)
from pyaclnn.port.model import Branch, Leave, Note, Program

_REGISTERED = (
    aclcalls, aclobjects, acloperators, aclruntime, algorithms, clocks, communication, descriptions,
    expressions, files, hostfunctions, mathematics, output, processes, randoms, scheduling, sets,
    statements, stdlib, structs, textstreams, typeexpressions,
)  # fmt: skip

#: APIs of CANN beside aclnn, by what a sample that is about one has and no other.
_OTHER_APIS = (
    (
        re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*\b(ge_(?:api|ir_build)\.h)", re.M),
        "builds a graph for the graph compiler by {}",
    ),
    (
        re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*\b(opdev/op_executor\.h)", re.M),
        "calls functions that operators are made of, by {}",
    ),
    (
        re.compile(r"\b(aclopCompileAndExecute\w*|aclopExecute\w*)[ \t]*\("),
        "runs an operator by its type's name, with {}",
    ),
)
_PHASE_1 = "GetWorkspaceSize("
_CALL = re.compile(r"\bacl\w+GetWorkspaceSize[ \t]*\(")


@cache
def signature(name: str) -> Any:
    """Return the signature of a C function, or None if no header declares it."""
    try:
        return abi.signature(name)
    except (abi.SymbolNotFoundError, abi.HeaderError):
        return None


def understand(
    text: str,
    file: str,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Program:
    """Evaluate a sample.

    Parameters
    ----------
    text : str
        Its source.
    file : str
        Its name, for messages, and for the headers that lie beside it.
    arguments : sequence of str
        Of its command line.
    environment : mapping of str to str, optional
        What it finds in its environment; nothing without.

    Returns
    -------
    Program
        What it does; its gaps are what was not understood.

    Raises
    ------
    PortError
        If it is no C++, has no main function, or is too large to follow.
    OtherApiError
        If it is about another API of CANN.
    """
    _refuse_other_apis(text, file)
    includes = Includes(Path(file))
    preprocessor = Preprocessor(file, includes)
    lines, code = text.split("\n"), preprocessor.run(text).split("\n")
    headers: list[tuple[int, str]] = []
    for name, source, expanded in preprocessor.headers:
        headers.append((len(lines) + 1, name))
        lines += source.split("\n")
        code += expanded.split("\n")
    whole = "\n".join(code)
    refuse_deep_nesting(whole, file)
    root = parse(whole, file)
    # What a sample includes comes before it, though its lines are counted behind.
    first_header = headers[0][0] if headers else len(lines) + 1
    nodes = sorted(named(root), key=lambda node: line_of(node) < first_header)
    if not any(n.type in ("function_definition", "template_declaration") for n in walk_top(root)):
        raise PortError("holds no function: this is not the source of a C or C++ program", file)
    interpreter = ProgramInterpreter(file, "\n".join(lines), signature)
    interpreter.program.headers = headers
    interpreter.environment = environment or {}
    interpreter.missing = includes.missing
    interpreter.included = preprocessor.included
    interpreter.globals.names["cout"] = Cell("cout", output.OutputStream())
    interpreter.globals.names["cerr"] = interpreter.globals.names["clog"] = Cell(
        "cerr", output.ERRORS
    )
    interpreter.globals.names["stderr"] = Cell("stderr", output.ERRORS)
    interpreter.globals.names["stdout"] = Cell("stdout", "stdout")
    try:
        with followed(interpreter.decisions):
            _run(interpreter, nodes, whole, arguments)
    except RecursionError:
        raise PortError(
            "is nested too deeply to follow", *interpreter.program.place(interpreter.line)
        ) from None
    return interpreter.program


def _refuse_other_apis(text: str, file: str) -> None:
    if _CALL.search(text) is not None:
        return
    for sign, words in _OTHER_APIS:
        found = sign.search(text)
        if found is not None:
            line = text.count("\n", 0, found.start(1)) + 1
            reason = f"{words.format(found[1])}, and calls no operator of aclnn"
            raise OtherApiError(reason, file, line)


def _run(
    interpreter: ProgramInterpreter, nodes: Sequence[Any], whole: str, arguments: Sequence[str]
) -> None:
    main = None
    try:
        for node in nodes:
            interpreter.statement(node)(interpreter.globals)
        main = interpreter.globals.find("main")
        if not isinstance(main, Function):
            file = interpreter.program.file
            raise PortError("has no main function, which the translation would start from", file)
        code = interpreter.run_body(main, _main_scope(interpreter, main, arguments))
    except ExitError as end:  # also of a global variable's initialisation
        code = end.status
    except (LimitError, ThrownError) as error:
        reason = error.message if isinstance(error, LimitError) else "throws what nothing catches"
        interpreter.end_at(interpreter.line, reason)
        return
    missed = _PHASE_1 in whole and not _calls_operator(interpreter.program)
    code = _leave(interpreter, code)
    if missed and code == 0 and main is not None and _returns_early(main, interpreter.line):
        note = "the sample ends here, before it calls its operators, and so does the port"
        interpreter.record(Note(interpreter.line, note))
        return
    if (isinstance(code, int) and code != 0) or (missed and not interpreter.program.gaps):
        # Nobody writes a sample to show that.
        reason = f"the program ends here with exit code {code}, as far as it was understood"
        if main is not None and named(main.parameters) and not arguments:
            reason += "; pass what its command line takes by --arguments"
        if interpreter.looked_for:
            reason += "; pass what its environment has by --environment"
        interpreter.gap_at(interpreter.line, interpreter.line, reason)


def _returns_early(main: Function, line: int) -> bool:
    """Return whether the line is a return of main that no condition guards, with more behind."""
    statements = named(main.node)
    return any(n.type == "return_statement" and line_of(n) == line for n in statements[:-1])


def _leave(interpreter: ProgramInterpreter, code: Any) -> Any:
    """Return main's exit status, which may be symbolic."""
    while isinstance(code, Expression) and code.operator == "int" and len(code.operands) == 1:
        code = code.operands[0]
    if not isinstance(code, (Expression, Named)):
        return code
    condition: Any = comparison("!=", code, 0)
    status: Any = Expression("&", (code, 0xFF), INT)
    if isinstance(code, Expression) and (code.operator in TRUTHS or code.ctype is BOOL):
        condition, status = code, 1
    if isinstance(code, Expression) and code.operator == "where":
        chosen, then, otherwise = code.operands
        if isinstance(then, int) and isinstance(otherwise, int) and 0 in (then, otherwise):
            condition = chosen if otherwise == 0 else Expression("not", (chosen,), BOOL)
            status = (then or otherwise) & 0xFF
    interpreter.record(Branch(interpreter.line, condition, (Leave(interpreter.line, status),), ()))
    return 0


def _calls_operator(program: Program) -> bool:
    return any(call.name.endswith("GetWorkspaceSize") for call in program.calls)


def walk_top(root: Any) -> Any:
    """Yield the nodes that may hold functions: not into their bodies."""
    for node in walk(root):
        if node.type != "compound_statement":
            yield node


def _main_scope(interpreter: ProgramInterpreter, main: Function, arguments: Sequence[str]) -> Scope:
    names = [n for n in named(main.parameters) if n.type.endswith("parameter_declaration")]
    words = Vector(STRING)
    words.items = [Path(interpreter.program.file).stem, *arguments]
    words.count = len(words.items)
    return interpreter.bind(main, [words.count, words][: len(names)])
