// Profiling that a program asks for: nothing here takes the time it would on an NPU, so aclprofInit
// refuses, and all that needs it answers as CANN does where it was not called.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

#include "acl/acl_prof.h"
#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/live_objects.hpp"
#include "core/refuse.hpp"
#include "core/stream.hpp"
#include "core/visible.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr size_t kLongestPath = 4096;
constexpr uint32_t kMostDevices = 64;
constexpr int kFailed = -1;  // of functions that record, where nothing records

struct Config {};

struct Step {
  std::mutex mutex;
  bool begun = false;
  bool ended = false;
};

sim::LiveObjects<Config>& configs() {
  static auto& table = *new sim::LiveObjects<Config>("aclprofConfig");
  return table;
}

sim::LiveObjects<Step>& steps() {
  static auto& table = *new sim::LiveObjects<Step>("aclprofStepInfo");
  return table;
}

/// What cannot be done before aclprofInit.
aclError needs_profiler(const char* function, const aclprofConfig* config) {
  return sim::entry(function, [&]() -> aclError {
    configs().get(config, ACL_ERROR_INVALID_PARAM);
    sim::fail(ACL_ERROR_PROF_NOT_RUN,
              "aclprofInit did not succeed before: profiling is not simulated");
  });
}

aclError records_nothing(const char* function) {
  return sim::refuse(function, kFailed, "no profiler records what programs mark");
}

void check_devices(const uint32_t* list, uint32_t count) {
  if (count != 0 && list == nullptr) sim::fail(ACL_ERROR_INVALID_PARAM, "deviceIdList is null");
  const auto there = uint32_t(sim::device_count());
  if (count > std::min(kMostDevices, there))
    sim::fail(ACL_ERROR_INVALID_PARAM, "%u devices are named, and there are %u", count, there);
  for (uint32_t i = 0; i < count; ++i) {
    if (list[i] >= there)
      sim::fail(ACL_ERROR_INVALID_PARAM, "there is no device %u: there are %u", list[i], there);
    if (std::count(list, list + i, list[i]) != 0)
      sim::fail(ACL_ERROR_INVALID_PARAM, "device %u is named twice", list[i]);
  }
}

}  // namespace

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  return sim::entry(__func__, [&]() -> aclError {
    if (profilerResultPath == nullptr)
      sim::fail(ACL_ERROR_INVALID_PARAM, "profilerResultPath is null");
    if (length == 0 || length > kLongestPath || std::strlen(profilerResultPath) != length)
      sim::fail(ACL_ERROR_INVALID_PARAM,
                "length is %zu; it is that of the path, from 1 to %zu characters", length,
                kLongestPath);
    sim::fail(ACL_ERROR_FEATURE_UNSUPPORTED,
              "aclprofInit is not simulated: what operators take here says nothing of an NPU");
  });
}

aclError aclprofFinalize() {
  return sim::entry(__func__, [&]() -> aclError {
    sim::fail(ACL_ERROR_PROF_NOT_RUN,
              "aclprofInit did not succeed before: profiling is not simulated");
  });
}

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics, const aclprofAicoreEvents* aicoreEvents,
                                   uint64_t dataTypeConfig) {
  return sim::entry_or_null(__func__, [&] {
    if (aicoreEvents != nullptr)
      sim::fail(ACL_ERROR_INVALID_PARAM, "aicoreEvents is reserved and must be null");
    check_devices(deviceIdList, deviceNums);
    if (deviceNums == 0 && (dataTypeConfig & ACL_PROF_MSPROFTX) == 0)
      sim::fail(ACL_ERROR_INVALID_PARAM, "without devices only ACL_PROF_MSPROFTX can be recorded");
    return static_cast<aclprofConfig*>(configs().add(std::make_shared<Config>()));
  });
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return sim::entry(__func__, [&] {
    configs().remove(profilerConfig, ACL_ERROR_INVALID_PARAM);
    return ACL_SUCCESS;
  });
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return needs_profiler(__func__, profilerConfig);
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return needs_profiler(__func__, profilerConfig);
}

extern "C" SIM_API aclError aclprofWarmup(const aclprofConfig* profilerConfig) {
  return needs_profiler(__func__, profilerConfig);
}

aclprofStepInfo* aclprofCreateStepInfo() {
  return sim::entry_or_null(__func__, [&] {
    return static_cast<aclprofStepInfo*>(steps().add(std::make_shared<Step>()));
  });
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) {
  sim::entry(__func__, [&] {
    steps().remove(stepinfo, ACL_ERROR_INVALID_PARAM);
    return ACL_SUCCESS;
  });
}

/// The mark is for a profiler; CANN takes it without one, too.
aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                 aclrtStream stream) {
  return sim::entry(__func__, [&] {
    const auto step = steps().get(stepInfo, ACL_ERROR_INVALID_PARAM);
    std::lock_guard<std::mutex> guard(step->mutex);
    bool& marked = tag == ACL_STEP_START ? step->begun : step->ended;
    if (marked)
      sim::fail(ACL_ERROR_INVALID_PARAM, "the %s of this step is marked already",
                tag == ACL_STEP_START ? "beginning" : "end");
    marked = true;
    sim::resolve_stream(stream);
    return ACL_SUCCESS;
  });
}

void* aclprofCreateStamp() {
  records_nothing(__func__);
  return nullptr;
}

void aclprofDestroyStamp(void*) {}

aclError aclprofMark(void*) { return records_nothing(__func__); }
aclError aclprofMarkEx(const char*, size_t, aclrtStream) { return records_nothing(__func__); }
aclError aclprofPop() { return records_nothing(__func__); }
aclError aclprofPush(void*) { return records_nothing(__func__); }
aclError aclprofRangePop() { return records_nothing(__func__); }
aclError aclprofRangePushEx(aclprofEventAttributes*) { return records_nothing(__func__); }
aclError aclprofRangeStart(void*, uint32_t*) { return records_nothing(__func__); }
aclError aclprofRangeStop(uint32_t) { return records_nothing(__func__); }
aclError aclprofSetStampTraceMessage(void*, const char*, uint32_t) {
  return records_nothing(__func__);
}
