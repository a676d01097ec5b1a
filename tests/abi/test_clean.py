"""Header text in the manner of CANN's, oddities included, split into declarations."""

from __future__ import annotations

import subprocess

import pytest

from pyaclnn.abi.clean import Declaration, clean
from pyaclnn.abi.errors import HeaderError


def only(text: str | bytes) -> Declaration:
    (declaration,) = clean(text, "some.h")
    return declaration


def texts(text: str) -> list[str]:
    return [d.text for d in clean(text) if d.kind != "skipped"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_chinese_comments_are_read_in_any_encoding(encoding: str) -> None:
    # The second byte of some characters is a backslash in GBK.
    data = "/* 設备内存 誠\\ 申请 */ int f(int a); // 许可证 許\nint g(void);".encode(encoding)

    assert [d.text for d in clean(data)] == ["int f(int a);", "int g(void);"]


def test_windows_line_ends_do_not_show() -> None:
    assert only("int f(int a,\r\n      int b);\r\n").text == "int f(int a, int b);"


@pytest.mark.parametrize(
    "prefix",
    [
        "ACL_FUNC_VISIBILITY ",
        'ACL_DEPRECATED_MESSAGE("f is old (see g); use g") ACL_FUNC_VISIBILITY ',
        'ACL_DEPRECATED_MESSAGE("first; "\n                       "second")\nACLNN_API ',
        '__attribute__((visibility("default")))\n',
        '__attribute__((deprecated("use g(int)"))) ',
        '[[deprecated("use g()")]] ',
        'extern "C" ',
        "HCCL_API extern ",
        "SOME_MACRO(1, 2) ",
    ],
)
def test_markers_before_a_function_are_dropped(prefix: str) -> None:
    assert only(f"{prefix}aclError f(int a);").text == "aclError f(int a);"


@pytest.mark.parametrize(
    "suffix", ["ACL_DEPRECATED", '__attribute__((deprecated("x")))', "noexcept"]
)
def test_markers_after_a_function_are_dropped(suffix: str) -> None:
    assert only(f"aclError f(int a) {suffix};").text == "aclError f(int a);"


def test_a_type_in_capitals_is_no_marker() -> None:
    assert texts("RESULT f(int a);\nFILE *g(void);\nRESULT const *h(void);") == [
        "RESULT f(int a);", "FILE *g(void);", "RESULT const *h(void);",
    ]  # fmt: skip


def test_a_marker_that_the_header_defines_is_dropped_wherever_it_stands() -> None:
    text = '#define export_it __attribute__((visibility("default")))\nexport_it int f(void);'

    assert only(text).text == "int f(void);"


def test_extern_c_blocks_are_transparent() -> None:
    text = 'extern "C" {\nint f(void);\nstruct S { int a; };\n}\nint g(void);'

    assert texts(text) == ["int f(void);", "struct S { int a; };", "int g(void);"]


def test_the_guarded_cxx_part_is_not_there() -> None:
    text = '#ifdef __cplusplus\n#include <cstdint>\nextern "C" {\n#else\nint f(void);\n#endif\n'

    assert only(text).text == "int f(void);"


@pytest.mark.parametrize(
    ("condition", "taken"),
    [
        ("#ifndef SOME_H_", True),
        ("#ifdef SOME_H_", False),
        ("#if defined(_MSC_VER) || defined(_WIN32)", False),
        ("#if !defined(_MSC_VER)", True),
        ("#if defined(__GNUC__) && (__GNUC__ >= 6)", False),
        ("#if __has_include(<optional>)", False),
        ("#if 0", False),
        ("#if LEVEL > 2 && LEVEL <= 0x3", True),
        ("#if (LEVEL << 1) == 6 ? 1 : 0", True),
    ],
)
def test_conditions_are_evaluated_with_nothing_predefined(condition: str, taken: bool) -> None:
    text = f"#define LEVEL 3\n{condition}\nint yes(void);\n#else\nint no(void);\n#endif"

    assert texts(text)[1:] == [f"int {'yes' if taken else 'no'}(void);"]


@pytest.mark.parametrize(
    "condition",
    [
        "#if AT_LEAST(9, 0)",
        "#if AT_LEAST(9, 2)",
        "#if 0\n#elif !AT_LEAST(MAJOR + 1, 0) && AT_LEAST(9,1)",
        "#if NEW ? AT_LEAST(8, 0) : 0",
        "#if CAT(MAJ, OR) == 9",
        "#if AT_LEAST",
        "#if defined AT_LEAST && defined(NEW)",
        "#ifndef AT_LEAST",
        "#undef AT_LEAST\n#ifdef AT_LEAST",
        "#undef NEW\n#define NEW 0\n#if NEW",
        "#if AT_LEAST(9, \\\n 0) \\  \n && 0",
        "#if MAJOR /* // */ == 9 // == 8",
    ],
)
def test_conditions_hold_where_they_hold_for_the_compiler(
    condition: str, c_compiler: list[str]
) -> None:
    text = (
        "#define MAJOR 9\n#define RELEASE 90100\n#define CAT(a, b) a##b\n"
        "#define AT_LEAST(major, minor) (RELEASE >= (major) * 10000 + (minor) * 100)\n"
        f"#define NEW AT_LEAST(9, 0)\n{condition}\nint yes(void);\n#else\nint no(void);\n#endif\n"
    )
    command = [*c_compiler, "-E", "-P", "-w", "-xc", "-"]
    compiled = subprocess.run(command, input=text, capture_output=True, text=True, check=True)

    assert texts(text)[-1:] == [compiled.stdout.strip()]


def test_only_one_branch_of_a_chain_is_taken() -> None:
    text = "#if 0\nint a;\n#elif 1\nint b;\n#elif 1\nint c;\n#else\nint d;\n#endif\nint e;"

    assert texts(text) == ["int b;", "int e;"]


def test_conditions_nest() -> None:
    text = "#if 0\n#if 1\nint a;\n#else\nint b;\n#endif\n#else\n#ifndef X\nint c;\n#endif\n#endif"

    assert texts(text) == ["int c;"]


@pytest.mark.parametrize("text", ["#if 1\nint a;", "#endif", "#else", "\n#if (\n#endif"])
def test_conditions_that_make_no_sense_name_file_and_line(text: str) -> None:
    with pytest.raises(HeaderError, match=r"^broken\.h:\d+: ") as caught:
        clean(text, "broken.h")

    assert caught.value.file == "broken.h"


@pytest.mark.parametrize("default", ["nullptr", "NULL", "-1", "(1 + 2)", '"a,b)"', "true", "{}"])
def test_default_arguments_are_dropped(default: str) -> None:
    text = f"int f(int a, const char *b = {default}, int c = {default});"

    assert only(text).text == "int f(int a, const char *b, int c);"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#define SIZE_MAX_OF_IT 128", "128"),
        ("#define FLAGS (A | \\\n   0x2u)", "(A | 0x2u)"),
        ("static const uint32_t X = 0x1u;", "0x1u"),
        ("static const int X = 5; // five", "5"),
        ("constexpr uint32_t X{7};", "7"),
        ("inline constexpr int X = 1 << 3;", "1 << 3"),
        ('constexpr const char *X = "a;{b";', '"a;{b"'),
        ('static const char *const X = "s";', '"s"'),
        ("extern const int X = 3;", "3"),
    ],
)
def test_constants_of_every_form_become_defines(text: str, value: str) -> None:
    declaration = only(text)

    assert (declaration.kind, " ".join(declaration.text.split()[2:])) == ("constant", value)


