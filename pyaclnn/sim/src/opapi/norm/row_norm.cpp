// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;    // elements held converted at a time
constexpr std::int64_t kPiece = 32768;   // elements worth a hand-over to another thread
constexpr std::int64_t kLongRow = 8192;  // rows that threads share
constexpr int kLanes = 8;

// Everything is computed in float64: the gradient is a small difference of the sums.

struct Center {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x1, const float* x2, std::int64_t count,
                                    double factor, double mean, double* centered) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      centered[i] = factor * double(x1[i]) + double(x2[i]) - mean;
  }
};

struct Sums {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* gamma, const double* centered,
                                    std::int64_t count, double* sums) {
    double plain[kLanes] = {};
    double product[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) {
        const double g = double(grad[i + k]) * double(gamma[i + k]);
        plain[k] += g;
        product[k] += g * centered[i + k];
      }
    }
    for (; i < count; ++i) {
      const double g = double(grad[i]) * double(gamma[i]);
      plain[0] += g;
      product[0] += g * centered[i];
    }
    for (int k = 0; k < kLanes; ++k) {
      sums[0] += plain[k];
      sums[1] += product[k];
    }
  }
};

struct AddColumns {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const double* centered, std::int64_t count,
                                    double rstd, double* gamma, double* beta) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      gamma[i] += double(grad[i]) * (centered[i] * rstd);
      beta[i] += double(grad[i]);
    }
  }
};

/// result = rstd (grad gamma - mean_grad - centered slope)
struct GradX {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* gamma, const double* centered,
                                    std::int64_t count, double rstd, double mean_grad, double slope,
                                    double* result) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      result[i] = rstd * (double(grad[i]) * double(gamma[i]) - mean_grad - centered[i] * slope);
  }
};

/// out = factor values + add
struct Finish {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const double* values, const float* add, std::int64_t count,
                                    double factor, float* out) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = static_cast<float>(factor * values[i] + double(add[i]));
  }
};

struct Loops {
  void (*center)(const float*, const float*, std::int64_t, double, double, double*) =
      loop_for_cpu<Center, const float*, const float*, std::int64_t, double, double, double*>();
  void (*sums)(const float*, const float*, const double*, std::int64_t, double*) =
      loop_for_cpu<Sums, const float*, const float*, const double*, std::int64_t, double*>();
  void (*add_columns)(const float*, const double*, std::int64_t, double, double*,
                      double*) = loop_for_cpu<AddColumns, const float*, const double*, std::int64_t,
                                              double, double*, double*>();
  void (*grad_x)(const float*, const float*, const double*, std::int64_t, double, double, double,
                 double*) = loop_for_cpu<GradX, const float*, const float*, const double*,
                                         std::int64_t, double, double, double, double*>();
  void (*finish)(const double*, const float*, std::int64_t, double, float*) =
      loop_for_cpu<Finish, const double*, const float*, std::int64_t, double, float*>();
};

alignas(64) const float kZeros[kBlock] = {};

/// The sums of a row, as they enter its gradient.
struct RowCoefficients {
  double mean = 0;
  double rstd = 0;
  double mean_grad = 0;
  double slope = 0;
};

class Run {
 public:
  Run(const RowNorm& norm, const KernelMemory& memory)
      : norm_(norm),
        grad_(norm.grad, memory),
        x1_(norm.x1, memory),
        x2_(norm.x2, memory),
        add_(norm.add, memory),
        grad_x_(norm.grad_x, memory),
        grad_x1_(norm.grad_x1, memory),
        grad_gamma_(norm.grad_gamma, memory),
        grad_beta_(norm.grad_beta, memory),
        rstd_(RowMajorAccess(norm.rstd, memory).values()),
        gamma_(std::size_t(norm.sections * norm.length), 1.0f) {
    if (norm.mean.given()) mean_ = RowMajorAccess(norm.mean, memory).values();
    if (!norm.gamma.given()) return;
    const std::vector<float> values = RowMajorAccess(norm.gamma, memory).values();
    auto to = gamma_.begin();
    for (float value : values) to = std::fill_n(to, norm.fold, value);
  }

