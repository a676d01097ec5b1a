// SPDX-License-Identifier: MIT
#include "core/ipc_event.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "core/page.hpp"
#include "core/process.hpp"
#include "core/shared_pages.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::uint64_t kMagic = 0x70796163'65766e31;

Exported parse(const std::string& text) {
  unsigned long long number = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "event%16llx%n", &number, &end) != 1 ||
      std::size_t(end) != text.size())
    fail(kRtParamInvalid, "the handle is none of aclrtIpcGetEventHandle");
  return {number};
}

}  // namespace

struct IpcMarks::Card {
  std::uint64_t magic;
  std::atomic<std::uint64_t> recorded;
  std::atomic<std::uint64_t> completed;
  std::atomic<std::int32_t> recorder;  // process of the latest record
};

IpcMarks::IpcMarks(std::uint64_t recorded, std::uint64_t completed)
    : pages_(std::make_unique<SharedPages>(page_size())) {
  pages_->open_to_all();
  map();
  card_->magic = kMagic;
  card_->recorded.store(recorded);
  card_->completed.store(completed);
  card_->recorder.store(getpid());
}

IpcMarks::IpcMarks(const std::string& text) : pages_(std::make_unique<SharedPages>(parse(text))) {
  if (pages_->size() != page_size()) fail(kRtParamInvalid, "the handle is that of something else");
  map();
  if (card_->magic == kMagic) return;
  munmap(card_, page_size());
  fail(kRtParamInvalid, "the handle is that of something else");
}

IpcMarks::~IpcMarks() { munmap(card_, page_size()); }

void IpcMarks::map() {
  void* at = mmap(nullptr, page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) fail(kRtOutOfMemory, "no address for a page");
  pages_->map(at);
  card_ = static_cast<Card*>(at);
}

std::string IpcMarks::text() const {
  char text[32];
  std::snprintf(text, sizeof text, "event%016llx",
                static_cast<unsigned long long>(pages_->exported().number));
  return text;
}

std::uint64_t IpcMarks::recorded() const { return card_->recorded.load(); }

std::uint64_t IpcMarks::completed() const { return card_->completed.load(); }

std::uint64_t IpcMarks::begin_record() {
  card_->recorder.store(getpid());
  return card_->recorded.fetch_add(1) + 1;
}

void IpcMarks::finish_record(std::uint64_t number) {
  std::uint64_t done = card_->completed.load();
  while (done < number && !card_->completed.compare_exchange_weak(done, number)) {
  }
}

bool IpcMarks::is_deserted() const { return !is_alive(card_->recorder.load()); }

}  // namespace pyaclnn::sim
