// The walk of a reduction: how values of one type become results, whatever the operator.
//
// For the files that launch reductions: each way to reduce is compiled where it is used.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/reduction/runs_wide.hpp"
#include "opapi/reduction/walk.hpp"

namespace pyaclnn::sim::reduction {

constexpr std::int64_t kBlock = 1024;   // values worked on at a time
constexpr std::int64_t kTogether = 4;   // rows added side by side at a time
constexpr std::int64_t kGrain = 65536;  // values worth a hand-over to another thread
constexpr std::int64_t kChunk = std::int64_t(1) << 17;  // of one long reduction

/// Complex sums: the pairs that loaders give, in double precision.
using Pair = Complex<double>;

/// condition ? yes : no, in vectors of floats too.
template <class T>
SIM_ALWAYS_INLINE T pick(bool condition, T yes, T no) {
  if constexpr (std::is_same_v<T, float>) {
    return vec::select(condition, yes, no);
  } else {
    return condition ? yes : no;
  }
}

/// One way to reduce: values of type T into an accumulator.
template <class T>
struct Sum {
  using Value = T;
  using Acc = std::conditional_t<std::is_same_v<T, float>, double, T>;
  static Acc start() { return Acc(); }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(acc) + static_cast<std::uint64_t>(value));
    } else if constexpr (std::is_same_v<T, Pair>) {
      return {acc.re + value.re, acc.im + value.im};
    } else {
      return acc + value;
    }
  }
};

template <class T>
struct Maximum {
  using Value = T;
  using Acc = T;
  static Acc start() {
    if constexpr (std::is_integral_v<T>)
      return std::numeric_limits<T>::min();
    else
      return -std::numeric_limits<T>::infinity();
  }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) {
    return pick<T>((acc != acc) | (acc > value), acc, value);
  }
};

template <class T>
struct Minimum {
  using Value = T;
  using Acc = T;
  static Acc start() {
    if constexpr (std::is_integral_v<T>)
      return std::numeric_limits<T>::max();
    else
      return std::numeric_limits<T>::infinity();
  }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) {
    return pick<T>((acc != acc) | (acc < value), acc, value);
  }
};

/// Combines a run of values, in lanes that the compiler turns into vectors.
template <class R>
struct CombineRun {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t count, void* result) {
    using Acc = typename R::Acc;
    constexpr int kLanes = std::is_same_v<Acc, float> ? 64 : 16;
    const auto* from = static_cast<const typename R::Value*>(values);
    Acc lanes[kLanes];
    for (Acc& lane : lanes) lane = R::start();
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] = R::add(lanes[k], static_cast<Acc>(from[i + k]));
    }
    for (; i < count; ++i) lanes[0] = R::add(lanes[0], static_cast<Acc>(from[i]));
    // One after the other they would take longer.
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) lanes[k] = R::add(lanes[k], lanes[k + half]);
    }
    *static_cast<Acc*>(result) = R::add(*static_cast<Acc*>(result), lanes[0]);
  }
};

/// Sums of the narrow floating point types: a few dozen of their values are added as floats.
struct SumNarrow {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t count, void* result) {
    constexpr int kLanes = 64;
    const auto* from = static_cast<const float*>(values);
    float lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += from[i + k];
    }
    for (; i < count; ++i) lanes[0] += from[i];
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    }
    *static_cast<double*>(result) += double(lanes[0]);
  }
};

/// Adds values to accumulators side by side.
template <class R>
struct CombineSide {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t count, void* result) {
    using Acc = typename R::Acc;
    const auto* from = static_cast<const typename R::Value*>(values);
    auto* acc = static_cast<Acc*>(result);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) acc[i] = R::add(acc[i], static_cast<Acc>(from[i]));
  }
};

/// The same of kTogether rows at a time: the accumulators are read and written once for all.
template <class R>
struct CombineSides {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* const* rows, std::int64_t count, void* result) {
    using Acc = typename R::Acc;
    using Value = typename R::Value;
    static_assert(kTogether == 4);
    const auto* a = static_cast<const Value*>(rows[0]);
    const auto* b = static_cast<const Value*>(rows[1]);
    const auto* c = static_cast<const Value*>(rows[2]);
    const auto* d = static_cast<const Value*>(rows[3]);
    auto* acc = static_cast<Acc*>(result);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const Acc two = R::add(R::add(acc[i], static_cast<Acc>(a[i])), static_cast<Acc>(b[i]));
      acc[i] = R::add(R::add(two, static_cast<Acc>(c[i])), static_cast<Acc>(d[i]));
    }
  }
};

template <class Loop>
Combine combine_for_cpu() {
  return wide_loop_for_cpu<Loop, const void*, std::int64_t, void*>();
}

template <class R, bool kAsLoaded>
Combine combine_along(aclDataType dtype) {
  if constexpr (kAsLoaded && std::is_same_v<R, Sum<float>>) {
    if (dtype == ACL_FLOAT16 || dtype == ACL_BF16) return combine_for_cpu<SumNarrow>();
  }
  return combine_for_cpu<CombineRun<R>>();
}

