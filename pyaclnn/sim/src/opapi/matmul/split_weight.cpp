// Products with weights of float32 in two halves.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <utility>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/MatmulEmuSplitWeight.hpp"

namespace pyaclnn::sim {

/// y = x @ high + scale * (x @ low): a weight of float32 in two of bfloat16.
void matmul_split_weight(const Check& check, Plan& plan, const MatmulEmuSplitWeightParameters& c) {
  check.not_null(c.x, c.wHigh, c.wLow, c.y);
  check.dtype_in(DtypeSet{ACL_BF16}, c.x, c.wHigh, c.wLow);
  check.that(c.yDtype == 0, "yDtype is %d, it must be 0", int(c.yDtype));
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.y);
  for (const TensorArgument* tensor : {&c.x, &c.wHigh, &c.wLow, &c.y})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s must be in the format ND",
               tensor->name());
  constexpr float kScale = 1.0f / 256, kNear = 1e-7f;
  check.that(std::fabs(c.wLowScale - kScale) <= kNear, "wLowScale is %g, it must be 1 / 256",
             double(c.wLowScale));
  for (const TensorArgument* tensor : {&c.x, &c.wHigh, &c.wLow, &c.y})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, not 2", tensor->name(), tensor->rank());
  const std::int64_t m = c.x.shape()[0], k = c.x.shape()[1], n = c.wHigh.shape()[1];
  constexpr std::int64_t kMost = 0x7FFFFFFF;
  for (const std::int64_t extent : {m, k, n})
    check.that(extent > 0 && extent <= kMost, "an axis has %lld elements", ll(extent));
  check.shape_is(c.wHigh, Dims{k, n}, "the depth of x");
  check.shape_is(c.wLow, Dims{k, n}, "wHigh");
  check.shape_is(c.y, Dims{m, n}, "the product");
  needs_kernel(plan, on_950());
  for (const TensorArgument* tensor : {&c.x, &c.wHigh, &c.wLow}) plan.stage(*tensor).contiguous();
  const TensorArgument first = plan.scratch("high", ACL_FLOAT, c.y.shape());
  Gemm high, low;
  high.a = low.a = plan.reads(c.x);
  high.b = plan.reads(c.wHigh);
  high.out = plan.writes(first);
  launch_gemm(plan, std::move(high));
  low.b = plan.reads(c.wLow);
  low.alpha = c.wLowScale;
  low.addend = plan.reads(first);
  low.out = plan.writes(c.y);
  launch_gemm(plan, std::move(low));
}

}  // namespace pyaclnn::sim