  void run() {
    if (norm_.length > kLongRow || norm_.rows < 2 * config().threads) {
      by_columns();
    } else {
      by_rows();
    }
  }

 private:
  /// A block of one row: its operands as floats, x as its distance from the mean.
  struct Block {
    alignas(64) float buffers[4][kBlock];
    alignas(64) double centered[kBlock];
    const float* grad;
  };

  void load(Block& block, std::int64_t row, std::int64_t column, std::int64_t count,
            double mean) const {
    const std::int64_t position = row * norm_.length + column;
    block.grad = grad_.read(position, count, block.buffers[0]);
    const float* x1 = x1_.read(position, count, block.buffers[1]);
    const float* x2 = x2_.given() ? x2_.read(position, count, block.buffers[2]) : kZeros;
    loops_.center(x1, x2, count, norm_.x_factor, mean, block.centered);
  }

  const float* gamma_at(std::int64_t row, std::int64_t column) const {
    return &gamma_[std::size_t(row % norm_.sections * norm_.length + column)];
  }

  /// Writes a loaded block's results. Outputs may lie where inputs do, so inputs come first.
  void finish(Block& block, std::int64_t row, std::int64_t column, std::int64_t count,
              const RowCoefficients& at, double* gamma, double* beta) const {
    loops_.add_columns(block.grad, block.centered, count, at.rstd, gamma, beta);
    if (!grad_x_.given()) return;
    const std::int64_t position = row * norm_.length + column;
    alignas(64) double values[kBlock];
    loops_.grad_x(block.grad, gamma_at(row, column), block.centered, count, at.rstd, at.mean_grad,
                  at.slope, values);
    const float* add = add_.given() ? add_.read(position, count, block.buffers[3]) : kZeros;
    float* target = grad_x_.target(position, block.buffers[0]);
    loops_.finish(values, add, count, 1.0, target);
    grad_x_.write(position, count, target);
    if (!grad_x1_.given()) return;
    target = grad_x1_.target(position, block.buffers[1]);
    loops_.finish(values, kZeros, count, norm_.x_factor, target);
    grad_x1_.write(position, count, target);
  }

  double mean_of(std::int64_t row) const { return mean_.empty() ? 0.0 : mean_[std::size_t(row)]; }

  RowCoefficients coefficients(std::int64_t row, const double* sums) const {
    RowCoefficients result;
    result.mean = mean_of(row);
    result.rstd = rstd_[std::size_t(row)];
    result.mean_grad = norm_.has_mean ? sums[0] / double(norm_.length) : 0.0;
    result.slope = result.rstd * result.rstd * sums[1] / double(norm_.length);
    return result;
  }

