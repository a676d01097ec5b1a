"""tools/releases.py says what changed between two tags of CANN's public repositories."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "releases.py"
TAIL = "uint64_t* workspaceSize, aclOpExecutor** executor);\n"
TURN = "aclnnStatus aclnnTurnGetWorkspaceSize(const aclTensor* x, {} mode, aclTensor* out, " + TAIL
GONE = "aclnnStatus aclnnGoneGetWorkspaceSize(const aclTensor* x, " + TAIL
DOCUMENT = """\
|<term>Atlas A2 x</term> | {} |
|  <term>Ascend 950PR</term>   |     √    |
x: FLOAT16、{}
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a folder with a repository of two releases."""
    repository = tmp_path / "sources" / "ops-small"
    operator = repository / "math" / "turn"

    def git(*arguments: str) -> None:
        command = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run([*command, *arguments], check=True, capture_output=True)

    def release(tag: str, header: str, document: str) -> None:
        (operator / "op_api" / "aclnn_turn.h").write_text(header, encoding="utf-8")
        (operator / "docs" / "aclnnTurn.md").write_text(document, encoding="utf-8")
        git("add", "-A")
        git("commit", "-m", tag)
        git("tag", tag)

    for folder in ("op_api", "docs"):
        (operator / folder).mkdir(parents=True)
    git("init")
    release("v1.0.0", "// int64_t\n" + TURN.format("int64_t") + GONE, DOCUMENT.format("√", "INT8"))
    release(
        "v2.0.0.pre",
        TURN.format("const int64_t more, int32_t") + GONE.replace("Gone", "Came"),
        DOCUMENT.format("×", "BFLOAT16"),
    )
    return repository.parent


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_what_changed_is_listed_by_kind(sources: Path) -> None:
    done = run("--sources", sources, "--tags", "v1.0.0", "v2.0.0", "--json")

    assert (done.returncode, done.stderr) == (1, "")
    assert [tuple(d.values()) for d in json.loads(done.stdout)] == [
        ("aclnnCame", "came", "", ""),
        ("aclnnTurn", "element types", "INT8", "BFLOAT16"),
        ("aclnnTurn", "product taken back", "", "Atlas A2 x"),
        ("aclnnTurn", "prototype", "int64_t mode", "int64_t more, int32_t mode"),
        ("aclnnGone", "went", "", ""),
    ]


def test_headers_are_compared_with_the_second_tag(sources: Path, tmp_path: Path) -> None:
    headers = tmp_path / "headers"
    headers.mkdir()
    (headers / "turn.h").write_text(TURN.format("int64_t more, int32_t") + GONE)

    done = run("--sources", sources, "--tags", "v1.0.0", "v2.0.0", "--headers", headers)

    assert (done.returncode, done.stdout) == (1, "came: 1\n  aclnnCame\n")


def test_equal_releases_do_not_differ(sources: Path) -> None:
    done = run("--sources", sources, "--tags", "v1.0.0", "v1.0.0")

    assert (done.returncode, done.stdout) == (0, "nothing differs\n")


def test_what_cannot_be_compared_is_said(sources: Path, tmp_path: Path) -> None:
    done = run("--sources", sources, "--tags", "v1.0.0", "v7.0.0")
    assert done.returncode == 2
    assert "ops-small has no tag v7.0.0" in done.stderr

    done = run("--sources", tmp_path / "absent", "--tags", "v1.0.0", "v2.0.0")
    assert (done.returncode, "no git repository" in done.stderr) == (2, True)
