"""The C runtime and the operand objects: any function, with handles of any kind, in any order."""

from __future__ import annotations

import ctypes
import random
import re
import threading
from pathlib import Path
from typing import Any

import cffi

import pyaclnn as pa
from fuzzing.described import Data
from fuzzing.mutations import FLOATS, INTEGERS
from pyaclnn import abi
from pyaclnn.abi import ffi, lib
from pyaclnn.sim import control

_PREFIXES = ("aclrt", "aclCreate", "aclDestroy", "aclGet", "aclSet", "aclInit", "aclmdlRI",
             "aclUpdate", "AclSet", "aclFinal")  # fmt: skip
#: What waits for a person or for ever by design, and what ends what the cases stand on.
_LEFT_OUT = {
    "aclrtProcessReport", "aclFinalize", "aclFinalizeReference", "aclrtResetDeviceForce",
    "aclrtResetDevice", "aclInit", "aclrtSetDevice", "aclrtValueWait",
}  # fmt: skip
#: Handles that a call gives, by the type of the cell or of the result.
_HANDLES = {
    "aclrtStream", "aclrtEvent", "aclrtContext", "aclmdlRI", "aclTensor *", "aclScalar *",
    "aclIntArray *", "aclFloatArray *", "aclBoolArray *", "aclTensorList *", "aclScalarList *",
    "aclOpExecutor *", "aclDataBuffer *", "aclrtStreamConfigHandle *", "aclTensorDesc *",
    "aclrtDrvMemHandle",
}  # fmt: skip
_ENDS = {
    "aclrtStream": "aclrtDestroyStreamForce", "aclrtEvent": "aclrtDestroyEvent",
    "aclrtContext": "aclrtDestroyContext", "aclTensor *": "aclDestroyTensor",
    "aclScalar *": "aclDestroyScalar", "aclIntArray *": "aclDestroyIntArray",
    "aclFloatArray *": "aclDestroyFloatArray", "aclBoolArray *": "aclDestroyBoolArray",
    "aclTensorList *": "aclDestroyTensorList", "aclScalarList *": "aclDestroyScalarList",
    "aclDataBuffer *": "aclDestroyDataBuffer", "aclmdlRI": "aclmdlRIDestroy",
    "aclrtStreamConfigHandle *": "aclrtDestroyStreamConfigHandle",
    "aclTensorDesc *": "aclDestroyTensorDesc", "aclrtDrvMemHandle": "aclrtFreePhysical",
    "block": "aclrtFree", "host block": "aclrtFreeHost",
}  # fmt: skip
#: What a case has to leave as it was.
_COUNTED = (
    "context", "stream", "event", "tensor", "scalar", "int_array", "float_array", "bool_array",
    "tensor_list", "scalar_list", "executor", "data_buffer", "graph", "tensor_desc",
    "physical_memory", "device_block", "host_block", "device_bytes", "host_bytes",
)  # fmt: skip
_HEADERS = Path(__file__).resolve().parents[2] / "headers"
_HOST = 4096
#: Functions that give memory, to how the pool of a case has it.
_BLOCKS = {
    **dict.fromkeys(
        ("aclrtMalloc", "aclrtMallocAlign32", "aclrtMallocCached", "aclrtMallocWithCfg"), "block"
    ),
    **dict.fromkeys(("aclrtMallocHost", "aclrtMallocHostWithCfg"), "host block"),
}
#: Functions that read from a ``void *`` at once: what is there is memory of the host.
_READS_HOST = {"aclSetTensorConst"}
_GIVES = re.compile("Create|MallocPhysical|Import|CaptureEnd")
_names: list[str] = []


