// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm_forward.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/vecmath.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread
constexpr int kLanes = 16;

// Sums are kept in float64, and in the same order whatever the number of threads.

struct Sum {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, double* sum) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += double(x[i + k]);
    }
    for (; i < count; ++i) lanes[0] += double(x[i]);
    *sum = 0;
    for (double lane : lanes) *sum += lane;
  }
};

struct Squares {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, double mean, double* sum) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) {
        const double d = double(x[i + k]) - mean;
        lanes[k] += d * d;
      }
    }
    for (; i < count; ++i) lanes[0] += (double(x[i]) - mean) * (double(x[i]) - mean);
    *sum = 0;
    for (double lane : lanes) *sum += lane;
  }
};

struct Add {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* b, std::int64_t count, float* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[i] = a[i] + b[i];
  }
};

struct AddScaled {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, float factor, const float* b,
                                    std::int64_t count, float* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[i] = factor * a[i] + b[i];
  }
};

/// Columns with a factor and a summand of their own.
struct Scale {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, double mean, double rstd,
                                    const float* gamma, const float* beta, float* y) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = float((double(x[i]) - mean) * rstd * double(gamma[i]) + double(beta[i]));
  }
};

/// Columns that share both.
struct ScaleAlike {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t count, double mean, double factor,
                                    double summand, float* y) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) y[i] = float((double(x[i]) - mean) * factor + summand);
  }
};

struct Silu {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(std::int64_t count, float scale, float* y) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) y[i] = y[i] / (1.0f + vec::exp(-scale * y[i]));
  }
};

std::vector<float> values_or(const RowMajor& layout, const KernelMemory& memory, std::int64_t count,
                             float otherwise) {
  if (layout.given()) return RowMajorAccess(layout, memory).values();
  return std::vector<float>(std::size_t(count), otherwise);
}

class Runner {
 public:
  Runner(const RowNormForward& norm, const KernelMemory& memory)
      : norm_(norm),
        x1_(norm.x1, memory),
        x2_(norm.x2, memory),
        bias_(norm.bias, memory),
        scale_rows_(norm.scale, memory),
        shift_rows_(norm.shift, memory),
        y_(norm.y, memory),
        y_too_(norm.y_too, memory),
        x_(norm.x, memory),
        mean_(norm.mean, memory),
        rstd_(norm.rstd, memory),
        variance_(norm.variance, memory),
        gamma_(values_or(norm.gamma, memory, parameters(), 1)),
        beta_(values_or(norm.beta, memory, parameters(), 0)),
        sum_(loop_for_cpu<Sum, const float*, std::int64_t, double*>()),
        squares_(loop_for_cpu<Squares, const float*, std::int64_t, double, double*>()),
        add_(loop_for_cpu<Add, const float*, const float*, std::int64_t, float*>()),
        add_scaled_(
            loop_for_cpu<AddScaled, const float*, float, const float*, std::int64_t, float*>()),
        scale_(loop_for_cpu<Scale, const float*, std::int64_t, double, double, const float*,
                            const float*, float*>()),
        scale_alike_(
            loop_for_cpu<ScaleAlike, const float*, std::int64_t, double, double, double, float*>()),
        silu_(loop_for_cpu<Silu, std::int64_t, float, float*>()) {
    if (norm.gamma_summand != 0)
      for (float& value : gamma_) value += norm.gamma_summand;
  }

