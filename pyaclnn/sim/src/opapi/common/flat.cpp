// SPDX-License-Identifier: MIT
#include "opapi/common/flat.hpp"

#include <algorithm>
#include <cstring>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 65536;  // elements worth a hand-over to another thread

template <std::size_t kSize>
void copy_strided(std::byte* to, std::int64_t to_step, const std::byte* from,
                  std::int64_t from_step, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step, from + i * from_step, kSize);
}

}  // namespace

FlatView::FlatView(const View& view)
    : operand_(view.operand),
      offset_(view.offset),
      size_(std::int64_t(dtype_size(view.dtype))),
      count_(view.shape.product()) {
  extents_.clear();
  strides_.clear();
  // Extents beside one of 0 may have any product.
  for (std::size_t i = 0; count_ != 0 && i < view.shape.size(); ++i) {
    if (view.shape[i] == 1) continue;
    if (!extents_.empty() && strides_.back() == view.strides[i] * view.shape[i]) {
      extents_.back() *= view.shape[i];
      strides_.back() = view.strides[i];
    } else {
      extents_.push_back(view.shape[i]);
      strides_.push_back(view.strides[i]);
    }
  }
  if (extents_.empty()) {
    extents_.push_back(1);
    strides_.push_back(1);
  }
}

std::byte* FlatView::at(const KernelMemory& memory, std::int64_t position) const {
  std::int64_t offset = offset_;
  for (std::size_t i = extents_.size(); i-- > 0;) {
    offset += position % extents_[i] * strides_[i];
    position /= extents_[i];
  }
  return memory.operands[operand_] + offset * size_;
}

void copy_elements(std::byte* to, std::int64_t to_step, const std::byte* from,
                   std::int64_t from_step, std::int64_t count, std::int64_t size) {
  if (to_step == size && from_step == size) {
    std::memmove(to, from, std::size_t(count * size));
    return;
  }
  switch (size) {
    case 1:
      return copy_strided<1>(to, to_step, from, from_step, count);
    case 2:
      return copy_strided<2>(to, to_step, from, from_step, count);
    case 4:
      return copy_strided<4>(to, to_step, from, from_step, count);
    case 8:
      return copy_strided<8>(to, to_step, from, from_step, count);
    default:
      for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * to_step, from + i * from_step, std::size_t(size));
  }
}

void zero_elements(std::byte* to, std::int64_t step, std::int64_t count, std::int64_t size) {
  if (step == size) {
    std::memset(to, 0, std::size_t(count * size));
  } else {
    for (std::int64_t i = 0; i < count; ++i) std::memset(to + i * step, 0, std::size_t(size));
  }
}

void launch_flat_copy(Plan& plan, const View& to, std::int64_t to_begin, const View& from,
                      std::int64_t from_begin, std::int64_t count) {
  if (count <= 0) return;
  plan.launch([target = FlatView(to), source = FlatView(from), to_begin, from_begin,
               count](const KernelMemory& memory) {
    parallel_for(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      while (begin < end) {
        const std::int64_t to_place = to_begin + begin;
        const std::int64_t from_place = from_begin + begin;
        const std::int64_t run =
            std::min({end - begin, target.left_in_run(to_place), source.left_in_run(from_place)});
        copy_elements(target.at(memory, to_place), target.step(), source.at(memory, from_place),
                      source.step(), run, target.element_size());
        begin += run;
      }
    });
  });
}

}  // namespace pyaclnn::sim
