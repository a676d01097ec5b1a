"""Write the type stub of ``pyaclnn.ops``, so that editors complete every operator.

Usage: ``python tools/write_stubs.py [--out FILE]``

What is written follows from ``headers/`` and from the table of directions alone.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pyaclnn import abi  # noqa: E402
from pyaclnn.ops.defaults import REQUIRED  # noqa: E402
from pyaclnn.ops.modes import modes  # noqa: E402
from pyaclnn.ops.spec import Argument, Spec, load_spec  # noqa: E402

_HEAD = '''\
"""Every operator that headers/ declares; written by tools/write_stubs.py."""

from collections.abc import Sequence
from typing import Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pyaclnn.ops.namespace import OperatorNamespace
from pyaclnn.ops.operator import Operator
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor

_Tensors: TypeAlias = Sequence[Tensor | None]
_Output: TypeAlias = Tensor | Literal[False] | None
_Outputs: TypeAlias = Sequence[_Output]
_Results: TypeAlias = Sequence[_Output | _Tensors]
_Scalar: TypeAlias = complex | np.generic
_Scalars: TypeAlias = Sequence[complex | np.generic] | NDArray[np.generic]
_Ints: TypeAlias = Sequence[int] | NDArray[np.integer]
_Floats: TypeAlias = Sequence[float] | NDArray[np.floating]
_Bools: TypeAlias = Sequence[bool] | NDArray[np.bool_]

class _Named(Protocol):
    @property
    def __aclnn_text__(self) -> str:
        """The name of a communicator, which stands for it."""

_Group: TypeAlias = str | _Named
'''

#: Kind of a C parameter -> what Python takes. None stands for a null pointer.
_TYPES = {
    "tensor": "Tensor | None",
    "tensor_list": "_Tensors | None",
    "scalar": "_Scalar | None",
    "scalar_list": "_Scalars | None",
    "int_array": "_Ints | None",
    "float_array": "_Floats | None",
    "bool_array": "_Bools | None",
    "string": "str | None",
    "int": "SupportsIndex",
    "float": "SupportsFloat",
    "bool": "bool",
    "dtype": "DTypeLike",
}
_GROUPS = {"group", "groupEp", "groupTp"}
_WIDTH = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the stub.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=ROOT / "pyaclnn" / "ops" / "catalogue.pyi")
    options = parser.parse_args(arguments)
    options.out.write_text(stub(), encoding="utf-8")
    return 0


def stub() -> str:
    """Return the stub as text.

    Returns
    -------
    str
        A Python stub.
    """
    specs = sorted(map(load_spec, abi.operators()), key=lambda spec: spec.name)
    classes = "\n".join(_class(spec) for spec in specs)
    attributes = "".join(f"    {spec.name}: {_class_name(spec)}\n" for spec in specs)
    namespace = (
        "class Operators(OperatorNamespace):\n"
        f'    """All declared operators, by their Python names."""\n\n{attributes}'
    )
    return f"{_HEAD}\n{classes}\n{namespace}\nops: Operators\n"


def _class(spec: Spec) -> str:
    head = f"class {_class_name(spec)}(Operator):\n    def __call__(  # type: ignore[override]\n"
    body = "".join(f"        {line}\n" for line in _filled(_parameters(spec)))
    return f"{head}{body}    ) -> {_result(spec)}:\n{_docstring(spec)}"


def _filled(parameters: list[str]) -> list[str]:
    """Put as many parameters on a line as it takes, never breaking inside one."""
    lines: list[str] = []
    for parameter in parameters:
        if lines and len(lines[-1]) + len(parameter) + 2 <= _WIDTH - 8:
            lines[-1] += f" {parameter},"
        else:
            lines.append(f"{parameter},")
    return lines


def _parameters(spec: Spec) -> list[str]:
    # The receiver is not called self, because operators have parameters of that name.
    result = ["op", "/"]
    optional_before = False
    for a in spec.inputs:
        required = a.default is REQUIRED
        if required and optional_before and "*" not in result:
            result.append("*")
        optional_before |= not required
        end = "" if required else f" = {a.default!r}".replace("'", '"')
        result.append(f"{a.name}: {_input_type(spec, a)}{end}")
    outputs = spec.outputs
    several = len(outputs) > 1 or (outputs and outputs[0].kind == "tensor_list")
    first = "_Tensors | None" if several else "Tensor | None"
    if len(outputs) > 1:
        lists = any(a.kind == "tensor_list" for a in outputs)
        first = "_Results | None" if lists else "_Outputs | None"
    result += [*([] if "*" in result else ["*"]), f"out: {first} = None"]
    result += [f"{a.name}: {_output_type(a)} = None" for a in outputs if a.name != "out"]
    return [*result, "stream: Stream | None = None"]


def _output_type(argument: Argument) -> str:
    # False leaves an output out.
    return "_Output" if argument.kind == "tensor" else _TYPES[argument.kind]


def _input_type(spec: Spec, argument: Argument) -> str:
    names = modes(spec.c_name, argument.c_name)
    if argument.c_name in _GROUPS:
        return "_Group | None"
    if names is None:
        return _TYPES[argument.kind]
    literals = ", ".join(f'"{name}"' for name in names)
    return f"SupportsIndex | Literal[{literals}]"


def _result(spec: Spec) -> str:
    written = spec.outputs or tuple(a for a in spec.arguments if a.output)
    types = [_result_type(a) for a in written]
    if len(types) == 1:
        return types[0]
    return f"tuple[{', '.join(types) or '()'}]"


def _result_type(argument: Argument) -> str:
    return "_Tensors" if argument.kind == "tensor_list" else "Tensor"


def _docstring(spec: Spec) -> str:
    where = f"{spec.c_name} of {'/'.join(Path(spec.header).parts[-2:])}"
    if spec.release:
        where += f"; {spec.release[0].lower()}{spec.release[1:]}"
    summary = _wrapped(_first_sentence(spec.comment))
    lines = [*summary, *([""] if summary else []), *_wrapped(f"{where}.")]
    text = "\n".join(" " * 8 * bool(line) + line for line in lines).lstrip()
    return f'        """{text}"""\n'


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH - 14, break_on_hyphens=False, break_long_words=False)


def _first_sentence(comment: str) -> str:
    paragraph = " ".join(comment.partition("\n\n")[0].split())
    return re.split(r"(?<=[.]) (?=[A-Z])", paragraph)[0]


def _class_name(spec: Spec) -> str:
    return "_" + re.sub(r"^acl(nn)?", "", spec.c_name)


if __name__ == "__main__":
    sys.exit(main())
