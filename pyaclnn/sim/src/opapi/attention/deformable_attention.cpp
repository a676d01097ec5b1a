// Attention to points of feature maps of several sizes, between whose pixels values are
// interpolated, and its gradient.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/corners.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/stored_rows.hpp"
#include "parameters/MultiScaleDeformableAttentionGrad.hpp"
#include "parameters/MultiScaleDeformableAttnFunction.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const DtypeSet kIndices{ACL_INT32, ACL_INT64};

/// A feature map among the keys.
struct Level {
  std::int64_t height;
  std::int64_t width;
  std::int64_t first;
};

/// The operands of the forward pass.
struct Deformable {
  View value;  // [batch, heads, keys, channels]
  View shapes;
  View starts;
  View location;  // [batch, queries, heads, levels, points, 2]
  View weight;    // [batch, queries, heads, levels, points]

  std::int64_t batch() const { return value.shape[0]; }
  std::int64_t heads() const { return value.shape[1]; }
  std::int64_t keys() const { return value.shape[2]; }
  std::int64_t channels() const { return value.shape[3]; }
  std::int64_t queries() const { return location.shape[1]; }
  std::int64_t levels() const { return location.shape[3]; }
  std::int64_t points() const { return location.shape[4]; }
};

class Sampler {
 public:
  Sampler(const Deformable& deformable, const KernelMemory& memory)
      : d_(deformable),
        memory_(memory),
        values_(deformable.value),
        locations_(deformable.location),
        weights_(deformable.weight) {
    const std::vector<std::int64_t> shapes = integers_of(deformable.shapes, memory);
    const std::vector<std::int64_t> starts = integers_of(deformable.starts, memory);
    for (std::size_t level = 0; level < starts.size(); ++level)
      levels_.push_back({shapes[2 * level], shapes[2 * level + 1], starts[level]});
  }

  /// The row of the last axis of weights; that of locations is of each point in it.
  std::int64_t row(std::int64_t b, std::int64_t query, std::int64_t head,
                   std::int64_t level) const {
    return ((b * d_.queries() + query) * d_.heads() + head) * d_.levels() + level;
  }

  void weights(std::int64_t row, float* to) const { weights_.load(memory_, row, to); }

  const Level& level(std::int64_t number) const { return levels_[std::size_t(number)]; }

  /// The keys around a point.
  std::array<Corner, 4> corners(std::int64_t row, std::int64_t point, std::int64_t number) const {
    float at[2];
    locations_.load(memory_, row * d_.points() + point, at);
    const Level& map = level(number);
    // Sizes are data, too.
    if (map.width > d_.keys() || map.height > d_.keys()) return {};
    const bool is_there = map.first >= 0 && map.first < d_.keys();
    std::array<Corner, 4> corners = corners_of(
        at[1] * float(map.height) - 0.5f, at[0] * float(map.width) - 0.5f, map.height, map.width);
    for (Corner& corner : corners) {
      if (corner.pixel < 0) continue;
      const bool is_key = is_there && corner.pixel < d_.keys() - map.first;
      corner.pixel = is_key ? map.first + corner.pixel : -1;
    }
    return corners;
  }

  void value(std::int64_t b, std::int64_t head, std::int64_t key, float* to) const {
    values_.load(memory_, b, head, key, 0, d_.channels(), to);
  }

 private:
  const Deformable& d_;
  const KernelMemory& memory_;
  RowView values_;
  StoredRows locations_;
  StoredRows weights_;
  std::vector<Level> levels_;
};

void add(float* to, const float* from, float factor, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

void attend(const Deformable& d, const View& out, const KernelMemory& memory) {
  const Sampler sampler(d, memory);
  const RowView results(out);
  parallel_for(d.batch() * d.heads() * d.queries(), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> sum(static_cast<std::size_t>(d.channels()));
    std::vector<float> pixel(sum.size());
    std::vector<float> weights(static_cast<std::size_t>(d.points()));
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t query = task % d.queries();
      const std::int64_t head = task / d.queries() % d.heads();
      const std::int64_t b = task / d.queries() / d.heads();
      std::fill(sum.begin(), sum.end(), 0.0f);
      for (std::int64_t level = 0; level < d.levels(); ++level) {
        const std::int64_t row = sampler.row(b, query, head, level);
        sampler.weights(row, weights.data());
        for (std::int64_t point = 0; point < d.points(); ++point) {
          for (const Corner& corner : sampler.corners(row, point, level)) {
            if (corner.pixel < 0) continue;
            sampler.value(b, head, corner.pixel, pixel.data());
            add(sum.data(), pixel.data(), corner.weight * weights[std::size_t(point)],
                d.channels());
          }
        }
      }
      results.store(memory, b, head, query, sum.data(), d.channels());
    }
  });
}

