// The first phase of one call: what it will read, write, run and need as workspace.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "objects/launch.hpp"
#include "opapi/common/arguments.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

class Plan;
struct PreparedCall;

/// An input on CANN's way to its kernel. Each step that makes CANN write an intermediate tensor
/// adds that tensor to the workspace; the kernels here read the original and need none of it.
class StagedInput {
 public:
  StagedInput(Plan& plan, const TensorArgument& tensor);

  /// Fails 561103 for a strided view that leaves its storage, which is where CANN notices.
  StagedInput& contiguous();
  StagedInput& broadcast_to(const Dims& shape);
  StagedInput& cast_to(aclDataType dtype);

 private:
  Plan& plan_;
  const TensorArgument& tensor_;
  Dims shape_;
  aclDataType dtype_;
};

/// A kernel's result on its way to the output the caller gave.
class StagedResult {
 public:
  StagedResult(Plan& plan, aclDataType dtype, Dims shape)
      : plan_(plan), dtype_(dtype), shape_(std::move(shape)) {}

  StagedResult& cast_to(aclDataType dtype);
  /// Fails 561103 where dtype or shape differ from the output's.
  void copy_to(const TensorArgument& out);

 private:
  Plan& plan_;
  aclDataType dtype_;
  Dims shape_;
};

class Plan {
 public:
  Plan(const char* api, std::size_t operands);

  StagedInput stage(const TensorArgument& tensor) { return {*this, tensor}; }
  StagedResult result(aclDataType dtype, const Dims& shape) { return {*this, dtype, shape}; }

  /// The operand as a kernel reads or writes it. Its bytes are checked in the second phase.
  View reads(const TensorArgument& tensor);
  View writes(const TensorArgument& tensor);

  /// The kernels find how much of this output they fill; its aclTensor has that shape after the
  /// run.
  void finds_shape_of(const TensorArgument& output);

  /// Adds an intermediate tensor to the workspace; returns its offset from the workspace's start.
  std::uint64_t reserve(std::int64_t elements, aclDataType dtype);

  /// An operand of the plan's own, contiguous, in the workspace: for what one kernel leaves to the
  /// next. It ends with the plan.
  TensorArgument scratch(const char* name, aclDataType dtype, const Dims& shape);
  /// The operand with another shape, strides or offset. Its bytes are those that were read or
  /// written under its own description, which comes first.
  TensorArgument described(const TensorArgument& tensor, const Dims& shape, const Dims& strides,
                           std::int64_t offset);

  /// The kernels communicate with the ranks of a communicator, in turn with all else that does.
  /// Returns its place in KernelMemory::exchanges.
  std::size_t communicates(const std::string& group, int ranks);

  /// Adds a kernel. It runs on the stream's thread and must not fail.
  void launch(Launch kernel);

  /// The chip has no kernel for this call, which ends with 561003 unless a check of an argument
  /// still refuses it.
  void lacks_kernel() { lacks_kernel_ = true; }
  /// Fails where the chip is known to have no kernel.
  void find_kernel() const;

  const char* api() const { return api_; }
  /// The finished plan; `operand_names` are for messages.
  std::shared_ptr<const PreparedCall> take(std::vector<std::string> operand_names);

 private:
  const char* api_;
  std::shared_ptr<PreparedCall> prepared_;
  std::vector<bool> touched_;
  std::vector<std::unique_ptr<TensorMeta>> own_;
  bool lacks_kernel_ = false;
};

[[noreturn]] void fail_without_kernel(const Plan& plan);

}  // namespace pyaclnn::sim
