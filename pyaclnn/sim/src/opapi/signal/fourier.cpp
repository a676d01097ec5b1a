// Spectra of signals, and of the windows that slide over them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/signal/fft.hpp"
#include "parameters/aclRfft1D.hpp"
#include "parameters/aclStft.hpp"

namespace pyaclnn::sim {
namespace {

using Complex = Fft::Complex;

bool is_complex(aclDataType dtype) { return dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128; }

/// Complex numbers as pairs of real ones, other tensors as they are.
PackedOperand as_reals(View view) {
  if (!is_complex(view.dtype)) return PackedOperand(view);
  view.dtype = view.dtype == ACL_COMPLEX64 ? ACL_FLOAT : ACL_DOUBLE;
  view.offset *= 2;
  for (std::size_t i = 0; i < view.strides.size(); ++i) view.strides.set(i, view.strides[i] * 2);
  view.shape.push_back(2);
  view.strides.push_back(1);
  return PackedOperand(view);
}

/// Real or complex numbers of a tensor.
struct Numbers {
  PackedOperand reals;
  bool paired = false;

  std::vector<Complex> read(const KernelMemory& memory) const {
    const std::vector<double> parts = reals.read<double>(memory);
    std::vector<Complex> result(parts.size() / (paired ? 2 : 1));
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = paired ? Complex(parts[2 * i], parts[2 * i + 1]) : Complex(parts[i]);
    return result;
  }
};

Numbers numbers_of(Plan& plan, const TensorArgument& tensor) {
  plan.stage(tensor).contiguous();
  return {as_reals(plan.reads(tensor)), is_complex(tensor.dtype())};
}

/// Written out: the standard's product looks for NaN.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Where a signal and its spectrum begin.
struct SignalPlace {
  std::int64_t from, to;
};

/// A transform of one signal for each lane.
struct Transform {
  std::int64_t length;
  bool real;

  /// Spectra of `count` signals: `place(at)` says where a signal and its spectrum begin,
  /// `read(from, i)` gives value i of a signal, which is 0 outside of [begin, end), and
  /// `write(to, k, value)` takes the bins from 0 on.
  template <class Place, class Read, class Write>
  void run(std::int64_t count, std::int64_t begin, std::int64_t end, std::int64_t bins, Place place,
           Read read, Write write) const {
    if (real && length % 2 == 0)
      return transform(
          RealFft(std::size_t(length)), std::size_t(length / 2), count, bins, place,
          [&](Fft::Signals& values, const Places& places, std::size_t lanes) {
            for (std::int64_t i = begin; i < end; ++i) {
              Fft::Lanes& pair = values[std::size_t(i / 2)];
              auto& part = i % 2 == 0 ? pair.re : pair.im;
              for (std::size_t l = 0; l < lanes; ++l) part[l] = read(places[l].from, i).real();
            }
          },
          write);
    transform(
        Fft(std::size_t(length)), std::size_t(length), count, bins, place,
        [&](Fft::Signals& values, const Places& places, std::size_t lanes) {
          for (std::int64_t i = begin; i < end; ++i)
            for (std::size_t l = 0; l < lanes; ++l) {
              const Complex value = read(places[l].from, i);
              values[std::size_t(i)].re[l] = value.real();
              values[std::size_t(i)].im[l] = value.imag();
            }
        },
        write);
  }

 private:
  using Places = std::array<SignalPlace, Fft::kLanes>;

  template <class Kind, class Place, class Fill, class Write>
  void transform(const Kind& fft, std::size_t extent, std::int64_t count, std::int64_t bins,
                 Place place, Fill fill, Write write) const {
    constexpr auto kLanes = std::int64_t(Fft::kLanes);
    parallel_for((count + kLanes - 1) / kLanes, 1, [&](std::int64_t begin, std::int64_t end) {
      Fft::Signals values, work;
      for (std::int64_t first = begin * kLanes; first < std::min(count, end * kLanes);
           first += kLanes) {
        const auto lanes = std::size_t(std::min(kLanes, count - first));
        Places places{};
        for (std::size_t l = 0; l < lanes; ++l) places[l] = place(first + std::int64_t(l));
        values.assign(extent, Fft::Lanes());
        fill(values, places, lanes);
        fft.transform(values, work);
        const auto known = std::int64_t(values.size());
        for (std::int64_t k = 0; k < bins; ++k) {
          // The other half of a real signal's spectrum is the first one, mirrored.
          const bool mirrored = k >= known;
          const Fft::Lanes& value = values[std::size_t(mirrored ? length - k : k)];
          for (std::size_t l = 0; l < lanes; ++l)
            write(places[l].to, k, Complex(value.re[l], mirrored ? -value.im[l] : value.im[l]));
        }
      }
    });
  }
};

template <class T>
void put(std::vector<T>& pairs, std::int64_t at, Complex value, double scale) {
  pairs[std::size_t(2 * at)] = T(value.real() * scale);
  pairs[std::size_t(2 * at + 1)] = T(value.imag() * scale);
}

}  // namespace

void rfft1d(const Check& check, Plan& plan, const aclRfft1DParameters& given) {
  constexpr std::int64_t kLongest = 262144;
  check.that(on_a2_or_a3() || on_950(), "%s has no such kernel", chip().name);
  const TensorArgument& self = given.self;
  check.not_null(self, given.out);
  if (self.is_empty()) return;
  check.dtype_in(DtypeSet{ACL_FLOAT}, self);
  check.that(self.rank() >= 1 && self.rank() <= 7, "self has %zu dimensions", self.rank());
  check.that((given.n > 0 && given.n <= kLongest) || given.n == -1, "n is %lld",
             static_cast<long long>(given.n));
  check.that(given.norm >= 1 && given.norm <= 3, "norm is %lld, it must be 1, 2 or 3",
             static_cast<long long>(given.norm));
  const std::size_t axis = check.dim_of(self, given.dim);
  const std::int64_t extent = self.shape()[axis];
  // Of -1, which the checks let pass, CANN's kernel of level 0 makes one bin, and its tiling
  // nothing.
  const std::int64_t length = given.n;
  const std::int64_t bins = length / 2 + 1;
  Dims shape = self.shape();
  shape.set(axis, bins);
  shape.push_back(2);
  check.shape_is(given.out, shape, "the spectrum");
  needs_kernel(plan, on_a2_or_a3());
  check_tiling(plan, length > 0, "n is -1, the kernel needs a length");
  check_inside(plan, given.out.dtype() == ACL_FLOAT, "out is no float32, as the spectrum is");
  const std::int64_t inner = self.shape().product(axis + 1);
  const std::int64_t lines = self.elements() / extent;
  const double scale = given.norm == 1   ? 1.0
                       : given.norm == 2 ? 1.0 / double(length)
                                         : 1.0 / std::sqrt(double(length));
  const PackedOperand from = reads_packed(plan, self);
  const PackedOperand to = writes_packed(plan, given.out);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> signal = from.read(memory);
    std::vector<float> pairs(static_cast<std::size_t>(to.size()));
    Transform{length, true}.run(
        lines, 0, std::min(length, extent), bins,
        [&](std::int64_t line) -> SignalPlace {
          const std::int64_t outer = line / inner, within = line % inner;
          return {outer * extent * inner + within, outer * bins * inner + within};
        },
        [&](std::int64_t at, std::int64_t i) {
          return Complex(signal[std::size_t(at + i * inner)]);
        },
        [&](std::int64_t at, std::int64_t k, Complex value) {
          put(pairs, at + k * inner, value, scale);
        });
    to.write(memory, pairs);
  });
}

