// SPDX-License-Identifier: MIT
#include "core/release.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

/// A name, the release that it came with, and the first one without it.
struct Span {
  std::string_view name;
  int since;
  int until;

  bool has(int release) const { return release >= since && release < until; }
};

constexpr int kNoKernel = 561003;  // ACLNN_ERR_INNER_FIND_KERNEL_ERROR

#include "releases.hpp"

/// The entry of a sorted table, or null: it was always there.
template <std::size_t N>
const Span* find(const Span (&table)[N], std::string_view name) {
  const Span* const found =
      std::lower_bound(std::begin(table), std::end(table), name,
                       [](const Span& span, std::string_view key) { return span.name < key; });
  return found != std::end(table) && found->name == name ? found : nullptr;
}

/// What is wrong with asking this release for it.
std::string explain(const Span& span) {
  const bool came_later = current_place() < span.since;
  return std::string(came_later ? " came with CANN " : " is gone since CANN ") +
         kReleases[came_later ? span.since : span.until].name + "; this is CANN " +
         current_release().name + " (PYACLNN_SIM_CANN)";
}

}  // namespace

// The newest where none has the name that the environment gives.
int current_place() {
  static const int place = [] {
    const char* text = std::getenv("PYACLNN_SIM_CANN");
    const std::string_view name = text == nullptr ? "" : text;
    const Release* const found = std::find_if(std::begin(kReleases), std::end(kReleases),
                                              [&](const Release& r) { return name == r.name; });
    return int(std::min(found, std::end(kReleases) - 1) - std::begin(kReleases));
  }();
  return place;
}

const Release& current_release() { return kReleases[current_place()]; }

std::string release_names() {
  std::string names;
  for (const Release& release : kReleases) {
    if (!names.empty()) names += ' ';
    names += release.name;
  }
  return names;
}

bool behaves(Behaviour behaviour) {
  return kBehaviours[static_cast<unsigned>(behaviour)].has(current_place());
}

void require_release(const char* function) {
  const Span* const span = find(kFunctions, function);
  if (span != nullptr && !span->has(current_place()))
    fail(kRtNotSupported, "%s%s", function, explain(*span).c_str());
}

void lacks_operator(const char* operator_name) {
  fail(kNoKernel, "there is no kernel: %s", lack_of_operator(operator_name).c_str());
}

std::string lack_of_operator(std::string_view operator_name) {
  const Span* const span = find(kOperators, operator_name);
  if (span == nullptr || span->has(current_place())) return "";
  return std::string(operator_name) + explain(*span);
}

}  // namespace pyaclnn::sim
