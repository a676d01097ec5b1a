// SPDX-License-Identifier: MIT
#include "opapi/activation/swiglu_variants.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/pointwise/math.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kGrain = 16384;  // pairs worth a hand-over to another thread

using ForwardFn = void (*)(const GateNumbers*, std::int64_t, const float*, const float*, float*);
/// grad, a, b to the gradients of a and b.
using BackwardFn = void (*)(const GateNumbers*, std::int64_t, const float*, const float*,
                            const float*, float*, float*);

SIM_ALWAYS_INLINE float sigmoid(float x) { return 1.0f / (1.0f + m::exp(-x)); }
SIM_ALWAYS_INLINE float at_most(float x, float limit) { return m::select(x > limit, limit, x); }
SIM_ALWAYS_INLINE float within(float x, float limit) {
  const float low = at_most(x, limit);
  return m::select(low < -limit, -limit, low);
}

struct Clipped {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const GateNumbers* n, std::int64_t count, const float* a,
                                    const float* b, float* y) {
    const GateNumbers numbers = *n;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float gate = at_most(a[i], numbers.limit);
      y[i] = gate * sigmoid(numbers.alpha * gate) * (within(b[i], numbers.limit) + numbers.bias);
    }
  }
};

struct ClippedAfter {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const GateNumbers* n, std::int64_t count, const float* a,
                                    const float* b, float* y) {
    const float limit = n->limit;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = at_most(a[i] * sigmoid(a[i]), limit) * within(b[i], limit);
  }
};

struct Situ {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const GateNumbers* n, std::int64_t count, const float* a,
                                    const float* b, float* y) {
    const GateNumbers numbers = *n;
    const bool bends = numbers.linear_beta > 0;
    const float linear = bends ? numbers.linear_beta : 1;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float up = m::select(bends, linear * m::tanh(b[i] / linear), b[i]);
      y[i] = numbers.beta * m::tanh(a[i] / numbers.beta) * sigmoid(a[i]) * up;
    }
  }
};

/// With `kOpen` values at the limit are cut off.
template <bool kOpen>
struct ClippedBackward {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const GateNumbers* n, std::int64_t count, const float* grad,
                                    const float* a, const float* b, float* grad_a, float* grad_b) {
    const GateNumbers numbers = *n;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float gate = at_most(a[i], numbers.limit);
      const float s = sigmoid(numbers.alpha * gate);
      const float other = within(b[i], numbers.limit) + numbers.bias;
      const float magnitude = m::select(b[i] < 0, -b[i], b[i]);
      const bool a_passes = kOpen ? a[i] < numbers.limit : a[i] <= numbers.limit;
      const bool b_passes = kOpen ? magnitude < numbers.limit : magnitude <= numbers.limit;
      const float slope = s * (1 + numbers.alpha * gate * (1 - s));
      grad_a[i] = grad[i] * other * slope * m::select(a_passes, 1.0f, 0.0f);
      grad_b[i] = grad[i] * gate * s * m::select(b_passes, 1.0f, 0.0f);
    }
  }
};

struct SituBackward {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const GateNumbers* n, std::int64_t count, const float* grad,
                                    const float* a, const float* b, float* grad_a, float* grad_b) {
    const GateNumbers numbers = *n;
    const float beta = numbers.beta;
    const bool bends = numbers.linear_beta > 0;
    const float linear = bends ? numbers.linear_beta : 1;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float t = m::tanh(a[i] / beta);
      const float s = sigmoid(a[i]);
      const float bent = m::tanh(b[i] / linear);
      const float up = m::select(bends, linear * bent, b[i]);
      const float up_slope = m::select(bends, 1 - bent * bent, 1.0f);
      grad_a[i] = grad[i] * up * s * ((1 - t * t) + beta * t * (1 - s));
      grad_b[i] = grad[i] * beta * t * s * up_slope;
    }
  }
};

ForwardFn forward_of(SwigluGate gate) {
  const auto of = [](auto loop) {
    return wide_loop_for_cpu<decltype(loop), const GateNumbers*, std::int64_t, const float*,
                             const float*, float*>();
  };
  if (gate == SwigluGate::kSitu) return of(Situ());
  return gate == SwigluGate::kClippedAfter ? of(ClippedAfter()) : of(Clipped());
}

