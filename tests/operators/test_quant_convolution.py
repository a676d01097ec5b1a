"""What quantised convolutions refuse, and what the 950 alone has: planes, groups, small floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, code_with, ones
from operators.narrow_floats import Array, described, eighths, nearest, results, values_of
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_fractals
from pyaclnn.selftest.suites.convolution_forward import convolution
from pyaclnn.tensor.formats import with_format


def _int8(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int8")


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def _in_blocks(*shape: int) -> pa.Tensor:
    blocks = in_fractals(np.ones(shape, np.int8))
    memory = pa.asarray(blocks).buffer
    return with_format(pa.Tensor(memory, shape, "int8"), "FRACTAL_Z_3D", shape=shape,
                       storage_shape=blocks.shape)  # fmt: skip


_RIGHT: dict[str, Any] = {
    "input": _int8(1, 3, 4, 5, 6), "weight": _int8(7, 3, 2, 3, 3), "bias": ones(7),
    "scale": ones(7), "offset": None, "stride": [1, 1, 1], "padding": [0, 1, 1],
    "dilation": [1, 1, 1], "transposed": False, "output_padding": None, "groups": 1,
    "offsetx": 0, "round_mode": None, "output": _half(1, 7, 3, 5, 6),
}  # fmt: skip
_WRONG: tuple[tuple[str, Any, int], ...] = (
    ("bias", None, NULL), ("input", None, NULL), ("scale", None, NULL), ("stride", None, NULL),
    ("padding", None, NULL), ("dilation", None, INVALID),
    ("input", _half(1, 3, 4, 5, 6), INVALID), ("input", _int8(1, 4, 4, 5, 6), INVALID),
    ("input", _int8(0, 3, 4, 5, 6), INVALID), ("scale", pa.ones((7,), "int64"), INVALID),
    ("scale", ones(1), INVALID), ("bias", ones(7, dtype="bfloat16"), INVALID),
    ("bias", ones(1, 7), INVALID), ("output", ones(1, 7, 3, 5, 6), INVALID),
    ("output", _half(1, 7, 3, 5, 5), INVALID), ("stride", [1, 1], INVALID),
    ("stride", [1, 1, 0], INVALID), ("dilation", [1, 1, -1], INVALID), ("groups", 3, INVALID),
    ("stride", [2**63 - 1] * 3, INVALID), ("padding", [2**63 - 1] * 3, INVALID),
    ("dilation", [2**63 - 1] * 3, INVALID), ("padding", [-1, 1, 1], INVALID),
    ("padding", [0, 0, 1, 1, 1, 1], INVALID), ("offset", _half(7), NO_KERNEL),
)  # fmt: skip
_NZ = {**_RIGHT, "weight": _in_blocks(7, 3, 2, 3, 3)}

test_right_calls_succeed, test_wrong_calls_are_refused = status_tests(
    {"quant_convolution": _RIGHT, "quant_convolution_weight_nz": _NZ},
    {
        "quant_convolution": (*_WRONG, ("weight", _NZ["weight"], INVALID)),
        "quant_convolution_weight_nz": (("weight", _RIGHT["weight"], INVALID), _WRONG[0]),
    },
)


def test_steps_beyond_those_of_the_kernel_are_refused() -> None:
    wide = {**_RIGHT, "stride": [1, 64, 1], "output": _half(1, 7, 3, 1, 6)}
    assert code_with("quant_convolution", wide) == TILING


@pytest.mark.parametrize("reserved", [
    {"offsetx": 200}, {"transposed": True}, {"offset": ones(7)}, {"round_mode": "?"},
])  # fmt: skip
def test_the_a2_does_not_look_at_what_is_reserved(reserved: dict[str, Any]) -> None:
    x = np.random.default_rng(8).integers(-9, 9, (1, 3, 4, 5, 6)).astype(np.int8)
    weight = pa.ones((7, 3, 2, 3, 3), "int8")
    plain, out = _half(1, 7, 3, 5, 6), _half(1, 7, 3, 5, 6)
    assert code_with("quant_convolution", _RIGHT, input=pa.asarray(x), weight=weight,
                     output=plain) == 0  # fmt: skip

    status = code_with("quant_convolution", _RIGHT, input=pa.asarray(x), weight=weight,
                       output=out, **reserved)  # fmt: skip

    assert status == 0
    assert len(np.unique(plain.numpy())) > 9
    assert np.array_equal(out.numpy(), plain.numpy())


def planes_in_groups() -> list[Any]:
    """Return what the 950 makes of planes in two groups, with 64-bit scales, and its operands."""
    rng = np.random.default_rng(6)
    x = rng.integers(-128, 128, (2, 6, 9, 8)).astype(np.int8)
    weight = rng.integers(-128, 128, (4, 3, 3, 2)).astype(np.int8)
    bias, scale = rng.integers(-999, 999, 4).astype(np.int32), np.float32([1, 0.5, 2, 0.25]) / 4096
    out = _half(2, 4, 5, 9)
    pa.ops.quant_convolution(
        *(pa.asarray(v) for v in (x, weight, bias, scale.view(np.uint32).astype(np.uint64))),
        None, [2, 1], [1, 1, 1, 1], [1, 1], False, None, 2, 0, None, out=out,
    )  # fmt: skip
    return [v.tolist() for v in (out.numpy(), x, weight, bias, scale)]


def test_the_950_has_planes_in_groups() -> None:
    printed = found_on("Ascend910_95", "operators.test_quant_convolution", "planes_in_groups()")
    out, x, weight, bias, scale = (np.array(v) for v in printed)

    sums = convolution(
        x.astype(np.float64), weight.astype(np.float64), None, (2, 1), (1, 1), (1, 1), 2
    )
    expected = (sums + bias[:, None, None]) * scale[:, None, None]
    assert np.array_equal(out, expected.astype(np.float16))


#: Type of input and weight, of the result, and whether it is a volume.
_SMALL = tuple(
    (kind, out, volume)
    for volume, kind in enumerate(("float8_e4m3fn", "hifloat8"))
    for out in ("float32", "float16", "bfloat16", kind)
)
#: The input, the weight, stride, padding of each side, dilation, and the result.
_PLANE: tuple[tuple[int, ...], ...] = (
    (2, 6, 7, 8), (4, 3, 3, 2), (2, 1), (1, 0, 1, 2), (1, 2), (2, 4, 3, 9),
)  # fmt: skip
_VOLUME = (
    (2, 6, 3, 7, 8), (4, 3, 2, 3, 2), (1, 2, 1), (0, 1, 1, 0, 1, 2), (1, 1, 2), (2, 4, 3, 3, 9),
)  # fmt: skip


def _operands(kind: str, volume: int) -> tuple[Array, Array, Array, Array]:
    """Return codes of the input and the weight, the bias and the scales."""
    rng = np.random.default_rng(31 + volume)
    x, weight = (eighths(kind, shape, rng) for shape in (_PLANE, _VOLUME)[volume][:2])
    return x, weight, np.float32([1.5, -2, 0.25, 0]), np.float32([0.5, 1.5, 0.25, 1]) / 4


def _call_950(kind: str, out: str, volume: int, **changes: Any) -> tuple[dict[str, Any], pa.Tensor]:
    """Return a call of small floats, and the memory of its result."""
    x, weight, bias, scale = _operands(kind, volume)
    _, _, stride, padding, dilation, shape = (_PLANE, _VOLUME)[volume]
    made = pa.zeros(shape, "uint8" if out == kind else out)
    call = {
        "input": described(pa.asarray(x), kind), "weight": described(pa.asarray(weight), kind),
        "bias": pa.asarray(bias), "scale": pa.asarray(scale.view(np.uint32).astype(np.uint64)),
        "offset": None, "stride": list(stride), "padding": list(padding),
        "dilation": list(dilation), "transposed": False, "output_padding": None, "groups": 2,
        "offsetx": 0, "round_mode": {"hifloat8": "round", "float8_e4m3fn": "rint"}.get(out),
        "output": described(made, out) if out == kind else made, **changes,
    }  # fmt: skip
    return call, made


def small_floats() -> list[Any]:
    """Return what the 950 makes of them."""
    found = []
    for given in _SMALL:
        call, made = _call_950(*given)
        status = code_with("quant_convolution", call)
        found.append([status, results(made, given[1]).tolist()])
    return found


@pytest.fixture(scope="module")
def floats_on_950() -> list[Any]:
    return list(found_on("Ascend910_95", "operators.test_quant_convolution", "small_floats()"))


@pytest.mark.parametrize("number", range(len(_SMALL)), ids=lambda n: " ".join(map(str, _SMALL[n])))
def test_the_950_convolves_small_floats(number: int, floats_on_950: list[Any]) -> None:
    kind, out, volume = _SMALL[number]
    x, weight, bias, scale = _operands(kind, volume)
    _, _, stride, padding, dilation, _ = (_PLANE, _VOLUME)[volume]
    wide = [np.take(values_of(kind), codes) for codes in (x, weight)]
    spread = (1,) * (x.ndim - 2)
    sums = convolution(*wide, None, stride, padding, dilation, 2)
    golden = (sums + bias.reshape(-1, *spread)) * scale.astype(np.float64).reshape(-1, *spread)

    status, made = floats_on_950[number]

    assert status == 0
    assert np.array_equal(np.array(made), nearest(golden, out))


def padded_by_offset() -> list[Any]:
    """Return images of int8 and what the 950 makes of them, a plane and volumes with an offset."""
    found = []
    for shape, words in (((2, 3, 5, 6), True), ((2, 3, 4, 5, 6), True), ((2, 3, 4, 5, 6), False)):
        x = np.random.default_rng(3).integers(-9, 9, shape).astype(np.int8)
        weight = pa.ones((4, 3, *(3 for _ in shape[2:])), "int8")
        scale = np.full(4, 0.5, np.float32)
        out = _half(2, 4, *shape[2:])
        axes = [1] * (len(shape) - 2)
        pa.ops.quant_convolution(
            pa.asarray(x), weight, None,
            pa.asarray(scale.view(np.uint32).astype(np.uint64) if words else scale), None, axes,
            axes, axes, False, None, 1, -7, None, out=out,
        )  # fmt: skip
        found.append([x.tolist(), -7 if words else 0, out.numpy().astype(float).tolist()])
    return found


def test_on_the_950_an_offset_lies_beside_images() -> None:
    call = "padded_by_offset()"
    for x, beside, made in found_on("Ascend910_95", "operators.test_quant_convolution", call):
        image = np.array(x, np.float64)
        axes = (1,) * (image.ndim - 2)
        padded = np.pad(image, [(0, 0), (0, 0), *((1, 1) for _ in axes)], constant_values=beside)
        weight = np.ones((4, 3, *(3 for _ in axes)))
        golden = convolution(padded, weight, None, axes, (0,) * len(axes), axes, 1) * 0.5

        assert np.array_equal(np.array(made), golden)


def refused_on_950() -> list[int]:
    """Return statuses of calls that differ from right ones in what is named."""
    floats = pa.ones((4,))
    return [
        code_with("quant_convolution", _call_950(kind, out, 0, **changes)[0])
        for kind, out, changes in (
            ("hifloat8", "hifloat8", {"round_mode": None}),
            ("hifloat8", "hifloat8", {"round_mode": "rint"}),
            ("float8_e4m3fn", "float8_e4m3fn", {"round_mode": "round"}),
            ("float8_e4m3fn", "float16", {"round_mode": "not a word"}),
            ("float8_e4m3fn", "float16", {"offsetx": 1}),
            ("float8_e4m3fn", "float16", {"bias": floats.astype("float16")}),
            ("float8_e4m3fn", "float16", {"scale": floats}),
            ("float8_e4m3fn", "float16", {"round_mode": "round", "transposed": True}),
        )
    ]


def test_the_950_looks_at_modes_and_offsets() -> None:
    found = found_on("Ascend910_95", "operators.test_quant_convolution", "refused_on_950()")
    assert found == [*[INVALID] * 6, NO_KERNEL, 0]
