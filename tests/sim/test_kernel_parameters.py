"""The build makes the parameters of a kernel from the declaration of its operator."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pyaclnn.table.row import Row
from pyaclnn.table.steps import Kernel

GENERATE = Path(__file__).resolve().parents[2] / "pyaclnn" / "sim" / "generate.py"

OLD = "const aclTensor* x, double eps, aclTensor* out"
NEW = (
    "const aclTensor* x, const aclTensor* maskOptional, double eps, int64_t mode, "
    "const aclTensorList* more, aclTensor* out"
)


@pytest.fixture
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_under_test", GENERATE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def include(tmp_path: Path) -> Path:
    folder = tmp_path / "aclnnop"
    folder.mkdir()
    declared = {"Turn": OLD, "TurnV2": NEW, "Other": OLD.replace("eps", "epsOptional")}
    for name, parameters in declared.items():
        (folder / f"aclnn_{name}.h").write_text(
            f"aclnnStatus aclnn{name}GetWorkspaceSize({parameters}, uint64_t* workspaceSize, "
            "aclOpExecutor** executor);\n"
        )
    return tmp_path


def written(generate: ModuleType, include: Path, *rows: Row) -> str:
    return next(text for _, text in generate.sources(rows, include))


def test_a_struct_has_the_fields_of_the_declaration(generate: ModuleType, include: Path) -> None:
    rows = [Row("TurnV2", "copy", (Kernel("turn"),)), Row("Turn", "copy", (Kernel("twist"),))]

    structs = dict(generate.parameter_structs(rows, include))

    assert structs.keys() == {"TurnV2.hpp", "Turn.hpp"}
    fields = [
        "  const TensorArgument& x;",
        "  const TensorArgument& maskOptional;",
        "  double eps;",
        "  std::int64_t mode;",
        "  const TensorListIn& more;",
        "  const TensorArgument& out;",
    ]
    assert "\n".join(["struct TurnV2Parameters {", *fields, "};"]) in structs["TurnV2.hpp"]
    assert (
        "void turn(const Check& check, Plan& plan, const TurnV2Parameters& given);"
        in (structs["TurnV2.hpp"])
    )


def test_what_an_older_version_lacks_is_absent(generate: ModuleType, include: Path) -> None:
    older = Row("Turn", "copy", (Kernel("turn", of="TurnV2", given={"mode": "eps > 1"}),))

    text = written(generate, include, older)

    assert '#include "parameters/TurnV2.hpp"' in text
    assert (
        "turn(check, plan, TurnV2Parameters{x, TensorArgument(Absent()), eps, eps > 1, "
        "TensorListIn(Absent()), out});"
    ) in text


def test_names_are_the_same_with_and_without_optional(generate: ModuleType, include: Path) -> None:
    text = written(generate, include, Row("Other", "copy", (Kernel("turn", of="Turn"),)))

    assert "TurnParameters{x, epsOptional, out}" in text


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Row("TurnV2", "copy", (Kernel("turn", of="Turn"),)), "no parameter for mask"),
        (Row("Turn", "copy", (Kernel("turn", given={"angle": "1"}),)), "no parameter angle"),
        (Row("Turn", "copy", (Kernel("turn", of="TurnV9"),)), "aclnnTurnV9GetWorkspaceSize"),
    ],
)
def test_a_kernel_that_does_not_fit_is_refused(
    generate: ModuleType, include: Path, row: Row, words: str
) -> None:
    with pytest.raises(generate.TableError, match=words):
        written(generate, include, row)


def test_headers_follow_from_what_the_code_names(generate: ModuleType) -> None:
    declaring = {
        "turn": {"opapi/copy/turn.hpp"},
        "check_turn": {"opapi/copy/turn.hpp", "opapi/norm/turn.hpp"},
        "Way": {"objects/way.hpp"},
        "kMost": {"opapi/quant/most.hpp"},
        "size": {"opapi/common/size.hpp"},
        "cast": {"opapi/copy/cast.hpp"},
    }
    text = "check_turn(x); const Way way = turn(x.size(), kMost); cast(way);"

    def needed(family: str) -> set[str]:
        return set(generate.needed_headers(text, family, declaring))

    everywhere = {"objects/way.hpp", "opapi/copy/turn.hpp", "opapi/quant/most.hpp"}
    assert needed("copy") == everywhere
    assert needed("norm") == everywhere | {"opapi/norm/turn.hpp"}


def test_each_name_that_headers_declare_is_found_there(generate: ModuleType) -> None:
    declaring = generate.declaring_headers()

    assert "opapi/reduction/norms.hpp" in declaring["renorm"]
    assert "opapi/indexing/scatter.hpp" in declaring["check_scatter"]
    assert "opapi/common/reduction_walk.hpp" in declaring["AxisMask"]