def functions() -> list[str]:
    """Return the functions that cases call: all that the simulator has."""
    if not _names:
        pa.backend.ensure()
        # The headers themselves: parsing all of them for their names takes long.
        declared = {
            name
            for folder in ("acl", "aclnn")
            for path in sorted((_HEADERS / folder).glob("*.h"))
            for name in re.findall(r"\b([aA]cl\w+)\s*\(", path.read_text(encoding="utf-8"))
        }
        # ctypes only looks: cffi parses the header of every name it is asked for.
        libraries = [ctypes.CDLL(r.path) for r in pa.backend.libraries if r.loaded]
        _names.extend(
            name
            for name in sorted(declared - _LEFT_OUT)
            if name.startswith(_PREFIXES) and any(hasattr(one, name) for one in libraries)
        )
    return _names


def make(rng: random.Random) -> Data:
    """Return a case: calls by name, and a number from which their arguments follow."""
    names = [rng.choice(functions()) for _ in range(rng.choice([20, 60]))]
    return {"calls": names, "seed": rng.getrandbits(32), "threads": rng.choice([1, 1, 2, 4])}


class Caller:
    """Makes calls with whatever there is."""

    def __init__(self, seed: int, pool: dict[str, list[Any]]) -> None:
        self.rng = random.Random(seed)
        self.pool = pool
        self.host = ffi.new("char[]", _HOST)
        self._keep: list[Any] = [self.host]
        self._callback = ffi.callback("void (*)(void *)", lambda data: None)

    def handle(self) -> Any:
        """Return something a caller might take for a handle: of any kind, live or not."""
        # A copy: callers in other threads add kinds.
        known = [h for handles in list(self.pool.values()) for h in handles]
        choices = [ffi.NULL, ffi.cast("void *", self.rng.choice(INTEGERS) & (2**64 - 1))]
        return self.rng.choice(known) if known and self.rng.random() < 0.6 else choices[0] \
            if self.rng.random() < 0.5 else choices[1]  # fmt: skip

    def of_kind(self, c_type: str) -> Any:
        """Return mostly a handle of the kind that is asked for."""
        own = self.pool.get(c_type, [])
        return self.rng.choice(own) if own and self.rng.random() < 0.8 else self.handle()

    def memory(self) -> Any:
        """Return an address: of the device, in or behind a block (before the first is the host)."""
        blocks = self.pool.get("block", [])
        if not blocks or self.rng.random() < 0.2:
            return self.rng.choice([ffi.NULL, ffi.cast("void *", self.host)])
        start = ffi.cast("char *", self.rng.choice(blocks))
        return ffi.cast("void *", start + self.rng.choice([0, 0, 0, 1, 32, 100, 4096]))

    def argument(self, parameter: Any, small: bool) -> Any:
        """Return a value for one parameter, or raise NotImplementedError."""
        c_type, rng = parameter.c_type.removesuffix("const").strip(), self.rng
        if c_type in _HANDLES:
            return ffi.cast(c_type, self.of_kind(c_type))
        if c_type in ("void *", "char *"):
            text = c_type == "char *" or not parameter.name.lower().endswith(("r", "t", "c", "a"))
            return ffi.cast(c_type, self.host if text else self.memory())
        if parameter.kind == "callback":
            return rng.choice([self._callback, ffi.NULL]) if c_type == "void (*)(void *)" \
                else ffi.NULL  # fmt: skip
        if c_type == "bool":
            return rng.random() < 0.5
        if c_type in ("float", "double"):
            return rng.choice(FLOATS)
        if "*" in c_type or "[" in c_type:
            cell = ffi.new("char[]", _HOST)
            self._keep.append(cell)
            kind = c_type.split("[")[0] + " *" if "[" in c_type else c_type
            return ffi.NULL if rng.random() < 0.1 else ffi.cast(kind, cell)
        low = rng.choice([0, 1, 2, 3, 4, 8, 16])
        number = low if small or rng.random() < 0.6 else rng.choice(INTEGERS)
        return ffi.cast(c_type, number)

    def call(self, name: str) -> None:
        """Call a function once."""
        signature = abi.signature(name)
        pointers = any("*" in p.c_type for p in signature.parameters)
        # With memory of the host, sizes must tell the truth: nobody could check them.
        small = pointers and _BLOCKS.get(name) != "block"
        try:
            values = [
                self.host
                if name in _READS_HOST and p.c_type.startswith("void *")
                else self.argument(p, small)
                for p in signature.parameters
            ]
            if any("imeout" in p.name for p in signature.parameters):
                values = [
                    5 if "imeout" in p.name and "*" not in p.c_type else v
                    for p, v in zip(signature.parameters, values, strict=True)
                ]
            result = getattr(lib, name)(*values)
        except (NotImplementedError, TypeError, OverflowError, cffi.FFIError):
            return
        if signature.result.replace("const ", "") in _HANDLES and result != ffi.NULL:
            self.pool.setdefault(signature.result, []).append(result)
            return
        if not isinstance(result, int) or result != 0:
            return
        for parameter, value in zip(signature.parameters, values, strict=True):
            kind = parameter.c_type.removesuffix("*").strip()
            if not parameter.c_type.endswith("*") or not isinstance(value, ffi.CData):
                continue
            if value == ffi.NULL:
                continue
            if name in _BLOCKS and kind == "void *":
                self.pool.setdefault(_BLOCKS[name], []).append(value[0])
            elif kind in _HANDLES and _GIVES.search(name) and value[0] != ffi.NULL:
                self.pool.setdefault(kind, []).append(value[0])


