"""The memory bandwidth of the machine: a triad and memcpy, compiled from C++."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pyaclnn.bench.measure import Batch, threads

Array = np.ndarray[Any, Any]


class Bandwidth:
    """The compiled loops.

    Raises
    ------
    LookupError
        Where no C++ compiler works.
    """

    def __init__(self) -> None:
        source = Path(__file__).with_name("bandwidth.cpp")
        compiler = os.environ.get("CXX", "g++")
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "bandwidth.so"
            command = [compiler, "-std=c++17", "-O3", "-march=native", "-shared", "-fPIC"]
            try:
                subprocess.run(
                    [*command, "-pthread", str(source), "-o", str(library)],
                    check=True, capture_output=True,
                )  # fmt: skip
            except (OSError, subprocess.CalledProcessError):
                raise LookupError(f"{compiler} does not compile {source.name}") from None
            self._library = ctypes.CDLL(str(library))

    def triad(self, nbytes: int, *, streaming: bool) -> Batch:
        """Return a = b + s·c over three arrays of ``nbytes``, all of them in memory already.

        ``streaming`` stores bypass the caches; the bytes counted are the same.
        """
        function = self._library.triad_streaming if streaming else self._library.triad
        a, b, c = (_aligned(nbytes) for _ in range(3))
        arguments = (*map(_address, (a, b, c)), ctypes.c_float(3.0), ctypes.c_size_t(nbytes // 4))

        def run(times: int, arrays: Any = (a, b, c)) -> None:
            for _ in range(times):
                function(*arguments, threads())

        return run

    def memcpy(self, to: Array, source: Array, threads: int = 1) -> Batch:
        """Return the C library's memcpy between two arrays of one size."""
        arguments = (_address(to), _address(source), ctypes.c_size_t(to.nbytes))

        def run(times: int, arrays: Any = (to, source)) -> None:
            for _ in range(times):
                self._library.copy(*arguments, threads)

        return run


def _aligned(nbytes: int) -> Array:
    line = 64
    room = np.ones(nbytes + line, np.uint8)
    start = -room.ctypes.data % line
    values = room[start : start + nbytes].view(np.float32)
    values[...] = 1.0
    return values


def _address(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
