"""The C boundary: header text to signatures, to cffi, to shared libraries, to status codes."""

from __future__ import annotations

from pyaclnn.abi.backend import Backend, backend, use_backend
from pyaclnn.abi.declarations import add_headers, declaration, index, is_operator, operators
from pyaclnn.abi.errors import (
    AclCleanupWarning,
    AclError,
    AclParameterError,
    AclRuntimeError,
    AclTimeoutError,
    AclUnsupportedError,
    BackendError,
    BackendWarning,
    ClosedError,
    ForkedProcessError,
    HeaderError,
    LibraryNotFoundError,
    OutOfMemoryError,
    SymbolNotFoundError,
)
from pyaclnn.abi.ffi import define, ffi
from pyaclnn.abi.lib import lib
from pyaclnn.abi.libraries import add_library, find_symbol, has_symbol, libraries
from pyaclnn.abi.signature import Parameter, Signature, signature
from pyaclnn.abi.status import (
    check,
    describe,
    describe_status,
    error_codes,
    recent_message,
    warn_cleanup,
    warn_status,
)

__all__ = [
    "AclCleanupWarning",
    "AclError",
    "AclParameterError",
    "AclRuntimeError",
    "AclTimeoutError",
    "AclUnsupportedError",
    "Backend",
    "BackendError",
    "BackendWarning",
    "ClosedError",
    "ForkedProcessError",
    "HeaderError",
    "LibraryNotFoundError",
    "OutOfMemoryError",
    "Parameter",
    "Signature",
    "SymbolNotFoundError",
    "add_headers",
    "add_library",
    "backend",
    "check",
    "declaration",
    "define",
    "describe",
    "describe_status",
    "error_codes",
    "ffi",
    "find_symbol",
    "has_symbol",
    "index",
    "is_operator",
    "lib",
    "libraries",
    "operators",
    "recent_message",
    "signature",
    "use_backend",
    "warn_cleanup",
    "warn_status",
]
