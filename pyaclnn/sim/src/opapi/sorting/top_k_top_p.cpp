// Logits that are no candidates are taken away.
// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/indexing/chosen.hpp"
#include "opapi/sorting/order.hpp"
#include "parameters/ApplyTopKTopP.hpp"

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

/// aclnnApplyTopKTopP: of each row those smaller than the k-th largest become -infinity, then those
/// whose probabilities, added up from the smallest on, do not exceed 1 - p; the largest stays. k
/// out of range ends the task with 507015. One of p and k need not be given.
void apply_top_k_top_p(const Check&, Plan& plan, const ApplyTopKTopPParameters& given) {
  plan.stage(given.logits).contiguous();
  if (given.p.given()) plan.stage(given.p).contiguous();
  if (given.k.given()) plan.stage(given.k).contiguous();
  plan.reserve(given.logits.elements(), given.logits.dtype());
  plan.reserve(given.logits.elements(), ACL_INT32);
  plan.result(given.logits.dtype(), given.logits.shape()).copy_to(given.out);
  const FlatView to(plan.writes(given.out));
  const View from = plan.reads(given.logits);
  const Lines lines(from, one_axis(1));
  const FlatView flat(from);
  const FlatView shares(given.p.given() ? plan.reads(given.p) : View());
  const FlatView numbers(given.k.given() ? plan.reads(given.k) : View());
  plan.launch([=, has_p = given.p.given(), has_k = given.k.given(), dtype = given.logits.dtype(),
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
