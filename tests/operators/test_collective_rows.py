"""What operators of rows and of batches refuse before the ranks are counted, chip by chip."""

from __future__ import annotations

import json
import sys
from os import pathsep
from typing import Any

import pytest
from children import output_of
from operators.calls import INVALID, NO_KERNEL, NULL, TILING
from operators.status_tests import AICORE_EXCEPTION

GIVEN = """
    import json
    import numpy as np
    import pyaclnn as pa
    from operators.calls import device, ones
    from operators.reasons import reason_of
    from pyaclnn.collective import Communicator
    from pyaclnn.selftest.communicators import alone
    from pyaclnn.tensor.formats import with_format

    def half(*shape):
        return ones(*shape, dtype="float16")

    def ints(*shape):
        return pa.zeros(shape, "int32")

    ROWS = {
        "gmm_x": half(6, 8), "gmm_weight": half(1, 8, 5), "send_counts_tensor_optional": None,
        "recv_counts_tensor_optional": None, "mm_x_optional": half(3, 4),
        "mm_weight_optional": half(4, 7), "group": alone(), "comm_mode": "ai_cpu",
        "ep_world_size": 2, "send_counts": [2, 4], "recv_counts": [3, 0],
        "trans_gmm_weight": False, "trans_mm_weight": False, "mm_y_optional": half(3, 7),
    }
    THERE = {**ROWS, "permute_out_flag": True, "gmm_y": half(3, 5),
             "permute_out_optional": half(3, 8)}
    BACK = {**ROWS, "y": half(3, 5)}
    PAIR = {
        "weight": half(2, 8, 5), "bias_optional": half(2, 5), "group_ep": alone(),
        "group_tp": "other", "ep_world_size": 2, "tp_world_size": 2,
    }
    GATHERED = {**PAIR, "x": half(4, 3, 4), "x_shard_type": 0, "act_type": 1,
                "y1_out": half(2, 6, 5), "y2_out_optional": half(2, 6, 8),
                "y3_out_optional": half(2, 6, 5)}
    PARTED = {**PAIR, "x": half(2, 12, 8), "bias_optional": half(2, 1, 5), "y_shard_type": 1,
              "out": half(4, 3, 5)}
    SUMS = {"x": [half(3, 8)], "weight": [half(8, 5)] * 2, "bias": [half(5)] * 2,
            "group_list_optional": [1, 3], "split_item": 3, "group": alone(), "reduce_op": "sum",
            "comm_turn": 0, "stream_mode": 1, "y": [half(3, 5)]}
    WAIT = {"x_ref": half(2), "time_out": None, "elastic_info": None, "group": alone(),
            "world_size": 2}
    SPREAD = {
        "expert_ids": ints(3, 2), "eplb_table": device([[1, 4, 0], [2, 3, 5]], "int32"),
        "expert_scales_optional": ones(3, 2), "pruning_threshold_optional": ones(1, 2),
        "active_mask_optional": pa.zeros((3,), "bool"), "local_rank_id": 1, "world_size": 2,
        "balance_mode": 0, "balanced_expert_ids": ints(3, 2),
        "balanced_active_mask": pa.zeros((3, 2), "bool"),
    }
    def spread(tokens, choices):
        return {"expert_ids": ints(tokens, choices), "eplb_table": ints(1024, 2) + 1,
                "expert_scales_optional": ones(tokens, choices),
                "pruning_threshold_optional": ones(1, choices),
                "active_mask_optional": pa.zeros((tokens,), "bool"),
                "balanced_expert_ids": ints(tokens, choices),
                "balanced_active_mask": pa.zeros((tokens, choices), "bool")}
    def narrow(*shape, dtype="int8"):
        return pa.zeros(shape, dtype)

    NARROW = {"x": narrow(4, 1024), "scales": ones(4, 8), "group": alone(), "reduce_op": "sum",
              "output": half(4, 1024)}
    MET = {
        "x1": half(4, 16), "x2": narrow(16, 6), "bias_optional": ones(6), "x1_scale_optional": None,
        "x2_scale": ones(6), "comm_scale_optional": None, "x1_offset_optional": None,
        "x2_offset_optional": None, "group": alone(), "comm_mode": "aiv",
        "allto_all_axes_optional": None, "x1_quant_mode": 7, "x2_quant_mode": 2,
        "comm_quant_mode": 0, "comm_quant_dtype": -1, "x1_quant_dtype": 36, "group_size": 0,
        "transpose_x1": False, "transpose_x2": False, "output": half(4, 6),
        "allto_all_out_optional": None,
    }
    E4M3, E8M0 = "float8_e4m3fn", "float8_e8m0fnu"
    FLOATS = {**MET, "x2": narrow(16, 6, dtype=E4M3), "comm_mode": "ccu"}
    MX = {**FLOATS, "x1": narrow(4, 64, dtype=E4M3), "x2": narrow(6, 64, dtype=E4M3),
          "x1_scale_optional": narrow(4, 1, 2, dtype=E8M0), "x2_scale": narrow(6, 1, 2, dtype=E8M0),
          "x1_quant_mode": 6, "x2_quant_mode": 6, "transpose_x2": True}
    def scales(*shape):
        return narrow(*shape, 2, dtype=E8M0)

    GROUPS = {
        **ROWS, "gmm_x": narrow(6, 8, dtype=E4M3), "gmm_weight": narrow(1, 8, 5, dtype=E4M3),
        "gmm_x_scale": scales(6, 1), "gmm_weight_scale": scales(1, 1, 5),
        "mm_x_optional": narrow(3, 4, dtype=E4M3), "mm_weight_optional": narrow(4, 7, dtype=E4M3),
        "mm_x_scale_optional": scales(3, 1), "mm_weight_scale_optional": scales(1, 7),
        "gmm_x_quant_mode": 6, "gmm_weight_quant_mode": 6, "mm_x_quant_mode": 6,
        "mm_weight_quant_mode": 6, "group_size": 0,
    }
    OUT = {**GROUPS, "permute_out_flag": True, "gmm_y": half(3, 5),
           "permute_out_optional": narrow(3, 8, dtype=E4M3)}
    HOME = {**GROUPS, "comm_quant_scale_optional": None, "comm_quant_mode": 0,
            "comm_quant_dtype_optional": -1, "y": half(3, 5)}
    RESET = {"elastic_info": ints(16), "group_ep": alone(), "ep_world_size": 16, "need_sync": 1}
    ENDS = {"group_ep": alone(), "ep_world_size": 2, "ep_rank_id": 0, "moe_expert_num": 4}
    GO = {**ENDS, "x": half(3, 1024), "expert_ids": ints(3, 2), "scales_optional": None,
          "x_active_mask_optional": None, "y_out": half(6, 1024), "expand_idx_out": ints(6),
          "comm_cmd_info_out": ints(160)}
    ARRIVE = {**ENDS, "x": half(3, 1024), "y": half(6, 1024), "expert_ids": ints(3, 2),
              "comm_cmd_info": ints(160), "expand_x_out": half(12, 1024),
              "dynamic_scales_out": ones(12), "assist_info_for_combine_out": ints(1536),
              "expert_token_nums_out": pa.zeros((2,), "int64")}
    BYTES = {**ARRIVE, "quant_mode": 2, "y": narrow(6, 1536), "expand_x_out": narrow(12, 1024)}
    WAY = {**ENDS, "moe_expert_num": 32, "expand_x": half(96, 4096), "expert_ids": ints(8, 6)}
    LEAVE = {**WAY, "assist_info_for_combine": ints(96 * 128),
             "quant_expand_x_out": narrow(96, 6144), "comm_cmd_info_out": ints(98 * 16)}
    RETURN = {**WAY, "quant_expand_x": narrow(96, 6144), "expand_idx": ints(48),
              "expert_scales": ones(8, 6), "comm_cmd_info": ints(98 * 16),
              "x_active_mask_optional": None, "shared_expert_x_optional": None,
              "x_out": half(8, 4096)}
    CALLS = {
        "go": ("moe_distribute_dispatch_setup", GO),
        "arrive": ("moe_distribute_dispatch_teardown", ARRIVE),
        "bytes": ("moe_distribute_dispatch_teardown", BYTES),
        "leave": ("moe_distribute_combine_setup", LEAVE),
        "return": ("moe_distribute_combine_teardown", RETURN),
        "reset": ("moe_distribute_buffer_reset", RESET),
        "out": ("allto_allv_quant_grouped_mat_mul_v2", OUT),
        "home": ("quant_grouped_mat_mul_allto_allv_v2", HOME),
        "met": ("allto_all_quant_matmul_v2", MET), "floats": ("allto_all_quant_matmul_v2", FLOATS),
        "mx": ("allto_all_quant_matmul_v2", MX),
        "sum": ("quant_all_reduce", NARROW), "part": ("quant_reduce_scatter", NARROW),
        "there": ("allto_allv_grouped_mat_mul_v2", THERE),
        "back": ("grouped_mat_mul_allto_allv_v2", BACK),
        "gathered": ("allto_all_all_gather_batch_mat_mul", GATHERED),
        "parted": ("batch_mat_mul_reduce_scatter_allto_all", PARTED),
        "sums": ("grouped_mat_mul_all_reduce", SUMS), "wait": ("distribute_barrier_v2", WAIT),
        "spread": ("moe_update_expert", SPREAD),
    }
    def local(experts):
        return {"weight": half(experts, 8, 5), "bias_optional": half(experts, 5),
                "x": half(2 * experts, 3, 4), "y1_out": half(experts, 6, 5),
                "y2_out_optional": half(experts, 6, 8), "y3_out_optional": half(experts, 6, 5)}
    def wide(rows):
        "As much as the window of 200 MB has room for, with 1 MiB for statuses, twice: 12288 rows."
        def repeated(tensor):
            return with_format(tensor, "ND", shape=(rows, tensor.shape[1]), strides=(0, 1))
        return {"x": repeated(narrow(1, 8192)), "scales": repeated(ones(1, 64)),
                "output": repeated(half(1, 8192))}
    def long(rows):
        return with_format(half(1, 8), "ND", shape=(rows, 8), strides=(0, 1))
    def said(reason):
        return reason.partition(" answers ")[2].partition("Possible Cause")[0]
    def code(name, **changed):
        operator, right = CALLS[name]
        status, reason = reason_of(operator, right, changed)
        return [status, said(reason)]
    def of_two(name, **changed):
        operator, right = CALLS[name]
        group = {"group" if "group" in right else "group_ep": TWO}
        status, reason = reason_of(operator, {**right, **group}, changed, runs=False)
        return [status, said(reason)]
    TWO = {two}
    print(json.dumps([{calls}]))
"""

