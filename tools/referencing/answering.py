"""Answer calls with the libraries of this process, whose ``PYACLNN_SIM_HOME`` says which.

Usage: ``python tools/referencing/answering.py forks|stays``. Each line of the standard input has
the calls of one operator as JSON. Printed are the place of a call and ``asked``, then its place,
status, how many kernels were prepared and what is said of a refusal; ``end`` behind the last. With
``forks`` a child answers: where it dies, ``dead`` is printed, and the next line of the input says
from which call to go on.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyaclnn as pa

#: Seconds that one call may take where it can be ended.
_PATIENCE = 20
#: Of an operator whose calls die so often the rest is not tried: most of it is not there.
_DEATHS = 15

#: Of the tests, whose folder is on the path of this process.
cann_statuses: Any = importlib.import_module("operators.cann_statuses")
_ROOM = pa.ffi.new("char[]", cann_statuses.ROOM)


def _counter() -> Callable[[], int]:
    """Return what counts the kernels that the reference has prepared; the simulator has no such."""
    library = ctypes.CDLL(str(Path(os.environ["PYACLNN_SIM_HOME"]) / "lib64" / "libnnopbase.so"))
    try:
        count = library.pyaclnn_reference_prepared
    except AttributeError:
        return int
    count.restype = ctypes.c_uint64
    return count


def _answer(calls: Sequence[Any], begin: int, patience: int) -> None:
    prepared = _counter()
    for i in range(begin, len(calls)):
        print(i, "asked", flush=True)
        signal.alarm(patience)
        before = prepared()
        pa.lib.aclGetRecentErrMsg()
        try:
            status = cann_statuses.answer(calls[i], _ROOM)
        except (AttributeError, TypeError, ValueError, OverflowError, KeyError):
            continue  # no such operator, or not a value of the parameter's type
        said = pa.lib.aclGetRecentErrMsg() if status else pa.ffi.NULL
        text = pa.ffi.string(said).decode(errors="replace") if said != pa.ffi.NULL else ""
        print(i, status, prepared() - before, " ".join(text.split()), flush=True)


def _in_children(calls: Sequence[Any]) -> None:
    begin = 0
    for _ in range(_DEATHS):
        child = os.fork()
        if not child:
            _answer(calls, begin, _PATIENCE)
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            return
        print("dead", flush=True)
        begin = int(sys.stdin.readline())


def main(how: str) -> None:
    """Answer until there are no more calls.

    Parameters
    ----------
    how : str
        ``"forks"`` where a call may end the process.
    """
    # Loads the libraries, which the children then have.
    pa.lib.aclrtGetSocName()
    if how == "stays":
        # Operators between processes look for a device; the reference has none.
        pa.zeros(1)
    for line in sys.stdin:
        calls = json.loads(line)
        if how == "forks":
            _in_children(calls)
        else:
            _answer(calls, 0, 0)
        print("end", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
