"""Why tests of others cannot pass, by suite. Each was looked into."""

from __future__ import annotations

from backend_ops import Known

#: What the backend asks of CANN is not what the case means, wherever it runs.
_GGML = (
    Known(
        r"CONCAT\(type=q[45]_[01],",
        "aclnnCat has no such type: the backend says that it concatenates blocks of 4 or 5 bits, "
        "and passes them as int4 or as an unknown type",
    ),
    Known(
        r"CONCAT\(type=q8_0,",
        "the backend passes blocks of q8_0, which hold scales, too, as so many int8",
    ),
    Known(
        r"SET_ROWS\(type_src=f16,type_dst=f32,",
        "the backend describes float16 rows as float32, and reads beyond them",
    ),
    Known(
        r"GET_ROWS\(type=q8_0,.*vs0=1",
        "the rows are a view of a longer weight, and the backend looks for the scales where a "
        "weight of the view's length would have them",
    ),
    Known(
        r"ROPE\(type=f32,ne_a=\[256,8,512,1\],",
        "the backend keeps sines of an earlier case and makes room for more positions only, not "
        "for longer rows: it writes beyond its memory",
    ),
    Known(
        r"MUL_MAT_ID\(.*amax=100000",
        "the backend casts values of up to 100000 to float16, which ends at 65504",
    ),
)

#: Operator -> types that CANN 9.1's first phase does not list for Atlas A2, and torch_npu passes.
_NO_SUCH_TYPE = {
    "Addbmm": "int32 int64 uint8", "Addcdiv": "complex64", "Addmm": "int32 int64 complex64 uint8",
    "Addr": "complex64", "AngleV2": "bfloat16", "Any": "complex64", "Asin": "complex64",
    "Baddbmm": "complex64 uint8 int32 int64", "BatchMatMul": "int32 int64 complex64 uint8",
    "Ceil": "int8 int32 int64", "ClampMinTensor": "bool", "Convolution": "int64",
    "Cumprod": "complex64", "Dot": "complex64", "DropoutDoMask": "bool", "Erf": "uint8 int32",
    "Erfc": "int32", "Exp": "uint8 int32", "Exp2": "complex64", "Expm1": "int32",
    "Gather": "complex64", "Histc": "bfloat16", "Im2col": "complex64 bool", "Index": "complex64",
    "IndexAdd": "complex64", "IndexFill": "uint8 complex64", "IndexPutImpl": "complex64",
    "InplaceCopy": "complex32", "InplaceFillScalar": "complex32", "InplaceIndexFill": "complex64",
    "InplaceMaskedFillScalar": "complex64", "InplaceMaskedScatter": "complex64",
    "IsClose": "complex64", "IsFinite": "complex64", "Lerps": "complex64",
    "LinalgCholesky": "complex64", "LinalgVectorNorm": "complex64", "Log1p": "complex64",
    "LogAddExp": "complex64", "LogSumExp": "complex64", "Logit": "int32 int64",
    "MaskedSelect": "complex64", "Matmul": "uint8 int32 int64 complex64", "MaxDim": "int32",
    "MaxPool2dWithMask": "uint8 int64", "MaxPool3dWithArgmax": "uint8 int64",
    "MaxUnpool2d": "bfloat16", "MaxUnpool3d": "bfloat16", "Mm": "int64 complex64 uint8 int32",
    "Mv": "int32 complex64", "Neg": "uint8", "Nonzero": "complex64",
    "RepeatInterleaveInt": "complex64", "Roll": "complex64", "Sign": "uint8", "Silu": "complex64",
    "Sinc": "complex64", "SoftmaxBackward": "float64", "Tanh": "complex64", "Tril": "complex64",
    "UnfoldGrad": "complex64", "UpsampleNearestExact1d": "uint8", "VarMean": "bfloat16 complex64",
}  # fmt: skip

