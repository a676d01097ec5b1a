"""What is not understood is named where it belongs; nothing is guessed silently."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pyaclnn.port.check import compare, first_difference
from pyaclnn.port.errors import PortError
from pyaclnn.port.port import Port, port

from .conftest import Translate
from .sources import PREAMBLE, program, tensor


def test_a_gap_stands_where_the_statement_stood(translate: Translate) -> None:
    result = translate("""
        printf("before\\n");
        printf("%d\\n", unheard_of(3));
        printf("after\\n");
    """)

    assert [gap.line for gap in result.gaps] == [4]
    assert result.text.splitlines()[-5:] == [
        'print("before")',
        "# NOT PORTED sample.cpp:4: unheard_of is declared neither in the sample nor in "
        "CANN's headers",
        r'#     printf("%d\n", unheard_of(3));',
        'raise NotImplementedError("sample.cpp:4 is not ported")',
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
        ("std::vector<int> v(3); v[3] = 1;", "outside of 3 elements: an error of the sample"),
        (
            "std::vector<uint8_t> v(3, 300.0);",
            "uint8, which cannot hold it: an error of the sample",
        ),
        ("int* p = nullptr; *p = 1;", "null pointer"),
        ("while (true) {}", "turns"),
        ("std::vector<double> v(1000000000000);", "more than a sample needs"),
        ('FILE* f = popen("secret", "r");', "popen"),
        ("int x = random_number();", "random_number"),
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
def test_the_exit_code_says_how_much_was_translated(tmp_path: Path, source: str, code: int) -> None:
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


@pytest.mark.parametrize(
    ("theirs", "mine", "difference"),
    [
        ("x[0] = 1.50\n", "x[0] = 1.5\n", None),
        ("nan 1e3\n", "-nan 1000.0\n", None),
        ("x[0] = 1.5\n", "x[0] = 1.25\n", "line 1: the sample prints 1.5, the port 1.25"),
        ("a 1\nb 2\n", "a 1\n", "line 2"),
        ("first 1\n", "second 1\n", "line 1"),
    ],
)
def test_outputs_are_compared_number_by_number(
    theirs: str, mine: str, difference: str | None
) -> None:
    found = first_difference(theirs, mine)

    assert (found is None) if difference is None else (difference in (found or ""))


def test_check_refuses_a_sample_that_does_not_compile(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text('int main() { printf("no header\\n"); return 0; }')

    done = port_program(str(sample), "--check")

    assert done.returncode == 2
    assert "the sample does not compile" in done.stderr


def test_a_deleter_after_a_pointer_makes_a_variable_not_a_prototype(translate: Translate) -> None:
    result = translate(
        """
        aclrtStream stream;
        aclrtCreateStream(&stream);
        void* memory = nullptr;
        aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
        std::unique_ptr<void, aclError (*)(void*)> owner(memory, aclrtFree);
        printf("%d\\n", 1);
        """,
        "raw",
    )

    assert result.gaps == ()
    assert "aclrtFree(memory[0])" in result.text


def test_a_vector_copied_from_one_whose_name_looks_like_a_type(translate: Translate) -> None:
    result = translate("""
        std::vector<int> geluInit = {1, 2, 3};
        std::vector<int> copy(geluInit);
        printf("%d\\n", copy[2]);
    """)

    assert result.gaps == ()
    assert 'print("3")' in result.text


def test_numbers_are_what_cpp_makes_of_them(translate: Translate) -> None:
    result = translate(r"""
        bool yes = 3 > 2;
        printf("%d %d %d %x\n", -7 / 2, -7 % 3, yes, !yes);
        std::cout << yes << -0x10 / 3 << std::endl;
        const char* text = "hello";
        std::string name = std::string("a") + 'b';
        printf("%s %s\n", text + 2, name.c_str());
        int row[] = {5, 6, 7};
        int* second = row + 1;
        printf("%d %ld %zu\n", *second, second - row, sizeof(row) / sizeof(row[0]));
        printf("one \
line\n");
    """)

    assert result.gaps == ()
    assert [line for line in result.text.splitlines() if line.startswith("print")] == [
        'print("-3 -1 1 0")',
        'print("1-5")',
        'print("llo ab")',
        'print("6 1 3")',
        'print("one line")',
    ]


def test_braces_within_braces_are_those_of_the_first_member(translate: Translate) -> None:
    result = translate("""
        struct Shape { std::vector<long> dims; int rank() const { return dims.size(); } };
        struct Point { int x; int y; };
        int main() {
          Shape shape{{2, 3, 4}};
          Shape shapes[] = {{{2, 3}}, {{4}}};
          Point point{{5}, {6}};
          Point points[] = {{1, 2}, {3, 4}};
          printf("%d %ld %d %d\\n", shape.rank(), shape.dims[2], point.y, points[1].x);
          printf("%d %d\\n", shapes[0].rank(), shapes[1].rank());
        }
    """)

    assert result.gaps == ()
    assert result.text.splitlines()[-2:] == ['print("3 4 6 3")', 'print("2 1")']


def test_a_function_of_the_library_is_not_the_samples_of_that_name(translate: Translate) -> None:
    result = translate("""
        void fill(float* data, size_t n, float start) { data[0] = start; }
        int main() {
          std::vector<float> row(2);
          fill(row.data(), 2, 9);
          printf("%g\\n", row[0]);
          std::fill(row.begin(), row.end(), 2.f);
          int* three = new int[3]{4, 5};
          printf("%g %g %d %d\\n", row[0], row[1], three[1], three[2]);
        }
    """)

    assert result.gaps == ()
    assert result.text.splitlines()[-2:] == ['print("9")', 'print("2 2 5 0")']


@pytest.mark.parametrize(
    "call",
    [
        'std::system("rm -rf work")', 'system("ls")', 'std::perror("open")', 'mkdir("out", 0755)',
        'rmdir("out")', 'unlink("out/x")', 'std::remove("x")', 'rename("a", "b")', 'chdir("out")',
        'setenv("A", "b", 1)', "std::abort()", "std::quick_exit(1)",
        "std::atexit(nullptr)", "fork()", 'execl("/bin/ls", "ls", nullptr)', "getpid()", "alarm(3)",
        "dup2(1, 2)", "std::this_thread::yield()",
    ],
)  # fmt: skip
def test_what_acts_on_the_system_is_named_and_not_dropped(translate: Translate, call: str) -> None:
    result = translate(f"{call};")

    (gap,) = result.gaps
    name = call.removeprefix("std::").removeprefix("this_thread::").partition("(")[0]
    assert name in gap.reason
    assert f"#     {call};" in result.text


def test_a_dropped_system_call_shows_in_the_exit_status(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text(
        '#include <cstdlib>\nint main() {\n  std::system("rm -rf work");\n  return 0;\n}\n'
    )

    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.port", str(sample), "-o", str(tmp_path / "port.py")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert f"{sample}:3: not ported: system runs a command" in done.stderr


def test_a_remark_on_a_sample_with_a_long_name_begins_with_the_name(tmp_path: Path) -> None:
    sample = tmp_path / f"{'long' * 25}.cpp"
    sample.write_text("int main() { usleep(1000); return 0; }")

    text = port(sample).text

    assert f"# {sample.name}:1:\n# " in text
    assert "#\n" not in text


def test_waiting_is_left_out_with_a_remark(translate: Translate) -> None:
    result = translate('usleep(1000);\nprintf("done\\n");')

    assert not result.gaps
    assert "waits for some time" in result.text


@pytest.mark.parametrize(("expected", "status"), [("3", 0), ("4", 7)])
def test_check_compares_the_status_that_sample_and_port_end_with(
    tmp_path: Path, expected: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    snippet = (Path(__file__).parent / "snippets" / "exit_status.cpp").read_text(encoding="utf-8")
    sample = tmp_path / "sample.cpp"
    sample.write_text(
        snippet.replace("i < 3", f"i < {expected}").replace("result(3)", "result(4)")
        .replace("0 : 3", "0 : 7"), encoding="utf-8",
    )  # fmt: skip
    result = port(sample)

    assert compare(sample, result) == 0
    told = capsys.readouterr().out
    assert f"end with status {status}" in told if status else "end with status" not in told


def test_check_names_a_port_that_ends_otherwise_than_its_sample(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("int main() { return 3; }", encoding="utf-8")

    with pytest.raises(PortError, match="the sample fails"):
        compare(sample, Port("raise RuntimeError", ()))
    with pytest.raises(PortError, match="the sample fails"):
        compare(sample, Port("", ()))
    assert compare(sample, Port("raise SystemExit(3)", ())) == 0


def test_a_gap_in_a_long_loop_of_prints_is_not_lost(translate: Translate) -> None:
    result = translate('for (int i = 0; i < 100; i++) {\nprintf("%d %d\\n", i);\n}')

    assert [gap.reason for gap in result.gaps] == [
        "the format asks for more values than are passed: an error of the sample"
    ]


@pytest.mark.parametrize("turns", [3, 100])
def test_a_remark_on_a_loop_of_prints_is_not_lost(translate: Translate, turns: int) -> None:
    loop = f'for (int i = 0; i < {turns}; i++) {{\nprintf("%d\\n", i * 0.5);\n}}'

    assert "prints a number by a format for another type" in translate(loop).text


def test_a_program_may_end_before_main(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text(
        "#include <cstdio>\n#include <cstdlib>\n"
        'static int stop(int status) { printf("once\\n"); exit(status); return 0; }\n'
        "static int ready = stop(0);\n"
        'int main() { printf("never %d\\n", ready); return 0; }\n'
    )

    result = port(sample)

    assert not result.gaps
    assert 'print("once")' in result.text
    assert "never" not in result.text


def test_exit_outside_of_a_function_is_no_error_of_the_translator(tmp_path: Path) -> None:
    # As the fuzzer cuts samples.
    sample = tmp_path / "sample.cpp"
    sample.write_text("exit(3);\nint main() { return 0; }\n")

    assert "exit code 3" in port(sample).gaps[0].reason


def test_a_gap_on_one_way_of_a_decision_ends_that_way_alone(translate: Translate) -> None:
    result = translate(
        PREAMBLE
        + """
