// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/embedding/gradients.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;    // coordinates held at a time
constexpr std::int64_t kGrain = 32768;  // coordinates worth a hand-over to another thread

/// What one pair of points has of its own.
struct Pair {
  const float* other;
  float factor;    // grad, divided by the distance for the Euclidean one
  float distance;  // cdist
  float inverse;   // 1 / cdist
  float exponent;  // p - 1
};

/// sums += factor * d, the Euclidean distance.
struct Euclidean {
  static SIM_ALWAYS_INLINE float term(float d, const Pair& pair) { return pair.factor * d; }
};

/// The sum of absolute differences.
struct Manhattan {
  static SIM_ALWAYS_INLINE float term(float d, const Pair& pair) {
    const float sign = vec::select(d == 0.0f, 0.0f, vec::copy_sign(1.0f, d));
    return pair.factor * sign;
  }
};

/// The largest difference: those that are as large get the gradient.
struct Largest {
  static SIM_ALWAYS_INLINE float term(float d, const Pair& pair) {
    const float sign = vec::copy_sign(pair.factor, d) * vec::copy_sign(1.0f, pair.factor);
    const bool counts = vec::abs(d) == pair.distance;
    return vec::select(counts, vec::select(d == 0.0f, 0.0f, sign), 0.0f);
  }
};

/// Any other: factor * sign(d) (|d| / cdist)^(p - 1), which is 0 for equal coordinates also where
/// p < 1. The quotient is at most 1: neither power can overflow, as they would apart.
struct General {
  static SIM_ALWAYS_INLINE float term(float d, const Pair& pair) {
    const float power = vec::exp(pair.exponent * vec::log(vec::abs(d) * pair.inverse));
    return pair.factor * vec::select(d == 0.0f, 0.0f, vec::copy_sign(power, d));
  }
};

/// Adds the terms of all pairs to the sums of a point's coordinates; several pairs at a time, for
/// to load and store the sums takes longer than the Euclidean term.
template <class Norm>
struct AddTerms {
  static SIM_ALWAYS_INLINE double term(const float* x1, std::int64_t i, const Pair& pair) {
    return double(Norm::term(x1[i] - pair.other[i], pair));
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x1, std::int64_t count, const Pair* pairs,
                                    std::int64_t pair_count, double* sums) {
    std::int64_t j = 0;
    for (; j + 4 <= pair_count; j += 4) {
      const Pair a = pairs[j];
      const Pair b = pairs[j + 1];
      const Pair c = pairs[j + 2];
      const Pair d = pairs[j + 3];
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i)
        sums[i] += (term(x1, i, a) + term(x1, i, b)) + (term(x1, i, c) + term(x1, i, d));
    }
    for (; j < pair_count; ++j) {
      const Pair pair = pairs[j];
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) sums[i] += term(x1, i, pair);
    }
  }
};

using AddFn = void (*)(const float*, std::int64_t, const Pair*, std::int64_t, double*);

template <class Norm>
AddFn add_fn() {
  return wide_loop_for_cpu<AddTerms<Norm>, const float*, std::int64_t, const Pair*, std::int64_t,
                           double*>();
}

AddFn add_fn_of(float p) {
  if (p == 1.0f) return add_fn<Manhattan>();
  if (p == 2.0f) return add_fn<Euclidean>();
  return std::isinf(p) ? add_fn<Largest>() : add_fn<General>();
}

struct Operand {
  View view;
  std::int64_t size = 0;
  LoadFn load = nullptr;

  std::byte* at(const KernelMemory& memory, std::int64_t element) const {
    return memory.operands[view.operand] + (view.offset + element) * size;
  }
  const float* read(const KernelMemory& memory, std::int64_t element, std::int64_t step,
                    std::int64_t count, float* buffer) const {
    const std::byte* from = at(memory, element);
    if (view.dtype == ACL_FLOAT && step == 1) return reinterpret_cast<const float*>(from);
    load(from, step, count, buffer);
    return buffer;
  }
};

Operand operand(const View& view) {
  return {view, static_cast<std::int64_t>(dtype_size(view.dtype)), loader<float>(view.dtype)};
}

struct Kernel {
  // Strides of x2 are 0 where it repeats.
  Operand out;
  Operand x1;
  Operand x2;
  Operand grad;
  Operand cdist;
  LoopNest points;  // batch and points of x1; operands in the order above
  StoreFn store = nullptr;
  AddFn add = nullptr;
  float p = 2;
  std::int64_t others = 0;  // points of x2
  std::int64_t width = 0;   // coordinates

  void run(const KernelMemory& memory) const {
    const std::int64_t work = std::max<std::int64_t>(1, others * width);
    parallel_for(points.count, std::max<std::int64_t>(1, kGrain / work),
                 [&](std::int64_t begin, std::int64_t end) {
                   LoopCursor cursor(points, begin);
                   for (std::int64_t i = begin; i < end; ++i) {
                     for (std::int64_t at = 0; at < width; at += kBlock)
                       point(memory, cursor, at, std::min(kBlock, width - at));
                     cursor.advance(1);
                   }
                 });
  }

  void point(const KernelMemory& memory, const LoopCursor& cursor, std::int64_t at,
             std::int64_t count) const {
    alignas(64) double sums[kBlock] = {};
    alignas(64) float own[kBlock];
    const std::int64_t step = x1.view.strides.back();
    const float* from = x1.read(memory, cursor.offset(1) + at * step, step, count, own);
    for (std::int64_t j = 0; j < others; j += kBlock)
      add_points(memory, cursor, j, std::min(kBlock, others - j), from, at, count, sums);
    for (std::int64_t i = 0; i < count; ++i) own[i] = static_cast<float>(sums[i]);
    const std::int64_t out_step = out.view.strides.back();
    store(own, count, out.at(memory, cursor.offset(0) + at * out_step), out_step);
  }

