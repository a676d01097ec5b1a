// What the environment asks of the simulator, read once, before first use.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/chip.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim {

/// What is done about missing synchronisation.
enum class RaceCheck : int {
  kOff,
  kWarn,     // it is told on stderr
  kError,    // it is an error of the stream that comes later, or of the host's call
  kCollect,  // it is kept for whoever asks
};

/// What is done about calls whose result CANN leaves undefined.
enum class UndefinedCheck : int {
  kOff,
  kWarn,   // it is told on stderr, once for each text
  kError,  // the task fails with 507015
};

struct Config {
  const Chip* chip = nullptr;         // PYACLNN_SIM_SOC
  int devices = 1;                    // PYACLNN_SIM_DEVICES
  std::size_t memory_bytes = 0;       // PYACLNN_SIM_MEMORY, per device, accepts K/M/G suffixes
  int processors = 1;                 // that the process may run on
  int threads = 1;                    // PYACLNN_SIM_THREADS, default: all of these
  bool check_leaks = false;           // PYACLNN_SIM_CHECK=leaks
  bool poison = false;                // PYACLNN_SIM_CHECK=poison: new memory is not zero
  RaceCheck races = RaceCheck::kOff;  // PYACLNN_SIM_CHECK=races or races:error
  UndefinedCheck undefined = UndefinedCheck::kOff;  // PYACLNN_SIM_CHECK=undefined or :error
  int task_timeout = 600;                           // PYACLNN_SIM_TASK_TIMEOUT, in seconds; 0: none
  bool op_cache = true;                             // off when DISABLE_L2_CACHE is set to anything
  std::size_t op_cache_limit = 10000;               // ACLNN_CACHE_LIMIT
};

/// The process's configuration. A value that is not understood is reported on stderr, once, with
/// what is accepted, and the default is used.
SIM_API const Config& config();

/// The chip that is simulated.
inline const Chip& chip() { return *config().chip; }

/// The numbers below `devices` that a variable lists, up to the first that is none or was there
/// before; false where it is not set.
bool read_device_list(const char* variable, int devices, std::vector<int>* numbers);

}  // namespace pyaclnn::sim
