// SPDX-License-Identifier: MIT
#include "opapi/optimiser/update.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kGrain = 16384;
constexpr std::size_t kMaxTensors = 6;

struct Kernel {
  std::vector<RowMajor> tensors;
  std::vector<bool> written;
  std::vector<RowMajor> numbers;
  Update::Body body;

  void run(const KernelMemory& memory) const {
    std::vector<float> values;
    for (const RowMajor& number : numbers)
      values.push_back(number.given() ? RowMajorAccess(number, memory).values().front() : 0.0f);
    std::vector<RowMajorAccess> accesses;
    for (const RowMajor& tensor : tensors) accesses.emplace_back(tensor, memory);
    parallel_for(tensors.front().count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t at = begin; at < end; at += kBlock)
        run_block(accesses, values.data(), at, std::min(kBlock, end - at));
    });
  }

  void run_block(const std::vector<RowMajorAccess>& accesses, const float* given, std::int64_t at,
                 std::int64_t count) const {
    float buffers[kMaxTensors][kBlock];
    float* values[kMaxTensors] = {};
    for (std::size_t k = 0; k < accesses.size(); ++k) {
      if (!accesses[k].given()) continue;
      values[k] = buffers[k];
      const float* from = accesses[k].read(at, count, buffers[k]);
      if (from != buffers[k]) std::copy_n(from, count, buffers[k]);
    }
    body(given, count, values);
    for (std::size_t k = 0; k < accesses.size(); ++k)
      if (accesses[k].given() && written[k]) accesses[k].write(at, count, values[k]);
  }
};

/// Some operators do not look at the type of a number, which then has no kernel that reads it.
void require_kernel(const Plan& plan, const TensorArgument& tensor) {
  if (loader<float>(tensor.dtype()) == nullptr)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for %s of %s", plan.api(),
         tensor.name(), dtype_name(tensor.dtype()));
}

}  // namespace

void Update::stage(const TensorArgument& tensor) {
  require_kernel(plan_, tensor);
  StagedInput staged = plan_.stage(tensor);
  staged.contiguous();
  if (compute_ != ACL_DT_UNDEFINED) staged.cast_to(compute_);
}

Update& Update::reads(const TensorArgument& tensor) {
  written_.push_back(false);
  if (!tensor.given()) {
    tensors_.emplace_back();
    return *this;
  }
  stage(tensor);
  tensors_.emplace_back(plan_.reads(tensor));
  return *this;
}

Update& Update::writes(const TensorArgument& tensor) {
  written_.push_back(true);
  if (!tensor.given()) {
    tensors_.emplace_back();
    return *this;
  }
  stage(tensor);
  const aclDataType result = compute_ == ACL_DT_UNDEFINED ? tensor.dtype() : compute_;
  plan_.result(result, tensor.shape()).cast_to(tensor.dtype()).copy_to(tensor);
  tensors_.emplace_back(plan_.writes(tensor));
  return *this;
}

Update& Update::number(const TensorArgument& tensor) {
  if (!tensor.given()) {
    numbers_.emplace_back();
    return *this;
  }
  require_kernel(plan_, tensor);
  plan_.stage(tensor).contiguous();
  numbers_.emplace_back(plan_.reads(tensor));
  return *this;
}

void Update::launch(Body body) {
  if (tensors_.size() > kMaxTensors) fail(ACLNN_ERR_INNER, "%s: too many tensors", plan_.api());
  const auto kernel = std::make_shared<const Kernel>(
      Kernel{std::move(tensors_), std::move(written_), std::move(numbers_), std::move(body)});
  plan_.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
