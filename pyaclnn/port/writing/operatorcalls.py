"""Operator calls of the idiomatic port, checked against the declared signatures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np

from pyaclnn import abi
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.rules import SCALAR_DTYPES, rules_of
from pyaclnn.ops.spec import Argument, Spec, load_spec
from pyaclnn.port.data.symbols import Expression, Query, Symbol, WorkspaceSize
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.library.aclobjects import TYPES
from pyaclnn.port.model import (
    ApiCall,
    ArrayObject,
    Download,
    Handle,
    ListObject,
    Note,
    Object,
    PlanObject,
    Program,
    ScalarObject,
    TensorObject,
)
from pyaclnn.port.writing.blocks import element_type
from pyaclnn.port.writing.pycode import (
    WIDTH,
    Code,
    Group,
    Names,
    call,
    keyword,
    lines,
    literal,
    numbers,
)
from pyaclnn.port.writing.pydata import dtype_text
from pyaclnn.port.writing.remarks import Sayings, note_lines
from pyaclnn.port.writing.streams import StreamCalls
from pyaclnn.port.writing.tensors import Tensors

_NATURAL = {"float64", "int64", "bool", "complex128"}


@cache
def spec_of(operator: str) -> Spec:
    """Return the parameters of an operator.

    Raises
    ------
    NotUnderstoodError
        If no header declares it.
    """
    try:
        return load_spec(operator)
    except (abi.SymbolNotFoundError, abi.HeaderError) as error:
        raise NotUnderstoodError(str(error)) from None


class OperatorCalls:
    """Writes calls of operators."""

    def __init__(
        self,
        program: Program,
        names: Names,
        body: list[str],
        tensors: Tensors,
        streams: StreamCalls,
        sayings: Sayings,
    ) -> None:
        self._sayings = sayings
        self._program = program
        self._names = names
        self._body = body
        self._tensors = tensors
        self._streams = streams
        self._plans: dict[int, str] = {}
        self._planned = _needs_plan(program)
        self._downloaded = {
            id(a.pointer.block) for c in program.calls for a in c.arguments
            if isinstance(a, Download)
        }  # fmt: skip

    def plan(self, event: ApiCall) -> None:
        """Write phase 1, where the program needs to have it apart."""
        plan = event.arguments[-1].value
        if plan.fails:
            return
        if id(plan) in self._planned:
            code, _ = self._call(plan, ".plan", None)
            self._remark(plan, event.line)
            name = self._names.new("plan")
            self._plans[id(plan)] = name
            self._body += self._sayings.lines(event.comments)
            self._body += lines(Group(f"{name} = {code.head}", code.items, code.tail))

    def run(self, event: ApiCall) -> None:
        """Write phase 2, or both phases as one call."""
        plan, stream = event.arguments[2], event.arguments[3]
        name = self._plans.get(id(plan))
        if name is not None:
            self._body.append(f"{name}.run({', '.join(self._streams.argument(stream))})")
            return
        code, results = self._call(plan, "", stream)
        self._remark(plan, event.line)
        opened: list[str] = []
        if results:
            names = ", ".join(results)
            if len(names) + len(code.head) + 3 > WIDTH:
                # Each on a line of its own, as Python's formatters have it.
                opened = ["(", *(f"    {result}," for result in results)]
                names = ")"
            code = Group(f"{names} = {code.head}", code.items, code.tail)
        self._body += [*self._sayings.lines(event.comments), *opened, *lines(code)]

    def _remark(self, plan: PlanObject, line: int) -> None:
        """Say where pyaclnn passes something else than the sample does."""
        if not plan.declared:
            return
        spec = spec_of(plan.operator)
        by_name = {a.c_name: v for a, v in zip(spec.arguments, plan.arguments, strict=True)}
        for text in (*_other_scalars(spec, by_name), *_made_outputs(spec, by_name)):
            self._body += note_lines(self._program, Note(line, text))

    def failing(self, plan: PlanObject) -> Code:
        """Return the source of phase 1 alone, which is to fail."""
        return self._call(plan, ".plan", None)[0]

    def workspace_size(self, value: WorkspaceSize) -> str:
        """Return the source of a workspace size."""
        return f"{self._plans[id(value.plan)]}.workspace_size"

    def _call(self, plan: PlanObject, method: str, stream: Any) -> tuple[Group, list[str]]:
        if not plan.declared:
            return self._undeclared(plan, method, stream), []
        spec = spec_of(plan.operator)
        by_name = {a.c_name: v for a, v in zip(spec.arguments, plan.arguments, strict=True)}
        inputs = self._inputs(spec, by_name)
        outputs = [by_name[a.c_name] for a in spec.outputs]
        results: list[str] = []
        extra: list[Code] = []
        if outputs and not method and self._follow(spec, by_name):
            results = [self._tensors.adopt(t) for t in outputs]
        elif outputs:
            made = [
                self._argument(plan.operator, a, v)
                for a, v in zip(spec.outputs, outputs, strict=True)
            ]
            extra.append(_out(made))
        for value in by_name.values():
            for tensor in value.items if isinstance(value, ListObject) else (value,):
                if isinstance(tensor, TensorObject):
                    self._note(spec, by_name, tensor)
        extra += self._streams.argument(stream)
        return call(f"pa.ops.{spec.name}{method}", *inputs, *extra), results

    def _inputs(self, spec: Spec, by_name: dict[str, Any]) -> list[Code]:
        """Return the inputs: tensors by position, from the first other one on by name.

        What the operator takes when it is left out is.
        """
        out: list[Code] = []
        by_keyword = False
        for argument in spec.inputs:
            value = by_name[argument.c_name]
            if _is_default(argument, value):
                by_keyword = True
                continue
            by_keyword = by_keyword or argument.kind not in ("tensor", "tensor_list")
            code = self._argument(spec.c_name, argument, value)
            out.append(keyword(argument.name, code) if by_keyword else code)
        return out

    def _undeclared(self, plan: PlanObject, method: str, stream: Any) -> Group:
        """Return the call of an operator whose outputs only the copies to the host tell."""
        inputs: list[Code] = []
        outputs: list[Code] = []
        for value in plan.arguments:
            tensors = value.items if isinstance(value, ListObject) else (value,)
            written = any(
                isinstance(t, TensorObject) and t.data is not None
                and id(t.data.block) in self._downloaded for t in tensors
            )  # fmt: skip
            (outputs if written else inputs).append(self._plain(value))
        extra = [_out(outputs)] if outputs else []
        operator = f'pa.ops["{plan.operator}"]{method}'
        return call(operator, *inputs, *extra, *self._streams.argument(stream))

    def _note(self, spec: Spec, by_name: dict[str, Any], tensor: TensorObject) -> None:
        for argument in spec.arguments:
            value = by_name[argument.c_name]
            if argument.output and (
                value is tensor or (isinstance(value, ListObject) and tensor in value.items)
            ):
                self._tensors.mark_written(tensor)

    def _follow(self, spec: Spec, by_name: dict[str, Any]) -> bool:
        """Whether all outputs are what pyaclnn makes by itself."""
        rules = rules_of(spec.c_name)
        described = [{n: _described(v, flat) for n, v in by_name.items()} for flat in (False, True)]
        for argument in spec.outputs:
            tensor = by_name[argument.c_name]
            rule = rules.get(argument.c_name)
            if rule is None or not isinstance(tensor, TensorObject):
                return False
            if not self._tensors.is_fresh(tensor):
                return False
            for descriptions in described:
                try:
                    found = rule(descriptions)
                except (ArithmeticError, LookupError, ValueError, AttributeError, TypeError):
                    return False
                if not isinstance(found, tuple):
                    return False
                shape, dtype = found
                if tuple(shape) != tensor.shape or dtype != element_type(tensor).dtype:
                    return False
        return True

    def _plain(self, value: Any, fixed: str | None = None) -> Code:
        """Return an argument whose kind alone tells how it is written."""
        if isinstance(value, Query):
            return self._streams.query(value)
        if value is None:
            return "None"
        if isinstance(value, TensorObject):
            return self._tensors.variable(value)
        if isinstance(value, ListObject):
            return Group("[", tuple(self._plain(v, fixed) for v in value.items), "]")
        if isinstance(value, ScalarObject):
            return scalar_source(value, fixed)
        if isinstance(value, ArrayObject):
            kind = np.dtype(np.float32) if value.kind == "Float" else None
            return numbers([literal(v, kind) for v in value.values])
        return literal(value)

    def _argument(self, operator: str, argument: Argument, value: Any) -> Code:
        if value is None or isinstance(
            value, (TensorObject, ListObject, ScalarObject, ArrayObject)
        ):
            return self._plain(value, SCALAR_DTYPES.get((operator, argument.c_name)))
        if isinstance(value, Query) and value.is_text:
            return self._streams.query(value)
        if isinstance(value, (Query, Handle)):
            raise NotUnderstoodError(f"{argument.c_name} is what the C API answers at run time")
        if argument.kind == "dtype" and value in TYPES:
            return dtype_text(TYPES[value].dtype)
        if argument.kind == "float":
            single = np.dtype(np.float32)
            exact = single if argument.c_type.startswith("float") else None
            text, short = literal(float(value), exact), literal(float(value), single)
            if len(text) > len(short) + _DIGITS and float(np.float32(value)) == float(value):
                # As the sample writes it, 1e-6f: a double that is not that of 1e-6.
                return f"np.float32({short})"
            return text if any(c in text for c in ".en") else text + ".0"
        return literal(value)


#: So many digits more has a float that is written as a double.
_DIGITS = 6


def _other_scalars(spec: Spec, by_name: dict[str, Any]) -> Iterator[str]:
    """Describe scalars that pyaclnn gives another dtype."""
    for name, value in by_name.items():
        fixed = SCALAR_DTYPES.get((spec.c_name, name))
        if fixed is not None and isinstance(value, ScalarObject):
            dtype = TYPES[value.dtype].name
            if dtype != fixed:
                yield f"{name} is an aclScalar of {dtype}; pa.ops makes it one of {fixed}"


def _made_outputs(spec: Spec, by_name: dict[str, Any]) -> Iterator[str]:
    """Describe outputs that the sample omits and pyaclnn allocates."""
    rules = rules_of(spec.c_name)
    described = {name: _described(value) for name, value in by_name.items()}
    for argument in spec.outputs:
        rule = rules.get(argument.c_name)
        if by_name[argument.c_name] is None and rule is not None:
            with suppress(ArithmeticError, LookupError, ValueError, AttributeError, TypeError):
                if rule(described) is not None:
                    yield f"the sample passes no {argument.c_name}, which pa.ops allocates"


def _out(made: list[Code]) -> Code:
    return Group("out=(", tuple(made), ")") if len(made) > 1 else keyword("out", made[0])


def _is_default(argument: Argument, value: Any) -> bool:
    """Whether an operator takes just this where the argument is left out."""
    default = argument.default
    if default is REQUIRED:
        return False
    if isinstance(value, ArrayObject):
        return isinstance(default, (list, tuple)) and value.values == tuple(default)
    if isinstance(value, (Object, Symbol)):
        return False
    if isinstance(value, (int, float)) and isinstance(default, (int, float)):
        if argument.kind == "float" and argument.c_type.startswith("float"):
            return bool(np.float32(value) == np.float32(default))
        return value == default
    return type(value) is type(default) and bool(value == default)


def _described(value: Any, flat: bool = False) -> Any:
    """Return an argument as an output rule sees it.

    Of a type that NumPy lacks it sees the bytes, not the shape that CANN is told; ``flat`` is for
    finding out whether that matters.
    """
    if isinstance(value, TensorObject):
        shape = (prod(value.shape),) if flat and value.dtype not in TYPES else value.shape
        dtype = element_type(value).dtype
        return SimpleNamespace(shape=shape, ndim=len(shape), size=prod(shape), dtype=dtype)
    if isinstance(value, ArrayObject):
        return list(value.values)
    if isinstance(value, ListObject):
        return [_described(item, flat) for item in value.items]
    return value.value if isinstance(value, ScalarObject) else value


def scalar_source(scalar: ScalarObject, fixed: str | None) -> str:
    """Return an aclScalar as a Python number, or a NumPy one where the dtype would be lost.

    Parameters
    ----------
    scalar : ScalarObject
        The sample's.
    fixed : str or None
        The dtype pyaclnn gives this parameter whatever is passed.
    """
    ctype = TYPES[scalar.dtype]
    text = literal(scalar.value, ctype.dtype if ctype.kind == "float" else None)
    if ctype.kind == "float" and "." not in text and "e" not in text and "n" not in text:
        text += ".0"
    if ctype.name == fixed or ctype.name in _NATURAL:
        return text
    if ctype.name == "bfloat16":
        return f"ml_dtypes.bfloat16({text})"
    return f"np.{ctype.name}({text})"


def _needs_plan(program: Program) -> set[int]:
    found: set[int] = set()

    def visit(value: Any) -> None:
        if isinstance(value, WorkspaceSize):
            found.add(id(value.plan))
        elif isinstance(value, Expression):
            for operand in value.operands:
                visit(operand)

    for symbol in program.symbols:
        visit(symbol)
    for call_event in program.calls:
        if call_event.name == "aclSetAclOpExecutorRepeatable":
            found.add(id(call_event.arguments[0]))
    return found
