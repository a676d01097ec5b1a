"""Write the skeleton of a row from its operator's declaration, and say what is left to fill in.

Usage: ``python tools/write_row.py MoeGatingTopKSoftmax [--family moe]``

Prints the row for ``pyaclnn/table/<family>.py`` and the function for
``pyaclnn/sim/src/opapi/<family>/``, with every parameter of the header in its place, then where
each further fact of the operator goes.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from pyaclnn.abi import SymbolNotFoundError  # noqa: E402
from pyaclnn.ops.naming import snake_case  # noqa: E402
from pyaclnn.ops.rules.documented import OUTPUTS  # noqa: E402
from pyaclnn.ops.spec import Spec, load_spec  # noqa: E402
from pyaclnn.table import by_name  # noqa: E402
from pyaclnn.table.meanings import found, names  # noqa: E402

_TENSORS = ("tensor", "tensor_list")

_LEFT = """\
Left to fill in:
  1. The steps between Null and Kernel, in the order of CANN's op_api source: dtypes, ranks,
     shapes, values, then the empty shortcut (table/steps.py, shape_steps.py, optional_steps.py).
  2. The kernel. Every attribute does what the document says, or stands in `missing` and is
     refused by name.
  3. {outputs}
  4. missing=(...) for what the document allows and the kernel does not do; the release that
     it came with stands in table/releases.py.
  5. Cases: a suite in pyaclnn/selftest/suites/ against a formula in float64 NumPy.
  6. Which chips and releases have it: a line of tests/operators/test_chip_table.py. The document
     lists the products; the code on others is in op_api or, where that is silent, 561003.
  7. Refusals: rows of status_tests (tests/operators/status_tests.py), one for each check.
  8. pyaclnn/table/families.py names the family's module; take the operator out of
     pyaclnn/ops/rules/documented; `python tools/write_stubs.py`; a line of CHANGELOG.md where
     a user notices it.
  9. {meanings}
 10. python pyaclnn/sim/build.py --cache build/objects
     python -m pyaclnn.selftest --op {name}
"""


def row(spec: Spec, family: str) -> str:
    """Return the text of the row.

    Parameters
    ----------
    spec : Spec
        The operator's parameters.
    family : str
        The folder of its kernels.
    """
    short = spec.c_name.removeprefix("aclnn")
    needed = [
        f'"{a.c_name}"'
        for a in spec.arguments
        if a.kind in (*_TENSORS, "string") and not a.c_name.endswith("Optional")
    ]
    known = OUTPUTS.get(spec.c_name, {})
    outputs = [
        f'        "{a.c_name}": Output{_output(known.get(a.c_name, ""))},' for a in spec.outputs
    ]
    return "\n".join(
        [
            "Row(",
            f'    "{short}", "{family}",',
            "    (",
            textwrap.fill(
                f"        Null(({', '.join(needed)}{',' * (len(needed) == 1)})),",
                100,
                subsequent_indent=" " * 14,
            ),
            f'        Kernel("{snake_case(short)}"),',
            "    ),",
            *(["    {", *outputs, "    },"] if outputs else []),
            "),  # fmt: skip",
        ]
    )


def _output(line: str) -> str:
    shape, _, dtype = line.partition(" as ")
    if not line:
        return '("?", "?")'
    if shape.startswith("like ") and not dtype:
        dtype = f"same {shape.removeprefix('like ')}"
    return f'("{shape}", "{dtype}")'


def function(spec: Spec) -> str:
    """Return the text of the function in C++.

    Parameters
    ----------
    spec : Spec
        The operator's parameters.
    """
    short = spec.c_name.removeprefix("aclnn")
    signature = f"void {snake_case(short)}("
    fields = textwrap.fill(
        ", ".join(f"given.{a.c_name}" for a in spec.arguments),
        100, initial_indent="  // ", subsequent_indent="  // ",
    )  # fmt: skip
    return "\n".join(
        [
            f'#include "parameters/{short}.hpp"',
            "",
            f"{signature}const Check& check, Plan& plan,",
            f"{' ' * len(signature)}const {short}Parameters& given) {{",
            fields,
            "}",
        ]
    )


def meanings(spec: Spec, family: str) -> str:
    """Return what is left to say of the parameters: those whose names mean nothing yet.

    Parameters
    ----------
    spec : Spec
        The operator's parameters.
    family : str
        The folder of its kernels.
    """
    unsaid = [a for a in spec.arguments if not found(spec.c_name, a.c_name, a.returned, family)]
    if not unsaid:
        return (
            "Whether pyaclnn/table/meanings.txt is right about the parameters, whose names mean\n"
            f"     something elsewhere: `help(pa.ops.{spec.name})`."
        )
    short = spec.c_name.removeprefix("aclnn")
    lines = [
        f"{'> ' * a.returned}{next(names(a.c_name, False))}: meaning to fill in" for a in unsaid
    ]
    return "pyaclnn/table/meanings.txt:\n" + "\n".join(
        f"       {x}" for x in [f"[{short}]", *lines]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the skeleton.

    Parameters
    ----------
    arguments : sequence of str, optional
        Command line without the program name.

    Returns
    -------
    int
        0; 1 where the operator has a row, 2 where no header declares it.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("operator", help="with or without aclnn")
    parser.add_argument("--family", default="FAMILY", help="folder of pyaclnn/sim/src/opapi")
    options = parser.parse_args(arguments)
    c_name = options.operator
    if not c_name.startswith("acl"):
        c_name = f"aclnn{c_name}"
    if c_name in by_name():
        print(f"{c_name} has a row in the family {by_name()[c_name].family}", file=sys.stderr)
        return 1
    try:
        spec = load_spec(c_name)
    except SymbolNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    inferred = "Its outputs, which pyaclnn/ops/rules/documented knew: compare them with the source."
    if c_name not in OUTPUTS:
        inferred = 'The "?": shape and dtype of each output (pyaclnn/ops/rules/notation.py).'
    print(f"# pyaclnn/table, from {'/'.join(Path(spec.header).parts[-2:])}")
    print(row(spec, options.family))
    print(f"\n// pyaclnn/sim/src/opapi/{options.family}/")
    print(function(spec))
    print()
    said = meanings(spec, options.family)
    print(_LEFT.format(outputs=inferred, meanings=said, name=spec.name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
