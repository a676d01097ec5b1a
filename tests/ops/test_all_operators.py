"""Every declared operator: its signature, its directions, its Python face."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.ops.arguments import converter
from pyaclnn.ops.directions import IN_PLACE, INPUTS, OUTPUTS, by_rule, direction
from pyaclnn.ops.naming import likely_c_name, operator_name
from pyaclnn.ops.spec import Spec, load_spec

HEADERS = Path(__file__).resolve().parents[2] / "headers" / "aclnnop"
PHASE_1 = "GetWorkspaceSize"
TABLES = {"in": INPUTS, "out": OUTPUTS, "inout": IN_PLACE}

Prototype = list[tuple[str, str]]


def prototypes() -> Iterator[tuple[str, Prototype]]:
    """Read the headers with nothing but string functions, independently of the loader."""
    for path in HEADERS.glob("*.h"):
        lines = path.read_text("utf-8").splitlines()
        code = " ".join(line for line in lines if not line.lstrip().startswith(("//", "#")))
        for statement in code.split(";"):
            if "ACLNN_API" in statement:
                head, _, tail = statement.rpartition("ACLNN_API")[2].partition("(")
                parts = [" ".join(p.replace("*", " * ").split()) for p in tail.split(",")]
                parts[-1] = parts[-1].rstrip(") ")
                yield head.split()[-1], [tuple(reversed(p.rsplit(" ", 1))) for p in parts]


#: What samples call before an operator, of the same headers: they run on the host.
HOST_FUNCTIONS = [
    "aclnnCalculateConvolutionWeightSize", "aclnnCalculateMatmulWeightSize",
    "aclnnCalculateMatmulWeightSizeV2", "aclnnNpuFormatCastCalculateSizeAndFormat",
    "aclnnTransQuantParam", "aclnnTransSparse4to2Para",
]  # fmt: skip


def words(c_type: str) -> list[str]:
    return re.findall(r"\w+|\*", c_type)


@pytest.fixture(scope="module")
def declared() -> dict[str, Prototype]:
    return dict(prototypes())


@pytest.fixture(scope="module")
def specs() -> list[Spec]:
    return [load_spec(name) for name in abi.operators()]


def test_the_namespace_lists_every_operator() -> None:
    assert len(dir(pa.ops)) == 1110


def test_the_headers_declare_two_phases_of_each_and_nothing_else(
    declared: dict[str, Prototype],
) -> None:
    operators = abi.operators()

    phases = [*operators, *(name + PHASE_1 for name in operators)]
    assert sorted(declared) == sorted([*phases, *HOST_FUNCTIONS])


def test_signatures_are_what_the_text_of_the_headers_says(declared: dict[str, Prototype]) -> None:
    parsed = {
        name: [(p.name, words(p.full_type)) for p in abi.signature(name).parameters]
        for name in declared
    }

    assert parsed == {name: [(p, words(t)) for p, t in params] for name, params in declared.items()}


def test_phase_1_ends_in_workspace_size_and_executor(declared: dict[str, Prototype]) -> None:
    endings = Counter(
        tuple("".join(words(t)) for _, t in prototype[-2:])
        for name, prototype in declared.items()
        if name.endswith(PHASE_1)
    )

    assert endings == {("uint64_t*", "aclOpExecutor**"): 1110}


def test_every_parameter_can_be_converted(specs: list[Spec]) -> None:
    without = [
        f"{spec.c_name}.{argument.c_name}: {argument.c_type}"
        for spec in specs
        for argument in spec.arguments
        if not callable(converter(spec.c_name, argument))
    ]

    assert without == []


def test_python_names_of_one_operator_differ(specs: list[Spec]) -> None:
    clashes = {
        spec.c_name: names
        for spec in specs
        if (names := [n for n, k in Counter(a.name for a in spec.arguments).items() if k > 1])
    }

    assert clashes == {}


def test_python_signatures_have_inputs_then_out_then_stream(specs: list[Spec]) -> None:
    for spec in specs:
        names = list(spec.python_signature().parameters)
        outputs = [a.name for a in spec.outputs if a.name != "out"]

        assert names == [*(a.name for a in spec.inputs), "out", *outputs, "stream"], spec.c_name


def test_every_operator_is_found_by_its_two_names() -> None:
    for c_name in abi.operators():
        assert pa.ops[c_name] is getattr(pa.ops, operator_name(c_name))


def test_the_guess_from_the_python_name_is_right_for_all() -> None:
    wrong = [name for name in abi.operators() if likely_c_name(operator_name(name)) != name]

    assert wrong == []


@pytest.mark.parametrize("way", TABLES)
def test_table_entries_name_parameters_and_change_what_the_rule_says(way: str) -> None:
    for operator, names in TABLES[way].items():
        parameters = {p.name: p for p in abi.signature(operator + PHASE_1).parameters}
        for name in names:
            assert name in parameters, f"{operator} has no parameter {name}"
            assert by_rule(parameters[name]) != way, f"{operator}.{name} needs no entry"


def test_no_parameter_is_in_two_tables() -> None:
    entries = Counter((op, n) for t in TABLES.values() for op, names in t.items() for n in names)

    assert [entry for entry, count in entries.items() if count > 1] == []


def test_only_communication_and_waiting_write_nothing(specs: list[Spec]) -> None:
    silent = {spec.c_name for spec in specs if not any(a.output for a in spec.arguments)}

    assert silent == {
        "aclnnAttentionToFFN",
        "aclnnElasticReceivableTest",
        "aclnnFFNToAttention",
        "aclnnMoeDistributeBufferReset",
        "aclnnSleep",
    }


def test_only_tensors_are_written(specs: list[Spec]) -> None:
    kinds = {a.kind for spec in specs for a in spec.arguments if a.output}

    assert kinds == {"tensor", "tensor_list"}


def test_in_place_operators_have_an_in_place_tensor(specs: list[Spec]) -> None:
    strange = [
        spec.c_name
        for spec in specs
        if re.search("Inplace", spec.c_name) and not any(a.in_place for a in spec.arguments)
    ]

    assert strange == []


def test_non_const_tensors_that_are_read_only_are_all_reviewed(specs: list[Spec]) -> None:
    read_only = {
        (operator, p.name)
        for operator in abi.operators()
        for p in abi.signature(operator + PHASE_1).parameters
        if p.kind in ("tensor", "tensor_list") and not p.const and direction(operator, p) == "in"
    }

    assert read_only <= {(operator, name) for operator in INPUTS for name in INPUTS[operator]}


@pytest.mark.parametrize(
    ("operator", "inputs", "outputs"),
    [
        (
            "batch_norm",
            "input weight bias running_mean running_var",
            "output save_mean save_invstd",
        ),
        ("foreach_zero_inplace", "x", ""),
        ("index_copy", "self_ref dim index source", "out_ref"),
        ("inplace_add", "self_ref other alpha", ""),
        ("layer_norm_backward", "grad_out input", "grad_input_out grad_weight_out grad_bias_out"),
        ("max_pool2d_with_indices", "self kernel_size stride", "out indices"),
        ("unfold_grad", "grad_out input_sizes dim size step", "grad_in"),
    ],
)
def test_inputs_and_outputs_are_those_of_the_document(
    operator: str, inputs: str, outputs: str
) -> None:
    spec = getattr(pa.ops, operator).spec

    assert [a.name for a in spec.inputs][: len(inputs.split())] == inputs.split()
    assert [a.name for a in spec.outputs] == outputs.split()


@pytest.mark.parametrize(
    ("operator", "release"),
    [
        ("grouped_mat_mul_all_reduce", "Only in CANN 8.1"),
        ("add_lora", ""),
        ("hardswish_backward_v2", "Since CANN 9.0"),
        ("softshrink_backward", ""),
    ],
)
def test_a_declaration_says_which_releases_have_it(operator: str, release: str) -> None:
    assert getattr(pa.ops, operator).spec.release == release


def test_help_says_what_each_operator_does(specs: list[Spec]) -> None:
    silent = [spec.c_name for spec in specs if not spec.comment.strip()]

    assert silent == []


def test_help_of_backward_operators_names_the_document(specs: list[Spec]) -> None:
    known_to_pytorch = [s for s in specs if "the forward function is" in s.comment]

    assert len(known_to_pytorch) >= 75
    assert all("CANN operator documentation" in spec.comment for spec in known_to_pytorch)
