"""What is unusual in how operators refuse, and one wrong value of every attribute that has limits.

The usual codes: 161001 for null, 161002 for a wrong type, shape or attribute. Operators that CANN
generates from their kernels find wrong shapes when they divide their work, with 561002.
"""

from __future__ import annotations

from typing import Any

from operators.calls import INNER_NULL, INVALID, NULL, TILING

#: Operator and argument, or "*" for all the others of the operator.
Table = dict[tuple[str, str], int]

#: Optional arguments, and operators that look for null inside only.
NULL_CODES: Table = {
    ("convolution_backward", "bias_sizes"): 0,
    ("grouped_bias_add_grad", "group_idx_optional"): INVALID,  # gradY is then of another rank
    ("grouped_bias_add_grad_v2", "group_idx_optional"): INVALID,
    ("binary_cross_entropy_backward", "weight_optional"): 0,
    ("binary_cross_entropy_with_logits_backward", "weight_optional"): 0,
    ("binary_cross_entropy_with_logits_backward", "pos_weight_optional"): 0,
    ("binary_cross_entropy_with_logits_target_backward", "weight_optional"): 0,
    ("binary_cross_entropy_with_logits_target_backward", "pos_weight_optional"): 0,
    ("cross_entropy_loss_grad", "weight_optional"): 0,
    # Then it is the mean, and a gradient for each row does not fit.
    ("cross_entropy_loss_grad", "reduction_optional"): TILING,
    ("layer_norm_backward", "weight_optional"): 0,
    ("layer_norm_backward", "bias_optional"): 0,
    ("add_layer_norm_grad", "dsum_optional"): 0,
    ("batch_norm_backward", "weight"): 0,
    ("batch_norm_backward", "save_mean"): 0,
    ("batch_norm_backward", "save_invstd"): 0,
    ("fast_batch_norm_backward", "weight"): 0,
    ("fast_batch_norm_backward", "save_mean"): 0,
    ("fast_batch_norm_backward", "save_invstd"): 0,
    ("batch_norm_reduce_backward", "weight"): 0,
    ("batch_norm_elemt_backward", "weight"): 0,
    ("group_norm_backward", "gamma"): 0,
    ("group_norm_backward", "output_mask"): INVALID,
    ("group_norm_swish_grad", "data_format_optional"): 0,
    ("avg_pool2d_backward", "stride"): 0,
    ("circular_pad3d_backward", "*"): INNER_NULL,
    ("grid_sampler2d_backward", "output_mask"): 0,
    ("grid_sampler3d_backward", "output_mask"): 0,
    ("unfold_grad", "*"): INNER_NULL,
}

#: Results that are cast to any type, and tensors that are not read.
DTYPE_CODES: Table = {
    ("gelu_backward", "grad_input"): 0,
    ("softmax_backward", "out"): 0,
    ("log_softmax_backward", "out"): 0,
    ("adaptive_avg_pool2d_backward", "out"): INNER_NULL,
    ("log_sigmoid_backward", "buffer"): 0,
    ("batch_norm_reduce_backward", "weight"): 0,
}

SHAPE_CODES: Table = {
    ("hardtanh_backward", "out"): INNER_NULL,  # found where the result is copied
    ("log_sigmoid_backward", "buffer"): 0,
    ("chamfer_distance_backward", "grad_xyz1"): INNER_NULL,
    ("chamfer_distance_backward", "grad_xyz2"): INNER_NULL,
    ("chamfer_distance_backward", "*"): TILING,
    ("cross_entropy_loss_grad", "*"): TILING,
    ("swi_glu_grad", "*"): TILING,
    ("add_layer_norm_grad", "*"): TILING,
    ("deep_norm_grad", "*"): TILING,
    ("rms_norm_grad", "*"): TILING,
    ("group_norm_swish_grad", "*"): TILING,
    ("batch_norm_backward", "save_mean"): INNER_NULL,
    ("batch_norm_backward", "save_invstd"): INNER_NULL,
    ("batch_norm_backward", "grad_weight"): INNER_NULL,
    ("batch_norm_backward", "grad_bias"): INNER_NULL,
    ("fast_batch_norm_backward", "save_mean"): INNER_NULL,
    ("fast_batch_norm_backward", "save_invstd"): INNER_NULL,
    ("fast_batch_norm_backward", "grad_weight"): INNER_NULL,
    ("fast_batch_norm_backward", "grad_bias"): INNER_NULL,
    ("batch_norm_reduce_backward", "grad_out"): INNER_NULL,
    ("batch_norm_reduce_backward", "mean"): INNER_NULL,
    ("batch_norm_reduce_backward", "invstd"): INNER_NULL,
    ("batch_norm_reduce_backward", "weight"): 0,
    ("batch_norm_elemt_backward", "counter"): 0,  # one count for each device, however many
    ("unfold_grad", "grad_out"): TILING,
    # CANN compares their shapes and does not heed the answer.
    ("max_pool2d_with_indices_backward", "indices"): INNER_NULL,
    ("max_pool2d_with_mask_backward", "indices"): 0,
}

