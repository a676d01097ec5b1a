// Grouped products on the 950 whose rows are added up over tokens: floats of few bits, and int8.
// SPDX-License-Identifier: MIT
#include "opapi/moe/combined_groups.hpp"
#include "opapi/common/blocks.hpp"

#include <cstdint>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/moe/scaled_groups.hpp"

namespace pyaclnn::sim {
namespace {

using Routing = GroupedMatmulFinalizeRoutingV3Parameters;

const DtypeSet kFloat4{ACL_FLOAT4_E2M1};
const DtypeSet kSmall{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_FLOAT4_E2M1};
const DtypeSet kBytes{ACL_INT8, ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8};

/// A call whose weight and its scales have the depth before the columns, as views.
struct Combination {
  const Check& check;
  const Routing& c;
  bool mx;
  bool mixed;  // float4 beside float8

  void types() const {
    const DtypeSet wide{ACL_FLOAT};
    check.that(mx || !mixed, "the scales must be float8_e8m0 beside float4 and float8");
    check.dtype_in(mx ? kSmall : kBytes, c.x1, c.x2);
    check.dtype_in(
        !mx && c.x1.dtype() == ACL_INT8 ? DtypeSet{ACL_INT64, ACL_INT32} : DtypeSet{ACL_INT64},
        c.rowIndexOptional);
    if (c.pertokenScaleOptional.given())
      check.dtype_in(mx ? DtypeSet{ACL_FLOAT8_E8M0} : wide, c.pertokenScaleOptional);
    for (const TensorArgument* tensor : {&c.biasOptional, &c.sharedInputOptional})
      if (tensor->given()) check.dtype_in(DtypeSet{ACL_BF16}, *tensor);
    check.dtype_in(DtypeSet{ACL_INT64}, c.groupListOptional);
    check.dtype_in(wide, c.logitOptional, c.out);
    check.that(mixed || (mx ? kFloat4.contains(c.x1.dtype()) == kFloat4.contains(c.x2.dtype())
                            : c.x1.dtype() == c.x2.dtype()),
               "x1 is %s, and x2 %s", dtype_name(c.x1.dtype()), dtype_name(c.x2.dtype()));
  }

  void rank(const TensorArgument& tensor, std::size_t expected) const {
    check.that(!tensor.given() || tensor.rank() == expected,
               "%s has %zu dimensions, it must have %zu", tensor.name(),
               tensor.given() ? tensor.rank() : 0, expected);
  }

  void ranks() const {
    for (const TensorArgument* tensor : {&c.x1, &c.out, &c.biasOptional, &c.sharedInputOptional})
      rank(*tensor, 2);
    rank(c.x2, 3);
    rank(c.scaleOptional, mx ? 4 : 3);
    for (const TensorArgument* tensor :
         {&c.groupListOptional, &c.logitOptional, &c.rowIndexOptional})
      rank(*tensor, 1);
    rank(c.pertokenScaleOptional, mx ? 3 : 1);
  }

  void shapes(const TensorArgument& weight, const TensorArgument& scale) const {
    constexpr std::int64_t kMostExperts = 1024;
    const std::int64_t m = c.x1.shape()[0], k = c.x1.shape()[1];
    const std::int64_t e = weight.shape()[0], n = weight.shape()[2];
    const std::int64_t pairs = mx_pairs(k);
    check.that(weight.shape()[1] == k && !is_turned(c.x1),
               "the depth of x1 is %lld, that of x2 %lld", ll(k), ll(weight.shape()[1]));
    check.shape_is(c.groupListOptional, Dims{e}, "the experts");
    check.that(e <= kMostExperts, "x2 has %lld experts, more than 1024", ll(e));
    check.that(k > 0, "the depth is 0");
    check.shape_is(scale, mx ? Dims{e, pairs, n, 2} : Dims{e, 1, n}, "experts and columns");
    check.that(!mx || has_turned_blocks(scale, 1) == is_turned(weight),
               "x2 and its scales must both be transposed, or neither");
    check.shape_is(c.logitOptional, Dims{m}, "the rows of x1");
    check.shape_is(c.rowIndexOptional, Dims{m}, "the rows of x1");
    check.shape_is(c.out, Dims{c.out.shape()[0], n}, "the columns");
    if (c.pertokenScaleOptional.given())
      check.shape_is(c.pertokenScaleOptional, mx ? Dims{m, pairs, 2} : Dims{m}, "the rows of x1");
    if (c.biasOptional.given()) check.shape_is(c.biasOptional, Dims{e, n}, "experts and columns");
    if (c.sharedInputOptional.given())
      check.shape_is(c.sharedInputOptional, Dims{c.sharedInputOptional.shape()[0], n},
                     "the columns");
    check.that(!mixed || (c.transposeX2 && k % kMxBlock == 0 && n % kMxBlock == 0),
               "x2 must be transposed, and have multiples of 32 of the depth and of columns");
    if (!kFloat4.contains(c.x1.dtype())) return;
    check.that(k % 2 == 0 && k != 2, "the depth is %lld, it must be even and more than 2", ll(k));
    check.that(is_turned(weight) || n % 2 == 0, "x2 has %lld columns, an odd number", ll(n));
  }

