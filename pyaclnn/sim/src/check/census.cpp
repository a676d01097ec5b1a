// SPDX-License-Identifier: MIT
#include "check/census.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/config.hpp"
#include "core/context.hpp"
#include "core/fault.hpp"
#include "core/handle_table.hpp"
#include "core/memory.hpp"
#include "core/process.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim {
namespace {

struct Kind {
  const char* name;
  HandleType type;
};

constexpr Kind kHandleKinds[] = {
    {"context", HandleType::kContext},
    {"stream", HandleType::kStream},
    {"event", HandleType::kEvent},
    {"tensor", HandleType::kTensor},
    {"scalar", HandleType::kScalar},
    {"int_array", HandleType::kIntArray},
    {"float_array", HandleType::kFloatArray},
    {"bool_array", HandleType::kBoolArray},
    {"tensor_list", HandleType::kTensorList},
    {"scalar_list", HandleType::kScalarList},
    {"executor", HandleType::kExecutor},
    {"data_buffer", HandleType::kDataBuffer},
    {"graph", HandleType::kGraph},
    {"tensor_desc", HandleType::kTensorDesc},
    {"operator_attributes", HandleType::kOperatorAttributes},
    {"physical_memory", HandleType::kPhysicalMemory},
};

std::uint64_t live(HandleType type) { return live_handles(type).load() - implicit_handles(type); }

std::uint64_t total() {
  MemoryCensus memory = memory_census();
  std::uint64_t sum = memory.device_blocks + memory.host_blocks;
  for (const Kind& kind : kHandleKinds) sum += live(kind.type);
  return sum;
}

[[maybe_unused]] const bool report_at_exit =
    std::atexit([] { report_leaks("at process exit"); }) == 0;

}  // namespace

std::uint64_t live_count(const char* kind) {
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  if (kind == nullptr) return kUnknown;
  for (const Kind& known : kHandleKinds) {
    if (std::strcmp(kind, known.name) == 0) return live(known.type);
  }
  if (std::strcmp(kind, "queued_task") == 0) return Stream::queued_tasks();
  if (std::strcmp(kind, "total") == 0) return total();
  if (std::strcmp(kind, "fault") == 0) return injected_faults();
  MemoryCensus memory = memory_census();
  if (std::strcmp(kind, "device_block") == 0) return memory.device_blocks;
  if (std::strcmp(kind, "host_block") == 0) return memory.host_blocks;
  if (std::strcmp(kind, "device_bytes") == 0) return memory.device_bytes;
  if (std::strcmp(kind, "host_bytes") == 0) return memory.host_bytes;
  return kUnknown;
}

void report_leaks(const char* occasion) {
  if (is_forked_child() || !config().check_leaks || total() == 0) return;
  std::fprintf(stderr, "pyaclnn simulator: still alive %s:\n", occasion);
  for (const Kind& kind : kHandleKinds) {
    if (std::uint64_t count = live(kind.type))
      std::fprintf(stderr, "  %6llu %s\n", static_cast<unsigned long long>(count), kind.name);
  }
  MemoryCensus memory = memory_census();
  if (memory.device_blocks != 0)
    std::fprintf(stderr, "  %6llu device_block (%llu bytes)\n",
                 static_cast<unsigned long long>(memory.device_blocks),
                 static_cast<unsigned long long>(memory.device_bytes));
  if (memory.host_blocks != 0)
    std::fprintf(stderr, "  %6llu host_block (%llu bytes)\n",
                 static_cast<unsigned long long>(memory.host_blocks),
                 static_cast<unsigned long long>(memory.host_bytes));
}

}  // namespace pyaclnn::sim
