// SPDX-License-Identifier: MIT
#include "opapi/reduction/segments.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/pointwise/whole_tensors.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread

/// [before the axis, along it, behind it], with another extent along the axis in the output.
struct Repeats {
  RowMajor grad;
  RowMajor out;
  View repeats;
  LoadFn load = nullptr;
  std::int64_t before = 1;
  std::int64_t along = 1;
  std::int64_t behind = 1;
  std::int64_t results = 1;  // along the axis
  bool even = false;         // all are repeated as often

  /// Where the neighbours of each result begin, and where the last end: within the axis, whatever
  /// the numbers are.
  std::vector<std::int64_t> begins(const KernelMemory& memory) const {
    std::vector<std::int64_t> found(static_cast<std::size_t>(results) + 1, 0);
    for (std::int64_t i = 0; i < results; ++i) {
      std::int64_t count = 0;
      if (even) {
        count = along / results;
      } else {
        load(first_element(memory, repeats, i * repeats.strides[0]), 1, 1, &count);
      }
      const std::int64_t left = along - found[std::size_t(i)];
      found[std::size_t(i) + 1] = found[std::size_t(i)] + std::clamp<std::int64_t>(count, 0, left);
    }
    return found;
  }

  void run(const KernelMemory& memory) const {
    const std::vector<std::int64_t> begin_of = begins(memory);
    const std::int64_t work =
        std::max<std::int64_t>(1, behind * std::max<std::int64_t>(1, along) / results);
    parallel_for(before * results, std::max<std::int64_t>(1, kGrain / work),
                 [&](std::int64_t begin, std::int64_t end) {
                   const RowMajorAccess from(grad, memory);
                   const RowMajorAccess to(out, memory);
                   alignas(64) float values[kBlock];
                   double sums[kBlock];
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::size_t result = std::size_t(i % results);
                     for (std::int64_t at = 0; at < behind; at += kBlock) {
                       const std::int64_t count = std::min(kBlock, behind - at);
                       std::fill(sums, sums + count, 0.0);
                       for (std::int64_t k = begin_of[result]; k < begin_of[result + 1]; ++k) {
                         const float* row =
                             from.read((i / results * along + k) * behind + at, count, values);
                         for (std::int64_t c = 0; c < count; ++c) sums[c] += double(row[c]);
                       }
                       for (std::int64_t c = 0; c < count; ++c) values[c] = float(sums[c]);
                       to.write(i * behind + at, count, values);
                     }
                   }
                 });
  }
};

}  // namespace

void check_exp_segsum(const Check& check, const TensorArgument& self, const TensorArgument& out) {
  const std::size_t rank = self.rank();
  check.that(rank == 3 || rank == 4, "self has %zu dimensions, it must have 3 or 4", rank);
  Dims shape = self.shape();
  shape.push_back(self.shape().back());
  check.shape_is(out, shape, "self's with the last extent twice");
}

void exp_segsum(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  struct Rows {
    RowMajor from;
    RowMajor to;
    std::int64_t length;
  };
  const auto rows = std::make_shared<const Rows>(
      Rows{RowMajor(plan.reads(self)), RowMajor(plan.writes(out)), self.shape().back()});
  plan.launch([rows](const KernelMemory& memory) {
    const std::int64_t length = rows->length;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / length / length);
    parallel_for(rows->from.count() / length, grain, [&](std::int64_t begin, std::int64_t end) {
      const RowMajorAccess from(rows->from, memory);
      const RowMajorAccess to(rows->to, memory);
      std::vector<double> sums(static_cast<std::size_t>(length));
      std::vector<float> buffers(static_cast<std::size_t>(2 * length));
      float* found = buffers.data() + length;
      for (std::int64_t row = begin; row < end; ++row) {
        const float* values = from.read(row * length, length, buffers.data());
        for (std::int64_t i = 0; i < length; ++i) {
          // Sums that end at i: those that ended before, and one more of nothing.
          for (std::int64_t j = 0; j < i; ++j) sums[std::size_t(j)] += double(values[i]);
          sums[std::size_t(i)] = 0;
          for (std::int64_t j = 0; j < length; ++j)
            found[j] = j <= i ? static_cast<float>(std::exp(sums[std::size_t(j)])) : 0.0f;
          to.write((row * length + i) * length, length, found);
        }
      }
    });
  });
}

std::size_t check_repeats(const Plan& plan, const TensorArgument& grad,
                          const TensorArgument& repeats, std::int64_t axis,
                          const TensorArgument& out) {
  const auto rank = static_cast<std::int64_t>(std::max<std::size_t>(grad.rank(), 1));
  check_tiling(plan, axis >= -rank && axis < rank, "axis is %lld, yGrad has %lld dimensions",
               static_cast<long long>(axis), static_cast<long long>(rank));
  check_tiling(plan, rank <= 8, "yGrad has %lld dimensions, it must have 8 at most",
               static_cast<long long>(rank));
  check_tiling(plan, repeats.rank() <= 1 && !repeats.is_empty(),
               "repeats has shape %s, it must be a number or a list of some",
               repeats.shape().text().c_str());
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  const std::int64_t along = grad.rank() == 0 ? 1 : grad.shape()[at];
  Dims rest;
  for (std::size_t i = 0; i < grad.rank(); ++i)
    if (i != at) rest.push_back(grad.shape()[i]);
  const std::int64_t others = rest.product();
  const std::int64_t results = others == 0 ? 0 : out.elements() / others;
  bool fits = results * others == out.elements();
  if (others != 0 && repeats.elements() != 1) fits = fits && results == repeats.elements();
  if (others != 0 && repeats.elements() == 1)
    fits = fits && (along == 0 ? results == 0 : results > 0 && along % results == 0);
  check_tiling(plan, fits,
               "out has shape %s, which is not yGrad's, %s, with dimension %zu summed as repeats "
               "of %lld elements say",
               out.shape().text().c_str(), grad.shape().text().c_str(), at,
               static_cast<long long>(repeats.elements()));
  return at;
}

void sum_repeats(Plan& plan, const TensorArgument& grad, const TensorArgument& repeats,
                 std::size_t axis, const TensorArgument& out) {
  if (grad.is_empty()) return fill_number(plan, out, 0);
  plan.stage(grad).contiguous();
  plan.stage(repeats).contiguous();
  plan.result(grad.dtype(), out.shape()).copy_to(out);
  auto kernel = std::make_shared<Repeats>();
  kernel->grad = RowMajor(plan.reads(grad));
  kernel->out = RowMajor(plan.writes(out));
  kernel->repeats = plan.reads(repeats);
  kernel->load = loader<std::int64_t>(repeats.dtype());
  kernel->before = grad.shape().product(0, axis);
  kernel->along = grad.shape().product(axis, axis + 1);
  kernel->behind = grad.shape().product(axis + 1);
  kernel->results = out.elements() / (kernel->before * kernel->behind);
  kernel->even = repeats.elements() == 1;
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
