"""What one pastes into a bug report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Run = Callable[..., CompletedProcess[str]]


def test_what_was_skipped_is_listed_with_the_reason(run: Run, tmp_path: Path) -> None:
    toolkit = tmp_path / "toolkit"
    toolkit.mkdir()
    toolkit.chmod(0o777)

    done = run(
        "-W", "ignore", "-m", "pyaclnn.info", "--json",
        ASCEND_HOME_PATH=str(toolkit), PYACLNN_BACKEND="auto",
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    looked = json.loads(done.stdout)["backend"]["CANN looked for"]
    assert (
        f"ASCEND_HOME_PATH: {toolkit} is skipped: everybody can write to the folder {toolkit} "
        f"(chmod o-w {toolkit})" in looked
    )
