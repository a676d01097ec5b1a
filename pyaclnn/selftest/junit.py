"""Results as JUnit's XML, which CI servers show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from pyaclnn.selftest.families import family_of
from pyaclnn.selftest.runner import Outcome


def to_junit(environment: Mapping[str, Any], outcomes: Sequence[Outcome]) -> str:
    """Return one test suite with a test case for each operator, of the class of its family.

    Parameters
    ----------
    environment : mapping
        Backend, chip, release; they become properties of the suite.
    outcomes : sequence of Outcome
        What became of the operators.
    """
    suite = ElementTree.Element(
        "testsuite",
        name="pyaclnn.selftest",
        tests=str(len(outcomes)),
        failures=str(sum(bool(o.failures) for o in outcomes)),
        skipped=str(sum(o.verdict == "skipped" for o in outcomes)),
        time=f"{sum(o.seconds for o in outcomes):.3f}",
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in environment.items():
        ElementTree.SubElement(properties, "property", name=name, value=str(value))
    for outcome in outcomes:
        family = family_of(outcome.name) or "misuse"
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"pyaclnn.selftest.{family}",
            name=outcome.name,
            time=f"{outcome.seconds:.3f}",
        )
        if outcome.failures:
            first = outcome.failures[0]
            failure = ElementTree.SubElement(
                case, "failure", message=f"{len(outcome.failures)} of {outcome.cases} cases"
            )
            failure.text = _printable(f"{first.dtype}, {first.case}: {first.reason}")
        elif outcome.skipped:
            ElementTree.SubElement(case, "skipped", message=_printable(outcome.skipped))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """Return text without the control characters that XML cannot hold."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
