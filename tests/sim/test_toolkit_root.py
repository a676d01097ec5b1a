"""The toolkit root has what programs link to, load and look for."""

from __future__ import annotations

import ctypes
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import toolchain

SIM = toolchain.REPOSITORY / "pyaclnn" / "sim"
SOURCES = SIM / "src"
VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_OPP_PATH", "LD_LIBRARY_PATH")


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"sim_{name}", SIM / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


LIBRARIES = _module("libraries").LIBRARIES


def sourced(shell: str, before: str = "") -> dict[str, str]:
    """Return what a shell has after it read ``set_env.sh``."""
    script = f'{before}. "{toolchain.toolkit()}/set_env.sh"; env'
    done = subprocess.run(
        [shell, "-euc", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin"},
    )
    return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)


def needed(library: Path) -> set[str]:
    listing = subprocess.run(
        ["readelf", "-d", str(library)], capture_output=True, text=True, check=True
    ).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", listing))


def test_set_env_points_at_the_root() -> None:
    root = str(toolchain.toolkit().resolve())

    found = sourced("bash")

    assert {name: found[name] for name in VARIABLES[:3]} == {
        "ASCEND_HOME_PATH": root,
        "ASCEND_TOOLKIT_HOME": root,
        "ASCEND_OPP_PATH": f"{root}/opp",
    }
    assert found["LD_LIBRARY_PATH"] == f"{root}/lib64"


def test_set_env_extends_lists_once() -> None:
    root = toolchain.toolkit().resolve()

    found = sourced("bash", f'export LD_LIBRARY_PATH=/other; . "{root}/set_env.sh"; ')

    assert found["LD_LIBRARY_PATH"] == f"{root}/lib64:/other"


def test_a_shell_that_does_not_tell_its_file_needs_the_path() -> None:
    root = toolchain.toolkit().resolve()

    assert sourced("sh", f"ASCEND_HOME_PATH={root}; ")["ASCEND_OPP_PATH"] == f"{root}/opp"
    with pytest.raises(subprocess.CalledProcessError) as caught:
        sourced("sh")
    assert "ASCEND_HOME_PATH" in caught.value.stderr


@pytest.mark.parametrize(
    "package", ["compiler", "opp", "runtime", "share/info/runtime", "share/info/ops-nn"]
)
def test_folders_of_packages_state_a_version(package: str) -> None:
    text = (toolchain.toolkit() / package / "version.info").read_text()

    assert text == "Version=9.1.0\n"


def test_the_root_states_the_version_of_the_installation() -> None:
    root = toolchain.toolkit()
    (installed,) = root.glob("*-linux/ascend_toolkit_install.info")

    assert "version=9.1.0\n" in installed.read_text()
    assert "runtime_running_version=[9.1.0:9.1.0]\n" in (root / "version.cfg").read_text()


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_needs_what_is_stated(library: str) -> None:
    found = needed(toolchain.toolkit() / "lib64" / library)

    assert set(LIBRARIES[library].needs) <= found


def test_what_one_library_has_is_found_through_those_that_need_it() -> None:
    lib64 = toolchain.toolkit() / "lib64"
    program = (
        "import ctypes\n"
        f"print(hasattr(ctypes.CDLL('{lib64}/libopapi.so'), 'aclCreateTensor'),\n"
        f"      hasattr(ctypes.CDLL('{lib64}/libacl_op_compiler.so'), 'aclrtSetSysParamOpt'))\n"
    )
    if "sanitize" in (toolchain.toolkit() / "build.json").read_text():
        pytest.skip("Python has no sanitizer, which such libraries need")

    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "True True\n"


def refused() -> list[tuple[str, str]]:
    """Return the tables of functions that refuse: library, function."""
    rows = []
    for name, library in LIBRARIES.items():
        for folder in library.sources:
            for file in (SOURCES / folder).glob("refused.cpp"):
                names = re.findall(r"^\w+\((\w+)\)$", file.read_text(), re.MULTILINE)
                rows += [(name, function) for function in names]
    return rows


def test_every_function_that_refuses_names_itself() -> None:
    lib64 = toolchain.toolkit() / "lib64"
    if "sanitize" in (toolchain.toolkit() / "build.json").read_text():
        pytest.skip("Python has no sanitizer, which such libraries need")
    messages = ctypes.CDLL(str(lib64 / "libascendcl.so")).aclGetRecentErrMsg
    messages.restype = ctypes.c_char_p
    silent = []
    for library, function in refused():
        getattr(ctypes.CDLL(str(lib64 / library)), function)()
        if f"{function} is not simulated".encode() not in (messages() or b""):
            silent.append(function)

    assert len(refused()) > 50
    assert silent == []
