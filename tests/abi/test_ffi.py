"""cffi learns declarations one by one, with what they need, when they are needed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from abi.conftest import RunPython

from pyaclnn.abi import HeaderError, SymbolNotFoundError, define, ffi, index
from pyaclnn.abi.declarations import Index
from pyaclnn.abi.ffi import references

STRUCTS = """
#define PART_LIMIT (4 * 2)
typedef enum partMode { PART_A = 1 << 3, PART_B } partMode;
typedef struct partNode partNode;
typedef void (*partVisit)(partNode *node, void *data);
struct partNode {
  uint8_t kind;
  uint32_t low : 3, high : 29;
  union { double d; struct { int16_t x, y[3]; } pair; } u;
  char name[PART_LIMIT + 1];
  partMode mode;
  partNode *next;
  partVisit visit;
};
#pragma pack(push, 1)
typedef struct { char tag; int64_t value; partNode *node; } partPacked;
#pragma pack(pop)
"""


@pytest.fixture
def header(tmp_path: Path) -> Iterator[Path]:
    """A header file that belongs to the index for one test."""
    before = list(index._added)
    yield tmp_path / "part.h"
    index._added[:] = before
    index._changed()


def test_the_size_and_offsets_of_structures_are_the_compilers(
    header: Path, c_compiler: list[str]
) -> None:
    header.write_text("#include <stdint.h>\n" + STRUCTS)
    index.add_headers(header)
    fields = ["kind", "u", "name", "mode", "next", "visit"]
    offsets = "".join(f'printf("%zu ", offsetof(partNode, {f}));' for f in fields)
    (header.parent / "s.c").write_text(
        '#include "part.h"\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {'
        f'{offsets} printf("%zu %zu", sizeof(partNode), sizeof(partPacked)); return 0; }}'
    )
    subprocess.run([*c_compiler, "-o", "s", "s.c"], cwd=header.parent, check=True)
    compiled = subprocess.run([header.parent / "s"], capture_output=True, text=True, check=True)

    ours = [ffi.offsetof("partNode", field) for field in fields]
    ours += [ffi.sizeof("partNode"), ffi.sizeof("partPacked")]

    assert ours == [int(number) for number in compiled.stdout.split()]


def test_type_strings_find_their_declarations() -> None:
    cells = ffi.new("aclOpExecutor *[2]")

    assert (ffi.typeof(cells[0]).cname, ffi.sizeof("aclDataType")) == ("aclOpExecutor *", 4)


def test_a_type_string_nobody_declares_is_cffis_error() -> None:
    with pytest.raises(Exception, match="nobodysType"):
        ffi.new("nobodysType *")


def test_a_callback_type_by_its_c_name() -> None:
    seen = []
    function = ffi.callback("aclrtCallback", seen.append)

    function(ffi.NULL)

    assert seen == [ffi.NULL]


def test_handles_of_different_kinds_cannot_be_mixed_up() -> None:
    with pytest.raises(TypeError):
        ffi.new("aclTensor **", ffi.cast("aclScalar *", 8))


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("aclError f(const aclTensor *self, aclrtStream stream, size_t n);",
         ["aclError", "aclTensor", "aclrtStream"]),
        ("int f(unsigned int, const aclrtStream);", ["aclrtStream"]),
        ("struct S { T a; T b[LIMIT + 1]; struct Q *q; enum E e : 3; };",
         ["struct S", "T", "LIMIT", "struct Q", "enum E"]),
        ("typedef void (*cb)(aclX *x, void (*inner)(Y y));", ["aclX", "Y"]),
        ("int f(int64_t dims[][N], T *const *list);", ["N", "T"]),
    ],
)  # fmt: skip
def test_only_types_tags_and_sizes_count_as_needed(text: str, needed: list[str]) -> None:
    assert references(text) == needed


def test_every_vendored_declaration_is_accepted(run_python: RunPython) -> None:
    out = run_python(
        "names = [n for n, d in abi.index.names().items() if d.kind != 'skipped']\n"
        "abi.define(*names)\n"
        "print(len(names) > 1000, {d.kind for d in abi.index.names().values()} >= {'function'})"
    )

    assert out == "True True\n"


def test_one_bad_declaration_harms_no_other(header: Path) -> None:
    header.write_text(
        "int fineBefore(int a);\nint bad(__int128_thing<3> x);\nint fineAfter(int a);"
    )
    index.add_headers(header)

    define("fineBefore", "fineAfter")

    assert ffi._defined["fineAfter"].text == "int fineAfter(int a);"


def test_an_unknown_type_is_named_with_file_and_line(header: Path) -> None:
    header.write_text("\n\nint needsIt(missing_t a);\n")
    index.add_headers(header)

    with pytest.raises(HeaderError, match=r"part\.h:3: .*no header declares missing_t") as caught:
        define("needsIt")

    assert (caught.value.line, caught.value.declaration) == (3, "int needsIt(missing_t a);")


def test_a_syntax_cffi_does_not_know_is_named_with_file_and_line(header: Path) -> None:
    header.write_text("typedef int okay_t;\nint odd(okay_t a, int b $);\n")
    index.add_headers(header)

    with pytest.raises(HeaderError, match=r"part\.h:2: cffi cannot use this declaration"):
        define("odd")


def test_what_stood_before_a_bad_declaration_can_still_be_used(header: Path) -> None:
    header.write_text("typedef struct { int a; } good_t;\nint worse(good_t g, missing2_t m);\n")
    index.add_headers(header)
    with pytest.raises(HeaderError):
        define("worse")

    assert ffi.sizeof("good_t") == 4


@pytest.mark.parametrize("calls", range(20, 1500, 60))
def test_what_a_signal_handler_broke_off_is_defined_the_next_time(header: Path, calls: int) -> None:
    name, type_ = f"broken{calls}", f"broken{calls}_t"
    header.write_text(f"typedef struct {{ int a; }} {type_};\nint {name}({type_} g, char c);\n")
    index.add_headers(header)

    class AlarmError(Exception):
        pass

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls -= event == "call"
        if not calls:
            sys.setprofile(None)
            raise AlarmError

    sys.setprofile(count)
    try:
        with suppress(AlarmError):
            define(name)
    finally:
        sys.setprofile(None)
    broken_off = calls <= 0
    define(name)

    assert ffi.typeof(f"int(*)({type_}, char)").args[0].cname == type_
    assert broken_off


def test_an_inline_function_says_why_it_cannot_be_called(header: Path) -> None:
    header.write_text("static inline int half(int x) { return x / 2; }\n")
    index.add_headers(header)

    with pytest.raises(HeaderError, match=r"half cannot be used from Python: .*no exported symbol"):
        define("half")


def test_an_undeclared_name_is_refused() -> None:
    with pytest.raises(SymbolNotFoundError, match=r"aclrtMallocc.*did you mean aclrtMalloc"):
        define("aclrtMallocc")


def test_a_name_in_use_keeps_its_declaration(header: Path) -> None:
    define("aclrtGetDeviceCount")
    header.write_text("int aclrtGetDeviceCount(char other);\n")
    index.add_headers(header)

    define("aclrtGetDeviceCount")

    assert "uint32_t" in ffi._defined["aclrtGetDeviceCount"].text


def test_a_macro_that_renames_a_type_is_a_type(header: Path) -> None:
    header.write_text("typedef struct { int64_t a; } first_t;\n#define second_t first_t\n")
    index.add_headers(header)

    assert ffi.sizeof("second_t") == 8


def test_threads_may_define_the_same_names_at_once(run_python: RunPython) -> None:
    out = run_python(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "names = ['aclrtMalloc', 'aclCreateTensor', 'aclrtMemcpy', 'aclrtCreateStream'] * 8\n"
        "with ThreadPoolExecutor(8) as pool: list(pool.map(abi.define, names))\n"
        "print(len(abi.ffi._defined) > 4)"
    )

    assert out == "True\n"


def test_an_index_of_its_own_shares_nothing_with_the_global_one(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text("int onlyHere(void);")

    assert Index(tmp_path).find("onlyHere") is not None
    assert index.find("onlyHere") is None


def test_the_parser_of_cffi_is_not_shared_unguarded() -> None:
    with ThreadPoolExecutor(4) as pool:
        sizes = list(pool.map(lambda n: ffi.sizeof(f"aclDataType[{n}]"), range(1, 40)))

    assert sizes == [4 * n for n in range(1, 40)]