BackwardFn backward_of(SwigluGate gate) {
  const auto of = [](auto loop) {
    return wide_loop_for_cpu<decltype(loop), const GateNumbers*, std::int64_t, const float*,
                             const float*, const float*, float*, float*>();
  };
  if (gate == SwigluGate::kSitu) return of(SituBackward());
  return gate == SwigluGate::kClippedInside ? of(ClippedBackward<true>())
                                            : of(ClippedBackward<false>());
}

/// How many rows the groups have, read when it runs.
std::int64_t rows_of_groups(const View& groups, const KernelMemory& memory, std::int64_t rows) {
  // No sum of counts overflows it, and what is exact is more than any tensor has rows.
  double sum = 0;
  for (std::int64_t i = 0; i < groups.shape[0]; ++i) {
    std::int64_t count;
    std::memcpy(&count, first_element(memory, groups, i * groups.strides[0]), sizeof count);
    sum += double(count);
  }
  if (!(sum > 0)) return 0;
  return sum < double(rows) ? static_cast<std::int64_t>(sum) : rows;
}

struct Kernel {
  GatedRows call;
  std::int64_t rows = 1;
  std::int64_t half = 1;
  RowMajor x;
  RowMajor weight;
  RowMajor grad;  // of the output; given for the gradient
  RowMajor out;   // or the gradient of x
  std::optional<View> groups;
  ForwardFn forward = nullptr;
  BackwardFn backward = nullptr;

  /// The two operands of some pairs of a row, and where they come from.
  struct Pairs {
    alignas(64) float whole[2 * kBlock];
    alignas(64) float first[kBlock];
    alignas(64) float second[kBlock];
    const float* a = nullptr;
    const float* b = nullptr;
  };

  std::int64_t gate_at(std::int64_t row, std::int64_t at, bool second) const {
    return row * 2 * half + (second ? half : 0) + at;
  }

  void read(const RowMajorAccess& from, std::int64_t row, std::int64_t at, std::int64_t count,
            Pairs& pairs) const {
    if (!call.interleaved) {
      pairs.a = from.read(gate_at(row, at, call.swapped), count, pairs.first);
      pairs.b = from.read(gate_at(row, at, !call.swapped), count, pairs.second);
      return;
    }
    const float* both = from.read((row * half + at) * 2, 2 * count, pairs.whole);
    for (std::int64_t i = 0; i < count; ++i) {
      pairs.first[i] = both[2 * i];
      pairs.second[i] = both[2 * i + 1];
    }
    pairs.a = pairs.first;
    pairs.b = pairs.second;
  }

  void write(const RowMajorAccess& to, std::int64_t row, std::int64_t at, std::int64_t count,
             const float* a, const float* b, float* whole) const {
    if (!call.interleaved) {
      to.write(gate_at(row, at, call.swapped), count, a);
      to.write(gate_at(row, at, !call.swapped), count, b);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      whole[2 * i] = a[i];
      whole[2 * i + 1] = b[i];
    }
    to.write((row * half + at) * 2, 2 * count, whole);
  }

  void run(const KernelMemory& memory) const {
    const std::int64_t wanted = groups ? rows_of_groups(*groups, memory, rows) : rows;
    const std::int64_t blocks = (half + kBlock - 1) / kBlock;
    const std::int64_t grain =
        std::max<std::int64_t>(1, kGrain / std::min<std::int64_t>(half, kBlock));
    const std::int64_t last = backward != nullptr ? rows : wanted;
    parallel_for(last * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      const RowMajorAccess in(x, memory);
      const RowMajorAccess results(out, memory);
      const RowMajorAccess weights(weight, memory);
      const RowMajorAccess gradients(grad, memory);
      Pairs pairs;
      Pairs found;
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t row = i / blocks;
        const std::int64_t at = i % blocks * kBlock;
        const std::int64_t count = std::min(kBlock, half - at);
        if (row >= wanted) {
          std::fill(found.first, found.first + count, 0.0f);
          write(results, row, at, count, found.first, found.first, found.whole);
          continue;
        }
        read(in, row, at, count, pairs);
        float factor = 1;
        if (weights.given()) factor = *weights.read(row, 1, &factor);
        if (backward == nullptr) {
          forward(&call.numbers, count, pairs.a, pairs.b, found.first);
          if (weights.given())
            for (std::int64_t k = 0; k < count; ++k) found.first[k] *= factor;
          results.write(row * half + at, count, found.first);
          continue;
        }
        const float* given = gradients.read(row * half + at, count, found.whole);
        if (weights.given()) {
          for (std::int64_t k = 0; k < count; ++k) found.whole[k] = given[k] * factor;
          given = found.whole;
        }
        backward(&call.numbers, count, given, pairs.a, pairs.b, found.first, found.second);
        write(results, row, at, count, found.first, found.second, pairs.whole);
      }
    });
  }
};

