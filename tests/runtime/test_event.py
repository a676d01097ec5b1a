from __future__ import annotations

import gc
import time

import pytest
from children import run_child
from gates import Gate

from pyaclnn.abi import AclError, AclTimeoutError, ClosedError
from pyaclnn.runtime import Device, Event, Stream
from pyaclnn.sim import control


@pytest.fixture
def stream() -> Stream:
    return Device(0).create_stream()


def test_an_event_is_done_when_the_stream_reached_it(stream: Stream) -> None:
    with Gate(stream):
        event = stream.record()
        before = event.is_done
    event.sync()

    assert (before, event.is_done) == (False, True)


def test_an_event_that_was_not_recorded_counts_as_done() -> None:
    event = Event()

    event.sync()

    assert event.is_done


def test_sync_gives_up_after_its_timeout(stream: Stream) -> None:
    with Gate(stream):
        event = stream.record()
        with pytest.raises(AclTimeoutError) as caught:
            event.sync(timeout=0.01)

    assert caught.value.code == 507047


def test_a_stream_waits_for_an_event_of_another(stream: Stream) -> None:
    waiting = Device(0).create_stream()
    with Gate(stream):
        waiting.wait(stream.record())
        end = waiting.record()
        before = end.is_done
    end.sync()

    assert (before, end.is_done) == (False, True)


def test_an_event_is_recorded_on_the_current_stream(stream: Stream) -> None:
    with Gate(stream):
        with stream:
            event = Event().record()
        assert not event.is_done


def test_recording_again_moves_the_event(stream: Stream) -> None:
    event = stream.record()
    event.sync()
    with Gate(stream):
        stream.record(event)
        assert not event.is_done


def test_elapsed_time_is_that_between_the_records(stream: Stream) -> None:
    begin, end = Event(), Event()
    stream.record(begin)
    begin.sync()
    with Gate(stream):
        stream.record(end)
        time.sleep(0.02)
    end.sync()

    assert 20 <= begin.elapsed_ms(end) < 10_000
    assert end.elapsed_ms(begin) == pytest.approx(-begin.elapsed_ms(end))


def test_the_time_of_an_event_that_was_not_recorded_is_an_error(stream: Stream) -> None:
    with pytest.raises(AclError) as caught:
        Event().elapsed_ms(stream.record())

    assert caught.value.code == 507000


def test_closing_twice_destroys_once() -> None:
    event = Event()
    before = control.count("event")

    event.close()
    event.close()

    assert control.count("event") == before - 1


def test_a_closed_event_is_refused(stream: Stream) -> None:
    event = stream.record()
    event.close()

    for use in (event.sync, event.record, lambda: stream.wait(event)):
        with pytest.raises(ClosedError, match="event is closed"):
            use()


def test_dropped_events_are_destroyed(stream: Stream) -> None:
    gc.collect()
    Device(0).destroy_dropped()
    before = control.count("event")

    for _ in range(100):
        stream.record()
    Device(0).destroy_dropped()

    assert control.count("event") == before


def test_an_event_is_recorded_on_its_own_device_only() -> None:
    child = run_child(
        """
        from pyaclnn.runtime import Device, Event
        Event(Device(0)).record(Device(1).default_stream)
        """,
        PYACLNN_SIM_DEVICES="2",
    )

    assert "ValueError: the event belongs to Device(0), the stream to Device(1)" in child.stderr
