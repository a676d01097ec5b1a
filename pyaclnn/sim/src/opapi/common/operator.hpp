// Declares an operator: its two exported functions, and the body of its first phase.
//
//   OPERATOR(SoftshrinkBackward, (In, gradOutput), (In, self), (ScalarIn, lambd),
//            (Out, gradInput)) {
//     check.not_null(gradOutput, self, lambd, gradInput);
//     ...
//   }
//
// The body sees its parameters, `check` (a Check) and `plan` (a Plan). It is not run when the op
// cache knows the call. Include the operator's header first: parameters that differ from the
// declaration there are a compile error.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "objects/executor.hpp"
#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A call that borrows the callable it was made of, to pass one down the stack. A std::function
/// would copy the arguments of every call to the heap: 0.1 us of the 0.5 a first phase takes.
template <class Signature>
class Borrowed;

template <class... Arguments>
class Borrowed<void(Arguments...)> {
 public:
  template <class Callable>
  Borrowed(const Callable& callable)
      : callable_(&callable), call_([](const void* callable, Arguments... arguments) {
          (*static_cast<const Callable*>(callable))(arguments...);
        }) {}
  void operator()(Arguments... arguments) const { call_(callable_, arguments...); }

 private:
  const void* callable_;
  void (*call_)(const void*, Arguments...);
};

/// The body of a first phase, its arguments read.
using PlanBody = Borrowed<void(const Check&, Plan&)>;
/// Reads the arguments of a call and hands the body over.
using ReadArguments = Borrowed<void(ArgumentReader&, Borrowed<void(PlanBody)>)>;

/// The first phase of every operator: reads the arguments, then takes the plan from the op cache or
/// runs the body to make one. `first_phase` and `api` are the names of the two functions.
aclnnStatus plan_call(const char* first_phase, const char* api, std::uint64_t* workspace_size,
                      aclOpExecutor** executor, ReadArguments read) noexcept;

}  // namespace pyaclnn::sim

#define SIM_CONCAT_(a, b) a##b
#define SIM_CONCAT(a, b) SIM_CONCAT_(a, b)

// SIM_EACH(F, (a, b), (c, d)) is F(a, b), F(c, d)
#define SIM_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, \
                 _19, _20, _21, _22, _23, _24, name, ...)                                         \
  name
#define SIM_EACH(F, ...)                                                                           \
  SIM_PICK(__VA_ARGS__, SIM_EACH_24, SIM_EACH_23, SIM_EACH_22, SIM_EACH_21, SIM_EACH_20,           \
           SIM_EACH_19, SIM_EACH_18, SIM_EACH_17, SIM_EACH_16, SIM_EACH_15, SIM_EACH_14,           \
           SIM_EACH_13, SIM_EACH_12, SIM_EACH_11, SIM_EACH_10, SIM_EACH_9, SIM_EACH_8, SIM_EACH_7, \
           SIM_EACH_6, SIM_EACH_5, SIM_EACH_4, SIM_EACH_3, SIM_EACH_2, SIM_EACH_1, _)              \
  (F, __VA_ARGS__)