std::shared_ptr<Kernel> kernel_of(Plan& plan, const GatedRows& call, const TensorArgument& x,
                                  const TensorArgument* weight, const TensorArgument* groups) {
  auto kernel = std::make_shared<Kernel>();
  kernel->call = call;
  kernel->rows = x.shape().product(0, call.axis);
  kernel->half = x.shape().product(call.axis) / 2;
  plan.stage(x).contiguous();
  kernel->x = RowMajor(plan.reads(x));
  if (weight != nullptr && weight->given()) {
    plan.stage(*weight).contiguous();
    kernel->weight = RowMajor(plan.reads(*weight));
  }
  if (groups != nullptr && groups->given()) {
    plan.stage(*groups).contiguous();
    kernel->groups = plan.reads(*groups);
  }
  return kernel;
}

}  // namespace

GateRow gate_row(SwigluGate gate) { return forward_of(gate); }

void check_groups(const Plan& plan, const TensorArgument& groups, std::int64_t most) {
  if (!groups.given()) return;
  check_tiling(plan, groups.rank() == 1, "%s has %zu dimensions, it must have one", groups.name(),
               groups.rank());
  check_tiling(plan, groups.dtype() == ACL_INT64, "%s must be int64", groups.name());
  check_tiling(plan, groups.elements() > 0 && groups.elements() <= most,
               "%s has %lld elements, it must have 1 to %lld", groups.name(),
               static_cast<long long>(groups.elements()), static_cast<long long>(most));
}

void check_row_weights(const Plan& plan, const TensorArgument& weight, const TensorArgument& x) {
  if (!weight.given()) return;
  check_tiling(plan, weight.dtype() == ACL_FLOAT, "%s must be float32", weight.name());
  check_tiling(plan, weight.rank() >= 1 && weight.rank() <= 8,
               "%s has %zu dimensions, it must have 1 to 8", weight.name(), weight.rank());
  const std::int64_t rows = x.elements() / x.shape().back();
  check_tiling(plan, weight.elements() == rows, "%s has %lld elements, x has %lld rows",
               weight.name(), static_cast<long long>(weight.elements()),
               static_cast<long long>(rows));
}

void check_not_empty(const Plan& plan, const TensorArgument& tensor) {
  check_tiling(plan, !tensor.is_empty(), "%s is empty: %s", tensor.name(),
               tensor.shape().text().c_str());
}

void check_dense(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    check.that(!tensor->given() || tensor->meta().is_contiguous(),
               "%s is a strided view, which this operator takes for a contiguous tensor",
               tensor->name());
}