_BOTH = [
    ("gmm_x=None", NULL), ("gmm_weight=None", NULL), ("group=''", NULL), ("group=None", NULL),
    ("group='n' * 128", INVALID), ("send_counts_tensor_optional=ints(2)", NULL),
    ("mm_x_optional=None", NULL), ("send_counts=[]", INVALID),
    ("recv_counts=None", INVALID), ("comm_mode='aiv'", INVALID), ("comm_mode=None", INVALID),
    ("gmm_x=ones(6, 8)", INVALID), ("gmm_weight=ones(1, 8, 5, dtype='bfloat16')", INVALID),
    ("ep_world_size=3", TILING), ("ep_world_size=-2**63", TILING), ("gmm_x=half(6, 9)", TILING),
    ("gmm_x=half(6, 8, 1)", TILING), ("gmm_weight=half(8, 5)", TILING),
    ("mm_weight_optional=half(5, 7)", TILING), ("mm_y_optional=half(3, 8)", TILING),
    ("send_counts=[7, -1]", TILING), ("send_counts=[2**62] * 2", TILING),
    ("send_counts=[2, 3]", TILING), ("recv_counts=[3, 1]", TILING),
    ("send_counts=[1] * 6", TILING), ("trans_gmm_weight=True", TILING), ("", TILING),
]  # fmt: skip
_PAIR = [
    ("x=None", NULL), ("weight=None", NULL), ("group_ep=None", NULL), ("group_tp=''", NULL),
    ("group_tp='n' * 128", INVALID), ("x=ones(4, 3, 4)", INVALID),
    ("bias_optional=ones(2, 5)", INVALID), ("ep_world_size=3", INVALID),
    ("tp_world_size=64", INVALID), ("bias_optional=half(5)", INVALID),
    ("weight=half(2, 9, 5)", INVALID), ("weight=half(8, 5)", INVALID), ("", TILING),
    ("group_tp=alone()", TILING),
]  # fmt: skip
_MET = [
    ("x1=None", NULL), ("x2=None", NULL), ("x2_scale=None", NULL), ("output=None", NULL),
    ("x1=ones(4, 16)", INVALID), ("x2=half(16, 6)", INVALID), ("x1=half(0, 16)", INVALID),
    ("x2=half(16, 6, 1)", INVALID), ("x2_scale=half(6)", INVALID), ("transpose_x1=True", INVALID),
    ("x1_scale_optional=ones(16)", INVALID), ("allto_all_axes_optional=[-1, -2]", INVALID),
    ("output=narrow(4, 6)", INVALID), ("group=''", INVALID), ("group='n' * 128", INVALID),
    ("comm_mode=None", NULL), ("comm_mode='one'", INVALID), ("", TILING),
]  # fmt: skip
_GROUPS = [
    ("gmm_weight=None", NULL), ("comm_mode='aiv'", INVALID), ("comm_mode=None", INVALID),
    ("gmm_x_quant_mode=2, gmm_weight_quant_mode=2", INVALID), ("gmm_x_scale=None", INVALID),
    ("gmm_x=half(6, 8)", TILING), ("gmm_x_scale=ones(1)", TILING), ("group_size=64", TILING),
    ("gmm_x=narrow(6, 9, dtype=E4M3)", TILING), ("send_counts=[2, 3]", TILING),
    ("send_counts=[-1, 7]", TILING), ("ep_world_size=3", TILING), ("trans_gmm_weight=True", TILING),
    ("trans_gmm_weight=True, gmm_weight=narrow(1, 5, 8, dtype=E4M3).transpose(0, 2, 1)", INVALID),
    ("", TILING),
]  # fmt: skip
_NARROW = [
    ("x=None", NULL), ("scales=None", NULL), ("x=half(4, 1024)", INVALID),
    ("scales=half(4, 8)", INVALID), ("output=narrow(4, 1024)", INVALID),
    ("scales=narrow(4, 16, 2, dtype='float8_e8m0fnu')", INVALID), ("group=None", INVALID),
    ("group='n' * 128", INVALID), ("group=''", TILING), ("reduce_op='max'", TILING),
    ("reduce_op=None", TILING), ("", TILING), ("group='nobody'", TILING),
]  # fmt: skip

