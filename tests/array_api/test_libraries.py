"""SciPy and scikit-learn compute with tensors as the table of "Coming from NumPy" says."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numeric_libraries as libraries
import pytest

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "coming-from-numpy.md"


@pytest.mark.parametrize("library", ["scipy", "sklearn"])
def test_functions_run_where_the_table_says(library: str) -> None:
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed; it is no dependency")
    environment = {**os.environ, "SCIPY_ARRAY_API": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    program = [sys.executable, "-W", "ignore", libraries.__file__, library]

    done = subprocess.run(program, capture_output=True, text=True, env=environment)

    assert done.returncode == 0, done.stderr
    expected = {
        f"{module}: {expression}": place
        for place, table in (("device", libraries.ON_DEVICE), ("host", libraries.THROUGH_HOST))
        for module, expressions in table.items()
        if module.startswith(library)
        for expression in expressions.split("; ")
    }
    assert json.loads(done.stdout) == expected


def test_the_table_of_the_page_names_what_is_tried() -> None:
    rows = re.findall(r"^\| `(?:scipy|sklearn)[^\n]*$", PAGE.read_text(encoding="utf-8"), re.M)
    cells = [row.split("|")[2:4] for row in rows]
    named = [set(re.findall(r"`([A-Za-z_][\w.]*)", " ".join(c))) for c in zip(*cells, strict=True)]

    for names, table in zip(named, (libraries.ON_DEVICE, libraries.THROUGH_HOST), strict=True):
        tried = {
            expression.partition("(")[0]
            for expressions in table.values()
            for expression in expressions.split("; ")
        }
        whole = {name for name in names if not name.endswith("_")}
        starts = tuple(names - whole)
        assert {name for name in tried if not (starts and name.startswith(starts))} == whole - {
            "full", "covariance_eigh", "randomized", "QR"
        }  # fmt: skip
