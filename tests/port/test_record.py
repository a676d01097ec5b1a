"""Recorded calls, replayed by a C++ program that prints the same numbers."""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.ops.operator import Operator
from pyaclnn.ops.plan import Plan
from pyaclnn.port.check import run_sample
from pyaclnn.selftest.cases import Case, Operand
from pyaclnn.selftest.layouts import place
from pyaclnn.selftest.suites import SUITES
from pyaclnn.sim import control

SEVERAL = [
    "selu_backward", "softshrink_backward", "threshold_backward", "hardswish_backward",
    "softmax_backward", "gelu_backward", "layer_norm_backward", "kl_div_backward",
    "nll_loss_backward", "prelu_backward", "convolution_backward", "avg_pool2d_backward",
    "upsample_nearest2d_backward", "reflection_pad1d_backward", "embedding_dense_backward",
]  # fmt: skip


class Replay:
    """What a recorded program prints, call by call."""

    def __init__(self, tape: pa.Tape, folder: Path) -> None:
        self.text = run_sample(tape.save(folder / "sample.cpp"), folder)
        parts = re.split(r"^call (\d+): \w+\n", self.text, flags=re.M)
        pairs = zip(parts[1::2], parts[2::2], strict=True)
        self.calls = {int(number): text for number, text in pairs} or {1: self.text}

    def numbers(self, call: int, name: str, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
        found = re.findall(rf"^{name}\[\d+\] = (\S+)$", self.calls[call], re.M)
        kind = np.dtype(dtype).kind
        return np.array([int(v) if kind in "iub" else float(v) for v in found]).astype(dtype)

    def all_numbers(self, call: int) -> list[float]:
        return [float(v) for v in re.findall(r"\[\d+\] = (\S+)$", self.calls[call], re.M)]


@pytest.fixture
def x() -> pa.Tensor:
    return pa.asarray(np.linspace(-2, 2, 6, dtype=np.float32))


@pytest.fixture
def own_call() -> Iterator[None]:
    """Operators call what they called before."""
    before = {cls: cls.__call__ for cls in (Operator, *Operator.__subclasses__())}
    plan_methods = (pa.Plan.run, Operator.plan)
    yield
    assert {cls: cls.__call__ for cls in before} == before
    assert (pa.Plan.run, Operator.plan) == plan_methods


pytestmark = pytest.mark.usefixtures("own_call")


def arguments_of(case: Case) -> list[Any]:
    def made(value: Any) -> Any:
        if isinstance(value, list) and value and isinstance(value[0], Operand):
            return [made(item) for item in value]
        return place(value.values, value.layout) if isinstance(value, Operand) else value

    return [made(value) for value in case.inputs]


def test_operators_of_all_families_give_the_same_numbers(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    expected = []

    with pa.record() as tape:
        for name in SEVERAL:
            suite = next(s for s in SUITES if s.operator == name)
            cases = [c for c in suite.cases(suite.dtypes[0], rng) if not c.out_layouts]
            case = cases[zlib.crc32(name.encode()) % (len(cases) // 2)]
            result = pa.ops[name](*arguments_of(case))
            results = result if isinstance(result, tuple) else (result,)
            expected.append([r.numpy().ravel() for r in results if r is not None])

    replay = Replay(tape, tmp_path)
    assert len(replay.calls) == len(SEVERAL)
    for number, arrays in enumerate(expected, 1):
        printed = np.array(replay.all_numbers(number)).astype(arrays[0].dtype)
        np.testing.assert_array_equal(printed, np.concatenate(arrays), SEVERAL[number - 1])


def test_a_chain_shares_its_tensors(x: pa.Tensor, tmp_path: Path) -> None:
    with pa.record() as tape:
        a = pa.ops.softshrink_backward(pa.ones_like(x), x, 0.5)
        b = pa.ops.softmax_backward(a.reshape(2, 3), x.reshape(2, 3), 1)
        c = pa.ops.selu_backward(b.reshape(6), a)

    replay = Replay(tape, tmp_path)
    np.testing.assert_array_equal(replay.numbers(3, "gradInput2"), c.numpy())
    # Two inputs and three outputs have memory; nothing is copied between the calls.
    assert tape.to_cpp().count("CHECK(Upload(") == 5
    assert "Overwrite" not in tape.to_cpp()


def test_a_result_whose_shape_depends_on_data_has_it_for_the_next_call(
    x: pa.Tensor, tmp_path: Path
) -> None:
    with pa.record() as tape:
        positive = pa.ops.masked_select(x, pa.ops.gt_scalar(x, 0))
        squares = pa.ops.mul(positive, positive)

    values = np.linspace(-2, 2, 6, dtype=np.float32)
    np.testing.assert_array_equal(positive.numpy(), values[values > 0])
    np.testing.assert_array_equal(squares.numpy(), values[values > 0] ** 2)
    np.testing.assert_array_equal(Replay(tape, tmp_path).numbers(3, "out3"), squares.numpy())


def test_what_the_program_writes_between_calls_is_written_there(
    x: pa.Tensor, tmp_path: Path
) -> None:
    with pa.record() as tape:
        first = pa.ops.selu_backward(x, x)
        before = first.numpy()
        x.copy_from(np.arange(6, dtype=np.float32))
        second = pa.ops.selu_backward(x, first)

    replay = Replay(tape, tmp_path)
    np.testing.assert_array_equal(replay.numbers(1, "gradInput"), before)
    np.testing.assert_array_equal(replay.numbers(2, "gradInput2"), second.numpy())
    assert tape.to_cpp().count("CHECK(Overwrite(") == 1


def test_tensors_may_be_changed_and_closed_afterwards(x: pa.Tensor, tmp_path: Path) -> None:
    with pa.record() as tape:
        result = pa.ops.selu_backward(x, x)
    expected = result.numpy()
    x.copy_from(np.zeros(6, np.float32))
    x.close()
    result.close()

    np.testing.assert_array_equal(Replay(tape, tmp_path).numbers(1, "gradInput"), expected)


def test_a_failing_call_fails_in_the_sample_with_the_same_code(
    x: pa.Tensor, tmp_path: Path
) -> None:
    with pa.record() as tape:
        with pytest.raises(pa.AclParameterError) as raised:
            pa.ops.softshrink_backward(x, x, -1.0)
        after = pa.ops.softshrink_backward(x, x, 1.0)

    replay = Replay(tape, tmp_path)
    assert f"{raised.value.function}: error {raised.value.code}" in replay.calls[1]
    assert "lambda is -1" in replay.calls[1]
    np.testing.assert_array_equal(replay.numbers(2, "gradInput2"), after.numpy())


def test_a_call_that_ends_the_block_is_on_the_tape(x: pa.Tensor, tmp_path: Path) -> None:
    tape = pa.record()

    with pytest.raises(pa.AclError), tape:
        pa.ops.softshrink_backward(x, x, -1.0)

    assert "aclnnSoftshrinkBackwardGetWorkspaceSize: error 161002" in Replay(tape, tmp_path).text


def test_an_error_that_comes_late_is_raised_by_its_call(x: pa.Tensor) -> None:
    with control.fault("aclnnSeluBackward:2:async=507015"), pa.record() as tape:
        pa.ops.selu_backward(x, x)
        with pytest.raises(pa.AclError) as raised:
            pa.ops.selu_backward(x, x)

    assert raised.value.code == 507015
    failed = [step.error for step in tape.steps if hasattr(step, "error")]
    assert failed == [None, raised.value]
    assert "// This call failed: aclrtSynchronizeStreamWithTimeout answered 507015" in tape.to_cpp()


def test_a_call_that_python_refuses_is_a_comment(x: pa.Tensor, tmp_path: Path) -> None:
    with pa.record() as tape:
        pa.ops.selu_backward(x, x)
        with pytest.raises(TypeError):
            pa.ops.selu_backward(x, [1.0])

    source = tape.to_cpp()
    assert "// Call 2, of aclnnSeluBackward, never reached CANN:\n  // TypeError" in source
    assert list(Replay(tape, tmp_path).calls) == [1]


def test_none_views_in_place_and_half_precision_survive(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    base = pa.asarray(rng.standard_normal((4, 6)), dtype="bfloat16")
    grad, values = base[1:3, ::2], base[:2, 1::2]
    rows = pa.asarray(rng.standard_normal((3, 4)), dtype=np.float32)
    mean, rstd = pa.zeros((3, 1)), pa.ones((3, 1))

    with pa.record() as tape:
        half = pa.ops.threshold_backward(grad, values, 0.25)
        norm = pa.ops.layer_norm_backward(
            rows, rows.T.T, [4], mean, rstd, None, None, [True, False, False]
        )

    replay = Replay(tape, tmp_path)
    np.testing.assert_array_equal(
        replay.numbers(1, "out", ml_dtypes.bfloat16), half.numpy().ravel()
    )
    np.testing.assert_array_equal(replay.numbers(2, "gradInputOut"), norm[0].numpy().ravel())


def test_an_output_of_the_caller_is_written_where_it_is(x: pa.Tensor, tmp_path: Path) -> None:
    memory = pa.full((12,), 7.0)

    with pa.record() as tape:
        result = pa.ops.selu_backward(x, x, out=memory[::2])
        again = pa.ops.selu_backward(memory[6:], x)

    assert result.strides == (2,)
    replay = Replay(tape, tmp_path)
    np.testing.assert_array_equal(replay.numbers(1, "gradInput"), result.numpy())
    np.testing.assert_array_equal(replay.numbers(2, "gradInput2"), again.numpy())


def test_runs_of_plans_are_calls(x: pa.Tensor, tmp_path: Path) -> None:
    with pa.ops.selu_backward.plan(x, x) as before, pa.record() as tape:
        before.run()
        with pa.ops.softshrink_backward.plan(x, x, 0.5) as inside:
            result = inside.run().numpy()

    replay = Replay(tape, tmp_path)
    np.testing.assert_array_equal(replay.numbers(2, "gradInput2"), result)


def test_plans_have_their_short_way_back() -> None:
    # A shape that no other test plans: CANN does not repeat what its cache knows.
    odd = pa.ones((3, 1, 7, 1, 5))
    with pa.ops.selu_backward.plan(odd, odd) as plan:
        assert plan.reused
        with pa.record():
            assert plan._run is Plan._run_checked
        assert plan._run is not Plan._run_checked


def test_a_refused_plan_is_a_failing_call(x: pa.Tensor, tmp_path: Path) -> None:
    with pa.record() as tape, pytest.raises(pa.AclError):
        pa.ops.softshrink_backward.plan(x, x, -1.0)

    assert "error 161002" in Replay(tape, tmp_path).text


def test_only_the_thread_that_records_is_recorded(x: pa.Tensor) -> None:
    results = []
    # Twice before, so that the operator has its compiled call.
    pa.ops.selu_backward(x, x)
    expected = pa.ops.selu_backward(x, x).numpy()

    with pa.record() as tape:
        other = threading.Thread(
            target=lambda: results.append(pa.ops.selu_backward(x, x).numpy()), daemon=True
        )
        other.start()
        other.join()

    assert tape.steps == []
    np.testing.assert_array_equal(results[0], expected)


def test_two_threads_record_their_own(x: pa.Tensor) -> None:
    tapes: dict[str, pa.Tape] = {}
    barrier = threading.Barrier(2)

    def work(name: str) -> None:
        mine = pa.asarray(np.ones(3, np.float32))
        with pa.record() as tapes[name]:
            barrier.wait()
            pa.ops[name](mine, mine)
            barrier.wait()

    threads = [
        threading.Thread(target=work, args=(name,), daemon=True)
        for name in ("selu_backward", "hardswish_backward")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for name, tape in tapes.items():
        called = [step.spec.name for step in tape.steps if hasattr(step, "spec")]
        assert called == [name]


def test_an_inner_tape_has_its_part_and_the_outer_one_all(x: pa.Tensor) -> None:
    with pa.record() as outer:
        pa.ops.selu_backward(x, x)
        with pa.record() as inner:
            pa.ops.hardswish_backward(x, x)
        pa.ops.selu_backward(x, x)

    def calls(tape: pa.Tape) -> list[str]:
        return [step.spec.name for step in tape.steps if hasattr(step, "spec")]

    assert calls(inner) == ["hardswish_backward"]
    assert calls(outer) == ["selu_backward", "hardswish_backward", "selu_backward"]


def test_calls_into_a_graph_do_not_run_and_are_left_out(x: pa.Tensor) -> None:
    out = pa.empty_like(x)
    with pa.current_device().create_stream() as stream, pa.record() as tape:
        with pa.Graph.capture(stream) as graph:
            pa.ops.selu_backward(x, x, out=out)
        graph.close()

    assert tape.steps == []


def test_nothing_recorded_is_an_error_that_says_so() -> None:
    with pa.record() as tape:
        pass

    with pytest.raises(ValueError, match="call operators inside"):
        tape.to_cpp()


def test_large_tensors_are_recorded_and_refused_when_written() -> None:
    large = pa.zeros((1 << 11, 1 << 10))

    with pa.record() as tape:
        pa.ops.selu_backward(large, large)

    with pytest.raises(ValueError, match="reproduce the call with smaller tensors"):
        tape.to_cpp()


def test_memory_is_let_go_after_the_block(x: pa.Tensor) -> None:
    with pa.record() as tape:
        pa.ops.selu_backward(x, x)

    assert all(step.memory.buffer is None for step in tape.steps if hasattr(step, "memory"))
