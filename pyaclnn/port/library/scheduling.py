"""Affinity and names of threads, which ports leave out."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.values import Struct
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter


@makes("cpu_set_t")
def _processors(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Struct:
    return Struct(ctype.name)


@builtin("CPU_ZERO", "CPU_SET", "CPU_CLR")
def _chosen(interpreter: Interpreter, *_: Any) -> None:
    return None


@builtin(
    "prctl", "sched_setaffinity", "pthread_setaffinity_np", "pthread_setname_np", "gettid",
    "pthread_self",
)  # fmt: skip
def _scheduled(interpreter: Interpreter, *_: Any) -> int:
    if interpreter.called not in ("gettid", "pthread_self"):
        interpreter.note_once(
            "the sample names threads or binds them to processors; the port leaves that out"
        )
    return 0