#: What all four refuse that go one way, or back; the last reaches the ranks of the group.
_ENDS = [
    ("group_ep=None", NULL), ("group_ep=''", NULL), ("expert_ids=None", NULL),
    ("expert_ids=ones(8, 6)", INVALID), ("ep_rank_id=2", TILING), ("ep_rank_id=-1", TILING),
    ("ep_world_size=1", TILING), ("ep_world_size=-2**63", TILING), ("moe_expert_num=0", TILING),
    ("moe_expert_num=2**62", TILING), ("comm_type=0", TILING), ("comm_alg='fullmesh'", TILING),
    ("shared_expert_num=-1", TILING), ("shared_expert_rank_num=2", TILING),
    ("global_bs=5", TILING), ("global_bs=-2**63", TILING), ("global_bs=1026", TILING),
    ("expert_ids=ints(8, 17)", TILING), ("expert_ids=ints(8)", TILING), ("", TILING),
    ("group_ep='nobody'", TILING),
]  # fmt: skip
_GONE = [
    ("x=None", NULL), ("x=ones(3, 1024)", INVALID), ("x=half(3, 1000)", TILING),
    ("x=half(3, 8193)", TILING), ("x=half(4, 1024)", TILING), ("x=half(3)", TILING),
    ("moe_expert_num=5", TILING), ("moe_expert_num=514", TILING), ("ep_world_size=386", TILING),
    ("expert_shard_type=1", TILING), ("shared_expert_num=5", TILING), ("quant_mode=5", TILING),
    ("shared_expert_num=1", NO_KERNEL), ("quant_mode=1", TILING), ("quant_mode=3", TILING),
    ("quant_mode=2", TILING), ("expert_ids=ints(3, 0)", TILING), ("expert_ids=ints(3, 5)", TILING),
]  # fmt: skip
_LEFT = [
    ("expand_x=None", NULL), ("expand_x=ones(96, 4096)", INVALID), ("moe_expert_num=64", TILING),
    ("ep_world_size=3", TILING), ("expand_x=half(95, 4096)", TILING),
    ("expand_x=half(96, 4095)", TILING), ("expert_ids=ints(9, 6)", TILING),
    ("expert_ids=ints(8, 7)", TILING), ("shared_expert_num=1", TILING),
    ("comm_quant_mode=2", TILING), ("expert_ids=ints(256, 8)", TILING),
]  # fmt: skip
_BEGUN = {
    "go": [
        *_GONE, ("group_ep='n' * 128", INVALID), ("y_out=ones(6, 1024)", INVALID),
        ("y_out=half(6, 1023)", TILING), ("y_out=half(5, 1024)", TILING),
        ("y_out=ones(6, 1024, dtype='bfloat16')", TILING),
        ("comm_cmd_info_out=ints(159)", TILING), ("expand_idx_out=ones(6)", INVALID),
        ("quant_mode=4, y_out=narrow(6, 1536)", TILING),
        ("x_active_mask_optional=ints(3)", INVALID),
        ("scales_optional=half(4, 1024)", INVALID),
    ],
    "arrive": [
        *_GONE, ("group_ep='n' * 128", NULL), ("y=None", NULL),
        ("y=half(6, 1023)", TILING), ("comm_cmd_info=ints(161)", TILING),
        ("expand_x_out=narrow(12, 1024)", INVALID),
        ("dynamic_scales_out=half(12)", INVALID), ("expert_token_nums_out=ints(2)", INVALID),
    ],
    "leave": [
        *_LEFT, ("group_ep='n' * 128", INVALID), ("expand_x=half(0, 4096)", INVALID),
        ("expert_ids=ints(0, 6)", INVALID), ("expert_shared_type=1", TILING),
        ("quant_expand_x_out=half(96, 6144)", INVALID),
        ("quant_expand_x_out=narrow(96, 6143)", TILING),
        ("comm_cmd_info_out=ints(97 * 16)", TILING), ("assist_info_for_combine=ones(4)", INVALID),
    ],
    "return": [
        *_LEFT, ("group_ep='n' * 128", INVALID), ("expand_x=half(0, 4096)", TILING),
        ("expert_shard_type=1", TILING), ("quant_expand_x=narrow(96, 6143)", TILING),
        ("comm_cmd_info=ints(97 * 16)", TILING), ("expert_scales=half(8, 6)", INVALID),
        ("expand_idx=ones(48)", INVALID), ("x_out=ones(8, 4096)", INVALID),
        ("shared_expert_x_optional=ones(8, 4096)", INVALID),
        ("x_active_mask_optional=ints(8)", INVALID),
    ],
}  # fmt: skip

