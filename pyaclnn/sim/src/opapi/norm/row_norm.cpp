// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/norm/row_norm_loops.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;     // elements held converted at a time
constexpr std::int64_t kColumns = 512;    // of all rows: their sums stay in the L1 cache
constexpr std::int64_t kPiece = 32768;    // elements worth a hand-over to another thread
constexpr std::int64_t kLongRow = 16384;  // rows that threads share
constexpr std::int64_t kFewRows = 4;      // so few that threads share each
constexpr std::int64_t kShares = 16;      // of the rows, with sums over columns of their own
constexpr int kTogether = RowNormLoops::kTogether;

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
        in_place_(loops_in_place()),
        loops_(in_place_ != nullptr ? *in_place_
                                    : RowNormLoops::of_floats(norm.grad.dtype(), norm.x2.given())),
        rstd_(RowMajorAccess(norm.rstd, memory).values()),
        gamma_(std::size_t(norm.sections * norm.length), 1.0f) {
    if (norm.mean.given()) mean_ = RowMajorAccess(norm.mean, memory).values();
    if (!norm.gamma.given()) return;
    const std::vector<float> values = RowMajorAccess(norm.gamma, memory).values();
    auto to = gamma_.begin();
    for (float value : values) to = std::fill_n(to, norm.fold, value);
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

  /// The loops over operands where they lie, if all are arrays of one type.
  const RowNormLoops* loops_in_place() const {
    for (const RowMajorAccess* operand : {&x1_, &x2_, &add_, &grad_x_, &grad_x1_}) {
      if (operand->given() && operand->array_type() != grad_.array_type()) return nullptr;
    }
    return RowNormLoops::in_place(grad_.array_type(), x2_.given());
  }

  const void* read(const RowMajorAccess& operand, std::int64_t position, std::int64_t count,
                   float* buffer) const {
    if (in_place_ != nullptr) return operand.place(position);
    return operand.read(position, count, buffer);
  }
  void* target(const RowMajorAccess& operand, std::int64_t position, float* buffer) const {
    if (!operand.given()) return buffer;
    if (in_place_ != nullptr) return operand.place(position);
    return operand.target(position, buffer);
  }
  void write(const RowMajorAccess& operand, std::int64_t position, std::int64_t count,
             const void* values) const {
    if (operand.given() && in_place_ == nullptr)
      operand.write(position, count, static_cast<const float*>(values));
  }

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
    rows.grad = read(grad_, position, elements, buffers[0]);
    rows.x1 = read(x1_, position, elements, buffers[1]);
    if (x2_.given()) rows.x2 = read(x2_, position, elements, buffers[2]);
    rows.factor = norm_.x_factor;
    return rows;
  }

  /// Writes the results of loaded rows.
  void finish(Buffers& buffers, Rows rows, std::int64_t position,
              const RowCoefficients* coefficients) const {
    const std::int64_t elements = rows.count * rows.length;
    if (add_.given()) rows.add = read(add_, position, elements, buffers[3]);
    rows.grad_x = target(grad_x_, position, buffers[4]);
    rows.grad_x1 = target(grad_x1_, position, buffers[5]);
    loops_.gradients(&rows, coefficients);
    write(grad_x_, position, elements, rows.grad_x);
    write(grad_x1_, position, elements, rows.grad_x1);
  }

  RowCoefficients coefficients(std::int64_t row, const double* sums) const {
    const double mean = mean_.empty() ? 0.0 : double(mean_[std::size_t(row)]);
    const double rstd = double(rstd_[std::size_t(row)]);
    const double share = 1.0 / double(norm_.length);
    const double mean_grad = norm_.has_mean ? sums[0] * share : 0.0;
    const double mean_product = rstd * (sums[1] - mean * sums[0]) * share;
    return {rstd, -mean * rstd, -rstd * mean_product, -rstd * mean_grad};
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
    Rows rows = load(buffers, position, count, norm_.length);
    rows.number = row;
    rows.sections = norm_.sections;
    rows.gamma = gamma_.data();
    rows.grad_gamma = gamma;
    rows.grad_beta = beta;
    double* sums = buffers.sums.data();
    RowCoefficients* at = buffers.coefficients.data();
    std::fill_n(sums, 2 * count, 0.0);
    loops_.sums(&rows, sums);
    for (std::int64_t i = 0; i < count; ++i) at[i] = coefficients(row + i, sums + 2 * i);
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
  RowMajorAccess grad_;
  RowMajorAccess x1_;
  RowMajorAccess x2_;
  RowMajorAccess add_;
  RowMajorAccess grad_x_;
  RowMajorAccess grad_x1_;
  RowMajorAccess grad_gamma_;
  RowMajorAccess grad_beta_;
  const RowNormLoops* in_place_;
  const RowNormLoops& loops_;
  std::vector<float> rstd_;
  std::vector<float> gamma_;  // of each column of each section, converted once for all rows
  std::vector<float> mean_;   // empty where there is none
};

}  // namespace

void run_row_norm(const RowNorm& norm, const KernelMemory& memory) { Run(norm, memory).run(); }

RowNorm rows_of(const Dims& shape, std::size_t axis) {
  RowNorm norm;
  norm.rows = shape.product(0, axis);
  norm.length = shape.product(axis);
  return norm;
}

void launch_row_norm(Plan& plan, RowNorm norm) {
  auto shared = std::make_shared<const RowNorm>(std::move(norm));
  plan.launch([shared](const KernelMemory& memory) { run_row_norm(*shared, memory); });
}

}  // namespace pyaclnn::sim
