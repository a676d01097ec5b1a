// SPDX-License-Identifier: MIT
#include "toolkit/acl_op_compiler/by_name.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "objects/formats.hpp"
#include "runtime/entry.hpp"
#include "toolkit/acl_op_compiler/asked.hpp"
#include "toolkit/acl_op_compiler/recurrent.hpp"

namespace pyaclnn::sim {
namespace {

struct Row {
  const char* name;
  const char* function;  // without "aclnn"
  void (*plan)(Asked& c) =
      nullptr;  // null: refused; the function does the same with other parameters
};

void refuse(const NamedCall& call, const char* nearest) {
  const std::string own = std::string("aclnn") + call.name;
  const bool has_own = operator_symbol(own) != nullptr;
  const std::string hint = nearest != nullptr ? std::string("aclnn") + nearest : has_own ? own : "";
  fail(ACL_ERROR_FEATURE_UNSUPPORTED,
       "operator %s is asked for by its name, and is not simulated so%s%s", call.name,
       hint.empty() ? ": libopapi has no function like it" : "; the nearest function is ",
       hint.c_str());
}

void one(Asked& c) {
  const aclTensor* const self = c.in(0);
  c.first(self, c.out());
}

/// Of two types, as products and quotients are.
void two_types(Asked& c) {
  const aclTensor* const self = c.in(0);
  const aclTensor* const other = c.in(1);
  c.first(self, other, c.out());
}

void two(Asked& c) {
  c.alike(2);
  two_types(c);
}

/// self + other, or with a minus; of whole numbers as well.
void summands(Asked& c) {
  const aclTensor* const self = c.in(0);
  const aclTensor* const other = c.in(1);
  c.first(self, other, c.one(), c.out());
}

/// A gradient by the result: y, dy.
void by_result(Asked& c) {
  c.alike(2);
  const aclTensor* const result = c.in(0);
  c.first(c.in(1), result, c.out());
}

/// Axes are a constant.
void reduced(Asked& c) { c.first(c.in(0), c.numbers(1), c.flag("keep_dims"), c.out()); }
void summed(Asked& c) { c.first(c.in(0), c.numbers(1), c.flag("keep_dims"), c.type(), c.out()); }
void place(Asked& c) { c.first(c.in(0), c.number(1), c.flag("keep_dims"), c.out()); }
/// Places come before values.
void extreme(Asked& c) {
  c.first(c.in(0), c.whole("dimension", 0), c.flag("keep_dims"), c.out(1), c.out(0));
}

void triangle(Asked& c) { c.first(c.in(0), c.whole("diagonal", 0), c.out()); }
void sum_of_product(Asked& c) {
  c.alike(3);
  c.first(c.in(0), c.in(1), c.in(2), c.value(3), c.out());
}

void product(Asked& c) {
  const bool batch = std::string(c.call().name) == "BatchMatMul";
  const aclTensor* const left = c.matrix(0, batch ? "adj_x1" : "transpose_x1");
  const aclTensor* const right = c.matrix(1, batch ? "adj_x2" : "transpose_x2");
  c.first(left, right, c.out(), std::int8_t(0));
}

/// Axes change places before or after the elements get the shape.
void turned_and_reshaped(Asked& c) {
  const std::vector<std::int64_t> shape = c.numbers_of("shape");
  const aclIntArray* const order = c.list("perm");
  if (!c.flag("transpose_first")) return c.first(c.in_of_shape(0, shape), order, c.out());
  const std::vector<std::int64_t> dims = c.dims_of_input(0);
  std::vector<std::int64_t> turned;
  for (const std::int64_t axis : c.numbers_of("perm")) {
    if (axis < 0 || axis >= std::int64_t(dims.size()))
      fail(ACL_ERROR_GE_FAILURE, "operator %s: perm has the axis %lld of %zu", c.call().name,
           static_cast<long long>(axis), dims.size());
    turned.push_back(dims[std::size_t(axis)]);
  }
  c.first(c.in(0), order, c.out_of_shape(turned));
}

/// Of images whose channels come first.
void convolved(Asked& c, bool transposed) {
  c.only_text("data_format", "NCHW");
  c.only("offset_x", 0);
  const int images = transposed ? 1 : 0;  // behind the shape of the result
  if (transposed) c.unused(0);
  const aclTensor* const image = c.in(images);
  const aclTensor* const filter = c.in(images + 1);
  const aclTensor* const bias = c.in_if_there(images + 2);
  const aclIntArray* const steps = c.of_image("strides", {1, 1, 1, 1});
  const aclIntArray* const borders = c.borders("pads");
  const aclIntArray* const distances = c.of_image("dilations", {1, 1, 1, 1});
  const aclIntArray* const added = c.of_image("output_padding", {0, 0, 0, 0});
  c.first(image, filter, bias, steps, borders, distances, transposed, added, c.whole("groups", 1),
          c.out(), std::int8_t(0));
}

/// Every input has been repeated for all pairs of points. An infinite power is -1.
void distances_back(Asked& c) {
  const float power = c.float_of("p", 2);
  c.first(c.first_along(0, -1), c.first_along(1, -2), c.first_along(2, -3), c.first_along(3, -1),
          power < 0 ? std::numeric_limits<float>::infinity() : power, c.out());
}

/// Where regions end: 0 and 2 are aclnn's `aligned`; 1, a pixel later, no function has.
bool regions_are_aligned(Asked& c) {
  const std::int64_t mode = c.whole("roi_end_mode", 1);
  if (mode != 0 && mode != 2)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: roi_end_mode is %lld, only 0 and 2 are simulated by name", c.call().name,
         static_cast<long long>(mode));
  return mode == 2;
}

void regions(Asked& c) {
  c.only_text("pool_mode", "avg");
  const bool aligned = regions_are_aligned(c);
  c.first(c.in(0), c.in(1), c.whole("pooled_height", 0), c.whole("pooled_width", 0),
          c.float_of("spatial_scale", 0), c.whole("sample_num", 2), aligned, c.out());
}

void regions_back(Asked& c) {
  c.only_text("pool_mode", "avg");
  const bool aligned = regions_are_aligned(c);
  c.first(c.in(0), c.in(1), c.list("xdiff_shape"), c.whole("pooled_height", 0),
          c.whole("pooled_width", 0), c.float_of("spatial_scale", 0), c.whole("sample_num", 2),
          aligned, c.out());
}

/// Between blocks and rows another function copies.
void copied(Asked& c) {
  for (const char* const known : {"src_format", "dst_format", "groups"}) c.unused(known);
  const aclTensor* const in = c.in_as_stored(0);
  aclTensor* const out = c.out_as_stored(0);
  const Description source = description_of(c.call().inputs.descriptions[0]);
  const Description made = description_of(c.call().outputs.descriptions[0]);
  const aclFormat from = storage_of(source);
  const aclFormat to = storage_of(made);
  if (kPrivateFormats.contains(from) || kPrivateFormats.contains(to)) {
    if (from == to) return c.copy_bytes();
    c.instead("NpuFormatCast");
    return c.first(in, out);
  }
  const bool turned =
      (from == ACL_FORMAT_NHWC) != (to == ACL_FORMAT_NHWC) && source.dims != made.dims;
  if (turned) refuse(c.call(), "Permute");
  c.first(out, in);
}

// clang-format off
constexpr Row kRows[] = {
    {"Identity", "InplaceCopy", copied},
    {"TensorMove", "InplaceCopy", copied},
    {"TransData", "InplaceCopy", copied},
    {"Abs", "Abs", one},
    {"Acos", "Acos", one},
    {"Acosh", "Acosh", one},
    {"Asin", "Asin", one},
    {"Asinh", "Asinh", one},
    {"Atan", "Atan", one},
    {"Atanh", "Atanh", one},
    {"BitwiseNot", "BitwiseNot", one},
    {"Ceil", "Ceil", one},
    {"Cos", "Cos", one},
    {"Cosh", "Cosh", one},
    {"Digamma", "Digamma", one},
    {"Erf", "Erf", one},
    {"Erfc", "Erfc", one},
    {"Erfinv", "Erfinv", one},
    {"Exp", "Exp", one},
    {"Expm1", "Expm1", one},
    {"Floor", "Floor", one},
    {"Gelu", "Gelu", one},
    {"HardSwish", "Hardswish", one},
    {"Invert", "BitwiseNot", one},
    {"IsFinite", "IsFinite", one},
    {"Lgamma", "Lgamma", one},
    {"Log", "Log", one},
    {"Log1p", "Log1p", one},
    {"LogSigmoid", "LogSigmoid", one},
    {"LogicalNot", "LogicalNot", one},
    {"Mish", "Mish", one},
    {"Neg", "Neg", one},
    {"Reciprocal", "Reciprocal", one},
    {"Relu", "Relu", one},
    {"Rsqrt", "Rsqrt", one},
    {"Sigmoid", "Sigmoid", one},
    {"Sign", "Sign", one},
    {"Sin", "Sin", one},
    {"Sinh", "Sinh", one},
    {"Sqrt", "Sqrt", one},
    {"Square", "Square", one},
    {"Tan", "Tan", one},
    {"Tanh", "Tanh", one},
    {"Trunc", "Trunc", one},
    {"Atan2", "Atan2", two},
    {"BitwiseAnd", "BitwiseAndTensor", two},
    {"BitwiseOr", "BitwiseOrTensor", two},
    {"BitwiseXor", "BitwiseXorTensor", two},
    {"Div", "Div", two_types},
    {"Equal", "EqTensor", two},
    {"FloorDiv", "FloorDivide", two},
    {"FloorMod", "RemainderTensorTensor", two},
    {"Greater", "GtTensor", two},
    {"GreaterEqual", "GeTensor", two},
    {"HardSwishGrad", "HardswishBackward", two},
    {"Less", "LtTensor", two},
    {"LessEqual", "LeTensor", two},
    {"LogicalAnd", "LogicalAnd", two},
    {"LogicalOr", "LogicalOr", two},
    {"Maximum", "Maximum", two},
    {"Minimum", "Minimum", two},
    {"MishGrad", "MishBackward", two},
    {"Mod", "FmodTensor", two},
    {"Mul", "Mul", two_types},
    {"NotEqual", "NeTensor", two},
    {"Pow", "PowTensorTensor", two},
    {"RealDiv", "Div", two_types},
    {"Add", "Add", summands},
    {"Axpy", "Add",
     [](Asked& c) { c.first(c.in(0), c.in(1), c.real("alpha", 1), c.out()); }},
    {"Sub", "Sub", summands},
    {"SigmoidGrad", "SigmoidBackward", by_result},
    {"TanhGrad", "TanhBackward", by_result},
    {"ReduceAll", "All", reduced},
    {"ReduceAny", "Any", reduced},
    {"ReduceMax", "Amax", reduced},
    {"ReduceMin", "Amin", reduced},
    {"ReduceMean", "Mean", summed},
    {"ReduceSum", "ReduceSum", summed},
    {"ArgMaxV2", "ArgMax", place},
    {"ArgMaxWithValue", "MaxDim", extreme},
    {"ArgMinWithValue", "MinDim", extreme},
    {"Tril", "Tril", triangle},
    {"Triu", "Triu", triangle},
    {"Addcdiv", "Addcdiv", sum_of_product},
    {"Addcmul", "Addcmul", sum_of_product},
    {"BatchMatMul", "BatchMatMul", product},
    {"MatMul", "Matmul", product},
    {"BroadcastTo", "Expand", [](Asked& c) { c.first(c.in(0), c.numbers(1), c.out()); }},
    {"Cast", "Cast",
     [](Asked& c) {
       for (const char* const known : {"dst_type", "truncate"}) c.unused(known);
       c.first(c.in(0), c.type(), c.out());
     }},
    {"ClipByValue", "Clamp", [](Asked& c) { c.first(c.in(0), c.value(1), c.value(2), c.out()); }},
    {"ConcatD", "Cat",
     [](Asked& c) {
       c.unused("N");
       c.first(c.ins(), c.whole("concat_dim", 0), c.out());
     }},
    {"ConfusionTransposeD", "Permute", turned_and_reshaped},
    {"Cumsum", "Cumsum", [](Asked& c) { c.first(c.in(0), c.number(1), c.type(), c.out()); }},
    {"Elu", "Elu",
     [](Asked& c) {
       c.first(c.in(0), c.real("alpha", 1), c.real("scale", 1), c.real("input_scale", 1), c.out());
     }},
    {"Fill", "InplaceFillTensor",
     [](Asked& c) {
       c.unused(0);
       c.first(c.out(), c.in(1));
     }},
    {"GatherElements", "Gather", [](Asked& c) { c.first(c.in(0), c.whole("dim", 0), c.in(1), c.out()); }},
    {"GatherV2", "IndexSelect",
     [](Asked& c) {
       c.only("batch_dims", 0);
       c.first(c.in(0), c.number(2), c.in(1), c.out());
     }},
    {"GeluGrad", "GeluBackward",
     [](Asked& c) {
       c.unused(2);
       c.first(c.in(0), c.in(1), c.out());
     }},
    {"LeakyRelu", "LeakyRelu", [](Asked& c) { c.first(c.in(0), c.real("negative_slope", 0), c.out()); }},
    {"Lerp", "Lerp", [](Asked& c) { c.first(c.in(0), c.in(1), c.in(2), c.out()); }},
    {"LogSoftmaxGrad", "LogSoftmaxBackward",
     [](Asked& c) { c.first(c.in(0), c.in(1), c.axis("axis"), c.out()); }},
    {"LogSoftmaxV2", "LogSoftmax", [](Asked& c) { c.first(c.in(0), c.axis("axes"), c.out()); }},
    {"Muls", "Muls", [](Asked& c) { c.first(c.in(0), c.real("value", 1), c.out()); }},
    {"OnesLike", "InplaceOne",
     [](Asked& c) {
       c.unused(0);
       c.first(c.out());
     }},
    {"Pad", "ConstantPadNd",
     [](Asked& c) { c.first(c.in(0), c.padding(1), c.scalar(0), c.out()); }},
    {"ReluGrad", "ThresholdBackward",
     [](Asked& c) { c.first(c.in(0), c.in(1), c.scalar(0), c.out()); }},
    {"ROIAlign", "RoiAlignV2", regions},
    {"ROIAlignGrad", "RoiAlignV2Backward", regions_back},
    {"Roll", "Roll", [](Asked& c) { c.first(c.in(0), c.list("shifts"), c.list("dims"), c.out()); }},
    {"Round", "RoundDecimals", [](Asked& c) { c.first(c.in(0), c.whole("decimals", 0), c.out()); }},
    {"Select", "SWhere", [](Asked& c) { c.first(c.in(0), c.in(1), c.in(2), c.out()); }},
    {"SignBitsPack", "SignBitsPack", [](Asked& c) { c.first(c.in(0), c.whole("size", 1), c.out()); }},
    {"SignBitsUnpack", "SignBitsUnpack",
     [](Asked& c) {
       c.unused("dtype");
       c.first(c.in(0), c.whole("size", 1), c.type(), c.out());
     }},
    {"Slice", "InplaceCopy",
     [](Asked& c) {
       c.unused(2);  // the sizes, which are the output's
       c.first(c.out(), c.window(0, 1));
     }},
    {"SoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits",
     [](Asked& c) { c.first(c.in(0), c.in(1), c.out(0), c.out(1)); }},
    {"SoftmaxGrad", "SoftmaxBackward",
     [](Asked& c) { c.first(c.in(1), c.in(0), c.axis("axes"), c.out()); }},
    {"SoftmaxV2", "Softmax", [](Asked& c) { c.first(c.in(0), c.axis("axes"), c.out()); }},
    {"SoftplusV2", "Softplus",
     [](Asked& c) { c.first(c.in(0), c.real("beta", 1), c.real("threshold", 20), c.out()); }},
    {"Sort", "Sort",
     [](Asked& c) {
       c.first(c.in(0), true, c.whole("axis", -1), c.flag("descending"), c.out(0), c.out(1));
     }},
    {"Swish", "Swish", [](Asked& c) { c.first(c.in(0), c.real("scale", 1), c.out()); }},
    {"SwishGrad", "SwishBackward",
     [](Asked& c) {
       c.unused(2);  // the result
       c.first(c.in(0), c.in(1), c.real("scale", 1), c.out());
     }},
    {"Tile", "Repeat", [](Asked& c) { c.first(c.in(0), c.numbers(1), c.out()); }},
    {"Transpose", "Permute", [](Asked& c) { c.first(c.in(0), c.numbers(1), c.out()); }},
    {"ZerosLike", "InplaceZero",
     [](Asked& c) {
       c.unused(0);
       c.first(c.out());
     }},
    {"CdistGrad", "CdistBackward", distances_back},
    {"Conv2D", "Convolution", [](Asked& c) { convolved(c, false); }},
    {"Conv2DTranspose", "Convolution", [](Asked& c) { convolved(c, true); }},
    {"Conv3D", "Convolution"},
    {"Conv2DBackpropFilter", "ConvolutionBackward"},
    {"Conv2DBackpropInput", "ConvolutionBackward"},
    {"DropOutDoMask", "DropoutDoMask",
     [](Asked& c) { c.first(c.in(0), c.in(1), 1.0 - c.floating(2), c.out()); }},
    {"DynamicGRUV2", "GRU"},
    {"DynamicRNN", "LSTM", recurrent_of_one_matrix},
    {"DynamicRNNGrad", "LstmBackward", recurrent_of_one_matrix_back},
    {"DynamicRNNV2", "LSTM", recurrent},
    {"DynamicRNNV2Grad", "LstmBackward", recurrent_back},
    {"MaxPoolGradWithArgmaxV1", "MaxPool2dWithMaskBackward"},
    {"MaxPoolWithArgmaxV1", "MaxPool2dWithMask"},
    {"NonZero", "Nonzero",
     [](Asked& c) {
       if (c.flag("transpose")) c.instead("NonzeroV2");
       c.first(c.in(0), c.out_of_any_shape());
     }},
    {"PadV3", "ConstantPadNd"},
    {"Quantize", "AscendQuant"},
    {"ReduceMeanD", "Mean"},
    {"ReduceSumD", "ReduceSum"},
    {"ScatterElements", "Scatter"},
    {"StatelessBernoulli", "Bernoulli"},
    {"StatelessDropOutGenMask", "DropoutGenMask"},
    {"StatelessRandomUniformV2", "InplaceUniform"},
    {"StridedSlice", "Slice"},
    {"UniqueWithCountsAndSorting", "Unique2"},
    {"Xlogy", "XLogYTensor"},
};
// clang-format on

const Row* row_of(const std::string& name) {
  for (const Row& row : kRows)
    if (name == row.name) return &row;
  return nullptr;
}

}  // namespace

void run_by_name(const NamedCall& call) {
  require_not_null(call.name, "opType");
  if (operator_symbol("aclnnAddGetWorkspaceSize") == nullptr)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: libopapi.so is not beside this library",
         call.name);
  const Row* const row = row_of(call.name);
  if (row == nullptr || row->plan == nullptr)
    return refuse(call, row == nullptr ? nullptr : row->function);
  Asked asked(call, row->function);
  row->plan(asked);
  asked.run();
}

}  // namespace pyaclnn::sim
