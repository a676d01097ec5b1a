"""Which chips and releases have an operator, and how the others refuse it.

One process for each chip answers all calls that are listed for it.
"""

from __future__ import annotations

import json
import sys
from os import pathsep

import pytest
from children import output_of
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, RUNTIME, TILING

#: What the calls are made with; of an operator its name alone is written.
GIVEN = """
    import json
    from importlib import import_module
    import numpy as np
    import pyaclnn as pa
    from operators.calls import code_of, device, ones
    from pyaclnn.tensor.formats import with_format

    x, half, wide = ones(2, 4), ones(2, 4, dtype="bfloat16"), ones(2, 8)
    plane = ones(1, 1, 2, 2, dtype="bfloat16")
    rows, w, w4 = ones(2, 1), ones(4), ones(4, 3)
    i8, i4 = pa.zeros((4, 4), "int8"), pa.zeros((4, 4), "int4")
    h, one, zero = ones(2, 4, dtype="float16"), ones(1, dtype="float16"), pa.zeros((1,), "int8")
    factors, h4 = ones(4, dtype="bfloat16"), ones(4, 4, dtype="float16")
    nd, mask = (with_format(ones(1, 1, 1, 4, dtype=d), "ND") for d in ("float32", "bool"))
    volume = device(range(24)).reshape(2, 3, 4)

    def dropout_slope(**changed):
        right = {"grad_y": ones(4, 8), "mask": ones(16, dtype="uint8"), "out": ones(4, 8)}
        return pa.ops.dropout_v3_grad(scale=2.0, **{**right, **changed})

    def instance(**changed):
        right = {"x": ones(2, 3, 4, 5), "gamma": ones(3), "beta": ones(3), "data_format": "NCHW"}
        return pa.ops.instance_norm(eps=1e-3, **{**right, **changed})

    def part_of_classes(**changed):
        right = {
            "vocab_parallel_logits": ones(3, 16), "target": pa.zeros((3,), "int32"),
            "global_logits_max": ones(3), "vocab_start_index": 0, "vocab_end_index": 16,
        }
        return pa.ops.cross_entropy_sum_exp_and_index_logit(**{**right, **changed})

    def sliced(begin, end, strides, *masks, shape):
        masks = (*masks, *(0,) * (5 - len(masks)))
        return pa.ops.strided_slice(volume, begin, end, strides, *masks, out=ones(*shape))

    def causal(**changed):
        right = {
            "x": ones(5, 64, dtype="float16"), "weight": ones(3, 64, dtype="float16"),
            "conv_states": ones(4, 2, 64, dtype="float16"),
            "query_start_loc": device([0, 2, 5], "int32"),
            "max_query_len": 3, "pad_slot_id": -1, "block_size": 128, "conv_mode": 0,
            "residual_connection": 0, "activation_mode": 0, "run_mode": 0,
            **dict.fromkeys((
                "cache_indices", "initial_state_mode", "bias", "num_accepted_tokens",
                "num_computed_tokens", "block_idx_first_scheduled_token",
                "block_idx_last_scheduled_token", "initial_state_idx",
            )),
        }
        return pa.ops.fused_causal_conv1d(**{**right, **changed})

    def indexer(**changed):
        half = {"dtype": "float16"}
        right = {
            "query": ones(1, 2, 8, 128, **half), "key": ones(1, 3, 1, 128, **half),
            "weights": ones(1, 2, 8, **half), "actual_seq_lengths_query_optional": None,
            "actual_seq_lengths_key_optional": None, "block_table_optional": None,
            "layout_query_optional": "BSND", "layout_key_optional": "BSND", "sparse_count": 2,
            "sparse_mode": 3, "pre_tokens": 2**63 - 1, "next_tokens": 2**63 - 1,
            "return_values": False,
        }
        return pa.ops.lightning_indexer(**{**right, **changed})

    def masked(x=(2, 1, 384), weight=(3, 384), mask=None, **given):
        return pa.ops.masked_causal_conv1d(
            ones(*x, dtype="float16"), ones(*weight, dtype=given.get("dtype", "float16")), mask
        )

    def confused(order, cut, first, shape, of=volume):
        return pa.ops.confusion_transpose(of, order, cut, first, out=ones(*shape))

    def swin(length=4, depth=32, **changed):
        numbers, sums = pa.zeros((1, 2, length, depth), "int8"), pa.zeros((1, length), "int32")
        half, scale = ones(1, length, dtype="float16"), pa.zeros((1, length), "uint64")
        right = {
            "query": numbers, "key": numbers, "value": numbers, "scale_quant": half,
            "scale_dequant1": scale, "scale_dequant2": pa.zeros((1, depth), "uint64"),
            "bias_quant_optional": half, "bias_dequant1_optional": sums,
            "bias_dequant2_optional": pa.zeros((1, depth), "int32"),
            "padding_mask1_optional": None, "padding_mask2_optional": None,
            "query_transpose": False, "key_transpose": False, "value_transpose": False,
            "softmax_axes": -1,
        }
        return pa.ops.swin_attention_score_quant(**{**right, **changed})

    def swin_qkv(images=1, channels=32, **changed):
        numbers = ones(channels, dtype="float16")
        right = {
            "x": ones(images, 7 * 14, channels, dtype="float16"), "gamma": numbers,
            "beta": numbers, "weight": pa.zeros((3 * channels, channels), "int8"),
            "bias": pa.zeros((3 * channels,), "int32"), "quant_scale": numbers,
            "quant_offset": numbers, "dequant_scale": pa.zeros((3 * channels,), "uint64"),
            "head_num": channels // 32, "seq_length": 32, "epsilon": 1e-4, "ori_height": 7,
            "ori_weight": 14, "h_win_size": 7, "w_win_size": 7, "weight_transpose": True,
        }
        out = tuple(ones(2 * images, channels // 32, 49, 32, dtype="float16") for _ in range(3))
        return pa.ops.swin_transformer_ln_qkv_quant(**{**right, **changed}, out=out)

    def with_results_of_test(module, operator):
        return pa.ops[operator](**import_module("operators." + module).RIGHT[operator])

    def of_test(module, operator):
        right = import_module("operators." + module).RIGHT[operator]
        return pa.ops[operator](*(right[p.name] for p in pa.ops[operator].spec.inputs))

    def newest(**changed):
        from operators.test_flash_attention import _right
        name = "flash_attention_score_v4"
        given = {**_right(name), "out_dtype": 0, "seed": 0, "offset": 0, **changed}
        return pa.ops[name](*(given[p.name] for p in pa.ops[name].spec.inputs))

    def status(call):
        name = call.partition("(")[0]
        return code_of(lambda: eval(call if name in globals() else "pa.ops." + call))
"""

CHIPS = ("Ascend910A", "Ascend310P1", "Ascend910B1", "Ascend910_95")

