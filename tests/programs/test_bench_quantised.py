"""The rows of quantised operators give what PyTorch gives."""

from __future__ import annotations

import pytest

from pyaclnn.bench import quantised as bench

_KINDS = tuple(dict.fromkeys(name.rpartition(" ")[0] for name in bench.QUANTISED))


@pytest.mark.parametrize("kind", _KINDS)
def test_a_row_of_the_benchmark_is_measured(kind: str) -> None:
    pytest.importorskip("torch")
    rates = bench.quantised(f"{kind} 128", rounds=1)
    assert {"pyaclnn", "torch"} <= set(rates)
    assert all(rate > 0 for rate in rates.values())


def test_other_results_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(bench, "_TOLERANCE", -1.0)
    with pytest.raises(RuntimeError, match="PyTorch gives something else"):
        bench.quantised("int8 to int32 128", rounds=1)
