// Profiling of graphs, a C++ interface. In libmsprofiler.
#ifndef PYACLNN_GE_GE_PROF_H_
#define PYACLNN_GE_GE_PROF_H_

#ifdef __cplusplus

#include <cstdint>

namespace ge {

using Status = std::uint32_t;

constexpr std::uint32_t GE_PROF_SUCCESS = 0;
constexpr std::uint32_t GE_PROF_FAILED = 405091711;

enum ProfDataTypeConfig {
  kProfTaskTime = 0x0002,
  kProfAiCoreMetrics = 0x0004,
  kProfAicpu = 0x0008,
  kProfL2cache = 0x0010,
  kProfHccl = 0x0020,
  kProfTrainingTrace = 0x0040,
  kProfFwkScheduleL0 = 0x0200,
  kProfTaskTimeL0 = 0x0800,
  kProfTaskTimeL2 = 0x2000,
  kProfFwkScheduleL1 = 0x01000000,
};

enum ProfilingAicoreMetrics {
  kAicoreArithmeticUtilization = 0,
  kAicorePipeUtilization = 1,
  kAicoreMemory = 2,
  kAicoreMemoryL0 = 3,
  kAicoreResourceConflictRatio = 4,
  kAicoreMemoryUB = 5,
  kAicoreL2Cache = 6,
  kAicorePipelineExecuteUtilization = 7,
};

struct ProfAicoreEvents;
struct aclgrphProfConfig;

#define PYACLNN_GE_PROF __attribute__((visibility("default")))

PYACLNN_GE_PROF Status aclgrphProfInit(const char* profiler_path, std::uint32_t length);
PYACLNN_GE_PROF Status aclgrphProfFinalize();
PYACLNN_GE_PROF aclgrphProfConfig* aclgrphProfCreateConfig(std::uint32_t* deviceid_list,
                                                           std::uint32_t device_nums,
                                                           ProfilingAicoreMetrics aicore_metrics,
                                                           ProfAicoreEvents* aicore_events,
                                                           std::uint64_t data_type_config);
PYACLNN_GE_PROF Status aclgrphProfDestroyConfig(aclgrphProfConfig* profiler_config);
PYACLNN_GE_PROF Status aclgrphProfStart(aclgrphProfConfig* profiler_config);
PYACLNN_GE_PROF Status aclgrphProfStop(aclgrphProfConfig* profiler_config);

#undef PYACLNN_GE_PROF

}  // namespace ge

#endif  // __cplusplus

#endif  // PYACLNN_GE_GE_PROF_H_
