// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/embedding/gradients.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMaxGroups = 2048;
constexpr std::int64_t kBlock = 512;      // columns summed at a time
constexpr std::int64_t kPiece = 32768;    // elements that one thread sums
constexpr std::int64_t kFewestRows = 16;  // of a piece, which bounds the memory for its sums
constexpr std::int64_t kGrain = 4096;     // sums worth a hand-over to another thread

struct Add {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* values, std::int64_t count, double* sums) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) sums[i] += double(values[i]);
  }
};

/// Rows that one thread adds up.
struct Piece {
  std::int64_t begin;
  std::int64_t end;
};

struct Kernel {
  RowMajor grad;
  RowMajor out;
  View groups;
  bool has_groups = false;
  bool groups_are_sizes = false;
  std::int64_t rows = 0;  // of all groups together
  std::int64_t columns = 0;
  std::int64_t count = 0;  // of groups

  /// Where each group ends.
  std::vector<std::int64_t> ends(const KernelMemory& memory) const {
    std::vector<std::int64_t> result;
    if (!has_groups) {
      for (std::int64_t g = 1; g <= count; ++g) result.push_back(g * (rows / count));
      return result;
    }
    std::int64_t end = 0;
    for (std::int64_t value : integers_of(groups, memory)) {
      end = groups_are_sizes ? end + std::clamp<std::int64_t>(value, 0, rows) : value;
      result.push_back(std::clamp<std::int64_t>(end, 0, rows));
    }
    return result;
  }

  void run(const KernelMemory& memory) const {
    const std::int64_t height = std::max(kFewestRows, kPiece / columns);
    std::vector<Piece> pieces;
    std::vector<std::size_t> first{0};  // piece of each group
    std::int64_t begin = 0;
    for (std::int64_t end : ends(memory)) {
      for (std::int64_t at = begin; at < end; at += height)
        pieces.push_back({at, std::min(end, at + height)});
      first.push_back(pieces.size());
      begin = end;
    }
    std::vector<double> sums(pieces.size() * std::size_t(columns));
    const RowMajorAccess values(grad, memory);
    parallel_for(std::int64_t(pieces.size()), 1, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; ++i)
        sum(values, pieces[std::size_t(i)], sums.data() + std::size_t(i * columns));
    });
    const RowMajorAccess results(out, memory);
    parallel_for(count, std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t from, std::int64_t to) {
                   for (std::int64_t g = from; g < to; ++g)
                     combine(results, g, first[std::size_t(g)], first[std::size_t(g) + 1], sums);
                 });
  }

  void sum(const RowMajorAccess& values, const Piece& piece, double* sums) const {
    static const auto add = loop_for_cpu<Add, const float*, std::int64_t, double*>();
    alignas(64) float buffer[kBlock];
    for (std::int64_t row = piece.begin; row < piece.end; ++row) {
      for (std::int64_t at = 0; at < columns; at += kBlock) {
        const std::int64_t width = std::min(kBlock, columns - at);
        add(values.read(row * columns + at, width, buffer), width, sums + at);
      }
    }
  }

  void combine(const RowMajorAccess& results, std::int64_t group, std::size_t first,
               std::size_t last, const std::vector<double>& sums) const {
    for (std::int64_t at = 0; at < columns; at += kBlock) {
      const std::int64_t width = std::min(kBlock, columns - at);
      alignas(64) double totals[kBlock] = {};
      for (std::size_t piece = first; piece < last; ++piece) {
        const double* from = sums.data() + piece * std::size_t(columns) + at;
        for (std::int64_t i = 0; i < width; ++i) totals[i] += from[i];
      }
      alignas(64) float buffer[kBlock];
      float* to = results.target(group * columns + at, buffer);
      for (std::int64_t i = 0; i < width; ++i) to[i] = static_cast<float>(totals[i]);
      results.write(group * columns + at, width, to);
    }
  }
};

}  // namespace

void check_grouped_bias_gradient(const Check& check, const TensorArgument& grad,
                                 const TensorArgument& groups, const TensorArgument& out) {
  std::int64_t count = 0;
  if (groups.given()) {
    check.that(grad.rank() == 2 && groups.rank() == 1,
               "gradY has %zu and groupIdxOptional has %zu dimensions, they must have 2 and 1",
               grad.rank(), groups.rank());
    count = groups.shape()[0];
    check.that(count <= kMaxGroups, "groupIdxOptional has %lld elements, at most %lld are allowed",
               static_cast<long long>(count), static_cast<long long>(kMaxGroups));
  } else {
    check.that(grad.rank() == 3,
               "gradY has %zu dimensions, without groupIdxOptional it must have 3", grad.rank());
    count = grad.shape()[0];
  }
  check.shape_is(out, Dims{count, grad.shape().back()}, "groups and the last extent of gradY");
}

void grouped_bias_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& groups,
                           bool are_sizes, const TensorArgument& out) {
  plan.stage(grad).contiguous();
  if (groups.given()) plan.stage(groups).contiguous();
  plan.result(grad.dtype(), out.shape()).copy_to(out);
  auto kernel = std::make_shared<Kernel>();
  kernel->grad = RowMajor(plan.reads(grad));
  kernel->out = RowMajor(plan.writes(out));
  kernel->has_groups = groups.given();
  if (groups.given()) kernel->groups = plan.reads(groups);
  kernel->groups_are_sizes = are_sizes;
  kernel->columns = grad.shape().back();
  kernel->rows = grad.elements() / kernel->columns;
  kernel->count = out.shape()[0];
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
