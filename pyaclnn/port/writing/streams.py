"""Devices, streams and events of the idiomatic port; left out where there is one stream."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.symbols import Query
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.model import ApiCall, Handle, Out, PlanObject, Program
from pyaclnn.port.writing.pycode import Names

_QUIET = frozenset(
    [
        "aclrtSetDevice",
        "aclrtSetCurrentContext",
        "aclrtGetCurrentContext",
        "aclrtCreateContext",
        "aclrtSynchronizeDevice",
        "aclrtGetDevice",
        "aclrtGetSocName",
        "aclGetRecentErrMsg",
        "aclrtSynchronizeStreamWithTimeout",
    ]
)


_DEVICE_CALLS = (
    "aclrtSetDevice", "aclrtSetCurrentContext", "aclrtGetCurrentContext", "aclrtCreateContext",
    "aclrtCreateStream", "aclrtSynchronize", "aclrtGetDevice",
)  # fmt: skip


class StreamCalls:
    """Writes what a program with several streams needs.

    Parameters
    ----------
    program : Program
        Looked through for the streams it uses.
    names : Names
        Of the port.
    body : list of str
        Lines are added to it.
    """

    def __init__(self, program: Program, names: Names, body: list[str]) -> None:
        self._names = names
        self._body = body
        self._variables: dict[int, str] = {}
        used = {
            id(c.arguments[3])
            for c in program.calls
            if len(c.arguments) == 4 and isinstance(c.arguments[2], PlanObject)
        }
        events = any(c.name.startswith("aclrtRecordEvent") for c in program.calls)
        # Where devices talk, each thread uses the stream of its device.
        self._threads = program.communicates
        self._several = (len(used) > 1 or events) and not self._threads
        devices = [c.arguments[0] for c in program.calls if c.name == "aclrtSetDevice"]
        #: Which device is the current one where the writer is.
        self.device = devices[0] if devices else 0
        self._only_first = all(d == 0 for d in devices)

    def is_silent(self, call: ApiCall, in_thread: bool = False) -> bool:
        """Whether a call needs nothing in the port."""
        if self._threads:
            needed = ("aclrtSetDevice", "aclrtSetCurrentContext") if in_thread else ()
            if in_thread and call.name.startswith("aclrtSynchronizeStream"):
                return False
            return call.name not in needed and call.name.startswith(_DEVICE_CALLS)
        if call.name in _QUIET:
            return call.name != "aclrtSetDevice" or self._only_first
        return not self._several and call.name in (
            "aclrtCreateStream", "aclrtCreateStreamWithConfig", "aclrtSynchronizeStream",
        )  # fmt: skip

    def call(self, event: ApiCall) -> bool:
        """Write a call; return whether it is one of streams and events."""
        name, arguments = event.name, event.arguments
        if self._threads and name.startswith("aclrtSynchronizeStream"):
            self._body.append("pa.current_stream().sync()")
        elif name == "aclrtSetCurrentContext":
            self._body.append(f"pa.Device({getattr(arguments[0], 'device', 0)}).use()")
        elif name == "aclrtSetDevice":
            self.device = arguments[0]
            self._body.append(f"pa.Device({arguments[0]}).use()")
        elif name.startswith("aclrtCreateStream"):
            variable = self._new(arguments[0], "stream")
            self._body.append(f"{variable} = pa.Device({self.device}).create_stream()")
        elif name.startswith("aclrtCreateEvent"):
            self._body.append(f"{self._new(arguments[0], 'event')} = pa.Event()")
        elif name == "aclrtSynchronizeStream":
            self._body.append(f"{self.variable(arguments[0])}.sync()")
        elif name == "aclrtRecordEvent":
            self._body.append(
                f"{self.variable(arguments[0])}.record({self.variable(arguments[1])})"
            )
        elif name == "aclrtStreamWaitEvent":
            self._body.append(f"{self.variable(arguments[0])}.wait({self.variable(arguments[1])})")
        elif name == "aclrtSynchronizeEvent":
            self._body.append(f"{self.variable(arguments[0])}.sync()")
        else:
            return False
        return True

    def argument(self, stream: Any) -> list[str]:
        """Return the ``stream=`` of an operator's call, if it needs one."""
        if not self._several or not isinstance(stream, Handle):
            return []
        return [f"stream={self.variable(stream)}"]

    def variable(self, handle: Any) -> str:
        """Return the variable of a stream or event."""
        found = self._variables.get(id(handle))
        if found is None:
            if handle is None:
                return "pa.current_stream()"
            raise NotUnderstoodError("uses a stream or event that is not known")
        return found

    def query(self, value: Query) -> str:
        """Return Python source for what the C API answers."""
        found = self._variables.get(id(value.call))
        if found is not None:
            return found
        if value.call.name == "aclrtGetSocName":
            return f"pa.Device({self.device}).name"
        raise NotUnderstoodError(f"prints what {value.call.name} answers")

    def communication(self, event: ApiCall) -> bool:
        """Write a call of HCCL; return whether it is one."""
        name, arguments = event.name, event.arguments
        if name == "HcclCommInitAll":
            comms = self._new(Out(Handle(name="comms")), "comms")
            self._variables[id(arguments[2].value)] = comms
            self._body.append(f'{comms} = pa.ffi.new("HcclComm[{arguments[0]}]")')
            devices = ", ".join(map(str, arguments[1]))
            self._body.append(
                f"pa.check(pa.lib.HcclCommInitAll({arguments[0]}, [{devices}], {comms}))"
            )
        elif name == "HcclGetCommName":
            group = self._names.new("group")
            self._variables[id(event)] = group
            self._body += [
                'text = pa.ffi.new("char[128]")',
                f"pa.check(pa.lib.HcclGetCommName({self.communicator(arguments[0])}, text))",
                f"{group} = pa.ffi.string(text).decode()",
            ]
        elif name == "HcclCommDestroy":
            self._body.append(
                f"pa.check(pa.lib.HcclCommDestroy({self.communicator(arguments[0])}))"
            )
        else:
            return False
        return True

    def communicator(self, handle: Any) -> str:
        """Return the source of a communicator of one device."""
        comms = self._variables.get(id(getattr(handle, "owner", None)))
        if comms is None:
            raise NotUnderstoodError("uses a communicator that is not known")
        return comms + str(handle.name).removeprefix("comms")

    def _new(self, out: Any, fallback: str) -> str:
        handle = out.value if isinstance(out, Out) else out
        name = self._names.new(handle.name, fallback)
        self._variables[id(handle)] = name
        return name
