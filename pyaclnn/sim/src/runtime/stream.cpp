// Streams.
// SPDX-License-Identifier: MIT
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

#include "acl/acl_rt.h"
#include "core/context.hpp"
#include "core/stream_impl.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

// Synchronising these means nothing: they do not run work by themselves on a device.
constexpr uint32_t kUnwaited =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

/// The configurations that exist: a caller holds the address of one, not a handle that could tell.
class Configs {
 public:
  aclrtStreamConfigHandle* create() {
    auto made = std::make_unique<aclrtStreamConfigHandle>();
    std::lock_guard<std::mutex> guard(mutex_);
    live_.insert(made.get());
    return made.release();
  }

  void destroy(aclrtStreamConfigHandle* handle) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      require_live(handle);
      live_.erase(handle);
    }
    delete handle;
  }

  /// Calls use(*handle) while nobody can destroy it.
  template <class Use>
  void with(const aclrtStreamConfigHandle* handle, Use use) {
    std::lock_guard<std::mutex> guard(mutex_);
    require_live(handle);
    use(const_cast<aclrtStreamConfigHandle&>(*handle));
  }

 private:
  void require_live(const aclrtStreamConfigHandle* handle) const {
    if (live_.count(handle) == 0)
      sim::fail(sim::kInvalidParam,
                "%p is no stream configuration: it was destroyed already, or does not come from "
                "aclrtCreateStreamConfigHandle",
                static_cast<const void*>(handle));
  }

  std::mutex mutex_;
  std::set<const aclrtStreamConfigHandle*> live_;
};

Configs& configs() {
  static Configs& configs = *new Configs;
  return configs;
}

void set_option(aclrtStreamConfigHandle& config, aclrtStreamConfigAttr attribute, const void* value,
                size_t value_size) {
  auto store = [&](void* field, size_t size) {
    if (value_size != size)
      sim::fail(sim::kInvalidParam, "attribute %d has %zu bytes, not %zu", int(attribute), size,
                value_size);
    std::memcpy(field, value, size);
  };
  switch (attribute) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      return store(&config.workptr, sizeof config.workptr);
    case ACL_RT_STREAM_WORK_SIZE:
      return store(&config.workSize, sizeof config.workSize);
    case ACL_RT_STREAM_FLAG:
      return store(&config.flag, sizeof config.flag);
    case ACL_RT_STREAM_PRIORITY:
      return store(&config.priority, sizeof config.priority);
    default:
      sim::fail(sim::kInvalidParam, "%d is not a stream attribute", int(attribute));
  }
}

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
  return sim::entry_or_null(__func__, [&] { return configs().create(); });
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    configs().destroy(handle);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    sim::require_not_null(attrValue, "attrValue");
    configs().with(handle, [&](aclrtStreamConfigHandle& config) {
      set_option(config, attr, attrValue, valueSize);
    });
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::require_not_null(handle, "handle");
    aclrtStreamConfigHandle config{};
    configs().with(handle, [&](const aclrtStreamConfigHandle& found) { config = found; });
    *stream = sim::create_stream(config.priority, uint32_t(config.flag));
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
    const bool idle = queried->query();
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
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(priority, "priority");
    *priority = sim::resolve_stream(stream)->options().priority;
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(flags, "flags");
    *flags = sim::resolve_stream(stream)->options().flags;
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
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(streamCount, "streamCount");
    *streamCount = uint32_t(sim::stream_limit() - sim::stream_count(sim::current_device()));
    return ACL_SUCCESS;
  });
}
