// Defines formulas: FORMULA compiles an expression over T for every type it is asked for.
//
//   FORMULA(add, kNumbers, SIM_3(a, b, alpha), 2, m::add(a, m::mul(alpha, b)))
//
// Of the three parameters the first two are operands, the rest scalars. A formula computes all
// alternatives and selects, so that its loop vectorises; integers wrap, by m::add and the like.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "opapi/common/cpu.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/pointwise/formula_registers.hpp"
#include "opapi/pointwise/math.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// Which compute types a formula is compiled for; kQuick: for float16 and bfloat16, too, in
/// registers all the way, which is worth its code where the formula takes few instructions; kFloat:
/// for float alone; kBytes: for int8_t, too, for formulas whose results' low bits follow from those
/// of their operands; kSigns: kQuick, with float16 and bfloat16 as m::Sixteen.
enum Kinds : unsigned {
  kFloats = 1,
  kIntegers = 2,
  kComplexes = 4,
  kQuick = 8,
  kFloat = 16,
  kBytes = 32,
  kSigns = 64
};
constexpr unsigned kReals = kFloats | kIntegers;
constexpr unsigned kNumbers = kReals | kComplexes;

namespace detail {

template <class F, class T, class Operands, class Scalars>
struct FormulaLoop;

template <class F, class T, std::size_t... kOperand, std::size_t... kScalar>
struct FormulaLoop<F, T, std::index_sequence<kOperand...>, std::index_sequence<kScalar...>> {
  template <class... Inputs>
  static SIM_ALWAYS_INLINE void loop(
      [[maybe_unused]] const std::array<T, sizeof...(kScalar) + 1>& s, std::int64_t count,
      T* output, const Inputs*... inputs) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      output[i] = F::template of<T>(inputs[i]..., s[kScalar]...);
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run([[maybe_unused]] const void* scalars, std::int64_t count,
                                    [[maybe_unused]] const void* const* inputs, void* output) {
    // A copy, which the compiler knows that the loop does not write.
    const std::array<T, sizeof...(kScalar) + 1> s{static_cast<const T*>(scalars)[kScalar]..., T()};
    loop(s, count, static_cast<T*>(output), static_cast<const T*>(inputs[kOperand])...);
  }
};

template <class F, class T>
constexpr PointwiseLoop formula_loop() {
  using Loop = FormulaLoop<F, T, std::make_index_sequence<F::kOperands>,
                           std::make_index_sequence<F::kParameters - F::kOperands>>;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::int8_t> ||
                std::is_same_v<T, m::Sixteen>) {
    return wide_loop_for_cpu<Loop, const void*, std::int64_t, const void* const*, void*>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return loop_for_cpu<Loop, const void*, std::int64_t, const void* const*, void*>();
  } else {
    return &run_baseline<Loop, const void*, std::int64_t, const void* const*, void*>;
  }
}

template <class F>
PointwiseFormula make_formula(const char* name, const PointwiseFormula* for_bfloat16 = nullptr,
                              const PointwiseFormula* of_number = nullptr) {
  PointwiseFormula formula{name, {}, nullptr, nullptr, for_bfloat16, of_number};
  [[maybe_unused]] const auto set = [&](ComputeType type, PointwiseLoop loop) {
    formula.loops[static_cast<int>(type)] = loop;
  };
  if constexpr ((F::kKinds & (kFloats | kFloat)) != 0)
    set(ComputeType::kFloat, formula_loop<F, float>());
  if constexpr ((F::kKinds & kFloats) != 0) set(ComputeType::kDouble, formula_loop<F, double>());
  if constexpr ((F::kKinds & kBytes) != 0) set(ComputeType::kInt8, formula_loop<F, std::int8_t>());
  if constexpr ((F::kKinds & kIntegers) != 0) {
    set(ComputeType::kInt32, formula_loop<F, std::int32_t>());
    set(ComputeType::kInt64, formula_loop<F, std::int64_t>());
  }
  if constexpr ((F::kKinds & kComplexes) != 0) {
    set(ComputeType::kComplexFloat, formula_loop<F, m::ComplexFloat>());
    set(ComputeType::kComplexDouble, formula_loop<F, m::ComplexDouble>());
  }
  if constexpr ((F::kKinds & kQuick) != 0) {
    if constexpr ((F::kKinds & kSigns) != 0) {
      formula.of_halves = formula.of_bfloat16s = formula_loop<F, m::Sixteen>();
    } else {
      formula.of_halves = register_loop<F, ACL_FLOAT16>();
      formula.of_bfloat16s = register_loop<F, ACL_BF16>();
    }
    if (const PointwiseLoop loop = register_loop<F, ACL_FLOAT>()) set(ComputeType::kFloat, loop);
  }
  return formula;
}

}  // namespace detail
}  // namespace pyaclnn::sim

// Parameter lists.
#define SIM_1(a) 1, [[maybe_unused]] T a
#define SIM_2(a, b) 2, [[maybe_unused]] T a, [[maybe_unused]] T b
#define SIM_3(a, b, c) 3, [[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c
#define SIM_4(a, b, c, d) \
  4, [[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c, [[maybe_unused]] T d
#define SIM_5(a, b, c, d, e)                                                                 \
  5, [[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c, [[maybe_unused]] T d, \
      [[maybe_unused]] T e

#define SIM_7(a, b, c, d, e, f, g)                                                           \
  7, [[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c, [[maybe_unused]] T d, \
      [[maybe_unused]] T e, [[maybe_unused]] T f, [[maybe_unused]] T g

#define FORMULA(name, kinds, parameters, operands, ...) \
  SIM_FORMULA_(name, nullptr, nullptr, kinds, operands, (__VA_ARGS__), parameters)
/// With another formula that has a number in place of the last operand.
#define FORMULA_AND_OF_NUMBER(name, number, kinds, parameters, operands, ...) \
  SIM_FORMULA_(name, nullptr, &number, kinds, operands, (__VA_ARGS__), parameters)
/// With another formula, defined before, for what is computed in bfloat16.
#define FORMULA_WITH_BFLOAT16(name, other, kinds, parameters, operands, ...) \
  SIM_FORMULA_(name, &other, nullptr, kinds, operands, (__VA_ARGS__), parameters)
#define SIM_FORMULA_(...) SIM_FORMULA__(__VA_ARGS__)
#define SIM_FORMULA__(name, other, number, kinds, operands, expression, count, ...) \
  namespace {                                                                       \
  struct name##_formula {                                                           \
    static constexpr std::size_t kOperands = operands;                              \
    static constexpr std::size_t kParameters = count;                               \
    static constexpr unsigned kKinds = kinds;                                       \
    template <class T>                                                              \
    static SIM_ALWAYS_INLINE T of(__VA_ARGS__) {                                    \
      return expression;                                                            \
    }                                                                               \
  };                                                                                \
  }                                                                                 \
  const PointwiseFormula name =                                                     \
      ::pyaclnn::sim::detail::make_formula<name##_formula>(#name, other, number);