#: Call -> what each of these chips answers.
ON_ALL: dict[str, tuple[int, int, int, int]] = {
    "square(x)": (161002, 161002, 161002, 0),
    "xlog1py(x, x)": (561103, 561103, 561103, 0),
    "add_n([x, x])": (561003, 561003, 0, 0),
    "scale(x, x, None, 0, 2, True)": (161002, 0, 0, 0),
    "scale(half, half, None, 0, 2, True)": (161002, 161002, 0, 0),
    "moe_gating_top_k_softmax(x, None, 1)": (561003, 561003, 0, 0),
    "moe_token_unpermute(ones(2, 128), pa.zeros((2,), 'int32'))": (561003, 0, 0, 0),
    "moe_token_unpermute(None, pa.zeros((2,), 'int32'), padded_mode=True, out=x)": (
        161001, 161001, 161001, 161002,
    ),
    "moe_token_permute(x, pa.zeros((2, 1), 'int64'))": (561003, 561003, 0, 0),
    "moe_token_permute(x, pa.zeros((2, 1), 'int64'), 0, True)": (561003, 561003, 561002, 161002),
    "grouped_matmul_v3([x], [w4], *(None,) * 6, 0, -1)": (161002, 161002, 0, 0),
    "modulate(ones(2, 3, 4), x, x)": (161002, 161002, 0, 0),
    "fatrelu_mul(x, ones())": (561003, 561003, 0, 561003),
    "clipped_swiglu(x, None, 1, 1.0, 7.0, 1.0, True)": (561003, 561003, 0, 0),
    "clipped_swiglu_v2(x, None, 1, 1.0, 7.0, 1.0, True, 0)": (561003, 561003, 561003, 0),
    "clipped_swiglu_v2(x, None, 1, 1.0, 7.0, 1.0, True, 2)": (561003, 561003, 561003, 561002),
    'clipped_swiglu_v2(x, ones(8193, dtype="int64"), 1, 1.0, 7.0, 1.0, True, 0)': (
        561003, 561003, 561003, 561002,
    ),
    "clipped_swiglu_v2(x, None, 1, 1.0, 0.0, 1.0, True, 0)": (561003, 561003, 561003, 561002),
    "clipped_swiglu_grad(ones(2, 2), x, None, 1, 1.0, 7.0, 1.0, True)": (561003, 561003, 0, 0),
    "swiglu_group(x, None, None, -1.0)": (561003, 561003, 561003, 0),
    "swiglu_group(x, None, None, 0.0)": (561003, 561003, 561003, 561002),
    "swiglu_group(x, ones(3, 1), None, -1.0)": (561003, 561003, 561003, 561002),
    "swiglu_group(pa.empty((0, 4)), None, None, -1.0)": (561003, 561003, 561003, 561002),
    "swiglu_group_grad(ones(2, 2), x, None, None, None, 0.0)": (561103, 561103, 561103, 0),
    "situ_glu(x, 1, 1.0, 0.0, True)": (561003, 561003, 0, 0),
    "situ_glu_grad(ones(2, 2), x, 1, 1.0, 0.0, True)": (561003, 561003, 0, 0),
    "cdist(x, x, 1.0, 2)": (161002, 161002, 0, 0),
    "pdist(x, 1.0)": (0, 561103, 0, 561103),
    "pdist_forward(x, 1.0)": (0, 561103, 0, 561103),
    'iou(x, x, "iou", 0.0, False)': (561003, 0, 0, 0),
    'iou(half, half, "iou", 0.0, False)': (561003, 561003, 0, 0),
    "logdet(ones(2, 2))": (0, 561003, 0, 0),
    "slogdet(ones(2, 2))": (0, 0, 0, 0),
    "sign_bits_pack(ones(8), 1)": (161002, 0, 0, 161002),
    'sign_bits_unpack(ones(1, dtype="uint8"), 1, "float32")': (161002, 0, 0, 161002),
    "precision_compare(x, x)": (161002, 161002, 0, 0),
    "precision_compare(None, x)": (161002, 161002, 161001, 161001),
    "newest()": (161001, 161001, 161001, 0),
    "newest(keep_prob=0.5)": (161001, 161001, 161001, 0),
    "newest(d_scale_q_optional=ones(2, 4, 1, 1))": (161001, 161001, 161001, 161001),
    "newest(**dict.fromkeys(['query', 'key', 'value'], pa.zeros((2, 4, 3, 16), 'float8_e5m2')))": (
        161002, 161002, 161002, 161002
    ),
    "exp_segsum(ones(2, 3, 4))": (561003, 561003, 0, 561003),
    "of_test('test_convolution_deformable', 'deformable_conv2d')": (561103, 561103, 0, 0),
    "of_test('test_convolution_deformable', 'deformable_conv2d_backward')": (
        561103, 561103, 561103, 0,
    ),
    "of_test('test_sorting_tokens', 'top_k_top_p_sample')": (561003, 561003, 0, 561003),
    "of_test('test_sorting_tokens', 'top_k_top_p_sample_v2')": (561003, 561003, 0, 0),
    "of_test('test_floyd_attention', 'fused_floyd_attention')": (561003, 561003, 0, 561003),
    "of_test('test_sparse_flash_mla', 'sparse_flash_mla')": (561003, 561003, 0, 0),
    "of_test('test_sparse_flash_mla', 'sparse_flash_mla_grad')": (561003, 561003, 0, 561003),
    "of_test('test_flash_attn', 'flash_attn')": (561003, 561003, 561003, 0),
    "of_test('test_flash_attn', 'flash_attn_metadata')": (561003, 561003, 561003, 0),
    "of_test('test_indexers', 'lightning_indexer_v2')": (561003, 561003, 0, 561003),
    "of_test('test_nsa_compress', 'nsa_compress')": (561003, 561003, 0, 561003),
    "of_test('test_nsa_compress', 'nsa_compress_grad')": (561003, 561003, 0, 561003),
    "of_test('test_sparse_attention', 'nsa_selected_attention')": (561003, 561003, 0, 561003),
    "of_test('test_sparse_attention', 'block_sparse_attention')": (561003, 561003, 0, 561103),
    "of_test('test_sparse_attention', 'block_sparse_attention_grad')": (561003, 561003, 0, 0),
    "of_test('test_sparse_attention', 'rain_fusion_attention')": (561003, 561003, 0, 561003),
    "of_test('test_sparse_attention', 'sparse_flash_attention')": (561003, 561003, 0, 0),
    "of_test('test_sparse_attention', 'sparse_flash_attention_grad')": (561003, 561003, 0, 0),
    'repeat_interleave_grad(x, pa.full((1,), 2, "int64"), 1, out=ones(2, 2))': (
        561003, 561003, 561003, 0,
    ),
    'repeat_interleave_grad(x, pa.full((1,), 2, "int64"), 2, out=ones(2, 2))': (
        561003, 561003, 561003, 561002,
    ),
    'repeat_interleave_grad(x, pa.full((1,), 2, "int64"), 1, out=ones(2, 3))': (
        561003, 561003, 561003, 561002,
    ),
    'repeat_interleave_grad(x, pa.empty((0,), "int64"), 1, out=ones(2, 2))': (
        561003, 561003, 561003, 561002,
    ),
    'repeat_interleave_grad(ones(0, 4), pa.full((1,), 2, "int64"), 0, out=ones(0, 4))': (
        561003, 561003, 561003, 0,
    ),
    'repeat_interleave_grad(ones(0, 4), pa.full((1,), 2, "int64"), 0, out=ones(1, 4))': (
        561003, 561003, 561003, 561002,
    ),
    'repeat_interleave_grad(x, pa.full((1,), 2, "int64"), 0, out=ones(0, 4))': (
        561003, 561003, 561003, 561002,
    ),
    'repeat_interleave_grad(ones(1, 4), pa.full((1,), 1, "int64"), 0, out=ones(1, 4))': (
        561003, 561003, 561003, 0,
    ),
    "sinkhorn(x, None)": (561003, 561003, 0, 561003),
    "modulate_backward(ones(2, 3, 4), ones(2, 3, 4), x, x)": (561003, 561003, 0, 561003),
    "ada_layer_norm_backward(ones(3, 4), ones(3, 4), (4,), ones(3, 1), ones(3, 1), w, w, None,"
    " None)": (561003, 561003, 0, 561003),
    "r_relu_with_noise(x, x, 0.1, 0.3, True, 1, 0)": (0, 561003, 0, 561003),
    "r_relu_with_noise(half, half, 0.1, 0.3, True, 1, 0)": (161002, 161002, 0, 161002),
    'ascend_quant(x, w, None, False, "round", 2)': (161002, 0, 0, 161002),
    'ascend_quant(x, w, None, False, "round", 29)': (161002, 161002, 0, 161002),
    'ascend_quant_v3(x, w, None, False, "round", 2, -1)': (161002, 0, 0, 0),
    'ascend_quant_v3(x, ones(2), None, False, "round", 2, 0)': (161002, 161002, 0, 0),
    'ascend_quant_v3(x, w, None, False, "round", 36, -1)': (161002, 161002, 161002, 0),
    'dynamic_quant_v3(half, None, None, 2, True, "pertensor")': (561000, 561000, 561000, 0),
    "group_quant(x, ones(1, 4), pa.full((1,), 2, 'int32'), None, 2)": (161002, 161002, 0, 0),
    'dequant_bias(pa.zeros((2, 4), "int32"), w, None, None, 1)': (561003, 561003, 0, 561003),
    'quant_matmul_v3(i8, i8, pa.ones((4,), "uint64"), out=ones(4, 4, dtype="float16"))': (
        361001, 0, 0, 0,
    ),
    'quant_matmul_v3(i8, i8, pa.ones((4,), "uint64"), out=ones(4, 4, dtype="bfloat16"))': (
        361001, 161002, 161002, 0,
    ),
    'quant_matmul_v3(i4, i4, pa.ones((4,), "uint64"), out=ones(4, 4, dtype="float16"))': (
        361001, 161002, 0, 0,
    ),
    # int4 beside int8 comes in words.
    'quant_matmul_v5(i8, i4, ones(4), pa.ones((4,), "uint64"), out=h4)': (
        361001, 361001, 161002, 361001,
    ),
    "transpose_quant_batch_mat_mul(ones(2, 1, 512, dtype='float8_e5m2'),"
    " ones(1, 512, 128, dtype='float8_e5m2'), None, ones(2), ones(128), 1, 0, [1, 0, 2],"
    " [0, 1, 2], [1, 0, 2], 1)": (161002, 161002, 161002, 0),
    "transpose_quant_batch_mat_mul(ones(2, 1, 256, dtype='float8_e5m2'),"
    " ones(1, 256, 128, dtype='float8_e5m2'), None, ones(2), ones(128), 1, 0, [1, 0, 2],"
    " [0, 1, 2], [1, 0, 2], 1)": (161002, 161002, 161002, 161002),
    "quant_batch_matmul_inplace_add(ones(64, 2, dtype='float8_e5m2'),"
    " ones(64, 3, dtype='float8_e5m2'), ones(1, 2, 2, dtype='float8_e8m0fnu'),"
    " ones(1, 3, 2, dtype='float8_e8m0fnu'), ones(2, 3), True, False, 0)": (
        561003, 561003, 561003, 0,
    ),
    "quant_batch_matmul_inplace_add(ones(64, 2, dtype='float8_e5m2'),"
    " ones(64, 3, dtype='float8_e5m2'), ones(1, 2, 2, dtype='float8_e8m0fnu'),"
    " ones(1, 3, 2, dtype='float8_e8m0fnu'), ones(2, 3), True, False, 33)": (
        161002, 161002, 161002, 161002,
    ),
    "matmul_emu_split_weight(*(with_format(ones(4, 4, dtype='bfloat16'), 'ND'),) * 3, 1 / 256, 0,"
    " out=with_format(ones(4, 4), 'ND'))": (561003, 561003, 561003, 0),
    "matmul_emu_split_weight(*(with_format(ones(4, 4, dtype='bfloat16'), 'ND'),) * 3, 0.5, 0,"
    " out=with_format(ones(4, 4), 'ND'))": (161002, 161002, 161002, 161002),
    'quant_matmul_v2(i8, i8, None, pa.ones((16,), "uint64"), False, False)': (
        361001, 361001, 0, 361001,
    ),
    "quant_matmul(i8, i8, None, 0.5)": (361001, 361001, 0, 361001),
    "batch_matmul_quant(h, h, pa.ones((1,), 'uint64'), None, False, True)": (
        561003, 561003, 0, 561003,
    ),
    "quant_matmul_dequant(ones(16, 16, dtype='float16'), pa.ones((16, 16), 'int8'),"
    " ones(16), None, None, None, None, 'pertoken', True)": (161002, 0, 161002, 161002),
    "quant_matmul_dequant(ones(16, 16, dtype='float16'), pa.ones((16, 16), 'int8'),"
    " ones(16), None, ones(1), None, None, 'perchannel', True)": (161002, 561002, 161002, 161002),
    "dropout(half, 0.5, True, 3, 0)": (161002, 161002, 0, 161002),
    "complex(ones(*(1,) * 9), ones(*(1,) * 9))": (161002, 161002, 161002, 161002),
    "gather_v3(ones(2, 3), 1, pa.zeros((2, 2), 'int64'), 1, mode=0, out=ones(2, 2))": (
        161002, 161002, 161002, 0,
    ),
    "gather_v3(ones(2, 3), 1, pa.zeros((2, 2), 'int64'), 2, mode=0, out=ones(2, 2))": (
        161002, 161002, 161002, 161002,
    ),
    "gather_v3(ones(2, 3), 1, pa.zeros((2, 2), 'int64'), -1, mode=0, out=ones(2, 2))": (
        161002, 161002, 161002, 161002,
    ),
    "swi_glu_quant(x, ones(1, 2), None, None, True, 'dynamic')": (561003, 561003, 0, 0),
    "add_rms_norm_dynamic_quant(half, half, ones(4, dtype='bfloat16'), None, None, 1e-6)": (
        561003, 561003, 0, 0,
    ),
    "dynamic_mx_quant(ones(2, 32, dtype='float16'), 1, None, 36, 32, 0)": (
        561003, 561003, 561003, 0,
    ),
    "dynamic_mx_quant(ones(2, 32, dtype='float16'), 1, 'round', 36, 32, 0)": (
        561003, 561003, 561003, 561002,
    ),
    "dynamic_mx_quant(ones(2, 32, dtype='float16'), 1, None, 36, 48, 0)": (
        561003, 561003, 561003, 561002,
    ),
    "dynamic_mx_quant(ones(2, 32, dtype='float16'), 1, None, 40, 32, 1)": (
        561003, 561003, 561003, 561002,
    ),
    "dynamic_mx_quant_v2(x, -1, None, 40, 32, 2, 9.5)": (561003, 561003, 561003, 0),
    "dynamic_mx_quant_v2(x, -1, None, 40, 32, 2, 5.0)": (561003, 561003, 561003, 561002),
    "dynamic_mx_quant_v2(x, -1, None, 40, 64, 0, 0.0)": (561003, 561003, 561003, 561002),
    "dynamic_mx_quant_v3(x, -1, None, 36, 32, 0, 0.0, 1.0)": (561003, 561003, 561003, 561002),
    "dynamic_block_mx_quant(half, None, 36, 1, 0.0)": (561003, 561003, 561003, 561002),
    "dynamic_block_mx_quant(half, None, 40, 2, 8.0)": (561003, 561003, 561003, 561002),
    "dynamic_dual_level_mx_quant(half, None, None, 256, 32)": (561003, 561003, 561003, 561002),
    "dynamic_block_quant(half, 0.0, None, 2, 1, 128)": (561003, 561003, 0, 161002),
    "dynamic_block_quant(half, 0.0, None, 36, 1, 128)": (561003, 561003, 161002, 0),
    "dynamic_block_quant(half, -1.0, None, 36, 1, 128)": (561003, 561003, 161002, 561002),
    "dynamic_block_quant(half, 0.0, None, 36, 2, 128)": (561003, 561003, 161002, 561002),
    "dynamic_block_quant_v2(half, 0.0, None, 36, 1, 128, 15.0)": (
        561003, 561003, 161002, 561002,
    ),
    "grouped_dynamic_block_quant(half, pa.asarray(np.array([2], np.int32)), 0.0, None, 36, 1, "
    "128, 1)": (561003, 561003, 561003, 0),
    "grouped_dynamic_mx_quant(half, pa.asarray(np.array([2], np.int32)), 'round', 36, 32)": (
        161002, 161002, 161002, 161002,
    ),
    "grouped_dynamic_mx_quant(half, pa.asarray(np.array([2], np.int32)), 'rint', 36, 32)": (
        161002, 161002, 161002, 0,
    ),
    "quant_max(x, ones(1), 'rint', 36)": (561003, 561003, 561003, 0),
    "quant_max(x, ones(1), 'round', 36)": (161002, 161002, 161002, 161002),
    "grouped_quant_max(x, ones(2), pa.asarray(np.array([2])), 'rint', 36)": (
        561003, 561003, 561003, 561002,
    ),
    "quant_max(x, ones(2), 'rint', 36)": (161002, 161002, 161002, 161002),
    "rms_norm_dynamic_mx_quant(half, factors, None, 1e-6, 0, 'rint', 36, False)": (
        561003, 561003, 561003, 0,
    ),
    "rms_norm_dynamic_mx_quant(half, factors, None, 1e-6, 1, 'rint', 40, False)": (
        561003, 561003, 561003, 561002,
    ),
    "rms_norm_dynamic_mx_quant(half, ones(3), None, 1e-6, 0, 'rint', 36, False)": (
        561003, 561003, 561003, 561002,
    ),
    "add_layer_norm_quant(x, x, ones(4), ones(4), None, ones(4), None, None, None, 'static', 1e-5, "
    "True, True)": (161002, 161002, 161002, 0),
    "add_layer_norm_quant(x, x, ones(4), ones(4), None, ones(4), None, None, None, 'dynamic', "
    "1e-5, True, True)": (161002, 161002, 161002, 161002),
    "add_layer_norm_quant_v2(x, x, ones(4), ones(4), None, ones(4), None, None, None, 'static', "
    "1e-5, True, True)": (561003, 561003, 561003, 0),
    "add_layer_norm_quant_v2(half, half, factors, factors, None, None, None, None, None, "
    "'dynamic', 1e-5, True, True)": (161002, 161002, 161002, 0),
    "ada_layer_norm_quant(half, factors, factors, None, None, None, 1e-5, 'dynamic')": (
        561003, 561003, 0, 0,
    ),
    "ada_layer_norm_quant(half, factors, factors, None, None, None, 1e-5, 'static')": (
        161002, 161002, 161002, 161002,
    ),
    "rms_norm_dynamic_quant(half, factors, None, None, 1e-5, 2)": (561003, 561003, 0, 561003),
    "rms_norm_dynamic_quant(half, factors, None, None, 1e-5, 36)": (
        561003, 561003, 561002, 561003,
    ),
    "grouped_dynamic_mx_quant_with_dual_axis(ones(2, 64, dtype='float16'), device([2], 'int64'), "
    "'rint', 1, 36, 0.0)": (561003, 561003, 561003, 0),
    "grouped_dynamic_mx_quant_with_dual_axis(ones(2, 64, dtype='float16'), device([2], 'int64'), "
    "'rint', 0, 36, 0.0)": (561003, 561003, 561003, 561002),
    "grouped_dynamic_mx_quant_with_dual_axis(ones(2, 32, dtype='float16'), device([2], 'int64'), "
    "'rint', 1, 36, 0.0)": (561003, 561003, 561003, 561002),
    "swin(depth=16)": (561003, 561002, 561003, 561003),
    "swin(length=1025)": (561003, 561002, 561003, 561003),
    "swin()": (561003, 0, 561003, 561003),
    "swin(bias_dequant2_optional=None)": (561003, 561003, 561003, 561003),
    "swin(query_transpose=True)": (561003, 0, 561003, 561003),
    "swin(bias_dequant1_optional=None)": (561003, 561002, 561003, 561003),
    "hans_decode(x, ones(128), w, pa.zeros((256,), 'int32'), False, out=ones(2))": (
        561003, 561003, 561002, 561003,
    ),
    "hans_decode(ones(96), pa.zeros((128,)), w, pa.zeros((256,), 'int32'), False)": (
        561003, 561003, 0, 561003,
    ),
    "hans_encode(ones(16384, 2), pa.zeros((256,), 'int32'), True, False, "
    "out=(ones(24576), ones(12288), w))": (561003, 561003, 0, 561003),
    "with_results_of_test('test_mla_preprocess', 'mla_preprocess')": (561003, 561003, 0, 561003),
    "with_results_of_test('test_mla_preprocess', 'mla_preprocess_v2')": (
        561003, 561003, 0, 561003,
    ),
    "swin_qkv()": (561003, 0, 561003, 561003),
    "swin_qkv(gamma=ones(32))": (561003, 161002, 561003, 561003),
    "swin_qkv(weight_transpose=False)": (561003, 561002, 561003, 561003),
    "swin_qkv(h_win_size=1)": (561003, 561002, 561003, 561003),
    "swin_qkv(h_win_size=8)": (561003, 561002, 561003, 561003),
    "swin_qkv(w_win_size=14)": (561003, 561002, 561003, 561003),
    "swin_qkv(seq_length=16)": (561003, 561002, 561003, 561003),
    "swin_qkv(ori_height=14)": (561003, 561002, 561003, 561003),
    "swin_qkv(ori_height=14, ori_weight=7, w_win_size=14)": (561003, 561002, 561003, 561003),
    "swin_qkv(ori_height=-7, ori_weight=-14)": (561003, 561002, 561003, 561003),
    "swin_qkv(ori_height=2**62, ori_weight=2**62)": (561003, 561002, 561003, 561003),
    "swin_qkv(images=33)": (561003, 561002, 561003, 561003),
    "swin_qkv(head_num=2**62)": (561003, 561002, 561003, 561003),
    "swin_qkv(channels=1056)": (561003, 561002, 561003, 561003),
    "rms_norm_grad_quant(h, h, ones(2), w, one, None, 'static', True)": (
        561003, 561003, 561003, 0,
    ),
    "rms_norm_grad_quant(h, h, ones(3), w, one, None, 'static', True)": (
        561003, 561003, 561003, 561002,
    ),
    "rms_norm_grad_quant(h, h, ones(2), w, one, None, 'dynamic', True)": (
        561003, 561003, 561003, 561002,
    ),
    "rms_norm_grad_quant(h, h, ones(2), factors, one, None, 'static', True)": (
        561003, 561003, 561003, 561003,
    ),
    "group_norm_silu_quant(h, None, None, ones(1), 2, 1e-5, True)": (561003, 561003, 0, 561003),
    "quantized_batch_norm(pa.zeros((1, 2, 3, 4), 'int8'), ones(2), ones(2), 1.0, 0, 1.0, 0, "
    "None, None, 1e-5)": (561003, 561003, 0, 0),
    "rms_norm_quant_v3(x, ones(4), ones(1), None, None, 1e-5, True, False)": (
        561003, 561003, 561003, 0,
    ),
    "rms_norm_quant_v3(half, factors, ones(1), ones(1, dtype='float16'), None, 1e-5, True, True)": (
        561003, 561003, 561003, 561002,
    ),
    "dequant_situ_quant(half, None, None, None, None, None, None, 4.0, 0.0, True, None)": (
        561003, 561003, 0, 561003,
    ),
    "moe_init_routing_v3(h, pa.zeros((2, 1), 'int32'), None, None, 2, 0, 4, 0, 1, True, 5, [0, 4], "
    "0)": (
        561003, 561003, 561002, 561002,
    ),
    "moe_init_routing_v3(h, pa.zeros((2, 1), 'int32'), None, None, 2, 0, 4, 0, 1, True, 13, "
    "[0, 4], 0)": (
        561003, 561003, 561002, 561002,
    ),
    "moe_init_routing_v3(half, pa.zeros((2, 1), 'int32'), None, None, 2, 0, 4, 0, 1, True, 13, "
    "[0, 4], 0)": (
        561003, 561003, 561002, 0,
    ),
    "moe_init_routing_v3(half, pa.zeros((2, 1), 'int32'), ones(2, 4), None, 2, 0, 4, 0, 1, True, "
    "13, [0, 4], 0)": (
        561003, 561003, 561002, 561002,
    ),
    "dequant_situ_quant(i8, None, None, None, None, None, None, 4.0, 0.0, True, None)": (
        561003, 561003, 561002, 561003,
    ),
    "dequant_situ_quant(i8, w, None, None, ones(2), None, None, 4.0, 0.0, True, 'Static')": (
        561003, 561003, 0, 561003,
    ),
    "dequant_situ_quant(half, None, None, None, None, None, None, 0.0, 0.0, True, None)": (
        561003, 561003, 561002, 561003,
    ),
    "situ_mx_quant(half, 1.0, 0.0, True, -1, 36, None)": (561003, 561003, 561003, 0),
    "situ_mx_quant(half, -1.0, 0.0, True, -1, 36, None)": (561003, 561003, 561003, 561002),
    "situ_mx_quant(half, 1.0, 0.0, True, 1, 36, None)": (561003, 561003, 561003, 561002),
    "swiglu_group_quant_grad(half[:, :2], half, None, None, None, -1.0)": (
        561003, 561003, 561003, 0,
    ),
    "swiglu_group_quant_grad(half[:, :2], half, None, None, None, 0.0)": (
        561003, 561003, 561003, 561002,
    ),
    "dequant_swiglu_quant_v2(half, None, None, None, ones(2), None, None, True, 'dynamic', 2, "
    "None, -1, 0, 7.0, 1.0, 0.0)": (561003, 561003, 0, 0),
    "dequant_swiglu_quant_v2(half, None, None, None, ones(2), None, None, True, 'dynamic', 2, "
    "'round', -1, 0, 7.0, 1.0, 0.0)": (561003, 561003, 561002, 561002),
    "flat_quant(ones(2, 4, 8, dtype='float16'), ones(4, 4, dtype='float16'), "
    "ones(8, 8, dtype='float16'), 1.0, out=(pa.zeros((2, 4, 1), 'int32'), ones(2)))": (
        161002, 161002, 0, 0,
    ),
    "flat_quant_v2(ones(2, 4, 8, dtype='float16'), ones(4, 4, dtype='float16'), "
    "ones(8, 8, dtype='float16'), 1.0, 5.0, out=(pa.zeros((2, 4, 1), 'int32'), ones(2)))": (
        161002, 161002, 161002, 161002,
    ),
    "flat_quant(ones(2, 4, 8, dtype='float16'), ones(3, 4, dtype='float16'), "
    "ones(8, 8, dtype='float16'), 1.0, out=(pa.zeros((2, 4, 1), 'int32'), ones(2)))": (
        161002, 161002, 161002, 161002,
    ),
    "flat_quant(ones(2, 4, 8, dtype='float16'), ones(4, 4, dtype='float16'), "
    "ones(8, 8, dtype='float16'), 1.0, out=(pa.zeros((2, 4, 1), 'int32'), ones(3)))": (
        161002, 161002, 161002, 161002,
    ),
    "rotate_quant(ones(2, 128, dtype='float16'), ones(16, 16, dtype='float16'), None, -1, None, "
    "0, 0.0, False, out=(pa.zeros((2, 128), 'int8'), ones(2)))": (161002, 161002, 0, 161002),
    "rotate_quant(ones(2, 64, dtype='float16'), ones(16, 16, dtype='float16'), None, -1, None, "
    "0, 0.0, False, out=(pa.zeros((2, 64), 'int8'), ones(2)))": (161002, 161002, 561002, 161002),
    "inplace_quant_scatter(pa.zeros((2, 3, 32), 'int8'), pa.zeros((2,), 'int32'), "
    "ones(2, 1, 32, dtype='float16'), ones(32), None, -2, -1, 1)": (561003, 0, 0, 0),
    "inplace_quant_scatter(pa.zeros((2, 3, 4), 'int8'), pa.zeros((2,), 'int32'), "
    "ones(2, 1, 4, dtype='float16'), ones(4), None, -2, -1, 1)": (561003, 561002, 561002, 0),
    "inplace_quant_scatter(pa.zeros((2, 3, 32), 'int8'), pa.zeros((2,), 'int32'), "
    "ones(2, 1, 32, dtype='float16'), ones(32), None, -1, -1, 1)": (
        561003, 561002, 561002, 561002,
    ),
    "inplace_quant_scatter_v2(pa.zeros((2, 3, 4), 'int8'), pa.zeros((2,), 'int32'), "
    "ones(2, 1, 4, dtype='float16'), ones(4), None, -2, -1, 1, 'rint')": (
        161002, 161002, 161002, 0,
    ),
    "inplace_quant_scatter_v2(pa.zeros((2, 3, 4), 'int8'), pa.zeros((2,), 'int32'), "
    "ones(2, 1, 4, dtype='float16'), ones(4), None, -2, -1, 1, 'round')": (
        161002, 161002, 161002, 161002,
    ),
    "moe_token_unpermute_with_ep_grad(x, pa.zeros((2,), 'int32'), None, None, False, None, None, "
    "1)": (561003, 561003, 0, 561003),
    "moe_finalize_routing_v3(wide, pa.zeros((2,), 'int32'), None, None, None, None, "
    "pa.zeros((2, 1), 'int32'), None, None, None, None, 2, [1, 3], None, None, "
    "out=ones(2, 8))": (561003, 561002, 0, 0),
    "moe_finalize_routing_v3(wide, pa.zeros((2,), 'int32'), None, None, None, None, "
    "pa.zeros((2, 1), 'int32'), None, None, None, None, 2, [3, 1], None, None, "
    "out=ones(2, 8))": (561003, 561002, 0, 561002),
    "swiglu_mx_quant(half, None, -1, True, 0, 0.0, 0.0, 0.0, 0, -1, 36, None, 0, 0.0)": (
        561003, 561003, 561003, 0,
    ),
    "swiglu_mx_quant(half, None, 0, True, 0, 0.0, 0.0, 0.0, 0, -1, 36, None, 0, 0.0)": (
        561003, 561003, 561003, 561002,
    ),
    "swiglu_mx_quant(half, None, -1, True, 1, 0.0, 0.0, 0.0, 0, -1, 36, None, 0, 0.0)": (
        561003, 561003, 561003, 561002,
    ),
    "swiglu_mx_quant(half, None, -1, True, 0, 0.0, 0.0, 0.0, 0, -1, 36, None, 2, 0.0)": (
        561003, 561003, 561003, 0,
    ),
    "swiglu_backward_mx_quant_with_dual_axis(half, half[:, :2], None, True, None, 1, 36, 0.0)": (
        561003, 561003, 561003, 561002,
    ),
    **{
        f"swiglu_backward_mx_quant_with_dual_axis(*(ones({shape}, n, dtype='float16')"
        " for n in (64, 32)), None, True, None, 1, 36, 0.0)": (561003, 561003, 561003, expected)
        for shape, expected in (("1, 1, 1, 1, 2", 0), ("1, 1, 1, 1, 1, 2", 561002))
    },
    "swiglu_mx_quant_with_dual_axis(half, None, True, None, 2, 36, 0.0)": (
        561003, 561003, 561003, 561002,
    ),
    "rms_norm_quant(h, h[0], h[0], one, zero, 1e-6)": (
        161002, 0, 0, 0,
    ),
    "rms_norm_quant(h, h[0], h[0], one, zero, 0.0)": (
        161002, 561002, 561002, 0,
    ),
    "layer_norm_quant(h, h[0], h[0], one, zero)": (
        561003, 0, 0, 0,
    ),
    "layer_norm_quant(h, h[0], h[0], one, zero, 1)": (
        161002, 161002, 161002, 161002,
    ),
    "gelu_quant(x, ones(4), None, 'none', 'static', 'rint', 2)": (161002, 161002, 161002, 0),
    "gelu_quant(x, None, None, 'none', 'static', 'rint', 2)": (161002, 161002, 161002, 161001),
    "gelu_quant(x, None, ones(4), 'none', 'dynamic', 'rint', 2)": (
        161002, 161002, 161002, 161002,
    ),
    "gelu_quant(x, ones(3), None, 'none', 'static', 'rint', 2)": (
        161002, 161002, 161002, 561002,
    ),
    "dequant_swiglu_quant(half, None, None, None, None, None, None, True, 'dynamic')": (
        561003, 561003, 0, 0,
    ),
    "lstm(ones(2, 1, 3), [ones(4, 3), ones(4, 1)], None, None, False, 1, 0.0, False, False, False)"
    "": (0, 0, 0, 561003),
    "gru(ones(2, 1, 3), [ones(3, 3), ones(3, 1)], None, None, False, 1, 0.0, False, False, False)"
    "": (561003, 561003, 0, 561003),
    "thnn_fused_lstm_cell(ones(2, 4), ones(2, 4), rows, None, None)": (561003, 561003, 0, 561003),
    "thnn_fused_lstm_cell_backward(rows, rows, rows, rows, ones(2, 4), True)": (
        561003, 561003, 0, 561003,
    ),
    "bidirection_lstm(*(ones(*s, dtype='float16') for s in ((2, 1, 3), (1, 1, 1), (1, 1, 1), "
    "(4, 3), (4, 1))), *(None,) * 6, 1, False, False, False)": (561003, 0, 561003, 561003),
    "mhc_post(ones(2, 4, 8, dtype='float16'), ones(2, 4, 4), ones(2, 8, dtype='float16'), "
    "ones(2, 4))": (561003, 561003, 0, 0),
    "mhc_sinkhorn(ones(2, 4, 4), 1e-6, 20)": (561003, 561003, 561003, 0),
    "fused_linear_online_max_sum(half, half, pa.zeros((2,), 'int32'), 0, 1)": (
        561003, 561003, 0, 0,
    ),
    "fused_cross_entropy_loss_with_max_sum(w, w, w, 0.0, None, None, None)": (
        561003, 561003, 0, 561003,
    ),
    "expand_into_jagged_permute(*(pa.zeros((n,), 'int32') for n in (1, 2, 2)), 0)": (
        561003, 561003, 0, 561003,
    ),
    "sleep((1,))": (561003, 561003, 561003, 0),
    "sleep(())": (561003, 561003, 561003, 561002),
    "sleep((-(2**63), 5))": (561003, 561003, 561003, 561002),
}  # fmt: skip

