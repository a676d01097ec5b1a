"""What the simulator's variables and its build fetch and point at belongs to this user alone."""

from __future__ import annotations

import configparser
from pathlib import Path

import pytest

from pyaclnn.sim import compilers, environment


@pytest.fixture
def read_only_root(tmp_path: Path) -> Path:
    """Give a toolkit root in which nobody can make a folder: a file stands in its place."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "devlib").write_text("")
    return root


def test_without_a_home_nothing_predictable_is_linked_from(
    read_only_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "shared"))
    monkeypatch.setattr("os.path.expanduser", lambda path: path)

    assert environment.link_directory(read_only_root) == read_only_root / "lib64"
    assert not (tmp_path / "shared").exists()


def test_what_others_can_write_to_is_not_linked_from(
    read_only_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "cache"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared))

    assert environment.link_directory(read_only_root) == read_only_root / "lib64"


def test_a_home_of_ones_own_is(
    read_only_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "cache"
    own.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(own))

    assert own in environment.link_directory(read_only_root).parents


def test_the_compiler_that_is_fetched_is_pinned_and_that_of_the_tests() -> None:
    settings = configparser.ConfigParser()
    settings.read(Path(__file__).resolve().parents[2] / "setup.cfg")

    tried = [
        line.replace(" ", "")
        for line in settings["options.extras_require"]["test"].splitlines()
        if line.startswith("ziglang")
    ]

    assert tried == [compilers.ZIGLANG]
    assert "<" in compilers.ZIGLANG
