"""Copies, diagonals, padding and choices by number that lead outside of any tensor are refused."""

from __future__ import annotations

from typing import Any

from operators.calls import INVALID, TILING, device, ones
from operators.reasons import Refused, reason_tests

import pyaclnn as pa

_LONG = 2**31


def whole(*shape: int, dtype: str = "int64") -> pa.Tensor:
    return pa.zeros(shape, dtype)


RIGHT: dict[str, dict[str, Any]] = {
    "argsort": {"self": ones(3, 4), "dim": 1, "descending": False, "out": whole(3, 4)},
    "expand": {"self": ones(1, 3), "size": (2, 3), "out": ones(2, 3)},
    "repeat": {"self": ones(2), "repeats": (1,) * 8, "out": ones(*[1] * 7, 2)},
    "repeat_interleave_int": {
        "self": ones(3), "repeats": 2, "output_size": 6, "out": ones(6),
    },
    "diag": {"self": ones(2, 3), "diagonal": 3, "out": ones(0)},
    "diag_flat": {"self": ones(2), "diagonal": 1, "out": ones(3, 3)},
    "inplace_fill_diagonal": {
        "self_ref": pa.zeros((3, 3), "int8"), "fill_value": 127, "wrap": False,
    },
    "constant_pad_nd": {
        "self": ones(2, 3), "pad": (1, 1), "value": 0.0, "out": ones(2, 5),
    },
    "gather": {"self": ones(2, 3), "dim": 0, "index": whole(4, 3), "out": ones(4, 3)},
    "index": {"self": ones(2, 3), "indices": [whole(4), whole(4)], "out": ones(4)},
    "index_put_impl": {
        "self_ref": ones(2, 3), "indices": [whole(4), whole(4)], "values": ones(4),
        "accumulate": True, "unsafe": False,
    },
    "coalesce_sparse": {
        "unique_len": whole(2), "unique_indices": device([0, 1, 0], "int64"),
        "indices": device([[0, 1], [1, 1], [0, 1]], "int64"), "values": ones(3, 4),
        "new_indices_out": whole(2, 2), "new_values_out": ones(2, 4),
    },
    "embedding_dense_backward": {
        "grad": ones(2, 4), "indices": whole(2), "num_weights": 3, "padding_idx": 3,
        "scale_grad_by_freq": False, "out": ones(3, 4),
    },
    "multinomial": {
        "self": ones(3), "numsamples": 3, "replacement": False, "seed": 1, "offset": 0,
        "out": whole(3),
    },
    "search_sorteds": {
        "sorted_sequence": device([1, 3, 5]), "self": 2.0, "out_int32": False, "right": False,
        "sorter": None, "out": whole(1),
    },
    "unique": {
        "self": ones(3), "sorted": True, "return_inverse": True, "value_out": ones(3),
        "inverse_out": whole(3),
    },
    "unique2": {
        "self": ones(3), "sorted": True, "return_inverse": True, "return_counts": True,
        "value_out": ones(3), "inverse_out": whole(3), "counts_out": whole(3),
    },
}  # fmt: skip
_ONE_PLACE: dict[str, Any] = {"self": ones(3, 1, dtype="bfloat16"), "out": whole(3, 1)}
WRONG: list[Refused] = [
    ("argsort", _ONE_PLACE, INVALID, "bfloat16 and has one element along dim"),
    ("argsort", {**_ONE_PLACE, "dim": 0}, 0, ""),
    ("argsort", {"self": ones(dtype="bfloat16"), "dim": 0, "out": whole()}, INVALID,
     "bfloat16 and has one element along dim"),
    ("expand", {"size": (-1, 3)}, INVALID, "size[0] is -1"),
    ("repeat", {"repeats": (1,) * 9}, INVALID, "9 numbers, at most 8"),
    ("repeat", {"repeats": (2**62,)}, INVALID, "larger than any memory"),
    ("repeat_interleave_int", {"repeats": 2**62}, INVALID, "larger than any memory"),
    ("diag", {"diagonal": -2, "out": ones(0)}, 0, ""),
    ("diag", {"diagonal": 4}, INVALID, "has none there"),
    ("diag", {"diagonal": -3}, INVALID, "has none there"),
    ("diag", {"diagonal": _LONG - 1}, INVALID, "has none there"),
    ("diag", {"diagonal": _LONG}, INVALID, "which no matrix has"),
    ("diag", {"diagonal": -_LONG}, INVALID, "which no matrix has"),
    ("diag_flat", {"diagonal": _LONG}, INVALID, "which no matrix has"),
    ("diag_flat", {"diagonal": -_LONG}, INVALID, "which no matrix has"),
    ("diag_flat", {"self": ones(1).broadcast_to((_LONG,))}, INVALID, "larger than any memory"),
    ("inplace_fill_diagonal", {"fill_value": 128}, INVALID, "int8 cannot hold"),
    ("inplace_fill_diagonal", {"fill_value": -128}, 0, ""),
    ("inplace_fill_diagonal", {"fill_value": -129}, INVALID, "int8 cannot hold"),
    ("inplace_fill_diagonal", {"fill_value": 1j}, INVALID, "fillValue is complex"),
    ("inplace_fill_diagonal", {"self_ref": ones(3, 3), "fill_value": 1e39}, INVALID,
     "float32 cannot hold"),
    ("inplace_fill_diagonal", {"self_ref": ones(3, 3, dtype="float16"), "fill_value": 65504.0}, 0,
     ""),
    ("inplace_fill_diagonal", {"self_ref": ones(3, 3, dtype="float16"), "fill_value": 65505.0},
     INVALID, "float16 cannot hold"),
    ("constant_pad_nd", {"pad": (_LONG, 0)}, INVALID, "which no tensor has"),
    ("constant_pad_nd", {"pad": (0, -_LONG)}, INVALID, "which no tensor has"),
    ("constant_pad_nd", {"pad": (-3, 0), "out": ones(2, 0)}, 0, ""),
    ("constant_pad_nd", {"pad": (-3, 0, 1, 0), "out": ones(3, 0)}, INVALID, "has no elements"),
    ("gather", {"self": ones(*[1] * 8), "index": whole(*[1] * 8), "out": ones(*[1] * 8)}, 0, ""),
    ("gather", {"self": ones(*[1] * 9), "index": whole(*[1] * 9), "out": ones(*[1] * 9)}, INVALID,
     "9 dimensions"),
    ("gather", {"self": ones(0, 3)}, INVALID, "no elements along dim"),
    ("index", {"indices": [whole(4)] * 3}, INVALID, "3 indices, self has 2 dimensions"),
    ("index_put_impl", {"values": ones(1, 4)}, INVALID, "the chosen part has"),
    ("coalesce_sparse", {"indices": whole(6)}, TILING, "indices has shape"),
    ("coalesce_sparse", {"values": ones()}, TILING, "indices has shape"),
    ("coalesce_sparse", {"values": ones(4, 4)}, TILING, "there are 3 indices"),
    ("coalesce_sparse", {"unique_indices": whole(2)}, TILING, "there are 3 indices"),
    ("embedding_dense_backward", {"grad": ones(), "indices": whole(1)}, INVALID,
     "grad has no dimensions"),
    ("multinomial", {"numsamples": 0, "out": whole(0)}, INVALID, "it must be above 0"),
    ("multinomial", {"numsamples": 4, "out": whole(4)}, INVALID, "each of which is drawn once"),
    ("multinomial", {"numsamples": 4, "out": whole(4), "replacement": True}, 0, ""),
    ("multinomial", {"self": ones(1).broadcast_to((2**24 + 1,))}, INVALID, "more than 2^24"),
    ("search_sorteds", {"sorter": whole(2)}, INVALID, "sorter has shape"),
    ("unique", {"value_out": ones(3, 1)}, INVALID, "valueOut has 2 dimensions"),
    ("unique", {"inverse_out": whole(4)}, INVALID, "inverseOut has shape"),
    ("unique", {"value_out": ones(6)[::2]}, INVALID, "valueOut is not contiguous"),
    ("unique2", {"value_out": ones(1, 3), "counts_out": whole(1, 3)}, INVALID,
     "valueOut has 2 dimensions"),
    ("unique2", {"counts_out": whole(6)[::2]}, INVALID, "countsOut is not contiguous"),
]  # fmt: skip
test_right_calls_succeed, test_wrong_calls_are_refused = reason_tests(RIGHT, WRONG)
