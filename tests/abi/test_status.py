"""Statuses become exceptions that say what happened, where, and what to do."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from abi.conftest import RunPython
from abi.fake_toolkit import FakeToolkit

from pyaclnn.abi import (
    AclCleanupWarning,
    AclError,
    AclParameterError,
    AclRuntimeError,
    AclTimeoutError,
    AclUnsupportedError,
    OutOfMemoryError,
    check,
    describe,
    describe_status,
    error_codes,
    index,
    warn_status,
)

SELU = "aclnnSeluBackwardGetWorkspaceSize"


class Described:
    def describe(self) -> str:
        return "float32[3,4] strides=(1,3)"


def caught(code: int, function: str = "", arguments: object = ()) -> AclError:
    with pytest.raises(AclError) as info:
        check(code, function, arguments)  # type: ignore[arg-type]
    return info.value


def test_success_is_silent() -> None:
    assert check(0, "aclrtMalloc") is None


@pytest.mark.parametrize(
    ("code", "family", "builtin"),
    [
        (161001, AclParameterError, ValueError),
        (161002, AclParameterError, ValueError),
        (107000, AclParameterError, ValueError),
        (207001, OutOfMemoryError, MemoryError),
        (200000, OutOfMemoryError, MemoryError),
        (507046, AclTimeoutError, TimeoutError),
        (507047, AclTimeoutError, TimeoutError),
        (207000, AclUnsupportedError, NotImplementedError),
        (107002, AclRuntimeError, RuntimeError),
        (561103, AclRuntimeError, RuntimeError),
        (-5, AclRuntimeError, RuntimeError),
    ],
)
def test_each_code_has_its_family_and_pythons_own(
    code: int, family: type[AclError], builtin: type[Exception]
) -> None:
    error = caught(code)

    assert (type(error), isinstance(error, builtin)) == (family, True)


def test_the_parts_of_an_error_can_be_read() -> None:
    error = caught(161002, SELU, [Described(), None])

    assert (error.code, error.name, error.function) == (161002, "ACLNN_ERR_PARAM_INVALID", SELU)
    assert error.arguments == (
        ("gradOutput", "float32[3,4] strides=(1,3)"), ("result", "None"),
    )  # fmt: skip
    assert "bfloat16" in error.hint


def test_the_text_shows_the_call_as_it_was_made() -> None:
    text = str(caught(161002, SELU, [Described(), np.zeros((2, 5), np.float16), 0.5]))

    lines = text.splitlines()
    assert lines[0].startswith(f"{SELU} failed: 161002 ACLNN_ERR_PARAM_INVALID (")
    assert lines[1] == (
        f"  call: {SELU}(gradOutput=float32[3,4] strides=(1,3), result=float16[2,5], gradInput=0.5)"
    )
    assert lines[2].startswith("  likely cause: dtype, shape, rank")


def test_an_unknown_code_is_said_to_be_unknown() -> None:
    assert "424242 (a code that the headers do not name)" in str(caught(424242, "f"))


def test_arguments_of_an_undeclared_function_are_numbered() -> None:
    assert caught(161002, "notDeclared", [1]).arguments == (("argument 1", "1"),)


def test_an_object_that_cannot_describe_itself_does_not_hide_the_error() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise ValueError

    assert (
        caught(161002, SELU, [Broken()]).arguments[0][1]
        == "<Broken: ValueError in its description>"
    )


def test_a_long_description_is_cut() -> None:
    assert len(describe("x" * 1000)) == 120


def test_cann_s_own_text_is_read_at_once_and_only_once(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()

    out = run_python(
        "abi.lib.aclInit\n"
        "for _ in range(2):\n"
        "    try: abi.check(107002, 'aclrtMalloc')\n"
        "    except abi.AclError as error: print(repr(error.message), 'CANN says' in str(error))",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.splitlines() == ["'EZ9999: told once' True", "'' False"]


def test_raising_opens_no_library(run_python: RunPython) -> None:
    out = run_python(
        "try: abi.check(107002, 'aclrtMalloc')\nexcept abi.AclError: print(abi.backend.chosen)"
    )

    assert out == "False\n"


def test_an_error_survives_pickling() -> None:
    error = caught(207001, "aclrtMalloc", [1 << 50])

    copy = pickle.loads(pickle.dumps(error))

    assert (type(copy), str(copy), copy.code) == (OutOfMemoryError, str(error), 207001)


def test_clean_up_warns_and_goes_on() -> None:
    with pytest.warns(AclCleanupWarning, match="aclrtFree failed: 107000"):
        succeeded = warn_status(107000, "aclrtFree")

    assert succeeded is False


def test_clean_up_does_not_raise_even_where_warnings_are_errors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        succeeded = warn_status(107000, "aclrtFree")

    assert (succeeded, "aclrtFree failed: 107000" in capsys.readouterr().err) == (False, True)


def test_clean_up_without_failure_is_silent() -> None:
    assert warn_status(0, "aclrtFree") is True


def test_the_text_can_be_had_without_raising() -> None:
    assert describe_status(561000, "aclSetAclOpExecutorRepeatable").startswith(
        "aclSetAclOpExecutorRepeatable failed: 561000 ACLNN_ERR_INNER"
    )


def test_every_code_of_the_table_is_a_code_of_the_headers() -> None:
    table = {row["name"]: code for code, row in error_codes().items()}

    assert table == {name: index.value(name) for name in table}


def test_every_code_of_the_headers_is_in_the_table() -> None:
    declared = {
        name for name, d in index.names().items()
        if d.kind == "constant" and name.startswith(("ACL_ERROR_", "ACLNN_ERR_"))
    }  # fmt: skip
    values = {index.value(name) for name in declared}

    assert values - set(error_codes()) == set()


def test_every_family_of_the_table_is_known() -> None:
    families = {row["family"] for code, row in error_codes().items() if code}

    assert families == {"parameter", "memory", "timeout", "unsupported", "runtime"}


def test_an_error_names_release_and_chip_once_libraries_are_in_use(run_python: RunPython) -> None:
    out = run_python(
        "print('  on: ' in abi.describe_status(161002, 'f'))\n"
        "abi.backend.ensure()\n"
        "print(abi.describe_status(161002, 'f').splitlines()[-1])",
        PYACLNN_BACKEND="simulator", PYACLNN_SIM_SOC="Ascend310P3", PYACLNN_SIM_CANN="9.0",
    )  # fmt: skip

    assert out == "False\n  on: CANN 9.0.0, Ascend310P3, simulated\n"
