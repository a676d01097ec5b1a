// SPDX-License-Identifier: MIT
#include "hccl/settings.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/config.hpp"
#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {
namespace {

/// Seconds, with a fraction; `fallback` where the variable is not set.
double read_number(const char* variable, double low, double high, double fallback) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return fallback;
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text, &end);
  if (errno != 0 || *end != '\0' || !(value >= low && value <= high))
    fail(HCCL_E_PARA, "%s=%s is not a number from %g to %g", variable, text, low, high);
  return value;
}

/// What two processes have in common exactly if they can share memory.
std::string machine() {
  if (const char* named = std::getenv("PYACLNN_SIM_MACHINE")) return named;
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  char space[64] = {};
  const ssize_t length = readlink("/proc/self/ns/net", space, sizeof space - 1);
  return boot + " " + std::string(space, std::size_t(length > 0 ? length : 0));
}

}  // namespace

Settings read_settings() {
  Settings settings;
  // CANN accepts no less than 120 s, and adds 20 in which the ranks tell each other what is
  // missing.
  const double connect = read_number("HCCL_CONNECT_TIMEOUT", 120, 7200, 120);
  // A test does not wait that long; programs that run on CANN as well do not set this one.
  settings.connect_ms =
      std::int64_t(1000 * read_number("PYACLNN_SIM_CONNECT_TIMEOUT", 0.01, 7200, connect));
  double exec = read_number("HCCL_EXEC_TIMEOUT", 0, INT_MAX, 1836);
  const Soc soc = chip().soc;
  if (soc == Soc::kAscend910 || soc == Soc::kAscend310P) {
    // These count in steps of 68 s.
    constexpr double kStep = 68;
    exec = std::fmax(kStep, std::floor(exec / kStep) * kStep);
  }
  settings.exec_ms = exec == 0 ? -1 : std::int64_t(1000 * exec);
  settings.base_port = int(read_number("HCCL_IF_BASE_PORT", 1024, 65520, settings.base_port));
  if (const char* address = std::getenv("HCCL_IF_IP")) {
    in_addr parsed = {};
    if (inet_pton(AF_INET, address, &parsed) != 1)
      fail(HCCL_E_PARA, "HCCL_IF_IP=%s is not an IPv4 address", address);
    settings.address = address;
  }
  settings.machine = machine();
  return settings;
}

}  // namespace pyaclnn::sim::hccl
