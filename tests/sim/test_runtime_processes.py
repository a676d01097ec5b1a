"""What a process that uses the simulator looks like from outside."""

from __future__ import annotations

import signal

import pytest
import toolchain

SOURCE = toolchain.C_TESTS / "runtime" / "process.cpp"


def run(case: str, **env: str) -> tuple[int, str, str]:
    program = toolchain.build(SOURCE, ("ascendcl",))
    done = toolchain.run(program, case, env=env)
    return done.returncode, done.stdout, done.stderr


def crashed(status: int, errors: str) -> bool:
    """Whether a process died of an invalid access, or a sanitizer took the signal for it."""
    return status in (-signal.SIGSEGV, -signal.SIGBUS) or "Sanitizer: SEGV" in errors


def machine(**env: str) -> str:
    status, output, errors = run("print_the_machine", **env)
    assert status == 0, errors
    return output.strip()


@pytest.mark.parametrize(
    "case", ["read_device_memory", "write_device_memory", "read_below_the_first_block"]
)
def test_touching_device_memory_from_the_host_crashes(case: str) -> None:
    status, output, errors = run(case)
    assert crashed(status, errors)
    assert output == ""


def test_dereferencing_a_handle_crashes() -> None:
    status, output, errors = run("dereference_a_handle")
    assert crashed(status, errors)
    assert output == ""


def test_a_forked_child_gets_an_error_and_ends_with_its_own_status() -> None:
    # A leak sanitizer, where there is one, misses in the child the threads it wants to stop.
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}
    assert run("forked_child_is_told", PYACLNN_SIM_CHECK="leaks", **quiet) == (0, "", "")


def test_a_process_that_made_no_call_may_fork() -> None:
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}
    assert run("forked_before_any_call", **quiet) == (0, "", "")


@pytest.mark.parametrize(
    "case", ["visible_devices_are_those_of_aclInit", "visible_devices_stay_once_one_is_set"]
)
def test_visible_devices_are_kept_from_the_start_on(case: str) -> None:
    assert run(case, PYACLNN_SIM_DEVICES="3") == (0, "", "")


@pytest.mark.parametrize("devices", ["1", "2"])
def test_around_a_device_is_nobodys_memory(devices: str) -> None:
    case = "around_a_device_is_nobodys_memory"
    assert run(case, PYACLNN_SIM_MEMORY="64M", PYACLNN_SIM_DEVICES=devices) == (0, "", "")


def test_work_that_is_pending_at_exit_holds_nothing_up() -> None:
    assert run("exit_with_work_pending") == (3, "", "")


def test_leaks_are_listed_with_counts_and_bytes_when_asked_for() -> None:
    status, _, errors = run("leave_things_behind", PYACLNN_SIM_CHECK="leaks")
    listed = [line.split() for line in errors.split("at aclFinalize:\n")[1].splitlines()]
    assert status == 0
    assert listed[:4] == [
        ["1", "stream"],
        ["1", "event"],
        ["2", "device_block", "(128", "bytes)"],
        ["1", "host_block", "(10", "bytes)"],
    ]
    assert "at process exit" in errors


def test_leaks_are_not_listed_unless_asked_for() -> None:
    assert run("leave_things_behind") == (0, "", "")


def test_a_program_that_cleans_up_has_no_leaks() -> None:
    assert run("leave_nothing_behind", PYACLNN_SIM_CHECK="leaks") == (0, "", "")


def test_the_environment_can_plan_faults() -> None:
    assert run("third_malloc_fails", PYACLNN_SIM_FAULT="aclrtMalloc:3:207001") == (0, "", "")


def test_a_plan_that_is_not_understood_is_reported() -> None:
    status, _, errors = run("leave_nothing_behind", PYACLNN_SIM_FAULT="aclrtMalloc")
    assert status == 0
    assert "PYACLNN_SIM_FAULT=aclrtMalloc is not understood" in errors


def test_a_plan_for_a_misspelt_function_is_reported() -> None:
    status, _, errors = run("leave_nothing_behind", PYACLNN_SIM_FAULT="aclrtMallco:1:207001")
    assert status == 0
    assert "names aclrtMallco, which the simulator does not have; nearest: aclrtMalloc," in errors


def test_new_memory_can_be_poisoned() -> None:
    assert run("new_memory_is_poisoned", PYACLNN_SIM_CHECK="poison") == (0, "", "")


def test_a_device_that_cannot_be_mapped_is_an_error_of_set_device() -> None:
    case = "a_device_too_large_to_map_is_not_brought_up"
    assert run(case, PYACLNN_SIM_MEMORY="200000G") == (0, "", "")


def test_functions_of_a_later_release_are_refused() -> None:
    assert run("functions_of_8_5_are_absent_in_8_1", PYACLNN_SIM_CANN="8.1") == (0, "", "")


def test_empty_copies_follow_the_release() -> None:
    assert run("copying_nothing_is_refused_in_8_1", PYACLNN_SIM_CANN="8.1") == (0, "", "")


@pytest.mark.parametrize("soc", ["Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend910_95"])
def test_padding_follows_the_chip(soc: str) -> None:
    assert run("padding_can_be_touched_and_no_more", PYACLNN_SIM_SOC=soc) == (0, "", "")


def test_the_environment_describes_the_machine() -> None:
    text = machine(
        PYACLNN_SIM_SOC="Ascend310P3",
        PYACLNN_SIM_DEVICES="3",
        PYACLNN_SIM_MEMORY="64M",
        PYACLNN_SIM_CANN="8.1",
    )
    assert text == f"soc=Ascend310P3 devices=3 memory={64 << 20} minor=13"


@pytest.mark.parametrize(("visible", "count"), [("2,0", 2), ("1,9,0", 1), ("0,0", 1), ("", 0)])
def test_visible_devices_are_renumbered_up_to_the_first_bad_one(visible: str, count: int) -> None:
    text = machine(PYACLNN_SIM_DEVICES="3", ASCEND_RT_VISIBLE_DEVICES=visible)
    assert f"devices={count}" in text


@pytest.mark.parametrize(
    ("variable", "value", "accepted"),
    [
        ("PYACLNN_SIM_SOC", "Ascend42", "Ascend910B1"),
        ("PYACLNN_SIM_DEVICES", "0", "1 to 64"),
        ("PYACLNN_SIM_MEMORY", "lots", "K, M or G"),
        ("PYACLNN_SIM_CANN", "7.0", "8.1 8.5 9.0 9.1"),
        ("PYACLNN_SIM_CHECK", "everything", "leaks poison"),
        ("PYACLNN_SIM_THREADS", "-1", "1 to 1024"),
    ],
)
def test_a_setting_that_is_not_understood_is_reported_once(
    variable: str, value: str, accepted: str
) -> None:
    status, output, errors = run("print_the_machine", **{variable: value})
    assert status == 0
    assert "soc=Ascend910B1 devices=1" in output
    assert errors.count(f"{variable}={value}") == 1
    assert accepted in errors
