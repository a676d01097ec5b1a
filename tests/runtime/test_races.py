"""Missing synchronisation is found, named and told; the same programs with it are left in peace."""

from __future__ import annotations

from collections.abc import Iterator

import children
import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.abi import check, ffi, lib
from pyaclnn.sim import races

SHAPE = (4, 8)
NBYTES = 128


@pytest.fixture
def other() -> Iterator[pa.Stream]:
    stream = pa.current_device().create_stream()
    yield stream
    stream.close()


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    pa.current_device().sync()
    races.forget()
    # Workspaces of streams that all tests share would be seen by tests of memory.
    pa.current_device().pool.trim()


def selu(grad: pa.Tensor, result: pa.Tensor, **where: pa.Stream | pa.Tensor) -> pa.Tensor:
    y: pa.Tensor = pa.ops.selu_backward(grad, result, **where)
    return y


def sides(hazard: races.Hazard) -> list[tuple[int, str, str, str]]:
    """Stream, access, operand and tensor of both sides."""
    return [(a.stream, a.access, a.operand, a.tensor) for a in (hazard.earlier, hazard.later)]


def test_a_result_used_on_another_stream_too_early(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)
    with races.search("collect") as found:
        y = selu(x, x)
        selu(y, x, stream=other)
    here, there = map(races.number_of, (pa.current_stream(), other))
    assert [hazard.kind for hazard in found] == ["read-after-write"]
    assert sides(found[0]) == [
        (here, "writes", "gradInput", "float32[4, 8]"),
        (there, "reads", "gradOutput", "float32[4, 8]"),
    ]
    assert (found[0].block, found[0].begin, found[0].end) == (y.buffer.ptr, 0, NBYTES)


def test_an_event_makes_it_right(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)
    with races.search("collect") as found:
        y = selu(x, x)
        other.wait(pa.current_stream().record())
        selu(y, x, stream=other)
    assert found == []


def test_waiting_on_the_host_makes_it_right(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)
    with races.search("collect") as found:
        y = selu(x, x)
        pa.current_stream().sync()
        z = selu(y, x, stream=other)
        other.record().sync()
        selu(y, x, out=z)
    assert found == []


def test_a_stream_overwrites_what_another_still_reads(other: pa.Stream) -> None:
    x, y = pa.ones(SHAPE), pa.zeros(SHAPE)
    with races.search("collect") as found:
        selu(x, x)
        selu(y, y, out=x, stream=other)
    assert [hazard.kind for hazard in found] == ["write-after-read"]
    pa.current_device().sync()
    with races.search("collect") as found:
        selu(x, x)
        other.wait(pa.current_stream().record())
        selu(y, y, out=x, stream=other)
    assert found == []


def test_columns_of_one_matrix_are_no_hazard(other: pa.Stream) -> None:
    matrix, x = pa.zeros((4, 16)), pa.ones(SHAPE)
    with races.search("collect") as found:
        selu(x, x, out=matrix[:, 0::2])
        selu(x, x, out=matrix[:, 1::2], stream=other)
    assert found == []
    pa.current_device().sync()
    with races.search("collect") as found:
        selu(x, x, out=matrix[:, 0::2])
        selu(x, x, out=matrix[:, :8], stream=other)
    assert found[0].earlier.tensor == "float32[4, 8] with strides [16, 2]"


def test_values_are_fetched_too_early(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)
    host = np.empty(SHAPE, np.float32)
    place = ffi.cast("void *", host.ctypes.data)

    def fetch(y: pa.Tensor) -> int:
        kind = 2
        return int(lib.aclrtMemcpy(place, NBYTES, y.buffer.pointer, NBYTES, kind))

    with races.search("collect") as found:
        check(fetch(selu(x, x)), "aclrtMemcpy")
    assert [sides(hazard)[1] for hazard in found] == [(0, "reads", "src", "")]
    with races.search("collect") as found:
        y = selu(x, x)
        y.buffer.sync()
        check(fetch(y), "aclrtMemcpy")
    assert found == []


def test_tensor_numpy_waits_by_itself(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)
    with races.search("collect") as found:
        selu(x, x, stream=other).numpy()
        pa.empty(SHAPE).copy_from(selu(x, x, stream=other)).numpy()
        pinned = selu(x, x).numpy(out=pa.empty_pinned(SHAPE), stream=other)
        pa.empty(SHAPE).copy_from(pinned, stream=other)
    assert found == []


