// Types of elements and ways to put them together, and which a chip has.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {

/// What may be asked of a reducing function.
enum class Reducing { kToAll, kScatterV };

/// Bytes of an element; Failure(HCCL_E_NOT_SUPPORT) for what is no type, or none of this chip.
std::size_t element_size(HcclDataType type);

/// The type of a tensor's elements; Failure(HCCL_E_NOT_SUPPORT) for what is not added up.
HcclDataType data_type(aclDataType type);

/// "float32", "sum", ... as messages call them.
const char* type_name(HcclDataType type);
const char* reduction_name(HcclReduceOp op);

/// Failure(HCCL_E_NOT_SUPPORT) unless this chip reduces the type in that way.
void require_reducible(HcclDataType type, HcclReduceOp op, Reducing reducing);

/// Failure(HCCL_E_PARA) for more elements than the library counts.
void require_count(std::uint64_t count, const char* name);

}  // namespace pyaclnn::sim::hccl
