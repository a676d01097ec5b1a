"""Call any aclnn operator of CANN from Python, with NumPy arrays in and out.

    import numpy as np, pyaclnn as pa

    x = pa.asarray(np.linspace(-2, 2, 9, dtype=np.float32))
    y = pa.ops.softshrink_backward(pa.ones_like(x), x, 0.5)   # asynchronous
    print(y.numpy())                                          # waits, copies back

Importing parses no header, opens no library and touches no device; first use does.
"""

from __future__ import annotations

from types import ModuleType

from pyaclnn import abi, runtime
from pyaclnn._version import __version__
from pyaclnn.abi import (
    AclError,
    AclParameterError,
    BackendWarning,
    ClosedError,
    ForkedProcessError,
    HeaderError,
    LibraryNotFoundError,
    OutOfMemoryError,
    SymbolNotFoundError,
    backend,
    check,
    ffi,
    lib,
    use_backend,
)
from pyaclnn.ops import Operator, Plan, Tape, format_cast, ops, record
from pyaclnn.runtime import (
    Buffer,
    Device,
    Event,
    Graph,
    Stream,
    current_device,
    current_stream,
    memory_stats,
)
from pyaclnn.tensor import (
    Tensor,
    asarray,
    calculable,
    empty,
    empty_like,
    empty_pinned,
    filled_part,
    from_dlpack,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from pyaclnn.trace.session import trace


def _array_api() -> ModuleType:
    from pyaclnn import array_api

    return array_api


calculable.provide_array_api(_array_api)

__all__ = [
    "AclError",
    "AclParameterError",
    "BackendWarning",
    "Buffer",
    "ClosedError",
    "Device",
    "Event",
    "ForkedProcessError",
    "Graph",
    "HeaderError",
    "LibraryNotFoundError",
    "Operator",
    "OutOfMemoryError",
    "Plan",
    "Stream",
    "SymbolNotFoundError",
    "Tape",
    "Tensor",
    "__version__",
    "abi",
    "asarray",
    "backend",
    "check",
    "current_device",
    "current_stream",
    "empty",
    "empty_like",
    "empty_pinned",
    "ffi",
    "filled_part",
    "format_cast",
    "from_dlpack",
    "full",
    "full_like",
    "lib",
    "memory_stats",
    "ones",
    "ones_like",
    "ops",
    "record",
    "runtime",
    "trace",
    "use_backend",
    "zeros",
    "zeros_like",
]
