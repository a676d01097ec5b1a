// SPDX-License-Identifier: MIT
#include "opapi/foreach/reduced.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {
namespace {

/// Elements of one part: each is summed by itself, so that results do not depend on threads.
constexpr std::int64_t kPart = 16384;
constexpr std::int64_t kBlock = 1024;

enum class Norm { kSum, kRoot, kMaximum };

Norm norm_of(double order) {
  if (order >= 1 && order < 2) return Norm::kSum;
  const bool maximum = on_950() && std::isinf(order) && order > 0;
  return maximum ? Norm::kMaximum : Norm::kRoot;
}

double combine(Norm norm, double a, double b) {
  if (norm != Norm::kMaximum) return a + b;
  return a != a || a > b ? a : b;
}

double add(Norm norm, double sum, const float* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = std::fabs(double(values[i]));
    sum = combine(norm, sum, norm == Norm::kRoot ? value * value : value);
  }
  return sum;
}

/// Calls visit(values, count) for all elements from begin to end.
template <class Visit>
void visit_blocks(const RowMajorAccess& access, std::int64_t begin, std::int64_t end, Visit visit) {
  float buffer[kBlock];
  for (std::int64_t at = begin; at < end; at += kBlock) {
    const std::int64_t count = std::min(kBlock, end - at);
    visit(access.read(at, count, buffer), count);
  }
}

float norm(Norm norm, const RowMajorAccess& access, std::int64_t count) {
  const std::int64_t parts = (count + kPart - 1) / kPart;
  std::vector<double> sums(static_cast<std::size_t>(parts));
  parallel_for(parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t part = begin; part < end; ++part) {
      double sum = 0;
      visit_blocks(access, part * kPart, std::min(count, (part + 1) * kPart),
                   [&](const float* values, std::int64_t n) { sum = add(norm, sum, values, n); });
      sums[static_cast<std::size_t>(part)] = sum;
    }
  });
  double sum = 0;
  for (double part : sums) sum = combine(norm, sum, part);
  return static_cast<float>(norm == Norm::kRoot ? std::sqrt(sum) : sum);
}

bool has_non_finite(const RowMajorAccess& access, std::int64_t count) {
  std::atomic<bool> found{false};
  parallel_for(count, kPart, [&](std::int64_t begin, std::int64_t end) {
    float zero = 0;
    visit_blocks(access, begin, end, [&](const float* values, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) zero += values[i] * 0.0f;
    });
    if (zero != 0) found = true;
  });
  return found;
}

}  // namespace

void foreach_norm(Plan& plan, const TensorListIn& list, const ScalarIn& order,
                  const TensorListIn& out) {
  const Norm kind = norm_of(order->to_double());
  for (std::size_t i = 0; i < list.tensors.size(); ++i) {
    const TensorArgument& tensor = list.tensors[i];
    plan.stage(tensor).contiguous();
    const RowMajor from(plan.reads(tensor));
    const RowMajor to(plan.writes(out.tensors[i]));
    plan.launch([kind, from, to, count = tensor.elements()](const KernelMemory& memory) {
      const float result = norm(kind, RowMajorAccess(from, memory), count);
      RowMajorAccess(to, memory).write(0, 1, &result);
    });
  }
}

void find_non_finite(Plan& plan, const TensorListIn& list, const TensorArgument& found) {
  const RowMajor to(plan.writes(found));
  for (const TensorArgument& tensor : list.tensors) {
    const RowMajor from(plan.reads(tensor));
    plan.launch([from, to, count = tensor.elements()](const KernelMemory& memory) {
      const float one = 1;
      if (has_non_finite(RowMajorAccess(from, memory), count))
        RowMajorAccess(to, memory).write(0, 1, &one);
    });
  }
}

}  // namespace pyaclnn::sim
