// SPDX-License-Identifier: MIT
#include "check/undefined.hpp"

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "core/config.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim::undefined {
namespace {

std::atomic<int> configured{int(Mode::kOff)};

/// Shape and strides of what is not contiguous; "" for what is, whatever its shape.
std::string order_of(const AccessKind& kind) {
  if (kind.tensor.find(" with strides ") == std::string::npos) return "";
  return kind.tensor.substr(kind.tensor.find('['));
}

bool lie_across(const Access& a, const Access& b) {
  if (a.allocation != b.allocation || !(a.kind->writes() || b.kind->writes())) return false;
  const AccessKind &first = *a.kind, &second = *b.kind;
  // An input may be where the output is, element by element; two outputs may not.
  const bool in_place =
      a.begin == b.begin && first.bytes == second.bytes && order_of(first) == order_of(second);
  if (in_place && first.writes() != second.writes()) return false;
  return first.bytes.meets(second.bytes, std::int64_t(b.begin - a.begin));
}

}  // namespace

namespace detail {

std::atomic<int> mode{int(Mode::kAsConfigured)};

bool is_configured() {
  config();
  mode.store(configured.load());
  return mode.load() != int(Mode::kOff);
}

}  // namespace detail

void configure(Mode mode) { configured.store(int(mode)); }

void tell(const std::string& text) {
  if (detail::mode.load() == int(Mode::kError)) fail(kRtAicoreException, "%s", text.c_str());
  static std::mutex& mutex = *new std::mutex;
  static auto& told = *new std::set<std::string>;
  const std::lock_guard<std::mutex> guard(mutex);
  if (told.insert(text).second) std::fprintf(stderr, "pyaclnn simulator: %s\n", text.c_str());
}

void tell_of_repeat(const char* api, std::int64_t index) {
  tell(std::string(api) + " writes index " + std::to_string(index) +
       " more than once, with values that differ: which one stays, CANN leaves undefined");
}

std::string overlap_of(const AccessList& accesses) {
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (!lie_across(accesses[i], accesses[k])) continue;
      const bool first = accesses[i].kind->writes();
      const Access& out = accesses[first ? i : k];
      const Access& other = accesses[first ? k : i];
      const auto name = [](const Access& access) {
        const AccessKind& kind = *access.kind;
        return kind.operand + (kind.tensor.empty() ? "" : " (" + kind.tensor + ")");
      };
      const auto away = std::int64_t(other.begin - out.begin);
      return std::string(out.operation) + " writes " + name(out) + ", which shares bytes with " +
             name(other) + ", " + std::to_string(away < 0 ? -away : away) + " bytes " +
             (away < 0 ? "ahead" : "on") + ": CANN leaves the result undefined";
    }
  }
  return {};
}

}  // namespace pyaclnn::sim::undefined
