// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm_forward.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/norm/forward_rows.hpp"
#include "opapi/norm/norm.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread

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
        rows_(ForwardRows::of_this_cpu()),
        add_(loop_for_cpu<Add, const float*, const float*, std::int64_t, float*>()),
        add_scaled_(
            loop_for_cpu<AddScaled, const float*, float, const float*, std::int64_t, float*>()),
        silu_(loop_for_cpu<Silu, std::int64_t, float, float*>()) {
    if (norm.gamma_summand != 0)
      for (float& value : gamma_) value += norm.gamma_summand;
    if (norm.fold != 1) return;
    wide_gamma_.assign(gamma_.begin(), gamma_.end());
    wide_beta_.assign(beta_.begin(), beta_.end());
  }

  void run() const {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / norm_.length);
    parallel_for(norm_.rows, grain, [this](std::int64_t begin, std::int64_t end) {
      std::vector<float> first(std::size_t(norm_.length));
      const bool has_second = norm_.x2.given() || norm_.bias.given() || norm_.scale.given();
      std::vector<float> second(std::size_t(has_second ? norm_.length : 0));
      for (std::int64_t row = begin; row < end; ++row) {
        if (row + 1 < end) prefetch(row + 1);
        run_row(row, first.data(), second.data());
      }
    });
  }

 private:
  std::int64_t parameters() const { return norm_.sections * (norm_.length / norm_.fold); }

  /// Asks for a row that lies in place: the processor looks no further than to the end of a page.
  void prefetch(std::int64_t row) const {
    constexpr std::int64_t kMost = 8192;
    constexpr std::int64_t kLine = 16;
    if (!norm_.x1.is_float_array()) return;
    const std::int64_t count = std::min(norm_.length, kMost);
    const float* x = x1_.read(row * norm_.length, count, nullptr);
    for (std::int64_t i = 0; i < count; i += kLine) __builtin_prefetch(x + i);
  }

  void run_row(std::int64_t row, float* first, float* second) const {
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
    double variance = 0;
    find_statistics(x, &mean, &variance);
    const double rstd = 1.0 / std::sqrt(variance + double(norm_.eps));
    write_number(mean_, row, mean);
    write_number(rstd_, row, rstd);
    write_number(variance_, row, variance);
    if (!y_.given()) return;
    // Results that are rounded before they are converted are not in their place before. In the
    // place of x, for a buffer at the same offset in another page delays loads behind stores.
    float* const y = norm_.gives == ACL_FLOAT ? y_.target(at, first) : first;
    scale_row(row, x, mean, rstd, y);
    if (scale_rows_.given()) modulate(row, second, y);
    if (norm_.has_silu) silu_(length, norm_.silu_scale, y);
    round_as_stored(y, length, norm_.gives);
    y_.write(at, length, y);
    if (y_too_.given()) y_too_.write(at, length, y);
  }

  void find_statistics(const float* x, double* mean, double* variance) const {
    const std::int64_t length = norm_.length;
    const float shift = norm_.has_mean ? shift_at(x[0]) : 0.0f;
    Moments moments;
    rows_.add_moments(x, length, shift, &moments);
    *mean = norm_.has_mean ? moments.mean(double(shift), length) : 0.0;
    *variance = norm_.has_mean ? moments.variance(length) : moments.squares / double(length);
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
    const std::int64_t first = row % norm_.sections * count;
    if (norm_.fold == 1)
      return rows_.scale(x, count, mean, rstd, wide_gamma_.data() + first,
                         wide_beta_.data() + first, y);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t begin = i * norm_.fold;
      const double factor = rstd * double(gamma_[std::size_t(first + i)]);
      const double summand = double(beta_[std::size_t(first + i)]);
      if (norm_.of_halves && HalfScale::fits(mean, factor, summand)) {
        const HalfScale by(mean, factor, summand);
        rows_.scale_halves(x + begin, norm_.fold, &by, y + begin);
      } else {
        rows_.scale_alike(x + begin, norm_.fold, mean, factor, summand, y + begin);
      }
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
  std::vector<double> wide_gamma_;
  std::vector<double> wide_beta_;
  const ForwardRows& rows_;
  void (*add_)(const float*, const float*, std::int64_t, float*);
  void (*add_scaled_)(const float*, float, const float*, std::int64_t, float*);
  void (*silu_)(std::int64_t, float, float*);
};

}  // namespace

void set_input(RowNormForward& norm, Plan& plan, const TensorArgument& x) {
  norm.x1 = row_major_input(plan, x);
  norm.of_halves = x.dtype() == ACL_FLOAT16 || x.dtype() == ACL_BF16;
}

void set_result(RowNormForward& norm, Plan& plan, const TensorArgument& y) {
  norm.y = row_major_output(plan, y);
  if (y.given() && norm.gives == y.dtype()) norm.gives = ACL_FLOAT;  // storing rounds
}

void launch_row_norm_forward(Plan& plan, RowNormForward norm) {
  plan.launch([norm = std::move(norm)](const KernelMemory& memory) { Runner(norm, memory).run(); });
}

}  // namespace pyaclnn::sim
