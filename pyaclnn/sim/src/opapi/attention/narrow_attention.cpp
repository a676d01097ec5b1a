// SPDX-License-Identifier: MIT
#include "opapi/attention/narrow_attention.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/packed.hpp"
#include "opapi/attention/rounded_as.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/common/packed_operand.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRows = 128;     // that share a scale
constexpr std::int64_t kTile = kDepth;  // columns of a product, which share a scale
constexpr std::int64_t kBlock = 512;    // columns of which the maximum is found at once
static_assert(kBlock == 2 * kTile);

class Narrow {
 public:
  Narrow(const NarrowAttention& a, const KernelMemory& memory)
      : a_(a),
        memory_(memory),
        query_(a.query),
        key_(a.key),
        value_(a.value),
        out_(a.out),
        maximum_(a.maximum),
        sum_(a.sum),
        tiles_(TileProducts::of_this_cpu()),
        loops_(LineLoops::of_this_cpu()),
        half_(ACL_FLOAT16),
        small_(a.query.dtype),
        query_scales_(PackedOperand(a.query_scale).read(memory)),
        key_scales_(PackedOperand(a.key_scale).read(memory)),
        value_scales_(PackedOperand(a.value_scale).read(memory)),
        depth_(a.query.shape[3]),
        value_depth_(a.value.shape[3]),
        value_step_(round_up(value_depth_, tiles_.lanes)) {
    const float scale = half_.round(PackedOperand(a.weight_scale).read(memory).front());
    shift_ = half_.round(std::log(scale));
  }

