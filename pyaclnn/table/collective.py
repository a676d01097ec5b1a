"""Matrix products and experts over several devices: a collective, an operator, and what follows.

Every operator is those two made apart, to the bit: ``opapi/collective`` plans the steps of both.
"""

from __future__ import annotations

from .dtypes import dtypes
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, SameDtype, Step, That

_FAMILY = "collective"
_PRODUCT = "(*x1[:-1], x2[-1])"


def _sum(name: str) -> Row:
    """Return the row of a product that is added up over the ranks."""
    return Row(
        name, _FAMILY, (Kernel("matmul_all_reduce", of="MatmulAllReduceV3"),),
        {"output": Output(_PRODUCT, "same x1")},
    )  # fmt: skip


def _quant_sum(name: str, given: dict[str, str], *, by_pairs: bool = False) -> Row:
    """Return the row of one of int8; ``given`` are the parameters the last version renamed."""
    by_scale = "bfloat16 if dequantScale.dtype == 'bfloat16' else float16"
    outputs = {} if by_pairs else {"output": Output(_PRODUCT, by_scale)}
    function = "quant_matmul_all_reduce_newest" if by_pairs else "quant_matmul_all_reduce"
    return Row(
        name, _FAMILY,
        (Kernel(function, of="QuantMatmulAllReduceV5", given=given),),
        outputs,
    )  # fmt: skip


def _weight_quant_sum(name: str) -> Row:
    """Return the row of one with weights of 8 or 4 bits."""
    kernel = Kernel("weight_quant_matmul_all_reduce", of="WeightQuantMatmulAllReduceV2")
    return Row(name, _FAMILY, (kernel,), {"output": Output(_PRODUCT, "same x1")})


def _normalised(kind: str, function: str) -> tuple[Row, Row]:
    """Return the rows of a product whose sum is added to a residual and normalised."""
    name = f"{kind}MatmulAllReduceAddRmsNorm"
    norm = {"normOut": Output("like residual", "same residual")}
    both = {"y": Output("like residual", "same residual"), **norm}
    in_place = Kernel(function, of=name, given={"y": "residual"})
    return (
        Row(name, _FAMILY, (Kernel(function),), both),
        Row(f"Inplace{name}", _FAMILY, (in_place,), norm),
    )


def _scattered(name: str, function: str, of: str, *first: Step) -> Row:
    """Return the row of a product whose operands or results are parts of other ranks'.

    Only the communicator knows how many these are, so outputs have to be given.
    """
    return Row(name, _FAMILY, (*first, Kernel(function, of=of)))


#: Before 9.1 a kernel notices it, on the 950 after other checks.
_BY_VECTORS = Since(
    "9.1",
    If(
        "!on_950() && commMode.given()",
        That(
            'commMode.text == "aiv"',
            'commMode is \\"%s\\", it must be \\"aiv\\"',
            ("commMode.text.c_str()",),
        ),
    ),
)


def _narrow_sum(name: str, function: str) -> Row:
    """Return the row of a sum of narrow numbers; its dtype is one of three."""
    return Row(name, _FAMILY, (Kernel(function),))


_BY_ROW = {"x2Scale": "dequantScale", "x1ScaleOptional": "pertokenScaleOptional"}

_SERVERS_MISSING = "on the A3: commAlg hierarchy"


def _dispatch(name: str, given: dict[str, str] | None = None) -> Row:
    """Return the row of tokens that go to their experts' ranks."""
    kernel = Kernel("moe_distribute_dispatch", of="MoeDistributeDispatchV4", given=given or {})
    missing = () if given else (_SERVERS_MISSING, "on the 950: rows of float4 with gaps")
    return Row(name, _FAMILY, (kernel,), missing=missing)


_COMBINED = "(expertIds[0], expandX[-1])"


def _combine(name: str, given: dict[str, str] | None = None) -> Row:
    """Return the row of their results on the way back."""
    kernel = Kernel("moe_distribute_combine", of="MoeDistributeCombineV4", given=given or {})
    outputs = {"x" if given else "xOut": Output(_COMBINED, "same expandX")}
    return Row(name, _FAMILY, (kernel,), outputs, missing=() if given else (_SERVERS_MISSING,))