/// Where gradients are read and written, as what they belong to.
struct DeformableGradients {
  View grad;  // [batch, heads, queries, channels]
  View value;
  View location;
  View weight;
};

void attend_backwards(const Deformable& d, const DeformableGradients& gradients,
                      const KernelMemory& memory) {
  const Sampler sampler(d, memory);
  const RowView grads(gradients.grad);
  const RowView value_grads(gradients.value);
  const StoredRows location_grads(gradients.location);
  const StoredRows weight_grads(gradients.weight);
  const LineLoops& loops = LineLoops::of_this_cpu();
  const std::int64_t channels = d.channels();
  parallel_for(d.batch() * d.heads(), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> sums(static_cast<std::size_t>(d.keys() * channels));
    std::vector<float> grad(static_cast<std::size_t>(channels));
    std::vector<float> pixel(grad.size());
    std::vector<float> weights(static_cast<std::size_t>(d.points()));
    std::vector<float> by_weight(weights.size());
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t b = task / d.heads();
      const std::int64_t head = task % d.heads();
      std::fill(sums.begin(), sums.end(), 0.0f);
      for (std::int64_t query = 0; query < d.queries(); ++query) {
        grads.load(memory, b, head, query, 0, channels, grad.data());
        for (std::int64_t level = 0; level < d.levels(); ++level) {
          const std::int64_t row = sampler.row(b, query, head, level);
          sampler.weights(row, weights.data());
          for (std::int64_t point = 0; point < d.points(); ++point) {
            const float weight = weights[std::size_t(point)];
            float& own = by_weight[std::size_t(point)] = 0;
            float by_location[2] = {};
            for (const Corner& corner : sampler.corners(row, point, level)) {
              if (corner.pixel < 0) continue;
              sampler.value(b, head, corner.pixel, pixel.data());
              float product = 0;
              loops.dot(grad.data(), pixel.data(), channels, &product);
              own += corner.weight * product;
              by_location[0] += corner.by_x * product;
              by_location[1] += corner.by_y * product;
              add(sums.data() + corner.pixel * channels, grad.data(), corner.weight * weight,
                  channels);
            }
            by_location[0] *= weight * float(sampler.level(level).width);
            by_location[1] *= weight * float(sampler.level(level).height);
            location_grads.store(memory, row * d.points() + point, by_location);
          }
          weight_grads.store(memory, row, by_weight.data());
        }
      }
      for (std::int64_t key = 0; key < d.keys(); ++key)
        value_grads.store(memory, b, head, key, sums.data() + key * channels, channels);
    }
  });
}

/// What both directions demand of dtypes and ranks.
template <class Given>
void check_operands(const Check& check, const Given& given) {
  check.dtype_in(kFloats, given.value);
  check.dtype_in(kIndices, given.spatialShape, given.levelStartIndex);
  check.dtype_in(kFloats, given.location, given.attnWeight);
}

template <class Given>
void check_ranks(const Check& check, const Given& given) {
  const std::pair<const TensorArgument*, std::size_t> ranks[] = {{&given.value, 4},
                                                                 {&given.spatialShape, 2},
                                                                 {&given.levelStartIndex, 1},
                                                                 {&given.location, 6},
                                                                 {&given.attnWeight, 5}};
  for (const auto& [tensor, rank] : ranks)
    check.that(tensor->rank() == rank, "%s has %zu dimensions, it must have %zu", tensor->name(),
               tensor->rank(), rank);
  check.that(given.spatialShape.shape()[1] == 2 && given.location.shape()[5] == 2,
             "the last dimension of spatialShape and location must be 2");
  constexpr std::int64_t kMost = 16;
  constexpr std::int64_t kMostChannels = 256;
  const Dims& location = given.location.shape();
  const std::int64_t channels = given.value.shape()[3];
  check.that(given.value.shape()[2] <= kMost && location[2] <= kMost && location[3] <= kMost &&
                 location[4] <= kMost && given.spatialShape.shape()[0] <= kMost,
             "heads, levels and points must be 16 at most, location has shape %s",
             location.text().c_str());
  check.that(channels % 8 == 0 && channels <= kMostChannels,
             "value has %lld channels, they must be a multiple of 8 up to 256",
             static_cast<long long>(channels));
}

