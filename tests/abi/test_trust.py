"""What others can write to is not loaded, and it is said so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from abi.conftest import RunPython
from abi.fake_toolkit import FakeToolkit

from pyaclnn.abi.trust import doubt

CALL_SELU = "print(abi.lib.aclnnSeluBackward(abi.ffi.NULL, 0, abi.ffi.NULL, abi.ffi.NULL))"
CAUGHT = f"try: {CALL_SELU}\nexcept OSError as error: print(error)"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "one" / "two"
    folder.mkdir(parents=True)
    (folder / "lib.so").write_bytes(b"")
    return folder / "lib.so"


def given_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let somebody else own a file: root can do that, others play somebody else."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        owner = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)


def test_what_only_its_owner_can_write_to_is_trusted(place: Path) -> None:
    assert doubt(place) == ""
    assert doubt(place.parent) == ""
    assert doubt(place.parent / "not there.so") == ""


@pytest.mark.parametrize("part", [".", "..", "../.."])
def test_everything_on_the_way_counts(place: Path, part: str) -> None:
    culprit = (place / part).resolve()
    culprit.chmod(culprit.stat().st_mode | 0o002)

    assert f"everybody can write to the {'file' if part == '.' else 'folder'} {culprit}" in doubt(
        place
    )


def test_a_link_into_a_folder_of_everybody_does_not_help(place: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.so"
    link.symlink_to(place)
    place.parent.chmod(0o777)

    assert f"folder {place.parent}" in doubt(link)


def test_a_folder_like_tmp_is_no_place_to_load_from(place: Path) -> None:
    place.parent.chmod(0o1777)

    assert "everybody can write" in doubt(place.parent)


def test_in_a_folder_like_tmp_the_owner_decides(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.parent.parent.chmod(0o1777)
    assert doubt(place) == ""

    given_away(place.parent, monkeypatch)

    assert "belongs to user" in doubt(place)


def test_a_toolkit_that_everybody_can_change_is_skipped_and_named(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    toolkit.root.chmod(0o777)

    out = run_python(CAUGHT, ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann")

    assert "CANN cannot be used" in out
    assert f"is skipped: everybody can write to the folder {toolkit.root}" in out


def test_a_library_that_everybody_can_change_is_not_loaded(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    library = toolkit.root / "lib64" / "libnnopbase.so"
    library.chmod(0o666)

    out = run_python(CAUGHT, ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann")

    assert f"{library} is not loaded: everybody can write to the file {library}" in out


def test_a_custom_package_that_everybody_can_change_is_left_out(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    package = toolkit.custom("mine", 42)
    (package / "op_api").chmod(0o777)

    out = run_python(
        f"{CALL_SELU}\n"
        "print([(r.name, r.note[:30]) for r in abi.libraries() if not r.loaded])\n"
        "try: abi.lib.aclnnSoftmaxBackward\nexcept AttributeError as error: print(error)",
        ASCEND_HOME_PATH=toolkit.root, ASCEND_CUSTOM_OPP_PATH=package, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    number, records, error = out.splitlines()
    assert number == "8"
    assert records == "[('libcust_opapi.so', 'skipped: everybody can write t')]"
    assert "libcust_opapi.so was skipped: everybody can write" in error


def test_a_home_of_everybody_has_no_toolkit(toolkit: FakeToolkit, run_python: RunPython) -> None:
    home = toolkit.root / "home"
    FakeToolkit(home / "Ascend" / "latest", toolkit.compiler).layout_8()
    home.chmod(0o777)

    out = run_python(CAUGHT, HOME=home, PYACLNN_BACKEND="cann")

    assert f"is skipped: everybody can write to the folder {home}" in out


def test_relative_places_are_made_absolute(toolkit: FakeToolkit, run_python: RunPython) -> None:
    toolkit.layout_8()
    parent, name = toolkit.root.parent, toolkit.root.name

    out = run_python(
        "import os\nprint(abi.backend.root, os.path.isabs(abi.libraries()[0].path))",
        ASCEND_HOME_PATH=os.path.relpath(toolkit.root), PYACLNN_BACKEND="cann",
    )  # fmt: skip
    search = run_python(
        "import os\n" + CALL_SELU + "\nprint(abi.libraries()[0].path)",
        LD_LIBRARY_PATH=os.path.relpath(toolkit.root / "lib64"), PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert out == f"{parent / name} True\n"
    assert search.splitlines()[1] == str(toolkit.root / "lib64" / "libascendcl.so")


def test_the_simulators_place_does_not_move_with_the_working_directory(
    run_python: RunPython,
) -> None:
    out = run_python(
        "import os\nos.chdir('/')\nfrom pyaclnn.abi import paths\nprint(paths.SIMULATOR_ROOT)",
        PYACLNN_SIM_HOME="some/where",
    )

    assert out == f"{os.getcwd()}/some/where\n"


def test_a_simulator_that_everybody_can_change_is_not_loaded(
    tmp_path: Path, run_python: RunPython
) -> None:
    from pyaclnn.abi import paths

    (tmp_path / "sim").mkdir()
    for name in ("lib64", "include"):
        (tmp_path / "sim" / name).symlink_to(paths.SIMULATOR_ROOT / name)
    (tmp_path / "sim").chmod(0o777)

    out = run_python(
        "try: abi.backend.ensure()\nexcept OSError as error: print(error)",
        PYACLNN_SIM_HOME=tmp_path / "sim", PYACLNN_BACKEND="simulator",
    )  # fmt: skip

    assert out.startswith(f"the simulator in {tmp_path / 'sim'} is not loaded: everybody")
