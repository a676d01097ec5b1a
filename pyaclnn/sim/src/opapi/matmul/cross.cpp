// The cross product. What it writes may be what it reads: both operands of a few places are read
// before any of their results is written.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/matmul/outer.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;   // places at a time
constexpr std::int64_t kGrain = 4096;  // places worth a hand-over to another thread

/// The three slices along an axis.
std::array<FlatView, 3> slices(const View& view, std::size_t axis) {
  std::array<FlatView, 3> result;
  for (std::size_t i = 0; i < 3; ++i) {
    View part = view;
    part.offset += std::int64_t(i) * view.strides[axis];
    part.shape.set(axis, 1);
    result[i] = FlatView(part);
  }
  return result;
}

template <class T>
T difference_of_products(T a, T b, T c, T d) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    const auto u = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    return static_cast<std::int64_t>(u(a) * u(b) - u(c) * u(d));
  } else if constexpr (std::is_same_v<T, Complex<double>>) {
    const T left = a * b;
    const T right = c * d;
    return {left.re - right.re, left.im - right.im};
  } else {
    return a * b - c * d;
  }
}

struct Cross {
  std::array<FlatView, 3> a;
  std::array<FlatView, 3> b;
  std::array<FlatView, 3> out;
  aclDataType dtype;

  /// Places [begin, end), computed as T.
  template <class T>
  void run(const KernelMemory& memory, std::int64_t begin, std::int64_t end) const {
    const LoadFn load = loader<T>(dtype);
    const StoreFn store = storer<T>(dtype, Rounding::kTruncate);
    T left[3][kBlock];
    T right[3][kBlock];
    T result[kBlock];
    while (begin < end) {
      std::int64_t count = std::min(kBlock, end - begin);
      for (std::size_t i = 0; i < 3; ++i)
        count = std::min(
            {count, a[i].left_in_run(begin), b[i].left_in_run(begin), out[i].left_in_run(begin)});
      for (std::size_t i = 0; i < 3; ++i) {
        load(a[i].at(memory, begin), a[i].step() / a[i].element_size(), count, left[i]);
        load(b[i].at(memory, begin), b[i].step() / b[i].element_size(), count, right[i]);
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t next = (i + 1) % 3;
        const std::size_t last = (i + 2) % 3;
        for (std::int64_t k = 0; k < count; ++k)
          result[k] =
              difference_of_products(left[next][k], right[last][k], left[last][k], right[next][k]);
        store(result, count, out[i].at(memory, begin), out[i].step() / out[i].element_size());
      }
      begin += count;
    }
  }

  void run(const KernelMemory& memory, std::int64_t begin, std::int64_t end) const {
    if (dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128) {
      run<Complex<double>>(memory, begin, end);
    } else if (is_integral(dtype) || dtype == ACL_BOOL) {
      run<std::int64_t>(memory, begin, end);
    } else if (dtype == ACL_DOUBLE) {
      run<double>(memory, begin, end);
    } else {
      run<float>(memory, begin, end);
    }
  }
};

}  // namespace

std::size_t cross_axis(const Check& check, const TensorArgument& a, const TensorArgument& b,
                       std::int64_t dim, const Dims& shape) {
  const auto rank = static_cast<std::int64_t>(a.rank());
  check.that(dim >= -rank && dim < rank, "dim is %lld, %s has %zu dimensions",
             static_cast<long long>(dim), a.name(), a.rank());
  std::int64_t axis = dim;
  // An axis that is counted from the front is one of the first operand.
  if (dim >= 0 && a.rank() < b.rank()) axis += std::int64_t(b.rank() - a.rank());
  if (axis < 0) axis += std::int64_t(shape.size());
  if (shape.product() != 0)
    check.that(shape[std::size_t(axis)] == 3, "dimension %lld has extent %lld, it must be 3",
               static_cast<long long>(axis), static_cast<long long>(shape[std::size_t(axis)]));
  // The 950 leaves what broadcasts to its kernel, and looks at the first operand as it is.
  const std::int64_t own = a.shape()[std::size_t(dim < 0 ? dim + rank : dim)];
  check.that(!on_950() || shape.product() == 0 || own == 3, "%s has extent %lld along dim %lld",
             a.name(), static_cast<long long>(own), static_cast<long long>(dim));
  return std::size_t(axis);
}

void cross_product(Plan& plan, const TensorArgument& a, const TensorArgument& b, std::size_t axis,
                   const TensorArgument& out) {
  plan.stage(a).contiguous().broadcast_to(out.shape());
  plan.stage(b).contiguous().broadcast_to(out.shape());
  plan.result(a.dtype(), out.shape()).copy_to(out);
  const auto cross =
      std::make_shared<const Cross>(Cross{slices(broadcast_view(plan.reads(a), out.shape()), axis),
                                          slices(broadcast_view(plan.reads(b), out.shape()), axis),
                                          slices(plan.writes(out), axis), a.dtype()});
  plan.launch([cross](const KernelMemory& memory) {
    parallel_for(cross->out[0].count(), kGrain,
                 [&](std::int64_t begin, std::int64_t end) { cross->run(memory, begin, end); });
  });
}

}  // namespace pyaclnn::sim
