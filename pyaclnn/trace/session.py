"""``with pa.trace(folder):`` records the CANN calls of a block in a Python program."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import paths
from pyaclnn.abi.backend import backend

if TYPE_CHECKING:
    from types import TracebackType

    from pyaclnn.trace.reader import Trace


def trace(
    folder: str | os.PathLike[str], *, content: str = "none", last: int | None = None
) -> Session:
    """Record the calls of CANN's libraries that are made in a ``with`` block.

    The first such block has to come before anything uses a device, unless the program was started
    by ``python -m pyaclnn.trace --within``, which records torch_npu's calls as well.

    Parameters
    ----------
    folder : path-like
        Where files go; made where it is not there.
    content : str
        Of tensors: none, hash, statistics, full, or full with a limit, such as full:1M.
    last : int, optional
        Keep only the latest calls, at least this many.

    Returns
    -------
    Session
        ``with pa.trace("t") as session: ...``, then ``session.read()``.
    """
    from pyaclnn.trace.launch import content_form

    return Session(Path(folder).absolute(), content_form(content), last)


class Session:
    """A block that is recorded; see :func:`trace`.

    Attributes
    ----------
    folder : Path
        Where files go.
    """

    def __init__(self, folder: Path, content: str, last: int | None) -> None:
        self.folder = folder
        self._content = content
        self._last = last

    def read(self) -> Trace:
        """Return the recorded trace."""
        from pyaclnn.trace.reader import Trace

        return Trace(self.folder)

    def __enter__(self) -> Session:
        library = _library()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        last = str(self._last).encode() if self._last else None
        library.pyaclnn_trace_start(str(self.folder).encode(), last, self._content.encode())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _library().pyaclnn_trace_stop()


def _library() -> Any:
    # Few programs need it.
    import ctypes

    return ctypes.CDLL(str(_tracer()))


def _tracer() -> Path:
    """Return the tracer in front of the libraries, inserted there first if that is possible."""
    import atexit
    import shutil
    import tempfile

    from pyaclnn.trace import toolkit

    if not backend.chosen and "PYACLNN_TRACE_LIBRARIES" not in os.environ:
        scratch = Path(tempfile.mkdtemp(prefix="pyaclnn-trace-"))
        atexit.register(shutil.rmtree, scratch, ignore_errors=True)
        real = toolkit.real_root()
        found = toolkit.variables(real, scratch / "toolkit")
        # The loader has read its own variable already; the others are read later.
        os.environ.update({n: v for n, v in found.items() if n != "LD_LIBRARY_PATH"})
        if paths.is_simulator(real):
            paths.SIMULATOR_ROOT = scratch / "toolkit"
    tracer = backend.root / toolkit.TRACER
    if not tracer.exists():
        raise RuntimeError(
            "the libraries are in use already: begin the first trace before anything uses a "
            "device, or start the program by python -m pyaclnn.trace --within -- PROGRAM"
        )
    return tracer
