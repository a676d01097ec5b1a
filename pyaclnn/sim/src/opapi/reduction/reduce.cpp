// SPDX-License-Identifier: MIT
#include "opapi/reduction/reduce.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "core/bulk_copy.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/reduction/runner.hpp"

namespace pyaclnn::sim {

using namespace reduction;

namespace {

template <class T>
struct Product {
  using Value = T;
  using Acc = std::conditional_t<std::is_same_v<T, float>, double, T>;
  static Acc start() {
    if constexpr (std::is_same_v<T, Pair>)
      return {1, 0};
    else
      return Acc(1);
  }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(acc) * static_cast<std::uint64_t>(value));
    } else {
      return acc * value;
    }
  }
};

template <class T>
struct All {
  using Value = T;
  using Acc = T;
  static Acc start() { return T(1); }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) { return T(acc != T(0) && value != T(0)); }
};

template <class T>
struct Any {
  using Value = T;
  using Acc = T;
  static Acc start() { return T(0); }
  static SIM_ALWAYS_INLINE Acc add(Acc acc, Acc value) { return T(acc != T(0) || value != T(0)); }
};

/// The first place of a value, or of NaN.
template <class T>
struct FindFirst {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* values, std::int64_t count, T wanted,
                                    std::int64_t* place) {
    constexpr std::int64_t kLanes = 64;
    const auto matches = [wanted](T value) {
      return (value == wanted) | ((value != value) & (wanted != wanted));
    };
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      int found = 0;
      for (int k = 0; k < kLanes; ++k) found |= int(matches(values[i + k]));
      if (found != 0) break;
    }
    while (i < count && !matches(values[i])) ++i;
    *place = i;
  }
};

/// Whether a value is better than the extremum so far; the first NaN is.
template <class T, bool kLargest>
SIM_ALWAYS_INLINE bool is_better(T value, T extremum) {
  const bool better = kLargest ? value > extremum : value < extremum;
  return better | ((value != value) & (extremum == extremum));
}

/// The places of extrema side by side.
template <class T, bool kLargest>
struct BetterSide {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* values, std::int64_t count, std::int32_t place,
                                    T* extrema, std::int32_t* best) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const bool better = is_better<T, kLargest>(values[i], extrema[i]);
      extrema[i] = pick<T>(better, values[i], extrema[i]);
      const auto mask = static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(better));
      best[i] = (place & mask) | (best[i] & ~mask);
    }
  }
};

constexpr std::int64_t kAhead = 4096;  // bytes of a run

/// The place of an extremum along one axis.
template <class T, bool kLargest>
class IndexRunner {
  using Better = std::conditional_t<kLargest, Maximum<T>, Minimum<T>>;

 public:
  IndexRunner(const View& out, const View& in, AxisMask axes)
      : in_(in),
        out_(out),
        load_(loader<T>(in.dtype)),
        store_(storer<std::int64_t>(out.dtype, Rounding::kTruncate)),
        size_(std::int64_t(dtype_size(in.dtype))) {
    for (std::size_t i = 0; i < in.shape.size(); ++i) {
      AxisGroup& group = ((axes >> i) & 1) != 0 ? reduced_ : kept_;
      group.add(in.shape[i], in.strides[i]);
    }
    for (std::size_t i = 0; i < out.shape.size(); ++i) places_.add(out.shape[i], out.strides[i]);
  }

  bool works() const { return load_ != nullptr && store_ != nullptr; }