def test_a_graph_runs_beside_work_it_shares_memory_with(other: pa.Stream) -> None:
    x, y = pa.ones(SHAPE), pa.zeros(SHAPE)
    with other, pa.Graph.capture() as graph:
        selu(x, x, out=y)
    with races.search("collect") as found:
        selu(y, y)
        graph.run()
    assert [hazard.kind for hazard in found] == ["write-after-read"]
    assert found[0].later.captured_on == races.number_of(other)
    with races.search("collect") as found:
        pa.current_stream().wait(other.record())
        selu(y, y)
        other.wait(pa.current_stream().record())
        graph.run()
    assert found == []
    graph.close()


def test_memory_that_other_streams_used_is_reused_in_order(other: pa.Stream) -> None:
    x, z = pa.ones(SHAPE), pa.zeros(SHAPE)
    with races.search("collect") as found:
        for _ in range(50):
            y = selu(x, x)
            other.wait(pa.current_stream().record())
            selu(y, x, out=z, stream=other)
            y.buffer.record_use(other)
            del y
    assert found == []


def test_in_error_mode_the_later_stream_fails_and_says_why(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)
    with races.search("error"):
        y = selu(x, x)
        z = selu(y, x, stream=other)
        pa.current_stream().sync()
        with pytest.raises(pa.AclError) as caught:
            other.sync()
    assert caught.value.code == 507015
    text = str(caught.value)
    assert "read-after-write hazard on bytes 0 to 128" in text
    assert "aclnnSeluBackward on stream" in text
    assert "gradInput, float32[4, 8]" in text
    assert "wait for an event recorded on stream" in text
    # The work itself was done, and the stream goes on.
    assert z.numpy().shape == SHAPE


def test_in_warn_mode_the_block_ends_with_a_warning(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)

    def forget_a_wait() -> list[races.Hazard]:
        with races.search() as found:
            selu(selu(x, x), x, stream=other)
        return found

    with pytest.warns(races.RaceWarning, match=r"gradOutput, float32\[4, 8\]") as told:
        found = forget_a_wait()
    assert [str(hazard) for hazard in found] == [str(warning.message) for warning in told]


def test_only_what_the_block_did_is_found_there(other: pa.Stream) -> None:
    x = pa.ones(SHAPE)

    def forget_a_wait(times: int) -> None:
        for _ in range(times):
            selu(selu(x, x), x, stream=other)
            pa.current_device().sync()

    with races.search("collect") as first:
        forget_a_wait(2)
    with races.search("collect") as second:
        forget_a_wait(3)
    with races.search("collect") as third:
        pass
    assert [hazard.times for hazard in (*first, *second, *third)] == [2, 3]
    assert [hazard.times for hazard in races.hazards()] == [5]


def test_the_mode_is_as_before_after_a_block() -> None:
    before = races.mode()
    for mode in ("warn", "error", "collect"):
        with races.search(mode):
            assert races.mode() == ("error" if mode == "error" else "collect")
        assert races.mode() == before


def test_other_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="it is one of warn, error, collect"), races.search("all"):
        pass
    with pytest.raises(ValueError, match="it is one of off, warn, error, collect"):
        races.set_mode("all")


PROGRAM = """
    import pyaclnn as pa
    x = pa.ones(3)
    y = pa.ops.selu_backward(x, x)
    other = pa.current_device().create_stream()
    for _ in range(3):
        {wait}
        pa.ops.selu_backward(y, x, stream=other)
    pa.current_device().sync()
    print("done")
"""


def test_the_environment_asks_for_warnings_on_stderr() -> None:
    wrong = children.run_child(PROGRAM.format(wait=""), PYACLNN_SIM_CHECK="races")
    assert (wrong.returncode, wrong.stdout) == (0, "done\n")
    assert wrong.stderr.startswith("pyaclnn simulator: read-after-write hazard on bytes 0 to 12")
    assert wrong.stderr.count("hazard") == 1
    wait = "other.wait(pa.current_stream().record())"
    assert children.output_of(PROGRAM.format(wait=wait), PYACLNN_SIM_CHECK="races") == "done"


def test_the_environment_asks_for_errors() -> None:
    wrong = children.run_child(PROGRAM.format(wait=""), PYACLNN_SIM_CHECK="leaks,races:error")
    assert wrong.returncode == 1
    assert "AclRuntimeError: aclrtSynchronizeDevice" in wrong.stderr
    assert "failed: 507015" in wrong.stderr


def test_nothing_is_looked_for_where_nobody_asks() -> None:
    assert children.output_of(PROGRAM.format(wait=""), PYACLNN_SIM_CHECK="") == "done"
