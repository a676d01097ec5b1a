"""What a compiled call does about its output where that is a list of tensors."""

from __future__ import annotations

import textwrap
from typing import Any

from pyaclnn.ops.compiled_inputs import found_list, shared_list
from pyaclnn.ops.rules import rules_of
from pyaclnn.ops.rules.common import EachLike
from pyaclnn.ops.spec import Argument, Spec
from pyaclnn.tensor.creation import NEW_OUTPUT

#: The variable that holds the C list of the output.
C_LIST = "_c_list"


def gives_a_list(spec: Spec) -> bool:
    """Whether the only output of an operator is a list of tensors."""
    return [a.kind for a in spec.outputs] == ["tensor_list"]


def list_lines(spec: Spec, names: dict[str, Any]) -> str:
    """Return lines that take or allocate the output.

    Parameters
    ----------
    spec : Spec
        Of an operator that gives a list.
    names : dict
        Names the lines may use; more are added.

    Returns
    -------
    str
        They set ``out``, and `C_LIST` to the owner of the C list.
    """
    (output,) = spec.outputs
    # Views may overlap inputs.
    taking = shared_list(C_LIST, "out", names, "    if _memory.has_views: raise _Leave\n")
    return f"""\
if out is None:
{textwrap.indent(_allocating(spec, output), "    ")}\
else:
{textwrap.indent(taking, "    ")}"""


_FORM = """\
    _form = _each._form
    if _form is None: _form = _form_of(_each._shape, _each._dtype)
"""

_FORM_OF_A_NUMBER = """\
    _form = _form_of((), _each.dtype)
"""


def _allocating(spec: Spec, output: Argument) -> str:
    rule = rules_of(spec.c_name).get(output.c_name)
    if not isinstance(rule, EachLike):
        return "raise _Leave\n"
    like = next(a.name for a in spec.inputs if a.c_name == rule.name)
    form = _FORM_OF_A_NUMBER if rule.number else _FORM
    making = textwrap.indent(NEW_OUTPUT.format(tensor="_tensor", form="_form"), "    ")
    return f"""\
_bins = _queue.bins
out, _key = [], []
for _each in {like}:
{form}{making}\
    out.append(_tensor)
    _key.append(_tensor._handle)
{found_list(C_LIST, "out")}\
"""
