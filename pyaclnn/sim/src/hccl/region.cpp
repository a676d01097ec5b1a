// SPDX-License-Identifier: MIT
#include "hccl/region.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <string>

#include "core/page.hpp"
#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kWords = sizeof(Signature) / sizeof(std::uint64_t);

/// Large enough that sender and receiver work at the same time, small enough for the caches.
std::size_t capacity_for(int ranks) {
  if (ranks <= 2) return 1024 * kKiB;
  if (ranks <= 8) return 256 * kKiB;
  return 64 * kKiB;
}

std::size_t cards_size(int ranks) {
  constexpr std::size_t kCard = 256;
  return (std::size_t(ranks) * kCard + page_size() - 1) / page_size() * page_size();
}

std::size_t file_size(int ranks) {
  const auto count = std::size_t(ranks);
  return cards_size(ranks) + kLanes * count * count * (sizeof(RingEnds) + capacity_for(ranks));
}

struct flock lock_of(int rank) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = rank;
  lock.l_len = 1;
  return lock;
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout,
                 nullptr, 0);
}

}  // namespace

struct Region::Card {
  alignas(256) std::atomic<std::uint32_t> bell;
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> state;
  // By words: whoever reads it while it changes sees a part of each, which is good enough to tell.
  std::atomic<std::uint64_t> doing[kLanes][kWords];
};

File Region::create(int ranks) {
  File file(memfd_create("pyaclnn-communicator", MFD_CLOEXEC));
  if (!file || ftruncate(file.number(), off_t(file_size(ranks))) != 0)
    fail(HCCL_E_MEMORY, "no memory for %d ranks to share: %s", ranks, std::strerror(errno));
  return file;
}

Region::Region(const File& file, int ranks, int rank)
    : ranks_(ranks), rank_(rank), capacity_(capacity_for(ranks)), size_(file_size(ranks)) {
  static_assert(sizeof(Card) == 256, "cards_size() counts with it");
  // Opened anew, as a lock belongs to an opening: it then goes with this rank alone.
  const std::string path = "/proc/self/fd/" + std::to_string(file.number());
  file_ = File(open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat about = {};
  if (!file_ || fstat(file_.number(), &about) != 0 || std::size_t(about.st_size) != size_)
    fail(HCCL_E_MEMORY, "what the ranks share is not what %d ranks need", ranks);
  struct flock lock = lock_of(rank);
  if (fcntl(file_.number(), F_OFD_SETLK, &lock) != 0)
    fail(HCCL_E_PARA, "rank %d is there already", rank);
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (memory == MAP_FAILED)
    fail(HCCL_E_MEMORY, "no address for %zu bytes: %s", size_, std::strerror(errno));
  // As device memory: not in core files, and not in forked children.
  madvise(memory, size_, MADV_DONTDUMP);
  madvise(memory, size_, MADV_DONTFORK);
  memory_ = static_cast<unsigned char*>(memory);
  set_state(RankState::kPresent);
}

Region::~Region() {
  if (state(rank_) == RankState::kPresent) set_state(RankState::kLeft);
  ring_all();
  munmap(memory_, size_);
}

Region::Card& Region::card(int rank) const { return reinterpret_cast<Card*>(memory_)[rank]; }

std::size_t Region::ring_place(Lane lane, int from, int to) const {
  const auto ranks = std::size_t(ranks_);
  return (std::size_t(lane) * ranks + std::size_t(from)) * ranks + std::size_t(to);
}

RingEnds& Region::ends(Lane lane, int from, int to) const {
  auto* all = reinterpret_cast<RingEnds*>(memory_ + cards_size(ranks_));
  return all[ring_place(lane, from, to)];
}

unsigned char* Region::data(Lane lane, int from, int to) const {
  const std::size_t rings = kLanes * std::size_t(ranks_) * std::size_t(ranks_);
  unsigned char* first = memory_ + cards_size(ranks_) + rings * sizeof(RingEnds);
  return first + ring_place(lane, from, to) * capacity_;
}

void Region::set_state(RankState state) { card(rank_).state.store(std::uint32_t(state)); }

RankState Region::state(int rank) const { return RankState(card(rank).state.load()); }

bool Region::lives(int rank) const {
  struct flock lock = lock_of(rank);
  return fcntl(file_.number(), F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

void Region::set_doing(Lane lane, const Signature& signature) {
  std::uint64_t words[kWords];
  std::memcpy(words, &signature, sizeof words);
  for (std::size_t i = 0; i < kWords; ++i)
    card(rank_).doing[int(lane)][i].store(words[i], std::memory_order_relaxed);
}

Signature Region::doing(Lane lane, int rank) const {
  std::uint64_t words[kWords];
  for (std::size_t i = 0; i < kWords; ++i)
    words[i] = card(rank).doing[int(lane)][i].load(std::memory_order_relaxed);
  Signature signature;
  std::memcpy(&signature, words, sizeof words);
  return signature;
}

void Region::ring(int rank) {
  Card& other = card(rank);
  other.bell.fetch_add(1);
  if (other.sleepers.load() != 0) futex(other.bell, FUTEX_WAKE, INT_MAX, nullptr);
}

void Region::ring_all() {
  for (int rank = 0; rank < ranks_; ++rank) ring(rank);
}

std::uint32_t Region::bell() const { return card(rank_).bell.load(); }

void Region::wait(std::uint32_t seen, std::chrono::microseconds longest) {
  Card& own = card(rank_);
  const timespec time = {time_t(longest.count() / 1000000), long(longest.count() % 1000000 * 1000)};
  own.sleepers.fetch_add(1);
  if (own.bell.load() == seen) futex(own.bell, FUTEX_WAIT, seen, &time);
  own.sleepers.fetch_sub(1);
}

}  // namespace pyaclnn::sim::hccl
