"""Write right calls of every operator that is simulated on a chip, of the selftest, as data.

Usage: ``python tools/referencing/right_calls.py FILE``; a call as JSON on each line. They run once.
"""

from __future__ import annotations

import contextlib
import json
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT)]

from fuzzing import described  # noqa: E402
from fuzzing.operators import right_calls  # noqa: E402

from pyaclnn.abi import lib  # noqa: E402
from pyaclnn.selftest.suites import SUITES  # noqa: E402
from referencing.calls import DTYPES, Call  # noqa: E402

_NARROW = (
    "COMPLEX32", "INT4", "UINT1", "HIFLOAT8", "FLOAT8_E5M2", "FLOAT8_E4M3FN", "FLOAT8_E8M0",
    "FLOAT4_E2M1", "FLOAT4_E1M2",
)  # fmt: skip


def of_selftest() -> Iterator[Call]:
    """Yield right calls of every simulated operator; what they need runs in this process."""
    described.MOST_BYTES = 1 << 24
    formats = [name for name in dir(lib) if name.startswith("ACL_FORMAT_")]
    names = {
        "": {int(getattr(lib, f"ACL_{name}")): name for name in (*DTYPES, *_NARROW)},
        "FORMAT_": {int(getattr(lib, n)): n.removeprefix("ACL_FORMAT_") for n in formats},
    }
    for suite in SUITES:
        for dtype in suite.dtypes if suite.ranks == 1 else ():
            for call in right_calls(suite, dtype):
                with contextlib.suppress(KeyError):  # a format without a name of its own
                    arguments = [_argument(a, names) for a in call["arguments"]]
                    yield {"operator": call["operator"], "arguments": arguments}


def _argument(data: Mapping[str, Any], names: Mapping[str, Mapping[int, str]]) -> Any:
    kind = data["kind"]
    if kind == "null":
        return None
    if kind == "tensor":
        return ["T", names[""][data["dtype"]], data["shape"], names["FORMAT_"][data["format"]],
                data["strides"], data["offset"], data["storage"]]  # fmt: skip
    if kind in ("tensor_list", "scalar_list"):
        return [
            "TL" if kind == "tensor_list" else "SL",
            [_argument(i, names) for i in data["items"]],
        ]
    if kind == "scalar":
        return ["S", names[""][data["dtype"]], _number(names[""][data["dtype"]], data["hex"])]
    if kind in ("int_array", "float_array", "bool_array"):
        return [kind[0].upper(), list(data["values"])]
    return data["text"] if kind == "string" else data["value"]


_CODES = {
    "FLOAT": "f", "DOUBLE": "d", "INT32": "i", "INT64": "q", "BOOL": "?", "FLOAT16": "e",
    "INT8": "b", "UINT8": "B", "INT16": "h", "COMPLEX64": "2f", "COMPLEX128": "2d",
}  # fmt: skip


def _number(dtype: str, hex_digits: str) -> Any:
    values = (
        struct.unpack(f"<{_CODES[dtype]}", bytes.fromhex(hex_digits)) if dtype in _CODES else (1,)
    )
    return list(values) if len(values) == 2 else values[0]


def main(file: Path) -> None:
    """Write them.

    Parameters
    ----------
    file : Path
        What is written, whole or not at all.
    """
    part = file.with_suffix(".part")
    with part.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(call) + "\n" for call in of_selftest())
    part.replace(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
