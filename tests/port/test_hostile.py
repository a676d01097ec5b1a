"""Malformed, enormous and hostile input ends in a clear error, soon, and runs nothing."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from pyaclnn.port.errors import PortError
from pyaclnn.port.port import port

BOMB = "".join(f"#define M{i + 1} " + " ".join([f"M{i}"] * 10) + "\n" for i in range(12)).replace(
    "M0", "x"
)

REFUSED = {
    "empty": b"",
    "spaces": b" \n\t ",
    "binary": random.Random(1).randbytes(50_000),
    "zero byte": b"int main() {}\0",
    "prose": b"It was a dark and stormy night.\n" * 100,
    "no main": b"int helper() { return 1; }",
    "deep parentheses": b"int main(){return " + b"(" * 50_000 + b")" * 50_000 + b";}",
    "deep braces": b"int main(){" + b"{" * 5_000 + b"}" * 5_000 + b"}",
    "long chain": b"int main(){int x=" + b"1+" * 50_000 + b"1;}",
    "many signs": b"int main(){int x=" + b"!" * 50_000 + b"1;}",
    "three megabytes": b"/" * (3 << 20),
    "macro bomb": BOMB.encode() + b"int main(){M12;}",
    "macro of many pieces": b"#define M " + b"a##" * 100_000 + b"a\nint main(){M;}",
    "macro of dropped arguments": b"".join(
        f"#define M{i}(x) M{i + 1}(x) M{i + 1}(x)\n".encode() for i in range(16)
    )
    + b"#define M16(x)\nint main(){M0("
    + b"y " * 20_000
    + b");}",
    "macro calls without end": b"#define M(x) x\nint main(){" + b"M(" * 100_000,
    "comments without end": b"/* " * 100_000,
    "raw strings without end": b"int main(){return 0;}" + b'R"(' * 100_000,
    "open comment": b"/*" * 100_000,
    "truncated": b"int main() { std::vector<float> x = {1, 2,",
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_the_name_of_the_file(tmp_path: Path, name: str) -> None:
    sample = tmp_path / "hostile.cpp"
    sample.write_bytes(REFUSED[name])
    start = time.monotonic()

    with pytest.raises(PortError, match=r"hostile\.cpp"):
        port(sample)

    assert time.monotonic() - start < 30


NAMED = {
    "endless loop": "while (true) {}",
    "endless string": 'std::string s = "a"; for (int i = 0; i < 99; i++) s = s + s;',
    "huge number": "long x = 1L << 999999999;",
    "huge width": 'printf("%999999999d", 1);',
    "huge vector": "std::vector<double> v(1L << 60);",
    "huge nest": "std::vector<std::vector<int>> v(1 << 30, std::vector<int>(1 << 20));",
    "pipe": 'system("touch pwned"); FILE* f = popen("touch pwned", "w");',
    "wide file": 'std::ifstream f("x"); std::vector<char> v(8); f.read(v.data(), 1L << 40);',
    "many devices": "HcclComm c[2]; int32_t d[2]; HcclCommInitAll(1 << 30, d, c);",
}


@pytest.mark.parametrize("name", NAMED)
def test_a_hostile_statement_is_named_and_the_rest_goes_on(tmp_path: Path, name: str) -> None:
    sample = tmp_path / "hostile.cpp"
    sample.write_text(f'int main() {{\n{NAMED[name]}\nprintf("done\\n");\nreturn 0;\n}}\n')
    start = time.monotonic()

    result = port(sample)

    assert [gap.line for gap in result.gaps] == [2]
    assert result.text.endswith('print("done")\n')
    assert time.monotonic() - start < 60


ENDS = {
    "endless recursion": ("int f(int n) { return f(n + 1); }", "x = f(0);", "calls itself"),
    "endless work": ("", "for (;;) { for (int i = 0; i < 200; i++) x += i % 3; }", "takes more"),
    "too many prints": ("", 'for (;;) { printf("%d\\n", x); x = x * 3 + 1 & 255; }', "calls and"),
    "exception": ("", "throw x;", "nothing catches"),
}


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_what_takes_too_much_ends_the_port_where_it_stands(
    tmp_path: Path, name: str, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyaclnn.port.evaluation.interpreter.MAX_STEPS", 2_000)
    monkeypatch.setattr("pyaclnn.port.evaluation.interpreter.MAX_EVENTS", 200)
    before, statement, reason = ENDS[name]
    sample = tmp_path / "hostile.cpp"
    sample.write_text(
        f'{before}\nint main() {{\nint x = 1;\nprintf("before\\n");\n'
        f'{statement}\nprintf("behind\\n");\nreturn 0;\n}}\n'
    )

    result = port(sample, style)

    assert [reason in gap.reason for gap in result.gaps] == [True]
    assert 'print("before")' in result.text
    assert "behind" not in result.text
    assert result.text.splitlines()[-1].startswith("raise NotImplementedError(")


def test_text_of_the_sample_cannot_become_code(tmp_path: Path) -> None:
    sample = tmp_path / "hostile.cpp"
    trick = '\\"); raise SystemExit(\\"hit\\") #'
    sample.write_text(f'int main() {{ printf("{trick} {{1+1}} %d\\n", 5); return 0; }}')

    text = port(sample).text
    lines: list[str] = []
    exec(text, {"print": lambda line, end="\n": lines.append(line)})

    assert lines == ['"); raise SystemExit("hit") # {1+1} 5']


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_comments_in_any_usual_encoding_are_read(tmp_path: Path, encoding: str) -> None:
    sample = tmp_path / "sample.cpp"
    text = '// 固定写法\r\nint main() {\r\n  printf("好\\n"); // 释放\r\n  return 0;\r\n}\r\n'
    sample.write_bytes(text.encode(encoding))

    assert 'print("好")' in port(sample).text
