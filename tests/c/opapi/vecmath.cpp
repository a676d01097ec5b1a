// The elementary functions of kernels against the C library's in double: over all exponents and
// signs, and bit for bit between instruction sets. Prints a line for each function that fails.
// SPDX-License-Identifier: MIT
#include "opapi/common/vecmath.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

using namespace pyaclnn::sim;

namespace {

constexpr double kAllowed = 1.0 / (1 << 20);

template <float (*kFunction)(float)>
struct Loop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* in, float* out, std::int64_t count) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) out[i] = kFunction(in[i]);
  }
};

/// Some 260 000 values of all signs and exponents, a prime number of steps apart.
std::vector<float> samples() {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += 16381) {
    const auto low = static_cast<std::uint32_t>(bits);
    float value;
    std::memcpy(&value, &low, sizeof value);
    values.push_back(value);
  }
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (float value :
       {0.0f,    -0.0f,   1.0f,   -1.0f,  kInf, -kInf, std::nanf(""), 88.7f, 88.73f, -87.4f,
        -103.9f, -104.1f, 1e-45f, 1e-38f, 0.5f, 2.0f,  3.0f,          -3.0f, 10.2f,  -14.4f})
    values.push_back(value);
  return values;
}

/// Whether `got` is `wanted`, up to the allowed error and one step among subnormal numbers.
bool is_close(float got, double wanted) {
  const auto rounded = static_cast<float>(wanted);
  if (std::isnan(rounded)) return std::isnan(got);
  if (std::isinf(rounded) || std::isinf(got)) {
    const double limit = std::numeric_limits<float>::max();
    return got == rounded || (std::fabs(wanted) > limit * (1 - kAllowed) &&
                              std::fabs(wanted) < limit * (1 + kAllowed));
  }
  const double step = std::numeric_limits<float>::denorm_min();
  return std::fabs(got - wanted) <= kAllowed * std::fabs(wanted) + step;
}

template <float (*kFunction)(float)>
int check(const char* name, double (*truth)(double)) {
  const std::vector<float> in = samples();
  std::vector<float> out(in.size());
  std::vector<float> baseline(in.size());
  const auto count = static_cast<std::int64_t>(in.size());
  loop_for_cpu<Loop<kFunction>, const float*, float*, std::int64_t>()(in.data(), out.data(), count);
  detail::run_baseline<Loop<kFunction>, const float*, float*, std::int64_t>(in.data(),
                                                                            baseline.data(), count);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool same = std::memcmp(&out[i], &baseline[i], sizeof(float)) == 0;
    if (is_close(out[i], truth(in[i])) && (same || std::isnan(out[i]))) continue;
    std::printf("%s(%.9g) is %.9g, baseline %.9g, expected %.9g\n", name, double(in[i]),
                double(out[i]), double(baseline[i]), truth(in[i]));
    return 1;
  }
  return 0;
}

// Functions with an address of their own, for the template.
float vec_exp(float x) { return vec::exp(x); }
float vec_exp_of_negative(float x) { return vec::exp_of_negative(-vec::abs(x)); }
float vec_expm1(float x) { return vec::expm1(x); }
float vec_log(float x) { return vec::log(x); }
float vec_log1p(float x) { return vec::log1p(x); }
float vec_tanh(float x) { return vec::tanh(x); }
float vec_sigmoid(float x) { return vec::sigmoid(x); }
float vec_erf(float x) { return vec::erf(x); }
float vec_erfc(float x) { return vec::erfc(x); }
float vec_normal_cdf(float x) { return vec::normal_cdf(x); }
float vec_normal_pdf(float x) { return vec::normal_pdf(x); }

double exp_of(double x) { return std::exp(x); }
double exp_of_negative_of(double x) { return std::exp(-std::fabs(x)); }
double expm1_of(double x) { return std::expm1(x); }
double log_of(double x) { return std::log(x); }
double log1p_of(double x) { return std::log1p(x); }
double tanh_of(double x) { return std::tanh(x); }
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double erf_of(double x) { return std::erf(x); }
double erfc_of(double x) { return std::erfc(x); }
double cdf_of(double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); }
double pdf_of(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * 3.14159265358979324); }

}  // namespace

int main() {
  int failed = 0;
  failed += check<vec_exp>("exp", exp_of);
  failed += check<vec_exp_of_negative>("exp_of_negative", exp_of_negative_of);
  failed += check<vec_expm1>("expm1", expm1_of);
  failed += check<vec_log>("log", log_of);
  failed += check<vec_log1p>("log1p", log1p_of);
  failed += check<vec_tanh>("tanh", tanh_of);
  failed += check<vec_sigmoid>("sigmoid", sigmoid_of);
  failed += check<vec_erf>("erf", erf_of);
  failed += check<vec_erfc>("erfc", erfc_of);
  failed += check<vec_normal_cdf>("normal_cdf", cdf_of);
  failed += check<vec_normal_pdf>("normal_pdf", pdf_of);
  return failed;
}