_FIRST, _310P, _950 = "Ascend910A", "Ascend310P3", "Ascend910_95"
_950_BEFORE = f"{_950} 9.0"
_BEFORE_8_5 = "Ascend910B1 8.1"

#: Call -> what some chips answer, in CANN 9.1 unless another release is named.
ON_SOME: dict[str, dict[str, int]] = {
    # Activations.
    "fast_gelu_backward(x, x)": {_BEFORE_8_5: NO_KERNEL, _FIRST: INVALID},
    "silu_backward(half, half)": {_FIRST: INVALID},
    "silu_backward(w, x)": {_950: 0},
    'silu_backward(ones(2, 4, dtype="float16"), x, out=x)': {_950: 0},
    'silu_backward(ones(2, 4, dtype="float16"), x, out=ones(2, 4, dtype="float16"))': {
        _950: INVALID
    },
    "glu_backward(half, half, 0)": {_FIRST: INVALID},
    "logit_grad(x, x, -1.0)": {_FIRST: NO_KERNEL},
    "swi_glu_grad(x, wide, 1)": {_FIRST: NO_KERNEL},
    # On the 310P, rows of whole blocks.
    "swi_glu_grad(ones(2, 16), ones(2, 32), -1)": {_310P: 0},
    "swi_glu_grad(ones(2, 4), ones(2, 8), -1)": {_310P: TILING},
    "ge_glu_backward(x, wide, x, 1, 1)": {_FIRST: NO_KERNEL, _310P: 0},
    "ge_glu_backward(x, wide, x, 1, 0)": {_310P: NO_KERNEL},
    "scaled_masked_softmax_backward(nd, nd, mask, 1.0, False, out=nd)": {_FIRST: NO_KERNEL},
    # Normalisations.
    "add_layer_norm_grad(x, x, x, rows, rows, w, None)": {
        _FIRST: NO_KERNEL, _310P: 0, "Ascend950": 0,
    },
    "deep_norm_grad(x, x, x, w, rows, rows, 1.0)": {_FIRST: NO_KERNEL, "Ascend950": NO_KERNEL},
    "rms_norm_grad(wide, wide, ones(2), ones(8))": {_FIRST: 0, _310P: 0},
    'group_norm_swish_grad(x, rows, rows, x, w, w, 1, "NCHW", 1.0, True, True)': {
        _310P: NO_KERNEL, "Ascend910_9391": 0,
    },
    "batch_norm_backward(half, half, *(None,) * 5, True, 1e-5, (True, False, False))": {
        _FIRST: INVALID, _310P: INVALID,
    },
    "fast_batch_norm_backward(x, x, *(None,) * 5, True, 1e-5, (True, False, False), 0)": {
        _BEFORE_8_5: NO_KERNEL
    },
    "instance()": {_310P: 0},
    "instance(data_format='NHWC')": {_310P: INVALID},
    "instance(data_format='ND')": {_310P: INVALID},
    "instance(x=ones(2, 3, 4))": {_310P: INVALID},
    "instance(gamma=ones(4))": {_310P: INVALID},
    "instance(x=ones(0, 3, 4, 5))": {_310P: 0},
    # Losses and masks.
    "kl_div_target_backward(x, x, x, 0, False)": {"Ascend910_9391": 0, _950: 0},
    "binary_cross_entropy_with_logits_target_backward(x, x, x, None, None, 0)": {_FIRST: 0},
    "binary_cross_entropy_with_logits_target_backward(half, half, half, None, None, 0)": {
        _FIRST: INNER_NULL, _950: 0,
    },
    "cross_entropy_loss_grad(ones(2), x, ones(2, dtype='int32'), None, None, None, 'none', -100,"
    " 0.0, 0.0)": {"Ascend910B1": INVALID, _950: 0},
    "part_of_classes()": {_950: 0},
    "part_of_classes(target=pa.zeros((3,), 'int64'))": {_950: INVALID},
    "part_of_classes(vocab_end_index=15)": {_950: TILING},
    "part_of_classes(vocab_start_index=-8, vocab_end_index=8)": {_950: TILING},
    "part_of_classes(global_logits_max=ones(4))": {_950: TILING},
    "part_of_classes(vocab_parallel_logits=ones(3, 12))": {_950: TILING},
    "part_of_classes(vocab_start_index=2**63 - 8, vocab_end_index=-(2**63) + 8)": {_950: TILING},
    "dropout_slope()": {_950: 0},
    "dropout_slope(grad_y=None)": {_950: NULL, "Ascend950": NULL},
    "dropout_slope(mask=None)": {_950: NULL},
    "dropout_slope(grad_y=ones(4, 8, dtype='uint16'))": {_950: INVALID},
    "dropout_slope(mask=ones(16))": {_950: INVALID},
    "dropout_slope(out=ones(4, 8, dtype='uint16'))": {_950: INVALID},
    "dropout_slope(mask=ones(17, dtype='uint8'))": {_950: INVALID},
    "dropout_slope(out=ones(8, 4))": {_950: INVALID},
    "sim_thread_exponential(w, 4, 1.0, 1, 0)": {_950: 0, _950_BEFORE: NO_KERNEL},
    "of_test('test_quant_flash_attention', 'quant_flash_attention_score')": {
        "Ascend910_95 9.0": 0, "Ascend910B1 9.0": NULL, "Ascend910_95": NO_KERNEL,
    },
    "of_test('test_sorting_tokens', 'top_k_top_p_sample_v2')": {
        "Ascend910_95 9.0": NO_KERNEL, "Ascend910B1 9.0": 0,
    },
    # Images.
    "adaptive_max_pool2d_backward(ones(1, 1, 2, 2), ones(1, 1, 4, 4),"
    " ones(1, 1, 2, 2, dtype='int32'))": {"Ascend910_9391": 0, _950: NO_KERNEL, _FIRST: INVALID},
    "adaptive_max_pool2d_backward(*[ones(1, 1, 1)] * 2, ones(1, 1, 1, dtype='int32'))": {
        _BEFORE_8_5: NO_KERNEL
    },
    "avg_pool2d_backward(ones(1, 1, 2, 2), ones(1, 1, 3, 3), (2,), (2,), (0,), True, True, 0, 0)": {
        _FIRST: INVALID  # float32 needs leave to be rounded
    },
    "avg_pool2d_backward(*(ones(1, 1, n, n, dtype='float16') for n in (2, 3)), (2,), (2,), (0,),"
    " True, True, 256, 0)": {_FIRST: INVALID},
    "avg_pool3d_backward(*(ones(1, n, n, n, dtype='float16') for n in (1, 2)), (2,), (), (0,),"
    " False, True, 0)": {_310P: INVALID},
    "max_pool2d_with_mask(ones(1, 1, 5, 5), (2,), (1,), (0,), (1,), False)": {_950: INVALID},
    "circular_pad2d_backward(ones(1, 4, 4), ones(1, 2, 2), (1, 1, 1, 1))": {_FIRST: INNER_NULL},
    "reflection_pad2d_backward(*(ones(1, n, n, dtype='bfloat16') for n in (4, 2)), (1, 1, 1, 1))": {
        _FIRST: INNER_NULL
    },
    "grid_sampler2d_backward(plane, plane, plane, 0, 0, False, (True, True))": {_FIRST: INVALID},
    "upsample_nearest2d_backward(ones(1, 1, 8, 8, dtype='bfloat16'), (8, 8), (1, 1, 4, 4), 0, 0)": {
        _FIRST: INVALID
    },
    "upsample_linear1d_backward(ones(1, 8, 8, dtype='float16'), (8,), (1, 8, 4), False, 0)": {
        _310P: INVALID
    },
    "max_pool3d_with_argmax(ones(1, 1, 2, 2, 2), (1,), (), (0,), (0,), False)": {
        _FIRST: INVALID, "Ascend910B1": INVALID, _950: TILING,
    },
    "upsample_nearest_exact1d(ones(1, 8, 8, dtype='bfloat16'), (8,), 0.0)": {
        _FIRST: NO_KERNEL, _310P: NO_KERNEL, _950: 0,
    },
    "upsample_nearest_exact1d_backward(ones(1, 8, 8, dtype='float16'), (8,), (1, 8, 4), 0)": {
        _FIRST: NO_KERNEL
    },
    "im2col_backward(ones(1, 4), (2, 2), (1, 1), (1, 1), (0, 0), (1, 1))": {
        _FIRST: NO_KERNEL, "Ascend950": 0,
    },
    "unfold_grad(ones(2, 2), (4,), 0, 2, 2)": {
        _FIRST: NO_KERNEL, _950: 0, _950_BEFORE: NO_KERNEL, _BEFORE_8_5: NO_KERNEL,
    },
    "roi_align_v2_backward(ones(1, 1, 1, 1), ones(1, 5), (1, 1, 2, 2), 1, 1, 1.0, 1, False)": {
        _FIRST: 0, "Ascend950": 0, _310P: NO_KERNEL,
    },
    "convolution(ones(1, 1, 1, 1), ones(1, 1, 1, 1), None, (1, 1), (0, 0), (1, 1), False, None, 1,"
    " 0)": {_FIRST: INVALID},  # float32 needs leave to be rounded
    "convolution(*[ones(1, 1, 1, 1, 1)] * 2, None, *((n,) * 3 for n in (1, 0, 1)), False, None, 1,"
    " 1)": {_FIRST: RUNTIME},
    # The 310P makes a plane of what is one thick.
    "convolution(ones(1, 1, 1, 4, 4), ones(1, 1, 1, 3, 3), None, (1, 1, 1), (0, 1, 1), (1, 1, 1),"
    " False, None, 1, 1)": {_310P: 0},
    "convolution(ones(1, 1, 1, 4, 4), ones(1, 1, 1, 3, 3), None, (1, 1, 1), (1, 0, 0), (1, 1, 1),"
    " False, None, 1, 1)": {_310P: RUNTIME},
    "convolution(ones(1, 1, 2, 4, 4), ones(1, 1, 1, 3, 3), None, (1, 1, 1), (0, 1, 1), (1, 1, 1),"
    " False, None, 1, 1)": {_310P: RUNTIME},
    "convolution(ones(1, 1, 2, 4, 4), ones(1, 1, 2, 3, 3), None, (1, 1, 1), (0, 1, 1), (1, 1, 1),"
    " False, None, 1, 1)": {_310P: RUNTIME},
    "conv_tbc(ones(5, 1, 1, dtype='float16'), ones(1, 1, 1, dtype='float16'), one, -1, 0,"
    " out=ones(3, 1, 1, dtype='float16'))": {_FIRST: RUNTIME},
    "clamp_tensor(pa.zeros((2, 4), 'int32'), x, x, out=pa.zeros((2, 4), 'int32'))": {
        _FIRST: INVALID, _950: INVALID,
    },
    # Types and dimensions that one check alone refuses.
    **{
        f"swiglu_group_grad(ones(2, 4, dtype='{d}'), ones(2, 8, dtype='{d}'), None, None, None,"
        f" 0.0, out=(ones(2, 8, dtype='{d}'), None))": {_950: status}
        for d, status in (("float32", 0), ("int32", INVALID), ("float64", INVALID))
    },
    **{
        f"quant_matmul_v4(pa.zeros((4, 8), '{a}'), pa.zeros((8, 4), '{b}'), w, None, None, None,"
        " out=ones(4, 4, dtype='bfloat16'))": {_FIRST: INVALID, _310P: INVALID, _950: INVALID}
        for a, b in (("int8", "int4"), ("int4", "int8"))
    },
    **{
        f"group_norm_swish_grad(*[ones(*{shape}) if n in (0, 3) else ones(1, 1) if n < 3 else"
        " ones(1) for n in range(6)], 1, 'NCHW', 1.0, True, True,"
        f" out=(ones(*{shape}), ones(1), ones(1)))": {_950: status, "Ascend910B1": status}
        for shape, status in (((1,), TILING), ((1,) * 9, TILING), ((1,) * 8, 0))
    },
    # Numbers, and how they lie.
    "nan_to_num(x, 0.0, 1.0, -1.0)": {_FIRST: INVALID},
    "heaviside(x, x)": {_FIRST: NO_KERNEL, _310P: NO_KERNEL, _950: 0, "Ascend910B1": 0},
    "heaviside(x, one)": {_950: NO_KERNEL, "Ascend910B1": NO_KERNEL},
    "trans_quant_param_v2(ones(8), None)": {_FIRST: NO_KERNEL, _310P: 0, _950: 0},
    "adaptive_avg_pool3d(ones(1, 2, 2, 2), (1, 1, 2))": {_FIRST: NO_KERNEL, _310P: 0, _950: 0},
    "adaptive_avg_pool3d(ones(1, 2, 2, 2), (1, 1, 1))": {_FIRST: 0},
    "fake_quant_per_tensor_affine_cachemask(x, ones(1), ones(1, dtype='int32'), 1.0, 0, 9)": {
        _FIRST: NO_KERNEL, _310P: NO_KERNEL, _950: 0, _950_BEFORE: NO_KERNEL, "Ascend910B1": 0,
    },
    "fake_quant_per_tensor_affine_cachemask(x, ones(1), ones(1, dtype='int32'), 0.0, 0, 9)": {
        _FIRST: 0, _310P: 0, _950_BEFORE: 0,
    },
    "angle_v2(x)": {"Ascend310P1": NO_KERNEL, _950: 0, _950_BEFORE: NO_KERNEL},
    "is_inf(x)": {_FIRST: NO_KERNEL},
    "reduce_nansum(x, (), False, 'float32')": {_950: 0, _950_BEFORE: INVALID},
    "slogdet(ones(2, 2))": {_950_BEFORE: NO_KERNEL},
    "clipped_swiglu(x, None, 1, 1.0, 7.0, 1.0, True)": {_950_BEFORE: NO_KERNEL},
    "cdist_backward(*[ones(2, 2)] * 4, 2.0)": {
        _FIRST: NO_KERNEL, _950: 0, _950_BEFORE: NO_KERNEL,
    },
    "cdist_backward(*[ones(2, 2, dtype='bfloat16')] * 4, 2.0)": {
        _950: NO_KERNEL, "Ascend910B1": 0,
    },
    "softplus(ones(2, dtype='bfloat16'), 1.0, 20.0)": {
        _FIRST: INVALID, _950: 0, _950_BEFORE: INVALID, "Ascend910B1": 0,
    },
    "gcd(ones(2, dtype='int64'), ones(2, dtype='int64'))": {_FIRST: INVALID},
    "pow_tensor_scalar(ones(2, dtype='int32'), -1)": {_950: INVALID, "Ascend910B1": 0},
    "rotary_position_embedding(*[ones(2, 3, 4, 8)] * 3, 0)": {_310P: TILING},
    "rotary_position_embedding(*[ones(2, 3, 4, 32)] * 3, 0)": {_310P: 0, _310P + " 8.5": NO_KERNEL},
    "fused_matmul(with_format(ones(2, 3, 4, dtype='float16'), 'NCL'),"
    " ones(2, 4, 5, dtype='float16'), None, None, 'relu', 1)": {_950: INVALID},
    "indexer()": {_FIRST: NO_KERNEL, _310P: NO_KERNEL, "Ascend910B1": 0, _950: 0},
    "indexer(weights=ones(1, 2, 8))": {"Ascend910B1": 0, _950: INVALID},
    "masked()": {_FIRST: NO_KERNEL, "Ascend910B1": NO_KERNEL, _950: 0},
    "masked(mask=pa.zeros((1, 2), 'bool'))": {_950: 0},
    "masked(mask=pa.zeros((2, 1), 'bool'))": {_950: TILING},
    "masked(mask=ones(1, 2))": {_950: INVALID},
    "masked(dtype='bfloat16')": {_950: INVALID},
    "masked(x=(2, 1, 320), weight=(3, 320))": {_950: TILING},
    "masked(x=(2, 0, 384))": {_950: TILING},
    "masked(x=(2, 384))": {_950: TILING},
    "masked(weight=(4, 384))": {_950: TILING},
    # A number is a row of one element, which A2 has no rows of.
    "inplace_quant_scatter(pa.zeros((2, 3, 2, 1), 'int8'), pa.zeros((2,), 'int32'),"
    " ones(2, 3, 1, 1, dtype='bfloat16'), ones(dtype='bfloat16'), None, -2, -1, reduction=1)": {
        "Ascend910B1": TILING, _950: 0,
    },
    "causal()": {_FIRST: NO_KERNEL, "Ascend910B1": NO_KERNEL, _950: 0},
    "causal(weight=None)": {_950: NULL},
    "causal(query_start_loc=None)": {_950: TILING},
    "causal(query_start_loc=device([0, 2, 5], 'int64'))": {_950: TILING},
    # What the device says lies outside of the rows and lines is left out.
    "causal(query_start_loc=device([0, 2**31 - 1, -5], 'int32'))": {_950: 0},
    "causal(cache_indices=device([9, -7], 'int32'))": {_950: 0},
    "causal(cache_indices=device([0, 1, 2], 'int32'))": {_950: TILING},
    "causal(cache_indices=pa.zeros((2, 3), 'int32'))": {_950: TILING},
    "causal(conv_mode=1)": {_950: TILING},
    "causal(conv_mode=1, num_computed_tokens=device([-3, 0], 'int32'))": {_950: 0},
    "causal(num_accepted_tokens=device([99, -99], 'int32'))": {_950: 0},
    "causal(num_accepted_tokens=device([1, 1], 'int64'))": {_950: TILING},
    "causal(max_query_len=-1)": {_950: TILING},
    "causal(max_query_len=9)": {_950: 0},
    "causal(weight=ones(4, 64, dtype='float16'))": {_950: TILING},
    "causal(conv_states=ones(4, 1, 64, dtype='float16'))": {_950: TILING},
    "causal(x=ones(5, 72, dtype='float16'))": {_950: TILING},
    "causal(x=ones(5, 64))": {_950: TILING},
    "causal(x=ones(2, 9, 64, dtype='float16'))": {_950: TILING},
    "cat([half, half], 0)": {_FIRST: INVALID},
    "chunk_cat([ones(4, 2)], 0, 2)": {
        _FIRST: INVALID, "Ascend310P1": INVALID, _950: 0, "Ascend910_95 9.0": INNER_NULL,
    },
    "sliced([0], [2], [1], shape=(2, 3, 4))": {_950: 0},
    "sliced([0], [2], [1, 1], shape=(2, 3, 4))": {_950: INVALID},
    "sliced([0], [2], [0], shape=(2, 3, 4))": {_950: INVALID},
    "sliced([0, 0], [1, 1], [1, 1], 0, 0, 3, shape=(2, 3, 4))": {_950: INVALID},
    "sliced([0], [1], [-1], 0, 0, 0, 0, 1, shape=(3, 4))": {_950: INVALID},
    "sliced([2], [3], [1], 0, 0, 0, 0, 1, shape=(3, 4))": {_950: INNER_NULL},
    "sliced([0] * 4, [1] * 4, [1] * 4, shape=(1, 1, 1))": {_950: INNER_NULL},
    "sliced([0] * 70, [1] * 70, [1] * 70, shape=(1, 1, 1))": {_950: INNER_NULL},
    "sliced([0], [1], [1], shape=(2, 3, 4))": {_950: INVALID},
    "sliced([-(2**63)], [2**63 - 1], [2**63 - 1], shape=(1, 3, 4))": {_950: 0},
    "sliced([2**63 - 1], [-(2**63)], [-(2**63)], shape=(1, 3, 4))": {_950: 0},
    "confused([2, 0, 1], [24], True, (24,))": {_950: 0},
    "confused([2, 0], [24], True, (24,))": {_950: INNER_NULL},
    "confused([2, 0, 0], [24], True, (24,))": {_950: INNER_NULL},
    "confused([2, 0, -1], [24], True, (24,))": {_950: INNER_NULL},
    "confused([2, 0, 1], [25], True, (24,))": {_950: INNER_NULL},
    "confused([2, 0, 1], [-4, -6], True, (4, 6))": {_950: INNER_NULL},
    "confused([1, 0], [4, 6], False, (6, 4))": {_950: 0},
    "confused([1, 0], [4, 6], False, (4, 6))": {_950: INNER_NULL},
    "confused([1, 0], [4, 6], False, (6, 4), ones(*[1] * 8, 24))": {_950: INNER_NULL},
    "confused([0, *range(8, 0, -1)], [*[1] * 8, 24], False, (1, 24, *[1] * 7))": {_950: INNER_NULL},
}  # fmt: skip

#: Chip and, if it is another one, release -> call -> its status.
EXPECTED: dict[str, dict[str, int]] = {chip: {} for chip in CHIPS}
for _call, _answers in ON_ALL.items():
    for _chip, _answer in zip(CHIPS, _answers, strict=True):
        EXPECTED[_chip][_call] = _answer
for _call, _some in ON_SOME.items():
    for _chip, _answer in _some.items():
        EXPECTED.setdefault(_chip, {})[_call] = _answer


@pytest.mark.parametrize("chip", EXPECTED)
def test_the_chip_decides(chip: str) -> None:
    soc, _, release = chip.partition(" ")
    calls = EXPECTED[chip]
    program = f"{GIVEN}\n    print(json.dumps([status(call) for call in {[*calls]}]))"
    printed = output_of(
        program, PYACLNN_SIM_SOC=soc, PYACLNN_SIM_CANN=release or "9.1",
        PYTHONPATH=pathsep.join(sys.path),
    )  # fmt: skip

    assert dict(zip(calls, json.loads(printed), strict=True)) == calls