  /// A row at a time, from the cache the second time.
  void by_rows() {
    const std::int64_t width = norm_.sections * norm_.length;
    const std::int64_t pieces =
        norm_.rows * norm_.length < kPiece ? 1 : 2 * std::int64_t(config().threads);
    std::vector<double> gamma(std::size_t(pieces * width));
    std::vector<double> beta(gamma.size());
    parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t piece = begin; piece < end; ++piece) {
        const std::int64_t last = norm_.rows * (piece + 1) / pieces;
        for (std::int64_t row = norm_.rows * piece / pieces; row < last; ++row)
          one_row(row, &gamma[std::size_t(piece * width)], &beta[std::size_t(piece * width)]);
      }
    });
    write_sums(gamma, grad_gamma_);
    write_sums(beta, grad_beta_);
  }

  void one_row(std::int64_t row, double* gamma, double* beta) const {
    Block block;
    const double mean = mean_of(row);
    double sums[2] = {};
    for (std::int64_t column = 0; column < norm_.length; column += kBlock) {
      const std::int64_t count = std::min(kBlock, norm_.length - column);
      load(block, row, column, count, mean);
      loops_.sums(block.grad, gamma_at(row, column), block.centered, count, sums);
    }
    const RowCoefficients at = coefficients(row, sums);
    const std::int64_t section = row % norm_.sections * norm_.length;
    for (std::int64_t column = 0; column < norm_.length; column += kBlock) {
      const std::int64_t count = std::min(kBlock, norm_.length - column);
      if (norm_.length > kBlock) load(block, row, column, count, mean);
      finish(block, row, column, count, at, gamma + section + column, beta + section + column);
    }
  }

  /// Few or long rows: first the sums of all, then a block of columns at a time.
  void by_columns() {
    const std::int64_t blocks = (norm_.length + kBlock - 1) / kBlock;
    std::vector<double> partial(std::size_t(norm_.rows * blocks) * 2);
    parallel_for(norm_.rows * blocks, kPiece / kBlock, [&](std::int64_t begin, std::int64_t end) {
      Block block;
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t row = item / blocks;
        const std::int64_t column = item % blocks * kBlock;
        const std::int64_t count = std::min(kBlock, norm_.length - column);
        load(block, row, column, count, mean_of(row));
        loops_.sums(block.grad, gamma_at(row, column), block.centered, count,
                    &partial[std::size_t(item) * 2]);
      }
    });
    std::vector<RowCoefficients> rows(static_cast<std::size_t>(norm_.rows));
    for (std::int64_t row = 0; row < norm_.rows; ++row) {
      double sums[2] = {};
      for (std::int64_t i = row * blocks; i < (row + 1) * blocks; ++i) {
        sums[0] += partial[std::size_t(i) * 2];
        sums[1] += partial[std::size_t(i) * 2 + 1];
      }
      rows[std::size_t(row)] = coefficients(row, sums);
    }
    std::vector<double> gamma(std::size_t(norm_.sections * norm_.length));
    std::vector<double> beta(gamma.size());
    const std::int64_t items = norm_.sections * blocks;
    const std::int64_t grain =
        std::max<std::int64_t>(1, kPiece * norm_.sections / (norm_.rows * kBlock));
    parallel_for(items, grain, [&](std::int64_t begin, std::int64_t end) {
      Block block;
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t section = item / blocks;
        const std::int64_t column = item % blocks * kBlock;
        const std::int64_t count = std::min(kBlock, norm_.length - column);
        const std::int64_t at = section * norm_.length + column;
        for (std::int64_t row = section; row < norm_.rows; row += norm_.sections) {
          const RowCoefficients& values = rows[std::size_t(row)];
          load(block, row, column, count, values.mean);
          finish(block, row, column, count, values, &gamma[std::size_t(at)],
                 &beta[std::size_t(at)]);
        }
      }
    });
    write_sums(gamma, grad_gamma_);
    write_sums(beta, grad_beta_);
  }

  /// Adds up the pieces and the columns that share a gamma.
  void write_sums(const std::vector<double>& sums, const RowMajorAccess& out) const {
    if (!out.given()) return;
    const std::size_t width = gamma_.size();
    const std::size_t fold = std::size_t(norm_.fold);
    std::vector<double> totals(width / fold);
    for (auto from = sums.begin(); from != sums.end();) {
      for (double& total : totals) {
        for (std::size_t i = 0; i < fold; ++i) total += *from++;
      }
    }
    const std::vector<float> values(totals.begin(), totals.end());
    out.write(0, std::int64_t(values.size()), values.data());
  }

  const RowNorm& norm_;
  const Loops loops_;
  RowMajorAccess grad_;
  RowMajorAccess x1_;
  RowMajorAccess x2_;
  RowMajorAccess add_;
  RowMajorAccess grad_x_;
  RowMajorAccess grad_x1_;
  RowMajorAccess grad_gamma_;
  RowMajorAccess grad_beta_;
  std::vector<float> rstd_;
  std::vector<float> gamma_;  // of each column of each section
  std::vector<float> mean_;   // empty where there is none
};

}  // namespace

void run_row_norm(const RowNorm& norm, const KernelMemory& memory) { Run(norm, memory).run(); }

void launch_row_norm(Plan& plan, RowNorm norm) {
  auto shared = std::make_shared<const RowNorm>(std::move(norm));
  plan.launch([shared](const KernelMemory& memory) { run_row_norm(*shared, memory); });
}

}  // namespace pyaclnn::sim
