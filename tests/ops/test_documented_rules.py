"""Output rules of operators without a row: what the tables name exists, and all are answered."""

from __future__ import annotations

import json
import re
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pyaclnn.abi import operators
from pyaclnn.ops.rules import rules_of
from pyaclnn.ops.rules.documented import NOT_INFERRED, OUTPUTS
from pyaclnn.ops.rules.extents import Shape, attention, grouped_product
from pyaclnn.ops.rules.notation import rule
from pyaclnn.ops.spec import load_spec
from pyaclnn.table import by_name
from pyaclnn.tensor import as_dtype

#: What published samples of the operators pass, of what rules read, and the outputs they allocate.
SAMPLES = Path(__file__).with_name("sample_shapes.json")


def test_rules_name_outputs_and_parameters_of_their_operators() -> None:
    for operator in OUTPUTS:
        if operator in by_name():
            continue  # a row's rule comes first
        spec, rules = load_spec(operator), rules_of(operator)

        assert rules.keys() == {a.c_name for a in spec.outputs}, operator
        read = {name for rule in rules.values() for name in rule.reads}
        assert read <= {a.c_name for a in spec.inputs}, operator


def test_an_operator_has_rules_or_a_reason_to_have_none() -> None:
    assert sorted(OUTPUTS.keys() & NOT_INFERRED.keys()) == []
    assert NOT_INFERRED.keys() | OUTPUTS.keys() <= set(operators())


def tensor(value: Any) -> Any:
    """Return what a rule sees for ``float32[2,3]``, or for a list of such."""
    if isinstance(value, list):
        return [tensor(item) for item in value]
    found = re.fullmatch(r"([a-z]\w+)\[([\d,]*)\]", value) if isinstance(value, str) else None
    if found is None:
        return value
    shape = tuple(int(extent) for extent in found[2].split(",") if extent)
    dtype = as_dtype(found[1])
    return SimpleNamespace(shape=shape, ndim=len(shape), size=prod(shape), dtype=dtype)


def described(found: Any) -> Any:
    if isinstance(found, list):
        return [described(item) for item in found]
    return f"{found[1].name}[{','.join(map(str, found[0]))}]"


def test_rules_give_what_published_samples_allocate() -> None:
    wrong = []
    for operator, (given, outputs) in json.loads(SAMPLES.read_text("utf-8")).items():
        if operator not in OUTPUTS or operator in by_name():
            continue  # it has a row meanwhile
        arguments = {name: tensor(value) for name, value in given.items()}
        for name, expected in outputs.items():
            if (found := described(rules_of(operator)[name](arguments))) != expected:
                wrong.append((operator, name, found, expected))

    assert wrong == []


@pytest.mark.parametrize(
    ("layout", "query", "key", "value", "out", "statistics"),
    [
        ("BNSD", (2, 4, 7, 16), (2, 4, 9, 16), (2, 4, 9, 24), (2, 4, 7, 24), (2, 4, 7, 8)),
        ("BSND", (2, 7, 4, 16), (2, 9, 4, 16), (2, 9, 4, 24), (2, 7, 4, 24), (2, 4, 7, 8)),
        ("BSH", (2, 7, 64), (2, 9, 64), (2, 9, 96), (2, 7, 96), (2, 4, 7, 8)),
        ("SBH", (7, 2, 64), (9, 2, 64), (9, 2, 96), (7, 2, 96), (2, 4, 7, 8)),
        # Two heads of keys and values, each for two of queries.
        ("BSH", (2, 7, 64), (2, 9, 32), (2, 9, 16), (2, 7, 32), (2, 4, 7, 8)),
        ("TND", (14, 4, 16), (18, 4, 16), (18, 4, 24), (14, 4, 24), (14, 4, 8)),
    ],
)
def test_an_attention_has_the_layout_of_its_query(
    layout: str, query: Shape, key: Shape, value: Shape, out: Shape, statistics: Shape
) -> None:
    rules = rules_of("aclnnFlashAttentionScore")
    arguments = {
        "query": tensor(f"float16[{','.join(map(str, query))}]"),
        "key": tensor(f"float16[{','.join(map(str, key))}]"),
        "value": tensor(f"float16[{','.join(map(str, value))}]"),
        "inputLayout": layout,
        "headNum": 4,
    }

    assert rules["attentionOutOut"](arguments) == (out, as_dtype("float16"))
    assert rules["softmaxSumOut"](arguments) == (statistics, as_dtype("float32"))
    assert rules["softmaxOutOut"](arguments) is None


@pytest.mark.parametrize(
    ("value", "paged", "out"),
    [
        ((2, 2, 9, 24), False, (2, 7, 4, 24)),
        ((30, 16, 48), True, (2, 7, 4, 24)),  # blocks of all heads
        ((30, 2, 16, 24), True, (2, 7, 4, 24)),
        ((30, 2, 3, 16, 16), True, (2, 7, 4, 48)),  # in a private format
    ],
)
def test_an_attention_over_blocks_has_the_values_heads(
    value: Shape, paged: bool, out: Shape
) -> None:
    assert attention((2, 4, 7, 24), value, "BNSD_BSND", 4, 2, paged) == out


def test_what_several_dtypes_can_be_is_refused_with_the_reason() -> None:
    found = rule("like x as same x if x.dtype != 'int8' else several")

    assert found({"x": tensor("float16[2]")}) == ((2,), as_dtype("float16"))
    with pytest.raises(ValueError, match="one of several dtypes"):
        found({"x": tensor("int8[2]")})


@pytest.mark.parametrize(
    ("split", "kind", "groups", "expected"),
    [
        (0, -1, None, [(3, 7), (5, 9)]),
        (3, 0, (3, 8), [(8, 7)]),
        (2, 2, (3, 8), [(2, 4, 7)]),
    ],
)
def test_a_grouped_product_has_one_output_or_many(
    split: int, kind: int, groups: Any, expected: list[Shape]
) -> None:
    x = ((3, 4), (5, 4)) if split == 0 else ((8, 4),) if kind == 0 else ((4, 8),)
    weight = ((4, 7), (4, 9)) if split == 0 else ((2, 4, 7),) if kind == 0 else ((8, 7),)

    assert grouped_product(x, weight, groups, split, kind) == expected
