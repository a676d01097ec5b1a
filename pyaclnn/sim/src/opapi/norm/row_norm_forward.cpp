// SPDX-License-Identifier: MIT
#include "opapi/norm/row_norm_forward.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/norm/forward_rows.hpp"
#include "opapi/norm/norm.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;   // elements worth a hand-over to another thread
constexpr std::int64_t kShortRow = 256;  // such rows are worked on several at a time
constexpr std::int64_t kSome = 8;

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
        in_place_(rows_in_place()),
        rows_(in_place_ != nullptr ? *in_place_ : ForwardRows::of_floats()),
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
      if (in_place_ != nullptr) return run_in_place(begin, end);
      std::vector<float> first(std::size_t(norm_.length));
      const bool has_second = norm_.x2.given() || norm_.bias.given() || norm_.scale.given();
      std::vector<float> second(std::size_t(has_second ? norm_.length : 0));
      for (std::int64_t row = begin; row < end; ++row) {
        const void* ahead = row + 1 < end && norm_.x1.is_float_array()
                                ? x1_.place((row + 1) * norm_.length)
                                : nullptr;
        run_row(row, ahead, first.data(), second.data());
      }
    });
  }

 private:
  std::int64_t parameters() const { return norm_.sections * (norm_.length / norm_.fold); }

  /// The passes over x and y where they lie, if nothing else is added or wanted.
  const ForwardRows* rows_in_place() const {
    const RowNormForward& n = norm_;
    const bool is_plain = !n.x2.given() && !n.bias.given() && !n.scale.given() &&
                          !n.y_too.given() && !n.x.given() && !n.has_silu && n.gives == ACL_FLOAT &&
                          n.y.given();
    if (!is_plain) return nullptr;
    return ForwardRows::between(x1_, y_, n.fold == 1 ? n.length : n.fold);
  }

  struct Statistic {
    double mean;
    double rstd;
  };

  /// First the statistics of several rows: each would wait for its own.
  void run_in_place(std::int64_t begin, std::int64_t end) const {
    const std::int64_t length = norm_.length;
    const std::int64_t some = length <= kShortRow ? kSome : 1;
    for (std::int64_t row = begin; row < end; row += some) {
      const std::int64_t count = std::min(some, end - row);
      Statistic of[kSome];
      for (std::int64_t i = row; i < row + count; ++i)
        of[i - row] = statistic(i, x1_.place(i * length),
                                i + 1 < end ? x1_.place((i + 1) * length) : nullptr);
      for (std::int64_t i = row; i < row + count; ++i)
        scale_row(i, x1_.place(i * length), of[i - row], y_.place(i * length));
    }
    bulk_copy_done();
  }

  void run_row(std::int64_t row, const void* ahead, float* first, float* second) const {
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
    // Results that are rounded before they are converted are not in their place before. In the
    // place of x, for a buffer at the same offset in another page delays loads behind stores.
    float* const y = y_.given() && norm_.gives == ACL_FLOAT ? y_.target(at, first) : first;
    const Statistic of = statistic(row, x, ahead);
    if (!y_.given()) return;
    scale_row(row, x, of, y);
    if (scale_rows_.given()) modulate(row, second, y);
    if (norm_.has_silu) silu_(length, norm_.silu_scale, y);
    round_as_stored(y, length, norm_.gives);
    y_.write(at, length, y);
    if (y_too_.given()) y_too_.write(at, length, y);
  }

  Statistic statistic(std::int64_t row, const void* x, const void* ahead) const {
    const std::int64_t length = norm_.length;
    const float shift = norm_.has_mean ? shift_at(rows_.value(x)) : 0.0f;
    Moments moments;
    rows_.add_moments(x, length, shift, &moments, ahead);
    if (!(norm_.has_mean ? moments.good(length) : moments.in_range(length))) {
      moments = {};
      rows_.add_moments_exactly(x, length, shift, &moments);
    }
    const double mean = norm_.has_mean ? moments.mean(double(shift), length) : 0.0;
    const double variance =
        norm_.has_mean ? moments.variance(length) : moments.squares / double(length);
    const double rstd = 1.0 / std::sqrt(variance + double(norm_.eps));
    write_number(mean_, row, mean);
    write_number(rstd_, row, rstd);
    write_number(variance_, row, variance);
    return {mean, rstd};
  }

  /// y = y (1 + scale) + shift, with a row of each for several rows of y.
  void modulate(std::int64_t row, float* buffer, float* y) const {
    const std::int64_t length = norm_.length;
    const std::int64_t at = row / norm_.section_rows * length;
    const float* scale = scale_rows_.read(at, length, buffer);
    for (std::int64_t i = 0; i < length; ++i) y[i] *= 1 + scale[i];
    add_(y, shift_rows_.read(at, length, buffer), length, y);
  }

  void scale_row(std::int64_t row, const void* x, const Statistic& of, void* y) const {
    const auto [mean, rstd] = of;
    const std::int64_t count = norm_.length / norm_.fold;
    const std::int64_t first = row % norm_.sections * count;
    if (norm_.fold == 1)
      return rows_.scale(x, count, mean, rstd, wide_gamma_.data() + first,
                         wide_beta_.data() + first, y);
    const std::int64_t bytes = norm_.fold * rows_.size;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* from = static_cast<const std::byte*>(x) + i * bytes;
      std::byte* to = static_cast<std::byte*>(y) + i * bytes;
      const double factor = rstd * double(gamma_[std::size_t(first + i)]);
      const double summand = double(beta_[std::size_t(first + i)]);
      if (norm_.of_halves && HalfScale::fits(mean, factor, summand)) {
        const HalfScale by(mean, factor, summand);
        rows_.scale_halves(from, norm_.fold, &by, to);
      } else {
        rows_.scale_alike(from, norm_.fold, mean, factor, summand, to);
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
  const ForwardRows* in_place_;
  const ForwardRows& rows_;
  void (*add_)(const float*, const float*, std::int64_t, float*);
  void (*add_scaled_)(const float*, float, const float*, std::int64_t, float*);
  void (*silu_)(std::int64_t, float, float*);
};

}  // namespace

void set_input(RowNormForward& norm, Plan& plan, const TensorArgument& x) {
  norm.x1 = row_major_input(plan, x);
  norm.of_halves = is_16_bit_float(x.dtype());
}

void set_result(RowNormForward& norm, Plan& plan, const TensorArgument& y) {
  norm.y = row_major_output(plan, y);
  if (y.given() && norm.gives == y.dtype()) norm.gives = ACL_FLOAT;  // storing rounds
}

void launch_row_norm_forward(Plan& plan, RowNormForward norm) {
  plan.launch([norm = std::move(norm)](const KernelMemory& memory) { Runner(norm, memory).run(); });
}

}  // namespace pyaclnn::sim
