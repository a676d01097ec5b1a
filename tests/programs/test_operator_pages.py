"""Pages of operators: formulas as MathML, names that readers look for; and the page of speeds."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import pyaclnn as pa
from pyaclnn.bench import page as speed
from pyaclnn.table.torch_names import torch_names

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from pages import operator_pages
from pages.formulas import typeset


def shown(text: str) -> str:
    """The text with what is typeset as a reader sees it, in brackets."""
    parts = []
    for is_math, part in typeset(text):
        words = "".join(ElementTree.fromstring(part).itertext()) if is_math else part
        parts.append(f"⟦{words}⟧".replace("\u2061", "") if is_math else words)
    return "".join(parts).replace("\xa0", " ")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("out = self + alpha * other, broadcast.", "⟦out=self+α⋅other⟧, broadcast."),
        ("out = 1 / (1 + exp(-self)).", "⟦out=11+exp(−self)⟧."),
        ("out = self where it is positive, and 0 elsewhere.",
         "⟦out={selfwhere self>00elsewhere⟧."),
        ("With s = sigmoid(b): out = a * s.", "With ⟦s=sigmoid(b)⟧: ⟦out=a⋅s⟧."),
        ("out = log(sum of exp(self) over dim).", "⟦out=log(∑dimexp(self))⟧."),
        ("out = square root of self.", "⟦out=self⟧."),
        ("out = self ^ other, where it is one.", "⟦out=self⊕other⟧, where it is one."),
        # What is not understood as a whole stays as it is written.
        ("out = self and other, as truth values.", "out = self and other, as truth values."),
        ("out = start, start + step, ... below end.", "out = start, start + step, ... below end."),
        ("result = -1, 0 or 1.", "result = -1, 0 or 1."),
        ("out = a tensor of ones.", "out = a tensor of ones."),
        ("out = self <script>.", "out = self <script>."),
    ],
)  # fmt: skip
def test_formulas_are_typeset_where_they_are_understood(text: str, seen: str) -> None:
    assert shown(text) == seen


def test_a_fraction_and_a_power_keep_their_extent() -> None:
    ((_, math), _) = typeset("out = a * (b + c) / (1 + t)^2.")
    fraction = ElementTree.fromstring(math).find(".//mfrac")

    assert fraction is not None
    assert ["".join(part.itertext()) for part in fraction] == ["a⋅(b+c)", "(1+t)2"]


def test_every_declaration_is_typeset_as_well_formed_mathml() -> None:
    typeset_ones = 0
    for name in pa.ops:
        for paragraph in pa.ops[name].spec.comment.split("\n\n"):
            parts = typeset(paragraph.replace("\n", " "))
            for math in (part for is_math, part in parts if is_math):
                ElementTree.fromstring(math)
            typeset_ones += any(is_math for is_math, _ in parts)
    assert typeset_ones > 300


def test_names_of_torch_are_those_of_declared_operators() -> None:
    assert torch_names("aclnnLayerNorm")[0] == "torch.nn.functional.layer_norm"
    assert torch_names("aclnnThatIsNot") == ()
    known = set(pa.abi.operators())
    names = operator_pages._ROWS.keys() & known
    assert sum(bool(torch_names(name)) for name in names) > 800


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("softshrink_backward", ["<math", "torch.ops.aten.softshrink_backward", "## Element types",
                                 "the same and `bfloat16`", "broadcasts with `gradOutput`",
                                 "pyaclnn/table/activation_gradients.py", "prints"]),
        ("layer_norm", ["torch.nn.functional.layer_norm", "that of `input`", "## Checks"]),
        ("batch_norm_backward", ["where it is asked for"]),
    ],
)  # fmt: skip
def test_a_page_has_what_its_reader_looks_for(name: str, said: list[str]) -> None:
    entry = next(one for one in operator_pages.collect() if one.name == name)
    text = operator_pages.page(entry)

    assert [words for words in said if words not in text] == []
    # Words of Python are no words of the page.
    assert not re.search(r"names=\(|Rank\(|(?<!`)``(?!`)", text.partition("## Example")[0])


def test_the_page_of_speeds_is_filled_from_results(tmp_path: Path) -> None:
    marks = ("calls", "forward", "slower", "collectives", "machine")
    page = tmp_path / "speed.md"
    page.write_text("".join(f"<!-- measured: {m} -->\nold {m}\n<!-- end -->\n" for m in marks))
    calls = [{"bare cffi": 2.0, "eager": 3.0}, {"bare cffi": 2.0, "eager": 4.0}]
    forward = {"exp": [{"float32 pyaclnn": 3.0, "float32 torch": 2.0},],
               "sin": [{"float16 pyaclnn": 1.0, "float16 torch": 2.0},]}  # fmt: skip
    results = {"calls": {"softshrink_backward": calls}, "forward": forward}

    assert speed.fill(page, results) == ["calls", "forward", "slower", "machine"]

    text = page.read_text()
    assert "| allocating | 3.50 | 1.75 |" in text
    assert "| exp | 1.50 |  |  |" in text
    assert "Slower than PyTorch, 1 of 2: sin of float16 (0.50)." in text
    assert "The machine: " in text
    assert "old collectives" in text
    assert "old calls" not in text


def test_times_of_collectives_are_how_often_they_are_as_fast(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text(
        "".join(f"<!-- measured: {m} -->\n<!-- end -->\n" for m in ("collectives", "machine"))
    )
    speed.fill(page, {"collectives": {"all_reduce": [{"1 KiB pyaclnn": 2.0, "1 KiB gloo": 6.0}]}})

    assert "| `all_reduce` | 3.00 |" in page.read_text()


def test_the_page_of_the_site_has_a_place_for_each_table(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text((Path(__file__).resolve().parents[2] / "docs" / "speed.md").read_text())
    times = [{"1 KiB pyaclnn": 2.0, "1 KiB gloo": 6.0}]
    rates = [{"float32 pyaclnn": 3.0, "float32 torch": 2.0}]
    results = {"calls": {"softshrink_backward": [{"bare cffi": 1.0}]}, "forward": {"exp": rates},
               "collectives": {"all_reduce": times}}  # fmt: skip

    assert len(speed.fill(page, results)) == 5
