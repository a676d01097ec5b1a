"""Attention for training: statuses, gradients by finite differences, rows that see nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from children import output_of, run_child
from finite_differences import Array, numeric_gradient
from operators.calls import INVALID, NULL, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa

half = "float16"
MANY = 2**31 - 1


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype=half)


_PLAIN: dict[str, Any] = {
    "scale_value": 0.25, "keep_prob": 1.0, "pre_tokens": MANY, "next_tokens": MANY, "head_num": 4,
    "inner_precise": 0, "sparse_mode": 0, "pse_type": 1, "softmax_out_layout": "",
    "softmax_in_layout": "",
}  # fmt: skip


def _right(operator: str) -> dict[str, Any]:
    """Return the arguments of a right call of any version, outputs included."""
    is_packed = "var_len" in operator or "unpadding" in operator
    query, key = ((6, 4, 16), (10, 2, 16)) if is_packed else ((2, 4, 3, 16), (2, 2, 5, 16))
    statistics = (6, 4, 8) if is_packed else (2, 4, 3, 8)
    given: dict[str, Any] = {
        **_PLAIN, "query": halves(*query), "key": halves(*key), "key_in": halves(*key),
        "value": halves(*key), "dy": halves(*query), "attention_in_optional": halves(*query),
        "softmax_max_optional": ones(*statistics), "softmax_sum_optional": ones(*statistics),
        "input_layout": "TND" if is_packed else "BNSD",
        "actual_seq_q_len_optional": (2, 6), "actual_seq_kv_len_optional": (6, 10),
        "softmax_max_out": ones(*statistics), "softmax_sum_out": ones(*statistics),
        "attention_out_out": halves(*query), "dq_out": halves(*query), "dk_out": halves(*key),
        "dv_out": halves(*key),
    }  # fmt: skip
    spec = pa.ops[operator].spec
    return {p.name: given.get(p.name) for p in (*spec.inputs, *spec.outputs)}


SCORES = (
    "flash_attention_score", "flash_attention_score_v2", "flash_attention_score_v3",
    "flash_attention_var_len_score", "flash_attention_var_len_score_v2",
    "flash_attention_var_len_score_v3", "flash_attention_var_len_score_v4",
    "flash_attention_var_len_score_v5",
)  # fmt: skip
GRADIENTS = (
    "flash_attention_score_grad", "flash_attention_score_grad_v2", "flash_attention_score_grad_v3",
    "flash_attention_unpadding_score_grad", "flash_attention_unpadding_score_grad_v2",
    "flash_attention_unpadding_score_grad_v3", "flash_attention_unpadding_score_grad_v4",
    "flash_attention_unpadding_score_grad_v5",
)  # fmt: skip
RIGHT = {operator: _right(operator) for operator in SCORES + GRADIENTS}

Cases = tuple[tuple[str, Any, int], ...]

#: What all versions refuse. Kernels that cannot be launched are reported as null.
_OF_ALL: Cases = (
    ("query", None, NULL), ("value", None, NULL), ("input_layout", None, NULL),
    ("head_num", 0, INVALID), ("head_num", -4, INVALID), ("head_num", 3, NULL),
    ("input_layout", "BSH", INVALID), ("input_layout", "bnsd", INVALID),
    ("keep_prob", 0.0, NULL), ("keep_prob", 1.5, NULL),
    ("atten_mask_optional", ones(3, 4, dtype="bool"), NULL),
    ("atten_mask_optional", halves(3, 5), NULL),
    ("atten_mask_optional", ones(dtype="bool"), 0),  # without dimensions it is none
)  # fmt: skip
_OF_SCORES: Cases = (
    ("key", None, NULL),
    ("drop_mask_optional", ones(2, dtype="uint8"), NULL),
    ("drop_mask_optional", ones(64, dtype="uint8"), 0),
    ("drop_mask_optional", ones(64, dtype="int8"), NULL),
    ("softmax_sum_out", ones(8, 24), NULL), ("attention_out_out", ones(2, 4, 3, 16), NULL),
)  # fmt: skip
_OF_GRADIENTS: Cases = (
    ("key_in", None, NULL), ("dy", None, NULL), ("attention_in_optional", None, NULL),
    ("softmax_max_optional", None, NULL), ("keep_prob", 0.5, NULL),
    ("softmax_sum_optional", ones(2, 4, 3, 1), NULL), ("dpse_out", halves(2, 4, 3, 5), NULL),
    ("dpse_out", pa.empty((0,), half), 0), ("dq_out", halves(96, 4), INVALID),
    ("dv_out", halves(10, 2, 8), NULL),
)  # fmt: skip
_OF_SAMPLES: Cases = (
    ("query", ones(2, 4, 3, 16), INVALID), ("value", halves(2, 2, 5, 20), INVALID),
    ("query", halves(2, 4, 3, 8), INVALID), ("sparse_mode", 7, 0),  # no mask, no matter
)  # fmt: skip
_OF_SAMPLED_SCORES: Cases = (
    ("key", halves(2, 2, 5, 12), INVALID), ("key", halves(2, 3, 5, 16), NULL),
    ("key", halves(3, 2, 5, 16), NULL), ("real_shift_optional", halves(2, 4, 3, 4), NULL),
    ("real_shift_optional", ones(2, 4, 3, 5), INVALID),
    ("real_shift_optional", halves(1, 4, 3, 5), 0),
)  # fmt: skip
_OF_LENGTHS: Cases = (
    ("input_layout", "BNSD", INVALID), ("actual_seq_q_len_optional", None, NULL),
    ("actual_seq_q_len_optional", (2, 7), NULL), ("actual_seq_kv_len_optional", (10,), NULL),
    ("actual_seq_q_len_optional", (2, 2**62), NULL),
    ("actual_seq_q_len_optional", (-(2**63), 2**63 - 1), NULL),
)  # fmt: skip


_PSE_OF_LENGTHS: Cases = (
    ("real_shift_optional", halves(4 * 10), 0), ("real_shift_optional", halves(4 * 28), 0),
    ("real_shift_optional", halves(4 * 11), NULL),
    ("real_shift_optional", halves(1, 4, 1024, 6), NULL),  # of queries as many as keys
)  # fmt: skip
_PSE_OF_SAMPLED_GRADIENTS: Cases = (
    ("real_shift_optional", halves(2, 4, 1, 5), 0),
    ("real_shift_optional", halves(1, 4, 3, 5), 0),
    ("real_shift_optional", halves(1, 4, 1, 5), NULL),
)  # fmt: skip


def _wrong(operator: str) -> Cases:
    is_packed = "actual_seq_q_len_optional" in RIGHT[operator]
    pse = _PSE_OF_LENGTHS
    if operator in GRADIENTS:
        own = _OF_LENGTHS if is_packed else _OF_SAMPLES
        pse = pse if is_packed else _PSE_OF_SAMPLED_GRADIENTS
        pse = tuple(("pse_shift_optional", value, status) for _, value, status in pse)
        return _OF_ALL + _OF_GRADIENTS + own + pse
    own = _OF_LENGTHS + pse if is_packed else _OF_SAMPLES + _OF_SAMPLED_SCORES
    return _OF_ALL + _OF_SCORES + own


test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(
    RIGHT, {operator: _wrong(operator) for operator in RIGHT}
)

TRIANGLE = np.triu(np.ones((2048, 2048), bool), 1)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"sparse_mode": 2}, 0), ({"sparse_mode": 3}, 0), ({"sparse_mode": 7}, NULL),
        ({"sparse_mode": 4, "pre_tokens": -1, "next_tokens": -1}, NULL),
        ({"sparse_mode": 4, "pre_tokens": -(2**63), "next_tokens": 2**63 - 1}, NULL),
        ({"sparse_mode": 6}, NULL), ({"sparse_mode": 1}, NULL), ({"sparse_mode": -1}, NULL),
        ({"sparse_mode": 2**62}, NULL),
    ],
)  # fmt: skip
def test_a_triangle_is_for_some_modes(changed: dict[str, Any], expected: int) -> None:
    right = RIGHT["flash_attention_score"]
    mask = pa.asarray(TRIANGLE)
    assert (
        code_with("flash_attention_score", right, atten_mask_optional=mask, **changed) == expected
    )


@pytest.mark.parametrize("operator", SCORES + GRADIENTS)
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"sparse_mode": 2}, 0), ({"sparse_mode": 3}, 0), ({"sparse_mode": 1}, NULL),
        ({"sparse_mode": 4, "next_tokens": 0}, 0), ({"sparse_mode": 4, "next_tokens": 1}, NULL),
        ({"sparse_mode": 4, "pre_tokens": 9, "next_tokens": 0}, NULL),
        ({"sparse_mode": 2, "atten_mask_optional": None}, NULL),
    ],
)  # fmt: skip
def test_the_last_rows_of_a_bias_go_with_a_triangle(
    operator: str, changed: dict[str, Any], expected: int
) -> None:
    right = dict(RIGHT[operator])
    is_packed = "actual_seq_q_len_optional" in right
    # Sequences may be shorter than a bias has rows, samples may not.
    rows = 10 if is_packed else 1025
    shape = (2 * rows, 4, 16) if is_packed else (2, 4, rows, 16)
    statistics = (*shape[:-1], 8)
    for name, value in right.items():
        if isinstance(value, pa.Tensor):
            is_statistic = name.startswith(("softmax_max", "softmax_sum"))
            right[name] = ones(*statistics) if is_statistic else halves(*shape)
    for name in ("actual_seq_q_len_optional", "actual_seq_kv_len_optional"):
        if is_packed:
            right[name] = (rows, 2 * rows)
    given = {"sparse_mode": 2, "atten_mask_optional": pa.asarray(TRIANGLE), **changed}
    if given["sparse_mode"] == 1:
        given["atten_mask_optional"] = ones(rows, rows, dtype="bool")
    pse = "pse_shift_optional" if operator in GRADIENTS else "real_shift_optional"
    given[pse] = halves(2, 4, 1024, rows)

    assert code_with(operator, right, **given) == expected


def test_the_gradient_of_a_bias_is_what_was_in_the_workspace() -> None:
    code = """
        import numpy as np, pyaclnn as pa
        from operators.test_flash_attention import RIGHT, halves
        right = dict(RIGHT["flash_attention_score_grad"])
        out = pa.empty((2, 4, 3, 5), "float16")
        given = {**right, "pse_shift_optional": halves(2, 4, 3, 5), "dpse_out": out}
        pa.ops.flash_attention_score_grad(**given)
        pa.ops.relu(out)
        pa.current_device().sync()
        print("computed")
    """
    path = os.pathsep.join(sys.path)
    child = run_child(code, PYACLNN_SIM_CHECK="undefined", PYTHONPATH=path)

    # Nothing is said of the call itself, whose gradient of a bias nobody needs.
    assert (child.returncode, child.stdout) == (0, "computed\n")
    assert child.stderr.count("nothing was written") == 1
    assert "aclnnRelu reads self" in child.stderr


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"pre_tokens": 1, "next_tokens": -1}, 0), ({"pre_tokens": -1, "next_tokens": -1}, NULL),
        ({"pre_tokens": -2, "next_tokens": 1}, NULL), ({"pre_tokens": -2, "next_tokens": 2}, 0),
        ({"pre_tokens": 4, "next_tokens": -3}, NULL), ({"pre_tokens": 2**62, "next_tokens": 0}, 0),
    ],
)  # fmt: skip
def test_a_band_must_hold_something(changed: dict[str, Any], expected: int) -> None:
    mask = ones(3, 5, dtype="bool")
    right = RIGHT["flash_attention_score"]
    assert (
        code_with("flash_attention_score", right, atten_mask_optional=mask, **changed) == expected
    )


def _attention(query: Array, key: Array, value: Array, seen: Array) -> Array:
    group = query.shape[1] // key.shape[1]
    keys, values = (np.repeat(x, group, 1) for x in (key, value))
    scores = np.where(seen, query @ keys.swapaxes(-1, -2) * 0.25, -np.inf)
    power = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(power / power.sum(-1, keepdims=True) @ values)


def _tensor(x: Array) -> pa.Tensor:
    return pa.asarray(x.astype(np.float32))


def _packed(x: Array) -> Array:
    return np.ascontiguousarray(x[0].swapaxes(0, 1))


def _compare_derivatives(operator: str, forward: str) -> None:
    """Run forward, then backward, and compare with differences of the definition in float64."""
    rng = np.random.default_rng(11)
    is_packed = "unpadding" in operator
    batch = 1 if is_packed else 2
    shapes = ((batch, 4, 3, 16), (batch, 2, 5, 16), (batch, 2, 5, 8), (batch, 4, 3, 8))
    query, key, value, grad = (
        rng.normal(0, 1, shape).astype(np.float32).astype(np.float64) for shape in shapes
    )
    seen = np.arange(5) <= np.arange(3)[:, None] + 2
    turned = _packed if is_packed else np.asarray
    common = {
        "scale_value": 0.25, "keep_prob": 1.0, "pre_tokens": MANY, "next_tokens": MANY,
        "head_num": 4, "input_layout": "TND" if is_packed else "BNSD", "inner_precise": 0,
        "sparse_mode": 3, "pse_type": 1, "atten_mask_optional": pa.asarray(TRIANGLE),
        "actual_seq_q_len_optional": (3,), "actual_seq_kv_len_optional": (5,),
        "softmax_out_layout": "", "softmax_in_layout": "", "query": _tensor(turned(query)),
        "key": _tensor(turned(key)), "key_in": _tensor(turned(key)),
        "value": _tensor(turned(value)), "dy": _tensor(turned(grad)),
    }  # fmt: skip
    maximum, total, _, out = pa.ops[forward](
        **{p.name: common.get(p.name) for p in pa.ops[forward].spec.inputs}
    )
    common |= {
        "softmax_max_optional": maximum, "softmax_sum_optional": total,
        "attention_in_optional": out,
    }  # fmt: skip
    spec = pa.ops[operator].spec
    found = pa.ops[operator](**{p.name: common.get(p.name) for p in spec.inputs})
    results = dict(zip((o.name for o in spec.outputs), found, strict=True))

    def whole(q: Array, k: Array, v: Array) -> Array:
        return _attention(q, k, v, seen)

    np.testing.assert_allclose(out.numpy(), turned(whole(query, key, value)), atol=1e-6)
    for name, x, function in (
        ("dq_out", query, lambda q: whole(q, key, value)),
        ("dk_out", key, lambda k: whole(query, k, value)),
        ("dv_out", value, lambda v: whole(query, key, v)),
    ):
        expected = turned(numeric_gradient(function, x, grad))
        np.testing.assert_allclose(results[name].numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("version", ["", "_v2", "_v3"])
def test_the_gradients_are_the_derivatives(version: str) -> None:
    _compare_derivatives(f"flash_attention_score_grad{version}", f"flash_attention_score{version}")


@pytest.mark.parametrize("version", ["", "_v2", "_v3", "_v4", "_v5"])
def test_the_gradients_of_sequences_are_the_derivatives(version: str) -> None:
    _compare_derivatives(
        f"flash_attention_unpadding_score_grad{version}", f"flash_attention_var_len_score{version}"
    )


def test_heads_of_values_may_be_narrower() -> None:
    # Two heads of keys, each for three of queries: 16 numbers a head, of values 16 as well.
    query, key, value = (_tensor(np.ones(s)) for s in ((2, 5, 96), (2, 7, 32), (2, 7, 16)))
    _, _, _, out = pa.ops.flash_attention_score(
        query, key, value, None, None, None, None, None, 0.25, 1.0, MANY, MANY, 6, "BSH", 0, 0
    )
    assert out.shape == (2, 5, 48)
    assert (out.numpy() == 1).all()


def test_a_row_that_sees_nothing_says_so() -> None:
    """It gives the mean of what is hidden, or 0 where that is asked for; so do its statistics."""
    rng = np.random.default_rng(4)
    query, key = (_tensor(rng.normal(size=(1, 1, n, 16))) for n in (3, 4))
    values = rng.normal(size=(1, 1, 4, 16)).astype(np.float32)
    mask = np.zeros((3, 4), bool)
    mask[1] = True

    def attended(precise: int) -> list[Array]:
        results = pa.ops.flash_attention_score(
            query, key, pa.asarray(values), None, None, None, pa.asarray(mask), None, 0.25, 1.0,
            MANY, MANY, 1, "BNSD", precise, 0,
        )  # fmt: skip
        return [results[i].numpy()[0, 0, 1] for i in (0, 1, 3)]

    lowest = np.finfo(np.float32).min
    maximum, total, out = attended(2)
    assert (maximum == lowest).all()
    assert (total == -lowest).all()
    assert not out.any()
    maximum, total, out = attended(0)
    assert (maximum == lowest).all()
    assert (total == 4).all()
    np.testing.assert_allclose(out, values[0, 0].mean(0), rtol=1e-5)


def _definition(
    q: Any, k: Any, v: Any, g: Any, scale: float, seen: Any
) -> tuple[Any, Any, Any, Any]:
    """Give the result and the three gradients, in float64, of equal groups of heads."""
    group = q.shape[1] // k.shape[1]
    keys, values = (np.repeat(x, group, 1) for x in (k, v))
    scores = np.where(seen, q @ keys.swapaxes(2, 3) * scale, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    out = weights @ values
    slopes = weights * (g @ values.swapaxes(2, 3) - (g * out).sum(-1, keepdims=True))

    def shared(x: Any) -> Any:
        return x.reshape(x.shape[0], k.shape[1], group, *x.shape[2:]).sum(2)

    return (
        out, slopes @ keys * scale, shared(slopes.swapaxes(2, 3) @ q) * scale,
        shared(weights.swapaxes(2, 3) @ g),
    )  # fmt: skip


@pytest.mark.parametrize("depth", [64, 72, 128])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("tokens", [(20, 2, 530), (3, 1, 270), (4, 4, 33)])
def test_many_tiles_are_those_of_float64(
    dtype: str, depth: int, tokens: tuple[int, int, int]
) -> None:
    heads, shared, rows = tokens
    rng = np.random.default_rng(rows)
    shapes = [(1, n, rows, depth) for n in (heads, shared, shared, heads)]
    given = [pa.asarray(rng.normal(size=s).astype(np.float32), dtype=dtype) for s in shapes]
    mask = pa.asarray(np.triu(np.ones((2048, 2048), bool), 1))
    numbers = (depth**-0.5, 1.0, 2**31 - 1, 2**31 - 1, heads, "BNSD", 0, 2)
    largest, total, _, out = pa.ops.flash_attention_score(
        *given[:3], None, None, None, mask, None, *numbers
    )
    found = pa.ops.flash_attention_score_grad(
        *given, None, None, None, mask, largest, total, None, out, None, *numbers
    )
    exact = [x.numpy().astype(np.float64) for x in given]
    wanted = _definition(*exact, depth**-0.5, np.tri(rows, dtype=bool))
    allowed = {"float32": 5e-6, "float16": 1e-3, "bfloat16": 8e-3}[dtype]
    for one, other in zip((out, *found[:3]), wanted, strict=True):
        difference = np.abs(one.numpy().astype(np.float64) - other).max()
        assert difference <= allowed * np.abs(other).max()


_PROGRAM = """
import hashlib
import numpy as np
import pyaclnn as pa

