"""Sizes, scales and counts that no memory has, or no processor comes to the end of."""

from __future__ import annotations

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa


def one_element(values: object) -> list[object]:
    return np.asarray(values).ravel().tolist()


@pytest.mark.parametrize("reduction", [0, 1, 2])
def test_a_sum_over_no_terms_is_zero(reduction: int) -> None:
    one_column = pa.ones((2, 1))
    nothing = pa.ones((1, 0))

    gradient = pa.ops.kl_div_backward(one_column, one_column, nothing, reduction, True)

    assert one_element(gradient.numpy()) == [0, 0]


@pytest.mark.parametrize(("channels", "plane"), [(1, 60 + 2**62), (2, 30 + 2**61), (4, 15 + 2**60)])
def test_extents_whose_product_wraps_to_the_right_number_are_refused(
    channels: int, plane: int
) -> None:
    assert 4 * channels * plane % 2**64 == 240
    grad, mean = pa.ones((4, 60)), pa.ones((4,))

    with pytest.raises(pa.AclError, match="it must have 9223372036854775807 elements") as caught:
        pa.ops.group_norm_backward(
            grad, grad, mean, mean, None, 4, channels, plane, 1, [True, False, False],
            out=(pa.empty((4, 60)), None, None),
        )  # fmt: skip

    assert caught.value.code == 161002


@pytest.mark.parametrize(
    ("padding", "dilation"), [(2**62 + 1, 1), (2**63 - 1, 1), (1, 2**62 + 1), (2**62, 2**62)]
)
def test_a_window_whose_extent_wraps_is_refused(padding: int, dilation: int) -> None:
    image = pa.ones((1, 1, 4, 4))
    weight = pa.ones((1, 1, 3, 3))

    with pytest.raises(pa.AclError) as caught:
        pa.ops.convolution_backward(
            image, image, weight, [1], [1, 1], [padding] * 2, [dilation] * 2, False, [0, 0], 1,
            [True, True, True], 0,
        )  # fmt: skip

    assert caught.value.code in (161002, 561103)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        # A factor without end: all elements were copied from the first.
        (
            "pa.ops.upsample_nearest3d_backward("
            "pa.ones((1, 1, 1, 1, 4)), [1, 1, 4], [1, 1, 1, 1, 2], 1.0, 1.0, float('inf'))",
            "[4.0, 0.0]",
        ),
        # A filter as wide as the world: all elements share the first place, the others lie outside.
        (
            "pa.ops.upsample_bilinear2d_aa_backward("
            "pa.ones((1, 1, 4, 4)), [4, 4], [1, 1, 2, 2], False, 1e-20, 1e-20)",
            "[0.25, 0.25, 0.25, 0.25]",
        ),
        (
            "pa.ops.upsample_bilinear2d_aa_backward("
            "pa.ones((1, 1, 4, 4)), [4, 4], [1, 1, 2, 2], False, 5e-324, 5e-324)",
            None,
        ),
        ("pa.ones((2**40,))", "OutOfMemoryError"),
        ("pa.full((2**38, 3), 1.5, 'float64')", "OutOfMemoryError"),
        (
            "pa.ops.upsample_linear1d_backward("
            "pa.empty((1, 1, 1)).broadcast_to(1, 1, 2**29), [2**29], [1, 1, 1], False, -1.0)",
            "AclRuntimeError",
        ),
    ],
)
def test_a_call_without_end_ends(call: str, expected: str | None) -> None:
    printed = output_of(
        f"""
        import resource
        import pyaclnn as pa
        pa.empty(1)
        resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
        try:
            print({call}.numpy().ravel().tolist())
        except pa.AclError as error:
            print(type(error).__name__)
        """,
        PYACLNN_SIM_MEMORY="1G",
        PYACLNN_SIM_TASK_TIMEOUT="10",
    )
    assert expected is None or printed == expected


def roi_gradient(box: tuple[float, ...], samples: int, aligned: bool = True) -> np.ndarray:
    grad = np.arange(1, 5, dtype=np.float32).reshape(1, 1, 2, 2)
    boxes = pa.asarray(np.array([[0, *box]], np.float32))
    gradient = pa.ops.roi_align_v2_backward(
        pa.asarray(grad), boxes, [1, 1, 7, 8], 2, 2, 1.0, samples, aligned
    )
    return np.asarray(gradient.numpy())


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize(
    "box", [(0.7, 1.2, 5.9, 6.3), (-9, -2, 20, 9), (6, 5, 1, 2), (2.25, 3, 2.25, 6), (7, 6.5, 9, 9)]
)
def test_very_many_sampling_points_are_the_limit_of_many(
    box: tuple[float, ...], aligned: bool
) -> None:
    np.testing.assert_allclose(
        roi_gradient(box, 2**31 - 1, aligned), roi_gradient(box, 4000, aligned), atol=2e-2
    )
    np.testing.assert_allclose(
        roi_gradient(box, 4097, aligned), roi_gradient(box, 4096, aligned), atol=2e-2
    )


def test_a_kernel_that_takes_too_long_is_given_up_as_a_device_gives_it_up() -> None:
    printed = output_of(
        """
        import pyaclnn as pa
        x, grad = pa.ones((1, 20_000, 8)), pa.ones((1, 1, 1)).broadcast_to(1, 20_000, 20_000)
        try:
            pa.ops.cdist_backward(grad, x, x, grad, 1.5, out=pa.empty((1, 20_000, 8))).numpy()
        except pa.AclError as error:
            print(error.code, "PYACLNN_SIM_TASK_TIMEOUT" in str(error))
        y = pa.ops.selu_backward(x[:, :2], x[:, :2])
        print(y.numpy().shape)
        """,
        PYACLNN_SIM_MEMORY="256G",  # the workspace, which nothing touches
        PYACLNN_SIM_TASK_TIMEOUT="1",
    )
    assert printed == "507014 True\n(1, 2, 8)"
