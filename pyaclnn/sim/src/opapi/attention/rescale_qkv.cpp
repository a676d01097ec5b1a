// Queries, keys and values of all heads out of one product, with their bias; queries are scaled.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/TransformBiasRescaleQkv.hpp"

namespace pyaclnn::sim {

void transform_bias_rescale_qkv(const Check& check, Plan& plan,
                                const TransformBiasRescaleQkvParameters& given) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const TensorArgument* outs[] = {&given.qOut, &given.kOut, &given.vOut};
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, given.qkv);
  check.same_dtype(given.qkv, given.qkvBias, *outs[0], *outs[1], *outs[2]);
  const Dims& shape = given.qkv.shape();
  check_tiling(plan, shape.size() == 3 && !given.qkv.is_empty(), "qkv has shape %s",
               shape.text().c_str());
  constexpr std::int64_t kParts = 3;
  const std::int64_t heads = given.numHeads;
  const std::int64_t width = shape[2] / kParts;
  check_tiling(plan, heads > 0 && width % heads == 0 && shape[2] % kParts == 0,
               "%lld values a token do not make three times %lld heads",
               static_cast<long long>(shape[2]), static_cast<long long>(heads));
  check_tiling(plan, given.qkvBias.shape() == Dims{shape[2]}, "qkvBias has shape %s, qkv has %s",
               given.qkvBias.shape().text().c_str(), shape.text().c_str());
  const std::int64_t depth = width / heads;
  const Dims expected{shape[0], heads, shape[1], depth};
  for (const TensorArgument* out : outs)
    check_tiling(plan, out->shape() == expected, "%s has shape %s, it must be %s", out->name(),
                 out->shape().text().c_str(), expected.text().c_str());
  plan.stage(given.qkv).contiguous();
  plan.stage(given.qkvBias).contiguous();
  std::vector<RowView> to;
  for (const TensorArgument* out : outs) {
    plan.result(given.qkv.dtype(), expected).copy_to(*out);
    to.emplace_back(plan.writes(*out));
  }
  // [batch, part and head, token, depth]
  const auto split = [&](const View& view) {
    View heads_of = view;
    const std::size_t last = view.shape.size() - 1;
    const bool has_tokens = last == 2;
    heads_of.shape = {has_tokens ? shape[0] : 1, kParts * heads, has_tokens ? shape[1] : 1, depth};
    heads_of.strides = {has_tokens ? view.strides[0] : 0, view.strides[last] * depth,
                        has_tokens ? view.strides[1] : 0, view.strides[last]};
    return heads_of;
  };
  const RowView from(split(plan.reads(given.qkv)));
  const RowView bias(split(plan.reads(given.qkvBias)));
  plan.launch([=, to = std::move(to)](const KernelMemory& memory) {
    const float root = std::sqrt(static_cast<float>(depth));
    parallel_for(expected[0] * kParts * heads, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> row(static_cast<std::size_t>(depth));
      std::vector<float> added(row.size());
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t head = task % (kParts * heads);
        const std::int64_t batch = task / (kParts * heads);
        const std::int64_t part = head / heads;
        bias.load(memory, 0, head, 0, 0, depth, added.data());
        for (std::int64_t token = 0; token < expected[2]; ++token) {
          from.load(memory, batch, head, token, 0, depth, row.data());
          for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] += added[i];
            if (part == 0) row[i] /= root;
          }
          to[std::size_t(part)].store(memory, batch, head % heads, token, row.data(), depth);
        }
      }
    });
  });
}

}  // namespace pyaclnn::sim
