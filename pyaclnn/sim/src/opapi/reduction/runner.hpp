// The walk of a reduction: how values of one type become results, whatever the operator.
//
// For the files that launch reductions: each way to reduce is compiled where it is used.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/reduction_walk.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/reduction/runs_wide.hpp"

namespace pyaclnn::sim::reduction {

constexpr std::int64_t kBlock = 1024;   // values worked on at a time
constexpr std::int64_t kShort = 256;    // runs reduced at a time
constexpr std::int64_t kGrain = 65536;  // values worth a hand-over to another thread
constexpr std::int64_t kChunk = std::int64_t(1) << 17;  // of one long reduction

/// So many of `length` columns that each thread has some, where there are so many lines of them:
/// whole cache lines, and not too few.
inline std::int64_t columns_of_share(std::int64_t length, std::int64_t lines) {
  constexpr std::int64_t kLine = 64, kFewest = 4 * kLine;
  lines = std::max<std::int64_t>(lines, 1);
  const std::int64_t cuts = (config().threads + lines - 1) / lines;
  return std::max(kFewest, (length / cuts + kLine - 1) / kLine * kLine);
}

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

/// Combines runs of values, in lanes that the compiler turns into vectors. What is left at the end
/// of a run goes to the first lanes.
template <class R>
struct CombineRun {
  using Acc = typename R::Acc;
  using Value = typename R::Value;

  static SIM_ALWAYS_INLINE Acc one(const Value* from, std::int64_t count) {
    constexpr int kLanes =
        std::is_same_v<Acc, float> ? 64 : (std::is_same_v<Value, float> ? 32 : 16);
    Acc lanes[kLanes];
    for (Acc& lane : lanes) lane = R::start();
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] = R::add(lanes[k], static_cast<Acc>(from[i + k]));
    }
    for (int k = 0; i + k < count; ++k) lanes[k] = R::add(lanes[k], static_cast<Acc>(from[i + k]));
    // One after the other they would take longer.
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) lanes[k] = R::add(lanes[k], lanes[k + half]);
    }
    return lanes[0];
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t step, std::int64_t runs,
                                    std::int64_t count, void* results) {
    const auto* from = static_cast<const Value*>(values);
    auto* to = static_cast<Acc*>(results);
    for (std::int64_t r = 0; r < runs; ++r) to[r] = R::add(to[r], one(from + r * step, count));
  }
};

/// Sums of the narrow floating point types: a few dozen of their values are added as floats.
struct AddFloats {
  using Value = float;
  using Acc = float;
  static Acc start() { return 0; }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) { return acc + value; }
};

struct SumNarrow {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t step, std::int64_t runs,
                                    std::int64_t count, void* results) {
    const auto* from = static_cast<const float*>(values);
    auto* to = static_cast<double*>(results);
    for (std::int64_t r = 0; r < runs; ++r)
      to[r] += double(CombineRun<AddFloats>::one(from + r * step, count));
  }
};

/// Adds lines of values to accumulators side by side, four at a time: the accumulators are read and
/// written once for all.
template <class R>
struct CombineSides {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t step, std::int64_t lines,
                                    std::int64_t count, void* results) {
    using Acc = typename R::Acc;
    const auto* from = static_cast<const typename R::Value*>(values);
    auto* acc = static_cast<Acc*>(results);
    std::int64_t r = 0;
    for (; r + 4 <= lines; r += 4, from += 4 * step) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) {
        const Acc one = R::add(acc[i], static_cast<Acc>(from[i]));
        const Acc two = R::add(one, static_cast<Acc>(from[step + i]));
        const Acc three = R::add(two, static_cast<Acc>(from[2 * step + i]));
        acc[i] = R::add(three, static_cast<Acc>(from[3 * step + i]));
      }
    }
    for (; r < lines; ++r, from += step) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) acc[i] = R::add(acc[i], static_cast<Acc>(from[i]));
    }
  }
};

/// The same of the narrow floating point types: kTogether lines are added as floats.
struct SumNarrowSides {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* values, std::int64_t step, std::int64_t lines,
                                    std::int64_t count, void* results) {
    static_assert(kTogether == 8);
    const auto* from = static_cast<const float*>(values);
    auto* acc = static_cast<double*>(results);
    std::int64_t r = 0;
    for (; r + kTogether <= lines; r += kTogether, from += kTogether * step) {
      const float* half = from + 4 * step;
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) {
        const float first = (from[i] + from[step + i]) + (from[2 * step + i] + from[3 * step + i]);
        const float second = (half[i] + half[step + i]) + (half[2 * step + i] + half[3 * step + i]);
        acc[i] += double(first + second);
      }
    }
    for (; r < lines; ++r, from += step) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) acc[i] += double(from[i]);
    }
  }
};

template <class Loop>
Combine combine_for_cpu() {
  return wide_loop_for_cpu<Loop, const void*, std::int64_t, std::int64_t, std::int64_t, void*>();
}

