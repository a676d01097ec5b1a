"""Functions of PyTorch that run an operator on an NPU, by its name in C."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path


@cache
def _names() -> dict[str, list[str]]:
    file = Path(__file__).with_name("torch_names.json")
    found: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def torch_names(c_name: str) -> tuple[str, ...]:
    """Return the names under which users of PyTorch know an operator, the usual one first.

    Those of ``torch_npu`` are its own functions, and ``torch.ops.aten`` has what autograd calls.
    """
    return tuple(_names().get(c_name, ()))
