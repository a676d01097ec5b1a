"""Calls of operators and the statuses that CANN's first phase answers, as data.

Each file of the folder ``cann_statuses`` holds calls, one on a line:

``operator``
    The name in C.
``arguments``
    In C's order, without the workspace's size and the executor. ``null``, numbers, bools and
    strings are themselves; ``["T", dtype, shape, format, strides, offset, storage shape]`` is a
    tensor, of which the end may be left out; ``["S", dtype, value]`` a scalar, of a complex one
    the value is two numbers; ``["I", numbers]``, ``["F", numbers]`` and ``["B", bools]`` are
    arrays; ``["TL", tensors]`` and ``["SL", scalars]`` lists; ``["D", dtype]`` is an aclDataType,
    ``["G", ranks]`` the name of a communicator of so many devices of this process.
``status``
    Chip, followed by the release where that is not the newest -> what CANN answers.
``source``
    What says so: a source of CANN's operators, or one of its own tests.
``answers``, ``because``
    Where the simulator answers otherwise: chip -> its status, and the name of the reason in
    ``differences.json``, the list of what is known to differ.

A file that ``tools/reference.py --keep`` has written is shorter: ``drawn`` holds operator,
arguments and the statuses on ``chips``, null where there is none, and ``source`` is that of all.
``near`` are right calls and what is changed of them, as ``neighbours.py`` describes it.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from children import output_of
from operators import neighbours

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.table.releases import RELEASES
from pyaclnn.tensor.dtypes import dtype_of_code

FOLDER = Path(__file__).with_suffix("")
DIFFERENCES = FOLDER / "differences.json"
#: Of the form of drawn calls, but the statuses are the simulator's own: ``tools/kept_statuses.py``.
KEPT = FOLDER.with_name("kept_statuses.json")
#: Right calls that are changed in one place, of the same tool.
NEAR = FOLDER.with_name("neighbour_statuses.json")
NEWEST = RELEASES[-1].name
#: Bytes that the tensors of calls lie in.
ROOM = 1 << 16

Call = Mapping[str, Any]


def files() -> list[Path]:
    """Return the files of calls."""
    return sorted(set(FOLDER.glob("*.json")) - {DIFFERENCES})


@functools.cache
def read(file: Path) -> list[Call]:
    """Return the calls of a file."""
    content = json.loads(file.read_text(encoding="utf-8"))
    calls: list[Call] = content.get("calls", [])
    return calls + [
        {
            "operator": operator, "arguments": arguments, "source": content["source"],
            "status": {
                chip: status
                for chip, status in zip(content["chips"], statuses, strict=True)
                if status is not None
            },
        }
        for operator, arguments, statuses in content.get("drawn", ())
    ] + list(neighbours.calls(content))  # fmt: skip


def write(file: Path, calls: Iterable[Call]) -> None:
    """Write a file of calls, sorted and each once."""
    lines = sorted({json.dumps(call) for call in calls})
    file.write_text('{"calls": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def reasons() -> dict[str, str]:
    """Return why the simulator answers otherwise, by the reason's name."""
    found: dict[str, str] = json.loads(DIFFERENCES.read_text(encoding="utf-8"))
    return found


#: Bytes between two tensors of a call: at one address they would be one tensor to CANN.
_APART = 512


