"""What one place of a call is changed into, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from operators import neighbours

_X = ["T", "FLOAT", [2, 64, 64]]
_VIEW = ["T", "FLOAT16", [64, 128], "NCHW", [1, 64], 3, [8195]]
_BLOCKS = ["T", "INT8", [64, 33], "FRACTAL_NZ", [33, 1], 0, [2, 4, 16, 32]]
_CALL = [_X, None, _VIEW, ["TL", [_X, _BLOCKS]], 64, True, ["I", [1, 2]], 0.5, "name"]


def _with(**at: Any) -> list[Any]:
    return [at.get(f"a{i}", value) for i, value in enumerate(_CALL)]


@pytest.mark.parametrize(
    ("where", "value", "expected"),
    [
        ("", None, _CALL),
        ("0", None, _with(a0=None)),
        ("1", 3, _with(a1=3)),
        ("0.1", "BF16", _with(a0=["T", "BF16", [2, 64, 64]])),
        ("0.3", "NCL", _with(a0=[*_X, "NCL"])),
        ("0.2", [], _with(a0=["T", "FLOAT", []])),
        ("0.2.1", 65, _with(a0=["T", "FLOAT", [2, 65, 64]])),
        # Another shape is dense, and in blocks where it was.
        ("2.2.0", 1, _with(a2=["T", "FLOAT16", [1, 128], "NCHW"])),
        ("2.1", "INT8", _with(a2=["T", "INT8", *_VIEW[2:]])),
        ("3.1.1.2.1", 31, _with(a3=["TL", [_X, ["T", "INT8", [64, 31], "FRACTAL_NZ", [31, 1], 0,
                                                [1, 4, 16, 32]]]])),
        ("3.1.1.2", [9], _with(a3=["TL", [_X, ["T", "INT8", [9], "FRACTAL_NZ"]]])),
        ("3.1.0", None, _with(a3=["TL", [None, _BLOCKS]])),
        ("6.1.1", 5, _with(a6=["I", [1, 5]])),
        ("=FLOAT", "BF16", _with(a0=["T", "BF16", _X[2]],
                                 a3=["TL", [["T", "BF16", _X[2]], _BLOCKS]])),
        ("=128", 9, _with(a2=["T", "FLOAT16", [64, 9], "NCHW"])),
        ("=2", 3, _with(a0=["T", "FLOAT", [3, 64, 64]],
                        a3=["TL", [["T", "FLOAT", [3, 64, 64]], _BLOCKS]])),
        ("<64", 1, [["T", "FLOAT", [2, 1, 64]], None, ["T", "FLOAT16", [1, 128], "NCHW"],
                    ["TL", [["T", "FLOAT", [2, 1, 64]],
                            ["T", "INT8", [1, 33], "FRACTAL_NZ", [33, 1], 0, [2, 1, 16, 32]]]],
                    *_CALL[4:]]),
        (">64", 1, [["T", "FLOAT", [2, 64, 1]], None, ["T", "FLOAT16", [1, 128], "NCHW"],
                    ["TL", [["T", "FLOAT", [2, 64, 1]],
                            ["T", "INT8", [1, 33], "FRACTAL_NZ", [33, 1], 0, [2, 1, 16, 32]]]],
                    *_CALL[4:]]),
        ("@33", 34, _with(a3=["TL", [_X, ["T", "INT8", [64, 34], "FRACTAL_NZ", [34, 1], 0,
                                          [2, 4, 16, 32]]]])),
        ("*64", 3, [["T", "FLOAT", [2, 3, 3]], None, ["T", "FLOAT16", [3, 6], "NCHW"],
                    ["TL", [["T", "FLOAT", [2, 3, 3]],
                            ["T", "INT8", [3, 33], "FRACTAL_NZ", [33, 1], 0, [2, 1, 16, 32]]]],
                    3, *_CALL[5:]]),
        ("0.4", "turned", _with(a0=[*_X, "ND", [4096, 1, 64], 0, [2 * 8192]])),
        ("3.1.0.4", "apart", _with(a3=["TL", [[*_X, "ND", [8192, 128, 2], 0, [2 * 8192]],
                                              _BLOCKS]])),
        ("#3", 2, _with(a0=["T", "FLOAT", [64, 64]], a3=["TL", [["T", "FLOAT", [64, 64]],
                                                                _BLOCKS]])),
        ("~2", 3, _with(a2=["T", "FLOAT16", [64, 128, 1], "NCHW"],
                        a3=["TL", [_X, ["T", "INT8", [64, 33, 1], "FRACTAL_NZ", [33, 1, 1], 0,
                                        [64, 1, 3, 16, 32]]]])),
        ("~3", 1, _with(a0=["T", "FLOAT", [2]], a3=["TL", [["T", "FLOAT", [2]], _BLOCKS]])),
        ("^64", 1, _with(a2=["T", "FLOAT16", [1, 64, 128], "NCHW"],
                         a3=["TL", [_X, ["T", "INT8", [1, 64, 33], "FRACTAL_NZ", [2112, 33, 1], 0,
                                         [1, 2, 4, 16, 32]]]])),
        ("!", 3, _with(a0=["T", "COMPLEX128", _X[2]], a2=["T", "COMPLEX128", *_VIEW[2:]],
                       a3=None)),
    ],
)  # fmt: skip
def test_one_place_is_changed(where: str, value: Any, expected: list[Any]) -> None:
    before = repr(_CALL)

    assert neighbours.changed(_CALL, where, value) == expected
    assert repr(_CALL) == before


def test_a_number_follows_an_extent_where_it_is_asked_to() -> None:
    call = [["T", "FLOAT", [0, 4]], 4, True, 4.0]

    assert neighbours.changed(call, "@4", 1) == [["T", "FLOAT", [0, 1]], 1, True, 4.0]
    assert neighbours.changed(call, "=4", 1) == [["T", "FLOAT", [0, 1]], 4, True, 4.0]
    assert neighbours.changed(call, "=0", 7) == [["T", "FLOAT", [7, 4]], 4, True, 4.0]
    assert neighbours.changed(call, "*2", 3) == [["T", "FLOAT", [0, 6]], 4, True, 4.0]


def test_a_file_gives_a_call_for_each_value_with_the_statuses_of_its_chips() -> None:
    content = {
        "source": "by hand", "chips": ["A", "B"], "answers": [[0, None], [161002, 561002]],
        "near": [["aclnnAbs", [["T", "FLOAT", [2]], 1], {"": [None, 0], "0.2.0": [3, 1, 4, 0]}]],
    }  # fmt: skip

    assert [(c["arguments"][0][2], c["status"]) for c in neighbours.calls(content)] == [
        ([2], {"A": 0}), ([3], {"A": 161002, "B": 561002}), ([4], {"A": 0}),
    ]  # fmt: skip