def _combine_norm(name: str) -> Row:
    kernel = Kernel("moe_distribute_combine_add_rms_norm", of="MoeDistributeCombineAddRmsNormV2")
    outputs = {
        "yOut": Output("like residualX", "same residualX"),
        "rstdOut": Output("(*residualX[:-1], 1)", "float32"),
        "xOut": Output("like residualX", "same residualX"),
    }
    return Row(name, _FAMILY, (kernel,), outputs)


#: In two calls, on the 950: rows that a rank may get, and numbers that describe messages.
_MOST_ROWS = (
    "(globalBs or expertIds[0] * epWorldSize) * min(moeExpertNum // epWorldSize, expertIds[1])"
)
_COMMANDS = "(expertIds[0] * expertIds[1] + moeExpertNum) * 16"
#: Columns of yOut: of numbers as they are, and without a scale, with one for the row, for each 128
#: and for each 32.
_SENT_COLUMNS = (
    "-(-x[1] // 256) * 256 if quantMode == 0 else -(-x[1] // 512) * 512 if quantMode == 1 "
    "else -(-(-(-x[1] // 32) * 32 + 4) // 512) * 512 if quantMode == 2 "
    "else -(-(-(-x[1] // 128) * 129) // 512) * 512 if quantMode == 3 "
    "else -(-(-(-x[1] // 256) * 256 + -(-x[1] // 64) * 2) // 512) * 512"
)
_BACK_COLUMNS = "-(-(-(-expandX[1] // 32) * 32 + -(-expandX[1] // 8) * 4) // 512) * 512"


def _in_two_calls() -> tuple[Row, ...]:
    """Return the rows of tokens on their way there and back that another call waits for."""
    return (
        Row(
            "MoeDistributeDispatchSetup",
            _FAMILY,
            (Kernel("moe_distribute_dispatch_setup"),),
            {
                "yOut": Output(
                    f"(expertIds[0] * expertIds[1], {_SENT_COLUMNS})",
                    "same x if quantMode == 0 else int8 if quantMode == 2 else several",
                ),
                "expandIdxOut": Output("(expertIds[0] * expertIds[1],)", "int32"),
                "commCmdInfoOut": Output(f"({_COMMANDS},)", "int32"),
            },
        ),
        Row(
            "MoeDistributeDispatchTeardown",
            _FAMILY,
            (Kernel("moe_distribute_dispatch_teardown"),),
            {
                "expandXOut": Output(f"({_MOST_ROWS}, x[1])", "same y"),
                "dynamicScalesOut": Output(
                    f"(({_MOST_ROWS}, -(-x[1] // 64) * 2) if quantMode == 4 else "
                    f"({_MOST_ROWS}, -(-x[1] // 128)) if quantMode == 3 else ({_MOST_ROWS},))",
                    "float8_e8m0fnu if quantMode == 4 else float32",
                ),
                "assistInfoForCombineOut": Output(f"(({_MOST_ROWS}) * 128,)", "int32"),
                "expertTokenNumsOut": Output("(moeExpertNum // epWorldSize,)", "int64"),
            },
        ),
        Row(
            "MoeDistributeCombineSetup",
            _FAMILY,
            (Kernel("moe_distribute_combine_setup"),),
            {
                "quantExpandXOut": Output(f"(expandX[0], {_BACK_COLUMNS})", "int8"),
                "commCmdInfoOut": Output("((expandX[0] + epWorldSize) * 16,)", "int32"),
            },
        ),
        Row(
            "MoeDistributeCombineTeardown",
            _FAMILY,
            (Kernel("moe_distribute_combine_teardown"),),
            {"xOut": Output(_COMBINED, "same expandX")},
        ),
    )


_FIRST_ROWS = "(sum(recvCounts), gmmWeight[1 if transGmmWeight else 2])"
_SHARED = (
    "if mmXOptional is not None and mmWeightOptional is not None: "
    "(mmXOptional[0], mmWeightOptional[0 if transMmWeight else 1])"
)


