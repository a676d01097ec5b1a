"""What is not understood is named where it belongs; nothing is guessed silently."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Translate


def test_a_gap_stands_where_the_statement_stood(translate: Translate) -> None:
    result = translate("""
        printf("before\\n");
        printf("%d\\n", unheard_of(3));
        printf("after\\n");
    """)

    assert [gap.line for gap in result.gaps] == [4]
    assert result.text.splitlines()[-4:] == [
        'print("before")',
        "# NOT PORTED sample.cpp:4: unheard_of is declared neither in the sample nor in CANN's "
        "headers",
        r'#     printf("%d\n", unheard_of(3));',
        'print("after")',
    ]


def test_what_depends_on_a_gap_is_a_gap(translate: Translate) -> None:
    result = translate("""
        int answer = unheard_of(3);
        printf("%d\\n", answer);
    """)

    assert [gap.line for gap in result.gaps] == [3, 4]
    assert "line 3" in result.gaps[1].reason


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ('printf("%d %d\\n", 1);', "asks for more values"),
        ("int a = 1 / 0;", "divides by zero"),
        ("std::vector<int> v(3); v[3] = 1;", "outside of"),
        ("int* p = nullptr; *p = 1;", "null pointer"),
        ("while (true) {}", "turns"),
        ("std::vector<double> v(1000000000000);", "more than a sample needs"),
        ('FILE* f = fopen("secret", "r");', "fopen"),
        ('printf("%p\\n", nullptr);', "address"),
        ("int x = rand();", "rand"),
    ],
)
def test_the_reason_says_what_is_not_understood(
    translate: Translate, statement: str, reason: str
) -> None:
    result = translate(statement)

    assert reason in " ".join(gap.reason for gap in result.gaps)


def port_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pyaclnn.port", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('int main() { printf("fine\\n"); return 0; }', 0),
        ("int main() { mystery(); return 0; }", 1),
        ("Dear diary, today was fine.", 2),
    ],
)
def test_the_exit_code_says_how_much_was_translated(
    tmp_path: Path, source: str, code: int
) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text(source)

    assert port_program(str(sample)).returncode == code


def test_the_port_goes_to_the_file_that_is_named(tmp_path: Path) -> None:
    sample, out = tmp_path / "sample.cpp", tmp_path / "out.py"
    sample.write_text('int main() { printf("fine\\n"); return 0; }')

    done = port_program(str(sample), "-o", str(out), "--style", "raw")

    assert (done.returncode, done.stdout) == (0, "")
    assert 'print("fine")' in out.read_text()


def test_a_missing_extra_names_the_command_that_installs_it(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("int main() { return 0; }")
    hide = "import sys; sys.modules['tree_sitter'] = None; "
    run = f"from pyaclnn.port.__main__ import main; sys.exit(main([{str(sample)!r}]))"

    done = subprocess.run(
        [sys.executable, "-c", hide + run], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "pip install 'pyaclnn[port]'" in done.stderr


def test_check_finds_a_port_that_prints_something_else(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    # Reading a variable behind its scope: the translator cannot know what C++ finds there.
    sample.write_text("""
        #include <cstdio>
        int main() { static int n = 3; printf("%d\\n", n + (sizeof(long double) == 8)); }
    """)

    done = port_program(str(sample), "--check")

    assert done.returncode in (0, 1)
