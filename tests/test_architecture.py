"""The picture in the README stays true: floors import downwards, nothing imports in a circle."""

from __future__ import annotations

import ast
import graphlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "pyaclnn"
FLOORS = ["abi", "runtime", "tensor", "ops", "collective", "array_api"]


def imported_modules(path: Path) -> set[str]:
    """Names of all pyaclnn modules a file imports, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "pyaclnn"}


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_imports_only_itself_and_what_is_below(floor: str) -> None:
    # The table of operators is data beside the floors; the top one reads it.
    allowed = [*FLOORS[: FLOORS.index(floor) + 1], *(["table"] if floor == "ops" else [])]
    if floor == "array_api":
        # Beside the collectives, not above them.
        allowed.remove("collective")

    offences = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in (PACKAGE / floor).rglob("*.py")
        for name in imported_modules(path)
        if len(name.split(".")) > 1 and name.split(".")[1] not in (*allowed, "_version")
        # How commands end; it imports nothing of the package.
        if not (path.name == "__main__.py" and name.startswith("pyaclnn._command"))
    ]

    assert imported_modules(PACKAGE / "_command.py") == set()
    assert offences == []


def test_the_table_imports_nothing_but_itself_and_the_standard_library() -> None:
    # The build loads it where neither the package nor its requirements are there.
    for path in (PACKAGE / "table").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            else:
                continue
            outside = {n.split(".")[0] for n in names} - sys.stdlib_module_names
            assert outside == set(), path.name


#: Folder of the simulator -> folders whose headers it may include. What is checked is state of the
#: core; the toolkit answers for all of them.
SIMULATOR = PACKAGE / "sim" / "src"
INCLUDES = {
    "check": {"core"},
    "core": {"check"},
    "hccl": {"check", "core", "objects", "toolkit"},
    "nnopbase": {"check", "core", "objects"},
    "objects": {"check", "core"},
    "opapi": {"check", "core", "objects"},
    "runtime": {"check", "core"},
    "toolkit": {"check", "core", "hccl", "objects", "runtime"},
    "trace": set(),
}


def test_folders_of_the_simulator_include_only_what_is_below() -> None:
    folders = {path.name for path in SIMULATOR.iterdir() if path.is_dir()}
    found: dict[str, set[str]] = {folder: set() for folder in folders}
    for folder in folders:
        for path in (SIMULATOR / folder).rglob("*.[ch]pp"):
            included = re.findall(r'#include "(\w+)/', path.read_text("utf-8"))
            found[folder] |= folders & set(included) - {folder}

    assert folders == INCLUDES.keys()
    assert {f: more for f in folders if (more := found[f] - INCLUDES[f])} == {}


def test_families_of_operators_do_not_include_one_another_both_ways() -> None:
    operators = SIMULATOR / "opapi"
    below: dict[str, set[str]] = {}
    for path in operators.glob("*/*.[ch]pp"):
        included = re.findall(r'#include "opapi/(\w+)/', path.read_text("utf-8"))
        below.setdefault(path.parent.name, set()).update(set(included) - {path.parent.name})

    assert below["common"] == set()
    assert below["product"] == {"common"}
    # CycleError names the families of a circle, however many it goes through.
    order = list(graphlib.TopologicalSorter(below).static_order())
    assert order[0] == "common"


@pytest.mark.parametrize("name", ["build", "generate", "object_cache", "stubs"])
def test_the_builder_imports_nothing_of_the_package(name: str) -> None:
    assert imported_modules(PACKAGE / "sim" / f"{name}.py") == set()


def test_statuses_become_exceptions_in_one_module_only() -> None:
    raising = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if "raise AclError" in path.read_text("utf-8")
    ]

    assert set(raising) <= {"abi/status.py"}


def imported_within(path: Path, modules: dict[str, Path], types: bool) -> set[str]:
    """Names of the given modules that one of them imports, wherever that is.

    What it imports for the type checker alone counts with `types`.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in modules else str(node.module) for name in names}
    return found & modules.keys()


def in_circles(floor: str, *, types: bool) -> set[str]:
    """Modules of a floor that import in a circle, or between two circles."""
    paths = (PACKAGE / floor).rglob("*.py")
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }
    left = {name: imported_within(path, modules, types) - {name} for name, path in modules.items()}

    # Take out what imports nothing that is left, or what nothing left imports.
    while ready := [
        name
        for name, needs in left.items()
        if not needs & left.keys() or all(name not in others for others in left.values())
    ]:
        for name in ready:
            del left[name]
    return {name.removeprefix(f"pyaclnn.{floor}.") for name in left}


@pytest.mark.parametrize("floor", FLOORS)
def test_modules_of_a_floor_do_not_import_in_a_circle(floor: str) -> None:
    assert in_circles(floor, types=False) == set()


#: Modules whose classes have attributes of each other: a device, its streams and their memory; and
#: `Tensor` with the parts of it that return tensors.
CLASSES_IN_CIRCLES = {
    "runtime": {
        "block",
        "buffer",
        "current",
        "device",
        "event",
        "foreign",
        "graph",
        "pool",
        "stream",
        "timeline",
    },
    "tensor": {"calculable", "selection", "tensor"},
}


@pytest.mark.parametrize("floor", FLOORS)
def test_types_refer_to_each_other_in_these_modules_only(floor: str) -> None:
    assert in_circles(floor, types=True) == CLASSES_IN_CIRCLES.get(floor, set())