rng = np.random.default_rng(0)
q, k, v, g = (pa.asarray(rng.normal(size=s).astype(np.float32), dtype="DTYPE")
              for s in ((2, 4, 300, 64), (2, 2, 520, 64), (2, 2, 520, 64), (2, 4, 300, 64)))
mask = pa.asarray(np.triu(np.ones((2048, 2048), bool), 1))
sizes = (0.125, 1.0, 2**31 - 1, 2**31 - 1, 4, "BNSD", 0, 3)
m, s, _, o = pa.ops.flash_attention_score(q, k, v, None, None, None, mask, None, *sizes)
rest = pa.ops.flash_attention_score_grad(
    q, k, v, g, None, None, None, mask, m, s, None, o, None, *sizes)[:3]
print([hashlib.sha1(x.numpy().tobytes()).hexdigest() for x in (m, s, o, *rest)])
"""


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_bits_do_not_depend_on_the_number_of_threads(dtype: str) -> None:
    def run(threads: str) -> str:
        environment = os.environ | {"PYACLNN_SIM_THREADS": threads, "PYACLNN_BACKEND": "simulator"}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM.replace("DTYPE", dtype)],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    assert run("1") == run("3")


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_what_a_sequence_holds_reaches_no_other(dtype: str) -> None:
    """Threads take the same room for one sequence after another."""
    lengths, depth = [33, 300, 17, 131, 5], 64
    ends = [int(end) for end in np.cumsum(lengths)]
    rng = np.random.default_rng(11)
    arrays = [rng.normal(0, 1, (ends[-1], 2, depth)).astype(np.float32) for _ in range(4)]
    others = np.ones(ends[-1], bool)
    for number in (1, 3):
        others[ends[number] - lengths[number] : ends[number]] = False
    found = []
    for filled in (1.0, np.nan):
        given = [pa.asarray(np.where(others[:, None, None], a, filled * a), dtype) for a in arrays]
        numbers = (depth**-0.5, 1.0, MANY, MANY, 2, "TND", 0, 0)
        largest, total, _, out = pa.ops.flash_attention_var_len_score(
            *given[:3], None, None, None, None, None, ends, ends, *numbers
        )
        grads = pa.ops.flash_attention_unpadding_score_grad(
            *given, None, None, None, None, largest, total, None, out, None, ends, ends, *numbers
        )
        found.append([t.numpy()[others].tobytes() for t in (out, largest, total, *grads[:3])])
    assert found[0] == found[1]


def test_a_start_that_is_not_given_is_0() -> None:
    values = pa.asarray(np.random.default_rng(2).normal(size=(1, 1, 8, 16)).astype(np.float32))

    def attended(start: tuple[int, ...] | None) -> Array:
        *_, out = pa.ops.flash_attention_score_v2(
            pa.zeros((1, 1, 8, 16)), pa.zeros((1, 1, 8, 16)), values, pa.full((1,), 0.5),
            q_start_idx_optional=(3,), kv_start_idx_optional=start, head_num=1,
            input_layout="BNSD", pse_type=2,
        )  # fmt: skip
        return out.numpy()

    assert np.array_equal(attended(None), attended((0,)))
    assert not np.array_equal(attended(None), attended((1,)))


_DRAWN = """
import numpy as np
import pyaclnn as pa
from pyaclnn.selftest.suites.flash_attention import kept_weights

