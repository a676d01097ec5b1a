// SPDX-License-Identifier: MIT
#include "opapi/pointwise/pointwise.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "objects/half.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/pointwise/list.hpp"
#include "opapi/pointwise/narrow.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::size_t kMaxScalars = 8;

/// Scalars of any compute type, side by side.
struct ScalarBytes {
  alignas(16) std::array<std::byte, 16 * kMaxScalars> bytes;
};
static_assert(sizeof(ScalarBytes) + 16 <= kMostNumberBytes, "there is one more along a row");

ComputeType compute_type_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_DOUBLE:
      return ComputeType::kDouble;
    case ACL_COMPLEX64:
      return ComputeType::kComplexFloat;
    case ACL_COMPLEX128:
      return ComputeType::kComplexDouble;
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
      return ComputeType::kFloat;
    default:
      return ComputeType::kInt64;
  }
}

/// What truths are computed in: a type that holds whether any operand's elements are zero.
ComputeType truth_type(const std::vector<View>& inputs) {
  ComputeType result = ComputeType::kInt64;
  for (const View& input : inputs) {
    const ComputeType type = compute_type_of(input.dtype);
    if (type == ComputeType::kComplexFloat || type == ComputeType::kComplexDouble)
      return ComputeType::kComplexDouble;
    if (type == ComputeType::kDouble || result == ComputeType::kInt64) result = type;
  }
  return result;
}

/// Calls visit(T()) with the C++ type.
template <class Visit>
auto with_type(ComputeType type, Visit visit) {
  switch (type) {
    case ComputeType::kDouble:
      return visit(double());
    case ComputeType::kInt8:
      return visit(std::int8_t());
    case ComputeType::kInt32:
      return visit(std::int32_t());
    case ComputeType::kInt64:
      return visit(std::int64_t());
    case ComputeType::kComplexFloat:
      return visit(Complex<float>());
    case ComputeType::kComplexDouble:
      return visit(Complex<double>());
    default:
      return visit(float());
  }
}

float rounded(float value, aclDataType dtype) {
  if (dtype == ACL_FLOAT16) return half_to_float(float_to_half(value));
  if (dtype == ACL_BF16) return bfloat16_to_float(float_to_bfloat16(value));
  return value;
}

/// An integer as an element of a type has it: its low bits.
std::int64_t wrapped(std::int64_t value, aclDataType dtype) {
  switch (dtype) {
    case ACL_INT8:
      return static_cast<std::int8_t>(value);
    case ACL_UINT8:
      return static_cast<std::uint8_t>(value);
    case ACL_INT16:
      return static_cast<std::int16_t>(value);
    case ACL_UINT16:
      return static_cast<std::uint16_t>(value);
    case ACL_INT32:
      return static_cast<std::int32_t>(value);
    case ACL_UINT32:
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

/// A scalar as CANN hands it to its kernel: in the type that is computed in.
template <class T>
T scalar_as(const Number& number, aclDataType dtype) {
  if constexpr (std::is_same_v<T, float>) {
    const auto value = static_cast<float>(number.value.real());
    return number.rounds ? rounded(value, dtype) : value;
  } else if constexpr (std::is_same_v<T, double>) {
    return number.value.real();
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(dtype == ACL_BOOL ? std::int64_t(number.value != 0.0)
                                            : wrapped(number.integer, dtype));
  } else {
    using R = decltype(T::re);
    return {static_cast<R>(number.value.real()), static_cast<R>(number.value.imag())};
  }
}

/// The loop that takes operands and results of 16 bits as they are; null where there is none.
PointwiseLoop narrow_loop(const PointwiseFormula& formula, aclDataType compute, aclDataType gives,
                          const View& out, const std::vector<View>& inputs) {
  if (!is_16_bit_float(compute) || gives != compute || out.dtype != compute) return nullptr;
  for (const View& input : inputs)
    if (input.dtype != compute) return nullptr;
  return compute == ACL_FLOAT16 ? formula.of_halves : formula.of_bfloat16s;
}

/// Whether operands and result are bytes that need no wider type.
bool is_of_bytes(aclDataType compute, aclDataType gives, const View& out,
                 const std::vector<View>& inputs) {
  if (compute != ACL_INT8 || out.dtype != gives || (gives != ACL_INT8 && gives != ACL_BOOL))
    return false;
  for (const View& input : inputs)
    if (input.dtype != ACL_INT8) return false;
  return true;
}

/// Has a kernel move the elements of its views as bits, and compute on them with `loop`.
void work_on_bits(ElementwiseKernel& kernel, PointwiseLoop loop) {
  for (View& view : kernel.views) view.dtype = ACL_INT16;
  kernel.loads.assign(kernel.views.size() - 1, loader<std::int16_t>(ACL_INT16));
  kernel.store = storer<std::int16_t>(ACL_INT16, Rounding::kTruncate);
  kernel.compute_size = sizeof(std::int16_t);
  kernel.compute_dtype = ACL_INT16;
  kernel.block = loop;
}

/// The compute type of a conversion from a result's own type to its output's.
ComputeType conversion_type(aclDataType from, aclDataType to) {
  if (to == ACL_COMPLEX64 || to == ACL_COMPLEX128) return ComputeType::kComplexDouble;
  return is_integral(from) ? ComputeType::kInt64 : ComputeType::kDouble;
}

constexpr std::uint64_t kTopBit = std::uint64_t(1) << 63;

/// Numbers without sign, moved so that they compare as int64_t.
void load_moved(const std::byte* from, std::int64_t stride, std::int64_t count, void* to) {
  static const LoadFn load = loader<std::int64_t>(ACL_UINT64);
  load(from, stride, count, to);
  auto* values = static_cast<std::int64_t*>(to);
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) ^ kTopBit);
}

