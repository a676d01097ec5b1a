// SPDX-License-Identifier: MIT
#include "opapi/norm/channel_pass.hpp"

#include <algorithm>

#include "core/config.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/norm/channel_loops.hpp"
#include "opapi/norm/channel_rows.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = ChannelRows::kBlock;
constexpr std::int64_t kPiece = ChannelRows::kPiece;

alignas(64) const float kZeros[kBlock] = {};

// Neighbouring channels: an element of each. Sums are kept in float64, as those of rows are.

struct ColumnSums {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* x, std::int64_t count,
                                    const double* mean, double* plain, double* centered) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const double g = double(grad[i]);
      plain[i] += g;
      centered[i] += g * (double(x[i]) - mean[i]);
    }
  }
};

struct ColumnMap {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* x, std::int64_t count,
                                    const double* mean, const double* grad_factor,
                                    const double* x_factor, const double* constant, float* out) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = static_cast<float>(grad_factor[i] * double(grad[i]) +
                                  x_factor[i] * (double(x[i]) - mean[i]) + constant[i]);
  }
};

auto column_sums() {
  return wide_loop_for_cpu<ColumnSums, const float*, const float*, std::int64_t, const double*,
                           double*, double*>();
}
auto column_map() {
  return wide_loop_for_cpu<ColumnMap, const float*, const float*, std::int64_t, const double*,
                           const double*, const double*, const double*, float*>();
}

/// The tensor as rows of all channels, or of several times all channels where they are few, cut
/// into blocks of columns.
class Columns {
 public:
  explicit Columns(const ChannelShape& shape) : period_(shape.channels * shape.inner) {
    const std::int64_t repeat =
        std::clamp<std::int64_t>(kBlock / period_, 1, std::max<std::int64_t>(1, shape.outer));
    width_ = repeat * period_;
    inner_ = shape.inner;
    elements_ = shape.elements();
    rows_ = (elements_ + width_ - 1) / width_;
    blocks_ = (width_ + kBlock - 1) / kBlock;
    const std::int64_t wanted = 4 * std::int64_t(config().threads) / blocks_;
    groups_ = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, rows_ / 16));
  }

  std::int64_t width() const { return width_; }
  std::int64_t groups() const { return groups_; }

  /// Values of each channel, for each column.
  std::vector<double> spread(const std::vector<double>& values) const {
    std::vector<double> result;
    result.reserve(static_cast<std::size_t>(width_));
    for (std::int64_t start = 0; start < width_; start += period_) {
      for (double value : values) result.insert(result.end(), std::size_t(inner_), value);
    }
    return result;
  }

  /// Adds sums of each column of each group to those of its channel.
  void gather(const std::vector<double>& columns, std::vector<double>& channels) const {
    for (auto from = columns.begin(); from != columns.end();) {
      for (double& channel : channels) {
        for (std::int64_t i = 0; i < inner_; ++i) channel += *from++;
      }
    }
  }

  /// Calls visit(group, column, position, count), in parallel over groups of rows and blocks of
  /// columns.
  template <class Visit>
  void for_each_block(Visit visit) const {
    const std::int64_t grain = elements_ < kPiece ? groups_ * blocks_ : 1;
    parallel_for(groups_ * blocks_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t group = item / blocks_;
        const std::int64_t column = item % blocks_ * kBlock;
        const std::int64_t columns = std::min(kBlock, width_ - column);
        for (std::int64_t row = rows_ * group / groups_; row < rows_ * (group + 1) / groups_;
             ++row) {
          const std::int64_t position = row * width_ + column;
          const std::int64_t count = std::min(columns, elements_ - position);
          if (count > 0) visit(group, column, position, count);
        }
      }
    });
  }

 private:
  std::int64_t period_;  // columns until the first channel comes again
  std::int64_t width_;
  std::int64_t inner_;
  std::int64_t elements_;
  std::int64_t rows_;
  std::int64_t blocks_;
  std::int64_t groups_;
};

/// Rows of several operands: where they lie, if loops take arrays of their types, else as floats.
class RowReader {
 public:
  RowReader(const RowMajorAccess& grad, const RowMajorAccess& x) : grad_(grad), x_(x) {
    if (grad.array_type() == x.array_type()) in_place_ = ChannelLoops::in_place(x.array_type());
  }
  RowReader(const RowMajorAccess& grad, const RowMajorAccess& x, const RowMajorAccess& out)
      : RowReader(grad, x) {
    if (x.array_type() != out.array_type()) in_place_ = nullptr;
  }

  bool in_place() const { return in_place_ != nullptr; }
  const ChannelLoops& loops() const {
    return in_place() ? *in_place_ : ChannelLoops::of_floats(grad_.dtype());
  }
  const void* grad(std::int64_t position, std::int64_t count, float* buffer) const {
    return at(grad_, position, count, buffer);
  }
  const void* x(std::int64_t position, std::int64_t count, float* buffer) const {
    return at(x_, position, count, buffer);
  }

 private:
  const void* at(const RowMajorAccess& operand, std::int64_t position, std::int64_t count,
                 float* buffer) const {
    if (in_place()) return operand.place(position);
    return operand.read(position, count, buffer);
  }