REFUSED: dict[str, list[tuple[str, str, int]]] = {
    "Ascend910_95": [
        *((name, *case) for name in ("there", "back") for case in _BOTH),
        ("there", "permute_out_flag=False", NULL),
        ("there", "gmm_y=half(4, 5)", TILING), ("back", "y=half(3, 6)", TILING),
        *((name, *case) for name in ("sum", "part") for case in _NARROW),
        *((name, *case) for name in ("out", "home") for case in _GROUPS),
        ("out", "send_counts_tensor_optional=ints(2)", INVALID),
        ("out", "recv_counts_tensor_optional=ints(2)", INVALID),
        ("out", "gmm_x=None", INVALID), ("out", "permute_out_flag=False", INVALID),
        ("out", "mm_x_optional=None", TILING),
        ("home", "gmm_x=None", NULL), ("home", "group=None", NULL), ("home", "y=None", NULL),
        ("home", "mm_x_optional=None", NULL), ("home", "comm_quant_mode=1", INVALID),
        ("home", "mm_x_quant_mode=1", INVALID), ("home", "send_counts=[]", INVALID),
        *(("floats", *case) for case in _MET), ("floats", "x1_quant_mode=3", INVALID),
        ("floats", "x1_quant_dtype=2", INVALID), ("floats", "bias_optional=half(6)", INVALID),
        ("floats", "x2_scale=ones(5)", INVALID), ("mx", "x1_scale_optional=None", NULL),
        ("floats", "x1_scale_optional=half(16)", NO_KERNEL),
        ("mx", "transpose_x2=False", INVALID), ("mx", "x2_scale=ones(6)", INVALID),
        ("mx", "x1=narrow(4, 64)", INVALID), ("mx", "", TILING),
        *((name, *case) for name in _BEGUN for case in _ENDS),
        *((name, *case) for name, cases in _BEGUN.items() for case in cases),
        ("wait", "world_size=1025", TILING), ("gathered", "", NO_KERNEL), ("sums", "", INVALID),
    ],
    "Ascend910_9391": [
        ("met", "comm_mode='ai_cpu'", TILING), ("met", "", INVALID), ("reset", "", TILING),
        ("reset", "elastic_info=None", NULL), ("reset", "group_ep=None", NULL),
        ("reset", "elastic_info=None, group_ep=''", NULL),
        ("reset", "group_ep=''", INVALID), ("reset", "elastic_info=half(16)", INVALID),
        ("reset", "elastic_info=ints(8), ep_world_size=8", TILING),
        ("reset", "need_sync=2", TILING), ("reset", "ep_world_size=32", TILING),
        ("there", "", TILING), ("wait", "x_ref=None", NULL), ("wait", "group=None", NULL),
        ("wait", "group=''", TILING), ("wait", "x_ref=ones(2, dtype='complex64')", INVALID),
        ("wait", "world_size=1", TILING), ("wait", "world_size=385", TILING),
        ("wait", "time_out=ints(2)", TILING),
        ("wait", "elastic_info=ints(7)", TILING), ("wait", "elastic_info=half(8)", TILING),
        ("wait", "", TILING),
        *(("gathered", f"y1_out=half{shape}, y3_out_optional=None, act_type=0", INVALID)
          for shape in ((1, 6, 5), (2, 7, 5), (2, 8, 5), (2, 6, 6))),
        *(("parted", f"out=half{shape}", INVALID)
          for shape in ((2, 3, 5), (4, 4, 5), (4, 3, 6))),
        *((name, *case) for name in ("gathered", "parted") for case in _PAIR),
        ("gathered", "x_shard_type=2", INVALID), ("gathered", "act_type=5", INVALID),
        ("gathered", "act_type=0", INVALID), ("gathered", "y2_out_optional=half(2, 6, 7)", INVALID),
        ("gathered", "y3_out_optional=ones(2, 6, 5)", INVALID),
        ("gathered", "y1_out=half(2, 5, 5)", INVALID), ("gathered", "x=half(4, 0, 4)", INVALID),
        ("gathered", "act_type=-2**63", INVALID),
        ("gathered", "**local(32), group_tp=alone()", TILING),
        ("gathered", "**local(33)", INVALID), ("parted", "y_shard_type=-1", INVALID),
        ("parted", "out=half(4, 2, 5)", INVALID), ("parted", "x=half(2, 12, 9)", INVALID),
        ("spread", "", 0), ("spread", "expert_ids=None", NULL),
        ("spread", "expert_ids=half(3, 2)", INVALID),
        ("spread", "eplb_table=half(2, 3)", INVALID), ("spread", "local_rank_id=2", TILING),
        ("spread", "world_size=1", TILING), ("spread", "balance_mode=2", TILING),
        ("spread", "local_rank_id=2, balance_mode=1", 0), ("spread", "world_size=769", TILING),
        ("spread", "expert_scales_optional=None", TILING),
        ("spread", "pruning_threshold_optional=ones(3)", TILING),
        ("spread", "active_mask_optional=pa.zeros((2,), 'bool')", TILING),
        ("spread", "eplb_table=ints(2, 4)", TILING), ("spread", "eplb_table=ints(1, 3)", TILING),
        ("spread", "balanced_expert_ids=ints(3, 1)", TILING),
        ("spread", "**spread(512, 16)", 0), ("spread", "**spread(513, 16)", TILING),
        ("spread", "**spread(512, 17)", TILING), ("spread", "**spread(0, 16)", TILING),
        ("spread", "**spread(3, 0)", TILING), ("spread", "expert_ids=ints(6)", TILING),
    ],
    "Ascend910B1": [
        ("go", "", NO_KERNEL), ("go", "x=None", NULL), ("arrive", "x=None", INVALID),
        ("leave", "", INVALID), ("return", "group_ep=None", INVALID),
        ("out", "", NO_KERNEL), ("home", "", NO_KERNEL),
        ("there", "", NO_KERNEL), ("back", "", NO_KERNEL), ("sum", "", NO_KERNEL),
        ("part", "", NO_KERNEL), ("sum", "x=None", NULL),
        ("reset", "", NO_KERNEL), *(("met", *case) for case in _MET),
        ("met", "x2=narrow(6, 16).T", INVALID), ("wait", "", NO_KERNEL),
        ("parted", "", NO_KERNEL), ("spread", "", NO_KERNEL), ("sums", "", INVALID),
        ("sums", "stream_mode=0", INVALID), ("sums", "comm_turn=1", INVALID),
        ("sums", "reduce_op='max'", INVALID), ("sums", "split_item=4", INVALID),
        ("sums", "split_item=1", INVALID), ("sums", "group_list_optional=[3, 1]", INVALID),
        ("sums", "group_list_optional=[1, 2]", INVALID),
        ("sums", "group_list_optional=None", INVALID), ("sums", "weight=[half(8, 5)]", INVALID),
        ("sums", "bias=[half(5)]", INVALID), ("sums", "x=[ones(3, 8)]", INVALID),
    ],
}  # fmt: skip


