// The formulas of element-wise operators, by name.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim::formulas {

// arithmetic.cpp
extern const PointwiseFormula add, add_scalar, mul, mul_scalar, relu, exp, fill, sub, sub_scalar,
    rsub, rsub_scalar, div, div_scalar, maximum, minimum, addcmul, addcdiv, lerp, lerp_scalar,
    addcmul_tensors, addcdiv_tensors;

// comparison.cpp
extern const PointwiseFormula equal, equal_scalar, not_equal, not_equal_scalar, greater,
    greater_scalar, greater_equal, greater_equal_scalar, less, less_scalar, less_equal,
    less_equal_scalar, logical_and, logical_or, logical_xor, bitwise_and, bitwise_or, bitwise_xor,
    bitwise_and_scalar, bitwise_or_scalar, bitwise_xor_scalar;

// activation.cpp
extern const PointwiseFormula elu, leaky_relu, mish, threshold, hardswish, hardsigmoid, silu, gelu,
    softplus, sigmoid, tanh, clamp, clamp_tensor, clamp_min, clamp_max;

extern const PointwiseFormula gelu_tanh, fast_gelu, swish, log_sigmoid, celu, selu, squared_relu,
    add_relu, hardshrink, softshrink, shrink;

// ../activation/gradients.cpp
extern const PointwiseFormula elu_backward, elu_backward_of_result, gelu_backward,
    gelu_tanh_backward, hardsigmoid_backward, hardswish_backward, hardswish_backward_950,
    hardswish_backward_one_for_nan, hardswish_backward_v2, hardtanh_backward, leaky_relu_backward,
    log_sigmoid_backward, mish_backward, relu_backward_by_mask, selu_backward, selu_backward_950,
    shrink_backward, sigmoid_backward, softplus_backward, swish_backward, tanh_backward,
    threshold_backward, threshold_backward_above;

// gated.cpp
extern const PointwiseFormula glu, swi_glu, gelu_mul, gelu_tanh_mul, prelu;

// ../loss/reduced.cpp
extern const PointwiseFormula mse_loss, l1_loss, smooth_l1_loss, soft_margin_loss, kl_div,
    binary_cross_entropy, binary_cross_entropy_with_logits;

// special.cpp
extern const PointwiseFormula erfinv, digamma, lgamma, log_add_exp, log_add_exp2, xlogy,
    xlogy_scalar, xlogy_of_scalar, nan_to_num, round_decimals, is_close, polar, angle,
    add_of_scalar, logit, heaviside;

// bits.cpp
extern const PointwiseFormula left_shift, left_shift_scalar, right_shift, unsigned_right_shift, gcd;

// elementary.cpp
extern const PointwiseFormula cosh, exp2, expm1, log, log10, log1p, log2, sinh, sqrt, rsqrt,
    reciprocal, erf, erfc;

// trigonometry.cpp
extern const PointwiseFormula acos, acosh, asin, asinh, atan, atanh, cos, sin, tan, sinc;

// rounding.cpp
extern const PointwiseFormula absolute, bitwise_not, ceil, floor, frac, round, trunc, neg, sign,
    is_finite, is_negative, is_positive_infinity, is_negative_infinity, logical_not, round_off,
    round_off_scalar;

// division.cpp
extern const PointwiseFormula floor_div, floor_div_scalar, fmod, fmod_scalar, remainder,
    remainder_scalar, remainder_of_scalar, div_mode, div_mode_scalar;

// power.cpp
extern const PointwiseFormula power, power_scalar, power_of_scalar, atan2;

// selection.cpp
extern const PointwiseFormula where, where_scalar;

}  // namespace pyaclnn::sim::formulas
