"""A call of an operator as a self-contained C++ sample: what a bug report needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pyaclnn.abi import check, declaration, ffi, index, lib
from pyaclnn.ops import cpp_literals as cpp
from pyaclnn.ops.arguments import python_scalar_dtype
from pyaclnn.ops.cpp_helpers import EPILOGUE, HELPERS, HELPERS_OF_DTYPES, PROLOGUE
from pyaclnn.ops.rules import scalar_dtype
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.tensor import Tensor

#: More would be a file that no compiler and no person likes.
MAX_ELEMENTS = 1 << 20

_PRINTED = {"i": "%lld", "u": "%llu", "b": "%lld"}
_ARRAYS = {"int_array": ("Int", "int64_t"), "float_array": ("Float", "float"),
           "bool_array": ("Bool", "uint8_t")}  # fmt: skip


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
    return _Sample(spec, list(values)).text()


@dataclass
class _Sample:
    spec: Spec
    values: list[Any]
    body: list[str] = field(default_factory=list)
    prints: list[str] = field(default_factory=list)
    destroys: list[str] = field(default_factory=list)
    frees: list[str] = field(default_factory=list)
    blocks: dict[int, str] = field(default_factory=dict)
    dtypes: set[str] = field(default_factory=set)

    def text(self) -> str:
        passed = [
            self._argument(a, v) for a, v in zip(self.spec.arguments, self.values, strict=True)
        ]
        name = self.spec.c_name
        arguments = ", ".join([*passed, "&workspaceSize", "&executor"])
        header = self.spec.header.replace("\\", "/").rpartition("/")[2]
        helpers = "".join(HELPERS_OF_DTYPES[d] for d in sorted(self.dtypes & {"bfloat16"}))
        lines = [
            PROLOGUE.replace("@HEADER@", header).replace("@NAME@", name),
            HELPERS,
            helpers,
            "int main() {\n  int32_t deviceId = 0;\n  aclrtStream stream = nullptr;",
            '  CHECK(Init(deviceId, &stream), "Init");\n',
            *self.body,
            "  uint64_t workspaceSize = 0;\n  aclOpExecutor* executor = nullptr;",
            f'  CHECK({name}GetWorkspaceSize({arguments}),\n        "{name}GetWorkspaceSize");',
            "  void* workspaceAddr = nullptr;\n  if (workspaceSize > 0) {",
            "    CHECK(aclrtMalloc(&workspaceAddr, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST),",
            '          "aclrtMalloc of the workspace");\n  }',
            f'  CHECK({name}(workspaceAddr, workspaceSize, executor, stream), "{name}");',
            '  CHECK(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");\n',
            *self.prints,
            *self.destroys,
            *self.frees,
            EPILOGUE,
        ]
        return "\n".join(line for line in lines if line)

    def _argument(self, argument: Argument, value: Any) -> str:
        name, kind = argument.c_name, argument.kind
        if value is None:
            return "nullptr"
        if kind == "tensor":
            return self._tensor(name, value, argument.output)
        if kind == "tensor_list":
            items = [
                "nullptr" if v is None else self._tensor(f"{name}{i}", v, argument.output, False)
                for i, v in enumerate(value)
            ]
            self.body.append(f"  std::vector<aclTensor*> {name}Items = {cpp.listed(items)};")
            self.body.append(
                f"  aclTensorList* {name} = "
                f"aclCreateTensorList({name}Items.data(), {name}Items.size());\n"
            )
            # A list destroys its elements.
            self.destroys.append(f"  aclDestroyTensorList({name});")
            return name
        if kind == "scalar":
            dtype = scalar_dtype(self.spec.c_name, name) or python_scalar_dtype(value)
            self._scalar(name, value, np.dtype(dtype) if dtype != "bfloat16" else None)
            self.destroys.append(f"  aclDestroyScalar({name});")
            return name
        if kind == "scalar_list":
            for i, item in enumerate(value):
                self._scalar(f"{name}{i}", item, python_scalar_dtype(item))
            items = [f"{name}{i}" for i in range(len(value))]
            self.body.append(f"  std::vector<aclScalar*> {name}Items = {cpp.listed(items)};")
            self.body.append(
                f"  aclScalarList* {name} = "
                f"aclCreateScalarList({name}Items.data(), {name}Items.size());\n"
            )
            self.destroys.append(f"  aclDestroyScalarList({name});")
            return name
        if kind in _ARRAYS:
            return self._array(name, kind, list(value))
        return self._plain(argument, value)

    def _plain(self, argument: Argument, value: Any) -> str:
        name, kind = argument.c_name, argument.kind
        if kind == "string":
            self.body.append(f"  char {name}[] = {cpp.text(value)};")
        elif kind == "float":
            c_type = argument.c_type.removeprefix("const ").strip()
            dtype = np.float32 if c_type == "float" else np.float64
            self.body.append(f"  {c_type} {name} = {cpp.number(dtype(value))};")
        elif kind == "bool":
            self.body.append(f"  bool {name} = {'true' if value else 'false'};")
        elif kind == "dtype" and not isinstance(value, int):
            return cpp.TYPES[np.dtype(value).name][1]
        elif kind in ("int", "dtype", "format", "enum"):
            c_type = argument.c_type.removeprefix("const ").strip()
            wide = np.uint64(value) if int(value) >> 63 == 1 else np.int64(value)
            cast = f"static_cast<{c_type}>" if kind != "int" else ""
            shown = cpp.number(wide)
            self.body.append(f"  {c_type} {name} = {f'{cast}({shown})' if cast else shown};")
        else:
            raise TypeError(f"{self.spec.name}: a C++ sample cannot have {argument.c_type} {name}")
        return name

    def _scalar(self, name: str, value: Any, dtype: np.dtype[Any] | None) -> None:
        held = np.asarray(value, dtype if dtype is not None else "bfloat16")
        c_type, acl = cpp.TYPES[held.dtype.name]
        shown = cpp.number(cpp.bits_of(held.reshape(1))[0])
        self.body.append(f"  {c_type} {name}Value = {shown};")
        self.body.append(f"  aclScalar* {name} = aclCreateScalar(&{name}Value, {acl});\n")

    def _array(self, name: str, kind: str, values: list[Any]) -> str:
        word, c_type = _ARRAYS[kind]
        dtype = {"int64_t": np.int64, "float": np.float32, "uint8_t": np.uint8}[c_type]
        shown = cpp.listed([cpp.number(dtype(v)) for v in values])
        if word == "Bool":
            c_type, shown = "bool", cpp.listed(["true" if v else "false" for v in values])
            self.body.append(f"  const bool {name}Values[] = {shown};")
            pointer, count = f"{name}Values", str(len(values))
        else:
            self.body.append(f"  std::vector<{c_type}> {name}Values = {shown};")
            pointer, count = f"{name}Values.data()", f"{name}Values.size()"
        self.body.append(f"  acl{word}Array* {name} = aclCreate{word}Array({pointer}, {count});\n")
        self.destroys.append(f"  aclDestroy{word}Array({name});")
        return name

    def _tensor(self, name: str, tensor: Tensor, output: bool, owned: bool = True) -> str:
        block = self._block(name, tensor)
        dtype = tensor.dtype.name
        self.dtypes.add(dtype)
        shape = ", ".join(map(str, tensor.shape))
        strides = ", ".join(map(str, tensor.strides))
        count = tensor.buffer.nbytes // tensor.dtype.itemsize
        layout = _format_of(tensor)
        self.body.append(
            f"  aclTensor* {name} =\n      MakeTensor({block}Addr, {{{shape}}}, {{{strides}}}, "
            f"{tensor.offset}, {count}, {cpp.TYPES[dtype][1]},\n                 {layout});\n"
        )
        if owned:
            self.destroys.append(f"  aclDestroyTensor({name});")
        if output:
            self._print(name, block, tensor)
        return name

    def _block(self, name: str, tensor: Tensor) -> str:
        """Write the memory of a tensor, once for all tensors in it."""
        buffer = tensor.buffer
        known = self.blocks.get(id(buffer))
        if known is not None:
            return known
        self.blocks[id(buffer)] = name
        whole = Tensor(buffer, (buffer.nbytes // tensor.dtype.itemsize,), tensor.dtype)
        if whole.size > MAX_ELEMENTS:
            raise ValueError(
                f"{self.spec.name}: {name} has {whole.size} elements in memory; a sample with "
                f"more than {MAX_ELEMENTS} is too large: reproduce the call with smaller tensors"
            )
        c_type = cpp.TYPES[tensor.dtype.name][0]
        self.body.append(f"  std::vector<{c_type}> {name}Data{cpp.vector(whole.numpy())};")
        self.body.append(f"  void* {name}Addr = nullptr;")
        self.body.append(f'  CHECK(Upload({name}Data, &{name}Addr), "Upload of {name}");')
        self.frees.append(f"  aclrtFree({name}Addr);")
        return name

    def _print(self, name: str, block: str, tensor: Tensor) -> None:
        dtype = tensor.dtype
        c_type = cpp.TYPES[dtype.name][0]
        shape = ", ".join(map(str, tensor.shape))
        strides = ", ".join(map(str, tensor.strides))
        count = tensor.buffer.nbytes // dtype.itemsize
        self.prints.append(
            f"  std::vector<{c_type}> {name}Result({count});\n"
            f'  CHECK(Download({block}Addr, {name}Result), "Download of {name}");\n'
            f"  int64_t {name}Index = 0;\n"
            f"  for (int64_t at : Positions({{{shape}}}, {{{strides}}}, {tensor.offset})) {{\n"
            f"    {_print_statement(name, dtype)}\n  }}"
        )


def _format_of(tensor: Tensor) -> str:
    """Return the name of the format a tensor's descriptor has."""
    code = ffi.new("aclFormat *")
    check(lib.aclGetFormat(tensor.handle, code))
    for enumerator in declaration("aclFormat").enumerators():
        name = enumerator.partition("=")[0].strip()
        if index.value(name) == code[0]:
            return name
    return f"static_cast<aclFormat>({code[0]})"


def _print_statement(name: str, dtype: np.dtype[Any]) -> str:
    item = f"{name}Result[at]"
    if dtype.kind == "c":
        return (
            f'printf("{name}[%lld] = %.17g %.17g\\n", static_cast<long long>({name}Index++),\n'
            f"           double({item}.real()), double({item}.imag()));"
        )
    if dtype.kind in _PRINTED:
        wide = "unsigned long long" if dtype.kind == "u" else "long long"
        shown, value = _PRINTED[dtype.kind], f"static_cast<{wide}>({item})"
    else:
        call = {"float16": "aclFloat16ToFloat", "bfloat16": "Bfloat16ToFloat"}.get(dtype.name, "")
        shown, value = "%.17g", f"{call}({item})" if call else item
    return (
        f'printf("{name}[%lld] = {shown}\\n", static_cast<long long>({name}Index++),\n'
        f"           {value});"
    )