/// What adds lines side by side, after they are loaded.
template <class R, bool kAsLoaded>
Combine combine_sides(aclDataType dtype) {
  if constexpr (kAsLoaded && std::is_same_v<R, Sum<float>>) {
    if (is_16_bit_float(dtype)) return combine_for_cpu<SumNarrowSides>();
  }
  return combine_for_cpu<CombineSides<R>>();
}

/// What combines values where they lie, whatever the type that is computed in; null: loaded first.
template <class R>
Combine combine_in_memory(aclDataType dtype) {
  if constexpr (std::is_same_v<R, Sum<float>>) return sum_of_run(dtype);
  if constexpr (std::is_same_v<R, Maximum<float>>) return maximum_of_run(dtype);
  if constexpr (std::is_same_v<R, Minimum<float>>) return minimum_of_run(dtype);
  if constexpr (std::is_same_v<R, Sum<std::int64_t>>) return integer_sum_of_run(dtype);
  if constexpr (std::is_same_v<R, Maximum<std::int64_t>>) return integer_maximum_of_run(dtype);
  if constexpr (std::is_same_v<R, Minimum<std::int64_t>>) return integer_minimum_of_run(dtype);
  return nullptr;
}

/// What combines runs of values that were loaded.
template <class R, bool kAsLoaded>
Combine combine_along(aclDataType dtype) {
  if constexpr (kAsLoaded && std::is_same_v<R, Sum<float>>) {
    if (is_16_bit_float(dtype)) return combine_for_cpu<SumNarrow>();
  }
  if constexpr (std::is_same_v<typename R::Value, float>) {
    if (const Combine combine = combine_in_memory<R>(ACL_FLOAT)) return combine;
  }
  return combine_for_cpu<CombineRun<R>>();
}

/// The same of lines side by side.
template <class R>
Combine sides_in_memory(aclDataType dtype) {
  if constexpr (std::is_same_v<R, Sum<float>>) return sum_of_sides(dtype);
  if constexpr (std::is_same_v<R, Maximum<float>>) return maximum_of_sides(dtype);
  if constexpr (std::is_same_v<R, Minimum<float>>) return minimum_of_sides(dtype);
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

constexpr std::int64_t kTile = 4096;  // values of several runs or lines

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
    } else if constexpr (sizeof(Acc) > sizeof(T)) {
      // A division takes as long as all additions of a short column, and its last bits are lost.
      return static_cast<T>(acc * (Acc(1) / static_cast<Acc>(count)));
    } else {
      return static_cast<T>(acc / static_cast<Acc>(count));
    }
  }
};

