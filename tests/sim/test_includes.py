"""Every source of the simulator includes what it uses of the headers that builds precompile.

Builds begin each source with the standard headers of ``build.STANDARD``, so that compilers do not
notice an include that is missing: others, and changes of that list, would.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pyaclnn.sim import build, generate

SIM = Path(build.__file__).parent
ROOTS = (SIM / "src", SIM / "include")
#: Names, and the headers of which one must be included, directly or by one of ours.
NAMES = {
    name: set(headers.split())
    for headers, names in {
        "algorithm": "all_of any_of clamp copy copy_backward copy_if copy_n count_if equal fill "
        "fill_n find find_if find_if_not generate is_sorted lexicographical_compare lower_bound "
        "max max_element min min_element minmax none_of nth_element partial_sort partition remove "
        "remove_if replace reverse rotate sort stable_sort transform unique upper_bound",
        "array": "array",
        "cmath": "atan atan2 cbrt ceil copysign cos cosh erf exp expm1 fabs floor fma fmod frexp "
        "hypot isfinite isinf isnan ldexp lgamma log log1p log2 nearbyint nextafter pow rint round "
        "signbit sin sinh sqrt tan tanh tgamma trunc",
        "cstddef": "byte max_align_t ptrdiff_t",
        "cstddef cstdio cstdlib cstring": "size_t",
        "cstdint": "int16_t int32_t int64_t int8_t intptr_t uint16_t uint32_t uint64_t uint8_t "
        "uintptr_t",
        "cstring": "memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strstr",
        "functional": "function greater less multiplies plus reference_wrapper",
        "initializer_list": "initializer_list",
        "limits": "numeric_limits",
        "memory": "enable_shared_from_this make_shared make_unique shared_ptr unique_ptr weak_ptr",
        "mutex": "call_once lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock",
        "optional": "make_optional nullopt optional",
        "string": "string to_string",
        "tuple": "forward_as_tuple make_tuple tie tuple",
        "type_traits": "conditional_t decay_t enable_if_t invoke_result_t is_arithmetic_v "
        "is_base_of_v is_enum_v is_floating_point_v is_integral_v is_same_v is_signed_v "
        "is_unsigned_v is_void_v make_signed_t make_unsigned_t remove_const_t remove_reference_t "
        "true_type false_type underlying_type_t",
        "utility": "as_const declval exchange forward index_sequence make_index_sequence "
        "make_pair pair",
        "utility algorithm": "move swap",
        "vector": "vector",
    }.items()
    for name in names.split()
}
FILES = {
    path.relative_to(root).as_posix(): path
    for root in ROOTS
    for path in sorted(root.rglob("*"))
    if path.suffix in (".cpp", ".hpp", ".h")
}
INCLUDE = re.compile(r"^\s*#\s*include\s+[<\"]([^>\"]+)", re.M)
NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)


@cache
def included(name: str) -> frozenset[str]:
    """Return what a file includes, and what files of ours include that it includes."""
    if name not in FILES:
        return frozenset()
    own = INCLUDE.findall(FILES[name].read_text("utf-8"))
    return frozenset(own).union(*map(included, own))


def missing(text: str, there: frozenset[str]) -> list[str]:
    """Return what a text uses and does not include, a line each."""
    used = set(re.findall(r"std::(\w+)", NO_CODE.sub("", text)))
    return [
        f"std::{name} needs <{'> or <'.join(sorted(NAMES[name]))}>"
        for name in sorted(used & set(NAMES))
        if not NAMES[name] & there
    ]


@pytest.mark.parametrize("folder", sorted({Path(name).parent.as_posix() for name in FILES}))
def test_what_is_used_is_included(folder: str) -> None:
    """Where one is missing the file and the name are shown."""
    here = [name for name in FILES if Path(name).parent.as_posix() == folder]
    found = {name: missing(FILES[name].read_text("utf-8"), included(name)) for name in here}
    assert {name: lines for name, lines in found.items() if lines} == {}


X86 = re.compile(r"\bSIM_HAS_AVX2_PATH\b|\b__x86_64__\b")


def on_any_processor(text: str) -> list[str]:
    """Return what a text includes whatever it is compiled for."""
    kept: list[str] = []
    inside: list[bool] = []  # for each open condition, whether it asks for x86-64
    for line in text.splitlines():
        if line.startswith("#if"):
            inside.append(X86.search(line) is not None)
        elif line.startswith("#endif"):
            inside.pop()
        elif not any(inside):
            kept += INCLUDE.findall(line)
    return kept


@cache
def needs_x86(name: str) -> bool:
    """Whether a file compiles on x86-64 alone."""
    if name not in FILES:
        return name.endswith("mmintrin.h") or name == "immintrin.h"
    return any(map(needs_x86, on_any_processor(FILES[name].read_text("utf-8"))))


def test_sources_compile_on_any_processor() -> None:
    """Registers of x86-64 are included under a condition, by generated sources as well."""
    generated = generate.sources(generate.load_table().ROWS, SIM.parent / "_toolkit" / "include")
    texts = {name: FILES[name].read_text("utf-8") for name in FILES if name.endswith(".cpp")}
    texts |= {f"generated {name}": text for name, text in generated}
    wrong = {
        name: [each for each in on_any_processor(text) if needs_x86(each)]
        for name, text in texts.items()
    }
    assert {name: includes for name, includes in wrong.items() if includes} == {}
    assert needs_x86("opapi/common/wide_registers.hpp")


def test_an_enumerator_comes_with_its_type() -> None:
    """A constant of the same name, of registers, is no reason to include what has those."""
    declaring = generate.declaring_headers()
    assert generate.needed_headers("Reduce::kAll", "reduction", declaring) == [
        "opapi/reduction/reduce.hpp"
    ]


def test_a_missing_include_is_seen() -> None:
    """Names in comments and texts need none."""
    text = '// std::vector\nconst char* text = "std::string";\nstd::optional<int> found;\n'
    assert missing(text, frozenset({"cstdint"})) == ["std::optional needs <optional>"]
    assert missing(text, frozenset({"optional"})) == []


def test_every_precompiled_header_is_looked_for() -> None:
    """What a build precompiles is what no compiler misses."""
    assert set(build.STANDARD.split()) <= set().union(*NAMES.values())
