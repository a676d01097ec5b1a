// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/half.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/matrix.hpp"

namespace pyaclnn::sim {

namespace {

constexpr std::int64_t kPiece = 1 << 16;        // elements converted at a time
constexpr std::int64_t kUnfolded = 1 << 18;     // elements of an unfolded image held at a time
constexpr std::int64_t kTasks = 16;             // to share between threads
constexpr std::int64_t kPrivateSums = 1 << 16;  // largest weight that threads sum copies of

/// To 11 bits behind the leading one, to nearest even.
float to_hfloat32(float value) {
  if (!std::isfinite(value)) return value;
  const std::uint32_t bits = float_bits(value);
  return float_from_bits((bits + 0x7FFu + ((bits >> 12) & 1u)) & ~std::uint32_t(0xFFF));
}

float rounded(float value, CubePrecision precision) {
  if (precision == CubePrecision::kHfloat32) return to_hfloat32(value);
  return half_to_float(float_to_half(value));
}

/// An operand as an array of floats, rounded as the matrix unit does.
class Source {
 public:
  Source(const RowMajor& layout, const KernelMemory& memory, CubePrecision precision) {
    const RowMajorAccess access(layout, memory);
    if (layout.is_float_array() && precision == CubePrecision::kKeep) {
      values_ = access.read(0, layout.count(), nullptr);
      return;
    }
    copy_.resize(std::size_t(layout.count()));
    parallel_for(layout.count(), kPiece, [&](std::int64_t begin, std::int64_t end) {
      float* to = copy_.data() + begin;
      const float* from = access.read(begin, end - begin, to);
      if (from != to) std::copy_n(from, end - begin, to);
      if (precision == CubePrecision::kKeep) return;
      for (std::int64_t i = 0; i < end - begin; ++i) to[i] = rounded(to[i], precision);
    });
    values_ = copy_.data();
  }

  const float* operator+(std::int64_t offset) const { return values_ + offset; }

 private:
  std::vector<float> copy_;
  const float* values_ = nullptr;
};

/// A result: zeros to add to, written to its tensor at the end.
class Target {
 public:
  Target(const RowMajor& layout, const KernelMemory& memory)
      : count_(layout.count()), access_(layout, memory) {
    if (layout.is_float_array()) {
      values_ = access_.target(0, nullptr);
      std::fill_n(values_, count_, 0.0f);
    } else {
      copy_.resize(std::size_t(count_));
      values_ = copy_.data();
    }
  }

  float* operator+(std::int64_t offset) { return values_ + offset; }

  void write() const {
    parallel_for(count_, kPiece, [&](std::int64_t begin, std::int64_t end) {
      access_.write(begin, end - begin, values_ + begin);
    });
  }

 private:
  std::int64_t count_;
  RowMajorAccess access_;
  std::vector<float> copy_;
  float* values_ = nullptr;
};

class Kernel {
 public:
  Kernel(const ConvolutionGradients& g, const KernelMemory& memory) : g_(g), memory_(memory) {
    image_size_ = g.window.image_size();
    positions_ = g.window.position_count();
    taps_ = g.window.tap_count();
  }

  void run() const {
    if (g_.grad_bias.given()) bias();
    if (!g_.grad_input.given() && !g_.grad_weight.given()) return;
    const bool needs_image = g_.transposed || g_.grad_weight.given();
    const bool needs_positions = !g_.transposed || g_.grad_weight.given();
    const Source image = needs_image ? source(g_.image) : Source(RowMajor(), memory_, kKeep);
    const Source positions =
        needs_positions ? source(g_.positions) : Source(RowMajor(), memory_, kKeep);
    if (g_.grad_weight.given()) weight_gradient(image, positions);
    if (!g_.grad_input.given()) return;
    const Source weight = source(g_.weight);
    Target result(g_.grad_input, memory_);
    if (g_.transposed) {
      position_gradient(image, weight, result);
    } else {
      image_gradient(positions, weight, result);
    }
    result.write();
  }

 private:
  static constexpr CubePrecision kKeep = CubePrecision::kKeep;

  Source source(const RowMajor& layout) const { return {layout, memory_, g_.precision}; }

  /// Positions to unfold at a time, with so many rows: an odd number of cache lines, so that the
  /// elements of a column do not share one set of the cache.
  std::int64_t block_of(std::int64_t rows) const {
    constexpr std::int64_t kLine = 16;
    const std::int64_t block = (kUnfolded / rows / kLine | 1) * kLine;
    return std::min(block, std::max(positions_, kLine));
  }
  static std::int64_t blocks_in(std::int64_t count, std::int64_t block) {
    return (count + block - 1) / block;
  }
  const float* weights_of(const Source& weight, std::int64_t group) const {
    return weight + group * g_.position_channels * g_.image_channels * taps_;
  }

  /// Sums of the output's gradient over samples and positions.
  void bias() const {
    const RowMajor& layout = g_.transposed ? g_.image : g_.positions;
    const std::int64_t channels =
        g_.groups * (g_.transposed ? g_.image_channels : g_.position_channels);
    const std::int64_t plane = g_.transposed ? image_size_ : positions_;
    const Source grad(layout, memory_, kKeep);
    Target result(g_.grad_bias, memory_);
    parallel_for(channels, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t channel = begin; channel < end; ++channel) {
        double sums[8] = {};
        for (std::int64_t sample = 0; sample < g_.samples; ++sample) {
          const float* values = grad + (sample * channels + channel) * plane;
          for (std::int64_t i = 0; i < plane; ++i) sums[i % 8] += double(values[i]);
        }
        double sum = 0;
        for (double part : sums) sum += part;
        *(result + channel) = float(sum);
      }
    });
    result.write();
  }