  void run(const KernelMemory& memory) const {
    const std::byte* from = first_element(memory, in_);
    std::byte* to = memory.operands[out_.operand] + out_.offset * out_size_;
    if (is_aside()) return run_aside(from, to);
    const std::int64_t each = std::max<std::int64_t>(reduced_.count, 1);
    parallel_for(kept_.count, std::max<std::int64_t>(1, kGrain / each),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t k = begin; k < end; ++k)
                     write(to, k, index_of(from + kept_.at(k) * size_));
                 });
  }

 private:
  void write(std::byte* to, std::int64_t place, std::int64_t best) const {
    store_(&best, 1, to + places_.at(place) * out_size_, 1);
  }

  /// Whether neighbours that are kept lie denser than those that are compared.
  bool is_aside() const {
    return reduced_.extents.size() == 1 && !kept_.extents.empty() && kept_.extents.back() > 1 &&
           reduced_.count <= std::numeric_limits<std::int32_t>::max() &&
           std::llabs(kept_.strides.back()) < std::llabs(reduced_.strides.back());
  }

  void run_aside(const std::byte* from, std::byte* to) const {
    const std::int64_t length = kept_.extents.back();
    const std::int64_t step = kept_.strides.back();
    const std::int64_t row = reduced_.strides.back();
    const std::int64_t widest = std::min(kBlock, columns_of_share(length, kept_.count / length));
    const std::int64_t tiles = (length + widest - 1) / widest;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / (reduced_.count * widest));
    parallel_for(kept_.count / length * tiles, grain, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) T values[kBlock];
      alignas(64) T extrema[kBlock];
      alignas(64) std::int32_t best[kBlock];
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i / tiles * length + i % tiles * widest;
        const std::int64_t take = std::min(widest, length - i % tiles * widest);
        const std::byte* base = from + kept_.at(first) * size_;
        load_(base, step, take, extrema);
        std::fill_n(best, take, 0);
        for (std::int64_t r = 1; r < reduced_.count; ++r) {
          const std::byte* place = base + r * row * size_;
          load_(place, step, take, values);
          aside_(values, take, static_cast<std::int32_t>(r), extrema, best);
        }
        for (std::int64_t j = 0; j < take; ++j) write(to, first + j, best[j]);
      }
    });
  }

  std::int64_t index_of(const std::byte* base) const {
    alignas(64) T values[kBlock];
    // One axis, or all of them in row-major order: the last group of axes is one run.
    const std::int64_t length = reduced_.extents.empty() ? 1 : reduced_.extents.back();
    const std::int64_t step = reduced_.strides.empty() ? 1 : reduced_.strides.back();
    std::int64_t best = 0;
    T extremum = T();
    for (std::int64_t row = 0; row < reduced_.count; row += length) {
      for (std::int64_t at = 0; at < length; at += kBlock) {
        const std::int64_t take = std::min(kBlock, length - at);
        const std::byte* from = base + (reduced_.at(row) + at * step) * size_;
        if (asks_ahead_ && step == 1) prefetch(from + kAhead, take * size_);
        load_(from, step, take, values);
        T block = Better::start();
        along_(values, 0, 1, take, &block);
        if (row + at != 0 && !is_better<T, kLargest>(block, extremum)) continue;
        std::int64_t place = 0;
        find_(values, take, block, &place);
        extremum = block;
        best = row + at + place;
      }
    }
    return best;
  }

  View in_;
  View out_;
  LoadFn load_;
  StoreFn store_;
  std::int64_t size_;
  std::int64_t out_size_ = std::int64_t(dtype_size(out_.dtype));
  // What comes from beyond the caches, a block has to be converted before the next is read.
  bool asks_ahead_ = std::size_t(in_.shape.product() * size_) >= kBulkBytes;
  Combine along_ = combine_for_cpu<CombineRun<Better>>();
  void (*find_)(const T*, std::int64_t, T, std::int64_t*) =
      wide_loop_for_cpu<FindFirst<T>, const T*, std::int64_t, T, std::int64_t*>();
  void (*aside_)(const T*, std::int64_t, std::int32_t, T*,
                 std::int32_t*) = wide_loop_for_cpu<BetterSide<T, kLargest>, const T*, std::int64_t,
                                                    std::int32_t, T*, std::int32_t*>();
  AxisGroup kept_;
  AxisGroup reduced_;
  AxisGroup places_;
};

