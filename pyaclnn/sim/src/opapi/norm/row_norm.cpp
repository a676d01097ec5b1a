// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/double_lanes.hpp"
#include "opapi/common/prefetch.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;     // elements held converted at a time
constexpr std::int64_t kColumns = 512;    // of all rows: their sums stay in the L1 cache
constexpr std::int64_t kPiece = 32768;    // elements worth a hand-over to another thread
constexpr std::int64_t kLongRow = 16384;  // rows that threads share
constexpr std::int64_t kFewRows = 4;      // so few that threads share each
constexpr std::int64_t kShares = 16;      // of the rows, with sums over columns of their own
constexpr int kTogether = 4;              // rows that read and write these sums once for all

// Everything is computed in float64: the gradient is a small difference of the sums.

/// grad_x = grad (grad gamma) + x x + constant, and the normalised x is grad x + shift.
struct RowCoefficients {
  double grad = 0;
  double x = 0;
  double constant = 0;
  double shift = 0;
};

/// Rows one behind the other, or a piece of one.
struct Rows {
  std::int64_t count = 1;
  std::int64_t length = 0;
  std::int64_t number = 0;  // of the first
  std::int64_t sections = 1;
  const double* gamma = nullptr;
  const float* grad = nullptr;
  const float* x1 = nullptr;
  const float* x2 = nullptr;
  const float* add = nullptr;  // if there is one
  double factor = 1;
  double* grad_gamma = nullptr;  // lie as gamma does
  double* grad_beta = nullptr;
  float* grad_x = nullptr;
  float* grad_x1 = nullptr;

  SIM_ALWAYS_INLINE std::int64_t section(std::int64_t row) const {
    return sections == 1 ? 0 : (number + row) % sections * length;
  }
  template <bool is_sum>
  SIM_ALWAYS_INLINE double x(std::int64_t i) const {
    return is_sum ? factor * double(x1[i]) + double(x2[i]) : double(x1[i]);
  }
};

/// Adds each row's sums of grad gamma and of that times x.
template <bool is_sum>
struct Sums {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Rows* of, double* sums) {
    const Rows rows = *of;
    for (std::int64_t row = 0; row < rows.count; ++row, sums += 2) {
      const double* gamma = rows.gamma + rows.section(row);
      const std::int64_t first = row * rows.length;
      double plain[DoubleLanes::kLanes] = {};
      double product[DoubleLanes::kLanes] = {};
      std::int64_t i = 0;
      for (; i + DoubleLanes::kLanes <= rows.length; i += DoubleLanes::kLanes) {
        for (int k = 0; k < DoubleLanes::kLanes; ++k) {
          const double g = double(rows.grad[first + i + k]) * gamma[i + k];
          plain[k] += g;
          product[k] = fma(g, rows.x<is_sum>(first + i + k), product[k]);
        }
      }
      // Not in the first lanes, which would be written to memory for it.
      double plain_rest = 0;
      double product_rest = 0;
      for (; i < rows.length; ++i) {
        const double g = double(rows.grad[first + i]) * gamma[i];
        plain_rest += g;
        product_rest = fma(g, rows.x<is_sum>(first + i), product_rest);
      }
      sums[0] += DoubleLanes(plain).total() + plain_rest;
      sums[1] += DoubleLanes(product).total() + product_rest;
    }
  }
};