def _sent_rows(name: str, function: str) -> Row:
    """Return the row of products of rows that other ranks sent."""
    outputs = {
        "gmmY": Output(_FIRST_ROWS, "same gmmX"),
        "mmYOptional": Output(_SHARED, "same mmXOptional"),
        "permuteOutOptional": Output("if permuteOutFlag: (sum(recvCounts), gmmX[1])", "same gmmX"),
    }
    narrow = "Quant" in name
    kernel = Kernel(function, of=f"AlltoAllv{'Quant' * narrow}GroupedMatMulV2")
    return Row(name, _FAMILY, (kernel,), {} if narrow else outputs)


def _returned_rows(name: str, function: str) -> Row:
    """Return the row of products that go back to where their rows came from."""
    outputs = {
        "y": Output(_FIRST_ROWS, "same gmmX"),
        "mmYOptional": Output(_SHARED, "same mmXOptional"),
    }
    narrow = "Quant" in name
    kernel = Kernel(function, of=f"{'Quant' * narrow}GroupedMatMulAlltoAllvV2")
    return Row(name, _FAMILY, (kernel,), {} if narrow else outputs)


_WAITING = dtypes("float16 bfloat16 float32 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64")


def _barrier(name: str) -> Row:
    """Return the row of ranks that wait for one another; the tensor is left as it is."""
    steps = (
        Null(("xRef", "group")),
        DtypeIn(_WAITING, ("xRef",)),
        Kernel("distribute_barrier", of="DistributeBarrierV2"),
    )
    return Row(name, _FAMILY, steps)


_FIRST_DISPATCH = {
    "expandXOut": "expandX",
    "dynamicScalesOut": "dynamicScales",
    "assistInfoForCombineOut": "expandIdx",
    "expertTokenNumsOut": "expertTokenNums",
    "epRecvCountsOut": "epRecvCounts",
    "tpRecvCountsOut": "tpRecvCounts",
    "expandScalesOut": "expandScales",
}

