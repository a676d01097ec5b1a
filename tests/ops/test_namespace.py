"""``pyaclnn.ops``: the package, and the namespace of all operators, in one object."""

from __future__ import annotations

import sys

import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.ops import compiled
from pyaclnn.ops.namespace import OperatorNamespace


def test_the_modules_of_the_package_can_be_imported() -> None:
    out = output_of(
        """
        import pyaclnn as pa
        import pyaclnn.ops.compiled as c
        import pyaclnn.ops.to_cpp
        from pyaclnn.ops import sequence
        import pyaclnn.ops as package
        print(c.__name__, pyaclnn.ops.to_cpp.__name__, sequence.__name__)
        print(package is pa.ops, pa.ops.softshrink_backward.c_name)
        """
    )

    assert out.split("\n") == [
        "pyaclnn.ops.compiled pyaclnn.ops.to_cpp pyaclnn.ops.sequence",
        "True aclnnSoftshrinkBackward",
    ]


def test_the_namespace_is_the_package() -> None:
    assert pa.ops is sys.modules["pyaclnn.ops"]
    assert isinstance(pa.ops, OperatorNamespace)
    assert pa.ops.compiled is compiled


def test_importing_a_module_of_the_package_reads_no_header() -> None:
    out = output_of(
        """
        import pyaclnn as pa
        from pyaclnn.ops import cpp_helpers, to_cpp
        print(pa.abi.index._base)
        """
    )

    assert out == "[]"


def test_iterating_counting_and_looking_agree() -> None:
    names = list(pa.ops)

    assert names == dir(pa.ops)
    assert len(names) == len(set(names)) == len(pa.ops)
    assert all(name in pa.ops for name in names)
    assert "softshrink_backward" in names
    assert "aclnnSoftshrinkBackward" in pa.ops


@pytest.mark.parametrize("name", ["softshrink_forward", "compiled", "__len__", "", 0, None])
def test_what_is_no_operator_is_not_in_it(name: object) -> None:
    assert name not in pa.ops
    with pytest.raises(KeyError, match="no header declares an operator"):
        pa.ops[name]


def test_both_names_lead_to_one_object() -> None:
    assert pa.ops["aclnnTanhBackward"] is pa.ops.tanh_backward
    assert pa.ops["tanh_backward"] is pa.ops.tanh_backward


def test_headers_that_are_added_later_are_seen(tmp_path) -> None:  # type: ignore[no-untyped-def]
    header = tmp_path / "aclnn_late.h"
    header.write_text(
        "".join(
            f"aclnnStatus aclnn{name}GetWorkspaceSize(const aclTensor* self, aclTensor* out,\n"
            "    uint64_t* workspaceSize, aclOpExecutor** executor);\n"
            f"aclnnStatus aclnn{name}(void* workspace, uint64_t workspaceSize,\n"
            "    aclOpExecutor* executor, aclrtStream stream);\n"
            for name in ("CameLate", "Plan")
        )
    )

    out = output_of(
        f"""
        import pyaclnn as pa
        before = dir(pa.ops)
        pa.abi.add_headers({str(header)!r})
        print(sorted(set(dir(pa.ops)) - set(before)), len(pa.ops) - len(before))
        print(pa.ops.came_late.c_name, pa.ops["aclnnPlan"].c_name, pa.ops["plan"].c_name)
        """
    )

    assert out.split("\n") == ["['came_late', 'plan'] 2", "aclnnCameLate aclnnPlan aclnnPlan"]