/// Reads the operands, whose shapes must fit one another.
template <class Given>
Deformable staged(Plan& plan, const Given& given) {
  const Dims& value = given.value.shape();
  const Dims& location = given.location.shape();
  const std::int64_t levels = given.levelStartIndex.shape()[0];
  const Dims points{value[0], location[1], value[2], levels, location[4], 2};
  const Dims weights{value[0], location[1], value[2], levels, location[4]};
  check_tiling_inside(plan,
                      location == points && given.attnWeight.shape() == weights &&
                          given.spatialShape.shape() == Dims({levels, 2}),
                      "value, location and attnWeight have shapes %s, %s and %s",
                      value.text().c_str(), location.text().c_str(),
                      given.attnWeight.shape().text().c_str());
  check_inside(plan,
               given.location.dtype() == given.value.dtype() &&
                   given.attnWeight.dtype() == given.value.dtype() &&
                   given.spatialShape.dtype() == given.levelStartIndex.dtype(),
               "value, location and attnWeight must be of one type");
  const auto read = [&](const TensorArgument& tensor) {
    plan.stage(tensor).contiguous();
    return plan.reads(tensor);
  };
  Deformable deformable;
  deformable.value = by_heads(read(given.value), "BSND", 0);
  deformable.shapes = read(given.spatialShape);
  deformable.starts = read(given.levelStartIndex);
  deformable.location = read(given.location);
  deformable.weight = read(given.attnWeight);
  return deformable;
}

template <class Given>
bool is_empty(const Given& given) {
  return given.value.is_empty() || given.spatialShape.is_empty() ||
         given.levelStartIndex.is_empty() || given.location.is_empty() ||
         given.attnWeight.is_empty();
}

}  // namespace

void multi_scale_deformable_attn(const Check& check, Plan& plan,
                                 const MultiScaleDeformableAttnFunctionParameters& given) {
  check_operands(check, given);
  check.dtype_in(kFloats, given.output);
  check.same_dtype(given.value, given.output);
  if (on_310p())
    check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}, given.value, given.location, given.attnWeight);
  check_ranks(check, given);
  const Dims& location = given.location.shape();
  constexpr std::int64_t kLeast = 32;
  check.that(location[1] >= kLeast, "location has %lld queries, it must have 32 at least",
             static_cast<long long>(location[1]));
  check.that(
      given.spatialShape.shape()[0] == location[3] && location[3] == given.attnWeight.shape()[3],
      "spatialShape, location and attnWeight differ in levels");
  if (is_empty(given)) return;
  needs_kernel(plan, on_a2_or_a3() || on_310p());
  const Deformable deformable = staged(plan, given);
  const std::int64_t heads = deformable.heads();
  plan.result(given.value.dtype(),
              {deformable.batch(), deformable.queries(), heads * deformable.channels()})
      .copy_to(given.output);
  const View out = by_heads(plan.writes(given.output), "BSH", heads);
  plan.launch([=](const KernelMemory& memory) { attend(deformable, out, memory); });
}

void multi_scale_deformable_attn_grad(const Check& check, Plan& plan,
                                      const MultiScaleDeformableAttentionGradParameters& given) {
  const TensorArgument& grad = given.gradOutput;
  check_operands(check, given);
  check.dtype_in(kFloats, grad, given.gradValue, given.gradLocation, given.gradAttnWeight);
  check_ranks(check, given);
  check.that(grad.rank() == 3, "gradOutput has %zu dimensions, it must have 3", grad.rank());
  constexpr std::int64_t kMostQueries = 500000;
  check.that(given.location.shape()[1] < kMostQueries, "location has too many queries");
  if (is_empty(given) || grad.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3());
  const Deformable deformable = staged(plan, given);
  const std::int64_t heads = deformable.heads();
  const Dims shape{deformable.batch(), deformable.queries(), heads * deformable.channels()};
  check_inside(plan, grad.shape() == shape && grad.dtype() == given.value.dtype(),
               "gradOutput has shape %s, it must be %s and of the type of value",
               grad.shape().text().c_str(), shape.text().c_str());
  const auto written = [&](const TensorArgument& out, const TensorArgument& of) {
    plan.result(of.dtype(), of.shape()).copy_to(out);
    return plan.writes(out);
  };
  plan.stage(grad).contiguous();
  DeformableGradients gradients;
  gradients.grad = by_heads(plan.reads(grad), "BSH", heads);
  gradients.value = by_heads(written(given.gradValue, given.value), "BSND", 0);
  gradients.location = written(given.gradLocation, given.location);
  gradients.weight = written(given.gradAttnWeight, given.attnWeight);
  plan.launch([=](const KernelMemory& memory) { attend_backwards(deformable, gradients, memory); });
}

}  // namespace pyaclnn::sim
