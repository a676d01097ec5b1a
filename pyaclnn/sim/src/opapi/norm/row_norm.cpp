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

// Everything is computed in float64: the gradient is a small difference of the sums.

/// A piece of a row.
struct Slice {
  std::int64_t count = 0;
  const float* grad = nullptr;
  const double* gamma = nullptr;
  const float* x1 = nullptr;
  const float* x2 = nullptr;
  const float* add = nullptr;  // if there is one
  double factor = 1;
  double mean = 0;
  double rstd = 0;
  double mean_grad = 0;
  double slope = 0;
  double* grad_gamma = nullptr;
  double* grad_beta = nullptr;
  float* grad_x = nullptr;
  float* grad_x1 = nullptr;
};

template <bool is_sum>
SIM_ALWAYS_INLINE double centered(const Slice& slice, std::int64_t i) {
  const double x = double(slice.x1[i]);
  return (is_sum ? slice.factor * x + double(slice.x2[i]) : x) - slice.mean;
}

/// Adds to the sums of grad gamma and of that times the distance from the mean.
template <bool is_sum>
struct Sums {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Slice* of, double* sums) {
    const Slice slice = *of;
    DoubleLanes plain;
    DoubleLanes product;
    std::int64_t i = 0;
    for (; i + DoubleLanes::kLanes <= slice.count; i += DoubleLanes::kLanes) {
      DoubleLanes g(slice.grad + i);
      g *= DoubleLanes(slice.gamma + i);
      plain += g;
      DoubleLanes x(slice.x1 + i);
      if constexpr (is_sum) {
        x *= slice.factor;
        x += DoubleLanes(slice.x2 + i);
      }
      x -= slice.mean;
      x *= g;
      product += x;
    }
    for (; i < slice.count; ++i) {
      const double g = double(slice.grad[i]) * slice.gamma[i];
      plain.add_to_first(g);
      product.add_to_first(g * centered<is_sum>(slice, i));
    }
    sums[0] += plain.total();
    sums[1] += product.total();
  }
};

/// grad_x = rstd (grad gamma - mean_grad - centered slope) + add, and the sums over columns. Each
/// element is read before it is written: outputs may lie where inputs do.
template <bool is_sum>
struct Gradients {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Slice* of) {
    const Slice slice = *of;
    if (slice.add == nullptr) {
      write<false>(slice);
    } else {
      write<true>(slice);
    }
  }

 private:
  template <bool kAdds>
  static SIM_ALWAYS_INLINE void write(const Slice& slice) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < slice.count; ++i) {
      const double grad = double(slice.grad[i]);
      const double distance = centered<is_sum>(slice, i);
      const double x =
          slice.rstd * (grad * slice.gamma[i] - slice.mean_grad - distance * slice.slope);
      slice.grad_gamma[i] += grad * (distance * slice.rstd);
      slice.grad_beta[i] += grad;
      slice.grad_x[i] = static_cast<float>(kAdds ? x + double(slice.add[i]) : x);
      if (is_sum) slice.grad_x1[i] = static_cast<float>(slice.factor * x);
    }
  }
};

/// The sums of a row, as they enter its gradient.
struct RowCoefficients {
  double mean = 0;
  double rstd = 0;
  double mean_grad = 0;
  double slope = 0;

  RowCoefficients() = default;
  SIM_ALWAYS_INLINE RowCoefficients(double its_mean, double its_rstd, bool has_mean,
                                    std::int64_t length, const double* sums)
      : mean(its_mean),
        rstd(its_rstd),
        mean_grad(has_mean ? sums[0] / double(length) : 0.0),
        slope(rstd * rstd * sums[1] / double(length)) {}
};

/// Short rows one behind the other, whose sums over columns lie as gamma does.
struct Rows {
  Slice first;
  std::int64_t count;
  std::int64_t number;  // of the first
  std::int64_t sections;
  const float* means;  // null where there is none
  const float* rstds;
  bool has_mean;
  bool has_x2;
  bool has_add;
};

