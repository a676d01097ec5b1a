// SPDX-License-Identifier: MIT
#include "opapi/stream/sleep.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
namespace {

constexpr double kCyclesPerSecond = 1.65e9;  // of the 950
/// Whoever tests what happens meanwhile does not want to wait for minutes.
constexpr double kMostSeconds = 1;

}  // namespace

void sleep_cycles(Plan& plan, const std::vector<std::int64_t>& cycles) {
  check_tiling(plan, !cycles.empty(), "cycles has no number");
  check_tiling(plan, cycles[0] > 0, "cycles is %lld, it must be positive",
               static_cast<long long>(cycles[0]));
  const double seconds = std::min(double(cycles[0]) / kCyclesPerSecond, kMostSeconds);
  plan.launch([seconds](const KernelMemory&) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  });
}

}  // namespace pyaclnn::sim
