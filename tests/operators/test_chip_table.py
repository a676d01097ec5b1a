"""Which chips have which of the operators that few have, and how the others refuse them."""

from __future__ import annotations

import json

import pytest
from children import output_of

PROGRAM = """
    import json
    import pyaclnn as pa
    x, half = pa.ones((2, 4)), pa.ones((2, 4), "bfloat16")
    calls = {
        "square": (x,),
        "xlog1py": (x, x),
        "add_n": ([x, x],),
        "scale": (x, x, None, 0, 2, True),
        "scale bfloat16": (half, half, None, 0, 2, True),
        "modulate": (pa.ones((2, 3, 4)), x, x),
        "fatrelu_mul": (x, pa.ones(())),
        "clipped_swiglu": (x, None, 1, 1.0, 7.0, 1.0, True),
        "clipped_swiglu_v2": (x, None, 1, 1.0, 7.0, 1.0, True, 0),
        "clipped_swiglu_v2 mode": (x, None, 1, 1.0, 7.0, 1.0, True, 2),
        "clipped_swiglu_v2 groups": (x, pa.ones((8193,), "int64"), 1, 1.0, 7.0, 1.0, True, 0),
        "clipped_swiglu_v2 limit": (x, None, 1, 1.0, 0.0, 1.0, True, 0),
        "clipped_swiglu_grad": (pa.ones((2, 2)), x, None, 1, 1.0, 7.0, 1.0, True),
        "swiglu_group": (x, None, None, -1.0),
        "swiglu_group limit": (x, None, None, 0.0),
        "swiglu_group weight": (x, pa.ones((3, 1)), None, -1.0),
        "swiglu_group nothing": (pa.empty((0, 4)), None, None, -1.0),
        "swiglu_group_grad": (pa.ones((2, 2)), x, None, None, None, 0.0),
        "situ_glu": (x, 1, 1.0, 0.0, True),
        "situ_glu_grad": (pa.ones((2, 2)), x, 1, 1.0, 0.0, True),
        "cdist": (x, x, 1.0, 2),
        "pdist": (x, 1.0),
        "pdist_forward": (x, 1.0),
        "iou": (x, x, "iou", 0.0, False),
        "iou bfloat16": (half, half, "iou", 0.0, False),
        "logdet": (pa.ones((2, 2)),),
        "slogdet": (pa.ones((2, 2)),),
        "sign_bits_pack": (pa.ones((8,)), 1),
        "sign_bits_unpack": (pa.ones((1,), "uint8"), 1, "float32"),
        "precision_compare": (x, x),
        "precision_compare nothing": (None, x),
        "exp_segsum": (pa.ones((2, 3, 4)),),
        "repeat_interleave_grad": (x, pa.full((1,), 2, "int64"), 1, {"out": pa.ones((2, 2))}),
        "repeat_interleave_grad axis": (x, pa.full((1,), 2, "int64"), 2, {"out": pa.ones((2, 2))}),
        "repeat_interleave_grad shape": (x, pa.full((1,), 2, "int64"), 1, {"out": pa.ones((2, 3))}),
        "repeat_interleave_grad nothing": (x, pa.empty((0,), "int64"), 1, {"out": pa.ones((2, 2))}),
        "sinkhorn": (x, None),
        "modulate_backward": (pa.ones((2, 3, 4)), pa.ones((2, 3, 4)), x, x),
        "ada_layer_norm_backward": (
            pa.ones((3, 4)), pa.ones((3, 4)), (4,), pa.ones((3, 1)), pa.ones((3, 1)), pa.ones(4),
            pa.ones(4), None, None,
        ),
        "r_relu_with_noise": (x, x, 0.1, 0.3, True, 1, 0),
        "r_relu_with_noise bfloat16": (half, half, 0.1, 0.3, True, 1, 0),
        "sleep": ((1,),),
        "sleep nothing": ((),),
        "sleep backwards": ((-(2**63), 5),),
    }
    codes = {}
    for name, arguments in calls.items():
        *given, last = arguments
        named = last if isinstance(last, dict) else {}
        try:
            pa.ops[name.split()[0]](*given, *(() if named else (last,)), **named)
            codes[name] = 0
        except pa.AclError as error:
            codes[name] = error.code
    print(json.dumps(codes))
"""

CHIPS = ("Ascend910A", "Ascend310P1", "Ascend910B1", "Ascend910_95")

#: Operator -> what each of these chips answers.
EXPECTED = {
    "square": (161002, 161002, 161002, 0),
    "xlog1py": (561103, 561103, 561103, 0),
    "add_n": (161002, 161002, 0, 0),
    "scale": (161002, 0, 0, 0),
    "scale bfloat16": (161002, 161002, 0, 0),
    "modulate": (161002, 161002, 0, 0),
    "fatrelu_mul": (561003, 561003, 0, 561003),
    "clipped_swiglu": (561003, 561003, 0, 561003),
    "clipped_swiglu_v2": (561003, 561003, 561003, 0),
    "clipped_swiglu_v2 mode": (561003, 561003, 561003, 561002),
    "clipped_swiglu_v2 groups": (561003, 561003, 561003, 561002),
    "clipped_swiglu_v2 limit": (561003, 561003, 561003, 561002),
    "clipped_swiglu_grad": (561003, 561003, 0, 0),
    "swiglu_group": (561003, 561003, 561003, 0),
    "swiglu_group limit": (561003, 561003, 561003, 561002),
    "swiglu_group weight": (561003, 561003, 561003, 561002),
    "swiglu_group nothing": (561003, 561003, 561003, 561002),
    "swiglu_group_grad": (561103, 561103, 561103, 0),
    "situ_glu": (561003, 561003, 0, 0),
    "situ_glu_grad": (561003, 561003, 0, 0),
    "cdist": (161002, 161002, 0, 0),
    "pdist": (0, 561103, 0, 561103),
    "pdist_forward": (0, 561103, 0, 561103),
    "iou": (561003, 0, 0, 0),
    "iou bfloat16": (561003, 561003, 0, 0),
    "logdet": (0, 561003, 0, 0),
    "slogdet": (0, 0, 0, 561003),
    "sign_bits_pack": (161002, 0, 0, 0),
    "sign_bits_unpack": (161002, 0, 0, 0),
    "precision_compare": (161002, 161002, 0, 0),
    "precision_compare nothing": (161002, 161002, 161001, 161001),
    "exp_segsum": (561003, 561003, 0, 561003),
    "repeat_interleave_grad": (561003, 561003, 561003, 0),
    "repeat_interleave_grad axis": (561003, 561003, 561003, 561002),
    "repeat_interleave_grad shape": (561003, 561003, 561003, 561002),
    "repeat_interleave_grad nothing": (561003, 561003, 561003, 561002),
    "sinkhorn": (561003, 561003, 0, 561003),
    "modulate_backward": (561003, 561003, 0, 561003),
    "ada_layer_norm_backward": (561003, 561003, 0, 561003),
    "r_relu_with_noise": (0, 561003, 0, 561003),
    "r_relu_with_noise bfloat16": (161002, 161002, 0, 561003),
    "sleep": (561003, 561003, 561003, 0),
    "sleep nothing": (561003, 561003, 561003, 561002),
    "sleep backwards": (561003, 561003, 561003, 561002),
}


@pytest.mark.parametrize("chip", CHIPS)
def test_the_chip_decides(chip: str) -> None:
    codes = json.loads(output_of(PROGRAM, PYACLNN_SIM_SOC=chip))

    assert codes == {name: row[CHIPS.index(chip)] for name, row in EXPECTED.items()}