  /// By group, weight' positions folded back into the image.
  void image_gradient(const Source& positions, const Source& weight, Target& result) const {
    const std::int64_t pairs = g_.samples * g_.groups;
    const std::int64_t pieces = std::clamp<std::int64_t>(kTasks / pairs, 1, g_.image_channels);
    parallel_for(pairs * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      MatrixProduct product;
      std::vector<float> unfolded;
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t pair = task / pieces;
        const std::int64_t piece = task % pieces;
        const std::int64_t channel = g_.image_channels * piece / pieces;
        const std::int64_t channels = g_.image_channels * (piece + 1) / pieces - channel;
        const Matrix weights{weights_of(weight, pair % g_.groups) + channel * taps_, 1,
                             g_.image_channels * taps_};
        const float* from = positions + pair * g_.position_channels * positions_;
        float* to = result + (pair * g_.image_channels + channel) * image_size_;
        const std::int64_t block = block_of(channels * taps_);
        for (std::int64_t first = 0; first < positions_; first += block) {
          const std::int64_t count = std::min(block, positions_ - first);
          unfolded.assign(std::size_t(channels * taps_ * count), 0.0f);
          product.add(weights, Matrix{from + first, positions_, 1}, channels * taps_,
                      g_.position_channels, count, unfolded.data(), count);
          g_.window.fold(unfolded.data(), channels, first, count, to);
        }
      }
    });
  }

  /// By group, weight times the unfolded image: the convolution itself.
  void position_gradient(const Source& image, const Source& weight, Target& result) const {
    const std::int64_t rows = g_.image_channels * taps_;
    const std::int64_t block = block_of(rows);
    const std::int64_t blocks = blocks_in(positions_, block);
    parallel_for(g_.samples * g_.groups * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
      MatrixProduct product;
      std::vector<float> unfolded(static_cast<std::size_t>(rows * block));
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t pair = task / blocks;
        const std::int64_t first = task % blocks * block;
        const std::int64_t count = std::min(block, positions_ - first);
        g_.window.unfold(image + pair * g_.image_channels * image_size_, g_.image_channels, first,
                         count, unfolded.data());
        product.add(Matrix{weights_of(weight, pair % g_.groups), rows, 1},
                    Matrix{unfolded.data(), count, 1}, g_.position_channels, rows, count,
                    result + (pair * g_.position_channels * positions_ + first), positions_);
      }
    });
  }

  /// By group, the sum over samples and blocks of positions times the unfolded image. A large
  /// weight is shared out by image channels; of a small one, several sums run beside each other.
  void weight_gradient(const Source& image, const Source& positions) const {
    const std::int64_t group_size = g_.position_channels * g_.image_channels * taps_;
    const std::int64_t wanted = std::max<std::int64_t>(1, kTasks / g_.groups);
    const bool is_small = group_size <= kPrivateSums;
    const std::int64_t pieces = is_small ? 1 : std::min(wanted, g_.image_channels);
    const std::int64_t block = block_of(blocks_in(g_.image_channels, pieces) * taps_);
    const std::int64_t blocks = blocks_in(positions_, block);
    const std::int64_t copies = is_small ? std::min(wanted, g_.samples * blocks) : 1;

    Target result(g_.grad_weight, memory_);
    std::vector<double> sums(static_cast<std::size_t>(g_.groups * copies * group_size));
    parallel_for(g_.groups * copies * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      MatrixProduct product;
      std::vector<float> unfolded;
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t piece = task % pieces;
        const std::int64_t copy = task / pieces % copies;
        const std::int64_t group = task / pieces / copies;
        const std::int64_t channel = g_.image_channels * piece / pieces;
        const std::int64_t channels = g_.image_channels * (piece + 1) / pieces - channel;
        double* to = &sums[std::size_t((group * copies + copy) * group_size + channel * taps_)];
        const std::int64_t last = g_.samples * blocks * (copy + 1) / copies;
        for (std::int64_t item = g_.samples * blocks * copy / copies; item < last; ++item) {
          const std::int64_t pair = item / blocks * g_.groups + group;
          const std::int64_t first = item % blocks * block;
          const std::int64_t count = std::min(block, positions_ - first);
          unfolded.resize(std::size_t(channels * taps_ * count));
          g_.window.unfold(image + (pair * g_.image_channels + channel) * image_size_, channels,
                           first, count, unfolded.data());
          product.add(
              Matrix{positions + (pair * g_.position_channels * positions_ + first), positions_, 1},
              Matrix{unfolded.data(), 1, count}, g_.position_channels, count, channels * taps_, to,
              g_.image_channels * taps_);
        }
      }
    });
    parallel_for(g_.groups * group_size, kPiece, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t group = i / group_size;
        double sum = 0;
        for (std::int64_t copy = 0; copy < copies; ++copy)
          sum += sums[std::size_t((group * copies + copy) * group_size + i % group_size)];
        *(result + i) = float(sum);
      }
    });
    result.write();
  }

  const ConvolutionGradients& g_;
  const KernelMemory& memory_;
  std::int64_t image_size_;
  std::int64_t positions_;
  std::int64_t taps_;
};

}  // namespace

void launch_convolution_gradients(Plan& plan, ConvolutionGradients gradients) {
  plan.launch([gradients = std::move(gradients)](const KernelMemory& memory) {
    Kernel(gradients, memory).run();
  });
}

}  // namespace pyaclnn::sim