class Arguments:
    """The arguments of one call in C, which are destroyed in the end.

    Parameters
    ----------
    memory : cdata
        Address of ``ROOM`` bytes of the device, of which nothing is read.
    """

    def __init__(self, memory: Any) -> None:
        self._addresses = itertools.cycle(memory + i for i in range(0, ROOM, _APART))
        self._made: list[tuple[str, Any]] = []

    def __enter__(self) -> Arguments:
        return self

    def __exit__(self, *_: object) -> None:
        for kind, handle in reversed(self._made):
            getattr(pa.lib, f"aclDestroy{kind}")(handle)

    def of(self, value: Any) -> Any:
        """Return an argument in C."""
        if value is None:
            return pa.ffi.NULL
        if isinstance(value, str):
            return pa.ffi.new("char[]", value.encode())
        if not isinstance(value, list):
            return value
        make = {
            "T": self._tensor, "S": self._scalar, "I": self._int_array, "F": self._float_array,
            "B": self._bool_array, "TL": self._tensor_list, "SL": self._scalar_list,
            "D": self._dtype, "G": self._group,
        }[value[0]]  # fmt: skip
        return make(*value[1:])

    def _kept(self, kind: str, *arguments: Any) -> Any:
        handle = getattr(pa.lib, f"aclCreate{kind}")(*arguments)
        if handle != pa.ffi.NULL:
            self._made.append((kind, handle))
        return handle

    def _tensor(
        self, dtype: str, shape: list[int], format: str = "ND", strides: list[int] | None = None,
        offset: int = 0, storage: list[int] | None = None,
    ) -> Any:  # fmt: skip
        if strides is None:
            strides = [1] * len(shape)
            for i in range(len(shape) - 1, 0, -1):
                strides[i - 1] = strides[i] * shape[i]
        lengths = shape if storage is None else storage
        return self._kept(
            "Tensor", _array("int64_t", shape), len(shape), _constant(dtype),
            _array("int64_t", strides), offset, _constant(f"FORMAT_{format}"),
            _array("int64_t", lengths), len(lengths), next(self._addresses),
        )  # fmt: skip

    def _scalar(self, dtype: str, value: Any) -> Any:
        number = complex(*value) if isinstance(value, list) else value
        with np.errstate(all="ignore"):
            room = np.array([number]).astype(dtype_of_code(_constant(dtype))).tobytes()
        return self._kept("Scalar", pa.ffi.from_buffer(room), _constant(dtype))

    def _dtype(self, dtype: str) -> int:
        return _constant(dtype)

    def _group(self, ranks: int) -> Any:
        return pa.ffi.new("char[]", _communicator(ranks).name.encode())

    def _int_array(self, values: list[int]) -> Any:
        return self._kept("IntArray", _array("int64_t", values), len(values))

    def _float_array(self, values: list[float]) -> Any:
        return self._kept("FloatArray", _array("float", values), len(values))

    def _bool_array(self, values: list[bool]) -> Any:
        return self._kept("BoolArray", _array("bool", values), len(values))

    def _tensor_list(self, values: list[Any]) -> Any:
        return self._list("Tensor", values)

    def _scalar_list(self, values: list[Any]) -> Any:
        return self._list("Scalar", values)

    def _list(self, kind: str, values: list[Any]) -> Any:
        count = len(self._made)
        items = [self.of(value) for value in values]
        del self._made[count:]  # the list destroys them
        return self._kept(f"{kind}List", _array(f"acl{kind} *", items), len(items))


@functools.cache
def _communicator(ranks: int) -> Communicator:
    first, *_ = Communicator.all_devices(range(ranks))
    first.device.activate()  # the last one is
    return first


def _array(c_type: str, values: list[Any]) -> Any:
    return pa.ffi.new(f"{c_type}[]", values) if values else pa.ffi.NULL


def _constant(name: str) -> int:
    return int(getattr(pa.lib, f"ACL_{name}"))


def answer(call: Call, memory: Any) -> int:
    """Return the status of a call's first phase."""
    size, executor = pa.ffi.new("uint64_t *"), pa.ffi.new("aclOpExecutor **")
    with Arguments(memory) as arguments:
        in_c = [arguments.of(value) for value in call["arguments"]]
        status = getattr(pa.lib, call["operator"] + "GetWorkspaceSize")(*in_c, size, executor)
        if executor[0] != pa.ffi.NULL:
            pa.lib.aclDestroyAclOpExecutor(executor[0])
    return int(status)


def answers(calls: Iterable[Call]) -> list[int]:
    """Return what this process answers to calls, whose tensors lie in memory of the device."""
    memory = pa.zeros((ROOM,), "uint8")
    return [answer(call, pa.ffi.cast("char *", memory.buffer.ptr)) for call in calls]


def right_calls() -> dict[str, list[Any]]:
    """Return the arguments of all calls that an Ascend910B1 accepts, by operator."""
    found: dict[str, list[Any]] = {}
    for call in on_chip([*files(), KEPT], "Ascend910B1"):
        if call["status"]["Ascend910B1"] == 0:
            found.setdefault(call["operator"], []).append(call["arguments"])
    return found


def on_chip(files: Iterable[Path], chip: str) -> list[Call]:
    """Return the calls of files whose status on a chip is known."""
    return [call for file in files for call in read(file) if chip in call["status"]]


def answers_of(chip: str) -> list[int]:
    """Return what this process answers to all calls for a chip, those that were kept behind."""
    return answers(on_chip([*files(), KEPT, NEAR], chip))


def answers_on(chip: str) -> list[int]:
    """Return the same of a process with that chip."""
    soc, _, release = chip.partition(" ")
    printed = output_of(
        f"""
        import gc
        from operators.cann_statuses import answers_of
        gc.disable()  # it would look through the calls again and again, and they have no circles
        print(answers_of({chip!r}))
        """,
        timeout=600,  # for a hundred thousand calls
        PYACLNN_SIM_SOC=soc, PYACLNN_SIM_CANN=release or NEWEST, DISABLE_L2_CACHE="1",
        PYACLNN_SIM_DEVICES="8", PYTHONPATH=os.pathsep.join(sys.path),
    )  # fmt: skip
    found: list[int] = json.loads(printed)
    return found
