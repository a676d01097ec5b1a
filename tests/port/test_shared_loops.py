"""Loops that print several arrays alike are one function in a port."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyaclnn.port.check import first_difference, run_port, run_sample

from .conftest import Translate
from .sources import program, run, tensor

PRINT = """
void Show(const char* label, void* address, int64_t count) {
  std::vector<float> host(count);
  aclrtMemcpy(host.data(), count * 4, address, count * 4, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int64_t i = 0; i < count; i++) printf(FORMAT, label, i, host[i]);
}
"""
FORMATS = {
    "label": '"%s[%ld] is %.3f\\n"',
    "no newline": '"%s %ld: %g; "',
    "one label": '"%.0sresult[%ld] = %f\\n"',
}


def sample(form: str, count: int) -> str:
    body = tensor("x", "2, 3", values="-1, 2, -3.5, 4, -5.25, 6")
    for index in range(count):
        body += tensor(f"out{index}", "2, 3") + run("aclnnAbs", f"x, out{index}")
    body += "  aclrtSynchronizeStream(stream);\n"
    for index in range(count):
        body += f'  Show("out{index}", out{index}Addr, 6);\n'
    start = '#include "aclnnop/aclnn_abs.h"\n'
    return start + program(body, before=PRINT.replace("FORMAT", FORMATS[form]))


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_three_copies_are_a_function(translate: Translate, style: str, tmp_path: Path) -> None:
    outputs = []
    for form in FORMATS:
        source = sample(form, 3)
        result = translate(source, style)
        assert result.gaps == ()
        assert result.text.count("def show(") == 1, form
        assert result.text.count("enumerate(") == 1, form
        assert ("label: str" in result.text) is (form != "one label")
        outputs.append((source, result.text))

    source, text = outputs[0]
    (tmp_path / "compiled.cpp").write_text(source)
    theirs = run_sample(tmp_path / "compiled.cpp", tmp_path)
    assert theirs.count("\n") == 18
    assert first_difference(theirs, run_port(text, tmp_path)) is None


def test_two_copies_stay_loops(translate: Translate) -> None:
    text = translate(sample("label", 2)).text

    assert "def " not in text
    assert text.count("enumerate(") == 2


def test_loops_that_differ_in_more_than_a_label_stay_apart(translate: Translate) -> None:
    body = tensor("x", "4")
    for index in range(3):
        body += tensor(f"out{index}", "4") + run("aclnnAbs", f"x, out{index}")
        body += f"""
  std::vector<float> host{index}(4);
  aclrtMemcpy(host{index}.data(), 16, out{index}Addr, 16, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int i = 0; i < 4; i++) printf("%d: %.{index}f\\n", i, host{index}[i]);
"""

    text = translate(program(body)).text

    assert "def " not in text
    assert text.count("enumerate(") == 3