def run(case: Data) -> str:
    """Run a case; say what is left, or nothing."""
    # What is made once and stays, such as the default stream of a device, is there the second time.
    return _run(case) and _run(case)


def _counts() -> dict[str, int]:
    lib.aclrtSetDevice(0)
    lib.aclrtSynchronizeDevice()
    return {kind: control.count(kind) for kind in _COUNTED}


def _run(case: Data) -> str:
    pa.current_stream().sync()
    lib.aclrtSetOpWaitTimeout(1)
    before = _counts()
    pool: dict[str, list[Any]] = {}
    callers = [Caller(case["seed"] + i, pool) for i in range(case["threads"])]

    def work(caller: Caller) -> None:
        lib.aclrtSetDevice(0)
        for name in case["calls"]:
            caller.call(name)
        _end_captures(pool)

    threads = [threading.Thread(target=work, args=(c,)) for c in callers[1:]]
    for thread in threads:
        thread.start()
    work(callers[0])
    for thread in threads:
        thread.join()
    _end(pool)
    after = _counts()
    lib.aclGetRecentErrMsg()
    left = {kind: after[kind] - n for kind, n in before.items() if after[kind] > n}
    return f"left: {left}" if left else ""


def _enter(context: Any) -> None:
    if context == ffi.NULL:
        lib.aclrtSetDevice(0)
    else:
        lib.aclrtSetCurrentContext(context)


def _end_captures(pool: dict[str, list[Any]]) -> None:
    """End what this thread has begun: no other may, and a stream that is captured stays."""
    graph = ffi.new("aclmdlRI *")
    for context in (ffi.NULL, *pool.get("aclrtContext", [])):
        _enter(context)
        for stream in list(pool.get("aclrtStream", [])):
            if lib.aclmdlRICaptureEnd(ffi.cast("aclrtStream", stream), graph) == 0:
                lib.aclmdlRIDestroy(graph[0])


def _end(pool: dict[str, list[Any]]) -> None:
    # A stream goes in its own context, which goes last; lists go before what is in them.
    contexts = pool.pop("aclrtContext", [])
    for context in (ffi.NULL, *contexts):
        _enter(context)
        for kind in sorted(pool, key=lambda kind: "List" not in kind):
            end = _ENDS.get(kind)
            if end and abi.has_symbol(end):
                c_type = "void *" if "block" in kind else kind
                pool[kind] = [h for h in pool[kind] if getattr(lib, end)(ffi.cast(c_type, h))]
    for context in contexts:
        lib.aclrtDestroyContext(context)
