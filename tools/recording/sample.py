"""One sample: compiled, run, translated in both styles, and its ports run."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyaclnn.port.errors import PortError
from pyaclnn.port.port import port
from pyaclnn.sim.compilers import Compiler
from recording.comparison import compare
from recording.limits import Ended, run_apart

STYLES = ("idiomatic", "raw")
#: Bytes that a translation may take before it is ended.
_MEMORY = 4 << 30
_LIBRARIES = ("ascendcl", "acl_rt", "nnopbase", "opapi", "opapi_math", "opapi_nn", "hccl")


def file_of(root: Path, sample: Path, suffix: str) -> Path:
    """Return where something of a sample is kept."""
    return root / "samples" / f"{sample.stem}{suffix}"


def judge(root: Path, sample: Path) -> dict[str, Any]:
    """Return what came of a sample that was tried, with a comparison of its recordings."""
    found: dict[str, Any] = json.loads(file_of(root, sample, ".json").read_text(encoding="utf-8"))
    for style in STYLES:
        if not found["error"] and "status" in found[style]:
            text = file_of(root, sample, f".{style}.py").read_text(encoding="utf-8")
            calls = (file_of(root, sample, f"{kind}.calls") for kind in (".cpp", f".{style}"))
            found[style] |= compare(next(calls), next(calls), text)
    return found


class Laboratory:
    """Where samples are tried.

    Parameters
    ----------
    root : Path
        Holds the toolkit that records, and takes what comes of the samples.
    compiler : Compiler
        For the samples.
    includes : sequence of Path
        Include directories, in their order.
    """

    def __init__(self, root: Path, compiler: Compiler, includes: Sequence[Path]) -> None:
        self.root = root
        self.libraries = root / "toolkit" / "lib64"
        self._compiler = compiler
        self._includes = includes

    def try_sample(self, sample: Path) -> None:
        """Do everything with one sample, and note what came of it."""
        found: dict[str, Any] = {"name": sample.stem, "error": self._compile(sample)}
        program = file_of(self.root, sample, ".program")
        if not found["error"]:
            arguments = [str(sample.stem)]
            ended = self._recorded(
                file_of(self.root, sample, ".cpp"), lambda: os.execv(program, arguments)
            )
            found["status"] = ended.status
        for style in STYLES:
            found[style] = self._ported(sample, style, found)
        file_of(self.root, sample, ".json").write_text(
            json.dumps(found, indent=1), encoding="utf-8"
        )

    def _compile(self, sample: Path) -> str:
        """Return what the compiler has against a sample."""
        program = file_of(self.root, sample, ".program")
        if program.exists():
            return ""
        done = self._compiler.run(
            ["-std=c++17", "-O0", "-w", *(f"-I{i}" for i in self._includes), str(sample),
             "-o", str(program), f"-L{self.libraries}", *(f"-l{n}" for n in self._linked()),
             "-lpthread", "-lm", f"-Wl,-rpath,{self.libraries}"]
        )  # fmt: skip
        return done.stderr[:2000] if done.returncode else ""

    def _linked(self) -> list[str]:
        return [n for n in _LIBRARIES if (self.libraries / f"lib{n}.so").exists()]

    def _recorded(self, base: Path, work: Any) -> Ended:
        recording = base.with_suffix(base.suffix + ".calls")
        recording.unlink(missing_ok=True)
        os.environ["PYACLNN_RECORDING"] = str(recording)
        with tempfile.TemporaryDirectory() as folder:
            return run_apart(work, Path(folder), base.with_suffix(base.suffix + ".out"))

    def _ported(self, sample: Path, style: str, found: dict[str, Any]) -> dict[str, Any]:
        """Translate a sample and run the port."""
        base = file_of(self.root, sample, f".{style}")
        python = base.with_suffix(base.suffix + ".py")
        python.unlink(missing_ok=True)

        def translate() -> int:
            try:
                result = port(sample, style)
            except PortError as error:
                print(error, file=sys.stderr)
                return 2
            python.write_text(result.text, encoding="utf-8")
            for gap in result.gaps:
                print(f"{gap.line}: {gap.reason}", file=sys.stderr)
            return 1 if result.gaps else 0

        log = base.with_suffix(base.suffix + ".log")
        ended = run_apart(translate, self.root, log, _MEMORY)
        kept: dict[str, Any] = {
            "translated": ended.status, "seconds": ended.seconds, "memory": ended.memory
        }  # fmt: skip
        if ended.status:
            kept["why"] = log.read_text(encoding="utf-8", errors="replace")[:400]
        if found["error"] or not python.exists() or ended.status not in (0, 1):
            return kept
        text = python.read_text(encoding="utf-8")

        def run() -> int:
            exec(compile(text, str(python), "exec"), {"__name__": "__main__"})
            return 0

        kept["status"] = self._recorded(base, run).status
        return kept
