"""Devices, streams and events of the idiomatic port: nothing, where one stream does all."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.model import ApiCall, Handle, Out, PlanObject, Program
from pyaclnn.port.pycode import Names
from pyaclnn.port.symbols import Query

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
        self._several = len(used) > 1 or events
        self.device = next((c.arguments[0] for c in program.calls if c.name == "aclrtSetDevice"), 0)

    def is_silent(self, call: ApiCall) -> bool:
        """Whether a call needs nothing in the port."""
        if call.name in _QUIET:
            return call.name != "aclrtSetDevice" or call.arguments[0] in (0,)
        return not self._several and call.name in (
            "aclrtCreateStream", "aclrtCreateStreamWithConfig", "aclrtSynchronizeStream",
        )  # fmt: skip

    def call(self, event: ApiCall) -> bool:
        """Write a call; return whether it is one of streams and events."""
        name, arguments = event.name, event.arguments
        if name == "aclrtSetDevice":
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
        if value.call.name == "aclrtGetSocName":
            return f"pa.Device({self.device}).name"
        raise NotUnderstoodError(f"prints what {value.call.name} answers")

    def _new(self, out: Any, fallback: str) -> str:
        handle = out.value if isinstance(out, Out) else out
        name = self._names.new(handle.name, fallback)
        self._variables[id(handle)] = name
        return name
