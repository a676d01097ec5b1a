// SPDX-License-Identifier: MIT
#include "opapi/collective/quantised_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/product/tiled_product.hpp"

namespace pyaclnn::sim {
namespace {

using Bytes = std::vector<std::byte>;

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
    const std::vector<float> units = RowMajorAccess(sent, memory).values();
    const std::vector<float> results = RowMajorAccess(back, memory).values();
    Bytes own = quantised(memory, units);
    auto met = met_by_all(ranks, memory, own.data(), own.size());
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

  Bytes quantised(const KernelMemory& memory, const std::vector<float>& units) const {
    Bytes result(at(in.shape.product()));
    const LoadFn load = loader<float>(in.dtype);
    for_each_row([&](std::int64_t first, float* line, float*) {
      load(first_element(memory, in, first), 1, columns, line);
      for (std::int64_t i = 0; i < columns; ++i) line[i] /= units[at(i)];
      to_int8(line, result.data() + first);
    });
    return result;
  }

  void add_up(const KernelMemory& memory, std::vector<Bytes>& met, const std::vector<float>& units,
              const std::vector<float>& results) const {
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

/// One run of rows that travel in tiles of 128 columns: floats of 8 bits, and behind them a scale
/// for each tile, which its largest number asks for. A tile of zeros has a scale of 1.
struct TiledSum {
  Ranks ranks;
  View in;
  aclDataType type;
  bool divides;  // by scales; else they are those that numbers are multiplied with
  std::int64_t columns;
  RowMajor out;

  std::int64_t tiles() const { return pieces(columns, kTile); }
  std::int64_t sent() const { return columns + tiles() * std::int64_t(sizeof(float)); }
  std::int64_t rows() const { return in.shape.product() / columns; }

  void operator()(const KernelMemory& memory) const {
    Bytes own(at(rows() * sent()));
    const LoadFn load = loader<float>(in.dtype);
    for_each_row([&](std::int64_t row, std::byte*, float* line, float*) {
      load(first_element(memory, in, row * columns), 1, columns, line);
      narrow(line, own.data() + row * sent());
    });
    const auto met = met_by_all(ranks, memory, own.data(), own.size());
    const RowMajorAccess target(out, memory);
    for_each_row([&](std::int64_t row, std::byte* narrowed, float* total, float* line) {
      std::fill_n(total, columns, 0.0f);
      for (const Bytes& of_rank : met) {
        widen(of_rank.data() + row * sent(), line);
        for (std::int64_t i = 0; i < columns; ++i) total[i] += line[i];
      }
      narrow(total, narrowed);
      widen(narrowed, total);
      target.write(row * columns, columns, total);
    });
  }

  template <class Body>
  void for_each_row(Body body) const {
    constexpr std::int64_t kGrain = 16384;
    parallel_for(rows(), std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   Bytes bytes(at(sent()));
                   std::vector<float> line(at(columns)), other(at(columns));
                   for (std::int64_t row = begin; row < end; ++row)
                     body(row, bytes.data(), line.data(), other.data());
                 });
  }

  void narrow(const float* values, std::byte* to) const {
    const NarrowFormat& format = *NarrowFormat::of(type);
    for (std::int64_t tile = 0; tile < tiles(); ++tile) {
      const std::int64_t first = tile * kTile, end = std::min(first + kTile, columns);
      float largest = 0;
      for (std::int64_t i = first; i < end; ++i) largest = std::max(largest, std::fabs(values[i]));
      float scale = divides ? largest / format.max() : format.max() / largest;
      if (scale == 0 || largest == 0) scale = 1;
      for (std::int64_t i = first; i < end; ++i) {
        const float value = divides ? values[i] / scale : values[i] * scale;
        to[i] = std::byte(format.code(value, Round::kRint));
      }
      std::memcpy(to + columns + tile * std::int64_t(sizeof scale), &scale, sizeof scale);
    }
  }

  void widen(const std::byte* from, float* values) const {
    const NarrowFormat& format = *NarrowFormat::of(type);
    for (std::int64_t i = 0; i < columns; ++i) {
      float scale;
      std::memcpy(&scale, from + columns + i / kTile * std::int64_t(sizeof scale), sizeof scale);
      const float value = format.value(unsigned(from[i]));
      values[i] = divides ? value * scale : value / scale;
    }
  }
};

}  // namespace

void tiled_all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in, aclDataType type,
                      const TensorArgument& out) {
  plan.launch(TiledSum{ranks, plan.reads(in), type, on_late_950(), in.shape().back(),
                       RowMajor(plan.writes(out))});
}

void quantised_all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                          const TensorArgument& sent, const TensorArgument& back,
                          const TensorArgument& out) {
  plan.launch(QuantisedSum{ranks, plan.reads(in), RowMajor(plan.reads(sent)),
                           RowMajor(plan.reads(back)), RowMajor(plan.writes(out)),
                           in.shape().back()});
}

}  // namespace pyaclnn::sim
