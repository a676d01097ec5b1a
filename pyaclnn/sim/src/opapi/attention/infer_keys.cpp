// SPDX-License-Identifier: MIT
#include <algorithm>

#include "objects/dtype.hpp"
#include "opapi/attention/block_cache.hpp"
#include "opapi/attention/infer_plan.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/product/integer_product.hpp"

namespace pyaclnn::sim {

View reads_numbers(Plan& plan, const TensorArgument& tensor) {
  const View view = plan.reads(tensor);
  return view.dtype == ACL_INT32 ? in_int4(plan, view) : view;
}

View pages_of(const Plan& plan, Plan& reader, const TensorArgument& tensor, std::int64_t heads) {
  if (tensor.rank() == 5) {
    View view = reader.reads(tensor);
    const Dims shape = view.shape;
    const Dims strides = view.strides;
    check_tiling(plan, shape[1] == heads && shape[4] == fractal_lane(view.dtype),
                 "%s has shape %s, it must have %lld heads and lanes of %lld", tensor.name(),
                 shape.text().c_str(), ll(heads), ll(fractal_lane(view.dtype)));
    view.shape = {shape[0], shape[1], shape[3], shape[2], shape[4]};
    view.strides = {strides[0], strides[1], strides[3], strides[2], strides[4]};
    return view;
  }
  check_tiling(plan, tensor.rank() == 3 || tensor.rank() == 4,
               "%s has %zu dimensions, in pages it must have 3 or 4", tensor.name(), tensor.rank());
  return by_letters(plan, reads_numbers(reader, tensor), tensor.rank() == 3 ? "BSH" : "BNSD", heads,
                    tensor.name());
}

void check_fractals(const Plan& plan, const InferCall& given, bool in_fractals) {
  if (!in_fractals || on_950()) return;
  const TensorArgument& key = given.key.tensors[0];
  if (given.queryRopeOptional.given()) {
    check_tiling(plan, given.blockSize == 128, "blockSize is %lld, for fractals it must be 128",
                 ll(given.blockSize));
    return;
  }
  check_tiling(
      plan,
      key.dtype() == ACL_INT8 && given.query.dtype() == ACL_BF16 &&
          given.keyAntiquantScaleOptional.given() && !given.pseShiftOptional.given(),
      "key has 5 dimensions and no rotary parts: it must be of int8 with keyAntiquantScale, "
      "query of bfloat16, without pseShift");
}

void check_parts(const Check& check, const Plan& plan, const InferCall& given,
                 const InferPlan& call) {
  const bool has_prefix = given.keySharedPrefixOptional.given();
  check_tiling(plan,
               !call.has_tokens && !given.queryRopeOptional.given() &&
                   !given.queryPaddingSizeOptional.given() && !given.kvPaddingSizeOptional.given(),
               "a list of keys or a prefix goes without sequences, rotary parts and paddings");
  check_tiling(plan, given.query.dtype() != ACL_INT8 || !has_prefix,
               "query is of int8, and a prefix is given");
  const std::size_t count = given.key.tensors.size();
  check_tiling(plan, count == 1 || !has_prefix, "a list of keys and a prefix are given");
  check_tiling(
      plan,
      count == 1 || (std::int64_t(count) == call.attention.query.view.shape[0] && count <= 256),
      "key has %zu tensors, query %lld samples", count, ll(call.attention.query.view.shape[0]));
  for (std::size_t i = 0; i < count; ++i) {
    const TensorArgument& key = given.key.tensors[i];
    const TensorArgument& value = given.value.tensors[i];
    check.that(key.given() && value.given(), "key or value holds null");
    check.same_dtype(given.key.tensors[0], key, value);
    check_tiling(
        plan, count == 1 || (key.shape() == value.shape() && key.rank() > 0 && key.shape()[0] == 1),
        "key %zu has shape %s, value %s: each is one sample", i, key.shape().text().c_str(),
        value.shape().text().c_str());
  }
  if (has_prefix)
    check.same_dtype(given.key.tensors[0], given.keySharedPrefixOptional,
                     given.valueSharedPrefixOptional);
}

KeyParts parts_of(Plan& plan, const InferCall& given, const TensorListIn& list,
                  const TensorArgument& prefix, const InferPlan& call) {
  const std::string letters = given.inputLayout.text.substr(0, given.inputLayout.text.find('_'));
  const auto heads_of = [&](const TensorArgument& tensor) {
    plan.stage(tensor).contiguous();
    return by_letters(plan, reads_numbers(plan, tensor), letters, call.key_heads, tensor.name());
  };
  KeyParts parts;
  parts.batch = call.attention.query.view.shape[0];
  for (const TensorArgument& tensor : list.tensors) {
    parts.samples.push_back(heads_of(tensor));
    check_tiling(plan, parts.samples.back().shape[3] == parts.samples.front().shape[3],
                 "%s has heads of %lld values and of %lld", tensor.name(),
                 ll(parts.samples.front().shape[3]), ll(parts.samples.back().shape[3]));
  }
  const Dims& own = parts.samples.front().shape;
  check_tiling(plan, list.tensors.size() > 1 || own[0] == parts.batch,
               "%s has %lld samples, query %lld", list.tensors[0].name(), ll(own[0]),
               ll(parts.batch));
  if (!prefix.given()) {
    parts.prefix = parts.samples.front();
    parts.prefix.shape.set(2, 0);
    return parts;
  }
  parts.prefix = heads_of(prefix);
  const Dims& shape = parts.prefix.shape;
  check_tiling(plan, shape[0] == 1 && shape[3] == own[3] && shape[2] > 0,
               "%s has shape %s, it must be one sample like those of key", prefix.name(),
               prefix.shape().text().c_str());
  parts.prefix.shape.set(0, parts.batch);
  parts.prefix.strides.set(0, 0);
  const IntArrayIn& length = given.actualSharedPrefixLenOptional;
  if (!length.given()) return parts;
  check_tiling(
      plan,
      length.values().size() == 1 && length.values()[0] >= 0 && length.values()[0] <= shape[2],
      "actualSharedPrefixLen must be one number from 0 to %lld", ll(shape[2]));
  parts.prefix.shape.set(2, length.values()[0]);
  return parts;
}

}  // namespace pyaclnn::sim