nothing = pa.zeros((1, 2, 20, 16))
one_each = np.broadcast_to(np.eye(20, 16, dtype=np.float32), (1, 2, 20, 16)).copy()
many, (seed, offset) = 2**31 - 1, (2**32 + 7, 2**33 + 21)

def forward(operator, *drawn, mask=None):
    given = {"query": nothing[:, :, :16], "key": nothing[:, :, :16],
             "value": pa.asarray(one_each[:, :, :16]), "drop_mask_optional": mask,
             "scale_value": 0.25, "keep_prob": 0.75, "pre_tokens": many, "next_tokens": many,
             "head_num": 2, "input_layout": "BNSD", "inner_precise": 0, "sparse_mode": 0,
             "out_dtype": 0, "pse_type": 1, "softmax_out_layout": "", "seed": 0, "offset": 0,
             **dict(drawn)}
    spec = pa.ops[operator].spec
    return given, pa.ops[operator](**{p.name: given.get(p.name) for p in spec.inputs})

def kept(*seeds):
    return kept_weights(2, [(16, 16)], 0.75, *seeds)[0] / 0.75 / 16

# Values are rows of ones: the result is the weights.
given, (maximum, total, _, out) = forward("flash_attention_score_v4", ("seed", seed),
                                          ("offset", offset))
