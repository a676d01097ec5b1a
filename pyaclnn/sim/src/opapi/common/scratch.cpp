// SPDX-License-Identifier: MIT
#include "opapi/common/scratch.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

namespace pyaclnn::sim {
namespace {

constexpr std::align_val_t kLine{64};
constexpr std::size_t kLeast = std::size_t(64) << 10;  // smaller ones the library keeps well
constexpr std::size_t kMost = std::size_t(64) << 20;   // of all that is kept
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeeps = false;  // they look at each block by itself
#else
constexpr bool kKeeps = true;
#endif

struct Block {
  void* memory;
  std::size_t bytes;
};

/// Blocks that nobody uses, the oldest first.
class Kept {
 public:
  /// A block of as many bytes and not many more, or null.
  void* take(std::size_t bytes) {
    // Whoever comes at the same time, or behind a fork, gets memory of its own.
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return nullptr;
    const auto fits = [&](const Block& block) { return block.bytes == bytes; };
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(), fits);
    if (found == blocks_.rend()) return nullptr;
    void* const memory = found->memory;
    total_ -= found->bytes;
    blocks_.erase(std::next(found).base());
    return memory;
  }

  /// Whether it is kept.
  bool keep(const Block& block) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || block.bytes > kMost) return false;
    while (!blocks_.empty() && (total_ + block.bytes > kMost || blocks_.size() == kMostBlocks)) {
      ::operator delete(blocks_.front().memory, kLine);
      total_ -= blocks_.front().bytes;
      blocks_.erase(blocks_.begin());
    }
    blocks_.push_back(block);
    total_ += block.bytes;
    return true;
  }

  static Kept& all() {
    // Never destroyed: kernels may run until the process ends.
    static Kept* const kept = new Kept;
    return *kept;
  }

 private:
  static constexpr std::size_t kMostBlocks = 64;

  Kept() { blocks_.reserve(kMostBlocks); }  // nothing is allocated where memory is given back

  std::mutex mutex_;
  std::vector<Block> blocks_;
  std::size_t total_ = 0;
};

/// As large as similar ones, which have the same blocks: to an eighth of a power of two.
std::size_t rounded(std::size_t bytes) {
  std::size_t step = 64;
  while (step * 16 < bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

}  // namespace

void* take_scratch(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  void* const kept = kKeeps && size >= kLeast ? Kept::all().take(size) : nullptr;
  return kept != nullptr ? kept : ::operator new(size, kLine);
}

void give_scratch(void* memory, std::size_t bytes) noexcept {
  const std::size_t size = rounded(bytes);
  if (kKeeps && size >= kLeast && Kept::all().keep({memory, size})) return;
  ::operator delete(memory, kLine);
}

}  // namespace pyaclnn::sim