  void formats() const {
    const bool plain = mx && !mixed;
    check.that(plain   ? !kPrivateFormats.contains(c.x2.meta().format)
               : mixed ? is_nz(c.x2.meta().format)
                       : c.x2.meta().format == ACL_FORMAT_FRACTAL_NZ,
               "x2 must %sbe in FRACTAL_NZ", plain ? "not " : "");
    check_not_private(check, {&c.x1, &c.pertokenScaleOptional, &c.scaleOptional,
                              &c.groupListOptional, &c.logitOptional, &c.rowIndexOptional, &c.out,
                              &c.biasOptional, &c.sharedInputOptional});
  }

  void tiling(const Plan& plan) const {
    const std::int64_t tokens = c.out.shape()[0], first = c.sharedInputOffset;
    const std::int64_t shared =
        c.sharedInputOptional.given() ? c.sharedInputOptional.shape()[0] : 0;
    check_tiling(plan, c.groupListType == kGroupEnds || c.groupListType == kGroupSizes,
                 "groupListType is %lld, not 0 or 1", ll(c.groupListType));
    check_tiling(plan, first >= 0 && shared <= tokens && first <= tokens - shared,
                 "sharedInput has %lld rows from %lld on, out %lld", ll(shared), ll(first),
                 ll(tokens));
    check_tiling(plan, tokens <= c.x1.shape()[0], "out has %lld rows, more than x1", ll(tokens));
  }
};

}  // namespace

void combine_on_950(const Check& check, Plan& plan, const Routing& c) {
  check.not_null(c.x1, c.x2, c.out);
  check.that(c.x1.rank() > 1 && c.x2.rank() > 2, "x1 and x2 have %zu and %zu dimensions",
             c.x1.rank(), c.x2.rank());
  const auto turned = [&](const TensorArgument& tensor, std::size_t rank) {
    return c.transposeX2 && tensor.rank() == rank ? exchanged_axes(plan, tensor, 1)
                                                  : same_view(plan, tensor);
  };
  const TensorArgument weight = turned(c.x2, 3);
  if (c.x1.shape()[0] == 0 || weight.shape()[2] == 0) return;
  const bool mixed = c.x1.dtype() == ACL_FLOAT8_E4M3FN && c.x2.dtype() == ACL_FLOAT4_E2M1;
  check.not_null(c.scaleOptional);
  check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0, ACL_FLOAT, ACL_BF16}, c.scaleOptional);
  const Combination call{check, c, c.scaleOptional.dtype() == ACL_FLOAT8_E8M0, mixed};
  check.not_null(c.groupListOptional, c.logitOptional, c.rowIndexOptional);
  if (c.offsetOptional.given())
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s must be null", plan.api(), c.offsetOptional.name());
  if (call.mx) check.not_null(c.pertokenScaleOptional);
  call.types();
  call.ranks();
  const TensorArgument scale = turned(c.scaleOptional, 4);
  call.shapes(weight, scale);
  call.formats();
  call.tiling(plan);
  ScaledGroups rows(plan, c.x1, weight, is_nz(c.x2.meta().format), c.groupListOptional,
                    c.groupListType);
  if (call.mx) {
    rows.scale_by_blocks(plan, c.pertokenScaleOptional, scale);
  } else {
    rows.column_scale = StoredScales(plan, scale);
    if (c.pertokenScaleOptional.given())
      rows.row_scale = StoredScales(plan, c.pertokenScaleOptional);
  }
  if (c.biasOptional.given()) rows.bias = StoredScales(plan, c.biasOptional);
  combine_groups(plan, rows, c);
}

}  // namespace pyaclnn::sim
