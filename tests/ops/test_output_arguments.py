"""Where outputs may be given: as out, as a list, or by their own names."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa


@pytest.fixture
def tensors() -> list[pa.Tensor]:
    return [pa.asarray(np.ones((2, 2), np.float32)) for _ in range(3)]


def test_a_single_list_of_tensors_is_given_as_it_is(tensors: list[pa.Tensor]) -> None:
    whole, *halves = tensors

    outputs = pa.ops.split_tensor.prepare_outputs((whole, 2, 0), halves, pa.current_stream())

    assert outputs == (halves,)


def test_something_else_than_tensors_in_such_a_list_is_refused(tensors: list[pa.Tensor]) -> None:
    with pytest.raises(TypeError, match=r"split_tensor: out must be a pyaclnn\.Tensor, not int"):
        pa.ops.split_tensor(tensors[0], 2, 0, out=[tensors[1], 3])


def test_out_and_the_other_outputs_may_be_given_by_their_names(tensors: list[pa.Tensor]) -> None:
    image, result, indices = tensors
    sizes = ([2, 2], [2, 2], [0, 0], [1, 1], False)

    _, out = pa.ops.max_pool2d_with_indices.bind((image, *sizes), result, {"indices": indices})

    assert out == (result, indices)


def test_out_and_names_together_are_refused_where_no_output_is_called_out(
    tensors: list[pa.Tensor],
) -> None:
    a, b, c = tensors

    with pytest.raises(TypeError, match="give outputs by `out` or by their names, not both"):
        pa.ops.sort(a, True, 0, False, out=(b, c), values_out=b)


def test_an_in_place_operator_takes_its_tensor_as_an_input() -> None:
    parameters = list(pa.ops.inplace_cumprod.__signature__.parameters)

    assert parameters == ["input", "dim", "out", "stream"]


def test_an_output_that_is_false_is_left_out() -> None:
    x = pa.asarray(np.array([[1, -4], [2, 8]], np.float16))

    for _ in range(3):  # the call is compiled with the second
        symmetric = pa.ops.dynamic_quant_v2(x, None, None, 2, offset_out=False)
        both = pa.ops.dynamic_quant_v2(x, None, None, 2)

        assert symmetric[2] is None
        assert symmetric[0].numpy().tolist() == [[32, -127], [32, 127]]
        assert both[0].numpy().tolist() == [[127, -128], [-128, 127]]


def test_outputs_in_order_may_be_false_too() -> None:
    x = pa.asarray(np.array([[1, -4], [2, 8]], np.float16))
    y = pa.empty((2, 2), "int8")

    plan = pa.ops.dynamic_quant_v2.plan(x, None, None, 2, out=(y, None, False))
    plan.run()

    assert plan.outputs[2] is None
    assert y.numpy().tolist() == [[32, -127], [32, 127]]


def test_what_must_be_written_may_not_be_left_out() -> None:
    with pytest.raises(pa.AclError) as error:
        pa.ops.relu(pa.ones((2,), "float32"), out=False)

    assert error.value.code == 161001
