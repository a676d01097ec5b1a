"""A model of llama.cpp on its CANN backend, beside the same model in float64."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from backend_ops import Result

SUITE = Path(__file__).resolve().parent / "client_suites" / "llama"
FORMATS = ("f32", "f16", "q8_0", "q4_0")
#: What llama.cpp is started with: its defaults, and without weights in the chip's own order.
SETTINGS: tuple[dict[str, str], ...] = ({}, {"GGML_CANN_WEIGHT_NZ": "off"})
_TOKENS = (1, 17, 42, 5, 99, 23, 64, 7, 31, 88, 3, 3, 120, 55)
_PROMPT = 9
_LAYERS = 99  # all
#: Of the largest logit. The backend computes with float16; q8_0 and q4_0 are exact in it.
_TOLERANCE = 0.005

Run = Callable[[Sequence[str], dict[str, str]], "subprocess.CompletedProcess[str]"]


def run_models(python: Path, program: Path, folder: Path, run: Run) -> list[Result]:
    """Try the model in each format of weights and with each setting.

    Parameters
    ----------
    python : Path
        Of an environment with gguf.
    program : Path
        ``client_suites/llama/logits.cpp``, compiled.
    folder : Path
        For the models.
    run : callable
        Runs a command, with more variables, on the simulator.

    Returns
    -------
    list of Result
        A case is a format and what was set; passed ones say how far they are from float64.
    """
    made = []
    tokens = [str(token) for token in _TOKENS]
    for weights in FORMATS:
        command = [str(python), str(SUITE / "model.py"), str(folder), weights, *tokens]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        expected = _numbers(text)[_PROMPT - 1 :]
        model = str(folder / f"{weights}.gguf")
        for setting in SETTINGS:
            case = " ".join([weights, *(f"{k}={v}" for k, v in setting.items())])
            given = [str(program), model, str(_LAYERS), str(_PROMPT), *tokens]
            made.append(judged(case, run(given, setting), expected))
    return made


def judged(case: str, done: subprocess.CompletedProcess[str], expected: np.ndarray) -> Result:
    """Return what became of a run.

    Parameters
    ----------
    case : str
        What it is called.
    done : CompletedProcess
        Of `run_models`.
    expected : numpy.ndarray
        The logits.
    """
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if " answers " in line]
        return Result(case, "ended", " ".join(said) or done.stderr[-300:])
    seen = _numbers(done.stdout)
    if seen.shape != expected.shape:
        return Result(case, "failed", f"{len(seen)} lines of logits, not {len(expected)}")
    off = float(np.abs(seen - expected).max() / np.abs(expected).max())
    return Result(case, "passed" if off <= _TOLERANCE else "failed", f"off by {off:.2%}")


def _numbers(text: str) -> np.ndarray:
    return np.array([line.split() for line in text.splitlines()], np.float64)
