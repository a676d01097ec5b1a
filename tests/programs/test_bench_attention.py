"""The rows of attention give what PyTorch gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyaclnn.bench import attention as bench
from pyaclnn.bench import page
from pyaclnn.bench.__main__ import _chosen


@pytest.mark.parametrize("name", ["one query, 8192 keys in pages, 4 heads", "512 tokens causal"])
def test_a_row_of_the_benchmark_is_measured(name: str) -> None:
    pytest.importorskip("torch")
    row = bench.ROWS[name]
    times = bench.attention(name, rounds=1)
    ways = 1 if row.decodes else 2
    assert len(times) == 2 * ways * (2 if row.decodes else 3)
    assert all(time > 0 for time in times.values())


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_sequences_behind_another_are_those_of_pytorch(dtype: str, causal: bool) -> None:
    torch = pytest.importorskip("torch")
    case = bench.Case(bench.Attended((5, 130, 17), 2, causal, heads=4), dtype, torch)
    forward, backward = case.torch_calls()
    case.forward()
    case.backward()
    case.compare(forward(), backward())


def test_other_results_are_refused() -> None:
    torch = pytest.importorskip("torch")
    case = bench.Case(bench.Attended((16,), 2, heads=2), "float32", torch)
    case.forward()
    forward, _ = bench.Case(bench.Attended((16,), 2, True, heads=2), "float32", torch).torch_calls()
    with pytest.raises(RuntimeError, match="PyTorch gives something else"):
        case.compare(forward(), [])


def test_only_named_rows_are_measured() -> None:
    assert _chosen(("512 tokens", "one query"), ["query", "none"]) == ["one query"]
    assert _chosen((), []) == ("",)
    assert not _chosen((), ["query"])


def test_the_page_gets_the_table_with_a_machine_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    begin, end = "<!-- measured: {} -->\n", "\n<!-- end -->\n"
    other = begin.format("machine") + "another" + end
    file.write_text(begin.format("attention") + end + other, encoding="utf-8")
    times = {"float32 forward pyaclnn": 2.0, "float32 forward torch": 3.0}
    assert page.fill(file, {"attention": {"512 tokens": [times]}}) == ["attention"]
    text = file.read_text(encoding="utf-8")
    assert "| 512 tokens | 1.50 |" in text
    assert text.count("The machine: ") == 1
    assert text.endswith(other)
