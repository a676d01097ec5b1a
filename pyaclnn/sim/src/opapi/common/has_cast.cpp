// SPDX-License-Identifier: MIT
#include "opapi/common/has_cast.hpp"

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/chip_family.hpp"

namespace pyaclnn::sim {
namespace {

bool has_cast(aclDataType from, aclDataType to) {
  constexpr DtypeSet kOld{ACL_BOOL,   ACL_FLOAT,  ACL_FLOAT16,   ACL_INT8,       ACL_INT16,
                          ACL_UINT16, ACL_UINT8,  ACL_INT32,     ACL_INT64,      ACL_UINT32,
                          ACL_UINT64, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128, ACL_BF16};
  constexpr DtypeSet kWide{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  constexpr DtypeSet kBytes{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8};
  constexpr DtypeSet kHalfBytes{ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
  if (kOld.contains(from) && kOld.contains(to)) return true;
  const auto either_way = [&](const DtypeSet& a, const DtypeSet& b) {
    return (a.contains(from) && b.contains(to)) || (b.contains(from) && a.contains(to));
  };
  return on_950() && (either_way(kWide, kBytes) || either_way(kWide | kBytes, kHalfBytes) ||
                      either_way({ACL_FLOAT16, ACL_COMPLEX64}, {ACL_COMPLEX32}) ||
                      (from == ACL_INT32 && to == ACL_INT4));
}

}  // namespace

void check_has_cast(const Plan& plan, aclDataType from, aclDataType to) {
  if (from == to || has_cast(from, to)) return;
  plan.find_kernel();
  fail(ACLNN_ERR_INNER_NULLPTR, "%s: there is no cast from %s to %s", plan.api(), dtype_name(from),
       dtype_name(to));
}

}  // namespace pyaclnn::sim
