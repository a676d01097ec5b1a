"""Functions of aclnn that compute on the host: their results are in the port."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pyaclnn.port.check import run_port

from .conftest import Translate

QUANT = """
    float scales[] = {{{scales}}};
    float offsets[] = {{3.4f, -2.5f, 300}};
    uint64_t *packed = nullptr;
    uint64_t count = 0;
    aclnnStatus ret = aclnnTransQuantParam(scales, 2, offsets, 3, &packed, &count);
    if (ret != ACL_SUCCESS) {{ printf("failed\\n"); return 1; }}
    for (uint64_t i = 0; i < count; i++) printf("%lu\\n", packed[i]);
    free(packed);
"""


def test_scales_and_offsets_are_packed_as_the_document_says(
    translate: Translate, tmp_path: Path
) -> None:
    result = translate(QUANT.format(scales="0.5f, -2"))

    assert result.gaps == ()
    expected = np.zeros(16, np.uint64)
    for index, scale in enumerate([0.5, -2]):
        bits = np.float32(scale).view(np.uint32).astype(np.uint64)
        expected[index] |= (bits & np.uint64(0xFFFFE000)) | np.uint64(1 << 46)
    for index, offset in enumerate([3, -3, 255]):
        low = np.int64(offset).view(np.uint64) & np.uint64(0x1FF)
        expected[index] = (expected[index] & np.uint64(0x4000FFFFFFFF)) | (low << np.uint64(37))
    assert run_port(result.text, tmp_path).split() == [str(x) for x in expected]


@pytest.mark.parametrize(
    ("scales", "reason"), [("0.1f, 1", "more than 10 bits"), ("INFINITY, 1", "finite scales")]
)
def test_scales_whose_bits_are_not_certain_are_a_gap(
    translate: Translate, scales: str, reason: str
) -> None:
    assert reason in translate(QUANT.format(scales=scales)).gaps[0].reason
