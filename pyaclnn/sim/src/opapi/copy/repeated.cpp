// SPDX-License-Identifier: MIT
#include "opapi/copy/repeated.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrainBytes = 65536;
constexpr std::int64_t kShortRow = 64;  // bytes: not worth a call
constexpr std::int64_t kPart = 65536;   // elements of a row that one thread takes

/// Writes the element at `from`, which has the size of a T, `count` times.
template <class T>
struct FillRow {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(std::byte* to, std::int64_t count, const std::byte* from) {
    T element;
    std::memcpy(&element, from, sizeof element);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(to + i * std::int64_t(sizeof element), &element, sizeof element);
  }
};

using FillRowFn = void (*)(std::byte*, std::int64_t, const std::byte*);

template <class T>
FillRowFn fill_row() {
  return loop_for_cpu<FillRow<T>, std::byte*, std::int64_t, const std::byte*>();
}

FillRowFn fill_row_of(std::int64_t size) {
  switch (size) {
    case 1:
      return fill_row<std::uint8_t>();
    case 2:
      return fill_row<std::uint16_t>();
    case 4:
      return fill_row<std::uint32_t>();
    case 8:
      return fill_row<std::uint64_t>();
    case 16:
      return fill_row<std::array<std::uint64_t, 2>>();
    default:
      return nullptr;
  }
}

class RepeatedCopy {
 public:
  RepeatedCopy(const View& out, const View& in, LoopNest nest)
      : out_(out),
        in_(in),
        nest_(std::move(nest)),
        size_(static_cast<std::int64_t>(dtype_size(out.dtype))) {}

  void run(const KernelMemory& memory) const {
    std::byte* to = memory.operands[out_.operand] + out_.offset * size_;
    const std::byte* from = memory.operands[in_.operand] + in_.offset * size_;
    const std::int64_t width = nest_.inner_extent();
    const std::int64_t parts = (width + kPart - 1) / kPart;
    const std::int64_t bytes = std::min(width, kPart) * size_;
    parallel_for(nest_.count / width * parts, std::max<std::int64_t>(1, kGrainBytes / bytes),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const Row row = row_at(i / parts);
                     const std::int64_t first = i % parts * kPart;
                     fill_(to + (row.out + first) * size_, std::min(kPart, width - first),
                           from + row.in * size_);
                   }
                 });
  }

 private:
  /// Where a row begins, in elements.
  struct Row {
    std::int64_t out = 0;
    std::int64_t in = 0;
  };

  Row row_at(std::int64_t number) const {
    Row row;
    for (std::size_t axis = nest_.extents.size() - 1; axis-- > 0;) {
      const std::int64_t place = axis == 0 ? number : number % nest_.extents[axis];
      row.out += place * nest_.strides[0][axis];
      row.in += place * nest_.strides[1][axis];
      if (axis > 0) number /= nest_.extents[axis];
    }
    return row;
  }

  View out_;
  View in_;
  LoopNest nest_;  // of the output and the input
  std::int64_t size_;
  FillRowFn fill_ = fill_row_of(size_);
};

}  // namespace

bool launch_repeated_copy(Plan& plan, const View& out, const View& in) {
  const auto size = static_cast<std::int64_t>(dtype_size(out.dtype));
  if (fill_row_of(size) == nullptr) return false;
  LoopNest nest = plan_loops({out, in});
  if (nest.inner_stride(0) != 1 || nest.inner_stride(1) != 0 ||
      nest.inner_extent() * size <= kShortRow)
    return false;
  plan.launch([kernel = RepeatedCopy(out, in, std::move(nest))](const KernelMemory& memory) {
    kernel.run(memory);
  });
  return true;
}

}  // namespace pyaclnn::sim