_NO_REDUCTION = {"reduction": (3, INVALID)}
_POOLING = {
    "kernel_size": ((0,), INVALID),
    "stride": ((0,), INVALID),
    "padding": ((-1,), INVALID),
}
_DILATED = {**_POOLING, "dilation": ((0,), INVALID)}
_SIZES = {"output_size": ((0,), INVALID), "input_size": ((0,), INVALID)}
_ONLY_INPUT = {"input_size": ((0,), INVALID), "output_size": ((8, 8, 8, 8), INVALID)}
_GRID = {"interpolation_mode": (3, INVALID), "padding_mode": (3, INVALID)}
_TOO_LARGE = (1e30, INVALID)

#: Operator to argument to a value that is refused, and the code.
WRONG_ATTRIBUTES: dict[str, dict[str, tuple[Any, int]]] = {
    "cat": {"dim": (99, INVALID)},
    "softshrink_backward": {"lambd": (-1.0, INVALID)},
    "gelu_backward_v2": {"approximate": ("erf", INVALID)},
    "leaky_relu_backward": {"negative_slope": (1j, INVALID)},
    "elu_backward": dict.fromkeys(("alpha", "scale", "input_scale"), (1j, INVALID)),
    "glu_backward": {"dim": (8, INVALID)},
    "swi_glu_grad": {"dim": (8, TILING)},
    "ge_glu_backward": {"dim": (8, INVALID), "approximate": (2, INVALID)},
    "ge_glu_v3_backward": {"dim": (8, INVALID), "approximate": (2, INVALID)},
    "convolution_backward": {
        "stride": ((0, 0, 0), INVALID), "padding": ((-5, -5, -5), INVALID),
        "dilation": ((0, 0, 0), INVALID), "output_padding": ((-5, -5, -5), INVALID),
        "groups": (0, INVALID), "output_mask": ((True, True), NULL),
        "cube_math_type": (-1, INVALID),
    },
    "conv_tbc_backward": {"pad": (-1, INVALID), "cube_math_type": (-1, INVALID)},
    "embedding_dense_backward": {"num_weights": (4, INVALID)},
    "dropout_backward": {"scale": (0.5, INVALID)},
    "grouped_bias_add_grad_v2": {"group_idx_type": (2, INVALID)},
    "mse_loss_backward": _NO_REDUCTION,
    "l1_loss_backward": _NO_REDUCTION,
    "smooth_l1_loss_backward": {**_NO_REDUCTION, "beta": (-1.0, INVALID)},
    "soft_margin_loss_backward": _NO_REDUCTION,
    "binary_cross_entropy_backward": _NO_REDUCTION,
    "binary_cross_entropy_with_logits_backward": _NO_REDUCTION,
    "binary_cross_entropy_with_logits_target_backward": _NO_REDUCTION,
    "nll_loss_backward": _NO_REDUCTION,
    "nll_loss2d_backward": _NO_REDUCTION,
    "ctc_loss_backward": {
        "input_lengths": ([99], INVALID), "target_lengths": ([99], INVALID), "blank": (-1, INVALID),
    },
    "layer_norm_backward": {
        "normalized_shape": ((7,), INVALID), "output_mask": ((True, True), INVALID),
    },
    "batch_norm_backward": {"output_mask": ((True,), INVALID)},
    "fast_batch_norm_backward": {"output_mask": ((True,), INVALID)},
    "group_norm_backward": {
        **dict.fromkeys(("n", "c", "hx_w", "group"), (0, INVALID)),
        "output_mask": ((True, True), INVALID),
    },
    "group_norm_swish_grad": {"num_groups": (0, TILING)},
    "avg_pool2d_backward": {**_POOLING, "cube_math_type": (-1, INVALID)},
    "avg_pool3d_backward": _POOLING,
    "max_pool2d_with_indices_backward": _DILATED,
    "max_pool2d_with_mask_backward": _DILATED,
    "max_pool3d_with_argmax_backward": _DILATED,
    "max_unpool2d_backward": {"output_size": ((0, 0), INVALID)},
    "max_unpool3d_backward": {
        "output_size": ((0, 0, 0), INVALID), "stride": ((0, 0, 0), INVALID),
        "padding": ((0, 0), INVALID),
    },
    **{
        f"{kind}_pad{axes}d_backward": {"padding": ((-5,) * 2 * axes, INVALID)}
        for kind in ("reflection", "replication", "circular")
        for axes in (1, 2, 3)
        if (kind, axes) != ("circular", 1)
    },
    **{
        f"upsample_{name}_backward": _SIZES
        for name in ("nearest1d", "nearest2d", "nearest3d", "linear1d", "bilinear2d", "trilinear3d",
                     "bicubic2d")
    },
    "upsample_bilinear2d_backward_v2": _SIZES,
    "upsample_nearest_exact1d_backward": {**_ONLY_INPUT, "scales": _TOO_LARGE},
    "upsample_nearest_exact2d_backward": {
        **_ONLY_INPUT, "scales_h": _TOO_LARGE, "scales_w": _TOO_LARGE,
    },
    "upsample_nearest_exact3d_backward": {
        **_SIZES, "scales_d": _TOO_LARGE, "scales_h": _TOO_LARGE, "scales_w": _TOO_LARGE,
    },
    "upsample_bilinear2d_aa_backward": {
        **_SIZES, "scales_h": _TOO_LARGE, "scales_w": _TOO_LARGE,
    },
    "upsample_bicubic2d_aa_grad": {
        **_ONLY_INPUT, "scales_h": _TOO_LARGE, "scales_w": _TOO_LARGE,
    },
    "grid_sampler2d_backward": _GRID,
    "grid_sampler3d_backward": _GRID,
    "softmax_backward": {"dim": (99, INVALID)},
    "log_softmax_backward": {"dim": (99, INVALID)},
    "im2col_backward": {
        **dict.fromkeys(("input_size", "kernel_size", "dilation", "stride"), ((0, 0), INVALID)),
        "padding": ((-1, -1), INVALID),
    },
    "unfold_grad": {
        "input_sizes": ((1, 2), INVALID), "dim": (-1, INVALID), "size": (0, INVALID),
        "step": (0, INVALID),
    },
    "roi_align_v2_backward": {
        "input_shape": ((2, 3), INVALID), "pooled_height": (0, INVALID),
        "pooled_width": (0, INVALID), "spatial_scale": (0.0, INVALID),
        "sampling_ratio": (-1, INVALID),
    },
}  # fmt: skip