/// grad_x, plus what is added to it, and the sums over columns. Each element is read before it is
/// written: outputs may lie where inputs do.
template <bool is_sum>
struct Gradients {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Rows* of, const RowCoefficients* coefficients) {
    const Rows rows = *of;
    if (rows.add == nullptr) {
      write<false>(rows, coefficients);
    } else {
      write<true>(rows, coefficients);
    }
  }

 private:
  template <bool kAdds>
  static SIM_ALWAYS_INLINE void write(const Rows& rows, const RowCoefficients* coefficients) {
    std::int64_t row = 0;
    for (; rows.sections == 1 && row + kTogether <= rows.count; row += kTogether)
      write_some<kAdds, kTogether>(rows, row, coefficients);
    for (; row < rows.count; ++row) write_some<kAdds, 1>(rows, row, coefficients);
  }

  template <bool kAdds, int kRows>
  static SIM_ALWAYS_INLINE void write_some(const Rows& rows, std::int64_t row,
                                           const RowCoefficients* coefficients) {
    RowCoefficients of[kRows];
    std::copy_n(coefficients + row, kRows, of);
    const std::int64_t length = rows.length;
    const double* gamma = rows.gamma + rows.section(row);
    double* grad_gamma = rows.grad_gamma + rows.section(row);
    double* grad_beta = rows.grad_beta + rows.section(row);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < length; ++i) {
      double sum = grad_gamma[i];
      double plain = grad_beta[i];
      for (int k = 0; k < kRows; ++k) {
        const std::int64_t at = (row + k) * length + i;
        const double grad = double(rows.grad[at]);
        const double x = rows.x<is_sum>(at);
        const double gradient = fma(of[k].grad, grad * gamma[i], fma(of[k].x, x, of[k].constant));
        sum = fma(grad, fma(of[k].grad, x, of[k].shift), sum);
        plain += grad;
        rows.grad_x[at] = static_cast<float>(kAdds ? gradient + double(rows.add[at]) : gradient);
        if (is_sum) rows.grad_x1[at] = static_cast<float>(rows.factor * gradient);
      }
      grad_gamma[i] = sum;
      grad_beta[i] = plain;
    }
  }
};

struct Loops {
  explicit Loops(bool is_sum)
      : sums(is_sum ? wide_loop_for_cpu<Sums<true>, const Rows*, double*>()
                    : wide_loop_for_cpu<Sums<false>, const Rows*, double*>()),
        gradients(
            is_sum ? wide_loop_for_cpu<Gradients<true>, const Rows*, const RowCoefficients*>()
                   : wide_loop_for_cpu<Gradients<false>, const Rows*, const RowCoefficients*>()) {}

  void (*sums)(const Rows*, double*);
  void (*gradients)(const Rows*, const RowCoefficients*);
};

class Run {
 public:
  Run(const RowNorm& norm, const KernelMemory& memory)
      : norm_(norm),
        loops_(norm.x2.given()),
        grad_(norm.grad, memory),
        x1_(norm.x1, memory),
        x2_(norm.x2, memory),
        add_(norm.add, memory),
        grad_x_(norm.grad_x, memory),
        grad_x1_(norm.grad_x1, memory),
        grad_gamma_(norm.grad_gamma, memory),
        grad_beta_(norm.grad_beta, memory),
        rstd_(RowMajorAccess(norm.rstd, memory).values()),
        gamma_(std::size_t(norm.sections * norm.length), 1.0) {
    if (norm.mean.given()) mean_ = RowMajorAccess(norm.mean, memory).values();
    if (!norm.gamma.given()) return;
    const std::vector<float> values = RowMajorAccess(norm.gamma, memory).values();
    auto to = gamma_.begin();
    for (float value : values) to = std::fill_n(to, norm.fold, double(value));
  }

  void run() {
    if (norm_.length > kLongRow || norm_.rows < kFewRows) {
      by_columns();
    } else {
      by_rows();
    }
  }

 private:
  /// Where operands that are no floats are converted to. Not whole pages apart: rows of each at a
  /// time would lie in the same lines of the L1 cache.
  struct Buffers {
    explicit Buffers(std::int64_t elements, std::int64_t rows = 1)
        : size(std::size_t(elements) + 208),
          values(new float[6 * size]),
          sums(std::size_t(rows) * 2),
          coefficients(std::size_t(rows)) {}
    float* operator[](std::size_t i) { return values.get() + i * size; }