  /// Adds the terms of `points` points of x2 from `first` on to coordinates `at` and following.
  void add_points(const KernelMemory& memory, const LoopCursor& cursor, std::int64_t first,
                  std::int64_t points, const float* own, std::int64_t at, std::int64_t count,
                  double* sums) const {
    alignas(64) float grad_buffer[kBlock];
    alignas(64) float cdist_buffer[kBlock];
    alignas(64) float other[kBlock];
    Pair pairs[kBlock];
    const std::int64_t grad_step = grad.view.strides.back();
    const std::int64_t cdist_step = cdist.view.strides.back();
    const float* grads =
        grad.read(memory, cursor.offset(3) + first * grad_step, grad_step, points, grad_buffer);
    const float* distances =
        cdist.read(memory, cursor.offset(4) + first * cdist_step, cdist_step, points, cdist_buffer);
    const Dims& strides = x2.view.strides;
    const std::int64_t step = strides[strides.size() - 2];
    // Points that have to be converted share one buffer.
    const bool in_place = x2.view.dtype == ACL_FLOAT && strides.back() == 1;
    const std::int64_t element = cursor.offset(2) + first * step + at * strides.back();
    const float* place = in_place ? x2.read(memory, element, 1, count, other) : nullptr;
    std::int64_t pair_count = 0;
    for (std::int64_t j = 0; j < points; ++j) {
      // In its place from the beginning: to copy it would wait for the stores to it.
      Pair& pair = pairs[pair_count];
      pair.factor = grads[j];
      pair.distance = distances[j];
      pair.exponent = p - 1;
      if (!weigh(pair)) continue;
      if (in_place) {
        pair.other = place + j * step;
        ++pair_count;
      } else {
        pair.other = x2.read(memory, element + j * step, strides.back(), count, other);
        add(own, count, &pair, 1, sums);
      }
    }
    add(own, count, pairs, pair_count, sums);
  }

  /// False for equal points, which have no gradient.
  bool weigh(Pair& pair) const {
    pair.inverse = 0;
    if (p == 1.0f || std::isinf(p)) return true;
    if (pair.distance == 0.0f) return false;
    if (p == 2.0f) {
      pair.factor /= pair.distance;
    } else {
      pair.inverse = 1.0f / pair.distance;
    }
    return true;
  }
};

/// The view without its last `dims` dimensions.
View leading(const View& view, std::size_t dims) {
  View result = view;
  result.shape = Dims(view.shape.begin(), view.shape.size() - dims);
  result.strides = Dims(view.strides.begin(), view.strides.size() - dims);
  return result;
}

/// Repeats points of x2 for every point of x1, in the dimensions before the last.
View for_each_point(const View& x2, const Dims& batch_and_points) {
  View result = leading(x2, 2);
  result.shape.push_back(1);
  result.strides.push_back(0);
  return broadcast_view(result, batch_and_points);
}

}  // namespace

Dims pairs_shape(const Check& check, const TensorArgument& x1, const TensorArgument& x2) {
  const std::size_t rank = x1.rank();
  Dims shape;
  for (std::size_t i = 0; i < rank + 1; ++i) {
    const std::int64_t a = i + 1 == rank ? 1 : x1.shape()[std::min(i, rank - 1)];
    const std::int64_t b = i + 2 == rank ? 1 : x2.shape()[i + 1 < rank ? i : i - 1];
    check.that(a == b || a == 1 || b == 1, "x1 of shape %s and x2 of shape %s do not broadcast",
               x1.shape().text().c_str(), x2.shape().text().c_str());
    shape.push_back(a == 1 ? b : a);
  }
  return shape;
}

void cdist_gradient(Plan& plan, const Dims& pairs, const TensorArgument& grad,
                    const TensorArgument& x1, const TensorArgument& x2, const TensorArgument& cdist,
                    float p, const TensorArgument& out) {
  for (const TensorArgument* tensor : {&grad, &x1, &x2, &cdist})
    plan.stage(*tensor).contiguous().broadcast_to(pairs);
  // The kernel's result has the broadcast batch; x1 must have it too.
  Dims result(pairs.begin(), grad.rank());
  result.set(grad.rank() - 1, pairs.back());
  plan.result(grad.dtype(), result).copy_to(out);

  const Dims batch_and_points(pairs.begin(), grad.rank() - 1);
  auto kernel = std::make_shared<Kernel>();
  kernel->out = operand(plan.writes(out));
  kernel->x1 = operand(plan.reads(x1));
  kernel->x2 = operand(plan.reads(x2));
  kernel->grad = operand(plan.reads(grad));
  kernel->cdist = operand(plan.reads(cdist));
  kernel->points = plan_loops({leading(kernel->out.view, 1), leading(kernel->x1.view, 1),
                               for_each_point(kernel->x2.view, batch_and_points),
                               leading(kernel->grad.view, 1), leading(kernel->cdist.view, 1)});
  if (x2.shape().back() == 1) {
    Dims strides = kernel->x2.view.strides;
    strides.set(strides.size() - 1, 0);
    kernel->x2.view.strides = strides;
  }
  kernel->store = storer<float>(out.dtype(), Rounding::kNearestEven);
  kernel->p = p == -1.0f ? INFINITY : p;
  kernel->add = add_fn_of(kernel->p);
  // The zero norm has no gradient.
  kernel->others = p == 0.0f ? 0 : x2.shape()[x2.rank() - 2];
  kernel->width = x1.shape().back();
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
