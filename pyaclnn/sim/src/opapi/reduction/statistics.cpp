// SPDX-License-Identifier: MIT
#include "opapi/reduction/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/lines.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/creation/creation.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread

/// Calls body(values, count) for the elements of a line.
template <class Body>
void for_each_block(const Lines& lines, const std::byte* from, LoadFn load, Body body) {
  double values[kBlock];
  const std::int64_t size = lines.element_size();
  lines.for_each_stretch(
      0, lines.length(),
      [&](std::int64_t, std::int64_t offset, std::int64_t step, std::int64_t count) {
        for (std::int64_t at = 0; at < count; at += kBlock) {
          const std::int64_t take = std::min(kBlock, count - at);
          load(from + (offset + at * step) * size, step, take, values);
          body(values, take);
        }
      });
}

double sum_of(const Lines& lines, const std::byte* from, LoadFn load) {
  double sum = 0;
  for_each_block(lines, from, load, [&](const double* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) sum += values[i];
  });
  return sum;
}

double mean_of(const Lines& lines, const std::byte* from, LoadFn load) {
  return sum_of(lines, from, load) / double(lines.length());
}

double variance_of(const Lines& lines, const std::byte* from, LoadFn load,
                   std::int64_t correction) {
  const std::int64_t count = lines.length();
  if (correction > 0 && count <= correction)
    return count <= 1 ? std::numeric_limits<double>::quiet_NaN()
                      : std::numeric_limits<double>::infinity();
  const double mean = mean_of(lines, from, load);
  double sum = 0;
  for_each_block(lines, from, load, [&](const double* values, std::int64_t block) {
    for (std::int64_t i = 0; i < block; ++i) sum += (values[i] - mean) * (values[i] - mean);
  });
  return sum / (double(count) - double(correction));
}

double log_sum_exp_of(const Lines& lines, const std::byte* from, LoadFn load) {
  double most = -std::numeric_limits<double>::infinity();
  for_each_block(lines, from, load, [&](const double* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      if (values[i] > most || std::isnan(values[i])) most = values[i];
  });
  // Infinities stay what they are only if nothing is taken from them.
  const double shift = std::isinf(most) ? 0 : most;
  double sum = 0;
  for_each_block(lines, from, load, [&](const double* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) sum += std::exp(values[i] - shift);
  });
  return std::log(sum) + shift;
}

}  // namespace

AxisMask optional_axes(const Check& check, const TensorArgument& self, const IntArrayIn& dims) {
  return dims.given() ? axis_mask(check, self, dims.values()) : ~AxisMask(0);
}

void statistic(Plan& plan, Statistic kind, const TensorArgument& self, const TensorArgument& out,
               AxisMask axes, bool keep, std::int64_t correction) {
  plan.stage(self).contiguous().cast_to(is_integral(self.dtype()) ? ACL_FLOAT : self.dtype());
  plan.result(is_integral(self.dtype()) ? ACL_FLOAT : self.dtype(), out.shape())
      .cast_to(out.dtype())
      .copy_to(out);
  const Lines results(plan.writes(out), keep ? axes : 0);
  const Lines lines(plan.reads(self), axes);
  const LoadFn load = loader<double>(self.dtype());
  const StoreFn store = storer<double>(out.dtype(), Rounding::kTruncate);
  plan.launch([=](const KernelMemory& memory) {
    const std::int64_t length = std::max<std::int64_t>(lines.length(), 1);
    parallel_for(results.count(), std::max<std::int64_t>(1, kGrain / length),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     double value = kind == Statistic::kLogSumExp
                                        ? -std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::quiet_NaN();
                     if (lines.length() > 0) {
                       const std::byte* from = lines.begin(memory, i);
                       switch (kind) {
                         case Statistic::kMean:
                           value = mean_of(lines, from, load);
                           break;
                         case Statistic::kLogSum:
                           value = std::log(sum_of(lines, from, load));
                           break;
                         case Statistic::kLogSumExp:
                           value = log_sum_exp_of(lines, from, load);
                           break;
                         default:
                           value = variance_of(lines, from, load, correction);
                           if (kind == Statistic::kDeviation) value = std::sqrt(value);
                       }
                     }
                     store(&value, 1, results.begin(memory, i), 1);
                   }
                 });
  });
}

void extremum_at(Plan& plan, bool largest, const TensorArgument& self, const TensorArgument& out,
                 const TensorArgument& indices, AxisMask axes, bool keep) {
  plan.stage(self).contiguous().cast_to(self.dtype() == ACL_BOOL ? ACL_FLOAT : self.dtype());
  const Dims shape = reduced_shape(self.shape(), axes, keep);
  plan.result(ACL_INT32, copied_shape(shape, indices)).cast_to(indices.dtype()).copy_to(indices);
  plan.result(self.dtype(), copied_shape(shape, out)).copy_to(out);
  const View value = plan.writes(out);
  const View place = plan.writes(indices);
  const View in = plan.reads(self);
  launch_reduction(plan, largest ? Reduce::kMaximum : Reduce::kMinimum, self.dtype(), value, in,
                   axes);
  launch_reduction(plan, largest ? Reduce::kArgMax : Reduce::kArgMin, self.dtype(), place, in,
                   axes);
}

void both_extrema(Plan& plan, const TensorArgument& self, const TensorArgument& least,
                  const TensorArgument& most, AxisMask axes, bool keep) {
  plan.stage(self).contiguous().cast_to(self.dtype() == ACL_BOOL ? ACL_UINT8 : self.dtype());
  const Dims shape = reduced_shape(self.shape(), axes, keep);
  plan.result(self.dtype(), copied_shape(shape, least)).copy_to(least);
  plan.result(self.dtype(), copied_shape(shape, most)).copy_to(most);
  const View low = plan.writes(least);
  const View high = plan.writes(most);
  const View in = plan.reads(self);
  launch_reduction(plan, Reduce::kMinimum, self.dtype(), low, in, axes);
  launch_reduction(plan, Reduce::kMaximum, self.dtype(), high, in, axes);
}

void product(Plan& plan, const TensorArgument& self, const TensorArgument& out, AxisMask axes,
             bool keep) {
  const aclDataType dtype = out.dtype();
  reduce(plan, dtype == ACL_BOOL ? Reduce::kAll : Reduce::kProduct,
         dtype == ACL_BOOL ? self.dtype() : dtype, dtype, self, out, axes, keep);
}

void trace(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(out.dtype(), {}).copy_to(out);
  const View to = plan.writes(out);
  launch_reduction(plan, Reduce::kSum, out.dtype(), to, diagonal_view(plan.reads(self), 0),
                   ~AxisMask(0));
}

}  // namespace pyaclnn::sim