int main() {
  std::vector<float> x = {1, 2};
  void* address = nullptr;
  aclTensor* tensor = nullptr;
  Create(x, {2}, &address, ACL_FLOAT, &tensor);
  aclrtMemcpy(x.data(), 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST);
  if (x[0] > 5) unheard_of(3);
  printf("after\\n");
  return 0;
}
"""
    )

    assert len(result.gaps) == 1
    lines = result.text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("if "))
    assert lines[at + 1].strip().startswith("raise NotImplementedError(")
    assert lines[-1] == 'print("after")'


def test_what_a_deeply_nested_formula_computes_is_a_gap(translate: Translate) -> None:
    terms = "\n".join(f"total = total * 2 + x[{i % 2}];" for i in range(2))
    nested = "x[0]" + " + x[1]" * 200
    result = translate(
        PREAMBLE
        + f"""
int main() {{
  std::vector<float> x = {{1, 2}};
  void* address = nullptr;
  aclTensor* tensor = nullptr;
  Create(x, {{2}}, &address, ACL_FLOAT, &tensor);
  aclrtMemcpy(x.data(), 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST);
  float total = 0;
  {terms}
  printf("%g\\n", {nested});
  return 0;
}}
"""
    )

    assert [gap.reason for gap in result.gaps] == [
        "computes with results in more than 60 nested steps"
    ]


@pytest.mark.parametrize(
    "expression", ["x[0] > 5 ? Next() : 7", "x[0] > 5 && Next() > 1", "x[0] > 5 || Next() > 1"]
)
def test_what_may_not_be_reached_must_not_change_anything(
    translate: Translate, expression: str
) -> None:
    result = translate(
        PREAMBLE
        + f"""
