// Declares an operator: its two exported functions, and the body of its first phase.
//
//   OPERATOR(aclnnSoftshrinkBackward, (In, gradOutput), (In, self), (ScalarIn, lambd),
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

#include "core/function_ref.hpp"
#include "objects/run_executor.hpp"
#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/each_parameter.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// One call of a first phase, to the code that knows the operator's parameters.
struct OperatorCall {
  ArgumentReader& reader;
  const Check& check;

  /// After all arguments are read: the plan to make; null where the op cache knows the call.
  virtual Plan* plan() = 0;

 protected:
  OperatorCall(ArgumentReader& reader, const Check& check) : reader(reader), check(check) {}
  ~OperatorCall() = default;
};

/// The first phase of every operator: reads the arguments, then takes the plan from the op cache or
/// runs the body to make one. `first_phase` and `api` are the names of the two functions.
aclnnStatus plan_call(const char* first_phase, const char* api, std::uint64_t* workspace_size,
                      aclOpExecutor** executor,
                      FunctionRef<void(OperatorCall&)> read_and_plan) noexcept;

}  // namespace pyaclnn::sim

#define SIM_C_PARAMETER(kind, name) ::pyaclnn::sim::kind::C name
#define SIM_READ(kind, name) const ::pyaclnn::sim::kind read_##name(sim_call.reader, name, #name)
#define SIM_ARGUMENT(kind, name) read_##name
#define SIM_PARAMETER(kind, name) [[maybe_unused]] const ::pyaclnn::sim::kind& name

// What every operator costs to compile: two functions and a lambda without templates, so a file
// of table rows takes 0.01 s for each.
#define OPERATOR(Name, ...)                                                                        \
  static void plan_##Name(const ::pyaclnn::sim::Check& check, ::pyaclnn::sim::Plan& plan,          \
                          SIM_EACH(SIM_PARAMETER, SIM_COMMA, __VA_ARGS__));                        \
  extern "C" aclnnStatus Name##GetWorkspaceSize(SIM_EACH(SIM_C_PARAMETER, SIM_COMMA, __VA_ARGS__), \
                                                uint64_t* workspaceSize,                           \
                                                aclOpExecutor** executor) {                        \
    return ::pyaclnn::sim::plan_call(                                                              \
        #Name "GetWorkspaceSize", #Name, workspaceSize, executor,                                  \
        [&](::pyaclnn::sim::OperatorCall& sim_call) {                                              \
          SIM_EACH(SIM_READ, SIM_SEMICOLON, __VA_ARGS__);                                          \
          if (::pyaclnn::sim::Plan* plan = sim_call.plan())                                        \
            plan_##Name(sim_call.check, *plan, SIM_EACH(SIM_ARGUMENT, SIM_COMMA, __VA_ARGS__));    \
        });                                                                                        \
  }                                                                                                \
  extern "C" aclnnStatus Name(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,    \
                              const aclrtStream stream) {                                          \
    return ::pyaclnn::sim::run_executor(#Name, workspace, workspaceSize, executor, stream);        \
  }                                                                                                \
  static void plan_##Name([[maybe_unused]] const ::pyaclnn::sim::Check& check,                     \
                          [[maybe_unused]] ::pyaclnn::sim::Plan& plan,                             \
                          SIM_EACH(SIM_PARAMETER, SIM_COMMA, __VA_ARGS__))
