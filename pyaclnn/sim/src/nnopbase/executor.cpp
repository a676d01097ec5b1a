// SPDX-License-Identifier: MIT
#include "objects/executor.hpp"

#include "nnopbase/arguments.hpp"

using namespace pyaclnn::sim;

extern "C" {

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return entry("aclSetAclOpExecutorRepeatable", [&] {
    require(executor != nullptr, "executor", ACLNN_ERR_INNER_NULLPTR);
    const auto target = find_executor(executor);
    if (target->from_cache)
      fail(ACLNN_ERR_INNER,
           "an equal call of %s has run before, so this executor comes from the op cache and "
           "cannot be repeated; set DISABLE_L2_CACHE=1, or plan again for every run",
           target->prepared->api);
    target->repeatable = true;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return entry("aclDestroyAclOpExecutor", [&] {
    require(executor != nullptr, "executor", ACLNN_ERR_INNER_NULLPTR);
    find_executor(executor);
    executors().remove(executor, ACLNN_ERR_INNER);
    return ACLNN_SUCCESS;
  });
}

}  // extern "C"
