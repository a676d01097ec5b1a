"""What a release of CANN lacks is refused by name, and says in which it came."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.abi.paths import vendored_headers
from pyaclnn.sim import releases as generated
from pyaclnn.table import releases

SOURCES = Path(pa.__file__).parent / "sim" / "src"
NO_KERNEL = 561003

CALL = """
    import ctypes, json, pyaclnn as pa
    from pyaclnn.abi.paths import vendored_headers
    from pyaclnn.sim.generate import declarations
    declared = declarations(vendored_headers())
    opapi = ctypes.CDLL(str(pa.backend.root / "lib64" / "libopapi.so"))
    found = []
    for name in {names}:
        # Stubs are no functions of pa.lib.
        kinds = {{"Double": ctypes.c_double, "Float": ctypes.c_float}}
        nothing = [kinds.get(k, ctypes.c_void_p)() for k, _ in declared[name].parameters]
        told = ctypes.c_uint64(), ctypes.c_void_p()
        function = getattr(opapi, name + "GetWorkspaceSize")
        status = function(*nothing, *map(ctypes.byref, told))
        text = pa.lib.aclGetRecentErrMsg()
        found.append([status, "" if text == pa.ffi.NULL else pa.ffi.string(text).decode()])
    print(json.dumps(found))
"""


def answers(release: str, *names: str) -> list[tuple[int, str]]:
    """Return status and message of calls with nothing but null, in a process of a release."""
    printed = output_of(CALL.format(names=list(names)), PYACLNN_SIM_CANN=release)
    return [(status, text) for status, text in json.loads(printed)]


@pytest.mark.parametrize(
    ("name", "came"),
    [
        ("aclnnHardswishBackwardV2", "8.5"),
        ("aclnnLeftShift", "9.0"),
        ("aclnnFlashAttn", "9.1"),
        ("aclnnMhcSinkhornBackward", "9.1"),
    ],
)
def test_an_operator_is_there_from_the_release_it_came_with(name: str, came: str) -> None:
    order = [release.name for release in releases.RELEASES]
    for release in order:
        ((status, text),) = answers(release, name)
        lacks = f"{name} came with CANN {came}; this is CANN {release}"
        is_older = order.index(release) < order.index(came)
        assert (status == NO_KERNEL and lacks in text) == is_older, (release, status, text)


def test_an_operator_that_went_says_since_when() -> None:
    names = ["aclnnMlaPrologV3", "aclnnQuantFlashAttentionScore"]

    (first, second), (_, before) = answers("9.1", *names), answers("9.0", *names)

    assert first[0] == second[0] == NO_KERNEL
    assert "aclnnMlaPrologV3 is gone since CANN 9.0; this is CANN 9.1" in first[1]
    assert "aclnnQuantFlashAttentionScore is gone since CANN 9.1" in second[1]
    assert "is gone" not in before[1]


def test_the_table_names_what_is_declared_in_order() -> None:
    files = [f for folder in vendored_headers().iterdir() for f in folder.rglob("*.h")]
    text = "\n".join(f.read_text("utf-8") for f in files)
    declared = set(re.findall(r"\bacl\w+(?=\()", text))
    operators = {n if n.startswith("acl") else f"aclnn{n}" for n in releases.CAME | releases.WENT}

    assert {f"{n}GetWorkspaceSize" for n in operators} <= declared
    assert set(releases.FUNCTIONS) <= declared
    assert set((releases.CAME | releases.WENT | releases.FUNCTIONS).values()) <= {
        release.name for release in releases.RELEASES
    }


def test_names_in_the_generated_tables_are_sorted_as_strcmp_sorts_them() -> None:
    text = generated.texts(generated.facts())["releases.hpp"]
    for table in ("kFunctions", "kOperators"):
        names = re.findall(r'\{"(\w+)"', text.partition(f"{table}[]")[2].partition("};")[0])
        assert len(names) > 100
        assert names == sorted(names)


def test_only_the_table_knows_releases() -> None:
    asks = re.compile(r"PYACLNN_SIM_CANN\"\)")
    asking = {
        str(file.relative_to(SOURCES))
        for file in SOURCES.rglob("*.[ch]pp")
        if asks.search(file.read_text("utf-8"))
    }

    assert asking == {"core/config.cpp", "core/release.cpp"}


@pytest.mark.parametrize(
    ("version", "release"),
    [("9.1.0", "9.1"), ("9.2.0", "9.1"), ("9.0.1", "9.0"), ("8.5.0", "8.5"), ("8.3.RC1", "8.1"),
     ("8.1.RC1", "8.1"), ("7.0", "8.1"), ("", "9.1"), ("unknown", "9.1")],
)  # fmt: skip
def test_a_version_is_simulated_by_the_newest_that_is_not_newer(version: str, release: str) -> None:
    assert releases.newest_until(version) == release


@pytest.mark.parametrize(
    "name",
    [
        "aclnnMaxPool3dWithArgmax",
        "aclnnAdaptiveMaxPool2dBackward",
        "aclnnAdaptiveMaxPool3dBackward",
    ],
)
def test_null_has_its_own_code_since_9_1(name: str) -> None:
    found = {release: answers(release, name)[0][0] for release in ("9.0", "9.1")}

    assert found == {"9.0": 161002, "9.1": 161001}


def test_the_plane_is_sampled_in_bfloat16_on_atlas_a2_since_9_1() -> None:
    program = """
        import pyaclnn as pa
        x, grid = pa.ones((1, 1, 4, 4), "bfloat16"), pa.zeros((1, 2, 2, 2), "bfloat16")
        try:
            print(pa.ops.grid_sampler2d(x, grid, 0, 0, False).numpy().astype(float).tolist())
        except pa.AclParameterError as error:
            print("bfloat16" in str(error))
    """
    printed = {r: output_of(program, PYACLNN_SIM_CANN=r).strip() for r in ("9.0", "9.1")}

    assert printed == {"9.0": "True", "9.1": "[[[[1.0, 1.0], [1.0, 1.0]]]]"}


def test_a_mode_that_does_not_exist_is_an_invalid_parameter_since_9_1() -> None:
    program = """
        import pyaclnn as pa
        half = [pa.ones(shape, "float16") for shape in ((8, 256), (256, 16), (8, 16), (8, 256))]
        left, right, out, gathered = half
        try:
            pa.ops.all_gather_matmul_v2(
                left, right, None, None, None, None, 0, "nobody", 0, 8, 1, 0, "bad",
                out=(out, gathered, False),
            )
        except pa.AclError as error:
            print(error.code)
    """
    printed = {r: output_of(program, PYACLNN_SIM_CANN=r).strip() for r in ("9.0", "9.1")}

    assert printed == {"9.0": "561002", "9.1": "161002"}
