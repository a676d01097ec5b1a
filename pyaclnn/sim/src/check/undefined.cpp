// SPDX-License-Identifier: MIT
#include "check/undefined.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include "core/status.hpp"

namespace pyaclnn::sim::undefined {
namespace {

/// By address modulo 8. No bool, no character, and far from what numbers usually are.
constexpr unsigned char kMark[] = {0x9B, 0xE3, 0xB7, 0xFA, 0xA9, 0xD6, 0xC5, 0xF1};

bool is_marked(const std::byte* first, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t phase = reinterpret_cast<std::uintptr_t>(first + i) % sizeof kMark;
    if (first[i] != std::byte{kMark[phase]}) return false;
  }
  return true;
}

/// Shape and strides of what is not contiguous; "" for what is, whatever its shape.
std::string order_of(const AccessKind& kind) {
  if (kind.tensor.find(" with strides ") == std::string::npos) return "";
  return kind.tensor.substr(kind.tensor.find('['));
}

}  // namespace

void tell(const std::string& text) {
  if (config().undefined == UndefinedCheck::kError) fail(kRtAicoreException, "%s", text.c_str());
  static std::mutex& mutex = *new std::mutex;
  static auto& told = *new std::set<std::string>;
  const std::lock_guard<std::mutex> guard(mutex);
  if (told.insert(text).second) std::fprintf(stderr, "pyaclnn simulator: %s\n", text.c_str());
}

void tell_of_repeat(const char* api, std::int64_t index) {
  tell(std::string(api) + " writes index " + std::to_string(index) +
       " more than once, with values that differ: which one stays, CANN leaves undefined");
}

void mark_unwritten(void* memory, std::size_t bytes) {
  auto* const first = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < bytes; i += sizeof kMark)
    std::memcpy(first + i, kMark, std::min(sizeof kMark, bytes - i));
}

bool is_unwritten(const std::byte* lowest, const std::vector<std::int64_t>& shape,
                  const std::vector<std::int64_t>& strides, std::size_t element) {
  constexpr std::size_t kFewest = 4;
  std::size_t count = 1;
  for (std::int64_t extent : shape) count *= std::size_t(extent);
  if (count * element < kFewest) return false;
  if (strides.empty()) return is_marked(lowest, count * element);
  std::vector<std::int64_t> place(shape.size());
  std::int64_t offset = 0;
  for (; count > 0; --count) {
    if (!is_marked(lowest + offset * std::int64_t(element), element)) return false;
    for (std::size_t i = shape.size(); i-- > 0;) {
      // From the lowest on, whichever way a view counts.
      const std::int64_t step = std::abs(strides[i]);
      offset += step;
      if (++place[i] < shape[i]) break;
      offset -= step * shape[i];
      place[i] = 0;
    }
  }
  return true;
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
