"""Samples of an operator package of one's own, whose headers are not there when they are ported."""

from __future__ import annotations

from pathlib import Path

import pytest
from port.sources import program, run, tensor

from pyaclnn.abi.paths import SIMULATOR_ROOT
from pyaclnn.port.check import run_port
from pyaclnn.port.errors import OWN_ERROR
from pyaclnn.port.survey import kind_of
from pyaclnn.sim.compilers import find_compiler

from .conftest import Translate

HEADER = """
#include "aclnn/acl_meta.h"
aclnnStatus aclnnFrobnicateGetWorkspaceSize(const aclTensor *x, double factor, const aclTensor *y,
    const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);
aclnnStatus aclnnFrobnicate(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream);
"""
SOURCE = """
#include "aclnnop/aclnn_maximum.h"
#include "aclnn_frobnicate.h"
aclnnStatus aclnnFrobnicateGetWorkspaceSize(const aclTensor *x, double factor, const aclTensor *y,
    const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor) {
  if (factor != 0.5) return 161002;
  return aclnnMaximumGetWorkspaceSize(x, y, (aclTensor *)out, workspaceSize, executor);
}
aclnnStatus aclnnFrobnicate(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
    aclrtStream stream) {
  return aclnnMaximum(workspace, workspaceSize, executor, stream);
}
"""
SAMPLE = program(
    tensor("x", "3", values="1, -2, 3") + tensor("y", "3", values="0, 7, 4") + tensor("out", "3")
    + run("aclnnFrobnicate", "x, 0.5, y, out")
    + """
  aclrtSynchronizeStream(stream);
  std::vector<float> host(3);
  aclrtMemcpy(host.data(), 12, outAddr, 12, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int i = 0; i < 3; i++) printf("%f\\n", host[i]);
"""
)  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a package as ``build.sh`` installs one."""
    root = tmp_path_factory.mktemp("package")
    include, lib = root / "op_api" / "include", root / "op_api" / "lib"
    include.mkdir(parents=True)
    lib.mkdir()
    (include / "aclnn_frobnicate.h").write_text(HEADER, encoding="utf-8")
    (root / "frobnicate.c").write_text(SOURCE, encoding="utf-8")
    with find_compiler() as compiler:
        done = compiler.run(
            ["-x", "c", "-std=c11", "-shared", "-fPIC", str(root / "frobnicate.c"), "-x", "none",
             f"-I{SIMULATOR_ROOT / 'include'}", f"-I{include}", f"-L{SIMULATOR_ROOT / 'lib64'}",
             "-lopapi", "-o", str(lib / "libcust_opapi.so")]
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return root


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_a_port_made_without_the_header_runs_with_the_package(
    translate: Translate, style: str, package: Path, tmp_path: Path
) -> None:
    result = translate('#include "aclnnop/aclnn_frobnicate.h"\n' + SAMPLE, style)

    assert result.gaps == ()
    assert "needs the package that brings aclnn_frobnicate.h" in " ".join(
        result.text.replace("#", "").split()
    )
    # CANN finds an installed package by itself; the simulator is told.
    added = (
        "import pyaclnn as pa\n"
        f"pa.abi.add_headers({str(package / 'op_api/include')!r})\n"
        f"pa.abi.add_library({str(package / 'op_api/lib/libcust_opapi.so')!r})\n"
    )
    assert run_port(added + result.text, tmp_path).split() == ["1.000000", "7.000000", "4.000000"]


@pytest.mark.parametrize(
    ("head", "header"),
    [
        ('#include "aclnnop/aclnn_ops_nn_custom.h"\n', "aclnn_ops_nn_custom.h"),
        ("aclnnStatus aclnnFrobnicateGetWorkspaceSize(const aclTensor*);\n", "aclnn_frobnicate.h"),
    ],
)
def test_a_package_may_be_declared_as_a_whole_or_by_the_sample(
    translate: Translate, head: str, header: str
) -> None:
    result = translate(head + SAMPLE)

    assert result.gaps == ()
    assert f"needs the package that brings {header}" in " ".join(
        result.text.replace("#", "").split()
    )


def test_a_call_that_no_header_of_the_sample_may_declare_is_an_error_of_its_own(
    translate: Translate,
) -> None:
    result = translate(SAMPLE)

    assert "no header declares aclnnFrobnicateGetWorkspaceSize" in result.gaps[0].reason
    assert kind_of(result.gaps[0].reason) == OWN_ERROR


def test_a_variable_that_nothing_declares_is_an_error_of_the_sample(translate: Translate) -> None:
    body = 'int stride_h = 1; printf("%d %d\\n", stride_h, stride); return 0;'
    own = translate(f"#include <cstdio>\nint main() {{ {body} }}")
    elsewhere = translate(f'#include <cstdio>\n#include "sizes.h"\nint main() {{ {body} }}')
    later = translate(
        '#include <cstdio>\nint main() { printf("%d\\n", timezone); int timezone = 2; return 0; }'
    )

    assert kind_of(own.gaps[0].reason) == OWN_ERROR
    assert kind_of(elsewhere.gaps[0].reason) != OWN_ERROR
    assert kind_of(later.gaps[0].reason) != OWN_ERROR


def test_an_operator_that_is_misspelt_stays_a_gap(translate: Translate) -> None:
    result = translate('#include "aclnnop/aclnn_frobnicates.h"\n' + SAMPLE)

    assert [gap.reason.partition(";")[0] for gap in result.gaps] == [
        "no header declares aclnnFrobnicateGetWorkspaceSize"
    ]


def test_a_plan_of_an_operator_that_no_header_declares_is_one(translate: Translate) -> None:
    asked = SAMPLE.replace('printf("%f', 'printf("%d ", (int)workspaceSize); printf("%f')
    result = translate('#include "aclnnop/aclnn_frobnicate.h"\n' + asked)

    assert 'plan = pa.ops["aclnnFrobnicate"].plan(x, 0.5, y, out=out)' in result.text
    assert "plan.run()" in result.text


@pytest.mark.parametrize(
    ("include", "arguments", "own"),
    [
        ("aclnn_softplus.h", "x, out", True),
        ("aclnn_softplus.h", "x, 0.5, 2.0, out", True),
        ("aclnn_softplus.h", "x, beta, threshold, out", False),
        ("aclnnop/aclnn_softplus.h", "x, out", False),
        ("aclnn_relu.h", "x, out", False),
    ],
)
def test_a_package_may_have_an_operator_that_is_called_like_one_of_cann(
    translate: Translate, include: str, arguments: str, own: bool
) -> None:
    scalars = """
  float one = 1.0f;
  aclScalar* beta = aclCreateScalar(&one, ACL_FLOAT);
  aclScalar* threshold = aclCreateScalar(&one, ACL_FLOAT);
"""
    body = tensor("x", "3") + tensor("out", "3") + scalars + run("aclnnSoftplus", arguments)
    result = translate(f'#include "{include}"\n' + program(body))
    fits = arguments.startswith("x, beta")

    assert ("the package" in result.text) is own
    assert bool(result.gaps) is not (own or fits)
