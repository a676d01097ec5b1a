// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "aclnnop/aclnn_dropout_backward.h"
#include "aclnnop/aclnn_dropout_v3_grad.h"
#include "core/thread_pool.hpp"
#include "objects/half.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

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

void check_shapes(const Check& check, const TensorArgument& grad, const TensorArgument& mask,
                  const TensorArgument& out) {
  check.rank_at_most(8, grad);
  check.same_shape(grad, out);
  const std::int64_t bytes = (grad.elements() + 127) / 128 * 16;
  check.that(
      mask.elements() == bytes,
      "mask has %lld elements, it must have %lld: a bit for each element of %s, filled up to "
      "128 bits",
      static_cast<long long>(mask.elements()), static_cast<long long>(bytes), grad.name());
}

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

// out = bit of mask ? gradOutput / (1 - p) : 0 with p = 1 - 1 / scale, or 1 where scale is 0. A p
// of 0 copies the gradient and one of 1 gives zeros, whatever the mask is. Element i of the
// flattened gradient has bit i % 8 of byte i / 8.
OPERATOR(DropoutBackward, (In, gradOutput), (In, mask), (Double, scale), (Out, out)) {
  check.not_null(gradOutput, mask, out);
  check_castable(check, gradOutput.dtype(), out);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOutput);
  check.dtype_in(DtypeSet{ACL_UINT8}, mask);
  const double p = is_near(scale, 0.0) ? 1.0 : 1.0 - 1.0 / double(scale);
  check.that(!(p > 1 || p < 0), "scale is %g, it must be 0 or from 1 on", double(scale));
  check_shapes(check, gradOutput, mask, out);
  if (gradOutput.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.result(gradOutput.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  if (is_near(p, 1.0)) {
    launch_zero(plan, out);
  } else if (is_near(p, 0.0)) {
    elementwise_cast(plan, out, gradOutput.dtype(), [](float g) { return g; }, gradOutput);
  } else {
    launch(plan, gradOutput, mask, out, as_dtype(1.0 - p, gradOutput.dtype()), 1.0f);
  }
}

// gradX = bit of mask ? gradY scale : 0, for any scale. Only the 950 has this operator.
OPERATOR(DropoutV3Grad, (In, gradY), (In, mask), (Double, scale), (Out, gradX)) {
  check.since_cann_9_0();
  check.that(on_950(), "%s does not have this operator, the 950 has", config().soc_name.c_str());
  check.not_null(gradY, mask, gradX);
  check_castable(check, gradY.dtype(), gradX);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, gradY);
  check.dtype_in(DtypeSet{ACL_UINT8}, mask);
  check_shapes(check, gradY, mask, gradX);
  if (gradY.is_empty()) return;

  plan.stage(gradY).contiguous();
  plan.result(gradY.dtype(), gradX.shape()).cast_to(gradX.dtype()).copy_to(gradX);
  launch(plan, gradY, mask, gradX, 1.0f, static_cast<float>(scale));
}
