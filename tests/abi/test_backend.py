"""Which backend is chosen, and what is said about it."""

from __future__ import annotations

from abi.conftest import RunPython
from abi.fake_toolkit import NNOPBASE, RUNTIME, SELU, FakeToolkit

#: A stand-in for the built simulator, so that these tests need no build.
WITH_SIMULATOR = """
import pathlib
from pyaclnn.abi import paths
paths.SIMULATOR_ROOT = pathlib.Path({root!r})
"""


def simulator(toolkit: FakeToolkit) -> str:
    """Build a directory that looks like the simulator; return code that makes it the one used."""
    root = FakeToolkit(toolkit.root.parent / "simulator", toolkit.compiler)
    root.layout_8(TAG='"simulated"')
    root.library("lib64/libpyaclnn_sim.so", "int core;")
    return WITH_SIMULATOR.format(root=str(root.root))


ASK_NAME = "print(abi.backend.name)\n"
COUNT_WARNINGS = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    abi.lib.aclInit
    abi.lib.aclrtGetSocName
print(abi.backend.name, [w.category.__name__ for w in caught])
for w in caught: print(w.message, w.filename)
"""


def test_auto_without_cann_takes_the_simulator_with_one_warning(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(simulator(toolkit) + COUNT_WARNINGS)

    assert out.splitlines()[0] == "simulator ['BackendWarning']"


def test_the_warning_says_where_cann_was_looked_for_and_how_to_choose(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(simulator(toolkit) + COUNT_WARNINGS, ASCEND_HOME_PATH="/nowhere")

    said = [
        "ASCEND_HOME_PATH: no directory /nowhere", "ASCEND_TOOLKIT_HOME: not set",
        "LD_LIBRARY_PATH: no directory on it", "PYACLNN_BACKEND=simulator", "PYACLNN_BACKEND=cann",
    ]  # fmt: skip
    assert [text for text in said if text not in out] == []


def test_the_warning_points_at_the_line_of_the_program(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(simulator(toolkit) + COUNT_WARNINGS)

    assert out.rstrip().endswith("<string>")


def test_auto_with_cann_but_no_device_takes_the_simulator_and_says_so(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8(devices=0)

    out = run_python(simulator(toolkit) + COUNT_WARNINGS, ASCEND_HOME_PATH=toolkit.root)

    assert out.startswith("simulator ['BackendWarning']")
    assert "aclrtGetDeviceCount reports no NPU" in out


def test_auto_with_a_broken_driver_names_the_status(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8(STATUS=507899)

    out = run_python(simulator(toolkit) + COUNT_WARNINGS, ASCEND_HOME_PATH=toolkit.root)

    assert "aclrtGetDeviceCount answered 507899" in out


def test_a_rejected_toolkit_leaves_no_trace_in_the_environment(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8(devices=0)

    out = run_python(
        simulator(toolkit)
        + "import os, warnings\nwarnings.simplefilter('ignore')\nabi.backend.name\n"
        + "print([name for name in os.environ if name.startswith('ASCEND')])",
        LD_LIBRARY_PATH=toolkit.root / "lib64",
    )

    assert out == "[]\n"


def test_a_library_that_does_not_load_is_reported_with_the_reason(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    (toolkit.root / "lib64/libascendcl.so").write_text("no library")

    out = run_python(simulator(toolkit) + COUNT_WARNINGS, ASCEND_HOME_PATH=toolkit.root)

    assert "libascendcl.so cannot be loaded" in out
    assert "file too short" in out or "invalid ELF header" in out


def test_cann_never_falls_back(toolkit: FakeToolkit, run_python: RunPython) -> None:
    out = run_python(
        simulator(toolkit)
        + "try: abi.lib.aclInit\nexcept abi.LibraryNotFoundError as error: print(error)",
        PYACLNN_BACKEND="cann",
    )

    assert out.startswith("CANN cannot be used")
    assert "set ASCEND_HOME_PATH to its directory" in out


def test_cann_is_taken_without_a_device_when_asked_for_by_name(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8(devices=0)

    out = run_python(ASK_NAME, ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann")

    assert out == "cann\n"


def test_the_simulator_by_name_gives_no_warning(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(simulator(toolkit) + ASK_NAME, PYACLNN_BACKEND="simulator")

    assert out == "simulator\n"


def test_a_simulator_behind_ascend_home_path_is_not_taken_for_cann(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.layout_8()
    toolkit.library("lib64/libpyaclnn_sim.so", "int core;")

    out = run_python(
        "try: abi.lib.aclInit\nexcept abi.LibraryNotFoundError as error: print(error)",
        ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann",
    )  # fmt: skip

    assert f"{toolkit.root} is a simulator of CANN, not CANN" in out


def test_use_backend_wins_over_the_environment(toolkit: FakeToolkit, run_python: RunPython) -> None:
    out = run_python(
        simulator(toolkit) + "abi.use_backend('simulator')\n" + ASK_NAME, PYACLNN_BACKEND="cann"
    )

    assert out == "simulator\n"


def test_use_backend_after_the_first_call_is_refused(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(
        simulator(toolkit) + "abi.lib.aclInit\n"
        "try: abi.use_backend('cann')\nexcept abi.BackendError as error: print(error)",
        PYACLNN_BACKEND="simulator",
    )

    assert out.startswith("the backend is 'simulator' already")
    assert "use_backend('cann') before anything else" in out


def test_use_backend_with_the_one_in_use_changes_nothing(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(
        simulator(toolkit) + ASK_NAME + "abi.use_backend('simulator')\n" + ASK_NAME,
        PYACLNN_BACKEND="simulator",
    )

    assert out == "simulator\nsimulator\n"


def test_an_unknown_backend_is_refused(run_python: RunPython) -> None:
    out = run_python(
        "try: abi.use_backend('gpu')\nexcept ValueError as error: print(error)\n"
        "try: abi.backend.name\nexcept ValueError as error: print(error)",
        PYACLNN_BACKEND="npu",
    )

    assert out.splitlines() == [
        "backend must be one of auto, cann, simulator, not 'gpu'",
        "PYACLNN_BACKEND must be one of auto, cann, simulator, not 'npu'",
    ]


def test_a_simulator_that_was_not_built_says_how_to_get_it(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    out = run_python(
        WITH_SIMULATOR.format(root=str(toolkit.root))
        + "try: abi.backend.name\nexcept abi.LibraryNotFoundError as error: print(error)",
        PYACLNN_BACKEND="simulator",
    )

    assert "the simulator is not built" in out
    assert "C++17 compiler" in out


def test_asking_whether_it_is_chosen_does_not_choose(run_python: RunPython) -> None:
    out = run_python("print(abi.backend.chosen, repr(abi.backend))")

    assert out == "False <backend not chosen yet>\n"


def test_an_added_library_is_asked_first(toolkit: FakeToolkit, run_python: RunPython) -> None:
    extra = toolkit.library("extra/libmine.so", SELU, NUMBER=5)
    late = toolkit.library("extra/liblate.so", SELU, NUMBER=6)

    out = run_python(
        simulator(toolkit) + f"abi.add_library({str(extra)!r})\n"
        "print(abi.find_symbol('aclnnSeluBackward').path)\n"
        f"abi.add_library({str(late)!r})\n"
        "print(abi.find_symbol('aclnnSeluBackward').path)\n",
        PYACLNN_BACKEND="simulator",
    )

    assert out.splitlines() == [str(extra), str(late)]


def test_adding_a_library_that_is_not_there_is_refused(run_python: RunPython) -> None:
    out = run_python(
        "try: abi.add_library('/nowhere/libx.so')\n"
        "except abi.LibraryNotFoundError as error: print(error)"
    )

    assert out == "no library file at /nowhere/libx.so\n"


def test_eight_threads_open_the_libraries_once(toolkit: FakeToolkit, run_python: RunPython) -> None:
    out = run_python(
        simulator(toolkit) + "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(8) as pool:\n"
        "    got = list(pool.map(lambda _: abi.lib.aclnnSeluBackward, range(64)))\n"
        "print(len(set(got)), len(abi.libraries()))",
        PYACLNN_BACKEND="simulator",
    )

    assert out == "1 3\n"


def test_the_version_comes_from_the_library_where_no_file_says_it(
    toolkit: FakeToolkit, run_python: RunPython
) -> None:
    toolkit.library("lib64/libascendcl.so", RUNTIME)
    toolkit.library("lib64/libnnopbase.so", NNOPBASE)
    toolkit.library("lib64/libopapi.so", SELU)

    out = run_python(
        "print(abi.backend.version)", ASCEND_HOME_PATH=toolkit.root, PYACLNN_BACKEND="cann"
    )

    assert out == "9.9.9\n"
