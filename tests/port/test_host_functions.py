"""Functions of aclnn that compute on the host: their results are in the port."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from port.sources import program, run

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

FORMAT = """
    int64_t dims[] = {{{shape}}};
    int64_t rank = sizeof(dims) / sizeof(dims[0]);
    void *device = nullptr;
    aclrtMalloc(&device, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST);
    aclTensor *tensor =
        aclCreateTensor(dims, rank, {dtype}, nullptr, 0, ACL_FORMAT_ND, dims, rank, device);
    int64_t *made = nullptr;
    uint64_t count = 0;
    int layout = 0;
    aclnnNpuFormatCastCalculateSizeAndFormat(tensor, {layout}, {base}, &made, &count, &layout);
    for (uint64_t i = 0; i < count; i++) printf("%ld ", made[i]);
    printf("\n");
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


@pytest.mark.parametrize(
    ("dtype", "shape", "layout", "expected"),
    [
        ("ACL_FLOAT16", "40, 20", 29, [2, 3, 16, 16]),
        ("ACL_INT8", "3, 40, 70", 29, [3, 3, 3, 16, 32]),
        ("ACL_FLOAT", "40, 20", 29, [3, 3, 16, 8]),
        ("ACL_INT32", "2, 20, 3, 4, 5", 32, [2, 3, 3, 4, 5, 8]),
        ("ACL_FLOAT16", "20, 20, 3, 4, 5", 33, [3 * 2 * 4 * 5, 2, 16, 16]),
    ],
)
def test_private_formats_have_blocks_of_32_bytes(
    translate: Translate, dtype: str, shape: str, layout: int, expected: list[int]
) -> None:
    result = translate(FORMAT.format(dtype=dtype, shape=shape, layout=layout, base=-1))

    assert result.gaps == ()
    assert f'print("{" ".join(map(str, expected))} ")' in result.text


def test_blocks_that_depend_on_the_chip_are_a_gap(translate: Translate) -> None:
    text = FORMAT.format(dtype="ACL_INT32", shape="40, 20", layout=29, base="ACL_FLOAT16")

    assert "on each chip" in translate(text).gaps[0].reason


@pytest.mark.parametrize(("groups", "complete"), [(1, True), (2, False)])
def test_a_weight_of_a_convolution_has_blocks_of_16_channels(
    translate: Translate, groups: int, complete: bool
) -> None:
    result = translate(f"""
        int64_t dims[] = {{20, 33, 3, 2}};
        aclIntArray *shape = aclCreateIntArray(dims, 4);
        uint64_t size = 0;
        aclnnCalculateConvolutionWeightSize(shape, false, {groups}, ACL_FLOAT16, &size);
        printf("%lu\\n", size);
    """)

    assert (result.gaps == ()) == complete
    assert ('print("9216")' in result.text) == complete


def test_a_weight_that_is_turned_to_blocks_keeps_all_its_memory(translate: Translate) -> None:
    body = """
  int64_t dims[] = {3, 5};
  void* addr = nullptr;
  aclrtMalloc(&addr, 512, ACL_MEM_MALLOC_HUGE_FIRST);
  aclTensor* weight =
      aclCreateTensor(dims, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, dims, 2, addr);
"""
    result = translate(program(body + run("aclnnTransMatmulWeight", "weight")))

    assert result.gaps == ()
    assert "with_format(pa.Tensor(weight_base.buffer, (3, 5), np.float16" in result.text