/// What reduced values become, of several.
template <class Acc, class T, class Around>
struct Finish {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Acc* accs, std::int64_t results, const Around* around,
                                    std::int64_t count, T* values) {
    const Around way = *around;
    for (std::int64_t i = 0; i < results; ++i) values[i] = way.after(accs[i], count);
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
        sides_(combine_sides<R, kAsLoaded>(in.dtype)),
        direct_(kAsLoaded && walk_.step == 1 && is_stored_as<T>(in.dtype)),
        around_(around) {
    if constexpr (std::is_integral_v<Acc>) walk_.lengthen_run();
    for (std::size_t i = 0; i < out.shape.size(); ++i) places_.add(out.shape[i], out.strides[i]);
    const Combine in_memory =
        walk_.run_is_reduced ? combine_in_memory<R>(in.dtype) : sides_in_memory<R>(in.dtype);
    if (kAsLoaded && in_memory != nullptr && walk_.step == 1) {
      (walk_.run_is_reduced ? along_ : sides_) = in_memory;
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

  /// Writes results that are `step` apart in a row-major result.
  void write(std::byte* to, std::int64_t place, std::int64_t step, const Acc* accs,
             std::int64_t count) const {
    if (places_.extents.size() > 1) {
      for (std::int64_t i = 0; i < count; ++i) write(to, place + i * step, accs[i]);
      return;
    }
    const std::int64_t apart = places_.extents.empty() ? 1 : places_.strides[0];
    alignas(64) T values[kShort];
    for (std::int64_t done = 0; done < count; done += kShort) {
      const std::int64_t take = std::min(kShort, count - done);
      finish_(accs + done, take, &around_, walk_.reduced_count(), values);
      store_(values, take,
             to + (place + done * step) * apart * std::int64_t(dtype_size(out_.dtype)),
             step * apart);
    }
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
  const void* taken(const std::byte* from, std::int64_t count, T* values) const {
    if (direct_) return from;
    load_(from, walk_.step, count, values);
    around_.before(values, count);
    return values;
  }

  void stretch(const std::byte* base, std::int64_t begin, std::int64_t end, T* values,
               Acc& acc) const {
    // Integers are the same in any order.
    const std::int64_t block = direct_ && std::is_integral_v<Acc> ? kChunk : kBlock;
    for (std::int64_t at = begin; at < end; at += block) {
      const std::int64_t take = std::min(block, end - at);
      along_(taken(base + at * walk_.step * size_, take, values), 0, 1, take, &acc);
    }
  }

  void run_along(const std::byte* from, std::byte* to) const {
    const std::int64_t each = walk_.reduced_count();
    if (each > 2 * kChunk && walk_.kept.count < 16) return run_in_chunks(from, to);
    if (walk_.reduced.count == 1 && each <= kBlock && walk_.kept.is_even()) {
      return run_together(from, to);
    }
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(each, 1));
    parallel_for(walk_.kept.count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const Acc acc = runs(from + walk_.kept.at(k) * size_, 0, walk_.reduced.count);
        write(to, walk_.kept_in_result.at(k), acc);
      }
    });
  }

  /// Short runs, several at a time: they cost nothing but their values.
  void run_together(const std::byte* from, std::byte* to) const {
    const std::int64_t length = walk_.length;
    const std::int64_t step = walk_.kept.even_step();
    const std::int64_t tile = std::min(kShort, kTile / std::max<std::int64_t>(length, 1));
    const std::int64_t grain =
        std::max(tile, kGrain / std::max<std::int64_t>(length, 1) / tile * tile);
    parallel_for(walk_.kept.count, grain, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) T values[kTile];
      alignas(64) Acc accs[kShort];
      for (std::int64_t k = begin; k < end; k += tile) {
        const std::int64_t runs = std::min(tile, end - k);
        const std::byte* base = from + k * step * size_;
        std::fill_n(accs, runs, R::start());
        if (direct_) {
          along_(base, step, runs, length, accs);
        } else {
          load_runs(base, runs, step, length, values);
          along_(values, length, runs, length, accs);
        }
        write(to, k, 1, accs, runs);
      }
    });
  }

  void load_runs(const std::byte* base, std::int64_t runs, std::int64_t step, std::int64_t length,
                 T* values) const {
    if (step == length * walk_.step) {
      load_(base, walk_.step, runs * length, values);
    } else {
      for (std::int64_t i = 0; i < runs; ++i)
        load_(base + i * step * size_, walk_.step, length, values + i * length);
    }
    around_.before(values, runs * length);
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
    // Lines that are converted lie in the cache beside the accumulators.
    const std::int64_t widest = std::min(direct_ ? kBlock : kTile / kTogether,
                                         columns_of_share(walk_.length, walk_.kept.count));
    const std::int64_t tiles = (walk_.length + widest - 1) / widest;
    const std::int64_t each = std::max<std::int64_t>(walk_.reduced.count * widest, 1);
    parallel_for(walk_.kept.count * tiles, std::max<std::int64_t>(1, kGrain / each),
                 [&](std::int64_t begin, std::int64_t end) {
                   alignas(64) T values[kTogether * kBlock];
                   alignas(64) Acc sums[kBlock];
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t k = i / tiles;
                     const std::int64_t at = i % tiles * widest;
                     const std::int64_t take = std::min(widest, walk_.length - at);
                     std::fill_n(sums, take, R::start());
                     add_lines(from + (walk_.kept.at(k) + at * walk_.step) * size_, take, values,
                               sums);
                     const std::int64_t place = walk_.kept_in_result.at(k);
                     write(to, place + at * walk_.run_place, walk_.run_place, sums, take);
                   }
                 });
  }

  /// Adds a stretch of all lines, where they lie or loaded.
  void add_lines(const std::byte* base, std::int64_t take, T* values, Acc* sums) const {
    const std::int64_t count = walk_.reduced.count;
    const bool even = direct_ && walk_.reduced.is_even();
    // Short ones many at a time, in whole groups.
    const std::int64_t together = even ? (kBlock / take + 1) * kTogether : kTogether;
    for (std::int64_t r = 0; r < count; r += together) {
      const std::int64_t lines = std::min(together, count - r);
      if (even) {
        const std::int64_t step = walk_.reduced.even_step();
        const std::byte* line = base + r * step * size_;
        sides_(line, step, lines, take, sums);
        continue;
      }
      for (std::int64_t j = 0; j < lines; ++j) {
        const std::byte* line = base + walk_.reduced.at(r + j) * size_;
        if (direct_) {
          std::memcpy(bytes_of(values) + j * take * size_, line, std::size_t(take * size_));
        } else {
          load_(line, walk_.step, take, values + j * take);
        }
      }
      if (!direct_) around_.before(values, lines * take);
      sides_(values, take, lines, take, sums);
    }
  }

  static std::byte* bytes_of(T* values) { return reinterpret_cast<std::byte*>(values); }

  ReductionWalk walk_;
  View in_;
  View out_;
  LoadFn load_;
  StoreFn store_;
  std::int64_t size_;
  Combine along_;
  Combine sides_;
  void (*finish_)(const Acc*, std::int64_t, const Around*, std::int64_t,
                  T*) = wide_loop_for_cpu<Finish<Acc, T, Around>, const Acc*, std::int64_t,
                                          const Around*, std::int64_t, T*>();
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
