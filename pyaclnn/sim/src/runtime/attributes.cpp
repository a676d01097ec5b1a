// Attributes of streams, and how arithmetic answers overflow.
// SPDX-License-Identifier: MIT
#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/stream_impl.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

void set_failure_mode(sim::Stream& stream, uint64_t mode) {
  if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE)
    sim::fail(sim::kRtParamInvalid, "%llu is not a failure mode",
              static_cast<unsigned long long>(mode));
  bool has_default_mode =
      sim::chip().soc != sim::Soc::kAscend910 && sim::chip().soc != sim::Soc::kAscend310P;
  if (stream.options().is_default && !has_default_mode)
    sim::fail(sim::kRtParamInvalid, "the default stream of this chip has no failure mode");
  if (!stream.set_failure_mode(mode == ACL_STOP_ON_FAILURE))
    sim::fail(sim::kRtParamInvalid, "the failure mode of a stream is set only once");
}

/// Watching for overflow goes with arithmetic that saturates, and no kernel here does.
void set_overflow_switch(sim::Stream& stream, uint32_t flag) {
  if (flag > 1) sim::fail(sim::kRtParamInvalid, "%u is neither 0 nor 1", flag);
  stream.require_uncaptured("its overflow switch stays");
  sim::fail(sim::kRtNotSupported,
            "overflow is watched only where arithmetic saturates; here it gives Inf and NaN");
}

[[noreturn]] void refuse_attribute(aclrtStreamAttr attribute) {
  sim::fail(sim::kRtParamInvalid, "%d is not an attribute of a stream", int(attribute));
}

}  // namespace

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return sim::entry(__func__, [&] {
    set_failure_mode(*sim::resolve_stream(stream), mode);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(value, "value");
    auto changed = sim::resolve_stream(stream);
    switch (stmAttrType) {
      case ACL_STREAM_ATTR_FAILURE_MODE:
        set_failure_mode(*changed, value->failureMode);
        break;
      case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
        set_overflow_switch(*changed, value->overflowSwitch);
        break;
      case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
        changed->attributes().tag.store(value->userCustomTag);
        break;
      case ACL_STREAM_ATTR_CACHE_OP_INFO:
        if (value->cacheOpInfoSwitch > 1)
          sim::fail(sim::kRtParamInvalid, "%u is neither 0 nor 1", value->cacheOpInfoSwitch);
        changed->attributes().cache_op_info.store(value->cacheOpInfoSwitch);
        break;
      default:
        refuse_attribute(stmAttrType);
    }
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(value, "value");
    auto asked = sim::resolve_stream(stream);
    switch (stmAttrType) {
      case ACL_STREAM_ATTR_FAILURE_MODE:
        value->failureMode =
            asked->stops_on_failure() ? ACL_STOP_ON_FAILURE : ACL_CONTINUE_ON_FAILURE;
        break;
      case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
        value->overflowSwitch = 0;
        break;
      case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
        value->userCustomTag = asked->attributes().tag.load();
        break;
      case ACL_STREAM_ATTR_CACHE_OP_INFO:
        value->cacheOpInfoSwitch = asked->attributes().cache_op_info.load();
        break;
      default:
        refuse_attribute(stmAttrType);
    }
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return sim::entry(__func__, [&] {
    if (flag > 1) sim::fail(sim::kInvalidParam, "%u is neither 0 nor 1", flag);
    set_overflow_switch(*sim::resolve_stream(stream), flag);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(flag, "flag");
    sim::resolve_stream(stream);
    *flag = 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return sim::entry(__func__, [&] {
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN)
      sim::fail(sim::kRtParamInvalid, "%d is not an overflow mode", int(mode));
    bool infinities = mode == ACL_RT_OVERFLOW_MODE_INFNAN;
    if (infinities == sim::chip().keeps_infinities) return ACL_SUCCESS;
    sim::fail(sim::kRtNotSupported, infinities
                                        ? "arithmetic of this chip saturates and cannot give Inf"
                                        : "saturating arithmetic is not simulated: results "
                                          "beyond the range are Inf");
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(mode, "mode");
    *mode = sim::chip().keeps_infinities ? ACL_RT_OVERFLOW_MODE_INFNAN
                                         : ACL_RT_OVERFLOW_MODE_SATURATION;
    return ACL_SUCCESS;
  });
}