#: What torch_npu or torch does before a call is made, or passes on; CANN answers as the simulator.
_OPINFO = (
    *(
        Known(
            r".*",
            f"aclnn{name} takes no such type, and torch_npu asks for it",
            why=rf"^aclnn{name}: 161002: \w+ is ({types.replace(' ', '|')}) \(",
        )
        for name, types in _NO_SUCH_TYPE.items()
    ),
    Known(
        r".*::test_forward\[gcd-u?int8",
        "aclnnGcd computes in int16, int32 and int64 before the 950",
        why="^aclnnGcd: 161002: the operands have u?int8 in common",
    ),
    Known(
        r".*",
        "torch_npu's conversions take no other order of memory than the usual",
        why="Only contiguous_format or preserve_format is supported",
    ),
    Known(
        r".*\[as_strided.partial_views-",
        "the sample is part of a larger storage, which a copy to the device leaves behind",
    ),
    Known(
        r".*\[nn\.functional\.(interpolate|upsample)[._]nearest-uint8",
        "torch_npu calls aclnnUpsampleNearest1d, which takes uint8 and no scales; the sample's "
        "scale is not the ratio of the sizes",
    ),
    Known(
        r".*\[native_dropout_backward-",
        "torch_npu's mask has a bit for each element, the sample's has a bool",
    ),
    Known(
        r".*::test_backward\[(__rmatmul__|matmul)-",
        "torch_npu reshapes a gradient without elements to [-1, 0] itself",
        why=r"cannot reshape tensor of 0 elements",
    ),
    Known(
        r".*::test_backward\[fft\.i?fftshift-complex64",
        "torch_npu's own autograd function refuses it",
        why="Autograd not support dtype",
    ),
    Known(
        r".*\[(nn\.functional\.pad\.constant|constant_pad_nd)-",
        "aclnnConstantPadNd lets no axis that is padded become empty while another grows",
        why="aclnnConstantPadNd: 161002: the result of shape .* has no elements",
    ),
    Known(r".*", "CANN asks for a positive eps", why="aclnnGroupNorm: 161002: eps is -"),
    Known(
        r".*\[put-",
        "aclnnInplacePut adds to no bfloat16",
        why="aclnnInplacePut: 161002: bfloat16 is not added to",
    ),
    Known(
        r".*\[(put|take)-",
        "the document of aclnnInplacePut has no index below 0, which the sample has: the kernel "
        "writes outside of the tensor",
        why="507015",
    ),
    Known(
        r".*::test_backward\[nn\.functional\.pad\.replicate(_negative)?-bfloat16",
        "the kernel for bfloat16 takes padding of 0 to 7",
        why="aclnnReplicationPad2dBackward: 161002: padding is from",
    ),
    Known(
        r".*\[linalg\.solve_triangular-",
        "aclnnTriangularSolve has unitriangular for float32 only",
        why="aclnnTriangularSolve: 161002: unitriangular",
    ),
    Known(
        r".*-complex64",
        "aclnnNorm has no complex numbers",
        why="aclnnNorm.*no kernel",
    ),
    Known(
        r".*\[gather-",
        "the sample's index is of another rank than self, which aclnnGather refuses",
        why="aclnnGather: 161002: self has 1 dimensions, index has 2",
    ),
    Known(
        r".*\[nn\.functional\.adaptive_avg_pool3d-",
        "aclnnAdaptiveAvgPool3d takes no empty batch before the 950",
        why="aclnnAdaptiveAvgPool3d: 161002: extent 0 of self is 0",
    ),
    Known(
        r".*\[nn\.functional\.embedding_bag-",
        "Atlas A2's kernel has no gradients that are scaled by frequency or sparse",
        why="aclnnEmbeddingBag: 561002: sparse and scaleGradByFreq",
    ),
    Known(
        r".*\[.*max_pool2d",
        "aclnnMaxPool2dWithMask has no dilation on Atlas A2",
        why="aclnnMaxPool2dWithMask: 161002: dilation is",
    ),
    Known(
        r".*\[nn\.functional\.max_pool[12]d-",
        "torch_npu's second result is the mask of aclnnMaxPool2dWithMask, not indices",
        why="'shape' do not match",
    ),
    Known(
        r".*::test_backward\[nn\.functional\.conv_transpose2d-",
        "the kernel for the gradient infers the input's extents without outputPadding, which is "
        "not below the stride in the sample",
        why="aclnnConvolutionBackward: 561103: .*input has extent",
    ),
    Known(
        r".*\[nn\.functional\.conv_transpose3d-",
        "outputPadding of the sample is not below the stride, which a volume is refused with",
        why="outputPadding has the value|weight reaches -1 elements beyond the padding",
    ),
    Known(
        r".*::test_backward\[(nn\.functional\.|special_)?(sigmoid|expit)-complex64",
        "the formula in aclnnSigmoidBackward's document conjugates nothing",
        why="not close",
    ),
    Known(
        r".*\[baddbmm-bfloat16",
        "aclnnBaddbmm rounds the product before it is added, the CPU behind",
        why="not close",
    ),
    Known(
        r".*::test_backward\[unfold-",
        "aclnnUnfoldGrad has no tensors without dimensions",
        why="aclnnUnfoldGrad: 161002: .* one dimension or more",
    ),
    Known(
        r".*::test_backward\[repeat_interleave-",
        "aclnnRepeatInterleaveGrad has a kernel on the 950 only",
        why="aclnnRepeatInterleaveGrad: 561003",
    ),
    Known(
        r".*\[(sort|argsort|topk|msort|kthvalue|mode)-",
        "which of equal elements comes first is not defined unless `stable` says so",
        why="not equal",
    ),
    Known(
        r".*\[_?native_batch_norm(_legit)?-",
        "before the 950, aclnnBatchNorm saves the variance and not its root's reciprocal",
        why="not close",
    ),
    Known(
        r".*::test_backward\[nn\.functional\.binary_cross_entropy_with_logits-",
        "torch_npu has no gradient of the target",
        why="assert 1 == 2",
    ),
    Known(
        r".*\[sparse\.",
        "torch_npu has no kernel for sparse tensors",
        why="SparsePrivateUse1",
    ),
    Known(
        r".*\[nn\.functional\.max_pool3d-",
        "aclnnMaxPool3dWithArgmax takes a dilation of 1 on Atlas A2",
        why="aclnnMaxPool3dWithArgmax: 161002: dilation is",
    ),
    Known(
        r".*\[addmv-u?int",
        "torch_npu gives factors of float64, and aclnnAddmv casts no such sum to integers",
        why="aclnnAddmv: 161002: the result is float64 and can't be cast",
    ),
    Known(
        r".*::test_backward\[unfold_copy-",
        "aclnnUnfoldGrad has no tensor without dimensions, which the sample is",
        why="they must have one dimension or more",
    ),
    Known(
        r".*\[tensor_split-",
        "torch asks for indices on the CPU, and the sample moves them to the device",
        why="tensor_indices_or_sections to be on cpu",
    ),
    Known(
        r".*\[(linalg\.|pinverse-)",
        "torch_npu's svd is of float32",
        why="svd_npu only supported Float",
    ),
    Known(
        r".*::test_backward\[stft-",
        "torch differentiates it by no window",
        why="stft' is not differentiable",
    ),
    Known(
        r".*::test_backward\[nn\.functional\.max_unpool2d\.grad-",
        "torch_npu refuses a gradient in another order of memory",
        why="only supported contiguous memory format",
    ),
)