  const RowMajorAccess& grad_;
  const RowMajorAccess& x_;
  const ChannelLoops* in_place_ = nullptr;
};

ChannelSums sums_by_rows(const ChannelShape& shape, const RowMajorAccess& grad,
                         const RowMajorAccess& x, const std::vector<double>& mean) {
  const ChannelRows rows(shape);
  const RowReader from(grad, x);
  const ChannelLoops& loops = from.loops();
  std::vector<double> partial(std::size_t(rows.items()) * 2);
  rows.for_each_rows(
      [&](std::int64_t item, std::int64_t count, std::int64_t position, std::int64_t length) {
        alignas(64) float grads[kBlock];
        alignas(64) float xs[kBlock];
        const std::int64_t all = count * length;
        loops.sums(from.grad(position, all, grads), from.x(position, all, xs), count, length,
                   &mean[std::size_t(rows.channel(item))], &partial[std::size_t(item) * 2]);
      });
  ChannelSums sums{std::vector<double>(std::size_t(shape.channels)),
                   std::vector<double>(std::size_t(shape.channels))};
  for (auto from = partial.begin(); from != partial.end();) {
    for (std::size_t channel = 0; channel < sums.grad.size(); ++channel) {
      for (std::int64_t piece = 0; piece < rows.pieces(); ++piece) {
        sums.grad[channel] += *from++;
        sums.grad_centered[channel] += *from++;
      }
    }
  }
  return sums;
}

ChannelSums sums_by_columns(const ChannelShape& shape, const RowMajorAccess& grad,
                            const RowMajorAccess& x, const std::vector<double>& mean) {
  const Columns columns(shape);
  const auto add = column_sums();
  const std::vector<double> means = columns.spread(mean);
  const auto width = std::size_t(columns.width());
  std::vector<double> plain(std::size_t(columns.groups()) * width);
  std::vector<double> centered(plain.size());
  columns.for_each_block(
      [&](std::int64_t group, std::int64_t column, std::int64_t position, std::int64_t count) {
        alignas(64) float grads[kBlock];
        alignas(64) float xs[kBlock];
        const std::size_t at = std::size_t(group) * width + std::size_t(column);
        add(grad.read(position, count, grads), x.read(position, count, xs), count, &means[column],
            &plain[at], &centered[at]);
      });
  ChannelSums sums{std::vector<double>(std::size_t(shape.channels)),
                   std::vector<double>(std::size_t(shape.channels))};
  columns.gather(plain, sums.grad);
  columns.gather(centered, sums.grad_centered);
  return sums;
}

}  // namespace

ChannelShape channel_shape(const Dims& shape, std::size_t axis) {
  ChannelShape result;
  result.outer = shape.product(0, axis);
  result.channels = shape.product(axis, axis + 1);
  result.inner = shape.product(axis + 1);
  return result;
}

ChannelSums channel_sums(const ChannelShape& shape, const RowMajorAccess& grad,
                         const RowMajorAccess& x, const std::vector<double>& mean) {
  return ChannelRows::suit(shape) ? sums_by_rows(shape, grad, x, mean)
                                  : sums_by_columns(shape, grad, x, mean);
}

void channel_apply(const ChannelShape& shape, const RowMajorAccess& grad, const RowMajorAccess& x,
                   const ChannelMap& map, const RowMajorAccess& out) {
  if (ChannelRows::suit(shape)) {
    const ChannelRows rows(shape);
    const RowReader from(grad, x, out);
    const ChannelLoops& loops = from.loops();
    rows.for_each_rows([&](std::int64_t item, std::int64_t count, std::int64_t position,
                           std::int64_t length) {
      alignas(64) float grads[kBlock];
      alignas(64) float xs[kBlock];
      alignas(64) float results[kBlock];
      const std::int64_t all = count * length;
      const auto channel = std::size_t(rows.channel(item));
      const RowFactors factors{&map.mean[channel], &map.grad_factor[channel],
                               &map.x_factor[channel], &map.constant[channel]};
      void* const to =
          from.in_place() ? static_cast<void*>(out.place(position)) : out.target(position, results);
      loops.map(from.grad(position, all, grads), map.uses_x ? from.x(position, all, xs) : kZeros,
                map.uses_x ? length : 0, count, length, &factors, to);
      if (!from.in_place()) out.write(position, all, static_cast<const float*>(to));
    });
    return;
  }
  const Columns columns(shape);
  const auto apply = column_map();
  const std::vector<double> mean = columns.spread(map.mean);
  const std::vector<double> grad_factor = columns.spread(map.grad_factor);
  const std::vector<double> x_factor = columns.spread(map.x_factor);
  const std::vector<double> constant = columns.spread(map.constant);
  columns.for_each_block([&](std::int64_t, std::int64_t column, std::int64_t position,
                             std::int64_t count) {
    alignas(64) float grads[kBlock];
    alignas(64) float xs[kBlock];
    alignas(64) float results[kBlock];
    float* target = out.target(position, results);
    apply(grad.read(position, count, grads), map.uses_x ? x.read(position, count, xs) : kZeros,
          count, &mean[column], &grad_factor[column], &x_factor[column], &constant[column], target);
    out.write(position, count, target);
  });
}

}  // namespace pyaclnn::sim
