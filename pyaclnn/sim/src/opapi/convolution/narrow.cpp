// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/convolution/columns.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

namespace {

// Columns at a time: sums of them stay in the first level cache.
constexpr std::int64_t kColumns = 2048;
constexpr std::int64_t kPieces = 64;

/// sums += weight * what a tap sees.
struct AddSeen {
  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const Columns::Move* move, const Columns::Move* last,
                                    const float* source, std::int64_t step, float weight,
                                    float* sums) {
    for (; move != last; ++move) {
      const float* from = source + move->source;
      float* to = sums + move->column + move->before;
      if (step == 1) {
        for (std::int32_t i = 0; i < move->seen; ++i) to[i] += weight * from[i];
      } else if (step == 2) {
        for (std::int32_t i = 0; i < move->seen; ++i) to[i] += weight * from[2 * i];
      } else {
        for (std::int32_t i = 0; i < move->seen; ++i) to[i] += weight * from[i * step];
      }
    }
  }
};

using Floats8 = float __attribute__((vector_size(32)));
using Floats4 = float __attribute__((vector_size(16)));

/// Fills a register with values that are `kFixed` or else `step` apart.
template <std::int64_t kFixed, class Floats>
SIM_ALWAYS_INLINE void take(const float* from, std::int64_t step, Floats& values) {
  if constexpr (kFixed == 1) {
    std::memcpy(&values, from, sizeof values);
  } else {
    constexpr int kLanes = sizeof(Floats) / sizeof(float);
    for (int i = 0; i < kLanes; ++i) values[i] = from[i * (kFixed ? kFixed : step)];
  }
}

/// The sum of the products of a result and what a tap sees, of no more than kColumns. Rows are
/// often short: what is left of one has sums of its own, in shorter registers.
struct DotSeen {
  // No array, which would go through memory each time.
  struct Sums {
    Floats8 first{};
    Floats8 second{};
    Floats8 eight{};
    Floats4 four{};
    float rest = 0;
  };

  template <std::int64_t kFixed>
  static SIM_ALWAYS_INLINE void add(const float* from, std::int64_t step, const float* result,
                                    std::int64_t count, Sums& sums) {
    const std::int64_t spacing = kFixed ? kFixed : step;
    const auto product = [&](auto& sum, std::int64_t i) {
      std::remove_reference_t<decltype(sum)> results;
      std::remove_reference_t<decltype(sum)> seen;
      take<1>(result + i, 1, results);
      take<kFixed>(from + i * spacing, step, seen);
      sum += results * seen;
    };
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
      product(sums.first, i);
      product(sums.second, i + 8);
    }
    if (i + 8 <= count) {
      product(sums.eight, i);
      i += 8;
    }
    if (i + 4 <= count) {
      product(sums.four, i);
      i += 4;
    }
    for (; i < count; ++i) sums.rest += result[i] * from[i * spacing];
  }

  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const Columns::Move* move, const Columns::Move* last,
                                    const float* source, std::int64_t step, const float* results,
                                    double* sum) {
    Sums sums;
    for (; move != last; ++move) {
      const float* from = source + move->source;
      const float* result = results + move->result + move->before;
      if (step == 1) {
        add<1>(from, step, result, move->seen, sums);
      } else if (step == 2) {
        add<2>(from, step, result, move->seen, sums);
      } else {
        add<0>(from, step, result, move->seen, sums);
      }
    }
    for (int i = 0; i < 8; ++i)
      *sum += (double(sums.first[i]) + double(sums.second[i])) + double(sums.eight[i]);
    for (int i = 0; i < 4; ++i) *sum += double(sums.four[i]);
    *sum += double(sums.rest);
  }
};

void put(const Columns& columns, const float* sums, float bias, float* result) {
  const std::int64_t spacing = columns.result_spacing();
  for (const Columns::Run& run : columns.runs(0)) {
    const float* from = sums + run.column;
    float* to = result + run.result;
    if (spacing == 1) {
      for (std::int32_t i = 0; i < run.length; ++i) to[i] = from[i] + bias;
    } else {
      for (std::int32_t i = 0; i < run.length; ++i) to[i * spacing] = from[i] + bias;
    }
  }
}

}  // namespace

bool is_narrow(const GatherSums& sums) { return sums.results == 1; }

