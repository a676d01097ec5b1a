"""Products of groups of rows with a matrix for each group, and what is fused with them."""

from __future__ import annotations

from .dtypes import dtypes
from .format_steps import FormatIn
from .list_steps import EachTensor
from .moe_steps import number_is
from .optional_steps import If, Since
from .row import Output, Row
from .steps import (
    Call,
    DtypeIn,
    Given,
    Kernel,
    Null,
    On950,
    OnlyOn,
    SameDtype,
    Step,
    Steps,
    That,
    ThatGiven,
)

_FAMILY = "moe"


def _outputs(name: str, group_type: str, in_word: str = "1") -> dict[str, Output]:
    given = f"x, weight, groupListOptional, splitItem, {group_type}, {in_word}"
    whole = (
        "x[0].dtype in ('int8', 'int4', 'int32', 'float8_e4m3fn', 'float8_e5m2', 'float4_e2m1fn')"
    )
    return {name: Output(f"[*grouped_product({given})]", f"several if {whole} else same x")}


#: Eight numbers of int4 in each int32, or of float4 in each float32.
_IN_WORD = "8 if weight[0].dtype in ('int32', 'float32') and weight[0].dtype != x[0].dtype else 1"


#: The first version does not say whether groups are apart: they are where all lists are alike.
_APART = "x.tensors.size() == weight.tensors.size() && splitItem < 2 ? -1 : 0"


def _not_empty(*names: str) -> tuple[Step, ...]:
    return tuple(Call("not_empty", f"check {name}") for name in names)


def _listed(name: str, given: dict[str, str], *checks: Step) -> Row:
    """Make the row of a version whose groups are a list that is known at once."""
    return Row(
        name, _FAMILY,
        (
            *_not_empty("x", "weight", "y"),
            OnlyOn(("A2", "950")),
            *checks,
            Kernel("first_grouped_matmul" if given else "listed_grouped_matmul",
                   of="GroupedMatmulV2", given=given),
        ),
        _outputs("y", "groupType" if not given else "0"),
    )  # fmt: skip


def _grouped(name: str, out: str, function: str = "grouped_matmul") -> Row:
    """Make the row of a version whose groups are numbers of a tensor."""
    reserved = ("activationFeatureOutOptional", "dynQuantScaleOutOptional") if out == "out" else ()
    pairs = That("groupListType != 2", "groupListType is 2, which the 950 has since CANN 9.1")
    return Row(
        name, _FAMILY,
        (
            *_not_empty("x", "weight", out),
            OnlyOn(("310P", "A2", "950")),
            *((On950(Since("9.1", Steps(()), before=pairs)),) if out == "out" else ()),
            Kernel(function, of="GroupedMatmulWeightNz", given={"out": out}),
        ),
        {**_outputs(out, "groupType", _IN_WORD), **{name: Output("none", "") for name in reserved}},
    )  # fmt: skip


def _add(name: str, list_type: str, chips: tuple[str, ...]) -> Row:
    """Make the row of products of the inner axis that are added to a tensor."""
    return Row(
        name, _FAMILY,
        (
            # Before 9.1 as any other wrong argument; since then a wrong type of list as null, too.
            Since("9.1",
                  Steps((Null(("x", "weight", "groupList", "yRef")),
                         ThatGiven(f"{list_type} == 0 || {list_type} == 1",
                                   "a groupListType of 0 or 1"))),
                  before=Steps((Given(("x", "weight", "groupList", "yRef")),
                                That(f"{list_type} == 0 || {list_type} == 1",
                                     "groupListType must be 0 or 1")))),
            Since("9.1", Steps((FormatIn(("ND",), ("x", "weight", "groupList")),
                                FormatIn(("ND", "NCL"), ("yRef",))))),
            That("x.rank() == 2 && weight.rank() == 2 && groupList.rank() == 1 && "
                 "x.shape()[1] > 0 && x.shape()[0] == weight.shape()[0]",
                 "x has shape %s, weight %s",
                 ("x.shape().text().c_str()", "weight.shape().text().c_str()")),
            Since("9.1", That(
                "yRef.elements() == "
                "Dims({x.shape()[1], weight.shape()[1], groupList.shape()[0]}).product()",
                "yRef has shape %s, which is not that of a matrix for each group",
                ("yRef.shape().text().c_str()",),
            )),
            That("!on_950() || (yRef.rank() == 3 && yRef.shape()[0] == groupList.shape()[0])",
                 "yRef has not a matrix for each group"),
            DtypeIn(dtypes("float32"), ("yRef",)),
            DtypeIn(dtypes("int64"), ("groupList",)),
            DtypeIn(dtypes("float16", "bfloat16"), ("x",)),
            SameDtype(("x", "weight")),
            OnlyOn(chips, inside=True),
            number_is("groupType", "groupType == 2 && transposeX && !transposeWeight",
                      "2, with x transposed alone"),
            Call("add_grouped_products", f"plan x weight groupList {list_type} yRef"),
        ),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _listed(
        "GroupedMatmul",
        {"groupType": _APART},
        If(
            "on_a2_or_a3()",
            EachTensor("x", That("tensor.dtype() != ACL_FLOAT", "the newer versions take float32")),
        ),
    ),
    _listed("GroupedMatmulV2", {}),
    _grouped("GroupedMatmulV3", "y", "grouped_matmul_v3"),
    _grouped("GroupedMatmulV4", "out"),
    _grouped("GroupedMatmulV5", "out"),
    # CANN does not look at quantGroupSize.
    _grouped("GroupedMatmulWeightNz", "out", "grouped_matmul_weight_nz"),
    _add("GroupedMatmulAdd", "0", ("A2", "950")),
    _add("GroupedMatmulAddV2", "groupListType", ("950",)),
)
