// Contexts and system options.
// SPDX-License-Identifier: MIT
#include "core/context.hpp"

#include "acl/acl_rt.h"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(context, "context");
    *context = sim::create_context(deviceId);
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(context, "context");
    sim::destroy_context(context);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(context, "context");
    sim::set_current_context(context);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(context, "context");
    sim::current_context();
    *context = sim::current_context_handle();
    return ACL_SUCCESS;
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::current_context()->default_stream(stream);
    return ACL_SUCCESS;
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(value, "value");
    sim::SysParams::require(opt);
    *value = sim::current_context()->params().get(opt);
    return ACL_SUCCESS;
  });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return sim::entry(__func__, [&] {
    sim::SysParams::require(opt);
    sim::current_context()->params().set(opt, value);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(value, "value");
    *value = sim::process_params().get(opt);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return sim::entry(__func__, [&] {
    sim::process_params().set(opt, value);
    return ACL_SUCCESS;
  });
}