/// What combines values where they lie, whatever the type that is computed in; null: loaded first.
template <class R>
Combine combine_in_memory(aclDataType dtype) {
  if constexpr (std::is_same_v<R, Sum<float>>) return sum_of_run(dtype);
  if constexpr (std::is_same_v<R, Maximum<float>>) return maximum_of_run(dtype);
  if constexpr (std::is_same_v<R, Minimum<float>>) return minimum_of_run(dtype);
  return nullptr;
}

/// Whether values of type T lie in memory as they are.
template <class T>
bool is_stored_as(aclDataType dtype) {
  if constexpr (std::is_same_v<T, Pair>) {
    return false;
  } else {
    return dtype == dtype_of<T>();
  }
}

constexpr std::int64_t kAhead = 4096;  // bytes of a run
constexpr std::int64_t kRowsAhead = 4;

/// What happens to values before they are reduced, and to what is reduced: nothing, or the division
/// of a mean.
template <class T>
struct Plain {
  bool mean = false;

  void before(T*, std::int64_t) const {}
  template <class Acc>
  T after(Acc acc, std::int64_t count) const {
    if (!mean) return static_cast<T>(acc);
    if constexpr (std::is_same_v<Acc, Pair>) {
      return {acc.re / double(count), acc.im / double(count)};
    } else if constexpr (std::is_integral_v<Acc>) {
      return count == 0 ? T(0) : static_cast<T>(acc / count);
    } else {
      return static_cast<T>(acc / static_cast<Acc>(count));
    }
  }
};

template <class R, class Around = Plain<typename R::Value>>
class Runner {
  using T = typename R::Value;
  using Acc = typename R::Acc;
  /// Whether nothing happens to values before they are reduced.
  static constexpr bool kAsLoaded = std::is_same_v<Around, Plain<T>>;

 public:
  Runner(const View& out, const View& in, AxisMask axes, Around around = {})
      : walk_(in, axes),
        in_(in),
        out_(out),
        load_(loader<T>(in.dtype)),
        store_(storer<T>(out.dtype, Rounding::kTruncate)),
        size_(std::int64_t(dtype_size(in.dtype))),
        along_(combine_along<R, kAsLoaded>(in.dtype)),
        aside_(combine_for_cpu<CombineSide<R>>()),
        sides_(wide_loop_for_cpu<CombineSides<R>, const void* const*, std::int64_t, void*>()),
        direct_(kAsLoaded && walk_.step == 1 && is_stored_as<T>(in.dtype)),
        around_(around) {
    for (std::size_t i = 0; i < out.shape.size(); ++i) places_.add(out.shape[i], out.strides[i]);
    const Combine in_memory = combine_in_memory<R>(in.dtype);
    if (kAsLoaded && in_memory != nullptr && walk_.step == 1 && walk_.run_is_reduced) {
      along_ = in_memory;
      direct_ = true;
    }
  }

  bool works() const { return load_ != nullptr && store_ != nullptr; }

  void run(const KernelMemory& memory) const {
    const std::byte* from = first_element(memory, in_);
    std::byte* to =
        memory.operands[out_.operand] + out_.offset * std::int64_t(dtype_size(out_.dtype));
    if (walk_.run_is_reduced) return run_along(from, to);
    run_aside(from, to);
  }

 private:
  void write(std::byte* to, std::int64_t place, Acc acc) const {
    const T value = around_.after(acc, walk_.reduced_count());
    store_(&value, 1, to + places_.at(place) * std::int64_t(dtype_size(out_.dtype)), 1);
  }

  /// Reduces positions [begin, end) of the reduced axes outside the run.
  Acc runs(const std::byte* base, std::int64_t begin, std::int64_t end) const {
    alignas(64) T values[kBlock];
    Acc acc = R::start();
    for (std::int64_t r = begin; r < end; ++r)
      stretch(base + walk_.reduced.at(r) * size_, 0, walk_.length, values, acc);
    return acc;
  }

  /// Values of the run, where they lie or loaded.
  const void* taken(const std::byte* from, std::int64_t count, T* values,
                    std::int64_t ahead) const {
    if (walk_.step == 1 && ahead != 0) prefetch(from + ahead, count * size_);
    if (direct_) return from;
    load_(from, walk_.step, count, values);
    around_.before(values, count);
    return values;
  }

  void stretch(const std::byte* base, std::int64_t begin, std::int64_t end, T* values,
               Acc& acc) const {
    // What is added where it lies the processor fetches by itself, and faster.
    const std::int64_t ahead = direct_ ? 0 : kAhead;
    for (std::int64_t at = begin; at < end; at += kBlock) {
      const std::int64_t take = std::min(kBlock, end - at);
      along_(taken(base + at * walk_.step * size_, take, values, ahead), take, &acc);
    }
  }

