// SPDX-License-Identifier: MIT
#include "opapi/reduction/reduce.hpp"

#include <algorithm>
#include <type_traits>

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

/// The place of an extremum along one axis.
template <class T, bool kLargest>
class IndexRunner {
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
    const auto out_size = std::int64_t(dtype_size(out_.dtype));
    std::byte* to = memory.operands[out_.operand] + out_.offset * out_size;
    const std::int64_t each = std::max<std::int64_t>(reduced_.count, 1);
    parallel_for(kept_.count, std::max<std::int64_t>(1, kGrain / each),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t k = begin; k < end; ++k) {
                     const std::int64_t best = index_of(from + kept_.at(k) * size_);
                     store_(&best, 1, to + places_.at(k) * out_size, 1);
                   }
                 });
  }

 private:
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
        load_(base + (reduced_.at(row) + at * step) * size_, step, take, values);
        for (std::int64_t i = 0; i < take; ++i) {
          const std::int64_t position = row + at + i;
          const bool better = kLargest ? values[i] > extremum : values[i] < extremum;
          const bool first_nan = values[i] != values[i] && extremum == extremum;
          if (position == 0 || first_nan || (better && extremum == extremum)) {
            extremum = values[i];
            best = position;
          }
        }
      }
    }
    return best;
  }

  View in_;
  View out_;
  LoadFn load_;
  StoreFn store_;
  std::int64_t size_;
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
      return launch_real<std::int64_t>(plan, kind, out, in, axes);
  }
}

void reduce(Plan& plan, Reduce kind, aclDataType compute, aclDataType gives,
            const TensorArgument& in, const TensorArgument& out, AxisMask axes, bool keep) {
  plan.stage(in).contiguous().cast_to(compute);
  plan.result(gives, reduced_shape(in.shape(), axes, keep)).cast_to(out.dtype()).copy_to(out);
  launch_reduction(plan, kind, compute, plan.writes(out), plan.reads(in), axes);
}

}  // namespace pyaclnn::sim
