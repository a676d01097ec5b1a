// How many cores kernels may use. Results do not depend on it: the numbers are kept and given back.
// SPDX-License-Identifier: MIT
#include <array>
#include <atomic>
#include <memory>

#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/stream_impl.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr std::size_t kMaxDevices = 64;

using Limits = std::array<std::atomic<uint32_t>, 2>;  // 0: all cores

Limits& device_limits(int device) {
  static auto& all = *new std::array<Limits, kMaxDevices>{};
  return all[size_t(device)];
}

// A stream that ends takes its limits with it.
thread_local std::weak_ptr<sim::Stream> chosen_stream;

uint32_t all_cores(aclrtDevResLimitType type) {
  const sim::Chip& chip = sim::chip();
  return type == ACL_RT_DEV_RES_CUBE_CORE ? chip.cube_cores : chip.vector_cores;
}

void require_type(aclrtDevResLimitType type) {
  if (type != ACL_RT_DEV_RES_CUBE_CORE && type != ACL_RT_DEV_RES_VECTOR_CORE)
    sim::fail(sim::kRtParamInvalid, "%d is not a kind of core", int(type));
}

void require_ready(int32_t device) {
  sim::require_device(device);
  if (!sim::has_primary_context(device))
    sim::fail(sim::kRtDeviceSetup, "device %d was not set", device);
}

void require_cores(aclrtDevResLimitType type, uint32_t value) {
  if (value > all_cores(type))
    sim::fail(sim::kRtParamInvalid, "%u cores are more than the %u of this chip", value,
              all_cores(type));
}

uint32_t of_device(int device, aclrtDevResLimitType type) {
  uint32_t limit = device_limits(device)[size_t(type)].load();
  return limit == 0 ? all_cores(type) : limit;
}

uint32_t of_stream(sim::Stream& stream, aclrtDevResLimitType type) {
  uint32_t limit = stream.attributes().core_limits[size_t(type)].load();
  return limit == 0 ? of_device(stream.device(), type) : limit;
}

}  // namespace

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(value, "value");
    require_type(type);
    require_ready(deviceId);
    *value = of_device(deviceId, type);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return sim::entry_of_release(__func__, [&] {
    require_type(type);
    require_ready(deviceId);
    require_cores(type, value);
    device_limits(deviceId)[size_t(type)].store(value);
    return ACL_SUCCESS;
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return sim::entry_of_release(__func__, [&] {
    require_ready(deviceId);
    for (auto& limit : device_limits(deviceId)) limit.store(0);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(value, "value");
    require_type(type);
    *value = of_stream(*sim::resolve_stream(stream), type);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return sim::entry_of_release(__func__, [&] {
    require_type(type);
    auto limited = sim::resolve_stream(stream);
    require_cores(type, value);
    limited->attributes().core_limits[size_t(type)].store(value);
    return ACL_SUCCESS;
  });
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    for (auto& limit : sim::resolve_stream(stream)->attributes().core_limits) limit.store(0);
    return ACL_SUCCESS;
  });
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    chosen_stream = sim::resolve_stream(stream);
    return ACL_SUCCESS;
  });
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    sim::resolve_stream(stream);
    chosen_stream.reset();
    return ACL_SUCCESS;
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(value, "value");
    require_type(type);
    auto stream = chosen_stream.lock();
    *value = stream ? of_stream(*stream, type) : of_device(sim::current_device(), type);
    return ACL_SUCCESS;
  });
}