ROWS: tuple[Row, ...] = (
    _sum("MatmulAllReduce"),
    _sum("MatmulAllReduceV2"),
    _sum("MatmulAllReduceV3"),
    _quant_sum("QuantMatmulAllReduce", {"x2Scale": "dequantScale"}),
    _quant_sum("QuantMatmulAllReduceV2", _BY_ROW),
    _quant_sum("QuantMatmulAllReduceV3", _BY_ROW),
    _quant_sum("QuantMatmulAllReduceV4", {}, by_pairs=True),
    _quant_sum("QuantMatmulAllReduceV5", {}, by_pairs=True),
    _weight_quant_sum("WeightQuantMatmulAllReduce"),
    _weight_quant_sum("WeightQuantMatmulAllReduceV2"),
    *_normalised("", "matmul_all_reduce_add_rms_norm"),
    *_normalised("Quant", "quant_matmul_all_reduce_add_rms_norm"),
    *_normalised("WeightQuant", "weight_quant_matmul_all_reduce_add_rms_norm"),
    _dispatch("MoeDistributeDispatch", _FIRST_DISPATCH),
    *(_dispatch(f"MoeDistributeDispatchV{version}") for version in (2, 3, 4)),
    _combine("MoeDistributeCombine", {"assistInfoForCombine": "expandIdx", "xOut": "x"}),
    *(_combine(f"MoeDistributeCombineV{version}") for version in (2, 3, 4)),
    _combine_norm("MoeDistributeCombineAddRmsNorm"),
    _combine_norm("MoeDistributeCombineAddRmsNormV2"),
    *_in_two_calls(),
    *(
        row(f"{name}{version}", function)
        for row, name, function in (
            (_sent_rows, "AlltoAllvGroupedMatMul", "allto_allv_grouped_mat_mul"),
            (_returned_rows, "GroupedMatMulAlltoAllv", "grouped_mat_mul_allto_allv"),
            (_sent_rows, "AlltoAllvQuantGroupedMatMul", "allto_allv_quant_grouped_mat_mul"),
            (_returned_rows, "QuantGroupedMatMulAlltoAllv", "quant_grouped_mat_mul_allto_allv"),
        )
        for version in ("", "V2")
    ),
    Row(
        "GroupedMatMulAllReduce",
        _FAMILY,
        (Kernel("grouped_mat_mul_all_reduce"),),
        {"y": Output("[*grouped_product(x, weight, groupListOptional, splitItem, 0)]", "same x")},
    ),
    Row(
        "AlltoAllAllGatherBatchMatMul",
        _FAMILY,
        (Kernel("allto_all_all_gather_batch_mat_mul"),),
        {
            "y1Out": Output(
                "(weight[0], x[1] * epWorldSize * (tpWorldSize if xShardType else 1), weight[2])",
                "same x",
            ),
            # What the gradient needs: only where an output is given.
            "y2OutOptional": Output("none", ""),
            "y3OutOptional": Output("none", ""),
        },
    ),
    Row(
        "BatchMatMulReduceScatterAlltoAll",
        _FAMILY,
        (Kernel("batch_mat_mul_reduce_scatter_allto_all"),),
        {
            "out": Output(
                "(x[0] * epWorldSize, x[1] // epWorldSize // (tpWorldSize if yShardType else 1), "
                "weight[2] // (1 if yShardType else tpWorldSize))",
                "same x",
            )
        },
    ),
    _barrier("DistributeBarrier"),
    _barrier("DistributeBarrierV2"),
    Row("MoeDistributeBufferReset", _FAMILY, (Kernel("moe_distribute_buffer_reset"),)),
    Row(
        "MoeUpdateExpert",
        _FAMILY,
        (
            Null(("expertIds", "eplbTable", "balancedExpertIds", "balancedActiveMask")),
            DtypeIn(dtypes("int32 int64"), ("expertIds",)),
            DtypeIn(dtypes("int32"), ("eplbTable",)),
            if_given(
                "expertScalesOptional",
                DtypeIn(dtypes("float16 bfloat16 float32"), ("expertScalesOptional",)),
            ),
            if_given(
                "pruningThresholdOptional",
                DtypeIn(dtypes("float32"), ("pruningThresholdOptional",)),
            ),
            if_given("activeMaskOptional", DtypeIn(dtypes("bool"), ("activeMaskOptional",))),
            SameDtype(("expertIds", "balancedExpertIds")),
            DtypeIn(dtypes("bool"), ("balancedActiveMask",)),
            Kernel("moe_update_expert"),
        ),
        {
            "balancedExpertIds": Output("like expertIds", "same expertIds"),
            "balancedActiveMask": Output("like expertIds", "bool"),
        },
    ),
    _narrow_sum("QuantAllReduce", "quant_all_reduce"),
    _narrow_sum("QuantReduceScatter", "quant_reduce_scatter"),
    _scattered("AllGatherMatmul", "all_gather_matmul", "AllGatherMatmulV2"),
    _scattered(
        "AllGatherMatmulV2",
        "all_gather_matmul",
        "AllGatherMatmulV2",
        _BY_VECTORS,
    ),
    _scattered("MatmulReduceScatter", "matmul_reduce_scatter", "MatmulReduceScatterV2"),
    _scattered("MatmulReduceScatterV2", "matmul_reduce_scatter", "MatmulReduceScatterV2"),
    _scattered("AlltoAllMatmul", "allto_all_matmul", "AlltoAllMatmulV2"),
    _scattered("AlltoAllMatmulV2", "allto_all_matmul", "AlltoAllMatmulV2"),
    _scattered("MatmulAlltoAll", "matmul_allto_all", "MatmulAlltoAllV2"),
    _scattered("MatmulAlltoAllV2", "matmul_allto_all", "MatmulAlltoAllV2"),
    *(
        _scattered(f"{name}{version}", function, f"{name}V2")
        for name, function in (
            ("QuantMatmulAlltoAll", "quant_matmul_allto_all"),
            ("AlltoAllQuantMatmul", "allto_all_quant_matmul"),
        )
        for version in ("", "V2")
    ),
)
