"""Normalisation gradients: empty tensors, outputs left out, and what differs between chips."""

from __future__ import annotations

import numpy as np
import pytest
from children import output_of
from operators.calls import INNER_NULL, code, ones

import pyaclnn as pa

MASK = (True, True, True)


def test_an_empty_batch_is_not_looked_at_further() -> None:
    x = ones(0, 3, 4)
    none = (None,) * 5
    out = pa.ops.batch_norm_backward(x, x, *none, True, 1e-5, None, out=(ones(9), None, None))
    assert out[0].numpy().tolist() == [1.0] * 9


def test_sums_over_no_rows_are_zero() -> None:
    x, rows = ones(0, 4), ones(0, 1)
    out = pa.ops.layer_norm_backward(x, x, (4,), rows, rows, None, None, MASK)
    assert [t.numpy().tolist() for t in out] == [[], [0.0] * 4, [0.0] * 4]


def test_outputs_that_the_mask_leaves_out_are_none() -> None:
    x, rows = ones(2, 4), ones(2, 1)
    out = pa.ops.layer_norm_backward(x, x, (4,), rows, rows, None, None, (False, True, False))
    assert [t is None for t in out] == [True, False, True]


def test_weights_of_a_layer_norm_decide_the_dtype_of_their_gradients() -> None:
    x, rows, w = ones(2, 4, dtype="float16"), ones(2, 1), ones(4)
    out = pa.ops.layer_norm_backward(x, x, (4,), rows, rows, w, None, MASK)
    assert [t.dtype.name for t in out] == ["float16", "float32", "float32"]


@pytest.mark.parametrize(("shape", "count"), [((3,), 6), ((5, 4), 2)])
def test_a_normalized_shape_that_goes_unnoticed_writes_nothing(
    shape: tuple[int, ...], count: int
) -> None:
    # CANN compares from the wrong place, finds no kernel, and does not look whether it has one.
    x, rows = ones(2, 3, 4), ones(count)
    before = pa.full((2, 3, 4), 7.0)
    pa.ops.layer_norm_backward(
        x, x, shape, rows, rows, None, None, (True, False, False), out=(before, None, None)
    )
    assert (before.numpy() == 7).all()


def test_sums_of_a_layer_norm_are_not_copied_to_another_shape() -> None:
    x, rows, other = ones(2, 4), ones(2, 1), pa.full((1, 4), 7.0)
    outputs = (ones(2, 4), other, ones(4))
    pa.ops.layer_norm_backward(x, x, (4,), rows, rows, None, None, MASK, out=outputs)
    assert (other.numpy() == 7).all()
    assert (outputs[2].numpy() == 2).all()


@pytest.mark.parametrize("chip", ["Ascend910A", "Ascend310P3"])
def test_bfloat16_of_a_layer_norm_is_accepted_where_no_kernel_computes_it(chip: str) -> None:
    program = """
    import pyaclnn as pa
    x, rows, out = pa.ones((2, 4), "bfloat16"), pa.ones((2, 1)), pa.full((2, 4), 7, "bfloat16")
    outputs = (out, None, None)
    pa.ops.layer_norm_backward(x, x, (4,), rows, rows, None, None, (1, 0, 0), out=outputs)
    print(float(out.numpy().astype("f4").min()))
    """
    assert output_of(program, PYACLNN_SIM_SOC=chip) == "7.0"


CHIP = """
    import numpy as np, pyaclnn as pa
    x = pa.asarray(np.array([[1, 4], [3, 8]], np.float32))
    mean, saved = (pa.asarray(np.array(v, np.float32)) for v in ([2, 6], [1, 4]))
    none = (None, None, None)
    dx, dw, db = pa.ops.batch_norm_backward(
        pa.asarray(np.array([[1, 1], [0, 3]], np.float32)), x, *none, mean, saved, True, 0.0,
        (True, True, True),
    )
    print(dw.numpy().tolist())
"""


@pytest.mark.parametrize(
    ("soc", "sums"),
    # Σ grad·(x - mean) is [-1, 4]; the variances are [1, 4].
    [("Ascend910B1", "[-1.0, 2.0]"), ("Ascend910A", "[-1.0, 2.0]"), ("Ascend950", "[-1.0, 16.0]")],
)
def test_the_saved_statistic_is_a_variance_before_the_950(soc: str, sums: str) -> None:
    assert output_of(CHIP, PYACLNN_SIM_SOC=soc) == sums


def test_statistics_are_resized_also_where_no_gradient_is_wanted() -> None:
    x, short = pa.ones((2, 4, 3)), pa.ones((3,))
    none = (None,) * 3
    for mask in ((False,) * 3, (True, False, False)):
        given = (x, x, *none, short, None, True, 1e-5, mask)
        out = (pa.empty_like(x), None, None)
        assert code("batch_norm_backward", *given, out=out) == INNER_NULL


def test_inference_does_not_read_an_infinite_input() -> None:
    x = pa.asarray(np.array([[np.inf, 1.0]], np.float32))
    out, _, _ = pa.ops.batch_norm_backward(
        ones(1, 2), x, None, None, None, None, None, False, 0.0, (True, False, False)
    )
    assert out.numpy().tolist() == [[1.0, 1.0]]