_ALL_ROWS = "mm_x_optional={0}, mm_weight_optional={1}, mm_y_optional={2}"
_NONE = _ALL_ROWS.format(None, None, False)


def _of_all(rows: int, depth: int, columns: int) -> str:
    """The product that all rows have."""
    shapes = ((rows, depth), (depth, columns), (rows, columns))
    return _ALL_ROWS.format(*(f"half{shape}" for shape in shapes))


def _of_experts(depth: int, columns: int) -> str:
    """Six rows go there, three come back; what they are multiplied with, and what comes of it."""
    return (
        f"{_NONE}, gmm_x=half(6, {depth}), gmm_weight=half(1, {depth}, {columns}),"
        f" gmm_y=half(3, {columns}), permute_out_optional=half(3, {depth})"
    )


def _experts(count: int, ranks: int = 2) -> str:
    counts = count * ranks - 1
    return (
        f"gmm_weight=half({count}, 8, 5), ep_world_size={ranks},"
        f" send_counts=[6] + [0] * {counts}, recv_counts=[3] + [0] * {counts}"
    )


_SHAPES, _ALL, _COUNTED, _RANKS = "gmmX has shape", "mmX has shape", "sendCounts and", "has 2 ranks"
#: Status of the first phase of a rank of two, and words of the reason.
OF_TWO: list[tuple[str, str, int, str]] = [
    *((name, "", 0, "") for name in ("there", "back", "out", "home", "go")),
    ("there", _NONE, 0, ""),
    *(
        ("there", f"{_NONE}, gmm_x=long({rows}), send_counts=[{rows}, 0]", status,
         _SHAPES if status else "")
        for rows, status in ((0, TILING), (1, 0), (52428799, 0), (52428800, TILING))
    ),
    *(
        ("there", _of_experts(*extents), status, _SHAPES if status else "")
        for *extents, status in (
            (0, 5, TILING), (1, 5, 0), (65535, 5, 0), (65536, 5, TILING), (8, 0, TILING), (8, 1, 0),
            (8, 65535, 0), (8, 65536, TILING),
        )
    ),
    *(
        ("there", _of_all(*extents), status, _ALL if status else "")
        for *extents, status in (
            (0, 4, 7, TILING), (1, 4, 7, 0), (3, 0, 7, TILING), (3, 1, 7, 0), (3, 12288, 7, 0),
            (3, 12289, 7, TILING), (3, 4, 0, TILING), (3, 4, 1, 0), (3, 4, 65535, 0),
            (3, 4, 65536, TILING),
        )
    ),
    *(
        ("there", f"{_of_all(rows, 4, 7)}, gmm_x=half({of}, 8), send_counts=[{of}, 0]", status,
         "2 to 8 for each" if status else "")
        for rows, of, status in ((6, 6, TILING), (4, 6, TILING), (1, 8, 0), (1, 9, TILING))
    ),
    ("there", "permute_out_optional=half(3, 7)", TILING, "permuteOut has shape [3, 7]"),
    ("there", "permute_out_optional=ones(3, 8)", INVALID, "permuteOut"),
    ("there", _experts(48), 0, ""), ("there", _experts(49), TILING, _COUNTED),
    ("there", _experts(24, 16), TILING, _RANKS), ("there", _experts(25, 16), TILING, _COUNTED),
    ("back", _experts(32), 0, ""), ("back", _experts(33), TILING, _COUNTED),
    ("back", _experts(16, 16), TILING, _RANKS), ("back", _experts(17, 16), TILING, _COUNTED),
    ("back", _experts(0), TILING, _COUNTED),
    *(("back", f"ep_world_size={size}", TILING, _COUNTED) for size in (4, 8, 16, 32, 64, 128, 256)),
    *(("back", f"ep_world_size={size}", TILING, "epWorldSize is") for size in (0, 1, 3, 512)),
    ("back", f"group='{'n' * 127}'", TILING, "no communicator"),
    ("back", "recv_counts=[3]", TILING, _COUNTED),
    ("back", "recv_counts=[4, -1]", TILING, "recvCounts must"),
    ("back", "send_counts=[7, -1]", TILING, "sendCounts must"),
    ("back", "send_counts=[0, 6], recv_counts=[0, 3]", 0, ""),
    *(
        (name, changed, TILING, words)
        for name in ("out", "home")
        for changed, words in (
            ("gmm_weight_scale=scales(1, 5, 1)", "gmmWeightScale has shape"),
            ("gmm_x_scale=scales(5, 1)", "gmmXScale has shape"),
            ("mm_x_scale_optional=scales(2, 1)", "mmXScaleOptional has shape"),
            ("mm_weight_scale_optional=scales(7, 1)", "mmWeightScaleOptional has shape"),
        )
    ),
    ("out", "permute_out_optional=half(3, 8)", TILING, "permuteOut has shape"),
    ("out", "permute_out_optional=narrow(3, 7, dtype=E4M3)", TILING, "permuteOut has shape"),
    ("go", "expand_idx_out=ints(5)", TILING, "expandIdxOut has shape"),
    ("go", "quant_mode=1, y_out=narrow(6, 1024)", TILING, "scales is null beside quantMode 1"),
    ("go", "quant_mode=1, y_out=narrow(6, 1024), scales_optional=ones(2)", TILING,
     "scales has shape [2]"),
    ("go", "quant_mode=1, y_out=narrow(6, 1024), scales_optional=ones(3, 1024)", TILING,
     "scales has shape [3, 1024]"),
    ("go", "quant_mode=1, y_out=narrow(6, 1536), scales_optional=ones(1)", TILING,
     "yOut has shape [6, 1536], it must be [6, 1024]"),
    ("go", "quant_mode=3, y_out=narrow(6, 1536)", TILING, "yOut does not go with quantMode 3"),
    ("go", "quant_mode=3, y_out=narrow(6, 1024, dtype=E4M3)", TILING, "it must be [6, 1536]"),
    ("go", "quant_mode=3, y_out=narrow(6, 1536, dtype=E4M3), scales_optional=ones(1)", TILING,
     "scales has shape [1]"),
    ("go", "scales_optional=ones(4, 1024)", TILING, "scales go with quantMode 1 to 3"),
    ("arrive", "quant_mode=3, y=narrow(6, 1536, dtype=E4M3), dynamic_scales_out=ones(12, 9), "
     "expand_x_out=narrow(12, 1024, dtype=E4M3)", TILING, "it must be [12, 8]"),
    ("sum", "**wide(12288)", 0, ""), ("sum", "**wide(12290)", TILING, "HCCL_BUFFSIZE allows for"),
]  # fmt: skip


