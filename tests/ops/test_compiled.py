"""The calls that are compiled: what they keep between calls, and what they leave to the general."""

from __future__ import annotations

import dis
import gc
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.abi import ffi
from pyaclnn.ops import compiled
from pyaclnn.ops.rules import has_data_dependent_shapes
from pyaclnn.ops.spec import Argument
from pyaclnn.sim import control
from pyaclnn.table import ROWS
from pyaclnn.tensor.cached import clear_caches


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.fixture
def rows() -> dict[str, pa.Tensor]:
    """Arguments of a layer normalisation's gradient: eight rows of five."""
    x = normal(8, 5)
    mean = x.mean(axis=1, keepdims=True)
    return {
        "grad": pa.asarray(normal(8, 5)),
        "x": pa.asarray(x),
        "mean": pa.asarray(mean),
        "rstd": pa.asarray(1 / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)),
        "weight": pa.asarray(np.ones(5, np.float32)),
    }


def layer_norm(rows: dict[str, pa.Tensor], shape=(5,), mask=(True, True, True), **options):
    return pa.ops.layer_norm_backward(
        rows["grad"], rows["x"], shape, rows["mean"], rows["rstd"], rows["weight"], None, mask,
        **options,
    )  # fmt: skip


@pytest.mark.exhaustive  # It compiles the calls of all operators.
def test_the_names_a_compiled_call_uses_are_no_operators_parameters() -> None:
    checked = 0
    for name in (row.c_name for row in ROWS):
        operator = pa.ops[name]
        if not compiled.compilable(operator.spec):
            continue
        source, _ = compiled._source(operator.spec, operator.resolve())
        code = next(c for c in compile(source, name, "exec").co_consts if hasattr(c, "co_names"))
        parameters = code.co_varnames[: len(operator.spec.inputs)]

        assert parameters == tuple(a.name for a in operator.spec.inputs)
        # Its own variables and what it looks up are told apart from parameters by their names.
        outputs = {a.name for a in operator.spec.outputs}
        own = set(code.co_varnames) - {*parameters, "extra", "out", "stream", *outputs}
        assert all(n.startswith("_") for n in own), name
        looked_up = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
        assert all(n.startswith("_") or n[0].isupper() for n in looked_up), name
        checked += 1
    assert checked > 80


def test_the_function_of_an_operator_is_shown() -> None:
    source = pa.ops.threshold_backward.source()
    constants = compile(source, "threshold_backward", "exec").co_consts
    code = next(c for c in constants if hasattr(c, "co_name"))

    assert code.co_name == "threshold_backward"
    assert code.co_varnames[:3] == ("grad_output", "self", "threshold")
    # What a call finds with its eyes open: the two phases, in this order.
    assert source.index("_phase1(") < source.index("_phase2(")
    # Lists among several outputs are left to the general call.
    assert pa.ops.lstm.source() == ""


def test_views_of_one_shape_share_what_is_kept_of_a_call() -> None:
    x = pa.asarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    operator = pa.ops.relu
    operator(x)
    operator(x)
    described = []
    kept = operator.__call__.__globals__
    describe = kept["_describe"]
    kept["_describe"] = lambda arguments: described.append(arguments) or describe(arguments)
    try:
        results = [operator(x.T) for _ in range(5)]
    finally:
        kept["_describe"] = describe
    assert len(described) <= 1
    for result in results:
        np.testing.assert_array_equal(result.numpy(), x.numpy().T)


def test_repeated_calls_agree_with_the_first(rows: dict[str, pa.Tensor]) -> None:
    first = [t.numpy() for t in layer_norm(rows)]
    for _ in range(3):
        for again, expected in zip(layer_norm(rows), first, strict=True):
            np.testing.assert_array_equal(again.numpy(), expected)


@pytest.mark.parametrize("shape", [[5], (5,)])
def test_several_outputs_are_written_where_the_caller_says(
    rows: dict[str, pa.Tensor], shape: object
) -> None:
    expected = [t.numpy() for t in layer_norm(rows)]
    for _ in range(3):
        out = (pa.zeros((8, 5)), pa.zeros(5), pa.zeros(5))
        returned = layer_norm(rows, shape, out=out)
        assert all(a is b for a, b in zip(returned, out, strict=True))
    for tensor, value in zip(out, expected, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), value)


def test_an_output_that_the_mask_leaves_out_is_none(rows: dict[str, pa.Tensor]) -> None:
    for _ in range(3):
        grad, weight, bias = layer_norm(rows, mask=[True, False, True])
        assert weight is None
        assert grad.shape == (8, 5)
        assert bias.shape == (5,)