    std::size_t size;
    std::unique_ptr<float[]> values;
    std::vector<double> sums;
    std::vector<RowCoefficients> coefficients;
  };

  /// Has what is read later brought to the cache.
  static void ask_for(const RowMajorAccess& operand, std::int64_t position, std::int64_t count) {
    const std::byte* from = operand.place(position);
    prefetch(from, operand.place(position + count) - from);
  }

  Rows load(Buffers& buffers, std::int64_t position, std::int64_t count,
            std::int64_t length) const {
    const std::int64_t elements = count * length;
    Rows rows;
    rows.count = count;
    rows.length = length;
    rows.grad = grad_.read(position, elements, buffers[0]);
    rows.x1 = x1_.read(position, elements, buffers[1]);
    if (x2_.given()) rows.x2 = x2_.read(position, elements, buffers[2]);
    rows.factor = norm_.x_factor;
    return rows;
  }

  /// Writes the results of loaded rows.
  void finish(Buffers& buffers, Rows rows, std::int64_t position,
              const RowCoefficients* coefficients) const {
    const std::int64_t elements = rows.count * rows.length;
    if (add_.given()) rows.add = add_.read(position, elements, buffers[3]);
    rows.grad_x = grad_x_.given() ? grad_x_.target(position, buffers[4]) : buffers[4];
    rows.grad_x1 = grad_x1_.given() ? grad_x1_.target(position, buffers[5]) : buffers[5];
    loops_.gradients(&rows, coefficients);
    if (grad_x_.given()) grad_x_.write(position, elements, rows.grad_x);
    if (grad_x1_.given()) grad_x1_.write(position, elements, rows.grad_x1);
  }

  RowCoefficients coefficients(std::int64_t row, const double* sums) const {
    const double mean = mean_.empty() ? 0.0 : double(mean_[std::size_t(row)]);
    const double rstd = double(rstd_[std::size_t(row)]);
    const double share = 1.0 / double(norm_.length);
    const double mean_grad = norm_.has_mean ? sums[0] * share : 0.0;
    const double slope = rstd * rstd * (sums[1] - mean * sums[0]) * share;
    return {rstd, -rstd * slope, rstd * (mean * slope - mean_grad), -mean * rstd};
  }

