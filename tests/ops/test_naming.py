"""C names to Python names."""

from __future__ import annotations

import pytest

from pyaclnn.ops.naming import likely_c_name, operator_name, snake_case


@pytest.mark.parametrize(
    ("c_name", "name"),
    [
        ("aclnnSoftshrinkBackward", "softshrink_backward"),
        ("aclnnHardswishBackwardV2", "hardswish_backward_v2"),
        ("aclnnMaxPool2dWithIndicesBackward", "max_pool2d_with_indices_backward"),
        ("aclnnGridSampler2DBackward", "grid_sampler2d_backward"),
        ("aclnnNLLLoss2d", "nll_loss2d"),
        ("aclnnFFNV2", "ffn_v2"),
        ("aclnnUpsampleBicubic2dAAGrad", "upsample_bicubic2d_aa_grad"),
        ("aclRfft1D", "rfft1d"),
    ],
)
def test_operator_names_are_snake_case(c_name: str, name: str) -> None:
    assert operator_name(c_name) == name


@pytest.mark.parametrize(
    ("c_name", "name"), [("gradOutput", "grad_output"), ("lambda", "lambd"), ("from", "from_")]
)
def test_parameter_names_avoid_keywords(c_name: str, name: str) -> None:
    assert snake_case(c_name) == name


def test_the_guess_is_right_for_regular_names() -> None:
    assert likely_c_name("selu_backward") == "aclnnSeluBackward"
