"""Calls of operators as a self-contained C++ sample, for a bug report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyaclnn.abi import AclError
from pyaclnn.ops import cpp_literals as cpp
from pyaclnn.ops.arguments import python_scalar_dtype
from pyaclnn.ops.cpp_helpers import (
    BFLOAT16,
    EPILOGUE,
    HELPERS,
    OVERWRITE,
    PROLOGUE,
    SUCCEEDED,
)
from pyaclnn.ops.cpp_steps import (
    MAX_ELEMENTS,
    Call,
    Memory,
    Step,
    Steps,
    View,
    Write,
    enumerator,
)
from pyaclnn.ops.rules import scalar_dtype
from pyaclnn.ops.spec import Argument, Spec

_PRINTED = {"i": "%lld", "u": "%llu", "b": "%lld"}
_ARRAYS = {"int_array": ("Int", "int64_t"), "float_array": ("Float", "float"),
           "bool_array": ("Bool", "uint8_t")}  # fmt: skip
_WIDTH = 98
#: Variables of the frame.
_TAKEN = ("deviceId", "stream", "workspaceSize", "executor", "workspaceAddr", "status", "at")


def write(spec: Spec, values: Sequence[Any]) -> str:
    """Return a C++ program that makes a call and prints its outputs.

    Parameters
    ----------
    spec : Spec
        The operator.
    values : sequence
        Its arguments in C order, as the call takes them.

    Returns
    -------
    str
        Source in the manner of CANN's samples. Every output element is printed as
        ``name[index] = value``, in row-major order.

    Raises
    ------
    ValueError
        If the tensors are too large to be written down.
    TypeError
        For an argument that a sample cannot have.
    """
    steps = Steps()
    steps.call(spec, values)
    return write_steps(steps.steps)


def write_steps(steps: Sequence[Step]) -> str:
    """Return a C++ program that replays calls in order.

    Parameters
    ----------
    steps : sequence of Write or Call
        What was recorded.

    Returns
    -------
    str
        As of :func:`write`; with several calls, a line ``call 2: aclnnXxx`` comes before the
        outputs of each.

    Raises
    ------
    ValueError
        If the tensors are too large to be written down, or on several devices.
    TypeError
        For an argument that a sample cannot have.
    """
    return _Sample(steps).text()


class _Sample:
    """A program that is being written."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.calls = [step for step in steps if isinstance(step, Call)]
        self.body: list[str] = []
        self.destroys: list[str] = []
        self.frees: list[str] = []
        #: Memory -> the variable with its address; a tensor's description -> its variable.
        self.addresses: dict[Memory, str] = {}
        self.tensors: dict[View, str] = {}
        self.taken = set(_TAKEN)
        self.helpers: set[str] = set()
        self.devices: set[int] = set()

    def text(self) -> str:
        number = 0
        for step in self.steps:
            if isinstance(step, Write):
                self._write(step)
                continue
            number += 1
            if step.refused:
                self._refused(step, number)
            else:
                self._call(step, number)
        if len(self.devices) > 1:
            raise ValueError(f"a sample has one device, the calls were made on {self.devices}")
        names = sorted({call.spec.c_name for call in self.calls})
        headers = sorted({_include(call.spec) for call in self.calls})
        what = f"one call of {names[0]}" if len(self.calls) == 1 else f"{number} calls in order"
        lines = [
            PROLOGUE.replace("@HEADERS@", "\n".join(headers)).replace("@CALLS@", what),
            HELPERS,
            *sorted(self.helpers),
            f"int main() {{\n  int32_t deviceId = {next(iter(self.devices), 0)};",
            '  aclrtStream stream = nullptr;\n  CHECK(Init(deviceId, &stream), "Init");',
            "  uint64_t workspaceSize = 0;\n  aclOpExecutor* executor = nullptr;",
            "  void* workspaceAddr = nullptr;\n",
            *self.body,
            *self.destroys,
            *self.frees,
            EPILOGUE,
        ]
        return "\n".join(line for line in lines if line)

    def _name(self, wish: str) -> str:
        """Return a name that no variable has yet."""
        name, number = wish, 1
        while name in self.taken:
            number += 1
            name = f"{wish}{'_' if wish[-1].isdigit() else ''}{number}"
        self.taken.add(name)
        return name

    # -- steps

    def _write(self, step: Write) -> None:
        if step.values is None:
            size = step.memory.nbytes
            raise ValueError(
                f"{step.name} has {size} bytes of memory; a sample with more than "
                f"{MAX_ELEMENTS} elements is too large: reproduce the call with smaller tensors"
            )
        data = self._name(f"{step.name}Data")
        c_type = cpp.TYPES[step.values.dtype.name][0]
        self.body.append(f"  std::vector<{c_type}> {data}{cpp.vector(step.values)};")
        known = self.addresses.get(step.memory)
        if known is not None:
            self.helpers.add(OVERWRITE)
            self.body.append(f'  CHECK(Overwrite({data}, {known}), "Overwrite of {known}");\n')
            return
        address = self.addresses[step.memory] = self._name(f"{step.name}Addr")
        self.body.append(f"  void* {address} = nullptr;")
        self.body.append(f'  CHECK(Upload({data}, &{address}), "Upload of {step.name}");')
        self.frees.append(f"  aclrtFree({address});")

    def _refused(self, call: Call, number: int) -> None:
        words = f"{type(call.error).__name__}: {call.error}".splitlines()[0].rstrip("\\ ")
        self.body.append(
            f"  // Call {number}, of {call.spec.c_name}, never reached CANN:\n  // {words}\n"
        )

    def _call(self, call: Call, number: int) -> None:
        spec, name = call.spec, call.spec.c_name
        pairs = list(zip(spec.arguments, call.values, strict=True))
        passed = [self._argument(spec, a, v) for a, v in pairs]
        phases = [
            (f"{name}GetWorkspaceSize", [*passed, "&workspaceSize", "&executor"]),
            ("aclrtMalloc", ["&workspaceAddr", "workspaceSize", "ACL_MEM_MALLOC_HUGE_FIRST"]),
            (name, ["workspaceAddr", "workspaceSize", "executor", "stream"]),
            ("aclrtSynchronizeStream", ["stream"]),
        ]
        if len(self.calls) > 1:
            self.body.append(f'  printf("call {number}: {name}\\n");')
        prints = [
            line
            for (argument, value), variable in zip(pairs, passed, strict=True)
            if argument.output
            for line in self._prints(variable, value)
        ]
        if call.error is None:
            for function, arguments in phases:
                if function == "aclrtMalloc":
                    checked = _checked("    CHECK", function, arguments)
                    self.body.append(f"  if (workspaceSize > 0) {{\n{checked};\n  }}")
                else:
                    self.body.append(_checked("  CHECK", function, arguments) + ";")
            self.body += prints
        else:
            self.helpers.add(SUCCEEDED)
            tried = [_checked("      Succeeded", f, arguments) for f, arguments in phases]
            tried[1] = "      (workspaceSize == 0 ||\n  " + tried[1].replace("\n", "\n  ") + ")"
            self.body.append(f"  // This call failed: {_failure(call.error)}.")
            self.body.append("  if (" + " &&\n".join(tried).lstrip() + ") {")
            self.body += ["  " + line.replace("\n", "\n  ") for line in prints]
            self.body.append("  }")
        self.body.append("  if (workspaceAddr != nullptr) aclrtFree(workspaceAddr);")
        self.body.append("  workspaceAddr = nullptr;\n")

    # -- arguments

    def _argument(self, spec: Spec, argument: Argument, value: Any) -> str:
        kind = argument.kind
        if value is None:
            return "nullptr"
        if kind == "tensor":
            return self._tensor(argument.c_name, value)
        if kind == "tensor_list":
            items = [
                "nullptr" if v is None else self._new_tensor(f"{argument.c_name}{i}", v)
                for i, v in enumerate(value)
            ]
            # A list destroys its elements.
            return self._list(argument.c_name, "Tensor", items)
        if kind == "scalar":
            dtype = scalar_dtype(spec.c_name, argument.c_name) or python_scalar_dtype(value)
            name = self._scalar(argument.c_name, value, np.dtype(dtype))
            self.destroys.append(f"  aclDestroyScalar({name});")
            return name
        if kind == "scalar_list":
            items = [
                self._scalar(f"{argument.c_name}{i}", item, python_scalar_dtype(item))
                for i, item in enumerate(value)
            ]
            return self._list(argument.c_name, "Scalar", items)
        if kind in _ARRAYS:
            return self._array(argument.c_name, kind, value)
        return self._plain(spec, argument, value)

    def _list(self, wish: str, word: str, items: list[str]) -> str:
        name, held = self._name(wish), self._name(f"{wish}Items")
        self.body.append(f"  std::vector<acl{word}*> {held} = {cpp.listed(items)};")
        self.body.append(
            f"  acl{word}List* {name} = aclCreate{word}List({held}.data(), {held}.size());\n"
        )
        self.destroys.append(f"  aclDestroy{word}List({name});")
        return name

    def _plain(self, spec: Spec, argument: Argument, value: Any) -> str:
        name, kind = self._name(argument.c_name), argument.kind
        c_type = argument.c_type.removeprefix("const ").strip()
        if kind == "string":
            text = getattr(value, "__aclnn_text__", value)
            self.body.append(f"  char {name}[] = {cpp.text(text)};")
        elif kind == "float":
            dtype = np.float32 if c_type == "float" else np.float64
            self.body.append(f"  {c_type} {name} = {cpp.number(dtype(value))};")
        elif kind == "bool":
            self.body.append(f"  bool {name} = {'true' if value else 'false'};")
        elif kind == "int":
            shown = cpp.number(np.uint64(value) if value >> 63 == 1 else np.int64(value))
            self.body.append(f"  {c_type} {name} = {shown};")
        elif kind == "dtype":
            self.body.append(f"  aclDataType {name} = {enumerator('aclDataType', value)};")
        else:
            raise TypeError(f"{spec.name}: a C++ sample cannot have {argument.c_type} {name}")
        return name

    def _scalar(self, wish: str, value: Any, dtype: np.dtype[Any]) -> str:
        name, held = self._name(wish), self._name(f"{wish}Value")
        c_type, acl = cpp.TYPES[dtype.name]
        shown = cpp.number(cpp.bits_of(np.asarray(value, dtype).reshape(1))[0])
        self.body.append(f"  {c_type} {held} = {shown};")
        self.body.append(f"  aclScalar* {name} = aclCreateScalar(&{held}, {acl});\n")
        return name

    def _array(self, wish: str, kind: str, values: list[Any]) -> str:
        name, held = self._name(wish), self._name(f"{wish}Values")
        word, c_type = _ARRAYS[kind]
        dtype = {"int64_t": np.int64, "float": np.float32, "uint8_t": np.uint8}[c_type]
        shown = cpp.listed([cpp.number(dtype(v)) for v in values])
        if word == "Bool":
            # A vector of bool has no array inside.
            shown = cpp.listed(["true" if v else "false" for v in values] or ["false"])
            self.body.append(f"  const bool {held}[] = {shown};")
            pointer, count = held, str(len(values))
        else:
            self.body.append(f"  std::vector<{c_type}> {held} = {shown};")
            pointer, count = f"{held}.data()", f"{held}.size()"
        self.body.append(f"  acl{word}Array* {name} = aclCreate{word}Array({pointer}, {count});\n")
        self.destroys.append(f"  aclDestroy{word}Array({name});")
        return name

    def _tensor(self, wish: str, view: View) -> str:
        """Return the variable of a tensor; calls that share the tensor share it."""
        name = self.tensors.get(view)
        if name is None:
            name = self.tensors[view] = self._new_tensor(wish, view)
            self.destroys.append(f"  aclDestroyTensor({name});")
        return name

    def _new_tensor(self, wish: str, view: View) -> str:
        name = self._name(wish)
        self.devices.add(view.memory.device)
        parts = (view.shape, view.strides, view.offset, view.storage)
        shape, strides, offset, storage = (
            "{" + ", ".join(map(str, p)) + "}" if isinstance(p, tuple) else str(p) for p in parts
        )
        arguments = [self.addresses[view.memory], shape, strides, offset, storage]
        made = _wrapped("MakeTensor(", [*arguments, view.acl_dtype, view.format], ")", 6)
        self.body.append(f"  aclTensor* {name} =\n      {made};\n")
        return name

    # -- results

    def _prints(self, variable: str, value: View | list[View | None] | None) -> list[str]:
        if isinstance(value, list):
            return [
                line
                for i, v in enumerate(value)
                if v is not None
                for line in self._print(f"{variable}{i}", v)
            ]
        return [] if value is None else self._print(variable, value)

    def _print(self, variable: str, view: View) -> list[str]:
        name, dtype = self._name(f"{variable}Result"), view.dtype
        position = self._name(f"{variable}Index")
        if dtype.name == "bfloat16":
            self.helpers.add(BFLOAT16)
        c_type = cpp.TYPES[dtype.name][0]
        shape, strides = (", ".join(map(str, p)) for p in (view.shape, view.strides))
        count = view.memory.nbytes // dtype.itemsize
        return [
            f"  std::vector<{c_type}> {name}({count});",
            f'  CHECK(Download({self.addresses[view.memory]}, {name}), "Download of {variable}");',
            f"  int64_t {position} = 0;",
            f"  for (int64_t at : Positions({{{shape}}}, {{{strides}}}, {view.offset})) {{",
            f"    {_print_statement(variable, position, f'{name}[at]', dtype)}\n  }}",
        ]


