"""``python -m pyaclnn.info``: versions, libraries and device, for a bug report."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cffi
import numpy as np

import pyaclnn as pa
from pyaclnn import catalogue
from pyaclnn._command import completed, run_command
from pyaclnn.abi import drift
from pyaclnn.abi.library_set import LibraryRecord
from pyaclnn.abi.paths import SIMULATOR_ROOT, vendored_headers
from pyaclnn.sim import control

_VARIABLES = (
    "PYACLNN_BACKEND", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH",
    "ASCEND_CUSTOM_OPP_PATH", "ASCEND_RT_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "DISABLE_L2_CACHE",
    "ACLNN_CACHE_LIMIT", "PYACLNN_SIM_CANN", "PYACLNN_SIM_SOC", "PYACLNN_SIM_DEVICES",
    "PYACLNN_SIM_MEMORY", "PYACLNN_SIM_THREADS", "PYACLNN_SIM_ISA", "PYACLNN_SIM_TASK_TIMEOUT",
    "PYACLNN_SIM_TIMES", "PYACLNN_SIM_CHECK", "PYACLNN_SIM_FAULT",
)  # fmt: skip


def collect() -> dict[str, Any]:
    """Return the whole report as plain data; problems are entries, not exceptions."""
    facts: dict[str, Any] = {
        "pyaclnn": pa.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "numpy": np.__version__,
        "cffi": cffi.__version__,
        "headers": str(vendored_headers()),
        "environment": {name: os.environ[name] for name in _VARIABLES if name in os.environ},
        "simulator": _simulator(),
    }
    try:
        pa.backend.ensure()
    except (OSError, ValueError) as error:
        facts["backend"] = {"error": str(error)}
        return facts
    facts["backend"] = {
        "name": pa.backend.name,
        "root": str(pa.backend.root),
        "cann": pa.backend.version,
        "libraries": [_library(record) for record in pa.backend.libraries],
    }
    if pa.backend.name == "simulator":
        facts["backend"]["instructions"] = control.instructions()
    looked = pa.backend.search_report.splitlines()
    if looked:
        facts["backend"]["CANN looked for"] = [line.strip() for line in looked]
    try:
        device = pa.current_device()
        memory = device.memory_info()
        facts["device"] = {
            "index": device.index,
            "soc": device.name,
            "memory_free": memory.free,
            "memory_total": memory.total,
        }
    except (pa.AclError, OSError) as error:
        facts["device"] = {"error": str(error)}
    return facts


def _library(record: LibraryRecord) -> str:
    note = f"; {record.note}" if record.note else ""
    return f"{record.path} ({record.how}{note})"


def _simulator() -> dict[str, Any]:
    try:
        report: dict[str, Any] = json.loads(
            (SIMULATOR_ROOT / "build.json").read_text(encoding="utf-8")
        )
    except OSError:
        return {"error": "not built; `python -m pyaclnn.sim --build` builds it"}
    return {"root": str(SIMULATOR_ROOT), **report}


def _print(facts: dict[str, Any], indent: int = 0) -> None:
    for name, value in facts.items():
        lead = " " * indent + f"{name}:"
        if isinstance(value, dict):
            print(lead if value else f"{lead} -")
            _print(value, indent + 2)
        elif isinstance(value, list):
            print(lead)
            for item in value:
                print(" " * (indent + 2) + str(item))
        else:
            print(f"{lead} {value}")


def _headers() -> int:
    """Report where the vendored headers and those of the toolkit in use differ."""
    pa.backend.ensure()
    include = Path(pa.backend.root) / "include"
    if pa.backend.name == "simulator":
        print("the simulator is compiled against the vendored headers: no drift is possible")
        return 0
    found = drift.compare(vendored_headers(), include)
    for line in found.report():
        print(line)
    return 1 if found.differences or found.unreadable else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(
        prog="python -m pyaclnn.info", description="Versions, libraries, device: for bug reports.",
        epilog="Exit status: 0 all is well, 1 the headers differ, 2 no backend or no device.",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument(
        "--headers", action="store_true",
        help="compare the vendored headers with the installed ones; exit status 1 on drift",
    )  # fmt: skip
    parser.add_argument("--operators", action="store_true", help="the catalogue of all operators")
    parser.add_argument("--markdown", action="store_true", help="the catalogue as Markdown")
    options = completed(parser).parse_args(arguments)
    if options.headers:
        return _headers()
    if options.operators:
        write = catalogue.as_markdown if options.markdown else catalogue.as_text
        print((catalogue.as_json if options.json else write)(catalogue.collect()))
        return 0
    facts = collect()
    if options.json:
        print(json.dumps(facts, indent=1))
    else:
        _print(facts)
    return 2 if "error" in facts["backend"] or "error" in facts.get("device", {}) else 0


if __name__ == "__main__":
    run_command(main)
