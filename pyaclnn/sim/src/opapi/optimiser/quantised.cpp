// A step of AdamW whose moments are places in tables of 256 values, with a scale for each block.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "parameters/ApplyAdamWQuant.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;  // elements that share a scale
constexpr int kTable = 256;

using Table = std::array<float, kTable>;

/// The place of the nearest value of an ascending table; the lower of two that are as near.
int nearest(const Table& table, float value) {
  int low = 0, high = kTable - 1;
  for (int halving = 0; halving < 8; ++halving) {
    const int middle = (low + high) / 2;
    (value > table[std::size_t(middle)] ? low : high) = middle;
  }
  return std::fabs(value - table[std::size_t(low)]) <= std::fabs(value - table[std::size_t(high)])
             ? low
             : high;
}

float sign(float value) { return value > 0 ? 1.0f : value < 0 ? -1.0f : 0.0f; }

/// Moments of a block: stored places, their scale, and the table that both are of.
class Moments {
 public:
  Moments(const RowMajor& places, const RowMajor& scales, const RowMajor& table,
          const KernelMemory& memory)
      : places_(places, memory), scales_(scales, memory) {
    const RowMajorAccess values(table, memory);
    const float* const from = values.read(0, kTable, table_.data());
    if (from != table_.data()) std::copy_n(from, kTable, table_.begin());
    negative_ = std::any_of(table_.begin(), table_.end(), [](float v) { return v < 0; });
  }

  void restore(std::int64_t block, float* to) const {
    float scale = 0;
    scale = *scales_.read(block, 1, &scale);
    const float* const from = places_.read(block * kBlock, kBlock, to);
    for (std::int64_t i = 0; i < kBlock; ++i) to[i] = table_[std::size_t(from[i])] * scale;
  }

  /// `keeps_sign`: a value whose sign is not that of the nearest moves on by one place.
  void store(std::int64_t block, float* values, bool keeps_sign) const {
    float most = 0;
    for (std::int64_t i = 0; i < kBlock; ++i) most = std::max(most, std::fabs(values[i]));
    scales_.write(block, 1, &most);
    for (std::int64_t i = 0; i < kBlock; ++i) {
      const float value = values[i] / most;
      int place = nearest(table_, value);
      if (keeps_sign && negative_ && sign(value) != sign(table_[std::size_t(place)]))
        place = std::clamp(place + int(sign(value)), 0, kTable - 1);
      values[i] = float(place);
    }
    places_.write(block * kBlock, kBlock, values);
  }

 private:
  RowMajorAccess places_, scales_;
  Table table_{};
  bool negative_ = false;
};

}  // namespace

void apply_adamw_quant(const Check&, Plan& plan, const ApplyAdamWQuantParameters& given) {
  const TensorArgument& var = given.varRef;
  check_tiling(plan, given.blockSize == kBlock, "blockSize is %lld, it must be 256",
               static_cast<long long>(given.blockSize));
  for (const TensorArgument* tensor : {&given.grad, &given.mRef, &given.vRef})
    check_tiling(plan, tensor->shape() == var.shape(), "%s has another shape than varRef",
                 tensor->name());
  check_tiling(plan, given.qmapM.shape() == given.qmapV.shape() && given.qmapM.elements() == kTable,
               "qmapM and qmapV must have shape (256,)");
  check_tiling(plan, given.step.shape() == Dims{1}, "step must have shape (1,)");
  check_tiling(plan, !var.is_empty(), "varRef is empty");
  const std::int64_t blocks = var.elements() / kBlock;
  if (var.elements() % kBlock != 0 || given.absmaxMRef.elements() != blocks ||
      given.absmaxVRef.elements() != blocks)
    fail_not_simulated(plan, "moments that are no whole blocks of 256 with a scale for each");
  const auto lr = float(given.lr), beta1 = float(given.beta1), beta2 = float(given.beta2);
  const auto decay = float(given.weightDecay), eps = float(given.eps);
  const auto factor = float(given.gnormScale);
  const auto layout = [&](const TensorArgument& tensor) { return RowMajor(plan.reads(tensor)); };
  const RowMajor grad = layout(given.grad), table_m = layout(given.qmapM),
                 table_v = layout(given.qmapV), step = layout(given.step);
  const auto changed = [&](const TensorArgument& tensor) { return RowMajor(plan.writes(tensor)); };
  const RowMajor weights = changed(var), m = changed(given.mRef), v = changed(given.vRef),
                 scale_m = changed(given.absmaxMRef), scale_v = changed(given.absmaxVRef);
  plan.launch([=](const KernelMemory& memory) {
    const float after = RowMajorAccess(step, memory).values().front() + 1;
    const float root = std::sqrt(1.0f - std::pow(beta2, after));
    const float rate = -lr * root / (1.0f - std::pow(beta1, after));
    const Moments first(m, scale_m, table_m, memory), second(v, scale_v, table_v, memory);
    const RowMajorAccess to(weights, memory), from(grad, memory);
    parallel_for(blocks, 16, [&](std::int64_t begin, std::int64_t end) {
      std::array<float, kBlock> ms, vs, old, buffer;
      for (std::int64_t block = begin; block < end; ++block) {
        first.restore(block, ms.data());
        second.restore(block, vs.data());
        const float* const g = from.read(block * kBlock, kBlock, buffer.data());
        const float* const w = to.read(block * kBlock, kBlock, old.data());
        for (std::size_t i = 0; i < kBlock; ++i) {
          const float slope = g[i] * factor;
          ms[i] = ms[i] * beta1 + slope * (1 - beta1);
          vs[i] = vs[i] * beta2 + slope * slope * (1 - beta2);
          old[i] = w[i] + ms[i] * rate / (std::sqrt(vs[i]) + eps * root);
          if (decay > 0) old[i] *= 1 - lr * decay;
        }
        to.write(block * kBlock, kBlock, old.data());
        first.store(block, ms.data(), true);
        second.store(block, vs.data(), false);
      }
    });
  });
}

}  // namespace pyaclnn::sim
