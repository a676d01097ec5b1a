"""What quantising normalisations refuse on the 950."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, NO_KERNEL, TILING, code_with, ones
from operators.test_quant_fused import _RIGHT

import pyaclnn as pa

_RMS_NORM: dict[str, Any] = {
    "x": ones(2, 32, dtype="float16"), "gamma": ones(32, dtype="float16"),
    "beta": ones(32, dtype="float16"), "scale": ones(32, dtype="float16"),
    "offset": ones(32, dtype="int8"), "epsilon": 1e-6, "y": ones(2, 32, dtype="int8"),
}  # fmt: skip
_CALLS = {**_RIGHT, "rms_norm_quant": _RMS_NORM}

#: Of a right call in float16 with scales in float32: operator, what is changed, and the answer.
_STATUSES: tuple[tuple[str, dict[str, Any], int], ...] = (
    *(
        (name, changes, expected)
        for name in ("add_rms_norm_quant", "add_rms_norm_quant_v2")
        for changes, expected in (
            ({}, 0),
            ({"zero_points1_optional": ((32,), "int32")}, 0),
            ({"zero_points1_optional": ((32,), "float32")}, 0),
            ({"zero_points1_optional": ((32,), "float16")}, NO_KERNEL),
            ({"zero_points1_optional": ((1,), "int32")}, TILING),
            ({"scales1": ((1,), "float32")}, TILING),
            ({"scales1": ((1, 32), "float32")}, 0),
            ({"scales1": ((32,), "bfloat16")}, NO_KERNEL),
            ({"scales2_optional": ((32,), "float16")}, NO_KERNEL),
            ({"scales2_optional": ((1, 32), "float32")}, TILING),
            ({"gamma": ((16,), "float16")}, TILING),
            ({"gamma": ((32,), "float32")}, NO_KERNEL),
            # No kernel has float32 beside zero points of int32.
            (
                dict.fromkeys(("x1", "x2", "x_out"), ((2, 32), "float32"))
                | {"gamma": ((32,), "float32"), "zero_points1_optional": ((32,), "int32")},
                NO_KERNEL,
            ),
        )
    ),
    ("rms_norm_quant", {}, 0),
    ("rms_norm_quant", {"offset": ((32,), "float16")}, 0),
    ("rms_norm_quant", {"offset": ((32,), "int32")}, INVALID),
    ("rms_norm_quant", {"scale": ((32,), "float32")}, INVALID),
    ("rms_norm_quant", {"scale": ((32,), "float32"), "offset": ((32,), "int32")}, 0),
    ("rms_norm_quant", {"scale": ((16,), "float16"), "offset": ((16,), "int8")}, TILING),
    ("rms_norm_quant", {"y": ((1, 32), "int8")}, INVALID),
    ("rms_norm_quant", {"y": ((2, 4), "int32")}, 0),
)


def statuses() -> list[int]:
    """Return what each call is answered with."""
    return [
        code_with(name, _CALLS[name], **{n: ones(*s, dtype=d) for n, (s, d) in changes.items()})
        for name, changes, _ in _STATUSES
    ]


def _on_950(call: str) -> Any:
    return found_on("Ascend950", "operators.test_quant_norms_950", call)


def test_types_and_shapes_that_the_950_has_no_kernel_for_are_refused() -> None:
    assert _on_950("statuses()") == [expected for *_, expected in _STATUSES]


_KINDS = {"float8_e4m3fn": (448.0, 2.0**-4), "float8_e5m2": (57344.0, 2.0**-3)}


def scaled_rows(kind: str) -> list[Any]:
    """Return rows of float8 as numbers, their scales, the sum, and what other calls answer."""
    rng = np.random.default_rng(21)
    x1, x2 = (rng.normal(0, 1, (5, 64)).astype(np.float16) for _ in range(2))
    gamma, smooth = (rng.uniform(0.5, 2, 64).astype(np.float16) for _ in range(2))
    operands = [pa.asarray(a) for a in (x1, x2, gamma, smooth)]
    y, rest = pa.ones((5, 64), kind), pa.ones((1,), kind)
    scale, total = pa.zeros((5,)), pa.zeros((5, 64), "float16")
    given = {
        "x1": operands[0], "x2": operands[1], "gamma": operands[2],
        "smooth_scale1_optional": operands[3], "smooth_scale2_optional": None,
        "beta_optional": operands[2], "epsilon": 1e-6, "output_mask": None, "y1_out": y,
        "y2_out": rest, "x_out": total, "scale1_out": scale, "scale2_out": pa.zeros((1,)),
    }  # fmt: skip
    name = "add_rms_norm_dynamic_quant_v2"
    codes = [
        code_with(name, given),
        code_with(name, given, y2_out=pa.ones((5, 64), kind)),
        code_with(name, given, smooth_scale1_optional=None, smooth_scale2_optional=operands[3]),
        code_with(name, given, gamma=pa.ones((64,), "bfloat16")),
        code_with(name, given, y1_out=pa.ones((5, 64), "int4"), y2_out=pa.ones((1,), "int4")),
    ]
    wide = x1.astype(float) + x2.astype(float)
    normal = wide / np.sqrt(np.square(wide).mean(-1, keepdims=True) + 1e-6)
    golden = (normal * gamma + gamma.astype(float)) * smooth
    most, step = _KINDS[kind]
    expected = np.abs(golden).max(-1) / most
    found = y.numpy().astype(float) * expected[:, None]
    small = expected[:, None] * 2.0**-9
    return [
        codes,
        bool(np.allclose(scale.numpy(), expected, rtol=1e-5)),
        bool((np.abs(found - golden) <= np.abs(golden) * step * 1.01 + small).all()),
        bool(np.allclose(total.numpy(), wide, rtol=2.0**-11)),
    ]


@pytest.mark.parametrize("kind", list(_KINDS))
def test_normalised_rows_become_float8_by_their_largest(kind: str) -> None:
    found = found_on("Ascend950", "operators.test_quant_norms_950", f"scaled_rows({kind!r})")

    assert found == [[0, INVALID, INVALID, TILING, INVALID], True, True, True]


def sums(widths: list[int], everything: bool) -> list[int]:
    """Return what the first number of a row of each width becomes, nearly 1 as all of them."""
    found = []
    for width in widths:
        small = np.zeros((1, width), np.float16)
        small[0, 0] = 2.0**-11 * 0.99  # float16 has no number for 1 more than this
        scale = pa.full((width,), (1 + float(small[0, 0]) / 2) / 100.5)
        whole, row = pa.zeros((width,), "int32"), pa.ones((width,), "float16")
        more = {
            "scales2_optional": scale, "zero_points1_optional": whole,
            "zero_points2_optional": whole, "beta_optional": pa.zeros((width,), "float16"),
        }  # fmt: skip
        y = pa.zeros((1, width), "int8")
        pa.ops.add_rms_norm_quant_v2(
            pa.ones((1, width), "float16"), pa.asarray(small), row, scale,
            **(more if everything else dict.fromkeys(more)), axis=-1, epsilon=0.0, div_mode=True,
            out=(y, pa.zeros((1, width), "int8"), pa.zeros((1, width), "float16"), None),
        )  # fmt: skip
        found.append(int(y.numpy()[0, 0]))
    return found


@pytest.mark.parametrize(
    ("everything", "widest"),
    [
        # Bytes of a row of numbers in blocks of 16, and of results in blocks of 32, of 253696.
        (False, 10544),  # 22 * 10544 + 2 * 10560 + 516
        (True, 6320),  # 36 * 6320 + 4 * 6336 + 260; of one more, 36 * 6336 + 4 * 6336 + 260
    ],
)
def test_sums_of_rows_that_lie_in_the_buffer_whole_are_not_rounded(
    everything: bool, widest: int
) -> None:
    call = f"sums([{widest}, {widest + 1}], {everything})"
    found = found_on("Ascend950", "operators.test_quant_norms_950", call)

    assert found == [101, 100]


def _none(*shape: int, dtype: str = "float16") -> pa.Tensor:
    return pa.zeros((*shape, 0), dtype)


def rows_without_elements() -> list[Any]:
    """Return what each call is answered with, and its factors of rows, which were 7."""
    found = []
    for adds in (False, True):
        rstd = pa.full((3, 5, 1), 7.0)
        x, y = _none(3, 5), _none(3, 5, dtype="float8_e4m3fn")
        given = {
            **({"x1": x, "x2": x} if adds else {"x": x}), "gamma": _none(), "beta": None,
            "epsilon": 1e-6, "scale_alg": 0, "round_mode": "rint", "dst_type": 36,
            "output_rstd": True, "y_out": y, **({"x_out": x} if adds else {}),
            "mxscale_out": pa.zeros((3, 5, 0, 2), "float8_e8m0fnu"), "rstd_out": rstd,
        }  # fmt: skip
        status = code_with(f"{'add_' if adds else ''}rms_norm_dynamic_mx_quant", given)
        found.append([status, np.isnan(rstd.numpy()).tolist()])
    for version in ("", "_v2"):
        for mode, rows, smooth in (
            ("dynamic", (3, 5), 2), ("dynamic", (3, 5), 1), ("static", (3, 5), 2),
            ("static", (0, 5), 2),
        ):  # fmt: skip
            x, y, gamma = _none(*rows), _none(*rows, dtype="int8"), _none()
            scales = [pa.full((3, 5), 7.0) for _ in range(2)]
            given = {
                "x1": x, "x2": x, "gamma": gamma, "beta": gamma, "bias_optional": None,
                "scales1_optional": gamma, "scales2_optional": gamma if smooth == 2 else None,
                "zero_points1_optional": None, "zero_points2_optional": None, "quant_mode": mode,
                "epsilon": 1e-5, "additional_output": True, "div_mode": True, "y1_out": y,
                "y2_out": y, "x_out": x, **({"layernorm_res": x} if version else {}),
                "out_scales1_out": scales[0], "out_scales2_out": scales[1],
            }  # fmt: skip
            status = code_with(f"add_layer_norm_quant{version}", given)
            found.append([status, *(np.unique(s.numpy()).astype(str).tolist() for s in scales)])
    return found


def test_rows_without_elements_have_a_factor() -> None:
    found = _on_950("rows_without_elements()")
    left, lowest = ["7.0"], ["-inf"]

    assert found[:2] == [[0, [[[True]] * 5] * 3]] * 2
    assert found[2:] == [
        [0, lowest, lowest], [0, lowest, left], [0, left, left], [TILING, left, left],
    ] * 2  # fmt: skip
