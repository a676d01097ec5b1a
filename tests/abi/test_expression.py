"""Constant expressions mean what a C compiler says they mean."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pyaclnn.abi.expression import Value, evaluate

NAMES: dict[str, Value] = {"TWO": 2, "BIG": 0xFFFFFFFF}
EXPRESSIONS = [
    "1 + 2 * 3", "(1 + 2) * 3", "10 - 4 - 3", "-7 / 2", "-7 % 3", "7 / -2", "1 << 4 | 1",
    "0x10u & 0x1F", "6 ^ 3", "~0", "~0u", "~0ull", "-1", "!5", "!0", "0777",
    "0xFFFFFFFFFFFFFFFEULL",
    "TWO * TWO + 1", "TWO > 1 ? 10 : 20", "TWO == 3 ? 10 : TWO != 2 ? 1 : 2", "1 && 0 || 1",
    "3 <= 3", "2 >= 3", "1 < 2 == 1", "(int8_t)255", "(uint8_t)300", "(uint32_t)-1", "(int)-1",
    "(unsigned int)-1 + 1", "4294967295u + 1u", "0u - 1u", "(TWO) - 1", "(TWO)", "'A' + 1",
    "'\\n'", "1 << (TWO + 1)", "100000U", "5 % 3 + (4 >> 1)", "(int64_t)(1) << 40",
    "1 || 1 / 0", "0 && 1 % 0", "1 ? 2 : 1 / 0", "0 ? 1 / 0 : 3", "(0 && (1 || 1 / 0)) + 4",
]  # fmt: skip


@pytest.fixture(scope="module")
def of_the_compiler(
    tmp_path_factory: pytest.TempPathFactory, c_compiler: list[str]
) -> dict[str, int]:
    directory = tmp_path_factory.mktemp("expressions")
    lines = "".join(f'  printf("%lld\\n", (long long)({e}));\n' for e in EXPRESSIONS)
    (directory / "e.c").write_text(
        "#include <stdio.h>\n#include <stdint.h>\n#define TWO 2\n#define BIG 0xFFFFFFFF\n"
        f"int main(void) {{\n{lines}  return 0;\n}}\n"
    )
    subprocess.run([*c_compiler, "-w", "-o", "e", "e.c"], cwd=directory, check=True)
    out = subprocess.run([Path(directory / "e")], capture_output=True, text=True, check=True).stdout
    return dict(zip(EXPRESSIONS, map(int, out.split()), strict=True))


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_integers_equal_the_compilers(text: str, of_the_compiler: dict[str, int]) -> None:
    value = evaluate(text, NAMES.__getitem__)

    # The compiler's were printed as signed 64-bit numbers.
    assert isinstance(value, int)
    assert (value + 2**63) % 2**64 - 2**63 == of_the_compiler[text]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.5f", 3.5),
        ("1e-3", 0.001),
        ("-.5 * 4", -2.0),
        ("(float)3 / 2", 1.5),
        ('"a" "b"', "ab"),
        ("static_cast<uint8_t>(257)", 1),
        ("(unknown_t)5", 5),
        ("1'000'000 + 0xFF'FFu", 1065535),
    ],
)
def test_floats_strings_and_cxx_casts_are_understood(text: str, value: Value) -> None:
    assert evaluate(text, NAMES.__getitem__) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 +",
        "(1",
        "1 2",
        "sizeof(int)",
        "f(1)",
        "a @ b",
        "1 / 0",
        "1 && 1 / 0",
        "0 || 1 % 0",
        "0 ? 1 : 1 / 0",
    ],
)
def test_what_is_no_constant_expression_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        evaluate(text, NAMES.__getitem__)


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="NOBODY"):
        evaluate("TWO + NOBODY", NAMES.__getitem__)