  void run() const {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / norm_.length);
    parallel_for(norm_.rows, grain, [this](std::int64_t begin, std::int64_t end) {
      std::vector<float> first(std::size_t(norm_.length));
      const bool has_second = norm_.x2.given() || norm_.bias.given() || norm_.scale.given();
      std::vector<float> second(std::size_t(has_second ? norm_.length : 0));
      std::vector<float> result(std::size_t(norm_.length));
      for (std::int64_t row = begin; row < end; ++row)
        run_row(row, first.data(), second.data(), result.data());
    });
  }

 private:
  std::int64_t parameters() const { return norm_.sections * (norm_.length / norm_.fold); }

  void run_row(std::int64_t row, float* first, float* second, float* result) const {
    const std::int64_t length = norm_.length;
    const std::int64_t at = row * length;
    const float* x = x1_.read(at, length, first);
    if (x2_.given()) {
      const float* other = x2_.read(at, length, second);
      if (norm_.x_factor == 1) {
        add_(x, other, length, first);
      } else {
        add_scaled_(x, norm_.x_factor, other, length, first);
      }
      x = first;
    }
    if (bias_.given()) {
      add_(x, bias_.read(norm_.bias.count() == length ? 0 : at, length, second), length, first);
      x = first;
    }
    if (x_.given()) x_.write(at, length, x);
    double mean = 0;
    if (norm_.has_mean) {
      sum_(x, length, &mean);
      mean /= double(length);
    }
    double variance = 0;
    squares_(x, length, mean, &variance);
    variance /= double(length);
    const double rstd = 1.0 / std::sqrt(variance + double(norm_.eps));
    write_number(mean_, row, mean);
    write_number(rstd_, row, rstd);
    write_number(variance_, row, variance);
    if (!y_.given()) return;
    // Results of half a type are rounded before they are converted, so not in their place.
    float* y = norm_.gives == ACL_FLOAT ? y_.target(at, result) : result;
    scale_row(row, x, mean, rstd, y);
    if (scale_rows_.given()) modulate(row, second, y);
    if (norm_.has_silu) silu_(length, norm_.silu_scale, y);
    if (norm_.gives != ACL_FLOAT) {
      for (std::int64_t i = 0; i < length; ++i) y[i] = as_stored(y[i], norm_.gives);
    }
    y_.write(at, length, y);
    if (y_too_.given()) y_too_.write(at, length, y);
  }

  /// y = y (1 + scale) + shift, with a row of each for several rows of y.
  void modulate(std::int64_t row, float* buffer, float* y) const {
    const std::int64_t length = norm_.length;
    const std::int64_t at = row / norm_.section_rows * length;
    const float* scale = scale_rows_.read(at, length, buffer);
    for (std::int64_t i = 0; i < length; ++i) y[i] *= 1 + scale[i];
    add_(y, shift_rows_.read(at, length, buffer), length, y);
  }

  void scale_row(std::int64_t row, const float* x, double mean, double rstd, float* y) const {
    const std::int64_t count = norm_.length / norm_.fold;
    const float* gamma = gamma_.data() + row % norm_.sections * count;
    const float* beta = beta_.data() + row % norm_.sections * count;
    if (norm_.fold == 1) return scale_(x, count, mean, rstd, gamma, beta, y);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t begin = i * norm_.fold;
      scale_alike_(x + begin, norm_.fold, mean, rstd * double(gamma[i]), double(beta[i]),
                   y + begin);
    }
  }

  static void write_number(const RowMajorAccess& to, std::int64_t row, double value) {
    if (!to.given()) return;
    const auto number = static_cast<float>(value);
    to.write(row, 1, &number);
  }

  const RowNormForward& norm_;
  RowMajorAccess x1_;
  RowMajorAccess x2_;
  RowMajorAccess bias_;
  RowMajorAccess scale_rows_;
  RowMajorAccess shift_rows_;
  RowMajorAccess y_;
  RowMajorAccess y_too_;
  RowMajorAccess x_;
  RowMajorAccess mean_;
  RowMajorAccess rstd_;
  RowMajorAccess variance_;
  std::vector<float> gamma_;
  std::vector<float> beta_;
  void (*sum_)(const float*, std::int64_t, double*);
  void (*squares_)(const float*, std::int64_t, double, double*);
  void (*add_)(const float*, const float*, std::int64_t, float*);
  void (*add_scaled_)(const float*, float, const float*, std::int64_t, float*);
  void (*scale_)(const float*, std::int64_t, double, double, const float*, const float*, float*);
  void (*scale_alike_)(const float*, std::int64_t, double, double, double, float*);
  void (*silu_)(std::int64_t, float, float*);
};

}  // namespace

void launch_row_norm_forward(Plan& plan, RowNormForward norm) {
  plan.launch([norm = std::move(norm)](const KernelMemory& memory) { Runner(norm, memory).run(); });
}

}  // namespace pyaclnn::sim
