// SPDX-License-Identifier: MIT
#include "toolkit/acl_op_compiler/by_name.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "objects/formats.hpp"
#include "runtime/descriptions.hpp"
#include "runtime/entry.hpp"

namespace pyaclnn::sim {
namespace {

enum class Kind {
  kCopy,     // between two tensors, whatever blocks they are in
  kUnary,    // self, out
  kBinary,   // self, other, out
  kScaled,   // self, other, 1, out
  kCast,     // self, type, out
  kPermute,  // self, order, out; the order is a constant
  kNear,     // refused; the function does the same with other parameters
};

struct Row {
  const char* name;
  const char* function;  // without "aclnn"
  Kind kind;
};

constexpr Row kRows[] = {
    {"Identity", "InplaceCopy", Kind::kCopy},
    {"TransData", "InplaceCopy", Kind::kCopy},
    {"TensorMove", "InplaceCopy", Kind::kCopy},
    {"Cast", "Cast", Kind::kCast},
    {"Transpose", "Permute", Kind::kPermute},
    {"Add", "Add", Kind::kScaled},
    {"Sub", "Sub", Kind::kScaled},
    {"Abs", "Abs", Kind::kUnary},
    {"Acos", "Acos", Kind::kUnary},
    {"Acosh", "Acosh", Kind::kUnary},
    {"Asin", "Asin", Kind::kUnary},
    {"Asinh", "Asinh", Kind::kUnary},
    {"Atan", "Atan", Kind::kUnary},
    {"Atanh", "Atanh", Kind::kUnary},
    {"Ceil", "Ceil", Kind::kUnary},
    {"Cos", "Cos", Kind::kUnary},
    {"Cosh", "Cosh", Kind::kUnary},
    {"Erf", "Erf", Kind::kUnary},
    {"Erfc", "Erfc", Kind::kUnary},
    {"Exp", "Exp", Kind::kUnary},
    {"Expm1", "Expm1", Kind::kUnary},
    {"Floor", "Floor", Kind::kUnary},
    {"Log", "Log", Kind::kUnary},
    {"Log1p", "Log1p", Kind::kUnary},
    {"LogicalNot", "LogicalNot", Kind::kUnary},
    {"Neg", "Neg", Kind::kUnary},
    {"Reciprocal", "Reciprocal", Kind::kUnary},
    {"Relu", "Relu", Kind::kUnary},
    {"Rsqrt", "Rsqrt", Kind::kUnary},
    {"Sigmoid", "Sigmoid", Kind::kUnary},
    {"Sign", "Sign", Kind::kUnary},
    {"Sin", "Sin", Kind::kUnary},
    {"Sinh", "Sinh", Kind::kUnary},
    {"Sqrt", "Sqrt", Kind::kUnary},
    {"Tan", "Tan", Kind::kUnary},
    {"Tanh", "Tanh", Kind::kUnary},
    {"Atan2", "Atan2", Kind::kBinary},
    {"BitwiseAnd", "BitwiseAndTensor", Kind::kBinary},
    {"BitwiseOr", "BitwiseOrTensor", Kind::kBinary},
    {"BitwiseXor", "BitwiseXorTensor", Kind::kBinary},
    {"Div", "Div", Kind::kBinary},
    {"Equal", "EqTensor", Kind::kBinary},
    {"FloorDiv", "FloorDivide", Kind::kBinary},
    {"FloorMod", "RemainderTensorTensor", Kind::kBinary},
    {"Greater", "GtTensor", Kind::kBinary},
    {"GreaterEqual", "GeTensor", Kind::kBinary},
    {"Less", "LtTensor", Kind::kBinary},
    {"LessEqual", "LeTensor", Kind::kBinary},
    {"LogicalAnd", "LogicalAnd", Kind::kBinary},
    {"LogicalOr", "LogicalOr", Kind::kBinary},
    {"Maximum", "Maximum", Kind::kBinary},
    {"Minimum", "Minimum", Kind::kBinary},
    {"Mul", "Mul", Kind::kBinary},
    {"NotEqual", "NeTensor", Kind::kBinary},
    {"Pow", "PowTensorTensor", Kind::kBinary},
    {"RealDiv", "Div", Kind::kBinary},
    {"BroadcastTo", "Expand", Kind::kNear},
    {"ConcatD", "Cat", Kind::kNear},
    {"Conv2D", "Convolution", Kind::kNear},
    {"Conv3D", "Convolution", Kind::kNear},
    {"Conv2DBackpropFilter", "ConvolutionBackward", Kind::kNear},
    {"Conv2DBackpropInput", "ConvolutionBackward", Kind::kNear},
    {"DropOutDoMask", "DropoutDoMask", Kind::kNear},
    {"DynamicGRUV2", "GRU", Kind::kNear},
    {"DynamicRNN", "LSTM", Kind::kNear},
    {"DynamicRNNV2", "LSTM", Kind::kNear},
    {"Fill", "InplaceFillScalar", Kind::kNear},
    {"GatherV2", "IndexSelect", Kind::kNear},
    {"MatMul", "Matmul", Kind::kNear},
    {"MaxPoolGradWithArgmaxV1", "MaxPool2dWithMaskBackward", Kind::kNear},
    {"MaxPoolWithArgmaxV1", "MaxPool2dWithMask", Kind::kNear},
    {"NonZero", "Nonzero", Kind::kNear},
    {"PadV3", "ConstantPadNd", Kind::kNear},
    {"Quantize", "AscendQuant", Kind::kNear},
    {"ReduceMeanD", "Mean", Kind::kNear},
    {"ReduceSumD", "ReduceSum", Kind::kNear},
    {"ScatterElements", "Scatter", Kind::kNear},
    {"SoftmaxV2", "Softmax", Kind::kNear},
    {"StatelessBernoulli", "Bernoulli", Kind::kNear},
    {"StatelessDropOutGenMask", "DropoutGenMask", Kind::kNear},
    {"StatelessRandomUniformV2", "InplaceUniform", Kind::kNear},
    {"StridedSlice", "Slice", Kind::kNear},
    {"UniqueWithCountsAndSorting", "Unique2", Kind::kNear},
    {"Xlogy", "XLogYTensor", Kind::kNear},
    {"ZerosLike", "InplaceZero", Kind::kNear},
};

const Row* row_of(const std::string& name) {
  for (const Row& row : kRows)
    if (name == row.name) return &row;
  return nullptr;
}

/// libopapi, which stands above this library, is looked for beside it.
void* operators() {
  static void* const library = [] {
    Dl_info here;
    if (dladdr(reinterpret_cast<void*>(&row_of), &here) == 0) return static_cast<void*>(nullptr);
    std::string path = here.dli_fname;
    path.resize(path.find_last_of('/') + 1);
    return dlopen((path + "libopapi.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  return library;
}

/// A function of libopapi or of what it stands on; null where there is none.
template <class Function>
Function symbol(const std::string& name) {
  void* const found = operators() == nullptr ? nullptr : dlsym(operators(), name.c_str());
  return reinterpret_cast<Function>(found);
}

template <class Handle>
using Owned = std::unique_ptr<Handle, aclnnStatus (*)(const Handle*)>;
using Tensor = Owned<aclTensor>;

bool is_private(aclFormat format) { return kPrivateFormats.contains(format); }

aclFormat storage_of(const Description& d) {
  return d.storage_format == ACL_FORMAT_UNDEFINED ? d.format : d.storage_format;
}

Tensor tensor_of(const NamedCall& call, const NamedTensors& tensors, int i) {
  const Description d = description_of(tensors.descriptions[i]);
  if (d.placement != ACL_MEMTYPE_DEVICE)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: tensor %d is in memory of the host",
         call.name, i);
  const bool blocks = is_private(storage_of(d));
  std::vector<std::int64_t> strides(d.dims.size(), 1);
  for (std::size_t axis = d.dims.size(); axis-- > 1;)
    if (__builtin_mul_overflow(strides[axis], d.dims[axis], &strides[axis - 1]))
      fail(kInvalidParam, "operator %s: tensor %d is too large", call.name, i);
  const std::vector<std::int64_t>& stored =
      blocks && !d.storage_dims.empty() ? d.storage_dims : d.dims;
  const auto create = symbol<decltype(&aclCreateTensor)>("aclCreateTensor");
  const auto destroy = symbol<decltype(&aclDestroyTensor)>("aclDestroyTensor");
  return {create(d.dims.data(), d.dims.size(), d.dtype, strides.data(), 0, storage_of(d),
                 stored.data(), stored.size(), aclGetDataBufferAddr(tensors.buffers[i])),
          destroy};
}

/// The numbers of an input whose value was given with its description.
std::vector<std::int64_t> constant_of(const NamedCall& call, int i) {
  const Description d = description_of(call.inputs.descriptions[i]);
  std::vector<std::int64_t> values;
  if (d.dtype == ACL_INT64) {
    values.resize(d.constant.size() / sizeof(std::int64_t));
    if (!values.empty()) std::memcpy(values.data(), d.constant.data(), values.size() * 8);
  } else if (d.dtype == ACL_INT32) {
    std::vector<std::int32_t> narrow(d.constant.size() / sizeof(std::int32_t));
    if (!narrow.empty()) std::memcpy(narrow.data(), d.constant.data(), narrow.size() * 4);
    values.assign(narrow.begin(), narrow.end());
  }
  if (values.empty())
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: input %d is no constant list of integers",
         call.name, i);
  return values;
}

/// The first phase of a function, whatever it is given before its last two parameters.
template <class... Arguments>
aclnnStatus first_phase(const std::string& function, std::uint64_t* size, aclOpExecutor** executor,
                        Arguments... arguments) {
  using Phase = aclnnStatus (*)(Arguments..., std::uint64_t*, aclOpExecutor**);
  return symbol<Phase>(function + "GetWorkspaceSize")(arguments..., size, executor);
}

void check_answer(const NamedCall& call, const std::string& function, int status) {
  if (status == ACL_SUCCESS) return;
  const char* const said = aclGetRecentErrMsg();
  fail(ACL_ERROR_GE_FAILURE, "operator %s: %s answers %d: %s", call.name, function.c_str(), status,
       said == nullptr ? "" : said);
}

void run(const NamedCall& call, const std::string& function, std::uint64_t size,
         aclOpExecutor* executor) {
  using Phase = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);
  void* workspace = nullptr;
  if (size > 0)
    check_answer(call, "aclrtMalloc", aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  const int status = symbol<Phase>(function)(workspace, size, executor, call.stream);
  // Nobody else knows of the workspace, so it is waited for.
  if (workspace != nullptr) {
    aclrtSynchronizeStream(call.stream);
    aclrtFree(workspace);
  }
  check_answer(call, function, status);
}

int inputs_of(Kind kind) {
  return kind == Kind::kUnary || kind == Kind::kCopy || kind == Kind::kCast ? 1 : 2;
}

void require_tensors(const NamedCall& call, const NamedTensors& tensors, int count,
                     const char* what) {
  if (tensors.count != count)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s has %d %s, what stands for it takes %d",
         call.name, tensors.count, what, count);
  require_not_null(tensors.descriptions, what);
  require_not_null(tensors.buffers, what);
  for (int i = 0; i < count; ++i) {
    require_not_null(tensors.descriptions[i], what);
    require_not_null(tensors.buffers[i], what);
  }
}

/// The attributes that say no more than the descriptions do.
bool says_nothing(const Row& row, const std::string& attribute) {
  if (row.kind == Kind::kCast) return attribute == "dst_type" || attribute == "truncate";
  return std::strcmp(row.name, "TransData") == 0 &&
         (attribute == "src_format" || attribute == "dst_format" || attribute == "groups");
}

void refuse(const NamedCall& call, const char* nearest) {
  const std::string own = std::string("aclnn") + call.name;
  const bool has_own = symbol<void*>(own) != nullptr;
  const std::string hint = nearest != nullptr ? std::string("aclnn") + nearest : has_own ? own : "";
  fail(ACL_ERROR_FEATURE_UNSUPPORTED,
       "operator %s is asked for by its name, and is not simulated so%s%s", call.name,
       hint.empty() ? ": libopapi has no function like it" : "; the nearest function is ",
       hint.c_str());
}

/// The function that copies: between blocks and rows another.
std::string copying(const NamedCall& call, const Description& in, const Description& out) {
  const aclFormat from = storage_of(in);
  const aclFormat to = storage_of(out);
  if (is_private(from) || is_private(to)) return from == to ? "" : "aclnnNpuFormatCast";
  const bool turned = (from == ACL_FORMAT_NHWC) != (to == ACL_FORMAT_NHWC) && in.dims != out.dims;
  if (turned) refuse(call, "Permute");
  return "aclnnInplaceCopy";
}

/// Copies blocks that are as they shall be, byte by byte.
void copy_bytes(const NamedCall& call) {
  void* const to = aclGetDataBufferAddr(call.outputs.buffers[0]);
  const std::size_t room = aclGetDataBufferSizeV2(call.outputs.buffers[0]);
  const std::size_t bytes = aclGetDataBufferSizeV2(call.inputs.buffers[0]);
  check_answer(call, "aclrtMemcpyAsync",
               aclrtMemcpyAsync(to, room, aclGetDataBufferAddr(call.inputs.buffers[0]), bytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, call.stream));
}

}  // namespace

void run_by_name(const NamedCall& call) {
  require_not_null(call.name, "opType");
  if (operators() == nullptr)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: libopapi.so is not beside this library",
         call.name);
  const Row* const row = row_of(call.name);
  if (row == nullptr || row->kind == Kind::kNear)
    return refuse(call, row == nullptr ? nullptr : row->function);
  require_tensors(call, call.inputs, inputs_of(row->kind), "inputs");
  require_tensors(call, call.outputs, 1, "outputs");
  for (const std::string& attribute : attribute_names(call.attributes))
    if (!says_nothing(*row, attribute))
      fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: attribute %s is not simulated by name",
           call.name, attribute.c_str());
  // All live until the second phase has returned.
  const Tensor self = tensor_of(call, call.inputs, 0);
  const bool has_other = row->kind == Kind::kBinary || row->kind == Kind::kScaled;
  const Tensor second = has_other ? tensor_of(call, call.inputs, 1) : Tensor(nullptr, nullptr);
  const Tensor out = tensor_of(call, call.outputs, 0);
  std::string function = std::string("aclnn") + row->function;
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const aclTensor* const in = self.get();
  aclnnStatus status = ACL_SUCCESS;
  switch (row->kind) {
    case Kind::kCopy: {
      const Description from = description_of(call.inputs.descriptions[0]);
      function = copying(call, from, description_of(call.outputs.descriptions[0]));
      if (function.empty()) return copy_bytes(call);
      status = function == "aclnnInplaceCopy"
                   ? first_phase(function, &size, &executor, out.get(), in)
                   : first_phase(function, &size, &executor, in, out.get());
      break;
    }
    case Kind::kUnary:
      status = first_phase(function, &size, &executor, in, out.get());
      break;
    case Kind::kCast: {
      const aclDataType type = description_of(call.outputs.descriptions[0]).dtype;
      status = first_phase(function, &size, &executor, in, type, out.get());
      break;
    }
    case Kind::kPermute: {
      const std::vector<std::int64_t> order = constant_of(call, 1);
      const Owned<aclIntArray> dims{
          symbol<decltype(&aclCreateIntArray)>("aclCreateIntArray")(order.data(), order.size()),
          symbol<decltype(&aclDestroyIntArray)>("aclDestroyIntArray")};
      const aclIntArray* const axes = dims.get();
      status = first_phase(function, &size, &executor, in, axes, out.get());
      break;
    }
    default: {
      const aclTensor* const other = second.get();
      if (row->kind == Kind::kBinary) {
        status = first_phase(function, &size, &executor, in, other, out.get());
        break;
      }
      float one = 1;
      const Owned<aclScalar> alpha{
          symbol<decltype(&aclCreateScalar)>("aclCreateScalar")(&one, ACL_FLOAT),
          symbol<decltype(&aclDestroyScalar)>("aclDestroyScalar")};
      const aclScalar* const scale = alpha.get();
      status = first_phase(function, &size, &executor, in, other, scale, out.get());
    }
  }
  check_answer(call, function + "GetWorkspaceSize", status);
  run(call, function, size, executor);
}

}  // namespace pyaclnn::sim
