from __future__ import annotations

import copy
import gc
import threading

import pytest
from children import output_of
from gates import Gate

from pyaclnn.abi import AclError, AclTimeoutError, ffi, lib
from pyaclnn.runtime import Device, current_device, current_stream, device_count
from pyaclnn.sim import control


def test_a_device_is_the_same_object_each_time() -> None:
    assert Device(0) is Device(0)


def test_a_copied_device_is_the_same_object() -> None:
    assert copy.deepcopy(Device(0)) is Device(0)


@pytest.mark.parametrize("index", [-1, 1_000_000])
def test_a_device_that_does_not_exist_is_refused(index: int) -> None:
    with pytest.raises(ValueError, match=f"no device {index}; there are {device_count()}"):
        Device(index)


def test_a_device_number_is_an_integer() -> None:
    with pytest.raises(TypeError):
        Device("0")  # type: ignore[arg-type]


def test_the_name_is_that_of_the_chip() -> None:
    code = "from pyaclnn.runtime import Device; print(Device(0).name)"

    assert output_of(code, PYACLNN_SIM_SOC="Ascend310P3") == "Ascend310P3"


@pytest.mark.parametrize(
    "chip", ["Ascend910_95", "Ascend950", "Ascend950PR_9599", "Ascend950DT_9582"]
)
def test_each_variant_of_the_950_is_a_chip_of_its_name(chip: str) -> None:
    code = (
        "from pyaclnn.runtime import Device; from pyaclnn.selftest.chips import chip_family;"
        "print(Device(0).name, chip_family())"
    )

    assert output_of(code, PYACLNN_SIM_SOC=chip) == f"{chip} 950"


def test_memory_in_use_is_missing_from_free_memory() -> None:
    device = Device(0)
    gc.collect()
    device.sync()
    device.pool.trim()
    device.pool.trim()
    before = device.memory_info()

    block = device.pool.allocate(64 << 20, device.default_stream)
    during = device.memory_info()
    block.bin.append(block)
    device.pool.trim()

    assert before.free - during.free >= 64 << 20
    assert device.memory_info() == before
    assert during.total == before.total >= before.free


def test_the_first_use_in_a_thread_binds_the_device_there() -> None:
    seen: list[object] = []

    def work() -> None:
        seen.append(current_device())
        current_stream().sync()
        seen.append(lib.aclrtGetDevice(number))

    number = ffi.new("int32_t *", -1)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert seen == [Device(0), 0]
    assert number[0] == 0


def test_with_device_makes_it_current_and_returns_to_the_one_before() -> None:
    code = """
    from pyaclnn.runtime import Device, current_device, current_stream
    seen = [current_device().index]
    with Device(1):
        seen.append(current_device().index)
        seen.append(current_stream().device.index)
        with Device(0):
            seen.append(current_stream().device.index)
        seen.append(current_stream().device.index)
    seen.append(current_stream().device.index)
    Device(1).use()
    seen.append(current_stream().device.index)
    print(seen)
    """

    assert output_of(code, PYACLNN_SIM_DEVICES="2") == "[0, 1, 1, 0, 1, 0, 1]"


def test_a_device_that_another_library_made_current_is_taken_over() -> None:
    code = """
    from pyaclnn.abi import check, lib
    from pyaclnn.runtime import current_device
    check(lib.aclInit(b""))
    check(lib.aclrtSetDevice(1))
    print(current_device().index)
    """

    assert output_of(code, PYACLNN_SIM_DEVICES="2") == "1"


def test_sync_shows_the_error_of_asynchronous_work() -> None:
    with (
        control.fault("aclrtSynchronizeDeviceWithTimeout:1:507015"),
        pytest.raises(AclError) as caught,
    ):
        Device(0).sync()

    assert caught.value.code == 507015
    assert caught.value.function == "aclrtSynchronizeDeviceWithTimeout"


def test_sync_gives_up_after_its_timeout() -> None:
    device = Device(0)
    with Gate(device.default_stream), pytest.raises(AclTimeoutError):
        device.sync(timeout=0.01)
    device.sync(timeout=10)

    assert device.default_stream.is_done


@pytest.mark.parametrize("timeout", [-1.0, float("nan")])
def test_a_timeout_is_not_negative(timeout: float) -> None:
    with pytest.raises(ValueError, match="give seconds >= 0"):
        Device(0).sync(timeout=timeout)


def test_a_device_that_does_not_come_up_may_be_tried_again() -> None:
    code = """
    from pyaclnn.abi import AclError
    from pyaclnn.runtime import Device
    from pyaclnn.sim import control
    device = Device(0)
    with control.fault("aclrtSetDevice:1:507033"):
        try:
            device.sync()
        except AclError as error:
            print(error.code)
    device.sync()
    print(device.memory_info().total > 0)
    """

    assert output_of(code).split() == ["507033", "True"]
