"""Whole programs, written as one would for CANN, against the toolkit root and without Python."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import toolchain

GRAD = np.arange(1.0, 9.0)
SAMPLES = toolchain.C_TESTS / "samples"


def softshrink() -> np.ndarray:
    self = np.array([-2, -1, -0.5, -0.25, 0, 0.25, 0.75, 3])
    return np.where(np.abs(self) > 0.5, GRAD, 0.0)


def threshold() -> np.ndarray:
    self = np.array([-2, -1, 0.5, 0.25, 0, 0.75, 1, 3])
    return np.where(self > 0.5, GRAD, 0.0)


def hardswish() -> np.ndarray:
    self = np.array([-4, -3, -1.5, -1, 0, 1, 3, 4])
    return GRAD * np.where(self < -3, 0, np.where(self > 3, 1, self / 3 + 0.5))


def selu() -> np.ndarray:
    forward = np.array([-1.75, -1.5, -1, -0.5, -0.25, 0.25, 1, 3])
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return GRAD * np.where(forward < 0, forward + scale * alpha, scale)


def softmax() -> np.ndarray:
    forward = np.array([[0.25, 0.25, 0.25, 0.25], [0.125, 0.125, 0.25, 0.5]])
    grad = GRAD.reshape(2, 4)
    return (forward * (grad - (forward * grad).sum(axis=1, keepdims=True))).ravel()


EXPECTED = {
    "aclnn_softshrink_backward.cpp": softshrink,
    "aclnn_threshold_backward.cpp": threshold,
    "aclnn_hardswish_backward.cpp": hardswish,
    "aclnn_selu_backward.cpp": selu,
    "aclnn_softmax_backward.cpp": softmax,
    "threshold_backward.c": lambda: np.array([0, 0, 0, 40, 50, 60.0]),
}


def printed_by(program: Path) -> list[float]:
    done = toolchain.run(program)
    assert done.returncode == 0, done.stdout
    return [float(value) for value in re.findall(r"^result\[\d+\] = (\S+)$", done.stdout, re.M)]


@pytest.mark.parametrize("name", EXPECTED)
def test_sample_prints_the_right_numbers(name: str) -> None:
    printed = printed_by(toolchain.build(SAMPLES / name))
    np.testing.assert_allclose(printed, EXPECTED[name](), rtol=1e-6)


def test_the_command_of_the_readme_compiles_a_sample(tmp_path: Path) -> None:
    readme = (toolchain.REPOSITORY / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^    g\+\+ sample.cpp (.*\\\n.*)$", readme, re.MULTILINE)
    assert found is not None
    name, root = "aclnn_selu_backward.cpp", toolchain.toolkit()
    flags = shlex.split(found[1].replace("\\\n", " ").replace("$ASCEND_HOME_PATH", str(root)))
    compiler = [*toolchain.compiler(".cpp"), *toolchain.sanitizers(root)]
    subprocess.run([*compiler, str(SAMPLES / name), *flags], cwd=tmp_path, check=True)
    np.testing.assert_allclose(printed_by(tmp_path / "a.out"), EXPECTED[name](), rtol=1e-6)


@pytest.mark.parametrize("name", EXPECTED)
def test_sample_leaves_nothing_behind(name: str) -> None:
    done = toolchain.run(toolchain.build(SAMPLES / name), env={"PYACLNN_SIM_CHECK": "leaks"})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize("name", EXPECTED)
def test_sample_is_clean_under_valgrind(name: str) -> None:
    valgrind = ["valgrind", "--quiet", "--leak-check=full", "--error-exitcode=9"]
    # Valgrind searches device memory for pointers, which takes as long as there is memory.
    small = {"PYACLNN_SIM_MEMORY": "16M"}
    done = toolchain.run(toolchain.build(SAMPLES / name), env=small, under=valgrind)
    assert done.returncode == 0, done.stderr
