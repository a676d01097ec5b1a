"""Parameter names of a custom operator never meet the names of the code generated for it."""

from __future__ import annotations

import ast
import keyword
import subprocess
from pathlib import Path

import pytest
import toolchain
from children import output_of

import pyaclnn as pa
from pyaclnn.ops import compiled
from pyaclnn.ops.naming import python_names

LIBRARY = """
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#define EXPORT __attribute__((visibility("default")))
// It succeeds where it is given as many tensors as it has parameters, all different.
EXPORT aclnnStatus aclnnHygieneGetWorkspaceSize({parameters}, uint64_t* size, aclOpExecutor** ex) {{
  const void* all[] = {{{names}}};
  for (int i = 0; i < {count}; ++i)
    for (int j = 0; j <= i; ++j)
      if (all[i] == 0 || (i != j && all[i] == all[j])) return 161002;
  *size = 0;
  *ex = (aclOpExecutor*)all[0];
  return 0;
}}
EXPORT aclnnStatus aclnnHygiene(void* w, uint64_t size, aclOpExecutor* ex, aclrtStream s) {{
  return w || size || !ex || !s;
}}
"""

PROGRAM = """
import pyaclnn as pa
pa.abi.add_headers({header!r})
pa.abi.add_library({library!r})
operator = pa.ops.hygiene
inputs = [pa.zeros(3) for _ in operator.spec.inputs]
result = pa.zeros(3)
for _ in range(3):
    assert operator(*inputs, out=result) is result
named = dict(zip([a.name for a in operator.spec.inputs], inputs))
assert operator(**named, out=result) is result
print(type(operator) is not pa.Operator, len(inputs))
try:
    operator(*inputs[1:], inputs[1], out=result)
except pa.AclError as error:
    print(error.code)
"""


def internal_names() -> set[str]:
    """Return every name that occurs in generated code, of operators of all kinds."""
    found = {"self", "op", "args", "kwargs", "call", "inputs", "named", "values", "tensor"}
    for name in ("selu_backward", "cat", "convolution_backward", "batch_norm_backward"):
        source, names = compiled._source(pa.ops[name].spec, pa.ops[name].resolve())
        found |= set(names)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
    return found - {"out"}


def test_a_parameter_may_have_any_name(tmp_path: Path) -> None:
    # Those of C, and what the header writes as a macro there, are no names of parameters.
    no_names = {"NULL", "if", "else", "while", "for", "return", "break", "continue"}
    names = sorted((internal_names() | set(keyword.kwlist)) - no_names)
    parameters = ", ".join(f"const aclTensor* {name}" for name in [*names, "out"])
    header = tmp_path / "aclnn_hygiene.h"
    declaration = f"aclnnStatus aclnnHygieneGetWorkspaceSize({parameters}, "
    header.write_text(
        f"{declaration}uint64_t* workspaceSize, aclOpExecutor** executor);\n"
        "aclnnStatus aclnnHygiene(void* workspace, uint64_t workspaceSize,\n"
        "                         aclOpExecutor* executor, aclrtStream stream);\n"
    )
    source, library = tmp_path / "hygiene.c", tmp_path / "libhygiene.so"
    text = LIBRARY.format(
        parameters=parameters, names=", ".join([*names, "out"]), count=len(names) + 1
    )
    source.write_text(text)
    subprocess.run(
        [*toolchain.compiler(".c"), "-shared", "-fPIC", f"-I{toolchain.toolkit() / 'include'}",
         str(source), "-o", str(library)], check=True,
    )  # fmt: skip

    out = output_of(PROGRAM.format(header=str(header), library=str(library)))

    assert out.split("\n") == [f"True {len(names)}", "161002"]


@pytest.mark.parametrize(
    ("c_names", "expected"),
    [
        (["_queue", "stream", "out", "lambda", "in"], ["queue", "stream_", "out_", "lambd", "in_"]),
        (["gradOut", "grad_out", "GradOut"], ["grad_out", "grad_out_2", "grad_out_3"]),
        (["", "_", "_2d", "a$b", "\uff4fut"], ["arg0", "arg1", "arg2d", "a_b", "ut"]),
        (["None", "MISSING", "print"], ["none", "missing", "print"]),
    ],
)
def test_names_are_plain_and_differ(c_names: list[str], expected: list[str]) -> None:
    assert python_names(c_names, ()) == expected


def test_an_output_may_be_called_out() -> None:
    assert python_names(["self", "out"], [1]) == ["self", "out"]