_NO_FUNCTION = "torch_npu asks for it by name, and libopapi has no function that computes it: {}"
_OP_PLUGIN = (
    Known(
        r"test_(g[te]|greater)\.py::.*scalar",
        "aclnnGtScalar and aclnnGeScalar compare in float64 what float16 does not hold; the test "
        "rounds the number first",
        why="result error",
    ),
    *(
        Known(r".*", _NO_FUNCTION.format(name), why=rf"^{name}$")
        for name in (
            "AnchorResponseFlags",
            "CTCLossV2",
            "DropOutGenMaskV3",
            "GridAssignPositive",
            "Iou",
            "NMSWithMask",
            "DIoU",
            "PSROIPoolingV2",
            "BatchMultiClassNonMaxSuppression",
            "RotatedNMS",
            "RotatedOverlaps",
        )
    ),
    Known(
        r"test_quantize_per_tensor\.py::.*_30_30_30_30_30_30_",
        "729 million elements, several times over: the system ends the process for its memory",
        why="its process ended",
    ),
    Known(
        r"test_group_norm_backward\.py::.*_case2",
        "300 million elements, several times over: the system ends the process for its memory",
        why="its process ended",
    ),
    Known(
        r"test_roi_align_backward\.py::",
        "its regions end a pixel later (roi_end_mode 1, where nothing is said), which no function "
        "of libopapi does",
        why="roi_end_mode is 1",
    ),
    Known(
        r"test_gelu_backward\.py::.*float32",
        "without TORCH_NPU_USE_COMPATIBLE_IMPL torch_npu calls aclnnGeluBackward, whose kernel is "
        "the gradient of the tanh form; the test compares with that of the error function",
        why="result error",
    ),
    Known(
        r"test_(grid_sampler_2d|batchnorm)_backward\.py::.*(fp32|float32)",
        "differences of sums that nearly cancel: PyTorch's own float32 is as far from float64",
        why="result error",
    ),
    Known(
        r"test_format_cast\.py::",
        "torch_npu 2.13 gives the name of a format, the test compares with its number",
        why="expectValue: 3,  resultValue: NCHW",
    ),
    Known(
        r"test_ceil\.py::.*integer_identity",
        "the test is of a later torch_npu than the wheel, which calls aclnnCeil for integers",
        why="^aclnnCeil: 161002: self is int8",
    ),
    Known(
        r"test_scatter_reduce\.py::",
        "on Atlas A2 aclnnScatterReduce adds float32 to what is there, and nothing else",
        why="aclnnScatterReduce: 161002: this chip adds",
    ),
    Known(
        r".*::test_",
        "pytest takes for a test what is a decorator; the file is run by unittest",
        why="fixture 'fn' not found",
    ),
)

