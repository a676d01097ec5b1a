// SPDX-License-Identifier: MIT
#include "core/shared_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/page.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::uint64_t kMagic = 0x70796163'6c6e6e31;
constexpr std::size_t kMaxProcesses = 512;
constexpr int kFileBits = 32;
// Nobody makes the file shorter, which would end the processes that touch what is gone.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW;

/// Whether a file is one of those that this class makes, as far as the kernel can tell.
bool is_of_pages(int file, struct stat* about) {
  if (file < 0 || fstat(file, about) != 0) return false;
  const int seals = fcntl(file, F_GET_SEALS);
  const auto size = std::size_t(about->st_size);
  return size > page_size() && size % page_size() == 0 && seals >= 0 && (seals & kSeals) == kSeals;
}

}  // namespace

/// What lies behind the pages, for all processes that have them.
struct SharedPages::Card {
  std::uint64_t magic;
  std::uint64_t size;
  std::atomic<std::uint32_t> open_to_all;
  std::atomic<std::uint32_t> processes;
  std::atomic<std::int32_t> allowed[kMaxProcesses];
};

SharedPages::SharedPages(std::size_t size) : size_(size) {
  static_assert(sizeof(Card) <= kSmallestPage, "the card has one page");
  file_ = memfd_create("pyaclnn-device-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file_ < 0 || ftruncate(file_, off_t(size + page_size())) != 0 ||
      fcntl(file_, F_ADD_SEALS, kSeals) != 0) {
    int reason = errno;
    if (file_ >= 0) close(file_);
    fail(kRtOutOfMemory, "no pages for %zu bytes of device memory: %s", size,
         std::strerror(reason));
  }
  map_card();
  card_->magic = kMagic;
  card_->size = size;
}

SharedPages::SharedPages(Exported exported) {
  const std::uint64_t shared = exported.number;
  const auto process = std::int32_t(shared >> kFileBits);
  const auto file = std::int32_t(shared & ((std::uint64_t(1) << kFileBits) - 1));
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(file);
  file_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat about = {};
  if (!is_of_pages(file_, &about)) {
    if (file_ >= 0) close(file_);
    fail(kRtParamInvalid, "0x%llx stands for no memory that a living process exported",
         static_cast<unsigned long long>(shared));
  }
  size_ = std::size_t(about.st_size) - page_size();
  map_card();
  bool allowed = card_->magic == kMagic && card_->open_to_all.load() != 0;
  for (std::uint32_t i = 0; !allowed && i < card_->processes.load(); ++i)
    allowed = card_->magic == kMagic && card_->allowed[i].load() == getpid();
  if (!allowed) {
    munmap(card_, page_size());
    close(file_);
    fail(kRtParamInvalid,
         "process %d is not among those that may have the memory; the process that exported it "
         "names them with aclrtMemSetPidToShareableHandle or aclrtIpcMemSetImportPid",
         int(getpid()));
  }
}

SharedPages::~SharedPages() {
  munmap(card_, page_size());
  close(file_);
}

void SharedPages::map_card() {
  void* card = mmap(nullptr, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, file_, off_t(size_));
  if (card == MAP_FAILED) {
    close(file_);
    fail(kRtOutOfMemory, "no address for a page: %s", std::strerror(errno));
  }
  card_ = static_cast<Card*>(card);
}

void SharedPages::map(void* address) const {
  if (mmap(address, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0) == MAP_FAILED)
    fail(kRtOutOfMemory, "mapping %zu bytes of device memory failed: %s", size_,
         std::strerror(errno));
  // As all device memory: not in core files, and not in forked children.
  madvise(address, size_, MADV_DONTDUMP);
  madvise(address, size_, MADV_DONTFORK);
}

Exported SharedPages::exported() const {
  return {std::uint64_t(getpid()) << kFileBits | std::uint32_t(file_)};
}

void SharedPages::open_to_all() { card_->open_to_all.store(1); }

void SharedPages::allow(std::int32_t process) {
  std::uint32_t index = card_->processes.load();
  if (index == kMaxProcesses)
    fail(kRtParamInvalid, "the memory is open to %zu processes already", kMaxProcesses);
  card_->allowed[index].store(process);
  card_->processes.store(index + 1);
}

}  // namespace pyaclnn::sim
