// SPDX-License-Identifier: MIT
#include "core/fault.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/exported_names.hpp"
#include "core/process.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

enum class Effect { kStatus, kCorrupt, kAsync, kSignal };

constexpr const char* kAnyFunction = "*";

struct Rule {
  std::string function;
  unsigned long nth = 0;  // 0: every call
  Effect effect = Effect::kStatus;
  int status = 0;
  unsigned long calls = 0;

  // Whether it acts on this call.
  bool due(const char* called) {
    if (function != kAnyFunction && function != called) return false;
    ++calls;
    return nth == 0 || calls == nth;
  }
};

struct Plan {
  std::mutex mutex;
  std::vector<Rule> rules;
  std::atomic<std::uint64_t> acted{0};  // how often, since the plan was installed
};

Plan& plan() {
  static Plan& plan = *new Plan;
  return plan;
}

bool parse_int(const std::string& text, int low, int* number) {
  char* end = nullptr;
  errno = 0;
  long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || value < low || value > INT_MAX) return false;
  *number = int(value);
  return true;
}

bool parse_rule(const std::string& text, Rule* rule) {
  std::size_t first = text.find(':');
  std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (first == 0 || second == std::string::npos) return false;
  rule->function = text.substr(0, first);
  int nth = 0;
  if (!parse_int(text.substr(first + 1, second - first - 1), 0, &nth)) return false;
  rule->nth = unsigned(nth);
  std::string effect = text.substr(second + 1);
  if (effect == "result") {
    rule->effect = Effect::kCorrupt;
    return true;
  }
  constexpr std::pair<const char*, Effect> kPrefixes[] = {{"async=", Effect::kAsync},
                                                          {"signal=", Effect::kSignal}};
  for (auto [prefix, meant] : kPrefixes) {
    if (effect.rfind(prefix, 0) != 0) continue;
    rule->effect = meant;
    effect.erase(0, std::strlen(prefix));
  }
  return parse_int(effect, 1, &rule->status);
}

std::vector<Rule> parse_plan(const std::string& text) {
  std::vector<Rule> rules;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t comma = std::min(text.find(',', start), text.size());
    Rule rule;
    if (!parse_rule(text.substr(start, comma - start), &rule))
      fail(kInvalidParam,
           "the fault plan '%s' is not understood; expected function:n:code, "
           "function:n:signal=number, function:n:result or function:n:async=code, comma-separated",
           text.c_str());
    rules.push_back(std::move(rule));
    start = comma + 1;
  }
  return rules;
}

/// A rule for a function that does not exist would be no fault, and a test that passes.
void require_known(const std::vector<Rule>& rules) {
  const bool any_named = std::any_of(
      rules.begin(), rules.end(), [](const Rule& rule) { return rule.function != kAnyFunction; });
  // Reading all libraries takes longer than what most plans are for.
  if (!any_named) return;
  const std::vector<std::string> names = exported_names();
  for (const Rule& rule : rules) {
    if (names.empty() || rule.function == kAnyFunction ||
        std::binary_search(names.begin(), names.end(), rule.function))
      continue;
    std::string nearest;
    for (const std::string& name : nearest_names(rule.function, names))
      nearest += (nearest.empty() ? "; nearest: " : ", ") + name;
    fail(kInvalidParam, "the fault plan names %s, which the simulator does not have%s",
         rule.function.c_str(), nearest.c_str());
  }
}

}  // namespace

namespace detail {

std::atomic<bool> interposed{true};

int interposed_status(const char* function) noexcept {
  if (is_forked_child())
    return record_failure(function, kRtDriverInternalError,
                          "this process is a forked child: the devices, streams and worker threads "
                          "of the library stayed in the parent");
  note_call();
  int status = 0;
  int signal = 0;
  {
    std::lock_guard<std::mutex> guard(plan().mutex);
    if (plan().rules.empty()) interposed.store(false);
    for (Rule& rule : plan().rules) {
      if (rule.effect != Effect::kStatus && rule.effect != Effect::kSignal) continue;
      if (!rule.due(function)) continue;
      plan().acted.fetch_add(1);
      (rule.effect == Effect::kStatus ? status : signal) = rule.status;
    }
  }
  // With the lock released: its handler may call anything.
  if (signal != 0) std::raise(signal);
  return status == 0 ? 0 : record_failure(function, status, "a fault that was asked for");
}

}  // namespace detail

ExecutionFault execution_fault(const char* operator_name) noexcept {
  ExecutionFault fault;
  if (!detail::interposed.load(std::memory_order_relaxed)) return fault;
  std::lock_guard<std::mutex> guard(plan().mutex);
  for (Rule& rule : plan().rules) {
    if (rule.effect != Effect::kCorrupt && rule.effect != Effect::kAsync) continue;
    if (!rule.due(operator_name)) continue;
    plan().acted.fetch_add(1);
    if (rule.effect == Effect::kCorrupt) fault.corrupt_result = true;
    if (rule.effect == Effect::kAsync) fault.async_status = rule.status;
  }
  return fault;
}

void install_fault_plan(const char* text) {
  std::vector<Rule> rules = parse_plan(text == nullptr ? "" : text);
  require_known(rules);
  std::lock_guard<std::mutex> guard(plan().mutex);
  detail::interposed.store(!rules.empty() || is_forked_child() || !any_call_noted());
  plan().rules = std::move(rules);
  plan().acted.store(0);
}

std::uint64_t injected_faults() noexcept { return plan().acted.load(); }

namespace {
// At load time, so that entry() needs no first-use check.
[[maybe_unused]] const bool plan_of_environment = [] {
  const char* text = std::getenv("PYACLNN_SIM_FAULT");
  if (text == nullptr) return true;
  try {
    install_fault_plan(text);
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "pyaclnn simulator: PYACLNN_SIM_FAULT=%s is not understood and ignored: %s\n",
                 text, error.what());
    return false;
  }
}();
}  // namespace
}  // namespace pyaclnn::sim
