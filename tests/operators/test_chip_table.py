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
        "clipped_swiglu_v2 limit": (x, None, 1, 1.0, 0.0, 1.0, True, 0),
        "clipped_swiglu_grad": (pa.ones((2, 2)), x, None, 1, 1.0, 7.0, 1.0, True),
        "swiglu_group": (x, None, None, -1.0),
        "swiglu_group limit": (x, None, None, 0.0),
        "swiglu_group weight": (x, pa.ones((3, 1)), None, -1.0),
        "swiglu_group nothing": (pa.empty((0, 4)), None, None, -1.0),
        "swiglu_group_grad": (pa.ones((2, 2)), x, None, None, None, 0.0),
        "situ_glu": (x, 1, 1.0, 0.0, True),
        "situ_glu_grad": (pa.ones((2, 2)), x, 1, 1.0, 0.0, True),
    }
    codes = {}
    for name, arguments in calls.items():
        try:
            pa.ops[name.split()[0]](*arguments)
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
    "clipped_swiglu_v2 limit": (561003, 561003, 561003, 561002),
    "clipped_swiglu_grad": (561003, 561003, 0, 0),
    "swiglu_group": (561003, 561003, 561003, 0),
    "swiglu_group limit": (561003, 561003, 561003, 561002),
    "swiglu_group weight": (561003, 561003, 561003, 561002),
    "swiglu_group nothing": (561003, 561003, 561003, 561002),
    "swiglu_group_grad": (561103, 561103, 561103, 0),
    "situ_glu": (561003, 561003, 0, 0),
    "situ_glu_grad": (561003, 561003, 0, 0),
}


@pytest.mark.parametrize("chip", CHIPS)
def test_the_chip_decides(chip: str) -> None:
    codes = json.loads(output_of(PROGRAM, PYACLNN_SIM_SOC=chip))

    assert codes == {name: row[CHIPS.index(chip)] for name, row in EXPECTED.items()}
