"""What wheels are called, and what is in them and in the sources, without the simulator."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from toolchain import REPOSITORY

from pyaclnn.sim import compilers

# In place of the builder: notes what it was asked for where a library would be.
STUB = """
from pathlib import Path

def place_headers(headers, toolkit, *, copy):
    (toolkit / "include").mkdir(parents=True, exist_ok=True)
    (toolkit / "include" / "acl.h").write_text("")

def target_of(glibc, processor):
    return f"{processor}, {glibc}"

def build(toolkit, cache, target):
    (toolkit / "lib64").mkdir(exist_ok=True)
    (toolkit / "lib64" / "libopapi.so").write_text(target)

def build_or_explain(toolkit, cache):
    build(toolkit, cache, "this machine")
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "pyaclnn" / "sim").mkdir(parents=True)
    for name in ("setup.py", "setup.cfg", "README.md", "LICENSE", "pyaclnn/_version.py"):
        shutil.copyfile(REPOSITORY / name, root / name)
    for package in ("", "sim"):
        (root / "pyaclnn" / package / "__init__.py").write_text("")
    (root / "pyaclnn" / "sim" / "build.py").write_text(STUB)
    return root


def wheel_of(checkout: Path, *arguments: str) -> tuple[str, zipfile.ZipFile]:
    shutil.rmtree(checkout / "dist", ignore_errors=True)
    command = [sys.executable, "setup.py", "-q", "bdist_wheel", *arguments]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = (checkout / "dist").iterdir()
    return wheel.name.partition("-py3-")[2], zipfile.ZipFile(wheel)


def test_a_wheel_for_others_has_their_libraries(checkout: Path) -> None:
    gone = checkout / "pyaclnn" / "gone.py"
    gone.write_text("")
    wheel_of(checkout, "--plat-name", "manylinux_2_28_x86_64")
    gone.unlink()
    name, wheel = wheel_of(checkout, "--plat-name", "manylinux_2_28_aarch64")
    assert name == "none-manylinux_2_28_aarch64.whl"
    assert wheel.read("pyaclnn/_toolkit/lib64/libopapi.so") == b"aarch64, 2_28"
    names = wheel.namelist()
    assert "pyaclnn/_toolkit/include/acl.h" in names
    assert "pyaclnn/gone.py" not in names
    (about,) = (n for n in names if n.endswith(".dist-info/WHEEL"))
    lines = wheel.read(about).decode().splitlines()
    assert "Root-Is-Purelib: false" in lines
    assert "Tag: py3-none-manylinux_2_28_aarch64" in lines
    # The checkout's own libraries stay those of this machine.
    assert not (checkout / "pyaclnn" / "_toolkit").exists()


def test_a_wheel_for_this_machine_is_built_in_place(checkout: Path) -> None:
    name, wheel = wheel_of(checkout)
    assert name.startswith("none-linux_")
    assert wheel.read("pyaclnn/_toolkit/lib64/libopapi.so") == b"this machine"


def test_the_compiler_makes_machine_code_for_others(tmp_path: Path) -> None:
    target = compilers.target_of("2_28", "aarch64")
    assert target == "aarch64-linux-gnu.2.28"
    source = tmp_path / "small.cpp"
    source.write_text("int three() { return 3; }\n")
    done = compilers.zig(target=target).run(
        ["-c", str(source), "-o", str(source.with_suffix(".o"))]
    )
    assert done.returncode == 0, done.stderr
    # The machine's number in the ELF header, that of AArch64.
    assert source.with_suffix(".o").read_bytes()[18:20] == bytes([183, 0])


def test_a_wheel_with_another_name_is_refused(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        "build_wheels", REPOSITORY / "tools" / "build_wheels.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(module.WheelError, match="is not for manylinux_2_28_aarch64"):
        module.check(tmp_path / "pyaclnn-1-py3-none-linux_x86_64.whl", module.tag("aarch64"))


def test_the_source_distribution_has_every_file(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a checkout: nothing says which files there are")
    # What `sdist` packs, written down by its first step.
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    packed = (tmp_path / "pyaclnn.egg-info" / "SOURCES.txt").read_text().splitlines()
    assert set(listed.stdout.rstrip("\0").split("\0")) - set(packed) == {".gitignore"}
    # Of another machine, maybe.
    assert not [name for name in packed if name.startswith(("pyaclnn/_toolkit", "build/"))]