void gated_rows(Plan& plan, const GatedRows& call, const TensorArgument& x,
                const TensorArgument* weight, const TensorArgument* groups,
                const TensorArgument& out) {
  auto kernel = kernel_of(plan, call, x, weight, groups);
  plan.result(x.dtype(), out.shape()).copy_to(out);
  kernel->out = RowMajor(plan.writes(out));
  kernel->forward = forward_of(call.gate);
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

void gated_rows_backward(Plan& plan, const GatedRows& call, const TensorArgument& grad,
                         const TensorArgument& x, const TensorArgument* weight,
                         const TensorArgument* groups, const TensorArgument& grad_x) {
  auto kernel = kernel_of(plan, call, x, weight, groups);
  plan.stage(grad).contiguous();
  plan.result(x.dtype(), grad_x.shape()).copy_to(grad_x);
  kernel->grad = RowMajor(plan.reads(grad));
  kernel->out = RowMajor(plan.writes(grad_x));
  kernel->backward = backward_of(call.gate);
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

void check_swiglu_group_grad(const Check& check, const TensorArgument& grad,
                             const TensorArgument& x, const TensorArgument& weight,
                             const TensorArgument& y, const TensorArgument& groups,
                             const TensorArgument& grad_x, const TensorArgument& grad_weight) {
  const std::size_t rank = grad.rank();
  check.that(rank == 2 || rank == 3, "gradY has %zu dimensions, it must have 2 or 3", rank);
  const std::int64_t half = grad.shape().back();
  Dims whole = grad.shape();
  check.that(x.rank() == rank && x.shape().back() / 2 == half && x.shape().back() % 2 == 0,
             "x has shape %s, its rows must be twice those of gradY, %s", x.shape().text().c_str(),
             grad.shape().text().c_str());
  whole.set(rank - 1, x.shape().back());
  check.shape_is(x, whole, "gradY's with rows of twice the length");
  check.that(half > 0, "gradY has rows of no elements");
  check.same_shape(x, grad_x);
  if (weight.given()) {
    const std::int64_t rows = grad.elements() / half;
    check.that(weight.elements() == rows, "weightOptional has %lld elements, gradY has %lld rows",
               static_cast<long long>(weight.elements()), static_cast<long long>(rows));
    check.same_shape(weight, grad_weight);
    check.same_shape(grad, y);
  }
  if (groups.given())
    check.that(groups.rank() == 1 && groups.elements() > 0,
               "groupIndexOptional has shape %s, it must be a list of one number or more",
               groups.shape().text().c_str());
}

void check_swiglu_group_quant_grad(const Plan& plan, const TensorArgument& grad,
                                   const TensorArgument& x, const TensorArgument& weight,
                                   const TensorArgument& y, const TensorArgument& groups,
                                   const TensorArgument& grad_x,
                                   const TensorArgument& grad_weight) {
  const std::size_t rank = x.rank();
  check_tiling(plan, rank >= 1 && grad.rank() == rank && x.shape().back() % 2 == 0,
               "gradY has shape %s beside x of shape %s", grad.shape().text().c_str(),
               x.shape().text().c_str());
  Dims of_grad = x.shape(), of_rows = x.shape();
  of_grad.set(rank - 1, x.shape().back() / 2);
  of_rows.set(rank - 1, 1);
  check_tiling(plan, grad.shape() == of_grad, "gradY must have shape %s", of_grad.text().c_str());
  check_tiling(plan, !weight.given() || weight.shape() == of_rows, "weightOptional has shape %s",
               weight.given() ? weight.shape().text().c_str() : "");
  check_tiling(plan, !weight.given() || y.given(), "yOriginOptional is null beside a weight");
  check_tiling(plan, !y.given() || y.shape() == of_grad, "yOriginOptional has shape %s",
               y.given() ? y.shape().text().c_str() : "");
  check_groups(plan, groups, std::numeric_limits<std::int64_t>::max());
  check_tiling(plan, grad_x.shape() == x.shape(), "gradXOut has shape %s",
               grad_x.shape().text().c_str());
  check_tiling(plan, !weight.given() || (grad_weight.given() && grad_weight.shape() == of_rows),
               "gradWeightOutOptional must have the shape of weightOptional");
  check_not_empty(plan, x);
}

void row_products(Plan& plan, const TensorArgument& a, const TensorArgument& b,
                  const TensorArgument& out, const TensorArgument* groups) {
  plan.stage(a).contiguous();
  plan.stage(b).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  struct Products {
    RowMajor a;
    RowMajor b;
    RowMajor out;
    std::int64_t length;
    std::optional<View> groups;
  };
  auto products = std::make_shared<Products>(Products{RowMajor(plan.reads(a)),
                                                      RowMajor(plan.reads(b)),
                                                      RowMajor(plan.writes(out)),
                                                      a.shape().back(),
                                                      {}});
  if (groups != nullptr && groups->given()) {
    plan.stage(*groups).contiguous();
    products->groups = plan.reads(*groups);
  }
  plan.launch([products](const KernelMemory& memory) {
    const std::int64_t length = products->length, rows = products->out.count();
    const std::int64_t wanted =
        products->groups ? rows_of_groups(*products->groups, memory, rows) : rows;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / length);
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      const RowMajorAccess first(products->a, memory);
      const RowMajorAccess second(products->b, memory);
      const RowMajorAccess sums(products->out, memory);
      alignas(64) float buffers[2][kBlock];
      for (std::int64_t row = begin; row < end; ++row) {
        double sum = 0;
        for (std::int64_t at = 0; row < wanted && at < length; at += kBlock) {
          const std::int64_t count = std::min(kBlock, length - at);
          const float* x = first.read(row * length + at, count, buffers[0]);
          const float* y = second.read(row * length + at, count, buffers[1]);
          for (std::int64_t i = 0; i < count; ++i) sum += double(x[i]) * double(y[i]);
        }
        const float value = static_cast<float>(sum);
        sums.write(row, 1, &value);
      }
    });
  });
}

}  // namespace pyaclnn::sim
