// What lists of grouped products must be: types that go together, shapes that agree, formats.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/moe/grouped_matmul.hpp"

namespace pyaclnn::sim {

constexpr DtypeSet kWords{ACL_UINT64, ACL_INT64};  // of aclnnTransQuantParam
constexpr DtypeSet kNarrowFloats{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8, ACL_FLOAT4_E2M1,
                                 ACL_FLOAT4_E1M2};

inline bool is_given(const TensorListIn& list) { return list.given() && !list.tensors.empty(); }

/// The type of its first tensor; undefined where it is not given.
inline aclDataType type_of(const TensorListIn& list) {
  return is_given(list) ? list.tensors[0].dtype() : ACL_DT_UNDEFINED;
}

/// The matrices, or for groups of the inner axis the products.
std::int64_t experts_of(const GroupedProducts& products);

/// Whether weights of int4 are multiplied with integers.
bool is_int4_beside_whole(const GroupedProducts& products);

/// Refuses lists that do not fit one another.
void check_grouped(const Check& check, const GroupedProducts& products);

/// What the kernel that splits int8 in two int4 asks of the depth and of its parts' scales.
void check_split_rows(const Plan& plan, const GroupedProducts& products);

}  // namespace pyaclnn::sim
