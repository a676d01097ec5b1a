"""Importing reads, parses and opens nothing."""

from __future__ import annotations

from abi.conftest import RunPython


def test_importing_brings_no_parser(run_python: RunPython) -> None:
    out = run_python(
        "import sys\n"
        "heavy = ('pycparser', 'cffi.cparser', 'pyaclnn.abi.clean', 'pyaclnn.abi.library_set')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    assert out == "[]\n"


def test_importing_opens_no_header_and_no_library(run_python: RunPython) -> None:
    out = run_python(
        "import sys, importlib\n"
        "opened = []\n"
        "def note(event, arguments):\n"
        "    if event == 'open': opened.append(str(arguments[0]))\n"
        "sys.addaudithook(note)\n"
        "for name in list(sys.modules):\n"
        "    if name.startswith('pyaclnn.abi'): del sys.modules[name]\n"
        "importlib.import_module('pyaclnn.abi')\n"
        "print([f for f in opened if not f.endswith(('.py', '.pyc')) and '.pyc.' not in f])\n"
        "print('libacl' in open('/proc/self/maps').read())"
    )

    assert out.splitlines() == ["[]", "False"]


def test_cffi_is_set_up_by_its_first_use(run_python: RunPython) -> None:
    out = run_python(
        "import sys\n"
        "before = 'pycparser' in sys.modules\n"
        "abi.ffi.NULL\n"
        "print(before, 'pycparser' in sys.modules)"
    )

    assert out == "False True\n"


def test_threads_may_use_cffi_first_at_the_same_time(run_python: RunPython) -> None:
    out = run_python(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(8) as pool:\n"
        "    nulls = list(pool.map(lambda _: abi.ffi.NULL, range(8)))\n"
        "print(all(null == abi.ffi.NULL for null in nulls))"
    )

    assert out == "True\n"
