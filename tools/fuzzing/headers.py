"""Header text through the loader: declarations, or a HeaderError."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from pathlib import Path

from fuzzing.described import Data
from fuzzing.texts import mutate
from pyaclnn.abi import HeaderError, SymbolNotFoundError
from pyaclnn.abi.declarations import Index

_HEADERS = Path(__file__).resolve().parents[2] / "headers"
#: Of processor time: what else the machine does is no finding.
_SECONDS = 20.0


def make(rng: random.Random) -> Data:
    """Return a case: a header of ours, mutated."""
    path = rng.choice(sorted(_HEADERS.rglob("*.h")))
    text = path.read_text(encoding="utf-8")
    return {"file": str(path.relative_to(_HEADERS)), "text": mutate(text, rng)}


def run(case: Data) -> str:
    """Run a case; say what is wrong, or nothing."""
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "include"
        shutil.copytree(_HEADERS / "acl", root / "acl")
        shutil.copytree(_HEADERS / "aclnn", root / "aclnn")
        target = root / case["file"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(case["text"].encode("utf-8", "surrogateescape"))
        try:
            index = Index(root)
            for name in list(index.names()):
                index.declaration(name)
        except (HeaderError, SymbolNotFoundError):
            pass
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    seconds = time.process_time() - started
    return f"{seconds:.0f} s of work" if seconds > _SECONDS else ""
