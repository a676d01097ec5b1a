"""``python -m pyaclnn.fidelity.probe``: a process of one side; it writes JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import pyaclnn as pa
from pyaclnn.fidelity.calls import Observation
from pyaclnn.fidelity.units import items


def environment(device: int) -> dict[str, str]:
    """Bind a device, and return what it is."""
    pa.Device(device).use()
    return {
        "backend": pa.backend.name,
        "cann": str(pa.backend.version),
        "soc": pa.current_device().name,
        "pyaclnn": pa.__version__,
    }


def write(file: TextIO, **line: Any) -> None:
    """Write a line and flush it, so that it survives a crash of this process."""
    file.write(json.dumps(line) + "\n")
    file.flush()


def tried_once(attempt: Callable[[], Observation]) -> Observation:
    """Make a call, and return its observation, or the reason why it could not be made."""
    try:
        return attempt()
    except pa.AclError as error:
        return {"status": [error.code]}
    except (AssertionError, TypeError, ValueError, MemoryError) as error:
        return {"python": type(error).__name__}


def main(path: str) -> int:
    """Do what a file asks for.

    Parameters
    ----------
    path : str
        JSON: ``output``, ``device``, ``seed``, ``quick``, and ``units``, pairs of a unit and the
        keys of what was tried of it before.
    """
    asked = json.loads(Path(path).read_text(encoding="utf-8"))
    with open(asked["output"], "a", encoding="utf-8") as file:
        # The previous process may have ended in the middle of a line.
        file.write("\n")
        try:
            write(file, environment=environment(asked["device"]))
        except (pa.AclError, OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
        for unit, before in asked["units"]:
            tried = set(before)
            for key, attempt in items(unit, asked["seed"], asked["quick"]):
                if key in tried:
                    continue
                write(file, begin=key)
                write(file, key=key, seen=tried_once(attempt))
            # Errors and memory of one unit must not affect the next.
            pa.current_device().sync()
            pa.current_device().pool.trim()
            write(file, done=unit)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
