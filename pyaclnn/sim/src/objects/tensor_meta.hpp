// The description of a tensor.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "acl/acl_base.h"
#include "core/export.hpp"
#include "objects/dims.hpp"

namespace pyaclnn::sim {

/// Everything about a tensor but its address. Strides and offset count elements.
struct TensorMeta {
  Dims shape;
  Dims strides;
  Dims storage_shape;
  std::int64_t offset = 0;
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  /// All of the above in bytes, for the op cache: written once, as plans are looked up often.
  std::string key;

  SIM_API void write_key();
  std::int64_t elements() const { return shape.product(); }
  bool is_empty() const { return elements() == 0; }
  /// As CANN decides it: extents of 1 do not count, at most one element is always contiguous,
  /// private formats are never strided.
  SIM_API bool is_contiguous() const;
};

/// Extremes of the element indices a view reaches, relative to the start of the storage.
struct Reach {
  std::int64_t first = 0;
  std::int64_t last = -1;  // below first: nothing is reached
  bool empty() const { return last < first; }
};

/// Where a view lies in its storage; saturates when indices do not fit 64 bits.
SIM_API Reach reach_of(const TensorMeta& meta);

}  // namespace pyaclnn::sim