  /// A few rows at a time, from the cache the second time.
  void by_rows() {
    const std::int64_t width = norm_.sections * norm_.length;
    const std::int64_t pieces =
        norm_.rows * norm_.length < kPiece ? 1 : std::min(norm_.rows, kShares);
    std::vector<double> gamma(std::size_t(pieces * width));
    std::vector<double> beta(gamma.size());
    const std::int64_t together =
        std::max<std::int64_t>(kTogether, kBlock / std::max<std::int64_t>(norm_.length, 1));
    parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      Buffers buffers(together * norm_.length, together);
      for (std::int64_t piece = begin; piece < end; ++piece) {
        const std::int64_t last = norm_.rows * (piece + 1) / pieces;
        for (std::int64_t row = norm_.rows * piece / pieces; row < last; row += together)
          some_rows(buffers, row, std::min(together, last - row),
                    &gamma[std::size_t(piece * width)], &beta[std::size_t(piece * width)]);
      }
    });
    write_sums(gamma, grad_gamma_);
    write_sums(beta, grad_beta_);
  }

  void some_rows(Buffers& buffers, std::int64_t row, std::int64_t count, double* gamma,
                 double* beta) const {
    const std::int64_t position = row * norm_.length;
    const std::int64_t elements = count * norm_.length;
    const std::int64_t ahead = std::min(elements, kTogether * kBlock);
    Rows rows = load(buffers, position, count, norm_.length);
    rows.number = row;
    rows.sections = norm_.sections;
    rows.gamma = gamma_.data();
    rows.grad_gamma = gamma;
    rows.grad_beta = beta;
    double* sums = buffers.sums.data();
    RowCoefficients* at = buffers.coefficients.data();
    std::fill_n(sums, 2 * count, 0.0);
    ask_for(grad_, position + elements, ahead);
    loops_.sums(&rows, sums);
    for (std::int64_t i = 0; i < count; ++i) at[i] = coefficients(row + i, sums + 2 * i);
    ask_for(x1_, position + elements, ahead);
    finish(buffers, rows, position, at);
  }

  /// Few or long rows: first the sums of all, then a block of columns at a time.
  void by_columns() {
    const std::int64_t blocks = (norm_.length + kBlock - 1) / kBlock;
    std::vector<double> partial(std::size_t(norm_.rows * blocks) * 2);
    parallel_for(norm_.rows * blocks, kPiece / kBlock, [&](std::int64_t begin, std::int64_t end) {
      Buffers buffers(kBlock);
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t row = item / blocks;
        const std::int64_t column = item % blocks * kBlock;
        const std::int64_t count = std::min(kBlock, norm_.length - column);
        Rows rows = load(buffers, row * norm_.length + column, 1, count);
        rows.gamma = &gamma_[std::size_t(row % norm_.sections * norm_.length + column)];
        loops_.sums(&rows, &partial[std::size_t(item) * 2]);
      }
    });
    std::vector<RowCoefficients> at_rows(static_cast<std::size_t>(norm_.rows));
    for (std::int64_t row = 0; row < norm_.rows; ++row) {
      double sums[2] = {};
      for (std::int64_t i = row * blocks; i < (row + 1) * blocks; ++i) {
        sums[0] += partial[std::size_t(i) * 2];
        sums[1] += partial[std::size_t(i) * 2 + 1];
      }
      at_rows[std::size_t(row)] = coefficients(row, sums);
    }
    std::vector<double> gamma(std::size_t(norm_.sections * norm_.length));
    std::vector<double> beta(gamma.size());
    const std::int64_t stretches = (norm_.length + kColumns - 1) / kColumns;
    const std::int64_t items = norm_.sections * stretches;
    const std::int64_t grain =
        std::max<std::int64_t>(1, kPiece * norm_.sections / (norm_.rows * kColumns));
    parallel_for(items, grain, [&](std::int64_t begin, std::int64_t end) {
      Buffers buffers(kColumns);
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t section = item / stretches;
        const std::int64_t column = item % stretches * kColumns;
        const std::int64_t count = std::min(kColumns, norm_.length - column);
        const auto at = std::size_t(section * norm_.length + column);
        for (std::int64_t row = section; row < norm_.rows; row += norm_.sections) {
          const std::int64_t position = row * norm_.length + column;
          // The processor foresees no steps of whole rows.
          if (row + norm_.sections < norm_.rows) {
            for (const RowMajorAccess* operand : {&grad_, &x1_})
              ask_for(*operand, position + norm_.sections * norm_.length, count);
          }
          Rows rows = load(buffers, position, 1, count);
          rows.gamma = &gamma_[at];
          rows.grad_gamma = &gamma[at];
          rows.grad_beta = &beta[at];
          finish(buffers, rows, position, &at_rows[std::size_t(row)]);
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
  std::vector<double> gamma_;  // of each column of each section, converted once for all rows
  std::vector<float> mean_;    // empty where there is none
};

}  // namespace

void run_row_norm(const RowNorm& norm, const KernelMemory& memory) { Run(norm, memory).run(); }

RowNorm rows_of(const Dims& shape, std::size_t axis) {
  RowNorm norm;
  for (std::size_t i = 0; i < shape.size(); ++i) (i < axis ? norm.rows : norm.length) *= shape[i];
  return norm;
}

void launch_row_norm(Plan& plan, RowNorm norm) {
  auto shared = std::make_shared<const RowNorm>(std::move(norm));
  plan.launch([shared](const KernelMemory& memory) { run_row_norm(*shared, memory); });
}

}  // namespace pyaclnn::sim
