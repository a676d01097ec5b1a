"""Attention, and the rotary embeddings before it."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_QUANTISED = "int8 if {0} is not None else float16 if query.dtype == 'int8' else same query"
_INFER = (
    "(*attention(query, value[0], inputLayout, numHeads, numKeyValueHeads, {0} is not None),)"
    " as " + _QUANTISED.format("{1}")
)
_LSE = "if softmaxLseFlag: (*softmax_statistics(query, inputLayout, numHeads, 1),) as float32"
_FUSED = {
    "attentionOut": _INFER.format("blockTableOptional", "quantScale2Optional"),
    "softmaxLse": _LSE,
}
_PROMPT = "(*attention(query, value, inputLayout, numHeads, numKeyValueHeads),) as "
_MLA_ROPE = "(*tokenX[:-1], weightUk[0], ropeCos[-1]) as same ropeCos"
_MLA_QUERY = (
    "(*tokenX[:-1], weightUk[0], weightUk[2]) as int8 if tokenX.dtype == 'int8'"
    " and quantScaleCkvOptional is not None else same weightUk"
)
_MLA_SCALE = (
    "if tokenX.dtype == 'int8' and quantScaleCkvOptional is not None: "
    "(prod(tokenX[:-1]), weightUk[0], 1) as float32"
)
_MLA = {"queryOut": _MLA_QUERY, "queryRopeOut": _MLA_ROPE}
_MLA_V2 = {**_MLA, "dequantScaleQNopeOutOptional": _MLA_SCALE}
_SPARSE_STATISTICS = "(query[0], headNum, 8) as float32"

#: Two sequences behind one another, and the numbers of their rows.
_JOINED = "({0}[0], {0}[2], {0}[1] + ({1}[1] if {1} is not None else 0), {0}[3]) as same {0}"
_STATISTIC = "if isTraining and {1} in (1, 2) and {0} is not None: (*{0}[:3], 1) as float32"

OUTPUTS: Texts = {
    "BlockSparseAttentionGrad": {"dq": "like query", "dk": "like key", "dv": "like value"},
    "FusedFloydAttentionGrad": {
        "dqOut": "like query",
        "dk1Out": "like key1",
        "dv1Out": "like value1",
        "dk2Out": "like key2",
        "dv2Out": "like value2",
    },
    "LightningIndexerGrad": {
        "dqOut": "like query",
        "dkOut": "like key",
        "dweightsOut": "like weights",
    },
    "DenseLightningIndexerGradKLLoss SparseLightningIndexerGradKLLoss": {
        "dQueryIndex": "like queryIndex",
        "dKeyIndex": "like keyIndex",
        "dWeights": "like weights",
        "loss": "(1,) as float32",
    },
    "MaskedCausalConv1d": "like x",
    "MaskedCausalConv1dBackward": {"gradXOut": "like x", "gradWeightOut": "like weight"},
    "FusedInferAttentionScore": {
        "attentionOut": _INFER.format("blockTable", "quantScale2"),
        "softmaxLse": _LSE,
    },
    "FusedInferAttentionScoreV2 FusedInferAttentionScoreV3 FusedInferAttentionScoreV4 "
    "FusedInferAttentionScoreV5": _FUSED,
    "IncreFlashAttention": {
        "attentionOut": "like query as float16 if query.dtype == 'int8' else same query"
    },
    "IncreFlashAttentionV2 IncreFlashAttentionV3 IncreFlashAttentionV4": {
        "attentionOut": "like query as " + _QUANTISED.format("quantScale2")
    },
    "KvRmsNormRopeCache": {
        "kRopeOut": "(*kv[:3], cos[3]) as same kv",
        "cKvOut": "(*kv[:3], gamma[0]) as same kv",
    },
    "KvRmsNormRopeCacheV2": {
        "kRopeOut": "(*kv[:3], cos[3] if vOptional is None else kv[3]) as same kv",
        "cKvOut": "(*kv[:3], gamma[0] if vOptional is None else vOptional[3]) as same kv",
    },
    "QkvRmsNormRopeCache": {
        "qOutBeforeQuant": "like qOut",
        "kOutBeforeQuant": "(qkv[0], headNums[1] * qkvSize[3]) as same qkv",
        "vOutBeforeQuant": "(qkv[0], headNums[2] * qkvSize[3]) as same qkv",
    },
    "NormRopeConcat": {
        "queryOutput": _JOINED.format("query", "encoderQuery"),
        "keyOutput": _JOINED.format("key", "encoderKey"),
        "valueOutput": _JOINED.format("value", "encoderValue"),
        "normQueryMean": _STATISTIC.format("query", "normType"),
        "normQueryRstd": _STATISTIC.format("query", "normType"),
        "normKeyMean": _STATISTIC.format("key", "normType"),
        "normKeyRstd": _STATISTIC.format("key", "normType"),
        "normAddedQueryMean": _STATISTIC.format("encoderQuery", "normAddedType"),
        "normAddedQueryRstd": _STATISTIC.format("encoderQuery", "normAddedType"),
        "normAddedKeyMean": _STATISTIC.format("encoderKey", "normAddedType"),
        "normAddedKeyRstd": _STATISTIC.format("encoderKey", "normAddedType"),
    },
    "NormRopeConcatBackward": {
        "gradQuery": "like query",
        "gradKey": "like key",
        "gradValue": "like key",
        "gradEncoderQuery": "if encoderQuery is not None: like encoderQuery",
        "gradEncoderKey": "if encoderKey is not None: like encoderKey",
        "gradEncoderValue": "if encoderKey is not None: like encoderKey",
        "gradNormQueryWeight": "if normType == 2: like normQueryWeight",
        "gradNormQueryBias": "if normType == 2: like normQueryWeight",
        "gradNormKeyWeight": "if normType == 2: like normKeyWeight",
        "gradNormKeyBias": "if normType == 2: like normKeyWeight",
        "gradNormAddedQueryWeight": "if normAddedType == 2: like normAddedQueryWeight",
        "gradNormAddedQueryBias": "if normAddedType == 2: like normAddedQueryWeight",
        "gradNormAddedKeyWeight": "if normAddedType == 2: like normAddedKeyWeight",
        "gradNormAddedKeyBias": "if normAddedType == 2: like normAddedKeyWeight",
    },
    "MlaProlog": _MLA,
    "MlaPrologV2": _MLA_V2,
    "MlaPrologV2WeightNz": _MLA_V2,
    "MlaPrologV3": {
        **_MLA,
        "dequantScaleQNopeOut": _MLA_SCALE,
        "queryNormOut": "none",  # reserved, as is the next
        "dequantScaleQNormOut": "none",
    },
    "MlaPrologV3WeightNz": {
        **_MLA_V2,
        "queryNormOutOptional": "none",
        "dequantScaleQNormOutOptional": "none",
    },
    "RecurrentGatedDeltaRule": "like value",
    "MultiScaleDeformableAttentionGrad": {
        "gradValue": "like value",
        "gradLocation": "like location",
        "gradAttnWeight": "like attnWeight",
    },
    "NsaCompress": {
        "output": "(sum(compressed(n, compressBlockSize, compressStride) for n in "
        "(actSeqLenOptional if actSeqLenType else lengths(actSeqLenOptional))), *input[1:])"
        " as same input"
    },
    "NsaCompressAttention": {
        "softmaxMaxOut": _SPARSE_STATISTICS,
        "softmaxSumOut": _SPARSE_STATISTICS,
        "attentionOutOut": "(*query[:-1], value[-1]) as same query",
        "topkIndicesOut": "(query[0], key[1], selectBlockCount) as int32",
    },
    "NsaCompressAttentionInfer": {
        "output": "(*query[:-1], value[-1] // numKeyValueHeads) as same query",
        "topKOutput": "(*query[:-2], numKeyValueHeads, selectBlockCount) as int32",
    },
    "NsaCompressGrad": {"inputGradOut": "like input", "weightGradOut": "like weight"},
    "NsaSelectedAttention": {
        "softmaxMaxOut": _SPARSE_STATISTICS,
        "softmaxSumOut": _SPARSE_STATISTICS,
        "attentionOut": "(*query[:-1], value[-1]) as same query",
    },
    "NsaSelectedAttentionGrad": {
        "dqOut": "like query",
        "dkOut": "like key",
        "dvOut": "like value",
    },
    "NsaSelectedAttentionInfer": {
        "output": "(*attention(query, value, layoutOptional, numHeads, numKeyValueHeads, True),)"
        " as same query"
    },
    "PromptFlashAttention": {
        "attentionOut": _PROMPT + "float16 if query.dtype == 'int8' else same query"
    },
    "PromptFlashAttentionV2 PromptFlashAttentionV3": {
        "attentionOut": _PROMPT + _QUANTISED.format("quantScale2")
    },
}