def _wrapped(head: str, arguments: list[str], tail: str, indent: int) -> str:
    """Return a call, its arguments broken over lines where they do not fit."""
    text, column = head, indent + len(head)
    start = column
    for i, argument in enumerate(arguments):
        piece = argument + (", " if i + 1 < len(arguments) else tail)
        if i and column + len(piece) > _WIDTH:
            text, column = f"{text.rstrip()}\n{' ' * start}", start
        text, column = text + piece, column + len(piece)
    return text


def _checked(macro: str, function: str, arguments: list[str]) -> str:
    indent = len(macro) - len(macro.lstrip())
    call = _wrapped(f"{macro}({function}(", arguments, "),", 0)
    last = len(call) - call.rfind("\n")
    fits = last + len(function) + 6 < _WIDTH
    return f'{call}{" " if fits else chr(10) + " " * (indent + 4)}"{function}")'


def _include(spec: Spec) -> str:
    header = spec.header.replace("\\", "/").rpartition("/")[2]
    return f'#include "aclnnop/{header}"'


def _failure(error: BaseException) -> str:
    if isinstance(error, AclError):
        return f"{error.function} answered {error.code} {error.name}".rstrip()
    return type(error).__name__


def _print_statement(name: str, position: str, item: str, dtype: np.dtype[Any]) -> str:
    index = f"static_cast<long long>({position}++)"
    if dtype.kind == "c":
        values = f"double({item}.real()), double({item}.imag())"
        return f'printf("{name}[%lld] = %.17g %.17g\\n", {index},\n           {values});'
    if dtype.kind in _PRINTED:
        wide = "unsigned long long" if dtype.kind == "u" else "long long"
        shown, value = _PRINTED[dtype.kind], f"static_cast<{wide}>({item})"
    else:
        call = {"float16": "aclFloat16ToFloat", "bfloat16": "Bfloat16ToFloat"}.get(dtype.name, "")
        shown, value = "%.17g", f"{call}({item})" if call else item
    return f'printf("{name}[%lld] = {shown}\\n", {index},\n           {value});'
