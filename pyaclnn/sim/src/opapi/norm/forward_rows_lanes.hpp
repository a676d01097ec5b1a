// ForwardRows in registers of 16 floats, where nothing is converted by way of memory. The order of
// operations is that of the loops over floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "opapi/common/lanes.hpp"
#include "opapi/norm/forward_rows.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

constexpr std::int64_t kStep = 2 * kLanes;
constexpr std::int64_t kBlock = ForwardRows::kSummedInFloats;
constexpr std::int64_t kRegisters = kBlock / kLanes;
constexpr std::int64_t kLine = 64;

/// Both sums of a run.
template <class Form>
struct Sums {
  using Bits = typename Form::Bits;
  static constexpr bool kOfHalves = sizeof(Bits) == sizeof(std::uint16_t);

  Doubles plain;
  Doubles squares;

  SIM_LANES_INLINE Sums() : plain(Doubles::of(0.0)), squares(plain) {}

  SIM_LANES_INLINE void add_block(const Bits* x, Floats shift) {
    const Floats zeros = Floats::of(0.0f);
    Floats sums[2] = {zeros, zeros};
    Floats sums_of_squares[2] = {zeros, zeros};
    for (int r = 0; r < kRegisters; ++r) {
      const Floats d = Form::at(x + r * kLanes) - shift;
      if constexpr (kOfHalves) {
        sums[r % 2] = sums[r % 2] + d;
      } else {
        plain = plain + Form::doubles_at(x + r * kLanes);
      }
      sums_of_squares[r % 2] = sums_of_squares[r % 2] + d * d;
    }
    if constexpr (kOfHalves) plain = plain + Doubles::of(sums[0] + sums[1]);
    squares = squares + Doubles::of(sums_of_squares[0] + sums_of_squares[1]);
  }

  /// A few values, one for each lane.
  SIM_LANES_INLINE void add_rest(const Bits* x, std::int64_t count, float shift) {
    double rest[kLanes];
    // Compilers fill arrays by an instruction that takes as long as a short row.
    Doubles::of(0.0).store(rest);
    for (std::int64_t k = 0; k < count; ++k) rest[k] = double(Form::value(x[k])) - double(shift);
    const Doubles d = Doubles::at(rest);
    plain = plain + d;
    squares = squares + d * d;
  }

  /// Adds the rest of a run, and both sums to `moments`.
  SIM_LANES_INLINE void finish(const Bits* x, std::int64_t count, float shift, Moments* moments) {
    const Doubles from = Doubles::of(double(shift));
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      const Doubles d = Form::doubles_at(x + i) - from;
      plain = plain + d;
      squares = squares + d * d;
    }
    if (i < count) add_rest(x + i, count - i, shift);
    moments->plain += plain.total();
    moments->squares += squares.total();
  }
};

template <class Form>
SIM_LANES_LOOP void add_moments(const void* values, std::int64_t count, float shift,
                                Moments* moments, const void* ahead) {
  using Bits = typename Form::Bits;
  constexpr std::int64_t kLineElements = kLine / std::int64_t(sizeof(Bits));
  const auto* x = static_cast<const Bits*>(values);
  const auto* next = static_cast<const Bits*>(ahead);
  const Floats from = Floats::of(shift);
  Sums<Form> sums;
  std::int64_t i = 0;
  // Sums of floats are not precise enough for an element that is nearly the mean.
  if (!Sums<Form>::kOfHalves) moments->plain -= double(count / kBlock * kBlock) * double(shift);
  for (; i + kBlock <= count; i += kBlock) {
    if (next != nullptr) {
      for (std::int64_t k = 0; k < kBlock; k += kLineElements) __builtin_prefetch(next + i + k);
    }
    sums.add_block(x + i, from);
  }
  sums.finish(x + i, count - i, shift, moments);
}

template <class Form>
SIM_LANES_LOOP void add_moments_exactly(const void* values, std::int64_t count, float shift,
                                        Moments* moments) {
  Sums<Form> sums;
  sums.finish(static_cast<const typename Form::Bits*>(values), count, shift, moments);
}

