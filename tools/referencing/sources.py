"""Where CANN's public sources are, and what of them is compiled with which paths."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from releases import Repository

#: What the operators are built on; the others are repositories of operators.
FOUNDATIONS = ("opbase", "metadef", "runtime")
#: A folder of level 0 and 2, and what a level-0 operator's shape follows from.
_PHASE_1 = re.compile(r"(?:^|/)op_api/(?:[^/]+/)*[^/]+\.cpp$")
_SHAPES = re.compile(r"infershape\.cpp$|infer_shape\.cpp$")
_LEFT_OUT = re.compile(r"(?:^|/)(?:experimental|examples?|tests?|stub|op_kernel\w*)/")
#: Needed of a repository in git: large folders without phase 1 are not exported.
_EXPORTED = (".", ":!**/docs", ":!**/examples", ":!**/tests", ":!**/op_kernel", ":!tests", ":!docs")

#: Of opbase: tensors, types, formats, shapes, and what kernels of level 0 are given.
_BASE = (
    "src/nnopbase/common/utils/*.cpp",
    "src/nnopbase/composite_op/utils/op_def.cpp",
    "src/nnopbase/composite_op/utils/tensor_view_utils.cpp",
    "src/nnopbase/composite_op/utils/string_utils.cpp",
    "src/nnopbase/composite_op/aclnn_engine/op_arg_def.cpp",
    "src/nnopbase/composite_op/mem_mgr/*.cpp",
    "src/nnopbase/aicpu/task_handler/aicpu_any_value.cpp",
    "src/op_common/op_host/infershape_*.cpp",
    "src/op_common/op_host/util/*.cpp",
    "src/op_common/log/*.cpp",
)
#: Of metadef: what ``IMPL_OP_INFERSHAPE`` registers with, and the contexts that it is called with.
_META = ("base/registry/*.cc", "base/runtime/*.cc", "base/type/*.cc", "base/utils/*.cc",
         "base/context_builder/*.cc", "base/*.cc")  # fmt: skip

_FOUNDATION_PATHS = {
    "opbase": ("include", "include/nnopbase", "include/nnopbase/opdev", "include/op_common",
               "include/op_common/op_host", "pkg_inc", "pkg_inc/op_common",
               "src/nnopbase/common/inc", "src/nnopbase/composite_op",
               "src/nnopbase/composite_op/aclnn_engine"),
    "metadef": ("inc", "inc/external", "pkg_inc", "."),
    "runtime": ("pkg_inc", "pkg_inc/runtime", "pkg_inc/base", "pkg_inc/aicpu_sched/common",
                "include/external", "include", "include/dfx"),
}  # fmt: skip
_REPOSITORY_PATHS = (
    "", "common/inc", "common/inc/external", "common/inc/op_api", "common/include",
    "common/include/external", "common/include/op_api", "common/stub/op_api", "common/stub",
    "mc2/common/inc", "mc2/common/op_api", "mc2/3rd/ops_legacy/op_api",
)  # fmt: skip


@dataclass(frozen=True)
class Unit:
    """A file that is compiled.

    Attributes
    ----------
    source : Path
        The file.
    includes : tuple of Path
        Its include path, without what is common to all.
    kind : str
        ``"base"``, ``"phase 1"`` or ``"shapes"``.
    """

    source: Path
    includes: tuple[Path, ...]
    kind: str


class Sources:
    """Checkouts or git directories of CANN's repositories, exported at one tag.

    Parameters
    ----------
    folder : Path
        Has a folder for each: opbase, metadef, runtime and any of ops-math, ops-nn, ops-cv,
        ops-transformer.
    work : Path
        Where trees of git directories are written to.
    tag : str
        Tag in git; a folder without git is taken as it is.
    """

    def __init__(self, folder: Path, work: Path, tag: str) -> None:
        self.trees = {
            place.name: _tree(place.resolve(), work / place.name, tag)
            for place in sorted(folder.iterdir()) if place.is_dir()
            and (place.name in FOUNDATIONS or place.name.startswith("ops-"))
        }  # fmt: skip
        missing = [name for name in FOUNDATIONS if name not in self.trees]
        if missing or len(self.trees) == len(FOUNDATIONS):
            wanted = ", ".join(missing) or "repositories of operators (ops-math, ops-nn, ...)"
            raise FileNotFoundError(f"{folder} lacks {wanted}")

    def foundation_paths(self) -> list[Path]:
        """Return the include path that all files share."""
        return [self.trees[name] / path for name in FOUNDATIONS for path in _FOUNDATION_PATHS[name]]

    def units(self) -> Iterator[Unit]:
        """Yield what is compiled, what others need first."""
        for name, patterns in (("opbase", _BASE), ("metadef", _META)):
            for pattern in patterns:
                for source in sorted(self.trees[name].glob(pattern)):
                    yield Unit(source, (source.parent,), "base")
        for kind, wanted in (("phase 1", _PHASE_1), ("shapes", _SHAPES)):
            for name, tree in self.trees.items():
                if name not in FOUNDATIONS:
                    yield from _operators(tree, kind, wanted)


def _operators(tree: Path, kind: str, wanted: re.Pattern[str]) -> Iterator[Unit]:
    files = [path.relative_to(tree) for path in sorted(tree.rglob("*.cpp"))]
    chosen = [f for f in files if wanted.search(str(f)) and not _LEFT_OUT.search(str(f))]
    common = tuple(tree / path for path in _REPOSITORY_PATHS if (tree / path).is_dir())
    folders = tuple(tree / path for path in sorted({f.parent for f in chosen}))
    for file in chosen:
        yield Unit(tree / file, (*common, *folders), kind)


def _tree(place: Path, to: Path, tag: str) -> Path:
    """Return the folder of a repository's files at a tag."""
    is_git = (place / "objects").is_dir() and (place / "refs").is_dir()
    if not is_git and not (place / ".git").exists():
        return place
    named = Repository(place).tag(tag)
    if named is None:
        raise LookupError(f"{place} has no tag {tag}")
    mark = to / ".tag"
    if not mark.is_file() or mark.read_text(encoding="ascii") != named:
        shutil.rmtree(to, ignore_errors=True)
        archive = subprocess.run(
            ["git", "-C", str(place), "archive", named, "--", *_EXPORTED],
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(to, filter="data")
        mark.write_text(named, encoding="ascii")
    return to
