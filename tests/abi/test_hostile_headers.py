"""Header text may be anything: it ends in declarations or in one HeaderError, and soon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from abi.conftest import RunPython

from pyaclnn.abi.clean import clean
from pyaclnn.abi.declarations import Index
from pyaclnn.abi.errors import HeaderError
from pyaclnn.abi.expression import evaluate
from pyaclnn.abi.paths import MAX_HEADER

# Each takes hours where a pattern tries all ways to read the same text, or fills the memory.
ENDLESS = {
    "attributes": "int f(int a) " + "ACL_FUNC_DEPRECATED_V2" * 9 + ' __asm__("x");',
    "types": "#define X " + "a " * 60 + "1+\n",
    "conditions": "".join(f"#define A{i} A{i + 1} + A{i + 1}\n" for i in range(60))
    + "#if A0\n#endif",
    "calls": "".join(f"#define A{i}(x) A{i + 1}(x) + A{i + 1}(x)\n" for i in range(60))
    + "#if A0(1)\n#endif",
    "open calls": "#define A(x) x\n#if " + "A(" * 100_000 + "\n#endif",
    "wide macro": "#define A(x) " + "x + " * 100_000 + "0\n#if A(1)\n#endif",
    "dropped arguments": "".join(f"#define A{i}(x) A{i + 1}(x) A{i + 1}(x)\n" for i in range(16))
    + f"#define A16(x)\n#if A0({'y ' * 20_000})\n#endif",
    "aliases": "".join(f"#define A{i} A{i + 1} A{i + 1}\n" for i in range(60)) + "A0 f(void);",
    "shift": "#if 1 << 1 << 99999999999999\n#endif",
    "power": "#if " + "0xFFFFFFFFFFFFFFFF * " * 50_000 + "2\n#endif",
    "repetition": '#if "a" * 99999999999\n#endif',
    "comments": "/* " * 300_000,
    "raw strings": 'R"(' * 100_000,
    "unclosed": "__attribute__((" * 50_000,
    "brackets": "[" * 200_000,
    "quotes": '"' + '\\"' * 100_000,
    "bodies": "struct x " + "{}" * 100_000,
}

REFUSED = {
    "a number that does not fit": "#if 0xFFFFFFFFFFFFFFFFFFFF\n#endif",
    "a long number": f"#if {'9' * 5000}\n#endif",
    "an infinite number": "#if (int)1e999\n#endif",
    "deep parentheses": f"#if {'(' * 5000}1{')' * 5000}\n#endif",
    "deep signs": f"#if {'-' * 5000}1\n#endif",
    "deep choices": f"#if {'1 ? 1 : ' * 5000}1\n#endif",
    "a macro of itself": "#define A A + 1\n#if A\n#endif",
    "many macros": "".join(f"#define A{i} A{i + 1}\n" for i in range(5000)) + "#if A0\n#endif",
    "a macro without end": "".join(f"#define A{i}(x) A{i + 1}(x) A{i + 1}(x)\n" for i in range(60))
    + "#if A0(1)\n#endif",
    "a condition without name": "#ifdef\n#endif",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_used_to_take_for_ever_ends(name: str, tmp_path: Path, run_python: RunPython) -> None:
    # In a process of its own, which is given a minute.
    header = tmp_path / "x.h"
    header.write_text(ENDLESS[name])

    out = run_python(
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "from pyaclnn.abi.clean import clean\n"
        f"try: clean(open({str(header)!r}).read(), 'x.h')\n"
        "except abi.HeaderError as error: assert str(error).startswith('x.h'), error\n"
        "print('read')"
    )

    assert out == "read\n"


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_evaluated_names_file_and_line(what: str) -> None:
    text = REFUSED[what]
    line = text[: re.search(r"^#if", text, re.M).start()].count("\n") + 1  # type: ignore[union-attr]

    with pytest.raises(HeaderError) as caught:
        clean(text, "broken.h")

    assert (caught.value.file, caught.value.line) == ("broken.h", line)
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("text", ["1 << 64", "1 >> -1", "0xFFFFFFFFFFFFFFFF + 1", '"a" + "b"'])
def test_what_c_does_not_define_is_no_constant(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        evaluate(text, {}.__getitem__)


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("enum { A = 1 << 400 };", "A"),
        ("enum { A = A };", "A"),
        ("#define A B\n#define B A\n", "A"),
        ("constexpr int A{ };\n#define B (A << A << 1000)\n", "B"),
    ],
)
def test_a_constant_that_has_no_value_names_its_place(
    declaration: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "x.h").write_text(f"\n{declaration}")
    index = Index(tmp_path)

    with pytest.raises(HeaderError, match=r"x\.h:\d"):
        index.value(name)


def test_an_array_size_is_evaluated_within_limits_before_cffi_sees_it(
    tmp_path: Path, run_python: RunPython
) -> None:
    header = tmp_path / "x.h"
    header.write_text("struct s { int a[1 << 4]; };\nstruct t { int a[1 << 99999999999]; };\n")

    out = run_python(
        f"abi.add_headers({str(header)!r})\n"
        "print(abi.ffi.sizeof('struct s'))\n"
        "try: abi.ffi.sizeof('struct t')\n"
        "except abi.HeaderError as error: print(error.line, 'shifts by' in str(error))"
    )

    assert out == "64\n2 True\n"


def test_headers_that_include_each_other_endlessly_deep_are_refused(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f"h{number}.h").write_text(
            f'#include "h{number + 1}.h"\nint f{number}(void);\n'
        )
    index = Index(tmp_path)

    with pytest.raises(HeaderError, match="levels deep"):
        index.add_headers(tmp_path / "h0.h")


def test_a_file_larger_than_any_header_is_not_read(tmp_path: Path) -> None:
    header = tmp_path / "x.h"
    with header.open("wb") as file:
        file.truncate(MAX_HEADER + 1)

    with pytest.raises(HeaderError, match=r"x\.h: is longer than"):
        Index(tmp_path).add_headers(header)


def test_a_namespace_with_constants_is_not_one_constant() -> None:
    (declaration,) = clean("namespace op { constexpr int A = 1; int f(int); }")

    assert declaration.kind == "skipped"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("int f(int a) ACL_A ACL_B(1, (2)) noexcept", "int f(int a);"),
        ("int F(int a)", "int F(int a);"),
        ("int f(int (*g)(int) CONST)", "int f(int (*g)(int) CONST);"),
        ('int f(int a) __attribute__((deprecated("use g(")))', "int f(int a);"),
        ("ACL_A(1, (2)) ACL_B int f(int a)", "int f(int a);"),
    ],
)
def test_attributes_around_a_function_are_dropped_and_nothing_else(text: str, kept: str) -> None:
    (declaration,) = clean(f"{text};")

    assert declaration.text == kept
