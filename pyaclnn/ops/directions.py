"""The directions of parameters: read, written, or both.

``const`` does not determine them: CANN declares many outputs const and some inputs non-const. The
rule is: a non-const tensor or tensor list is written, and so is a const one that is named as an
output or as a reference; ``...Ref`` is read as well. The tables below have the parameters for which
CANN's documents say otherwise.
"""

from __future__ import annotations

import re
from typing import Literal

from pyaclnn.abi import Parameter

Direction = Literal["in", "out", "inout"]

_TENSORS = frozenset({"tensor", "tensor_list"})
# A gradOut is not an output: it is the gradient with respect to one, and given.
_WRITTEN = re.compile(r"^out$|(?<!^grad)Out$|OutOptional$|Ref$")

#: Read only, although declared non-const or named like an output.
INPUTS: dict[str, tuple[str, ...]] = {
    # The statistics and the affine weights of a normalisation, declared non-const.
    "aclnnBatchNormElemt": ("mean", "invstd"),
    "aclnnBatchNormElemtBackward": ("counter",),
    "aclnnQuantizedBatchNorm": ("weight", "bias"),
    # What the forward operator wrote, handed to its backward one.
    "aclnnDeformableConv2dBackward": ("offsetOut",),
    "aclnnNLLLoss2dBackward": ("totalWeight",),
    "aclnnNsaSelectedAttentionGrad": ("attentionOut",),
    "aclnnBlockSparseAttentionGrad": ("attentionOut",),
    "aclnnMhcPost": ("hOut",),
    "aclnnMhcPostBackward": ("hOut",),
    "aclnnMhcPreSinkhornBackward": ("sumOut", "normOut"),
    "aclnnMhcSinkhornBackward": ("normOut", "sumOut"),
    "aclnnSparseFlashAttentionGrad": ("dOut", "out"),
    "aclnnSparseFlashMlaGrad": ("dOut", "out"),
    # The attention results that are merged into out, and into attnOutOut.
    "aclnnAttentionUpdate": ("localOut",),
    "aclnnRingAttentionUpdate": ("prevAttnOut", "curAttnOut"),
    "aclnnRingAttentionUpdateV2": ("prevAttnOut", "curAttnOut"),
    # The ranks to reach; a time limit in microseconds.
    "aclnnElasticReceivableTest": ("dstRank",),
    "aclnnDistributeBarrierV2": ("timeOut",),
    # The matrix on the right, declared non-const because it may be in a private format.
    "aclnnGroupedMatmulFinalizeRouting": ("w",),
    "aclnnGroupedMatmulFinalizeRoutingV2": ("x2",),
    "aclnnGroupedMatmulFinalizeRoutingV3": ("x2",),
    # Copied to outRef, and itself left alone.
    "aclnnIndexCopy": ("selfRef",),
    # The second operand: the angle goes to selfRef.
    "aclnnInplaceAtan2": ("other",),
    # The class probabilities.
    "aclnnSoftmaxCrossEntropyWithLogits": ("labels",),
}

