// Host functions in streams.
// SPDX-License-Identifier: MIT
#include "core/callback.hpp"

#include "acl/acl_rt.h"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::subscribe(threadId, *sim::resolve_stream(stream));
    return ACL_SUCCESS;
  });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::unsubscribe(threadId, *sim::resolve_stream(stream));
    return ACL_SUCCESS;
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return sim::entry(__func__, [&] {
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
      sim::fail(sim::kInvalidParam, "%d is not a block type", int(blockType));
    sim::launch_callback(fn, userData, blockType == ACL_CALLBACK_BLOCK,
                         *sim::resolve_stream(stream));
    return ACL_SUCCESS;
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return sim::entry(__func__, [&] {
    sim::require_timeout(timeout, sim::kInvalidParam);
    sim::process_report(sim::deadline_after(timeout));
    return ACL_SUCCESS;
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return sim::entry_of_release(__func__, [&] {
    sim::launch_host_function(fn, args, *sim::resolve_stream(stream));
    return ACL_SUCCESS;
  });
}
