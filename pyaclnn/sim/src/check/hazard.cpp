// SPDX-License-Identifier: MIT
#include "check/hazard.hpp"

#include <algorithm>
#include <cstdio>

namespace pyaclnn::sim {
namespace {

constexpr std::size_t kKept = 1000;

std::string stream_name(const Actor& actor) {
  if (actor.stream == 0) return "the host";
  return (actor.is_default_stream ? "the default stream " : "stream ") +
         std::to_string(actor.stream);
}

std::string range(std::uint64_t begin, std::uint64_t end) {
  return "bytes " + std::to_string(begin) + " to " + std::to_string(end);
}

std::string advice(const HazardSide& earlier, const HazardSide& later) {
  const std::string synchronise = "synchronise " + earlier.place();
  if (later.actor.stream == 0)
    return synchronise + ", or an event recorded on it after " + earlier.operation +
           ", before the call (aclrtSynchronizeStream, aclrtSynchronizeEvent)";
  return "let " + later.place() + " wait for an event recorded on " + earlier.place() + " after " +
         earlier.operation + " (aclrtRecordEvent, aclrtStreamWaitEvent), or " + synchronise +
         " in between";
}

bool same_side(const HazardSide& a, const HazardSide& b) {
  return a.mode == b.mode && a.actor.stream == b.actor.stream && a.captured_on == b.captured_on &&
         a.operation == b.operation && a.operand == b.operand && a.tensor == b.tensor &&
         a.begin == b.begin && a.end == b.end;
}

}  // namespace

const char* verb(AccessMode mode) {
  switch (mode) {
    case AccessMode::kRead:
      return "reads";
    case AccessMode::kWrite:
      return "writes";
    default:
      return "frees";
  }
}

HazardSide::HazardSide(const Access& access, const Actor& who, std::uintptr_t block)
    : operation(access.operation),
      operand(access.kind->operand),
      tensor(access.kind->tensor),
      mode(access.kind->mode),
      actor(who),
      captured_on(access.captured_on),
      begin(access.begin - block),
      end(access.end() - block) {}

std::string HazardSide::place() const { return stream_name(actor); }

std::string HazardSide::text() const {
  std::string text = operation + " on " + place();
  if (captured_on != 0)
    text += " (in a graph, captured on stream " + std::to_string(captured_on) + ")";
  text += std::string(" ") + verb(mode);
  if (mode == AccessMode::kFree) return text + " the block";
  if (!operand.empty()) text += " " + operand + ",";
  if (!tensor.empty()) text += " " + tensor + ",";
  return text + " " + range(begin, end);
}

Hazard::Hazard(HazardSide earlier_side, HazardSide later_side, const Allocation& allocation)
    : earlier(std::move(earlier_side)),
      later(std::move(later_side)),
      block(allocation),
      begin(std::max(earlier.begin, later.begin)),
      end(std::min(earlier.end, later.end)) {
  char where[160];
  const char* memory = block.device < 0 ? "pinned host block" : "device block";
  std::snprintf(where, sizeof where, "%s of the %s of %zu bytes at %p", range(begin, end).c_str(),
                memory, block.size, reinterpret_cast<void*>(block.base));
  text = std::string(kind()) + " hazard on " + where +
         ": nothing orders these two\n  earlier: " + earlier.text() +
         "\n  later:   " + later.text() + "\n  to order them, " + advice(earlier, later);
}

const char* Hazard::kind() const {
  switch (later.mode) {
    case AccessMode::kRead:
      return "read-after-write";
    case AccessMode::kWrite:
      return earlier.mode == AccessMode::kRead ? "write-after-read" : "write-after-write";
    default:
      return earlier.mode == AccessMode::kRead ? "free-after-read" : "free-after-write";
  }
}

bool HazardLog::add(const Hazard& hazard) {
  std::lock_guard<std::mutex> guard(mutex_);
  for (Hazard& known : hazards_) {
    if (!same_side(known.earlier, hazard.earlier) || !same_side(known.later, hazard.later))
      continue;
    ++known.count;
    return false;
  }
  if (hazards_.size() == kKept) return false;
  hazards_.push_back(hazard);
  return true;
}

std::uint64_t HazardLog::size() {
  std::lock_guard<std::mutex> guard(mutex_);
  return hazards_.size();
}

const Hazard* HazardLog::at(std::uint64_t index, std::uint64_t* count) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (index >= hazards_.size()) return nullptr;
  const Hazard& hazard = hazards_[std::size_t(index)];
  *count = hazard.count;
  return &hazard;
}

void HazardLog::clear() {
  std::lock_guard<std::mutex> guard(mutex_);
  hazards_.clear();
}

HazardLog& hazard_log() {
  static HazardLog& log = *new HazardLog;
  return log;
}

}  // namespace pyaclnn::sim