#: Files of tests, what is said, and why it is the test's: their texts were read.
_ENDS_ITSELF = (
    ("npu_chunk_gated_delta_rule", "^NameError: name 'scale'", "its formula reads an unset name"),
    ("npu_chunk_gated_delta_rule", "^fixture 'test_cases'", "pytest takes a helper for a test"),
    ("npu_dequant_swiglu_quant", "^AttributeError: 'numpy.ndarray'", "its truth is NumPy's"),
    ("npu_transpose_batchmatmul", "^TypeError: .*BFloat16", "NumPy has no bfloat16 to compare"),
    ("npu_quant_matmul", '^NotImplementedError: "random_update', "torch draws no float8 integers"),
    ("npu_quant_matmul", "^NameError: name 'trans_np_hif", "it calls a function that is nowhere"),
    ("npu_quant_matmul", "^UnboundLocalError: .*'scale_clone'", "it reads what it has not set"),
    ("quant_matmul_inplace_add", '^NotImplementedError: "random_update',
     "torch draws no float8 integers"),
    ("npu_quant_conv2d", "^TypeError: tuple expected", "it calls tuple(1, 1)"),
    ("npu_quant_scatter", "^NameError: name 'msg'", "the words to expect are unset"),
    ("npu_transpose_quant_batchmatmul", r"^TypeError: .*supported_op_exec\(\)",
     "its own method takes fewer arguments"),
    ("npu_transpose_quant_batchmatmul", "^NameError: name 'np'", "it does not import NumPy"),
    ("quant_grouped_matmul_inplace_add", "^AttributeError: 'numpy.ndarray'",
     "it clones an array of NumPy"),
    ("npu_fused_infer_attention_score_v2", "^KeyError: 'npu_fused_infer_attention_v2'",
     "torch_npu's function is npu_fused_infer_attention_score_v2"),
    ("npu_fused_infer_attention_score_v2", "^KeyError: 'float4_e1m2'", "no type has that name"),
    ("npu_fused_infer_attention_score_v2", "^NameError: name 'softmax_scale'",
     "it reads an unset name"),
    ("npu_fused_infer_attention_score_v2", "^IndexError: Dimension out of range",
     "it exchanges the third and the fourth axis of three"),
    ("npu_gather_pa_kv_cache", "^NameError: name 'key'", "it reads an unset name"),
    ("npu_scatter_pa_cache", "^IndexError: index 16", "it takes slots for numbers of blocks"),
    ("npu_grouped_matmul", "^ValueError: matmul: Input operand 1", "its formula's shapes differ"),
    ("npu_grouped_matmul_swiglu_quant_v2", "^TypeError: (unsupported operand|Got unsupported)",
     "it mixes NumPy's arrays with tensors, and NumPy has no float8"),
    ("npu_moe_init_routing_v2", "^TypeError: Cannot interpret '",
     "it gives NumPy the types of torch"),
    ("npu_moe_init_routing_v2", "^TypeError: expected np.ndarray", "it takes tensors for arrays"),
    ("npu_quant_matmul", "^RuntimeError: to - 1 is out of bounds", "it draws int8 beyond 127"),
    ("npu_swiglu_mx_quant", "^IndexError: tuple index", "it reads a third result of two"),
    ("npu_convert_weight_to_int4pack", "^AssertionError: dtype error",
     "it compares extents with one that is a float"),
    ("npu_moe_re_routing", r"^RuntimeError: shape '\[290\]'",
     "it takes torch_npu's number of a type for the type"),
    ("atb_group_topk", "^NameError: name 'np'", "it does not import NumPy"),
)  # fmt: skip