#: Written and not read, although declared const and not named as outputs, or named ``...Ref``.
OUTPUTS: dict[str, tuple[str, ...]] = {
    # The result of a matrix product with everything around it, called y or output.
    "aclnnAllGatherMatmul": ("output",),
    "aclnnAlltoAllMatmul": ("output",),
    "aclnnAlltoAllMatmulV2": ("output",),
    "aclnnAlltoAllQuantMatmul": ("output",),
    "aclnnAlltoAllQuantMatmulV2": ("output",),
    "aclnnFFN": ("y",),
    "aclnnFFNV2": ("y",),
    "aclnnFFNV3": ("y",),
    "aclnnFusedMatmul": ("y",),
    "aclnnGroupedMatMulAllReduce": ("y",),
    "aclnnGroupedMatmul": ("y",),
    "aclnnGroupedMatmulV2": ("y",),
    "aclnnGroupedMatmulV3": ("y",),
    "aclnnMatmulAllReduce": ("output",),
    "aclnnMatmulAllReduceV2": ("output",),
    "aclnnMatmulAllReduceV3": ("output",),
    "aclnnMatmulAlltoAll": ("output",),
    "aclnnMatmulAlltoAllV2": ("output",),
    "aclnnMatmulEmuSplitWeight": ("y",),
    "aclnnMatmulReduceScatter": ("output",),
    "aclnnQuantGroupedMatMulAlltoAllv": ("y", "mmYOptional"),
    "aclnnQuantGroupedMatMulAlltoAllvV2": ("y", "mmYOptional"),
    "aclnnQuantMatmulAllReduce": ("output",),
    "aclnnQuantMatmulAllReduceV2": ("output",),
    "aclnnQuantMatmulAllReduceV3": ("output",),
    "aclnnQuantMatmulAllReduceV4": ("output",),
    "aclnnQuantMatmulAllReduceV5": ("output",),
    "aclnnQuantMatmulAlltoAll": ("output",),
    "aclnnQuantMatmulAlltoAllV2": ("output",),
    "aclnnWeightQuantBatchMatmulNz": ("y",),
    "aclnnWeightQuantBatchMatmulV2": ("y",),
    "aclnnWeightQuantBatchMatmulV3": ("y",),
    "aclnnWeightQuantMatmulAllReduce": ("output",),
    "aclnnWeightQuantMatmulAllReduceV2": ("output",),
    # The sum before the normalisation, next to normOut.
    "aclnnMatmulAllReduceAddRmsNorm": ("y",),
    "aclnnQuantMatmulAllReduceAddRmsNorm": ("y",),
    "aclnnWeightQuantMatmulAllReduceAddRmsNorm": ("y",),
    # Quantised values with their scales, or the values restored from them.
    "aclnnAntiMxQuant": ("y",),
    "aclnnAscendAntiQuant": ("y",),
    "aclnnAscendQuant": ("y",),
    "aclnnAscendQuantV3": ("y",),
    "aclnnGeluQuant": ("y", "outScaleOptional"),
    "aclnnGroupedDynamicMxQuant": ("y", "mxscale"),
    "aclnnGroupedDynamicMxQuantV2": ("y", "mxscale"),
    "aclnnGroupedQuantMax": ("y", "amax"),
    "aclnnMxToBlockMxQuant": ("y", "scale1", "scale2"),
    "aclnnQuantMax": ("y", "amax"),
    # The log-sum-exp next to attentionOut; the attention and the chosen blocks.
    "aclnnFusedInferAttentionScore": ("softmaxLse",),
    "aclnnFusedInferAttentionScoreV2": ("softmaxLse",),
    "aclnnFusedInferAttentionScoreV3": ("softmaxLse",),
    "aclnnFusedInferAttentionScoreV4": ("softmaxLse",),
    "aclnnFusedInferAttentionScoreV5": ("softmaxLse",),
    "aclnnFlashAttn": ("softmaxLseOptional",),
    "aclnnLightningIndexerV2": ("sparseIndices", "sparseValues"),
    "aclnnNsaCompressAttentionInfer": ("output", "topKOutput"),
    "aclnnRainFusionAttention": ("softmaxLseOptional",),
    "aclnnSparseFlashAttention": ("softmaxMax", "softmaxSum"),
    # How another operator divides its work.
    "aclnnFlashAttnMetadata": ("metaData",),
    "aclnnLightningIndexerV2Metadata": ("metaData",),
    "aclnnSparseFlashMlaMetadata": ("metaData",),
    "aclnnSparseLightningIndexerKLLossGradMetadata": ("metadata",),
    # What sampling selects.
    "aclnnTopKTopPSample": ("logitsSelectIdx", "logitsTopKPSelect"),
    "aclnnTopKTopPSampleV2": (
        "logitsSelectIdx",
        "logitsTopKPSelect",
        "logitsIdx",
        "logitsSortMasked",
    ),
    # Gradients that are declared const.
    "aclnnDenseLightningIndexerGradKLLoss": ("dQueryIndex", "dKeyIndex", "dWeights", "loss"),
    "aclnnGeluBackward": ("gradInput",),
    "aclnnMhcPreBackward": ("gradX", "gradPhi", "gradAlpha", "gradBias", "gradGamma"),
    "aclnnMhcPreSinkhornBackward": ("gradX", "gradPhi", "gradAlpha", "gradBias"),
    "aclnnModulateBackward": ("grad_input", "grad_scale", "grad_shift"),
    "aclnnNormRopeConcatBackward": (
        "gradQuery",
        "gradKey",
        "gradValue",
        "gradEncoderQuery",
        "gradEncoderKey",
        "gradEncoderValue",
        "gradNormQueryWeight",
        "gradNormQueryBias",
        "gradNormKeyWeight",
        "gradNormKeyBias",
        "gradNormAddedQueryWeight",
        "gradNormAddedQueryBias",
        "gradNormAddedKeyWeight",
        "gradNormAddedKeyBias",
    ),
    "aclnnSparseFlashMlaGrad": ("oriSoftmaxL1NormOptional", "cmpSoftmaxL1NormOptional"),
    "aclnnSparseLightningIndexerGradKLLoss": ("dQueryIndex", "dKeyIndex", "dWeights", "loss"),
    "aclnnSparseLightningIndexerKLLossGrad": ("dq", "dk", "dw"),
    "aclnnUnfoldGrad": ("gradIn",),
    # The remaining results that are declared const.
    "aclnnAmpUpdateScale": ("updatedScale", "updatedGrowthTracker"),
    "aclnnChunkGatedDeltaRule": ("finalState",),
    "aclnnLogSpace": ("result",),
    "aclnnNormRopeConcat": (
        "queryOutput",
        "keyOutput",
        "valueOutput",
        "normQueryMean",
        "normQueryRstd",
        "normKeyMean",
        "normKeyRstd",
        "normAddedQueryMean",
        "normAddedQueryRstd",
        "normAddedKeyMean",
        "normAddedKeyRstd",
    ),
    "aclnnQkvRmsNormRopeCache": ("qOutBeforeQuant", "kOutBeforeQuant", "vOutBeforeQuant"),
    "aclnnXlog1py": ("z",),
    # Called a reference, but its former content does not matter.
    "aclnnIndexCopy": ("outRef",),
    "aclnnMaxUnpool3d": ("outRef",),
}

