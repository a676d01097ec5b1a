// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/thread_pool.hpp"
#include "objects/half.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/embedding/gradients.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;   // elements held at a time, a multiple of 8
constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread

/// out[8 i + k] = bit k of bits[i] ? grad[8 i + k] / keep * scale : 0.
struct Mask {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* bits, std::int64_t bytes,
                                    float keep, float scale, float* out) {
    for (std::int64_t i = 0; i < bytes; ++i) {
      const auto byte = static_cast<std::uint32_t>(bits[i]);
      SIM_INDEPENDENT_ITERATIONS
      for (std::uint32_t k = 0; k < 8; ++k) {
        const float value = grad[8 * i + k] / keep * scale;
        out[8 * i + k] = vec::select((byte >> k & 1u) != 0, value, 0.0f);
      }
    }
  }
};

struct Kernel {
  RowMajor grad;
  RowMajor mask;
  RowMajor out;
  float keep = 1;
  float scale = 1;
  // To the type of the result and back, where that of the output is another.
  StoreFn round = nullptr;
  LoadFn unround = nullptr;

  void run(const KernelMemory& memory) const {
    static const auto apply =
        loop_for_cpu<Mask, const float*, const float*, std::int64_t, float, float, float*>();
    const RowMajorAccess grads(grad, memory);
    const RowMajorAccess bits(mask, memory);
    const RowMajorAccess results(out, memory);
    parallel_for(out.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        const std::int64_t bytes = (count + 7) / 8;
        alignas(64) float grad_values[kBlock] = {};
        alignas(64) float mask_values[kBlock / 8];
        alignas(64) float values[kBlock];
        const float* from = grads.read(at, count, grad_values);
        // The last byte may stand for more elements than there are.
        if (count % 8 != 0 && from != grad_values) {
          std::copy(from, from + count, grad_values);
          from = grad_values;
        }
        apply(from, bits.read(at / 8, bytes, mask_values), bytes, keep, scale, values);
        if (round != nullptr) {
          alignas(64) std::byte rounded[kBlock * 2];
          round(values, count, rounded, 1);
          unround(rounded, 1, count, values);
        }
        float* to = results.target(at, values);
        if (to != values) std::copy(values, values + count, to);
        results.write(at, count, to);
      }
    });
  }
};

void launch(Plan& plan, const TensorArgument& grad, const TensorArgument& mask,
            const TensorArgument& out, float keep, float scale) {
  plan.stage(mask).contiguous();
  auto kernel = std::make_shared<Kernel>();
  kernel->grad = RowMajor(plan.reads(grad));
  kernel->mask = RowMajor(plan.reads(mask));
  kernel->out = RowMajor(plan.writes(out));
  kernel->keep = keep;
  kernel->scale = scale;
  if (grad.dtype() != ACL_FLOAT && grad.dtype() != out.dtype()) {
    kernel->round = storer<float>(grad.dtype(), Rounding::kNearestEven);
    kernel->unround = loader<float>(grad.dtype());
  }
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

bool is_near(double a, double b) {
  return std::fabs(a - b) <= std::numeric_limits<double>::epsilon();
}

/// The share that is kept comes to the kernel in the type of the gradient.
float as_dtype(double value, aclDataType dtype) {
  const auto single = static_cast<float>(value);
  if (dtype == ACL_FLOAT16) return half_to_float(float_to_half(single));
  return dtype == ACL_BF16 ? bfloat16_to_float(float_to_bfloat16(single)) : single;
}

}  // namespace

double dropped_share(double scale) { return is_near(scale, 0.0) ? 1.0 : 1.0 - 1.0 / scale; }

void check_dropout_mask(const Check& check, const TensorArgument& grad,
                        const TensorArgument& mask) {
  const std::int64_t bytes = (grad.elements() + 127) / 128 * 16;
  check.that(
      mask.elements() == bytes,
      "mask has %lld elements, it must have %lld: a bit for each element of %s, filled up to "
      "128 bits",
      static_cast<long long>(mask.elements()), static_cast<long long>(bytes), grad.name());
}

void dropout_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& mask, double p,
                      const TensorArgument& out) {
  plan.stage(grad).contiguous();
  plan.result(grad.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  if (is_near(p, 1.0)) {
    launch_zero(plan, out);
  } else if (is_near(p, 0.0)) {
    elementwise_cast(plan, out, grad.dtype(), [](float g) { return g; }, grad);
  } else {
    launch(plan, grad, mask, out, as_dtype(1.0 - p, grad.dtype()), 1.0f);
  }
}

void dropout_v3_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& mask,
                         double scale, const TensorArgument& out) {
  plan.stage(grad).contiguous();
  plan.result(grad.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  launch(plan, grad, mask, out, 1.0f, static_cast<float>(scale));
}

}  // namespace pyaclnn::sim
