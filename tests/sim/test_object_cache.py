"""What a build of the simulator compiles again, and what it does not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
import toolchain

from pyaclnn.sim import build
from pyaclnn.sim.object_cache import ObjectCache, read_depfile

FILES = {
    "one.cpp": '#include "part/near.hpp"\nint one() { return kNear; }\n',
    "two.cpp": '#include "apart.hpp"\nint two() { return kApart; }\n',
    "part/near.hpp": '#include "far $1 #.hpp"\nconst int kNear = kFar;\n',
    "part/far $1 #.hpp": "const int kFar = 1;\n",
    "apart.hpp": "const int kApart = 2;\n",
}


class Checkout:
    """A folder of sources and the objects made of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name, text in FILES.items():
            (root / "src" / name).parent.mkdir(parents=True, exist_ok=True)
            (root / "src" / name).write_text(text)

    def build(self, key: str = "") -> set[str]:
        """Return the names of the files that were compiled."""
        compiled = set()
        cache = ObjectCache(self.root / "objects", key, {"src": self.root / "src"})

        def run(arguments: Sequence[str]) -> None:
            compiled.update(Path(a).name for a in arguments if a.endswith(".cpp"))
            command = [*toolchain.compiler(".cpp"), f"-I{self.root / 'src'}", *arguments]
            subprocess.run(command, check=True, capture_output=True)

        for source in sorted((self.root / "src").glob("*.cpp")):
            assert cache.compile(source, run).stat().st_size > 0
        return compiled

    def edit(self, name: str) -> None:
        """Write another value into a file."""
        file = self.root / "src" / name
        file.write_text(file.read_text() + "const int kMore = 3;\n")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path / "a checkout")
    assert made.build() == {"one.cpp", "two.cpp"}
    return made


def test_nothing_is_compiled_twice(checkout: Checkout) -> None:
    for file in checkout.root.rglob("*.?pp"):
        os.utime(file, (1, 1))

    assert checkout.build() == set()


@pytest.mark.parametrize(
    ("edited", "compiled"),
    [
        ("one.cpp", {"one.cpp"}),
        ("part/near.hpp", {"one.cpp"}),
        ("part/far $1 #.hpp", {"one.cpp"}),
        ("apart.hpp", {"two.cpp"}),
    ],
)
def test_an_edit_compiles_what_depends_on_the_file(
    checkout: Checkout, edited: str, compiled: set[str]
) -> None:
    checkout.edit(edited)

    assert checkout.build() == compiled
    assert checkout.build() == set()


def test_an_edit_that_is_taken_back_needs_no_compiler(checkout: Checkout) -> None:
    checkout.edit("apart.hpp")
    checkout.build()
    (checkout.root / "src" / "apart.hpp").write_text(FILES["apart.hpp"])

    assert checkout.build() == set()


def test_a_header_that_an_edit_brings_in_counts_from_then_on(checkout: Checkout) -> None:
    near = checkout.root / "src" / "part" / "near.hpp"
    near.write_text('#include "../apart.hpp"\n' + near.read_text())
    checkout.build()
    checkout.edit("apart.hpp")

    assert checkout.build() == {"one.cpp", "two.cpp"}


def test_objects_stay_valid_in_another_place(checkout: Checkout, tmp_path: Path) -> None:
    moved = Checkout(tmp_path / "moved")
    shutil.move(checkout.root / "objects", moved.root / "objects")
    shutil.rmtree(checkout.root)

    assert moved.build() == set()


def test_other_flags_make_other_objects(checkout: Checkout) -> None:
    assert checkout.build("-O3") == {"one.cpp", "two.cpp"}
    assert checkout.build() == set()


def test_a_header_that_is_gone_is_an_error(checkout: Checkout) -> None:
    (checkout.root / "src" / "apart.hpp").unlink()

    with pytest.raises(subprocess.CalledProcessError):
        checkout.build()
    assert not list((checkout.root / "objects").glob("*.part"))


def test_a_rule_of_make_is_read() -> None:
    rule = "object: /a/b.cpp \\\n /a/with\\ space.hpp \\\n  /a/$$1\\#.hpp\n"

    assert read_depfile(rule) == ["/a/b.cpp", "/a/with space.hpp", "/a/$1#.hpp"]


def test_a_source_of_two_libraries_is_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared.cpp"
    shared.write_text("")
    compiled = []

    class Compiler:
        def run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
            given = list(arguments)
            if "-c" in given:
                compiled.append(given[given.index("-c") + 1])
                Path(given[given.index("-MF") + 1]).write_text(f"object: {shared}")
            Path(given[given.index("-o") + 1]).write_text("")
            return subprocess.CompletedProcess(given, 0, "", "")

        def describe(self) -> str:
            return "none"

        def is_gcc(self) -> bool:
            return False

    libraries = ("libgraph.so", "libge_runner.so")
    monkeypatch.setattr(build, "_sources", lambda *_: {name: [shared] for name in libraries})
    monkeypatch.setattr(build, "find_compiler", lambda target: nullcontext(Compiler()))
    build.build(tmp_path / "toolkit", jobs=2)
    assert compiled == [str(shared)]
    assert all((tmp_path / "toolkit" / "lib64" / name).exists() for name in libraries)


def test_headers_that_are_read_once_for_all_are_no_part_of_an_object(tmp_path: Path) -> None:
    source = tmp_path / "one.cpp"
    source.write_text("std::vector<int> numbers;\n")  # of a header that it does not include
    with build.find_compiler() as compiler:
        if not compiler.is_gcc():
            pytest.skip("only GCC takes such headers")
        standard = build._Standard(compiler, build.RELEASE_FLAGS, tmp_path)

        def run(arguments: Sequence[str]) -> None:
            done = compiler.run([*build.RELEASE_FLAGS, *standard.flags(), *arguments])
            assert done.returncode == 0, done.stderr

        ObjectCache(tmp_path / "objects", "", {"src": tmp_path}).compile(source, run)
        (notes,) = (tmp_path / "objects").glob("*.json")
        assert json.loads(notes.read_text()) == ["src:one.cpp"]


@pytest.mark.parametrize("left", [0, 63, 0.5, 0.99])
def test_an_object_that_is_not_whole_is_built_anew(checkout: Checkout, left: float) -> None:
    (damaged,) = (checkout.root / "objects").glob("one*.o")
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[: int(left if left >= 1 else left * len(whole))])

    assert checkout.build() == {"one.cpp"}
    assert damaged.read_bytes() == whole
    assert checkout.build() == set()


@pytest.mark.parametrize("name", ["one.cpp", "part/near.hpp"])
def test_a_file_that_is_written_while_it_is_compiled_is_compiled_again(
    checkout: Checkout, name: str
) -> None:
    file = checkout.root / "src" / name
    full = file.read_text() + "int more() { return 3; }\n"
    file.write_text("\n" if name == "one.cpp" else "const int kNear = 1;\n")
    compilations = []

    def run(arguments: Sequence[str]) -> None:
        command = [*toolchain.compiler(".cpp"), f"-I{checkout.root / 'src'}", *arguments]
        subprocess.run(command, check=True, capture_output=True)
        compilations.append(arguments)
        if file.read_text() != full:
            file.write_text(full)

    cache = ObjectCache(checkout.root / "fresh", "", {"src": checkout.root / "src"})
    made = cache.compile(checkout.root / "src" / "one.cpp", run)

    assert len(compilations) == 2
    assert b"more" in made.read_bytes()
    again = ObjectCache(checkout.root / "fresh", "", {"src": checkout.root / "src"})
    assert again.compile(checkout.root / "src" / "one.cpp", run) == made
    assert len(compilations) == 2
