// Events and the waits made of them.
// SPDX-License-Identifier: MIT
#include "core/event.hpp"

#include <cstring>
#include <string>

#include "acl/acl_rt.h"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

std::shared_ptr<sim::Event> resolve(aclrtEvent event) {
  sim::require_not_null(event, "event");
  return sim::events().get(event, sim::kRtParamInvalid);
}

// The device counts in units of 20 ns.
constexpr int64_t kTick = 20;
int64_t in_ticks(int64_t nanoseconds) { return nanoseconds / kTick * kTick; }

}  // namespace

aclError aclrtCreateEvent(aclrtEvent* event) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(event, "event");
    *event = sim::create_event(sim::EventKind::kPlain, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(event, "event");
    *event = sim::create_event(sim::EventKind::kWithFlag, flag);
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(event, "event");
    *event = sim::create_event(sim::EventKind::kExWithFlag, flag);
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(event, "event");
    sim::events().remove(event, sim::kRtParamInvalid)->destroy();
    return ACL_SUCCESS;
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    auto recorded = resolve(event);
    recorded->record(*sim::resolve_stream(stream), "aclrtRecordEvent");
    return ACL_SUCCESS;
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    auto forgotten = resolve(event);
    forgotten->reset(*sim::resolve_stream(stream), "aclrtResetEvent");
    return ACL_SUCCESS;
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return sim::entry(__func__, [&] {
    auto queried = resolve(event);
    sim::require_not_null(status, "status");
    if (!queried->is_deprecated_query_allowed())
      sim::fail(sim::kRtNotSupported,
                "events of aclrtCreateEventExWithFlag are asked with aclrtQueryEventStatus");
    *status = queried->is_complete() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return ACL_SUCCESS;
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return sim::entry(__func__, [&] {
    auto queried = resolve(event);
    sim::require_not_null(status, "status");
    *status = queried->is_complete() ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                     : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return ACL_SUCCESS;
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return sim::entry(__func__, [&] {
    auto queried = resolve(event);
    sim::require_not_null(status, "status");
    *status = queried->has_pending_waits() ? ACL_EVENT_WAIT_STATUS_NOT_READY
                                           : ACL_EVENT_WAIT_STATUS_COMPLETE;
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return sim::entry(__func__, [&] {
    resolve(event)->synchronize(sim::deadline_after(-1));
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return sim::entry(__func__, [&] {
    sim::require_timeout(timeout, sim::kRtParamInvalid);
    resolve(event)->synchronize(sim::deadline_after(timeout));
    return ACL_SUCCESS;
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return sim::entry(__func__, [&] {
    constexpr double kNanosecondsPerMs = 1e6;
    sim::require_not_null(ms, "ms");
    int64_t start = in_ticks(resolve(startEvent)->timestamp());
    int64_t end = in_ticks(resolve(endEvent)->timestamp());
    *ms = float(double(end - start) / kNanosecondsPerMs);
    return ACL_SUCCESS;
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return sim::entry(__func__, [&] {
    constexpr int64_t kNanosecondsPerUs = 1000;
    sim::require_not_null(timestamp, "timestamp");
    *timestamp = uint64_t(resolve(event)->timestamp() / kNanosecondsPerUs);
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return sim::entry(__func__, [&] {
    auto awaited = resolve(event);
    awaited->make_wait(*sim::resolve_stream(stream), sim::default_wait_timeout_ms(),
                       "aclrtStreamWaitEvent");
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return sim::entry_of_release(__func__, [&] {
    auto awaited = resolve(event);
    sim::require_timeout(timeout, sim::kRtParamInvalid);
    awaited->make_wait(*sim::resolve_stream(stream), timeout, "aclrtStreamWaitEventWithTimeout");
    return ACL_SUCCESS;
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  return sim::entry(__func__, [&] {
    sim::current_device();
    sim::set_default_wait_timeout(timeout);
    return ACL_SUCCESS;
  });
}

// A limit on time that is not simulated: a processor may well take longer than an NPU, and what it
// cannot end PYACLNN_SIM_TASK_TIMEOUT ends. The call is checked only.
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return sim::entry(__func__, [&] {
    static_cast<void>(timeout);
    sim::current_device();
    return ACL_SUCCESS;
  });
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(actualTimeout, "actualTimeout");
    sim::current_device();
    *actualTimeout = timeout;
    return ACL_SUCCESS;
  });
}

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return sim::entry_of_release(__func__, [&] {
    auto shared = resolve(event);
    sim::require_not_null(handle, "handle");
    const std::string text = shared->handle();
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, text.c_str(), text.size());
    return ACL_SUCCESS;
  });
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(event, "event");
    const auto* text = reinterpret_cast<const char*>(&handle);
    *event = sim::open_event(std::string(text, strnlen(text, sizeof handle)));
    return ACL_SUCCESS;
  });
}
