"""Output rules of operators without a row: what the tables name exists, and all are answered."""

from __future__ import annotations

from pyaclnn.abi import operators
from pyaclnn.ops.rules import RULES, rules_of
from pyaclnn.ops.rules.documented import NOT_INFERRED, OUTPUTS
from pyaclnn.ops.spec import load_spec


def test_rules_name_outputs_and_parameters_of_their_operators() -> None:
    for operator in OUTPUTS:
        if operator in RULES:
            continue  # a row's rule comes first
        spec, rules = load_spec(operator), rules_of(operator)

        assert rules.keys() == {a.c_name for a in spec.outputs}, operator
        read = {name for rule in rules.values() for name in rule.reads}
        assert read <= {a.c_name for a in spec.inputs}, operator


def test_an_operator_has_rules_or_a_reason_to_have_none() -> None:
    assert sorted(OUTPUTS.keys() & NOT_INFERRED.keys()) == []
    assert NOT_INFERRED.keys() | OUTPUTS.keys() <= set(operators())
