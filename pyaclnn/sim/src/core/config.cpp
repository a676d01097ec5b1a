// SPDX-License-Identifier: MIT
#include "core/config.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/quota.hpp"
#include "core/release.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kMaxDevices = 64;
constexpr std::size_t kMiB = std::size_t(1) << 20;
constexpr std::size_t kGiB = std::size_t(1) << 30;

void report(const char* variable, const std::string& value, const char* accepted,
            const std::string& used) {
  std::fprintf(stderr, "pyaclnn simulator: %s=%s is not understood; accepted: %s; using %s\n",
               variable, value.c_str(), accepted, used.c_str());
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string() : std::string(value);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    std::size_t comma = std::min(text.find(',', start), text.size());
    std::string part = text.substr(start, comma - start);
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    parts.push_back(std::move(part));
    start = comma + 1;
  }
  return parts;
}

/// A whole number of decimal digits; false for anything else.
bool parse_number(const std::string& text, unsigned long long* number) {
  if (text.empty() ||
      !std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    return false;
  errno = 0;
  *number = std::strtoull(text.c_str(), nullptr, 10);
  return errno == 0;
}

bool parse_bytes(std::string text, std::size_t* bytes) {
  int shift = 0;
  if (!text.empty()) {
    switch (std::toupper(static_cast<unsigned char>(text.back()))) {
      case 'K':
        shift = 10;
        break;
      case 'M':
        shift = 20;
        break;
      case 'G':
        shift = 30;
        break;
      default:
        break;
    }
  }
  if (shift != 0) text.pop_back();
  unsigned long long number = 0;
  if (!parse_number(text, &number) || number == 0 || number > (~0ull >> 16 >> shift)) return false;
  *bytes = std::size_t(number) << shift;
  return true;
}

int read_count(const char* variable, int low, int high, const char* accepted, int fallback) {
  std::string text = environment(variable);
  if (text.empty()) return fallback;
  unsigned long long number = 0;
  if (parse_number(text, &number) && number >= unsigned(low) && number <= unsigned(high))
    return int(number);
  report(variable, text, accepted, std::to_string(fallback));
  return fallback;
}

void check_release() {
  const std::string text = environment("PYACLNN_SIM_CANN");
  const Release& release = current_release();
  if (!text.empty() && text != release.name)
    report("PYACLNN_SIM_CANN", text, release_names().c_str(), release.name);
}

const Chip* read_chip() {
  constexpr char kDefault[] = "Ascend910B1";
  const std::string text = environment("PYACLNN_SIM_SOC");
  if (text.empty()) return find_chip(kDefault);
  if (const Chip* chip = find_chip(text)) return chip;
  report("PYACLNN_SIM_SOC", text, chip_names().c_str(), kDefault);
  return find_chip(kDefault);
}

void read_checks(Config& config) {
  std::string text = environment("PYACLNN_SIM_CHECK");
  if (text.empty()) return;
  for (const std::string& part : split(text)) {
    if (part == "leaks") {
      config.check_leaks = true;
    } else if (part == "poison") {
      config.poison = true;
    } else if (part == "races") {
      config.races = RaceCheck::kWarn;
    } else if (part == "races:error") {
      config.races = RaceCheck::kError;
    } else if (part == "undefined") {
      config.undefined = UndefinedCheck::kWarn;
    } else if (part == "undefined:error") {
      config.undefined = UndefinedCheck::kError;
    } else if (part == "all") {
      config.check_leaks = config.poison = true;
      config.races = RaceCheck::kWarn;
      config.undefined = UndefinedCheck::kWarn;
    } else if (!part.empty()) {
      report("PYACLNN_SIM_CHECK", part,
             "a comma list of: leaks poison races races:error undefined undefined:error all",
             "the others of the list");
    }
  }
}

std::size_t default_memory(int devices) {
  auto pages = std::size_t(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  auto page = std::size_t(std::max(1L, sysconf(_SC_PAGESIZE)));
  return std::max(kGiB, pages * page / 2 / std::size_t(devices));
}

/// Processors that this process may run on, which in a container are fewer than there are: it has
/// only some of them, or only some of their time.
int usable_processors() {
  cpu_set_t usable;
  const bool is_known = sched_getaffinity(0, sizeof usable, &usable) == 0;
  // Else there are more processors than the set has room for.
  const int there =
      is_known ? CPU_COUNT(&usable) : int(std::clamp(sysconf(_SC_NPROCESSORS_ONLN), 1L, 1024L));
  return processors_of_quota("/proc/self/cgroup", "/sys/fs/cgroup", there);
}

Config read() {
  Config config;
  check_release();
  config.chip = read_chip();
  config.devices = read_count("PYACLNN_SIM_DEVICES", 1, kMaxDevices, "1 to 64", 1);
  config.memory_bytes = default_memory(config.devices);
  std::string memory = environment("PYACLNN_SIM_MEMORY");
  if (!memory.empty() && !parse_bytes(memory, &config.memory_bytes))
    report("PYACLNN_SIM_MEMORY", memory, "a number of bytes, or with K, M or G after it",
           std::to_string(config.memory_bytes));
  // Whole MiB keep the mappings of neighbouring devices page-aligned, huge pages included.
  config.memory_bytes = (config.memory_bytes + 2 * kMiB - 1) / (2 * kMiB) * (2 * kMiB);
  config.processors = usable_processors();
  config.threads = read_count("PYACLNN_SIM_THREADS", 1, 1024, "1 to 1024", config.processors);
  constexpr int kMonth = 31 * 24 * 3600;
  config.task_timeout = read_count("PYACLNN_SIM_TASK_TIMEOUT", 0, kMonth, "0 (no limit) to 2678400",
                                   config.task_timeout);
  read_checks(config);
  config.op_cache = std::getenv("DISABLE_L2_CACHE") == nullptr;
  unsigned long long limit = 0;
  if (parse_number(environment("ACLNN_CACHE_LIMIT"), &limit))
    config.op_cache_limit = std::size_t(std::min(limit, 10000000ull));
  return config;
}

}  // namespace

const Config& config() {
  static const Config& config = *new Config(read());
  return config;
}

bool read_device_list(const char* variable, int devices, std::vector<int>* numbers) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return false;
  for (const std::string& part : split(value)) {
    unsigned long long number = 0;
    if (!parse_number(part, &number) || number >= unsigned(devices)) break;
    if (std::find(numbers->begin(), numbers->end(), int(number)) != numbers->end()) break;
    numbers->push_back(int(number));
  }
  return true;
}

}  // namespace pyaclnn::sim