  void run() const {
    const std::int64_t blocks = ceil_divide(a_.query.shape[2], kRows);
    const std::int64_t heads = a_.query.shape[0] * a_.query.shape[1];
    parallel_for(heads * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
      Work work(*this);
      for (std::int64_t task = begin; task < end; ++task)
        run_rows(task / blocks, task % blocks, work);
    });
  }

 private:
  struct Work {
    explicit Work(const Narrow& n)
        : query(kRows, n.depth_),
          weights{PackedLines(kRows, kTile), PackedLines(kRows, kTile)},
          rows(kTile * std::max(n.depth_, n.value_depth_)),
          keys(n.depth_ * kTile),
          values(kTile * n.value_step_),
          product(kRows * n.value_step_),
          sums(kRows * n.value_step_),
          largest(kRows),
          total(kRows) {}

    PackedLines query;
    PackedLines weights[2];
    FloatBuffer rows;
    FloatBuffer keys;
    FloatBuffer values;
    FloatBuffer product;
    FloatBuffer sums;
    std::vector<float> largest;
    std::vector<float> total;
  };

  void run_rows(std::int64_t head, std::int64_t block, Work& work) const {
    const std::int64_t batch = head / a_.query.shape[1];
    const std::int64_t n = head % a_.query.shape[1];
    const std::int64_t first = block * kRows;
    const std::int64_t count = std::min(kRows, a_.query.shape[2] - first);
    const std::int64_t columns = a_.key.shape[2];
    for (std::int64_t l = 0; l < count; ++l) {
      query_.load(memory_, batch, n, first + l, 0, depth_, work.rows.data());
      work.query.set(l, work.rows.data());
    }
    const float scale =
        a_.scale * query_scales_[std::size_t(head * ceil_divide(a_.query.shape[2], kRows) + block)];
    std::fill_n(work.sums.data(), count * value_step_, 0.0f);
    for (std::int64_t column = 0; column < columns; column += kBlock) {
      const std::int64_t width = std::min(kBlock, columns - column);
      add_block(batch, n, count, scale, column, width, work);
    }
    for (std::int64_t l = 0; l < count; ++l) {
      float* sums = work.sums.data() + l * value_step_;
      for (std::int64_t k = 0; k < value_depth_; ++k) sums[k] /= work.total[std::size_t(l)];
      out_.store(memory_, batch, n, first + l, sums, value_depth_);
      maximum_.store(memory_, batch, n, first + l, &work.largest[std::size_t(l)], 1);
      sum_.store(memory_, batch, n, first + l, &work.total[std::size_t(l)], 1);
    }
  }

  /// How many columns the first or the second tile of a block has.
  static std::int64_t width_of(std::int64_t tile, std::int64_t width) {
    return std::clamp<std::int64_t>(width - tile * kTile, 0, kTile);
  }

  void add_block(std::int64_t batch, std::int64_t n, std::int64_t count, float scale,
                 std::int64_t column, std::int64_t width, Work& work) const {
    const std::int64_t head = batch * a_.key.shape[1] + n;
    const std::int64_t columns = a_.key.shape[2];
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      const std::int64_t own = width_of(tile, width);
      if (own == 0) break;
      const std::int64_t first = column + tile * kTile;
      for (std::int64_t j = 0; j < own; ++j)
        key_.load(memory_, batch, n, first + j, 0, depth_, work.rows.data() + j * depth_);
      transpose(work.rows.data(), depth_, own, depth_, work.keys.data(), kTile);
      const PackedLines& scores = work.weights[tile];
      work.query.multiply(tiles_, count, work.keys.data(), kTile, own, scores.line(0, 0), kDepth);
      const float all =
          scale * key_scales_[std::size_t(head * ceil_divide(columns, kTile) + first / kTile)];
      for (std::int64_t l = 0; l < count; ++l) {
        loops_.scale(scores.line(0, l), own, all);
        half_.round(scores.line(0, l), own);
      }
    }
    for (std::int64_t l = 0; l < count; ++l) weigh(l, width, column == 0, work);
    std::fill_n(work.product.data(), count * value_step_, 0.0f);
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      const std::int64_t own = width_of(tile, width);
      if (own == 0) break;
      for (std::int64_t j = 0; j < own; ++j)
        value_.load(memory_, batch, n, column + tile * kTile + j, 0, value_depth_,
                    work.values.data() + j * value_step_);
      add_packed_product(tiles_, work.weights[tile].line(0, 0), work.values.data(), value_step_,
                         count, value_depth_, own, work.product.data(), value_step_);
    }
    const float value_scale =
        value_scales_[std::size_t(head * ceil_divide(columns, kBlock) + column / kBlock)];
    for (std::int64_t l = 0; l < count; ++l) {
      const float* from = work.product.data() + l * value_step_;
      float* to = work.sums.data() + l * value_step_;
      for (std::int64_t k = 0; k < value_depth_; ++k) to[k] += from[k] * value_scale;
    }
  }

  /// From the scores of a line to its weights, relative to the largest score so far.
  void weigh(std::int64_t l, std::int64_t width, bool is_first, Work& work) const {
    float most = 0;
    loops_.largest(work.weights[0].line(0, l), width_of(0, width), &most);
    if (width > kTile) {
      float second = 0;
      loops_.largest(work.weights[1].line(0, l), width_of(1, width), &second);
      most = std::max(most, second);
    }
    most = half_.round(most - shift_);
    float& largest = work.largest[std::size_t(l)];
    float& total = work.total[std::size_t(l)];
    if (is_first) {
      largest = most;
      total = 0;
    } else if (most > largest) {
      const float factor = std::exp(largest - most);
      total *= factor;
      loops_.scale(work.sums.data() + l * value_step_, value_depth_, factor);
      largest = most;
    }
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      const std::int64_t own = width_of(tile, width);
      if (own == 0) break;
      float sum = 0;
      loops_.powers(work.weights[tile].line(0, l), own, largest, &sum);
      total += sum;
      small_.round(work.weights[tile].line(0, l), own);
    }
  }

  const NarrowAttention& a_;
  const KernelMemory& memory_;
  RowView query_;
  RowView key_;
  RowView value_;
  RowView out_;
  RowView maximum_;
  RowView sum_;
  const TileProducts& tiles_;
  const LineLoops& loops_;
  RoundedAs half_;
  RoundedAs small_;
  std::vector<float> query_scales_;
  std::vector<float> key_scales_;
  std::vector<float> value_scales_;
  float shift_ = 0;
  std::int64_t depth_;
  std::int64_t value_depth_;
  std::int64_t value_step_;
};

}  // namespace

void launch_narrow_attention(Plan& plan, NarrowAttention attention) {
  plan.launch([attention = std::move(attention)](const KernelMemory& memory) {
    Narrow(attention, memory).run();
  });
}

}  // namespace pyaclnn::sim
