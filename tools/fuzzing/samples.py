"""C++ samples through pyaclnn.port: a program, gaps with a name, or a PortError."""

from __future__ import annotations

import random
import resource
import tempfile
import time
from pathlib import Path

from fuzzing.described import Data
from fuzzing.texts import mutate
from pyaclnn import abi
from pyaclnn.port.errors import PortError
from pyaclnn.port.port import port

_SAMPLES = Path(__file__).resolve().parents[2] / "tests" / "port" / "samples"
#: Of processor time: what else the machine does is no finding.
_SECONDS = 30.0
_MEMORY = 8 << 30


def make(rng: random.Random) -> Data:
    """Return a case: a sample of the tests, mutated."""
    paths = sorted(p for p in _SAMPLES.rglob("*") if p.suffix in (".cpp", ".c", ".cc"))
    path = rng.choice(paths)
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    return {"file": path.name, "text": mutate(text, rng), "style": rng.choice(["idiomatic", "raw"])}


def run(case: Data) -> str:
    """Run a case; say what is wrong, or nothing."""
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / case["file"]
        sample.write_bytes(case["text"].encode("utf-8", "surrogateescape"))
        try:
            result = port(sample, case["style"])
            compile(result.text, case["file"], "exec")
        except (PortError, abi.HeaderError):
            pass
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    seconds = time.process_time() - started
    return f"{seconds:.0f} s of work" if seconds > _SECONDS else ""
