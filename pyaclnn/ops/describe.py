"""The docstring of an operator, from its declaration."""

from __future__ import annotations

from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.table import why_not_simulated

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


def _line(argument: Argument) -> str:
    kind = _KINDS.get(argument.kind, argument.c_type)
    note = " (written in place)" if argument.in_place else ""
    if argument.given and argument.default is not REQUIRED:
        note += f", default {argument.default!r}"
    return f"{argument.name} : {kind}{note}\n    C: {argument.c_type} {argument.c_name}"


def docstring(spec: Spec) -> str:
    """Return numpydoc text: what the header says, the parameters, where it is declared."""
    text = [f"{spec.c_name}.", "", spec.comment.strip(), "", "Parameters", "----------"]
    text += [_line(a) for a in spec.inputs]
    text += ["out : Tensor or tuple of Tensor, optional", "    Where results go."]
    text += ["stream : Stream, optional", "    The thread's current stream by default."]
    text += ["", "Returns", "-------"]
    text += [_line(a) for a in spec.outputs] or ["the tensors written in place"]
    text += ["", "Notes", "-----", f"Declared in {spec.header}."]
    if reason := why_not_simulated(spec.c_name):
        text += ["", f"Not simulated: {reason}."]
    return "\n".join(text)