/// Both steps for each: to call them for a row takes longer than a short one does.
template <bool is_sum>
struct RowLoop {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const Rows* of) {
    const Rows rows = *of;
    const std::int64_t length = rows.first.count;
    for (std::int64_t i = 0; i < rows.count; ++i) {
      const std::int64_t row = rows.number + i;
      const std::int64_t section = row % rows.sections * length;
      Slice slice = rows.first;
      slice.grad += i * length;
      slice.gamma += section;
      slice.x1 += i * length;
      slice.x2 += rows.has_x2 ? i * length : 0;
      if (rows.has_add) slice.add += i * length;
      slice.mean = rows.means == nullptr ? 0.0 : double(rows.means[row]);
      double sums[2] = {};
      Sums<is_sum>::template run<kIsa>(&slice, sums);
      const RowCoefficients at(slice.mean, double(rows.rstds[row]), rows.has_mean, length, sums);
      slice.rstd = at.rstd;
      slice.mean_grad = at.mean_grad;
      slice.slope = at.slope;
      slice.grad_gamma += section;
      slice.grad_beta += section;
      slice.grad_x += i * length;
      slice.grad_x1 += i * length;
      Gradients<is_sum>::template run<kIsa>(&slice);
    }
  }
};

struct Loops {
  explicit Loops(bool is_sum)
      : sums(is_sum ? wide_loop_for_cpu<Sums<true>, const Slice*, double*>()
                    : wide_loop_for_cpu<Sums<false>, const Slice*, double*>()),
        gradients(is_sum ? wide_loop_for_cpu<Gradients<true>, const Slice*>()
                         : wide_loop_for_cpu<Gradients<false>, const Slice*>()),
        rows(is_sum ? wide_loop_for_cpu<RowLoop<true>, const Rows*>()
                    : wide_loop_for_cpu<RowLoop<false>, const Rows*>()) {}

  void (*sums)(const Slice*, double*);
  void (*gradients)(const Slice*);
  void (*rows)(const Rows*);
};

alignas(64) const float kZeros[kBlock] = {};

class Run {
 public:
  Run(const RowNorm& norm, const KernelMemory& memory)
      : norm_(norm),
        loops_(norm.x2.given() || norm.grad_x1.given() || norm.x_factor != 1.0),
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
  /// Where operands of a slice that are no floats are converted to.
  struct Buffers {
    alignas(64) float inputs[4][kBlock];
    alignas(64) float outputs[2][kBlock];
  };

  /// Has what is read later brought to the cache.
  void ask_for(std::int64_t position, std::int64_t count) const {
    for (const RowMajorAccess* operand : {&grad_, &x1_})
      prefetch(operand->place(position),
               operand->place(position + count) - operand->place(position));
  }

  Slice load(Buffers& buffers, std::int64_t row, std::int64_t column, std::int64_t count,
             double mean) const {
    const std::int64_t position = row * norm_.length + column;
    Slice slice;
    slice.count = count;
    slice.grad = grad_.read(position, count, buffers.inputs[0]);
    slice.gamma = &gamma_[std::size_t(row % norm_.sections * norm_.length + column)];
    slice.x1 = x1_.read(position, count, buffers.inputs[1]);
    slice.x2 = x2_.given() ? x2_.read(position, count, buffers.inputs[2]) : kZeros;
    slice.factor = norm_.x_factor;
    slice.mean = mean;
    return slice;
  }

  /// Writes a loaded slice's results.
  void finish(Buffers& buffers, Slice slice, std::int64_t row, std::int64_t column,
              const RowCoefficients& at, double* gamma, double* beta) const {
    const std::int64_t position = row * norm_.length + column;
    if (add_.given()) slice.add = add_.read(position, slice.count, buffers.inputs[3]);
    slice.rstd = at.rstd;
    slice.mean_grad = at.mean_grad;
    slice.slope = at.slope;
    slice.grad_gamma = gamma;
    slice.grad_beta = beta;
    target(buffers, position, slice);
    loops_.gradients(&slice);
    write(position, slice.count, slice);
  }

  /// Has results put in their place, or in buffers.
  void target(Buffers& buffers, std::int64_t position, Slice& slice) const {
    float* const unwanted[2] = {buffers.outputs[0], buffers.outputs[1]};
    slice.grad_x = grad_x_.given() ? grad_x_.target(position, unwanted[0]) : unwanted[0];
    slice.grad_x1 = grad_x1_.given() ? grad_x1_.target(position, unwanted[1]) : unwanted[1];
  }

  void write(std::int64_t position, std::int64_t count, const Slice& slice) const {
    if (grad_x_.given()) grad_x_.write(position, count, slice.grad_x);
    if (grad_x1_.given()) grad_x1_.write(position, count, slice.grad_x1);
  }

  double mean_of(std::int64_t row) const { return mean_.empty() ? 0.0 : mean_[std::size_t(row)]; }

  RowCoefficients coefficients(std::int64_t row, const double* sums) const {
    return {mean_of(row), double(rstd_[std::size_t(row)]), norm_.has_mean, norm_.length, sums};
  }

