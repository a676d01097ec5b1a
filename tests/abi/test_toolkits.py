"""Finding and opening CANN in its layouts, with libraries made here."""

from __future__ import annotations

from pathlib import Path

import pytest
from abi.conftest import RunPython
from abi.fake_toolkit import ARCH, NNOPBASE, RUNTIME, SELU, FakeToolkit

CALL_SELU = "print(abi.lib.aclnnSeluBackward(abi.ffi.NULL, 0, abi.ffi.NULL, abi.ffi.NULL))"


def test_the_8_layout_is_found_through_ascend_home_path(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()

    out = run_python(
        f"{CALL_SELU}; print(abi.backend.name, abi.backend.version, abi.backend.root)",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.split() == ["8", "cann", "8.1.RC1", str(toolkit.root)]


def test_auto_takes_cann_without_a_warning_when_it_has_a_device(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()

    out = run_python(CALL_SELU, ASCEND_HOME_PATH=toolkit.root)

    assert out == "8\n"


def test_the_9_layout_asks_the_part_before_legacy_and_never_the_whole(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_9()

    out = run_python(
        f"{CALL_SELU}\n"
        "print(abi.lib.aclnnSoftmaxBackward(abi.ffi.NULL, 0, abi.ffi.NULL, abi.ffi.NULL))\n"
        "print(abi.backend.version)\n"
        "print([r.name for r in abi.libraries() if not r.loaded])",
        ASCEND_TOOLKIT_HOME=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.splitlines() == ["9", "1", "9.0.0", "['libascendcl.so', 'libopapi.so']"]


def test_the_9_layout_prefers_libacl_rt_and_opens_libascendcl_for_the_rest(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_9()

    out = run_python(
        "print(abi.ffi.string(abi.lib.aclrtGetSocName()).decode())\n"
        "print(abi.find_symbol('aclrtGetSocName').path)\n"
        "print(abi.lib.aclopStartDumpArgs(0, abi.ffi.NULL))",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    name, path, status = out.splitlines()
    assert (name, Path(path).name, status) == ("new", "libacl_rt.so", "77")


def test_a_custom_package_is_asked_before_the_toolkit(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    package = toolkit.custom("my_package", 42)

    out = run_python(
        f"{CALL_SELU}; print(abi.find_symbol('aclnnSeluBackward').path)",
        ASCEND_HOME_PATH=toolkit.root, ASCEND_CUSTOM_OPP_PATH=package, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.split() == ["42", str(package / "op_api/lib/libcust_opapi.so")]


def test_vendors_are_asked_in_the_order_of_config_ini(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    for vendor, number in (("alpha", 1), ("beta", 2), ("ignored", 3)):
        toolkit.custom(f"opp/vendors/{vendor}", number)
    (toolkit.root / "opp/vendors/config.ini").write_text("load_priority=beta,alpha\n")

    out = run_python(
        f"{CALL_SELU}; print([r.path.split('/')[-4] for r in abi.libraries() if 'cust' in r.name])",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.splitlines() == ["2", "['alpha', 'beta']"]


def test_declarations_of_a_custom_package_come_with_it(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    package = toolkit.root / "mine"
    toolkit.library(
        "mine/op_api/lib/libcust_opapi.so", "int aclnnTwiceMine(int x) { return 2 * x; }"
    )
    (package / "op_api/include").mkdir()
    (package / "op_api/include/aclnn_twice_mine.h").write_text("int aclnnTwiceMine(int x);\n")

    out = run_python(
        "print(abi.lib.aclnnTwiceMine(21))",
        ASCEND_HOME_PATH=toolkit.root, ASCEND_CUSTOM_OPP_PATH=package, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == "42\n"


def test_headers_of_the_installed_toolkit_win_over_the_vendored_ones(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    toolkit.library(
        "lib64/libascendcl.so",
        RUNTIME + "int aclrtSynchronizeDevice(int milliseconds) { return milliseconds; }",
    )
    header = toolkit.root / "include/acl/acl_rt.h"
    header.parent.mkdir(parents=True)
    header.write_text("int aclrtSynchronizeDevice(int milliseconds);\n")

    out = run_python(
        "print(abi.lib.aclrtSynchronizeDevice(5)); print(abi.signature('aclrtSynchronizeDevice'))",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.splitlines() == ["5", "int aclrtSynchronizeDevice(int milliseconds)"]


@pytest.mark.parametrize("directory", ["stub", "devlib"])
def test_link_time_stubs_are_never_opened(
    toolkit: FakeToolkit, run_python: RunPython, directory: str
) -> None:
    toolkit.library(f"{directory}/libascendcl.so", RUNTIME)
    toolkit.library(f"{directory}/libnnopbase.so", NNOPBASE)
    toolkit.library(f"{directory}/libopapi.so", SELU)

    out = run_python(
        "try: abi.lib.aclInit\nexcept abi.LibraryNotFoundError as error: print(error)",
        LD_LIBRARY_PATH=toolkit.root / directory, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert f"{toolkit.root / directory} holds link-time stubs" in out


def test_a_link_to_a_stub_directory_is_a_stub_too(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.library("stub/libascendcl.so", RUNTIME)
    (toolkit.root / "lib64").symlink_to("stub")

    out = run_python(
        "try: abi.lib.aclInit\nexcept abi.LibraryNotFoundError as error: print(error)",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert f"{toolkit.root} has neither libacl_rt.so nor libascendcl.so" in out


def test_the_library_path_leads_to_the_root_of_the_toolkit(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_9()

    out = run_python(
        "print(abi.backend.root, abi.libraries()[0].how)",
        LD_LIBRARY_PATH=f"/nonexistent:{toolkit.root / ARCH / 'lib64'}", PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == f"{toolkit.root} LD_LIBRARY_PATH\n"


def test_libraries_already_in_the_process_come_first(
    toolkit: FakeToolkit, run_python: RunPython, tmp_path: Path, c_compiler: list[str]
) -> None:
    toolkit.layout_8(TAG='"loaded before"')
    other = FakeToolkit(tmp_path / "other", c_compiler).layout_8(TAG='"of the environment"')

    out = run_python(
        f"import ctypes; kept = ctypes.CDLL('{toolkit.root}/lib64/libascendcl.so')\n"
        "print(abi.ffi.string(abi.lib.aclrtGetSocName()).decode())\n"
        "print(abi.libraries()[0].how)",
        ASCEND_HOME_PATH=other.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == "loaded before\nalready loaded in this process\n"


def test_a_dependency_the_loader_does_not_find_is_taken_from_the_toolkit(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    helper = toolkit.library(
        "runtime/lib64/libruntime.so", "int answer(void) { return 3; }", "-Wl,-soname,libruntime.so"
    )
    toolkit.library(
        "lib64/libascendcl.so",
        RUNTIME + "int answer(void); int aclFinalize(void) { return answer(); }",
        "-x", "none", str(helper),
    )  # fmt: skip

    out = run_python(
        "print(abi.lib.aclFinalize())", ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann"
    )

    assert out == "3\n"


def test_a_library_with_a_loose_end_is_bound_lazily_and_noted(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    toolkit.library(
        "lib64/libnnopbase.so", NNOPBASE + "int nowhere(void); int f(void) { return nowhere(); }"
    )

    out = run_python(
        "print(abi.lib.aclDestroyAclOpExecutor(abi.ffi.NULL))\n"
        "print([r.note for r in abi.libraries() if r.note])",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out.splitlines() == ["561103", "['bound lazily: nowhere is missing']"]


def test_what_set_env_would_have_set_is_set(toolkit: FakeToolkit, run_python: RunPython) -> None:
    toolkit.layout_8()

    out = run_python(
        "abi.backend.name; import os; print(os.environ['ASCEND_OPP_PATH'])",
        LD_LIBRARY_PATH=toolkit.root / "lib64", PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == f"{toolkit.root / 'opp'}\n"


def test_a_toolkit_without_operators_is_named(toolkit: FakeToolkit, run_python: RunPython) -> None:
    toolkit.layout_8()
    next(toolkit.root.rglob("libopapi.so")).unlink()

    out = run_python(
        "try: abi.lib.aclInit\nexcept OSError as error: print(error)",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert f"{toolkit.root} has no libopapi.so (or libopapi_math.so and its siblings)" in out
