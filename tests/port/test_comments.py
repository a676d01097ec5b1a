"""Comments of a sample stay with the statements that they are about."""

from __future__ import annotations

import pytest
from port.sources import program, run, tensor

from .conftest import Translate

DOWNLOAD = """
  std::vector<float> host(4);
  // what came out
  aclrtMemcpy(host.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST);
"""


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def behind(text: str, comment: str) -> str:
    """Return the line behind a comment."""
    lines = lines_of(text)
    assert lines.count(comment) == 1
    return lines[lines.index(comment) + 1]


def sample(prints: str = "") -> str:
    body = "// one operand\n" + tensor("self", "4") + "/* and the\n * other */" + tensor("out", "4")
    return program(body + "// the operator" + run("aclnnAbs", "self, out") + DOWNLOAD + prints)


def test_tensors_calls_and_copies_have_their_comments(translate: Translate) -> None:
    result = translate(sample('printf("%f\\n", host[0]);  // the first of them\n'))

    assert result.gaps == ()
    assert behind(result.text, "# one operand") == "self = pa.ones((4,))"
    assert behind(result.text, "# the operator") == "out = pa.ops.abs(self)"
    assert behind(result.text, "# what came out") == "host = out.numpy()"
    assert behind(result.text, "# the first of them") == 'print(f"{host[0]:f}")'
    # The operator allocates this, so that no statement is left of it.
    assert "and the" not in result.text


def test_the_raw_port_has_no_comments(translate: Translate) -> None:
    assert "one operand" not in translate(sample(), "raw").text


def test_a_comment_in_a_loop_stays_in_it(translate: Translate) -> None:
    result = translate(sample("""
      // all of them
      for (int i = 0; i < 4; i++) {
        if (host[i] > 0.5f) {
          // large enough
          printf("%f\\n", host[i]);
        }
        printf("next\\n");  // always
      }
      // the end
      printf("done\\n");
    """))  # fmt: skip

    assert result.gaps == ()
    at = result.text.index("# all of them")
    assert result.text[at:] == (
        "# all of them\n"
        "for value in host:\n"
        "    if value > 0.5:\n"
        "        # large enough\n"
        '        print(f"{value:f}")\n'
        "    # always\n"
        '    print("next")\n'
        "# the end\n"
        'print("done")\n'
    )


@pytest.mark.parametrize(
    "comment",
    [
        "// int old = 3;",
        "// -----------------",
        "// aclrtMemcpy copies to the host",
        '"// no comment";',
        "/* if (x) { */",
    ],
)
def test_what_explains_nothing_in_a_port_is_left_out(translate: Translate, comment: str) -> None:
    result = translate(f'int main() {{\n{comment}\nprintf("here\\n");\nreturn 0;\n}}')

    assert result.gaps == ()
    assert result.text.endswith('import pyaclnn as pa\n\nprint("here")\n')


def test_helpers_that_are_called_again_are_not_explained(translate: Translate) -> None:
    result = translate("""
      void Show(int x) {
        // how it is shown
        printf("%d\\n", x);
      }
      void Once() {
        // only here
        printf("once\\n");
      }
      int main() {
        Show(1);
        Once();
        // twice
        Show(2);
        return 0;
      }
    """)

    assert "how it is shown" not in result.text
    assert behind(result.text, "# only here") == 'print("once")'
    assert behind(result.text, "# twice") == 'print("2")'


def test_comments_of_any_length_and_script_fit_the_page(translate: Translate) -> None:
    words = "word " * 60
    result = translate(f'int main() {{\n// {words}\n// 第二\t行\nprintf("here\\n");\nreturn 0;\n}}')

    assert max(map(len, result.text.splitlines())) <= 99
    assert result.text.count("word") == 60
    assert "# 第二 行\nprint" in result.text


def test_a_line_that_is_too_long_flows_into_the_one_that_goes_on(translate: Translate) -> None:
    first, second = f"It copies {'very ' * 17}long", "lines to the host."
    result = translate(f'int main() {{\n// {first}\n// {second}\nprintf("a\\n");\nreturn 0;\n}}')

    assert "long lines to the host.\nprint" in result.text.replace("\n# ", " ")
    assert "# long\n# lines" not in result.text


def test_what_is_said_twice_of_one_statement_and_old_code_are_left_out(
    translate: Translate,
) -> None:
    result = translate("""
        // printf("%d", old[1]);  // was int
        // half
        printf("b\\n");  // half
        """)

    assert result.text.count("# half") == 1
    assert "old" not in result.text
