"""Which parameters an operator writes.

``const`` does not tell: CANN declares several outputs const. The rule is: a non-const tensor or
tensor list is an output; so is a const one whose name says so; the rest is a reviewed table.
"""

from __future__ import annotations

import re

from pyaclnn.abi import Parameter

_WRITABLE = frozenset({"tensor", "tensor_list"})
_OUTPUT_NAME = re.compile(r"(^out$|Out$|Ref$)")

#: (operator, parameter) -> whether it is written, where the rule above is wrong. Every entry is
#: justified by the operator's own document.
EXCEPTIONS: dict[tuple[str, str], bool] = {}


def is_output(operator: str, parameter: Parameter) -> bool:
    """Return whether an operator writes a parameter.

    Parameters
    ----------
    operator : str
        C name, without ``GetWorkspaceSize``.
    parameter : Parameter
        From the operator's first-phase signature.
    """
    known = EXCEPTIONS.get((operator, parameter.name))
    if known is not None:
        return known
    if parameter.kind not in _WRITABLE:
        return False
    return not parameter.const or _OUTPUT_NAME.search(parameter.name) is not None