  /// A row at a time, from the cache the second time.
  void by_rows() {
    const std::int64_t width = norm_.sections * norm_.length;
    const std::int64_t pieces =
        norm_.rows * norm_.length < kPiece ? 1 : std::min(norm_.rows, kShares);
    std::vector<double> gamma(std::size_t(pieces * width));
    std::vector<double> beta(gamma.size());
    parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t piece = begin; piece < end; ++piece) {
        const std::int64_t last = norm_.rows * (piece + 1) / pieces;
        double* const gammas = &gamma[std::size_t(piece * width)];
        double* const betas = &beta[std::size_t(piece * width)];
        const std::int64_t together = kBlock / std::clamp<std::int64_t>(norm_.length, 1, kBlock);
        for (std::int64_t row = norm_.rows * piece / pieces; row < last; row += together) {
          if (norm_.length > kBlock) {
            one_row(row, gammas, betas);
          } else {
            short_rows(row, std::min(together, last - row), gammas, betas);
          }
        }
      }
    });
    write_sums(gamma, grad_gamma_);
    write_sums(beta, grad_beta_);
  }

  /// Rows that are a block at most.
  void short_rows(std::int64_t row, std::int64_t count, double* gamma, double* beta) const {
    Buffers buffers;
    const std::int64_t position = row * norm_.length;
    const std::int64_t elements = count * norm_.length;
    ask_for(position + elements, elements);
    Rows rows{load(buffers, row, 0, elements, 0),
              count,
              row,
              norm_.sections,
              mean_.empty() ? nullptr : mean_.data(),
              rstd_.data(),
              norm_.has_mean,
              x2_.given(),
              add_.given()};
    Slice& first = rows.first;
    first.count = norm_.length;
    first.gamma = gamma_.data();
    first.grad_gamma = gamma;
    first.grad_beta = beta;
    if (add_.given()) first.add = add_.read(position, elements, buffers.inputs[3]);
    target(buffers, position, first);
    loops_.rows(&rows);
    write(position, elements, first);
  }

  void one_row(std::int64_t row, double* gamma, double* beta) const {
    Buffers buffers;
    const double mean = mean_of(row);
    double sums[2] = {};
    for (std::int64_t column = 0; column < norm_.length; column += kBlock) {
      const std::int64_t count = std::min(kBlock, norm_.length - column);
      ask_for(row * norm_.length + column + kBlock, count);
      const Slice slice = load(buffers, row, column, count, mean);
      loops_.sums(&slice, sums);
    }
    const RowCoefficients at = coefficients(row, sums);
    const std::int64_t section = row % norm_.sections * norm_.length;
    for (std::int64_t column = 0; column < norm_.length; column += kBlock) {
      const std::int64_t count = std::min(kBlock, norm_.length - column);
      finish(buffers, load(buffers, row, column, count, mean), row, column, at,
             gamma + section + column, beta + section + column);
    }
  }

  /// Few or long rows: first the sums of all, then a block of columns at a time.
  void by_columns() {
    const std::int64_t blocks = (norm_.length + kBlock - 1) / kBlock;
    std::vector<double> partial(std::size_t(norm_.rows * blocks) * 2);
    parallel_for(norm_.rows * blocks, kPiece / kBlock, [&](std::int64_t begin, std::int64_t end) {
      Buffers buffers;
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t row = item / blocks;
        const std::int64_t column = item % blocks * kBlock;
        const std::int64_t count = std::min(kBlock, norm_.length - column);
        const Slice slice = load(buffers, row, column, count, mean_of(row));
        loops_.sums(&slice, &partial[std::size_t(item) * 2]);
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
    const std::int64_t stretches = (norm_.length + kColumns - 1) / kColumns;
    const std::int64_t items = norm_.sections * stretches;
    const std::int64_t grain =
        std::max<std::int64_t>(1, kPiece * norm_.sections / (norm_.rows * kColumns));
    parallel_for(items, grain, [&](std::int64_t begin, std::int64_t end) {
      Buffers buffers;
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t section = item / stretches;
        const std::int64_t column = item % stretches * kColumns;
        const std::int64_t count = std::min(kColumns, norm_.length - column);
        const std::int64_t at = section * norm_.length + column;
        for (std::int64_t row = section; row < norm_.rows; row += norm_.sections) {
          const RowCoefficients& values = rows[std::size_t(row)];
          // The processor foresees no steps of whole rows.
          if (row + norm_.sections < norm_.rows)
            ask_for((row + norm_.sections) * norm_.length + column, count);
          const Slice slice = load(buffers, row, column, count, values.mean);
          finish(buffers, slice, row, column, values, &gamma[std::size_t(at)],
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
