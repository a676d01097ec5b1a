"""Normalisation gradients: what is refused, in CANN's order."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INNER_NULL, INVALID, NULL, TILING, code, ones

import pyaclnn as pa

MASK = (True, True, True)


class Call:
    """Right arguments of an operator by name, to be changed one at a time."""

    def __init__(self, operator: str, outputs: dict[str, pa.Tensor], **inputs: Any) -> None:
        self.operator = operator
        self.inputs = inputs
        self.outputs = outputs

    def code(self, **changed: Any) -> int:
        """The status with some arguments changed; 0 for success."""
        inputs = {n: changed.pop(n, v) for n, v in self.inputs.items()}
        outputs = tuple(changed.pop(n, v) for n, v in self.outputs.items())
        assert not changed, changed
        out = outputs[0] if len(outputs) == 1 else outputs
        return code(self.operator, **inputs, out=out)


def batch_norm(operator: str = "batch_norm_backward") -> Call:
    x, c = ones(2, 3, 4), ones(3)
    version = {"version": 0} if operator.startswith("fast") else {}
    return Call(
        operator,
        {"grad_input": ones(2, 3, 4), "grad_weight": ones(3), "grad_bias": ones(3)},
        grad_out=x, input=x, weight=c, running_mean=c, running_var=c, save_mean=c, save_invstd=c,
        training=True, eps=1e-5, output_mask=MASK, **version,
    )  # fmt: skip


def reduce() -> Call:
    x, c = ones(2, 3, 4), ones(3)
    outputs = {n: ones(3) for n in ("sum_dy", "sum_dy_xmu", "grad_weight", "grad_bias")}
    return Call(
        "batch_norm_reduce_backward", outputs, grad_out=x, input=x, mean=c, invstd=c, weight=c,
        input_g=True, weight_g=True, bias_g=True,
    )  # fmt: skip


def elemt() -> Call:
    x, c = ones(2, 3, 4), ones(3)
    return Call(
        "batch_norm_elemt_backward", {"grad_input": ones(2, 3, 4)}, grad_out=x, input=x, mean=c,
        invstd=c, weight=c, sum_dy=c, sum_dy_xmu=c, counter=ones(1, dtype="int32"),
    )  # fmt: skip


def layer_norm() -> Call:
    x, rows, w = ones(2, 3, 4), ones(2, 3, 1), ones(4)
    outputs = {"grad_input_out": ones(2, 3, 4), "grad_weight_out": ones(4)}
    outputs["grad_bias_out"] = ones(4)
    return Call(
        "layer_norm_backward", outputs, grad_out=x, input=x, normalized_shape=(4,), mean=rows,
        rstd=rows, weight_optional=w, bias_optional=w, output_mask=MASK,
    )  # fmt: skip


def add_layer_norm() -> Call:
    x, rows, w = ones(2, 3, 4), ones(2, 3, 1), ones(4)
    outputs = {"dx_out": ones(2, 3, 4), "dgamma_out": ones(4), "dbeta_out": ones(4)}
    return Call(
        "add_layer_norm_grad", outputs, dy=x, x1=x, x2=x, rstd=rows, mean=rows, gamma=w,
        dsum_optional=x,
    )  # fmt: skip


def deep_norm() -> Call:
    x, rows, w = ones(2, 3, 4), ones(2, 3, 1), ones(4)
    outputs = {"dx_out": ones(2, 3, 4), "dgx_out": ones(2, 3, 4)}
    outputs |= {"dbeta_out": ones(4), "dgamma_out": ones(4)}
    return Call(
        "deep_norm_grad", outputs, dy=x, x=x, gx=x, gamma=w, mean=rows, rstd=rows, alpha=1.0
    )


def rms_norm() -> Call:
    x = ones(2, 3, 8)
    outputs = {"dx_out": ones(2, 3, 8), "dgamma_out": ones(8)}
    return Call("rms_norm_grad", outputs, dy=x, x=x, rstd=ones(2, 3), gamma=ones(8))


def group_norm() -> Call:
    x, s = ones(2, 6, 5), ones(2, 3)
    outputs = {"grad_input": ones(2, 6, 5), "grad_gamma_out": ones(6)}
    outputs["grad_beta_out"] = ones(6)
    return Call(
        "group_norm_backward", outputs, grad_out=x, input=x, mean=s, rstd=s, gamma=ones(6),
        n=2, c=6, hx_w=5, group=3, output_mask=MASK,
    )  # fmt: skip


def group_norm_swish() -> Call:
    x, s, c = ones(2, 6, 5), ones(2, 3), ones(6)
    outputs = {"dx_out": ones(2, 6, 5), "dgamma_out": ones(6), "dbeta_out": ones(6)}
    return Call(
        "group_norm_swish_grad", outputs, dy=x, mean=s, rstd=s, x=x, gamma=c, beta=c, num_groups=3,
        data_format_optional="NCHW", swish_scale=1.0, dgamma_is_require=True, dbeta_is_require=True,
    )  # fmt: skip


CALLS = {
    "batch_norm": batch_norm, "fast_batch_norm": lambda: batch_norm("fast_batch_norm_backward"),
    "reduce": reduce, "elemt": elemt, "layer_norm": layer_norm, "add_layer_norm": add_layer_norm,
    "deep_norm": deep_norm, "rms_norm": rms_norm, "group_norm": group_norm,
    "group_norm_swish": group_norm_swish,
}  # fmt: skip

#: What each operator needs; a null one is found before anything else that is wrong.
REQUIRED = {
    "batch_norm": "grad_out input output_mask grad_input grad_weight grad_bias",
    "fast_batch_norm": "grad_out input output_mask grad_input grad_weight grad_bias",
    "reduce": "grad_out input mean invstd sum_dy sum_dy_xmu grad_weight grad_bias",
    "elemt": "grad_out input mean invstd sum_dy sum_dy_xmu counter grad_input",
    "layer_norm": "grad_out input normalized_shape mean rstd output_mask grad_input_out "
    "grad_weight_out grad_bias_out",
    "add_layer_norm": "dy x1 x2 rstd mean gamma dx_out dgamma_out dbeta_out",
    "deep_norm": "dy x gx gamma mean rstd dx_out dgx_out dbeta_out dgamma_out",
    "rms_norm": "dy x rstd gamma dx_out dgamma_out",
    "group_norm": "grad_out input mean rstd",
    "group_norm_swish": "dy mean rstd x gamma beta dx_out dgamma_out dbeta_out",
}

#: What may be left out, in operators that have such parameters.
OPTIONAL = {
    "batch_norm": "weight running_mean running_var save_mean save_invstd",
    "fast_batch_norm": "weight running_mean running_var save_mean save_invstd",
    "reduce": "weight",
    "elemt": "weight",
    "layer_norm": "weight_optional bias_optional",
    "add_layer_norm": "dsum_optional",
    "group_norm": "gamma",
    "group_norm_swish": "data_format_optional",
}


def each(table: dict[str, str]) -> Any:
    pairs = [(name, parameter) for name, text in table.items() for parameter in text.split()]
    return pytest.mark.parametrize(("name", "parameter"), pairs, ids=[f"{n}-{p}" for n, p in pairs])


@pytest.mark.parametrize("name", CALLS)
def test_right_arguments_are_accepted(name: str) -> None:
    assert CALLS[name]().code() == 0


@each(REQUIRED)
def test_a_null_argument_is_found_first(name: str, parameter: str) -> None:
    call = CALLS[name]()
    # Another dtype elsewhere would be refused too, but later. Only out= passes a null output.
    wrong = next(n for n in call.inputs if n != parameter)
    changed: dict[str, Any] = {wrong: ones(2, 3, 4, dtype="int16")}
    if parameter in call.outputs:
        rule_free = {n: v for n, v in call.outputs.items() if n != parameter}
        assert null_output(call, parameter, rule_free) == NULL
    else:
        assert call.code(**{parameter: None}, **changed) == NULL


def null_output(call: Call, parameter: str, given: dict[str, pa.Tensor]) -> int:
    """The status with one output null, through the raw surface: the operator would allocate it."""
    operator = pa.ops[call.operator]
    values = {**call.inputs, **given, parameter: None}
    keep: list[object] = []
    ordered = tuple(values[a.name] for a in operator.spec.arguments)
    arguments = operator.convert(ordered, keep)
    size, executor = pa.ffi.new("uint64_t *"), pa.ffi.new("aclOpExecutor **")
    phase1 = getattr(pa.lib, operator.c_name + "GetWorkspaceSize")
    return int(phase1(*arguments, size, executor))


@each(OPTIONAL)
def test_an_optional_argument_may_be_null(name: str, parameter: str) -> None:
    assert CALLS[name]().code(**{parameter: None}) == 0


@pytest.mark.parametrize("parameter", ["output_mask", "grad_input", "grad_gamma_out"])
def test_group_norm_answers_a_missing_output_as_an_invalid_argument(parameter: str) -> None:
    call = group_norm()
    if parameter == "output_mask":
        assert call.code(output_mask=None) == INVALID
    else:
        given = {n: v for n, v in call.outputs.items() if n != parameter}
        assert null_output(call, parameter, given) == INVALID


TENSORS = {
    name: " ".join(
        n for n, v in {**make().inputs, **make().outputs}.items() if isinstance(v, pa.Tensor)
    )
    for name, make in CALLS.items()
}


@each(TENSORS)
def test_an_integer_tensor_is_refused(name: str, parameter: str) -> None:
    call = CALLS[name]()
    right = {**call.inputs, **call.outputs}[parameter]
    wrong = ones(*right.shape, dtype="int16")
    # The weight of the reduction is not looked at.
    expected = 0 if (name, parameter) == ("reduce", "weight") else INVALID
    assert call.code(**{parameter: wrong}) == expected


#: Inputs whose dtype must be that of the first.
SAME_DTYPE = {
    "batch_norm": "input",
    "fast_batch_norm": "input",
    "reduce": "input",
    "layer_norm": "input weight_optional",
    "add_layer_norm": "x1 x2 gamma dsum_optional dx_out",
    "deep_norm": "x gx gamma dx_out dgx_out",
    "rms_norm": "x gamma dx_out",
    "group_norm": "input mean rstd gamma grad_input grad_gamma_out grad_beta_out",
    "group_norm_swish": "mean rstd x gamma beta dx_out dgamma_out dbeta_out",
}


@each(SAME_DTYPE)
def test_mixed_dtypes_are_refused(name: str, parameter: str) -> None:
    call = CALLS[name]()
    right = {**call.inputs, **call.outputs}[parameter]
    assert call.code(**{parameter: ones(*right.shape, dtype="float16")}) == INVALID


WRONG_SHAPE = {
    "batch_norm": (INVALID, "grad_out weight running_mean running_var grad_input"),
    "fast_batch_norm": (INVALID, "grad_out weight running_mean running_var grad_input"),
    "reduce": (INVALID, "sum_dy sum_dy_xmu grad_weight grad_bias"),
    "elemt": (INVALID, "grad_out mean invstd weight sum_dy sum_dy_xmu grad_input"),
    "layer_norm": (
        INVALID,
        "grad_out mean rstd weight_optional bias_optional grad_input_out grad_weight_out "
        "grad_bias_out",
    ),
    "add_layer_norm": (TILING, "x1 x2 rstd mean gamma dsum_optional dx_out dgamma_out dbeta_out"),
    "deep_norm": (TILING, "x gx gamma mean rstd dx_out dgx_out dbeta_out dgamma_out"),
    "rms_norm": (TILING, "x rstd gamma dx_out dgamma_out"),
    "group_norm": (INVALID, "grad_out mean rstd gamma grad_input grad_gamma_out grad_beta_out"),
    "group_norm_swish": (TILING, "mean rstd x gamma beta dx_out dgamma_out dbeta_out"),
}


@each({name: text for name, (_, text) in WRONG_SHAPE.items()})
def test_a_wrong_shape_is_refused(name: str, parameter: str) -> None:
    assert CALLS[name]().code(**{parameter: ones(2, 3, 5)}) == WRONG_SHAPE[name][0]


@pytest.mark.parametrize("parameter", ["save_mean", "save_invstd", "grad_weight", "grad_bias"])
def test_batch_norm_finds_statistics_of_another_length_late(parameter: str) -> None:
    assert batch_norm().code(**{parameter: ones(4)}) == INNER_NULL


@pytest.mark.parametrize("parameter", ["grad_out", "mean", "invstd"])
def test_the_reduction_finds_inputs_of_another_shape_late(parameter: str) -> None:
    assert reduce().code(**{parameter: ones(2, 3, 5)}) == INNER_NULL


@pytest.mark.parametrize("name", ["batch_norm", "fast_batch_norm", "reduce", "elemt"])
@pytest.mark.parametrize("rank", [1, 9])
def test_two_to_eight_dimensions_are_needed(name: str, rank: int) -> None:
    x = ones(*[1] * rank)
    call = CALLS[name]()
    changed = {"grad_out": x, "input": x, "grad_input": x}
    known = {n: v for n, v in changed.items() if n in {**call.inputs, **call.outputs}}
    assert call.code(**known) == INVALID


@pytest.mark.parametrize("name", ["reduce", "elemt"])
def test_no_channels_are_refused(name: str) -> None:
    x = ones(2, 0, 4)
    call = CALLS[name]()
    known = {
        n: x for n in ("grad_out", "input", "grad_input") if n in {**call.inputs, **call.outputs}
    }
    assert call.code(**known) == INVALID


@pytest.mark.parametrize("mask", [(True,), (True, True)])
def test_batch_norm_needs_three_flags(mask: tuple[bool, ...]) -> None:
    assert batch_norm().code(output_mask=mask) == INVALID


def test_batch_norm_takes_no_flags_for_a_null_mask() -> None:
    assert batch_norm().code(output_mask=()) == NULL


@pytest.mark.parametrize("mask", [(), (True,), (True,) * 4])
def test_the_other_norms_need_three_flags(mask: tuple[bool, ...]) -> None:
    assert layer_norm().code(output_mask=mask) == INVALID
    assert group_norm().code(output_mask=mask) == INVALID


@pytest.mark.parametrize("shape", [(), (3, 4, 2), (3, 5), (5, 2, 3, 4)])
def test_a_normalized_shape_that_input_does_not_end_with_is_refused(shape: tuple[int, ...]) -> None:
    call = layer_norm()
    assert call.code(normalized_shape=shape, weight_optional=None, bias_optional=None) == INVALID


@pytest.mark.parametrize(
    "changed",
    [{"group": 0}, {"group": -3}, {"group": 4}, {"n": 3}, {"c": 12}, {"hx_w": 6}],
    ids=str,
)
def test_a_wrong_number_of_groups_or_elements_is_refused(changed: dict[str, int]) -> None:
    assert group_norm().code(**changed) == INVALID


@pytest.mark.parametrize("groups", [0, -1, 4])
def test_a_wrong_number_of_groups_cannot_be_divided(groups: int) -> None:
    assert group_norm_swish().code(num_groups=groups) == TILING


def test_groups_have_at_most_8000_channels() -> None:
    x, s, c = ones(1, 8001), ones(1, 1), ones(8001)
    call = group_norm()
    status = call.code(
        grad_out=x, input=x, mean=s, rstd=s, gamma=c, n=1, c=8001, hx_w=1, group=1,
        grad_input=x, grad_gamma_out=c, grad_beta_out=c,
    )  # fmt: skip
    assert status == INVALID


def test_rms_norm_takes_float32_weights_with_half_inputs() -> None:
    h = ones(2, 3, 8, dtype="float16")
    assert rms_norm().code(dy=h, x=h, dx_out=h) == 0


@pytest.mark.parametrize("name", ["add_layer_norm", "deep_norm", "rms_norm"])
def test_kernels_refuse_empty_tensors(name: str) -> None:
    x, rows = ones(0, 3, 8), ones(0, 3, 1)
    w, stat = ones(8), ones(0, 3)
    changed = {
        "add_layer_norm": {"dy": x, "x1": x, "x2": x, "rstd": rows, "mean": rows, "gamma": w,
                           "dsum_optional": None, "dx_out": x, "dgamma_out": w, "dbeta_out": w},
        "deep_norm": {"dy": x, "x": x, "gx": x, "gamma": w, "mean": rows, "rstd": rows, "dx_out": x,
                      "dgx_out": x, "dbeta_out": w, "dgamma_out": w},
        "rms_norm": {"dy": x, "x": x, "rstd": stat, "gamma": w, "dx_out": x, "dgamma_out": w},
    }  # fmt: skip
    assert CALLS[name]().code(**changed[name]) == TILING
