// SPDX-License-Identifier: MIT
#include "opapi/collective/quantised_sum.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {
namespace {

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

/// One run. Documents leave the rounding open; CANN's kernels go through float16 on the way to
/// int8, where both conversions round to the nearest, ties to even.
struct QuantisedSum {
  Ranks ranks;
  View in;
  RowMajor sent, back, out;
  std::int64_t columns;

  std::int64_t rows() const { return in.shape.product() / columns; }

  void operator()(const KernelMemory& memory) const {
    Exchange& with = *memory.exchanges[ranks.place];
    const std::vector<float> units = RowMajorAccess(sent, memory).values();
    const std::vector<float> results = RowMajorAccess(back, memory).values();
    std::vector<std::byte> own = quantised(memory, units);
    std::vector<std::vector<std::byte>> met(at(ranks.count), std::vector<std::byte>(own.size()));
    std::vector<Parcel> outgoing, incoming;
    for (auto& of_rank : met) {
      outgoing.push_back({own.data(), own.size()});
      incoming.push_back({of_rank.data(), of_rank.size()});
    }
    with.move(outgoing, incoming);
    add_up(memory, met, units, results);
  }

  template <class Body>
  void for_each_row(Body body) const {
    constexpr std::int64_t kGrain = 16384;
    parallel_for(rows(), std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<float> line(at(columns)), other(at(columns));
                   for (std::int64_t row = begin; row < end; ++row)
                     body(row * columns, line.data(), other.data());
                 });
  }

  void to_int8(float* values, std::byte* to) const {
    round_as_stored(values, columns, ACL_FLOAT16);
    storer<float>(ACL_INT8, Rounding::kNearestEven)(values, columns, to, 1);
  }

  std::vector<std::byte> quantised(const KernelMemory& memory,
                                   const std::vector<float>& units) const {
    std::vector<std::byte> result(at(in.shape.product()));
    const LoadFn load = loader<float>(in.dtype);
    for_each_row([&](std::int64_t first, float* line, float*) {
      load(first_element(memory, in, first), 1, columns, line);
      for (std::int64_t i = 0; i < columns; ++i) line[i] /= units[at(i)];
      to_int8(line, result.data() + first);
    });
    return result;
  }

  void add_up(const KernelMemory& memory, std::vector<std::vector<std::byte>>& met,
              const std::vector<float>& units, const std::vector<float>& results) const {
    const LoadFn load = loader<float>(ACL_INT8);
    const RowMajorAccess target(out, memory);
    for_each_row([&](std::int64_t first, float* total, float* line) {
      load(met[0].data() + first, 1, columns, total);
      for (std::size_t peer = 1; peer < met.size(); ++peer) {
        load(met[peer].data() + first, 1, columns, line);
        for (std::int64_t i = 0; i < columns; ++i) total[i] += line[i];
      }
      for (std::int64_t i = 0; i < columns; ++i) total[i] *= units[at(i)] / results[at(i)];
      std::byte* const narrow = met[0].data() + first;
      to_int8(total, narrow);
      load(narrow, 1, columns, total);
      for (std::int64_t i = 0; i < columns; ++i) total[i] *= results[at(i)];
      target.write(first, columns, total);
    });
  }
};

}  // namespace

void quantised_all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                          const TensorArgument& sent, const TensorArgument& back,
                          const TensorArgument& out) {
  plan.launch(QuantisedSum{ranks, plan.reads(in), RowMajor(plan.reads(sent)),
                           RowMajor(plan.reads(back)), RowMajor(plan.writes(out)),
                           in.shape().back()});
}

}  // namespace pyaclnn::sim
