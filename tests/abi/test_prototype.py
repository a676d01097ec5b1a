"""The quick reader of plain prototypes agrees with the C parser, and leaves it the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyaclnn import abi
from pyaclnn.abi.declarations import Index
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.prototype import plain_prototype
from pyaclnn.abi.signature import parsed_signature, signature_of

HEADERS = Path(__file__).resolve().parents[2] / "headers"


def test_both_ways_give_the_same_signature_for_every_declared_function() -> None:
    functions = [d for d in Index(HEADERS).names().values() if d.kind == "function"]

    different = [d.text for d in functions if signature_of(d) != parsed_signature(d)]

    assert len(functions) > 2500
    assert different == []


def test_it_reads_names_types_and_const() -> None:
    prototype = plain_prototype("aclnnStatus f(const aclTensor *x, double p, void ** out);")

    assert prototype is not None
    assert (prototype.result, prototype.name) == ("aclnnStatus", "f")
    assert prototype.parameters == (
        ("x", "aclTensor *", True),
        ("p", "double", False),
        ("out", "void **", False),
    )


@pytest.mark.parametrize("text", ["int f(void);", "int f();", "int f( void )"])
def test_an_empty_list_of_parameters_is_read(text: str) -> None:
    prototype = plain_prototype(text)

    assert prototype is not None
    assert prototype.parameters == ()


@pytest.mark.parametrize(
    "text",
    [
        "const char *f(int a);",
        "int f(int);",
        "int f(const char *);",
        "int f(unsigned int a);",
        "int f(char *const a);",
        "int f(int a[4]);",
        "int f(void (*a)(int));",
        "int f(const char *a, ...);",
        "int f(struct s *a);",
        "static int f(int a);",
        "int f(int const a);",
    ],
)
def test_other_declarations_are_left_to_the_parser(text: str) -> None:
    assert plain_prototype(text) is None


def test_functions_of_one_shape_share_their_type() -> None:
    abi.define("aclnnAbs", "aclnnAcos")

    known = abi.ffi._parser._declarations
    types = {str(known[f"function {name}"][0]) for name in ("aclnnAbs", "aclnnAcos")}

    assert types == {"<int32_t(*)(void *, uint64_t, aclOpExecutor *, void *)>"}


def test_a_header_that_cffi_refuses_does_not_change_the_shapes_of_others(tmp_path: Path) -> None:
    header = tmp_path / "odd.h"
    header.write_text(
        "int pya_odd_first(short a, short b);\nint pya_odd_second(nowhere_t a, short b);\n"
    )
    abi.add_headers(header)

    with pytest.raises(HeaderError, match="nowhere_t"):
        abi.define("pya_odd_first", "pya_odd_second")
    abi.define("pya_odd_first")

    assert abi.signature("pya_odd_first").parameters[0].c_type == "short"


def test_the_release_is_read_from_the_line_above(tmp_path: Path) -> None:
    header = tmp_path / "release.h"
    header.write_text("// Doubles.\n// Since CANN 9.0.\nint pya_new(int a);\nint pya_old(int a);\n")
    abi.add_headers(header)

    releases = [abi.declaration(name).release for name in ("pya_new", "pya_old")]

    assert releases == ["Since CANN 9.0", ""]
    assert abi.declaration("pya_new").comment == "Doubles."