@pytest.mark.parametrize(
    "text", ["#define SOME_H_", "#define CALL(x) f(x)", "#define DO do { } while (0)"]
)
def test_macros_that_are_no_constants_declare_nothing(text: str) -> None:
    assert clean(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("typedef struct aclTensor aclTensor;", ("aclTensor",)),
        ("typedef void *aclrtStream;", ("aclrtStream",)),
        ("typedef void (*aclrtCallback)(void *userData);", ("aclrtCallback",)),
        ("typedef aclError (*const Table[3])(int);", ("Table",)),
        ("typedef int Function(int, int);", ("Function",)),
        ("typedef char Name[64];", ("Name",)),
        ("using Handle = void *;", ("Handle",)),
        ("struct S;", ("struct S",)),
        ("struct S { int a; struct S *next; };", ("struct S",)),
        ("typedef struct { int a; } S, *P;", ("S", "P")),
        ("typedef struct tag { union { int i; float f; } u; } S;", ("struct tag", "S")),
        ("enum E { A, B = 0x4, C = (1 << 3) | 1, };", ("enum E", "A", "B", "C")),
        ("typedef enum E { A = -1, B } E;", ("enum E", "A", "B", "E")),
        ("enum { A };", ("A",)),
        ("enum E : uint32_t { A };", ("enum E", "A")),
        ("typedef union { int a; } U;", ("U",)),
        ("extern int counter;", ("counter",)),
    ],
)
def test_every_kind_of_declaration_tells_its_names(text: str, names: tuple[str, ...]) -> None:
    assert only(text).names == names