#define SIM_EACH_1(F, p) F p
#define SIM_EACH_2(F, p, ...) F p, SIM_EACH_1(F, __VA_ARGS__)
#define SIM_EACH_3(F, p, ...) F p, SIM_EACH_2(F, __VA_ARGS__)
#define SIM_EACH_4(F, p, ...) F p, SIM_EACH_3(F, __VA_ARGS__)
#define SIM_EACH_5(F, p, ...) F p, SIM_EACH_4(F, __VA_ARGS__)
#define SIM_EACH_6(F, p, ...) F p, SIM_EACH_5(F, __VA_ARGS__)
#define SIM_EACH_7(F, p, ...) F p, SIM_EACH_6(F, __VA_ARGS__)
#define SIM_EACH_8(F, p, ...) F p, SIM_EACH_7(F, __VA_ARGS__)
#define SIM_EACH_9(F, p, ...) F p, SIM_EACH_8(F, __VA_ARGS__)
#define SIM_EACH_10(F, p, ...) F p, SIM_EACH_9(F, __VA_ARGS__)
#define SIM_EACH_11(F, p, ...) F p, SIM_EACH_10(F, __VA_ARGS__)
#define SIM_EACH_12(F, p, ...) F p, SIM_EACH_11(F, __VA_ARGS__)
#define SIM_EACH_13(F, p, ...) F p, SIM_EACH_12(F, __VA_ARGS__)
#define SIM_EACH_14(F, p, ...) F p, SIM_EACH_13(F, __VA_ARGS__)
#define SIM_EACH_15(F, p, ...) F p, SIM_EACH_14(F, __VA_ARGS__)
#define SIM_EACH_16(F, p, ...) F p, SIM_EACH_15(F, __VA_ARGS__)
#define SIM_EACH_17(F, p, ...) F p, SIM_EACH_16(F, __VA_ARGS__)
#define SIM_EACH_18(F, p, ...) F p, SIM_EACH_17(F, __VA_ARGS__)
#define SIM_EACH_19(F, p, ...) F p, SIM_EACH_18(F, __VA_ARGS__)
#define SIM_EACH_20(F, p, ...) F p, SIM_EACH_19(F, __VA_ARGS__)
#define SIM_EACH_21(F, p, ...) F p, SIM_EACH_20(F, __VA_ARGS__)
#define SIM_EACH_22(F, p, ...) F p, SIM_EACH_21(F, __VA_ARGS__)
#define SIM_EACH_23(F, p, ...) F p, SIM_EACH_22(F, __VA_ARGS__)
#define SIM_EACH_24(F, p, ...) F p, SIM_EACH_23(F, __VA_ARGS__)

#define SIM_C_PARAMETER(kind, name) ::pyaclnn::sim::kind::C name
#define SIM_KIND(kind, name) ::pyaclnn::sim::kind
#define SIM_READ(kind, name) ::pyaclnn::sim::kind::read(reader, name, #name)
#define SIM_PARAMETER(kind, name) [[maybe_unused]] const ::pyaclnn::sim::kind& name

#define OPERATOR(Name, ...)                                                                        \
  static void SIM_CONCAT(plan_, Name)(const ::pyaclnn::sim::Check& check,                          \
                                      ::pyaclnn::sim::Plan& plan,                                  \
                                      SIM_EACH(SIM_PARAMETER, __VA_ARGS__));                       \
  extern "C" aclnnStatus aclnn##Name##GetWorkspaceSize(                                            \
      SIM_EACH(SIM_C_PARAMETER, __VA_ARGS__), uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return ::pyaclnn::sim::plan_call(                                                              \
        "aclnn" #Name "GetWorkspaceSize", "aclnn" #Name, workspaceSize, executor,                  \
        [&](::pyaclnn::sim::ArgumentReader& reader, auto go_on) {                                  \
          /* Braces evaluate from left to right. */                                                \
          const std::tuple<SIM_EACH(SIM_KIND, __VA_ARGS__)> arguments{                             \
              SIM_EACH(SIM_READ, __VA_ARGS__)};                                                    \
          go_on([&](const ::pyaclnn::sim::Check& check, ::pyaclnn::sim::Plan& plan) {              \
            const auto body = [&](const auto&... each) {                                           \
              SIM_CONCAT(plan_, Name)(check, plan, each...);                                       \
            };                                                                                     \
            std::apply(body, arguments);                                                           \
          });                                                                                      \
        });                                                                                        \
  }                                                                                                \
  extern "C" aclnnStatus aclnn##Name(void* workspace, uint64_t workspaceSize,                      \
                                     aclOpExecutor* executor, const aclrtStream stream) {          \
    return ::pyaclnn::sim::run_executor("aclnn" #Name, workspace, workspaceSize, executor,         \
                                        stream);                                                   \
  }                                                                                                \
  static void SIM_CONCAT(plan_, Name)([[maybe_unused]] const ::pyaclnn::sim::Check& check,         \
                                      [[maybe_unused]] ::pyaclnn::sim::Plan& plan,                 \
                                      SIM_EACH(SIM_PARAMETER, __VA_ARGS__))