def _answers(
    function: str, cases: list[tuple[str, str]], chip: str, two: str = "None", **environment: str
) -> list[Any]:
    """Return statuses and reasons of calls in a process on a chip."""
    calls = ", ".join(f"{function}({name!r}, {changed})" for name, changed in cases)
    environment |= {"PYACLNN_SIM_SOC": chip, "PYTHONPATH": pathsep.join(sys.path)}
    printed = output_of(GIVEN.replace("{calls}", calls).replace("{two}", two), **environment)
    return list(json.loads(printed.splitlines()[-1]))


@pytest.mark.parametrize("chip", REFUSED)
def test_calls_of_one_rank_are_refused_as_by_cann(chip: str) -> None:
    cases = REFUSED[chip]
    answers = _answers("code", [case[:2] for case in cases], chip)

    assert [(*case[:2], code) for case, (code, _) in zip(cases, answers, strict=True)] == cases
    # What is refused with the status of the right call, which has too few ranks, is for a reason.
    reasons = [(*case[:2], reason) for case, (_, reason) in zip(cases, answers, strict=True)]
    last = {name: reason for name, changed, reason in reasons if not changed}
    assert not [case for case in reasons if case[1] and case[2] and case[2] == last.get(case[0])]


def test_the_first_phase_of_one_rank_of_two_is_refused_for_a_reason() -> None:
    both = "Communicator.all_devices([pa.Device(0), pa.Device(1)])[0]"
    answers = _answers("of_two", [case[:2] for case in OF_TWO], "Ascend910_95", two=both,
                       PYACLNN_SIM_DEVICES="2")  # fmt: skip

    seen = [
        (*case[:2], code, case[3] if case[3] in reason else reason)
        for case, (code, reason) in zip(OF_TWO, answers, strict=True)
    ]
    assert seen == OF_TWO


@pytest.mark.parametrize("table", ["[[0, 4, 0], [2, 3, 5]]", "[[3, 4, 0], [2, 3, 5]]", "ids"])
def test_copies_that_are_none_end_the_task(table: str) -> None:
    changed = "expert_ids=ints(3, 2) + 2" if table == "ids" else f"eplb_table=device({table}, 'i4')"
    ((code, _),) = _answers("code", [("spread", changed)], "Ascend910_9391")

    assert code == AICORE_EXCEPTION