template <class T>
void launch_real(Plan& plan, Reduce kind, const View& out, const View& in, AxisMask axes) {
  switch (kind) {
    case Reduce::kSum:
    case Reduce::kMean:
      return launch<Runner<Sum<T>>>(plan, out, in, axes, Plain<T>{kind == Reduce::kMean});
    case Reduce::kProduct:
      return launch<Runner<Product<T>>>(plan, out, in, axes);
    case Reduce::kMaximum:
      return launch<Runner<Maximum<T>>>(plan, out, in, axes);
    case Reduce::kMinimum:
      return launch<Runner<Minimum<T>>>(plan, out, in, axes);
    case Reduce::kAll:
      return launch<Runner<All<T>>>(plan, out, in, axes);
    case Reduce::kAny:
      return launch<Runner<Any<T>>>(plan, out, in, axes);
    case Reduce::kArgMax:
      return launch<IndexRunner<T, true>>(plan, out, in, axes);
    case Reduce::kArgMin:
      return launch<IndexRunner<T, false>>(plan, out, in, axes);
  }
}

template <class T>
void launch_extremum(Plan& plan, Reduce kind, const View& out, const View& in, AxisMask axes) {
  if (kind == Reduce::kMaximum) return launch<Runner<Maximum<T>>>(plan, out, in, axes);
  return launch<Runner<Minimum<T>>>(plan, out, in, axes);
}

/// Extrema of integers side by side, at their own width; others have runs of their own.
bool launch_narrow_extremum(Plan& plan, Reduce kind, const View& out, const View& in,
                            AxisMask axes) {
  const bool is_extremum = kind == Reduce::kMaximum || kind == Reduce::kMinimum;
  if (!is_extremum || in.dtype != out.dtype || in.shape.empty() || in.strides.back() != 1 ||
      ((axes >> (in.shape.size() - 1)) & 1) != 0)
    return false;
  switch (in.dtype) {
    case ACL_INT8:
      return launch_extremum<std::int8_t>(plan, kind, out, in, axes), true;
    case ACL_UINT8:
      return launch_extremum<std::uint8_t>(plan, kind, out, in, axes), true;
    case ACL_INT32:
      return launch_extremum<std::int32_t>(plan, kind, out, in, axes), true;
    default:
      return false;
  }
}

}  // namespace

void launch_reduction(Plan& plan, Reduce kind, aclDataType compute, const View& out, const View& in,
                      AxisMask axes) {
  if (out.shape.product() == 0) return;
  switch (compute) {
    case ACL_COMPLEX64:
    case ACL_COMPLEX128:
      if (kind == Reduce::kProduct) return launch<Runner<Product<Pair>>>(plan, out, in, axes);
      if (kind != Reduce::kSum && kind != Reduce::kMean)
        fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: complex numbers have no order", plan.api());
      return launch<Runner<Sum<Pair>>>(plan, out, in, axes, Plain<Pair>{kind == Reduce::kMean});
    case ACL_DOUBLE:
      return launch_real<double>(plan, kind, out, in, axes);
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
      return launch_real<float>(plan, kind, out, in, axes);
    default:
      if (launch_narrow_extremum(plan, kind, out, in, axes)) return;
      return launch_real<std::int64_t>(plan, kind, out, in, axes);
  }
}

void reduce(Plan& plan, Reduce kind, aclDataType compute, aclDataType gives,
            const TensorArgument& in, const TensorArgument& out, AxisMask axes, bool keep) {
  plan.stage(in).contiguous().cast_to(compute);
  const Dims shape = copied_shape(reduced_shape(in.shape(), axes, keep), out);
  plan.result(gives, shape).cast_to(out.dtype()).copy_to(out);
  launch_reduction(plan, kind, compute, plan.writes(out), plan.reads(in), axes);
}

}  // namespace pyaclnn::sim
