// aclOpExecutor: one planned call of an operator, between its two phases.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "core/handle_table.hpp"
#include "objects/prepared_call.hpp"
#include "objects/tensor.hpp"

namespace pyaclnn::sim {

struct Executor {
  std::shared_ptr<const PreparedCall> prepared;
  // The aclTensors, null for an optional argument that was not given. The caller may destroy them.
  std::vector<const void*> operands;
  std::string cache_key;  // under which a successful run is remembered; empty: nowhere
  bool from_cache = false;
  std::atomic<bool> repeatable{false};
};

SIM_API HandleTable<Executor>& executors();

/// An executor to be filled: one that this thread has run before, or a new one.
SIM_API std::shared_ptr<Executor> blank_executor();

/// The executor behind a handle; fails 561000 for one that was run, destroyed or never made.
SIM_API std::shared_ptr<Executor> find_executor(const aclOpExecutor* handle);

}  // namespace pyaclnn::sim
