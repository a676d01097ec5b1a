// First and second phase of the operators whose C names do not begin with aclnn.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/operator.hpp"

/// As OPERATOR, but `Name` is the whole name.
#define OPERATOR_NAMED(Name, ...)                                                                  \
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