assert np.allclose(out.numpy()[0], kept(seed, offset)), "forward"
# Older versions draw with zeros.
_, (_, _, _, out) = forward("flash_attention_score")
assert np.allclose(out.numpy()[0], kept(0, 0)), "an older version"
given |= {"key_in": given["key"], "dy": given["value"], "attention_in_optional": out,
          "softmax_max_optional": maximum, "softmax_sum_optional": total,
          "softmax_in_layout": ""}
operator = "flash_attention_score_grad_v4"
results = pa.ops[operator](**{p.name: given.get(p.name) for p in pa.ops[operator].spec.inputs})
names = [output.name for output in pa.ops[operator].spec.outputs]
by_value = results[names.index("dv_out")].numpy()[0]
assert np.allclose(by_value, kept(7, 21).swapaxes(1, 2)), "backward"
bits = pa.full((64,), 255, "uint8")
forward("flash_attention_score_v4", mask=bits)
try:
    forward("flash_attention_score_v4", ("keep_prob", 1.0), mask=bits)
except pa.AclError as error:
    print(error.code)
"""


def test_the_950_draws_what_it_drops() -> None:
    """Without a mask, by all of seed and offset; the gradients take their lower 32 bits."""
    assert output_of(_DRAWN, PYACLNN_SIM_SOC="Ascend950") == str(NULL)