/// y = map(x): map.of(form, where x lies, its index) gives 16 values, map.of(x, index) one.
template <class Form, bool kPast, class Map>
SIM_LANES_INLINE void mapped(const void* values, std::int64_t count, void* results, Map map) {
  const auto* x = static_cast<const typename Form::Bits*>(values);
  auto* y = static_cast<typename Form::Bits*>(results);
  std::int64_t i = 0;
  for (; i + kStep <= count; i += kStep)
    Form::template put<kPast>(y + i, map.of(Form(), x + i, i),
                              map.of(Form(), x + i + kLanes, i + kLanes));
  if (i + kLanes <= count) {
    Form::put(y + i, map.of(Form(), x + i, i));
    i += kLanes;
  }
  for (; i < count; ++i) y[i] = Form::bits(map.of(Form::value(x[i]), i));
}

struct ScaleEach {
  double rstd;
  double constant;
  const double* gamma;
  const double* beta;

  template <class Form>
  SIM_LANES_INLINE Floats of(Form, const typename Form::Bits* x, std::int64_t at) const {
    const Doubles normal = fused(Form::doubles_at(x), Doubles::of(rstd), Doubles::of(constant));
    return fused(normal, Doubles::at(gamma + at), Doubles::at(beta + at)).narrowed();
  }
  SIM_LANES_INLINE float of(float x, std::int64_t at) const {
    return float(__builtin_fma(__builtin_fma(double(x), rstd, constant), gamma[at], beta[at]));
  }
};

struct ScaleAll {
  double mean;
  double factor;
  double summand;

  template <class Form>
  SIM_LANES_INLINE Floats of(Form, const typename Form::Bits* x, std::int64_t) const {
    const Doubles centered = Form::doubles_at(x) - Doubles::of(mean);
    return (centered * Doubles::of(factor) + Doubles::of(summand)).narrowed();
  }
  SIM_LANES_INLINE float of(float x, std::int64_t) const {
    return float((double(x) - mean) * factor + summand);
  }
};

struct ScaleInFloats {
  HalfScale by;

  template <class Form>
  SIM_LANES_INLINE Floats of(Form, const typename Form::Bits* from, std::int64_t) const {
    const Floats x = Form::at(from);
    return fused(x, Floats::of(by.factor), Floats::of(by.summand)) +
           fused(x, Floats::of(by.factor_rest), Floats::of(by.summand_rest));
  }
  SIM_LANES_INLINE float of(float x, std::int64_t) const {
    return __builtin_fmaf(x, by.factor, by.summand) +
           __builtin_fmaf(x, by.factor_rest, by.summand_rest);
  }
};

template <class Form, bool kPast>
SIM_LANES_LOOP void scale(const void* x, std::int64_t count, double mean, double rstd,
                          const double* gamma, const double* beta, void* y) {
  mapped<Form, kPast>(x, count, y, ScaleEach{rstd, -mean * rstd, gamma, beta});
}

template <class Form, bool kPast>
SIM_LANES_LOOP void scale_alike(const void* x, std::int64_t count, double mean, double factor,
                                double summand, void* y) {
  mapped<Form, kPast>(x, count, y, ScaleAll{mean, factor, summand});
}

template <class Form, bool kPast>
SIM_LANES_LOOP void scale_halves(const void* x, std::int64_t count, const HalfScale* by, void* y) {
  mapped<Form, kPast>(x, count, y, ScaleInFloats{*by});
}

template <class Form>
float value_of(const void* x) {
  return Form::value(*static_cast<const typename Form::Bits*>(x));
}

template <class Form, bool kPast>
constexpr ForwardRows kRows{sizeof(typename Form::Bits), &value_of<Form>,
                            &add_moments<Form>,          &add_moments_exactly<Form>,
                            &scale<Form, kPast>,         &scale_alike<Form, kPast>,
                            &scale_halves<Form, kPast>};

template <bool kPast>
const ForwardRows* rows_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT:
      return &kRows<OfFloats, kPast>;
    case ACL_FLOAT16:
      return &kRows<OfHalves, kPast>;
    case ACL_BF16:
      return &kRows<OfBfloat16s, kPast>;
    default:
      return nullptr;
  }
}

const ForwardRows* rows_in_place(aclDataType dtype, bool past) {
  return past ? rows_of<true>(dtype) : rows_of<false>(dtype);
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES
