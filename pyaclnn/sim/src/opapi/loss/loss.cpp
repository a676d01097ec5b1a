// SPDX-License-Identifier: MIT
#include "opapi/loss/loss.hpp"

#include <algorithm>

#include "opapi/common/promote.hpp"

namespace pyaclnn::sim {
namespace {

/// Extends `shape` to what it and `other` have in common; false where there is nothing.
bool broadcast_with(Dims& shape, const Dims& other) {
  const std::size_t rank = std::max(shape.size(), other.size());
  Dims result;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i + shape.size() < rank ? 1 : shape[i + shape.size() - rank];
    const std::int64_t y = i + other.size() < rank ? 1 : other[i + other.size() - rank];
    if (x != y && x != 1 && y != 1) return false;
    result.push_back(x == 1 ? y : x);
  }
  shape = result;
  return true;
}

}  // namespace

DtypeSet loss_dtypes() { return DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(); }

void check_reduction(const Check& check, std::int64_t reduction) {
  check.that(reduction >= kNone && reduction <= kSum,
             "reduction is %lld, it must be 0 (none), 1 (mean) or 2 (sum)",
             static_cast<long long>(reduction));
}

float loss_scale(std::int64_t reduction, std::int64_t elements) {
  return reduction == kMean ? static_cast<float>(1.0 / double(elements)) : 1.0f;
}

Dims broadcast_all(const Check& check, const TensorArgument& a, const TensorArgument& b,
                   const TensorArgument& c) {
  Dims shape = check.broadcast(a, b);
  const Dims both = shape;
  check.that(broadcast_with(shape, c.shape()),
             "%s of shape %s does not broadcast with shape %s of %s and %s", c.name(),
             c.shape().text().c_str(), both.text().c_str(), a.name(), b.name());
  return shape;
}

void check_broadcasts_to(const Check& check, const TensorArgument& tensor, const Dims& shape,
                         const char* what) {
  Dims common = shape;
  check.that(broadcast_with(common, tensor.shape()) && common == shape,
             "%s has shape %s, it must broadcast to %s (%s)", tensor.name(),
             tensor.shape().text().c_str(), shape.text().c_str(), what);
}

void check_fit_self(const Check& check, const TensorArgument& self,
                    std::initializer_list<const TensorArgument*> tensors) {
  if (self.is_empty()) return;
  for (const TensorArgument* tensor : tensors)
    if (tensor->given()) check_broadcasts_to(check, *tensor, self.shape(), "the shape of self");
}

aclDataType common_of_given(std::initializer_list<const TensorArgument*> tensors) {
  aclDataType result = (*tensors.begin())->dtype();
  for (const TensorArgument* tensor : tensors)
    if (tensor->given()) result = promote(result, tensor->dtype());
  return result;
}

void stage_cast(Plan& plan, const LossGradient& call,
                std::initializer_list<const TensorArgument*> weights) {
  plan.stage(call.grad).contiguous().cast_to(call.type);
  plan.stage(call.self).contiguous().cast_to(call.type);
  plan.stage(call.target).contiguous().cast_to(call.type);
  for (const TensorArgument* weight : weights) {
    if (weight->given()) {
      plan.stage(*weight).contiguous().cast_to(call.type);
      continue;
    }
    plan.reserve(call.self.elements(), call.self.dtype());
    if (call.self.dtype() != call.type) plan.reserve(call.self.elements(), call.type);
  }
  plan.result(call.type, call.out.shape()).cast_to(call.out.dtype()).copy_to(call.out);
}

}  // namespace pyaclnn::sim
