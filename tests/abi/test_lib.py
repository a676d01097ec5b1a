"""The raw surface: C names as attributes."""

from __future__ import annotations

import pytest
from abi.conftest import RunPython
from abi.fake_toolkit import FakeToolkit

from pyaclnn.abi import SymbolNotFoundError, lib

CATCH = "try: abi.lib.{name}\nexcept abi.SymbolNotFoundError as error: print(error)\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ACL_FLOAT16", 1), ("ACL_BF16", 27), ("ACL_DT_UNDEFINED", -1), ("ACL_FORMAT_ND", 2),
        ("ACL_SUCCESS", 0), ("ACL_MEMCPY_DEVICE_TO_HOST", 2), ("ACLNN_ERR_PARAM_INVALID", 161002),
        ("ACL_EVENT_TIME_LINE", 8),
    ],
)  # fmt: skip
def test_constants_need_no_library(run_python: RunPython, name: str, value: int) -> None:
    out = run_python(f"print(abi.lib.{name}, abi.backend.chosen)")

    assert out == f"{value} False\n"


def test_the_second_access_is_a_plain_attribute() -> None:
    first = lib.ACL_INT8

    assert lib.__dict__["ACL_INT8"] is first


def test_a_function_is_callable_with_python_numbers(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8(devices=3)

    out = run_python(
        "count = abi.ffi.new('uint32_t *')\n"
        "print(abi.lib.aclrtGetDeviceCount(count), count[0])\n"
        "print('aclrtGetDeviceCount' in vars(abi.lib))",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == "0 3\nTrue\n"


def test_an_argument_of_the_wrong_type_never_reaches_c(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()

    out = run_python(
        "for bad in (('x',), (), (abi.ffi.new('int64_t *'),)):\n"
        "    try: abi.lib.aclrtGetDeviceCount(*bad)\n"
        "    except TypeError as error: print('refused')",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == "refused\n" * 3


def test_a_misspelt_name_suggests_the_nearest_even_without_libraries(run_python: RunPython) -> None:
    out = run_python(CATCH.format(name="aclrtMaloc"), PYACLNN_BACKEND="cann")

    assert "no header declares 'aclrtMaloc'; did you mean aclrtMalloc" in out


def test_a_missing_symbol_says_what_was_searched_and_which_version(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()

    out = run_python(
        CATCH.format(name="aclnnHardswishBackwardV2"),
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.startswith("no library exports aclnnHardswishBackwardV2")
    for said in ("libopapi.so", "CANN version: 8.1.RC1", "aclnnHardswishBackward"):
        assert said in out


def test_a_symbol_of_a_later_release_says_so(toolkit: FakeToolkit, run_python: RunPython) -> None:
    toolkit.layout_8()

    out = run_python(
        CATCH.format(name="aclFinalizeReference"),
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert "no library exports aclFinalizeReference (declared 'Since CANN 9.0')" in out


def test_whether_a_symbol_is_there_can_be_asked(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()

    out = run_python(
        "names = ('aclnnSeluBackward', 'aclnnSoftmaxBackward', 'aclNever', 'ACL_FLOAT')\n"
        "print([abi.has_symbol(name) for name in names])",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == "[True, False, False, False]\n"


def test_a_type_is_no_attribute() -> None:
    with pytest.raises(SymbolNotFoundError, match=r"aclTensor is a type.*ffi\.new"):
        lib.aclTensor  # noqa: B018


def test_names_python_itself_looks_for_read_no_header(run_python: RunPython) -> None:
    out = run_python(
        "print(hasattr(abi.lib, '__wrapped__'), abi.index._base == [], abi.backend.chosen)"
    )

    assert out == "False True False\n"


def test_dir_lists_functions_and_constants_and_no_types() -> None:
    listed = set(dir(lib))

    assert {"aclInit", "aclnnSeluBackward", "ACL_FLOAT", "ACL_SUCCESS"} <= listed
    assert not {"aclDataType", "aclTensor", "aclrtStream", "struct aclTensor"} & listed


def test_another_name_of_a_function_is_that_function(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    toolkit.root.joinpath("alias.h").write_text("#define aclStartUp aclInit\n")

    out = run_python(
        f"abi.add_headers({str(toolkit.root / 'alias.h')!r})\n"
        "print(abi.lib.aclStartUp is abi.lib.aclInit)",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == "True\n"


@pytest.mark.parametrize("name", ["aclrtMaloc", "aclnnSeluBackwards", "aclnnNobodyHasIt"])
def test_a_missing_name_is_told_without_reading_all_headers(
    name: str, run_python: RunPython
) -> None:
    # Reading them as declarations takes seconds; what is read is counted, not timed.
    out = run_python(
        CATCH.format(name=name) + "print(len(abi.index._base[0]._read))",
        PYACLNN_BACKEND="simulator",
    )

    message, count = out.strip().rsplit("\n", 1)
    assert f"no header declares '{name}'" in message
    assert int(count) < 20


def test_the_nearest_names_are_found_in_headers_that_were_not_read(run_python: RunPython) -> None:
    out = run_python(CATCH.format(name="aclnnSeluBackwards"), PYACLNN_BACKEND="simulator")

    assert "did you mean aclnnSeluBackward" in out
