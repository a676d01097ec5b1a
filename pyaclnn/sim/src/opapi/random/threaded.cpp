// SPDX-License-Identifier: MIT
#include "opapi/random/threaded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "opapi/random/words.hpp"
#include "parameters/DropoutV3.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kGrain = 8192;

/// Threads for so many elements: blocks of 256, at most as many as 78 processors of 2048 threads.
std::int64_t threads_for(std::int64_t elements) {
  constexpr std::int64_t kOfBlock = 256;
  constexpr std::int64_t kMostBlocks = 2048 / kOfBlock * 78;
  return kOfBlock * std::min(elements / kOfBlock + (elements % kOfBlock != 0 ? 1 : 0), kMostBlocks);
}

/// The words of all threads.
class ThreadedWords {
 public:
  ThreadedWords(std::uint64_t seed, std::uint64_t first_block, std::int64_t elements)
      : seed_(seed), first_(first_block), threads_(threads_for(elements)) {}

  /// Of a thread's stream, `word` counted from the first of `block`.
  std::uint32_t word(std::int64_t thread, std::int64_t block, unsigned word) const {
    const RandomStream stream{seed_, std::uint64_t(thread)};
    return stream.block(first_ + std::uint64_t(block) + word / 4)[word % 4];
  }

  /// Where an element's words are: a block of them for `each` elements of a thread.
  struct Place {
    std::int64_t thread;
    std::int64_t block;
    unsigned number;
  };
  Place place(std::int64_t element, std::int64_t each) const {
    return {element % threads_, element / (threads_ * each), unsigned(element / threads_ % each)};
  }

  /// The word of an element where a thread takes `side_by_side` of them; 1 stands for `place`.
  std::uint32_t word_of(std::int64_t element, std::int64_t side_by_side) const {
    if (side_by_side == 1) {
      const Place at = place(element, 4);
      return word(at.thread, at.block, at.number);
    }
    const std::int64_t group = element / side_by_side;
    const std::int64_t blocks = std::max<std::int64_t>(1, side_by_side / 4);
    const std::int64_t block = group / threads_ * blocks + element / 4 % blocks;
    const std::int64_t lanes = std::min<std::int64_t>(side_by_side, 4);
    return word(group % threads_, block, unsigned(element % lanes));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t first_;
  std::int64_t threads_;
};

/// The first block of an offset that counts words, in whole blocks.
std::uint64_t blocks_up_to(std::uint64_t offset) {
  return std::uint64_t((std::int64_t(offset + 3)) / 4);
}

/// How many integers from 0 on a type has without a gap.
std::uint64_t integers_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_BOOL:
      return 2;
    case ACL_INT8:
      return 1U << 7;
    case ACL_UINT8:
      return 1U << 8;
    case ACL_INT16:
      return 1U << 15;
    case ACL_INT64:
      return std::uint64_t(1) << 63;
    case ACL_BF16:
      return (1U << 8) + 1;
    case ACL_FLOAT16:
      return (1U << 11) + 1;
    case ACL_FLOAT:
      return (1U << 24) + 1;
    default:  // drawn as int32
      return std::uint64_t(1) << 31;
  }
}

/// Elements that a thread of dropout takes side by side: 16 bytes at most, and no rest.
std::int64_t side_by_side(std::int64_t elements, std::size_t size) {
  if (elements % 2 != 0) return 1;
  auto count = std::min<std::int64_t>(8, 16 / std::int64_t(size));
  while (elements % count != 0) count /= 2;
  return count;
}

}  // namespace

void fill_all_integers(Plan& plan, const TensorArgument& out, const Seeds& seeds) {
  const SeedWords words(plan, seeds);
  const aclDataType drawn = out.dtype() == ACL_DOUBLE ? ACL_INT32 : out.dtype();
  plan.result(drawn, out.shape()).cast_to(out.dtype()).copy_to(out);
  const FlatView to(plan.writes(out));
  const StoreFn store = storer<std::int64_t>(out.dtype(), Rounding::kTruncate);
  const std::uint64_t range = integers_of(out.dtype());
  plan.launch([=](const KernelMemory& memory) {
    const RandomStream stream = words.stream(memory);
    const ThreadedWords drawn_words(stream.seed, blocks_up_to(stream.offset), to.count());
    const bool wide = range > std::numeric_limits<std::uint32_t>::max();
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto at = drawn_words.place(i, wide ? 2 : 4);
        std::uint64_t word =
            drawn_words.word(at.thread, at.block, wide ? 2 * at.number : at.number);
        if (wide) word = word << 32 | drawn_words.word(at.thread, at.block, 2 * at.number + 1);
        const auto value = std::int64_t(word % range);
        store(&value, 1, to.at(memory, i), 1);
      }
    });
  });
}

