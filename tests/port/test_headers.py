"""Headers that lie beside a sample, and those a directory is named for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyaclnn.port.check import first_difference, run_port, run_sample
from pyaclnn.port.errors import LimitError
from pyaclnn.port.port import Port, port

OURS = Path(__file__).parents[1] / "c" / "samples"


def translated(folder: Path, source: str, **others: str) -> Port:
    """Port a sample that lies beside others; ``helper_h`` is ``helper.h``."""
    for name, text in others.items():
        path = folder / "/".join(name.rsplit("_", 1)[0].split("__"))
        path = path.with_suffix("." + name.rsplit("_", 1)[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    sample = folder / "sample.cpp"
    sample.write_text(source)
    return port(sample)


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize("sample", sorted(OURS.glob("*.c*")), ids=lambda path: path.stem)
def test_a_sample_that_shares_a_header_prints_the_same(
    sample: Path, style: str, tmp_path: Path
) -> None:
    result = port(sample, style)

    assert result.gaps == ()
    assert first_difference(run_sample(sample, tmp_path), run_port(result.text, tmp_path)) is None


def test_functions_and_macros_of_a_header_are_followed(tmp_path: Path) -> None:
    result = translated(
        tmp_path,
        '#include "helper.h"\nint main() { printf("%d %d\\n", twice(4), LIMIT); }',
        helper_h="#pragma once\n#define LIMIT 7\ninline int twice(int x) { return 2 * x; }\n",
    )

    assert result.gaps == ()
    assert 'print("8 7")' in result.text


def test_what_a_header_declares_may_be_defined_in_the_source_beside_it(tmp_path: Path) -> None:
    result = translated(
        tmp_path,
        '#include "tools.h"\nusing namespace tools;\n'
        'int main() { fill(); printf("%d %d\\n", total, count(std::vector<int>{1, 2})); }',
        tools_h="namespace tools {\nextern int total;\nvoid fill();\n"
        "int count(const std::vector<int>& values);\nint count(const std::string& text);\n}\n",
        tools_cpp='#include "tools.h"\nnamespace tools { int total = 0; }\n'
        "void tools::fill() { tools::total += 5; }\n"
        "int tools::count(const std::vector<int>& values) { return values.size(); }\n"
        "int tools::count(const std::string& text) { return -1; }\n",
    )

    assert [gap.reason for gap in result.gaps] == []
    assert 'print("5 2")' in result.text


def test_a_header_may_include_another_and_is_read_once(tmp_path: Path) -> None:
    result = translated(
        tmp_path,
        '#include "sub/a.h"\n#include "sub/b.h"\nint main() { printf("%d\\n", A + B); }',
        sub__a_h='#include "b.h"\nconst int A = B + 1;\n',
        sub__b_h="const int B = 2;\n",
    )

    assert result.gaps == ()
    assert 'print("5")' in result.text


def test_a_gap_in_a_header_names_the_header(tmp_path: Path) -> None:
    result = translated(
        tmp_path,
        '#include "helper.h"\nint main() { helper(); return 0; }',
        helper_h="inline void helper() {\n  mystery();\n}\n",
    )

    assert [(Path(gap.file).name, gap.line) for gap in result.gaps] == [("helper.h", 2)]
    assert "# NOT PORTED helper.h:2: mystery" in result.text


@pytest.mark.parametrize("name", ["../secret.h", "/etc/hostname", "sub/../../secret.h"])
def test_nothing_outside_of_the_directory_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.h").write_text("#define SECRET 42\n")
    folder = tmp_path / "samples"
    (folder / "sub").mkdir(parents=True)

    result = translated(folder, f'#include "{name}"\nint main() {{ printf("%d\\n", SECRET); }}')

    assert "42" not in result.text
    assert f"{name}, which it includes, does not lie beside it" in result.gaps[0].reason


def test_a_link_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("#define SECRET 42\n")
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "link.h").symlink_to(tmp_path / "secret.h")

    result = translated(folder, '#include "link.h"\nint main() { printf("%d\\n", SECRET); }')

    assert "42" not in result.text


def test_headers_of_the_checkout_that_the_sample_is_in_are_followed(tmp_path: Path) -> None:
    folder = tmp_path / "checkout" / "operator" / "examples"
    folder.mkdir(parents=True)
    (tmp_path / "checkout" / ".git").mkdir()
    common = tmp_path / "checkout" / "common"
    common.mkdir()
    (common / "limits.h").write_text('#include "more.h"\n#define LIMIT (MORE + 1)\n')
    (common / "more.h").write_text("constexpr int MORE = 41;\n")

    result = translated(
        folder,
        '#include "../../common/limits.h"\nint main() { printf("%d\\n", LIMIT); }',
    )

    assert result.gaps == ()
    assert 'print("42")' in result.text


@pytest.mark.parametrize("name", ["../../secret.h", "../notes.txt", "../.git/config.h"])
def test_of_a_checkout_nothing_but_headers_is_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "checkout" / "examples"
    (tmp_path / "checkout" / ".git").mkdir(parents=True)
    folder.mkdir()
    for secret in ("secret.h", "checkout/notes.txt", "checkout/.git/config.h"):
        (tmp_path / secret).write_text("#define SECRET 42\n")

    result = translated(folder, f'#include "{name}"\nint main() {{ printf("%d\\n", SECRET); }}')

    assert "42" not in result.text


def test_headers_without_end_are_refused(tmp_path: Path) -> None:
    for index in range(100):
        (tmp_path / f"h{index}.h").write_text(f'#include "h{index + 1}.h"\n')

    with pytest.raises(LimitError, match="more than 32 files"):
        translated(tmp_path, '#include "h0.h"\nint main() { return 0; }')


def test_a_header_that_includes_itself_is_read_once(tmp_path: Path) -> None:
    result = translated(
        tmp_path, '#include "self.h"\nint main() { return 0; }', self_h='#include "self.h"\n'
    )

    assert result.gaps == ()


def test_a_named_directory_of_headers_is_named_in_the_port(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("int main() { return 0; }")

    result = port(sample, headers=[tmp_path])

    assert f'pa.abi.add_headers("{tmp_path}")' in result.text