  void run_along(const std::byte* from, std::byte* to) const {
    const std::int64_t each = walk_.reduced_count();
    if (each > 2 * kChunk && walk_.kept.count < 16) return run_in_chunks(from, to);
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(each, 1));
    parallel_for(walk_.kept.count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const Acc acc = runs(from + walk_.kept.at(k) * size_, 0, walk_.reduced.count);
        write(to, walk_.kept_in_result.at(k), acc);
      }
    });
  }

  /// Few results of long reductions: pieces of fixed size, combined in order.
  void run_in_chunks(const std::byte* from, std::byte* to) const {
    const bool long_runs = walk_.length >= kChunk;
    const std::int64_t per_piece =
        long_runs ? kChunk : std::max<std::int64_t>(1, kChunk / walk_.length);
    const std::int64_t pieces_in_run = long_runs ? (walk_.length + kChunk - 1) / kChunk : 1;
    const std::int64_t pieces = long_runs ? walk_.reduced.count * pieces_in_run
                                          : (walk_.reduced.count + per_piece - 1) / per_piece;
    std::vector<Acc> parts(std::size_t(walk_.kept.count * pieces));
    parallel_for(walk_.kept.count * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) T values[kBlock];
      for (std::int64_t i = begin; i < end; ++i) {
        const std::byte* base = from + walk_.kept.at(i / pieces) * size_;
        const std::int64_t piece = i % pieces;
        if (long_runs) {
          const std::int64_t at = piece % pieces_in_run * kChunk;
          Acc acc = R::start();
          stretch(base + walk_.reduced.at(piece / pieces_in_run) * size_, at,
                  std::min(at + kChunk, walk_.length), values, acc);
          parts[std::size_t(i)] = acc;
        } else {
          parts[std::size_t(i)] =
              runs(base, piece * per_piece, std::min((piece + 1) * per_piece, walk_.reduced.count));
        }
      }
    });
    for (std::int64_t k = 0; k < walk_.kept.count; ++k) {
      Acc acc = R::start();
      for (std::int64_t p = 0; p < pieces; ++p)
        acc = R::add(acc, parts[std::size_t(k * pieces + p)]);
      write(to, walk_.kept_in_result.at(k), acc);
    }
  }

  /// The run is kept: neighbours are reduced side by side.
  void run_aside(const std::byte* from, std::byte* to) const {
    // Rows that are converted lie in the cache beside the accumulators.
    const std::int64_t tile = direct_ ? kBlock : kBlock / 2;
    const std::int64_t tiles = (walk_.length + tile - 1) / tile;
    const std::int64_t each = std::max<std::int64_t>(walk_.reduced.count * tile, 1);
    parallel_for(walk_.kept.count * tiles, std::max<std::int64_t>(1, kGrain / each),
                 [&](std::int64_t begin, std::int64_t end) {
                   alignas(64) T values[kTogether][kBlock];
                   alignas(64) Acc sums[kBlock];
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t k = i / tiles;
                     const std::int64_t at = i % tiles * tile;
                     const std::int64_t take = std::min(tile, walk_.length - at);
                     const std::byte* base = from + (walk_.kept.at(k) + at * walk_.step) * size_;
                     std::fill_n(sums, take, R::start());
                     const auto row_of = [&](std::int64_t r, T* buffer) {
                       const std::int64_t row = walk_.reduced.at(r);
                       const std::int64_t later = std::min(r + kRowsAhead, walk_.reduced.count - 1);
                       const std::int64_t ahead = (walk_.reduced.at(later) - row) * size_;
                       return taken(base + row * size_, take, buffer, ahead);
                     };
                     std::int64_t r = 0;
                     for (; r + kTogether <= walk_.reduced.count; r += kTogether) {
                       const void* rows[kTogether];
                       for (std::int64_t j = 0; j < kTogether; ++j)
                         rows[j] = row_of(r + j, values[j]);
                       sides_(rows, take, sums);
                     }
                     for (; r < walk_.reduced.count; ++r) aside_(row_of(r, values[0]), take, sums);
                     const std::int64_t place = walk_.kept_in_result.at(k);
                     for (std::int64_t j = 0; j < take; ++j)
                       write(to, place + (at + j) * walk_.run_place, sums[j]);
                   }
                 });
  }

  ReductionWalk walk_;
  View in_;
  View out_;
  LoadFn load_;
  StoreFn store_;
  std::int64_t size_;
  Combine along_;
  Combine aside_;
  void (*sides_)(const void* const*, std::int64_t, void*);
  bool direct_;
  Around around_;
  AxisGroup places_;
};

template <class R, class... Arguments>
void launch(Plan& plan, Arguments... arguments) {
  const auto runner = std::make_shared<const R>(arguments...);
  if (!runner->works())
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  plan.launch([runner](const KernelMemory& memory) { runner->run(memory); });
}

}  // namespace pyaclnn::sim::reduction
