// What the entry points of this library share.
// SPDX-License-Identifier: MIT
#pragma once

#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "core/handle_table.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {

/// Refuses a null argument.
inline void require(bool given, const char* argument, int code = ACLNN_ERR_PARAM_NULLPTR) {
  if (!given) fail(code, "%s is null", argument);
}

/// aclDestroy* of an object that owns nothing: null is no work.
template <class T>
aclnnStatus destroy(const char* function, HandleTable<T>& table, const void* handle) {
  return entry(function, [&] {
    if (handle != nullptr) table.remove(handle, ACLNN_ERR_PARAM_INVALID);
    return ACLNN_SUCCESS;
  });
}

}  // namespace pyaclnn::sim
