"""Feed-forward networks that are gated or quantised, beside NumPy's; what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID
from operators.reasons import Written, assert_refused_on, written_reasons

import pyaclnn as pa
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

Array = np.ndarray[Any, Any]

HALF = "float16"
ROWS, DEPTH, HIDDEN = 5, 6, 8
SCALES = ("scale", "offset", "deq_scale1", "deq_scale2", "antiquant_scale1", "antiquant_scale2",
          "antiquant_offset1", "antiquant_offset2")  # fmt: skip
WITHOUT = dict.fromkeys(("expert_tokens", "bias1", "bias2", *SCALES))


def drawn(*shape: int, dtype: str = HALF, seed: int = 3) -> Array:
    values = np.random.default_rng([seed, *shape]).uniform(-1, 1, shape)
    return np.asarray(values.astype(as_dtype(dtype)))


def small(*shape: int, seed: int = 4) -> Array:
    return np.random.default_rng([seed, *shape]).integers(-4, 5, shape).astype(np.int8)


def call(**arguments: Any) -> pa.Tensor:
    """Call the second version; arrays become tensors."""
    given = {n: pa.asarray(v) if isinstance(v, np.ndarray) else v for n, v in arguments.items()}
    right = {**WITHOUT, "activation": "relu", "inner_precise": 1, "tokens_index_flag": False}
    return pa.ops.ffn_v2(**{**right, **given})


def refused_with(attempt: Callable[[], object]) -> int:
    with pytest.raises(pa.AclError) as refused:
        attempt()
    return int(refused.value.code)


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


GATES = {
    "ReGLU": lambda x: np.maximum(x, 0),
    "swiglu": lambda x: x * sigmoid(x),
    "geglu": lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
}


@pytest.mark.parametrize("activation", GATES)
def test_gated_networks_multiply_the_left_half_by_that_of_the_right(activation: str) -> None:
    x, first, second = drawn(ROWS, DEPTH), drawn(DEPTH, 2 * HIDDEN), drawn(HIDDEN, DEPTH)
    bias1, bias2 = drawn(2 * HIDDEN), drawn(DEPTH)
    y = call(x=x, weight1=first, weight2=second, bias1=bias1, bias2=bias2, activation=activation)

    wide = x.astype(float) @ first.astype(float) + bias1
    between = wide[:, :HIDDEN] * GATES[activation](wide[:, HIDDEN:])
    np.testing.assert_allclose(y.numpy(), between @ second + bias2, rtol=4e-3, atol=4e-3)


@pytest.mark.parametrize(
    "changed",
    [
        {"inner_precise": 0}, {"weight1": drawn(DEPTH, HIDDEN)}, {"weight2": small(HIDDEN, DEPTH)},
        {"x": drawn(ROWS, DEPTH, dtype="bfloat16")}, {"bias2": drawn(DEPTH, dtype="float32")},
        {"expert_tokens": [2, 3], "weight1": drawn(2, DEPTH, 16), "weight2": drawn(2, 8, DEPTH)},
    ],
)  # fmt: skip
def test_what_gated_networks_refuse(changed: dict[str, Any]) -> None:
    right: dict[str, Any] = {
        "x": drawn(ROWS, DEPTH), "weight1": drawn(DEPTH, 2 * HIDDEN),
        "weight2": drawn(HIDDEN, DEPTH), "activation": "reglu", "out": pa.empty((5, 6), HALF),
    }  # fmt: skip
    assert call(**right).shape == (ROWS, DEPTH)
    assert refused_with(lambda: call(**{**right, **changed})) == INVALID
    assert (
        refused_with(lambda: call(**{**right, "out": pa.empty((5, 6), "bfloat16")})) == INNER_NULL
    )


def quantised(y: str, experts: int, by_column: bool, deq: str = "") -> tuple[Any, Array]:
    """Return a call of int8 whose numbers are exact all the way, and its result.

    The parts: scales of powers of two; the sums of the first product stay below 2048.
    """
    each = (experts,) if experts else ()
    x, first, second = small(ROWS, DEPTH), small(*each, DEPTH, HIDDEN), small(*each, HIDDEN, DEPTH)
    bias1 = small(*each, HIDDEN, seed=8).astype(np.int32)
    bias2 = small(*each, DEPTH, seed=9).astype(np.int32)
    rng = np.random.default_rng(7)
    deq1, deq2 = (
        2.0 ** rng.integers(-3, 1, (*each, n)).astype(np.float32) for n in (HIDDEN, DEPTH)
    )
    scale = 2.0 ** rng.integers(0, 3, (*each, HIDDEN) if by_column else each or (1,))
    offset = rng.integers(-3, 4, each or (1,)).astype(np.float32)
    counts = [2, 3] if experts else [ROWS]
    golden, begin = np.zeros((ROWS, DEPTH)), 0
    for expert, count in enumerate(counts):

        def own(values: Array, expert: int = expert) -> Array:
            return np.asarray(values[expert] if experts else values, float)

        rows = x[begin : begin + count].astype(float) @ own(first) + own(bias1)
        rows = np.maximum(rows * own(deq1), 0)
        shift = float(offset[expert if experts else 0])
        rows = np.clip(np.rint(rows * own(scale) + shift), -128, 127)
        golden[begin : begin + count] = (rows @ own(second) + own(bias2)) * own(deq2)
        begin += count
    if deq:  # the float's bits in the lower half
        deq1, deq2 = (v.view(np.uint32).astype(deq) for v in (deq1, deq2))
    elif y == "bfloat16":
        deq1, deq2 = (v.astype(as_dtype(y)) for v in (deq1, deq2))
    arguments = {
        "x": x, "weight1": first, "weight2": second, "bias1": bias1, "bias2": bias2,
        "deq_scale1": deq1, "deq_scale2": deq2, "scale": scale.astype(np.float32),
        "offset": offset, "expert_tokens": counts if experts else None,
    }  # fmt: skip
    return arguments, golden.astype(as_dtype(y))


@pytest.mark.parametrize("experts", [0, 2])
@pytest.mark.parametrize(
    ("y", "deq", "by_column"),
    [
        (HALF, "uint64", False), (HALF, "int64", True), (HALF, "", False), (HALF, "uint64", True),
        ("bfloat16", "", False), ("bfloat16", "", True),
    ],
)  # fmt: skip
def test_networks_of_int8(y: str, deq: str, experts: int, by_column: bool) -> None:
    arguments, golden = quantised(y, experts, by_column, deq)
    result = call(**arguments)

    assert result.dtype == as_dtype(y)
    np.testing.assert_array_equal(result.numpy(), golden)


def test_sums_of_int8_are_exact_and_results_of_the_activation_saturate() -> None:
    depth = 2000  # sums beyond 2^24, which floats do not hold
    x = np.full((1, depth), -128, np.int8)
    x[0, 0] = 127
    first = np.full((depth, 1), -128, np.int8)
    arguments = {
        "x": x, "weight1": first, "weight2": np.full((1, depth), 3, np.int8),
        "deq_scale1": np.full(1, 2.0**-9, np.float32),
        "deq_scale2": np.ones(depth, np.float32), "scale": np.ones(1, np.float32),
        "offset": np.zeros(1, np.float32),
    }  # fmt: skip
    assert set(np.unique(call(**arguments).numpy())) == {3 * 127}


@pytest.mark.parametrize(
    "changed",
    [
        {"scale": None}, {"offset": None}, {"deq_scale1": None}, {"weight1": drawn(DEPTH, HIDDEN)},
        {"bias1": drawn(HIDDEN)}, {"scale": np.ones(HIDDEN, np.float32)}, {"offset": np.ones(2)},
        {"deq_scale2": np.ones(DEPTH, np.uint64)}, {"antiquant_scale1": drawn(HIDDEN)},
        {"deq_scale1": np.ones(DEPTH, np.float32)}, {"scale": np.ones((1, 1), np.float32)},
        {"out": pa.empty((ROWS, DEPTH))}, {"out": pa.empty((ROWS, DEPTH), "bfloat16")},
        {"scale": np.array(1, np.float32)},
    ],
)  # fmt: skip
def test_what_networks_of_int8_refuse(changed: dict[str, Any]) -> None:
    arguments = quantised(HALF, 0, False)[0]
    arguments["out"] = pa.empty((ROWS, DEPTH), HALF)
    assert refused_with(lambda: call(**{**arguments, **changed})) == INVALID


@pytest.mark.parametrize(("first", "second"), [("uint64", "int64"), ("int64", "uint64")])
def test_words_of_two_types_are_refused(first: str, second: str) -> None:
    arguments = quantised(HALF, 0, False, first)[0]
    arguments["deq_scale2"] = arguments["deq_scale2"].astype(second)
    arguments["out"] = pa.empty((ROWS, DEPTH), HALF)

    assert refused_with(lambda: call(**arguments)) == INVALID


def of_int4(values: Array) -> pa.Tensor:
    low, high = values.reshape(-1, 2).astype(np.int64).T & 0xF
    packed = pa.asarray((low | high << 4).astype(np.uint8))
    return with_format(packed, shape=values.shape, dtype=int(pa.lib.ACL_INT4))


@pytest.mark.parametrize("groups", [0, 1, 2])
@pytest.mark.parametrize("experts", [0, 2])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("dtype", [HALF, "bfloat16"])
def test_weights_of_few_bits(dtype: str, bits: int, experts: int, groups: int) -> None:
    each = (experts,) if experts else ()
    by_group = (groups,) if groups else ()
    x = drawn(ROWS, DEPTH, dtype=dtype)
    weights = [small(*each, *shape) for shape in ((DEPTH, HIDDEN), (HIDDEN, DEPTH))]
    scales = [drawn(*each, *by_group, n, dtype=dtype) for n in (HIDDEN, DEPTH)]
    offsets = [small(*each, *by_group, n, seed=6).astype(x.dtype) for n in (HIDDEN, DEPTH)]
    arguments: dict[str, Any] = {
        "x": x, "expert_tokens": [2, 3] if experts else None,
        "weight1": of_int4(weights[0]) if bits == 4 else weights[0],
        "weight2": of_int4(weights[1]) if bits == 4 else weights[1],
        "antiquant_scale1": scales[0], "antiquant_scale2": scales[1],
        "antiquant_offset1": offsets[0], "antiquant_offset2": offsets[1],
        "out": pa.empty((ROWS, DEPTH), dtype),
    }  # fmt: skip
    if groups and bits == 8:
        assert refused_with(lambda: call(**arguments)) == INVALID
        return

    def restored(layer: int, expert: int) -> Array:
        w, s, o = (
            np.asarray(v[layer][expert] if experts else v[layer], float)
            for v in (weights, scales, offsets)
        )
        rows = np.arange(len(w)) // (len(w) // groups) if groups else np.zeros(len(w), int)
        return np.asarray((w + np.atleast_2d(o)[rows]) * np.atleast_2d(s)[rows])

    golden, begin = np.zeros((ROWS, DEPTH)), 0
    for expert, count in enumerate([2, 3] if experts else [ROWS]):
        rows = np.maximum(x[begin : begin + count].astype(float) @ restored(0, expert), 0)
        golden[begin : begin + count] = rows @ restored(1, expert)
        begin += count
    limit = 4e-3 if dtype == HALF else 3e-2
    np.testing.assert_allclose(
        call(**arguments).numpy().astype(float), golden, rtol=limit, atol=limit * 20
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"antiquant_offset1": None}, {"antiquant_scale2": drawn(DEPTH, dtype="bfloat16")},
        {"antiquant_scale1": drawn(1, HIDDEN)}, {"scale": np.ones(1, np.float32)},
        {"bias1": drawn(HIDDEN, dtype="float32")}, {"antiquant_offset2": drawn(HIDDEN)},
        {"antiquant_scale1": drawn(3)}, {"weight2": drawn(HIDDEN, DEPTH)},
        {"out": pa.empty((ROWS, DEPTH), "bfloat16")},
    ],
)  # fmt: skip
def test_what_networks_of_quantised_weights_refuse(changed: dict[str, Any]) -> None:
    right: dict[str, Any] = {
        "x": drawn(ROWS, DEPTH), "weight1": small(DEPTH, HIDDEN), "weight2": small(HIDDEN, DEPTH),
        **{f"antiquant_{kind}{i}": drawn(n) for kind in ("scale", "offset")
           for i, n in ((1, HIDDEN), (2, DEPTH))},
        "out": pa.empty((ROWS, DEPTH), HALF),
    }  # fmt: skip
    assert call(**right).shape == (ROWS, DEPTH)
    assert refused_with(lambda: call(**{**right, **changed})) == INVALID


def half(*shape: int) -> pa.Tensor:
    return pa.ones(shape, HALF)


def wide(*shape: int) -> pa.Tensor:
    return pa.ones(shape, "bfloat16")


_PLAIN: dict[str, Any] = {
    **WITHOUT, "x": half(ROWS, DEPTH), "weight1": half(DEPTH, HIDDEN),
    "weight2": half(HIDDEN, DEPTH), "activation": "relu", "inner_precise": 1,
    "tokens_index_flag": False, "y": half(ROWS, DEPTH),
}  # fmt: skip
_GATED = {**_PLAIN, "weight1": half(DEPTH, 2 * HIDDEN), "activation": "swiglu"}
_EXPERTS = {
    **_PLAIN, "weight1": half(2, DEPTH, HIDDEN), "weight2": half(2, HIDDEN, DEPTH),
    "expert_tokens": [2, 3],
}  # fmt: skip


def _deep(depth: int, hidden: int) -> str:
    return (
        f"x=half(1, {depth}), weight1=half({depth}, {hidden}), weight2=half({hidden}, {depth}),"
        f" y=half(1, {depth})"
    )


_WIDE = "x=wide(5, 6), weight1=wide(6, 8), weight2=wide(8, 6), y=wide(5, 6)"
_APART, _LONG = "do not go together", "more than 65535 rows"
#: Networks of floats, for a reason.
_ON_A2: list[Written] = [
    *(
        ("ffn_v2", *case)
        for case in (
            ("", 0, ""), ("inner_precise=0", 0, ""), ("x=half(6), y=half(6)", INVALID, "2 to 8"),
            ("x=half(1, 1, 1, 1, 1, 1, 5, 6), y=half(1, 1, 1, 1, 1, 1, 5, 6)", 0, ""),
            ("y=half(1, 5, 6)", INVALID, "y has 3 dimensions"),
            ("weight1=half(1, 6, 8)", INVALID, "weight1 has 3 dimensions"),
            ("weight2=half(8)", INVALID, "weight2 has 1 dimensions"),
            (_deep(65535, 1), 0, ""), (_deep(65536, 1), INVALID, _LONG), (_deep(1, 65535), 0, ""),
            (_deep(1, 65536), INVALID, _LONG), ("weight1=half(6, 9)", INVALID, _APART),
            ("weight2=half(8, 7)", INVALID, _APART), ("x=half(5, 7)", INVALID, _APART),
            ("weight1=half(7, 8), weight2=half(8, 7)", INVALID, _APART),
            ("bias1=half(8), bias2=half(6)", 0, ""), ("bias1=half(7)", INVALID, "bias1 has shape"),
            ("bias2=half(1, 6)", INVALID, "bias2 has shape"),
            ("bias1=pa.ones((8,))", INVALID, "bias1 is float32"),
            ("bias2=wide(6)", INVALID, "bias2 is bfloat16"),
            ("weight1=wide(6, 8)", INVALID, "weight1"), ("y=wide(5, 6)", INVALID, "y is bfloat16"),
            ("x=pa.ones((5, 6))", INVALID, "x is float32"), (_WIDE, INVALID, "goes with 0 only"),
            (f"{_WIDE}, inner_precise=0", 0, ""),
            (f"{_WIDE}, inner_precise=0, bias1=pa.ones((8,))", 0, ""),
            (f"{_WIDE}, inner_precise=0, bias1=wide(8)", INVALID, "bias1 is bfloat16"),
            ("scale=pa.ones((1,))", INVALID, "scale is given"),
            ("deq_scale2=pa.ones((6,))", INVALID, "deqScale2 is given"),
            ("antiquant_scale1=half(8)", INVALID, "antiquantScale1 is given"),
            ("antiquant_offset2=half(6)", INVALID, "antiquantOffset2 is given"),
            ("deq_scale1=pa.ones((8,)), deq_scale2=half(6)", INVALID, "deqScale"),
        )
    ),
    *(
        ("ffn_v2 experts", *case)
        for case in (
            ("", 0, ""), ("expert_tokens=[2, 2]", INVALID, "tell of 4 rows"),
            ("expert_tokens=[6, -1]", INVALID, "negative"), ("expert_tokens=[5, 0]", 0, ""),
            ("expert_tokens=[2, 5], tokens_index_flag=True", 0, ""),
            ("expert_tokens=[3, 2], tokens_index_flag=True", INVALID, "descend"),
            ("expert_tokens=[5, 5], tokens_index_flag=True", 0, ""),
            ("expert_tokens=[1, 2, 2]", INVALID, "there are 3 experts"),
            ("weight1=half(3, 6, 8)", INVALID, "there are 2 experts"),
            ("weight2=half(3, 8, 6)", INVALID, "there are 2 experts"),
            ("weight1=half(6, 8)", INVALID, "weight1 has 2 dimensions"),
            ("bias1=half(2, 8)", 0, ""), ("bias1=half(8)", INVALID, "bias1 has shape"),
        )
    ),
    *(
        ("ffn_v2 gated", *case)
        for case in (
            ("", 0, ""), ("bias1=half(16), bias2=half(6)", 0, ""),
            ("inner_precise=0", INVALID, "go with 1 only"),
            ("weight1=half(6, 15)", INVALID, _APART), ("weight1=half(6, 14)", INVALID, _APART),
            ("expert_tokens=[5], weight1=half(1, 6, 16), weight2=half(1, 8, 6)", INVALID,
             "have no experts"),
            ("x=wide(5, 6)", INVALID, "x is bfloat16"),
            ("bias1=pa.ones((16,))", INVALID, "bias1 is float32"),
        )
    ),
]  # fmt: skip
_ON_310P: list[Written] = [
    ("ffn_v2", "", 0, ""), ("ffn_v2", "inner_precise=0", INVALID, "must be 1 on this chip"),
    ("ffn_v2", "x=half(1, 5, 6), y=half(1, 5, 6)", INVALID, "it has 2 on this chip"),
    ("ffn_v2", "bias1=half(8), bias2=half(6)", 0, ""),
    ("ffn_v2", "bias1=half(7)", INVALID, "bias1 has shape"),
    ("ffn_v2", "bias1=pa.ones((8,))", INVALID, "bias1 is float32"),
    ("ffn_v2", "x=pa.ones((5, 6))", INVALID, "x is float32"),
    ("ffn_v2", "y=pa.ones((5, 6))", INVALID, "y is float32"),
    ("ffn_v2", "weight1=pa.zeros((6, 8), 'int8')", INVALID, "weight1 is int8"),
    ("ffn_v2", "weight2=pa.zeros((8, 6), 'int8')", INVALID, "weight2 is int8"),
    ("ffn_v2", "scale=pa.ones((1,))", INVALID, "scale is given"),
    ("ffn_v2 gated", "", INVALID, "are not for this chip"),
    ("ffn_v2 experts", "", INVALID, "there are no experts on this chip"),
]  # fmt: skip
LISTS = {"Ascend910B1": _ON_A2, "Ascend310P3": _ON_310P}


def found(chip: str) -> list[list[Any]]:
    """Return the statuses and messages of all calls of a chip."""
    right = {"ffn_v2": _PLAIN, "ffn_v2 gated": _GATED, "ffn_v2 experts": _EXPERTS}
    return written_reasons(right, LISTS[chip], globals())


@pytest.mark.parametrize("chip", LISTS)
def test_networks_of_floats_are_refused_for_a_reason(chip: str) -> None:
    assert_refused_on(chip, "test_feed_forward", f"found({chip!r})", LISTS[chip])
