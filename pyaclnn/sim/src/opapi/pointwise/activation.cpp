// Activation functions and clamps.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(elu, kFloats | kQuick, SIM_4(x, alpha, scale, input_scale), 1,
        m::select<T>(x > T(0), x* scale, alpha * scale * m::expm1(x * input_scale)))
FORMULA(leaky_relu, kFloats | kQuick, SIM_2(x, slope), 1, m::select<T>(x > T(0), x, x* slope))
FORMULA(mish, kFloats, SIM_1(x), 1, x* m::tanh(m::log1p(m::exp(x))))
FORMULA(threshold, kReals | kQuick, SIM_3(x, threshold, value), 1,
        m::select<T>(x > threshold, x, value))
FORMULA(hardswish, kFloats | kQuick, SIM_1(x), 1,
        x* m::minimum<T>(m::maximum<T>(x + T(3), T(0)), T(6)) * T(0.16666667))
FORMULA(hardsigmoid, kReals | kQuick, SIM_1(x), 1,
        m::minimum<T>(m::maximum<T>(m::add(x, T(3)), T(0)), T(6)) / T(6))
FORMULA(silu, kFloats | kQuick, SIM_1(x), 1, x* m::sigmoid(x))
FORMULA(gelu_for_bfloat16, kFloats | kQuick, SIM_1(x), 1, m::gelu_for_bfloat16(x))
FORMULA_WITH_BFLOAT16(gelu, gelu_for_bfloat16, kFloats | kQuick, SIM_1(x), 1, m::gelu(x))
FORMULA(softplus, kFloats, SIM_3(x, beta, threshold), 1,
        m::select<T>(x* beta > threshold, x, m::log1p(m::exp(x* beta)) / beta))
FORMULA(sigmoid, kFloats | kComplexes | kQuick, SIM_1(x), 1, m::sigmoid(x))
FORMULA(tanh, kFloats | kQuick, SIM_1(x), 1, m::tanh(x))
FORMULA(clamp, kReals | kQuick | kBytes, SIM_3(x, low, high), 1,
        m::minimum<T>(m::maximum<T>(x, low), high))
FORMULA(clamp_tensor, kReals, SIM_3(x, low, high), 3, m::minimum<T>(m::maximum<T>(x, low), high))
FORMULA(clamp_min, kReals | kQuick | kBytes, SIM_2(x, low), 1, m::maximum<T>(x, low))
FORMULA(clamp_max, kReals | kQuick | kBytes, SIM_2(x, high), 1, m::minimum<T>(x, high))

FORMULA(gelu_tanh, kFloats | kQuick, SIM_1(x), 1,
        x / (T(1) + m::exp(T(-1.5957691216057308) * (x + T(0.044715) * x * x * x))))
FORMULA(fast_gelu, kFloats | kQuick, SIM_1(x), 1, x / (T(1) + m::exp(T(-1.702) * x)))
FORMULA(swish, kFloats | kQuick, SIM_2(x, beta), 1, x / (T(1) + m::exp(-beta * x)))
FORMULA(log_sigmoid, kFloats, SIM_1(x), 1, m::minimum<T>(x, T(0)) - m::log1p(m::exp(-std::fabs(x))))
FORMULA(celu, kFloats | kQuick, SIM_2(x, alpha), 1,
        m::maximum<T>(x, T(0)) + m::minimum<T>(alpha * m::expm1(x / alpha), T(0)))
FORMULA(selu, kFloats | kQuick, SIM_1(x), 1,
        T(1.0507009873554805) * m::select<T>(x > T(0), x, T(1.6732632423543772) * m::expm1(x)))
FORMULA(squared_relu, kFloats | kQuick, SIM_1(x), 1, m::select<T>(x <= T(0), T(0), x) * x)
FORMULA(add_relu, kReals | kQuick, SIM_3(a, b, alpha), 2,
        m::maximum<T>(m::add(a, m::mul(alpha, b)), T(0)))
// What is within the bound is 0; NaN is not.
FORMULA(hardshrink, kFloats | kQuick, SIM_2(x, bound), 1,
        m::select<T>(std::fabs(x) <= m::maximum<T>(bound, T(0)), T(0), x))
FORMULA(softshrink, kFloats | kQuick, SIM_2(x, bound), 1,
        m::select<T>(std::fabs(x) <= bound, T(0), m::select<T>(x > bound, x - bound, x + bound)))
// Here NaN is neither above nor below, and 0.
FORMULA(shrink, kFloats | kQuick, SIM_3(x, bound, bias), 1,
        m::select<T>(x > bound, x - bias, m::select<T>(x < -bound, x + bias, T(0))))

}  // namespace pyaclnn::sim::formulas
