"""What tools/clients.py makes of a model's logits on llama.cpp's backend."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from known_failures import KNOWN
from llama import judged

EXPECTED = np.array([[1.0, -2.0], [0.5, 4.0]])
FREED = (
    "CANN error: aclInit answers 100002: the library is initialised already\n"
    "x(EZ9999): aclrtSynchronizeDevice answers 507015: aclnnTransMatmulWeight, queued on stream 1: "
    "memory at 0x1 (66048 bytes) was freed after the call and before the stream reached it\n"
)


def ended(status: int, out: str = "", err: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], status, out, err)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [("1 -2\n0.5 4.01\n", "passed"), ("1 -2\n0.5 4.1\n", "failed"), ("1 -2\n", "failed")],
)
def test_logits_are_right_within_half_a_percent_of_the_largest(said: str, outcome: str) -> None:
    assert judged("q8_0", ended(0, said), EXPECTED).outcome == outcome


def test_a_known_end_is_that_of_its_format_and_setting_alone() -> None:
    known = KNOWN["llama"]
    result = judged("f16", ended(134, err=FREED), EXPECTED)
    elsewhere = judged("f16 GGML_CANN_WEIGHT_NZ=off", ended(134, err=FREED), EXPECTED)
    otherwise = judged("f16", ended(134, err="aclnnMm answers 161002: no"), EXPECTED)

    assert result.outcome == "ended"
    assert any(each.covers(result) for each in known)
    assert not any(each.covers(elsewhere) or each.covers(otherwise) for each in known)