#: Read and written, although not named ``...Ref``.
IN_PLACE: dict[str, tuple[str, ...]] = {
    # Running statistics, moved towards those of the batch in training.
    "aclnnBatchNorm": ("runningMean", "runningVar"),
    "aclnnBatchNormGatherStatsWithCounts": ("runningMean", "runningVar"),
    "aclnnSyncBatchNormGatherStats": ("mean", "variance"),
    # The state of a decoding step, declared const.
    "aclnnAdvanceStep": ("inputTokens", "inputPositions", "seqLens", "slotMapping"),
    "aclnnAdvanceStepV2": ("inputTokens", "inputPositions", "seqLens", "slotMapping"),
    # The lists that in-place operators on lists of tensors change, declared const.
    "aclnnForeachACosInplace": ("x",),
    "aclnnForeachAddListInplace": ("x1",),
    "aclnnForeachDivListInplace": ("x1",),
    "aclnnForeachLogInplace": ("x",),
    "aclnnForeachMulListInplace": ("x1",),
    "aclnnForeachMulScalarInplace": ("x",),
    "aclnnForeachNonFiniteCheckAndUnscale": ("scaledGrads", "foundInf"),
    "aclnnForeachSubListInplace": ("x1",),
    "aclnnForeachSubScalarInplace": ("x",),
    "aclnnForeachZeroInplace": ("x",),
    # In-place operators whose tensor is const or is not called selfRef.
    "aclnnInplaceBitwiseAndTensorOut": ("self",),
    "aclnnInplaceCumprod": ("input",),
    "aclnnInplaceHardsigmoid": ("self",),
    "aclnnInplaceHardswish": ("self",),
    "aclnnInplacePowTensorScalar": ("self",),
    "aclnnInplacePowTensorTensor": ("self",),
    "aclnnInplaceScatterUpdate": ("data",),
    "aclnnInplaceSqrt": ("self",),
    # selfRef is a scalar here; the sum goes to the other operand.
    "aclnnInplaceAddV3": ("other",),
    # The slopes drawn in training are kept for the backward operator.
    "aclnnInplaceRReluWithNoise": ("self", "noise"),
    "aclnnRReluWithNoise": ("noise",),
    # The sum before the normalisation replaces the residual.
    "aclnnInplaceMatmulAllReduceAddRmsNorm": ("residual",),
    "aclnnInplaceQuantMatmulAllReduceAddRmsNorm": ("residual",),
    "aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm": ("residual",),
    # Caches of keys and values, and states of earlier tokens.
    "aclnnFusedCausalConv1d": ("convStates",),
    "aclnnInplaceFusedCausalConv1d": ("x", "convStates"),
    "aclnnQkvRmsNormRopeCache": ("qOut", "kCache", "vCache"),
    # Only the new blocks of the cache are filled.
    "aclnnNsaCompressWithCache": ("outputCache",),
}

_TABLES: tuple[tuple[Direction, dict[str, tuple[str, ...]]], ...] = (
    ("in", INPUTS),
    ("out", OUTPUTS),
    ("inout", IN_PLACE),
)


def by_rule(parameter: Parameter) -> Direction:
    """Return the direction of a parameter by its declaration alone.

    Parameters
    ----------
    parameter : Parameter
        From an operator's first-phase signature.

    Returns
    -------
    str
        ``in``, ``out`` or ``inout``.
    """
    if parameter.kind not in _TENSORS:
        return "in"
    if parameter.const and not _WRITTEN.search(parameter.name):
        return "in"
    return "inout" if parameter.name.endswith("Ref") else "out"


def direction(operator: str, parameter: Parameter) -> Direction:
    """Return whether an operator reads a parameter, writes it, or both.

    Parameters
    ----------
    operator : str
        C name, without ``GetWorkspaceSize``.
    parameter : Parameter
        From the operator's first-phase signature.

    Returns
    -------
    str
        ``in``, ``out`` or ``inout``.
    """
    for found, table in _TABLES:
        if parameter.name in table.get(operator, ()):
            return found
    return by_rule(parameter)
