"""Which chips an operator is for, where its source and its document have to be read for that."""

from __future__ import annotations

import pytest
from children import output_of

PROGRAM = """
    import pyaclnn as pa
    image, pooled = pa.ones((1, 1, 4, 4)), pa.ones((1, 1, 2, 2))
    index = pa.ones((1, 1, 2, 2), "int32")
    x, half = pa.ones((2, 3)), pa.ones((2, 3), "bfloat16")
    calls = {{
        "adaptive_max_pool2d_backward": (pooled, image, index),
        "kl_div_target_backward": (x, x, x, 0, False),
        "binary_cross_entropy_with_logits_target_backward": (x, x, x, None, None, 0),
        "binary_cross_entropy_with_logits_target_backward bfloat16":
            (half, half, half, None, None, 0),
        "cross_entropy_loss_grad": (
            pa.ones(2), x, pa.ones(2, "int32"), None, None, None, "none", -100, 0.0, 0.0
        ),
        "nan_to_num": (x, 0.0, 1.0, -1.0),
        "angle_v2": (x,),
        "reduce_nansum": (x, (), False, "float32"),
        "gcd": (pa.ones(2, "int64"), pa.ones(2, "int64")),
        "pow_tensor_scalar": (pa.ones(2, "int32"), -1),
    }}
    try:
        pa.ops["{name}".split()[0]](*calls["{name}"])
        print(0)
    except pa.AclError as error:
        print(error.code)
"""


@pytest.mark.parametrize(
    ("chip", "name", "expected"),
    [
        ("Ascend910_9391", "adaptive_max_pool2d_backward", 0),
        ("Ascend910_95", "adaptive_max_pool2d_backward", 161002),
        ("Ascend910A", "adaptive_max_pool2d_backward", 161002),
        ("Ascend910_9391", "kl_div_target_backward", 0),
        ("Ascend910_95", "kl_div_target_backward", 161002),
        ("Ascend910A", "binary_cross_entropy_with_logits_target_backward", 0),
        ("Ascend910A", "binary_cross_entropy_with_logits_target_backward bfloat16", 561103),
        ("Ascend910_95", "binary_cross_entropy_with_logits_target_backward bfloat16", 0),
        ("Ascend910B1", "cross_entropy_loss_grad", 161002),
        ("Ascend910_95", "cross_entropy_loss_grad", 0),
        ("Ascend910A", "nan_to_num", 161002),
        ("Ascend310P1", "angle_v2", 561003),
        ("Ascend910_95", "reduce_nansum", 161002),
        ("Ascend910A", "gcd", 161002),
        ("Ascend910_95", "pow_tensor_scalar", 161002),
        ("Ascend910B1", "pow_tensor_scalar", 0),
    ],
)
def test_the_chip_decides(chip: str, name: str, expected: int) -> None:
    assert output_of(PROGRAM.format(name=name), PYACLNN_SIM_SOC=chip) == str(expected)
