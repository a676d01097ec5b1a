"""Parameters that may be left out."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Callable

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.ops.arguments import converter
from pyaclnn.ops.default_values import TABLE
from pyaclnn.ops.defaults import REQUIRED, defaults_of
from pyaclnn.ops.spec import load_spec

KINDS = {"int": int, "float": float, "bool": bool, "string": str, "scalar": (float, int)}


def test_defaults_are_of_inputs_and_of_their_kinds() -> None:
    for names in TABLE:
        for name in names.split():
            spec = load_spec(name if name.startswith("acl") else f"aclnn{name}")
            kinds = {a.c_name: a.kind for a in spec.inputs}
            for parameter, value in defaults_of(spec.c_name).items():
                assert parameter in kinds, f"{name} has no input {parameter}"
                if value is not None:
                    expected = KINDS[kinds[parameter]]
                    assert type(value) in np.atleast_1d(expected), f"{name}.{parameter}"
                else:
                    assert kinds[parameter] not in ("int", "float", "bool", "dtype"), name


def test_no_operator_is_in_the_table_twice() -> None:
    names = [name for names in TABLE for name in names.split()]

    assert len(names) == len(set(names))


def test_what_is_called_optional_may_be_left_out() -> None:
    spec = pa.ops.flash_attention_score_grad.spec

    required = [a.name for a in spec.inputs if a.default is REQUIRED]

    assert required == ["query", "key_in", "value", "dy", "head_num", "input_layout"]


def test_every_default_is_accepted_by_its_own_call() -> None:
    for c_name in abi.operators():
        for argument in load_spec(c_name).inputs:
            if argument.default is not REQUIRED:
                converter(c_name, argument)(argument.default, [])


def test_the_usual_calls_need_the_operands_alone() -> None:
    x = pa.asarray(np.float32([[1, 2], [3, 4]]))

    for _ in range(3):
        assert pa.ops.add(x, x).tolist() == [[2, 4], [6, 8]]
        assert pa.ops.sub(x, x, 2).tolist() == [[-1, -2], [-3, -4]]
        assert pa.ops.adds(x, 1).tolist() == [[2, 3], [4, 5]]
        assert pa.ops.matmul(x, x).tolist() == [[7, 10], [15, 22]]
        assert pa.ops.amax(x, [1]).tolist() == [2, 4]
        assert pa.ops.arg_max(x, 0).tolist() == [1, 1]


def test_help_says_dtypes_by_chip_shapes_and_refusals() -> None:
    text = pydoc.render_doc(pa.ops.relu, renderer=pydoc.plaintext)

    for said in ("Of float32, float16", "on Atlas A2 and A3 also bfloat16", "Shape: that of self",
                 "out = self where it is positive", "at most 8 dimensions",
                 "torch.relu"):  # fmt: skip
        assert said in text


def test_nothing_that_must_be_given_is_behind_what_need_not_be() -> None:
    parameter = inspect.Parameter
    for c_name in abi.operators():
        optional = False
        for p in load_spec(c_name).python_signature().parameters.values():
            optional |= (
                p.kind is parameter.POSITIONAL_OR_KEYWORD and p.default is not parameter.empty
            )
            required_by_place = (
                p.kind is not parameter.KEYWORD_ONLY and p.default is parameter.empty
            )
            assert not (optional and required_by_place), c_name


@pytest.mark.parametrize("times", [1, 3])
def test_what_is_named_may_stand_at_its_place_in_c_too(times: int) -> None:
    x = pa.asarray(np.float32([1, 2, 4]))

    for _ in range(times):
        assert pa.ops.std(x, None, correction=0).item() == pytest.approx(np.std([1, 2, 4]))
        assert pa.ops.std(x, None, 0, False).item() == pytest.approx(np.std([1, 2, 4]))
        with pytest.raises(TypeError, match="missing a required argument: 'correction'"):
            pa.ops.std(x)
        with pytest.raises(TypeError, match="argument 'corection'; the nearest are correction"):
            pa.ops.std(x, corection=1)
        with pytest.raises(TypeError, match="multiple values for argument 'dim'"):
            pa.ops.std(x, None, dim=None, correction=1)


@pytest.fixture
def layer_norm() -> Callable[..., list[np.ndarray]]:
    rng = np.random.default_rng(3)
    grad, x = (rng.standard_normal((2, 5)).astype(np.float32) for _ in range(2))
    mean, rstd = x.mean(1, keepdims=True), 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    given = [pa.asarray(grad), pa.asarray(x), [5], pa.asarray(mean), pa.asarray(rstd)]

    def call(*more: object, **named: object) -> list[np.ndarray]:
        return [t.numpy() for t in pa.ops.layer_norm_backward(*given, *more, **named)]

    return call


def test_leaving_out_is_passing_the_default_in_every_call(
    layer_norm: Callable[..., list[np.ndarray]],
) -> None:
    mask = [True, True, True]
    expected = layer_norm(None, None, mask)

    # The second call of an operator compiles it.
    for _ in range(3):
        for got, right in zip(layer_norm(output_mask=mask), expected, strict=True):
            np.testing.assert_array_equal(got, right)


def test_attributes_have_the_documents_values() -> None:
    image = pa.asarray(np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3))
    grid = pa.asarray(np.zeros((1, 2, 2, 2), np.float32))
    grad = pa.ones((1, 1, 2, 2), np.float32)
    mask = [True, True]

    for _ in range(3):
        default = pa.ops.grid_sampler2d_backward(grad, image, grid, 0, 0, output_mask=mask)
        written = pa.ops.grid_sampler2d_backward(grad, image, grid, 0, 0, False, mask)

        for got, right in zip(default, written, strict=True):
            np.testing.assert_array_equal(got.numpy(), right.numpy())


def test_a_required_parameter_after_an_optional_one_is_asked_for(
    layer_norm: Callable[..., list[np.ndarray]],
) -> None:
    layer_norm(None, None, [True, True, True])

    for _ in range(3):
        with pytest.raises(TypeError, match="missing a required argument: 'output_mask'"):
            layer_norm()


def test_arrays_and_numbers_are_not_taken_for_tensors() -> None:
    for value in (np.zeros(3, np.float32), 1.5):
        with pytest.raises(TypeError, match=r"a pyaclnn\.Tensor or None is needed"):
            pa.ops.selu_backward(pa.zeros(3), value)
