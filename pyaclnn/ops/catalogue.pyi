"""Every operator that headers/ declares; written by tools/write_stubs.py."""

from collections.abc import Sequence
from typing import Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pyaclnn.ops.namespace import OperatorNamespace
from pyaclnn.ops.operator import Operator
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor

_Tensors: TypeAlias = Sequence[Tensor | None]
_Output: TypeAlias = Tensor | Literal[False] | None
_Outputs: TypeAlias = Sequence[_Output]
_Results: TypeAlias = Sequence[_Output | _Tensors]
_Scalar: TypeAlias = complex | np.generic
_Scalars: TypeAlias = Sequence[complex | np.generic] | NDArray[np.generic]
_Ints: TypeAlias = Sequence[int] | NDArray[np.integer]
_Floats: TypeAlias = Sequence[float] | NDArray[np.floating]
_Bools: TypeAlias = Sequence[bool] | NDArray[np.bool_]

class _Named(Protocol):
    @property
    def __aclnn_text__(self) -> str:
        """The name of a communicator, which stands for it."""

_Group: TypeAlias = str | _Named

class _Abs(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = |self|.

        aclnnAbs of aclnnop/aclnn_abs.h."""

class _Acos(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = arc cosine of the input.

        aclnnAcos of aclnnop/aclnn_acos.h."""

class _Acosh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = inverse hyperbolic cosine of the input.

        aclnnAcosh of aclnnop/aclnn_acosh.h."""

class _AdaLayerNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, shift: Tensor | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        epsilon: SupportsFloat = 1e-05, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = layerNorm(x) * (1 + scale) + shift.

        aclnnAdaLayerNorm of aclnnop/aclnn_ada_layer_norm.h; since CANN 9.0."""

class _AdaLayerNormBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, normalized_shape: _Ints | None,
        rstd: Tensor | None, mean: Tensor | None, scale: Tensor | None, shift: Tensor | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        out: _Outputs | None = None, grad_input_out: _Output = None, grad_scale_out: _Output = None,
        grad_shift_out: _Output = None, grad_weight_out: _Output = None,
        grad_bias_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Five gradients of layerNorm(input) * (1 + scale) + shift: gradInputOut, gradScaleOut
        and gradShiftOut, and gradWeightOut and gradBiasOut by the parameters of the
        normalisation.

        aclnnAdaLayerNormBackward of aclnnop/aclnn_ada_layer_norm_backward.h; since CANN 9.0."""

class _AdaLayerNormQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, shift: Tensor | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        smooth_scales_optional: Tensor | None = None, epsilon: SupportsFloat = 1e-05, *,
        quant_mode: str | None, out: _Outputs | None = None, quant_scale: _Output = None,
        quant_offset_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """out = layerNorm(x) * (1 + scale) + shift, quantised to int8 with a scale for each row.

        aclnnAdaLayerNormQuant of aclnnop/aclnn_ada_layer_norm_quant.h; since CANN 9.0."""

class _AdaLayerNormV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, shift: Tensor | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        epsilon: SupportsFloat = 1e-05, *, out: _Outputs | None = None,
        mean_out_optional: _Output = None, rstd_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """out = layerNorm(x) * (1 + scale) + shift.

        aclnnAdaLayerNormV2 of aclnnop/aclnn_ada_layer_norm_v2.h; since CANN 9.0."""

class _AdaptiveAvgPool2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Mean over windows chosen so that the output has the two lengths of outputSize.

        aclnnAdaptiveAvgPool2d of aclnnop/aclnn_adaptive_avg_pool2d.h."""

class _AdaptiveAvgPool2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out: each gradient is divided by the size of its window and added to all places of the
        window; window i of o over n reaches from floor(i * n / o) to ceil((i + 1) * n / o).

        aclnnAdaptiveAvgPool2dBackward of aclnnop/aclnn_adaptive_avg_pool2d_backward.h."""

class _AdaptiveAvgPool3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Mean over windows chosen so that the output has the three lengths of outputSize.

        aclnnAdaptiveAvgPool3d of aclnnop/aclnn_adaptive_avg_pool3d.h."""

class _AdaptiveAvgPool3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out: each gradient is divided by the size of its window and added to all places of the
        window; window i of o over n reaches from floor(i * n / o) to ceil((i + 1) * n / o).

        aclnnAdaptiveAvgPool3dBackward of aclnnop/aclnn_adaptive_avg_pool3d_backward.h."""

class _AdaptiveMaxPool2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, *, out: _Outputs | None = None,
        output_out: _Output = None, indices_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum, and its place, over windows chosen so that the output has the two lengths of
        outputSize.

        aclnnAdaptiveMaxPool2d of aclnnop/aclnn_adaptive_max_pool2d.h."""

class _AdaptiveMaxPool2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each gradient is added at the place that indices gives within the plane of
        self, and the rest is 0.

        aclnnAdaptiveMaxPool2dBackward of aclnnop/aclnn_adaptive_max_pool2d_backward.h; since
        CANN 9.0."""

class _AdaptiveMaxPool3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, *, out: _Outputs | None = None,
        output_out: _Output = None, indices_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum, and its place, over windows chosen so that the output has the three lengths
        of outputSize.

        aclnnAdaptiveMaxPool3d of aclnnop/aclnn_adaptive_max_pool3d.h."""

class _AdaptiveMaxPool3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each gradient is added at the place that indices gives within the plane of
        self, and the rest is 0.

        aclnnAdaptiveMaxPool3dBackward of aclnnop/aclnn_adaptive_max_pool3d_backward.h."""

class _Add(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + alpha * other, with broadcasting.

        aclnnAdd of aclnnop/aclnn_add.h."""

class _AddLayerNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None, beta: Tensor | None,
        bias_optional: Tensor | None = None, epsilon: SupportsFloat = 1e-05,
        additional_output: bool = False, *, out: _Outputs | None = None, y_out: _Output = None,
        mean_out: _Output = None, rstd_out: _Output = None, x_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Layer normalisation of x1 + x2 + bias; also stores the mean, the reciprocal deviation
        and the sum.

        aclnnAddLayerNorm of aclnnop/aclnn_add_layer_norm.h."""

class _AddLayerNormGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, dy: Tensor | None, x1: Tensor | None, x2: Tensor | None, rstd: Tensor | None,
        mean: Tensor | None, gamma: Tensor | None, dsum_optional: Tensor | None = None, *,
        out: _Outputs | None = None, dx_out: _Output = None, dgamma_out: _Output = None,
        dbeta_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """With x = x1 + x2 and g = dy * gamma: dxOut = rstd * (g - mean(g) - xhat * mean(g *
        xhat)) + dsumOptional; dgammaOut = sum(dy * xhat), dbetaOut = sum(dy), where xhat = (x
        - mean) * rstd.

        aclnnAddLayerNormGrad of aclnnop/aclnn_add_layer_norm_grad.h."""

class _AddLayerNormQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None, beta: Tensor | None,
        bias_optional: Tensor | None = None, scales1_optional: Tensor | None = None,
        scales2_optional: Tensor | None = None, zero_points1_optional: Tensor | None = None,
        zero_points2_optional: Tensor | None = None, quant_mode: str | None = "dynamic",
        epsilon: SupportsFloat = 1e-05, additional_output: bool = False, div_mode: bool = True, *,
        out: _Outputs | None = None, y1_out: _Output = None, y2_out: _Output = None,
        x_out: _Output = None, out_scales1_out: _Output = None, out_scales2_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Layer normalisation of x1 + x2 + bias, quantised to int8 with one or two scales.

        aclnnAddLayerNormQuant of aclnnop/aclnn_add_layer_norm_quant.h; since CANN 9.0."""

class _AddLayerNormQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None, beta: Tensor | None,
        bias_optional: Tensor | None = None, scales1_optional: Tensor | None = None,
        scales2_optional: Tensor | None = None, zero_points1_optional: Tensor | None = None,
        zero_points2_optional: Tensor | None = None, *, quant_mode: str | None,
        epsilon: SupportsFloat, additional_output: bool, div_mode: bool,
        out: _Outputs | None = None, y1_out: _Output = None, y2_out: _Output = None,
        x_out: _Output = None, layernorm_res: _Output = None, out_scales1_out: _Output = None,
        out_scales2_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Layer normalisation of x1 + x2 + bias, quantised to int8 with one or two scales.

        aclnnAddLayerNormQuantV2 of aclnnop/aclnn_add_layer_norm_quant_v2.h; since CANN 9.0."""

class _AddLora(Operator):
    def __call__(  # type: ignore[override]
        op, /, y: Tensor | None, x: Tensor | None, weight_b: Tensor | None, indices: Tensor | None,
        weight_a_optional: Tensor | None = None, *, layer_idx: SupportsIndex,
        scale: SupportsFloat = 0.001, y_offset: SupportsIndex = 0, y_slice_size: SupportsIndex = -1,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = y + scale * (x weightA^T weightB^T), with the weights chosen by indices: a
        low-rank adaptation.

        aclnnAddLora of aclnnop/aclnn_add_lora.h."""

class _AddN(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sum of all tensors of a list.

        aclnnAddN of aclnnop/aclnn_add_n.h; since CANN 9.0."""

class _AddRelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, alpha: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = relu(self + alpha * other).

        aclnnAddRelu of aclnnop/aclnn_add_relu.h."""

class _AddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None,
        epsilon: SupportsFloat = 1e-06, *, out: _Outputs | None = None, y_out: _Output = None,
        rstd_out: _Output = None, x_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2; also stores the reciprocal root mean square and the sum.

        aclnnAddRmsNorm of aclnnop/aclnn_add_rms_norm.h."""

class _AddRmsNormCast(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None,
        epsilon: SupportsFloat = 1e-06, *, out: _Outputs | None = None, y1_out: _Output = None,
        y2_out: _Output = None, rstd_out: _Output = None, x_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2, stored in float32 and in the inputs' dtype.

        aclnnAddRmsNormCast of aclnnop/aclnn_add_rms_norm_cast.h; since CANN 9.0."""

class _AddRmsNormDynamicMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None,
        beta: Tensor | None = None, *, epsilon: SupportsFloat, scale_alg: SupportsIndex,
        round_mode: str | None, dst_type: SupportsIndex, output_rstd: bool,
        out: _Outputs | None = None, y_out: _Output = None, x_out: _Output = None,
        mxscale_out: _Output = None, rstd_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2, quantised to a microscaling format with a shared
        exponent for each block.

        aclnnAddRmsNormDynamicMxQuant of aclnnop/aclnn_add_rms_norm_dynamic_mx_quant.h; since
        CANN 9.0."""

class _AddRmsNormDynamicQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None,
        smooth_scale1_optional: Tensor | None = None, smooth_scale2_optional: Tensor | None = None,
        epsilon: SupportsFloat = 1e-06, *, out: _Outputs | None = None, y1_out: _Output = None,
        y2_out: _Output = None, x_out: _Output = None, scale1_out: _Output = None,
        scale2_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2, quantised to int8 with a scale computed for each row.

        aclnnAddRmsNormDynamicQuant of aclnnop/aclnn_add_rms_norm_dynamic_quant.h."""

class _AddRmsNormDynamicQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None,
        smooth_scale1_optional: Tensor | None = None, smooth_scale2_optional: Tensor | None = None,
        beta_optional: Tensor | None = None, epsilon: SupportsFloat = 1e-06, *,
        output_mask: _Bools | None, out: _Outputs | None = None, y1_out: _Output = None,
        y2_out: _Output = None, x_out: _Output = None, scale1_out: _Output = None,
        scale2_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2, quantised to int8 with a scale computed for each row.

        aclnnAddRmsNormDynamicQuantV2 of aclnnop/aclnn_add_rms_norm_dynamic_quant_v2.h; since
        CANN 9.0."""

class _AddRmsNormQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None, scales1: Tensor | None,
        scales2_optional: Tensor | None = None, zero_points1_optional: Tensor | None = None,
        zero_points2_optional: Tensor | None = None, axis: SupportsIndex = -1,
        epsilon: SupportsFloat = 1e-06, div_mode: bool = True, *, out: _Outputs | None = None,
        y1_out: _Output = None, y2_out: _Output = None, x_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2, quantised to int8 with given scales and zero points.

        aclnnAddRmsNormQuant of aclnnop/aclnn_add_rms_norm_quant.h."""

class _AddRmsNormQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, gamma: Tensor | None, scales1: Tensor | None,
        scales2_optional: Tensor | None = None, zero_points1_optional: Tensor | None = None,
        zero_points2_optional: Tensor | None = None, beta_optional: Tensor | None = None,
        axis: SupportsIndex = -1, epsilon: SupportsFloat = 1e-06, div_mode: bool = True, *,
        out: _Outputs | None = None, y1_out: _Output = None, y2_out: _Output = None,
        x_out: _Output = None, rms_norm_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """RMS normalisation of x1 + x2, quantised to int8 with given scales and zero points.

        aclnnAddRmsNormQuantV2 of aclnnop/aclnn_add_rms_norm_quant_v2.h; since CANN 9.0."""

class _AddV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: _Scalar | None, other: Tensor | None, alpha: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + alpha * other, where self is a scalar.

        aclnnAddV3 of aclnnop/aclnn_add_v3.h; since CANN 9.0."""

class _Addbmm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, batch1: Tensor | None, batch2: Tensor | None,
        beta: _Scalar | None, alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = beta * self + alpha * sum of the matrix products of a batch.

        aclnnAddbmm of aclnnop/aclnn_addbmm.h."""

class _Addcdiv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, tensor1: Tensor | None, tensor2: Tensor | None,
        value: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + value * tensor1 / tensor2.

        aclnnAddcdiv of aclnnop/aclnn_addcdiv.h."""

class _Addcmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, tensor1: Tensor | None, tensor2: Tensor | None,
        value: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + value * tensor1 * tensor2.

        aclnnAddcmul of aclnnop/aclnn_addcmul.h."""

class _Addmm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat1: Tensor | None, mat2: Tensor | None, beta: _Scalar | None,
        alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = beta * self + alpha * mat1 @ mat2.

        aclnnAddmm of aclnnop/aclnn_addmm.h."""

class _AddmmWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat1: Tensor | None, mat2: Tensor | None, beta: _Scalar | None,
        alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = beta * self + alpha * mat1 @ mat2.

        aclnnAddmmWeightNz of aclnnop/aclnn_addmm.h; since CANN 9.0."""

class _Addmv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat: Tensor | None, vec: Tensor | None, alpha: _Scalar | None,
        beta: _Scalar | None, cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = beta * self + alpha * mat @ vec.

        aclnnAddmv of aclnnop/aclnn_addmv.h."""

class _Addr(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, vec1: Tensor | None, vec2: Tensor | None,
        beta_optional: _Scalar | None = None, alpha_optional: _Scalar | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = beta * self + alpha * outer product of vec1 and vec2.

        aclnnAddr of aclnnop/aclnn_addr.h."""

class _Adds(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + alpha * other, where other is a scalar.

        aclnnAdds of aclnnop/aclnn_add.h."""

class _AdvanceStep(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_tokens: Tensor | None, sampled_token_ids: Tensor | None,
        input_positions: Tensor | None, seq_lens: Tensor | None, slot_mapping: Tensor | None,
        block_tables: Tensor | None, num_seqs: SupportsIndex, num_queries: SupportsIndex,
        block_size: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Moves the state of a batch of decoding sequences on by one token, in place.

        aclnnAdvanceStep of aclnnop/aclnn_advance_step.h."""

class _AdvanceStepV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_tokens: Tensor | None, sampled_token_ids: Tensor | None,
        input_positions: Tensor | None, seq_lens: Tensor | None, slot_mapping: Tensor | None,
        block_tables: Tensor | None, spec_token: Tensor | None, accepted_num: Tensor | None,
        num_seqs: SupportsIndex, num_queries: SupportsIndex, block_size: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Moves the state of a batch of decoding sequences on by one token, in place.

        aclnnAdvanceStepV2 of aclnnop/aclnn_advance_step_v2.h; since CANN 9.0."""

class _AffineGrid(Operator):
    def __call__(  # type: ignore[override]
        op, /, theta: Tensor | None, size: _Ints | None, align_corners: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Coordinates of an affine transformation for every output element, as grid sampling
        takes them.

        aclnnAffineGrid of aclnnop/aclnn_affine_grid.h."""

class _All(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keepdim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether all elements over dim are true.

        aclnnAll of aclnnop/aclnn_all.h."""

class _AllGatherMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        group: _Group | None, gather_index: SupportsIndex = 0, comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, out: _Outputs | None = None, output: _Output = None,
        gather_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gathers x1 from all devices and multiplies it by x2, both at once.

        aclnnAllGatherMatmul of aclnnop/aclnn_all_gather_matmul.h."""

class _AllGatherMatmulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, quant_scale: Tensor | None, block_size: SupportsIndex,
        group: _Group | None, gather_index: SupportsIndex, comm_turn: SupportsIndex,
        stream_mode: SupportsIndex, group_size: SupportsIndex, comm_mode: str | None, *,
        out: _Outputs | None = None, output: _Output = None, gather_out: _Output = None,
        amax_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gathers the rows of all ranks of a group and multiplies them by a matrix, quantised
        forms included.

        aclnnAllGatherMatmulV2 of aclnnop/aclnn_all_gather_matmul_v2.h."""

class _AlltoAllAllGatherBatchMatMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, bias_optional: Tensor | None = None, *,
        group_ep: _Group | None, group_tp: _Group | None, ep_world_size: SupportsIndex,
        tp_world_size: SupportsIndex, x_shard_type: SupportsIndex = 0, act_type: SupportsIndex = 0,
        out: _Outputs | None = None, y1_out: _Output = None, y2_out_optional: _Output = None,
        y3_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Exchanges x between the devices of one group, gathers it in another, and multiplies
        the batch.

        aclnnAlltoAllAllGatherBatchMatMul of
        aclnnop/aclnn_all_to_all_all_gather_batch_matmul.h."""

class _AlltoAllMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        allto_all_axes_optional: _Ints | None = None, *, group: _Group | None, transpose_x1: bool,
        transpose_x2: bool, out: _Outputs | None = None, output: _Output = None,
        allto_all_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Exchanges blocks of rows between all ranks of a group, then multiplies them by a
        matrix.

        aclnnAlltoAllMatmul of aclnnop/aclnn_allto_all_matmul.h."""

class _AlltoAllMatmulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        allto_all_axes_optional: _Ints | None = None, *, group: _Group | None,
        comm_mode: str | None, transpose_x1: bool, transpose_x2: bool, out: _Outputs | None = None,
        output: _Output = None, allto_all_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Exchanges blocks of rows between all ranks of a group, then multiplies them by a
        matrix.

        aclnnAlltoAllMatmulV2 of aclnnop/aclnn_allto_all_matmul_v2.h."""

class _AlltoAllQuantMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        x1_scale_optional: Tensor | None = None, *, x2_scale: Tensor | None,
        comm_scale_optional: Tensor | None = None, x1_offset_optional: Tensor | None = None,
        x2_offset_optional: Tensor | None = None, group: _Group | None,
        allto_all_axes_optional: _Ints | None = None, x1_quant_mode: SupportsIndex,
        x2_quant_mode: SupportsIndex, comm_quant_mode: SupportsIndex,
        comm_quant_dtype: SupportsIndex, x1_quant_dtype: SupportsIndex, group_size: SupportsIndex,
        transpose_x1: bool, transpose_x2: bool, out: _Outputs | None = None, output: _Output = None,
        allto_all_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Exchanges blocks of rows between all ranks of a group, then multiplies them by a
        matrix in a quantised dtype.

        aclnnAlltoAllQuantMatmul of aclnnop/aclnn_allto_all_quant_matmul.h."""

class _AlltoAllQuantMatmulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        x1_scale_optional: Tensor | None = None, *, x2_scale: Tensor | None,
        comm_scale_optional: Tensor | None = None, x1_offset_optional: Tensor | None = None,
        x2_offset_optional: Tensor | None = None, group: _Group | None, comm_mode: str | None,
        allto_all_axes_optional: _Ints | None = None, x1_quant_mode: SupportsIndex,
        x2_quant_mode: SupportsIndex, comm_quant_mode: SupportsIndex,
        comm_quant_dtype: SupportsIndex, x1_quant_dtype: SupportsIndex, group_size: SupportsIndex,
        transpose_x1: bool, transpose_x2: bool, out: _Outputs | None = None, output: _Output = None,
        allto_all_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Exchanges blocks of rows between all ranks of a group, then multiplies them by a
        matrix in a quantised dtype.

        aclnnAlltoAllQuantMatmulV2 of aclnnop/aclnn_allto_all_quant_matmul_v2.h."""

class _AlltoAllvGroupedMatMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None,
        send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, *, group: _Group | None,
        ep_world_size: SupportsIndex, send_counts: _Ints | None, recv_counts: _Ints | None,
        trans_gmm_weight: bool = False, trans_mm_weight: bool = False,
        permute_out_flag: bool = False, out: _Outputs | None = None, gmm_y: _Output = None,
        mm_y_optional: _Output = None, permute_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Exchanges tokens between devices and multiplies each expert's by its own matrix.

        aclnnAlltoAllvGroupedMatMul of aclnnop/aclnn_allto_allv_grouped_mat_mul.h; since CANN
        9.0."""

class _AlltoAllvGroupedMatMulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None,
        send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, *, group: _Group | None, comm_mode: str | None,
        ep_world_size: SupportsIndex, send_counts: _Ints | None, recv_counts: _Ints | None,
        trans_gmm_weight: bool, trans_mm_weight: bool, permute_out_flag: bool,
        out: _Outputs | None = None, gmm_y: _Output = None, mm_y_optional: _Output = None,
        permute_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sends the tokens of experts to the ranks that hold them, in uneven numbers, then
        multiplies them by each expert's matrix.

        aclnnAlltoAllvGroupedMatMulV2 of aclnnop/aclnn_allto_allv_grouped_mat_mul_v2.h."""

class _AlltoAllvQuantGroupedMatMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None, gmm_x_scale: Tensor | None,
        gmm_weight_scale: Tensor | None, send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, mm_x_scale_optional: Tensor | None = None,
        mm_weight_scale_optional: Tensor | None = None, *, gmm_x_quant_mode: SupportsIndex,
        gmm_weight_quant_mode: SupportsIndex, mm_x_quant_mode: SupportsIndex,
        mm_weight_quant_mode: SupportsIndex, group: _Group | None, ep_world_size: SupportsIndex,
        send_counts: _Ints | None, recv_counts: _Ints | None, trans_gmm_weight: bool,
        trans_mm_weight: bool, group_size: SupportsIndex, permute_out_flag: bool,
        out: _Outputs | None = None, gmm_y: _Output = None, mm_y_optional: _Output = None,
        permute_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sends the tokens of experts to the ranks that hold them, then multiplies them by each
        expert's matrix in a quantised dtype.

        aclnnAlltoAllvQuantGroupedMatMul of aclnnop/aclnn_allto_allv_quant_grouped_mat_mul.h."""

class _AlltoAllvQuantGroupedMatMulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None, gmm_x_scale: Tensor | None,
        gmm_weight_scale: Tensor | None, send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, mm_x_scale_optional: Tensor | None = None,
        mm_weight_scale_optional: Tensor | None = None, *, gmm_x_quant_mode: SupportsIndex,
        gmm_weight_quant_mode: SupportsIndex, mm_x_quant_mode: SupportsIndex,
        mm_weight_quant_mode: SupportsIndex, group: _Group | None, comm_mode: str | None,
        ep_world_size: SupportsIndex, send_counts: _Ints | None, recv_counts: _Ints | None,
        trans_gmm_weight: bool, trans_mm_weight: bool, group_size: SupportsIndex,
        permute_out_flag: bool, out: _Outputs | None = None, gmm_y: _Output = None,
        mm_y_optional: _Output = None, permute_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sends the tokens of experts to the ranks that hold them, then multiplies them by each
        expert's matrix in a quantised dtype.

        aclnnAlltoAllvQuantGroupedMatMulV2 of
        aclnnop/aclnn_allto_allv_quant_grouped_mat_mul_v2.h."""

class _Amax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = maximum over several dimensions.

        aclnnAmax of aclnnop/aclnn_amax.h."""

class _Amin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = minimum over several dimensions.

        aclnnAmin of aclnnop/aclnn_amin.h."""

class _Aminmax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool = False, *,
        out: _Outputs | None = None, min_out: _Output = None, max_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Minimum and maximum over several dimensions.

        aclnnAminmax of aclnnop/aclnn_aminmax.h."""

class _AminmaxAll(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: _Outputs | None = None, min_out: _Output = None,
        max_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Minimum and maximum of all elements.

        aclnnAminmaxAll of aclnnop/aclnn_aminmax_all.h."""

class _AminmaxDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keep_dim: bool = False, *,
        out: _Outputs | None = None, min_out: _Output = None, max_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Minimum and maximum over one dimension.

        aclnnAminmaxDim of aclnnop/aclnn_aminmax_dim.h."""

class _AmpUpdateScale(Operator):
    def __call__(  # type: ignore[override]
        op, /, current_scale: Tensor | None, growth_tracker: Tensor | None,
        found_inf: Tensor | None, growth_factor: SupportsFloat, backoff_factor: SupportsFloat,
        growth_interval: SupportsIndex, *, out: _Outputs | None = None,
        updated_scale: _Output = None, updated_growth_tracker: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The next loss scale: smaller after an overflow, larger after growthInterval steps
        without.

        aclnnAmpUpdateScale of aclnnop/aclnn_amp_update_scale.h; since CANN 9.0."""

class _AngleV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = angle of each number in the complex plane.

        aclnnAngleV2 of aclnnop/aclnn_angle_v2.h; since CANN 9.0."""

class _AntiMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, mxscale: Tensor | None, axis: SupportsIndex,
        dst_type: SupportsIndex, *, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Restores floating point values from a microscaling format.

        aclnnAntiMxQuant of aclnnop/aclnn_anti_mx_quant.h; since CANN 9.0."""

class _Any(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keepdim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether any element over dim is true.

        aclnnAny of aclnnop/aclnn_any.h."""

class _ApplyAdam(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, m: Tensor | None, v: Tensor | None,
        beta1_power: Tensor | None, beta2_power: Tensor | None, lr: Tensor | None,
        beta1: Tensor | None, beta2: Tensor | None, epsilon: Tensor | None, grad: Tensor | None,
        use_locking: bool, use_nesterov: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """One step of the Adam optimiser, with tensors for its parameters.

        aclnnApplyAdam of aclnnop/aclnn_apply_adam.h; since CANN 9.0."""

class _ApplyAdamW(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, m_ref: Tensor | None, v_ref: Tensor | None,
        beta1_power: Tensor | None, beta2_power: Tensor | None, lr: Tensor | None,
        weight_decay: Tensor | None, beta1: Tensor | None, beta2: Tensor | None, eps: Tensor | None,
        grad: Tensor | None, max_grad_norm_optional: Tensor | None = None, amsgrad: bool = False,
        maximize: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One step of the AdamW optimiser: Adam with decoupled weight decay.

        aclnnApplyAdamW of aclnnop/aclnn_apply_adam_w.h; since CANN 9.0."""

class _ApplyAdamWQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, grad: Tensor | None, m_ref: Tensor | None,
        v_ref: Tensor | None, qmap_m: Tensor | None, qmap_v: Tensor | None,
        absmax_m_ref: Tensor | None, absmax_v_ref: Tensor | None, step: Tensor | None,
        lr: SupportsFloat, beta1: SupportsFloat, beta2: SupportsFloat, weight_decay: SupportsFloat,
        eps: SupportsFloat, gnorm_scale: SupportsFloat,
        quant_mode_optional: str | None = "BLOCKWISE", *, block_size: SupportsIndex,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """One step of AdamW whose moments are stored in 8 bits, in blocks with a scale each.

        aclnnApplyAdamWQuant of aclnnop/aclnn_apply_adam_w_quant.h; since CANN 9.0."""

class _ApplyAdamWV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, m_ref: Tensor | None, v_ref: Tensor | None,
        max_grad_norm_optional_ref: Tensor | None, grad: Tensor | None, step: Tensor | None,
        lr: SupportsFloat, beta1: SupportsFloat, beta2: SupportsFloat, weight_decay: SupportsFloat,
        eps: SupportsFloat, amsgrad: bool = False, maximize: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """One step of the AdamW optimiser: Adam with decoupled weight decay.

        aclnnApplyAdamWV2 of aclnnop/aclnn_apply_adam_w_v2.h."""

class _ApplyFusedEmaAdam(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad: Tensor | None, var_ref: Tensor | None, m_ref: Tensor | None,
        v_ref: Tensor | None, s_ref: Tensor | None, step: Tensor | None, lr: SupportsFloat = 0.001,
        ema_decay: SupportsFloat = 0.9999, beta1: SupportsFloat = 0.9, beta2: SupportsFloat = 0.999,
        eps: SupportsFloat = 1e-08, mode: SupportsIndex = 1, bias_correction: bool = True,
        weight_decay: SupportsFloat = 0.0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """One step of Adam that also keeps an exponential moving average of the weights.

        aclnnApplyFusedEmaAdam of aclnnop/aclnn_apply_fused_ema_adam.h."""

class _ApplyRotaryPosEmb(Operator):
    def __call__(  # type: ignore[override]
        op, /, query_ref: Tensor | None, key_ref: Tensor | None, cos: Tensor | None,
        sin: Tensor | None, layout: SupportsIndex = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Rotates query and key by the angles of their positions, in place.

        aclnnApplyRotaryPosEmb of aclnnop/aclnn_apply_rotary_pos_emb.h."""

class _ApplyRotaryPosEmbV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query_ref: Tensor | None, key_ref: Tensor | None, cos: Tensor | None,
        sin: Tensor | None, layout: SupportsIndex = 1, rotary_mode: str | None = "half", *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Rotates query and key by the angles of their positions, in place.

        aclnnApplyRotaryPosEmbV2 of aclnnop/aclnn_apply_rotary_pos_emb_v2.h; since CANN 9.0."""

class _ApplyTopKTopP(Operator):
    def __call__(  # type: ignore[override]
        op, /, logits: Tensor | None, p: Tensor | None, k: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Keeps the k largest logits of each row and of those the fewest that reach probability
        p; the others become minus infinity.

        aclnnApplyTopKTopP of aclnnop/aclnn_apply_top_k_top_p.h; since CANN 9.0."""

class _Arange(Operator):
    def __call__(  # type: ignore[override]
        op, /, start: _Scalar | None, end: _Scalar | None, step: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = start, start + step, ... below end.

        aclnnArange of aclnnop/aclnn_arange.h."""

class _ArgMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keepdim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = place of the maximum over dim.

        aclnnArgMax of aclnnop/aclnn_argmax.h."""

class _ArgMin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keepdim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = place of the minimum over dim.

        aclnnArgMin of aclnnop/aclnn_argmin.h."""

class _Argsort(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, descending: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = order that sorts self along dim.

        aclnnArgsort of aclnnop/aclnn_argsort.h."""

class _AscendAntiQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, offset: Tensor | None,
        dst_type: SupportsIndex, sqrt_mode: bool, *, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """y = (x + offset) * scale: restores floating point values from int8 or int4.

        aclnnAscendAntiQuant of aclnnop/aclnn_ascend_anti_quant.h."""

class _AscendQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, offset: Tensor | None = None,
        sqrt_mode: bool = False, round_mode: str | None = "round", *, dst_type: SupportsIndex,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """y = round(x * scale + offset): quantises to int8 or int4.

        aclnnAscendQuant of aclnnop/aclnn_ascend_quant.h."""

class _AscendQuantV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, offset: Tensor | None = None,
        sqrt_mode: bool = False, round_mode: str | None = "round", *, dst_type: SupportsIndex,
        axis: SupportsIndex = -1, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """y = round(x * scale + offset): quantises to int8 or int4.

        aclnnAscendQuantV3 of aclnnop/aclnn_ascend_quant_v3.h."""

class _Asin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = arc sine of the input.

        aclnnAsin of aclnnop/aclnn_asin.h."""

class _Asinh(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = inverse hyperbolic sine of the input.

        aclnnAsinh of aclnnop/aclnn_asinh.h."""

class _Atan(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = arc tangent of the input.

        aclnnAtan of aclnnop/aclnn_atan.h."""

class _Atan2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = angle of the point (other, self).

        aclnnAtan2 of aclnnop/aclnn_atan2.h."""

class _Atanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = inverse hyperbolic tangent of the input.

        aclnnAtanh of aclnnop/aclnn_atanh.h."""

class _AttentionToFFN(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, session_id: Tensor | None, micro_batch_id: Tensor | None,
        layer_id: Tensor | None, expert_ids: Tensor | None, expert_rank_table: Tensor | None,
        scales: Tensor | None, active_mask: Tensor | None, group: _Group | None,
        world_size: SupportsIndex, ffn_token_info_table_shape: _Ints | None,
        ffn_token_data_shape: _Ints | None, attn_token_info_table_shape: _Ints | None,
        moe_expert_num: SupportsIndex, quant_mode: SupportsIndex, sync_flag: SupportsIndex,
        ffn_start_rank_id: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> tuple[()]:
        """Sends tokens from the workers of attention to those of the feed-forward network.

        aclnnAttentionToFFN of aclnnop/aclnn_attention_to_ffn.h."""

class _AttentionUpdate(Operator):
    def __call__(  # type: ignore[override]
        op, /, lse: _Tensors | None, local_out: _Tensors | None, update_type: SupportsIndex, *,
        out: _Outputs | None = None, lse_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Joins parts of one attention, computed over parts of the keys, by their log-sum-exp.

        aclnnAttentionUpdate of aclnnop/aclnn_attention_update.h."""

class _AvgPool2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_size: _Ints | None, strides: _Ints | None,
        paddings: _Ints | None, ceil_mode: bool = False, count_include_pad: bool = True,
        divisor_override: SupportsIndex = 0, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Mean over windows of two dimensions.

        aclnnAvgPool2d of aclnnop/aclnn_avgpool2d.h."""

class _AvgPool2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, kernel_size: _Ints | None,
        stride: _Ints | None, padding: _Ints | None, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: SupportsIndex = 0,
        cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None, grad_input: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOutput is divided by the size of its window and added
        to all places of the window.

        aclnnAvgPool2dBackward of aclnnop/aclnn_avgpool2d_backward.h."""

class _AvgPool3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_size: _Ints | None, stride: _Ints | None,
        padding: _Ints | None, ceil_mode: bool = False, count_include_pad: bool = True,
        divisor_override: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Mean over windows of three dimensions.

        aclnnAvgPool3d of aclnnop/aclnn_avgpool3d.h."""

class _AvgPool3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, kernel_size: _Ints | None,
        stride: _Ints | None, padding: _Ints | None, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: SupportsIndex = 0, *,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """output: each element of gradOutput is divided by the size of its window and added to
        all places of the window.

        aclnnAvgPool3dBackward of aclnnop/aclnn_avgpool3d_backward.h."""

class _BackgroundReplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, bkg: Tensor | None, src: Tensor | None, mask: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Mixes two images by a mask: replaces the background.

        aclnnBackgroundReplace of aclnnop/aclnn_background_replace.h."""

class _Baddbmm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, batch1: Tensor | None, batch2: Tensor | None,
        beta: _Scalar | None, alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = beta * self + alpha * batch1 @ batch2, matrix by matrix.

        aclnnBaddbmm of aclnnop/aclnn_baddbmm.h."""

class _BatchMatMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat2: Tensor | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self @ mat2, matrix by matrix.

        aclnnBatchMatMul of aclnnop/aclnn_batch_matmul.h."""

class _BatchMatMulReduceScatterAlltoAll(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, bias_optional: Tensor | None = None, *,
        group_ep: _Group | None, group_tp: _Group | None, ep_world_size: SupportsIndex,
        tp_world_size: SupportsIndex, y_shard_type: SupportsIndex = 0, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Multiplies a batch, reduces and scatters the result in one group of devices, and
        exchanges it in another.

        aclnnBatchMatMulReduceScatterAlltoAll of
        aclnnop/aclnn_batch_matmul_reduce_scatter_all_to_all.h."""

class _BatchMatMulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat2: Tensor | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self @ mat2, matrix by matrix.

        aclnnBatchMatMulWeightNz of aclnnop/aclnn_batch_matmul.h; since CANN 9.0."""

class _BatchMatmulQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, quant_param: Tensor | None,
        bias: Tensor | None, transpose_x1: bool, transpose_x2: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Products of float16 matrices, quantised to int8.

        aclnnBatchMatmulQuant of aclnnop/aclnn_batchmatmul_quant.h."""

class _BatchNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None = None, bias: Tensor | None = None, *,
        running_mean: Tensor | None, running_var: Tensor | None, training: bool,
        momentum: SupportsFloat = 0.1, eps: SupportsFloat, out: _Outputs | None = None,
        output: _Output = None, save_mean: _Output = None, save_invstd: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Normalisation of each channel over a batch; in training the running statistics are
        updated.

        aclnnBatchNorm of aclnnop/aclnn_batch_norm.h."""

class _BatchNormBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, weight: Tensor | None,
        running_mean: Tensor | None, running_var: Tensor | None, save_mean: Tensor | None,
        save_invstd: Tensor | None, training: bool, eps: SupportsFloat, output_mask: _Bools | None,
        *, out: _Outputs | None = None, grad_input: _Output = None, grad_weight: _Output = None,
        grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """In training: gradInput = weight * invstd * (gradOut - mean(gradOut) - xhat *
        mean(gradOut * xhat)), else weight * invstd * gradOut, where xhat is the normalised
        input; gradWeight = sum(gradOut * xhat), gradBias = sum(gradOut).

        aclnnBatchNormBackward of aclnnop/aclnn_batch_norm_backward.h."""

class _BatchNormElemt(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None, bias: Tensor | None,
        mean: Tensor | None, invstd: Tensor | None, eps: SupportsFloat, *,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """output = (input - mean) * invstd * weight + bias: the elementwise half of a batch
        normalisation.

        aclnnBatchNormElemt of aclnnop/aclnn_batch_norm_elemt.h."""

class _BatchNormElemtBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, mean: Tensor | None,
        invstd: Tensor | None, weight: Tensor | None = None, *, sum_dy: Tensor | None,
        sum_dy_xmu: Tensor | None, counter: Tensor | None, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = weight * invstd * (gradOut - sumDy / n - (input - mean) * invstd^2 *
        sumDyXmu / n), where n is the sum of counter.

        aclnnBatchNormElemtBackward of aclnnop/aclnn_batch_norm_elemt_backward.h."""

class _BatchNormGatherStatsWithCounts(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, mean: Tensor | None, invstd: Tensor | None,
        running_mean: Tensor | None, running_var: Tensor | None, momentum: SupportsFloat,
        eps: SupportsFloat, counts: Tensor | None, *, out: _Outputs | None = None,
        mean_all: _Output = None, invstd_all: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Joins the means and deviations of several devices, whose element counts may differ.

        aclnnBatchNormGatherStatsWithCounts of
        aclnnop/aclnn_batch_norm_gather_stats_with_counts.h."""

class _BatchNormReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, *, out: _Outputs | None = None, sum: _Output = None,
        square_sum: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Sums and sums of squares of each channel.

        aclnnBatchNormReduce of aclnnop/aclnn_batch_norm_reduce.h; since CANN 9.0."""

class _BatchNormReduceBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, mean: Tensor | None,
        invstd: Tensor | None, weight: Tensor | None, input_g: bool, weight_g: bool, bias_g: bool,
        *, out: _Outputs | None = None, sum_dy: _Output = None, sum_dy_xmu: _Output = None,
        grad_weight: _Output = None, grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """sumDy = sum(gradOut), sumDyXmu = sum(gradOut * (input - mean)), gradWeight = sumDyXmu
        * invstd, gradBias = sumDy.

        aclnnBatchNormReduceBackward of aclnnop/aclnn_batch_norm_backward_reduce.h."""

class _BatchNormStats(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, eps: SupportsFloat, *, out: _Outputs | None = None,
        mean: _Output = None, invstd: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Mean and reciprocal deviation of each channel.

        aclnnBatchNormStats of aclnnop/aclnn_batch_norm_stats.h."""

class _Bernoulli(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, prob: _Scalar | None, seed: SupportsIndex,
        offset: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1 with probability prob, else 0.

        aclnnBernoulli of aclnnop/aclnn_bernoulli.h."""

class _BernoulliTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, prob: Tensor | None, seed: SupportsIndex, offset: SupportsIndex,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1 with the probability that prob gives for each element, else 0.

        aclnnBernoulliTensor of aclnnop/aclnn_bernoulli.h."""

class _BidirectionLSTM(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, init_h: Tensor | None, init_c: Tensor | None, w_ih: Tensor | None,
        w_hh: Tensor | None, b_ih_optional: Tensor | None = None,
        b_hh_optional: Tensor | None = None, w_ih_reverse_optional: Tensor | None = None,
        w_hh_reverse_optional: Tensor | None = None, b_ih_reverse_optional: Tensor | None = None,
        b_hh_reverse_optional: Tensor | None = None, *, num_layers: SupportsIndex, isbias: bool,
        batch_first: bool = False, bidirection: bool = False, out: _Outputs | None = None,
        y_out: _Output = None, output_h_out: _Output = None, output_c_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """A long short-term memory network run over a sequence in both directions.

        aclnnBidirectionLSTM of aclnnop/aclnn_bidirection_lstm.h."""

class _BidirectionLSTMV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, init_h: Tensor | None, init_c: Tensor | None, w_ih: Tensor | None,
        w_hh: Tensor | None, b_ih_optional: Tensor | None = None,
        b_hh_optional: Tensor | None = None, w_ih_reverse_optional: Tensor | None = None,
        w_hh_reverse_optional: Tensor | None = None, b_ih_reverse_optional: Tensor | None = None,
        b_hh_reverse_optional: Tensor | None = None, batch_size_optional: Tensor | None = None, *,
        num_layers: SupportsIndex, isbias: bool, batch_first: bool = False,
        bidirection: bool = False, packed: bool = False, out: _Outputs | None = None,
        y_out: _Output = None, output_h_out: _Output = None, output_c_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """A long short-term memory network run over a sequence in both directions.

        aclnnBidirectionLSTMV2 of aclnnop/aclnn_bidirection_lstmv2.h."""

class _BinaryCrossEntropy(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None, weight: Tensor | None = None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = -weight * (target * log(self) + (1 - target) * log(1 - self)), reduced as asked
        for.

        aclnnBinaryCrossEntropy of aclnnop/aclnn_binary_cross_entropy.h."""

class _BinaryCrossEntropyBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        weight_optional: Tensor | None = None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput * weight * (self - target) / max(self * (1 - self), 1e-12), divided
        by the number of elements for the mean.

        aclnnBinaryCrossEntropyBackward of aclnnop/aclnn_binary_cross_entropy_backward.h."""

class _BinaryCrossEntropyWithLogits(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None, weight_optional: Tensor | None = None,
        pos_weight_optional: Tensor | None = None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Binary cross entropy of sigmoid(self), computed stably, reduced as asked for.

        aclnnBinaryCrossEntropyWithLogits of aclnnop/aclnn_binary_cross_entropy_with_logits.h."""

class _BinaryCrossEntropyWithLogitsBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        weight_optional: Tensor | None = None, pos_weight_optional: Tensor | None = None, *,
        reduction: SupportsIndex | Literal["none", "mean", "sum"], out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput * weight * ((p * t + 1 - t) * sigmoid(self) - p * t), where t =
        target and p = posWeight; divided by the number of elements for the mean.

        aclnnBinaryCrossEntropyWithLogitsBackward of
        aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h."""

class _BinaryCrossEntropyWithLogitsTargetBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        weight_optional: Tensor | None = None, pos_weight_optional: Tensor | None = None, *,
        reduction: SupportsIndex | Literal["none", "mean", "sum"], out: Tensor | None = None,
        grad_target: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradTarget = -gradOutput * weight * (posWeight * log(sigmoid(self)) - log(1 -
        sigmoid(self))), divided by the number of elements for the mean.

        aclnnBinaryCrossEntropyWithLogitsTargetBackward of
        aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h."""

class _Bincount(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, weights: Tensor | None = None, *, minlength: SupportsIndex,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out[i] = how often i occurs in self, or the sum of the weights where it does.

        aclnnBincount of aclnnop/aclnn_bincount.h."""

class _BitwiseAndScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self & other, where other is a scalar.

        aclnnBitwiseAndScalar of aclnnop/aclnn_bitwise_and_scalar.h."""

class _BitwiseAndTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self & other.

        aclnnBitwiseAndTensor of aclnnop/aclnn_bitwise_and_tensor.h."""

class _BitwiseAndTensorOut(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self & other.

        aclnnBitwiseAndTensorOut of aclnnop/aclnn_bitwiseand.h; since CANN 9.0."""

class _BitwiseNot(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = ~self.

        aclnnBitwiseNot of aclnnop/aclnn_bitwise_not.h."""

class _BitwiseOrScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self | other, where other is a scalar.

        aclnnBitwiseOrScalar of aclnnop/aclnn_bitwise_or_scalar.h."""

class _BitwiseOrTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self | other.

        aclnnBitwiseOrTensor of aclnnop/aclnn_bitwise_or_tensor.h."""

class _BitwiseXorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self ^ other, where other is a scalar.

        aclnnBitwiseXorScalar of aclnnop/aclnn_bitwise_xor_scalar.h."""

class _BitwiseXorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self ^ other.

        aclnnBitwiseXorTensor of aclnnop/aclnn_bitwise_xor_tensor.h."""

class _BlendImagesCustom(Operator):
    def __call__(  # type: ignore[override]
        op, /, rgb: Tensor | None, alpha: Tensor | None, frame: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Blends a coloured layer into an image by its transparency.

        aclnnBlendImagesCustom of aclnnop/aclnn_blend_images_custom.h."""

class _BlockSparseAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        block_sparse_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        block_shape_optional: _Ints | None = None, actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        block_table_optional: Tensor | None = None, *, q_input_layout: str | None,
        kv_input_layout: str | None, num_key_value_heads: SupportsIndex, mask_type: SupportsIndex,
        scale_value: SupportsFloat, inner_precise: SupportsIndex, block_size: SupportsIndex,
        pre_tokens: SupportsIndex, next_tokens: SupportsIndex, softmax_lse_flag: SupportsIndex,
        out: _Outputs | None = None, attention_out: _Output = None,
        softmax_lse_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Attention over the blocks of keys that a mask of blocks selects for each block of
        queries.

        aclnnBlockSparseAttention of aclnnop/aclnn_block_sparse_attention.h."""

class _BlockSparseAttentionGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, dout: Tensor | None, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        attention_out: Tensor | None, softmax_lse: Tensor | None,
        block_sparse_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        block_shape_optional: _Ints | None = None, actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None, *, q_input_layout: str | None,
        kv_input_layout: str | None, num_key_value_heads: SupportsIndex, mask_type: SupportsIndex,
        scale_value: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        out: _Outputs | None = None, dq: _Output = None, dk: _Output = None, dv: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of attention over selected blocks of keys.

        aclnnBlockSparseAttentionGrad of aclnnop/aclnn_block_sparse_attention_grad.h."""

class _BlockSparseAttentionV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        block_sparse_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        block_shape_optional: _Ints | None = None, actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        block_table_optional: Tensor | None = None, q_dequant_scale_optional: Tensor | None = None,
        k_dequant_scale_optional: Tensor | None = None,
        v_dequant_scale_optional: Tensor | None = None, *, q_input_layout: str | None,
        kv_input_layout: str | None, num_key_value_heads: SupportsIndex, mask_type: SupportsIndex,
        scale_value: SupportsFloat, inner_precise: SupportsIndex, block_size: SupportsIndex,
        pre_tokens: SupportsIndex, next_tokens: SupportsIndex, softmax_lse_flag: SupportsIndex,
        out: _Outputs | None = None, attention_out: _Output = None,
        softmax_lse_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Attention over the blocks of keys that a mask of blocks selects for each block of
        queries.

        aclnnBlockSparseAttentionV2 of aclnnop/aclnn_block_sparse_attention_v2.h."""

class _Bucketize(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, boundaries: Tensor | None, out_int32: bool, right: bool, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = index of the interval between boundaries that each element falls into.

        aclnnBucketize of aclnnop/aclnn_bucketize.h; since CANN 9.0."""

class _CIoU(Operator):
    def __call__(  # type: ignore[override]
        op, /, b_boxes: Tensor | None, gt_boxes: Tensor | None, trans: bool, is_cross: bool,
        mode: str | None, *, out: _Outputs | None = None, overlap: _Output = None,
        atan_sub: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Complete intersection over union of pairs of boxes.

        aclnnCIoU of aclnnop/aclnn_ciou.h; since CANN 9.0."""

class _Cast(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dtype: DTypeLike, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self converted to another dtype.

        aclnnCast of aclnnop/aclnn_cast.h."""

class _Cat(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, dim: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the tensors, one behind the other in dimension dim, which may count from the
        back.

        aclnnCat of aclnnop/aclnn_cat.h."""

class _Cdist(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, p: SupportsFloat = 2.0, *,
        compute_mode: SupportsIndex, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Distances between all pairs of rows of x1 and x2, in the p-norm.

        aclnnCdist of aclnnop/aclnn_cdist.h; since CANN 9.0."""

class _CdistBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad: Tensor | None, x1: Tensor | None, x2: Tensor | None, cdist: Tensor | None,
        p: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out[i, k] = sum over j of grad[i, j] * sign(d) * |d|^(p - 1) / cdist[i, j]^(p - 1),
        where d = x1[i, k] - x2[j, k]; 0 where the distance is 0.

        aclnnCdistBackward of aclnnop/aclnn_cdist_backward.h; since CANN 9.0."""

class _Ceil(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = smallest integers not below self.

        aclnnCeil of aclnnop/aclnn_ceil.h."""

class _Celu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, alpha: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self where it is positive, and alpha * (exp(self / alpha) - 1) elsewhere.

        aclnnCelu of aclnnop/aclnn_celu.h."""

class _ChamferDistanceBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, xyz1: Tensor | None, xyz2: Tensor | None, idx1: Tensor | None, idx2: Tensor | None,
        grad_dist1: Tensor | None, grad_dist2: Tensor | None, *, out: _Outputs | None = None,
        grad_xyz1: _Output = None, grad_xyz2: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """gradXyz1[i] = 2 * gradDist1[i] * (xyz1[i] - xyz2[idx1[i]]), plus what the points of
        xyz2 whose nearest it is give back; gradXyz2 likewise, with gradDist2 and the other
        points.

        aclnnChamferDistanceBackward of aclnnop/aclnn_chamfer_distance_backward.h."""

class _ChannelShuffle(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, groups: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Exchanges the order of groups and channels within them.

        aclnnChannelShuffle of aclnnop/aclnn_channel_shuffle.h."""

class _ChunkCat(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, dim: SupportsIndex, num_chunks: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Pads tensors, splits them into chunks and joins the chunks of all.

        aclnnChunkCat of aclnnop/aclnn_chunk_cat.h; since CANN 9.0."""

class _ChunkGatedDeltaRule(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None, beta: Tensor | None,
        initial_state: Tensor | None, actual_seq_lengths: Tensor | None,
        g_optional: Tensor | None = None, *, scale_value: SupportsFloat,
        out: _Outputs | None = None, final_state: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The gated delta rule of linear attention, in chunks of the sequence; the state is
        updated.

        aclnnChunkGatedDeltaRule of aclnnop/aclnn_chunk_gated_delta_rule.h."""

class _CircularPad2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads two dimensions with the elements of the opposite border.

        aclnnCircularPad2d of aclnnop/aclnn_circular_pad2d.h."""

class _CircularPad2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements of the opposite border.

        aclnnCircularPad2dBackward of aclnnop/aclnn_circular_pad2d_backward.h."""

class _CircularPad3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads three dimensions with the elements of the opposite border.

        aclnnCircularPad3d of aclnnop/aclnn_circular_pad3d.h."""

class _CircularPad3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements of the opposite border.

        aclnnCircularPad3dBackward of aclnnop/aclnn_circular_pad3d_backward.h."""

class _Clamp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, clip_value_min: _Scalar | None, clip_value_max: _Scalar | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self limited to [clipValueMin, clipValueMax].

        aclnnClamp of aclnnop/aclnn_clamp.h."""

class _ClampMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, clip_value_max: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self limited to at most clipValueMax.

        aclnnClampMax of aclnnop/aclnn_clamp.h."""

class _ClampMaxTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, max: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the smaller of self and max.

        aclnnClampMaxTensor of aclnnop/aclnn_clamp.h."""

class _ClampMin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, clip_value_min: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self limited to at least clipValueMin.

        aclnnClampMin of aclnnop/aclnn_clamp.h."""

class _ClampMinTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, clip_value_min: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the larger of self and clipValueMin.

        aclnnClampMinTensor of aclnnop/aclnn_clamp.h."""

class _ClampTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, clip_value_min: Tensor | None, clip_value_max: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self limited by a tensor from below and one from above.

        aclnnClampTensor of aclnnop/aclnn_clamp.h."""

class _ClippedSwiglu(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index_optional: Tensor | None = None,
        dim: SupportsIndex = -1, alpha: SupportsFloat = 1.702, limit: SupportsFloat = 7.0,
        bias: SupportsFloat = 1.0, interleaved: bool = True, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """SwiGLU whose two halves are limited first.

        aclnnClippedSwiglu of aclnnop/aclnn_clipped_swiglu.h; since CANN 9.0."""

class _ClippedSwigluGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, x: Tensor | None, group_index_optional: Tensor | None = None,
        *, dim: SupportsIndex, alpha: SupportsFloat, limit: SupportsFloat, bias: SupportsFloat,
        interleaved: bool, out: Tensor | None = None, grad_x_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of SwiGLU with limited halves.

        aclnnClippedSwigluGrad of aclnnop/aclnn_clipped_swiglu_grad.h; since CANN 9.0."""

class _ClippedSwigluV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index_optional: Tensor | None = None,
        dim: SupportsIndex = -1, alpha: SupportsFloat = 1.702, limit: SupportsFloat = 7.0,
        bias: SupportsFloat = 1.0, interleaved: bool = True, *, clamp_mode: SupportsIndex,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """SwiGLU whose two halves are limited first.

        aclnnClippedSwigluV2 of aclnnop/aclnn_clipped_swiglu_v2.h; since CANN 9.0."""

class _CoalesceSparse(Operator):
    def __call__(  # type: ignore[override]
        op, /, unique_len: Tensor | None, unique_indices: Tensor | None, indices: Tensor | None,
        values: Tensor | None, *, out: _Outputs | None = None, new_indices_out: _Output = None,
        new_values_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Values of equal indices of a sparse tensor added up.

        aclnnCoalesceSparse of aclnnop/aclnn_coalesce_sparse.h."""

class _Complex(Operator):
    def __call__(  # type: ignore[override]
        op, /, real: Tensor | None, imag: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = real + i * imag.

        aclnnComplex of aclnnop/aclnn_complex.h."""

class _ConfusionTranspose(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, perm: _Ints | None, shape: _Ints | None, transpose_first: bool, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Transposes and reshapes in one step.

        aclnnConfusionTranspose of aclnnop/aclnn_confusion_transpose.h; since CANN 9.0."""

class _ConstantPadNd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, pad: _Ints | None, value: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Pads the last dimensions with a value.

        aclnnConstantPadNd of aclnnop/aclnn_constant_pad_nd.h."""

class _ConvDepthwise2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, weight: Tensor | None, kernel_size: _Ints | None,
        bias: Tensor | None, stride: _Ints | None, padding: _Ints | None, dilation: _Ints | None,
        cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Convolution of two dimensions in which each channel has its own kernels.

        aclnnConvDepthwise2d of aclnnop/aclnn_convolution.h."""

class _ConvTbc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, weight: Tensor | None, bias: Tensor | None, pad: SupportsIndex,
        cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """One-dimensional convolution in the layout time, batch, channel.

        aclnnConvTbc of aclnnop/aclnn_convolution.h."""

class _ConvTbcBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, input: Tensor | None, weight: Tensor | None,
        bias: Tensor | None, pad: SupportsIndex, cube_math_type: SupportsIndex = 0, *,
        out: _Outputs | None = None, grad_input: _Output = None, grad_weight: _Output = None,
        grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """gradInput, gradWeight and gradBias of a one-dimensional convolution in the layout
        time, batch, channel; self is the gradient of its output.

        aclnnConvTbcBackward of aclnnop/aclnn_convolution_backward.h."""

class _ConvertWeightToINT4Pack(Operator):
    def __call__(  # type: ignore[override]
        op, /, weight: Tensor | None, *, out: Tensor | None = None,
        weight_int4_pack: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Packs eight 4-bit weights, given as int32, into one int32.

        aclnnConvertWeightToINT4Pack of aclnnop/aclnn_convert_weight_to_int4_pack.h."""

class _Convolution(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None, bias: Tensor | None = None, *,
        stride: _Ints | None, padding: _Ints | None, dilation: _Ints | None, transposed: bool,
        output_padding: _Ints | None, groups: SupportsIndex, cube_math_type: SupportsIndex = 0,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Convolution, or its transposed form, in one, two or three dimensions.

        aclnnConvolution of aclnnop/aclnn_convolution.h."""

class _ConvolutionBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, input: Tensor | None, weight: Tensor | None,
        bias_sizes: _Ints | None, stride: _Ints | None, padding: _Ints | None,
        dilation: _Ints | None, transposed: bool, output_padding: _Ints | None,
        groups: SupportsIndex, output_mask: _Bools | None, cube_math_type: SupportsIndex = 0, *,
        out: _Outputs | None = None, grad_input: _Output = None, grad_weight: _Output = None,
        grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """gradInput is gradOutput convolved with the weight the other way round, gradWeight the
        correlation of input with gradOutput, gradBias the sum of gradOutput over all but the
        channel.

        aclnnConvolutionBackward of aclnnop/aclnn_convolution_backward.h."""

class _Cos(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = cosine of the input.

        aclnnCos of aclnnop/aclnn_cos.h."""

class _Cosh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = hyperbolic cosine of the input.

        aclnnCosh of aclnnop/aclnn_cosh.h."""

class _CrossEntropyLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, target: Tensor | None, weight_optional: Tensor | None = None,
        reduction_optional: str | None = "mean", ignore_index: SupportsIndex = -100,
        label_smoothing: SupportsFloat = 0.0, lse_square_scale_for_zloss: SupportsFloat = 0.0,
        return_zloss: bool = False, *, out: _Outputs | None = None, loss_out: _Output = None,
        log_prob_out: _Output = None, zloss_out: _Output = None, lse_for_zloss_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Cross entropy of class logits, with smoothing and the z-loss; also stores the log
        probabilities.

        aclnnCrossEntropyLoss of aclnnop/aclnn_cross_entropy_loss.h."""

class _CrossEntropyLossGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_loss: Tensor | None, log_prob: Tensor | None, target: Tensor | None,
        weight_optional: Tensor | None = None, grad_zloss_optional: Tensor | None = None,
        lse_for_zloss_optional: Tensor | None = None, reduction_optional: str | None = "mean",
        ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0,
        lse_square_scale_for_zloss: SupportsFloat = 0.0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = gradLoss * weight[target] * (exp(logProb) - one-hot target), smoothed by
        labelSmoothing; divided by the summed weights of the targets for the mean.

        aclnnCrossEntropyLossGrad of aclnnop/aclnn_cross_entropy_loss_grad.h."""

class _CrossEntropySumExpAndIndexLogit(Operator):
    def __call__(  # type: ignore[override]
        op, /, vocab_parallel_logits: Tensor | None, target: Tensor | None,
        global_logits_max: Tensor | None, vocab_start_index: SupportsIndex,
        vocab_end_index: SupportsIndex, *, out: _Outputs | None = None,
        predicted_logits_out: _Output = None, sum_exp_logits_out: _Output = None,
        exp_logits_out: _Output = None, target_offset_out: _Output = None,
        target_mask_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The parts of a cross entropy over a vocabulary that is split between devices.

        aclnnCrossEntropySumExpAndIndexLogit of
        aclnnop/aclnn_cross_entropy_sum_exp_and_index_logit.h; since CANN 9.0."""

class _CtcLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, log_probs: Tensor | None, targets: Tensor | None, input_lengths: _Ints | None,
        targetlengths: _Ints | None, blank: SupportsIndex = 0, zero_infinity: bool = False, *,
        out: _Outputs | None = None, neg_log_likelihood_out: _Output = None,
        log_alpha_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Connectionist temporal classification: negative log likelihood of label sequences
        without alignment.

        aclnnCtcLoss of aclnnop/aclnn_ctc_loss.h."""

class _CtcLossBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, log_probs: Tensor | None, targets: Tensor | None,
        input_lengths: _Ints | None, target_lengths: _Ints | None,
        neg_log_likelihood: Tensor | None, log_alpha: Tensor | None, blank: SupportsIndex = 0,
        zero_infinity: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out[t, n, c] = gradOut[n] * (exp(logProbs[t, n, c]) - exp(negLogLikelihood[n] -
        logProbs[t, n, c] + log of the sum of alpha * beta over the places of class c)).

        aclnnCtcLossBackward of aclnnop/aclnn_ctc_loss_backward.h."""

class _Cummax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, *, out: _Outputs | None = None,
        values_out: _Output = None, indices_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum so far along dim, and its place.

        aclnnCummax of aclnnop/aclnn_cummax.h."""

class _Cummin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, *, out: _Outputs | None = None,
        values_out: _Output = None, indices_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Minimum so far along dim, and its place.

        aclnnCummin of aclnnop/aclnn_cummin.h."""

class _Cumprod(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, dim: _Scalar | None, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product so far along dim.

        aclnnCumprod of aclnnop/aclnn_cumprod.h."""

class _Cumsum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sum so far along dim.

        aclnnCumsum of aclnnop/aclnn_cumsum.h."""

class _CumsumV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, exclusive: bool = False,
        reverse: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sum so far along dim.

        aclnnCumsumV2 of aclnnop/aclnn_cumsum.h."""

class _DeepNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gx: Tensor | None, beta: Tensor | None, gamma: Tensor | None,
        alpha: SupportsFloat = 0.3, epsilon: SupportsFloat = 1e-06, *, out: _Outputs | None = None,
        mean_out: _Output = None, rstd_out: _Output = None, y_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Layer normalisation of alpha * x + gx.

        aclnnDeepNorm of aclnnop/aclnn_deep_norm.h."""

class _DeepNormGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, dy: Tensor | None, x: Tensor | None, gx: Tensor | None, gamma: Tensor | None,
        mean: Tensor | None, rstd: Tensor | None, alpha: SupportsFloat = 0.3, *,
        out: _Outputs | None = None, dx_out: _Output = None, dgx_out: _Output = None,
        dbeta_out: _Output = None, dgamma_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """With y = alpha * x + gx and g = dy * gamma: dgxOut = rstd * (g - mean(g) - yhat *
        mean(g * yhat)), dxOut = alpha * dgxOut; dgammaOut = sum(dy * yhat), dbetaOut =
        sum(dy), where yhat = (y - mean) * rstd.

        aclnnDeepNormGrad of aclnnop/aclnn_deep_norm_grad.h."""

class _DeformableConv2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, offset: Tensor | None,
        bias_optional: Tensor | None = None, *, kernel_size: _Ints | None, stride: _Ints | None,
        padding: _Ints | None, dilation: _Ints | None, groups: SupportsIndex = 1,
        deformable_groups: SupportsIndex = 1, modulated: bool = True, out: _Outputs | None = None,
        deform_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Convolution whose sampling points are moved by offsets and weighted.

        aclnnDeformableConv2d of aclnnop/aclnn_deformable_conv2d.h; since CANN 9.0."""

class _DeformableConv2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, grad_output: Tensor | None, offset_out: Tensor | None,
        weight: Tensor | None, offset: Tensor | None, kernel_size: _Ints | None,
        stride: _Ints | None, padding: _Ints | None, dilation: _Ints | None, groups: SupportsIndex,
        deformable_groups: SupportsIndex, modulated: bool, *, out: _Outputs | None = None,
        grad_input: _Output = None, grad_weight: _Output = None, grad_offset: _Output = None,
        grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the deformable convolution by input, weight, offset and bias.

        aclnnDeformableConv2dBackward of aclnnop/aclnn_convolution_backward.h; since CANN 9.0."""

class _DenseLightningIndexerGradKLLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, query_index: Tensor | None,
        key_index: Tensor | None, weights: Tensor | None, softmax_max: Tensor | None,
        softmax_sum: Tensor | None, softmax_max_index: Tensor | None,
        softmax_sum_index: Tensor | None, query_rope: Tensor | None, key_rope: Tensor | None,
        actual_seq_lengths_query: _Ints | None, actual_seq_lengths_key: _Ints | None,
        scale_value: SupportsFloat, layout: str | None, sparse_mode: SupportsIndex,
        pre_tokens: SupportsIndex, next_tokens: SupportsIndex, *, out: _Outputs | None = None,
        d_query_index: _Output = None, d_key_index: _Output = None, d_weights: _Output = None,
        loss: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of the indexer's divergence from attention over all keys, and the loss.

        aclnnDenseLightningIndexerGradKLLoss of
        aclnnop/aclnn_dense_lightning_indexer_grad_klloss.h."""

class _DenseLightningIndexerSoftmaxLse(Operator):
    def __call__(  # type: ignore[override]
        op, /, query_index: Tensor | None, key_index: Tensor | None, weight: Tensor | None,
        actual_seq_lengths_query_optional: _Ints | None = None,
        actual_seq_lengths_key_optional: _Ints | None = None, layout_optional: str | None = None, *,
        sparse_mode: SupportsIndex, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum and sum of the powers of the indexer's scores over all keys.

        aclnnDenseLightningIndexerSoftmaxLse of
        aclnnop/aclnn_dense_lightning_indexer_softmax_lse.h."""

class _DequantBias(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight_scale: Tensor | None,
        activate_scale_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        output_dtype: SupportsIndex, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Restores floating point values from int32 sums by two scales, and adds a bias.

        aclnnDequantBias of aclnnop/aclnn_dequant_bias.h."""

class _DequantRopeQuantKvcache(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, cos: Tensor | None, sin: Tensor | None, k_cache_ref: Tensor | None,
        v_cache_ref: Tensor | None, indices: Tensor | None, scale_k: Tensor | None,
        scale_v: Tensor | None, offset_k_optional: Tensor | None = None,
        offset_v_optional: Tensor | None = None, weight_scale_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        size_splits: _Ints | None, quant_mode_optional: str | None = "static",
        layout_optional: str | None = "BSND", kv_output: bool = False,
        cache_mode_optional: str | None = None, out: _Outputs | None = None, q_out: _Output = None,
        k_out: _Output = None, v_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Restores query, key and value, rotates the first two by position, quantises and stores
        the others in the caches.

        aclnnDequantRopeQuantKvcache of aclnnop/aclnn_dequant_rope_quant_kvcache.h."""

class _DequantSituQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight_scale_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        quant_scale_optional: Tensor | None = None, quant_offset_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, beta: SupportsFloat = 4.0,
        linear_beta: SupportsFloat = 25.0, activate_left: bool = True,
        quant_type_optional: str | None = "dynamic", *, out: _Outputs | None = None,
        y_out: _Output = None, y_scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Restores values, applies the gated SiTU activation and quantises the result.

        aclnnDequantSituQuant of aclnnop/aclnn_dequant_situ_quant.h; since CANN 9.0."""

class _DequantSwigluQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight_scale_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        quant_scale_optional: Tensor | None = None, quant_offset_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, activate_left: bool = False,
        quant_mode_optional: str | None = "static", *, out: _Outputs | None = None,
        y_out: _Output = None, scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Restores values, applies SwiGLU and quantises the result.

        aclnnDequantSwigluQuant of aclnnop/aclnn_dequant_swiglu_quant.h."""

class _DequantSwigluQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight_scale_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        quant_scale_optional: Tensor | None = None, quant_offset_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, activate_left: bool = False,
        quant_mode_optional: str | None = "static", *, dst_type: SupportsIndex,
        round_mode_optional: str | None = "rint", activate_dim: SupportsIndex,
        swiglu_mode: SupportsIndex = 0, clamp_limit: SupportsFloat = 7.0,
        glu_alpha: SupportsFloat = 1.702, glu_bias: SupportsFloat = 1.0,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Restores values, applies SwiGLU and quantises the result.

        aclnnDequantSwigluQuantV2 of aclnnop/aclnn_dequant_swiglu_quant_v2.h; since CANN 9.0."""

class _Diag(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, diagonal: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The diagonal of a matrix, or a matrix with a given diagonal.

        aclnnDiag of aclnnop/aclnn_diag.h."""

class _DiagFlat(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, diagonal: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """A matrix with the elements of self on a diagonal.

        aclnnDiagFlat of aclnnop/aclnn_diag_flat.h."""

class _Digamma(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = derivative of the logarithm of the gamma function.

        aclnnDigamma of aclnnop/aclnn_digamma.h."""

class _DistributeBarrier(Operator):
    def __call__(  # type: ignore[override]
        op, /, x_ref: Tensor | None, group: _Group | None, world_size: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Waits until all devices of a group have come here; xRef only orders it among other
        operators.

        aclnnDistributeBarrier of aclnnop/aclnn_distribute_barrier.h; since CANN 9.0."""

class _DistributeBarrierV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x_ref: Tensor | None, time_out: Tensor | None = None,
        elastic_info: Tensor | None = None, *, group: _Group | None, world_size: SupportsIndex,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Waits until all devices of a group have come here; xRef only orders it among other
        operators.

        aclnnDistributeBarrierV2 of aclnnop/aclnn_distribute_barrier_v2.h; since CANN 9.0."""

class _Div(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self / other.

        aclnnDiv of aclnnop/aclnn_div.h."""

class _DivMod(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, mode: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self / other, rounded as mode says: 0 not, 1 towards zero, 2 downwards.

        aclnnDivMod of aclnnop/aclnn_div.h."""

class _DivMods(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, mode: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self / other, rounded as mode says, where other is a scalar.

        aclnnDivMods of aclnnop/aclnn_div.h."""

class _Divs(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self / other, where other is a scalar.

        aclnnDivs of aclnnop/aclnn_div.h."""

class _Dot(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, tensor: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = scalar product of two vectors.

        aclnnDot of aclnnop/aclnn_dot.h."""

class _Dropout(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, p: SupportsFloat, train: bool, seed: SupportsIndex,
        offset: SupportsIndex, *, out: _Outputs | None = None, mask_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Sets elements to zero with probability p and divides the others by 1 - p; also stores
        the bits of the mask.

        aclnnDropout of aclnnop/aclnn_dropout.h."""

class _DropoutBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, mask: Tensor | None, scale: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput * scale where the mask's bit is set, and 0 elsewhere.

        aclnnDropoutBackward of aclnnop/aclnn_dropout_backward.h."""

class _DropoutDoMask(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mask: Tensor | None, prob: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self / (1 - prob) where the mask's bit is set, and 0 elsewhere.

        aclnnDropoutDoMask of aclnnop/aclnn_dropout_do_mask.h."""

class _DropoutGenMask(Operator):
    def __call__(  # type: ignore[override]
        op, /, shape: _Ints | None, prob: SupportsFloat, seed: SupportsIndex, offset: SupportsIndex,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Random bits that are set with probability 1 - prob.

        aclnnDropoutGenMask of aclnnop/aclnn_dropout_gen_mask.h."""

class _DropoutGenMaskV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, shape: _Ints | None, prob: SupportsFloat, seed: SupportsIndex, offset: SupportsIndex,
        prob_data_type: DTypeLike, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Random bits that are set with probability 1 - prob.

        aclnnDropoutGenMaskV2 of aclnnop/aclnn_dropout_gen_mask.h."""

class _DropoutGenMaskV2Tensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, shape: _Ints | None, prob: SupportsFloat, seed_tensor: Tensor | None,
        offset_tensor: Tensor | None, offset: SupportsIndex, prob_data_type: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Random bits that are set with probability 1 - prob, with the seed and offset in
        tensors.

        aclnnDropoutGenMaskV2Tensor of aclnnop/aclnn_dropout_gen_mask.h; since CANN 9.0."""

class _DropoutV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, optional_noise_shape: Tensor | None = None, *,
        p: SupportsFloat, seed: SupportsIndex, offset: SupportsIndex, out: _Outputs | None = None,
        mask_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Sets elements to zero with probability p and divides the others by 1 - p; also stores
        the bits of the mask.

        aclnnDropoutV3 of aclnnop/aclnn_dropout_v3.h; since CANN 9.0."""

class _DropoutV3Grad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, mask: Tensor | None, scale: SupportsFloat, *,
        out: Tensor | None = None, grad_x: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradX = gradY * scale where the mask's bit is set, and 0 elsewhere.

        aclnnDropoutV3Grad of aclnnop/aclnn_dropout_v3_grad.h; since CANN 9.0."""

class _DualLevelQuantMatmulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_level0_scale: Tensor | None,
        x2_level0_scale: Tensor | None, x1_level1_scale: Tensor | None,
        x2_level1_scale: Tensor | None, optional_bias: Tensor | None = None,
        transpose_x1: bool = False, transpose_x2: bool = True, *, level0_group_size: SupportsIndex,
        level1_group_size: SupportsIndex, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product of 4-bit operands with two levels of scales; the right one in the NZ
        layout.

        aclnnDualLevelQuantMatmulWeightNz of aclnnop/aclnn_dual_level_quant_matmul_nz.h; since
        CANN 9.0."""

class _DynamicBlockMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, round_mode_optional: str | None = None, *, dst_type: SupportsIndex,
        scale_alg: SupportsIndex, dst_type_max: SupportsFloat, out: _Outputs | None = None,
        y_out: _Output = None, scale1_out: _Output = None, scale2_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Quantises to a microscaling format in two-dimensional blocks.

        aclnnDynamicBlockMxQuant of aclnnop/aclnn_dynamic_block_mx_quant.h; since CANN 9.0."""

class _DynamicBlockQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, min_scale: SupportsFloat = 0.0,
        round_mode_optional: str | None = "rint", *, dst_type: SupportsIndex,
        row_block_size: SupportsIndex, col_block_size: SupportsIndex, out: _Outputs | None = None,
        y_out: _Output = None, scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises in two-dimensional blocks with a scale computed for each.

        aclnnDynamicBlockQuant of aclnnop/aclnn_dynamic_block_quant.h; since CANN 9.0."""

class _DynamicBlockQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, min_scale: SupportsFloat = 0.0,
        round_mode_optional: str | None = "rint", *, dst_type: SupportsIndex,
        row_block_size: SupportsIndex, col_block_size: SupportsIndex, dst_type_max: SupportsFloat,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises in two-dimensional blocks with a scale computed for each.

        aclnnDynamicBlockQuantV2 of aclnnop/aclnn_dynamic_block_quant_v2.h; since CANN 9.0."""

class _DynamicDualLevelMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scale_optional: Tensor | None = None,
        round_mode_optional: str | None = "rint", *, level0_block_size: SupportsIndex,
        level1_block_size: SupportsIndex, out: _Outputs | None = None, y_out: _Output = None,
        level0_scale_out: _Output = None, level1_scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Quantises to 4 bits with two levels of scales.

        aclnnDynamicDualLevelMxQuant of aclnnop/aclnn_dynamic_dual_level_mx_quant.h; since
        CANN 9.0."""

class _DynamicMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, axis: SupportsIndex = -1, round_mode_optional: str | None = "rint",
        *, dst_type: SupportsIndex, blocksize: SupportsIndex, scale_alg: SupportsIndex,
        out: _Outputs | None = None, y_out: _Output = None, mxscale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises to a microscaling format: a shared exponent for each block along an axis.

        aclnnDynamicMxQuant of aclnnop/aclnn_dynamic_mx_quant.h; since CANN 9.0."""

class _DynamicMxQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, axis: SupportsIndex = -1, round_mode_optional: str | None = "rint",
        *, dst_type: SupportsIndex, blocksize: SupportsIndex, scale_alg: SupportsIndex,
        dst_type_max: SupportsFloat, out: _Outputs | None = None, y_out: _Output = None,
        mxscale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises to a microscaling format: a shared exponent for each block along an axis.

        aclnnDynamicMxQuantV2 of aclnnop/aclnn_dynamic_mx_quant_v2.h; since CANN 9.0."""

class _DynamicMxQuantV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, axis: SupportsIndex = -1, round_mode_optional: str | None = "rint",
        *, dst_type: SupportsIndex, blocksize: SupportsIndex, scale_alg: SupportsIndex,
        dst_type_max: SupportsFloat, max_low_bound: SupportsFloat, out: _Outputs | None = None,
        y_out: _Output = None, mxscale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises to a microscaling format: a shared exponent for each block along an axis.

        aclnnDynamicMxQuantV3 of aclnnop/aclnn_dynamic_mx_quant_v3.h; since CANN 9.0."""

class _DynamicMxQuantWithDualAxis(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, round_mode_optional: str | None = "rint", *,
        dst_type: SupportsIndex, scale_alg: SupportsIndex, out: _Outputs | None = None,
        y1_out: _Output = None, mxscale1_out: _Output = None, y2_out: _Output = None,
        mxscale2_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Quantises to a microscaling format along the last axis and along the one before it.

        aclnnDynamicMxQuantWithDualAxis of aclnnop/aclnn_dynamic_mx_quant_with_dual_axis.h;
        since CANN 9.0."""

class _DynamicMxQuantWithDualAxisV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, round_mode_optional: str | None = "rint", *,
        dst_type: SupportsIndex, scale_alg: SupportsIndex, dst_type_max: SupportsFloat,
        out: _Outputs | None = None, y1_out: _Output = None, mxscale1_out: _Output = None,
        y2_out: _Output = None, mxscale2_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Quantises to a microscaling format along the last axis and along the one before it.

        aclnnDynamicMxQuantWithDualAxisV2 of
        aclnnop/aclnn_dynamic_mx_quant_with_dual_axis_v2.h; since CANN 9.0."""

class _DynamicQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scales_optional: Tensor | None = None, *,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises to int8 or int4 with a scale computed for each row.

        aclnnDynamicQuant of aclnnop/aclnn_dynamic_quant.h."""

class _DynamicQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scales_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, *, dst_type: SupportsIndex,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        offset_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Quantises to int8 or int4 with a scale computed for each row.

        aclnnDynamicQuantV2 of aclnnop/aclnn_dynamic_quant_v2.h."""

class _DynamicQuantV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scales_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, *, dst_type: SupportsIndex,
        is_symmetrical: bool, quant_mode: str | None, out: _Outputs | None = None,
        y_out: _Output = None, scale_out: _Output = None, offset_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Quantises to int8 or int4 with a scale computed for each row.

        aclnnDynamicQuantV3 of aclnnop/aclnn_dynamic_quant_v3.h; since CANN 9.0."""

class _DynamicQuantV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scales_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, *, dst_type: SupportsIndex,
        is_symmetrical: bool, quant_mode: str | None, dst_type_max: SupportsFloat,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        offset_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Quantises to int8 or int4 with a scale computed for each row.

        aclnnDynamicQuantV4 of aclnnop/aclnn_dynamic_quant_v4.h; since CANN 9.0."""

class _Einsum(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, equation: str | None, *, out: Tensor | None = None,
        output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sum of products in Einstein's notation.

        aclnnEinsum of aclnnop/aclnn_einsum.h."""

class _ElasticReceivableInfoCollect(Operator):
    def __call__(  # type: ignore[override]
        op, /, group: _Group | None, world_size: SupportsIndex, *, out: Tensor | None = None,
        y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Tells which devices of a group answered the latest connection test.

        aclnnElasticReceivableInfoCollect of aclnnop/aclnn_elastic_receivable_info_collect.h;
        since CANN 9.0."""

class _ElasticReceivableTest(Operator):
    def __call__(  # type: ignore[override]
        op, /, dst_rank: Tensor | None, group: _Group | None, world_size: SupportsIndex,
        rank_num: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[()]:
        """Sends a message to some devices of a group, to test the connections.

        aclnnElasticReceivableTest of aclnnop/aclnn_elastic_receivable_test.h; since CANN 9.0."""

class _Elu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, alpha: _Scalar | None = 1.0, scale: _Scalar | None = 1.0,
        input_scale: _Scalar | None = 1.0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = scale * self where self is positive, and scale * alpha * (exp(self * inputScale)
        - 1) elsewhere.

        aclnnElu of aclnnop/aclnn_elu.h."""

class _EluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, alpha: _Scalar | None = 1.0, scale: _Scalar | None = 1.0,
        input_scale: _Scalar | None = 1.0, *, is_result: bool, self_or_result: Tensor | None,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * scale where x > 0; elsewhere gradOutput * inputScale * (y +
        alpha * scale) for isResult, and gradOutput * alpha * scale * inputScale * exp(x *
        inputScale) otherwise.

        aclnnEluBackward of aclnnop/aclnn_elu_backward.h."""

class _Embedding(Operator):
    def __call__(  # type: ignore[override]
        op, /, weight: Tensor | None, indices: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = rows of weight that indices names.

        aclnnEmbedding of aclnnop/aclnn_embedding.h."""

class _EmbeddingBag(Operator):
    def __call__(  # type: ignore[override]
        op, /, weight: Tensor | None, indices: Tensor | None, offsets: Tensor | None,
        scale_grad_by_freq: bool = False, *, mode: SupportsIndex, sparse: bool = False,
        per_sample_weights: Tensor | None = None, include_last_offset: bool = False,
        padding_idx: SupportsIndex = -1, out: _Outputs | None = None, output: _Output = None,
        offset2bag: _Output = None, bag_size: _Output = None, max_indices: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Sums, means or maxima of bags of embedding rows.

        aclnnEmbeddingBag of aclnnop/aclnn_embedding_bag.h."""

class _EmbeddingDenseBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad: Tensor | None, indices: Tensor | None, num_weights: SupportsIndex,
        padding_idx: SupportsIndex, scale_grad_by_freq: bool = False, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out[indices[i]] is the sum of all grad[i] with that index, divided by their number for
        scaleGradByFreq; row paddingIdx stays 0, with 2^64 - 1 (that is -1) there is none.

        aclnnEmbeddingDenseBackward of aclnnop/aclnn_embedding_dense_backward.h."""

class _EmbeddingRenorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, indices: Tensor | None, max_norm: SupportsFloat,
        norm_type: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Scales the rows of selfRef that indices names down to a norm of maxNorm.

        aclnnEmbeddingRenorm of aclnnop/aclnn_embedding_renorm.h."""

class _EqScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self == other), where other is a scalar.

        aclnnEqScalar of aclnnop/aclnn_eq_scalar.h."""

class _EqTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self == other).

        aclnnEqTensor of aclnnop/aclnn_eq_tensor.h."""

class _Equal(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = whether two tensors have the same shape and elements.

        aclnnEqual of aclnnop/aclnn_equal.h."""

class _Erf(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = error function of self.

        aclnnErf of aclnnop/aclnn_erf.h."""

class _Erfc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1 - erf(self).

        aclnnErfc of aclnnop/aclnn_erfc.h."""

class _Erfinv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = inverse of the error function.

        aclnnErfinv of aclnnop/aclnn_erfinv.h."""

class _Exp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = e to the power of self.

        aclnnExp of aclnnop/aclnn_exp.h."""

class _Exp2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 2 to the power of self.

        aclnnExp2 of aclnnop/aclnn_exp2.h."""

class _ExpSegsum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Exponentials of the sums of all segments of the last dimension.

        aclnnExpSegsum of aclnnop/aclnn_segsum.h; since CANN 9.0."""

class _ExpSegsumBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, grad_self: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: with g = gradOutput * gradSelf, the sum of g over all rows from i on and
        columns before i.

        aclnnExpSegsumBackward of aclnnop/aclnn_exp_segsum_backward.h; since CANN 9.0."""

class _Expand(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, size: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self repeated along dimensions of length 1.

        aclnnExpand of aclnnop/aclnn_expand.h."""

class _ExpandIntoJaggedPermute(Operator):
    def __call__(  # type: ignore[override]
        op, /, permute: Tensor | None, input_offset: Tensor | None, output_offset: Tensor | None,
        output_size: SupportsIndex, *, out: Tensor | None = None,
        output_permute_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Expands a permutation of groups to one of their elements, where groups differ in
        length.

        aclnnExpandIntoJaggedPermute of aclnnop/aclnn_expand_into_jagged_permute.h; since CANN
        9.0."""

class _Expm1(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = exp(self) - 1.

        aclnnExpm1 of aclnnop/aclnn_expm1.h."""

class _Eye(Operator):
    def __call__(  # type: ignore[override]
        op, /, n: SupportsIndex, m: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """A matrix with ones on the diagonal.

        aclnnEye of aclnnop/aclnn_eye.h."""

class _FakeQuantPerChannelAffineCachemask(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, scale: Tensor | None, zero_point: Tensor | None,
        axis: SupportsIndex, quant_min: SupportsIndex, quant_max: SupportsIndex, *,
        out: _Outputs | None = None, mask: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises and restores values with a scale for each channel; also stores where they
        were in range.

        aclnnFakeQuantPerChannelAffineCachemask of
        aclnnop/aclnn_fake_quant_per_channel_affine_cachemask.h."""

class _FakeQuantPerTensorAffineCachemask(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, scale: Tensor | None, zero_point: Tensor | None,
        fake_quant_enabled: SupportsFloat, quant_min: SupportsIndex, quant_max: SupportsIndex, *,
        out: _Outputs | None = None, mask: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises and restores values with one scale; also stores where they were in range.

        aclnnFakeQuantPerTensorAffineCachemask of
        aclnnop/aclnn_fake_quant_per_tensor_affine_cachemask.h."""

class _FastBatchNormBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, weight: Tensor | None,
        running_mean: Tensor | None, running_var: Tensor | None, save_mean: Tensor | None,
        save_invstd: Tensor | None, training: bool, eps: SupportsFloat, output_mask: _Bools | None,
        version: SupportsIndex = 0, *, out: _Outputs | None = None, grad_input: _Output = None,
        grad_weight: _Output = None, grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """In training: gradInput = weight * invstd * (gradOut - mean(gradOut) - xhat *
        mean(gradOut * xhat)), else weight * invstd * gradOut, where xhat is the normalised
        input; gradWeight = sum(gradOut * xhat), gradBias = sum(gradOut).

        aclnnFastBatchNormBackward of aclnnop/aclnn_fast_batch_norm_backward.h; since CANN
        9.0."""

class _FastGelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * sigmoid(1.702 * self).

        aclnnFastGelu of aclnnop/aclnn_fast_gelu.h; since CANN 9.0."""

class _FastGeluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * (1 + t + 1.702 * x * t) / (1 + t)^2, where t = exp(-1.702 *
        x) and x is self.

        aclnnFastGeluBackward of aclnnop/aclnn_fast_gelu_backward.h; since CANN 9.0."""

class _FastLayerNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, normalized_shape: _Ints | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        eps: SupportsFloat, out: _Outputs | None = None, mean_out_optional: _Output = None,
        rstd_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Layer normalisation over the last dimensions.

        aclnnFastLayerNorm of aclnnop/aclnn_layer_norm.h; since CANN 9.0."""

class _FatreluMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, threshold: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """With self = (a, b) split in the last dimension: out = b * a where a > threshold, and 0
        elsewhere.

        aclnnFatreluMul of aclnnop/aclnn_fatrelu_mul.h."""

class _FFN(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight1: Tensor | None, weight2: Tensor | None,
        expert_tokens: _Ints | None = None, bias1: Tensor | None = None,
        bias2: Tensor | None = None, scale: Tensor | None = None, offset: Tensor | None = None,
        deq_scale1: Tensor | None = None, deq_scale2: Tensor | None = None,
        antiquant_scale1: Tensor | None = None, antiquant_scale2: Tensor | None = None,
        antiquant_offset1: Tensor | None = None, antiquant_offset2: Tensor | None = None, *,
        activation: str | None, inner_precise: SupportsIndex = 0, out: Tensor | None = None,
        y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Two matrix products with an activation between them, for one or several experts.

        aclnnFFN of aclnnop/aclnn_ffn.h."""

class _FFNToAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, session_ids: Tensor | None, micro_batch_ids: Tensor | None,
        token_ids: Tensor | None, expert_offsets: Tensor | None, actual_token_num: Tensor | None,
        attn_rank_table: Tensor | None, group: _Group | None, world_size: SupportsIndex,
        token_info_table_shape: _Ints | None, token_data_shape: _Ints | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[()]:
        """Sends tokens from the workers of the feed-forward network back to those of attention.

        aclnnFFNToAttention of aclnnop/aclnn_ffn_to_attention.h."""

class _FFNV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight1: Tensor | None, weight2: Tensor | None,
        expert_tokens: _Ints | None = None, bias1: Tensor | None = None,
        bias2: Tensor | None = None, scale: Tensor | None = None, offset: Tensor | None = None,
        deq_scale1: Tensor | None = None, deq_scale2: Tensor | None = None,
        antiquant_scale1: Tensor | None = None, antiquant_scale2: Tensor | None = None,
        antiquant_offset1: Tensor | None = None, antiquant_offset2: Tensor | None = None, *,
        activation: str | None, inner_precise: SupportsIndex = 0, tokens_index_flag: bool = False,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Two matrix products with an activation between them, for one or several experts.

        aclnnFFNV2 of aclnnop/aclnn_ffn_v2.h."""

class _FFNV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight1: Tensor | None, weight2: Tensor | None,
        expert_tokens_optional: Tensor | None = None, bias1_optional: Tensor | None = None,
        bias2_optional: Tensor | None = None, scale_optional: Tensor | None = None,
        offset_optional: Tensor | None = None, deq_scale1_optional: Tensor | None = None,
        deq_scale2_optional: Tensor | None = None, antiquant_scale1_optional: Tensor | None = None,
        antiquant_scale2_optional: Tensor | None = None,
        antiquant_offset1_optional: Tensor | None = None,
        antiquant_offset2_optional: Tensor | None = None, *, activation: str | None,
        inner_precise: SupportsIndex = 0, tokens_index_flag: bool = False,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Two matrix products with an activation between them, for one or several experts.

        aclnnFFNV3 of aclnnop/aclnn_ffn_v3.h."""

class _FlashAttentionScore(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """out = softmax(scale * query key^T + masks) value, without storing the scores; for
        training.

        aclnnFlashAttentionScore of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttentionScoreGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        out: _Outputs | None = None, dq_out: _Output = None, dk_out: _Output = None,
        dv_out: _Output = None, dpse_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the attention by query, key, value and the position encoding.

        aclnnFlashAttentionScoreGrad of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionScoreGradV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        pse_type: SupportsIndex = 1, out: _Outputs | None = None, dq_out: _Output = None,
        dk_out: _Output = None, dv_out: _Output = None, dpse_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the attention by query, key, value and the position encoding.

        aclnnFlashAttentionScoreGradV2 of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionScoreGradV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        sink_in_optional: Tensor | None = None, prefix_optional: _Ints | None = None,
        q_start_idx_optional: _Ints | None = None, kv_start_idx_optional: _Ints | None = None, *,
        scale_value: SupportsFloat, keep_prob: SupportsFloat, pre_tokens: SupportsIndex,
        next_tokens: SupportsIndex, head_num: SupportsIndex, input_layout: str | None,
        inner_precise: SupportsIndex, sparse_mode: SupportsIndex, pse_type: SupportsIndex,
        out: _Outputs | None = None, dq_out: _Output = None, dk_out: _Output = None,
        dv_out: _Output = None, dpse_out: _Output = None, dsink_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of aclnnFlashAttentionScoreV3.

        aclnnFlashAttentionScoreGradV3 of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionScoreGradV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        sink_in_optional: Tensor | None = None, query_rope_optional: Tensor | None = None,
        key_rope_optional: Tensor | None = None, d_scale_q_optional: Tensor | None = None,
        d_scale_k_optional: Tensor | None = None, d_scale_v_optional: Tensor | None = None,
        d_scale_dy_optional: Tensor | None = None, d_scale_o_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, *, scale_value: SupportsFloat,
        keep_prob: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        head_num: SupportsIndex, input_layout: str | None, softmax_in_layout: str | None,
        inner_precise: SupportsIndex, sparse_mode: SupportsIndex, pse_type: SupportsIndex,
        seed: SupportsIndex, offset: SupportsIndex, out_dtype: SupportsIndex,
        out: _Outputs | None = None, dq_out: _Output = None, dk_out: _Output = None,
        dv_out: _Output = None, dq_rope_out: _Output = None, dk_rope_out: _Output = None,
        dpse_out: _Output = None, dsink_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of aclnnFlashAttentionScoreV4.

        aclnnFlashAttentionScoreGradV4 of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionScoreV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        pse_type: SupportsIndex = 1, out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """out = softmax(scale * query key^T + masks) value, without storing the scores; for
        training.

        aclnnFlashAttentionScoreV2 of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttentionScoreV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        sink_optional: Tensor | None = None, prefix_optional: _Ints | None = None,
        q_start_idx_optional: _Ints | None = None, kv_start_idx_optional: _Ints | None = None, *,
        scale_value: SupportsFloat, keep_prob: SupportsFloat, pre_tokens: SupportsIndex,
        next_tokens: SupportsIndex, head_num: SupportsIndex, input_layout: str | None,
        inner_precise: SupportsIndex, sparse_mode: SupportsIndex, pse_type: SupportsIndex,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """FlashAttentionScore with attention sinks.

        aclnnFlashAttentionScoreV3 of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttentionScoreV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        query_rope_optional: Tensor | None = None, key_rope_optional: Tensor | None = None,
        d_scale_q_optional: Tensor | None = None, d_scale_k_optional: Tensor | None = None,
        d_scale_v_optional: Tensor | None = None, sink_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, *, scale_value: SupportsFloat,
        keep_prob: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        head_num: SupportsIndex, input_layout: str | None, inner_precise: SupportsIndex,
        sparse_mode: SupportsIndex, out_dtype: SupportsIndex, pse_type: SupportsIndex,
        softmax_out_layout: str | None, seed: SupportsIndex, offset: SupportsIndex,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """FlashAttentionScore with scales of quantised inputs, rotary parts and its own random
        numbers for dropout.

        aclnnFlashAttentionScoreV4 of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttentionUnpaddingScoreGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        out: _Outputs | None = None, dq_out: _Output = None, dk_out: _Output = None,
        dv_out: _Output = None, dpse_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the attention over sequences of different lengths that are joined without
        padding.

        aclnnFlashAttentionUnpaddingScoreGrad of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionUnpaddingScoreGradV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        pse_type: SupportsIndex = 1, out: _Outputs | None = None, dq_out: _Output = None,
        dk_out: _Output = None, dv_out: _Output = None, dpse_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the attention over sequences of different lengths that are joined without
        padding.

        aclnnFlashAttentionUnpaddingScoreGradV2 of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionUnpaddingScoreGradV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, query_rope: Tensor | None = None, *, key_in: Tensor | None,
        key_in_rope: Tensor | None = None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, head_num: SupportsIndex, input_layout: str | None,
        inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        pse_type: SupportsIndex = 1, out: _Outputs | None = None, dq_out: _Output = None,
        dq_rope_out: _Output = None, dk_out: _Output = None, dk_rope_out: _Output = None,
        dv_out: _Output = None, dpse_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the attention over sequences of different lengths that are joined without
        padding.

        aclnnFlashAttentionUnpaddingScoreGradV3 of aclnnop/aclnn_flash_attention_score_grad.h;
        since CANN 9.0."""

class _FlashAttentionUnpaddingScoreGradV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key_in: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        softmax_in_layout: str | None, out: _Outputs | None = None, dq_out: _Output = None,
        dk_out: _Output = None, dv_out: _Output = None, dpse_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradients of the attention over sequences of different lengths that are joined without
        padding.

        aclnnFlashAttentionUnpaddingScoreGradV4 of aclnnop/aclnn_flash_attention_score_grad.h;
        since CANN 9.0."""

class _FlashAttentionUnpaddingScoreGradV5(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, query_rope: Tensor | None, key_in: Tensor | None,
        key_in_rope: Tensor | None, value: Tensor | None, dy: Tensor | None,
        pse_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        softmax_max_optional: Tensor | None = None, softmax_sum_optional: Tensor | None = None,
        softmax_in_optional: Tensor | None = None, attention_in_optional: Tensor | None = None,
        sink_in_optional: Tensor | None = None, prefix_optional: _Ints | None = None,
        actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, *, scale_value: SupportsFloat,
        keep_prob: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        head_num: SupportsIndex, input_layout: str | None, inner_precise: SupportsIndex,
        sparse_mode: SupportsIndex, pse_type: SupportsIndex, softmax_in_layout: str | None,
        out: _Outputs | None = None, dq_out: _Output = None, dq_rope_out: _Output = None,
        dk_out: _Output = None, dk_rope_out: _Output = None, dv_out: _Output = None,
        dpse_out: _Output = None, dsink_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of aclnnFlashAttentionVarLenScoreV5.

        aclnnFlashAttentionUnpaddingScoreGradV5 of aclnnop/aclnn_flash_attention_score_grad.h."""

class _FlashAttentionVarLenScore(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The attention over sequences of different lengths that are joined without padding.

        aclnnFlashAttentionVarLenScore of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttentionVarLenScoreV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        pse_type: SupportsIndex = 1, out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The attention over sequences of different lengths that are joined without padding.

        aclnnFlashAttentionVarLenScoreV2 of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttentionVarLenScoreV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, query_rope: Tensor | None = None, *, key: Tensor | None,
        key_rope: Tensor | None = None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, head_num: SupportsIndex, input_layout: str | None,
        inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        pse_type: SupportsIndex = 1, out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The attention over sequences of different lengths that are joined without padding.

        aclnnFlashAttentionVarLenScoreV3 of aclnnop/aclnn_flash_attention_score.h; since CANN
        9.0."""

class _FlashAttentionVarLenScoreV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        real_shift_optional: Tensor | None = None, drop_mask_optional: Tensor | None = None,
        padding_mask_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0,
        keep_prob: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, *, head_num: SupportsIndex,
        input_layout: str | None, inner_precise: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        softmax_out_layout: str | None, out: _Outputs | None = None,
        softmax_max_out: _Output = None, softmax_sum_out: _Output = None,
        softmax_out_out: _Output = None, attention_out_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The attention over sequences of different lengths that are joined without padding.

        aclnnFlashAttentionVarLenScoreV4 of aclnnop/aclnn_flash_attention_score.h; since CANN
        9.0."""

class _FlashAttentionVarLenScoreV5(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, query_rope: Tensor | None, key: Tensor | None,
        key_rope: Tensor | None, value: Tensor | None, real_shift_optional: Tensor | None = None,
        drop_mask_optional: Tensor | None = None, padding_mask_optional: Tensor | None = None,
        atten_mask_optional: Tensor | None = None, sink_optional: Tensor | None = None,
        prefix_optional: _Ints | None = None, actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, *, scale_value: SupportsFloat,
        keep_prob: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        head_num: SupportsIndex, input_layout: str | None, inner_precise: SupportsIndex,
        sparse_mode: SupportsIndex, pse_type: SupportsIndex, softmax_out_layout: str | None,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_out_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """FlashAttentionVarLenScore with attention sinks.

        aclnnFlashAttentionVarLenScoreV5 of aclnnop/aclnn_flash_attention_score.h."""

class _FlashAttn(Operator):
    def __call__(  # type: ignore[override]
        op, /, q: Tensor | None, k: Tensor | None, v: Tensor | None,
        block_table_optional: Tensor | None = None, cu_seqlens_q_optional: Tensor | None = None,
        cu_seqlens_kv_optional: Tensor | None = None, seqused_q_optional: Tensor | None = None,
        seqused_kv_optional: Tensor | None = None, sinks_optional: Tensor | None = None,
        attn_mask_optional: Tensor | None = None, metadata_optional: Tensor | None = None, *,
        softmax_scale: SupportsFloat, mask_mode: SupportsIndex = 0, win_left: SupportsIndex = -1,
        win_right: SupportsIndex = -1, max_seqlen_q: SupportsIndex = -1,
        max_seqlen_kv: SupportsIndex = -1, layout_q: str | None = "BSND",
        layout_kv: str | None = "BSND", layout_out: str | None = "BSND",
        return_softmax_lse: SupportsIndex = 0, out: _Outputs | None = None,
        attn_out: _Output = None, softmax_lse_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Attention with a plan made beforehand by FlashAttnMetadata.

        aclnnFlashAttn of aclnnop/aclnn_flash_attn.h."""

class _FlashAttnMetadata(Operator):
    def __call__(  # type: ignore[override]
        op, /, cu_seqlens_q_optional: Tensor | None = None,
        cu_seqlens_kv_optional: Tensor | None = None, seqused_q_optional: Tensor | None = None,
        seqused_kv_optional: Tensor | None = None, *, batch_size: SupportsIndex,
        max_seqlen_q: SupportsIndex, max_seqlen_kv: SupportsIndex, num_heads_q: SupportsIndex,
        num_heads_kv: SupportsIndex, head_dim: SupportsIndex, mask_mode: SupportsIndex,
        win_left: SupportsIndex, win_right: SupportsIndex, layout_q: str | None,
        layout_kv: str | None, layout_out: str | None, out: Tensor | None = None,
        meta_data: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """How FlashAttn divides its work, from the lengths of the sequences.

        aclnnFlashAttnMetadata of aclnnop/aclnn_flash_attn_metadata.h."""

class _FlatQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, kronecker_p1: Tensor | None, kronecker_p2: Tensor | None,
        clip_ratio: SupportsFloat = 1.0, *, out: _Outputs | None = None,
        quant_scale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies each matrix of x by a small one on both sides and quantises the result.

        aclnnFlatQuant of aclnnop/aclnn_flat_quant.h."""

class _FlatQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, kronecker_p1: Tensor | None, kronecker_p2: Tensor | None,
        clip_ratio: SupportsFloat = 1.0, *, dst_type_max: SupportsFloat,
        out: _Outputs | None = None, quant_scale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies each matrix of x by a small one on both sides and quantises the result.

        aclnnFlatQuantV2 of aclnnop/aclnn_flat_quant_v2.h; since CANN 9.0."""

class _FlatQuantV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, kronecker_p1: Tensor | None, kronecker_p2: Tensor | None,
        group_list_optional: Tensor | None = None, clip_ratio: SupportsFloat = 1.0, *,
        dst_type_max: SupportsFloat, group_list_type: SupportsIndex, out: _Outputs | None = None,
        quant_scale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies each matrix of x by a small one on both sides and quantises the result.

        aclnnFlatQuantV3 of aclnnop/aclnn_flat_quant_v3.h; since CANN 9.0."""

class _Flatten(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, axis: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self as a matrix: the dimensions before axis, and the others.

        aclnnFlatten of aclnnop/aclnn_flatten.h."""

class _Flip(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dims: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self with some dimensions reversed.

        aclnnFlip of aclnnop/aclnn_flip.h."""

class _Floor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = largest integers not above self.

        aclnnFloor of aclnnop/aclnn_floor.h."""

class _FloorDivide(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self / other, rounded downwards.

        aclnnFloorDivide of aclnnop/aclnn_floor_divide.h."""

class _FloorDivides(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self / other, rounded downwards, where other is a scalar.

        aclnnFloorDivides of aclnnop/aclnn_floor_divide.h."""

class _FmodScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = remainder of self / other with the sign of self, where other is a scalar.

        aclnnFmodScalar of aclnnop/aclnn_fmod_scalar.h."""

class _FmodTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = remainder of self / other with the sign of self.

        aclnnFmodTensor of aclnnop/aclnn_fmod_tensor.h."""

class _ForeachACosInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = arc cosine of x.

        aclnnForeachACosInplace of aclnnop/aclnn_foreach_a_cos_inplace.h; since CANN 9.0."""

class _ForeachAbs(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = |x|.

        aclnnForeachAbs of aclnnop/aclnn_foreach_abs.h."""

class _ForeachAcos(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = arc cosine of x.

        aclnnForeachAcos of aclnnop/aclnn_foreach_acos.h."""

class _ForeachAddList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, alpha: Tensor | None, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Adds alpha times the tensor of another list to each tensor of a list.

        aclnnForeachAddList of aclnnop/aclnn_foreach_add_list.h."""

class _ForeachAddListInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, alpha: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Adds alpha times the tensor of another list to each tensor of a list, in place.

        aclnnForeachAddListInplace of aclnnop/aclnn_foreach_add_list_inplace.h; since CANN
        9.0."""

class _ForeachAddListV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, alpha: _Scalar | None, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Adds alpha times the tensor of another list to each tensor of a list.

        aclnnForeachAddListV2 of aclnnop/aclnn_foreach_add_list_v2.h."""

class _ForeachAddScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Adds one scalar to each tensor of a list.

        aclnnForeachAddScalar of aclnnop/aclnn_foreach_add_scalar.h."""

class _ForeachAddScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Adds a scalar of its own to each tensor of a list.

        aclnnForeachAddScalarList of aclnnop/aclnn_foreach_add_scalar_list.h."""

class _ForeachAddScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Adds one scalar to each tensor of a list.

        aclnnForeachAddScalarV2 of aclnnop/aclnn_foreach_add_scalar_v2.h."""

class _ForeachAddcdivList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None,
        scalars: Tensor | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 / x3, with a tensor of factors.

        aclnnForeachAddcdivList of aclnnop/aclnn_foreach_addcdiv_list.h."""

class _ForeachAddcdivScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None, scalar: Tensor | None,
        *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 / x3, with one factor.

        aclnnForeachAddcdivScalar of aclnnop/aclnn_foreach_addcdiv_scalar.h."""

class _ForeachAddcdivScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None,
        scalars: Tensor | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 / x3, with a list of factors.

        aclnnForeachAddcdivScalarList of aclnnop/aclnn_foreach_addcdiv_scalar_list.h."""

class _ForeachAddcdivScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None,
        scalar: _Scalar | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 / x3, with one factor.

        aclnnForeachAddcdivScalarV2 of aclnnop/aclnn_foreach_addcdiv_scalar_v2.h."""

class _ForeachAddcmulList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None,
        scalars: Tensor | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 * x3, with a tensor of factors.

        aclnnForeachAddcmulList of aclnnop/aclnn_foreach_addcmul_list.h."""

class _ForeachAddcmulScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None, scalar: Tensor | None,
        *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 * x3, with one factor.

        aclnnForeachAddcmulScalar of aclnnop/aclnn_foreach_addcmul_scalar.h."""

class _ForeachAddcmulScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None,
        scalars: Tensor | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 * x3, with a list of factors.

        aclnnForeachAddcmulScalarList of aclnnop/aclnn_foreach_addcmul_scalar_list.h."""

class _ForeachAddcmulScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, x3: _Tensors | None,
        scalar: _Scalar | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + scalar * x2 * x3, with one factor.

        aclnnForeachAddcmulScalarV2 of aclnnop/aclnn_foreach_addcmul_scalar_v2.h."""

class _ForeachAsin(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = arc sine of x.

        aclnnForeachAsin of aclnnop/aclnn_foreach_asin.h."""

class _ForeachAtan(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = arc tangent of x.

        aclnnForeachAtan of aclnnop/aclnn_foreach_atan.h."""

class _ForeachCopy(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Copies each tensor of a list.

        aclnnForeachCopy of aclnnop/aclnn_foreach_copy.h."""

class _ForeachCos(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = cosine of x.

        aclnnForeachCos of aclnnop/aclnn_foreach_cos.h."""

class _ForeachCosh(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = hyperbolic cosine of x.

        aclnnForeachCosh of aclnnop/aclnn_foreach_cosh.h."""

class _ForeachDivList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Divides each tensor of a list by the tensor of another list.

        aclnnForeachDivList of aclnnop/aclnn_foreach_div_list.h."""

class _ForeachDivListInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Divides each tensor of a list by the tensor of another list, in place.

        aclnnForeachDivListInplace of aclnnop/aclnn_foreach_div_list_inplace.h; since CANN
        9.0."""

class _ForeachDivScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Divides each tensor of a list by one scalar.

        aclnnForeachDivScalar of aclnnop/aclnn_foreach_div_scalar.h."""

class _ForeachDivScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Divides each tensor of a list by a scalar of its own.

        aclnnForeachDivScalarList of aclnnop/aclnn_foreach_div_scalar_list.h."""

class _ForeachDivScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Divides each tensor of a list by one scalar.

        aclnnForeachDivScalarV2 of aclnnop/aclnn_foreach_div_scalar_v2.h."""

class _ForeachErf(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = error function of x.

        aclnnForeachErf of aclnnop/aclnn_foreach_erf.h."""

class _ForeachErfc(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = 1 - erf(x).

        aclnnForeachErfc of aclnnop/aclnn_foreach_erfc.h."""

class _ForeachExp(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = e to the power of x.

        aclnnForeachExp of aclnnop/aclnn_foreach_exp.h."""

class _ForeachExpm1(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = exp(x) - 1.

        aclnnForeachExpm1 of aclnnop/aclnn_foreach_expm1.h."""

class _ForeachLerpList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, weight: _Tensors | None, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + weight * (x2 - x1), with tensors of weights.

        aclnnForeachLerpList of aclnnop/aclnn_foreach_lerp_list.h."""

class _ForeachLerpScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, weight: _Scalar | None, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = x1 + weight * (x2 - x1), with one weight.

        aclnnForeachLerpScalar of aclnnop/aclnn_foreach_lerp_scalar.h."""

class _ForeachLog(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = natural logarithm of x.

        aclnnForeachLog of aclnnop/aclnn_foreach_log.h."""

class _ForeachLog10(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = decimal logarithm of x.

        aclnnForeachLog10 of aclnnop/aclnn_foreach_log10.h."""

class _ForeachLog1p(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = log(1 + x).

        aclnnForeachLog1p of aclnnop/aclnn_foreach_log1p.h."""

class _ForeachLog2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = binary logarithm of x.

        aclnnForeachLog2 of aclnnop/aclnn_foreach_log2.h."""

class _ForeachLogInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = natural logarithm of x.

        aclnnForeachLogInplace of aclnnop/aclnn_foreach_log_inplace.h; since CANN 9.0."""

class _ForeachMaximumList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the larger of each tensor of a list and the tensor of another list.

        aclnnForeachMaximumList of aclnnop/aclnn_foreach_maximum_list.h."""

class _ForeachMaximumScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the larger of each tensor of a list and one scalar.

        aclnnForeachMaximumScalar of aclnnop/aclnn_foreach_maximum_scalar.h."""

class _ForeachMaximumScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the larger of each tensor of a list and a scalar of its own.

        aclnnForeachMaximumScalarList of aclnnop/aclnn_foreach_maximum_scalar_list.h."""

class _ForeachMaximumScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the larger of each tensor of a list and one scalar.

        aclnnForeachMaximumScalarV2 of aclnnop/aclnn_foreach_maximum_scalar_v2.h."""

class _ForeachMinimumList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the smaller of each tensor of a list and the tensor of another list.

        aclnnForeachMinimumList of aclnnop/aclnn_foreach_minimum_list.h."""

class _ForeachMinimumScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the smaller of each tensor of a list and one scalar.

        aclnnForeachMinimumScalar of aclnnop/aclnn_foreach_minimum_scalar.h."""

class _ForeachMinimumScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the smaller of each tensor of a list and a scalar of its own.

        aclnnForeachMinimumScalarList of aclnnop/aclnn_foreach_minimum_scalar_list.h."""

class _ForeachMinimumScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Takes the smaller of each tensor of a list and one scalar.

        aclnnForeachMinimumScalarV2 of aclnnop/aclnn_foreach_minimum_scalar_v2.h."""

class _ForeachMulList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Multiplies each tensor of a list by the tensor of another list.

        aclnnForeachMulList of aclnnop/aclnn_foreach_mul_list.h."""

class _ForeachMulListInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Multiplies each tensor of a list by the tensor of another list, in place.

        aclnnForeachMulListInplace of aclnnop/aclnn_foreach_mul_list_inplace.h; since CANN
        9.0."""

class _ForeachMulScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Multiplies each tensor of a list by one scalar.

        aclnnForeachMulScalar of aclnnop/aclnn_foreach_mul_scalar.h."""

class _ForeachMulScalarInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Multiplies each tensor of a list by one scalar, in place.

        aclnnForeachMulScalarInplace of aclnnop/aclnn_foreach_mul_scalar_inplace.h; since CANN
        9.0."""

class _ForeachMulScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Multiplies each tensor of a list by a scalar of its own.

        aclnnForeachMulScalarList of aclnnop/aclnn_foreach_mul_scalar_list.h."""

class _ForeachMulScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Multiplies each tensor of a list by one scalar.

        aclnnForeachMulScalarV2 of aclnnop/aclnn_foreach_mul_scalar_v2.h."""

class _ForeachNeg(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = -x.

        aclnnForeachNeg of aclnnop/aclnn_foreach_neg.h."""

class _ForeachNonFiniteCheckAndUnscale(Operator):
    def __call__(  # type: ignore[override]
        op, /, scaled_grads: _Tensors | None, found_inf: Tensor | None, inv_scale: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[_Tensors, Tensor]:
        """Multiplies all gradients of a list by invScale and sets foundInf where one is not
        finite, in place.

        aclnnForeachNonFiniteCheckAndUnscale of
        aclnnop/aclnn_foreach_non_finite_check_and_unscale.h; since CANN 9.0."""

class _ForeachNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """out = norm of each tensor of a list.

        aclnnForeachNorm of aclnnop/aclnn_foreach_norm.h."""

class _ForeachPowList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Raises each tensor of a list to the power of the tensor of another list.

        aclnnForeachPowList of aclnnop/aclnn_foreach_pow_list.h."""

class _ForeachPowScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Raises each tensor of a list to the power of one scalar.

        aclnnForeachPowScalar of aclnnop/aclnn_foreach_pow_scalar.h."""

class _ForeachPowScalarAndTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, scalar: _Scalar | None, x: _Tensors | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Raises a scalar to the powers that the tensors of a list hold.

        aclnnForeachPowScalarAndTensor of aclnnop/aclnn_foreach_pow_scalar_and_tensor.h."""

class _ForeachPowScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Raises each tensor of a list to the power of a scalar of its own.

        aclnnForeachPowScalarList of aclnnop/aclnn_foreach_pow_scalar_list.h."""

class _ForeachPowScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Raises each tensor of a list to the power of one scalar.

        aclnnForeachPowScalarV2 of aclnnop/aclnn_foreach_pow_scalar_v2.h."""

class _ForeachReciprocal(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = 1 / x.

        aclnnForeachReciprocal of aclnnop/aclnn_foreach_reciprocal.h."""

class _ForeachRoundOffNumber(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, round_mode: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Rounds each tensor of a list, as roundMode says.

        aclnnForeachRoundOffNumber of aclnnop/aclnn_foreach_round_off_number.h."""

class _ForeachRoundOffNumberV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, round_mode: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Rounds each tensor of a list, as roundMode says.

        aclnnForeachRoundOffNumberV2 of aclnnop/aclnn_foreach_round_off_number_v2.h."""

class _ForeachSigmoid(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = 1 / (1 + exp(-x)).

        aclnnForeachSigmoid of aclnnop/aclnn_foreach_sigmoid.h."""

class _ForeachSign(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = -1, 0 or 1.

        aclnnForeachSign of aclnnop/aclnn_foreach_sign.h."""

class _ForeachSin(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = sine of x.

        aclnnForeachSin of aclnnop/aclnn_foreach_sin.h."""

class _ForeachSinh(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = hyperbolic sine of x.

        aclnnForeachSinh of aclnnop/aclnn_foreach_sinh.h."""

class _ForeachSqrt(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = square root of x.

        aclnnForeachSqrt of aclnnop/aclnn_foreach_sqrt.h."""

class _ForeachSubList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, alpha: Tensor | None, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts alpha times the tensor of another list from each tensor of a list.

        aclnnForeachSubList of aclnnop/aclnn_foreach_sub_list.h."""

class _ForeachSubListInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, alpha: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts alpha times the tensor of another list from each tensor of a list, in place.

        aclnnForeachSubListInplace of aclnnop/aclnn_foreach_sub_list_inplace.h; since CANN
        9.0."""

class _ForeachSubListV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: _Tensors | None, x2: _Tensors | None, alpha: _Scalar | None, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts alpha times the tensor of another list from each tensor of a list.

        aclnnForeachSubListV2 of aclnnop/aclnn_foreach_sub_list_v2.h."""

class _ForeachSubScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts one scalar from each tensor of a list.

        aclnnForeachSubScalar of aclnnop/aclnn_foreach_sub_scalar.h."""

class _ForeachSubScalarInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts one scalar from each tensor of a list, in place.

        aclnnForeachSubScalarInplace of aclnnop/aclnn_foreach_sub_scalar_inplace.h; since CANN
        9.0."""

class _ForeachSubScalarList(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalars: _Scalars | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts a scalar of its own from each tensor of a list.

        aclnnForeachSubScalarList of aclnnop/aclnn_foreach_sub_scalar_list.h."""

class _ForeachSubScalarV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, scalar: _Scalar | None, *, out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Subtracts one scalar from each tensor of a list.

        aclnnForeachSubScalarV2 of aclnnop/aclnn_foreach_sub_scalar_v2.h."""

class _ForeachTan(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = tangent of x.

        aclnnForeachTan of aclnnop/aclnn_foreach_tan.h."""

class _ForeachTanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """For each tensor of a list: out = hyperbolic tangent of x.

        aclnnForeachTanh of aclnnop/aclnn_foreach_tanh.h."""

class _ForeachZeroInplace(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Sets all tensors of a list to 0.

        aclnnForeachZeroInplace of aclnnop/aclnn_foreach_zero_inplace.h."""

class _Frac(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self without its integer part.

        aclnnFrac of aclnnop/aclnn_frac.h."""

class _FusedAdamw(Operator):
    def __call__(  # type: ignore[override]
        op, /, params_ref: _Tensors | None, grads: _Tensors | None, exp_avgs_ref: _Tensors | None,
        exp_avg_sqs_ref: _Tensors | None, max_exp_avg_sqs_ref: _Tensors | None,
        state_steps: _Tensors | None, grad_scale_optional: Tensor | None = None,
        found_inf_optional: Tensor | None = None, *, lr: SupportsFloat, beta1: SupportsFloat,
        beta2: SupportsFloat, weight_decay: SupportsFloat, eps: SupportsFloat, amsgrad: bool,
        maximize: bool, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[_Tensors, _Tensors, _Tensors, _Tensors]:
        """One step of AdamW for lists of tensors, in place.

        aclnnFusedAdamw of aclnnop/aclnn_fused_adamw.h; since CANN 9.0."""

class _FusedCausalConv1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, conv_states: Tensor | None,
        query_start_loc: Tensor | None, cache_indices: Tensor | None,
        initial_state_mode: Tensor | None, bias: Tensor | None, num_accepted_tokens: Tensor | None,
        num_computed_tokens: Tensor | None, block_idx_first_scheduled_token: Tensor | None,
        block_idx_last_scheduled_token: Tensor | None, initial_state_idx: Tensor | None,
        activation_mode: SupportsIndex, pad_slot_id: SupportsIndex, run_mode: SupportsIndex,
        max_query_len: SupportsIndex, residual_connection: SupportsIndex, block_size: SupportsIndex,
        conv_mode: SupportsIndex, *, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Causal convolution along the sequence with states of earlier tokens, activation and
        residual in one.

        aclnnFusedCausalConv1d of aclnnop/aclnn_fused_causal_conv1d.h."""

class _FusedCrossEntropyLossWithMaxSum(Operator):
    def __call__(  # type: ignore[override]
        op, /, logits_max: Tensor | None, sum_exp_logits: Tensor | None,
        predicted_logits: Tensor | None, label_smoothing: SupportsFloat = 0.0,
        input_optional: Tensor | None = None, weight_optional: Tensor | None = None,
        vocab_parallel_logits_optional: Tensor | None = None, *, out: _Outputs | None = None,
        loss_out: _Output = None, soft_max_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The loss of a vocabulary split between devices, from maxima and sums that were
        reduced.

        aclnnFusedCrossEntropyLossWithMaxSum of
        aclnnop/aclnn_fused_cross_entropy_loss_with_max_sum.h; since CANN 9.0."""

class _FusedFloydAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key1: Tensor | None, value1: Tensor | None,
        key2: Tensor | None, value2: Tensor | None, atten_mask_optional: Tensor | None = None, *,
        scale_value_optional: SupportsFloat, out: _Outputs | None = None,
        softmax_max_out: _Output = None, softmax_sum_out: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Attention that adds two kinds of scores, over rows and columns of pairs, before one
        softmax.

        aclnnFusedFloydAttention of aclnnop/aclnn_fused_floyd_attention.h."""

class _FusedFloydAttentionGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key1: Tensor | None, value1: Tensor | None,
        key2: Tensor | None, value2: Tensor | None, dy: Tensor | None,
        atten_mask_optional: Tensor | None = None, *, softmax_max: Tensor | None,
        softmax_sum: Tensor | None, attention_in: Tensor | None, scale_value: SupportsFloat,
        out: _Outputs | None = None, dq_out: _Output = None, dk1_out: _Output = None,
        dv1_out: _Output = None, dk2_out: _Output = None, dv2_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of FusedFloydAttention.

        aclnnFusedFloydAttentionGrad of aclnnop/aclnn_fused_floyd_attention_grad.h."""

class _FusedInferAttentionScore(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, actual_seq_lengths_kv: _Ints | None = None,
        deq_scale1: Tensor | None = None, quant_scale1: Tensor | None = None,
        deq_scale2: Tensor | None = None, quant_scale2: Tensor | None = None,
        quant_offset2: Tensor | None = None, antiquant_scale: Tensor | None = None,
        antiquant_offset: Tensor | None = None, block_table: Tensor | None = None,
        query_padding_size: Tensor | None = None, kv_padding_size: Tensor | None = None, *,
        num_heads: SupportsIndex, scale_value: SupportsFloat,
        pre_tokens: SupportsIndex = 2147483647, next_tokens: SupportsIndex = 2147483647,
        input_layout: str | None = "BSH", num_key_value_heads: SupportsIndex = 0,
        sparse_mode: SupportsIndex = 0, inner_precise: SupportsIndex = 1,
        block_size: SupportsIndex = 0, antiquant_mode: SupportsIndex = 0,
        softmax_lse_flag: bool = False, out: _Outputs | None = None, attention_out: _Output = None,
        softmax_lse: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The attention for inference: prompts and single steps, caches in pages, quantised
        forms.

        aclnnFusedInferAttentionScore of aclnnop/aclnn_fused_infer_attention_score.h."""

class _FusedInferAttentionScoreV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        deq_scale1_optional: Tensor | None = None, quant_scale1_optional: Tensor | None = None,
        deq_scale2_optional: Tensor | None = None, quant_scale2_optional: Tensor | None = None,
        quant_offset2_optional: Tensor | None = None,
        antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None, block_table_optional: Tensor | None = None,
        query_padding_size_optional: Tensor | None = None,
        kv_padding_size_optional: Tensor | None = None,
        key_antiquant_scale_optional: Tensor | None = None,
        key_antiquant_offset_optional: Tensor | None = None,
        value_antiquant_scale_optional: Tensor | None = None,
        value_antiquant_offset_optional: Tensor | None = None,
        key_shared_prefix_optional: Tensor | None = None,
        value_shared_prefix_optional: Tensor | None = None,
        actual_shared_prefix_len_optional: _Ints | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        inner_precise: SupportsIndex = 1, block_size: SupportsIndex = 0,
        antiquant_mode: SupportsIndex = 0, softmax_lse_flag: bool = False,
        key_antiquant_mode: SupportsIndex = 0, value_antiquant_mode: SupportsIndex = 0,
        out: _Outputs | None = None, attention_out: _Output = None, softmax_lse: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The attention for inference: prompts and single steps, caches in pages, quantised
        forms.

        aclnnFusedInferAttentionScoreV2 of aclnnop/aclnn_fused_infer_attention_score_v2.h."""

class _FusedInferAttentionScoreV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        deq_scale1_optional: Tensor | None = None, quant_scale1_optional: Tensor | None = None,
        deq_scale2_optional: Tensor | None = None, quant_scale2_optional: Tensor | None = None,
        quant_offset2_optional: Tensor | None = None,
        antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None, block_table_optional: Tensor | None = None,
        query_padding_size_optional: Tensor | None = None,
        kv_padding_size_optional: Tensor | None = None,
        key_antiquant_scale_optional: Tensor | None = None,
        key_antiquant_offset_optional: Tensor | None = None,
        value_antiquant_scale_optional: Tensor | None = None,
        value_antiquant_offset_optional: Tensor | None = None,
        key_shared_prefix_optional: Tensor | None = None,
        value_shared_prefix_optional: Tensor | None = None,
        actual_shared_prefix_len_optional: _Ints | None = None,
        query_rope_optional: Tensor | None = None, key_rope_optional: Tensor | None = None,
        key_rope_antiquant_scale_optional: Tensor | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        inner_precise: SupportsIndex = 1, block_size: SupportsIndex = 0,
        antiquant_mode: SupportsIndex = 0, softmax_lse_flag: bool = False,
        key_antiquant_mode: SupportsIndex = 0, value_antiquant_mode: SupportsIndex = 0,
        out: _Outputs | None = None, attention_out: _Output = None, softmax_lse: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The attention for inference: prompts and single steps, caches in pages, quantised
        forms.

        aclnnFusedInferAttentionScoreV3 of aclnnop/aclnn_fused_infer_attention_score_v3.h."""

class _FusedInferAttentionScoreV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        deq_scale1_optional: Tensor | None = None, quant_scale1_optional: Tensor | None = None,
        deq_scale2_optional: Tensor | None = None, quant_scale2_optional: Tensor | None = None,
        quant_offset2_optional: Tensor | None = None,
        antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None, block_table_optional: Tensor | None = None,
        query_padding_size_optional: Tensor | None = None,
        kv_padding_size_optional: Tensor | None = None,
        key_antiquant_scale_optional: Tensor | None = None,
        key_antiquant_offset_optional: Tensor | None = None,
        value_antiquant_scale_optional: Tensor | None = None,
        value_antiquant_offset_optional: Tensor | None = None,
        key_shared_prefix_optional: Tensor | None = None,
        value_shared_prefix_optional: Tensor | None = None,
        actual_shared_prefix_len_optional: _Ints | None = None,
        query_rope_optional: Tensor | None = None, key_rope_optional: Tensor | None = None,
        key_rope_antiquant_scale_optional: Tensor | None = None,
        dequant_scale_query_optional: Tensor | None = None,
        learnable_sink_optional: Tensor | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 2147483647, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        inner_precise: SupportsIndex = 1, block_size: SupportsIndex = 0,
        antiquant_mode: SupportsIndex = 0, softmax_lse_flag: bool = False,
        key_antiquant_mode: SupportsIndex = 0, value_antiquant_mode: SupportsIndex = 0,
        query_quant_mode: SupportsIndex = 0, out: _Outputs | None = None,
        attention_out: _Output = None, softmax_lse: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The attention for inference: prompts and single steps, caches in pages, quantised
        forms.

        aclnnFusedInferAttentionScoreV4 of aclnnop/aclnn_fused_infer_attention_score_v4.h;
        since CANN 9.0."""

class _FusedInferAttentionScoreV5(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift_optional: Tensor | None = None, atten_mask_optional: Tensor | None = None,
        actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        deq_scale1_optional: Tensor | None = None, quant_scale1_optional: Tensor | None = None,
        deq_scale2_optional: Tensor | None = None, quant_scale2_optional: Tensor | None = None,
        quant_offset2_optional: Tensor | None = None,
        antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None, block_table_optional: Tensor | None = None,
        query_padding_size_optional: Tensor | None = None,
        kv_padding_size_optional: Tensor | None = None,
        key_antiquant_scale_optional: Tensor | None = None,
        key_antiquant_offset_optional: Tensor | None = None,
        value_antiquant_scale_optional: Tensor | None = None,
        value_antiquant_offset_optional: Tensor | None = None,
        key_shared_prefix_optional: Tensor | None = None,
        value_shared_prefix_optional: Tensor | None = None,
        actual_shared_prefix_len_optional: _Ints | None = None,
        query_rope_optional: Tensor | None = None, key_rope_optional: Tensor | None = None,
        key_rope_antiquant_scale_optional: Tensor | None = None,
        dequant_scale_query_optional: Tensor | None = None,
        learnable_sink_optional: Tensor | None = None, q_start_idx_optional: _Ints | None = None,
        kv_start_idx_optional: _Ints | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        input_layout: str | None, num_key_value_heads: SupportsIndex, sparse_mode: SupportsIndex,
        inner_precise: SupportsIndex, block_size: SupportsIndex, antiquant_mode: SupportsIndex,
        softmax_lse_flag: bool, key_antiquant_mode: SupportsIndex,
        value_antiquant_mode: SupportsIndex, query_quant_mode: SupportsIndex,
        pse_type: SupportsIndex, out: _Outputs | None = None, attention_out: _Output = None,
        softmax_lse: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The attention for inference: prompts and single steps, caches in pages, quantised
        forms.

        aclnnFusedInferAttentionScoreV5 of aclnnop/aclnn_fused_infer_attention_score_v5.h."""

class _FusedLinearCrossEntropyLossGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad: Tensor | None, input: Tensor | None, weight: Tensor | None,
        target_mask: Tensor | None, masked_target: Tensor | None,
        label_smoothing: SupportsFloat = 0.0, logits_max_optional: Tensor | None = None,
        sum_exp_logits_optional: Tensor | None = None, softmax_optional: Tensor | None = None, *,
        out: _Outputs | None = None, input_grad_out: _Output = None,
        weight_grad_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of a linear layer followed by a cross entropy.

        aclnnFusedLinearCrossEntropyLossGrad of
        aclnnop/aclnn_fused_linear_cross_entropy_loss_grad.h; since CANN 9.0."""

class _FusedLinearOnlineMaxSum(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None, target: Tensor | None,
        vocab_start_index: SupportsIndex, vocab_end_index: SupportsIndex, *,
        out: _Outputs | None = None, logits_max_local_out: _Output = None,
        sum_exp_logits_local_out: _Output = None, predicted_logits_local_out: _Output = None,
        target_mask_out: _Output = None, masked_target_out: _Output = None,
        vocab_parallel_logits_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """A linear layer with the maxima and sums of exponentials of its result, for a cross
        entropy.

        aclnnFusedLinearOnlineMaxSum of aclnnop/aclnn_fused_linear_online_max_sum.h; since
        CANN 9.0."""

class _FusedMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        x3: Tensor | None, fused_op_type: str | None = "", cube_math_type: SupportsIndex = 0,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with an elementwise operation on a third operand.

        aclnnFusedMatmul of aclnnop/aclnn_fused_matmul.h; since CANN 9.0."""

class _FusedQuantMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, y_scale_optional: Tensor | None = None,
        x1_offset_optional: Tensor | None = None, x2_offset_optional: Tensor | None = None,
        y_offset_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        x3_optional: Tensor | None = None, *, fused_op_type: str | None,
        group_size_optional: SupportsIndex = 0, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product of quantised operands, restored, with an elementwise operation.

        aclnnFusedQuantMatmul of aclnnop/aclnn_fused_quant_matmul.h; since CANN 9.0."""

class _FusedQuantMatmulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, y_scale_optional: Tensor | None = None,
        x1_offset_optional: Tensor | None = None, x2_offset_optional: Tensor | None = None,
        y_offset_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        x3_optional: Tensor | None = None, *, fused_op_type: str | None,
        group_size_optional: SupportsIndex = 0, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product of quantised operands, restored, with an elementwise operation.

        aclnnFusedQuantMatmulWeightNz of aclnnop/aclnn_fused_quant_matmul_weight_nz.h; since
        CANN 9.0."""

class _FusedSgd(Operator):
    def __call__(  # type: ignore[override]
        op, /, params_ref: _Tensors | None, grads_ref: _Tensors | None,
        momentum_buffer_list_optional_ref: _Tensors | None,
        grad_scale_optional: Tensor | None = None, *, weight_decay: SupportsFloat,
        momentum: SupportsFloat, lr: SupportsFloat, dampening: SupportsFloat, nesterov: bool,
        maximize: bool, is_first_step: bool, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> tuple[_Tensors, _Tensors, _Tensors]:
        """One step of stochastic gradient descent with momentum for lists of tensors, in place.

        aclnnFusedSgd of aclnnop/aclnn_fused_sgd.h; since CANN 9.0."""

class _Gather(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = elements of self at the places that index names along dim.

        aclnnGather of aclnnop/aclnn_gather.h."""

class _GatherNd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, indices: Tensor | None, negative_index_support: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = slices of self at the leading indices that indices lists.

        aclnnGatherNd of aclnnop/aclnn_gather_nd.h."""

class _GatherPaKvCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, key_cache: Tensor | None, value_cache: Tensor | None, block_tables: Tensor | None,
        seq_lens: Tensor | None, key_ref: Tensor | None, value_ref: Tensor | None,
        seq_offset_optional: Tensor | None = None, *, cache_mode: str | None,
        is_seq_lens_cumsum: bool, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Copies the keys and values of sequences out of a cache in pages.

        aclnnGatherPaKvCache of aclnnop/aclnn_gather_pa_kv_cache.h."""

class _GatherV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = elements of self at the places that index names along dim.

        aclnnGatherV2 of aclnnop/aclnn_gather_v2.h."""

class _GatherV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        batch_dims: SupportsIndex = 0, *, mode: SupportsIndex, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = elements of self at the places that index names along dim.

        aclnnGatherV3 of aclnnop/aclnn_gather_v3.h; since CANN 9.0."""

class _Gcd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = greatest common divisor.

        aclnnGcd of aclnnop/aclnn_gcd.h."""

class _GeGlu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex = -1, approximate: SupportsIndex = 1, *,
        out: _Outputs | None = None, out_gelu: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """With self = (a, b) split along dim: out = a * gelu(b); also stores gelu(b).

        aclnnGeGlu of aclnnop/aclnn_geglu.h."""

class _GeGluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, gelu: Tensor | None,
        dim: SupportsIndex = -1, approximate: SupportsIndex = 1, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """With self = (a, b) split along dim: gradInput = (gradOutput * gelu, gradOutput * a *
        gelu'(b)).

        aclnnGeGluBackward of aclnnop/aclnn_geglu_backward.h."""

class _GeGluV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex = -1, approximate: SupportsIndex = 1,
        activate_left: bool = False, *, out: _Outputs | None = None, out_gelu: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """With self = (a, b) split along dim: out = a * gelu(b); also stores gelu(b).

        aclnnGeGluV3 of aclnnop/aclnn_geglu.h."""

class _GeGluV3Backward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, gelu: Tensor | None,
        dim: SupportsIndex = -1, approximate: SupportsIndex = 1, activate_left: bool = False, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """With self = (a, b) split along dim: gradInput = (gradOutput * gelu, gradOutput * a *
        gelu'(b)), or with the halves exchanged for activateLeft.

        aclnnGeGluV3Backward of aclnnop/aclnn_geglu_backward.h."""

class _GeScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self >= other), where other is a scalar.

        aclnnGeScalar of aclnnop/aclnn_ge_scalar.h."""

class _GeTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self >= other).

        aclnnGeTensor of aclnnop/aclnn_ge_tensor.h."""

class _Gelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * cumulative normal distribution of self.

        aclnnGelu of aclnnop/aclnn_gelu.h."""

class _GeluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * gelu'(self), where gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) *
        (x + 0.044715 * x^3))).

        aclnnGeluBackward of aclnnop/aclnn_gelu_backward.h."""

class _GeluBackwardV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, approximate: str | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * gelu'(self), where gelu(x) is x * Phi(x) for approximate
        "none", and x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) for "tanh".

        aclnnGeluBackwardV2 of aclnnop/aclnn_gelu_backward_v2.h."""

class _GeluMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, approximate_optional: str | None = "none", *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """With input = (a, b) split in the last dimension: out = gelu(a) * b.

        aclnnGeluMul of aclnnop/aclnn_gelu_mul.h."""

class _GeluQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, input_scale_optional: Tensor | None = None,
        input_offset_optional: Tensor | None = None, approximate: str | None = "none",
        quant_mode: str | None = "dynamic", round_mode: str | None = "rint", *,
        dst_type: SupportsIndex, out: _Outputs | None = None, y: _Output = None,
        out_scale_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """gelu(self), quantised with given or computed scales.

        aclnnGeluQuant of aclnnop/aclnn_gelu_quant.h; since CANN 9.0."""

class _GeluV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, approximate: SupportsIndex = 0, *, out: Tensor | None = None,
        y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """y = gelu of x, by the error function or by the tanh approximation.

        aclnnGeluV2 of aclnnop/aclnn_gelu_v2.h."""

class _Gemm(Operator):
    def __call__(  # type: ignore[override]
        op, /, a: Tensor | None, b: Tensor | None, c: Tensor | None, alpha: SupportsFloat,
        beta: SupportsFloat, trans_a: SupportsIndex, trans_b: SupportsIndex,
        cube_math_type: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = alpha * A @ B + beta * C, with either operand transposed as asked for.

        aclnnGemm of aclnnop/aclnn_gemm.h."""

class _GemmaRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, epsilon: SupportsFloat = 1e-06, *,
        out: _Outputs | None = None, y_out: _Output = None, rstd_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """RMS normalisation multiplied by 1 + gamma.

        aclnnGemmaRmsNorm of aclnnop/aclnn_gemma_rms_norm.h."""

class _Ger(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, vec2: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = outer product of two vectors.

        aclnnGer of aclnnop/aclnn_ger.h."""

class _GlobalAveragePool(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Mean over all spatial dimensions.

        aclnnGlobalAveragePool of aclnnop/aclnn_global_average_pool.h."""

class _GlobalMaxPool(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Maximum over all spatial dimensions.

        aclnnGlobalMaxPool of aclnnop/aclnn_global_max_pool.h."""

class _Glu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex = -1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """With self = (a, b) split along dim: out = a * sigmoid(b).

        aclnnGlu of aclnnop/aclnn_glu.h."""

class _GluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, self: Tensor | None, dim: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """With self = (a, b) split along dim and s = sigmoid(b): out = (gradOut * s, gradOut * s
        * (1 - s) * a).

        aclnnGluBackward of aclnnop/aclnn_glu_backward.h."""

class _GridSampler2D(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, grid: Tensor | None,
        interpolation_mode: SupportsIndex | Literal["bilinear", "nearest", "bicubic"] = 0,
        padding_mode: SupportsIndex | Literal["zeros", "border", "reflection"] = 0,
        align_corners: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = input interpolated at the points of grid, in two dimensions.

        aclnnGridSampler2D of aclnnop/aclnn_grid_sampler2d.h."""

class _GridSampler2DBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, input: Tensor | None, grid: Tensor | None,
        interpolation_mode: SupportsIndex | Literal["bilinear", "nearest", "bicubic"],
        padding_mode: SupportsIndex | Literal["zeros", "border", "reflection"],
        align_corners: bool = False, *, output_mask: _Bools | None, out: _Outputs | None = None,
        input_grad: _Output = None, grid_grad: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """inputGrad: each element of gradOutput is spread over the input elements it was
        interpolated from; gridGrad: the derivative of the interpolation by the coordinates.

        aclnnGridSampler2DBackward of aclnnop/aclnn_grid_sampler2d_backward.h."""

class _GridSampler3D(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, grid: Tensor | None,
        interpolation_mode: SupportsIndex | Literal["bilinear", "nearest", "bicubic"] = 0,
        padding_mode: SupportsIndex | Literal["zeros", "border", "reflection"] = 0,
        align_corners: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = input interpolated at the points of grid, in three dimensions.

        aclnnGridSampler3D of aclnnop/aclnn_grid_sampler3d.h."""

class _GridSampler3DBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, input: Tensor | None, grid: Tensor | None,
        interpolation_mode: SupportsIndex | Literal["bilinear", "nearest", "bicubic"],
        padding_mode: SupportsIndex | Literal["zeros", "border", "reflection"],
        align_corners: bool = False, *, output_mask: _Bools | None, out: _Outputs | None = None,
        input_grad: _Output = None, grid_grad: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """inputGrad: each element of gradOutput is spread over the input elements it was
        interpolated from; gridGrad: the derivative of the interpolation by the coordinates.

        aclnnGridSampler3DBackward of aclnnop/aclnn_grid_sampler3d_backward.h."""

class _GroupNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, gamma: Tensor | None, beta: Tensor | None, n: SupportsIndex,
        c: SupportsIndex, hx_w: SupportsIndex, group: _Group | None, eps: SupportsFloat, *,
        out: _Outputs | None = None, mean_out: _Output = None, rstd_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Normalisation over groups of channels.

        aclnnGroupNorm of aclnnop/aclnn_group_norm.h."""

class _GroupNormBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, mean: Tensor | None,
        rstd: Tensor | None, gamma: Tensor | None, n: SupportsIndex, c: SupportsIndex,
        hx_w: SupportsIndex, group: _Group | None, output_mask: _Bools | None, *,
        out: _Outputs | None = None, grad_input: _Output = None, grad_gamma_out: _Output = None,
        grad_beta_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """gradInput = rstd * (g - mean(g) - xhat * mean(g * xhat)), where xhat = (input - mean)
        * rstd and g = gradOut * gamma; gradGammaOut = sum(gradOut * xhat), gradBetaOut =
        sum(gradOut).

        aclnnGroupNormBackward of aclnnop/aclnn_group_norm_backward.h."""

class _GroupNormSilu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, gamma: Tensor | None, beta: Tensor | None, group: _Group | None,
        eps: SupportsFloat = 1e-05, *, out: _Outputs | None = None, mean_out: _Output = None,
        rstd_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """silu of a normalisation over groups of channels.

        aclnnGroupNormSilu of aclnnop/aclnn_group_norm_silu.h."""

class _GroupNormSiluQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, gamma: Tensor | None, beta: Tensor | None,
        quant_scale: Tensor | None, group: _Group | None, eps: SupportsFloat = 1e-05,
        activate_silu: bool = True, *, out: _Outputs | None = None, mean_out: _Output = None,
        rstd_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """silu of a normalisation over groups of channels, quantised to int8.

        aclnnGroupNormSiluQuant of aclnnop/aclnn_group_norm_silu_quant.h; since CANN 9.0."""

class _GroupNormSiluV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, gamma: Tensor | None, beta: Tensor | None, group: _Group | None,
        eps: SupportsFloat = 1e-05, activate_silu: bool = True, *, out: _Outputs | None = None,
        mean_out: _Output = None, rstd_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """silu of a normalisation over groups of channels.

        aclnnGroupNormSiluV2 of aclnnop/aclnn_group_norm_silu.h."""

class _GroupNormSwish(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, beta: Tensor | None,
        num_groups: SupportsIndex, data_format_optional: str | None = "NCHW",
        eps: SupportsFloat = 1e-05, activate_swish: bool = True, swish_scale: SupportsFloat = 1.0,
        *, out: _Outputs | None = None, y_out: _Output = None, mean_out: _Output = None,
        rstd_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """swish of a normalisation over groups of channels.

        aclnnGroupNormSwish of aclnnop/aclnn_group_norm_swish.h."""

class _GroupNormSwishGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, dy: Tensor | None, mean: Tensor | None, rstd: Tensor | None, x: Tensor | None,
        gamma: Tensor | None, beta: Tensor | None, num_groups: SupportsIndex,
        data_format_optional: str | None = "NCHW", swish_scale: SupportsFloat = 1.0,
        dgamma_is_require: bool = True, dbeta_is_require: bool = True, *,
        out: _Outputs | None = None, dx_out: _Output = None, dgamma_out: _Output = None,
        dbeta_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The gradient of swish(groupNorm(x)), where swish(y) = y * sigmoid(swishScale * y): dy
        is multiplied by the derivative of swish, then dxOut, dgammaOut and dbetaOut follow as
        for group normalisation.

        aclnnGroupNormSwishGrad of aclnnop/aclnn_group_norm_swish_grad.h."""

class _GroupQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, group_index: Tensor | None,
        offset_optional: Tensor | None = None, *, dst_type: SupportsIndex,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Quantises with a scale for each group of rows.

        aclnnGroupQuant of aclnnop/aclnn_group_quant.h."""

class _GroupedBiasAddGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, group_idx_optional: Tensor | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out[g] = sum of the rows of gradY that belong to group g.

        aclnnGroupedBiasAddGrad of aclnnop/aclnn_grouped_bias_add_grad.h."""

class _GroupedBiasAddGradV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, group_idx_optional: Tensor | None = None,
        group_idx_type: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out[g] = sum of the rows of gradY that belong to group g.

        aclnnGroupedBiasAddGradV2 of aclnnop/aclnn_grouped_bias_add_grad.h."""

class _GroupedDynamicBlockQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_list: Tensor | None, min_scale: SupportsFloat = 0.0,
        round_mode_optional: str | None = "rint", *, dst_type: SupportsIndex,
        row_block_size: SupportsIndex, col_block_size: SupportsIndex,
        group_list_type: SupportsIndex, out: _Outputs | None = None, y_out: _Output = None,
        scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises groups of rows in two-dimensional blocks with a scale computed for each.

        aclnnGroupedDynamicBlockQuant of aclnnop/aclnn_grouped_dynamic_block_quant.h; since
        CANN 9.0."""

class _GroupedDynamicBlockQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_list: Tensor | None, min_scale: SupportsFloat = 0.0,
        round_mode_optional: str | None = "rint", *, dst_type: SupportsIndex,
        row_block_size: SupportsIndex, col_block_size: SupportsIndex,
        group_list_type: SupportsIndex, dst_type_max: SupportsFloat, out: _Outputs | None = None,
        y_out: _Output = None, scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises groups of rows in two-dimensional blocks with a scale computed for each.

        aclnnGroupedDynamicBlockQuantV2 of aclnnop/aclnn_grouped_dynamic_block_quant_v2.h;
        since CANN 9.0."""

class _GroupedDynamicMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index: Tensor | None, round_mode: str | None = "rint", *,
        dst_type: SupportsIndex, blocksize: SupportsIndex, out: _Outputs | None = None,
        y: _Output = None, mxscale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises groups of rows to a microscaling format.

        aclnnGroupedDynamicMxQuant of aclnnop/aclnn_grouped_dynamic_mx_quant.h; since CANN
        9.0."""

class _GroupedDynamicMxQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index: Tensor | None, round_mode: str | None = "rint", *,
        dst_type: SupportsIndex, blocksize: SupportsIndex, scale_alg: SupportsIndex,
        dst_type_max: SupportsFloat, out: _Outputs | None = None, y: _Output = None,
        mxscale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises groups of rows to a microscaling format.

        aclnnGroupedDynamicMxQuantV2 of aclnnop/aclnn_grouped_dynamic_mx_quant_v2.h; since
        CANN 9.0."""

class _GroupedDynamicMxQuantWithDualAxis(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index: Tensor | None, round_mode_optional: str | None = None,
        *, scale_alg: SupportsIndex, dst_dtype: SupportsIndex, max_dtype_value: SupportsFloat,
        out: _Outputs | None = None, y1_out: _Output = None, y1_scale_out: _Output = None,
        y2_out: _Output = None, y2_scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Quantises groups of rows to a microscaling format along two axes.

        aclnnGroupedDynamicMxQuantWithDualAxis of
        aclnnop/aclnn_grouped_dynamic_mx_quant_with_dual_axis.h; since CANN 9.0."""

class _GroupedMatMulAllReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias: _Tensors | None,
        group_list_optional: _Ints | None = None, *, split_item: SupportsIndex,
        group: _Group | None, reduce_op: str | None, comm_turn: SupportsIndex,
        stream_mode: SupportsIndex, out: _Tensors | None = None, y: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Matrix products of groups, summed over all devices.

        aclnnGroupedMatMulAllReduce of aclnnop/aclnn_grouped_mat_mul_all_reduce.h; only in
        CANN 8.1."""

class _GroupedMatMulAlltoAllv(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None,
        send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, *, group: _Group | None,
        ep_world_size: SupportsIndex, send_counts: _Ints | None, recv_counts: _Ints | None,
        trans_gmm_weight: bool = False, trans_mm_weight: bool = False, out: _Outputs | None = None,
        y: _Output = None, mm_y_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies each expert's tokens by its own matrix and exchanges the results between
        devices.

        aclnnGroupedMatMulAlltoAllv of aclnnop/aclnn_grouped_mat_mul_allto_allv.h; since CANN
        9.0."""

class _GroupedMatMulAlltoAllvV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None,
        send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, *, group: _Group | None, comm_mode: str | None,
        ep_world_size: SupportsIndex, send_counts: _Ints | None, recv_counts: _Ints | None,
        trans_gmm_weight: bool, trans_mm_weight: bool, out: _Outputs | None = None,
        y: _Output = None, mm_y_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies tokens by each expert's matrix, then sends them back to their ranks in
        uneven numbers.

        aclnnGroupedMatMulAlltoAllvV2 of aclnnop/aclnn_grouped_mat_mul_allto_allv_v2.h."""

class _GroupedMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias_optional: _Tensors | None = None,
        scale_optional: _Tensors | None = None, offset_optional: _Tensors | None = None,
        antiquant_scale_optional: _Tensors | None = None,
        antiquant_offset_optional: _Tensors | None = None, group_list_optional: _Ints | None = None,
        split_item: SupportsIndex = 0, *, out: _Tensors | None = None, y: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Several matrix products in one call: a list of matrices, or groups of rows of one.

        aclnnGroupedMatmul of aclnnop/aclnn_grouped_matmul.h."""

class _GroupedMatmulAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, group_list: Tensor | None,
        y_ref: Tensor | None, transpose_x: bool = True, transpose_weight: bool = False, *,
        group_type: SupportsIndex, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Adds to yRef, for every group of rows, the product of x^T and weight.

        aclnnGroupedMatmulAdd of aclnnop/aclnn_grouped_matmul_add.h."""

class _GroupedMatmulAddV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, group_list: Tensor | None,
        y_ref: Tensor | None, transpose_x: bool, transpose_weight: bool, group_type: SupportsIndex,
        group_list_type: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """y += the products of groups along the inner dimension, for gradients of experts'
        weights.

        aclnnGroupedMatmulAddV2 of aclnnop/aclnn_grouped_matmul_add_v2.h."""

class _GroupedMatmulFinalizeRouting(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, w: Tensor | None, scale_optional: Tensor | None = None,
        bias_optional: Tensor | None = None, pertoken_scale_optional: Tensor | None = None,
        group_list_optional: Tensor | None = None, shared_input_optional: Tensor | None = None,
        logit_optional: Tensor | None = None, row_index_optional: Tensor | None = None,
        dtype: SupportsIndex = 0, shared_input_weight: SupportsFloat = 1.0,
        shared_input_offset: SupportsIndex = 0, transpose_x: bool = False,
        transpose_w: bool = False, group_list_type: SupportsIndex = 1, *, out: Tensor | None = None,
        y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of experts, weighted and added up for each token.

        aclnnGroupedMatmulFinalizeRouting of aclnnop/aclnn_grouped_matmul_finalize_routing.h;
        since CANN 9.0."""

class _GroupedMatmulFinalizeRoutingV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale_optional: Tensor | None = None,
        bias_optional: Tensor | None = None, offset_optional: Tensor | None = None,
        antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None,
        pertoken_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        shared_input_optional: Tensor | None = None, logit_optional: Tensor | None = None,
        row_index_optional: Tensor | None = None, dtype: SupportsIndex = 0,
        shared_input_weight: SupportsFloat = 1.0, shared_input_offset: SupportsIndex = 0, *,
        transpose_x1: bool, transpose_x2: bool, group_list_type: SupportsIndex = 1,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of experts, weighted and added up for each token.

        aclnnGroupedMatmulFinalizeRoutingV2 of
        aclnnop/aclnn_grouped_matmul_finalize_routing_v2.h; since CANN 9.0."""

class _GroupedMatmulFinalizeRoutingV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale_optional: Tensor | None = None,
        bias_optional: Tensor | None = None, offset_optional: Tensor | None = None,
        antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None,
        pertoken_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        shared_input_optional: Tensor | None = None, logit_optional: Tensor | None = None,
        row_index_optional: Tensor | None = None, dtype: SupportsIndex = 0,
        shared_input_weight: SupportsFloat = 1.0, shared_input_offset: SupportsIndex = 0, *,
        transpose_x1: bool, transpose_x2: bool, group_list_type: SupportsIndex = 1,
        tuning_config_optional: _Ints | None = None, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of experts, weighted and added up for each token.

        aclnnGroupedMatmulFinalizeRoutingV3 of
        aclnnop/aclnn_grouped_matmul_finalize_routing_v3.h; since CANN 9.0."""

class _GroupedMatmulFinalizeRoutingWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale: Tensor | None,
        bias: Tensor | None = None, pertoken_scale_optional: Tensor | None = None, *,
        group_list: Tensor | None, shared_input: Tensor | None, logit: Tensor | None,
        row_index: Tensor | None, dtype: SupportsIndex = 0,
        shared_input_weight: SupportsFloat = 1.0, shared_input_offset: SupportsIndex = 0,
        transpose_x1: bool, transpose_x2: bool, group_list_type: SupportsIndex = 1,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of experts, weighted and added up for each token.

        aclnnGroupedMatmulFinalizeRoutingWeightNz of
        aclnnop/aclnn_grouped_matmul_finalize_routing_weight_nz.h."""

class _GroupedMatmulFinalizeRoutingWeightNzV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale: Tensor | None, bias: Tensor | None,
        offset_optional: Tensor | None = None, antiquant_scale_optional: Tensor | None = None,
        antiquant_offset_optional: Tensor | None = None,
        pertoken_scale_optional: Tensor | None = None, *, group_list: Tensor | None,
        shared_input: Tensor | None, logit: Tensor | None, row_index: Tensor | None,
        dtype: SupportsIndex = 0, shared_input_weight: SupportsFloat = 1.0,
        shared_input_offset: SupportsIndex = 0, transpose_x1: bool, transpose_x2: bool,
        group_list_type: SupportsIndex = 1, tuning_config_optional: _Ints | None = None,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of experts, weighted and added up for each token.

        aclnnGroupedMatmulFinalizeRoutingWeightNzV2 of
        aclnnop/aclnn_grouped_matmul_finalize_routing_weight_nz_v2.h; since CANN 9.0."""

class _GroupedMatmulSwigluQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, bias: Tensor | None, offset: Tensor | None,
        weight_scale: Tensor | None, x_scale: Tensor | None, group_list: Tensor | None, *,
        out: _Outputs | None = None, output: _Output = None, output_scale: _Output = None,
        output_offset: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Matrix products of groups, followed by SwiGLU and a quantisation.

        aclnnGroupedMatmulSwigluQuant of aclnnop/aclnn_grouped_matmul_swiglu_quant.h."""

class _GroupedMatmulSwigluQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: _Tensors | None, weight_scale: _Tensors | None,
        weight_assist_matrix: _Tensors | None, bias: Tensor | None, x_scale: Tensor | None,
        smooth_scale: Tensor | None, group_list: Tensor | None, dequant_mode: SupportsIndex,
        dequant_dtype: SupportsIndex, quant_mode: SupportsIndex, group_list_type: SupportsIndex,
        tuning_config_optional: _Ints | None = None, *, out: _Outputs | None = None,
        output: _Output = None, output_scale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Products by expert, SwiGLU and quantisation in one.

        aclnnGroupedMatmulSwigluQuantV2 of aclnnop/aclnn_grouped_matmul_swiglu_quant_v2.h."""

class _GroupedMatmulSwigluQuantWeightNZ(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, bias: Tensor | None, offset: Tensor | None,
        weight_scale: Tensor | None, x_scale: Tensor | None, group_list: Tensor | None, *,
        out: _Outputs | None = None, output: _Output = None, output_scale: _Output = None,
        output_offset: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Matrix products of groups, followed by SwiGLU and a quantisation.

        aclnnGroupedMatmulSwigluQuantWeightNZ of
        aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h; since CANN 9.0."""

class _GroupedMatmulSwigluQuantWeightNzV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: _Tensors | None, weight_scale: _Tensors | None,
        weight_assist_matrix: _Tensors | None, bias: Tensor | None, x_scale: Tensor | None,
        smooth_scale: Tensor | None, group_list: Tensor | None, dequant_mode: SupportsIndex,
        dequant_dtype: SupportsIndex, quant_mode: SupportsIndex, group_list_type: SupportsIndex,
        tuning_config_optional: _Ints | None = None, *, out: _Outputs | None = None,
        output: _Output = None, output_scale: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """GroupedMatmulSwigluQuantV2 with weights in FRACTAL_NZ.

        aclnnGroupedMatmulSwigluQuantWeightNzV2 of
        aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz_v2.h."""

class _GroupedMatmulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias_optional: _Tensors | None = None,
        scale_optional: _Tensors | None = None, offset_optional: _Tensors | None = None,
        antiquant_scale_optional: _Tensors | None = None,
        antiquant_offset_optional: _Tensors | None = None, group_list_optional: _Ints | None = None,
        split_item: SupportsIndex = 0, *, group_type: SupportsIndex, out: _Tensors | None = None,
        y: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Several matrix products in one call: a list of matrices, or groups of rows of one.

        aclnnGroupedMatmulV2 of aclnnop/aclnn_grouped_matmul_v2.h."""

class _GroupedMatmulV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias_optional: _Tensors | None = None,
        scale_optional: _Tensors | None = None, offset_optional: _Tensors | None = None,
        antiquant_scale_optional: _Tensors | None = None,
        antiquant_offset_optional: _Tensors | None = None,
        group_list_optional: Tensor | None = None, split_item: SupportsIndex = 0, *,
        group_type: SupportsIndex, out: _Tensors | None = None, y: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> _Tensors:
        """Several matrix products in one call: a list of matrices, or groups of rows of one.

        aclnnGroupedMatmulV3 of aclnnop/aclnn_grouped_matmul_v3.h."""

class _GroupedMatmulV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias_optional: _Tensors | None = None,
        scale_optional: _Tensors | None = None, offset_optional: _Tensors | None = None,
        antiquant_scale_optional: _Tensors | None = None,
        antiquant_offset_optional: _Tensors | None = None,
        per_token_scale_optional: _Tensors | None = None, group_list_optional: Tensor | None = None,
        activation_input_optional: _Tensors | None = None,
        activation_quant_scale_optional: _Tensors | None = None,
        activation_quant_offset_optional: _Tensors | None = None, split_item: SupportsIndex = 0, *,
        group_type: SupportsIndex, group_list_type: SupportsIndex = 0, act_type: SupportsIndex = 0,
        out: _Results | None = None, activation_feature_out_optional: _Tensors | None = None,
        dyn_quant_scale_out_optional: _Tensors | None = None, stream: Stream | None = None,
    ) -> tuple[_Tensors, _Tensors, _Tensors]:
        """Several matrix products in one call: a list of matrices, or groups of rows of one.

        aclnnGroupedMatmulV4 of aclnnop/aclnn_grouped_matmul_v4.h."""

class _GroupedMatmulV5(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias_optional: _Tensors | None = None,
        scale_optional: _Tensors | None = None, offset_optional: _Tensors | None = None,
        antiquant_scale_optional: _Tensors | None = None,
        antiquant_offset_optional: _Tensors | None = None,
        per_token_scale_optional: _Tensors | None = None, group_list_optional: Tensor | None = None,
        activation_input_optional: _Tensors | None = None,
        activation_quant_scale_optional: _Tensors | None = None,
        activation_quant_offset_optional: _Tensors | None = None, split_item: SupportsIndex = 0, *,
        group_type: SupportsIndex, group_list_type: SupportsIndex = 0, act_type: SupportsIndex = 0,
        tuning_config_optional: _Ints | None = None, out: _Results | None = None,
        activation_feature_out_optional: _Tensors | None = None,
        dyn_quant_scale_out_optional: _Tensors | None = None, stream: Stream | None = None,
    ) -> tuple[_Tensors, _Tensors, _Tensors]:
        """Several matrix products in one call: a list of matrices, or groups of rows of one.

        aclnnGroupedMatmulV5 of aclnnop/aclnn_grouped_matmul_v5.h; since CANN 9.0."""

class _GroupedMatmulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: _Tensors | None, weight: _Tensors | None, bias_optional: _Tensors | None = None,
        scale_optional: _Tensors | None = None, offset_optional: _Tensors | None = None,
        antiquant_scale_optional: _Tensors | None = None,
        antiquant_offset_optional: _Tensors | None = None,
        per_token_scale_optional: _Tensors | None = None, group_list_optional: Tensor | None = None,
        activation_input_optional: _Tensors | None = None,
        activation_quant_scale_optional: _Tensors | None = None,
        activation_quant_offset_optional: _Tensors | None = None, split_item: SupportsIndex = 0, *,
        group_type: SupportsIndex, group_list_type: SupportsIndex = 0, act_type: SupportsIndex = 0,
        tuning_config_optional: _Ints | None = None, quant_group_size: SupportsIndex,
        out: _Results | None = None, activation_feature_out_optional: _Tensors | None = None,
        dyn_quant_scale_out_optional: _Tensors | None = None, stream: Stream | None = None,
    ) -> tuple[_Tensors, _Tensors, _Tensors]:
        """Several matrix products in one call: a list of matrices, or groups of rows of one.

        aclnnGroupedMatmulWeightNz of aclnnop/aclnn_grouped_matmul_weight_nz.h; since CANN
        9.0."""

class _GroupedQuantMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, group_list: Tensor | None,
        round_mode: str | None, dst_type: SupportsIndex, *, out: _Outputs | None = None,
        y: _Output = None, amax: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises groups of rows with given scales; also stores the largest magnitudes.

        aclnnGroupedQuantMax of aclnnop/aclnn_grouped_quant_max.h; since CANN 9.0."""

class _GRU(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, params: _Tensors | None, hx: Tensor | None = None,
        batch_sizes: Tensor | None = None, *, has_bias: bool, num_layers: SupportsIndex,
        dropout: SupportsFloat, train: bool, bidirection: bool, batch_first: bool,
        out: _Results | None = None, output: _Output = None, hy: _Output = None,
        r_out: _Tensors | None = None, z_out: _Tensors | None = None, n_out: _Tensors | None = None,
        hn_out: _Tensors | None = None, h_out: _Tensors | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, _Tensors, _Tensors, _Tensors, _Tensors, _Tensors]:
        """A gated recurrent network over a sequence, in one or several layers.

        aclnnGRU of aclnnop/aclnn_gru.h; since CANN 9.0."""

class _GRUBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, params: _Tensors | None, hx: Tensor | None, dy: Tensor | None,
        dh: Tensor | None, r: _Tensors | None, z: _Tensors | None, n: _Tensors | None,
        hn: _Tensors | None, h: _Tensors | None, batch_sizes: Tensor | None, has_bias: bool,
        num_layers: SupportsIndex, bidirection: bool, batch_first: bool, *,
        out: _Results | None = None, dx_out: _Output = None, dh_prev_out: _Output = None,
        dparams_out: _Tensors | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, _Tensors]:
        """Gradients of a gated recurrent network.

        aclnnGRUBackward of aclnnop/aclnn_gru_backward.h; since CANN 9.0."""

class _GtScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self > other), where other is a scalar.

        aclnnGtScalar of aclnnop/aclnn_gt_scalar.h."""

class _GtTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self > other).

        aclnnGtTensor of aclnnop/aclnn_gt_tensor.h."""

class _HansDecode(Operator):
    def __call__(  # type: ignore[override]
        op, /, mantissa: Tensor | None, fixed: Tensor | None, var: Tensor | None,
        pdf: Tensor | None, reshuff: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Restores floating point numbers that were compressed by their exponents.

        aclnnHansDecode of aclnnop/aclnn_hans_decode.h; since CANN 9.0."""

class _HansEncode(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_tensor: Tensor | None, pdf_ref: Tensor | None, statistic: bool, reshuff: bool,
        *, out: _Outputs | None = None, mantissa_out: _Output = None, fixed_out: _Output = None,
        var_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Compresses floating point numbers without loss, by the frequencies of their exponents.

        aclnnHansEncode of aclnnop/aclnn_hans_encode.h; since CANN 9.0."""

class _Hardshrink(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, lambd: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self where |self| > lambd, and 0 elsewhere.

        aclnnHardshrink of aclnnop/aclnn_hardshrink.h."""

class _HardshrinkBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, lambd: _Scalar | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput where |self| > lambd, and 0 elsewhere; a negative lambd counts
        as 0.

        aclnnHardshrinkBackward of aclnnop/aclnn_hardshrink_backward.h."""

class _Hardsigmoid(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = (self + 3) / 6 limited to [0, 1].

        aclnnHardsigmoid of aclnnop/aclnn_hardsigmoid.h."""

class _HardsigmoidBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput / 6 where -3 < self < 3, and 0 elsewhere.

        aclnnHardsigmoidBackward of aclnnop/aclnn_hardsigmoid_backward.h."""

class _Hardswish(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * ((self + 3) / 6 limited to [0, 1]).

        aclnnHardswish of aclnnop/aclnn_hardswish.h."""

class _HardswishBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput * d, where d = 0 for self < -3, 1 for self > 3, and self / 3 + 1 / 2
        between, the ends -3 and 3 included.

        aclnnHardswishBackward of aclnnop/aclnn_hardswish_backward.h."""

class _HardswishBackwardV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput * d, where d = 0 for self <= -3, 1 for self >= 3, and self / 3 + 1 /
        2 between.

        aclnnHardswishBackwardV2 of aclnnop/aclnn_hardswish_backward_v2.h; since CANN 9.0."""

class _Hardtanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, clip_value_min: _Scalar | None, clip_value_max: _Scalar | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self limited to [clipValueMin, clipValueMax].

        aclnnHardtanh of aclnnop/aclnn_hardtanh.h."""

class _HardtanhBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, min: _Scalar | None,
        max: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput where min < self < max, and 0 elsewhere.

        aclnnHardtanhBackward of aclnnop/aclnn_hardtanh_backward.h."""

class _Heaviside(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, values: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = 0 below zero, 1 above, and values at zero.

        aclnnHeaviside of aclnnop/aclnn_heaviside.h; since CANN 9.0."""

class _Histc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, bins: SupportsIndex, min: _Scalar | None, max: _Scalar | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = number of elements in each of bins equal intervals.

        aclnnHistc of aclnnop/aclnn_histc.h."""

class _Im2col(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_size: _Ints | None, dilation: _Ints | None,
        padding: _Ints | None, stride: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the windows of an image as columns.

        aclnnIm2col of aclnnop/aclnn_im2col.h."""

class _Im2colBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, input_size: _Ints | None, kernel_size: _Ints | None,
        dilation: _Ints | None, padding: _Ints | None, stride: _Ints | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: every column's elements are added at the places they were taken from.

        aclnnIm2colBackward of aclnnop/aclnn_im2col_backward.h."""

class _IncreFlashAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat = 1.0, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, out: Tensor | None = None,
        attention_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """The attention of one new token to all cached ones.

        aclnnIncreFlashAttention of aclnnop/aclnn_incre_flash_attention.h."""

class _IncreFlashAttentionV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, dequant_scale1: Tensor | None = None,
        quant_scale1: Tensor | None = None, dequant_scale2: Tensor | None = None,
        quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None, *,
        num_heads: SupportsIndex, scale_value: SupportsFloat = 1.0,
        input_layout: str | None = "BSH", num_key_value_heads: SupportsIndex = 0,
        out: Tensor | None = None, attention_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """The attention of one new token to all cached ones.

        aclnnIncreFlashAttentionV2 of aclnnop/aclnn_incre_flash_attention_v2.h."""

class _IncreFlashAttentionV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, dequant_scale1: Tensor | None = None,
        quant_scale1: Tensor | None = None, dequant_scale2: Tensor | None = None,
        quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None,
        antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None,
        blocktable: Tensor | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat = 1.0, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, block_size: SupportsIndex = 0,
        inner_precise: SupportsIndex = 1, out: Tensor | None = None, attention_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The attention of one new token to all cached ones.

        aclnnIncreFlashAttentionV3 of aclnnop/aclnn_incre_flash_attention_v3.h."""

class _IncreFlashAttentionV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: _Tensors | None, value: _Tensors | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, dequant_scale1: Tensor | None = None,
        quant_scale1: Tensor | None = None, dequant_scale2: Tensor | None = None,
        quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None,
        antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None,
        blocktable: Tensor | None = None, kv_padding_size: Tensor | None = None, *,
        num_heads: SupportsIndex, scale_value: SupportsFloat = 1.0,
        input_layout: str | None = "BSH", num_key_value_heads: SupportsIndex = 0,
        block_size: SupportsIndex = 0, inner_precise: SupportsIndex = 1, out: Tensor | None = None,
        attention_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """The attention of one new token to all cached ones.

        aclnnIncreFlashAttentionV4 of aclnnop/aclnn_incre_flash_attention_v4.h."""

class _Index(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, indices: _Tensors | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = elements of self at the places that tensors of indices name.

        aclnnIndex of aclnnop/aclnn_index.h."""

class _IndexAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, source: Tensor | None,
        alpha: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with alpha * source added at the places of dim that index names.

        aclnnIndexAdd of aclnnop/aclnn_index_add.h."""

class _IndexAddV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, source: Tensor | None,
        alpha: _Scalar | None, mode: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self with alpha * source added at the places of dim that index names.

        aclnnIndexAddV2 of aclnnop/aclnn_index_add_v2.h; since CANN 9.0."""

class _IndexCopy(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        source: Tensor | None, *, out: Tensor | None = None, out_ref: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """outRef = selfRef with source copied to the places of dim that index names.

        aclnnIndexCopy of aclnnop/aclnn_index_copy.h."""

class _IndexFill(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, value: _Scalar | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with a value at the places of dim that index names.

        aclnnIndexFill of aclnnop/aclnn_index_fill.h; since CANN 9.0."""

class _IndexFillTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: _Ints | None, value: _Scalar | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with a value at the places of dim that index names.

        aclnnIndexFillTensor of aclnnop/aclnn_index_fill_tensor.h."""

class _IndexPutImpl(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, indices: _Tensors | None, values: Tensor | None,
        accumulate: bool = False, *, unsafe: bool, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Writes or adds values at the places that tensors of indices name, in place.

        aclnnIndexPutImpl of aclnnop/aclnn_index_put_impl.h."""

class _IndexSelect(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = slices of self along dim that index names.

        aclnnIndexSelect of aclnnop/aclnn_index_select.h."""

class _InplaceAcos(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """inputRef = arc cosine of inputRef, in place.

        aclnnInplaceAcos of aclnnop/aclnn_acos.h."""

class _InplaceAcosh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = inverse hyperbolic cosine of selfRef, in place.

        aclnnInplaceAcosh of aclnnop/aclnn_acosh.h."""

class _InplaceAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef + alpha * other, with broadcasting, in place.

        aclnnInplaceAdd of aclnnop/aclnn_add.h."""

class _InplaceAddRelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, alpha: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = relu(selfRef + alpha * other), in place.

        aclnnInplaceAddRelu of aclnnop/aclnn_add_relu.h."""

class _InplaceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1_ref: Tensor | None, x2_ref: Tensor | None, gamma: Tensor | None,
        epsilon: SupportsFloat = 1e-06, *, out: Tensor | None = None, rstd_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """In place: RMS normalisation of x1 + x2; also stores the reciprocal root mean square
        and the sum.

        aclnnInplaceAddRmsNorm of aclnnop/aclnn_inplace_add_rms_norm.h; since CANN 9.0."""

class _InplaceAddV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: _Scalar | None, other: Tensor | None, alpha: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """other = selfRef + alpha * other, where selfRef is a scalar.

        aclnnInplaceAddV3 of aclnnop/aclnn_add_v3.h; since CANN 9.0."""

class _InplaceAddbmm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, batch1: Tensor | None, batch2: Tensor | None,
        beta: _Scalar | None, alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = beta * selfRef + alpha * sum of the matrix products of a batch, in place.

        aclnnInplaceAddbmm of aclnnop/aclnn_addbmm.h."""

class _InplaceAddcdiv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, tensor1: Tensor | None, tensor2: Tensor | None,
        value: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef + value * tensor1 / tensor2, in place.

        aclnnInplaceAddcdiv of aclnnop/aclnn_addcdiv.h."""

class _InplaceAddcmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, tensor1: Tensor | None, tensor2: Tensor | None,
        value: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef + value * tensor1 * tensor2, in place.

        aclnnInplaceAddcmul of aclnnop/aclnn_addcmul.h."""

class _InplaceAddmm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, mat1: Tensor | None, mat2: Tensor | None,
        beta: _Scalar | None, alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = beta * selfRef + alpha * mat1 @ mat2, in place.

        aclnnInplaceAddmm of aclnnop/aclnn_addmm.h."""

class _InplaceAddr(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, vec1: Tensor | None, vec2: Tensor | None,
        beta_optional: _Scalar | None = None, alpha_optional: _Scalar | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = beta * selfRef + alpha * outer product of vec1 and vec2, in place.

        aclnnInplaceAddr of aclnnop/aclnn_addr.h."""

class _InplaceAdds(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef + alpha * other, where other is a scalar, in place.

        aclnnInplaceAdds of aclnnop/aclnn_add.h."""

class _InplaceAsin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = arc sine of selfRef, in place.

        aclnnInplaceAsin of aclnnop/aclnn_asin.h."""

class _InplaceAsinh(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """inputRef = inverse hyperbolic sine of inputRef, in place.

        aclnnInplaceAsinh of aclnnop/aclnn_asinh.h."""

class _InplaceAtan(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """inputRef = arc tangent of inputRef, in place.

        aclnnInplaceAtan of aclnnop/aclnn_atan.h."""

class _InplaceAtan2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = angle of the point (other, selfRef), in place.

        aclnnInplaceAtan2 of aclnnop/aclnn_atan2.h."""

class _InplaceAtanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """inputRef = inverse hyperbolic tangent of inputRef, in place.

        aclnnInplaceAtanh of aclnnop/aclnn_atanh.h."""

class _InplaceAttentionWorkerScheduler(Operator):
    def __call__(  # type: ignore[override]
        op, /, schedule_context_ref: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Waits for, and marks, the tokens that a worker of attention has received; its context
        is changed in place.

        aclnnInplaceAttentionWorkerScheduler of aclnnop/aclnn_attention_worker_scheduler.h."""

class _InplaceBaddbmm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, batch1: Tensor | None, batch2: Tensor | None,
        beta: _Scalar | None, alpha: _Scalar | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = beta * selfRef + alpha * batch1 @ batch2, matrix by matrix, in place.

        aclnnInplaceBaddbmm of aclnnop/aclnn_baddbmm.h."""

class _InplaceBernoulli(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, prob: _Scalar | None, seed: SupportsIndex,
        offset: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1 with probability prob, else 0, in place.

        aclnnInplaceBernoulli of aclnnop/aclnn_bernoulli.h."""

class _InplaceBernoulliTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, prob: Tensor | None, seed: SupportsIndex,
        offset: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1 with the probability that prob gives for each element, else 0, in place.

        aclnnInplaceBernoulliTensor of aclnnop/aclnn_bernoulli.h."""

class _InplaceBitwiseAndScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef & other, where other is a scalar, in place.

        aclnnInplaceBitwiseAndScalar of aclnnop/aclnn_bitwise_and_scalar.h."""

class _InplaceBitwiseAndTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef & other, in place.

        aclnnInplaceBitwiseAndTensor of aclnnop/aclnn_bitwise_and_tensor.h."""

class _InplaceBitwiseAndTensorOut(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """self = self & other, in place.

        aclnnInplaceBitwiseAndTensorOut of aclnnop/aclnn_bitwiseand.h; since CANN 9.0."""

class _InplaceBitwiseOrScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef | other, where other is a scalar, in place.

        aclnnInplaceBitwiseOrScalar of aclnnop/aclnn_bitwise_or_scalar.h."""

class _InplaceBitwiseOrTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef | other, in place.

        aclnnInplaceBitwiseOrTensor of aclnnop/aclnn_bitwise_or_tensor.h."""

class _InplaceBitwiseXorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef ^ other, where other is a scalar, in place.

        aclnnInplaceBitwiseXorScalar of aclnnop/aclnn_bitwise_xor_scalar.h."""

class _InplaceBitwiseXorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef ^ other, in place.

        aclnnInplaceBitwiseXorTensor of aclnnop/aclnn_bitwise_xor_tensor.h."""

class _InplaceCeil(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = smallest integers not below selfRef, in place.

        aclnnInplaceCeil of aclnnop/aclnn_ceil.h."""

class _InplaceCelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, alpha: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef where it is positive, and alpha * (exp(selfRef / alpha) - 1)
        elsewhere, in place.

        aclnnInplaceCelu of aclnnop/aclnn_celu.h."""

class _InplaceClampMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, clip_value_max: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef limited to at most clipValueMax, in place.

        aclnnInplaceClampMax of aclnnop/aclnn_clamp.h."""

class _InplaceClampMaxTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, max: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = the smaller of selfRef and max, in place.

        aclnnInplaceClampMaxTensor of aclnnop/aclnn_clamp.h."""

class _InplaceClampMinTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, clip_value_min: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = the larger of selfRef and clipValueMin, in place.

        aclnnInplaceClampMinTensor of aclnnop/aclnn_clamp.h."""

class _InplaceCopy(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, src: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Copies src to selfRef, with broadcasting and conversion.

        aclnnInplaceCopy of aclnnop/aclnn_copy.h."""

class _InplaceCos(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """inputRef = cosine of inputRef, in place.

        aclnnInplaceCos of aclnnop/aclnn_cos.h."""

class _InplaceCosh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = hyperbolic cosine of selfRef, in place.

        aclnnInplaceCosh of aclnnop/aclnn_cosh.h."""

class _InplaceCumprod(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, dim: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """In place: product so far along dim.

        aclnnInplaceCumprod of aclnnop/aclnn_cumprod.h."""

class _InplaceDiv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef / other, in place.

        aclnnInplaceDiv of aclnnop/aclnn_div.h."""

class _InplaceDivMod(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, mode: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef / other, rounded as mode says: 0 not, 1 towards zero, 2 downwards,
        in place.

        aclnnInplaceDivMod of aclnnop/aclnn_div.h."""

class _InplaceDivMods(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, mode: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef / other, rounded as mode says, where other is a scalar, in place.

        aclnnInplaceDivMods of aclnnop/aclnn_div.h."""

class _InplaceDivs(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef / other, where other is a scalar, in place.

        aclnnInplaceDivs of aclnnop/aclnn_div.h."""

class _InplaceElu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, alpha: _Scalar | None = 1.0, scale: _Scalar | None = 1.0,
        input_scale: _Scalar | None = 1.0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = scale * selfRef where selfRef is positive, and scale * alpha * (exp(selfRef
        * inputScale) - 1) elsewhere, in place.

        aclnnInplaceElu of aclnnop/aclnn_elu.h."""

class _InplaceEqScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef == other), where other is a scalar, in place.

        aclnnInplaceEqScalar of aclnnop/aclnn_eq_scalar.h."""

class _InplaceEqTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef == other), in place.

        aclnnInplaceEqTensor of aclnnop/aclnn_eq_tensor.h."""

class _InplaceErf(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = error function of selfRef, in place.

        aclnnInplaceErf of aclnnop/aclnn_erf.h."""

class _InplaceErfc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1 - erf(selfRef), in place.

        aclnnInplaceErfc of aclnnop/aclnn_erfc.h."""

class _InplaceErfinv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = inverse of the error function, in place.

        aclnnInplaceErfinv of aclnnop/aclnn_erfinv.h."""

class _InplaceExp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = e to the power of selfRef, in place.

        aclnnInplaceExp of aclnnop/aclnn_exp.h."""

class _InplaceExp2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 2 to the power of selfRef, in place.

        aclnnInplaceExp2 of aclnnop/aclnn_exp2.h."""

class _InplaceExpm1(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = exp(selfRef) - 1, in place.

        aclnnInplaceExpm1 of aclnnop/aclnn_expm1.h."""

class _InplaceFfnWorkerScheduler(Operator):
    def __call__(  # type: ignore[override]
        op, /, schedule_context_ref: Tensor | None, sync_group_size: SupportsIndex,
        execute_mode: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Collects the tokens that a worker of the feed-forward network has received; its
        context is changed in place.

        aclnnInplaceFfnWorkerScheduler of aclnnop/aclnn_ffn_worker_scheduler.h."""

class _InplaceFillDiagonal(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, fill_value: _Scalar | None, wrap: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Writes a value to the diagonal of selfRef, again below it for wrap.

        aclnnInplaceFillDiagonal of aclnnop/aclnn_fill_diagonal.h; since CANN 9.0."""

class _InplaceFillScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, value: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Sets all elements of selfRef to a value.

        aclnnInplaceFillScalar of aclnnop/aclnn_fill_scalar.h."""

class _InplaceFillTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, value: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Sets all elements of selfRef to the value of a tensor of one element.

        aclnnInplaceFillTensor of aclnnop/aclnn_fill_tensor.h."""

class _InplaceFloor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = largest integers not above selfRef, in place.

        aclnnInplaceFloor of aclnnop/aclnn_floor.h."""

class _InplaceFloorDivide(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef / other, rounded downwards, in place.

        aclnnInplaceFloorDivide of aclnnop/aclnn_floor_divide.h."""

class _InplaceFloorDivides(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef / other, rounded downwards, where other is a scalar, in place.

        aclnnInplaceFloorDivides of aclnnop/aclnn_floor_divide.h."""

class _InplaceFmodScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = remainder of selfRef / other with the sign of selfRef, where other is a
        scalar, in place.

        aclnnInplaceFmodScalar of aclnnop/aclnn_fmod_scalar.h."""

class _InplaceFmodTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = remainder of selfRef / other with the sign of selfRef, in place.

        aclnnInplaceFmodTensor of aclnnop/aclnn_fmod_tensor.h."""

class _InplaceFrac(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """inputRef = inputRef without its integer part, in place.

        aclnnInplaceFrac of aclnnop/aclnn_frac.h."""

class _InplaceFusedCausalConv1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, conv_states: Tensor | None,
        query_start_loc: Tensor | None, cache_indices: Tensor | None,
        initial_state_mode: Tensor | None, bias: Tensor | None, num_accepted_tokens: Tensor | None,
        num_computed_tokens: Tensor | None, block_idx_first_scheduled_token: Tensor | None,
        block_idx_last_scheduled_token: Tensor | None, initial_state_idx: Tensor | None,
        activation_mode: SupportsIndex, pad_slot_id: SupportsIndex, run_mode: SupportsIndex,
        max_query_len: SupportsIndex, residual_connection: SupportsIndex, block_size: SupportsIndex,
        conv_mode: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """FusedCausalConv1d that writes its result over its input.

        aclnnInplaceFusedCausalConv1d of aclnnop/aclnn_inplace_fused_causal_conv1d.h."""

class _InplaceGeScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef >= other), where other is a scalar, in place.

        aclnnInplaceGeScalar of aclnnop/aclnn_ge_scalar.h."""

class _InplaceGeTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef >= other), in place.

        aclnnInplaceGeTensor of aclnnop/aclnn_ge_tensor.h."""

class _InplaceGtScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef > other), where other is a scalar, in place.

        aclnnInplaceGtScalar of aclnnop/aclnn_gt_scalar.h."""

class _InplaceGtTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef > other), in place.

        aclnnInplaceGtTensor of aclnnop/aclnn_gt_tensor.h."""

class _InplaceHardsigmoid(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """self = (self + 3) / 6 limited to [0, 1], in place.

        aclnnInplaceHardsigmoid of aclnnop/aclnn_hardsigmoid.h."""

class _InplaceHardswish(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """self = self * ((self + 3) / 6 limited to [0, 1]), in place.

        aclnnInplaceHardswish of aclnnop/aclnn_hardswish.h."""

class _InplaceHardtanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, clip_value_min: _Scalar | None,
        clip_value_max: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef limited to [clipValueMin, clipValueMax], in place.

        aclnnInplaceHardtanh of aclnnop/aclnn_hardtanh.h."""

class _InplaceIndexCopy(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        source: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Copies source to the places of dim that index names, in place.

        aclnnInplaceIndexCopy of aclnnop/aclnn_index_copy.h."""

class _InplaceIndexFill(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        value: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with a value at the places of dim that index names, in place.

        aclnnInplaceIndexFill of aclnnop/aclnn_index_fill.h; since CANN 9.0."""

class _InplaceIndexFillTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: _Ints | None,
        value: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with a value at the places of dim that index names, in place.

        aclnnInplaceIndexFillTensor of aclnnop/aclnn_index_fill_tensor.h."""

class _InplaceLeScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef <= other), where other is a scalar, in place.

        aclnnInplaceLeScalar of aclnnop/aclnn_le_scalar.h."""

class _InplaceLeTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef <= other), in place.

        aclnnInplaceLeTensor of aclnnop/aclnn_le_tensor.h."""

class _InplaceLeakyRelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, negative_slope: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef where it is positive, and negativeSlope * selfRef elsewhere, in
        place.

        aclnnInplaceLeakyRelu of aclnnop/aclnn_leaky_relu.h."""

class _InplaceLerp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, end: Tensor | None, weight: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef + weight * (end - selfRef), in place.

        aclnnInplaceLerp of aclnnop/aclnn_lerp_tensor.h."""

class _InplaceLerps(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, end: Tensor | None, weight: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef + weight * (end - selfRef), where weight is a scalar, in place.

        aclnnInplaceLerps of aclnnop/aclnn_lerp_scalar.h."""

class _InplaceLog(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = natural logarithm of selfRef, in place.

        aclnnInplaceLog of aclnnop/aclnn_log.h."""

class _InplaceLog10(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = decimal logarithm of selfRef, in place.

        aclnnInplaceLog10 of aclnnop/aclnn_log10.h."""

class _InplaceLog1p(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = log(1 + selfRef), in place.

        aclnnInplaceLog1p of aclnnop/aclnn_log1p.h."""

class _InplaceLog2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = binary logarithm of selfRef, in place.

        aclnnInplaceLog2 of aclnnop/aclnn_log2.h."""

class _InplaceLogicalAnd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef and other, as truth values, in place.

        aclnnInplaceLogicalAnd of aclnnop/aclnn_logical_and.h."""

class _InplaceLogicalNot(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = not selfRef, as a truth value, in place.

        aclnnInplaceLogicalNot of aclnnop/aclnn_logical_not.h."""

class _InplaceLogicalOr(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef or other, as truth values, in place.

        aclnnInplaceLogicalOr of aclnnop/aclnn_logical_or.h."""

class _InplaceLtScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef < other), where other is a scalar, in place.

        aclnnInplaceLtScalar of aclnnop/aclnn_lt_scalar.h."""

class _InplaceLtTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef < other), in place.

        aclnnInplaceLtTensor of aclnnop/aclnn_lt_tensor.h."""

class _InplaceMaskedFillScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, mask: Tensor | None, value: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sets selfRef to a value where mask is set.

        aclnnInplaceMaskedFillScalar of aclnnop/aclnn_masked_fill_scalar.h."""

class _InplaceMaskedFillTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, mask: Tensor | None, value: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sets selfRef to the value of a tensor of one element where mask is set.

        aclnnInplaceMaskedFillTensor of aclnnop/aclnn_masked_fill_tensor.h."""

class _InplaceMaskedScatter(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, mask: Tensor | None, source: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Writes the elements of source, in order, where mask is set.

        aclnnInplaceMaskedScatter of aclnnop/aclnn_masked_scatter.h."""

class _InplaceMatmulAllReduceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        residual: Tensor | None, gamma: Tensor | None, epsilon: SupportsFloat = 1e-06,
        group: _Group | None, reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, out: Tensor | None = None, norm_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """In place: matrix product summed over all devices, added to a residual and normalised
        by its root mean square.

        aclnnInplaceMatmulAllReduceAddRmsNorm of
        aclnnop/aclnn_inplace_matmul_all_reduce_add_rms_norm.h."""

class _InplaceMish(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef * tanh(log(1 + exp(selfRef))), in place.

        aclnnInplaceMish of aclnnop/aclnn_mish.h."""

class _InplaceMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef * other, in place.

        aclnnInplaceMul of aclnnop/aclnn_mul.h."""

class _InplaceMuls(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef * other, where other is a scalar, in place.

        aclnnInplaceMuls of aclnnop/aclnn_mul.h."""

class _InplaceNanToNum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, nan: SupportsFloat, posinf: SupportsFloat,
        neginf: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with NaN and the infinities replaced by numbers, in place.

        aclnnInplaceNanToNum of aclnnop/aclnn_nan_to_num.h."""

class _InplaceNeScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef != other), where other is a scalar, in place.

        aclnnInplaceNeScalar of aclnnop/aclnn_ne_scalar.h."""

class _InplaceNeTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = (selfRef != other), in place.

        aclnnInplaceNeTensor of aclnnop/aclnn_ne_tensor.h."""

class _InplaceNeg(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = -selfRef, in place.

        aclnnInplaceNeg of aclnnop/aclnn_neg.h."""

class _InplaceNormal(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, mean: SupportsFloat, std: SupportsFloat,
        seed: SupportsIndex, offset: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with normally distributed random numbers.

        aclnnInplaceNormal of aclnnop/aclnn_normal.h."""

class _InplaceNormalTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, mean: SupportsFloat, std: SupportsFloat,
        seed_tensor: Tensor | None, offset_tensor: Tensor | None, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with normally distributed random numbers, with the seed and offset in
        tensors.

        aclnnInplaceNormalTensor of aclnnop/aclnn_normal.h; since CANN 9.0."""

class _InplaceOne(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sets all elements of selfRef to 1.

        aclnnInplaceOne of aclnnop/aclnn_ones.h."""

class _InplacePowTensorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, exponent: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """self = self to the power of exponent, where exponent is a scalar, in place.

        aclnnInplacePowTensorScalar of aclnnop/aclnn_pow.h."""

class _InplacePowTensorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, exponent: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """self = self to the power of exponent, in place.

        aclnnInplacePowTensorTensor of aclnnop/aclnn_pow_tensor_tensor.h."""

class _InplacePut(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, index: Tensor | None, source: Tensor | None,
        accumulate: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Writes or adds source at the places of selfRef, taken as a row, that index names.

        aclnnInplacePut of aclnnop/aclnn_put.h."""

class _InplaceQuantMatmulAllReduceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        dequant_scale: Tensor | None, residual: Tensor | None, gamma: Tensor | None,
        epsilon: SupportsFloat = 1e-06, group: _Group | None, reduce_op: str | None = "sum",
        comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex, out: Tensor | None = None,
        norm_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """In place: product of int8 matrices summed over all devices, added to a residual and
        normalised by its root mean square.

        aclnnInplaceQuantMatmulAllReduceAddRmsNorm of
        aclnnop/aclnn_inplace_quant_matmul_all_reduce_add_rms_norm.h."""

class _InplaceQuantScatter(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        quant_scales: Tensor | None, quant_zero_points: Tensor | None = None,
        axis: SupportsIndex = -2, quant_axis: SupportsIndex = -1, *, reduction: SupportsIndex,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Quantises updates and writes them to the slices of selfRef that indices names.

        aclnnInplaceQuantScatter of aclnnop/aclnn_quant_scatter.h."""

class _InplaceQuantScatterV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        quant_scales: Tensor | None, quant_zero_points: Tensor | None, axis: SupportsIndex = -2,
        quant_axis: SupportsIndex = -1, *, reduction: SupportsIndex,
        round_mode: str | None = "rint", out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Quantises updates and writes them to the slices of selfRef that indices names.

        aclnnInplaceQuantScatterV2 of aclnnop/aclnn_quant_scatter_v2.h; since CANN 9.0."""

class _InplaceRReluWithNoise(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, noise: Tensor | None, lower: _Scalar | None,
        upper: _Scalar | None, training: bool, seed: SupportsIndex, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """self = self where it is positive, and a random slope between lower and upper times
        self elsewhere; noise keeps the slopes, in place.

        aclnnInplaceRReluWithNoise of aclnnop/aclnn_rrelu_with_noise.h."""

class _InplaceRandom(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, from_: SupportsIndex, to: SupportsIndex,
        seed: SupportsIndex, offset: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with random integers from from to to - 1.

        aclnnInplaceRandom of aclnnop/aclnn_random.h."""

class _InplaceRandomTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, from_: SupportsIndex, to: SupportsIndex,
        seed_tensor: Tensor | None, offset_tensor: Tensor | None, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with random integers from from to to - 1, with the seed and offset in
        tensors.

        aclnnInplaceRandomTensor of aclnnop/aclnn_random.h; since CANN 9.0."""

class _InplaceRandomWithoutFromTo(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, seed: SupportsIndex, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with random integers of the whole range of its dtype.

        aclnnInplaceRandomWithoutFromTo of aclnnop/aclnn_random.h; since CANN 9.0."""

class _InplaceRandomWithoutFromToTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, seed_tensor: Tensor | None, offset_tensor: Tensor | None,
        offset: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with random integers of the whole range of its dtype, with the seed and
        offset in tensors.

        aclnnInplaceRandomWithoutFromToTensor of aclnnop/aclnn_random.h; since CANN 9.0."""

class _InplaceReciprocal(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1 / selfRef, in place.

        aclnnInplaceReciprocal of aclnnop/aclnn_reciprocal.h."""

class _InplaceRelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef where it is positive, and 0 elsewhere, in place.

        aclnnInplaceRelu of aclnnop/aclnn_relu.h."""

class _InplaceRemainderTensorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = remainder of selfRef / other with the sign of other, where other is a
        scalar, in place.

        aclnnInplaceRemainderTensorScalar of aclnnop/aclnn_remainder.h."""

class _InplaceRemainderTensorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = remainder of selfRef / other with the sign of other, in place.

        aclnnInplaceRemainderTensorTensor of aclnnop/aclnn_remainder.h."""

class _InplaceRenorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, p: _Scalar | None, dim: SupportsIndex,
        max_norm: _Scalar | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with its slices along dim scaled down to a p-norm of maxNorm, in
        place.

        aclnnInplaceRenorm of aclnnop/aclnn_renorm.h."""

class _InplaceRound(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = nearest integers, even ones from the middle, in place.

        aclnnInplaceRound of aclnnop/aclnn_round.h."""

class _InplaceRoundDecimals(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, decimals: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = nearest numbers with decimals digits after the point, in place.

        aclnnInplaceRoundDecimals of aclnnop/aclnn_round.h."""

class _InplaceRsqrt(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1 / square root of selfRef, in place.

        aclnnInplaceRsqrt of aclnnop/aclnn_rsqrt.h."""

class _InplaceScatter(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        src: Tensor | None, reduce: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with src written, added or multiplied at the places that index names
        along dim, in place.

        aclnnInplaceScatter of aclnnop/aclnn_scatter.h."""

class _InplaceScatterReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        src: Tensor | None, reduce: SupportsIndex, include_self: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with src reduced into the places that index names along dim, in
        place.

        aclnnInplaceScatterReduce of aclnnop/aclnn_scatter_reduce.h; since CANN 9.0."""

class _InplaceScatterUpdate(Operator):
    def __call__(  # type: ignore[override]
        op, /, data: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        axis: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Writes updates to data at the places of an axis that indices names.

        aclnnInplaceScatterUpdate of aclnnop/aclnn_scatter_update.h."""

class _InplaceScatterValue(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, dim: SupportsIndex, index: Tensor | None,
        value: _Scalar | None, reduce: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef with a value written at the places that index names along dim, in
        place.

        aclnnInplaceScatterValue of aclnnop/aclnn_scatter.h."""

class _InplaceSelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1.0507 * selfRef where it is positive, and 1.7581 * (exp(selfRef) - 1)
        elsewhere, in place.

        aclnnInplaceSelu of aclnnop/aclnn_selu.h."""

class _InplaceSigmoid(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = 1 / (1 + exp(-selfRef)), in place.

        aclnnInplaceSigmoid of aclnnop/aclnn_sigmoid.h."""

class _InplaceSin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = sine of selfRef, in place.

        aclnnInplaceSin of aclnnop/aclnn_sin.h."""

class _InplaceSinc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = sin(pi * selfRef) / (pi * selfRef), and 1 at 0, in place.

        aclnnInplaceSinc of aclnnop/aclnn_sinc.h."""

class _InplaceSinh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = hyperbolic sine of selfRef, in place.

        aclnnInplaceSinh of aclnnop/aclnn_sinh.h."""

class _InplaceSqrt(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """self = square root of self, in place.

        aclnnInplaceSqrt of aclnnop/aclnn_sqrt.h."""

class _InplaceSub(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef - alpha * other, in place.

        aclnnInplaceSub of aclnnop/aclnn_sub.h."""

class _InplaceSubs(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef - alpha * other, where other is a scalar, in place.

        aclnnInplaceSubs of aclnnop/aclnn_sub.h."""

class _InplaceTan(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = tangent of selfRef, in place.

        aclnnInplaceTan of aclnnop/aclnn_tan.h."""

class _InplaceTanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = hyperbolic tangent of selfRef, in place.

        aclnnInplaceTanh of aclnnop/aclnn_tanh.h."""

class _InplaceThreshold(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, threshold: _Scalar | None, value: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef where it is above the threshold, and value elsewhere, in place.

        aclnnInplaceThreshold of aclnnop/aclnn_threshold.h."""

class _InplaceTril(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, diagonal: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = lower triangle of matrices, 0 above, in place.

        aclnnInplaceTril of aclnnop/aclnn_tril.h."""

class _InplaceTriu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, diagonal: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = upper triangle of matrices, 0 below, in place.

        aclnnInplaceTriu of aclnnop/aclnn_triu.h."""

class _InplaceTrunc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef rounded towards zero, in place.

        aclnnInplaceTrunc of aclnnop/aclnn_trunc.h."""

class _InplaceUniform(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, from_: SupportsFloat, to: SupportsFloat,
        seed: SupportsIndex, offset: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with random numbers between from and to.

        aclnnInplaceUniform of aclnnop/aclnn_uniform.h."""

class _InplaceUniformTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, from_: SupportsFloat, to: SupportsFloat,
        seed_tensor: Tensor | None, offset_tensor: Tensor | None, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with random numbers between from and to, with the seed and offset in
        tensors.

        aclnnInplaceUniformTensor of aclnnop/aclnn_uniform.h; since CANN 9.0."""

class _InplaceWeightQuantMatmulAllReduceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        antiquant_scale: Tensor | None, antiquant_offset: Tensor | None = None,
        residual: Tensor | None, gamma: Tensor | None, epsilon: SupportsFloat = 1e-06,
        group: _Group | None, reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, antiquant_group_size: SupportsIndex = 0,
        out: Tensor | None = None, norm_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """In place: matrix product with a quantised right operand summed over all devices, added
        to a residual and normalised.

        aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm of
        aclnnop/aclnn_inplace_weight_quant_matmul_all_reduce_add_rms_norm.h."""

class _InplaceXLogYScalarOther(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef * log(other), and 0 where selfRef is 0; other is a scalar, in place.

        aclnnInplaceXLogYScalarOther of aclnnop/aclnn_x_log_y_scalar_other.h."""

class _InplaceXLogYTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """selfRef = selfRef * log(other), and 0 where selfRef is 0, in place.

        aclnnInplaceXLogYTensor of aclnnop/aclnn_x_log_y_tensor.h."""

class _InplaceZero(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sets all elements of selfRef to 0.

        aclnnInplaceZero of aclnnop/aclnn_zero.h."""

class _InstanceNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, beta: Tensor | None, data_format: str | None,
        eps: SupportsFloat, *, out: _Outputs | None = None, y: _Output = None, mean: _Output = None,
        variance: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Normalisation of each channel of each sample; also stores mean and variance.

        aclnnInstanceNorm of aclnnop/aclnn_instance_norm.h."""

class _InterleaveRope(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, cos: Tensor | None, sin: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Rotates x by the angles of its positions, after sorting even and odd elements apart.

        aclnnInterleaveRope of aclnnop/aclnn_interleave_rope.h; since CANN 9.0."""

class _Inverse(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = inverse of a square matrix.

        aclnnInverse of aclnnop/aclnn_inverse.h."""

class _Iou(Operator):
    def __call__(  # type: ignore[override]
        op, /, b_boxes: Tensor | None, gt_boxes: Tensor | None, mode: str | None = "iou",
        eps: SupportsFloat = 1.0, aligned: bool = False, *, out: Tensor | None = None,
        overlap: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Intersection over union, or over the first box, of pairs of boxes.

        aclnnIou of aclnnop/aclnn_iou.h."""

class _IsClose(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, rtol: SupportsFloat = 1e-05,
        atol: SupportsFloat = 1e-08, equal_nan: bool = False, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = whether |self - other| <= atol + rtol * |other|.

        aclnnIsClose of aclnnop/aclnn_isclose.h."""

class _IsFinite(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether self is neither infinite nor NaN.

        aclnnIsFinite of aclnnop/aclnn_isfinite.h."""

class _IsInScalarTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, element: _Scalar | None, test_elements: Tensor | None, assume_unique: bool,
        invert: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether a scalar is among the elements of a tensor.

        aclnnIsInScalarTensor of aclnnop/aclnn_isin.h."""

class _IsInTensorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, element: Tensor | None, test_element: _Scalar | None, assume_unique: bool,
        invert: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether each element equals a scalar.

        aclnnIsInTensorScalar of aclnnop/aclnn_isin_tensor_scalar.h."""

class _IsInf(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether x is infinite.

        aclnnIsInf of aclnnop/aclnn_is_inf.h."""

class _IsNegInf(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether self is minus infinity.

        aclnnIsNegInf of aclnnop/aclnn_isneginf.h."""

class _IsPosInf(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether self is plus infinity.

        aclnnIsPosInf of aclnnop/aclnn_isposinf.h."""

class _KlDiv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum", "batchmean"] = 1,
        log_target: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = target * (log(target) - self), or exp(target) * (target - self) for logTarget,
        reduced as asked for.

        aclnnKlDiv of aclnnop/aclnn_kl_div.h."""

class _KlDivBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum", "batchmean"] = 1,
        log_target: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = -gradOutput * target, or -gradOutput * exp(target) for logTarget; divided by the
        number of elements for the mean.

        aclnnKlDivBackward of aclnnop/aclnn_kl_div_backward.h."""

class _KlDivTargetBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum", "batchmean"], log_target: bool, *,
        out: Tensor | None = None, grad_target: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradTarget = gradOutput * (log(target) + 1 - self), or gradOutput * (target + 1 -
        self) * exp(target) for logTarget; divided for the mean.

        aclnnKlDivTargetBackward of aclnnop/aclnn_kl_div_target_backward.h; since CANN 9.0."""

class _Kthvalue(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, k: SupportsIndex, dim: SupportsIndex, keepdim: bool = False, *,
        out: _Outputs | None = None, values_out: _Output = None, indices_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The k-th smallest element along dim, and its place.

        aclnnKthvalue of aclnnop/aclnn_kthvalue.h."""

class _KvRmsNormRopeCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, kv: Tensor | None, gamma: Tensor | None, cos: Tensor | None, sin: Tensor | None,
        index: Tensor | None, k_cache_ref: Tensor | None, ckv_cache_ref: Tensor | None,
        k_rope_scale_optional: Tensor | None = None, c_kv_scale_optional: Tensor | None = None,
        k_rope_offset_optional: Tensor | None = None, c_kv_offset_optional: Tensor | None = None, *,
        epsilon: SupportsFloat, cache_mode_optional: str | None = None, is_output_kv: bool,
        out: _Outputs | None = None, k_rope_out: _Output = None, c_kv_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """RMS norm of the compressed key and value, rotary embedding of the key, and storing
        both in a cache.

        aclnnKvRmsNormRopeCache of aclnnop/aclnn_kv_rms_norm_rope_cache.h."""

class _KvRmsNormRopeCacheV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, kv: Tensor | None, gamma: Tensor | None, cos: Tensor | None, sin: Tensor | None,
        index: Tensor | None, k_cache_ref: Tensor | None, ckv_cache_ref: Tensor | None,
        k_rope_scale_optional: Tensor | None = None, c_kv_scale_optional: Tensor | None = None,
        k_rope_offset_optional: Tensor | None = None, c_kv_offset_optional: Tensor | None = None,
        v_optional: Tensor | None = None, *, epsilon: SupportsFloat,
        cache_mode_optional: str | None = None, is_output_kv: bool, out: _Outputs | None = None,
        k_rope_out: _Output = None, c_kv_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """RMS norm of the compressed key and value, rotary embedding of the key, and storing
        both in a cache.

        aclnnKvRmsNormRopeCacheV2 of aclnnop/aclnn_kv_rms_norm_rope_cache_v2.h."""

class _L1Loss(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = |self - target|, reduced as asked for.

        aclnnL1Loss of aclnnop/aclnn_l1_loss.h."""

class _L1LossBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * sign(self - target), divided by the number of elements for
        the mean.

        aclnnL1LossBackward of aclnnop/aclnn_l1_loss_backward.h."""

class _LayerNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, normalized_shape: _Ints | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        eps: SupportsFloat, out: _Outputs | None = None, mean_out_optional: _Output = None,
        rstd_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Normalisation over the last dimensions, which normalizedShape names.

        aclnnLayerNorm of aclnnop/aclnn_layer_norm.h."""

class _LayerNormBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input: Tensor | None, normalized_shape: _Ints | None,
        mean: Tensor | None, rstd: Tensor | None, weight_optional: Tensor | None = None,
        bias_optional: Tensor | None = None, *, output_mask: _Bools | None,
        out: _Outputs | None = None, grad_input_out: _Output = None,
        grad_weight_out: _Output = None, grad_bias_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """gradInputOut = rstd * (g - mean(g) - xhat * mean(g * xhat)), where xhat = (input -
        mean) * rstd and g = gradOut * weight; gradWeightOut = sum(gradOut * xhat),
        gradBiasOut = sum(gradOut).

        aclnnLayerNormBackward of aclnnop/aclnn_layer_norm_backward.h."""

class _LayerNormQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gammma: Tensor | None, beta: Tensor | None, scale: Tensor | None,
        zero_points_optional: Tensor | None = None, quant_mode: SupportsIndex = 0,
        epsilon: SupportsFloat = 1e-05, *, out: _Outputs | None = None, res: _Output = None,
        scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Layer normalisation, quantised with given or computed scales.

        aclnnLayerNormQuant of aclnnop/aclnn_layer_norm_quant.h; since CANN 9.0."""

class _LayerNormWithImplMode(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, normalized_shape: _Ints | None,
        weight_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        eps: SupportsFloat, impl_mode: SupportsIndex, out: _Outputs | None = None,
        mean_out_optional: _Output = None, rstd_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Layer normalisation with a choice between precision and speed.

        aclnnLayerNormWithImplMode of aclnnop/aclnn_layer_norm.h."""

class _LeScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self <= other), where other is a scalar.

        aclnnLeScalar of aclnnop/aclnn_le_scalar.h."""

class _LeTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self <= other).

        aclnnLeTensor of aclnnop/aclnn_le_tensor.h."""

class _LeakyRelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, negative_slope: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self where it is positive, and negativeSlope * self elsewhere.

        aclnnLeakyRelu of aclnnop/aclnn_leaky_relu.h."""

class _LeakyReluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, negative_slope: _Scalar | None,
        self_is_result: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput where self > 0, and gradOutput * negativeSlope elsewhere.

        aclnnLeakyReluBackward of aclnnop/aclnn_leaky_relu_backward.h."""

class _LeftShift(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, shift_bits: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self shifted left by shiftBits.

        aclnnLeftShift of aclnnop/aclnn_left_shift.h; since CANN 9.0."""

class _LeftShifts(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, shift_bits: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self shifted left by a scalar number of bits.

        aclnnLeftShifts of aclnnop/aclnn_left_shift.h; since CANN 9.0."""

class _Lerp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, end: Tensor | None, weight: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + weight * (end - self).

        aclnnLerp of aclnnop/aclnn_lerp_tensor.h."""

class _Lerps(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, end: Tensor | None, weight: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + weight * (end - self), where weight is a scalar.

        aclnnLerps of aclnnop/aclnn_lerp_scalar.h."""

class _Lgamma(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = logarithm of the absolute value of the gamma function.

        aclnnLgamma of aclnnop/aclnn_lgamma.h."""

class _LightningIndexer(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, weights: Tensor | None,
        actual_seq_lengths_query_optional: Tensor | None = None,
        actual_seq_lengths_key_optional: Tensor | None = None,
        block_table_optional: Tensor | None = None, layout_query_optional: str | None = None,
        layout_key_optional: str | None = None, *, sparse_count: SupportsIndex,
        sparse_mode: SupportsIndex, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        return_values: bool, out: _Outputs | None = None, sparse_indices_out: _Output = None,
        sparse_values_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The keys of largest index score for each query: weighted sums of rectified products
        over heads.

        aclnnLightningIndexer of aclnnop/aclnn_lightning_indexer.h."""

class _LightningIndexerGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, dy: Tensor | None,
        sparse_indices: Tensor | None, weights: Tensor | None,
        actual_seq_q_len_optional: Tensor | None = None,
        actual_seq_kv_len_optional: Tensor | None = None, *, head_num: SupportsIndex,
        input_layout: str | None, sparse_mode: SupportsIndex, pre_tokens: SupportsIndex,
        next_tokens: SupportsIndex, deterministic: bool, out: _Outputs | None = None,
        dq_out: _Output = None, dk_out: _Output = None, dweights_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of the scores that LightningIndexer chooses by.

        aclnnLightningIndexerGrad of aclnnop/aclnn_lightning_indexer_grad.h."""

class _LightningIndexerV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, q: Tensor | None, k: Tensor | None, w: Tensor | None,
        cu_seqlens_q_optional: Tensor | None = None, cu_seqlens_k_optional: Tensor | None = None,
        seqused_q_optional: Tensor | None = None, seqused_k_optional: Tensor | None = None,
        cmp_residual_k_optional: Tensor | None = None, block_table_optional: Tensor | None = None,
        output_idx_offset_optional: Tensor | None = None, metadata_optional: Tensor | None = None,
        *, topk: SupportsIndex, max_seqlen_q: SupportsIndex, layout_q: str | None,
        layout_k: str | None, mask_mode: SupportsIndex, cmp_ratio: SupportsIndex,
        return_value: SupportsIndex, out: _Outputs | None = None, sparse_indices: _Output = None,
        sparse_values: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The keys of largest index score for each query: weighted sums of rectified products
        over heads.

        aclnnLightningIndexerV2 of aclnnop/aclnn_lightning_indexer_v2.h."""

class _LightningIndexerV2Metadata(Operator):
    def __call__(  # type: ignore[override]
        op, /, cu_seqlens_q_optional: Tensor | None = None,
        cu_seqlens_k_optional: Tensor | None = None, seqused_q_optional: Tensor | None = None,
        seqused_k_optional: Tensor | None = None, cmp_residual_k_optional: Tensor | None = None, *,
        num_heads_q: SupportsIndex, num_heads_k: SupportsIndex, head_dim: SupportsIndex,
        topk: SupportsIndex, batch_size: SupportsIndex, max_seqlen_q: SupportsIndex,
        max_seqlen_k: SupportsIndex, layout_q_optional: str | None = None,
        layout_k_optional: str | None = None, mask_mode: SupportsIndex, cmp_ratio: SupportsIndex,
        out: Tensor | None = None, meta_data: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """How LightningIndexerV2 divides its work, from the lengths of the sequences.

        aclnnLightningIndexerV2Metadata of aclnnop/aclnn_lightning_indexer_v2_metadata.h."""

class _LinalgCholesky(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, upper: bool = False, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The triangular factor of a positive definite matrix.

        aclnnLinalgCholesky of aclnnop/aclnn_linalg_cholesky.h; since CANN 9.0."""

class _LinalgCross(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, dim: SupportsIndex = -1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = cross product of vectors of three elements along dim.

        aclnnLinalgCross of aclnnop/aclnn_linalg_cross.h."""

class _LinalgQr(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mode: SupportsIndex, *, out: _Outputs | None = None,
        q: _Output = None, r: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Orthogonal and triangular factor of a matrix.

        aclnnLinalgQr of aclnnop/aclnn_linalg_qr.h."""

class _LinalgVectorNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, ord: _Scalar | None, dims: _Ints | None, keep_dims: bool,
        dtype: DTypeLike, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = norm of order ord over dims.

        aclnnLinalgVectorNorm of aclnnop/aclnn_linalg_vector_norm.h."""

class _Linspace(Operator):
    def __call__(  # type: ignore[override]
        op, /, start: _Scalar | None, end: _Scalar | None, steps: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = steps numbers at equal distances from start to end.

        aclnnLinspace of aclnnop/aclnn_linspace.h."""

class _Log(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = natural logarithm of self.

        aclnnLog of aclnnop/aclnn_log.h."""

class _Log10(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = decimal logarithm of self.

        aclnnLog10 of aclnnop/aclnn_log10.h."""

class _Log1p(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = log(1 + self).

        aclnnLog1p of aclnnop/aclnn_log1p.h."""

class _Log2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = binary logarithm of self.

        aclnnLog2 of aclnnop/aclnn_log2.h."""

class _LogAddExp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = log(exp(self) + exp(other)).

        aclnnLogAddExp of aclnnop/aclnn_logaddexp.h."""

class _LogAddExp2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = log2(2^self + 2^other).

        aclnnLogAddExp2 of aclnnop/aclnn_logaddexp2.h."""

class _LogSigmoid(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = log(sigmoid(self)).

        aclnnLogSigmoid of aclnnop/aclnn_logsigmoid.h."""

class _LogSigmoidBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, buffer: Tensor | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * sigmoid(-self).

        aclnnLogSigmoidBackward of aclnnop/aclnn_logsigmoid_backward.h."""

class _LogSigmoidForward(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: _Outputs | None = None, buffer: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """out = log(sigmoid(self)); also stores exp(-|self|) for the gradient.

        aclnnLogSigmoidForward of aclnnop/aclnn_logsigmoid.h."""

class _LogSoftmax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self - log(sum of exp(self) over dim).

        aclnnLogSoftmax of aclnnop/aclnn_logsoftmax.h."""

class _LogSoftmaxBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output: Tensor | None, dim: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput - exp(output) * sum(gradOutput over dim).

        aclnnLogSoftmaxBackward of aclnnop/aclnn_logsoftmax_backward.h."""

class _LogSpace(Operator):
    def __call__(  # type: ignore[override]
        op, /, start: _Scalar | None, end: _Scalar | None, steps: SupportsIndex,
        base: SupportsFloat, *, out: Tensor | None = None, result: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """result = base to the power of steps numbers at equal distances from start to end.

        aclnnLogSpace of aclnnop/aclnn_logspace.h; since CANN 9.0."""

class _LogSumExp(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = log(sum of exp(self) over dim).

        aclnnLogSumExp of aclnnop/aclnn_logsumexp.h."""

class _Logdet(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = logarithm of the determinant of a matrix.

        aclnnLogdet of aclnnop/aclnn_logdet.h."""

class _LogicalAnd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self and other, as truth values.

        aclnnLogicalAnd of aclnnop/aclnn_logical_and.h."""

class _LogicalNot(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = not self, as a truth value.

        aclnnLogicalNot of aclnnop/aclnn_logical_not.h."""

class _LogicalOr(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self or other, as truth values.

        aclnnLogicalOr of aclnnop/aclnn_logical_or.h."""

class _LogicalXor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = whether just one of self and other is true.

        aclnnLogicalXor of aclnnop/aclnn_logical_xor.h."""

class _Logit(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, eps: SupportsFloat = -1.0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = log(x / (1 - x)), with x limited to [eps, 1 - eps].

        aclnnLogit of aclnnop/aclnn_logit.h."""

class _LogitGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, dy: Tensor | None, eps: SupportsFloat = -1.0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = dy / (x * (1 - x)) where eps <= x <= 1 - eps, and 0 elsewhere; for eps < 0 NaN
        where x is outside [0, 1].

        aclnnLogitGrad of aclnnop/aclnn_logit_grad.h."""

class _LSTM(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, params: _Tensors | None, hx: _Tensors | None = None,
        batch_sizes: Tensor | None = None, *, has_bias: bool, num_layers: SupportsIndex,
        dropout: SupportsFloat, train: bool, bidirectional: bool, batch_first: bool,
        out: _Results | None = None, output: _Output = None, hy: _Output = None, cy: _Output = None,
        i_out: _Tensors | None = None, j_out: _Tensors | None = None, f_out: _Tensors | None = None,
        o_out: _Tensors | None = None, h_out: _Tensors | None = None, c_out: _Tensors | None = None,
        tanh_c_out: _Tensors | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, _Tensors, _Tensors, _Tensors, _Tensors, _Tensors, _Tensors, _Tensors]:
        """A long short-term memory network over a sequence, in one or several layers.

        aclnnLSTM of aclnnop/aclnn_lstm.h; since CANN 9.0."""

class _LstmBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, hx: _Tensors | None, params: _Tensors | None,
        dy: Tensor | None, dh: Tensor | None, dc: Tensor | None, i: _Tensors | None,
        g: _Tensors | None, f: _Tensors | None, o: _Tensors | None, h: _Tensors | None,
        c: _Tensors | None, tanhc: _Tensors | None, batch_sizes_optional: Tensor | None = None, *,
        has_bias: bool, num_layers: SupportsIndex, dropout: SupportsFloat, train: bool,
        bidirectional: bool, batch_first: bool, output_mask: _Bools | None,
        out: _Results | None = None, dx_out: _Output = None, dh_prev_out: _Output = None,
        dc_prev_out: _Output = None, dparams_out: _Tensors | None = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, _Tensors]:
        """Gradients of a long short-term memory network.

        aclnnLstmBackward of aclnnop/aclnn_lstm_backward.h; since CANN 9.0."""

class _LtScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self < other), where other is a scalar.

        aclnnLtScalar of aclnnop/aclnn_lt_scalar.h."""

class _LtTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self < other).

        aclnnLtTensor of aclnnop/aclnn_lt_tensor.h."""

class _MaskedCausalConv1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, mask_optional: Tensor | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Causal convolution along the sequence, with masked tokens taken as 0.

        aclnnMaskedCausalConv1d of aclnnop/aclnn_masked_causal_conv1d.h."""

class _MaskedCausalConv1dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, x: Tensor | None, weight: Tensor | None,
        mask_optional: Tensor | None = None, *, out: _Outputs | None = None,
        grad_x_out: _Output = None, grad_weight_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The gradients of MaskedCausalConv1d.

        aclnnMaskedCausalConv1dBackward of aclnnop/aclnn_masked_causal_conv1d_backward.h."""

class _MaskedScale(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mask: Tensor | None, scale: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * mask * scale.

        aclnnMaskedScale of aclnnop/aclnn_masked_scale.h; since CANN 9.0."""

class _MaskedSelect(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mask: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the elements of self where mask is set, as a row.

        aclnnMaskedSelect of aclnnop/aclnn_masked_select.h."""

class _MaskedSoftmaxWithRelPosBias(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, atten_mask_optional: Tensor | None = None, *,
        relative_pos_bias: Tensor | None, scale_value: SupportsFloat = 1.0,
        inner_precision_mode: SupportsIndex = 0, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = softmax of x plus a mask and a bias for relative positions.

        aclnnMaskedSoftmaxWithRelPosBias of aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h."""

class _Matmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat2: Tensor | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self @ mat2, with the rules of NumPy's matmul.

        aclnnMatmul of aclnnop/aclnn_matmul.h."""

class _MatmulAllReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        group: _Group | None, reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product, summed over all devices.

        aclnnMatmulAllReduce of aclnnop/aclnn_matmul_all_reduce.h."""

class _MatmulAllReduceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        residual: Tensor | None, gamma: Tensor | None, epsilon: SupportsFloat = 1e-06,
        group: _Group | None, reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, out: _Outputs | None = None, y: _Output = None,
        norm_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Matrix product summed over all devices, added to a residual and normalised by its root
        mean square.

        aclnnMatmulAllReduceAddRmsNorm of aclnnop/aclnn_matmul_all_reduce_add_rms_norm.h."""

class _MatmulAllReduceV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None,
        x3: Tensor | None = None, *, group: _Group | None, reduce_op: str | None = "sum",
        comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex, out: Tensor | None = None,
        output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product, summed over all devices.

        aclnnMatmulAllReduceV2 of aclnnop/aclnn_matmul_all_reduce_v2.h."""

class _MatmulAllReduceV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, x3: Tensor | None,
        group: _Group | None, reduce_op: str | None, comm_mode: str | None,
        comm_turn: SupportsIndex, stream_mode: SupportsIndex, *, out: Tensor | None = None,
        output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Multiplies by a matrix and sums over all ranks of a group.

        aclnnMatmulAllReduceV3 of aclnnop/aclnn_matmul_all_reduce_v3.h."""

class _MatmulAlltoAll(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        allto_all_axes_optional: _Ints | None = None, *, group: _Group | None, transpose_x1: bool,
        transpose_x2: bool, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Multiplies by a matrix, then exchanges blocks of the result between all ranks of a
        group.

        aclnnMatmulAlltoAll of aclnnop/aclnn_matmul_allto_all.h."""

class _MatmulAlltoAllV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        allto_all_axes_optional: _Ints | None = None, *, group: _Group | None,
        comm_mode: str | None, transpose_x1: bool, transpose_x2: bool, out: Tensor | None = None,
        output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Multiplies by a matrix, then exchanges blocks of the result between all ranks of a
        group.

        aclnnMatmulAlltoAllV2 of aclnnop/aclnn_matmul_allto_all_v2.h."""

class _MatmulCompress(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, bias: Tensor | None = None, *,
        compress_index: Tensor | None, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with a compressed right operand.

        aclnnMatmulCompress of aclnnop/aclnn_matmul_compress.h; since CANN 9.0."""

class _MatmulCompressDequant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, compress_index: Tensor | None,
        bias: Tensor | None = None, *, deq_scale: Tensor | None, offset_w: Tensor | None = None,
        offset_x: SupportsIndex, compress_info: _Ints | None, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Quantised matrix product with a compressed right operand, restored by a scale.

        aclnnMatmulCompressDequant of aclnnop/aclnn_matmul_compress_dequant.h."""

class _MatmulEmuSplitWeight(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, w_high: Tensor | None, w_low: Tensor | None,
        w_low_scale: SupportsFloat, y_dtype: SupportsIndex, *, out: Tensor | None = None,
        y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product whose weight is given as a high and a scaled low part.

        aclnnMatmulEmuSplitWeight of aclnnop/aclnn_matmul_emu_split_weight.h; since CANN 9.0."""

class _MatmulReduceScatter(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        group: _Group | None, reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product, summed over all devices, of which each keeps a part.

        aclnnMatmulReduceScatter of aclnnop/aclnn_matmul_reduce_scatter.h."""

class _MatmulReduceScatterV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, quant_scale: Tensor | None, block_size: SupportsIndex,
        group: _Group | None, reduce_op: str | None, comm_turn: SupportsIndex,
        stream_mode: SupportsIndex, group_size: SupportsIndex, comm_mode: str | None, *,
        out: _Outputs | None = None, output: _Output = None, amax_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies by a matrix, sums over all ranks of a group, and leaves each its part;
        quantised forms included.

        aclnnMatmulReduceScatterV2 of aclnnop/aclnn_matmul_reduce_scatter_v2.h."""

class _MatmulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat2: Tensor | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self @ mat2, with the rules of NumPy's matmul.

        aclnnMatmulWeightNz of aclnnop/aclnn_matmul.h; since CANN 9.0."""

class _Max(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = maximum of all elements.

        aclnnMax of aclnnop/aclnn_max.h."""

class _MaxDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keepdim: bool = False, *,
        out: _Outputs | None = None, indices: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum over dim, and its place.

        aclnnMaxDim of aclnnop/aclnn_max_dim.h."""

class _MaxN(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = elementwise maximum of a list of tensors.

        aclnnMaxN of aclnnop/aclnn_maxn.h."""

class _MaxPool(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_shape: _Ints | None, strides: _Ints | None,
        auto_pad: SupportsIndex, pads: _Ints | None, dilations: _Ints | None,
        ceil_mode: SupportsIndex = 0, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Maximum over windows.

        aclnnMaxPool of aclnnop/aclnn_max_pool.h."""

class _MaxPool2dWithIndices(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_size: _Ints | None, stride: _Ints | None,
        padding: _Ints | None, dilation: _Ints | None, ceil_mode: bool = False, *,
        out: _Outputs | None = None, indices: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum over windows of two dimensions, and its place in the plane.

        aclnnMaxPool2dWithIndices of aclnnop/aclnn_max_pool2d_with_indices.h."""

class _MaxPool2dWithIndicesBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None,
        kernel_size: _Ints | None, stride: _Ints | None, padding: _Ints | None,
        dilation: _Ints | None, ceil_mode: bool = False, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each gradient is added at the place that indices gives within the plane of
        self, and the rest is 0.

        aclnnMaxPool2dWithIndicesBackward of aclnnop/aclnn_max_pool2d_with_indices_backward.h."""

class _MaxPool2dWithMask(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_size: _Ints | None, stride: _Ints | None,
        padding: _Ints | None, dilation: _Ints | None, ceil_mode: bool = False, *,
        out: _Outputs | None = None, indices: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum over windows of two dimensions, and a bit mask of its place.

        aclnnMaxPool2dWithMask of aclnnop/aclnn_max_pool2d_with_indices.h."""

class _MaxPool2dWithMaskBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None,
        kernel_size: _Ints | None, stride: _Ints | None, padding: _Ints | None,
        dilation: _Ints | None, ceil_mode: bool = False, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOutput is added at the largest element of its window,
        and the rest is 0.

        aclnnMaxPool2dWithMaskBackward of aclnnop/aclnn_max_pool2d_with_indices_backward.h."""

class _MaxPool3dWithArgmax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, kernel_size: _Ints | None, stride: _Ints | None,
        padding: _Ints | None, dilation: _Ints | None, ceil_mode: bool = False, *,
        out: _Outputs | None = None, indices: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum over windows of three dimensions, and its place in the volume.

        aclnnMaxPool3dWithArgmax of aclnnop/aclnn_max_pool3d_with_argmax.h."""

class _MaxPool3dWithArgmaxBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None,
        kernel_size: _Ints | None, stride: _Ints | None, padding: _Ints | None,
        dilation: _Ints | None, ceil_mode: bool = False, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each gradient is added at the place that indices gives within the volume of
        self, and the rest is 0.

        aclnnMaxPool3dWithArgmaxBackward of aclnnop/aclnn_max_pool3d_with_argmax_backward.h."""

class _MaxUnpool2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, indices: Tensor | None, output_size: _Ints | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Puts values back to the places of the plane that a max pooling took them from, with 0
        elsewhere.

        aclnnMaxUnpool2d of aclnnop/aclnn_max_unpool2d.h."""

class _MaxUnpool2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None,
        output_size: _Ints | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput at the places that indices gives within each plane.

        aclnnMaxUnpool2dBackward of aclnnop/aclnn_max_unpool2d_backward.h."""

class _MaxUnpool3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, indices: Tensor | None, output_size: _Ints | None,
        stride: _Ints | None, padding: _Ints | None, *, out: Tensor | None = None,
        out_ref: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Puts values back to the places of the volume that a max pooling took them from, with 0
        elsewhere.

        aclnnMaxUnpool3d of aclnnop/aclnn_max_unpool3d.h."""

class _MaxUnpool3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, indices: Tensor | None,
        output_size: _Ints | None, stride: _Ints | None, padding: _Ints | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput at the places that indices gives within each volume.

        aclnnMaxUnpool3dBackward of aclnnop/aclnn_max_unpool3d_backward.h."""

class _MaxV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dims: _Ints | None, keep_dims: bool = False, *,
        noop_with_empty_dims: bool, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = maximum over dims.

        aclnnMaxV2 of aclnnop/aclnn_max_v2.h."""

class _Maximum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the larger of self and other.

        aclnnMaximum of aclnnop/aclnn_maximum.h."""

class _Mean(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = mean over dims.

        aclnnMean of aclnnop/aclnn_mean.h."""

class _MeanV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool, noop_with_empty_axes: bool,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = mean over dims.

        aclnnMeanV2 of aclnnop/aclnn_mean.h."""

class _Median(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, values_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = median of all elements, the lower one of two.

        aclnnMedian of aclnnop/aclnn_median.h."""

class _MedianDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keep_dim: bool = False, *,
        out: _Outputs | None = None, values_out: _Output = None, indices_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Median over dim, the lower one of two, and its place.

        aclnnMedianDim of aclnnop/aclnn_median.h."""

class _MhcPost(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, h_res: Tensor | None, h_out: Tensor | None, h_post: Tensor | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """What a hyper-connection writes back to its streams: the mixed residual and the spread
        result.

        aclnnMhcPost of aclnnop/aclnn_mhc_post.h."""

class _MhcPostBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, x: Tensor | None, h_res: Tensor | None,
        h_out: Tensor | None, h_post: Tensor | None, *, out: _Outputs | None = None,
        grad_x: _Output = None, grad_h_res: _Output = None, grad_h_out: _Output = None,
        grad_h_post: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of MhcPost.

        aclnnMhcPostBackward of aclnnop/aclnn_mhc_post_backward.h."""

class _MhcPre(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, phi: Tensor | None, alpha: Tensor | None, bias: Tensor | None,
        gamma_optional: Tensor | None = None, *, norm_eps: SupportsFloat, hc_eps: SupportsFloat,
        out: _Outputs | None = None, h_in: _Output = None, h_post: _Output = None,
        h_res: _Output = None, inv_rms_optional: _Output = None, h_mix_optional: _Output = None,
        h_pre_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What a hyper-connection reads from its streams: the weighted sum, and the weights that
        MhcPost takes.

        aclnnMhcPre of aclnnop/aclnn_mhc_pre.h."""

class _MhcPreBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, phi: Tensor | None, alpha: Tensor | None, grad_h_in: Tensor | None,
        grad_h_post: Tensor | None, grad_h_res: Tensor | None, inv_rms: Tensor | None,
        h_mix: Tensor | None, h_pre: Tensor | None, h_post: Tensor | None, gamma: Tensor | None,
        grad_x_post_optional: Tensor | None = None, *, hc_eps: SupportsFloat,
        out: _Outputs | None = None, grad_x: _Output = None, grad_phi: _Output = None,
        grad_alpha: _Output = None, grad_bias: _Output = None, grad_gamma: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of MhcPre.

        aclnnMhcPreBackward of aclnnop/aclnn_mhc_pre_backward.h."""

class _MhcPreSinkhorn(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, phi: Tensor | None, alpha: Tensor | None, bias: Tensor | None,
        hc_mult: SupportsIndex, num_iters: SupportsIndex, hc_eps: SupportsFloat,
        norm_eps: SupportsFloat, need_backward: bool, *, out: _Outputs | None = None,
        hin: _Output = None, h_post: _Output = None, h_res: _Output = None, h_pre: _Output = None,
        hc_before_norm: _Output = None, inv_rms: _Output = None, sum_out: _Output = None,
        norm_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """MhcPre with the mixing matrix made doubly stochastic.

        aclnnMhcPreSinkhorn of aclnnop/aclnn_mhc_pre_sinkhorn.h."""

class _MhcPreSinkhornBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_hin: Tensor | None, grad_h_post: Tensor | None, grad_h_res: Tensor | None,
        x: Tensor | None, phi: Tensor | None, alpha: Tensor | None, bias: Tensor | None,
        h_pre: Tensor | None, hc_before_norm: Tensor | None, inv_rms: Tensor | None,
        sum_out: Tensor | None, norm_out: Tensor | None, hc_eps: SupportsFloat, *,
        out: _Outputs | None = None, grad_x: _Output = None, grad_phi: _Output = None,
        grad_alpha: _Output = None, grad_bias: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of MhcPreSinkhorn.

        aclnnMhcPreSinkhornBackward of aclnnop/aclnn_mhc_pre_sinkhorn_backward.h."""

class _MhcSinkhorn(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, eps: SupportsFloat, num_iters: SupportsIndex, *,
        out: _Outputs | None = None, output: _Output = None, norm_out: _Output = None,
        sum_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Rows and columns of square matrices divided by their sums in turn, until they are
        doubly stochastic.

        aclnnMhcSinkhorn of aclnnop/aclnn_mhc_sinkhorn.h."""

class _MhcSinkhornBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, norm_out: Tensor | None, sum_out: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """The gradients of MhcSinkhorn.

        aclnnMhcSinkhornBackward of aclnnop/aclnn_mhc_sinkhorn_backward.h."""

class _Min(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = minimum of all elements.

        aclnnMin of aclnnop/aclnn_min.h."""

class _MinDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keepdim: bool = False, *,
        out: _Outputs | None = None, indices: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Minimum over dim, and its place.

        aclnnMinDim of aclnnop/aclnn_min_dim.h."""

class _MinN(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = elementwise minimum of a list of tensors.

        aclnnMinN of aclnnop/aclnn_minn.h."""

class _Minimum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = the smaller of self and other.

        aclnnMinimum of aclnnop/aclnn_minimum.h."""

class _Mish(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * tanh(log(1 + exp(self))).

        aclnnMish of aclnnop/aclnn_mish.h."""

class _MishBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * (t + x * s * (1 - t^2)), where x = self, s = sigmoid(x) and t
        = tanh(log(1 + exp(x))).

        aclnnMishBackward of aclnnop/aclnn_mish_backward.h."""

class _MlaPreprocess(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, gamma0: Tensor | None, beta0: Tensor | None,
        quant_scale0: Tensor | None, quant_offset0: Tensor | None, wdqkv: Tensor | None,
        de_scale0: Tensor | None, bias0: Tensor | None, gamma1: Tensor | None, beta1: Tensor | None,
        quant_scale1: Tensor | None, quant_offset1: Tensor | None, wuq: Tensor | None,
        de_scale1: Tensor | None, bias1: Tensor | None, gamma2: Tensor | None, cos: Tensor | None,
        sin: Tensor | None, wuk: Tensor | None, kv_cache: Tensor | None,
        kv_cache_rope: Tensor | None, slot_mapping: Tensor | None, ctkv_scale: Tensor | None,
        q_nope_scale: Tensor | None, wdq_dim: SupportsIndex, q_rope_dim: SupportsIndex,
        k_rope_dim: SupportsIndex, epsilon: SupportsFloat, q_rotary_coeff: SupportsIndex,
        k_rotary_coeff: SupportsIndex, transpose_wdq: bool, transpose_wuq: bool,
        transpose_wuk: bool, cache_mode: SupportsIndex, quant_mode: SupportsIndex,
        do_rms_norm: bool, wdkv_split_count: SupportsIndex, *, out: _Outputs | None = None,
        q_out: _Output = None, kv_cache_out: _Output = None, q_rope_out: _Output = None,
        kr_cache_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What latent attention does before it attends: norms, products, rotary embedding and
        the cache in one.

        aclnnMlaPreprocess of aclnnop/aclnn_mla_preprocess.h."""

class _MlaPreprocessV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, gamma0: Tensor | None, beta0: Tensor | None,
        quant_scale0: Tensor | None, quant_offset0: Tensor | None, wdqkv: Tensor | None,
        de_scale0: Tensor | None, bias0: Tensor | None, gamma1: Tensor | None, beta1: Tensor | None,
        quant_scale1: Tensor | None, quant_offset1: Tensor | None, wuq: Tensor | None,
        de_scale1: Tensor | None, bias1: Tensor | None, gamma2: Tensor | None, cos: Tensor | None,
        sin: Tensor | None, wuk: Tensor | None, kv_cache: Tensor | None,
        kv_cache_rope: Tensor | None, slot_mapping: Tensor | None, ctkv_scale: Tensor | None,
        q_nope_scale: Tensor | None, wdq_dim: SupportsIndex, q_rope_dim: SupportsIndex,
        k_rope_dim: SupportsIndex, epsilon: SupportsFloat, q_rotary_coeff: SupportsIndex,
        k_rotary_coeff: SupportsIndex, transpose_wdq: bool, transpose_wuq: bool,
        transpose_wuk: bool, cache_mode: SupportsIndex, quant_mode: SupportsIndex,
        do_rms_norm: bool, wdkv_split_count: SupportsIndex, q_down_out_flag: bool, *,
        out: _Outputs | None = None, q_out: _Output = None, kv_cache_out: _Output = None,
        q_rope_out: _Output = None, kr_cache_out: _Output = None, q_down_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What latent attention does before it attends: norms, products, rotary embedding and
        the cache in one.

        aclnnMlaPreprocessV2 of aclnnop/aclnn_mla_preprocess_v2.h."""

class _MlaProlog(Operator):
    def __call__(  # type: ignore[override]
        op, /, token_x: Tensor | None, weight_dq: Tensor | None, weight_uq_qr: Tensor | None,
        weight_uk: Tensor | None, weight_dkv_kr: Tensor | None, rmsnorm_gamma_cq: Tensor | None,
        rmsnorm_gamma_ckv: Tensor | None, rope_sin: Tensor | None, rope_cos: Tensor | None,
        cache_index: Tensor | None, kv_cache_ref: Tensor | None, kr_cache_ref: Tensor | None,
        dequant_scale_x_optional: Tensor | None = None,
        dequant_scale_w_dq_optional: Tensor | None = None,
        dequant_scale_w_uq_qr_optional: Tensor | None = None,
        dequant_scale_w_dkv_kr_optional: Tensor | None = None,
        quant_scale_ckv_optional: Tensor | None = None,
        quant_scale_ckr_optional: Tensor | None = None,
        smooth_scales_cq_optional: Tensor | None = None, rmsnorm_epsilon_cq: SupportsFloat = 1e-05,
        rmsnorm_epsilon_ckv: SupportsFloat = 1e-05, cache_mode_optional: str | None = None, *,
        out: _Outputs | None = None, query_out: _Output = None, query_rope_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The projections before a multi-head latent attention: query, and the compressed key in
        its caches.

        aclnnMlaProlog of aclnnop/aclnn_mla_prolog.h."""

class _MlaPrologV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, token_x: Tensor | None, weight_dq: Tensor | None, weight_uq_qr: Tensor | None,
        weight_uk: Tensor | None, weight_dkv_kr: Tensor | None, rmsnorm_gamma_cq: Tensor | None,
        rmsnorm_gamma_ckv: Tensor | None, rope_sin: Tensor | None, rope_cos: Tensor | None,
        cache_index: Tensor | None, kv_cache_ref: Tensor | None, kr_cache_ref: Tensor | None,
        dequant_scale_x_optional: Tensor | None = None,
        dequant_scale_w_dq_optional: Tensor | None = None,
        dequant_scale_w_uq_qr_optional: Tensor | None = None,
        dequant_scale_w_dkv_kr_optional: Tensor | None = None,
        quant_scale_ckv_optional: Tensor | None = None,
        quant_scale_ckr_optional: Tensor | None = None,
        smooth_scales_cq_optional: Tensor | None = None, rmsnorm_epsilon_cq: SupportsFloat = 1e-05,
        rmsnorm_epsilon_ckv: SupportsFloat = 1e-05, cache_mode_optional: str | None = None, *,
        out: _Outputs | None = None, query_out: _Output = None, query_rope_out: _Output = None,
        dequant_scale_q_nope_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The projections before a multi-head latent attention: query, and the compressed key in
        its caches.

        aclnnMlaPrologV2 of aclnnop/aclnn_mla_prolog_v2.h; since CANN 9.0."""

class _MlaPrologV2WeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, token_x: Tensor | None, weight_dq: Tensor | None, weight_uq_qr: Tensor | None,
        weight_uk: Tensor | None, weight_dkv_kr: Tensor | None, rmsnorm_gamma_cq: Tensor | None,
        rmsnorm_gamma_ckv: Tensor | None, rope_sin: Tensor | None, rope_cos: Tensor | None,
        cache_index: Tensor | None, kv_cache_ref: Tensor | None, kr_cache_ref: Tensor | None,
        dequant_scale_x_optional: Tensor | None = None,
        dequant_scale_w_dq_optional: Tensor | None = None,
        dequant_scale_w_uq_qr_optional: Tensor | None = None,
        dequant_scale_w_dkv_kr_optional: Tensor | None = None,
        quant_scale_ckv_optional: Tensor | None = None,
        quant_scale_ckr_optional: Tensor | None = None,
        smooth_scales_cq_optional: Tensor | None = None, rmsnorm_epsilon_cq: SupportsFloat = 1e-05,
        rmsnorm_epsilon_ckv: SupportsFloat = 1e-05, cache_mode_optional: str | None = None, *,
        out: _Outputs | None = None, query_out: _Output = None, query_rope_out: _Output = None,
        dequant_scale_q_nope_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The projections before a multi-head latent attention: query, and the compressed key in
        its caches.

        aclnnMlaPrologV2WeightNz of aclnnop/aclnn_mla_prolog_v2_weight_nz.h; since CANN 9.0."""

class _MlaPrologV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, token_x: Tensor | None, weight_dq: Tensor | None, weight_uq_qr: Tensor | None,
        weight_uk: Tensor | None, weight_dkv_kr: Tensor | None, rmsnorm_gamma_cq: Tensor | None,
        rmsnorm_gamma_ckv: Tensor | None, rope_sin: Tensor | None, rope_cos: Tensor | None,
        kv_cache_ref: Tensor | None, kr_cache_ref: Tensor | None,
        cache_index_optional: Tensor | None = None, dequant_scale_x_optional: Tensor | None = None,
        dequant_scale_w_dq_optional: Tensor | None = None,
        dequant_scale_w_uq_qr_optional: Tensor | None = None,
        dequant_scale_w_dkv_kr_optional: Tensor | None = None,
        quant_scale_ckv_optional: Tensor | None = None,
        quant_scale_ckr_optional: Tensor | None = None,
        smooth_scales_cq_optional: Tensor | None = None,
        actual_seq_len_optional: Tensor | None = None,
        k_nope_clip_alpha_optional: Tensor | None = None, rmsnorm_epsilon_cq: SupportsFloat = 1e-05,
        rmsnorm_epsilon_ckv: SupportsFloat = 1e-05, cache_mode_optional: str | None = None,
        query_norm_flag: bool = False, weight_quant_mode: SupportsIndex = 0,
        kv_cache_quant_mode: SupportsIndex = 0, query_quant_mode: SupportsIndex = 0, *,
        ckvkr_repo_mode: SupportsIndex, quant_scale_repo_mode: SupportsIndex = 0,
        tile_size: SupportsIndex = 128, qc_qr_scale: SupportsFloat = 1.0,
        kc_scale: SupportsFloat = 1.0, out: _Outputs | None = None, query_out: _Output = None,
        query_rope_out: _Output = None, dequant_scale_q_nope_out: _Output = None,
        query_norm_out: _Output = None, dequant_scale_q_norm_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The projections before a multi-head latent attention: query, and the compressed key in
        its caches.

        aclnnMlaPrologV3 of aclnnop/aclnn_mla_prolog_v3.h; since CANN 9.0."""

class _MlaPrologV3WeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, token_x: Tensor | None, weight_dq: Tensor | None, weight_uq_qr: Tensor | None,
        weight_uk: Tensor | None, weight_dkv_kr: Tensor | None, rmsnorm_gamma_cq: Tensor | None,
        rmsnorm_gamma_ckv: Tensor | None, rope_sin: Tensor | None, rope_cos: Tensor | None,
        kv_cache_ref: Tensor | None, kr_cache_ref: Tensor | None,
        cache_index_optional: Tensor | None = None, dequant_scale_x_optional: Tensor | None = None,
        dequant_scale_w_dq_optional: Tensor | None = None,
        dequant_scale_w_uq_qr_optional: Tensor | None = None,
        dequant_scale_w_dkv_kr_optional: Tensor | None = None,
        quant_scale_ckv_optional: Tensor | None = None,
        quant_scale_ckr_optional: Tensor | None = None,
        smooth_scales_cq_optional: Tensor | None = None,
        actual_seq_len_optional: Tensor | None = None,
        k_nope_clip_alpha_optional: Tensor | None = None, rmsnorm_epsilon_cq: SupportsFloat = 1e-05,
        rmsnorm_epsilon_ckv: SupportsFloat = 1e-05, cache_mode_optional: str | None = None,
        weight_quant_mode: SupportsIndex = 0, kv_cache_quant_mode: SupportsIndex = 0,
        query_quant_mode: SupportsIndex = 0, *, ckvkr_repo_mode: SupportsIndex,
        quant_scale_repo_mode: SupportsIndex = 0, tile_size: SupportsIndex = 128,
        qc_qr_scale: SupportsFloat = 1.0, kc_scale: SupportsFloat = 1.0,
        out: _Outputs | None = None, query_out: _Output = None, query_rope_out: _Output = None,
        dequant_scale_q_nope_out_optional: _Output = None, query_norm_out_optional: _Output = None,
        dequant_scale_q_norm_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The projections before a multi-head latent attention: query, and the compressed key in
        its caches.

        aclnnMlaPrologV3WeightNz of aclnnop/aclnn_mla_prolog_v3_weight_nz.h; since CANN 9.0."""

class _Mm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, mat2: Tensor | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self @ mat2 for two matrices.

        aclnnMm of aclnnop/aclnn_mm.h."""

class _Modulate(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, scale_optional: Tensor | None = None,
        shift_optional: Tensor | None = None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self * (1 + scale) + shift.

        aclnnModulate of aclnnop/aclnn_modulate.h; since CANN 9.0."""

class _ModulateBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, input: Tensor | None, scale: Tensor | None = None,
        shift: Tensor | None = None, *, out: _Outputs | None = None, grad_input: _Output = None,
        grad_scale: _Output = None, grad_shift: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gradients of input * (1 + scale) + shift.

        aclnnModulateBackward of aclnnop/aclnn_modulate_backward.h; since CANN 9.0."""

class _MoeComputeExpertTokens(Operator):
    def __call__(  # type: ignore[override]
        op, /, sorted_experts: Tensor | None, num_experts: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Running ends of the experts' rows in a sorted list of expert numbers.

        aclnnMoeComputeExpertTokens of aclnnop/aclnn_moe_compute_expert_tokens.h."""

class _MoeDistributeBufferReset(Operator):
    def __call__(  # type: ignore[override]
        op, /, elastic_info: Tensor | None, group_ep: _Group | None, ep_world_size: SupportsIndex,
        need_sync: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[()]:
        """Resets the communication buffers of the experts' devices.

        aclnnMoeDistributeBufferReset of aclnnop/aclnn_moe_distribute_buffer_reset.h; since
        CANN 9.0."""

class _MoeDistributeCombine(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None, expand_idx: Tensor | None,
        ep_send_counts: Tensor | None, expert_scales: Tensor | None,
        tp_send_counts: Tensor | None = None, x_active_mask: Tensor | None = None,
        activation_scale: Tensor | None = None, weight_scale: Tensor | None = None,
        group_list: Tensor | None = None, expand_scales: Tensor | None = None, *,
        group_ep: _Group | None, ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex,
        moe_expert_num: SupportsIndex, group_tp: _Group | None = "",
        tp_world_size: SupportsIndex = 0, tp_rank_id: SupportsIndex = 0,
        expert_shard_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 1,
        shared_expert_rank_num: SupportsIndex = 0, global_bs: SupportsIndex = 0,
        out_dtype: SupportsIndex = 0, comm_quant_mode: SupportsIndex = 0,
        group_list_type: SupportsIndex = 0, out: Tensor | None = None, x: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Sends the experts' results back to the tokens' devices and adds them up with their
        weights.

        aclnnMoeDistributeCombine of aclnnop/aclnn_moe_distribute_combine.h."""

class _MoeDistributeCombineAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None,
        assist_info_for_combine: Tensor | None, ep_send_counts: Tensor | None,
        expert_scales: Tensor | None, residual_x: Tensor | None, gamma: Tensor | None,
        tp_send_counts_optional: Tensor | None = None, x_active_mask_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None,
        weight_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        expand_scales_optional: Tensor | None = None,
        shared_expert_x_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None = "", tp_world_size: SupportsIndex = 0,
        tp_rank_id: SupportsIndex = 0, expert_shard_type: SupportsIndex = 0,
        shared_expert_num: SupportsIndex = 0, shared_expert_rank_num: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, out_dtype: SupportsIndex = 0,
        comm_quant_mode: SupportsIndex = 0, group_list_type: SupportsIndex = 0,
        comm_alg: str | None = "", norm_eps: SupportsFloat = 1e-06, out: _Outputs | None = None,
        y_out: _Output = None, rstd_out: _Output = None, x_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sends the experts' results back, adds them up and normalises the sum with the
        residual.

        aclnnMoeDistributeCombineAddRmsNorm of
        aclnnop/aclnn_moe_distribute_combine_add_rms_norm.h; since CANN 9.0."""

class _MoeDistributeCombineAddRmsNormV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None,
        assist_info_for_combine: Tensor | None, ep_send_counts: Tensor | None,
        expert_scales: Tensor | None, residual_x: Tensor | None, gamma: Tensor | None,
        tp_send_counts_optional: Tensor | None = None, x_active_mask_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None,
        weight_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        expand_scales_optional: Tensor | None = None,
        shared_expert_x_optional: Tensor | None = None, elastic_info_optional: Tensor | None = None,
        ori_x_optional: Tensor | None = None, const_expert_alpha1_optional: Tensor | None = None,
        const_expert_alpha2_optional: Tensor | None = None,
        const_expert_v_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None = "", tp_world_size: SupportsIndex = 0,
        tp_rank_id: SupportsIndex = 0, expert_shard_type: SupportsIndex = 0,
        shared_expert_num: SupportsIndex = 0, shared_expert_rank_num: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, out_dtype: SupportsIndex = 0,
        comm_quant_mode: SupportsIndex = 0, group_list_type: SupportsIndex = 0,
        comm_alg: str | None = "", norm_eps: SupportsFloat = 1e-06,
        zero_expert_num: SupportsIndex = 0, copy_expert_num: SupportsIndex = 0,
        const_expert_num: SupportsIndex = 0, out: _Outputs | None = None, y_out: _Output = None,
        rstd_out: _Output = None, x_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sends the experts' results back, adds them up and normalises the sum with the
        residual.

        aclnnMoeDistributeCombineAddRmsNormV2 of
        aclnnop/aclnn_moe_distribute_combine_add_rms_norm_v2.h; since CANN 9.0."""

class _MoeDistributeCombineSetup(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None,
        assist_info_for_combine: Tensor | None, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        expert_shared_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 0,
        shared_expert_rank_num: SupportsIndex = 0, global_bs: SupportsIndex = 0,
        comm_quant_mode: SupportsIndex = 0, comm_type: SupportsIndex = 2, comm_alg: str | None = "",
        *, out: _Outputs | None = None, quant_expand_x_out: _Output = None,
        comm_cmd_info_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Begins to send experts' results back to the ranks of their tokens.

        aclnnMoeDistributeCombineSetup of aclnnop/aclnn_moe_distribute_combine_setup.h."""

class _MoeDistributeCombineTeardown(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, quant_expand_x: Tensor | None, expert_ids: Tensor | None,
        expand_idx: Tensor | None, expert_scales: Tensor | None, comm_cmd_info: Tensor | None,
        x_active_mask_optional: Tensor | None = None,
        shared_expert_x_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        expert_shard_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 0,
        shared_expert_rank_num: SupportsIndex = 0, global_bs: SupportsIndex = 0,
        comm_quant_mode: SupportsIndex = 0, comm_type: SupportsIndex = 2, comm_alg: str | None = "",
        out: Tensor | None = None, x_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Waits for what MoeDistributeCombineSetup sent, and sums it by token.

        aclnnMoeDistributeCombineTeardown of aclnnop/aclnn_moe_distribute_combine_teardown.h."""

class _MoeDistributeCombineV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None,
        assist_info_for_combine: Tensor | None, ep_send_counts: Tensor | None,
        expert_scales: Tensor | None, tp_send_counts_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None,
        weight_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        expand_scales_optional: Tensor | None = None,
        shared_expert_x_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None = "", tp_world_size: SupportsIndex = 0,
        tp_rank_id: SupportsIndex = 0, expert_shard_type: SupportsIndex = 0,
        shared_expert_num: SupportsIndex = 1, shared_expert_rank_num: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, out_dtype: SupportsIndex = 0,
        comm_quant_mode: SupportsIndex = 0, group_list_type: SupportsIndex = 0,
        comm_alg: str | None = "", out: Tensor | None = None, x_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Sends the experts' results back to the tokens' devices and adds them up with their
        weights.

        aclnnMoeDistributeCombineV2 of aclnnop/aclnn_moe_distribute_combine_v2.h; since CANN
        9.0."""

class _MoeDistributeCombineV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None,
        assist_info_for_combine: Tensor | None, ep_send_counts: Tensor | None,
        expert_scales: Tensor | None, tp_send_counts_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None,
        weight_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        expand_scales_optional: Tensor | None = None,
        shared_expert_x_optional: Tensor | None = None, elastic_info_optional: Tensor | None = None,
        ori_x_optional: Tensor | None = None, const_expert_alpha1_optional: Tensor | None = None,
        const_expert_alpha2_optional: Tensor | None = None,
        const_expert_v_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None = "", tp_world_size: SupportsIndex = 0,
        tp_rank_id: SupportsIndex = 0, expert_shard_type: SupportsIndex = 0,
        shared_expert_num: SupportsIndex = 1, shared_expert_rank_num: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, out_dtype: SupportsIndex = 0,
        comm_quant_mode: SupportsIndex = 0, group_list_type: SupportsIndex = 0,
        comm_alg: str | None = "", zero_expert_num: SupportsIndex = 0,
        copy_expert_num: SupportsIndex = 0, const_expert_num: SupportsIndex = 0,
        out: Tensor | None = None, x_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sends the experts' results back to the tokens' devices and adds them up with their
        weights.

        aclnnMoeDistributeCombineV3 of aclnnop/aclnn_moe_distribute_combine_v3.h; since CANN
        9.0."""

class _MoeDistributeCombineV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, expand_x: Tensor | None, expert_ids: Tensor | None,
        assist_info_for_combine: Tensor | None, ep_send_counts: Tensor | None,
        expert_scales: Tensor | None, tp_send_counts_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None,
        activation_scale_optional: Tensor | None = None,
        weight_scale_optional: Tensor | None = None, group_list_optional: Tensor | None = None,
        expand_scales_optional: Tensor | None = None,
        shared_expert_x_optional: Tensor | None = None, elastic_info_optional: Tensor | None = None,
        ori_x_optional: Tensor | None = None, const_expert_alpha1_optional: Tensor | None = None,
        const_expert_alpha2_optional: Tensor | None = None,
        const_expert_v_optional: Tensor | None = None,
        performance_info_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None, tp_world_size: SupportsIndex, tp_rank_id: SupportsIndex,
        expert_shard_type: SupportsIndex, shared_expert_num: SupportsIndex,
        shared_expert_rank_num: SupportsIndex, global_bs: SupportsIndex, out_dtype: SupportsIndex,
        comm_quant_mode: SupportsIndex, group_list_type: SupportsIndex, comm_alg: str | None,
        zero_expert_num: SupportsIndex, copy_expert_num: SupportsIndex,
        const_expert_num: SupportsIndex, out: Tensor | None = None, x_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Sends experts' results back to the ranks of their tokens and sums them.

        aclnnMoeDistributeCombineV4 of aclnnop/aclnn_moe_distribute_combine_v4.h."""

class _MoeDistributeDispatch(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_ids: Tensor | None, scales: Tensor | None = None,
        x_active_mask: Tensor | None = None, expert_scales: Tensor | None = None, *,
        group_ep: _Group | None, ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex,
        moe_expert_num: SupportsIndex, group_tp: _Group | None = "",
        tp_world_size: SupportsIndex = 0, tp_rank_id: SupportsIndex = 0,
        expert_shard_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 1,
        shared_expert_rank_num: SupportsIndex = 0, quant_mode: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, expert_token_nums_type: SupportsIndex,
        out: _Outputs | None = None, expand_x: _Output = None, dynamic_scales: _Output = None,
        expand_idx: _Output = None, expert_token_nums: _Output = None,
        ep_recv_counts: _Output = None, tp_recv_counts: _Output = None,
        expand_scales: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Sends tokens to the devices of their experts, quantised if asked for.

        aclnnMoeDistributeDispatch of aclnnop/aclnn_moe_distribute_dispatch.h."""

class _MoeDistributeDispatchSetup(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_ids: Tensor | None, scales_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        expert_shard_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 0,
        shared_expert_rank_num: SupportsIndex = 0, quant_mode: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, comm_type: SupportsIndex = 2, comm_alg: str | None = "",
        out: _Outputs | None = None, y_out: _Output = None, expand_idx_out: _Output = None,
        comm_cmd_info_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Begins to send tokens to the ranks of their experts.

        aclnnMoeDistributeDispatchSetup of aclnnop/aclnn_moe_distribute_dispatch_setup.h."""

class _MoeDistributeDispatchTeardown(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, y: Tensor | None, expert_ids: Tensor | None,
        comm_cmd_info: Tensor | None, group_ep: _Group | None, ep_world_size: SupportsIndex,
        ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        expert_shard_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 0,
        shared_expert_rank_num: SupportsIndex = 0, quant_mode: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, expert_token_nums_type: SupportsIndex = 1,
        comm_type: SupportsIndex = 2, comm_alg: str | None = "", *, out: _Outputs | None = None,
        expand_x_out: _Output = None, dynamic_scales_out: _Output = None,
        assist_info_for_combine_out: _Output = None, expert_token_nums_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Waits for what MoeDistributeDispatchSetup sent, and sorts it by expert.

        aclnnMoeDistributeDispatchTeardown of
        aclnnop/aclnn_moe_distribute_dispatch_teardown.h."""

class _MoeDistributeDispatchV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_ids: Tensor | None, scales_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None, expert_scales_optional: Tensor | None = None,
        *, group_ep: _Group | None, ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex,
        moe_expert_num: SupportsIndex, group_tp: _Group | None = "",
        tp_world_size: SupportsIndex = 0, tp_rank_id: SupportsIndex = 0,
        expert_shard_type: SupportsIndex = 0, shared_expert_num: SupportsIndex = 1,
        shared_expert_rank_num: SupportsIndex = 0, quant_mode: SupportsIndex = 0,
        global_bs: SupportsIndex = 0, expert_token_nums_type: SupportsIndex = 1,
        comm_alg: str | None = "", out: _Outputs | None = None, expand_x_out: _Output = None,
        dynamic_scales_out: _Output = None, assist_info_for_combine_out: _Output = None,
        expert_token_nums_out: _Output = None, ep_recv_counts_out: _Output = None,
        tp_recv_counts_out: _Output = None, expand_scales_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Sends tokens to the devices of their experts, quantised if asked for.

        aclnnMoeDistributeDispatchV2 of aclnnop/aclnn_moe_distribute_dispatch_v2.h; since CANN
        9.0."""

class _MoeDistributeDispatchV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_ids: Tensor | None, scales_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None, expert_scales_optional: Tensor | None = None,
        elastic_info_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None = "", tp_world_size: SupportsIndex = 0,
        tp_rank_id: SupportsIndex = 0, expert_shard_type: SupportsIndex = 0,
        shared_expert_num: SupportsIndex = 1, shared_expert_rank_num: SupportsIndex = 0,
        quant_mode: SupportsIndex = 0, global_bs: SupportsIndex = 0,
        expert_token_nums_type: SupportsIndex = 1, comm_alg: str | None = "",
        zero_expert_num: SupportsIndex = 0, copy_expert_num: SupportsIndex = 0,
        const_expert_num: SupportsIndex = 0, out: _Outputs | None = None,
        expand_x_out: _Output = None, dynamic_scales_out: _Output = None,
        assist_info_for_combine_out: _Output = None, expert_token_nums_out: _Output = None,
        ep_recv_counts_out: _Output = None, tp_recv_counts_out: _Output = None,
        expand_scales_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Sends tokens to the devices of their experts, quantised if asked for.

        aclnnMoeDistributeDispatchV3 of aclnnop/aclnn_moe_distribute_dispatch_v3.h; since CANN
        9.0."""

class _MoeDistributeDispatchV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_ids: Tensor | None, scales_optional: Tensor | None = None,
        x_active_mask_optional: Tensor | None = None, expert_scales_optional: Tensor | None = None,
        elastic_info_optional: Tensor | None = None,
        performance_info_optional: Tensor | None = None, *, group_ep: _Group | None,
        ep_world_size: SupportsIndex, ep_rank_id: SupportsIndex, moe_expert_num: SupportsIndex,
        group_tp: _Group | None, tp_world_size: SupportsIndex, tp_rank_id: SupportsIndex,
        expert_shard_type: SupportsIndex, shared_expert_num: SupportsIndex,
        shared_expert_rank_num: SupportsIndex, quant_mode: SupportsIndex, global_bs: SupportsIndex,
        expert_token_nums_type: SupportsIndex, comm_alg: str | None, zero_expert_num: SupportsIndex,
        copy_expert_num: SupportsIndex, const_expert_num: SupportsIndex,
        out: _Outputs | None = None, expand_x_out: _Output = None,
        dynamic_scales_out: _Output = None, assist_info_for_combine_out: _Output = None,
        expert_token_nums_out: _Output = None, ep_recv_counts_out: _Output = None,
        tp_recv_counts_out: _Output = None, expand_scales_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Sends tokens to the ranks of their experts.

        aclnnMoeDistributeDispatchV4 of aclnnop/aclnn_moe_distribute_dispatch_v4.h."""

class _MoeFinalizeRouting(Operator):
    def __call__(  # type: ignore[override]
        op, /, expanded_x: Tensor | None, x1: Tensor | None, x2_optional: Tensor | None = None, *,
        bias: Tensor | None, scales: Tensor | None, expanded_row_idx: Tensor | None,
        expanded_expert_idx: Tensor | None, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Adds up the experts' results of each token with their weights.

        aclnnMoeFinalizeRouting of aclnnop/aclnn_moe_finalize_routing.h."""

class _MoeFinalizeRoutingV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, expanded_x: Tensor | None, expanded_row_idx: Tensor | None,
        x1_optional: Tensor | None = None, x2_optional: Tensor | None = None,
        bias_optional: Tensor | None = None, scales_optional: Tensor | None = None,
        expert_idx_optional: Tensor | None = None, drop_pad_mode: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Adds up the experts' results of each token with their weights.

        aclnnMoeFinalizeRoutingV2 of aclnnop/aclnn_moe_finalize_routing_v2.h."""

class _MoeFinalizeRoutingV2Grad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, expanded_row_idx: Tensor | None,
        expanded_x_optional: Tensor | None = None, scales_optional: Tensor | None = None,
        expert_idx_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        drop_pad_mode: SupportsIndex = 0, active_num: SupportsIndex = 0, *,
        expert_num: SupportsIndex, expert_capacity: SupportsIndex = 0, out: _Outputs | None = None,
        grad_expanded_x_out: _Output = None, grad_scales_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of the sum of the experts' results.

        aclnnMoeFinalizeRoutingV2Grad of aclnnop/aclnn_moe_finalize_routing_v2_grad.h."""

class _MoeFinalizeRoutingV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, expanded_x: Tensor | None, expanded_row_idx: Tensor | None,
        x1_optional: Tensor | None = None, x2_optional: Tensor | None = None,
        bias_optional: Tensor | None = None, scales_optional: Tensor | None = None,
        expert_idx_optional: Tensor | None = None, x_optional: Tensor | None = None,
        a1_optional: Tensor | None = None, a2_optional: Tensor | None = None,
        v_optional: Tensor | None = None, *, drop_pad_mode: SupportsIndex,
        zero_expert_range: _Ints | None, copy_expert_range: _Ints | None,
        constant_expert_range: _Ints | None, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The rows of experts back at their tokens, weighted and summed, with constant and
        copied experts.

        aclnnMoeFinalizeRoutingV3 of aclnnop/aclnn_moe_finalize_routing_v3.h."""

class _MoeFusedTopk(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, add_num: Tensor | None, mapping_num: Tensor | None,
        mapping_table: Tensor | None, group_num: SupportsIndex, group_topk: SupportsIndex,
        top_n: SupportsIndex, top_k: SupportsIndex, activate_type: SupportsIndex, is_norm: bool,
        scale: SupportsFloat, enable_expert_mapping: bool, *, out: _Outputs | None = None,
        y: _Output = None, indices: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The experts of each token: scores by sigmoid, groups, the largest, and their weights.

        aclnnMoeFusedTopk of aclnnop/aclnn_moe_fused_topk.h."""

class _MoeGatingTopK(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, bias_optional: Tensor | None = None, *, k: SupportsIndex,
        k_group: SupportsIndex = 1, group_count: SupportsIndex = 1,
        group_select_mode: SupportsIndex = 0, renorm: SupportsIndex = 0,
        norm_type: SupportsIndex = 0, out_flag: bool = False,
        routed_scaling_factor: SupportsFloat = 1.0, eps: SupportsFloat = 1e-20,
        out: _Outputs | None = None, y_out: _Output = None, expert_idx_out: _Output = None,
        out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Chooses k experts for each token out of the best groups, with normalised weights.

        aclnnMoeGatingTopK of aclnnop/aclnn_moe_gating_top_k.h; since CANN 9.0."""

class _MoeGatingTopKBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, x_norm: Tensor | None, grad_y: Tensor | None, expert_idx: Tensor | None,
        renorm: SupportsIndex, norm_type: SupportsIndex, routed_scaling_factor: SupportsFloat,
        eps: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """The gradient of MoeGatingTopK with respect to the scores.

        aclnnMoeGatingTopKBackward of aclnnop/aclnn_moe_gating_top_kbackward.h."""

class _MoeGatingTopKSoftmax(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, finished_optional: Tensor | None = None, *, k: SupportsIndex,
        out: _Outputs | None = None, y_out: _Output = None, expert_idx_out: _Output = None,
        row_idx_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Chooses the k experts with the largest softmax for each token.

        aclnnMoeGatingTopKSoftmax of aclnnop/aclnn_moe_gating_top_k_softmax.h."""

class _MoeGatingTopKSoftmaxV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, finished_optional: Tensor | None = None, *, k: SupportsIndex,
        renorm: SupportsIndex = 0, output_softmax_result_flag: bool = False,
        out: _Outputs | None = None, y_out: _Output = None, expert_idx_out: _Output = None,
        softmax_result_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Chooses the k experts with the largest softmax for each token.

        aclnnMoeGatingTopKSoftmaxV2 of aclnnop/aclnn_moe_gating_top_k_softmax_v2.h."""

class _MoeInitRouting(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, row_idx: Tensor | None, expert_idx: Tensor | None,
        active_num: SupportsIndex, *, out: _Outputs | None = None, expanded_x_out: _Output = None,
        expanded_row_idx_out: _Output = None, expanded_expert_idx_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sorts tokens by expert and copies them in that order.

        aclnnMoeInitRouting of aclnnop/aclnn_moe_init_routing.h."""

class _MoeInitRoutingQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, row_idx: Tensor | None, expert_idx: Tensor | None,
        active_num: SupportsIndex, scale: SupportsFloat, offset: SupportsFloat, *,
        out: _Outputs | None = None, expanded_x_out: _Output = None,
        expanded_row_idx_out: _Output = None, expanded_expert_idx_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Sorts tokens by expert, copies them in that order and quantises them.

        aclnnMoeInitRoutingQuant of aclnnop/aclnn_moe_init_routing_quant.h."""

class _MoeInitRoutingQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_idx: Tensor | None, scale_optional: Tensor | None = None,
        offset_optional: Tensor | None = None, active_num: SupportsIndex = 0,
        expert_capacity: SupportsIndex = 0, *, expert_num: SupportsIndex,
        drop_pad_mode: SupportsIndex = 0, expert_tokens_count_or_cumsum_flag: SupportsIndex = 0,
        expert_tokens_before_capacity_flag: bool = False, quant_mode: SupportsIndex = 0,
        out: _Outputs | None = None, expanded_x_out: _Output = None,
        expanded_row_idx_out: _Output = None,
        expert_tokens_count_or_cumsum_out_optional: _Output = None,
        expert_tokens_before_capacity_out_optional: _Output = None,
        dynamic_quant_scale_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Sorts tokens by expert, copies them in that order and quantises them.

        aclnnMoeInitRoutingQuantV2 of aclnnop/aclnn_moe_init_routing_quant_v2.h."""

class _MoeInitRoutingV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_idx: Tensor | None, active_num_optional: SupportsIndex = 0,
        expert_capacity_optional: SupportsIndex = 0, *, expert_num_optional: SupportsIndex,
        drop_pad_mode_optional: SupportsIndex = 0,
        expert_tokens_count_or_cumsum_flag_optional: SupportsIndex = 0,
        expert_tokens_before_capacity_flag_optional: bool = False, out: _Outputs | None = None,
        expanded_x_out: _Output = None, expanded_row_idx_out: _Output = None,
        expert_tokens_count_or_cumsum_out_optional: _Output = None,
        expert_tokens_before_capacity_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Sorts tokens by expert and copies them in that order.

        aclnnMoeInitRoutingV2 of aclnnop/aclnn_moe_init_routing_v2.h."""

class _MoeInitRoutingV2Grad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_expanded_x: Tensor | None, expanded_row_idx: Tensor | None,
        top_k: SupportsIndex, drop_pad_mode: SupportsIndex = 0, active_num: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of sorting and copying tokens by expert.

        aclnnMoeInitRoutingV2Grad of aclnnop/aclnn_moe_init_routing_v2_grad.h."""

class _MoeInitRoutingV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, expert_idx: Tensor | None, scale_optional: Tensor | None = None,
        offset_optional: Tensor | None = None, active_num: SupportsIndex = -1,
        expert_capacity: SupportsIndex = -1, *, expert_num: SupportsIndex,
        drop_pad_mode: SupportsIndex = 0, expert_tokens_num_type: SupportsIndex = 0,
        expert_tokens_num_flag: bool = False, quant_mode: SupportsIndex = -1,
        active_expert_range_optional: _Ints | None = None, row_idx_type: SupportsIndex = 0,
        out: _Outputs | None = None, expanded_x_out: _Output = None,
        expanded_row_idx_out: _Output = None, expert_tokens_count_or_cumsum_out: _Output = None,
        expanded_scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Sorts tokens by expert and copies them in that order.

        aclnnMoeInitRoutingV3 of aclnnop/aclnn_moe_init_routing_v3.h; since CANN 9.0."""

class _MoeReRouting(Operator):
    def __call__(  # type: ignore[override]
        op, /, tokens: Tensor | None, expert_token_num_per_rank: Tensor | None,
        per_token_scales_optional: Tensor | None = None, expert_token_num_type: SupportsIndex = 1,
        idx_type: SupportsIndex = 0, *, out: _Outputs | None = None,
        permute_tokens_out: _Output = None, permute_per_token_scales_out: _Output = None,
        permute_token_idx_out: _Output = None, expert_token_num_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Tokens that came rank by rank, put in the order of the experts that they are for.

        aclnnMoeReRouting of aclnnop/aclnn_moe_re_routing.h."""

class _MoeTokenPermute(Operator):
    def __call__(  # type: ignore[override]
        op, /, tokens: Tensor | None, indices: Tensor | None, num_out_tokens: SupportsIndex = 0,
        padded_mode: bool = False, *, out: _Outputs | None = None,
        permute_tokens_out: _Output = None, sorted_indices_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Copies tokens in the order of their experts.

        aclnnMoeTokenPermute of aclnnop/aclnn_moe_token_permute.h."""

class _MoeTokenPermuteGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, permuted_output_grad: Tensor | None, sorted_indices: Tensor | None,
        num_topk: SupportsIndex, padded_mode: bool = False, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of copying tokens in the order of their experts.

        aclnnMoeTokenPermuteGrad of aclnnop/aclnn_moe_token_permute_grad.h."""

class _MoeTokenPermuteWithEp(Operator):
    def __call__(  # type: ignore[override]
        op, /, tokens: Tensor | None, indices: Tensor | None, probs_optional: Tensor | None = None,
        range_optional: _Ints | None = None, *, num_out_tokens: SupportsIndex, padded_mode: bool,
        out: _Outputs | None = None, permute_tokens_out: _Output = None,
        sorted_indices_out: _Output = None, permute_probs_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens sorted by expert, for the range of experts that a rank holds.

        aclnnMoeTokenPermuteWithEp of aclnnop/aclnn_moe_token_permute_with_ep.h."""

class _MoeTokenPermuteWithEpGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, permuted_tokens_output_grad: Tensor | None, sorted_indices: Tensor | None,
        permuted_probs_output_grad_optional: Tensor | None = None, *, num_topk: SupportsIndex,
        range_optional: _Ints | None = None, padded_mode: bool, out: _Outputs | None = None,
        token_grad_out: _Output = None, probs_grad_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The gradients of MoeTokenPermuteWithEp.

        aclnnMoeTokenPermuteWithEpGrad of aclnnop/aclnn_moe_token_permute_with_ep_grad.h."""

class _MoeTokenPermuteWithRoutingMap(Operator):
    def __call__(  # type: ignore[override]
        op, /, tokens: Tensor | None, routing_map: Tensor | None,
        probs_optional: Tensor | None = None, *, num_out_tokens: SupportsIndex,
        drop_and_pad: bool = False, out: _Outputs | None = None, permute_tokens_out: _Output = None,
        permute_probs_out_optional: _Output = None, sorted_indices_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Copies tokens in the order of their experts, which a table of truth values names.

        aclnnMoeTokenPermuteWithRoutingMap of
        aclnnop/aclnn_moe_token_permute_with_routing_map.h; since CANN 9.0."""

class _MoeTokenPermuteWithRoutingMapGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, permuted_token_output_grad: Tensor | None,
        permuted_probs_output_grad_optional: Tensor | None = None, *, sorted_indices: Tensor | None,
        routing_map_optional: Tensor | None = None, num_experts: SupportsIndex,
        tokens_num: SupportsIndex, drop_and_pad: bool, out: _Outputs | None = None,
        tokens_grad_out: _Output = None, probs_grad_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of copying tokens by a table of experts.

        aclnnMoeTokenPermuteWithRoutingMapGrad of
        aclnnop/aclnn_moe_token_permute_with_routing_map_grad.h; since CANN 9.0."""

class _MoeTokenUnpermute(Operator):
    def __call__(  # type: ignore[override]
        op, /, permuted_tokens: Tensor | None, sorted_indices: Tensor | None,
        probs_optional: Tensor | None = None, padded_mode: bool = False,
        restore_shape_optional: _Ints | None = None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Brings the experts' results back to the order of the tokens, weighted and added up.

        aclnnMoeTokenUnpermute of aclnnop/aclnn_moe_token_unpermute.h."""

class _MoeTokenUnpermuteGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, permute_tokens: Tensor | None, unpermuted_tokens_grad: Tensor | None,
        sorted_indices: Tensor | None, probs_optional: Tensor | None = None,
        padded_mode: bool = False, restore_shape_optional: _Ints | None = None, *,
        out: _Outputs | None = None, permuted_tokens_grad_out: _Output = None,
        probs_grad_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of bringing the experts' results back to the order of the tokens.

        aclnnMoeTokenUnpermuteGrad of aclnnop/aclnn_moe_token_unpermute_grad.h."""

class _MoeTokenUnpermuteWithEp(Operator):
    def __call__(  # type: ignore[override]
        op, /, permuted_tokens: Tensor | None, sorted_indices: Tensor | None,
        probs_optional: Tensor | None = None, *, num_topk: SupportsIndex,
        range_optional: _Ints | None = None, padded_mode: bool,
        restore_shape_optional: _Ints | None = None, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Rows of experts back at their tokens, for the range of experts that a rank holds.

        aclnnMoeTokenUnpermuteWithEp of aclnnop/aclnn_moe_token_unpermute_with_ep.h."""

class _MoeTokenUnpermuteWithEpGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, unpermuted_tokens_grad: Tensor | None, sorted_indices: Tensor | None,
        permuted_tokens_optional: Tensor | None = None, probs_optional: Tensor | None = None, *,
        padded_mode: bool, restore_shape_optional: _Ints | None = None,
        range_optional: _Ints | None = None, topk_num: SupportsIndex, out: _Outputs | None = None,
        permuted_tokens_grad_out: _Output = None, probs_grad_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The gradients of MoeTokenUnpermuteWithEp.

        aclnnMoeTokenUnpermuteWithEpGrad of aclnnop/aclnn_moe_token_unpermute_with_ep_grad.h."""

class _MoeTokenUnpermuteWithRoutingMap(Operator):
    def __call__(  # type: ignore[override]
        op, /, permuted_tokens: Tensor | None, sorted_indices: Tensor | None,
        routing_map_optional: Tensor | None = None, probs_optional: Tensor | None = None, *,
        padded_mode: bool, restore_shape_optional: _Ints | None = None, out: _Outputs | None = None,
        unpermuted_tokens: _Output = None, out_index: _Output = None,
        permute_token_id: _Output = None, permute_probs: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Brings the experts' results back to the order of the tokens, by a table of experts.

        aclnnMoeTokenUnpermuteWithRoutingMap of
        aclnnop/aclnn_moe_token_unpermute_with_routing_map.h; since CANN 9.0."""

class _MoeTokenUnpermuteWithRoutingMapGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, unpermuted_tokens_grad: Tensor | None, out_index: Tensor | None,
        permute_token_id: Tensor | None, routing_map_optional: Tensor | None = None,
        permuted_tokens_optional: Tensor | None = None, probs_optional: Tensor | None = None, *,
        drop_and_pad: bool, restore_shape_optional: _Ints | None = None,
        out: _Outputs | None = None, permuted_tokens_grad_out: _Output = None,
        probs_grad_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The gradients of MoeTokenUnpermuteWithRoutingMap.

        aclnnMoeTokenUnpermuteWithRoutingMapGrad of
        aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h."""

class _MoeUpdateExpert(Operator):
    def __call__(  # type: ignore[override]
        op, /, expert_ids: Tensor | None, eplb_table: Tensor | None,
        expert_scales_optional: Tensor | None = None,
        pruning_threshold_optional: Tensor | None = None,
        active_mask_optional: Tensor | None = None, *, local_rank_id: SupportsIndex,
        world_size: SupportsIndex, balance_mode: SupportsIndex = 0, out: _Outputs | None = None,
        balanced_expert_ids: _Output = None, balanced_active_mask: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maps the experts' numbers to their copies on devices, balancing the load.

        aclnnMoeUpdateExpert of aclnnop/aclnn_moe_update_expert.h; since CANN 9.0."""

class _MrgbaCustom(Operator):
    def __call__(  # type: ignore[override]
        op, /, rgb: Tensor | None, alpha: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = rgb * alpha: multiplies an image by its transparency.

        aclnnMrgbaCustom of aclnnop/aclnn_mrgba_custom.h."""

class _MseLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self - target)^2, reduced as asked for.

        aclnnMseLoss of aclnnop/aclnn_mse_loss.h."""

class _MseLossBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = 2 * gradOutput * (self - target), divided by the number of elements for the
        mean.

        aclnnMseLossBackward of aclnnop/aclnn_mse_loss_backward.h."""

class _MseLossOut(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self - target)^2, reduced as asked for.

        aclnnMseLossOut of aclnnop/aclnn_mse_loss_out.h."""

class _Mul(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self * other.

        aclnnMul of aclnnop/aclnn_mul.h."""

class _Muls(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self * other, where other is a scalar.

        aclnnMuls of aclnnop/aclnn_mul.h."""

class _MultiScaleDeformableAttentionGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, value: Tensor | None, spatial_shape: Tensor | None, level_start_index: Tensor | None,
        location: Tensor | None, attn_weight: Tensor | None, grad_output: Tensor | None, *,
        out: _Outputs | None = None, grad_value: _Output = None, grad_location: _Output = None,
        grad_attn_weight: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gradients of the multi-scale deformable attention.

        aclnnMultiScaleDeformableAttentionGrad of
        aclnnop/aclnn_multi_scale_deformable_attention_grad.h."""

class _MultiScaleDeformableAttnFunction(Operator):
    def __call__(  # type: ignore[override]
        op, /, value: Tensor | None, spatial_shape: Tensor | None, level_start_index: Tensor | None,
        location: Tensor | None, attn_weight: Tensor | None, *, out: Tensor | None = None,
        output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Attention to a few interpolated points in feature maps of several sizes.

        aclnnMultiScaleDeformableAttnFunction of
        aclnnop/aclnn_multi_scale_deformable_attn_function.h."""

class _MultilabelMarginLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"], *, out: _Outputs | None = None,
        is_target: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Hinge loss between all right and all wrong classes of each sample.

        aclnnMultilabelMarginLoss of aclnnop/aclnn_multilabel_margin_loss.h."""

class _Multinomial(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, numsamples: SupportsIndex, replacement: bool,
        seed: SupportsIndex, offset: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = indices drawn with the probabilities of each row.

        aclnnMultinomial of aclnnop/aclnn_multinomial.h."""

class _MultinomialTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, numsamples: SupportsIndex, replacement: bool,
        seed_tensor: Tensor | None, offset_tensor: Tensor | None, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = indices drawn with the probabilities of each row, with the seed and offset in
        tensors.

        aclnnMultinomialTensor of aclnnop/aclnn_multinomial.h; since CANN 9.0."""

class _Mv(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, vec: Tensor | None, cube_math_type: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self @ vec.

        aclnnMv of aclnnop/aclnn_mv.h."""

class _MxToBlockMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, mxscale: Tensor | None, dst_type: SupportsIndex, *,
        out: _Outputs | None = None, y: _Output = None, scale1: _Output = None,
        scale2: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Turns a microscaling format of rows into one of two-dimensional blocks.

        aclnnMxToBlockMxQuant of aclnnop/aclnn_mx_to_block_mx_quant.h; since CANN 9.0."""

class _NanMedian(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = median of all elements that are not NaN.

        aclnnNanMedian of aclnnop/aclnn_median.h."""

class _NanMedianDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keep_dim: bool = False, *,
        out: _Outputs | None = None, values_out: _Output = None, indices_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Median over dim of the elements that are not NaN, and its place.

        aclnnNanMedianDim of aclnnop/aclnn_median.h."""

class _NanToNum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, nan: SupportsFloat, posinf: SupportsFloat,
        neginf: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with NaN and the infinities replaced by numbers.

        aclnnNanToNum of aclnnop/aclnn_nan_to_num.h."""

class _NeScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self != other), where other is a scalar.

        aclnnNeScalar of aclnnop/aclnn_ne_scalar.h."""

class _NeTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = (self != other).

        aclnnNeTensor of aclnnop/aclnn_ne_tensor.h."""

class _Neg(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = -self.

        aclnnNeg of aclnnop/aclnn_neg.h."""

class _NLLLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None, weight: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1,
        ignore_index: SupportsIndex = -100, *, out: _Outputs | None = None,
        total_weight_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """out = -weight[target] * self[target]: the negative log likelihood, reduced as asked
        for.

        aclnnNLLLoss of aclnnop/aclnn_nll_loss.h."""

class _NLLLoss2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None, weight: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1,
        ignore_index: SupportsIndex = -100, *, out: _Outputs | None = None,
        total_weight_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Negative log likelihood of each element of an image, reduced as asked for.

        aclnnNLLLoss2d of aclnnop/aclnn_nll_loss2d.h."""

class _NLLLoss2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        weight: Tensor | None, reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1,
        ignore_index: SupportsIndex = -100, *, total_weight: Tensor | None,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out[n, target[n, h, w], h, w] = -gradOutput[n, h, w] * weight[target[n, h, w]], and 0
        elsewhere and where the target is ignoreIndex; for the mean gradOutput is one number
        and divided by totalWeight.

        aclnnNLLLoss2dBackward of aclnnop/aclnn_nll_loss2d_backward.h."""

class _NLLLossBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        weight: Tensor | None, reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1,
        ignore_index: SupportsIndex = -100, *, total_weight: Tensor | None,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out[n, target[n]] = -gradOutput[n] * weight[target[n]], and 0 elsewhere and where
        target[n] = ignoreIndex; for the mean gradOutput is one number and divided by
        totalWeight.

        aclnnNLLLossBackward of aclnnop/aclnn_nll_loss_backward.h."""

class _NonMaxSuppression(Operator):
    def __call__(  # type: ignore[override]
        op, /, boxes: Tensor | None, scores: Tensor | None,
        max_output_boxes_per_class: _Ints | None, iou_threshold: _Floats | None,
        score_threshold: _Floats | None, center_point_box: SupportsIndex, *,
        out: Tensor | None = None, selected_indices: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Chooses boxes by score, leaving out those that overlap a chosen one.

        aclnnNonMaxSuppression of aclnnop/aclnn_non_max_suppression.h."""

class _Nonzero(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = indices of all elements that are not zero.

        aclnnNonzero of aclnnop/aclnn_nonzero.h."""

class _NonzeroV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = indices of all elements that are not zero.

        aclnnNonzeroV2 of aclnnop/aclnn_nonzero_v2.h."""

class _Norm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, p_scalar: _Scalar | None, dim: _Ints | None,
        keepdim: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = p-norm over dims.

        aclnnNorm of aclnnop/aclnn_norm.h."""

class _NormRopeConcat(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        encoder_query: Tensor | None, encoder_key: Tensor | None, encoder_value: Tensor | None,
        norm_query_weight: Tensor | None, norm_query_bias: Tensor | None,
        norm_key_weight: Tensor | None, norm_key_bias: Tensor | None,
        norm_added_query_weight: Tensor | None, norm_added_query_bias: Tensor | None,
        norm_added_key_weight: Tensor | None, norm_added_key_bias: Tensor | None,
        rope_sin: Tensor | None, rope_cos: Tensor | None, norm_type: SupportsIndex,
        norm_added_type: SupportsIndex, rope_type: SupportsIndex, concat_order: SupportsIndex,
        eps: SupportsFloat, is_training: bool, *, out: _Outputs | None = None,
        query_output: _Output = None, key_output: _Output = None, value_output: _Output = None,
        norm_query_mean: _Output = None, norm_query_rstd: _Output = None,
        norm_key_mean: _Output = None, norm_key_rstd: _Output = None,
        norm_added_query_mean: _Output = None, norm_added_query_rstd: _Output = None,
        norm_added_key_mean: _Output = None, norm_added_key_rstd: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Norm of queries and keys, of the tokens and of those joined to them, and rotary
        embedding.

        aclnnNormRopeConcat of aclnnop/aclnn_norm_rope_concat.h."""

class _NormRopeConcatBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_query_output: Tensor | None, grad_key_output: Tensor | None,
        grad_value_output: Tensor | None, query: Tensor | None, key: Tensor | None,
        encoder_query: Tensor | None, encoder_key: Tensor | None, norm_query_weight: Tensor | None,
        norm_query_mean: Tensor | None, norm_query_rstd: Tensor | None,
        norm_key_weight: Tensor | None, norm_key_mean: Tensor | None, norm_key_rstd: Tensor | None,
        norm_added_query_weight: Tensor | None, norm_added_query_mean: Tensor | None,
        norm_added_query_rstd: Tensor | None, norm_added_key_weight: Tensor | None,
        norm_added_key_mean: Tensor | None, norm_added_key_rstd: Tensor | None,
        rope_sin: Tensor | None, rope_cos: Tensor | None, norm_type: SupportsIndex,
        norm_added_type: SupportsIndex, rope_type: SupportsIndex, concat_order: SupportsIndex, *,
        out: _Outputs | None = None, grad_query: _Output = None, grad_key: _Output = None,
        grad_value: _Output = None, grad_encoder_query: _Output = None,
        grad_encoder_key: _Output = None, grad_encoder_value: _Output = None,
        grad_norm_query_weight: _Output = None, grad_norm_query_bias: _Output = None,
        grad_norm_key_weight: _Output = None, grad_norm_key_bias: _Output = None,
        grad_norm_added_query_weight: _Output = None, grad_norm_added_query_bias: _Output = None,
        grad_norm_added_key_weight: _Output = None, grad_norm_added_key_bias: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of NormRopeConcat.

        aclnnNormRopeConcatBackward of aclnnop/aclnn_norm_rope_concat_grad.h."""

class _NormalFloatFloat(Operator):
    def __call__(  # type: ignore[override]
        op, /, mean: SupportsFloat, std: SupportsFloat, seed: SupportsIndex, offset: SupportsIndex,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = normally distributed random numbers with one mean and deviation.

        aclnnNormalFloatFloat of aclnnop/aclnn_normal_out.h."""

class _NormalFloatTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, mean: SupportsFloat, std: Tensor | None, seed: SupportsIndex, offset: SupportsIndex,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = normally distributed random numbers with one mean and a tensor of deviations.

        aclnnNormalFloatTensor of aclnnop/aclnn_normal_out.h."""

class _NormalTensorFloat(Operator):
    def __call__(  # type: ignore[override]
        op, /, mean: Tensor | None, std: SupportsFloat, seed: SupportsIndex, offset: SupportsIndex,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = normally distributed random numbers with a tensor of means and one deviation.

        aclnnNormalTensorFloat of aclnnop/aclnn_normal_out.h."""

class _NormalTensorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, mean: Tensor | None, std: Tensor | None, seed: SupportsIndex, offset: SupportsIndex,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = normally distributed random numbers with tensors of means and deviations.

        aclnnNormalTensorTensor of aclnnop/aclnn_normal_out.h."""

class _NpuFormatCast(Operator):
    def __call__(  # type: ignore[override]
        op, /, src_tensor: Tensor | None, *, out: Tensor | None = None, dst_tensor: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Copies a tensor into another memory layout.

        aclnnNpuFormatCast of aclnnop/aclnn_npu_format_cast.h; since CANN 9.0."""

class _NsaCompress(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None,
        act_seq_len_optional: _Ints | None = None, layout_optional: str | None = None, *,
        compress_block_size: SupportsIndex, compress_stride: SupportsIndex,
        act_seq_len_type: SupportsIndex, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Weighted means of blocks of keys or values, for a sparse attention.

        aclnnNsaCompress of aclnnop/aclnn_nsa_compress.h; since CANN 9.0."""

class _NsaCompressAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        atten_mask_optional: Tensor | None = None, topk_mask_optional: Tensor | None = None,
        actual_seq_q_len_optional: _Ints | None = None,
        actual_cmp_seq_kv_len_optional: _Ints | None = None,
        actual_sel_seq_kv_len_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0, *,
        head_num: SupportsIndex, input_layout: str | None, sparse_mode: SupportsIndex = 0,
        compress_block_size: SupportsIndex, compress_stride: SupportsIndex,
        select_block_size: SupportsIndex, select_block_count: SupportsIndex,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, attention_out_out: _Output = None,
        topk_indices_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The attention to compressed blocks, and the choice of blocks for the next stage; for
        training.

        aclnnNsaCompressAttention of aclnnop/aclnn_nsa_compress_attention.h; since CANN 9.0."""

class _NsaCompressAttentionInfer(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        attention_mask_optional: Tensor | None = None, block_table_optional: Tensor | None = None,
        actual_q_seq_len_optional: _Ints | None = None,
        actual_cmp_kv_seq_len_optional: _Ints | None = None,
        actual_sel_kv_seq_len_optional: _Ints | None = None,
        top_k_mask_optional: Tensor | None = None, *, num_heads: SupportsIndex,
        num_key_value_heads: SupportsIndex = 0, select_block_size: SupportsIndex,
        select_block_count: SupportsIndex, compress_block_size: SupportsIndex,
        compress_block_stride: SupportsIndex, scale_value: SupportsFloat = 1.0,
        layout_optional: str | None = None, page_block_size: SupportsIndex,
        sparse_mode: SupportsIndex = 0, out: _Outputs | None = None, output: _Output = None,
        top_k_output: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The attention to compressed blocks, and the choice of blocks for the next stage; for
        inference.

        aclnnNsaCompressAttentionInfer of aclnnop/aclnn_nsa_compress_attention_infer.h; since
        CANN 9.0."""

class _NsaCompressGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, output_grad: Tensor | None, input: Tensor | None, weight: Tensor | None,
        act_seq_len_optional_optional: _Ints | None = None, *, compress_block_size: SupportsIndex,
        compress_stride: SupportsIndex, act_seq_len_type: SupportsIndex,
        layout_optional_optional: str | None = "TND", out: _Outputs | None = None,
        input_grad_out: _Output = None, weight_grad_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of the weighted means of blocks.

        aclnnNsaCompressGrad of aclnnop/aclnn_nsa_compress_grad.h; since CANN 9.0."""

class _NsaCompressWithCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None, slot_mapping: Tensor | None,
        act_seq_len_optional: _Ints | None = None, block_table_optional: Tensor | None = None,
        layout_optional: str | None = "TND", *, compress_block_size: SupportsIndex,
        compress_stride: SupportsIndex, act_seq_len_type: SupportsIndex,
        page_block_size: SupportsIndex, output_cache: Tensor | None, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Adds newly completed blocks to the cache of compressed keys or values.

        aclnnNsaCompressWithCache of aclnnop/aclnn_nsa_compress_with_cache.h; since CANN 9.0."""

class _NsaSelectedAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        topk_indices: Tensor | None, atten_mask_optional: Tensor | None = None,
        actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, scale_value: SupportsFloat = 1.0, *,
        head_num: SupportsIndex, input_layout: str | None, sparse_mode: SupportsIndex = 0,
        selected_block_size: SupportsIndex, selected_block_count: SupportsIndex,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, attention_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The attention to chosen blocks; for training.

        aclnnNsaSelectedAttention of aclnnop/aclnn_nsa_selected_attention.h; since CANN 9.0."""

class _NsaSelectedAttentionGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        attention_out: Tensor | None, attention_out_grad: Tensor | None, softmax_max: Tensor | None,
        softmax_sum: Tensor | None, topk_indices: Tensor | None,
        actual_seq_q_len_optional: _Ints | None = None,
        actual_seq_kv_len_optional: _Ints | None = None, atten_mask_optional: Tensor | None = None,
        *, scale_value: SupportsFloat, selected_block_size: SupportsIndex,
        selected_block_count: SupportsIndex, head_num: SupportsIndex, input_layout: str | None,
        sparse_mode: SupportsIndex = 0, out: _Outputs | None = None, dq_out: _Output = None,
        dk_out: _Output = None, dv_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gradients of the attention to chosen blocks.

        aclnnNsaSelectedAttentionGrad of aclnnop/aclnn_nsa_selected_attention_grad.h; since
        CANN 9.0."""

class _NsaSelectedAttentionInfer(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        topk_indices: Tensor | None, atten_mask_optional: Tensor | None = None,
        block_table_optional: Tensor | None = None, actual_q_seq_len_optional: _Ints | None = None,
        actual_kv_seq_len_optional: _Ints | None = None, layout_optional: str | None = None, *,
        num_heads: SupportsIndex, num_key_value_heads: SupportsIndex,
        select_block_size: SupportsIndex, select_block_count: SupportsIndex,
        page_block_size: SupportsIndex, scale_value: SupportsFloat, sparse_mode: SupportsIndex,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """The attention to chosen blocks; for inference.

        aclnnNsaSelectedAttentionInfer of aclnnop/aclnn_nsa_selected_attention_infer.h; since
        CANN 9.0."""

class _OneHot(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, num_classes: SupportsIndex, on_value: Tensor | None,
        off_value: Tensor | None, axis: SupportsIndex = -1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = onValue at the place that self names along axis, offValue elsewhere.

        aclnnOneHot of aclnnop/aclnn_one_hot.h."""

class _Pdist(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, p: SupportsFloat, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Distances between all pairs of different rows, in the p-norm.

        aclnnPdist of aclnnop/aclnn_pdist.h."""

class _PdistForward(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, p_scalar: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Distances between all pairs of different rows, in the p-norm.

        aclnnPdistForward of aclnnop/aclnn_pdist_forward.h; since CANN 9.0."""

class _Permute(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dims: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self with its dimensions in another order.

        aclnnPermute of aclnnop/aclnn_permute.h."""

class _Polar(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, angle: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = complex numbers of given magnitudes and angles.

        aclnnPolar of aclnnop/aclnn_polar.h."""

class _PowScalarTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: _Scalar | None, exponent: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self to the power of exponent, where self is a scalar.

        aclnnPowScalarTensor of aclnnop/aclnn_pow.h."""

class _PowTensorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, exponent: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self to the power of exponent, where exponent is a scalar.

        aclnnPowTensorScalar of aclnnop/aclnn_pow.h."""

class _PowTensorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, exponent: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self to the power of exponent.

        aclnnPowTensorTensor of aclnnop/aclnn_pow_tensor_tensor.h."""

class _PrecisionCompare(Operator):
    def __call__(  # type: ignore[override]
        op, /, golden: Tensor | None, realdata: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Compares two results by the standard that is asked for.

        aclnnPrecisionCompare of aclnnop/aclnn_precision_compare.h."""

class _Prelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, weight: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self where it is positive, and weight * self elsewhere, with a weight for each
        channel.

        aclnnPrelu of aclnnop/aclnn_prelu.h."""

class _PreluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, weight: Tensor | None, *,
        out: _Outputs | None = None, grad_input: _Output = None, grad_weight: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """gradInput = gradOutput where self > 0, and gradOutput * weight elsewhere; gradWeight =
        sum of gradOutput * min(self, 0) over all but the channel.

        aclnnPreluBackward of aclnnop/aclnn_prelu_backward.h."""

class _Prod(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dtype: DTypeLike, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = product of all elements.

        aclnnProd of aclnnop/aclnn_prod.h."""

class _ProdDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, keep_dim: bool, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = product over dim.

        aclnnProdDim of aclnnop/aclnn_prod.h."""

class _PromptFlashAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 0, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, out: Tensor | None = None,
        attention_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """The attention over whole prompts; for inference.

        aclnnPromptFlashAttention of aclnnop/aclnn_prompt_flash_attention.h."""

class _PromptFlashAttentionV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, actual_seq_lengths_kv: _Ints | None = None,
        deq_scale1: Tensor | None = None, quant_scale1: Tensor | None = None,
        deq_scale2: Tensor | None = None, quant_scale2: Tensor | None = None,
        quant_offset2: Tensor | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 0, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        out: Tensor | None = None, attention_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """The attention over whole prompts; for inference.

        aclnnPromptFlashAttentionV2 of aclnnop/aclnn_prompt_flash_attention_v2.h."""

class _PromptFlashAttentionV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        pse_shift: Tensor | None = None, atten_mask: Tensor | None = None,
        actual_seq_lengths: _Ints | None = None, actual_seq_lengths_kv: _Ints | None = None,
        deq_scale1: Tensor | None = None, quant_scale1: Tensor | None = None,
        deq_scale2: Tensor | None = None, quant_scale2: Tensor | None = None,
        quant_offset2: Tensor | None = None, *, num_heads: SupportsIndex,
        scale_value: SupportsFloat = 1.0, pre_tokens: SupportsIndex = 2147483647,
        next_tokens: SupportsIndex = 0, input_layout: str | None = "BSH",
        num_key_value_heads: SupportsIndex = 0, sparse_mode: SupportsIndex = 0,
        inner_precise: SupportsIndex = 1, out: Tensor | None = None, attention_out: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The attention over whole prompts; for inference.

        aclnnPromptFlashAttentionV3 of aclnnop/aclnn_prompt_flash_attention_v3.h."""

class _QkvRmsNormRopeCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, qkv: Tensor | None, q_gamma: Tensor | None, k_gamma: Tensor | None,
        cos: Tensor | None, sin: Tensor | None, index: Tensor | None, q_out: Tensor | None,
        k_cache: Tensor | None, v_cache: Tensor | None, k_scale_optional: Tensor | None = None,
        v_scale_optional: Tensor | None = None, k_offset_optional: Tensor | None = None,
        v_offset_optional: Tensor | None = None, *, qkv_size: _Ints | None, head_nums: _Ints | None,
        epsilon: SupportsFloat, cache_mode_optional: str | None = None, out: _Outputs | None = None,
        q_out_before_quant: _Output = None, k_out_before_quant: _Output = None,
        v_out_before_quant: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """RMS norm and rotary embedding of queries and keys out of one tensor, and storing keys
        and values in caches.

        aclnnQkvRmsNormRopeCache of aclnnop/aclnn_qkv_rms_norm_rope_cache.h."""

class _Qr(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, some: bool, *, out: _Outputs | None = None, q: _Output = None,
        r: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Orthogonal and triangular factor of a matrix.

        aclnnQr of aclnnop/aclnn_qr.h."""

class _QuantAllReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scales: Tensor | None, group: _Group | None, reduce_op: str | None,
        *, out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sum over all ranks of a group of quantised values, dequantised.

        aclnnQuantAllReduce of aclnnop/aclnn_quant_all_reduce.h."""

class _QuantBatchMatmulInplaceAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale_optional: Tensor | None = None, *,
        x2_scale: Tensor | None, y_ref: Tensor | None, transpose_x1: bool = False,
        transpose_x2: bool = False, group_size: SupportsIndex = 0, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Adds the product of two quantised matrices, restored, to yRef.

        aclnnQuantBatchMatmulInplaceAdd of aclnnop/aclnn_quant_batch_matmul_inplace_add.h;
        since CANN 9.0."""

class _QuantConvolution(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None, bias: Tensor | None,
        scale: Tensor | None, offset: Tensor | None = None, *, stride: _Ints | None,
        padding: _Ints | None, dilation: _Ints | None, transposed: bool,
        output_padding: _Ints | None = None, groups: SupportsIndex, offsetx: SupportsIndex,
        round_mode: str | None = None, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Convolution of quantised operands, restored by a scale.

        aclnnQuantConvolution of aclnnop/aclnn_quant_convolution.h; since CANN 9.0."""

class _QuantConvolutionWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, weight: Tensor | None, bias: Tensor | None,
        scale: Tensor | None, offset: Tensor | None = None, *, stride: _Ints | None,
        padding: _Ints | None, dilation: _Ints | None, transposed: bool,
        output_padding: _Ints | None = None, groups: SupportsIndex, offsetx: SupportsIndex,
        round_mode: str | None = None, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Convolution of quantised operands, restored by a scale.

        aclnnQuantConvolutionWeightNz of aclnnop/aclnn_quant_convolution.h; since CANN 9.0."""

class _QuantFlashAttentionScore(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        atten_mask_optional: Tensor | None = None, *, d_scale_q: Tensor | None,
        d_scale_k: Tensor | None, d_scale_v: Tensor | None, p_scale: Tensor | None,
        scale_value: SupportsFloat, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        head_num: SupportsIndex, input_layout: str | None, sparse_mode: SupportsIndex,
        out: _Outputs | None = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, softmax_outout: _Output = None,
        attention_out_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Attention of quantised queries, keys and values.

        aclnnQuantFlashAttentionScore of aclnnop/aclnn_flash_attention_score.h."""

class _QuantGroupedMatMulAlltoAllv(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None, gmm_x_scale: Tensor | None,
        gmm_weight_scale: Tensor | None, send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, mm_x_scale_optional: Tensor | None = None,
        mm_weight_scale_optional: Tensor | None = None,
        comm_quant_scale_optional: Tensor | None = None, *, gmm_x_quant_mode: SupportsIndex,
        gmm_weight_quant_mode: SupportsIndex, mm_x_quant_mode: SupportsIndex,
        mm_weight_quant_mode: SupportsIndex, comm_quant_mode: SupportsIndex,
        comm_quant_dtype_optional: SupportsIndex, group_size: SupportsIndex, group: _Group | None,
        ep_world_size: SupportsIndex, send_counts: _Ints | None, recv_counts: _Ints | None,
        trans_gmm_weight: bool, trans_mm_weight: bool, out: _Outputs | None = None,
        y: _Output = None, mm_y_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies quantised tokens by each expert's matrix, then sends them back to their
        ranks.

        aclnnQuantGroupedMatMulAlltoAllv of aclnnop/aclnn_quant_grouped_mat_mul_allto_allv.h."""

class _QuantGroupedMatMulAlltoAllvV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, gmm_x: Tensor | None, gmm_weight: Tensor | None, gmm_x_scale: Tensor | None,
        gmm_weight_scale: Tensor | None, send_counts_tensor_optional: Tensor | None = None,
        recv_counts_tensor_optional: Tensor | None = None, mm_x_optional: Tensor | None = None,
        mm_weight_optional: Tensor | None = None, mm_x_scale_optional: Tensor | None = None,
        mm_weight_scale_optional: Tensor | None = None,
        comm_quant_scale_optional: Tensor | None = None, *, gmm_x_quant_mode: SupportsIndex,
        gmm_weight_quant_mode: SupportsIndex, mm_x_quant_mode: SupportsIndex,
        mm_weight_quant_mode: SupportsIndex, comm_quant_mode: SupportsIndex,
        comm_quant_dtype_optional: SupportsIndex, group_size: SupportsIndex, group: _Group | None,
        comm_mode: str | None, ep_world_size: SupportsIndex, send_counts: _Ints | None,
        recv_counts: _Ints | None, trans_gmm_weight: bool, trans_mm_weight: bool,
        out: _Outputs | None = None, y: _Output = None, mm_y_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies quantised tokens by each expert's matrix, then sends them back to their
        ranks.

        aclnnQuantGroupedMatMulAlltoAllvV2 of
        aclnnop/aclnn_quant_grouped_mat_mul_allto_allv_v2.h."""

class _QuantGroupedMatmulDequant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, weight_scale: Tensor | None,
        group_list: Tensor | None, bias_optional: Tensor | None = None,
        x_scale_optional: Tensor | None = None, x_offset_optional: Tensor | None = None,
        smooth_scale_optional: Tensor | None = None, *, x_quant_mode: str | None,
        transpose_weight: bool, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Quantises groups of rows, multiplies them by quantised matrices and restores the
        results.

        aclnnQuantGroupedMatmulDequant of aclnnop/aclnn_quant_grouped_matmul_dequant.h; only
        in CANN 8.1."""

class _QuantGroupedMatmulDequantWeightNZ(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, weight_scale: Tensor | None,
        group_list: Tensor | None, bias_optional: Tensor | None = None,
        x_scale_optional: Tensor | None = None, x_offset_optional: Tensor | None = None,
        smooth_scale_optional: Tensor | None = None, *, x_quant_mode: str | None,
        transpose_weight: bool, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Quantised products by group with weights in FRACTAL_NZ, dequantised.

        aclnnQuantGroupedMatmulDequantWeightNZ of
        aclnnop/aclnn_quant_grouped_matmul_dequant_weight_nz.h."""

class _QuantGroupedMatmulInplaceAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale1_optional: Tensor | None = None, *,
        scale2: Tensor | None, group_list: Tensor | None, y_ref: Tensor | None,
        group_list_type: SupportsIndex, group_size: SupportsIndex, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """y += the quantised products of groups along the inner dimension.

        aclnnQuantGroupedMatmulInplaceAdd of aclnnop/aclnn_quant_grouped_matmul_inplace_add.h."""

class _QuantLightningIndexer(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, weights: Tensor | None,
        query_dequant_scale: Tensor | None, key_dequant_scale: Tensor | None,
        actual_seq_lengths_query_optional: Tensor | None = None,
        actual_seq_lengths_key_optional: Tensor | None = None,
        block_table_optional: Tensor | None = None, *, query_quant_mode: SupportsIndex,
        key_quant_mode: SupportsIndex, layout_query_optional: str | None = None,
        layout_key_optional: str | None = None, sparse_count: SupportsIndex,
        sparse_mode: SupportsIndex, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """LightningIndexer of quantised queries and keys.

        aclnnQuantLightningIndexer of aclnnop/aclnn_quant_lightning_indexer.h."""

class _QuantMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, deq_scale: SupportsFloat,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale.

        aclnnQuantMatmul of aclnnop/aclnn_quant_matmul.h."""

class _QuantMatmulActivationQuantWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale_optional: Tensor | None = None, *,
        x2_scale: Tensor | None, bias_optional: Tensor | None = None, transpose_x1: bool,
        transpose_x2: bool, group_size: SupportsIndex, activation_type: str | None,
        quant_mode: str | None, round_mode: str | None = "rint", scale_alg: SupportsIndex,
        dst_type_max: SupportsFloat, out: _Outputs | None = None, y_out: _Output = None,
        y_scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Product of quantised matrices, an activation, and a quantisation; the right one in the
        NZ layout.

        aclnnQuantMatmulActivationQuantWeightNz of
        aclnnop/aclnn_quant_matmul_activation_quant_weight_nz.h; since CANN 9.0."""

class _QuantMatmulAllReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None,
        x3: Tensor | None = None, *, dequant_scale: Tensor | None, group: _Group | None,
        reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale and summed over all devices.

        aclnnQuantMatmulAllReduce of aclnnop/aclnn_quant_matmul_all_reduce.h."""

class _QuantMatmulAllReduceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        dequant_scale: Tensor | None, residual: Tensor | None, gamma: Tensor | None,
        epsilon: SupportsFloat = 1e-06, group: _Group | None, reduce_op: str | None = "sum",
        comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex, out: _Outputs | None = None,
        y: _Output = None, norm_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Product of int8 matrices summed over all devices, added to a residual and normalised
        by its root mean square.

        aclnnQuantMatmulAllReduceAddRmsNorm of
        aclnnop/aclnn_quant_matmul_all_reduce_add_rms_norm.h."""

class _QuantMatmulAllReduceV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        x3_optional: Tensor | None = None, *, dequant_scale: Tensor | None,
        pertoken_scale_optional: Tensor | None = None, group: _Group | None,
        reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale and summed over all devices.

        aclnnQuantMatmulAllReduceV2 of aclnnop/aclnn_quant_matmul_all_reduce_v2.h."""

class _QuantMatmulAllReduceV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        x3_optional: Tensor | None = None, *, dequant_scale: Tensor | None,
        pertoken_scale_optional: Tensor | None = None,
        comm_quant_scale1_optional: Tensor | None = None,
        comm_quant_scale2_optional: Tensor | None = None, group: _Group | None,
        reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale and summed over all devices.

        aclnnQuantMatmulAllReduceV3 of aclnnop/aclnn_quant_matmul_all_reduce_v3.h."""

class _QuantMatmulAllReduceV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        x3_optional: Tensor | None = None, x1_scale_optional: Tensor | None = None, *,
        x2_scale: Tensor | None, comm_quant_scale1_optional: Tensor | None = None,
        comm_quant_scale2_optional: Tensor | None = None, group: _Group | None,
        reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex,
        group_size: SupportsIndex = 0, comm_quant_mode: SupportsIndex = 0,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale and summed over all devices.

        aclnnQuantMatmulAllReduceV4 of aclnnop/aclnn_quant_matmul_all_reduce_v4.h; since CANN
        9.0."""

class _QuantMatmulAllReduceV5(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None,
        x3_optional: Tensor | None = None, x1_scale_optional: Tensor | None = None, *,
        x2_scale: Tensor | None, comm_quant_scale1_optional: Tensor | None = None,
        comm_quant_scale2_optional: Tensor | None = None, group: _Group | None,
        reduce_op: str | None, comm_mode: str | None, comm_turn: SupportsIndex,
        stream_mode: SupportsIndex, group_size: SupportsIndex, comm_quant_mode: SupportsIndex,
        out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Quantised product, dequantised and summed over all ranks of a group.

        aclnnQuantMatmulAllReduceV5 of aclnnop/aclnn_quant_matmul_all_reduce_v5.h."""

class _QuantMatmulAlltoAll(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None, *,
        x1_scale: Tensor | None, x2_scale: Tensor | None, comm_scale_optional: Tensor | None = None,
        x1_offset_optional: Tensor | None = None, x2_offset_optional: Tensor | None = None,
        allto_all_axes_optional: _Ints | None = None, group: _Group | None,
        x1_quant_mode: SupportsIndex, x2_quant_mode: SupportsIndex, comm_quant_mode: SupportsIndex,
        comm_quant_dtype: SupportsIndex, group_size: SupportsIndex, transpose_x1: bool,
        transpose_x2: bool, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Quantised product, then an exchange of blocks between all ranks of a group.

        aclnnQuantMatmulAlltoAll of aclnnop/aclnn_quant_matmul_allto_all.h."""

class _QuantMatmulAlltoAllV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias_optional: Tensor | None = None, *,
        x1_scale: Tensor | None, x2_scale: Tensor | None, comm_scale_optional: Tensor | None = None,
        x1_offset_optional: Tensor | None = None, x2_offset_optional: Tensor | None = None,
        allto_all_axes_optional: _Ints | None = None, group: _Group | None, comm_mode: str | None,
        x1_quant_mode: SupportsIndex, x2_quant_mode: SupportsIndex, comm_quant_mode: SupportsIndex,
        comm_quant_dtype: SupportsIndex, group_size: SupportsIndex, transpose_x1: bool,
        transpose_x2: bool, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Quantised product, then an exchange of blocks between all ranks of a group.

        aclnnQuantMatmulAlltoAllV2 of aclnnop/aclnn_quant_matmul_allto_all_v2.h."""

class _QuantMatmulDequant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, weight_scale: Tensor | None,
        bias_optional: Tensor | None = None, x_scale_optional: Tensor | None = None,
        x_offset_optional: Tensor | None = None, smooth_scale_optional: Tensor | None = None, *,
        x_quant_mode: str | None, transpose_weight: bool, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Quantises x, multiplies it by a quantised matrix and restores the result.

        aclnnQuantMatmulDequant of aclnnop/aclnn_quant_matmul_dequant.h."""

class _QuantMatmulReduceSumWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, y_scale: Tensor | None = None, x1_offset: Tensor | None = None,
        x2_offset: Tensor | None = None, y_offset: Tensor | None = None, bias: Tensor | None = None,
        transpose_x1: bool = False, transpose_x2: bool = False, group_size: SupportsIndex = -1, *,
        dims: _Ints | None, keep_dims: bool = False, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Products of a batch of int8 matrices, restored and added up; the right ones in the NZ
        layout.

        aclnnQuantMatmulReduceSumWeightNz of aclnnop/aclnn_quant_matmul_reduce_sum.h; since
        CANN 9.0."""

class _QuantMatmulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, deq_scale: Tensor | None,
        adj_x1: bool, adj_x2: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale.

        aclnnQuantMatmulV2 of aclnnop/aclnn_quant_matmul.h."""

class _QuantMatmulV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale: Tensor | None,
        offset: Tensor | None = None, bias: Tensor | None = None, transpose_x1: bool = False,
        transpose_x2: bool = False, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale.

        aclnnQuantMatmulV3 of aclnnop/aclnn_quant_matmul_v3.h."""

class _QuantMatmulV4(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, scale: Tensor | None,
        offset: Tensor | None = None, pertoken_scale_optional: Tensor | None = None,
        bias: Tensor | None = None, transpose_x1: bool = False, transpose_x2: bool = False, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale.

        aclnnQuantMatmulV4 of aclnnop/aclnn_quant_matmul_v4.h."""

class _QuantMatmulV5(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale: Tensor | None = None, *,
        x2_scale: Tensor | None, y_scale: Tensor | None = None, x1_offset: Tensor | None = None,
        x2_offset: Tensor | None = None, y_offset: Tensor | None = None, bias: Tensor | None = None,
        transpose_x1: bool = False, transpose_x2: bool = False, group_size: SupportsIndex = -1,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale.

        aclnnQuantMatmulV5 of aclnnop/aclnn_quant_matmul_v5.h; since CANN 9.0."""

class _QuantMatmulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, x1_scale: Tensor | None = None, *,
        x2_scale: Tensor | None, y_scale: Tensor | None = None, x1_offset: Tensor | None = None,
        x2_offset: Tensor | None = None, y_offset: Tensor | None = None, bias: Tensor | None = None,
        transpose_x1: bool = False, transpose_x2: bool = False, group_size: SupportsIndex = 0,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product of int8 matrices, restored by a scale.

        aclnnQuantMatmulWeightNz of aclnnop/aclnn_quant_matmul_weight_nz.h."""

class _QuantMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, round_mode: str | None,
        dst_type: SupportsIndex, *, out: _Outputs | None = None, y: _Output = None,
        amax: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Quantises with a given scale; also stores the largest magnitude.

        aclnnQuantMax of aclnnop/aclnn_quant_max.h; since CANN 9.0."""

class _QuantReduceScatter(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scales: Tensor | None, group: _Group | None, reduce_op: str | None,
        *, out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Sum over all ranks of a group of quantised values, of which each keeps its part.

        aclnnQuantReduceScatter of aclnnop/aclnn_quant_reduce_scatter.h."""

class _Quantize(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scales: Tensor | None, zero_points: Tensor | None = None, *,
        dtype: DTypeLike, axis: SupportsIndex = 1, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = round(x / scale + zeroPoint), along an axis.

        aclnnQuantize of aclnnop/aclnn_quantize.h."""

class _QuantizedBatchNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, mean: Tensor | None, var: Tensor | None,
        input_scale: _Scalar | None, input_zero_point: _Scalar | None, output_scale: _Scalar | None,
        output_zero_point: _Scalar | None, weight: Tensor | None = None, bias: Tensor | None = None,
        *, epsilon: SupportsFloat, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Batch normalisation of quantised numbers.

        aclnnQuantizedBatchNorm of aclnnop/aclnn_quantized_batch_norm.h; since CANN 9.0."""

class _RReluWithNoise(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, noise: Tensor | None, lower: _Scalar | None,
        upper: _Scalar | None, training: bool, seed: SupportsIndex, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self where it is positive, and a random slope between lower and upper times self
        elsewhere; noise keeps the slopes.

        aclnnRReluWithNoise of aclnnop/aclnn_rrelu_with_noise.h."""

class _RainFusionAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        select_idx: Tensor | None, select_num_idx: Tensor | None, block_shape: _Ints | None,
        atten_mask_optional: Tensor | None = None, actual_seq_lengths_optional: _Ints | None = None,
        actual_seq_lengths_kv_optional: _Ints | None = None,
        block_table_optional: Tensor | None = None, *, q_input_layout: str | None,
        kv_input_layout: str | None, num_key_value_heads: SupportsIndex, mask_type: SupportsIndex,
        scale_value: SupportsFloat, inner_precise: SupportsIndex, block_size: SupportsIndex,
        out: _Outputs | None = None, attention_out: _Output = None,
        softmax_lse_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Attention over selected blocks of keys, with one count of blocks for each block of
        queries.

        aclnnRainFusionAttention of aclnnop/aclnn_rain_fusion_attention.h."""

class _Randperm(Operator):
    def __call__(  # type: ignore[override]
        op, /, n: SupportsIndex, seed: SupportsIndex, offset: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = the numbers 0 to n - 1 in random order.

        aclnnRandperm of aclnnop/aclnn_randperm.h."""

class _Range(Operator):
    def __call__(  # type: ignore[override]
        op, /, start: _Scalar | None, end: _Scalar | None, step: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = start, start + step, ... up to and including end.

        aclnnRange of aclnnop/aclnn_range.h."""

class _Rasterizer(Operator):
    def __call__(  # type: ignore[override]
        op, /, v: Tensor | None, f: Tensor | None, d_optional: Tensor | None = None, *,
        width: SupportsIndex, height: SupportsIndex, occlusion_truncation: SupportsFloat,
        use_depth_prior: SupportsIndex, out: _Outputs | None = None, findices_out: _Output = None,
        barycentric_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Finds for each pixel the triangle in front, and the barycentric coordinates in it.

        aclnnRasterizer of aclnnop/aclnn_rasterizer.h; since CANN 9.0."""

class _Real(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = real parts of complex numbers.

        aclnnReal of aclnnop/aclnn_real.h."""

class _Reciprocal(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1 / self.

        aclnnReciprocal of aclnnop/aclnn_reciprocal.h."""

class _RecurrentGatedDeltaRule(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None, beta: Tensor | None,
        state_ref: Tensor | None, actual_seq_lengths: Tensor | None,
        ssm_state_indices: Tensor | None, g: Tensor | None, gk: Tensor | None,
        num_accepted_tokens: Tensor | None, scale_value: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """One step of linear attention for each token: the state of a head fades by the gate,
        takes in the value where it differs from what the key recalls, and is read by the
        query.

        aclnnRecurrentGatedDeltaRule of aclnnop/aclnn_recurrent_gated_delta_rule.h."""

class _ReduceLogSum(Operator):
    def __call__(  # type: ignore[override]
        op, /, data: Tensor | None, axes: _Ints | None, keep_dims: bool, noop_with_empty_axes: bool,
        *, out: Tensor | None = None, reduce: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """reduce = log(sum of data over axes).

        aclnnReduceLogSum of aclnnop/aclnn_reduce_log_sum.h."""

class _ReduceNansum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None, keep_dim: bool, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sum over dim of the elements that are not NaN.

        aclnnReduceNansum of aclnnop/aclnn_reduce_nansum.h."""

class _ReduceSum(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dims: _Ints | None, keep_dims: bool, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sum over dims.

        aclnnReduceSum of aclnnop/aclnn_reduce_sum.h."""

class _ReflectionPad1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads one dimension with the elements mirrored at its borders.

        aclnnReflectionPad1d of aclnnop/aclnn_reflection_pad1d.h."""

class _ReflectionPad1dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements mirrored at the borders.

        aclnnReflectionPad1dBackward of aclnnop/aclnn_reflection_pad1d_backward.h."""

class _ReflectionPad2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads two dimensions with the elements mirrored at their borders.

        aclnnReflectionPad2d of aclnnop/aclnn_reflection_pad2d.h."""

class _ReflectionPad2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements mirrored at the borders.

        aclnnReflectionPad2dBackward of aclnnop/aclnn_pad2d_backward.h."""

class _ReflectionPad3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads three dimensions with the elements mirrored at their borders.

        aclnnReflectionPad3d of aclnnop/aclnn_reflection_pad3d.h."""

class _ReflectionPad3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements mirrored at the borders.

        aclnnReflectionPad3dBackward of aclnnop/aclnn_reflection_pad3d_backward.h."""

class _Relu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self where it is positive, and 0 elsewhere.

        aclnnRelu of aclnnop/aclnn_relu.h."""

class _RemainderScalarTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: _Scalar | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = remainder of self / other with the sign of other, where self is a scalar.

        aclnnRemainderScalarTensor of aclnnop/aclnn_remainder.h."""

class _RemainderTensorScalar(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = remainder of self / other with the sign of other, where other is a scalar.

        aclnnRemainderTensorScalar of aclnnop/aclnn_remainder.h."""

class _RemainderTensorTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = remainder of self / other with the sign of other.

        aclnnRemainderTensorTensor of aclnnop/aclnn_remainder.h."""

class _Renorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, p: _Scalar | None, dim: SupportsIndex, max_norm: _Scalar | None,
        *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with its slices along dim scaled down to a p-norm of maxNorm.

        aclnnRenorm of aclnnop/aclnn_renorm.h."""

class _Repeat(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, repeats: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self repeated along each dimension.

        aclnnRepeat of aclnnop/aclnn_repeat.h."""

class _RepeatInterleave(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, repeats: Tensor | None, output_size: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = each element of self repeated as often as repeats says.

        aclnnRepeatInterleave of aclnnop/aclnn_repeat_interleave.h."""

class _RepeatInterleaveGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, y_grad: Tensor | None, repeats: Tensor | None, axis: SupportsIndex = -1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of repeating elements: the sums of the repetitions.

        aclnnRepeatInterleaveGrad of aclnnop/aclnn_repeat_interleave_grad.h; since CANN 9.0."""

class _RepeatInterleaveInt(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, repeats: SupportsIndex, output_size: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = each element of self repeated as often as a number says.

        aclnnRepeatInterleaveInt of aclnnop/aclnn_repeat_interleave.h."""

class _RepeatInterleaveIntWithDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, repeats: SupportsIndex, dim: SupportsIndex,
        output_size: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = each slice of self along dim repeated as often as a number says.

        aclnnRepeatInterleaveIntWithDim of aclnnop/aclnn_repeat_interleave.h."""

class _RepeatInterleaveTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, repeats: Tensor | None, output_size: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = each index repeated as often as its element says.

        aclnnRepeatInterleaveTensor of aclnnop/aclnn_repeat_interleave.h."""

class _RepeatInterleaveWithDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, repeats: Tensor | None, dim: SupportsIndex,
        output_size: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = each slice of self along dim repeated as often as repeats says.

        aclnnRepeatInterleaveWithDim of aclnnop/aclnn_repeat_interleave.h."""

class _ReplicationPad1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads one dimension with the nearest element of its border.

        aclnnReplicationPad1d of aclnnop/aclnn_replication_pad1d.h."""

class _ReplicationPad1dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements of the nearest border.

        aclnnReplicationPad1dBackward of aclnnop/aclnn_replication_pad1d_backward.h."""

class _ReplicationPad2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads two dimensions with the nearest element of their borders.

        aclnnReplicationPad2d of aclnnop/aclnn_replication_pad2d.h."""

class _ReplicationPad2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements of the nearest border.

        aclnnReplicationPad2dBackward of aclnnop/aclnn_pad2d_backward.h."""

class _ReplicationPad3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, padding: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Pads three dimensions with the nearest element of their borders.

        aclnnReplicationPad3d of aclnnop/aclnn_replication_pad3d.h."""

class _ReplicationPad3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, padding: _Ints | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: the sum of gradOutput over all places of the padded tensor that hold a copy
        of the element; the padding has the elements of the nearest border.

        aclnnReplicationPad3dBackward of aclnnop/aclnn_replication_pad3d_backward.h."""

class _Resize(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, scales: _Floats | None, mode: str | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes images by interpolation.

        aclnnResize of aclnnop/aclnn_resize.h."""

class _Rfft1D(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, n: SupportsIndex, dim: SupportsIndex, norm: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """One-dimensional Fourier transform of real numbers; only the non-negative frequencies
        are stored.

        aclRfft1D of aclnnop/acl_rfft1d.h."""

class _RightShift(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, shift_bits: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self shifted right by shiftBits.

        aclnnRightShift of aclnnop/aclnn_right_shift.h; since CANN 9.0."""

class _RingAttentionUpdate(Operator):
    def __call__(  # type: ignore[override]
        op, /, prev_attn_out: Tensor | None, prev_softmax_max: Tensor | None,
        prev_softmax_sum: Tensor | None, cur_attn_out: Tensor | None,
        cur_softmax_max: Tensor | None, cur_softmax_sum: Tensor | None,
        actual_seq_qlen_optional: Tensor | None = None, input_layout_optional: str | None = None, *,
        out: _Outputs | None = None, attn_out_out: _Output = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Joins the attention results of two parts of the keys by their maxima and sums.

        aclnnRingAttentionUpdate of aclnnop/aclnn_ring_attention_update.h; only in CANN 8.1."""

class _RingAttentionUpdateV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, prev_attn_out: Tensor | None, prev_softmax_max: Tensor | None,
        prev_softmax_sum: Tensor | None, cur_attn_out: Tensor | None,
        cur_softmax_max: Tensor | None, cur_softmax_sum: Tensor | None,
        actual_seq_qlen_optional: Tensor | None = None, input_layout_optional: str | None = None,
        input_softmax_layout_optional: str | None = None, *, out: _Outputs | None = None,
        attn_out_out: _Output = None, softmax_max_out: _Output = None,
        softmax_sum_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """aclnnRingAttentionUpdate for sequences of different lengths in either layout of the
        statistics.

        aclnnRingAttentionUpdateV2 of aclnnop/aclnn_ring_attention_update.h; since CANN 9.0."""

class _RmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, epsilon: SupportsFloat = 1e-06, *,
        out: _Outputs | None = None, y_out: _Output = None, rstd_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """yOut = x / root mean square of x * gamma; also stores the reciprocal root mean square.

        aclnnRmsNorm of aclnnop/aclnn_rms_norm.h."""

class _RmsNormDynamicMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, beta: Tensor | None = None, *,
        epsilon: SupportsFloat, scale_alg: SupportsIndex, round_mode: str | None,
        dst_type: SupportsIndex, output_rstd: bool, out: _Outputs | None = None,
        y_out: _Output = None, mxscale_out: _Output = None, rstd_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """RMS normalisation, quantised to a microscaling format.

        aclnnRmsNormDynamicMxQuant of aclnnop/aclnn_rms_norm_dynamic_mx_quant.h; since CANN
        9.0."""

class _RmsNormDynamicQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, smooth_scales_optional: Tensor | None = None,
        beta_optional: Tensor | None = None, *, epsilon: SupportsFloat, dst_type: SupportsIndex,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """RMS normalisation, quantised with a scale computed for each row.

        aclnnRmsNormDynamicQuant of aclnnop/aclnn_rms_norm_dynamic_quant.h; since CANN 9.0."""

class _RmsNormGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, dy: Tensor | None, x: Tensor | None, rstd: Tensor | None, gamma: Tensor | None, *,
        out: _Outputs | None = None, dx_out: _Output = None, dgamma_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """With g = dy * gamma and xhat = x * rstd: dxOut = rstd * (g - xhat * mean(g * xhat)),
        dgammaOut = sum(dy * xhat).

        aclnnRmsNormGrad of aclnnop/aclnn_rms_norm_grad.h."""

class _RmsNormGradQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, dy: Tensor | None, x: Tensor | None, rstd: Tensor | None, gamma: Tensor | None,
        scales_x: Tensor | None, offset_x_optional: Tensor | None = None, *, quant_mode: str | None,
        div_mode: bool, out: _Outputs | None = None, dx_out: _Output = None,
        dgamma_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of the RMS normalisation, the first one quantised.

        aclnnRmsNormGradQuant of aclnnop/aclnn_rms_norm_grad_quant.h; since CANN 9.0."""

class _RmsNormQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, beta: Tensor | None, scale: Tensor | None,
        offset: Tensor | None, epsilon: SupportsFloat, *, out: Tensor | None = None,
        y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """RMS normalisation, quantised with a given scale and offset.

        aclnnRmsNormQuant of aclnnop/aclnn_rms_norm_quant.h; since CANN 9.0."""

class _RmsNormQuantV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, scale: Tensor | None, offset: Tensor | None,
        beta: Tensor | None, epsilon: SupportsFloat, div_mode: bool, output_rstd: bool, *,
        out: _Outputs | None = None, y: _Output = None, rstd: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """RMS normalisation, quantised with a given scale and offset.

        aclnnRmsNormQuantV3 of aclnnop/aclnn_rms_norm_quant_v3.h; since CANN 9.0."""

class _RoiAlign(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, rois: Tensor | None, batch_indices: Tensor | None,
        mode: str | None, output_height: SupportsIndex, output_width: SupportsIndex,
        sampling_ratio: SupportsIndex, spatial_scale: SupportsFloat, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Mean of interpolated points in each bin of each box.

        aclnnRoiAlign of aclnnop/aclnn_roi_align.h."""

class _RoiAlignV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, boxes: Tensor | None, pooled_height: SupportsIndex,
        pooled_width: SupportsIndex, spatial_scale: SupportsFloat, sampling_ratio: SupportsIndex,
        aligned: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Mean of interpolated points in each bin of each box.

        aclnnRoiAlignV2 of aclnnop/aclnn_roi_align_v2.h."""

class _RoiAlignV2Backward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, boxes: Tensor | None, input_shape: _Ints | None,
        pooled_height: SupportsIndex, pooled_width: SupportsIndex, spatial_scale: SupportsFloat,
        sampling_ratio: SupportsIndex, aligned: bool, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each gradient is divided by the number of its sampling points and spread
        over the four elements around each, with the bilinear weights.

        aclnnRoiAlignV2Backward of aclnnop/aclnn_roi_align_v2_backward.h."""

class _RoiPoolingGradWithArgMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, grad_input_ref: Tensor | None, rois: Tensor | None,
        argmax: Tensor | None, pooled_h: SupportsIndex, pooled_w: SupportsIndex,
        spatial_scale: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of the maximum in each bin of each box.

        aclnnRoiPoolingGradWithArgMax of aclnnop/aclnn_roi_pooling_grad_with_arg_max.h; since
        CANN 9.0."""

class _RoiPoolingWithArgMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, rois: Tensor | None, pooled_h: SupportsIndex,
        pooled_w: SupportsIndex, spatial_scale_h: SupportsFloat, spatial_scale_w: SupportsFloat, *,
        out: _Outputs | None = None, y: _Output = None, argmax: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Maximum in each bin of each box, and its place.

        aclnnRoiPoolingWithArgMax of aclnnop/aclnn_roi_pooling_with_arg_max.h; since CANN 9.0."""

class _Roll(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, shifts: _Ints | None, dims: _Ints | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with its elements moved along dimensions, those pushed out coming in again.

        aclnnRoll of aclnnop/aclnn_roll.h."""

class _RopeWithSinCosCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, positions: Tensor | None, query_in: Tensor | None, key_in: Tensor | None,
        cos_sin_cache: Tensor | None, mrope_section: _Ints | None, head_size: SupportsIndex,
        is_neox_style: bool = True, *, out: _Outputs | None = None, query_out: _Output = None,
        key_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Rotates query and key by the angles of their positions, taken from a table.

        aclnnRopeWithSinCosCache of aclnnop/aclnn_rope_with_sin_cos_cache.h."""

class _RopeWithSinCosCacheV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, positions: Tensor | None, query_in: Tensor | None, key_in: Tensor | None,
        cos_sin_cache: Tensor | None, mrope_section: _Ints | None, head_size: SupportsIndex,
        is_neox_style: bool, cache_mode: SupportsIndex, *, out: _Outputs | None = None,
        query_out: _Output = None, key_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Rotary embedding of queries and keys by positions into a table of cosines and sines.

        aclnnRopeWithSinCosCacheV2 of aclnnop/aclnn_rope_with_sin_cos_cache_v2.h."""

class _RotaryPositionEmbedding(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, cos: Tensor | None, sin: Tensor | None, mode: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = x rotated by the angles of its positions: x * cos + rotated x * sin.

        aclnnRotaryPositionEmbedding of aclnnop/aclnn_rotary_position_embedding.h; since CANN
        9.0."""

class _RotaryPositionEmbeddingGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, dy: Tensor | None, cos: Tensor | None, sin: Tensor | None,
        x_optional: Tensor | None = None, mode: SupportsIndex = 0, *, out: _Outputs | None = None,
        dx_out: _Output = None, dcos_out: _Output = None, dsin_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gradients of the rotation by positions.

        aclnnRotaryPositionEmbeddingGrad of aclnnop/aclnn_rotary_position_embedding_grad.h;
        since CANN 9.0."""

class _RotaryPositionEmbeddingV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, cos: Tensor | None, sin: Tensor | None, mode: SupportsIndex,
        rotate: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Rotary position embedding, with a matrix that turns the input where it is given.

        aclnnRotaryPositionEmbeddingV2 of aclnnop/aclnn_rotary_position_embedding_v2.h."""

class _RotateQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, rotation: Tensor | None, alpha: Tensor | None, axis: SupportsIndex,
        round_mode: str | None, scale_alg: SupportsIndex, dst_type_max: SupportsFloat, trans: bool,
        *, out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Multiplies x by a rotation and quantises the result.

        aclnnRotateQuant of aclnnop/aclnn_rotate_quant.h; since CANN 9.0."""

class _Round(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = nearest integers, even ones from the middle.

        aclnnRound of aclnnop/aclnn_round.h."""

class _RoundDecimals(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, decimals: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = nearest numbers with decimals digits after the point.

        aclnnRoundDecimals of aclnnop/aclnn_round.h."""

class _Rsqrt(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1 / square root of self.

        aclnnRsqrt of aclnnop/aclnn_rsqrt.h."""

class _Rsub(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = other - alpha * self.

        aclnnRsub of aclnnop/aclnn_rsub.h."""

class _Rsubs(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = other - alpha * self, where other is a scalar.

        aclnnRsubs of aclnnop/aclnn_rsub.h."""

class _SWhere(Operator):
    def __call__(  # type: ignore[override]
        op, /, condition: Tensor | None, self: Tensor | None, other: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self where condition is true, and other elsewhere.

        aclnnSWhere of aclnnop/aclnn_s_where.h."""

class _Scale(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, scale: Tensor | None, bias: Tensor | None = None, *,
        axis: SupportsIndex, num_axes: SupportsIndex, scale_from_blob: bool,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """y = x * scale + bias, along some dimensions.

        aclnnScale of aclnnop/aclnn_scale.h."""

class _ScaledMaskedSoftmax(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, mask: Tensor | None, scale: SupportsFloat = 1.0,
        fixed_triu_mask: bool = False, *, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """y = softmax of scale * x where mask is not set.

        aclnnScaledMaskedSoftmax of aclnnop/aclnn_scaled_masked_softmax.h."""

class _ScaledMaskedSoftmaxBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, y: Tensor | None, mask: Tensor | None,
        scale: SupportsFloat = 1.0, *, fix_triu_mask: bool, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = scale * y * (gradOutput - sum(gradOutput * y over the last dimension)), and 0
        where mask is set.

        aclnnScaledMaskedSoftmaxBackward of aclnnop/aclnn_scaled_masked_softmax_backward.h."""

class _Scatter(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, src: Tensor | None,
        reduce: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with src written, added or multiplied at the places that index names along
        dim.

        aclnnScatter of aclnnop/aclnn_scatter.h."""

class _ScatterAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, src: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with src added at the places that index names along dim.

        aclnnScatterAdd of aclnnop/aclnn_scatter_add.h."""

class _ScatterDiv(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        use_locking: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Divides slices of varRef by updates, in place.

        aclnnScatterDiv of aclnnop/aclnn_scatter_div.h; since CANN 9.0."""

class _ScatterList(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: _Tensors | None, indice: Tensor | None, updates: Tensor | None,
        mask_optional: Tensor | None = None, reduce_optional: str | None = "update",
        axis: SupportsIndex = -2, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Writes updates into tensors of a list, each at its own place, in place.

        aclnnScatterList of aclnnop/aclnn_scatter_list.h; since CANN 9.0."""

class _ScatterMax(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        use_locking: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Slices of varRef become the larger of themselves and updates, in place.

        aclnnScatterMax of aclnnop/aclnn_scatter_max.h; since CANN 9.0."""

class _ScatterMin(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        use_locking: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Slices of varRef become the smaller of themselves and updates, in place.

        aclnnScatterMin of aclnnop/aclnn_scatter_min.h; since CANN 9.0."""

class _ScatterMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None,
        use_locking: bool, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Multiplies slices of varRef by updates, in place.

        aclnnScatterMul of aclnnop/aclnn_scatter_mul.h; since CANN 9.0."""

class _ScatterNd(Operator):
    def __call__(  # type: ignore[override]
        op, /, data: Tensor | None, indices: Tensor | None, updates: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = data with updates at the leading indices that indices lists.

        aclnnScatterNd of aclnnop/aclnn_scatter_nd.h."""

class _ScatterNdUpdate(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Writes updates at the leading indices that indices lists, in place.

        aclnnScatterNdUpdate of aclnnop/aclnn_scatter_nd_update.h."""

class _ScatterPaCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, key: Tensor | None, key_cache_ref: Tensor | None, slot_mapping: Tensor | None,
        compress_lens_optional: Tensor | None = None,
        compress_seq_offset_optional: Tensor | None = None, seq_lens_optional: Tensor | None = None,
        *, cache_mode: str | None, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Stores keys in a cache in pages, at the slots that are given.

        aclnnScatterPaCache of aclnnop/aclnn_scatter_pa_cache.h."""

class _ScatterPaKvCache(Operator):
    def __call__(  # type: ignore[override]
        op, /, key: Tensor | None, key_cache_ref: Tensor | None, slot_mapping: Tensor | None,
        value: Tensor | None, value_cache_ref: Tensor | None,
        compress_lens_optional: Tensor | None = None,
        compress_seq_offset_optional: Tensor | None = None, seq_lens_optional: Tensor | None = None,
        cache_mode_optional: str | None = None, scatter_mode_optional: str | None = None,
        strides_optional: _Ints | None = None, offsets_optional: _Ints | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Stores keys and values in caches in pages, at the slots that are given, compressed
        forms included.

        aclnnScatterPaKvCache of aclnnop/aclnn_scatter_pa_kv_cache.h."""

class _ScatterReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, src: Tensor | None,
        reduce: SupportsIndex, include_self: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self with src reduced into the places that index names along dim.

        aclnnScatterReduce of aclnnop/aclnn_scatter_reduce.h; since CANN 9.0."""

class _ScatterValue(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, index: Tensor | None, value: _Scalar | None,
        reduce: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self with a value written at the places that index names along dim.

        aclnnScatterValue of aclnnop/aclnn_scatter.h."""

class _SearchSorted(Operator):
    def __call__(  # type: ignore[override]
        op, /, sorted_sequence: Tensor | None, self: Tensor | None, out_int32: bool,
        right: bool = False, sorter: Tensor | None = None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = places at which to insert elements into sorted rows.

        aclnnSearchSorted of aclnnop/aclnn_searchsorted.h."""

class _SearchSorteds(Operator):
    def __call__(  # type: ignore[override]
        op, /, sorted_sequence: Tensor | None, self: _Scalar | None, out_int32: bool,
        right: bool = False, sorter: Tensor | None = None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = place at which to insert a scalar into a sorted row.

        aclnnSearchSorteds of aclnnop/aclnn_searchsorted.h."""

class _Selu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1.0507 * self where it is positive, and 1.7581 * (exp(self) - 1) elsewhere.

        aclnnSelu of aclnnop/aclnn_selu.h."""

class _SeluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, result: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * scale where result >= 0, and gradOutput * (result + scale *
        alpha) elsewhere, with scale = 1.0507009873554805 and alpha = 1.6732632423543772.

        aclnnSeluBackward of aclnnop/aclnn_selu_backward.h."""

class _Shrink(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, lambd: _Scalar | None, bias: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self + bias below -lambd, self - bias above lambd, and 0 between.

        aclnnShrink of aclnnop/aclnn_shrink.h."""

class _Sigmoid(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = 1 / (1 + exp(-self)).

        aclnnSigmoid of aclnnop/aclnn_sigmoid.h."""

class _SigmoidBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * output * (1 - output).

        aclnnSigmoidBackward of aclnnop/aclnn_sigmoid_backward.h."""

class _Sign(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, result: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """result = -1, 0 or 1.

        aclnnSign of aclnnop/aclnn_sign.h."""

class _SignBitsPack(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, size: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Packs the signs of eight numbers into a byte.

        aclnnSignBitsPack of aclnnop/aclnn_sign_bits_pack.h."""

class _SignBitsUnpack(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, size: SupportsIndex, dtype: DTypeLike, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Restores -1 and 1 from packed signs.

        aclnnSignBitsUnpack of aclnnop/aclnn_sign_bits_unpack.h."""

class _Signbit(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = whether the sign bit is set.

        aclnnSignbit of aclnnop/aclnn_signbit.h."""

class _SilentCheck(Operator):
    def __call__(  # type: ignore[override]
        op, /, val: Tensor | None, input_grad_ref: Tensor | None, sfda_ref: Tensor | None,
        step_ref: Tensor | None, c_min_steps: SupportsIndex, c_thresh_l1: SupportsFloat,
        c_coeff_l1: SupportsFloat, c_thresh_l2: SupportsFloat, c_coeff_l2: SupportsFloat,
        npu_asd_detect: SupportsIndex, *, out: Tensor | None = None, result: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Watches a gradient's norm for jumps that a hardware fault would cause, in place.

        aclnnSilentCheck of aclnnop/aclnn_silent_check.h."""

class _SilentCheckV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, val: Tensor | None, max: Tensor | None, avg_ref: Tensor | None,
        input_grad_ref: Tensor | None, step_ref: Tensor | None, dst_size: _Ints | None,
        dst_stride: _Ints | None, dst_offset: _Ints | None, c_thresh_l1: SupportsFloat,
        c_thresh_l2: SupportsFloat, beta1: SupportsFloat, npu_asd_detect: SupportsIndex, *,
        out: Tensor | None = None, result: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Watches a gradient's norm for jumps that a hardware fault would cause, in place.

        aclnnSilentCheckV2 of aclnnop/aclnn_silent_check_v2.h."""

class _Silu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * sigmoid(self).

        aclnnSilu of aclnnop/aclnn_silu.h."""

class _SiluBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * s * (1 + self * (1 - s)), where s = sigmoid(self).

        aclnnSiluBackward of aclnnop/aclnn_silu_backward.h."""

class _SimThreadExponential(Operator):
    def __call__(  # type: ignore[override]
        op, /, self_ref: Tensor | None, count: SupportsIndex, lambd: SupportsFloat,
        seed: SupportsIndex, offset: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Fills selfRef with exponentially distributed random numbers.

        aclnnSimThreadExponential of aclnnop/aclnn_sim_thread_exponential.h; since CANN 9.0."""

class _Sin(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sine of the input.

        aclnnSin of aclnnop/aclnn_sin.h."""

class _Sinc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sin(pi * self) / (pi * self), and 1 at 0.

        aclnnSinc of aclnnop/aclnn_sinc.h."""

class _Sinh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = hyperbolic sine of the input.

        aclnnSinh of aclnnop/aclnn_sinh.h."""

class _Sinkhorn(Operator):
    def __call__(  # type: ignore[override]
        op, /, cost: Tensor | None, tol: _Scalar | None = None, *, out: Tensor | None = None,
        p: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """p = matrix scaled so that its rows and columns have equal sums.

        aclnnSinkhorn of aclnnop/aclnn_sinkhorn.h."""

class _SituGlu(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, dim: SupportsIndex, beta: SupportsFloat,
        linear_beta: SupportsFloat, activate_left: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The gated activation SiTU: one half of x, activated, times the other.

        aclnnSituGlu of aclnnop/aclnn_situ_glu.h; since CANN 9.0."""

class _SituGluGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, x: Tensor | None, dim: SupportsIndex, beta: SupportsFloat,
        linear_beta: SupportsFloat, activate_left: bool, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of the gated activation SiTU.

        aclnnSituGluGrad of aclnnop/aclnn_situ_glu_grad.h; since CANN 9.0."""

class _SituMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, beta: SupportsFloat = 1.0, linear_beta: SupportsFloat = 0.0,
        activate_left: bool = False, axis: SupportsIndex = -1, *, dst_type: SupportsIndex,
        round_mode_optional: str | None = "rint", out: _Outputs | None = None,
        y_out: _Output = None, y_scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The gated activation SiTU, quantised to a microscaling format.

        aclnnSituMxQuant of aclnnop/aclnn_situ_mx_quant.h; since CANN 9.0."""

class _Sleep(Operator):
    def __call__(  # type: ignore[override]
        op, /, cycles: _Ints | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> tuple[()]:
        """Keeps the stream busy for a number of cycles.

        aclnnSleep of aclnnop/aclnn_sleep.h; since CANN 9.0."""

class _Slice(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, start: SupportsIndex, end: SupportsIndex,
        step: SupportsIndex, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = the elements of one dimension from start to end with a step.

        aclnnSlice of aclnnop/aclnn_slice.h."""

class _SliceV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, starts: _Ints | None, ends: _Ints | None, axes: _Ints | None,
        steps: _Ints | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = the elements of one dimension from start to end with a step.

        aclnnSliceV2 of aclnnop/aclnn_slice_v2.h."""

class _Slogdet(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: _Outputs | None = None, sign_out: _Output = None,
        log_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Sign and logarithm of the magnitude of a determinant.

        aclnnSlogdet of aclnnop/aclnn_slogdet.h."""

class _SmoothL1Loss(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, beta: SupportsFloat,
        out: Tensor | None = None, result: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Half the squared difference below beta, and the difference above, reduced as asked
        for.

        aclnnSmoothL1Loss of aclnnop/aclnn_smooth_l1_loss.h."""

class _SmoothL1LossBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"] = 1, *, beta: SupportsFloat,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """With d = self - target: gradInput = gradOut * d / beta where |d| < beta, and gradOut *
        sign(d) elsewhere; divided by the number of elements for the mean.

        aclnnSmoothL1LossBackward of aclnnop/aclnn_smooth_l1_loss_backward.h."""

class _SoftMarginLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"], *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = log(1 + exp(-target * self)), reduced as asked for.

        aclnnSoftMarginLoss of aclnnop/aclnn_soft_margin_loss.h."""

class _SoftMarginLossBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, target: Tensor | None,
        reduction: SupportsIndex | Literal["none", "mean", "sum"], *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = -gradOutput * target * z / (1 + z), where z = exp(-target * self); divided by
        the number of elements for the mean.

        aclnnSoftMarginLossBackward of aclnnop/aclnn_soft_margin_loss_backward.h."""

class _Softmax(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = exp(self) / sum of exp(self) over dim.

        aclnnSoftmax of aclnnop/aclnn_softmax.h."""

class _SoftmaxBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output: Tensor | None, dim: SupportsIndex, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = output * (gradOutput - sum(gradOutput * output)), the sum taken over dimension
        dim, which is kept with length 1.

        aclnnSoftmaxBackward of aclnnop/aclnn_softmax_backward.h."""

class _SoftmaxCrossEntropyWithLogits(Operator):
    def __call__(  # type: ignore[override]
        op, /, features: Tensor | None, labels: Tensor | None, *, out: _Outputs | None = None,
        loss: _Output = None, backprop: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Cross entropy of logits with class probabilities, and its gradient.

        aclnnSoftmaxCrossEntropyWithLogits of
        aclnnop/aclnn_softmax_cross_entropy_with_logits.h; since CANN 9.0."""

class _Softplus(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, beta: _Scalar | None, threshold: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = log(1 + exp(beta * self)) / beta, and self above the threshold.

        aclnnSoftplus of aclnnop/aclnn_softplus.h."""

class _SoftplusBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, beta: _Scalar | None,
        threshold: _Scalar | None, *, out: Tensor | None = None, grad_input: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * z / (1 + z), where z = exp(beta * self), and gradOutput where
        beta * self > threshold.

        aclnnSoftplusBackward of aclnnop/aclnn_softplus_backward.h."""

class _Softshrink(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, lambd: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self moved towards zero by lambd, and 0 between.

        aclnnSoftshrink of aclnnop/aclnn_softshrink.h."""

class _SoftshrinkBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, lambd: _Scalar | None, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput where |self| > lambda, and 0 elsewhere.

        aclnnSoftshrinkBackward of aclnnop/aclnn_softshrink_backward.h."""

class _Sort(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, stable: bool, dim: SupportsIndex, descending: bool = False, *,
        out: _Outputs | None = None, values_out: _Output = None, indices_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The elements in order along dim, and where they were.

        aclnnSort of aclnnop/aclnn_sort.h."""

class _Sparse4to2QuantMatmulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, sparse_weight: Tensor | None, index: Tensor | None,
        x_scale: Tensor | None, sparse_weight_scale: Tensor | None,
        bias_optional: Tensor | None = None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Quantised product with a weight of which two in four elements are stored, in the NZ
        layout.

        aclnnSparse4to2QuantMatmulWeightNz of
        aclnnop/aclnn_sparse4to2quant_matmul_weight_nz.h; since CANN 9.0."""

class _SparseFlashAttention(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        sparse_indices: Tensor | None, block_table_optional: Tensor | None = None,
        actual_seq_lengths_query_optional: Tensor | None = None,
        actual_seq_lengths_kv_optional: Tensor | None = None,
        query_rope_optional: Tensor | None = None, key_rope_optional: Tensor | None = None, *,
        scale_value: SupportsFloat, sparse_block_size_optional: SupportsIndex,
        layout_query_optional: str | None = None, layout_kv_optional: str | None = None,
        sparse_mode: SupportsIndex, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        attention_mode: SupportsIndex, return_softmax_lse: bool, out: _Outputs | None = None,
        attention_out: _Output = None, softmax_max: _Output = None, softmax_sum: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Attention over the keys that indices select for each query.

        aclnnSparseFlashAttention of aclnnop/aclnn_sparse_flash_attention.h."""

class _SparseFlashAttentionGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        sparse_indices: Tensor | None, d_out: Tensor | None, out_: Tensor | None,
        softmax_max: Tensor | None, softmax_sum: Tensor | None,
        actual_seq_lengths_query_optional: Tensor | None = None,
        actual_seq_lengths_kv_optional: Tensor | None = None,
        query_rope_optional: Tensor | None = None, key_rope_optional: Tensor | None = None, *,
        scale_value: SupportsFloat, sparse_block_size: SupportsIndex,
        layout_optional: str | None = None, sparse_mode: SupportsIndex, pre_tokens: SupportsIndex,
        next_tokens: SupportsIndex, deterministic: bool, out: _Outputs | None = None,
        d_query_out: _Output = None, d_key_out: _Output = None, d_value_out: _Output = None,
        d_query_rope_out_optional: _Output = None, d_key_rope_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of SparseFlashAttention.

        aclnnSparseFlashAttentionGrad of aclnnop/aclnn_sparse_flash_attention_grad.h."""

class _SparseFlashMla(Operator):
    def __call__(  # type: ignore[override]
        op, /, q: Tensor | None, ori_kv_optional: Tensor | None = None,
        cmp_kv_optional: Tensor | None = None, ori_sparse_indices_optional: Tensor | None = None,
        cmp_sparse_indices_optional: Tensor | None = None,
        ori_block_table_optional: Tensor | None = None,
        cmp_block_table_optional: Tensor | None = None, cu_seqlens_q_optional: Tensor | None = None,
        cu_seqlens_ori_kv_optional: Tensor | None = None,
        cu_seqlens_cmp_kv_optional: Tensor | None = None, seqused_q_optional: Tensor | None = None,
        seqused_ori_kv_optional: Tensor | None = None,
        seqused_cmp_kv_optional: Tensor | None = None,
        cmp_residual_kv_optional: Tensor | None = None,
        ori_topk_length_optional: Tensor | None = None,
        cmp_topk_length_optional: Tensor | None = None, sinks_optional: Tensor | None = None,
        metadata_optional: Tensor | None = None, *, softmax_scale: SupportsFloat,
        cmp_ratio: SupportsIndex, ori_mask_mode: SupportsIndex, cmp_mask_mode: SupportsIndex,
        ori_win_left: SupportsIndex, ori_win_right: SupportsIndex,
        layout_q_optional: str | None = None, layout_kv_optional: str | None = None,
        topk_value_mode: SupportsIndex, return_softmax_lse: bool, out: _Outputs | None = None,
        attn_out_out: _Output = None, softmax_lse_out_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Latent attention over keys of a window and those that indices select.

        aclnnSparseFlashMla of aclnnop/aclnn_sparse_flash_mla.h."""

class _SparseFlashMlaGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, d_out: Tensor | None, out_: Tensor | None, lse: Tensor | None,
        ori_kv_optional: Tensor | None = None, cmp_kv_optional: Tensor | None = None,
        ori_sparse_indices_optional: Tensor | None = None,
        cmp_sparse_indices_optional: Tensor | None = None,
        cu_seqlens_q_optional: Tensor | None = None,
        cu_seqlens_ori_kv_optional: Tensor | None = None,
        cu_seqlens_cmp_kv_optional: Tensor | None = None, seqused_q_optional: Tensor | None = None,
        seqused_ori_kv_optional: Tensor | None = None,
        seqused_cmp_kv_optional: Tensor | None = None,
        cmp_residual_kv_optional: Tensor | None = None,
        ori_topk_length_optional: Tensor | None = None,
        cmp_topk_length_optional: Tensor | None = None, sinks_optional: Tensor | None = None,
        metadata_optional: Tensor | None = None, *, scale_value: SupportsFloat,
        cmp_ratio: SupportsIndex, ori_mask_mode: SupportsIndex, cmp_mask_mode: SupportsIndex,
        ori_win_left: SupportsIndex, ori_win_right: SupportsIndex,
        layout_q_optional: str | None = None, layout_kv_optional: str | None = None,
        out: _Outputs | None = None, d_query_out: _Output = None,
        d_ori_kv_out_optional: _Output = None, d_cmp_kv_out_optional: _Output = None,
        d_sinks_out_optional: _Output = None, ori_softmax_l1_norm_optional: _Output = None,
        cmp_softmax_l1_norm_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The gradients of SparseFlashMla.

        aclnnSparseFlashMlaGrad of aclnnop/aclnn_sparse_flash_mla_grad.h."""

class _SparseFlashMlaMetadata(Operator):
    def __call__(  # type: ignore[override]
        op, /, cu_seqlens_q_optional: Tensor | None = None,
        cu_seqlens_ori_kv_optional: Tensor | None = None,
        cu_seqlens_cmp_kv_optional: Tensor | None = None, seqused_q_optional: Tensor | None = None,
        seqused_ori_kv_optional: Tensor | None = None,
        seqused_cmp_kv_optional: Tensor | None = None,
        cmp_residual_kv_optional: Tensor | None = None,
        ori_topk_length_optional: Tensor | None = None,
        cmp_topk_length_optional: Tensor | None = None, *, num_heads_q: SupportsIndex,
        num_heads_kv: SupportsIndex, head_dim: SupportsIndex, batch_size: SupportsIndex,
        max_seqlen_q: SupportsIndex, max_seqlen_ori_kv: SupportsIndex,
        max_seqlen_cmp_kv: SupportsIndex, ori_topk: SupportsIndex, cmp_topk: SupportsIndex,
        cmp_ratio: SupportsIndex, ori_mask_mode: SupportsIndex, cmp_mask_mode: SupportsIndex,
        ori_win_left: SupportsIndex, ori_win_right: SupportsIndex,
        layout_q_optional: str | None = None, layout_kv_optional: str | None = None,
        has_ori_kv: bool, has_cmp_kv: bool, out: Tensor | None = None, meta_data: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """How SparseFlashMla divides its work, from the lengths of the sequences.

        aclnnSparseFlashMlaMetadata of aclnnop/aclnn_sparse_flash_mla_metadata.h."""

class _SparseLightningIndexerGradKLLoss(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, query_index: Tensor | None,
        key_index: Tensor | None, weights: Tensor | None, sparse_indices: Tensor | None,
        softmax_max: Tensor | None, softmax_sum: Tensor | None, query_rope: Tensor | None,
        key_rope: Tensor | None, actual_seq_lengths_query: _Ints | None,
        actual_seq_lengths_key: _Ints | None, scale_value: SupportsFloat, layout: str | None,
        sparse_mode: SupportsIndex, pre_tokens: SupportsIndex, next_tokens: SupportsIndex,
        deterministic: bool, *, out: _Outputs | None = None, d_query_index: _Output = None,
        d_key_index: _Output = None, d_weights: _Output = None, loss: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of the indexer's divergence from attention over the keys it chose, and
        the loss.

        aclnnSparseLightningIndexerGradKLLoss of
        aclnnop/aclnn_sparse_lightning_indexer_grad_klloss.h."""

class _SparseLightningIndexerKLLossGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, q: Tensor | None, k: Tensor | None, w: Tensor | None, sparse_indices: Tensor | None,
        attn_softmax_l1_norm: Tensor | None, cu_seq_lens_q_optional: Tensor | None = None,
        cu_seq_lens_k_optional: Tensor | None = None, seq_used_q_optional: Tensor | None = None,
        seq_used_k_optional: Tensor | None = None, cmp_residual_k_optional: Tensor | None = None,
        metadata_optional: Tensor | None = None, *, layout_q: str | None, layout_k: str | None,
        mask_mode: SupportsIndex, cmp_ratio: SupportsIndex, out: _Outputs | None = None,
        dq: _Output = None, dk: _Output = None, dw: _Output = None, softmax_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gradients of the indexer's divergence over the keys it chose.

        aclnnSparseLightningIndexerKLLossGrad of
        aclnnop/aclnn_sparse_lightning_indexer_klloss_grad.h."""

class _SparseLightningIndexerKLLossGradMetadata(Operator):
    def __call__(  # type: ignore[override]
        op, /, cu_seq_lens_q_optional: Tensor | None = None,
        cu_seq_lens_k_optional: Tensor | None = None, seq_used_q_optional: Tensor | None = None,
        seq_used_k_optional: Tensor | None = None, cmp_residual_k_optional: Tensor | None = None, *,
        batch_size: SupportsIndex, max_seq_len_q: SupportsIndex, max_seq_len_k: SupportsIndex,
        num_heads_q: SupportsIndex, num_heads_k: SupportsIndex, head_dim: SupportsIndex,
        topk: SupportsIndex, layout_q: str | None, layout_k: str | None, mask_mode: SupportsIndex,
        cmp_ratio: SupportsIndex, out: Tensor | None = None, metadata: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """How SparseLightningIndexerKLLossGrad divides its work, from the lengths of the
        sequences.

        aclnnSparseLightningIndexerKLLossGradMetadata of
        aclnnop/aclnn_sparse_lightning_indexer_kl_loss_grad_metadata.h."""

class _SplitTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, split_sections: SupportsIndex, dim: SupportsIndex, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Splits a tensor along dim into parts of one length.

        aclnnSplitTensor of aclnnop/aclnn_split_tensor.h."""

class _SplitWithSize(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, split_size: _Ints | None, dim: SupportsIndex, *,
        out: _Tensors | None = None, stream: Stream | None = None,
    ) -> _Tensors:
        """Splits a tensor along dim into parts of given lengths.

        aclnnSplitWithSize of aclnnop/aclnn_split_with_size.h."""

class _Sqrt(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = square root of self.

        aclnnSqrt of aclnnop/aclnn_sqrt.h."""

class _Square(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self^2.

        aclnnSquare of aclnnop/aclnn_square.h; since CANN 9.0."""

class _SquaredRelu(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = relu(self)^2.

        aclnnSquaredRelu of aclnnop/aclnn_squared_relu.h; since CANN 9.0."""

class _Stack(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, dim: SupportsIndex, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = tensors joined along a new dimension.

        aclnnStack of aclnnop/aclnn_stack.h."""

class _Std(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None = None, *, correction: SupportsIndex,
        keepdim: bool = False, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = standard deviation over dim.

        aclnnStd of aclnnop/aclnn_std.h."""

class _StdMeanCorrection(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None = None, *, correction: SupportsIndex,
        keepdim: bool = False, out: _Outputs | None = None, std_out: _Output = None,
        mean_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Standard deviation and mean over dim.

        aclnnStdMeanCorrection of aclnnop/aclnn_std_mean_correction.h."""

class _Stft(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, window_optional: Tensor | None = None, *, n_fft: SupportsIndex,
        hop_length: SupportsIndex, win_length: SupportsIndex, normalized: bool = False,
        onesided: bool = True, return_complex: bool = True, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Short-time Fourier transform: the spectra of overlapping windows of a signal.

        aclStft of aclnnop/acl_stft.h."""

class _StridedSlice(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, begin: _Ints | None, end: _Ints | None, strides: _Ints | None,
        begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0,
        ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
        shrink_axis_mask: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = elements of several dimensions from begin to end with strides.

        aclnnStridedSlice of aclnnop/aclnn_strided_slice.h; since CANN 9.0."""

class _StridedSliceAssignV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, input_value: Tensor | None, begin: _Ints | None,
        end: _Ints | None, strides: _Ints | None, axes_optional: _Ints | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Writes a value to the elements from begin to end with strides, in place.

        aclnnStridedSliceAssignV2 of aclnnop/aclnn_strided_slice_assign_v2.h."""

class _Sub(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self - alpha * other.

        aclnnSub of aclnnop/aclnn_sub.h."""

class _Subs(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, alpha: _Scalar | None = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self - alpha * other, where other is a scalar.

        aclnnSubs of aclnnop/aclnn_sub.h."""

class _Sum(Operator):
    def __call__(  # type: ignore[override]
        op, /, tensors: _Tensors | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sum of a list of tensors.

        aclnnSum of aclnnop/aclnn_sum.h."""

class _Svd(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, full_matrices: bool = False, compute_uv: bool = True, *,
        out: _Outputs | None = None, sigma: _Output = None, u: _Output = None, v: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Singular values and vectors of a matrix.

        aclnnSvd of aclnnop/aclnn_svd.h; since CANN 9.0."""

class _SwiGlu(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, dim: SupportsIndex = -1, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """With x = (a, b) split along dim: out = a * sigmoid(a) * b.

        aclnnSwiGlu of aclnnop/aclnn_swi_glu.h."""

class _SwiGluGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, y_grad: Tensor | None, x: Tensor | None, dim: SupportsIndex = -1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """With x = (a, b) split along dim and s = sigmoid(a): out = (yGrad * b * s * (1 + a * (1
        - s)), yGrad * a * s).

        aclnnSwiGluGrad of aclnnop/aclnn_swi_glu_grad.h."""

class _SwiGluQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scales_optional: Tensor | None = None,
        offsets_optional: Tensor | None = None, group_index_optional: Tensor | None = None,
        activate_left: bool = False, quant_mode_optional: str | None = "dynamic", *,
        out: _Outputs | None = None, y_out: _Output = None, scale_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """SwiGLU, quantised with given or computed scales.

        aclnnSwiGluQuant of aclnnop/aclnn_swi_glu_quant.h."""

class _SwiGluQuantV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, smooth_scales_optional: Tensor | None = None,
        offsets_optional: Tensor | None = None, group_index_optional: Tensor | None = None,
        activate_left: bool = False, quant_mode_optional: str | None = "dynamic", *,
        group_list_type: SupportsIndex, dst_type: SupportsIndex = 2, out: _Outputs | None = None,
        y_out: _Output = None, scale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """SwiGLU, quantised with given or computed scales.

        aclnnSwiGluQuantV2 of aclnnop/aclnn_swi_glu_quant_v2.h; since CANN 9.0."""

class _SwigluBackwardMxQuantWithDualAxis(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, y_grad: Tensor | None, group_index_optional: Tensor | None = None,
        *, activate_left: bool, round_mode_optional: str | None = None, scale_alg: SupportsIndex,
        dst_dtype: SupportsIndex, max_dtype_value: SupportsFloat, out: _Outputs | None = None,
        y1_out: _Output = None, mxscale1_out: _Output = None, y2_out: _Output = None,
        mxscale2_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Gradient of SwiGLU, quantised to a microscaling format along two axes.

        aclnnSwigluBackwardMxQuantWithDualAxis of
        aclnnop/aclnn_swiglu_backward_mx_quant_with_dual_axis.h; since CANN 9.0."""

class _SwigluGroup(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, clamp_limit: SupportsFloat = -1.0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """SwiGLU of groups of rows, with a weight for each row.

        aclnnSwigluGroup of aclnnop/aclnn_swiglu_group.h; since CANN 9.0."""

class _SwigluGroupGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, x: Tensor | None, weight_optional: Tensor | None = None,
        y_origin_optional: Tensor | None = None, group_index_optional: Tensor | None = None, *,
        clamp_limit: SupportsFloat, out: _Outputs | None = None, grad_x_out: _Output = None,
        grad_weight_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of SwiGLU of groups of rows.

        aclnnSwigluGroupGrad of aclnnop/aclnn_swiglu_group_grad.h; since CANN 9.0."""

class _SwigluGroupQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight_optional: Tensor | None = None,
        group_index_optional: Tensor | None = None, scale_optional: Tensor | None = None, *,
        dst_type: SupportsIndex, quant_mode: SupportsIndex, block_size: SupportsIndex,
        round_scale: bool, clamp_limit: SupportsFloat, dst_type_max: SupportsFloat = 15.0,
        output_origin: bool, out: _Outputs | None = None, y_out: _Output = None,
        y_scale_out: _Output = None, y_origin_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """SwiGLU of groups of rows, quantised.

        aclnnSwigluGroupQuant of aclnnop/aclnn_swiglu_group_quant.h; since CANN 9.0."""

class _SwigluGroupQuantGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_y: Tensor | None, x: Tensor | None, weight_optional: Tensor | None = None,
        y_origin_optional: Tensor | None = None, group_index_optional: Tensor | None = None, *,
        clamp_limit: SupportsFloat, out: _Outputs | None = None, grad_x_out: _Output = None,
        grad_weight_out_optional: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of the quantised SwiGLU of groups of rows.

        aclnnSwigluGroupQuantGrad of aclnnop/aclnn_swiglu_group_quant_grad.h; since CANN 9.0."""

class _SwigluMxQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index_optional: Tensor | None = None, *,
        activate_dim: SupportsIndex, activate_left: bool, swiglu_mode: SupportsIndex,
        clamp_limit: SupportsFloat, glu_alpha: SupportsFloat, glu_bias: SupportsFloat,
        group_mode: SupportsIndex, axis: SupportsIndex, dst_type: SupportsIndex,
        round_mode_optional: str | None = None, scale_alg: SupportsIndex,
        max_dtype_value: SupportsFloat, out: _Outputs | None = None, y_out: _Output = None,
        mxscale_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """SwiGLU, quantised to a microscaling format.

        aclnnSwigluMxQuant of aclnnop/aclnn_swiglu_mx_quant.h; since CANN 9.0."""

class _SwigluMxQuantWithDualAxis(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, group_index_optional: Tensor | None = None, *, activate_left: bool,
        round_mode_optional: str | None = None, scale_alg: SupportsIndex, dst_type: SupportsIndex,
        max_dtype_value: SupportsFloat, out: _Outputs | None = None, y1_out: _Output = None,
        mxscale1_out: _Output = None, y2_out: _Output = None, mxscale2_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """SwiGLU, quantised to a microscaling format along two axes.

        aclnnSwigluMxQuantWithDualAxis of aclnnop/aclnn_swiglu_mx_quant_with_dual_axis.h;
        since CANN 9.0."""

class _SwinAttentionScoreQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, query: Tensor | None, key: Tensor | None, value: Tensor | None,
        scale_quant: Tensor | None, scale_dequant1: Tensor | None, scale_dequant2: Tensor | None,
        bias_quant_optional: Tensor | None = None, bias_dequant1_optional: Tensor | None = None,
        bias_dequant2_optional: Tensor | None = None, padding_mask1_optional: Tensor | None = None,
        padding_mask2_optional: Tensor | None = None, *, query_transpose: bool, key_transpose: bool,
        value_transpose: bool, softmax_axes: SupportsIndex, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """The attention of a Swin transformer on quantised operands.

        aclnnSwinAttentionScoreQuant of aclnnop/aclnn_swin_attention_score_quant.h; only in
        CANN 8.1."""

class _SwinTransformerLnQkvQuant(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, gamma: Tensor | None, beta: Tensor | None, weight: Tensor | None,
        bias: Tensor | None, quant_scale: Tensor | None, quant_offset: Tensor | None,
        dequant_scale: Tensor | None, head_num: SupportsIndex, seq_length: SupportsIndex,
        epsilon: SupportsFloat, ori_height: SupportsIndex, ori_weight: SupportsIndex,
        h_win_size: SupportsIndex, w_win_size: SupportsIndex, weight_transpose: bool, *,
        out: _Outputs | None = None, query_output_out: _Output = None,
        key_output_out: _Output = None, value_output_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Layer normalisation, window shift and quantised projections of a Swin transformer.

        aclnnSwinTransformerLnQkvQuant of aclnnop/aclnn_swin_transformer_ln_qkv_quant.h; only
        in CANN 8.1."""

class _Swish(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, beta_optional: _Scalar | None = None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self * sigmoid(beta * self).

        aclnnSwish of aclnnop/aclnn_swish.h."""

class _SwishBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None,
        beta_optional: _Scalar | None = None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * (s + beta * self * s * (1 - s)), where s = sigmoid(beta *
        self) and beta is betaOptional, or 1 without it.

        aclnnSwishBackward of aclnnop/aclnn_swish_backward.h."""

class _SyncBatchNormGatherStats(Operator):
    def __call__(  # type: ignore[override]
        op, /, total_sum: Tensor | None, total_square_sum: Tensor | None,
        sample_count: Tensor | None, mean: Tensor | None, variance: Tensor | None,
        momentum: SupportsFloat, eps: SupportsFloat, *, out: _Outputs | None = None,
        batch_mean: _Output = None, batch_invstd: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Joins the sums of several devices to batch statistics and updates the running ones.

        aclnnSyncBatchNormGatherStats of aclnnop/aclnn_sync_batch_norm_gather_stats.h; since
        CANN 9.0."""

class _Take(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, index: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = elements of self, taken as a row, that index names.

        aclnnTake of aclnnop/aclnn_take.h."""

class _Tan(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = tangent of the input.

        aclnnTan of aclnnop/aclnn_tan.h."""

class _Tanh(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = hyperbolic tangent of the input.

        aclnnTanh of aclnnop/aclnn_tanh.h."""

class _TanhBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output: Tensor | None, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput = gradOutput * (1 - output^2).

        aclnnTanhBackward of aclnnop/aclnn_tanh_backward.h."""

class _TfScatterAdd(Operator):
    def __call__(  # type: ignore[override]
        op, /, var_ref: Tensor | None, indices: Tensor | None, updates: Tensor | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Adds updates to slices of varRef, in place.

        aclnnTfScatterAdd of aclnnop/aclnn_tf_scatter_add.h; since CANN 9.0."""

class _ThnnFusedLstmCell(Operator):
    def __call__(  # type: ignore[override]
        op, /, input_gates: Tensor | None, hidden_gates: Tensor | None, cx: Tensor | None,
        input_bias_optional: Tensor | None = None, hidden_bias_optional: Tensor | None = None, *,
        out: _Outputs | None = None, hy_out: _Output = None, cy_out: _Output = None,
        storage_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One step of a long short-term memory cell from its gates.

        aclnnThnnFusedLstmCell of aclnnop/aclnn_thnn_fused_lstm_cell.h; since CANN 9.0."""

class _ThnnFusedLstmCellBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_hy_optional: Tensor | None = None, grad_c_optional: Tensor | None = None, *,
        cx: Tensor | None, cy: Tensor | None, storage: Tensor | None, has_bias: bool,
        out: _Outputs | None = None, grad_gates_out: _Output = None, grad_cx_out: _Output = None,
        grad_bias_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Gradients of one step of a long short-term memory cell.

        aclnnThnnFusedLstmCellBackward of aclnnop/aclnn_thnn_fused_lstm_cell_backward.h; since
        CANN 9.0."""

class _ThreeInterpolateBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_x: Tensor | None, idx: Tensor | None, weight: Tensor | None, m: SupportsIndex,
        *, out: Tensor | None = None, grad_y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Gradient of interpolating features from three neighbours.

        aclnnThreeInterpolateBackward of aclnnop/aclnn_three_interpolate_backward.h; since
        CANN 9.0."""

class _Threshold(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, threshold: _Scalar | None, value: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self where it is above the threshold, and value elsewhere.

        aclnnThreshold of aclnnop/aclnn_threshold.h."""

class _ThresholdBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, self: Tensor | None, threshold: _Scalar | None, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = gradOutput where self > threshold, and 0 elsewhere.

        aclnnThresholdBackward of aclnnop/aclnn_threshold_backward.h."""

class _TopKTopPSample(Operator):
    def __call__(  # type: ignore[override]
        op, /, logits: Tensor | None, top_k: Tensor | None, top_p: Tensor | None, q: Tensor | None,
        eps: SupportsFloat = 1e-08, is_need_logits: bool = False, top_k_guess: SupportsIndex = 32,
        *, out: _Outputs | None = None, logits_select_idx: _Output = None,
        logits_top_kp_select: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Draws a token for each row from the logits that top-k and top-p leave.

        aclnnTopKTopPSample of aclnnop/aclnn_top_k_top_p_sample.h; since CANN 9.0."""

class _TopKTopPSampleV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, logits: Tensor | None, top_k: Tensor | None, top_p: Tensor | None, q: Tensor | None,
        min_ps: Tensor | None, eps: SupportsFloat = 1e-08, is_need_logits: bool = False,
        top_k_guess: SupportsIndex = 32, ks_max: SupportsIndex = 1024, input_is_logits: bool = True,
        is_need_sample_result: bool = False, *, out: _Outputs | None = None,
        logits_select_idx: _Output = None, logits_top_kp_select: _Output = None,
        logits_idx: _Output = None, logits_sort_masked: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Draws a token for each row from the logits that top-k and top-p leave.

        aclnnTopKTopPSampleV2 of aclnnop/aclnn_top_k_top_p_sample_v2.h; since CANN 9.0."""

class _Topk(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, k: SupportsIndex, dim: SupportsIndex, largest: bool,
        sorted: bool, *, out: _Outputs | None = None, values_out: _Output = None,
        indices_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The k largest or smallest elements along dim, and their places.

        aclnnTopk of aclnnop/aclnn_topk.h."""

class _Trace(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = sum of the diagonal of a matrix.

        aclnnTrace of aclnnop/aclnn_trace.h."""

class _TransConvolutionWeight(Operator):
    def __call__(  # type: ignore[override]
        op, /, weight_in: Tensor | None, transposed: bool, groups: SupportsIndex = 1, *,
        out: Tensor | None = None, weight_out: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Copies a convolution's weight into the layout that the hardware prefers.

        aclnnTransConvolutionWeight of aclnnop/aclnn_trans_convolution_weight.h."""

class _TransMatmulWeight(Operator):
    def __call__(  # type: ignore[override]
        op, /, mm_weight_ref: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Turns a matrix product's weight into the layout that the hardware prefers, in place.

        aclnnTransMatmulWeight of aclnnop/aclnn_trans_matmul_weight.h."""

class _TransQuantParamV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, scale: Tensor | None, offset: Tensor | None = None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Turns scales and offsets into the 64-bit form that quantised products take.

        aclnnTransQuantParamV2 of aclnnop/aclnn_trans_quant_param_v2.h."""

class _TransQuantParamV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, scale: Tensor | None, offset: Tensor | None = None, round_mode: SupportsIndex = 0, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Turns scales and offsets into the 64-bit form that quantised products take.

        aclnnTransQuantParamV3 of aclnnop/aclnn_trans_quant_param_v3.h; since CANN 9.0."""

class _TransformBiasRescaleQkv(Operator):
    def __call__(  # type: ignore[override]
        op, /, qkv: Tensor | None, qkv_bias: Tensor | None, num_heads: SupportsIndex, *,
        out: _Outputs | None = None, q_out: _Output = None, k_out: _Output = None,
        v_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Adds a bias to joined query, key and value, splits them by head and scales the query.

        aclnnTransformBiasRescaleQkv of aclnnop/aclnn_transform_bias_rescale_qkv.h; since CANN
        9.0."""

class _TransposeBatchMatMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None,
        scale: Tensor | None = None, *, perm_x1: _Ints | None, perm_x2: _Ints | None,
        perm_y: _Ints | None, cube_math_type: SupportsIndex = 0,
        batch_split_factor: SupportsIndex = 1, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of a batch whose operands and result are transposed as asked for.

        aclnnTransposeBatchMatMul of aclnnop/aclnn_transpose_batch_mat_mul.h; since CANN 9.0."""

class _TransposeBatchMatMulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, scale: Tensor | None,
        perm_x1: _Ints | None, perm_x2: _Ints | None, perm_y: _Ints | None,
        cube_math_type: SupportsIndex = 0, batch_split_factor: SupportsIndex = 1, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix products of a batch whose operands and result are transposed as asked for.

        aclnnTransposeBatchMatMulWeightNz of aclnnop/aclnn_transpose_batch_mat_mul.h; since
        CANN 9.0."""

class _TransposeQuantBatchMatMul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, dtype: SupportsIndex, group_size: SupportsIndex = 0, *,
        perm_x1: _Ints | None, perm_x2: _Ints | None, perm_y: _Ints | None,
        batch_split_factor: SupportsIndex = 1, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Products of a batch of quantised matrices whose operands and result are transposed as
        asked for.

        aclnnTransposeQuantBatchMatMul of aclnnop/aclnn_transpose_quant_batch_mat_mul.h; since
        CANN 9.0."""

class _TransposeQuantBatchMatMulWeightNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None, x1_scale: Tensor | None,
        x2_scale: Tensor | None, dtype: SupportsIndex, group_size: SupportsIndex = 0, *,
        perm_x1: _Ints | None, perm_x2: _Ints | None, perm_y: _Ints | None,
        batch_split_factor: SupportsIndex = 1, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Products of a batch of quantised matrices whose operands and result are transposed as
        asked for.

        aclnnTransposeQuantBatchMatMulWeightNz of
        aclnnop/aclnn_transpose_quant_batch_mat_mul.h; since CANN 9.0."""

class _TriangularSolve(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, a: Tensor | None, upper: bool = True, transpose: bool = False,
        unitriangular: bool = False, *, out: _Outputs | None = None, x_out: _Output = None,
        m_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Solves linear equations with a triangular matrix.

        aclnnTriangularSolve of aclnnop/aclnn_triangular_solve.h."""

class _Tril(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, diagonal: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = lower triangle of matrices, 0 above.

        aclnnTril of aclnnop/aclnn_tril.h."""

class _Triu(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, diagonal: SupportsIndex = 0, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = upper triangle of matrices, 0 below.

        aclnnTriu of aclnnop/aclnn_triu.h."""

class _Trunc(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = self rounded towards zero.

        aclnnTrunc of aclnnop/aclnn_trunc.h."""

class _UnfoldGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, input_sizes: _Ints | None, dim: SupportsIndex,
        size: SupportsIndex, step: SupportsIndex, *, out: Tensor | None = None,
        grad_in: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradIn: every window's elements are added at the places of dim they were taken from;
        windows have size elements and begin step apart.

        aclnnUnfoldGrad of aclnnop/aclnn_unfold_grad.h; since CANN 9.0."""

class _Unique(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, sorted: bool, return_inverse: bool, *,
        out: _Outputs | None = None, value_out: _Output = None, inverse_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The different elements, and which of them each element is.

        aclnnUnique of aclnnop/aclnn_unique.h."""

class _Unique2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, sorted: bool, return_inverse: bool, return_counts: bool = False,
        *, out: _Outputs | None = None, value_out: _Output = None, inverse_out: _Output = None,
        counts_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The different elements, which of them each element is, and how often each occurs.

        aclnnUnique2 of aclnnop/aclnn_unique2.h."""

class _UniqueConsecutive(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, return_inverse: bool, return_counts: bool = False, *,
        dim: SupportsIndex, out: _Outputs | None = None, value_out: _Output = None,
        inverse_out: _Output = None, counts_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The elements without repetitions that follow one another, and where and how often they
        were.

        aclnnUniqueConsecutive of aclnnop/aclnn_unique_consecutive.h."""

class _UniqueDim(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, sorted: bool, return_inverse: bool, dim: SupportsIndex, *,
        out: _Outputs | None = None, value_out: _Output = None, inverse_out: _Output = None,
        counts_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The different slices along dim, which of them each slice is, and how often each
        occurs.

        aclnnUniqueDim of aclnnop/aclnn_unique_dim.h."""

class _UpsampleBicubic2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, align_corners: bool = False, *,
        scales_h: SupportsFloat, scales_w: SupportsFloat, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes images by bicubic interpolation.

        aclnnUpsampleBicubic2d of aclnnop/aclnn_upsample_bicubic_2d.h."""

class _UpsampleBicubic2dAA(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, output_size: _Ints | None, align_corners: bool = False, *,
        scales_h: SupportsFloat, scales_w: SupportsFloat, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes images by bicubic interpolation, with a kernel widened where they shrink.

        aclnnUpsampleBicubic2dAA of aclnnop/aclnn_upsample_bicubic2d_aa.h."""

class _UpsampleBicubic2dAAGrad(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales_h: SupportsFloat, scales_w: SupportsFloat,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOutput is spread over all input elements under the cubic
        kernel, which is widened by the scale where the image shrinks.

        aclnnUpsampleBicubic2dAAGrad of aclnnop/aclnn_upsample_bicubic2d_aa_grad.h."""

class _UpsampleBicubic2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales_h: SupportsFloat, scales_w: SupportsFloat,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOut is spread over the sixteen input elements it was
        interpolated from, with the weights of the interpolation (Keys' cubic, a = -0.75).

        aclnnUpsampleBicubic2dBackward of aclnnop/aclnn_upsample_bicubic_2d_backward.h."""

class _UpsampleBilinear2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, align_corners: bool = False, *,
        scales_h: SupportsFloat, scales_w: SupportsFloat, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes images by bilinear interpolation.

        aclnnUpsampleBilinear2d of aclnnop/aclnn_upsample_bilinear_2d.h."""

class _UpsampleBilinear2dAA(Operator):
    def __call__(  # type: ignore[override]
        op, /, input: Tensor | None, output_size: _Ints | None, align_corners: bool = False, *,
        scales_h: SupportsFloat, scales_w: SupportsFloat, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes images by bilinear interpolation, with a kernel widened where they shrink.

        aclnnUpsampleBilinear2dAA of aclnnop/aclnn_upsample_bilinear2d_aa.h."""

class _UpsampleBilinear2dAABackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales_h: SupportsFloat, scales_w: SupportsFloat,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOutput is spread over all input elements under the triangle
        kernel, which is widened by the scale where the image shrinks.

        aclnnUpsampleBilinear2dAABackward of aclnnop/aclnn_upsample_bilinear2d_aa_backward.h."""

class _UpsampleBilinear2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales_h: SupportsFloat, scales_w: SupportsFloat,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOut is spread over the four input elements it was
        interpolated from, with the weights of the interpolation.

        aclnnUpsampleBilinear2dBackward of aclnnop/aclnn_upsample_bilinear_2d_backward.h."""

class _UpsampleBilinear2dBackwardV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales_h: SupportsFloat, scales_w: SupportsFloat,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOut is spread over the four input elements it was
        interpolated from, with the weights of the interpolation.

        aclnnUpsampleBilinear2dBackwardV2 of aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h."""

class _UpsampleLinear1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, align_corners: bool = False, *,
        scale: SupportsFloat, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes one dimension by linear interpolation.

        aclnnUpsampleLinear1d of aclnnop/aclnn_upsample_linear_1d.h."""

class _UpsampleLinear1dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales: SupportsFloat, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOut is spread over the two input elements it was interpolated
        from, with the weights of the interpolation.

        aclnnUpsampleLinear1dBackward of aclnnop/aclnn_upsample_linear_1d_backward.h."""

class _UpsampleNearest1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes one dimension by copying the nearest element.

        aclnnUpsampleNearest1d of aclnnop/aclnn_upsample_nearest_1d.h."""

class _UpsampleNearest1dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        scales: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOut is added to the one input element it was copied from,
        floor(i * input length / output length).

        aclnnUpsampleNearest1dBackward of aclnnop/aclnn_upsample_nearest_1d_backward.h."""

class _UpsampleNearest1dV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, scale_l: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes one dimension by copying the nearest element.

        aclnnUpsampleNearest1dV2 of aclnnop/aclnn_upsample_nearest_1d_v2.h."""

class _UpsampleNearest2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes two dimensions by copying the nearest element.

        aclnnUpsampleNearest2d of aclnnop/aclnn_upsample_nearest_2d.h."""

class _UpsampleNearest2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        scales_h: SupportsFloat, scales_w: SupportsFloat, *, out: Tensor | None = None,
        grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOut is added to the one input element it was copied
        from, floor(i * input length / output length).

        aclnnUpsampleNearest2dBackward of aclnnop/aclnn_upsample_nearest_2d_backward.h."""

class _UpsampleNearest2dV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, scales_h: SupportsFloat,
        scales_w: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes two dimensions by copying the nearest element.

        aclnnUpsampleNearest2dV2 of aclnnop/aclnn_upsample_nearest_2d_v2.h."""

class _UpsampleNearest3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, scales_d: SupportsFloat,
        scales_h: SupportsFloat, scales_w: SupportsFloat, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes three dimensions by copying the nearest element.

        aclnnUpsampleNearest3d of aclnnop/aclnn_upsample_nearest_3d.h."""

class _UpsampleNearest3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        scales_d: SupportsFloat, scales_h: SupportsFloat, scales_w: SupportsFloat, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOut is added to the one input element it was copied
        from, floor(i * input length / output length).

        aclnnUpsampleNearest3dBackward of aclnnop/aclnn_upsample_nearest_3d_backward.h."""

class _UpsampleNearestExact1d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, scales: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes one dimension by copying the element whose centre is nearest.

        aclnnUpsampleNearestExact1d of aclnnop/aclnn_upsample_nearest_exact1d.h."""

class _UpsampleNearestExact1dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        scales: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOutput is added to the one input element it was copied from,
        floor((i + 0.5) * input length / output length).

        aclnnUpsampleNearestExact1dBackward of
        aclnnop/aclnn_upsample_nearest_exact1d_backward.h."""

class _UpsampleNearestExact2d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, scales_h: SupportsFloat,
        scales_w: SupportsFloat, *, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes two dimensions by copying the element whose centre is nearest.

        aclnnUpsampleNearestExact2d of aclnnop/aclnn_upsample_nearest_exact2d.h; since CANN
        9.0."""

class _UpsampleNearestExact2dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_output: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        scales_h: SupportsFloat, scales_w: SupportsFloat, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out: each element of gradOutput is added to the one input element it was copied from,
        floor((i + 0.5) * input length / output length).

        aclnnUpsampleNearestExact2dBackward of
        aclnnop/aclnn_upsample_nearest_exact2d_backward.h."""

class _UpsampleNearestExact3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, scales_d: SupportsFloat,
        scales_h: SupportsFloat, scales_w: SupportsFloat, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Resizes three dimensions by copying the element whose centre is nearest.

        aclnnUpsampleNearestExact3d of aclnnop/aclnn_upsample_nearest_exact3d.h."""

class _UpsampleNearestExact3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        scales_d: SupportsFloat, scales_h: SupportsFloat, scales_w: SupportsFloat, *,
        out: Tensor | None = None, grad_input: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOut is added to the one input element it was copied
        from, floor((i + 0.5) * input length / output length).

        aclnnUpsampleNearestExact3dBackward of
        aclnnop/aclnn_upsample_nearest_exact3d_backward.h."""

class _UpsampleTrilinear3d(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, output_size: _Ints | None, align_corners: bool = False, *,
        scales_d: SupportsFloat, scales_h: SupportsFloat, scales_w: SupportsFloat,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Resizes three dimensions by linear interpolation.

        aclnnUpsampleTrilinear3d of aclnnop/aclnn_upsample_trilinear_3d.h."""

class _UpsampleTrilinear3dBackward(Operator):
    def __call__(  # type: ignore[override]
        op, /, grad_out: Tensor | None, output_size: _Ints | None, input_size: _Ints | None,
        align_corners: bool = False, *, scales_d: SupportsFloat, scales_h: SupportsFloat,
        scales_w: SupportsFloat, out: Tensor | None = None, grad_input: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """gradInput: each element of gradOut is spread over the eight input elements it was
        interpolated from, with the weights of the interpolation.

        aclnnUpsampleTrilinear3dBackward of aclnnop/aclnn_upsample_trilinear_3d_backward.h."""

class _Var(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None = None, *, unbiased: bool,
        keepdim: bool = False, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = variance over dim.

        aclnnVar of aclnnop/aclnn_var.h."""

class _VarCorrection(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None = None, *, correction: SupportsIndex,
        keepdim: bool = False, out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """out = variance over dim, divided by the number of elements less correction.

        aclnnVarCorrection of aclnnop/aclnn_var.h."""

class _VarMean(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, dim: _Ints | None = None, *, correction: SupportsIndex,
        keepdim: bool = False, out: _Outputs | None = None, var_out: _Output = None,
        mean_out: _Output = None, stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Variance and mean over dim.

        aclnnVarMean of aclnnop/aclnn_var_mean.h."""

class _WeightQuantBatchMatmul(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, diagonal_matrix: Tensor | None,
        deq_offset: Tensor | None, deq_scale: Tensor | None, add_offset: Tensor | None,
        mul_scale: Tensor | None, bias: Tensor | None, transpose_x1: bool, transpose_x2: bool,
        antiquant_scale: SupportsFloat, antiquant_offset: SupportsFloat, *,
        out: Tensor | None = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with a quantised right operand, restored first.

        aclnnWeightQuantBatchMatmul of aclnnop/aclnn_weight_quant_batch_matmul.h."""

class _WeightQuantBatchMatmulNz(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, antiquant_scale: Tensor | None,
        antiquant_offset_optional: Tensor | None = None, quant_scale_optional: Tensor | None = None,
        quant_offset_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        antiquant_group_size: SupportsIndex = 0, *, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with a quantised right operand in the NZ layout, restored first.

        aclnnWeightQuantBatchMatmulNz of aclnnop/aclnn_weight_quant_batch_matmul_nz.h; since
        CANN 9.0."""

class _WeightQuantBatchMatmulV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, antiquant_scale: Tensor | None,
        antiquant_offset_optional: Tensor | None = None, quant_scale_optional: Tensor | None = None,
        quant_offset_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        antiquant_group_size: SupportsIndex = 0, *, out: Tensor | None = None, y: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with a quantised right operand, restored first.

        aclnnWeightQuantBatchMatmulV2 of aclnnop/aclnn_weight_quant_batch_matmul_v2.h."""

class _WeightQuantBatchMatmulV3(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, weight: Tensor | None, antiquant_scale: Tensor | None,
        antiquant_offset_optional: Tensor | None = None, quant_scale_optional: Tensor | None = None,
        quant_offset_optional: Tensor | None = None, bias_optional: Tensor | None = None,
        antiquant_group_size: SupportsIndex = 0, inner_precise: SupportsIndex = 0, *,
        out: Tensor | None = None, y: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with a quantised right operand, restored first.

        aclnnWeightQuantBatchMatmulV3 of aclnnop/aclnn_weight_quant_batch_matmul_v3.h."""

class _WeightQuantMatmulAllReduce(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        antiquant_scale: Tensor | None, antiquant_offset: Tensor | None = None,
        x3: Tensor | None = None, group: _Group | None, reduce_op: str | None = "sum",
        comm_turn: SupportsIndex = 0, stream_mode: SupportsIndex,
        antiquant_group_size: SupportsIndex = 0, out: Tensor | None = None, output: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Matrix product with a quantised right operand, summed over all devices.

        aclnnWeightQuantMatmulAllReduce of aclnnop/aclnn_weight_quant_matmul_all_reduce.h."""

class _WeightQuantMatmulAllReduceAddRmsNorm(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None = None, *,
        antiquant_scale: Tensor | None, antiquant_offset: Tensor | None = None,
        residual: Tensor | None, gamma: Tensor | None, epsilon: SupportsFloat = 1e-06,
        group: _Group | None, reduce_op: str | None = "sum", comm_turn: SupportsIndex = 0,
        stream_mode: SupportsIndex, antiquant_group_size: SupportsIndex = 0,
        out: _Outputs | None = None, y: _Output = None, norm_out: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Matrix product with a quantised right operand summed over all devices, added to a
        residual and normalised.

        aclnnWeightQuantMatmulAllReduceAddRmsNorm of
        aclnnop/aclnn_weight_quant_matmul_all_reduce_add_rms_norm.h."""

class _WeightQuantMatmulAllReduceV2(Operator):
    def __call__(  # type: ignore[override]
        op, /, x1: Tensor | None, x2: Tensor | None, bias: Tensor | None,
        antiquant_scale: Tensor | None, antiquant_offset: Tensor | None, x3: Tensor | None,
        group: _Group | None, reduce_op: str | None, comm_mode: str | None,
        comm_turn: SupportsIndex, stream_mode: SupportsIndex, antiquant_group_size: SupportsIndex,
        *, out: Tensor | None = None, output: _Output = None, stream: Stream | None = None,
    ) -> Tensor:
        """Product by a quantised matrix, summed over all ranks of a group.

        aclnnWeightQuantMatmulAllReduceV2 of
        aclnnop/aclnn_weight_quant_matmul_all_reduce_v2.h."""

class _WeightQuantPreprocess(Operator):
    def __call__(  # type: ignore[override]
        op, /, weight: Tensor | None, weight_scale: Tensor | None,
        weight_offset_optional: Tensor | None = None, bias_optional: Tensor | None = None, *,
        x_dtype: DTypeLike, x_scale_dtype: DTypeLike, k_group_size: SupportsIndex,
        out: _Outputs | None = None, out_weight: _Output = None, out_weight_scale: _Output = None,
        out_weight_offset_optional: _Output = None, out_bias_optional: _Output = None,
        stream: Stream | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Prepares a quantised weight, its scales and its bias for the products.

        aclnnWeightQuantPreprocess of aclnnop/aclnn_weight_quant_preprocess.h; since CANN 9.0."""

class _XLogYScalarOther(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: _Scalar | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self * log(other), and 0 where self is 0; other is a scalar.

        aclnnXLogYScalarOther of aclnnop/aclnn_x_log_y_scalar_other.h."""

class _XLogYScalarSelf(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: _Scalar | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self * log(other), and 0 where self is 0; self is a scalar.

        aclnnXLogYScalarSelf of aclnnop/aclnn_x_log_y_scalar_self.h."""

class _XLogYTensor(Operator):
    def __call__(  # type: ignore[override]
        op, /, self: Tensor | None, other: Tensor | None, *, out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """out = self * log(other), and 0 where self is 0.

        aclnnXLogYTensor of aclnnop/aclnn_x_log_y_tensor.h."""

class _Xlog1py(Operator):
    def __call__(  # type: ignore[override]
        op, /, x: Tensor | None, y: Tensor | None, *, out: Tensor | None = None, z: _Output = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """z = x * log(1 + y), and 0 where x is 0.

        aclnnXlog1py of aclnnop/aclnn_xlog1py.h; since CANN 9.0."""

class Operators(OperatorNamespace):
    """All declared operators, by their Python names."""

    abs: _Abs
    acos: _Acos
    acosh: _Acosh
    ada_layer_norm: _AdaLayerNorm
    ada_layer_norm_backward: _AdaLayerNormBackward
    ada_layer_norm_quant: _AdaLayerNormQuant
    ada_layer_norm_v2: _AdaLayerNormV2
    adaptive_avg_pool2d: _AdaptiveAvgPool2d
    adaptive_avg_pool2d_backward: _AdaptiveAvgPool2dBackward
    adaptive_avg_pool3d: _AdaptiveAvgPool3d
    adaptive_avg_pool3d_backward: _AdaptiveAvgPool3dBackward
    adaptive_max_pool2d: _AdaptiveMaxPool2d
    adaptive_max_pool2d_backward: _AdaptiveMaxPool2dBackward
    adaptive_max_pool3d: _AdaptiveMaxPool3d
    adaptive_max_pool3d_backward: _AdaptiveMaxPool3dBackward
    add: _Add
    add_layer_norm: _AddLayerNorm
    add_layer_norm_grad: _AddLayerNormGrad
    add_layer_norm_quant: _AddLayerNormQuant
    add_layer_norm_quant_v2: _AddLayerNormQuantV2
    add_lora: _AddLora
    add_n: _AddN
    add_relu: _AddRelu
    add_rms_norm: _AddRmsNorm
    add_rms_norm_cast: _AddRmsNormCast
    add_rms_norm_dynamic_mx_quant: _AddRmsNormDynamicMxQuant
    add_rms_norm_dynamic_quant: _AddRmsNormDynamicQuant
    add_rms_norm_dynamic_quant_v2: _AddRmsNormDynamicQuantV2
    add_rms_norm_quant: _AddRmsNormQuant
    add_rms_norm_quant_v2: _AddRmsNormQuantV2
    add_v3: _AddV3
    addbmm: _Addbmm
    addcdiv: _Addcdiv
    addcmul: _Addcmul
    addmm: _Addmm
    addmm_weight_nz: _AddmmWeightNz
    addmv: _Addmv
    addr: _Addr
    adds: _Adds
    advance_step: _AdvanceStep
    advance_step_v2: _AdvanceStepV2
    affine_grid: _AffineGrid
    all: _All
    all_gather_matmul: _AllGatherMatmul
    all_gather_matmul_v2: _AllGatherMatmulV2
    allto_all_all_gather_batch_mat_mul: _AlltoAllAllGatherBatchMatMul
    allto_all_matmul: _AlltoAllMatmul
    allto_all_matmul_v2: _AlltoAllMatmulV2
    allto_all_quant_matmul: _AlltoAllQuantMatmul
    allto_all_quant_matmul_v2: _AlltoAllQuantMatmulV2
    allto_allv_grouped_mat_mul: _AlltoAllvGroupedMatMul
    allto_allv_grouped_mat_mul_v2: _AlltoAllvGroupedMatMulV2
    allto_allv_quant_grouped_mat_mul: _AlltoAllvQuantGroupedMatMul
    allto_allv_quant_grouped_mat_mul_v2: _AlltoAllvQuantGroupedMatMulV2
    amax: _Amax
    amin: _Amin
    aminmax: _Aminmax
    aminmax_all: _AminmaxAll
    aminmax_dim: _AminmaxDim
    amp_update_scale: _AmpUpdateScale
    angle_v2: _AngleV2
    anti_mx_quant: _AntiMxQuant
    any: _Any
    apply_adam: _ApplyAdam
    apply_adam_w: _ApplyAdamW
    apply_adam_w_quant: _ApplyAdamWQuant
    apply_adam_w_v2: _ApplyAdamWV2
    apply_fused_ema_adam: _ApplyFusedEmaAdam
    apply_rotary_pos_emb: _ApplyRotaryPosEmb
    apply_rotary_pos_emb_v2: _ApplyRotaryPosEmbV2
    apply_top_k_top_p: _ApplyTopKTopP
    arange: _Arange
    arg_max: _ArgMax
    arg_min: _ArgMin
    argsort: _Argsort
    ascend_anti_quant: _AscendAntiQuant
    ascend_quant: _AscendQuant
    ascend_quant_v3: _AscendQuantV3
    asin: _Asin
    asinh: _Asinh
    atan: _Atan
    atan2: _Atan2
    atanh: _Atanh
    attention_to_ffn: _AttentionToFFN
    attention_update: _AttentionUpdate
    avg_pool2d: _AvgPool2d
    avg_pool2d_backward: _AvgPool2dBackward
    avg_pool3d: _AvgPool3d
    avg_pool3d_backward: _AvgPool3dBackward
    background_replace: _BackgroundReplace
    baddbmm: _Baddbmm
    batch_mat_mul: _BatchMatMul
    batch_mat_mul_reduce_scatter_allto_all: _BatchMatMulReduceScatterAlltoAll
    batch_mat_mul_weight_nz: _BatchMatMulWeightNz
    batch_matmul_quant: _BatchMatmulQuant
    batch_norm: _BatchNorm
    batch_norm_backward: _BatchNormBackward
    batch_norm_elemt: _BatchNormElemt
    batch_norm_elemt_backward: _BatchNormElemtBackward
    batch_norm_gather_stats_with_counts: _BatchNormGatherStatsWithCounts
    batch_norm_reduce: _BatchNormReduce
    batch_norm_reduce_backward: _BatchNormReduceBackward
    batch_norm_stats: _BatchNormStats
    bernoulli: _Bernoulli
    bernoulli_tensor: _BernoulliTensor
    bidirection_lstm: _BidirectionLSTM
    bidirection_lstm_v2: _BidirectionLSTMV2
    binary_cross_entropy: _BinaryCrossEntropy
    binary_cross_entropy_backward: _BinaryCrossEntropyBackward
    binary_cross_entropy_with_logits: _BinaryCrossEntropyWithLogits
    binary_cross_entropy_with_logits_backward: _BinaryCrossEntropyWithLogitsBackward
    binary_cross_entropy_with_logits_target_backward: _BinaryCrossEntropyWithLogitsTargetBackward
    bincount: _Bincount
    bitwise_and_scalar: _BitwiseAndScalar
    bitwise_and_tensor: _BitwiseAndTensor
    bitwise_and_tensor_out: _BitwiseAndTensorOut
    bitwise_not: _BitwiseNot
    bitwise_or_scalar: _BitwiseOrScalar
    bitwise_or_tensor: _BitwiseOrTensor
    bitwise_xor_scalar: _BitwiseXorScalar
    bitwise_xor_tensor: _BitwiseXorTensor
    blend_images_custom: _BlendImagesCustom
    block_sparse_attention: _BlockSparseAttention
    block_sparse_attention_grad: _BlockSparseAttentionGrad
    block_sparse_attention_v2: _BlockSparseAttentionV2
    bucketize: _Bucketize
    c_io_u: _CIoU
    cast: _Cast
    cat: _Cat
    cdist: _Cdist
    cdist_backward: _CdistBackward
    ceil: _Ceil
    celu: _Celu
    chamfer_distance_backward: _ChamferDistanceBackward
    channel_shuffle: _ChannelShuffle
    chunk_cat: _ChunkCat
    chunk_gated_delta_rule: _ChunkGatedDeltaRule
    circular_pad2d: _CircularPad2d
    circular_pad2d_backward: _CircularPad2dBackward
    circular_pad3d: _CircularPad3d
    circular_pad3d_backward: _CircularPad3dBackward
    clamp: _Clamp
    clamp_max: _ClampMax
    clamp_max_tensor: _ClampMaxTensor
    clamp_min: _ClampMin
    clamp_min_tensor: _ClampMinTensor
    clamp_tensor: _ClampTensor
    clipped_swiglu: _ClippedSwiglu
    clipped_swiglu_grad: _ClippedSwigluGrad
    clipped_swiglu_v2: _ClippedSwigluV2
    coalesce_sparse: _CoalesceSparse
    complex: _Complex
    confusion_transpose: _ConfusionTranspose
    constant_pad_nd: _ConstantPadNd
    conv_depthwise2d: _ConvDepthwise2d
    conv_tbc: _ConvTbc
    conv_tbc_backward: _ConvTbcBackward
    convert_weight_to_int4_pack: _ConvertWeightToINT4Pack
    convolution: _Convolution
    convolution_backward: _ConvolutionBackward
    cos: _Cos
    cosh: _Cosh
    cross_entropy_loss: _CrossEntropyLoss
    cross_entropy_loss_grad: _CrossEntropyLossGrad
    cross_entropy_sum_exp_and_index_logit: _CrossEntropySumExpAndIndexLogit
    ctc_loss: _CtcLoss
    ctc_loss_backward: _CtcLossBackward
    cummax: _Cummax
    cummin: _Cummin
    cumprod: _Cumprod
    cumsum: _Cumsum
    cumsum_v2: _CumsumV2
    deep_norm: _DeepNorm
    deep_norm_grad: _DeepNormGrad
    deformable_conv2d: _DeformableConv2d
    deformable_conv2d_backward: _DeformableConv2dBackward
    dense_lightning_indexer_grad_kl_loss: _DenseLightningIndexerGradKLLoss
    dense_lightning_indexer_softmax_lse: _DenseLightningIndexerSoftmaxLse
    dequant_bias: _DequantBias
    dequant_rope_quant_kvcache: _DequantRopeQuantKvcache
    dequant_situ_quant: _DequantSituQuant
    dequant_swiglu_quant: _DequantSwigluQuant
    dequant_swiglu_quant_v2: _DequantSwigluQuantV2
    diag: _Diag
    diag_flat: _DiagFlat
    digamma: _Digamma
    distribute_barrier: _DistributeBarrier
    distribute_barrier_v2: _DistributeBarrierV2
    div: _Div
    div_mod: _DivMod
    div_mods: _DivMods
    divs: _Divs
    dot: _Dot
    dropout: _Dropout
    dropout_backward: _DropoutBackward
    dropout_do_mask: _DropoutDoMask
    dropout_gen_mask: _DropoutGenMask
    dropout_gen_mask_v2: _DropoutGenMaskV2
    dropout_gen_mask_v2_tensor: _DropoutGenMaskV2Tensor
    dropout_v3: _DropoutV3
    dropout_v3_grad: _DropoutV3Grad
    dual_level_quant_matmul_weight_nz: _DualLevelQuantMatmulWeightNz
    dynamic_block_mx_quant: _DynamicBlockMxQuant
    dynamic_block_quant: _DynamicBlockQuant
    dynamic_block_quant_v2: _DynamicBlockQuantV2
    dynamic_dual_level_mx_quant: _DynamicDualLevelMxQuant
    dynamic_mx_quant: _DynamicMxQuant
    dynamic_mx_quant_v2: _DynamicMxQuantV2
    dynamic_mx_quant_v3: _DynamicMxQuantV3
    dynamic_mx_quant_with_dual_axis: _DynamicMxQuantWithDualAxis
    dynamic_mx_quant_with_dual_axis_v2: _DynamicMxQuantWithDualAxisV2
    dynamic_quant: _DynamicQuant
    dynamic_quant_v2: _DynamicQuantV2
    dynamic_quant_v3: _DynamicQuantV3
    dynamic_quant_v4: _DynamicQuantV4
    einsum: _Einsum
    elastic_receivable_info_collect: _ElasticReceivableInfoCollect
    elastic_receivable_test: _ElasticReceivableTest
    elu: _Elu
    elu_backward: _EluBackward
    embedding: _Embedding
    embedding_bag: _EmbeddingBag
    embedding_dense_backward: _EmbeddingDenseBackward
    embedding_renorm: _EmbeddingRenorm
    eq_scalar: _EqScalar
    eq_tensor: _EqTensor
    equal: _Equal
    erf: _Erf
    erfc: _Erfc
    erfinv: _Erfinv
    exp: _Exp
    exp2: _Exp2
    exp_segsum: _ExpSegsum
    exp_segsum_backward: _ExpSegsumBackward
    expand: _Expand
    expand_into_jagged_permute: _ExpandIntoJaggedPermute
    expm1: _Expm1
    eye: _Eye
    fake_quant_per_channel_affine_cachemask: _FakeQuantPerChannelAffineCachemask
    fake_quant_per_tensor_affine_cachemask: _FakeQuantPerTensorAffineCachemask
    fast_batch_norm_backward: _FastBatchNormBackward
    fast_gelu: _FastGelu
    fast_gelu_backward: _FastGeluBackward
    fast_layer_norm: _FastLayerNorm
    fatrelu_mul: _FatreluMul
    ffn: _FFN
    ffn_to_attention: _FFNToAttention
    ffn_v2: _FFNV2
    ffn_v3: _FFNV3
    flash_attention_score: _FlashAttentionScore
    flash_attention_score_grad: _FlashAttentionScoreGrad
    flash_attention_score_grad_v2: _FlashAttentionScoreGradV2
    flash_attention_score_grad_v3: _FlashAttentionScoreGradV3
    flash_attention_score_grad_v4: _FlashAttentionScoreGradV4
    flash_attention_score_v2: _FlashAttentionScoreV2
    flash_attention_score_v3: _FlashAttentionScoreV3
    flash_attention_score_v4: _FlashAttentionScoreV4
    flash_attention_unpadding_score_grad: _FlashAttentionUnpaddingScoreGrad
    flash_attention_unpadding_score_grad_v2: _FlashAttentionUnpaddingScoreGradV2
    flash_attention_unpadding_score_grad_v3: _FlashAttentionUnpaddingScoreGradV3
    flash_attention_unpadding_score_grad_v4: _FlashAttentionUnpaddingScoreGradV4
    flash_attention_unpadding_score_grad_v5: _FlashAttentionUnpaddingScoreGradV5
    flash_attention_var_len_score: _FlashAttentionVarLenScore
    flash_attention_var_len_score_v2: _FlashAttentionVarLenScoreV2
    flash_attention_var_len_score_v3: _FlashAttentionVarLenScoreV3
    flash_attention_var_len_score_v4: _FlashAttentionVarLenScoreV4
    flash_attention_var_len_score_v5: _FlashAttentionVarLenScoreV5
    flash_attn: _FlashAttn
    flash_attn_metadata: _FlashAttnMetadata
    flat_quant: _FlatQuant
    flat_quant_v2: _FlatQuantV2
    flat_quant_v3: _FlatQuantV3
    flatten: _Flatten
    flip: _Flip
    floor: _Floor
    floor_divide: _FloorDivide
    floor_divides: _FloorDivides
    fmod_scalar: _FmodScalar
    fmod_tensor: _FmodTensor
    foreach_a_cos_inplace: _ForeachACosInplace
    foreach_abs: _ForeachAbs
    foreach_acos: _ForeachAcos
    foreach_add_list: _ForeachAddList
    foreach_add_list_inplace: _ForeachAddListInplace
    foreach_add_list_v2: _ForeachAddListV2
    foreach_add_scalar: _ForeachAddScalar
    foreach_add_scalar_list: _ForeachAddScalarList
    foreach_add_scalar_v2: _ForeachAddScalarV2
    foreach_addcdiv_list: _ForeachAddcdivList
    foreach_addcdiv_scalar: _ForeachAddcdivScalar
    foreach_addcdiv_scalar_list: _ForeachAddcdivScalarList
    foreach_addcdiv_scalar_v2: _ForeachAddcdivScalarV2
    foreach_addcmul_list: _ForeachAddcmulList
    foreach_addcmul_scalar: _ForeachAddcmulScalar
    foreach_addcmul_scalar_list: _ForeachAddcmulScalarList
    foreach_addcmul_scalar_v2: _ForeachAddcmulScalarV2
    foreach_asin: _ForeachAsin
    foreach_atan: _ForeachAtan
    foreach_copy: _ForeachCopy
    foreach_cos: _ForeachCos
    foreach_cosh: _ForeachCosh
    foreach_div_list: _ForeachDivList
    foreach_div_list_inplace: _ForeachDivListInplace
    foreach_div_scalar: _ForeachDivScalar
    foreach_div_scalar_list: _ForeachDivScalarList
    foreach_div_scalar_v2: _ForeachDivScalarV2
    foreach_erf: _ForeachErf
    foreach_erfc: _ForeachErfc
    foreach_exp: _ForeachExp
    foreach_expm1: _ForeachExpm1
    foreach_lerp_list: _ForeachLerpList
    foreach_lerp_scalar: _ForeachLerpScalar
    foreach_log: _ForeachLog
    foreach_log10: _ForeachLog10
    foreach_log1p: _ForeachLog1p
    foreach_log2: _ForeachLog2
    foreach_log_inplace: _ForeachLogInplace
    foreach_maximum_list: _ForeachMaximumList
    foreach_maximum_scalar: _ForeachMaximumScalar
    foreach_maximum_scalar_list: _ForeachMaximumScalarList
    foreach_maximum_scalar_v2: _ForeachMaximumScalarV2
    foreach_minimum_list: _ForeachMinimumList
    foreach_minimum_scalar: _ForeachMinimumScalar
    foreach_minimum_scalar_list: _ForeachMinimumScalarList
    foreach_minimum_scalar_v2: _ForeachMinimumScalarV2
    foreach_mul_list: _ForeachMulList
    foreach_mul_list_inplace: _ForeachMulListInplace
    foreach_mul_scalar: _ForeachMulScalar
    foreach_mul_scalar_inplace: _ForeachMulScalarInplace
    foreach_mul_scalar_list: _ForeachMulScalarList
    foreach_mul_scalar_v2: _ForeachMulScalarV2
    foreach_neg: _ForeachNeg
    foreach_non_finite_check_and_unscale: _ForeachNonFiniteCheckAndUnscale
    foreach_norm: _ForeachNorm
    foreach_pow_list: _ForeachPowList
    foreach_pow_scalar: _ForeachPowScalar
    foreach_pow_scalar_and_tensor: _ForeachPowScalarAndTensor
    foreach_pow_scalar_list: _ForeachPowScalarList
    foreach_pow_scalar_v2: _ForeachPowScalarV2
    foreach_reciprocal: _ForeachReciprocal
    foreach_round_off_number: _ForeachRoundOffNumber
    foreach_round_off_number_v2: _ForeachRoundOffNumberV2
    foreach_sigmoid: _ForeachSigmoid
    foreach_sign: _ForeachSign
    foreach_sin: _ForeachSin
    foreach_sinh: _ForeachSinh
    foreach_sqrt: _ForeachSqrt
    foreach_sub_list: _ForeachSubList
    foreach_sub_list_inplace: _ForeachSubListInplace
    foreach_sub_list_v2: _ForeachSubListV2
    foreach_sub_scalar: _ForeachSubScalar
    foreach_sub_scalar_inplace: _ForeachSubScalarInplace
    foreach_sub_scalar_list: _ForeachSubScalarList
    foreach_sub_scalar_v2: _ForeachSubScalarV2
    foreach_tan: _ForeachTan
    foreach_tanh: _ForeachTanh
    foreach_zero_inplace: _ForeachZeroInplace
    frac: _Frac
    fused_adamw: _FusedAdamw
    fused_causal_conv1d: _FusedCausalConv1d
    fused_cross_entropy_loss_with_max_sum: _FusedCrossEntropyLossWithMaxSum
    fused_floyd_attention: _FusedFloydAttention
    fused_floyd_attention_grad: _FusedFloydAttentionGrad
    fused_infer_attention_score: _FusedInferAttentionScore
    fused_infer_attention_score_v2: _FusedInferAttentionScoreV2
    fused_infer_attention_score_v3: _FusedInferAttentionScoreV3
    fused_infer_attention_score_v4: _FusedInferAttentionScoreV4
    fused_infer_attention_score_v5: _FusedInferAttentionScoreV5
    fused_linear_cross_entropy_loss_grad: _FusedLinearCrossEntropyLossGrad
    fused_linear_online_max_sum: _FusedLinearOnlineMaxSum
    fused_matmul: _FusedMatmul
    fused_quant_matmul: _FusedQuantMatmul
    fused_quant_matmul_weight_nz: _FusedQuantMatmulWeightNz
    fused_sgd: _FusedSgd
    gather: _Gather
    gather_nd: _GatherNd
    gather_pa_kv_cache: _GatherPaKvCache
    gather_v2: _GatherV2
    gather_v3: _GatherV3
    gcd: _Gcd
    ge_glu: _GeGlu
    ge_glu_backward: _GeGluBackward
    ge_glu_v3: _GeGluV3
    ge_glu_v3_backward: _GeGluV3Backward
    ge_scalar: _GeScalar
    ge_tensor: _GeTensor
    gelu: _Gelu
    gelu_backward: _GeluBackward
    gelu_backward_v2: _GeluBackwardV2
    gelu_mul: _GeluMul
    gelu_quant: _GeluQuant
    gelu_v2: _GeluV2
    gemm: _Gemm
    gemma_rms_norm: _GemmaRmsNorm
    ger: _Ger
    global_average_pool: _GlobalAveragePool
    global_max_pool: _GlobalMaxPool
    glu: _Glu
    glu_backward: _GluBackward
    grid_sampler2d: _GridSampler2D
    grid_sampler2d_backward: _GridSampler2DBackward
    grid_sampler3d: _GridSampler3D
    grid_sampler3d_backward: _GridSampler3DBackward
    group_norm: _GroupNorm
    group_norm_backward: _GroupNormBackward
    group_norm_silu: _GroupNormSilu
    group_norm_silu_quant: _GroupNormSiluQuant
    group_norm_silu_v2: _GroupNormSiluV2
    group_norm_swish: _GroupNormSwish
    group_norm_swish_grad: _GroupNormSwishGrad
    group_quant: _GroupQuant
    grouped_bias_add_grad: _GroupedBiasAddGrad
    grouped_bias_add_grad_v2: _GroupedBiasAddGradV2
    grouped_dynamic_block_quant: _GroupedDynamicBlockQuant
    grouped_dynamic_block_quant_v2: _GroupedDynamicBlockQuantV2
    grouped_dynamic_mx_quant: _GroupedDynamicMxQuant
    grouped_dynamic_mx_quant_v2: _GroupedDynamicMxQuantV2
    grouped_dynamic_mx_quant_with_dual_axis: _GroupedDynamicMxQuantWithDualAxis
    grouped_mat_mul_all_reduce: _GroupedMatMulAllReduce
    grouped_mat_mul_allto_allv: _GroupedMatMulAlltoAllv
    grouped_mat_mul_allto_allv_v2: _GroupedMatMulAlltoAllvV2
    grouped_matmul: _GroupedMatmul
    grouped_matmul_add: _GroupedMatmulAdd
    grouped_matmul_add_v2: _GroupedMatmulAddV2
    grouped_matmul_finalize_routing: _GroupedMatmulFinalizeRouting
    grouped_matmul_finalize_routing_v2: _GroupedMatmulFinalizeRoutingV2
    grouped_matmul_finalize_routing_v3: _GroupedMatmulFinalizeRoutingV3
    grouped_matmul_finalize_routing_weight_nz: _GroupedMatmulFinalizeRoutingWeightNz
    grouped_matmul_finalize_routing_weight_nz_v2: _GroupedMatmulFinalizeRoutingWeightNzV2
    grouped_matmul_swiglu_quant: _GroupedMatmulSwigluQuant
    grouped_matmul_swiglu_quant_v2: _GroupedMatmulSwigluQuantV2
    grouped_matmul_swiglu_quant_weight_nz: _GroupedMatmulSwigluQuantWeightNZ
    grouped_matmul_swiglu_quant_weight_nz_v2: _GroupedMatmulSwigluQuantWeightNzV2
    grouped_matmul_v2: _GroupedMatmulV2
    grouped_matmul_v3: _GroupedMatmulV3
    grouped_matmul_v4: _GroupedMatmulV4
    grouped_matmul_v5: _GroupedMatmulV5
    grouped_matmul_weight_nz: _GroupedMatmulWeightNz
    grouped_quant_max: _GroupedQuantMax
    gru: _GRU
    gru_backward: _GRUBackward
    gt_scalar: _GtScalar
    gt_tensor: _GtTensor
    hans_decode: _HansDecode
    hans_encode: _HansEncode
    hardshrink: _Hardshrink
    hardshrink_backward: _HardshrinkBackward
    hardsigmoid: _Hardsigmoid
    hardsigmoid_backward: _HardsigmoidBackward
    hardswish: _Hardswish
    hardswish_backward: _HardswishBackward
    hardswish_backward_v2: _HardswishBackwardV2
    hardtanh: _Hardtanh
    hardtanh_backward: _HardtanhBackward
    heaviside: _Heaviside
    histc: _Histc
    im2col: _Im2col
    im2col_backward: _Im2colBackward
    incre_flash_attention: _IncreFlashAttention
    incre_flash_attention_v2: _IncreFlashAttentionV2
    incre_flash_attention_v3: _IncreFlashAttentionV3
    incre_flash_attention_v4: _IncreFlashAttentionV4
    index: _Index
    index_add: _IndexAdd
    index_add_v2: _IndexAddV2
    index_copy: _IndexCopy
    index_fill: _IndexFill
    index_fill_tensor: _IndexFillTensor
    index_put_impl: _IndexPutImpl
    index_select: _IndexSelect
    inplace_acos: _InplaceAcos
    inplace_acosh: _InplaceAcosh
    inplace_add: _InplaceAdd
    inplace_add_relu: _InplaceAddRelu
    inplace_add_rms_norm: _InplaceAddRmsNorm
    inplace_add_v3: _InplaceAddV3
    inplace_addbmm: _InplaceAddbmm
    inplace_addcdiv: _InplaceAddcdiv
    inplace_addcmul: _InplaceAddcmul
    inplace_addmm: _InplaceAddmm
    inplace_addr: _InplaceAddr
    inplace_adds: _InplaceAdds
    inplace_asin: _InplaceAsin
    inplace_asinh: _InplaceAsinh
    inplace_atan: _InplaceAtan
    inplace_atan2: _InplaceAtan2
    inplace_atanh: _InplaceAtanh
    inplace_attention_worker_scheduler: _InplaceAttentionWorkerScheduler
    inplace_baddbmm: _InplaceBaddbmm
    inplace_bernoulli: _InplaceBernoulli
    inplace_bernoulli_tensor: _InplaceBernoulliTensor
    inplace_bitwise_and_scalar: _InplaceBitwiseAndScalar
    inplace_bitwise_and_tensor: _InplaceBitwiseAndTensor
    inplace_bitwise_and_tensor_out: _InplaceBitwiseAndTensorOut
    inplace_bitwise_or_scalar: _InplaceBitwiseOrScalar
    inplace_bitwise_or_tensor: _InplaceBitwiseOrTensor
    inplace_bitwise_xor_scalar: _InplaceBitwiseXorScalar
    inplace_bitwise_xor_tensor: _InplaceBitwiseXorTensor
    inplace_ceil: _InplaceCeil
    inplace_celu: _InplaceCelu
    inplace_clamp_max: _InplaceClampMax
    inplace_clamp_max_tensor: _InplaceClampMaxTensor
    inplace_clamp_min_tensor: _InplaceClampMinTensor
    inplace_copy: _InplaceCopy
    inplace_cos: _InplaceCos
    inplace_cosh: _InplaceCosh
    inplace_cumprod: _InplaceCumprod
    inplace_div: _InplaceDiv
    inplace_div_mod: _InplaceDivMod
    inplace_div_mods: _InplaceDivMods
    inplace_divs: _InplaceDivs
    inplace_elu: _InplaceElu
    inplace_eq_scalar: _InplaceEqScalar
    inplace_eq_tensor: _InplaceEqTensor
    inplace_erf: _InplaceErf
    inplace_erfc: _InplaceErfc
    inplace_erfinv: _InplaceErfinv
    inplace_exp: _InplaceExp
    inplace_exp2: _InplaceExp2
    inplace_expm1: _InplaceExpm1
    inplace_ffn_worker_scheduler: _InplaceFfnWorkerScheduler
    inplace_fill_diagonal: _InplaceFillDiagonal
    inplace_fill_scalar: _InplaceFillScalar
    inplace_fill_tensor: _InplaceFillTensor
    inplace_floor: _InplaceFloor
    inplace_floor_divide: _InplaceFloorDivide
    inplace_floor_divides: _InplaceFloorDivides
    inplace_fmod_scalar: _InplaceFmodScalar
    inplace_fmod_tensor: _InplaceFmodTensor
    inplace_frac: _InplaceFrac
    inplace_fused_causal_conv1d: _InplaceFusedCausalConv1d
    inplace_ge_scalar: _InplaceGeScalar
    inplace_ge_tensor: _InplaceGeTensor
    inplace_gt_scalar: _InplaceGtScalar
    inplace_gt_tensor: _InplaceGtTensor
    inplace_hardsigmoid: _InplaceHardsigmoid
    inplace_hardswish: _InplaceHardswish
    inplace_hardtanh: _InplaceHardtanh
    inplace_index_copy: _InplaceIndexCopy
    inplace_index_fill: _InplaceIndexFill
    inplace_index_fill_tensor: _InplaceIndexFillTensor
    inplace_le_scalar: _InplaceLeScalar
    inplace_le_tensor: _InplaceLeTensor
    inplace_leaky_relu: _InplaceLeakyRelu
    inplace_lerp: _InplaceLerp
    inplace_lerps: _InplaceLerps
    inplace_log: _InplaceLog
    inplace_log10: _InplaceLog10
    inplace_log1p: _InplaceLog1p
    inplace_log2: _InplaceLog2
    inplace_logical_and: _InplaceLogicalAnd
    inplace_logical_not: _InplaceLogicalNot
    inplace_logical_or: _InplaceLogicalOr
    inplace_lt_scalar: _InplaceLtScalar
    inplace_lt_tensor: _InplaceLtTensor
    inplace_masked_fill_scalar: _InplaceMaskedFillScalar
    inplace_masked_fill_tensor: _InplaceMaskedFillTensor
    inplace_masked_scatter: _InplaceMaskedScatter
    inplace_matmul_all_reduce_add_rms_norm: _InplaceMatmulAllReduceAddRmsNorm
    inplace_mish: _InplaceMish
    inplace_mul: _InplaceMul
    inplace_muls: _InplaceMuls
    inplace_nan_to_num: _InplaceNanToNum
    inplace_ne_scalar: _InplaceNeScalar
    inplace_ne_tensor: _InplaceNeTensor
    inplace_neg: _InplaceNeg
    inplace_normal: _InplaceNormal
    inplace_normal_tensor: _InplaceNormalTensor
    inplace_one: _InplaceOne
    inplace_pow_tensor_scalar: _InplacePowTensorScalar
    inplace_pow_tensor_tensor: _InplacePowTensorTensor
    inplace_put: _InplacePut
    inplace_quant_matmul_all_reduce_add_rms_norm: _InplaceQuantMatmulAllReduceAddRmsNorm
    inplace_quant_scatter: _InplaceQuantScatter
    inplace_quant_scatter_v2: _InplaceQuantScatterV2
    inplace_r_relu_with_noise: _InplaceRReluWithNoise
    inplace_random: _InplaceRandom
    inplace_random_tensor: _InplaceRandomTensor
    inplace_random_without_from_to: _InplaceRandomWithoutFromTo
    inplace_random_without_from_to_tensor: _InplaceRandomWithoutFromToTensor
    inplace_reciprocal: _InplaceReciprocal
    inplace_relu: _InplaceRelu
    inplace_remainder_tensor_scalar: _InplaceRemainderTensorScalar
    inplace_remainder_tensor_tensor: _InplaceRemainderTensorTensor
    inplace_renorm: _InplaceRenorm
    inplace_round: _InplaceRound
    inplace_round_decimals: _InplaceRoundDecimals
    inplace_rsqrt: _InplaceRsqrt
    inplace_scatter: _InplaceScatter
    inplace_scatter_reduce: _InplaceScatterReduce
    inplace_scatter_update: _InplaceScatterUpdate
    inplace_scatter_value: _InplaceScatterValue
    inplace_selu: _InplaceSelu
    inplace_sigmoid: _InplaceSigmoid
    inplace_sin: _InplaceSin
    inplace_sinc: _InplaceSinc
    inplace_sinh: _InplaceSinh
    inplace_sqrt: _InplaceSqrt
    inplace_sub: _InplaceSub
    inplace_subs: _InplaceSubs
    inplace_tan: _InplaceTan
    inplace_tanh: _InplaceTanh
    inplace_threshold: _InplaceThreshold
    inplace_tril: _InplaceTril
    inplace_triu: _InplaceTriu
    inplace_trunc: _InplaceTrunc
    inplace_uniform: _InplaceUniform
    inplace_uniform_tensor: _InplaceUniformTensor
    inplace_weight_quant_matmul_all_reduce_add_rms_norm: _InplaceWeightQuantMatmulAllReduceAddRmsNorm
    inplace_x_log_y_scalar_other: _InplaceXLogYScalarOther
    inplace_x_log_y_tensor: _InplaceXLogYTensor
    inplace_zero: _InplaceZero
    instance_norm: _InstanceNorm
    interleave_rope: _InterleaveRope
    inverse: _Inverse
    iou: _Iou
    is_close: _IsClose
    is_finite: _IsFinite
    is_in_scalar_tensor: _IsInScalarTensor
    is_in_tensor_scalar: _IsInTensorScalar
    is_inf: _IsInf
    is_neg_inf: _IsNegInf
    is_pos_inf: _IsPosInf
    kl_div: _KlDiv
    kl_div_backward: _KlDivBackward
    kl_div_target_backward: _KlDivTargetBackward
    kthvalue: _Kthvalue
    kv_rms_norm_rope_cache: _KvRmsNormRopeCache
    kv_rms_norm_rope_cache_v2: _KvRmsNormRopeCacheV2
    l1_loss: _L1Loss
    l1_loss_backward: _L1LossBackward
    layer_norm: _LayerNorm
    layer_norm_backward: _LayerNormBackward
    layer_norm_quant: _LayerNormQuant
    layer_norm_with_impl_mode: _LayerNormWithImplMode
    le_scalar: _LeScalar
    le_tensor: _LeTensor
    leaky_relu: _LeakyRelu
    leaky_relu_backward: _LeakyReluBackward
    left_shift: _LeftShift
    left_shifts: _LeftShifts
    lerp: _Lerp
    lerps: _Lerps
    lgamma: _Lgamma
    lightning_indexer: _LightningIndexer
    lightning_indexer_grad: _LightningIndexerGrad
    lightning_indexer_v2: _LightningIndexerV2
    lightning_indexer_v2_metadata: _LightningIndexerV2Metadata
    linalg_cholesky: _LinalgCholesky
    linalg_cross: _LinalgCross
    linalg_qr: _LinalgQr
    linalg_vector_norm: _LinalgVectorNorm
    linspace: _Linspace
    log: _Log
    log10: _Log10
    log1p: _Log1p
    log2: _Log2
    log_add_exp: _LogAddExp
    log_add_exp2: _LogAddExp2
    log_sigmoid: _LogSigmoid
    log_sigmoid_backward: _LogSigmoidBackward
    log_sigmoid_forward: _LogSigmoidForward
    log_softmax: _LogSoftmax
    log_softmax_backward: _LogSoftmaxBackward
    log_space: _LogSpace
    log_sum_exp: _LogSumExp
    logdet: _Logdet
    logical_and: _LogicalAnd
    logical_not: _LogicalNot
    logical_or: _LogicalOr
    logical_xor: _LogicalXor
    logit: _Logit
    logit_grad: _LogitGrad
    lstm: _LSTM
    lstm_backward: _LstmBackward
    lt_scalar: _LtScalar
    lt_tensor: _LtTensor
    masked_causal_conv1d: _MaskedCausalConv1d
    masked_causal_conv1d_backward: _MaskedCausalConv1dBackward
    masked_scale: _MaskedScale
    masked_select: _MaskedSelect
    masked_softmax_with_rel_pos_bias: _MaskedSoftmaxWithRelPosBias
    matmul: _Matmul
    matmul_all_reduce: _MatmulAllReduce
    matmul_all_reduce_add_rms_norm: _MatmulAllReduceAddRmsNorm
    matmul_all_reduce_v2: _MatmulAllReduceV2
    matmul_all_reduce_v3: _MatmulAllReduceV3
    matmul_allto_all: _MatmulAlltoAll
    matmul_allto_all_v2: _MatmulAlltoAllV2
    matmul_compress: _MatmulCompress
    matmul_compress_dequant: _MatmulCompressDequant
    matmul_emu_split_weight: _MatmulEmuSplitWeight
    matmul_reduce_scatter: _MatmulReduceScatter
    matmul_reduce_scatter_v2: _MatmulReduceScatterV2
    matmul_weight_nz: _MatmulWeightNz
    max: _Max
    max_dim: _MaxDim
    max_n: _MaxN
    max_pool: _MaxPool
    max_pool2d_with_indices: _MaxPool2dWithIndices
    max_pool2d_with_indices_backward: _MaxPool2dWithIndicesBackward
    max_pool2d_with_mask: _MaxPool2dWithMask
    max_pool2d_with_mask_backward: _MaxPool2dWithMaskBackward
    max_pool3d_with_argmax: _MaxPool3dWithArgmax
    max_pool3d_with_argmax_backward: _MaxPool3dWithArgmaxBackward
    max_unpool2d: _MaxUnpool2d
    max_unpool2d_backward: _MaxUnpool2dBackward
    max_unpool3d: _MaxUnpool3d
    max_unpool3d_backward: _MaxUnpool3dBackward
    max_v2: _MaxV2
    maximum: _Maximum
    mean: _Mean
    mean_v2: _MeanV2
    median: _Median
    median_dim: _MedianDim
    mhc_post: _MhcPost
    mhc_post_backward: _MhcPostBackward
    mhc_pre: _MhcPre
    mhc_pre_backward: _MhcPreBackward
    mhc_pre_sinkhorn: _MhcPreSinkhorn
    mhc_pre_sinkhorn_backward: _MhcPreSinkhornBackward
    mhc_sinkhorn: _MhcSinkhorn
    mhc_sinkhorn_backward: _MhcSinkhornBackward
    min: _Min
    min_dim: _MinDim
    min_n: _MinN
    minimum: _Minimum
    mish: _Mish
    mish_backward: _MishBackward
    mla_preprocess: _MlaPreprocess
    mla_preprocess_v2: _MlaPreprocessV2
    mla_prolog: _MlaProlog
    mla_prolog_v2: _MlaPrologV2
    mla_prolog_v2_weight_nz: _MlaPrologV2WeightNz
    mla_prolog_v3: _MlaPrologV3
    mla_prolog_v3_weight_nz: _MlaPrologV3WeightNz
    mm: _Mm
    modulate: _Modulate
    modulate_backward: _ModulateBackward
    moe_compute_expert_tokens: _MoeComputeExpertTokens
    moe_distribute_buffer_reset: _MoeDistributeBufferReset
    moe_distribute_combine: _MoeDistributeCombine
    moe_distribute_combine_add_rms_norm: _MoeDistributeCombineAddRmsNorm
    moe_distribute_combine_add_rms_norm_v2: _MoeDistributeCombineAddRmsNormV2
    moe_distribute_combine_setup: _MoeDistributeCombineSetup
    moe_distribute_combine_teardown: _MoeDistributeCombineTeardown
    moe_distribute_combine_v2: _MoeDistributeCombineV2
    moe_distribute_combine_v3: _MoeDistributeCombineV3
    moe_distribute_combine_v4: _MoeDistributeCombineV4
    moe_distribute_dispatch: _MoeDistributeDispatch
    moe_distribute_dispatch_setup: _MoeDistributeDispatchSetup
    moe_distribute_dispatch_teardown: _MoeDistributeDispatchTeardown
    moe_distribute_dispatch_v2: _MoeDistributeDispatchV2
    moe_distribute_dispatch_v3: _MoeDistributeDispatchV3
    moe_distribute_dispatch_v4: _MoeDistributeDispatchV4
    moe_finalize_routing: _MoeFinalizeRouting
    moe_finalize_routing_v2: _MoeFinalizeRoutingV2
    moe_finalize_routing_v2_grad: _MoeFinalizeRoutingV2Grad
    moe_finalize_routing_v3: _MoeFinalizeRoutingV3
    moe_fused_topk: _MoeFusedTopk
    moe_gating_top_k: _MoeGatingTopK
    moe_gating_top_k_backward: _MoeGatingTopKBackward
    moe_gating_top_k_softmax: _MoeGatingTopKSoftmax
    moe_gating_top_k_softmax_v2: _MoeGatingTopKSoftmaxV2
    moe_init_routing: _MoeInitRouting
    moe_init_routing_quant: _MoeInitRoutingQuant
    moe_init_routing_quant_v2: _MoeInitRoutingQuantV2
    moe_init_routing_v2: _MoeInitRoutingV2
    moe_init_routing_v2_grad: _MoeInitRoutingV2Grad
    moe_init_routing_v3: _MoeInitRoutingV3
    moe_re_routing: _MoeReRouting
    moe_token_permute: _MoeTokenPermute
    moe_token_permute_grad: _MoeTokenPermuteGrad
    moe_token_permute_with_ep: _MoeTokenPermuteWithEp
    moe_token_permute_with_ep_grad: _MoeTokenPermuteWithEpGrad
    moe_token_permute_with_routing_map: _MoeTokenPermuteWithRoutingMap
    moe_token_permute_with_routing_map_grad: _MoeTokenPermuteWithRoutingMapGrad
    moe_token_unpermute: _MoeTokenUnpermute
    moe_token_unpermute_grad: _MoeTokenUnpermuteGrad
    moe_token_unpermute_with_ep: _MoeTokenUnpermuteWithEp
    moe_token_unpermute_with_ep_grad: _MoeTokenUnpermuteWithEpGrad
    moe_token_unpermute_with_routing_map: _MoeTokenUnpermuteWithRoutingMap
    moe_token_unpermute_with_routing_map_grad: _MoeTokenUnpermuteWithRoutingMapGrad
    moe_update_expert: _MoeUpdateExpert
    mrgba_custom: _MrgbaCustom
    mse_loss: _MseLoss
    mse_loss_backward: _MseLossBackward
    mse_loss_out: _MseLossOut
    mul: _Mul
    muls: _Muls
    multi_scale_deformable_attention_grad: _MultiScaleDeformableAttentionGrad
    multi_scale_deformable_attn_function: _MultiScaleDeformableAttnFunction
    multilabel_margin_loss: _MultilabelMarginLoss
    multinomial: _Multinomial
    multinomial_tensor: _MultinomialTensor
    mv: _Mv
    mx_to_block_mx_quant: _MxToBlockMxQuant
    nan_median: _NanMedian
    nan_median_dim: _NanMedianDim
    nan_to_num: _NanToNum
    ne_scalar: _NeScalar
    ne_tensor: _NeTensor
    neg: _Neg
    nll_loss: _NLLLoss
    nll_loss2d: _NLLLoss2d
    nll_loss2d_backward: _NLLLoss2dBackward
    nll_loss_backward: _NLLLossBackward
    non_max_suppression: _NonMaxSuppression
    nonzero: _Nonzero
    nonzero_v2: _NonzeroV2
    norm: _Norm
    norm_rope_concat: _NormRopeConcat
    norm_rope_concat_backward: _NormRopeConcatBackward
    normal_float_float: _NormalFloatFloat
    normal_float_tensor: _NormalFloatTensor
    normal_tensor_float: _NormalTensorFloat
    normal_tensor_tensor: _NormalTensorTensor
    npu_format_cast: _NpuFormatCast
    nsa_compress: _NsaCompress
    nsa_compress_attention: _NsaCompressAttention
    nsa_compress_attention_infer: _NsaCompressAttentionInfer
    nsa_compress_grad: _NsaCompressGrad
    nsa_compress_with_cache: _NsaCompressWithCache
    nsa_selected_attention: _NsaSelectedAttention
    nsa_selected_attention_grad: _NsaSelectedAttentionGrad
    nsa_selected_attention_infer: _NsaSelectedAttentionInfer
    one_hot: _OneHot
    pdist: _Pdist
    pdist_forward: _PdistForward
    permute: _Permute
    polar: _Polar
    pow_scalar_tensor: _PowScalarTensor
    pow_tensor_scalar: _PowTensorScalar
    pow_tensor_tensor: _PowTensorTensor
    precision_compare: _PrecisionCompare
    prelu: _Prelu
    prelu_backward: _PreluBackward
    prod: _Prod
    prod_dim: _ProdDim
    prompt_flash_attention: _PromptFlashAttention
    prompt_flash_attention_v2: _PromptFlashAttentionV2
    prompt_flash_attention_v3: _PromptFlashAttentionV3
    qkv_rms_norm_rope_cache: _QkvRmsNormRopeCache
    qr: _Qr
    quant_all_reduce: _QuantAllReduce
    quant_batch_matmul_inplace_add: _QuantBatchMatmulInplaceAdd
    quant_convolution: _QuantConvolution
    quant_convolution_weight_nz: _QuantConvolutionWeightNz
    quant_flash_attention_score: _QuantFlashAttentionScore
    quant_grouped_mat_mul_allto_allv: _QuantGroupedMatMulAlltoAllv
    quant_grouped_mat_mul_allto_allv_v2: _QuantGroupedMatMulAlltoAllvV2
    quant_grouped_matmul_dequant: _QuantGroupedMatmulDequant
    quant_grouped_matmul_dequant_weight_nz: _QuantGroupedMatmulDequantWeightNZ
    quant_grouped_matmul_inplace_add: _QuantGroupedMatmulInplaceAdd
    quant_lightning_indexer: _QuantLightningIndexer
    quant_matmul: _QuantMatmul
    quant_matmul_activation_quant_weight_nz: _QuantMatmulActivationQuantWeightNz
    quant_matmul_all_reduce: _QuantMatmulAllReduce
    quant_matmul_all_reduce_add_rms_norm: _QuantMatmulAllReduceAddRmsNorm
    quant_matmul_all_reduce_v2: _QuantMatmulAllReduceV2
    quant_matmul_all_reduce_v3: _QuantMatmulAllReduceV3
    quant_matmul_all_reduce_v4: _QuantMatmulAllReduceV4
    quant_matmul_all_reduce_v5: _QuantMatmulAllReduceV5
    quant_matmul_allto_all: _QuantMatmulAlltoAll
    quant_matmul_allto_all_v2: _QuantMatmulAlltoAllV2
    quant_matmul_dequant: _QuantMatmulDequant
    quant_matmul_reduce_sum_weight_nz: _QuantMatmulReduceSumWeightNz
    quant_matmul_v2: _QuantMatmulV2
    quant_matmul_v3: _QuantMatmulV3
    quant_matmul_v4: _QuantMatmulV4
    quant_matmul_v5: _QuantMatmulV5
    quant_matmul_weight_nz: _QuantMatmulWeightNz
    quant_max: _QuantMax
    quant_reduce_scatter: _QuantReduceScatter
    quantize: _Quantize
    quantized_batch_norm: _QuantizedBatchNorm
    r_relu_with_noise: _RReluWithNoise
    rain_fusion_attention: _RainFusionAttention
    randperm: _Randperm
    range: _Range
    rasterizer: _Rasterizer
    real: _Real
    reciprocal: _Reciprocal
    recurrent_gated_delta_rule: _RecurrentGatedDeltaRule
    reduce_log_sum: _ReduceLogSum
    reduce_nansum: _ReduceNansum
    reduce_sum: _ReduceSum
    reflection_pad1d: _ReflectionPad1d
    reflection_pad1d_backward: _ReflectionPad1dBackward
    reflection_pad2d: _ReflectionPad2d
    reflection_pad2d_backward: _ReflectionPad2dBackward
    reflection_pad3d: _ReflectionPad3d
    reflection_pad3d_backward: _ReflectionPad3dBackward
    relu: _Relu
    remainder_scalar_tensor: _RemainderScalarTensor
    remainder_tensor_scalar: _RemainderTensorScalar
    remainder_tensor_tensor: _RemainderTensorTensor
    renorm: _Renorm
    repeat: _Repeat
    repeat_interleave: _RepeatInterleave
    repeat_interleave_grad: _RepeatInterleaveGrad
    repeat_interleave_int: _RepeatInterleaveInt
    repeat_interleave_int_with_dim: _RepeatInterleaveIntWithDim
    repeat_interleave_tensor: _RepeatInterleaveTensor
    repeat_interleave_with_dim: _RepeatInterleaveWithDim
    replication_pad1d: _ReplicationPad1d
    replication_pad1d_backward: _ReplicationPad1dBackward
    replication_pad2d: _ReplicationPad2d
    replication_pad2d_backward: _ReplicationPad2dBackward
    replication_pad3d: _ReplicationPad3d
    replication_pad3d_backward: _ReplicationPad3dBackward
    resize: _Resize
    rfft1d: _Rfft1D
    right_shift: _RightShift
    ring_attention_update: _RingAttentionUpdate
    ring_attention_update_v2: _RingAttentionUpdateV2
    rms_norm: _RmsNorm
    rms_norm_dynamic_mx_quant: _RmsNormDynamicMxQuant
    rms_norm_dynamic_quant: _RmsNormDynamicQuant
    rms_norm_grad: _RmsNormGrad
    rms_norm_grad_quant: _RmsNormGradQuant
    rms_norm_quant: _RmsNormQuant
    rms_norm_quant_v3: _RmsNormQuantV3
    roi_align: _RoiAlign
    roi_align_v2: _RoiAlignV2
    roi_align_v2_backward: _RoiAlignV2Backward
    roi_pooling_grad_with_arg_max: _RoiPoolingGradWithArgMax
    roi_pooling_with_arg_max: _RoiPoolingWithArgMax
    roll: _Roll
    rope_with_sin_cos_cache: _RopeWithSinCosCache
    rope_with_sin_cos_cache_v2: _RopeWithSinCosCacheV2
    rotary_position_embedding: _RotaryPositionEmbedding
    rotary_position_embedding_grad: _RotaryPositionEmbeddingGrad
    rotary_position_embedding_v2: _RotaryPositionEmbeddingV2
    rotate_quant: _RotateQuant
    round: _Round
    round_decimals: _RoundDecimals
    rsqrt: _Rsqrt
    rsub: _Rsub
    rsubs: _Rsubs
    s_where: _SWhere
    scale: _Scale
    scaled_masked_softmax: _ScaledMaskedSoftmax
    scaled_masked_softmax_backward: _ScaledMaskedSoftmaxBackward
    scatter: _Scatter
    scatter_add: _ScatterAdd
    scatter_div: _ScatterDiv
    scatter_list: _ScatterList
    scatter_max: _ScatterMax
    scatter_min: _ScatterMin
    scatter_mul: _ScatterMul
    scatter_nd: _ScatterNd
    scatter_nd_update: _ScatterNdUpdate
    scatter_pa_cache: _ScatterPaCache
    scatter_pa_kv_cache: _ScatterPaKvCache
    scatter_reduce: _ScatterReduce
    scatter_value: _ScatterValue
    search_sorted: _SearchSorted
    search_sorteds: _SearchSorteds
    selu: _Selu
    selu_backward: _SeluBackward
    shrink: _Shrink
    sigmoid: _Sigmoid
    sigmoid_backward: _SigmoidBackward
    sign: _Sign
    sign_bits_pack: _SignBitsPack
    sign_bits_unpack: _SignBitsUnpack
    signbit: _Signbit
    silent_check: _SilentCheck
    silent_check_v2: _SilentCheckV2
    silu: _Silu
    silu_backward: _SiluBackward
    sim_thread_exponential: _SimThreadExponential
    sin: _Sin
    sinc: _Sinc
    sinh: _Sinh
    sinkhorn: _Sinkhorn
    situ_glu: _SituGlu
    situ_glu_grad: _SituGluGrad
    situ_mx_quant: _SituMxQuant
    sleep: _Sleep
    slice: _Slice
    slice_v2: _SliceV2
    slogdet: _Slogdet
    smooth_l1_loss: _SmoothL1Loss
    smooth_l1_loss_backward: _SmoothL1LossBackward
    soft_margin_loss: _SoftMarginLoss
    soft_margin_loss_backward: _SoftMarginLossBackward
    softmax: _Softmax
    softmax_backward: _SoftmaxBackward
    softmax_cross_entropy_with_logits: _SoftmaxCrossEntropyWithLogits
    softplus: _Softplus
    softplus_backward: _SoftplusBackward
    softshrink: _Softshrink
    softshrink_backward: _SoftshrinkBackward
    sort: _Sort
    sparse4to2_quant_matmul_weight_nz: _Sparse4to2QuantMatmulWeightNz
    sparse_flash_attention: _SparseFlashAttention
    sparse_flash_attention_grad: _SparseFlashAttentionGrad
    sparse_flash_mla: _SparseFlashMla
    sparse_flash_mla_grad: _SparseFlashMlaGrad
    sparse_flash_mla_metadata: _SparseFlashMlaMetadata
    sparse_lightning_indexer_grad_kl_loss: _SparseLightningIndexerGradKLLoss
    sparse_lightning_indexer_kl_loss_grad: _SparseLightningIndexerKLLossGrad
    sparse_lightning_indexer_kl_loss_grad_metadata: _SparseLightningIndexerKLLossGradMetadata
    split_tensor: _SplitTensor
    split_with_size: _SplitWithSize
    sqrt: _Sqrt
    square: _Square
    squared_relu: _SquaredRelu
    stack: _Stack
    std: _Std
    std_mean_correction: _StdMeanCorrection
    stft: _Stft
    strided_slice: _StridedSlice
    strided_slice_assign_v2: _StridedSliceAssignV2
    sub: _Sub
    subs: _Subs
    sum: _Sum
    svd: _Svd
    swi_glu: _SwiGlu
    swi_glu_grad: _SwiGluGrad
    swi_glu_quant: _SwiGluQuant
    swi_glu_quant_v2: _SwiGluQuantV2
    swiglu_backward_mx_quant_with_dual_axis: _SwigluBackwardMxQuantWithDualAxis
    swiglu_group: _SwigluGroup
    swiglu_group_grad: _SwigluGroupGrad
    swiglu_group_quant: _SwigluGroupQuant
    swiglu_group_quant_grad: _SwigluGroupQuantGrad
    swiglu_mx_quant: _SwigluMxQuant
    swiglu_mx_quant_with_dual_axis: _SwigluMxQuantWithDualAxis
    swin_attention_score_quant: _SwinAttentionScoreQuant
    swin_transformer_ln_qkv_quant: _SwinTransformerLnQkvQuant
    swish: _Swish
    swish_backward: _SwishBackward
    sync_batch_norm_gather_stats: _SyncBatchNormGatherStats
    take: _Take
    tan: _Tan
    tanh: _Tanh
    tanh_backward: _TanhBackward
    tf_scatter_add: _TfScatterAdd
    thnn_fused_lstm_cell: _ThnnFusedLstmCell
    thnn_fused_lstm_cell_backward: _ThnnFusedLstmCellBackward
    three_interpolate_backward: _ThreeInterpolateBackward
    threshold: _Threshold
    threshold_backward: _ThresholdBackward
    top_k_top_p_sample: _TopKTopPSample
    top_k_top_p_sample_v2: _TopKTopPSampleV2
    topk: _Topk
    trace: _Trace
    trans_convolution_weight: _TransConvolutionWeight
    trans_matmul_weight: _TransMatmulWeight
    trans_quant_param_v2: _TransQuantParamV2
    trans_quant_param_v3: _TransQuantParamV3
    transform_bias_rescale_qkv: _TransformBiasRescaleQkv
    transpose_batch_mat_mul: _TransposeBatchMatMul
    transpose_batch_mat_mul_weight_nz: _TransposeBatchMatMulWeightNz
    transpose_quant_batch_mat_mul: _TransposeQuantBatchMatMul
    transpose_quant_batch_mat_mul_weight_nz: _TransposeQuantBatchMatMulWeightNz
    triangular_solve: _TriangularSolve
    tril: _Tril
    triu: _Triu
    trunc: _Trunc
    unfold_grad: _UnfoldGrad
    unique: _Unique
    unique2: _Unique2
    unique_consecutive: _UniqueConsecutive
    unique_dim: _UniqueDim
    upsample_bicubic2d: _UpsampleBicubic2d
    upsample_bicubic2d_aa: _UpsampleBicubic2dAA
    upsample_bicubic2d_aa_grad: _UpsampleBicubic2dAAGrad
    upsample_bicubic2d_backward: _UpsampleBicubic2dBackward
    upsample_bilinear2d: _UpsampleBilinear2d
    upsample_bilinear2d_aa: _UpsampleBilinear2dAA
    upsample_bilinear2d_aa_backward: _UpsampleBilinear2dAABackward
    upsample_bilinear2d_backward: _UpsampleBilinear2dBackward
    upsample_bilinear2d_backward_v2: _UpsampleBilinear2dBackwardV2
    upsample_linear1d: _UpsampleLinear1d
    upsample_linear1d_backward: _UpsampleLinear1dBackward
    upsample_nearest1d: _UpsampleNearest1d
    upsample_nearest1d_backward: _UpsampleNearest1dBackward
    upsample_nearest1d_v2: _UpsampleNearest1dV2
    upsample_nearest2d: _UpsampleNearest2d
    upsample_nearest2d_backward: _UpsampleNearest2dBackward
    upsample_nearest2d_v2: _UpsampleNearest2dV2
    upsample_nearest3d: _UpsampleNearest3d
    upsample_nearest3d_backward: _UpsampleNearest3dBackward
    upsample_nearest_exact1d: _UpsampleNearestExact1d
    upsample_nearest_exact1d_backward: _UpsampleNearestExact1dBackward
    upsample_nearest_exact2d: _UpsampleNearestExact2d
    upsample_nearest_exact2d_backward: _UpsampleNearestExact2dBackward
    upsample_nearest_exact3d: _UpsampleNearestExact3d
    upsample_nearest_exact3d_backward: _UpsampleNearestExact3dBackward
    upsample_trilinear3d: _UpsampleTrilinear3d
    upsample_trilinear3d_backward: _UpsampleTrilinear3dBackward
    var: _Var
    var_correction: _VarCorrection
    var_mean: _VarMean
    weight_quant_batch_matmul: _WeightQuantBatchMatmul
    weight_quant_batch_matmul_nz: _WeightQuantBatchMatmulNz
    weight_quant_batch_matmul_v2: _WeightQuantBatchMatmulV2
    weight_quant_batch_matmul_v3: _WeightQuantBatchMatmulV3
    weight_quant_matmul_all_reduce: _WeightQuantMatmulAllReduce
    weight_quant_matmul_all_reduce_add_rms_norm: _WeightQuantMatmulAllReduceAddRmsNorm
    weight_quant_matmul_all_reduce_v2: _WeightQuantMatmulAllReduceV2
    weight_quant_preprocess: _WeightQuantPreprocess
    x_log_y_scalar_other: _XLogYScalarOther
    x_log_y_scalar_self: _XLogYScalarSelf
    x_log_y_tensor: _XLogYTensor
    xlog1py: _Xlog1py

ops: Operators