Number moved(Number number) {
  number.integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(number.integer) ^ kTopBit);
  return number;
}

}  // namespace

std::int64_t Number::exact(const Scalar& scalar) {
  if (scalar.dtype() != ACL_UINT64) return scalar.to_int();
  std::int64_t bits;
  std::memcpy(&bits, scalar.bytes().data(), sizeof bits);
  return bits;
}

ElementwiseKernel pointwise_kernel(const Plan& plan, const PointwiseFormula& formula,
                                   aclDataType compute, aclDataType gives, const View& out,
                                   const std::vector<View>& inputs, const Number* scalars,
                                   std::size_t scalar_count) {
  if (compute == ACL_BF16 && gives == ACL_BF16 && formula.for_bfloat16 != nullptr)
    return pointwise_kernel(plan, *formula.for_bfloat16, compute, gives, out, inputs, scalars,
                            scalar_count);
  ComputeType type = compute == ACL_BOOL ? truth_type(inputs) : compute_type_of(compute);
  const auto loop_of = [&](ComputeType t) { return formula.loops[static_cast<int>(t)]; };
  if (type == ComputeType::kInt64 && compute == ACL_INT32 && out.dtype == ACL_INT32 &&
      gives == ACL_INT32 && loop_of(ComputeType::kInt32) != nullptr) {
    bool all = true;
    for (const View& input : inputs) all = all && input.dtype == ACL_INT32;
    if (all) type = ComputeType::kInt32;
  }
  const bool of_bytes = loop_of(ComputeType::kInt8) != nullptr && type == ComputeType::kInt64 &&
                        is_of_bytes(compute, gives, out, inputs);
  if (of_bytes) type = ComputeType::kInt8;
  // Comparisons are all that gives a bool from numbers without sign.
  const bool moves = compute == ACL_UINT64 && gives == ACL_BOOL;
  if (scalar_count > kMaxScalars)
    fail(ACLNN_ERR_INNER, "%s: %s has too many scalars", plan.api(), formula.name);
  const auto values = std::make_shared<ScalarBytes>();
  ElementwiseKernel kernel;
  kernel.views.push_back(out);
  for (const View& input : inputs) kernel.views.push_back(broadcast_view(input, out.shape));
  kernel.block = loop_of(type);
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    auto* to = reinterpret_cast<T*>(values->bytes.data());
    for (std::size_t i = 0; i < scalar_count; ++i)
      *to++ = scalar_as<T>(moves ? moved(scalars[i]) : scalars[i], compute);
    for (const View& input : inputs) {
      const LoadFn load = std::is_same_v<T, float> ? narrowing_loader(input.dtype, compute)
                                                   : loader<T>(input.dtype);
      kernel.loads.push_back(moves ? &load_moved : load);
    }
    kernel.compute_size = sizeof(T);
    // Float operands of what is computed in float16 are rounded, too.
    kernel.compute_dtype = is_16_bit_float(compute) ? ACL_DT_UNDEFINED : dtype_of<T>();
    // A result that is rounded to its own type, and an output that has another one.
    if (gives == out.dtype || gives == dtype_of<T>())
      kernel.store = storer<T>(out.dtype, Rounding::kTruncate);
    if (kernel.store == nullptr) kernel.via_store = storer<T>(gives, Rounding::kTruncate);
  });
  if (kernel.via_store != nullptr) {
    with_type(conversion_type(gives, out.dtype), [&](auto zero) {
      using T = decltype(zero);
      kernel.via_load = loader<T>(gives);
      kernel.store = storer<T>(out.dtype, Rounding::kTruncate);
    });
  }
  kernel.function = values;
  const PointwiseFormula* const other = formula.of_number;
  if (other != nullptr) {
    const PointwiseLoop narrow = narrow_loop(*other, compute, gives, out, inputs);
    const PointwiseLoop loop = narrow ? narrow : other->loops[static_cast<int>(type)];
    const std::size_t size = kernel.compute_size;
    kernel.with_number = {loop, kernel.loads.back(), size, size * scalar_count};
  }
  kernel.in_registers = type == ComputeType::kFloat && formula.of_halves != nullptr;
  if (of_bytes) {
    // Truths, which are 0 and 1, need no conversion either.
    kernel.views[0].dtype = ACL_INT8;
    kernel.store = storer<std::int8_t>(ACL_INT8, Rounding::kTruncate);
    kernel.via_store = nullptr;
    kernel.via_load = nullptr;
  }
  if (const PointwiseLoop loop = narrow_loop(formula, compute, gives, out, inputs))
    work_on_bits(kernel, loop);
  return kernel;
}

void launch_pointwise(Plan& plan, const PointwiseFormula& formula, aclDataType compute,
                      aclDataType gives, const View& out, const std::vector<View>& inputs,
                      std::initializer_list<Number> scalars) {
  launch_elementwise(plan, pointwise_kernel(plan, formula, compute, gives, out, inputs,
                                            scalars.begin(), scalars.size()));
}

void pointwise(Plan& plan, const PointwiseFormula& formula, aclDataType compute, aclDataType gives,
               const TensorArgument& out, std::initializer_list<const TensorArgument*> inputs,
               std::initializer_list<Number> scalars) {
  std::vector<View> views;
  for (const TensorArgument* input : inputs) {
    plan.stage(*input).contiguous().cast_to(compute);
    views.push_back(plan.reads(*input));
  }
  plan.result(gives, out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_pointwise(plan, formula, compute, gives, plan.writes(out), views, scalars);
}

}  // namespace pyaclnn::sim
