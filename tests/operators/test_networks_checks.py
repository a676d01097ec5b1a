"""What recurrent networks are refused for, by chip."""

from __future__ import annotations

from typing import Any

from children import found_on
from operators.calls import INVALID, NULL, TILING, device, ones
from operators.reasons import Refused, otherwise
from operators.status_tests import AICORE_EXCEPTION
from operators.test_networks import RIGHT

import pyaclnn as pa

_LIST = device([2, 2, 1, 1], "int64")
#: With as many rows as four steps of two have, all in a list.
_BY_COUNTS = {"input": ones(8, 3), "batch_sizes": _LIST}
_NO_WEIGHTS = {"params": [], "num_layers": 1, "has_bias": False}
_BACK_BY_COUNTS = {
    "input": ones(8, 3), "dy": ones(8, 2), "dx_out": ones(8, 3), "batch_sizes_optional": _LIST,
}  # fmt: skip

_REFUSED: list[Refused] = [
    ("lstm", _BY_COUNTS, 0, ""),
    ("lstm", {**_BY_COUNTS, "batch_sizes": device([[2, 2]], "int64")}, INVALID,
     "batchSizes has shape [1, 2]"),
    ("lstm", {**_BY_COUNTS, "batch_sizes": pa.empty((0,), "int64")}, INVALID,
     "batchSizes has shape [0]"),
    ("lstm", {**_BY_COUNTS, "input": ones(7, 3)}, INVALID, "input has no multiple of 4 rows"),
    ("lstm", {**_BY_COUNTS, "input": ones(9, 3)}, INVALID, "input has no multiple of 4 rows"),
    ("lstm", _NO_WEIGHTS, INVALID, "params has no weights"),
    ("lstm", {"params": [ones(8), ones(8, 2), ones(8), ones(8)]}, INVALID, "params has no weights"),
    ("lstm", {"input": None}, NULL, "input is null"),
    ("gru", _NO_WEIGHTS, INVALID, "params has no weights"),
    ("gru", {"input": None}, NULL, "input is null"),
    ("gru", {"params": None}, NULL, "params is null"),
    ("gru", {"output": False}, NULL, "output is null"),
    ("gru", {"hy": False}, NULL, "hy is null"),
    ("lstm_backward", {"dx_out": False}, NULL, "dxOut is null"),
    ("lstm_backward", {"dh_prev_out": False}, NULL, "dhPrevOut is null"),
    ("lstm_backward", {"dc_prev_out": False}, NULL, "dcPrevOut is null"),
    ("lstm_backward", {"dparams_out": False}, NULL, "dparamsOut is null"),
    ("lstm_backward", {"f": [None]}, NULL, "f[0] is null"),
    ("lstm_backward",
     {"num_layers": 0, "params": [], "dparams_out": [],
      **{name: [] for name in ("i", "g", "f", "o", "h", "c", "tanhc")}}, INVALID, "numLayers is 0"),
    ("lstm_backward", {"input": ones(4, 2, 3, dtype="float64")}, INVALID, "input"),
    ("lstm_backward", _BACK_BY_COUNTS, 0, ""),
    ("lstm_backward", {**_BACK_BY_COUNTS, "batch_sizes_optional": device([[2, 2]], "int64")},
     INVALID, "batchSizes has 2 dimensions"),
    ("gru_backward", {"dx_out": False}, NULL, "dxOut is null"),
    ("gru_backward", {"dh_prev_out": False}, NULL, "dhPrevOut is null"),
    ("gru_backward", {"dparams_out": False}, NULL, "dparamsOut is null"),
]  # fmt: skip


def test_networks_are_refused_for_these_reasons() -> None:
    assert otherwise(RIGHT, _REFUSED) == []


def _half(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


def both_ways() -> list[str]:
    """Return what a network both ways is answered otherwise, on the one chip that has it."""
    one = "bidirection_lstm_v2"
    state = _half(2, 2, 5)
    right: dict[str, Any] = {
        "x": _half(4, 2, 3), "init_h": state, "init_c": state, "w_ih": _half(20, 3),
        "w_hh": _half(20, 5), "b_ih_optional": _half(20), "b_hh_optional": _half(20),
        "w_ih_reverse_optional": _half(20, 3), "w_hh_reverse_optional": _half(20, 5),
        "b_ih_reverse_optional": _half(20), "b_hh_reverse_optional": _half(20),
        "batch_size_optional": None, "num_layers": 1, "isbias": True, "batch_first": False,
        "bidirection": True, "packed": False, "y_out": _half(4, 2, 10), "output_h_out": state,
        "output_c_out": state,
    }  # fmt: skip
    packed = {
        "x": _half(6, 3), "packed": True, "batch_size_optional": device([2, 2, 1, 1], "int32"),
        "y_out": _half(6, 10),
    }  # fmt: skip

    def steps(count: int) -> dict[str, Any]:
        return {
            "x": _half(count, 2, 3), "y_out": _half(count, 2, 10),
            "batch_size_optional": pa.full((count,), 2, "int32"),
        }  # fmt: skip

    only = "there must be one layer, and the batch the second axis"
    return otherwise({one: right, f"{one} packed": {**right, **packed}}, [
        (one, {"num_layers": 2}, TILING, only),
        (one, {"num_layers": 0}, TILING, only),
        (one, {"batch_first": True}, TILING, only),
        (one, steps(256), 0, ""),
        (one, steps(257), TILING, "batchSize must be a list of at most 256"),
        (one, {"batch_size_optional": device([[2, 2]], "int32")}, TILING,
         "batchSize must be a list of at most 256"),
        (one, {"x": _half(8, 3)}, TILING, "x has shape [8, 3], initH has [2, 2, 5]"),
        (one, {"init_h": _half(2, 5)}, TILING, "initH has [2, 5]"),
        (f"{one} packed", {"x": _half(3, 2, 3)}, TILING, "x has shape [3, 2, 3], initH has"),
        (one, {"b_hh_optional": None}, TILING, "a tensor of the network is null"),
        (one, {"isbias": False, "b_hh_optional": None}, 0, ""),
        (one, {"w_ih_reverse_optional": None}, TILING, "a tensor of the network is null"),
        (one, {"b_hh_reverse_optional": None}, TILING, "a tensor of the network is null"),
        (one, {"w_ih": _half(20, 4)}, TILING, "wIh has shape [20, 4], it must have [20, 3]"),
        (one, {"w_hh": _half(15, 5)}, TILING, "wHh has shape [15, 5], it must have [20, 5]"),
        (one, {"init_c": _half(1, 2, 5)}, TILING, "initC has shape [1, 2, 5]"),
        (one, {"y_out": _half(4, 2, 5)}, TILING, "yOut has shape [4, 2, 5]"),
        (one, {"output_h_out": _half(2, 2, 4)}, TILING, "outputHOut has shape [2, 2, 4]"),
        (f"{one} packed", {"batch_size_optional": device([3, 1, 1, 1], "int32")},
         AICORE_EXCEPTION, "step 0 has 3 rows of 2"),
        (f"{one} packed", {"batch_size_optional": device([2, 2, -1, 1], "int32")},
         AICORE_EXCEPTION, "step 2 has -1 rows of 2"),
        (f"{one} packed", {"batch_size_optional": device([2, 2, 1, 0], "int32")},
         AICORE_EXCEPTION, "steps have 5 rows in all, x has other"),
    ])  # fmt: skip


def test_networks_both_ways_are_refused_for_these_reasons() -> None:
    assert found_on("Ascend310P3", "operators.test_networks_checks", "both_ways()") == []
