"""The docstring of an operator, from its declaration and its row of the table."""

from __future__ import annotations

from textwrap import fill

from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.spec import Argument, Spec

_KINDS = {
    "tensor": "Tensor or None",
    "tensor_list": "sequence of Tensor",
    "scalar": "number",
    "scalar_list": "sequence of numbers",
    "int_array": "sequence of int",
    "float_array": "sequence of float",
    "bool_array": "sequence of bool",
    "string": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "dtype": "dtype",
}
_INDENT = "    "


def _line(argument: Argument, meaning: str = "", dtypes: str = "", shape: str = "") -> str:
    kind = _KINDS.get(argument.kind, argument.c_type)
    note = " (written in place)" if argument.in_place else ""
    if argument.given and argument.default is not REQUIRED:
        note += f", default {argument.default!r}"
    said = f"{argument.name} : {kind}{note}"
    if meaning:
        said += f"\n{fill(meaning, 84, initial_indent=_INDENT, subsequent_indent=_INDENT)}"
    said += f"\n    C: {argument.c_type} {argument.c_name}"
    said += f"\n    Shape: {shape}." if shape else ""
    return f"{said}\n    Of {dtypes}." if dtypes else said


def docstring(spec: Spec) -> str:
    """Return numpydoc text: formula, parameters with meaning and dtypes, outputs, refusals."""
    # Imported here: only help texts need the words and all rows.
    from pyaclnn.ops.checks_in_words import accepted, checks, plain, shapes
    from pyaclnn.table import by_name, why_not_simulated
    from pyaclnn.table.meanings import meaning
    from pyaclnn.table.torch_names import torch_names

    row = by_name().get(spec.c_name)
    dtypes = accepted(row) if row else {}
    extents = shapes(row) if row else {}

    def line(argument: Argument) -> str:
        name = argument.c_name
        said = meaning(spec.c_name, name, argument.returned)
        return _line(argument, said, plain(dtypes.get(name, "")), plain(extents.get(name, "")))

    text = [f"{spec.c_name}.", "", spec.comment.strip(), "", "Parameters", "----------"]
    text += map(line, spec.inputs)
    text += ["out : Tensor or tuple of Tensor, optional", "    Where results go."]
    text += ["stream : Stream, optional", "    The thread's current stream by default."]
    text += ["", "Returns", "-------"]
    for a in spec.outputs:
        text.append(line(a))
        if row and a.c_name in row.outputs:
            text.append(f"    Dtype: {row.outputs[a.c_name].dtype}.")
    if not spec.outputs:
        text.append("the tensors written in place")
    if row:
        text += ["", "Raises", "------", "AclParameterError"]
        text.append("    Where one of these is not so, checked in this order:")
        text += [f"    {n}. {plain(line)}" for n, line in enumerate(checks(row), 1)]
    release = f" {spec.release}." if spec.release else ""
    text += ["", "Notes", "-----", f"Declared in {spec.header}.{release}"]
    if names := torch_names(spec.c_name):
        text += ["", f"PyTorch calls it for {', '.join(names)}."]
    if row and row.missing:
        text += ["", "Not simulated:", *(f"- {reason}" for reason in row.missing)]
    if reason := why_not_simulated(spec.c_name):
        text += ["", f"Not simulated: {reason}."]
    return "\n".join(text)
