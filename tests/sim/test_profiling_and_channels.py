"""Profiling that a program asks for, and data sets for channels, without what is behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import pyaclnn as pa

INVALID, UNSUPPORTED, NOT_RUN = 100000, 200006, 100043
TENSOR, END = 0, 1


def message() -> str:
    """Return the last error."""
    text = pa.lib.aclGetRecentErrMsg()
    return "" if text == pa.ffi.NULL else pa.ffi.string(text).decode()


def config(devices: list[int] | None = None, events: Any = None, kinds: int = 1) -> Any:
    """Return a configuration of a profiler, null where it is refused."""
    ids = [0] if devices is None else devices
    listed = pa.ffi.new("uint32_t[]", ids) if ids else pa.ffi.NULL
    return pa.lib.aclprofCreateConfig(listed, len(ids), 0, events or pa.ffi.NULL, kinds)


def test_a_profiler_is_refused_by_name() -> None:
    assert pa.lib.aclprofInit(b"/tmp/profile", 12) == UNSUPPORTED
    assert "aclprofInit is not simulated" in message()
    made = config()
    for call in (pa.lib.aclprofStart, pa.lib.aclprofStop):
        assert call(made) == NOT_RUN
        assert "aclprofInit" in message()
        assert call(pa.ffi.NULL) == INVALID
    assert pa.lib.aclprofFinalize() == NOT_RUN
    assert pa.lib.aclprofDestroyConfig(made) == 0
    assert pa.lib.aclprofDestroyConfig(made) == INVALID


@pytest.mark.parametrize(
    ("path", "length"), [(None, 1), (b"", 0), (b"/tmp", 3), (b"a" * 5000, 5000)]
)
def test_the_path_of_a_profile_is_checked(path: bytes | None, length: int) -> None:
    assert pa.lib.aclprofInit(path or pa.ffi.NULL, length) == INVALID


def test_a_configuration_names_devices_that_are_there_once() -> None:
    there = pa.ffi.new("uint32_t*")
    assert pa.lib.aclrtGetDeviceCount(there) == 0
    refused = [config([0, 0]), config([there[0]]), config([2**32 - 1]), config([])]
    refused.append(config(events=pa.ffi.cast("aclprofAicoreEvents*", 8)))
    refused.append(pa.lib.aclprofCreateConfig(pa.ffi.NULL, 1, 0, pa.ffi.NULL, 1))

    assert refused == [pa.ffi.NULL] * 6
    assert config([], kinds=0x80) != pa.ffi.NULL


def test_a_step_is_marked_once() -> None:
    pa.Device(0)
    pa.zeros(1)  # a context
    step = pa.lib.aclprofCreateStepInfo()
    stream = pa.ffi.NULL
    assert [pa.lib.aclprofGetStepTimestamp(step, tag, stream) for tag in (0, 1)] == [0, 0]
    assert pa.lib.aclprofGetStepTimestamp(step, 0, stream) == INVALID
    pa.lib.aclprofDestroyStepInfo(step)
    assert pa.lib.aclprofGetStepTimestamp(step, 0, stream) == INVALID


def test_nothing_records_stamps() -> None:
    assert pa.lib.aclprofCreateStamp() == pa.ffi.NULL
    pa.lib.aclprofDestroyStamp(pa.ffi.NULL)
    number = pa.ffi.new("uint32_t*")
    for code in (
        pa.lib.aclprofMark(pa.ffi.NULL),
        pa.lib.aclprofMarkEx(b"here", 4, pa.ffi.NULL),
        pa.lib.aclprofPush(pa.ffi.NULL),
        pa.lib.aclprofPop(),
        pa.lib.aclprofRangeStart(pa.ffi.NULL, number),
        pa.lib.aclprofRangeStop(0),
    ):
        assert code == -1
    assert "aclprofRangeStop is not simulated" in message()


@pytest.fixture
def item() -> Iterator[Any]:
    """Give an item of two rows of three floats on the host."""
    data = pa.ffi.new("float[6]")
    dims = pa.ffi.new("int64_t[]", [2, 3])
    made = pa.lib.acltdtCreateDataItem(TENSOR, dims, 2, pa.lib.ACL_FLOAT, data, 24)
    yield made
    assert pa.lib.acltdtDestroyDataItem(made) == 0
    assert pa.lib.acltdtDestroyDataItem(made) == INVALID
    assert pa.lib.acltdtGetDataSizeFromItem(made) == 0
    assert pa.lib.acltdtGetTensorTypeFromItem(made) == -1


def test_an_item_keeps_what_it_is_given(item: Any) -> None:
    dims = pa.ffi.new("int64_t[3]")
    assert pa.lib.acltdtGetTensorTypeFromItem(item) == TENSOR
    assert pa.lib.acltdtGetDataTypeFromItem(item) == pa.lib.ACL_FLOAT
    assert pa.lib.acltdtGetDataSizeFromItem(item) == 24
    assert pa.lib.acltdtGetDimNumFromItem(item) == 2
    assert pa.lib.acltdtGetDimsFromItem(item, dims, 3) == 0
    assert list(dims) == [2, 3, 0]
    assert pa.lib.acltdtGetDimsFromItem(item, dims, 1) == INVALID
    assert pa.lib.acltdtGetDimsFromItem(item, pa.ffi.NULL, 2) == INVALID
    slices = pa.ffi.new("size_t[2]", [7, 7])
    assert pa.lib.acltdtGetSliceInfoFromItem(item, slices, slices + 1) == 0
    assert list(slices) == [0, 0]


def test_items_that_are_not_possible_are_refused() -> None:
    dims = pa.ffi.new("int64_t[200]")
    create = pa.lib.acltdtCreateDataItem
    null = pa.ffi.NULL
    assert create(TENSOR, null, 1, 0, null, 0) == null
    assert create(TENSOR, dims, 0, 0, null, 0) == null
    assert create(TENSOR, dims, 129, 0, null, 0) == null
    assert create(END, dims, 1, 0, null, 0) == null
    assert create(END, null, 0, 0, null, 0) != null


def test_a_data_set_has_its_items_in_order(item: Any) -> None:
    data_set = pa.lib.acltdtCreateDataset()
    end = pa.lib.acltdtCreateDataItem(END, pa.ffi.NULL, 0, 0, pa.ffi.NULL, 0)
    on_device = pa.zeros(6)
    dims = pa.ffi.new("int64_t[]", [6])
    address = pa.ffi.cast("void*", on_device.buffer.ptr)
    there = pa.lib.acltdtCreateDataItem(TENSOR, dims, 1, pa.lib.ACL_FLOAT, address, 24)

    assert [pa.lib.acltdtAddDataItem(data_set, each) for each in (item, end)] == [0, 0]
    assert pa.lib.acltdtAddDataItem(data_set, there) == INVALID
    assert "on both" in message()
    assert pa.lib.acltdtGetDatasetSize(data_set) == 2
    assert pa.lib.acltdtGetDataItem(data_set, 1) == end
    assert pa.lib.acltdtGetDataItem(data_set, 2) == pa.ffi.NULL
    assert pa.ffi.string(pa.lib.acltdtGetDatasetName(data_set)) == b""
    assert pa.lib.acltdtDestroyDataset(data_set) == 0
    assert pa.lib.acltdtGetDatasetSize(data_set) == 0


def test_a_channel_is_refused_by_name() -> None:
    assert pa.lib.acltdtCreateChannel(0, b"data") == pa.ffi.NULL
    assert "acltdtCreateChannel is not simulated" in message()
