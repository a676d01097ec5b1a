"""What the pages for users show of torch_npu."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import toolchain
from shown_pages import shown

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients


def run(
    name: str, client: Client, folder: Path, page: str = "without-an-npu.md"
) -> tuple[str, str, str]:
    program, expected = shown(page, name)
    (folder / "program.py").write_text(program)
    done = client.run("program.py", cwd=folder, env={"PYTHONPATH": str(toolchain.REPOSITORY)})
    return done.stdout, done.stderr, expected


def test_the_program_prints_what_the_page_says(client: Client, tmp_path: Path) -> None:
    output, errors, expected = run("torch_npu", client, tmp_path)

    assert output == expected, errors


def test_a_missing_operator_is_named_as_the_page_says(client: Client, tmp_path: Path) -> None:
    _, errors, expected = run("missing", client, tmp_path)

    assert expected.strip() in errors


def test_memory_is_shared_as_the_page_says(client: Client, tmp_path: Path) -> None:
    output, errors, expected = run("sharing", client, tmp_path, "sharing.md")

    assert output == expected, errors
