"""Every parameter has a meaning, said once: in help and on the pages."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.ops.spec import Argument, load_spec
from pyaclnn.table import by_name, meanings

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from pages import operator_pages


@cache
def parameters() -> list[tuple[str, Argument]]:
    return [(name, a) for name in abi.operators() for a in load_spec(name).arguments]


def test_every_parameter_of_every_operator_has_a_meaning() -> None:
    unsaid = [
        f"{name} {a.c_name}"
        for name, a in parameters()
        if not meanings.meaning(name, a.c_name, a.returned)
    ]

    assert unsaid == []
    assert len(parameters()) > 8000


def test_every_entry_is_the_meaning_of_some_parameter() -> None:
    sections = meanings.sections()
    used = set()
    for name, a in parameters():
        place = meanings.found(name, a.c_name, a.returned)
        assert place is not None
        used.add((sections.index(place[0]), place[1]))

    unused = [
        f"[{', '.join(section.fits)}] {entry}"
        for number, section in enumerate(sections)
        for entry in section.entries
        if (number, entry) not in used
    ]
    assert unused == []


def test_every_pattern_names_an_operator_and_every_family_is_one() -> None:
    known = [name.removeprefix("aclnn") for name in abi.operators()]
    families = {f"family {row.family}" for row in by_name().values()}
    patterns = [pattern for section in meanings.sections() for pattern in section.fits]

    assert [
        one
        for one in patterns
        if one not in families and not any(fnmatchcase(name, one) for name in known)
    ] == []


def test_meanings_are_phrases() -> None:
    assert [
        said
        for section in meanings.sections()
        for said in section.entries.values()
        if not re.fullmatch(r"([a-z]|-?\d|\")[^|`\n]*[^.\s]", said) or "  " in said
    ] == []


@pytest.mark.parametrize(
    ("operator", "parameter", "said"),
    [
        ("aclnnFlashAttentionScore", "keepProb", "above 0 and at most 1"),
        ("aclnnMm", "cubeMathType", "3 in HFLOAT32"),
        ("aclnnGeluBackward", "self", "The forward operator's input."),
        ("aclnnInplaceAdd", "selfRef", "which the result replaces"),
        ("aclnnAddRmsNorm", "xOut", "The sum that was normalised."),
        ("aclnnKlDiv", "reduction", "3 their sum divided by the batch"),
        ("aclnnMseLoss", "reduction", "2 their sum."),
    ],
)
def test_a_name_means_what_it_does_in_its_operator(
    operator: str, parameter: str, said: str
) -> None:
    a = next(a for a in load_spec(operator).arguments if a.c_name == parameter)

    assert said in meanings.meaning(operator, parameter, a.returned)


def test_the_section_written_last_decides_and_ends_of_names_are_left_out() -> None:
    text = "# a remark\n[*]\na, b: all\n> b:\n  result\n[X*]\na: some,\n  and more\n"
    first, second = meanings.parse(text)

    assert first.entries == {"a": "all", "b": "all", "> b": "result"}
    assert second == (("X*",), {"a": "some, and more"})
    assert list(meanings.names("yOutOptional", True)) == [
        *("> yOutOptional", "> yOut", "> y", "yOutOptional", "yOut", "y"),
    ]  # fmt: skip
    assert list(meanings.names("varRef", False)) == ["varRef", "var"]
    assert list(meanings.names("out", True)) == ["> out", "out"]


@pytest.mark.parametrize(
    ("text", "error"), [("[*]\na\n", "no meaning"), ("[*]\na: b\na: c\n", "again")]
)
def test_a_file_that_is_not_understood_is_refused(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        meanings.parse(text)


@pytest.mark.parametrize(
    "name", ["gelu_backward", "flash_attention_score", "cat", "moe_init_routing_v3"]
)
def test_help_and_the_page_say_the_same(name: str) -> None:
    operator = pa.ops[name]
    words = " ".join((operator.__doc__ or "").split())
    entry = next(one for one in operator_pages.collect() if one.name == name)
    arguments = operator.spec.arguments
    page = "\n".join(operator_pages._parameters(arguments, entry)).replace("\\", "")

    for a in arguments:
        said = meanings.meaning(operator.spec.c_name, a.c_name, a.returned)
        assert said in words
        assert f"`{a.c_type} {a.c_name}` | {said} |" in page


def test_a_call_reads_no_meanings() -> None:
    program = (
        "import sys, pyaclnn as pa; pa.ops.gelu_backward; "
        "sys.exit('pyaclnn.table.meanings' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
