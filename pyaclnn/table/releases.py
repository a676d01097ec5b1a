"""In which release of CANN something came, and until which one it was there.

Read from the public repositories at the tags of the releases (``tools/releases.py``), and for 8.1
from the headers of its package. What stands nowhere here was there in 8.1 and still is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Release:
    """A release of CANN whose behaviour is simulated.

    Attributes
    ----------
    name : str
        As ``PYACLNN_SIM_CANN`` has it, and as everything here names it.
    text : str
        What ``aclsysGetCANNVersion`` answers.
    acl_minor : int
        The second number of ``aclrtGetVersion``.
    """

    name: str
    text: str
    acl_minor: int

    @property
    def parts(self) -> tuple[str, str, str]:
        """Major, minor and release, as ``aclCANNPackageVersion`` has them."""
        major, minor, release = self.text.split(".")
        return major, minor, release

    @property
    def number(self) -> int:
        """What ``aclsysGetVersionNum`` answers."""
        major, minor, release = self.parts
        patch = int(release) if release.isdigit() else 0
        return int(major) * 10_000_000 + int(minor) * 100_000 + patch * 1_000


#: All of them, oldest first; the last is the default.
RELEASES = (
    Release("8.1", "8.1.RC1", 13),
    Release("8.5", "8.5.0", 16),
    Release("9.0", "9.0.0", 17),
    Release("9.1", "9.1.0", 17),
)


@dataclass(frozen=True)
class Behaviour:
    """What some releases do and others do not, where kernels and the runtime ask.

    Attributes
    ----------
    name : str
        Its name in C++: ``behaves(Behaviour::kName)``.
    since : str
        The first release that does so.
    what : str
        What it does.
    until : str
        The first release that does so no more.
    """

    name: str
    since: str
    what: str
    until: str = ""


#: 8.5 does as 9.0: both are built from the public sources, where none of these differ.
BEHAVIOURS = (
    Behaviour("CopiesNothing", "8.5", "a copy of 0 bytes succeeds before any other check"),
    Behaviour("Copies2dOnDevice", "8.5", "aclrtMemcpy2dAsync copies within a device"),
    Behaviour("NamesBlockingCopies", "8.5", "a blocking copy under capture has a code of its own"),
    Behaviour("CapturesOn310P", "8.5", "310P captures streams"),
    Behaviour("HasHighPrecision", "8.5", "cubeMathType of convolutions goes to 4, not to 3"),
    Behaviour("MultipliesPrecisely", "8.5", "cubeMathType goes to 5, not to 4", until="9.1"),
    Behaviour("Has950Kernels", "8.5", "the 950 has kernels of its own"),
    Behaviour("ComparesExactly", "8.5", "thresholds of int32 and float16 are not rounded"),
    Behaviour("SeluInFloat32", "8.5", "the gradient of SELU computes float16 in float32"),
    Behaviour("RotatesTokens", "8.5", "rotary embeddings take 3 dimensions and run on the 310P"),
    Behaviour("MayLackRstd", "8.5", "AddRmsNorm may be called without rstd"),
    Behaviour("WeightsInBatches", "8.5", "weights of products have up to 6 dimensions, not 3"),
    Behaviour("RotatesOn310P", "9.0", "RotaryPositionEmbedding turns halves on the 310P"),
    Behaviour("WritesFloats", "9.1", "products of 16 bits reach float32 without a rounding"),
    Behaviour("SamplesInPlace", "8.5", "grid samplers copy to channels last by chip alone"),
    Behaviour("CachesFloat4", "9.1", "ScatterPaKvCache of the 950 takes floats of 4 bits"),
    Behaviour("WantsDenseInt4", "9.1", "AscendAntiQuant refuses int4 with gaps as a parameter"),
    Behaviour("Int4On950", "9.1", "products of int4 on the 950"),
    Behaviour("TakesLongAxes", "9.1", "int8 with scales of rows goes beyond axes of 65535"),
    Behaviour("TurnsWeights", "9.1", "batches in another order take any depth, turned weights, "
              "and scales of blocks and words"),
    Behaviour("ProjectsAll", "9.0", "MlaPrologV3WeightNz of the 950 takes all that CANN has of 8 "
              "bits, not float8_e4m3fn in blocks alone"),
    Behaviour("ExchangesFarther", "9.0", "experts are on up to 384 ranks of A2, not 256"),
    Behaviour("ExchangesMore", "9.1", "up to 1024 experts and rows of 10240 on A2, and 1024 ranks "
              "of the 950"),
    Behaviour("MoreOn950", "9.1", "the 950 has kernels that Atlas A2 had alone"),
    Behaviour("RefusesScales", "9.1", "FlashAttentionScoreV4 takes no scales, of which it reads "
              "none"),
    Behaviour("PrefixOfIntegers", "9.1", "a prefix that samples share is of floats of 16 bits or "
              "of integers"),
    Behaviour("CutsByKernel", "9.1", "quotients on the 950 are cut off in the type that both have, "
              "into any output, and those by a number are computed in float32"),
    Behaviour("AddsBiasLast", "9.1", "products of small floats add their bias behind both scales"),
)  # fmt: skip


def _by_name(names: dict[str, str]) -> dict[str, str]:
    return {name: release for release, text in names.items() for name in text.split()}


#: Operator, without ``aclnn`` -> the release that it came with.
CAME = _by_name(
    {
        "8.5": """
        AdaLayerNorm AdaLayerNormQuant AdaLayerNormV2 AdaptiveMaxPool2dBackward
        AddLayerNormQuant AddRmsNormCast AddRmsNormDynamicQuantV2 AddRmsNormQuantV2 AddV3
        AddmmWeightNz AdvanceStepV2 AlltoAllvGroupedMatMul ApplyAdamW ApplyAdamWQuant
        ApplyRotaryPosEmbV2 ApplyTopKTopP AttentionToFFN AttentionUpdate BatchMatMulWeightNz
        BatchNormReduce BitwiseAndTensorOut ClippedSwiglu CoalesceSparse DeformableConv2d
        DistributeBarrier
        DistributeBarrierV2 DropoutGenMaskV2Tensor DropoutV3 DynamicBlockQuant DynamicMxQuant
        DynamicQuantV3 ExpSegsum ExpSegsumBackward ExpandIntoJaggedPermute FFNToAttention
        FastBatchNormBackward FastGelu FastGeluBackward FlashAttentionScoreGradV3
        FlashAttentionScoreV3 FlashAttentionUnpaddingScoreGradV3
        FlashAttentionUnpaddingScoreGradV4 FlashAttentionUnpaddingScoreGradV5
        FlashAttentionVarLenScoreV3 FlashAttentionVarLenScoreV4 FlashAttentionVarLenScoreV5
        ForeachNonFiniteCheckAndUnscale FusedCrossEntropyLossWithMaxSum
        FusedInferAttentionScoreV4 FusedLinearCrossEntropyLossGrad FusedLinearOnlineMaxSum
        FusedMatmul GatherPaKvCache GatherV3 GeluQuant GroupedDynamicMxQuant
        GroupedMatMulAlltoAllv GroupedMatmulAddV2 GroupedMatmulFinalizeRouting
        GroupedMatmulFinalizeRoutingV2 GroupedMatmulFinalizeRoutingV3
        GroupedMatmulFinalizeRoutingWeightNzV2 GroupedMatmulSwigluQuantV2
        GroupedMatmulSwigluQuantWeightNZ GroupedMatmulSwigluQuantWeightNzV2 GroupedMatmulV5
        GroupedMatmulWeightNz HansDecode HansEncode HardswishBackwardV2 Heaviside IndexAddV2
        IndexFill InplaceAddRmsNorm InplaceAddV3 InplaceAttentionWorkerScheduler
        InplaceBitwiseAndTensorOut InplaceFfnWorkerScheduler
        InplaceIndexFill InplaceNormalTensor InplaceQuantScatterV2 InplaceRandomTensor
        InplaceUniformTensor InterleaveRope KvRmsNormRopeCache LightningIndexerGrad
        LinalgCholesky MaskedScale MatmulCompress MatmulWeightNz MlaPreprocess MlaPreprocessV2
        MlaPrologV2 MlaPrologV2WeightNz MlaPrologV3 MlaPrologV3WeightNz Modulate
        ModulateBackward MoeDistributeCombineAddRmsNorm MoeDistributeCombineAddRmsNormV2
        MoeDistributeCombineV2 MoeDistributeCombineV3 MoeDistributeCombineV4
        MoeDistributeDispatchV2 MoeDistributeDispatchV3 MoeDistributeDispatchV4 MoeFusedTopk
        MoeGatingTopK MoeInitRoutingV3 MoeReRouting MoeTokenPermuteWithEp
        MoeTokenPermuteWithEpGrad
        MoeTokenPermuteWithRoutingMap MoeTokenPermuteWithRoutingMapGrad
        MoeTokenUnpermuteWithEp MoeTokenUnpermuteWithEpGrad MoeTokenUnpermuteWithRoutingMap
        MoeTokenUnpermuteWithRoutingMapGrad MoeUpdateExpert MultinomialTensor NormRopeConcat
        NormRopeConcatBackward NpuFormatCast NsaCompress NsaCompressAttention
        NsaCompressAttentionInfer NsaCompressGrad NsaCompressWithCache NsaSelectedAttention
        NsaSelectedAttentionGrad NsaSelectedAttentionInfer PdistForward QuantConvolution
        QuantGroupedMatmulInplaceAdd QuantMatmulReduceSumWeightNz QuantMatmulV5
        QuantizedBatchNorm RainFusionAttention RecurrentGatedDeltaRule RepeatInterleaveGrad
        RightShift RingAttentionUpdateV2 RmsNormQuant
        RotaryPositionEmbeddingGrad RotaryPositionEmbeddingV2 ScatterPaKvCache
        SimThreadExponential SoftmaxCrossEntropyWithLogits Sparse4to2QuantMatmulWeightNz
        SparseFlashAttentionGrad SparseLightningIndexerGradKLLoss Square SquaredRelu Svd
        SwiGluQuantV2 SyncBatchNormGatherStats TfScatterAdd ThreeInterpolateBackward
        TopKTopPSample TransQuantParamV3 TransformBiasRescaleQkv TransposeBatchMatMul
        UnfoldGrad UpsampleNearestExact2d WeightQuantBatchMatmulNz
        """,
        "9.0": """
        AdaLayerNormBackward AddLayerNormQuantV2 AddN AddRmsNormDynamicMxQuant
        AllGatherMatmulV2 AlltoAllMatmul AlltoAllQuantMatmul AlltoAllvQuantGroupedMatMul
        AmpUpdateScale AngleV2 AntiMxQuant ApplyAdam BlockSparseAttention
        BlockSparseAttentionGrad Bucketize CIoU Cdist CdistBackward ChunkCat ClippedSwigluGrad
        ClippedSwigluV2 ConfusionTranspose CrossEntropySumExpAndIndexLogit
        DeformableConv2dBackward DenseLightningIndexerGradKLLoss
        DenseLightningIndexerSoftmaxLse DequantSituQuant DequantSwigluQuantV2 DropoutV3Grad
        DualLevelQuantMatmulWeightNz DynamicBlockMxQuant DynamicBlockQuantV2
        DynamicDualLevelMxQuant DynamicMxQuantV2 DynamicMxQuantV3 DynamicMxQuantWithDualAxis
        DynamicMxQuantWithDualAxisV2 DynamicQuantV4 ElasticReceivableInfoCollect
        ElasticReceivableTest FastLayerNorm FlashAttentionScoreGradV4 FlashAttentionScoreV4
        FlatQuantV2 FlatQuantV3 ForeachACosInplace ForeachAddListInplace ForeachDivListInplace
        ForeachLogInplace ForeachMulListInplace ForeachMulScalarInplace ForeachSubListInplace
        ForeachSubScalarInplace FusedAdamw FusedFloydAttention FusedFloydAttentionGrad
        FusedInferAttentionScoreV5 FusedQuantMatmul FusedQuantMatmulWeightNz FusedSgd GRU
        GRUBackward GroupNormSiluQuant GroupedDynamicBlockQuant GroupedDynamicBlockQuantV2
        GroupedDynamicMxQuantV2 GroupedDynamicMxQuantWithDualAxis GroupedQuantMax
        InplaceRandomWithoutFromTo InplaceRandomWithoutFromToTensor InplaceScatterReduce
        KlDivTargetBackward LSTM LayerNormQuant LeftShift LeftShifts LightningIndexer LogSpace
        LstmBackward MatmulAlltoAll MatmulEmuSplitWeight MatmulReduceScatterV2
        MoeDistributeBufferReset MxToBlockMxQuant QkvRmsNormRopeCache QuantAllReduce
        QuantBatchMatmulInplaceAdd QuantConvolutionWeightNz QuantFlashAttentionScore
        QuantMatmulActivationQuantWeightNz QuantMatmulAllReduceV4 QuantMatmulAlltoAll QuantMax
        QuantReduceScatter Rasterizer RmsNormDynamicMxQuant RmsNormDynamicQuant
        RmsNormGradQuant RmsNormQuantV3 RoiPoolingGradWithArgMax RoiPoolingWithArgMax
        RopeWithSinCosCacheV2 RotateQuant ScatterDiv ScatterList ScatterMax ScatterMin
        ScatterMul ScatterPaCache ScatterReduce SituGlu SituGluGrad SituMxQuant Sleep
        SparseFlashAttention StridedSlice SwigluBackwardMxQuantWithDualAxis SwigluGroup
        SwigluGroupGrad SwigluGroupQuant SwigluGroupQuantGrad SwigluMxQuant
        SwigluMxQuantWithDualAxis ThnnFusedLstmCell ThnnFusedLstmCellBackward TopKTopPSampleV2
        TransposeBatchMatMulWeightNz TransposeQuantBatchMatMul
        TransposeQuantBatchMatMulWeightNz WeightQuantPreprocess Xlog1py
        """,
        "9.1": """
        AlltoAllMatmulV2 AlltoAllQuantMatmulV2 AlltoAllvGroupedMatMulV2
        AlltoAllvQuantGroupedMatMulV2 BlockSparseAttentionV2 ChunkGatedDeltaRule FlashAttn
        FlashAttnMetadata FusedCausalConv1d GroupedMatMulAlltoAllvV2 InplaceFusedCausalConv1d
        KvRmsNormRopeCacheV2 LightningIndexerV2 LightningIndexerV2Metadata MaskedCausalConv1d
        MaskedCausalConv1dBackward MatmulAllReduceV3 MatmulAlltoAllV2 MhcPost MhcPostBackward
        MhcPre MhcPreBackward MhcPreSinkhorn MhcPreSinkhornBackward MhcSinkhorn
        MhcSinkhornBackward MoeDistributeCombineSetup MoeDistributeCombineTeardown
        MoeDistributeDispatchSetup MoeDistributeDispatchTeardown MoeFinalizeRoutingV3
        MoeGatingTopKBackward QuantGroupedMatMulAlltoAllv QuantGroupedMatMulAlltoAllvV2
        QuantGroupedMatmulDequantWeightNZ QuantLightningIndexer QuantMatmulAllReduceV5
        QuantMatmulAlltoAllV2 SparseFlashMla SparseFlashMlaGrad SparseFlashMlaMetadata
        SparseLightningIndexerKLLossGrad SparseLightningIndexerKLLossGradMetadata
        WeightQuantMatmulAllReduceV2
        """,
    }
)

#: Operator -> the first release without it.
WENT = _by_name(
    {
        "9.0": """
        MlaPrologV2 MlaPrologV3
        """,
        "9.1": """
        QuantFlashAttentionScore
        """,
    }
)

#: Function of the runtime -> the release that it came with.
FUNCTIONS = _by_name(
    {
        "8.5": """
        aclFinalizeCallbackRegister aclFinalizeCallbackUnRegister aclFinalizeReference
        aclInitCallbackRegister aclInitCallbackUnRegister aclmdlRIAbort aclmdlRIBindStream
        aclmdlRIBuildBegin aclmdlRIBuildEnd aclmdlRIDebugJsonPrint aclmdlRIEndTask
        aclmdlRIExecute aclmdlRIGetName aclmdlRISetName aclmdlRIUnbindStream aclrtActiveStream
        aclrtAllocBuf aclrtAllocatorGetByStream aclrtAppendBufChain aclrtBinaryGetDevAddress
        aclrtBinaryLoadFromData aclrtCacheLastTaskOpInfo aclrtCheckArchCompatibility
        aclrtCheckMemType aclrtCmoAsyncWithBarrier aclrtCmoAsyncWithDesc aclrtCmoGetDescSize
        aclrtCmoSetDesc aclrtCmoWaitBarrier aclrtCntNotifyCreate aclrtCntNotifyDestroy
        aclrtCntNotifyGetId aclrtCntNotifyRecord aclrtCntNotifyReset
        aclrtCntNotifyWaitWithTimeout aclrtCopyBufRef aclrtCreateLabel aclrtCreateLabelList
        aclrtCreateNotify aclrtCtxGetCurrentDefaultStream aclrtCtxGetFloatOverflowAddr
        aclrtDestroyLabel aclrtDestroyLabelList aclrtDestroyNotify
        aclrtDeviceGetStreamPriorityRange aclrtDeviceGetUuid aclrtDevicePeerAccessStatus
        aclrtFreeBuf aclrtFreeHostWithDevSync aclrtFreeWithDevSync aclrtGetBufChainNum
        aclrtGetBufData aclrtGetBufDataLen aclrtGetBufFromChain aclrtGetBufUserData
        aclrtGetDeviceCapability aclrtGetDeviceInfo aclrtGetDeviceResLimit aclrtGetDevicesTopo
        aclrtGetErrorVerbose aclrtGetEventAvailNum aclrtGetEventId aclrtGetFloatOverflowStatus
        aclrtGetFunctionAttribute aclrtGetFunctionName aclrtGetHardwareSyncAddr
        aclrtGetLogicDevIdByPhyDevId aclrtGetLogicDevIdByUserDevId aclrtGetMemUsageInfo
        aclrtGetNotifyId aclrtGetOpExecuteTimeout aclrtGetOpTimeOutInterval
        aclrtGetPhyDevIdByLogicDevId aclrtGetPrimaryCtxState aclrtGetResInCurrentThread
        aclrtGetStreamAttribute aclrtGetStreamAvailableNum aclrtGetStreamResLimit
        aclrtGetUserDevIdByLogicDevId aclrtHostGetDevicePointer aclrtHostRegisterV2
        aclrtIpcGetEventHandle aclrtIpcMemClose aclrtIpcMemGetExportKey aclrtIpcMemImportByKey
        aclrtIpcMemImportPidInterServer aclrtIpcMemSetAttr aclrtIpcMemSetImportPid
        aclrtIpcOpenEventHandle aclrtLaunchHostFunc aclrtLaunchKernelV2
        aclrtLaunchKernelWithHostArgs aclrtMemExportToShareableHandleV2 aclrtMemGetAccess
        aclrtMemGetAllocationPropertiesFromHandle aclrtMemImportFromShareableHandleV2
        aclrtMemRetainAllocationHandle aclrtMemSetAccess aclrtMemSetPidToShareableHandleV2
        aclrtMemcpyAsyncWithOffset aclrtMemcpyBatch aclrtMemcpyBatchAsync
        aclrtNotifyBatchReset aclrtNotifyGetExportKey aclrtNotifyImportByKey
        aclrtNotifySetImportPid aclrtNotifySetImportPidInterServer
        aclrtNpuClearFloatOverFlowStatus aclrtNpuGetFloatOverFlowStatus
        aclrtPersistentTaskClean aclrtProfTrace aclrtRandomNumAsync aclrtRecordNotify
        aclrtReduceAsync aclrtRegDeviceStateCallback aclrtRegStreamStateCallback
        aclrtRegisterCpuFunc aclrtRepairError aclrtResetDeviceResLimit
        aclrtResetFloatOverflowStatus aclrtResetStreamResLimit aclrtSetBufDataLen
        aclrtSetBufUserData aclrtSetDeviceResLimit aclrtSetDeviceTaskAbortCallback
        aclrtSetLabel aclrtSetOpExecuteTimeOutV2 aclrtSetStreamAttribute
        aclrtSetStreamResLimit aclrtSnapShotProcessBackup aclrtSnapShotProcessLock
        aclrtSnapShotProcessRestore aclrtSnapShotProcessUnlock aclrtStreamGetFlags
        aclrtStreamGetPriority aclrtStreamStop aclrtStreamWaitEventWithTimeout
        aclrtSwitchLabelByIndex aclrtSwitchStream aclrtTaskUpdateAsync
        aclrtUnuseStreamResInCurrentThread aclrtUseStreamResInCurrentThread aclrtValueWait
        aclrtValueWrite aclrtWaitAndResetNotify aclsysGetVersionNum aclsysGetVersionStr
        """,
        "9.0": """
        aclDumpOpTensors acldumpGetPath aclmdlRIDestroyRegisterCallback
        aclmdlRIDestroyUnregisterCallback
        aclrtBinarySetExceptionCallback aclrtGetArgsFromExceptionInfo
        aclrtGetFuncHandleFromExceptionInfo aclrtHostMemMapCapabilities aclrtMemAllocManaged
        aclrtMemGetAddressRange aclrtMemP2PMap aclrtMemPoolCreate aclrtMemPoolDestroy
        aclrtMemPoolGetAttr aclrtMemPoolSetAttr aclrtReserveMemAddressNoUCMemory
        aclrtSnapShotCallbackRegister aclrtSnapShotCallbackUnregister
        """,
        "9.1": """
        aclmdlRIAddCondTask aclmdlRICaptureToModelRIBegin aclmdlRICondHandleCreate
        aclmdlRICondHandleGetCondPtr aclmdlRIGetId aclmdlRIGetStreams aclmdlRIGetTasksByStream
        aclmdlRIKernelTaskGetAttribute aclmdlRITaskDisable aclmdlRITaskGetParams
        aclmdlRITaskGetSeqId aclmdlRITaskGetType aclmdlRITaskSetParams aclmdlRIUpdate
        aclplatformGetDeviceInfo aclplatformGetInstructionInfo aclrtBinaryGetGlobal
        aclrtCacheLastTaskExtendInfo aclrtDeviceGetHostAtomicCapabilities
        aclrtDeviceGetP2PAtomicCapabilities aclrtFunctionGetAvailDynUbufPerBlock
        aclrtFunctionGetBinary aclrtFunctionGetParamCount aclrtFunctionGetParamInfo
        aclrtGetFuncBySymbol aclrtGetFunctionSize aclrtGetPhyDevIdByUserDevId
        aclrtGetSymbolAddress aclrtGetSymbolSize aclrtGetUserDevIdByPhyDevId
        aclrtLaunchKernelWithArgsArray aclrtMemManagedAdvise aclrtMemManagedGetAttr
        aclrtMemManagedGetAttrs aclrtMemManagedPrefetchAsync aclrtMemManagedPrefetchBatchAsync
        aclrtMemMapSelectedLink aclrtMemPoolFreeAsync aclrtMemPoolMallocAsync
        aclrtMemPoolTrimTo aclrtMemcpyBatchAsyncV2 aclrtMemcpyBatchV2 aclrtMemcpyFromSymbol
        aclrtMemcpyFromSymbolAsync aclrtMemcpyToSymbol aclrtMemcpyToSymbolAsync aclrtMemsetD32
        aclrtMemsetD32Async
        """,
    }
)


def since(operator: str) -> str:
    """Return the release that an operator came with.

    Parameters
    ----------
    operator : str
        With or without ``aclnn``.
    """
    return CAME.get(operator.removeprefix("aclnn"), RELEASES[0].name)


def until(operator: str) -> str:
    """Return the first release without an operator; nothing where all later ones have it.

    Parameters
    ----------
    operator : str
        With or without ``aclnn``.
    """
    return WENT.get(operator.removeprefix("aclnn"), "")


def newest_until(version: str) -> str:
    """Return the newest release that is simulated and not newer than a version.

    Parameters
    ----------
    version : str
        As ``aclsysGetCANNVersion`` answers: ``9.0.1``, ``8.1.RC1``; the newest for none.

    Returns
    -------
    str
        Such as ``9.0``; the oldest where all are newer.
    """
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None:
        return RELEASES[-1].name
    wanted = int(numbers[1]), int(numbers[2])
    older = [r.name for r in RELEASES if tuple(map(int, r.name.split("."))) <= wanted]
    return older[-1] if older else RELEASES[0].name
