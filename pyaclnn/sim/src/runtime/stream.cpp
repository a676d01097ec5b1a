// Streams.
// SPDX-License-Identifier: MIT
#include <cstring>

#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/stream_impl.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

// Synchronising these means nothing: they do not run work by themselves on a device.
constexpr uint32_t kUnwaited =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

void synchronize(aclrtStream handle, int64_t timeout_ms) {
  auto stream = sim::resolve_stream_of_any_context(handle);
  if ((stream->options().flags & kUnwaited) == 0)
    stream->synchronize(sim::deadline_after(timeout_ms));
}

}  // namespace

aclError aclrtCreateStream(aclrtStream* stream) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    *stream = sim::create_stream(0, 0);
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    *stream = sim::create_stream(priority, flag);
    return ACL_SUCCESS;
  });
}

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  return sim::entry_or_null(__func__, [&] { return new aclrtStreamConfigHandle{}; });
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    delete handle;
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    sim::require_not_null(attrValue, "attrValue");
    auto store = [&](void* field, size_t size) {
      if (valueSize != size)
        sim::fail(sim::kInvalidParam, "attribute %d has %zu bytes, not %zu", int(attr), size,
                  valueSize);
      std::memcpy(field, attrValue, size);
    };
    switch (attr) {
      case ACL_RT_STREAM_WORK_ADDR_PTR:
        store(&handle->workptr, sizeof handle->workptr);
        break;
      case ACL_RT_STREAM_WORK_SIZE:
        store(&handle->workSize, sizeof handle->workSize);
        break;
      case ACL_RT_STREAM_FLAG:
        store(&handle->flag, sizeof handle->flag);
        break;
      case ACL_RT_STREAM_PRIORITY:
        store(&handle->priority, sizeof handle->priority);
        break;
      default:
        sim::fail(sim::kInvalidParam, "%d is not a stream attribute", int(attr));
    }
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::require_not_null(handle, "handle");
    *stream = sim::create_stream(handle->priority, uint32_t(handle->flag));
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::destroy_stream(stream, false);
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::destroy_stream(stream, true);
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return sim::entry(__func__, [&] {
    synchronize(stream, -1);
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return sim::entry(__func__, [&] {
    sim::require_timeout(timeout, sim::kRtParamInvalid);
    synchronize(stream, timeout);
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(status, "status");
    auto queried = sim::resolve_stream_of_any_context(stream);
    queried->require_uncaptured("what was submitted since does not run");
    bool idle = queried->is_idle();
    queried->report_failure();
    *status = idle ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(streamId, "streamId");
    *streamId = sim::resolve_stream(stream)->id();
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return sim::entry_since_9_0(__func__, [&] {
    sim::require_not_null(priority, "priority");
    *priority = sim::resolve_stream(stream)->options().priority;
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return sim::entry_since_9_0(__func__, [&] {
    sim::require_not_null(flags, "flags");
    *flags = sim::resolve_stream(stream)->options().flags;
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return sim::entry(__func__, [&] {
    if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE)
      sim::fail(sim::kRtParamInvalid, "%llu is not a failure mode",
                static_cast<unsigned long long>(mode));
    auto changed = sim::resolve_stream(stream);
    bool has_default_mode =
        sim::config().soc != sim::Soc::kAscend910 && sim::config().soc != sim::Soc::kAscend310P;
    if (changed->options().is_default && !has_default_mode)
      sim::fail(sim::kRtParamInvalid, "the default stream of this chip has no failure mode");
    if (!changed->set_failure_mode(mode == ACL_STOP_ON_FAILURE))
      sim::fail(sim::kRtParamInvalid, "the failure mode of a stream is set only once");
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return sim::entry(__func__, [&] {
    auto aborted = sim::resolve_stream(stream);
    if (aborted->on_own_thread())
      sim::fail(sim::kRtParamInvalid, "a host function cannot abort its own stream");
    aborted->require_uncaptured("end the capture instead");
    aborted->abandon_queue();
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return sim::entry_since_9_0(__func__, [&] {
    sim::require_not_null(streamCount, "streamCount");
    *streamCount = uint32_t(sim::stream_limit() - sim::stream_count(sim::current_device()));
    return ACL_SUCCESS;
  });
}
