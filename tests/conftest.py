"""All tests run on the simulator, unless the environment names a backend; races are errors.

Of a test with very many parameters a plain ``pytest`` runs some; the others are marked exhaustive.
"""

from __future__ import annotations

import gc
import os
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("PYACLNN_BACKEND", "simulator")
os.environ.setdefault("PYACLNN_SIM_CHECK", "races:error")

# Their assertions say what was compared, as those of tests do.
pytest.register_assert_rewrite("children", "operators.derivatives_seen", "operators.status_tests")

_ROOT = Path(__file__).resolve().parent
#: The expression of markers that setup.cfg has, and the one that leaves nothing exhaustive out.
_SOME, _ALL = "not clients and not exhaustive", "not clients"
#: About so many of a test's parameters are tried by default, and of one in a file that takes long.
_DRAWN, _DRAWN_OF_LONG = 16, 4
#: What takes longest, longest first: begun last, one of them would run on alone.
_LONG = (
    "port/test_to_cpp.py",
    "programs/test_selftest.py",
    "port/test_samples.py",
    "operators/test_statuses.py",
    "operators/test_table.py",
    "operators/test_coverage.py",
    "headers/test_compile.py",
    "sim/test_operator_programs.py",
    "sim/test_runtime_programs.py",
    "fuzz/test_corpus.py",
    "programs/test_guides.py",
    "operators/test_other_streams.py",
    "operators/test_instructions.py",
    "port/test_data.py",
    "fidelity/test_fidelity.py",
    "programs/test_releases.py",
    "faults/test_faults.py",
    "ops/test_compiled.py",
    "port/test_snippets.py",
    "faults/test_interrupts.py",
    "operators/test_random.py",
    "operators/test_chip_table.py",
    "headers/test_drift.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Let a plain ``pytest`` use all processors; ``-n 0`` keeps it in one process."""
    # Neither what a worker runs, which comes here as well, nor what a test starts.
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    option = config.option
    plain = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not option.keyword
    if plain and getattr(option, "numprocesses", 0) is None and not option.usepdb:
        option.numprocesses = len(os.sched_getaffinity(0))


def pytest_configure(config: pytest.Config) -> None:
    # Of what is asked for by name, nothing is left out. Workers are told by the process over them.
    if hasattr(config, "workerinput"):
        config.option.markexpr = config.workerinput["markexpr"]
        return
    named = config.args_source is pytest.Config.ArgsSource.ARGS or config.option.keyword
    if named and config.option.markexpr == _SOME:
        config.option.markexpr = _ALL


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist which tests are left out."""
    node.workerinput["markexpr"] = node.config.option.markexpr


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {str(_ROOT / name): place for place, name in enumerate(_LONG)}
    functions = [item.nodeid.partition("[")[0] for item in items]
    counts = Counter(functions)
    for item, function in zip(items, functions, strict=True):
        drawn = _DRAWN_OF_LONG if str(item.path) in places else _DRAWN
        # By its name alone, so that others that come or go change nothing for it.
        if zlib.crc32(item.nodeid.encode()) % -(-counts[function] // drawn):
            item.add_marker(pytest.mark.exhaustive)
    items.sort(key=lambda item: places.get(str(item.path), len(places)))


@pytest.fixture(autouse=True, scope="module")
def _without_what_is_left() -> None:
    """Keep what was collected, and what earlier files left, out of the garbage collector.

    Tests call it thousands of times: those of interrupts take minutes behind all others, seconds
    without what these have left.
    """
    gc.collect()
    gc.freeze()