void stft(const Check& check, Plan& plan, const aclStftParameters& given) {
  const DtypeSet accepted{ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
  const TensorArgument& self = given.self;
  const TensorArgument& window = given.windowOptional;
  check.that(on_a2_or_a3(), "%s has no such kernel", chip().name);
  check.not_null(self, given.out);
  check.dtype_in(accepted, self);
  if (window.given()) {
    check.dtype_in(accepted, window);
    check.same_dtype(self, window);
  }
  check.dtype_in(accepted, given.out);
  check.that(self.meta().format == ACL_FORMAT_ND, "self is not of format ND");
  check.that(self.rank() == 1 || self.rank() == 2, "self has %zu dimensions", self.rank());
  const std::int64_t length = self.shape().back();
  const std::int64_t points = given.nFft;
  const std::int64_t hop = given.hopLength;
  const std::int64_t wide = given.winLength;
  check.that(points > 0 && points <= length, "nFft is %lld, self has %lld values",
             static_cast<long long>(points), static_cast<long long>(length));
  check.that(hop > 0 && wide > 0 && wide <= points, "hopLength is %lld, winLength is %lld",
             static_cast<long long>(hop), static_cast<long long>(wide));
  check.that(!window.given() || (window.rank() == 1 && window.shape()[0] == wide),
             "window does not have winLength values");
  check.that(!is_complex(self.dtype()) || !given.onesided, "onesided is true, self is complex");
  const std::int64_t frames = (length - points) / hop + 1;
  const std::int64_t bins = given.onesided ? points / 2 + 1 : points;
  const std::int64_t signals = self.rank() == 2 ? self.shape()[0] : 1;
  Dims shape;
  if (self.rank() == 2) shape.push_back(signals);
  shape.push_back(bins);
  shape.push_back(frames);
  if (!given.returnComplex) shape.push_back(2);
  check.shape_is(given.out, shape, "the windows");
  if (self.is_empty()) return;
  const bool real = !is_complex(self.dtype());
  const bool narrow = self.dtype() == ACL_FLOAT || self.dtype() == ACL_COMPLEX64;
  const aclDataType result = given.returnComplex ? (narrow ? ACL_COMPLEX64 : ACL_COMPLEX128)
                                                 : (narrow ? ACL_FLOAT : ACL_DOUBLE);
  const Numbers from = numbers_of(plan, self);
  std::optional<Numbers> shares;
  if (window.given()) shares = numbers_of(plan, window);
  plan.result(result, shape).copy_to(given.out);
  const PackedOperand to = as_reals(plan.writes(given.out));
  const double scale = given.normalized ? 1.0 / std::sqrt(double(points)) : 1.0;
  const auto compute = [=](const KernelMemory& memory, auto number) {
    using T = decltype(number);
    const std::vector<Complex> values = from.read(memory);
    std::vector<Complex> weights(std::size_t(wide), 1.0);
    if (shares.has_value()) weights = shares->read(memory);
    // A shorter window lies in the middle of the transform.
    const std::int64_t before = (points - wide) / 2;
    std::vector<T> pairs(static_cast<std::size_t>(to.size()));
    Transform{points, real}.run(
        signals * frames, before, before + wide, bins,
        [&](std::int64_t at) -> SignalPlace {
          const std::int64_t signal = at / frames, frame = at % frames;
          return {signal * length + frame * hop, signal * bins * frames + frame};
        },
        [&](std::int64_t at, std::int64_t i) {
          return product(values[std::size_t(at + i)], weights[std::size_t(i - before)]);
        },
        [&](std::int64_t at, std::int64_t k, Complex value) {
          put(pairs, at + k * frames, value, scale);
        });
    to.write(memory, pairs);
  };
  plan.launch([=](const KernelMemory& memory) {
    narrow ? compute(memory, float()) : compute(memory, double());
  });
}

}  // namespace pyaclnn::sim