_NUMBER = "any number is one to compute with"
_SCALES = "a scale that does not fit is ignored"
_Z_LOSS = "of a loss that is not supported yet, and ignored"

#: Attributes that are never refused, and why.
ANY_VALUE: dict[tuple[str, str], str] = {
    ("hardshrink_backward", "lambd"): "a negative one counts as 0",
    ("hardtanh_backward", "min"): _NUMBER,
    ("hardtanh_backward", "max"): _NUMBER,
    ("threshold_backward", "threshold"): _NUMBER,
    ("softplus_backward", "beta"): _NUMBER,
    ("softplus_backward", "threshold"): _NUMBER,
    ("logit_grad", "eps"): _NUMBER,
    ("convolution_backward", "bias_sizes"): "CANN does not look at it where there are samples",
    ("cdist_backward", "p"): "a negative one counts as infinity",
    ("embedding_dense_backward", "padding_idx"): "one that is no row is no padding",
    ("kl_div_backward", "reduction"): "an unknown one counts as none",
    ("kl_div_target_backward", "reduction"): "an unknown one counts as none",
    ("nll_loss_backward", "ignore_index"): "one that is no class ignores nothing",
    ("nll_loss2d_backward", "ignore_index"): "one that is no class ignores nothing",
    ("cross_entropy_loss_grad", "reduction_optional"): "an unknown one counts as none",
    ("cross_entropy_loss_grad", "ignore_index"): "one that is no class ignores nothing",
    ("cross_entropy_loss_grad", "label_smoothing"): _NUMBER,
    ("cross_entropy_loss_grad", "lse_square_scale_for_zloss"): _Z_LOSS,
    ("deep_norm_grad", "alpha"): _NUMBER,
    ("batch_norm_backward", "eps"): _NUMBER,
    ("fast_batch_norm_backward", "eps"): _NUMBER,
    ("fast_batch_norm_backward", "version"): "has no effect",
    ("group_norm_swish_grad", "data_format_optional"): "not looked at",
    ("group_norm_swish_grad", "swish_scale"): _NUMBER,
    ("avg_pool2d_backward", "divisor_override"): "0 is for none; before A2 it has limits",
    ("avg_pool3d_backward", "divisor_override"): "0 is for none",
    ("scaled_masked_softmax_backward", "scale"): _NUMBER,
    **{
        (f"upsample_{name}", scale): _SCALES
        for name, scales in (
            ("nearest1d_backward", ("scales",)), ("linear1d_backward", ("scales",)),
            ("nearest2d_backward", ("scales_h", "scales_w")),
            ("bilinear2d_backward", ("scales_h", "scales_w")),
            ("bilinear2d_backward_v2", ("scales_h", "scales_w")),
            ("bicubic2d_backward", ("scales_h", "scales_w")),
            ("nearest3d_backward", ("scales_d", "scales_h", "scales_w")),
            ("trilinear3d_backward", ("scales_d", "scales_h", "scales_w")),
        )
        for scale in scales
    },
    ("grid_sampler2d_backward", "output_mask"): "of another length it counts as both wanted",
    ("grid_sampler3d_backward", "output_mask"): "of another length it counts as both wanted",
}  # fmt: skip
