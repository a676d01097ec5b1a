// SPDX-License-Identifier: MIT
#include "opapi/copy/transpose.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/turned.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLine = 64;  // bytes
constexpr std::int64_t kTile = 64;  // elements along each of the two axes, a few lines
constexpr std::int64_t kGrain = 32768;
constexpr std::int64_t kFewElements = 4096;
constexpr std::int64_t kShortAxis = 8;

/// Axis 0 is dense in the output, axis 1 in the input; steps in elements.
struct Axes {
  std::int64_t extent0 = 1;
  std::int64_t extent1 = 1;
  std::int64_t in_step0 = 1;
  std::int64_t out_step1 = 1;
};

template <class T>
class Transposed {
  static constexpr std::int64_t kSide = kLine / std::int64_t(sizeof(T));

 public:
  Transposed(const View& out, const View& in, const LoopNest& nest, std::size_t dense_in)
      : out_(out), in_(in) {
    const std::size_t last = nest.extents.size() - 1;
    axes_ = {nest.extents[last], nest.extents[dense_in], nest.strides[1][last],
             nest.strides[0][dense_in]};
    for (std::size_t k = 0; k < last; ++k) {
      if (k == dense_in) continue;
      extents_.push_back(nest.extents[k]);
      out_steps_.push_back(nest.strides[0][k]);
      in_steps_.push_back(nest.strides[1][k]);
    }
    tiles0_ = (axes_.extent0 + kTile - 1) / kTile;
    tiles1_ = (axes_.extent1 + kTile - 1) / kTile;
    planes_ = nest.count / (axes_.extent0 * axes_.extent1);
    bulk_ = std::size_t(nest.count) * sizeof(T) >= kBulkBytes;
  }

  void run(const KernelMemory& memory) const {
    constexpr auto kSize = std::int64_t(sizeof(T));
    std::byte* to = memory.operands[out_.operand] + out_.offset * kSize;
    const std::byte* from = memory.operands[in_.operand] + in_.offset * kSize;
    parallel_for(planes_ * tiles1_ * tiles0_, kGrain / (kTile * kTile),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     std::int64_t plane = i / (tiles0_ * tiles1_);
                     std::int64_t out_at = 0;
                     std::int64_t in_at = 0;
                     for (std::size_t k = extents_.size(); k-- > 0; plane /= extents_[k]) {
                       out_at += plane % extents_[k] * out_steps_[k];
                       in_at += plane % extents_[k] * in_steps_[k];
                     }
                     tile(to + out_at * kSize, from + in_at * kSize, i % tiles0_ * kTile,
                          i / tiles0_ % tiles1_ * kTile);
                   }
                   if (bulk_) bulk_copy_done();
                 });
  }

 private:
  void tile(std::byte* to, const std::byte* from, std::int64_t begin0, std::int64_t begin1) const {
    const std::int64_t end0 = std::min(begin0 + kTile, axes_.extent0);
    const std::int64_t end1 = std::min(begin1 + kTile, axes_.extent1);
    std::int64_t at0 = begin0;
    for (; at0 + kSide <= end0; at0 += kSide) {
      std::int64_t at1 = begin1;
      for (; at1 + kSide <= end1; at1 += kSide) lines(to, from, at0, at1);
      elements(to, from, at0, at0 + kSide, at1, end1);
    }
    elements(to, from, at0, end0, begin1, end1);
  }

  std::byte* out_at(std::byte* to, std::int64_t at0, std::int64_t at1) const {
    return to + (at0 + at1 * axes_.out_step1) * std::int64_t(sizeof(T));
  }
  const std::byte* in_at(const std::byte* from, std::int64_t at0, std::int64_t at1) const {
    return from + (at0 * axes_.in_step0 + at1) * std::int64_t(sizeof(T));
  }

  void lines(std::byte* to, const std::byte* from, std::int64_t at0, std::int64_t at1) const {
    alignas(kLine) std::byte turned[kSide * kLine];
    turn_(in_at(from, at0, at1), axes_.in_step0 * std::int64_t(sizeof(T)), kSide, turned, kLine);
    for (std::int64_t j = 0; j < kSide; ++j) {
      std::byte* place = out_at(to, at0, at1 + j);
      if (bulk_)
        bulk_copy(place, turned + j * kLine, kLine);
      else
        std::memcpy(place, turned + j * kLine, kLine);
    }
  }

  void elements(std::byte* to, const std::byte* from, std::int64_t begin0, std::int64_t end0,
                std::int64_t begin1, std::int64_t end1) const {
    for (std::int64_t at1 = begin1; at1 < end1; ++at1) {
      for (std::int64_t at0 = begin0; at0 < end0; ++at0)
        std::memcpy(out_at(to, at0, at1), in_at(from, at0, at1), sizeof(T));
    }
  }

  View out_;
  View in_;
  Axes axes_;
  std::vector<std::int64_t> extents_;  // the other axes
  std::vector<std::int64_t> out_steps_;
  std::vector<std::int64_t> in_steps_;
  std::int64_t tiles0_ = 1;
  std::int64_t tiles1_ = 1;
  std::int64_t planes_ = 1;
  bool bulk_ = false;
  TurnLines turn_ = turn_lines<T>();
};

template <class T>
void launch(Plan& plan, const View& out, const View& in, const LoopNest& nest, std::size_t axis) {
  plan.launch([kernel = Transposed<T>(out, in, nest, axis)](const KernelMemory& memory) {
    kernel.run(memory);
  });
}

}  // namespace

bool launch_transposed_copy(Plan& plan, const View& out, const View& in, std::size_t size) {
  const LoopNest nest = plan_loops({out, in});
  if (nest.count < kFewElements || nest.inner_stride(0) != 1 || nest.inner_stride(1) == 0 ||
      nest.inner_stride(1) == 1 || nest.inner_extent() < kShortAxis)
    return false;
  const std::vector<std::int64_t>& steps = nest.strides[1];
  const auto dense = std::size_t(std::find(steps.begin(), steps.end(), 1) - steps.begin());
  if (dense == steps.size() || nest.extents[dense] < kShortAxis) return false;
  switch (size) {
    case 1:
      return launch<std::uint8_t>(plan, out, in, nest, dense), true;
    case 2:
      return launch<std::uint16_t>(plan, out, in, nest, dense), true;
    case 4:
      return launch<std::uint32_t>(plan, out, in, nest, dense), true;
    case 8:
      return launch<std::uint64_t>(plan, out, in, nest, dense), true;
    default:
      return false;
  }
}

}  // namespace pyaclnn::sim
