// SPDX-License-Identifier: MIT
#include "core/fault.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "core/process.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

enum class Effect { kStatus, kSpoil, kAsync };

struct Rule {
  std::string function;
  unsigned long nth = 0;  // 0: every call
  Effect effect = Effect::kStatus;
  int status = 0;
  unsigned long calls = 0;

  bool due() {
    ++calls;
    return nth == 0 || calls == nth;
  }
};

struct Plan {
  std::mutex mutex;
  std::vector<Rule> rules;
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
    rule->effect = Effect::kSpoil;
    return true;
  }
  constexpr const char* kAsyncPrefix = "async=";
  if (effect.rfind(kAsyncPrefix, 0) == 0) {
    rule->effect = Effect::kAsync;
    effect.erase(0, std::strlen(kAsyncPrefix));
  }
  return parse_int(effect, 1, &rule->status);
}

bool parse_plan(const std::string& text, std::vector<Rule>* rules) {
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t comma = std::min(text.find(',', start), text.size());
    Rule rule;
    if (!parse_rule(text.substr(start, comma - start), &rule)) return false;
    rules->push_back(std::move(rule));
    start = comma + 1;
  }
  return true;
}

}  // namespace

namespace detail {

std::atomic<bool> interposed{false};

int interposed_status(const char* function) noexcept {
  if (is_forked_child())
    return record_failure(function, kRtDriverInternalError,
                          "this process is a forked child: the devices, streams and worker threads "
                          "of the library stayed in the parent");
  int status = 0;
  {
    std::lock_guard<std::mutex> guard(plan().mutex);
    for (Rule& rule : plan().rules) {
      if (rule.effect == Effect::kStatus && rule.function == function && rule.due())
        status = rule.status;
    }
  }
  return status == 0 ? 0 : record_failure(function, status, "a fault that was asked for");
}

}  // namespace detail

ExecutionFault execution_fault(const char* operator_name) noexcept {
  ExecutionFault fault;
  if (!detail::interposed.load(std::memory_order_relaxed)) return fault;
  std::lock_guard<std::mutex> guard(plan().mutex);
  for (Rule& rule : plan().rules) {
    if (rule.effect == Effect::kStatus || rule.function != operator_name || !rule.due()) continue;
    if (rule.effect == Effect::kSpoil) fault.spoil_result = true;
    if (rule.effect == Effect::kAsync) fault.async_status = rule.status;
  }
  return fault;
}

bool install_fault_plan(const char* text) {
  std::vector<Rule> rules;
  if (text != nullptr && !parse_plan(text, &rules)) return false;
  std::lock_guard<std::mutex> guard(plan().mutex);
  detail::interposed.store(!rules.empty() || is_forked_child());
  plan().rules = std::move(rules);
  return true;
}

namespace {
// At load time, so that entry() needs no first-use check.
[[maybe_unused]] const bool plan_of_environment = [] {
  const char* text = std::getenv("PYACLNN_SIM_FAULT");
  if (text == nullptr || install_fault_plan(text)) return true;
  std::fprintf(stderr,
               "pyaclnn simulator: PYACLNN_SIM_FAULT=%s is not understood and ignored; expected "
               "function:n:code, function:n:result or function:n:async=code, comma-separated\n",
               text);
  return false;
}();
}  // namespace
}  // namespace pyaclnn::sim