#: Files, what torch_npu says of itself before it calls, and what it is about.
_REFUSES_ITSELF = (
    ("mla_prolog_v3", "supports the float8_e8m0 only in version later", "its types of scales"),
    ("npu_anti_quant", "(data_type enum value|Unknown keyword argument .dst_type.)",
     "the types that later ones have"),
    ("npu_dual_level_quant_matmul|npu_grouped_matmul", "failed to match any schema",
     "the parameters of a later one"),
    ("npu_fused_infer_attention_score", "(query's dim should be|when Page Attention not enabled)",
     "the shapes of the layout"),
    ("npu_kv_quant_sparse_flash_attention", "Unknown keyword argument 'sinks'",
     "the parameters of a later one"),
    ("npu_quant_flash_attention", "In FP8 mode, query_dtype must be", "the type of the query"),
    ("npu_quant_matmul", "Input x2 tensor and scale tensor's transpose are not same",
     "a scale that is no view beside x2 that is one"),
    ("npu_quant_matmul_reduce_sum", "only support x2's format is nz",
     "the format, which its own cast keeps while allow_internal_format is off"),
    ("npu_sparse_flash_attention", "Tensor sparse_indices is empty", "an empty index"),
)  # fmt: skip

_OP_PLUGIN_CUSTOM = (
    Known(
        r".*",
        "its operators are of NNAL's ATB, another package than CANN",
        why=r"libop_plugin_atb|^OSError: \[Errno None\]",
    ),
    *(
        Known(
            rf"test_{file}\.py::",
            f"the test itself ends so: {reason}",
            why=why,
        )
        for file, why, reason in _ENDS_ITSELF
    ),
    *(
        Known(rf"test_({file})\.py::", f"torch_npu 2.13 refuses itself: {what}", why=why)
        for file, why, what in _REFUSES_ITSELF
    ),
    Known(
        r"test_mla_prolog\.py::",
        "torch_npu hands the operator caches that are not filled, of which CANN's kernel writes "
        "the rows of new tokens; the test compares them whole",
        why="^MlaProlog$",
    ),
    Known(
        r"test_mla_prolog_v[23]\.py::",
        "its cast keeps rows while allow_internal_format is off, and CANN asks for FRACTAL_NZ; "
        "with --formats it passes",
        why="weightDq must be in FRACTAL_NZ",
    ),
    Known(
        r"test_(attention|ffn)_worker_schedule\.py::",
        "the document has the operator on Atlas A3 and the 950 alone",
        why=r"aclnnInplace\w+WorkerScheduler: 561003: there is no kernel for Ascend910B",
    ),
    Known(
        r"test_npu_grouped_matmul\.py::.*_a8w4_per_group_weight_nz",
        "on the 950, CANN asks for antiquantScale beside int8 and int4, and the test gives none",
        why="antiquantScale.* is null",
    ),
    Known(
        r"test_npu_grouped_matmul\.py::.*_antiquant_0",
        "its truth adds up in float16: of weights that are not seeded, about as many results lie "
        "off the exact ones as the test allows",
        why="result error",
    ),
    Known(
        r"test_npu_grouped_matmul_add\.py::",
        "on the 950, CANN takes three dimensions of yRef only, and the test gives two",
        why="yRef has not a matrix for each group",
    ),
    Known(
        r"test_npu_quantize\.py::.*_v2_nz_pertensor",
        "its truth shifts bytes by up to 28 bits, which NumPy 2 keeps as bytes",
        why="not less than or equal to",
    ),
    Known(
        r"test_npu_rms_norm_backward_quant\.py::.*_fp16",
        "its truth rounds the gradient to float16 before it is quantised, the kernel does not",
        why="result error",
    ),
    Known(
        r"test_quantize_per_(channel|tensor)\.py::",
        "the test is of an earlier torch_npu, which gave numbers and no quantised tensors; torch "
        "quantises no float16 on the CPU",
        why="^QuantizedCPU: registered|(works on|expects a) Float Tensor",
    ),
    Known(
        r"test_npu_transpose_quant_batchmatmul\.py::.*_[456]$",
        "the test expects the words of torch_npu's meta function; the device has CANN's refusal",
        why="permX1 and permY must be",
    ),
    Known(
        r"test_npu_transpose_quant_batchmatmul\.py::.*_[78]$",
        "it expects types to be refused that are right",
        why="RuntimeError not raised",
    ),
    Known(
        r"test_npu_transpose_batchmatmul\.py::.*test_npu_transpose_batchmatmul$",
        "torch_npu gives the numbers of int8 in a tensor of float16, and the test compares types",
        why="dtype error",
    ),
    Known(
        r"test_npu_weight_quant_batchmatmul\.py::.*_with_hifloat8",
        "its truth multiplies with weights that were not rounded to hifloat8",
        why="result error",
    ),
    Known(
        r"test_npu_weight_quant_preprocess\.py::.*_a8w4",
        "its bytes hold two numbers each, and it gives scales for half of them",
        why="weightScale has shape",
    ),
    Known(
        r"test_npu_(dense_lightning_indexer_grad_kl_loss|lightning_indexer_grad)\.py::",
        "the documents have no such operator on the 950",
        why="561003: there is no kernel for Ascend950",
    ),
    Known(
        r"test_npu_nsa_select_attention\.py::",
        "the test rounds weights to float16 once they are divided by their sum; the exact results "
        "lie further from that than it allows",
        why="result error",
    ),
    Known(
        r"test_npu_nsa_select_attention_infer\.py::",
        "CANN's first phase asks for actualQSeqLen, and the test gives none",
        why="aclnnNsaSelectedAttentionInfer: 561103: 0 sequences of queries",
    ),
    Known(
        r"test_npu_fused_infer_attention_score\.py::.*_v3_antiquant",
        "its words hold -7 and -3 beside 1, and it expects ones; one scale is none of tokens",
        why="Antiquant(Scale|Mode)",
    ),
    Known(
        r"test_npu_fused_infer_attention_score\.py::.*_v3_param",
        "its rotary parts have 16 values, and CANN's kernels take 64",
        why="queryRope has shape|keyRopeAntiquantScaleOptional",
    ),
    Known(
        r"test_npu_fused_infer_attention_score\.py::.*_v3_d_unequal",
        "heads of its queries have 192 values and those of its keys 128, which CANN refuses",
        why=r"query has shape \[32, 8, 1, 192\], key has \[32, 8, 2048, 128\]",
    ),
    Known(
        r"test_npu_fused_infer_attention_score\.py::.*_nsd_d_unequal",
        "the layout NSD is none of CANN 9.1's",
        why="inputLayout is NSD",
    ),
    Known(
        r"test_npu_fused_infer_attention_score_v2\.py::.*_with(out)?_outdtype",
        "what it compares with are normal numbers of int8, which torch does not draw",
        why="normal_kernel_cpu",
    ),
    Known(
        r"test_npu_fused_infer_attention_score_v2\.py::.*_with_outdtype",
        "CANN gives int8, float8_e4m3fn and hifloat8 by quantScale2, and no float8_e5m2",
        why="attentionOut is float8_e5m2",
    ),
    Known(
        r"test_npu_add_rms_norm_quant\.py::.*_950_",
        "the document of AddRmsNormQuant has int32 zero points beside a scale of float32 and x of "
        "16 bits only",
        why=r"aclnnAddRmsNormQuant(V2)?: 561003: there is no kernel",
    ),
    Known(
        r"test_npu_(add_rms_norm_quant\.py::.*_950_dst_type|rms_norm_quant\.py::.*_float8_e5m2)",
        "it asks for hifloat8, which torch_npu gives as uint8, and compares the bytes with values",
        why="AssertionError: False is not true",
    ),
    Known(
        r"test_npu_rms_norm_quant_v2\.py::.*_gamma_multi_",
        "its formula takes the mean over the first axis where gamma has two",
        why="AssertionError: False is not true",
    ),
    Known(
        r"test_npu_addmm\.py::",
        "a test that is not skipped here leaves cubeMathType at 4, with which aclnnAddmm asks for "
        "self of the result's shape",
        why="cubeMathType is 4",
    ),
    Known(
        r"test_npu_dynamic_block_quant\.py::",
        "the 950's aclnnDynamicBlockQuantV2 makes floats of 8 bits only, and the test int8",
        why="yOut is int8",
    ),
    Known(
        r"test_npu_grouped_dynamic_block_quant\.py::",
        "a block of zeros has the scale 0, and the kernel divides by it; the test expects 0",
        why=r"AssertionError: assert tensor\(False",
    ),
    Known(
        r"test_npu_grouped_matmul\.py::.*(quant_950|no_quant_case_1)$",
        "it compares a row with a matrix, or a matrix with a stack of one",
        why="shape error",
    ),
    Known(
        r"test_npu_grouped_matmul_finalize_routing\.py::.*_mxfp8",
        "it gives two groups for one expert, and a bias and shared rows of twice the columns",
        why="groupListOptional has shape|(biasOptional|sharedInputOptional) has shape",
    ),
    Known(
        r"test_npu_grouped_matmul_swiglu_quant_v2\.py::.*_multi_weight_shape",
        "on the 950, CANN 9.1 takes one weight",
        why="there are 2 weights and 2 weightScales",
    ),
    Known(
        r"test_npu_grouped_matmul_finalize_routing\.py::.*w8a8",
        "on Atlas A2, aclnnGroupedMatmulFinalizeRoutingV3 asks for pertokenScaleOptional",
        why="pertokenScaleOptional is null",
    ),
    Known(
        r"test_npu_layer_norm_eval\.py::",
        "torch_npu asks for LayerNormV3 by name, and has no aclnn function for it",
        why=r"^LayerNormV3$|do not have aclnn implementation",
    ),
    Known(
        r"test_npu_quant_matmul\.py::.*_mxfp8_scale_with_batch",
        "Atlas A2 has no products of float8, and the document's scales of MX have no batches",
        why="aclnnQuantMatmulV5: (scales for groups|161002: (x1Scale|the scale) has 4 dimensions)",
    ),
    Known(
        r"test_npu_quant_flash_attention\.py::",
        "CANN 9.1 has aclnnQuantFlashAttentionScore no more",
        why="is gone since CANN 9.1",
    ),
    Known(
        r".*",
        "no document of CANN 9.1 has the function",
        why=r"aclnn(KvQuantSparseFlashAttention|AttentionWorkerCombine|FfnWorkerBatching"
        r"|QuantFlashAttentionScoreGrad|SparseFlashAttentionV2) or .* not in libopapi",
    ),
    Known(
        r"test_npu_block_sparse_attention_backward\.py::",
        "the mask is int8, and aclnnBlockSparseAttentionGrad takes bool and uint8",
        why="aclnnBlockSparseAttentionGrad: 161002: blockSparseMaskOptional is int8",
    ),
    Known(
        r"test_npu_dense_lightning_indexer_grad_kl_loss\.py::",
        "its inputs overflow float16: the infinite results are the CPU's, and the test takes one "
        "from the other",
        why="result error",
    ),
    Known(
        r"test_npu_grouped_matmul_finalize_routing\.py::",
        "on Atlas A2, aclnnGroupedMatmulFinalizeRoutingV3 takes a weight in words of int32 only",
        why="x2 is int8, it must be int32",
    ),
    Known(
        r"test_npu_kronecker_quant\.py::.*_ratio",
        "the document of aclnnFlatQuant and the kernel divide 7 by clipRatio, the test multiplies",
        why="result error",
    ),
    Known(
        r"test_npu_lightning_indexer\.py::.*test_tnd",
        "two scores lie closer than float32 tells apart, and the test asks for one order of them",
        why="result error",
    ),
    Known(
        r"test_npu_rotary_mul\.py::.*test_rotary_mul_mode_matrix",
        "the test computes in bfloat16, which rounds three times; the kernel computes in float32",
        why="result error",
    ),
    Known(
        r"test_npu_dequant_swiglu_quant\.py::.*_swiglu_mode2",
        "the document of aclnnDequantSwigluQuantV2 has modes 0 and 1",
        why="swigluMode is 2",
    ),
    Known(
        r"test_npu_transpose_batchmatmul\.py::.*_[45678]$",
        "the test expects the words of torch_npu's meta function; the device has CANN's refusal",
        why="aclnnTransposeBatchMatMul: 161002: (perm(X1|X2|Y) must be|x[12] is (int64|float16))",
    ),
    Known(
        r"test_npu_fused_infer_attention_score_with_workspace\.py::",
        "the test is of another torch_npu than the wheel, which takes fewer arguments",
        why=r"_infer_output\(\) takes 2 positional",
    ),
    Known(
        r"test_npu_masked_causal_conv1d",
        "the kernel has rows of 384 to 24576",
        why="its last extent must be a multiple of 64 from 384",
    ),
    Known(
        r"test_npu_fused_causal_conv1d",
        "the test leaves maxQueryLen at -1, and the kernel asks for 1 at least",
        why="maxQueryLen is -1",
    ),
)

