"""What quantising normalisations refuse on the 950."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, NO_KERNEL, TILING, code_with, ones
from operators.test_quant_fused import _RIGHT

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