def test_attributes_of_enumerators_are_dropped() -> None:
    text = 'enum E { A\n   ACL_DEPRECATED_MESSAGE("Use B; not A") = 4, B ACL_DEPRECATED = 4, C };'

    assert only(text).text == "enum E { A = 4, B = 4, C };"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("static inline int half(int x) { if (x) { return x / 2; } return 0; }", ("half",)),
        ("inline bool operator==(int a, int b) { return true; }", None),
        ("template <typename T> T larger(T a, T b) { return a > b ? a : b; }", ("larger",)),
        ("namespace op { class K { void f() { } }; int q(int); }", None),
        ("class Shape { public: int rank; };", None),
        ("int f(const std::vector<int> &dims);", ("f",)),
        ("enum class Mode : int { A };", None),
        ("static int hidden(int x);", ("hidden",)),
    ],
)
def test_what_c_cannot_call_is_skipped_with_a_reason(
    text: str, name: tuple[str, ...] | None
) -> None:
    skipped, after = clean(f"{text}\nint after(void);")

    assert (skipped.kind, bool(skipped.note), after.names) == ("skipped", True, ("after",))
    assert name is None or skipped.names == name


def test_lines_count_through_comments_and_continued_lines() -> None:
    text = (
        "/* one\n two */\n#define A 1 \\\n  + 2\n#if 0\nint x;\n#endif\n\nint f(\n  int a);\nint g;"
    )

    assert [(d.names[0], d.line) for d in clean(text)] == [("A", 3), ("f", 9), ("g", 11)]


def test_release_markers_belong_to_the_next_declaration_only() -> None:
    text = (
        "// Since CANN 9.0.\n// Does a thing.\nint f(void);\nint g(void);\n"
        "// Only in CANN 8.1.\n#define X 1\n"
    )

    versions = {d.names[0]: d.version for d in clean(text)}

    assert versions == {"f": "Since CANN 9.0", "g": "", "X": "Only in CANN 8.1"}


def test_packing_is_noted_where_it_is_in_force() -> None:
    text = (
        "struct A { int a; };\n#pragma pack(push, 1)\nstruct B { int a; };\n"
        "#pragma pack(pop)\nstruct C { int a; };"
    )

    assert [d.pack for d in clean(text)] == [0, 1, 0]


def test_type_macros_are_expanded() -> None:
    text = "#define handle_t unsigned long\nhandle_t f(handle_t h);"

    assert only(text).text == "unsigned long f(unsigned long h);"


def test_a_comment_sign_inside_a_string_is_no_comment() -> None:
    assert only('#define URL "https://x/*y"').text == '#define URL "https://x/*y"'


def test_the_comment_before_a_declaration_is_found(tmp_path) -> None:  # type: ignore[no-untyped-def]
    header = tmp_path / "x.h"
    header.write_text(
        "/* Licence. */\n#define X 1\n/**\n * Doubles a number.\n */\nAPI int f(int);\n"
    )

    declaration = clean(header.read_bytes(), str(header))[1]

    assert declaration.comment == "Doubles a number."


def test_a_comment_that_belongs_to_something_else_is_not_taken(tmp_path) -> None:  # type: ignore[no-untyped-def]
    header = tmp_path / "x.h"
    header.write_text("// About g.\nint g(void);\nint f(void);\n")

    assert clean(header.read_bytes(), str(header))[1].comment == ""
