// SPDX-License-Identifier: MIT
#include "opapi/sorting/top_k_top_p.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/indexing/chosen.hpp"
#include "opapi/sorting/order.hpp"

namespace pyaclnn::sim {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

/// Of values in ascending order those that stay, from a place on.
std::size_t first_kept(const std::vector<double>& sorted, std::size_t begin, double rest) {
  const double largest = sorted.back();
  double whole = 0;
  for (std::size_t i = begin; i < sorted.size(); ++i) whole += std::exp(sorted[i] - largest);
  double sum = 0;
  for (std::size_t i = begin; i + 1 < sorted.size(); ++i) {
    sum += std::exp(sorted[i] - largest) / whole;
    if (!(sum <= rest)) return i;
  }
  return sorted.size() - 1;
}

}  // namespace

void apply_top_k_top_p(Plan& plan, const TensorArgument& logits, const TensorArgument& p,
                       const TensorArgument& k, const TensorArgument& out) {
  plan.stage(logits).contiguous();
  if (p.given()) plan.stage(p).contiguous();
  if (k.given()) plan.stage(k).contiguous();
  plan.reserve(logits.elements(), logits.dtype());
  plan.reserve(logits.elements(), ACL_INT32);
  plan.result(logits.dtype(), logits.shape()).copy_to(out);
  const FlatView to(plan.writes(out));
  const View from = plan.reads(logits);
  const Lines lines(from, one_axis(1));
  const FlatView flat(from);
  const FlatView shares(p.given() ? plan.reads(p) : View());
  const FlatView numbers(k.given() ? plan.reads(k) : View());
  plan.launch([=, has_p = p.given(), has_k = k.given(), dtype = logits.dtype(),
               api = plan.api()](const KernelMemory& memory) {
    const std::int64_t width = lines.length();
    const LoadFn load = loader<double>(dtype);
    const StoreFn store = storer<double>(dtype, Rounding::kTruncate);
    std::atomic<bool> outside{false};
    parallel_for(lines.count(), 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::uint64_t> keys;
      std::vector<std::int64_t> order;
      std::vector<double> sorted(static_cast<std::size_t>(width));
      for (std::int64_t row = begin; row < end; ++row) {
        read_keys(lines, memory, row, key_reader(dtype), key_bits(dtype), false, keys);
        order_places(keys, key_bits(dtype), width, order);
        for (std::size_t i = 0; i < sorted.size(); ++i)
          load(flat.at(memory, row * width + order[i]), 1, 1, &sorted[i]);
        std::size_t kept = 0;
        if (has_k && width > 1) {
          std::int64_t many = 0;
          loader<std::int64_t>(ACL_INT32)(numbers.at(memory, row), 1, 1, &many);
          if (many < 1 || many > width) {
            outside = true;
            continue;
          }
          // As many as the k-th largest stay with it.
          const double least = sorted[std::size_t(width - many)];
          while (kept + 1 < sorted.size() && sorted[kept] < least) ++kept;
        }
        if (has_p && width > 1) {
          double share = 0;
          load(shares.at(memory, row), 1, 1, &share);
          kept = first_kept(sorted, kept, 1 - share);
        }
        for (std::size_t i = 0; i < sorted.size(); ++i)
          store(i < kept ? &kNone : &sorted[i], 1, to.at(memory, row * width + order[i]), 1);
      }
    });
    if (outside) refuse_index(api, width);
  });
}

}  // namespace pyaclnn::sim
