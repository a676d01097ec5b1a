"""Casts into the blocks of a matrix unit: what they write, what the tensor is then, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, code_of, ones
from operators.status_tests import refusal_tests

import pyaclnn as pa
from pyaclnn.abi import ffi, lib
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor.formats import with_format

NZ = 29


def _nd(*shape: int, dtype: str = "float16", format: str = "ND", **described: Any) -> pa.Tensor:
    return with_format(ones(*shape, dtype=dtype), format, **described)


def _format_of(tensor: pa.Tensor) -> int:
    found = ffi.new("aclFormat *")
    pa.check(lib.aclGetFormat(tensor.handle, found))
    return int(found[0])


@pytest.mark.parametrize("shape", [(5, 7), (17, 16), (2, 3, 33)])
@pytest.mark.parametrize("dtype", ["float16", "int8"])
def test_a_weight_is_turned_in_place_and_said_to_be(shape: tuple[int, ...], dtype: str) -> None:
    values = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    blocks = in_blocks(values)
    memory = pa.zeros((blocks.size,), dtype)
    memory[: values.size] = pa.asarray(values.reshape(-1))
    for _ in range(2):  # the op cache must not hide that the tensor changes
        memory[: values.size].copy_from(values.reshape(-1))
        weight = with_format(memory[: values.size].reshape(shape), "ND")
        pa.ops.trans_matmul_weight(weight)

        # Of three axes another description is handed over.
        assert len(shape) == 3 or _format_of(weight) == NZ
        assert np.array_equal(memory.numpy(), blocks.reshape(-1))


def test_a_transposed_weight_is_turned_as_it_is_seen() -> None:
    values = np.arange(32 * 48).reshape(32, 48).astype(np.float16)
    stored = pa.asarray(np.ascontiguousarray(values.T))
    pa.ops.trans_matmul_weight(with_format(stored.T, "ND"))

    assert np.array_equal(stored.numpy().reshape(-1), in_blocks(values).reshape(-1))


def _drawn(shape: Sequence[int]) -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).integers(-8, 8, shape).astype(np.int32)


def packed(shape: Sequence[int], dtype: str, width: int) -> list[int]:
    """Return the bytes of blocks so many numbers wide that a weight of four bits is packed into."""
    blocks = in_blocks(_drawn(shape), width).shape
    memory = pa.zeros((np.prod(blocks) // 2,), "uint8")
    each = 8 if dtype == "int32" else 1
    out = with_format(
        memory, "FRACTAL_NZ", shape=(*shape[:-1], shape[-1] // each),
        storage_shape=(*blocks[:-1], width // each), dtype=dtype,
    )  # fmt: skip
    pa.ops.convert_weight_to_int4_pack(with_format(pa.asarray(_drawn(shape)), "ND"), out=out)
    return [int(byte) for byte in memory.numpy()]


def _bytes(shape: Sequence[int], width: int) -> list[int]:
    blocks = in_blocks(_drawn(shape).astype(np.uint8) & 15, width)
    return [int(byte) for byte in (blocks[..., ::2] | blocks[..., 1::2] << 4).reshape(-1)]


@pytest.mark.parametrize("shape", [(16, 64), (2, 32, 128)])
@pytest.mark.parametrize("dtype", ["int32", "int4"])
def test_numbers_of_four_bits_are_packed_into_blocks(shape: tuple[int, ...], dtype: str) -> None:
    assert packed(shape, dtype, 64) == _bytes(shape, 64)


def test_numbers_of_four_bits_go_where_a_part_of_a_tensor_begins() -> None:
    room = pa.zeros((2, 3, 1), "int32")

    weight = with_format(pa.asarray(_drawn((3, 8))), "ND")
    pa.ops.convert_weight_to_int4_pack(weight, out=with_format(room[1], "ND"))

    codes = _drawn((3, 8)).astype(np.uint8) & 15
    words = (codes[:, ::2] | codes[:, 1::2] << 4).view(np.int32)
    assert np.array_equal(room.numpy(), [np.zeros((3, 1)), words])


@pytest.mark.parametrize(("dtype", "width"), [("int32", 16), ("int4", 16), ("int4", 32)])
def test_blocks_of_four_bits_are_narrower_on_the_950(dtype: str, width: int) -> None:
    module = "operators.test_private_formats"
    found = found_on("Ascend950", module, f"packed((16, 64), '{dtype}', {width})")
    assert found == _bytes((16, 64), width)


def ranks_of_blocks() -> list[int]:
    """Return the status of each rank, up to 7, of a matrix whose shape in blocks is asked for."""
    found = []
    for rank in range(1, 8):
        weight = _nd(*[2] * rank)
        shape, size, chosen = (ffi.new(kind) for kind in ("int64_t**", "uint64_t*", "int*"))
        found.append(
            lib.aclnnNpuFormatCastCalculateSizeAndFormat(weight.handle, NZ, -1, shape, size, chosen)
        )
    return found


def test_the_950_tells_shapes_of_two_to_six_dimensions() -> None:
    found = found_on("Ascend950", "operators.test_private_formats", "ranks_of_blocks()")
    assert found == [INVALID, 0, 0, 0, 0, 0, INVALID]


_TO_NZ = {"src_tensor": _nd(5, 40), "dst_tensor": _nd(3, 1, 16, 16, format="FRACTAL_NZ")}
_PACK = {"weight": _nd(3, 8, dtype="int32"), "weight_int4_pack": _nd(3, 1, dtype="int32")}


def _four_bits(dtype: str) -> pa.Tensor:
    return with_format(pa.zeros((12,), "uint8"), "ND", shape=(3, 8), dtype=dtype)


test_right_calls_succeed, test_wrong_calls_are_refused = refusal_tests(
    {"npu_format_cast": _TO_NZ, "convert_weight_to_int4_pack": _PACK,
     "trans_matmul_weight": {"mm_weight_ref": _nd(16, 16)}},
    [
        ("npu_format_cast", {"src_tensor": _nd(5, 80)[:, ::2]}, INVALID),
        ("npu_format_cast", {"src_tensor": _nd(5, 40, dtype="float64")}, INVALID),
        ("npu_format_cast", {"src_tensor": _nd(5, 41)}, 0),
        ("npu_format_cast", {"src_tensor": _nd(5, 49)}, INNER_NULL),
        ("npu_format_cast", {"src_tensor": _nd(5, 40, dtype="bfloat16")}, INNER_NULL),
        ("npu_format_cast", {"dst_tensor": _nd(5, 40)}, INVALID),
        ("npu_format_cast", {"src_tensor": _nd(5, 0)}, INVALID),
        ("convert_weight_to_int4_pack", {"weight": _nd(3, 8, dtype="int64")}, INVALID),
        ("convert_weight_to_int4_pack", {"weight": _nd(3, 12, dtype="int32")}, INVALID),
        ("convert_weight_to_int4_pack", {"weight": _nd(3, 8, dtype="float32")}, INVALID),
        ("convert_weight_to_int4_pack", {"weight": _nd(8, dtype="int32")}, INVALID),
        *(
            ("convert_weight_to_int4_pack",
             {"weight": _nd(3, 8, dtype=kind), "weight_int4_pack": _four_bits(packed)}, status)
            for kind, packed, status in (
                ("int32", "int4", 0), ("float32", "int4", INVALID),
                ("int32", "float4_e2m1fn", INVALID), ("float32", "float4_e2m1fn", 0),
            )
        ),
        ("trans_matmul_weight", {"mm_weight_ref": _nd(4, 4, dtype="float32")}, INVALID),
        ("trans_matmul_weight", {"mm_weight_ref": _nd(16)}, INVALID),
        ("trans_matmul_weight",
         {"mm_weight_ref": _nd(16, 16, format="FRACTAL_NZ", storage_shape=(1, 1, 16, 16))},
         INVALID),
    ],
)  # fmt: skip


def test_a_convolution_weight_is_laid_out_on_one_chip_only() -> None:
    plane = _nd(16, 16, 1, 1, format="NCHW")

    assert code_of(lambda: pa.ops.trans_convolution_weight(plane, False, 1, out=plane)) == INVALID


def _weight(*shape: int, dtype: str = "float16") -> pa.Tensor:
    blocks = in_blocks(np.ones(shape, np.float32).astype(dtype))
    return with_format(pa.Tensor(pa.asarray(blocks).buffer, shape, dtype), "FRACTAL_NZ",
                       shape=shape, storage_shape=blocks.shape)  # fmt: skip


_NZ = {
    "matmul_weight_nz": {"self": _nd(5, 20), "mat2": _weight(20, 7), "cube_math_type": 0},
    "batch_mat_mul_weight_nz": {
        "self": ones(3, 5, 20, dtype="float16"), "mat2": _weight(3, 20, 7), "cube_math_type": 0,
    },
    "addmm_weight_nz": {
        "self": _nd(5, 7), "mat1": _nd(5, 20), "mat2": _weight(20, 7), "beta": 1, "alpha": 1,
        "cube_math_type": 0,
    },
    "transpose_batch_mat_mul_weight_nz": {
        "x1": ones(5, 3, 16, dtype="float16"), "x2": _weight(3, 16, 32), "bias": None,
        "scale": None, "perm_x1": [1, 0, 2], "perm_x2": [0, 1, 2], "perm_y": [1, 0, 2],
        "cube_math_type": 0, "batch_split_factor": 1,
    },
}  # fmt: skip

test_right_products_succeed, test_wrong_products_are_refused = refusal_tests(
    _NZ,
    [
        ("matmul_weight_nz", {"mat2": _nd(20, 7)}, INVALID),
        ("matmul_weight_nz", {"mat2": _weight(21, 7)}, INVALID),
        ("matmul_weight_nz", {"self": _nd(5, 1), "mat2": _weight(1, 7)}, INVALID),
        ("matmul_weight_nz", {"mat2": _weight(20, 7, dtype="bfloat16")}, INVALID),
        ("matmul_weight_nz", {"cube_math_type": 9}, INVALID),
        *(("matmul_weight_nz", {"self": _nd(5, 20, format=kind)}, INVALID)
          for kind in ("NCHW", "NHWC", "NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ")),
        ("batch_mat_mul_weight_nz", {"mat2": _nd(3, 20, 7)}, INVALID),
        ("batch_mat_mul_weight_nz",
         {"self": ones(3, 5, 20), "mat2": _weight(3, 20, 7, dtype="float32")}, INVALID),
        ("addmm_weight_nz", {"mat2": _nd(20, 7)}, INVALID),
        ("addmm_weight_nz", {"mat1": _nd(5, 20, format="NCHW")}, INVALID),
        ("addmm_weight_nz", {"mat2": _weight(20, 1)}, INVALID),
        ("transpose_batch_mat_mul_weight_nz", {"x2": _nd(3, 16, 32)}, INVALID),
        ("transpose_batch_mat_mul_weight_nz", {"x2": _weight(3, 16, 1)}, INVALID),
    ],
)  # fmt: skip


def test_a_plain_product_takes_a_weight_in_blocks() -> None:
    a = np.arange(60).reshape(3, 20).astype(np.float32)
    b = (np.arange(140).reshape(20, 7) % 11).astype(np.float32)
    blocks = in_blocks(b)
    weight = with_format(pa.Tensor(pa.asarray(blocks).buffer, b.shape), "FRACTAL_NZ",
                         shape=b.shape, storage_shape=(blocks.size,))  # fmt: skip

    assert np.array_equal(pa.ops.matmul(pa.asarray(a), weight, 0).numpy(), a @ b)
