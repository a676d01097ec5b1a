"""The default values of parameters, from CANN's documents and operator definitions: a table."""

from __future__ import annotations

from collections.abc import Mapping

#: Operators, without ``aclnn`` -> parameters and their defaults.
TABLE: Mapping[str, str] = {
    "Add InplaceAdd InplaceSub Rsub Rsubs Sub Adds InplaceAdds InplaceSubs Subs": "alpha=1",
    "AdaLayerNorm AdaLayerNormQuant AdaLayerNormV2": "epsilon=1e-05",
    "AddLayerNorm": "epsilon=1e-05 additionalOutput=False",
    "AddLayerNormQuant": "quantMode='dynamic' epsilon=1e-05 additionalOutput=False divMode=True",
    "AddLora": "scale=0.001 yOffset=0 ySliceSize=-1",
    "AddRmsNorm AddRmsNormCast AddRmsNormDynamicQuant AddRmsNormDynamicQuantV2 GemmaRmsNorm "
    "InplaceAddRmsNorm RmsNorm": "epsilon=1e-06",
    "AddRmsNormDynamicMxQuant RmsNormDynamicMxQuant": "beta=None",
    "AddRmsNormQuant AddRmsNormQuantV2": "axis=-1 epsilon=1e-06 divMode=True",
    "AffineGrid GridSampler2DBackward GridSampler3DBackward UpsampleBicubic2d "
    "UpsampleBicubic2dAA UpsampleBicubic2dAAGrad UpsampleBicubic2dBackward UpsampleBilinear2d "
    "UpsampleBilinear2dAA UpsampleBilinear2dAABackward UpsampleBilinear2dBackward "
    "UpsampleBilinear2dBackwardV2 UpsampleLinear1d UpsampleLinear1dBackward "
    "UpsampleTrilinear3d UpsampleTrilinear3dBackward": "alignCorners=False",
    "AllGatherMatmul": "bias=None gatherIndex=0 commTurn=0",
    "AlltoAllAllGatherBatchMatMul": "xShardType=0 actType=0",
    "AlltoAllvGroupedMatMul": "transGmmWeight=False transMmWeight=False permuteOutFlag=False",
    "ApplyAdamW": "amsgrad=False maximize=False",
    "ApplyAdamWQuant": "quantModeOptional='BLOCKWISE'",
    "ApplyAdamWV2": "amsgrad=False maximize=False",
    "ApplyFusedEmaAdam": (
        "lr=0.001 emaDecay=0.9999 beta1=0.9 beta2=0.999 eps=1e-08 mode=1 biasCorrection=True "
        "weightDecay=0.0"
    ),
    "ApplyRotaryPosEmb": "layout=1",
    "ApplyRotaryPosEmbV2": "layout=1 rotaryMode='half'",
    "Argsort": "descending=False",
    "AscendQuant": "offset=None sqrtMode=False roundMode='round'",
    "AscendQuantV3": "offset=None sqrtMode=False roundMode='round' axis=-1",
    "AvgPool2d AvgPool2dBackward AvgPool3d AvgPool3dBackward": (
        "ceilMode=False countIncludePad=True divisorOverride=0"
    ),
    "BatchMatMulReduceScatterAlltoAll": "yShardType=0",
    "BatchNorm": "weight=None bias=None momentum=0.1",
    "BatchNormElemtBackward": "weight=None",
    "BidirectionLSTM": "batchFirst=False bidirection=False",
    "BidirectionLSTMV2": "batchFirst=False bidirection=False packed=False",
    "BinaryCrossEntropy": "weight=None reduction=1",
    "BinaryCrossEntropyBackward BinaryCrossEntropyWithLogits L1Loss L1LossBackward MseLoss "
    "MseLossBackward MseLossOut SmoothL1Loss SmoothL1LossBackward": "reduction=1",
    "Bincount": "weights=None",
    "Cdist": "p=2.0",
    "ClippedSwiglu ClippedSwigluV2": "dim=-1 alpha=1.702 limit=7.0 bias=1.0 interleaved=True",
    "Convolution MatmulCompress Scale": "bias=None",
    "CrossEntropyLoss": (
        "reductionOptional='mean' ignoreIndex=-100 labelSmoothing=0.0 "
        "lseSquareScaleForZloss=0.0 returnZloss=False"
    ),
    "CrossEntropyLossGrad": (
        "reductionOptional='mean' ignoreIndex=-100 labelSmoothing=0.0 lseSquareScaleForZloss=0.0"
    ),
    "CtcLoss CtcLossBackward": "blank=0 zeroInfinity=False",
    "CumsumV2": "exclusive=False reverse=False",
    "DeepNorm": "alpha=0.3 epsilon=1e-06",
    "DeepNormGrad": "alpha=0.3",
    "DeformableConv2d": "groups=1 deformableGroups=1 modulated=True",
    "DequantRopeQuantKvcache": "quantModeOptional='static' layoutOptional='BSND' kvOutput=False",
    "DequantSituQuant": "beta=4.0 linearBeta=25.0 activateLeft=True quantTypeOptional='dynamic'",
    "DequantSwigluQuant": "activateLeft=False quantModeOptional='static'",
    "DequantSwigluQuantV2": (
        "activateLeft=False quantModeOptional='static' roundModeOptional='rint' swigluMode=0 "
        "clampLimit=7.0 gluAlpha=1.702 gluBias=1.0"
    ),
    "Diag DiagFlat InplaceTril InplaceTriu Tril Triu": "diagonal=0",
    "DistributeBarrierV2": "timeOut=None elasticInfo=None",
    "DropoutV3": "optionalNoiseShape=None",
    "DualLevelQuantMatmulWeightNz": "optionalBias=None transposeX1=False transposeX2=True",
    "DynamicBlockQuant DynamicBlockQuantV2 GroupedDynamicBlockQuant "
    "GroupedDynamicBlockQuantV2": "minScale=0.0 roundModeOptional='rint'",
    "DynamicDualLevelMxQuant DynamicMxQuantWithDualAxis DynamicMxQuantWithDualAxisV2": (
        "roundModeOptional='rint'"
    ),
    "DynamicMxQuant DynamicMxQuantV2 DynamicMxQuantV3": "axis=-1 roundModeOptional='rint'",
    "Elu EluBackward InplaceElu": "alpha=1.0 scale=1.0 inputScale=1.0",
    "EmbeddingBag": (
        "scaleGradByFreq=False sparse=False perSampleWeights=None includeLastOffset=False "
        "paddingIdx=-1"
    ),
    "EmbeddingDenseBackward": "scaleGradByFreq=False",
    "FFN": (
        "expertTokens=None bias1=None bias2=None scale=None offset=None deqScale1=None "
        "deqScale2=None antiquantScale1=None antiquantScale2=None antiquantOffset1=None "
        "antiquantOffset2=None innerPrecise=0"
    ),
    "FFNV2": (
        "expertTokens=None bias1=None bias2=None scale=None offset=None deqScale1=None "
        "deqScale2=None antiquantScale1=None antiquantScale2=None antiquantOffset1=None "
        "antiquantOffset2=None innerPrecise=0 tokensIndexFlag=False"
    ),
    "FFNV3": "innerPrecise=0 tokensIndexFlag=False",
    "FastBatchNormBackward": "version=0",
    "FlashAttentionScore FlashAttentionScoreGrad FlashAttentionUnpaddingScoreGrad "
    "FlashAttentionUnpaddingScoreGradV4 FlashAttentionVarLenScore FlashAttentionVarLenScoreV4": (
        "scaleValue=1.0 keepProb=1.0 preTokens=2147483647 nextTokens=2147483647 innerPrecise=0 "
        "sparseMode=0"
    ),
    "FlashAttentionScoreGradV2 FlashAttentionScoreV2 FlashAttentionUnpaddingScoreGradV2 "
    "FlashAttentionVarLenScoreV2": (
        "scaleValue=1.0 keepProb=1.0 preTokens=2147483647 nextTokens=2147483647 innerPrecise=0 "
        "sparseMode=0 pseType=1"
    ),
    "FlashAttentionUnpaddingScoreGradV3": (
        "queryRope=None keyInRope=None scaleValue=1.0 keepProb=1.0 preTokens=2147483647 "
        "nextTokens=2147483647 innerPrecise=0 sparseMode=0 pseType=1"
    ),
    "FlashAttentionVarLenScoreV3": (
        "queryRope=None keyRope=None scaleValue=1.0 keepProb=1.0 preTokens=2147483647 "
        "nextTokens=2147483647 innerPrecise=0 sparseMode=0 pseType=1"
    ),
    "FlashAttn": (
        "maskMode=0 winLeft=-1 winRight=-1 maxSeqlenQ=-1 maxSeqlenKV=-1 layoutQ='BSND' "
        "layoutKv='BSND' layoutOut='BSND' returnSoftmaxLse=0"
    ),
    "FlatQuant FlatQuantV2 FlatQuantV3": "clipRatio=1.0",
    "FusedCrossEntropyLossWithMaxSum FusedLinearCrossEntropyLossGrad": "labelSmoothing=0.0",
    "FusedInferAttentionScore": (
        "pseShift=None attenMask=None actualSeqLengths=None actualSeqLengthsKv=None "
        "deqScale1=None quantScale1=None deqScale2=None quantScale2=None quantOffset2=None "
        "antiquantScale=None antiquantOffset=None blockTable=None queryPaddingSize=None "
        "kvPaddingSize=None preTokens=2147483647 nextTokens=2147483647 inputLayout='BSH' "
        "numKeyValueHeads=0 sparseMode=0 innerPrecise=1 blockSize=0 antiquantMode=0 "
        "softmaxLseFlag=False"
    ),
    "FusedInferAttentionScoreV2 FusedInferAttentionScoreV3": (
        "preTokens=2147483647 nextTokens=2147483647 inputLayout='BSH' numKeyValueHeads=0 "
        "sparseMode=0 innerPrecise=1 blockSize=0 antiquantMode=0 softmaxLseFlag=False "
        "keyAntiquantMode=0 valueAntiquantMode=0"
    ),
    "FusedInferAttentionScoreV4": (
        "preTokens=2147483647 nextTokens=2147483647 inputLayout='BSH' numKeyValueHeads=0 "
        "sparseMode=0 innerPrecise=1 blockSize=0 antiquantMode=0 softmaxLseFlag=False "
        "keyAntiquantMode=0 valueAntiquantMode=0 queryQuantMode=0"
    ),
    "FusedMatmul": "bias=None fusedOpType=''",
    "FusedQuantMatmul FusedQuantMatmulWeightNz": "groupSizeOptional=0",
    "GRU LSTM": "hx=None batchSizes=None",
    "GatherNd": "negativeIndexSupport=False",
    "GatherV3": "batchDims=0",
    "GeGlu GeGluBackward": "dim=-1 approximate=1",
    "GeGluV3 GeGluV3Backward": "dim=-1 approximate=1 activateLeft=False",
    "GeluMul": "approximateOptional='none'",
    "GeluQuant": "approximate='none' quantMode='dynamic' roundMode='rint'",
    "GeluV2": "approximate=0",
    "Glu LinalgCross SwiGlu SwiGluGrad": "dim=-1",
    "GridSampler2D GridSampler3D": "interpolationMode=0 paddingMode=0 alignCorners=False",
    "GroupNormSilu": "eps=1e-05",
    "GroupNormSiluQuant GroupNormSiluV2": "eps=1e-05 activateSilu=True",
    "GroupNormSwish": "dataFormatOptional='NCHW' eps=1e-05 activateSwish=True swishScale=1.0",
    "GroupNormSwishGrad": (
        "dataFormatOptional='NCHW' swishScale=1.0 dgammaIsRequire=True dbetaIsRequire=True"
    ),
    "GroupedBiasAddGradV2": "groupIdxType=0",
    "GroupedDynamicMxQuant GroupedDynamicMxQuantV2": "roundMode='rint'",
    "GroupedMatMulAlltoAllv": "transGmmWeight=False transMmWeight=False",
    "GroupedMatmul GroupedMatmulV2 GroupedMatmulV3": "splitItem=0",
    "GroupedMatmulAdd": "transposeX=True transposeWeight=False",
    "GroupedMatmulFinalizeRouting": (
        "dtype=0 sharedInputWeight=1.0 sharedInputOffset=0 transposeX=False transposeW=False "
        "groupListType=1"
    ),
    "GroupedMatmulFinalizeRoutingV2 GroupedMatmulFinalizeRoutingV3 "
    "GroupedMatmulFinalizeRoutingWeightNzV2": (
        "dtype=0 sharedInputWeight=1.0 sharedInputOffset=0 groupListType=1"
    ),
    "GroupedMatmulFinalizeRoutingWeightNz": (
        "bias=None dtype=0 sharedInputWeight=1.0 sharedInputOffset=0 groupListType=1"
    ),
    "GroupedMatmulV4 GroupedMatmulV5 GroupedMatmulWeightNz": (
        "splitItem=0 groupListType=0 actType=0"
    ),
    "IncreFlashAttention": (
        "pseShift=None attenMask=None actualSeqLengths=None scaleValue=1.0 inputLayout='BSH' "
        "numKeyValueHeads=0"
    ),
    "IncreFlashAttentionV2": (
        "pseShift=None attenMask=None actualSeqLengths=None dequantScale1=None quantScale1=None "
        "dequantScale2=None quantScale2=None quantOffset2=None scaleValue=1.0 inputLayout='BSH' "
        "numKeyValueHeads=0"
    ),
    "IncreFlashAttentionV3": (
        "pseShift=None attenMask=None actualSeqLengths=None dequantScale1=None quantScale1=None "
        "dequantScale2=None quantScale2=None quantOffset2=None antiquantScale=None "
        "antiquantOffset=None blocktable=None scaleValue=1.0 inputLayout='BSH' "
        "numKeyValueHeads=0 blockSize=0 innerPrecise=1"
    ),
    "IncreFlashAttentionV4": (
        "pseShift=None attenMask=None actualSeqLengths=None dequantScale1=None quantScale1=None "
        "dequantScale2=None quantScale2=None quantOffset2=None antiquantScale=None "
        "antiquantOffset=None blocktable=None kvPaddingSize=None scaleValue=1.0 "
        "inputLayout='BSH' numKeyValueHeads=0 blockSize=0 innerPrecise=1"
    ),
    "IndexPutImpl": "accumulate=False",
    "InplaceFillDiagonal": "wrap=False",
    "InplaceMatmulAllReduceAddRmsNorm InplaceQuantMatmulAllReduceAddRmsNorm "
    "MatmulAllReduceAddRmsNorm QuantMatmulAllReduceAddRmsNorm": (
        "bias=None epsilon=1e-06 reduceOp='sum' commTurn=0"
    ),
    "InplaceQuantScatter": "quantZeroPoints=None axis=-2 quantAxis=-1",
    "InplaceQuantScatterV2": "axis=-2 quantAxis=-1 roundMode='rint'",
    "InplaceRoundDecimals RoundDecimals": "decimals=0",
    "InplaceWeightQuantMatmulAllReduceAddRmsNorm WeightQuantMatmulAllReduceAddRmsNorm": (
        "bias=None antiquantOffset=None epsilon=1e-06 reduceOp='sum' commTurn=0 "
        "antiquantGroupSize=0"
    ),
    "Iou": "mode='iou' eps=1.0 aligned=False",
    "IsClose": "rtol=1e-05 atol=1e-08 equalNan=False",
    "KlDiv KlDivBackward": "reduction=1 logTarget=False",
    "LayerNormQuant": "quantMode=0 epsilon=1e-05",
    "LinalgCholesky": "upper=False",
    "Logit LogitGrad": "eps=-1.0",
    "MaskedSoftmaxWithRelPosBias": "scaleValue=1.0 innerPrecisionMode=0",
    "MatmulAllReduce MatmulReduceScatter": "bias=None reduceOp='sum' commTurn=0",
    "MatmulAllReduceV2 QuantMatmulAllReduce": "bias=None x3=None reduceOp='sum' commTurn=0",
    "MatmulCompressDequant": "bias=None offsetW=None",
    "MaxPool": "ceilMode=0",
    "MaxPool2dWithIndices MaxPool2dWithIndicesBackward MaxPool2dWithMask "
    "MaxPool2dWithMaskBackward MaxPool3dWithArgmax MaxPool3dWithArgmaxBackward": "ceilMode=False",
    "MaxV2": "keepDims=False",
    "MlaProlog MlaPrologV2 MlaPrologV2WeightNz": "rmsnormEpsilonCq=1e-05 rmsnormEpsilonCkv=1e-05",
    "MlaPrologV3": (
        "rmsnormEpsilonCq=1e-05 rmsnormEpsilonCkv=1e-05 queryNormFlag=False weightQuantMode=0 "
        "kvCacheQuantMode=0 queryQuantMode=0 quantScaleRepoMode=0 tileSize=128 "
        "qcQrScale=1.0 kcScale=1.0"
    ),
    "MlaPrologV3WeightNz": (
        "rmsnormEpsilonCq=1e-05 rmsnormEpsilonCkv=1e-05 weightQuantMode=0 kvCacheQuantMode=0 "
        "queryQuantMode=0 quantScaleRepoMode=0 tileSize=128 qcQrScale=1.0 kcScale=1.0"
    ),
    "ModulateBackward": "scale=None shift=None",
    "MoeDistributeCombine": (
        "tpSendCounts=None xActiveMask=None activationScale=None weightScale=None "
        "groupList=None expandScales=None groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 "
        "sharedExpertNum=1 sharedExpertRankNum=0 globalBs=0 outDtype=0 commQuantMode=0 "
        "groupListType=0"
    ),
    "MoeDistributeCombineAddRmsNorm": (
        "groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 sharedExpertNum=0 "
        "sharedExpertRankNum=0 globalBs=0 outDtype=0 commQuantMode=0 groupListType=0 commAlg='' "
        "normEps=1e-06"
    ),
    "MoeDistributeCombineAddRmsNormV2": (
        "groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 sharedExpertNum=0 "
        "sharedExpertRankNum=0 globalBs=0 outDtype=0 commQuantMode=0 groupListType=0 commAlg='' "
        "normEps=1e-06 zeroExpertNum=0 copyExpertNum=0 constExpertNum=0"
    ),
    "MoeDistributeCombineSetup": (
        "expertSharedType=0 sharedExpertNum=0 sharedExpertRankNum=0 globalBs=0 commQuantMode=0 "
        "commType=2 commAlg=''"
    ),
    "MoeDistributeCombineTeardown": (
        "expertShardType=0 sharedExpertNum=0 sharedExpertRankNum=0 globalBs=0 commQuantMode=0 "
        "commType=2 commAlg=''"
    ),
    "MoeDistributeCombineV2": (
        "groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 sharedExpertNum=1 "
        "sharedExpertRankNum=0 globalBs=0 outDtype=0 commQuantMode=0 groupListType=0 commAlg=''"
    ),
    "MoeDistributeCombineV3": (
        "groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 sharedExpertNum=1 "
        "sharedExpertRankNum=0 globalBs=0 outDtype=0 commQuantMode=0 groupListType=0 commAlg='' "
        "zeroExpertNum=0 copyExpertNum=0 constExpertNum=0"
    ),
    "MoeDistributeDispatch": (
        "scales=None xActiveMask=None expertScales=None groupTp='' tpWorldSize=0 tpRankId=0 "
        "expertShardType=0 sharedExpertNum=1 sharedExpertRankNum=0 quantMode=0 globalBs=0"
    ),
    "MoeDistributeDispatchSetup": (
        "expertShardType=0 sharedExpertNum=0 sharedExpertRankNum=0 quantMode=0 globalBs=0 "
        "commType=2 commAlg=''"
    ),
    "MoeDistributeDispatchTeardown": (
        "expertShardType=0 sharedExpertNum=0 sharedExpertRankNum=0 quantMode=0 globalBs=0 "
        "expertTokenNumsType=1 commType=2 commAlg=''"
    ),
    "MoeDistributeDispatchV2": (
        "groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 sharedExpertNum=1 "
        "sharedExpertRankNum=0 quantMode=0 globalBs=0 expertTokenNumsType=1 commAlg=''"
    ),
    "MoeDistributeDispatchV3": (
        "groupTp='' tpWorldSize=0 tpRankId=0 expertShardType=0 sharedExpertNum=1 "
        "sharedExpertRankNum=0 quantMode=0 globalBs=0 expertTokenNumsType=1 commAlg='' "
        "zeroExpertNum=0 copyExpertNum=0 constExpertNum=0"
    ),
    "MoeFinalizeRoutingV2": "dropPadMode=0",
    "MoeFinalizeRoutingV2Grad": "dropPadMode=0 activeNum=0 expertCapacity=0",
    "MoeGatingTopK": (
        "kGroup=1 groupCount=1 groupSelectMode=0 renorm=0 normType=0 outFlag=False "
        "routedScalingFactor=1.0 eps=1e-20"
    ),
    "MoeGatingTopKSoftmaxV2": "renorm=0 outputSoftmaxResultFlag=False",
    "MoeInitRoutingQuantV2": (
        "activeNum=0 expertCapacity=0 dropPadMode=0 expertTokensCountOrCumsumFlag=0 "
        "expertTokensBeforeCapacityFlag=False quantMode=0"
    ),
    "MoeInitRoutingV2": (
        "activeNumOptional=0 expertCapacityOptional=0 dropPadModeOptional=0 "
        "expertTokensCountOrCumsumFlagOptional=0 expertTokensBeforeCapacityFlagOptional=False"
    ),
    "MoeInitRoutingV2Grad": "dropPadMode=0 activeNum=0",
    "MoeInitRoutingV3": (
        "activeNum=-1 expertCapacity=-1 dropPadMode=0 expertTokensNumType=0 "
        "expertTokensNumFlag=False quantMode=-1 rowIdxType=0"
    ),
    "MoeReRouting": "perTokenScalesOptional=None expertTokenNumType=1 idxType=0",
    "MoeTokenPermute": "numOutTokens=0 paddedMode=False",
    "MoeTokenPermuteGrad MoeTokenUnpermute MoeTokenUnpermuteGrad": "paddedMode=False",
    "MoeTokenPermuteWithRoutingMap": "dropAndPad=False",
    "MoeUpdateExpert": "balanceMode=0",
    "NLLLoss NLLLoss2d NLLLoss2dBackward NLLLossBackward": "reduction=1 ignoreIndex=-100",
    "Norm": "keepdim=False",
    "NsaCompressAttention NsaSelectedAttention": "scaleValue=1.0 sparseMode=0",
    "NsaCompressAttentionInfer": "numKeyValueHeads=0 scaleValue=1.0 sparseMode=0",
    "NsaCompressGrad": "layoutOptionalOptional='TND'",
    "NsaCompressWithCache": "layoutOptional='TND'",
    "NsaSelectedAttentionGrad": "sparseMode=0",
    "OneHot RepeatInterleaveGrad": "axis=-1",
    "PromptFlashAttention": (
        "pseShift=None attenMask=None actualSeqLengths=None scaleValue=1.0 preTokens=2147483647 "
        "nextTokens=0 inputLayout='BSH' numKeyValueHeads=0"
    ),
    "PromptFlashAttentionV2": (
        "pseShift=None attenMask=None actualSeqLengths=None actualSeqLengthsKv=None "
        "deqScale1=None quantScale1=None deqScale2=None quantScale2=None quantOffset2=None "
        "scaleValue=1.0 preTokens=2147483647 nextTokens=0 inputLayout='BSH' numKeyValueHeads=0 "
        "sparseMode=0"
    ),
    "PromptFlashAttentionV3": (
        "pseShift=None attenMask=None actualSeqLengths=None actualSeqLengthsKv=None "
        "deqScale1=None quantScale1=None deqScale2=None quantScale2=None quantOffset2=None "
        "scaleValue=1.0 preTokens=2147483647 nextTokens=0 inputLayout='BSH' numKeyValueHeads=0 "
        "sparseMode=0 innerPrecise=1"
    ),
    "QuantBatchMatmulInplaceAdd": "transposeX1=False transposeX2=False groupSize=0",
    "QuantConvolution QuantConvolutionWeightNz": "offset=None outputPadding=None roundMode=None",
    "QuantMatmulActivationQuantWeightNz": "roundMode='rint'",
    "QuantMatmulAllReduceV2 QuantMatmulAllReduceV3": "reduceOp='sum' commTurn=0",
    "QuantMatmulAllReduceV4": "reduceOp='sum' commTurn=0 groupSize=0 commQuantMode=0",
    "QuantMatmulReduceSumWeightNz": (
        "yScale=None x1Offset=None x2Offset=None yOffset=None bias=None transposeX1=False "
        "transposeX2=False groupSize=-1 keepDims=False"
    ),
    "QuantMatmulV3 QuantMatmulV4": "offset=None bias=None transposeX1=False transposeX2=False",
    "QuantMatmulV5": (
        "x1Scale=None yScale=None x1Offset=None x2Offset=None yOffset=None bias=None "
        "transposeX1=False transposeX2=False groupSize=-1"
    ),
    "QuantMatmulWeightNz": (
        "x1Scale=None yScale=None x1Offset=None x2Offset=None yOffset=None bias=None "
        "transposeX1=False transposeX2=False groupSize=0"
    ),
    "Quantize": "zeroPoints=None axis=1",
    "QuantizedBatchNorm": "weight=None bias=None",
    "RopeWithSinCosCache": "isNeoxStyle=True",
    "RotaryPositionEmbedding RotaryPositionEmbeddingGrad": "mode=0",
    "ScaledMaskedSoftmax": "scale=1.0 fixedTriuMask=False",
    "ScaledMaskedSoftmaxBackward": "scale=1.0",
    "ScatterList": "reduceOptional='update' axis=-2",
    "SearchSorted SearchSorteds": "right=False sorter=None",
    "Sinkhorn": "tol=None",
    "SituMxQuant": "beta=1.0 linearBeta=0.0 activateLeft=False axis=-1 roundModeOptional='rint'",
    "Sort": "descending=False",
    "Std Var VarCorrection VarMean": "dim=None keepdim=False",
    "StdMeanCorrection": "dim=None",
    "StridedSlice": "beginMask=0 endMask=0 ellipsisMask=0 newAxisMask=0 shrinkAxisMask=0",
    "Svd": "fullMatrices=False computeUV=True",
    "SwiGluQuant": "activateLeft=False quantModeOptional='dynamic'",
    "SwiGluQuantV2": "activateLeft=False quantModeOptional='dynamic' dstType=2",
    "SwigluGroup": "clampLimit=-1.0",
    "SwigluGroupQuant": "dstTypeMax=15.0",
    "TopKTopPSample": "eps=1e-08 isNeedLogits=False topKGuess=32",
    "TopKTopPSampleV2": (
        "eps=1e-08 isNeedLogits=False topKGuess=32 ksMax=1024 inputIsLogits=True "
        "isNeedSampleResult=False"
    ),
    "TransConvolutionWeight": "groups=1",
    "TransQuantParamV2": "offset=None",
    "TransQuantParamV3": "offset=None roundMode=0",
    "TransposeBatchMatMul": "scale=None batchSplitFactor=1",
    "TransposeBatchMatMulWeightNz": "batchSplitFactor=1",
    "TransposeQuantBatchMatMul TransposeQuantBatchMatMulWeightNz": (
        "groupSize=0 batchSplitFactor=1"
    ),
    "TriangularSolve": "upper=True transpose=False unitriangular=False",
    "Unique2 UniqueConsecutive": "returnCounts=False",
    "WeightQuantBatchMatmulNz WeightQuantBatchMatmulV2": "antiquantGroupSize=0",
    "WeightQuantBatchMatmulV3": "antiquantGroupSize=0 innerPrecise=0",
    "WeightQuantMatmulAllReduce": (
        "bias=None antiquantOffset=None x3=None reduceOp='sum' commTurn=0 antiquantGroupSize=0"
    ),
    "aclStft": "normalized=False onesided=True returnComplex=True",
}