bool is_narrow(const WeightSums& sums) { return sums.results <= 2; }

void gather_narrow(const GatherSums& s) {
  const auto add_seen = loop_for_cpu<AddSeen, const Columns::Move*, const Columns::Move*,
                                     const float*, std::int64_t, float, float*>();
  std::int64_t most = 0;
  for (const Gather& part : s.parts) most = std::max(most, s.samples * product(part.positions));
  const std::int64_t blocks = ceil_divide(most, kColumns);
  const std::int64_t chunks = std::clamp<std::int64_t>(kTasks / blocks, 1, s.groups);
  const std::int64_t tasks = blocks * chunks;

  // One block of one part's columns, for some groups.
  const auto add_block = [&](const Gather& part, std::int64_t block, std::int64_t chunk) {
    const std::int64_t all = s.samples * product(part.positions);
    const std::int64_t first = all * block / blocks;
    Columns columns(part, s.groups * s.sources * s.source_plane(), s.groups * s.result_plane());
    columns.set(first, all * (block + 1) / blocks - first, kColumns);
    if (columns.count() == 0) return;
    std::vector<float> sums;
    for (std::int64_t group = s.groups * chunk / chunks; group < s.groups * (chunk + 1) / chunks;
         ++group) {
      sums.assign(std::size_t(columns.count()), 0.0f);
      for (std::int64_t i = 0; i < s.sources; ++i) {
        const float* source = s.source + (group * s.sources + i) * s.source_plane();
        const float* weight = s.weight + group * s.weight_group + i * s.weight_source;
        for (std::size_t tap = 0; tap < part.taps.size(); ++tap) {
          const auto moves = columns.moves(std::int64_t(tap));
          add_seen(moves.begin(), moves.end(), source, columns.source_spacing(),
                   weight[part.taps[tap].weight], sums.data());
        }
      }
      put(columns, sums.data(), s.bias_of(group), s.result + group * s.result_plane());
    }
  };
  parallel_for(tasks, ceil_divide(tasks, kPieces), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      for (const Gather& part : s.parts) add_block(part, task / chunks, task % chunks);
    }
  });
}

void weight_narrow(const WeightSums& s) {
  const auto dot_seen = loop_for_cpu<DotSeen, const Columns::Move*, const Columns::Move*,
                                     const float*, std::int64_t, const float*, double*>();
  const std::int64_t taps = s.taps();
  const std::int64_t lines = s.sources * taps;
  const std::int64_t weights = s.groups * s.results * lines;
  const std::int64_t all = s.samples * s.result_plane();
  const std::int64_t blocks = ceil_divide(all, kColumns);
  const std::int64_t copies = std::min(kTasks, blocks);
  const std::int64_t chunks = std::min(ceil_divide(kTasks, copies), s.groups);
  std::vector<double> sums(std::size_t(copies * weights));

  parallel_for(copies * chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    Columns columns(s.gather, s.groups * s.sources * s.source_plane(),
                    s.groups * s.results * s.result_plane());
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t copy = task / chunks;
      const std::int64_t chunk = task % chunks;
      for (std::int64_t block = blocks * copy / copies; block < blocks * (copy + 1) / copies;
           ++block) {
        columns.set(block * kColumns, std::min(kColumns, all - block * kColumns), kColumns);
        const std::int64_t last = s.groups * (chunk + 1) / chunks * s.results;
        for (std::int64_t i = s.groups * chunk / chunks * s.results; i < last; ++i) {
          const float* result = s.result + i * s.result_plane();
          double* sum = &sums[std::size_t(copy * weights + i * lines)];
          for (std::int64_t line = 0; line < lines; ++line) {
            const auto moves = columns.moves(line % taps);
            dot_seen(moves.begin(), moves.end(),
                     s.source + (i / s.results * s.sources + line / taps) * s.source_plane(),
                     columns.source_spacing(), result, sum + line);
          }
        }
      }
    }
  });
  for (std::int64_t i = 0; i < weights; ++i) {
    double sum = 0;
    for (std::int64_t copy = 0; copy < copies; ++copy) sum += sums[std::size_t(copy * weights + i)];
    s.weight[i] = float(sum);
  }
}

}  // namespace pyaclnn::sim