int Next() {{
  static int count;
  return ++count;
}}
int main() {{
  std::vector<float> x = {{1, 2}};
  void* address = nullptr;
  aclTensor* tensor = nullptr;
  Create(x, {{2}}, &address, ACL_FLOAT, &tensor);
  aclrtMemcpy(x.data(), 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST);
  int found = {expression};
  printf("%d %d\\n", found, Next());
  return 0;
}}
"""
    )

    assert "only a run knows whether this is reached" in result.gaps[0].reason


def test_the_environment_is_what_the_translator_is_told(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text(
        "#include <cstdio>\n#include <cstdlib>\nint main() {\n"
        'const char* count = std::getenv("PYACLNN_TEST_COUNT");\n'
        'if (count == nullptr) { printf("no count\\n"); return 2; }\n'
        'printf("%d\\n", std::atoi(count) + 1);\nreturn 0;\n}\n'
    )

    without, given = port(sample), port(sample, environment={"PYACLNN_TEST_COUNT": "41"})

    assert "by --environment" in without.gaps[0].reason
    assert given.gaps == ()
    assert 'print("42")' in given.text
    assert compare(sample, given, environment={"PYACLNN_TEST_COUNT": "41"}) == 0


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_the_address_of_a_handle_stands_for_it_where_it_is_destroyed(
    translate: Translate, style: str
) -> None:
    result = translate(
        """
        aclrtStream stream;
        aclrtCreateStream(&stream);
        aclrtDestroyStream(&stream);
        """,
        style,
    )

    assert result.gaps == ()
    assert "the address of a handle, an error of its own" in " ".join(
        result.text.replace("#", "").split()
    )


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_what_is_thrown_where_only_a_run_decides_ends_the_port(
    translate: Translate, style: str
) -> None:
    text = translate(
        PREAMBLE
        + """
        int main() {
          std::vector<float> host = {1, -2};
          void* address = nullptr;
          aclTensor* tensor = nullptr;
          Create(host, {2}, &address, ACL_FLOAT, &tensor);
          std::vector<float> out(2);
          aclrtMemcpy(out.data(), 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST);
          if (out[1] > 0) throw 3;
          printf("behind\\n");
          return 0;
        }
        """,
        style,
    ).text

    assert '    raise SystemExit(1)\nprint("behind")' in text


@pytest.mark.parametrize(
    "statement",
    [
        'printf("%ld\\n", (long)(it - out.begin()));',
        'printf("%ld\\n", (long)std::distance(out.begin(), it));',
        'printf("%d\\n", it == out.begin() + 1);',
        "*it = 7;",
        'printf("%g\\n", *(it + 1));',
    ],
)
def test_where_the_largest_result_is_only_a_run_knows(translate: Translate, statement: str) -> None:
    result = translate(
        PREAMBLE
        + f"""
        int main() {{
          std::vector<float> host = {{1, -2}};
          void* address = nullptr;
          aclTensor* tensor = nullptr;
          Create(host, {{2}}, &address, ACL_FLOAT, &tensor);
          std::vector<float> out(2);
          aclrtMemcpy(out.data(), 8, address, 8, ACL_MEMCPY_DEVICE_TO_HOST);
          auto it = std::max_element(out.begin(), out.end());
          printf("%g\\n", *it);
          {statement}
          return 0;
        }}
        """
    )

    assert [gap.source.strip() for gap in result.gaps] == [statement.strip()]


@pytest.mark.parametrize(
    "statements",
    [
        'int i = 0; for (; i < out[0]; i++) printf("x\\n"); printf("%d\\n", i);',
        'int i; for (i = 0; i < out[0]; i++) printf("%d\\n", out[i]); printf("%d\\n", i);',
        'int last = 0; for (int i = 0; i < out[0]; i++) { last = out[i]; printf("%d\\n", last); }',
        'std::map<int, int> m{{3, 4}}; printf("%d\\n", (int)m.count(out[0]));',
        'std::map<int, int> m{{3, 4}}; printf("%d\\n", m.find(out[0]) != m.end());',
    ],
)
def test_what_a_number_of_a_run_decides_further_on_is_a_gap(
    translate: Translate, statements: str
) -> None:
    body = tensor("self", "4", "int32_t", "ACL_INT32") + """
    std::vector<int32_t> out(4);
    aclrtMemcpy(out.data(), 16, selfAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST);
    """  # fmt: skip
    result = translate("#include <map>\n" + program(body + statements))

    assert result.gaps