_TORCH_NPU = (
    Known(
        r"test_compile_aclgraph_update\.py::TestPA",
        "its operators are of NNAL's ATB, another package than CANN",
        why="OSError",
    ),
    Known(
        r"test_serialization\.py::.*test_legacy_load_maplocation_map_kind_none",
        "the test is of a later torch_npu than the wheel; it makes no call of CANN's",
        why="RuntimeError not raised",
    ),
    Known(
        r"test_distributed_muon\.py::",
        "its functions are a program of torchrun's, which pytest takes for tests by their names",
        why="fixture 'mesh' not found",
    ),
    Known(
        r"test_expandable_segments\.py::.*test_empty_virt_addr_cache",
        "it takes 29 GiB, which the machine that runs the simulator may not have",
        why="NPU out of memory",
    ),
    Known(
        r"test_graph_tree\.py::TestNPUGraphTreeManager",
        "the class calls methods of unittest.TestCase, which it does not inherit",
        why="object has no attribute 'assert(True|False)'",
    ),
    Known(
        r"test_math_operations\.py::.*test_trapz",
        "NumPy has no trapz since 2.4",
        why="has no attribute 'trapz'",
    ),
    Known(
        r"test_jit_(trace|script)\.py::.*bert_apply_adam",
        _NO_FUNCTION.format("ApplyAdamV2"),
        why="^ApplyAdamV2$",
    ),
    Known(
        r"test_optim\.py::.*test_(fused|multi_tensor)_optimizers",
        "its model is of float64, which aclnnAddmm does not take",
        why="aclnnAddmm: 161002: mat1 is float64",
    ),
    Known(
        r"test_optim\.py::.*does_not_step_if_foundinf",
        "torch_npu's fused Adam steps whatever found_inf says: it passes it to no call",
        why="not close",
    ),
    Known(
        r"test_optim\.py::.*test_peak_mem_multi_tensor_optimizers",
        "it counts 512 bytes for a tensor of that size; torch_npu adds 32 and takes two blocks",
        why="not less than or equal to",
    ),
    Known(
        r"test_dropout\.py::.*_npu$",
        "torch_npu makes no tensor in another order of memory",
        why="Only c10::MemoryFormat::Contiguous is supported",
    ),
    Known(
        r"test_pooling\.py",
        "the test is of another torch than the wheel's",
        why="cannot import name 'skipIfMps'",
    ),
    Known(
        r"test_pruning\.py::.*test_pruning_serialization_model",
        "it loads a whole model in the way that torch refuses since 2.6",
        why="Unsupported global",
    ),
)

_VLLM = (
    Known(
        r".*",
        "the simulator has no products of floats of 8 or 4 bits, those of the 950",
        why=r"^aclnn\w+: (the products of Ascend950|Ascend950|MXFP8|a product of floats of 8 or 4 "
        r"bits) is not simulated",
    ),
)

_LLAMA = (
    Known(
        r"f32$",
        "the backend brings weights into the chip's order by default, and "
        "aclnnTransMatmulWeight takes no float32",
        why="aclnnTransMatmulWeightGetWorkspaceSize answers 161002: .* is float32",
    ),
    Known(
        r"f16$",
        "the backend frees the workspace of a conversion, for a larger one, before the stream has "
        "run it (ggml_cann_nz_workspace): a device is mostly faster than that",
        why="aclnnTransMatmulWeight, queued on stream .* was freed",
    ),
)

KNOWN: dict[str, tuple[Known, ...]] = {
    "ggml": _GGML,
    "llama": _LLAMA,
    "op-plugin": _OP_PLUGIN,
    "op-plugin-custom": _OP_PLUGIN_CUSTOM,
    "torch-npu": _TORCH_NPU,
    "opinfo": _OPINFO,
    "models": (),
    "accelerate": (),
    "transformers": (),
    "vllm": _VLLM,
}
