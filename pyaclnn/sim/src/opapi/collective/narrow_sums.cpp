// Sums over the ranks of narrow numbers, which travel with their scales and are floats then.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/collective/exchange.hpp"
#include "opapi/collective/narrow_product.hpp"
#include "opapi/collective/product.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "parameters/QuantAllReduce.hpp"
#include "parameters/QuantReduceScatter.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
constexpr std::int64_t kGroup = 128;
constexpr std::size_t kLongestName = 127;

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

struct Call {
  const TensorArgument &x, &scales;
  const Text &group, &reduce_op;
  const TensorArgument& output;
  bool scatters;

  bool is_mx() const { return scales.dtype() == ACL_FLOAT8_E8M0; }
  std::int64_t width() const { return x.shape().back(); }
};

/// Adds up what all ranks have, or the part of this rank.
struct NarrowSum {
  Ranks ranks;
  bool scatters;
  std::int64_t group, width;
  View x, scales, out;  // without gaps

  void operator()(const KernelMemory& memory) const {
    const auto numbers = met(memory, x), factors = met(memory, scales);
    const LoadFn load = loader<float>(x.dtype), load_factor = loader<float>(scales.dtype);
    const StoreFn store = storer<float>(out.dtype, Rounding::kNearestEven);
    const std::int64_t groups = width / group, rows = out.shape.product() / width;
    const std::int64_t factor_size = std::int64_t(dtype_size(scales.dtype));
    constexpr std::int64_t kRows = 8;
    parallel_for(rows, kRows, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line(at(width)), total(at(width)), factor(at(groups));
      for (std::int64_t row = begin; row < end; ++row) {
        std::fill(total.begin(), total.end(), 0.0f);
        for (std::size_t peer = 0; peer < numbers.size(); ++peer) {
          load(numbers[peer].data() + row * width, 1, width, line.data());
          load_factor(factors[peer].data() + row * groups * factor_size, 1, groups, factor.data());
          for (std::int64_t i = 0; i < width; ++i)
            total[at(i)] += line[at(i)] * factor[at(i / group)];
        }
        store(total.data(), width, first_element(memory, out, row * width), 1);
      }
    });
  }

  /// What each rank has for this one.
  std::vector<std::vector<std::byte>> met(const KernelMemory& memory, const View& view) const {
    const std::size_t bytes = at(view.shape.product()) * dtype_size(view.dtype);
    const std::size_t part = scatters ? bytes / at(ranks.count) : bytes;
    return met_by_all(ranks, memory, first_element(memory, view), part, scatters ? part : 0);
  }
};

void check_types(const Check& check, const Call& c) {
  check.not_null(c.x, c.scales, c.output);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT8_E8M0}, c.scales);
  check.dtype_in(c.is_mx() ? kFloat8 : kFloat8 | DtypeSet{ACL_INT8, ACL_HIFLOAT8}, c.x);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, c.output);
  if (!c.scatters) {
    for (const TensorArgument* tensor : {&c.x, &c.scales, &c.output})
      check_no_blocks(check, *tensor);
  }
  check.that(c.group.given() && c.group.text.size() <= kLongestName,
             "group has %zu characters, it may have 127", c.group.text.size());
}

void check_room(const Plan& plan, const Call& c) {
  constexpr std::uint64_t kAligned = 512, kStatus = 1 << 20;
  std::uint64_t needed = kStatus;
  for (const TensorArgument* tensor : {&c.x, &c.scales}) {
    const std::uint64_t bytes = std::uint64_t(tensor->elements()) * dtype_size(tensor->dtype());
    needed += (bytes + kAligned - 1) / kAligned * kAligned;
  }
  check_window(plan, 2 * needed);
}

Ranks check_shapes(Plan& plan, const Call& c) {
  check_kernel_exists(plan, on_950());
  check_tiling(plan, !c.group.text.empty(), "group is empty");
  check_tiling(plan, c.reduce_op.given() && c.reduce_op.text == "sum",
               "reduceOp is \"%.32s\", it must be \"sum\"", c.reduce_op.text.c_str());
  const Ranks ranks = ranks_of(plan, c.group, {2, 4, 8});
  const Dims& x = c.x.shape();
  check_tiling(plan, x.size() == 2 || x.size() == 3, "x has %zu dimensions, it must have 2 or 3",
               x.size());
  check_tiling(plan, !c.x.is_empty(), "x is empty");
  const std::int64_t width = c.width(), rows = x.product() / width;
  check_tiling(plan, rows % ranks.count == 0, "x has %lld rows, not a multiple of %d ranks",
               ll(rows), ranks.count);
  constexpr std::int64_t kLeast = 1024, kMost = 8192;
  check_tiling(plan, width >= kLeast && width <= kMost && width % kGroup == 0,
               "x has %lld columns, it must have a multiple of 128 from 1024 to 8192", ll(width));
  std::vector<std::int64_t> wanted;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) wanted.push_back(x[i]);
  wanted.push_back(c.is_mx() ? width / kMxPair : width / kGroup);
  if (c.is_mx()) wanted.push_back(2);
  const Dims scales(wanted.data(), wanted.size());
  check_tiling(plan, c.scales.shape() == scales, "scales has shape %s, it must be %s",
               c.scales.shape().text().c_str(), scales.text().c_str());
  const Dims result = c.scatters ? Dims{rows / ranks.count, width} : x;
  check_tiling(plan, c.output.shape() == result, "output has shape %s, it must be %s",
               c.output.shape().text().c_str(), result.text().c_str());
  for (const TensorArgument* tensor : {&c.x, &c.scales, &c.output})
    check_tiling(plan, !kPrivateFormats.contains(tensor->meta().format), "%s has a private format",
                 tensor->name());
  check_room(plan, c);
  return ranks;
}

void add_up(const Check& check, Plan& plan, const Call& c) {
  check_types(check, c);
  const Ranks ranks = check_shapes(plan, c);
  const bool direct = c.output.meta().is_contiguous();
  const View own = plan.writes(c.output);
  const TensorArgument sum =
      direct ? TensorArgument(Absent()) : plan.scratch("sum", c.output.dtype(), c.output.shape());
  const TensorArgument x = without_gaps(plan, c.x), scales = without_gaps(plan, c.scales);
  plan.launch(NarrowSum{ranks, c.scatters, c.is_mx() ? kMxBlock : kGroup, c.width(), plan.reads(x),
                        plan.reads(scales), direct ? own : plan.writes(sum)});
  if (!direct) copy(plan, sum, c.output);
}

}  // namespace

void quant_all_reduce(const Check& check, Plan& plan, const QuantAllReduceParameters& g) {
  add_up(check, plan, {g.x, g.scales, g.group, g.reduceOp, g.output, false});
}

void quant_reduce_scatter(const Check& check, Plan& plan, const QuantReduceScatterParameters& g) {
  add_up(check, plan, {g.x, g.scales, g.group, g.reduceOp, g.output, true});
}

}  // namespace pyaclnn::sim