void check_count(const Plan& plan, const TensorArgument& out, std::int64_t count) {
  check_tiling(plan, count == out.elements(), "count is %lld, selfRef has %lld elements",
               static_cast<long long>(count), static_cast<long long>(out.elements()));
}

void fill_exponential(Plan& plan, const TensorArgument& out, double rate, std::int64_t seed,
                      std::int64_t offset) {
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const RowMajor to(plan.writes(out));
  const auto start = std::uint64_t(offset);
  // The kernel takes a remainder of 1 for none.
  const unsigned ahead = start % 4 == 1 ? 0 : unsigned(start % 4);
  const ThreadedWords words(std::uint64_t(seed), start / 4, out.elements());
  plan.launch([=, divisor = float(rate)](const KernelMemory& memory) {
    const RowMajorAccess results(to, memory);
    constexpr float kHalfStep = std::numeric_limits<float>::epsilon() / 2;
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      float values[kBlock];
      for (std::int64_t first = begin; first < end; first += kBlock) {
        const std::int64_t count = std::min(kBlock, end - first);
        for (std::int64_t i = 0; i < count; ++i) {
          const auto at = words.place(first + i, 4);
          const float u = open_fraction(words.word(at.thread, at.block, at.number + ahead));
          values[i] = (u < 1 - kHalfStep ? -std::log(u) : kHalfStep) / divisor;
        }
        results.write(first, count, values);
      }
    });
  });
}

/// out = input / (1 - drop) or 0, and the bits of what is kept, the lowest of a byte first; bytes
/// beyond the last element are left as they are, unless nothing or all is dropped.
void drop_out_by_threads(const Check&, Plan& plan, const DropoutV3Parameters& given) {
  const auto fill_mask_with = [&](double byte) {
    pointwise(plan, formulas::fill, ACL_UINT8, ACL_UINT8, given.maskOut, {}, {Number(byte)});
  };
  if (given.p == 0) {
    fill_mask_with(255);
    return copy(plan, given.input, given.out);
  }
  const auto kept = 1.0F - float(given.p);
  if (given.p == 1 || kept == 0) {
    fill_mask_with(0);
    plan.result(given.input.dtype(), given.out.shape())
        .cast_to(given.out.dtype())
        .copy_to(given.out);
    return launch_zero(plan, given.out);
  }
  plan.stage(given.input).contiguous();
  plan.reserve(given.input.elements(), ACL_UINT8);
  plan.result(given.input.dtype(), given.out.shape()).cast_to(given.out.dtype()).copy_to(given.out);
  plan.result(ACL_UINT8, given.maskOut.shape()).copy_to(given.maskOut);
  const RowMajor to(plan.writes(given.out)), bits(plan.writes(given.maskOut)),
      from(plan.reads(given.input));
  const std::int64_t each = side_by_side(given.input.elements(), dtype_size(given.input.dtype()));
  const ThreadedWords words(std::uint64_t(given.seed), blocks_up_to(std::uint64_t(given.offset)),
                            given.input.elements());
  plan.launch([=](const KernelMemory& memory) {
    const RowMajorAccess values(from, memory), results(to, memory), bytes(bits, memory);
    const std::int64_t total = to.count();
    const float scale = 1.0F / kept;
    // A block writes whole bytes of the mask.
    const std::int64_t blocks = (total + kBlock - 1) / kBlock;
    parallel_for(blocks, kGrain / kBlock, [&](std::int64_t begin, std::int64_t end) {
      float buffer[kBlock], result[kBlock], mask_bytes[kBlock / 8];
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t first = block * kBlock;
        const std::int64_t count = std::min(kBlock, total - first);
        const float* x = values.read(first, count, buffer);
        unsigned byte = 0;
        for (std::int64_t i = 0; i < count; ++i) {
          const bool keep = open_fraction(words.word_of(first + i, each)) < kept;
          result[i] = x[i] * (keep ? 1.0F : 0.0F) * scale;
          byte |= unsigned(keep) << (i % 8);
          if (i % 8 == 7 || i + 1 == count) {
            mask_bytes[i / 8] = float(byte);
            byte = 0;
          }
        }
        results.write(first, count, result);
        bytes.write(first / 8, (count + 7) / 8, mask_bytes);
      }
    });
  });
}

}  // namespace pyaclnn::sim
