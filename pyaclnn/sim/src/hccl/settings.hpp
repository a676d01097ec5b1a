// What the environment says about communication.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "core/stream_impl.hpp"

namespace pyaclnn::sim::hccl {

struct Settings {
  std::int64_t connect_ms = 120 * 1000;  // HCCL_CONNECT_TIMEOUT, PYACLNN_SIM_CONNECT_TIMEOUT
  std::int64_t exec_ms = 1836 * 1000;    // HCCL_EXEC_TIMEOUT; -1: none
  std::string address = "127.0.0.1";     // HCCL_IF_IP: where this process listens
  int base_port = 60000;                 // HCCL_IF_BASE_PORT: where rank 0 of a table listens
  std::string machine;                   // ranks of one machine share memory; PYACLNN_SIM_MACHINE
};

/// Read anew each time, as a communicator is made; Failure(HCCL_E_PARA) for what is not accepted.
Settings read_settings();

}  // namespace pyaclnn::sim::hccl