def test_an_array_of_equal_values_of_another_type_is_still_refused(
    rows: dict[str, pa.Tensor],
) -> None:
    for _ in range(3):
        layer_norm(rows, [5])
    with pytest.raises(TypeError, match="normalized_shape: an integer is needed, not float"):
        layer_norm(rows, [5.0])


def test_two_outputs_that_share_memory_are_refused(rows: dict[str, pa.Tensor]) -> None:
    for _ in range(2):
        layer_norm(rows)
    both = pa.zeros(8)
    with pytest.raises(ValueError, match="overlaps"):
        layer_norm(rows, out=(pa.zeros((8, 5)), both[:5], both[3:]))


def test_none_where_a_tensor_must_be_is_refused_by_cann() -> None:
    x = pa.asarray(normal(4))
    for _ in range(3):
        pa.ops.selu_backward(x, x)
    with pytest.raises(pa.AclError) as refused:
        pa.ops.selu_backward(x, None, out=pa.zeros(4))
    assert refused.value.code == 161001


def test_the_same_list_of_tensors_is_described_once() -> None:
    parts = [pa.asarray(normal(2, 3)), pa.asarray(normal(4, 3))]
    out = pa.zeros((6, 3))
    for _ in range(3):
        pa.ops.cat(parts, 0, out=out)
    before = control.count("tensor"), control.count("tensor_list")

    for _ in range(50):
        pa.ops.cat(list(parts), 0, out=out)

    assert (control.count("tensor"), control.count("tensor_list")) == before
    np.testing.assert_array_equal(out.numpy(), np.concatenate([p.numpy() for p in parts]))


def test_tensors_of_the_same_memory_share_the_description_of_their_list() -> None:
    # Garbage of other tests that is freed in the middle would offer a third block.
    gc.collect()
    kept = pa.asarray(normal(2, 3))
    out = pa.zeros((4, 3))
    clear_caches()
    before = control.count("tensor_list")
    for _ in range(20):
        other = pa.asarray(normal(2, 3))
        for _ in range(3):
            pa.ops.cat([kept, other], 0, out=out)
        np.testing.assert_array_equal(out.numpy()[2:], other.numpy())
    del other

    # Twenty lists, of memory that came back: descriptions are found by layout and address.
    assert control.count("tensor_list") <= before + 2
    clear_caches()
    assert control.count("tensor_list") == before


def test_a_closed_tensor_in_a_known_list_is_refused() -> None:
    parts = [pa.asarray(normal(2, 3)), pa.asarray(normal(4, 3))]
    for _ in range(3):
        pa.ops.cat(parts, 0)
    parts[1].close()
    with pytest.raises(pa.ClosedError):
        pa.ops.cat(parts, 0)


def test_an_output_among_the_listed_tensors_is_found() -> None:
    parts = [pa.asarray(normal(2, 3)), pa.asarray(normal(2, 3))]
    whole = pa.zeros((4, 3))
    for _ in range(3):
        pa.ops.cat(parts, 0, out=whole)
    with pytest.raises(ValueError, match="overlaps"):
        pa.ops.cat([whole[1:3], parts[0]], 0, out=whole)


def test_outputs_follow_from_the_arguments_of_each_call(rows: dict[str, pa.Tensor]) -> None:
    """What the rules said is kept for calls alike, and told apart from others."""
    for _ in range(3):
        assert [t.shape for t in layer_norm(rows)] == [(8, 5), (5,), (5,)]
        no_weight = layer_norm(rows, mask=(True, False, True))
        assert [None if t is None else t.shape for t in no_weight] == [(8, 5), None, (5,)]
        half = {k: pa.asarray(v.numpy(), dtype="float16") for k, v in rows.items()}
        assert {t.dtype.name for t in layer_norm(half)} == {"float16"}
        transposed = rows | {"x": pa.asarray(rows["x"].numpy().T).T}
        assert [t.shape for t in layer_norm(transposed)] == [(8, 5), (5,), (5,)]


@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_outputs_follow_from_arrays_of_any_kind(kind: Any) -> None:
    x, row, one = pa.asarray(normal(8, 5)), pa.ones((8, 1)), pa.ones((1, 1))

    for _ in range(3):
        for shape, statistic in (((5,), row), ((8, 5), one)):
            outputs = pa.ops.layer_norm_backward(
                x, x, kind(shape), statistic, statistic, None, None, [True] * 3
            )
            assert [t.shape for t in outputs] == [(8, 5), shape, shape]


def test_what_a_list_is_joined_to_follows_from_the_dimension() -> None:
    a, b = pa.ones((2, 3)), pa.zeros((2, 3))

    for _ in range(3):
        assert pa.ops.cat([a, b], 0).shape == (4, 3)
        assert pa.ops.cat([a, b], 1).shape == (2, 6)
        assert pa.ops.cat([b, a, b], 0).shape == (6, 3)


def test_outputs_allocated_on_two_streams_belong_to_each(rows: dict[str, pa.Tensor]) -> None:
    here = pa.current_stream()
    there = here.device.create_stream()

    for _ in range(3):
        for stream in (here, there):
            on_it = {k: pa.asarray(v.numpy(), stream=stream) for k, v in rows.items()}
            with stream:
                outputs = layer_norm(on_it)

            assert {t.buffer.stream for t in outputs} == {stream}


def an_argument(argument: Argument, position: int) -> Any:
    """Return a value of the kind a parameter takes."""
    values = {
        "tensor": lambda: pa.ones((2, position + 1)),
        "tensor_list": lambda: [pa.ones(position + 1), pa.zeros(3)],
        "scalar": lambda: [0.5, 3, True, 0.0, None][position % 5],
        "scalar_list": lambda: [0.5, position, 0.0],
        "int_array": lambda: [position, 2] if position % 3 else None,
        "float_array": lambda: (0.5, 0.0),
        "bool_array": lambda: [True, False],
        "string": lambda: "none" if position % 2 else None,
        "float": lambda: 0.25,
        "bool": lambda: True,
        "dtype": lambda: 0,
    }
    return values[argument.kind]() if argument.kind in values else position


def test_a_compiled_call_hands_c_what_the_general_call_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of every operator there is, simulated or not: the two C functions are replaced."""
    pa.ops.hardswish_backward(pa.ones(2), pa.ones(2))  # cells for the results are there
    seen: list[tuple[Any, ...]] = []

    def phase1(*arguments: Any) -> int:
        seen.append(arguments[:-2])
        arguments[-2][0] = 0
        return 0

    def general(*arguments: Any) -> None:
        raise AssertionError(f"{operator.name} left {arguments} to the general call")

    checked = 0
    for name in dir(pa.ops):
        operator = pa.ops[name]
        # Outputs that get a shape by the run are taken by the general call alone.
        if not compiled.compilable(operator.spec) or has_data_dependent_shapes(operator.c_name):
            continue
        monkeypatch.setattr(operator, "resolve", lambda: (phase1, lambda *_: 0))
        monkeypatch.setattr(operator, "_phase1", phase1)
        monkeypatch.setattr(operator, "_phase2", lambda *_: 0)
        inputs = tuple(an_argument(a, n) for n, a in enumerate(operator.spec.inputs))
        outputs = tuple(an_argument(a, n) for n, a in enumerate(operator.spec.outputs))
        out = None if not outputs else outputs[0] if len(outputs) == 1 else outputs
        seen.clear()

        # First what makes the descriptors.
        wanted = operator.call(inputs, out, None, {})
        got = compiled.compile_call(operator.spec, operator.resolve(), general)(*inputs, out=out)

        first, second = seen
        for argument, a, b in zip(operator.spec.arguments, first, second, strict=True):
            # Lists have aclTensors of their own.
            if argument.kind == "tensor_list":
                assert ffi.typeof(a) is ffi.typeof(b), (name, argument)
            else:
                assert (a, type(a)) == (b, type(b)), (name, argument)
        assert (got is wanted) or all(g is w for g, w in zip(got, wanted, strict=True)), name
        checked += 1
    assert checked > 900


def test_arguments_that_do_not_exist_are_refused_by_name(rows: dict[str, pa.Tensor]) -> None:
    x = rows["x"]
    for _ in range(3):
        with pytest.raises(
            TypeError, match=r"softshrink_backward.*unexpected keyword argument 'lamda'"
        ):
            pa.ops.softshrink_backward(x, x, 0.5, lamda=0.5)
        with pytest.raises(TypeError, match="too many positional arguments"):
            pa.ops.softshrink_backward(x, x, 0.5, 0.25)
        with pytest.raises(TypeError, match="missing a required argument: 'lambd'"):
            pa.ops.softshrink_backward(x, x)
        pa.ops.softshrink_backward(x, x, 0.5)


def test_an_output_is_taken_by_its_name(rows: dict[str, pa.Tensor]) -> None:
    x = rows["x"]
    for _ in range(3):
        out = pa.empty(x.shape)

        assert pa.ops.softshrink_backward(x, x, 0.5, grad_input=out) is out
        with pytest.raises(TypeError, match="by `out` or by their names, not both"):
            pa.ops.softshrink_backward(x, x, 0.5, out=out, grad_input=out)
