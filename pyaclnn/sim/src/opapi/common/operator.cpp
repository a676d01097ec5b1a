// SPDX-License-Identifier: MIT
#include "opapi/common/operator.hpp"

#include <memory>
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/per_thread.hpp"
#include "core/status.hpp"
#include "objects/executor.hpp"
#include "objects/op_cache.hpp"
#include "opapi/common/argument_reader.hpp"
#include "opapi/common/measured.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::uint64_t kPadding = 32;

class PlannedCall final : public OperatorCall {
 public:
  PlannedCall(const char* api, ArgumentReader& reader, const Check& check)
      : OperatorCall(reader, check), api_(api), executor_(blank_executor()) {}

  Plan* plan() override {
    reader.require_ranks();
    const bool is_long = reader.key().size() > OpCache::kKeyBytes;
    if (config().op_cache) {
      OpCache& cache = is_long ? long_plans() : op_cache();
      executor_->prepared = cache.find(reader.key());
      executor_->from_cache = executor_->prepared != nullptr && !is_long;
    }
    if (executor_->prepared != nullptr) return nullptr;
    return &plan_.emplace(api_, reader.operands().size());
  }

  std::shared_ptr<Executor> take() {
    const Measured* seen = measured(api_);
    if (seen != nullptr && seen->status != 0)
      fail(seen->status, "%s: CANN was seen to refuse it on this chip (differences.json)", api_);
    if (plan_) {
      // As one more intermediate tensor, whose padding is within what was measured.
      if (seen != nullptr && seen->workspace > kPadding)
        plan_->reserve(static_cast<std::int64_t>(seen->workspace - kPadding), ACL_UINT8);
      executor_->prepared = plan_->take({reader.names().begin(), reader.names().end()});
      if (config().op_cache) executor_->cache_key = std::move(reader.key());
    }
    executor_->operands.swap(reader.operands());
    return std::move(executor_);
  }

 private:
  const char* api_;
  std::shared_ptr<Executor> executor_;
  std::optional<Plan> plan_;
};

int plan_now(const char* api, std::uint64_t* workspace_size, aclOpExecutor** executor,
             FunctionRef<void(OperatorCall&)> read_and_plan) {
  const Check check(api);
  check.that_given(workspace_size != nullptr, "workspaceSize");
  check.that_given(executor != nullptr, "executor");
  // One at a time on a thread: an operator does not call another one.
  ArgumentReader& reader = per_thread<ArgumentReader>();
  reader.begin(api);
  PlannedCall call(api, reader, check);
  read_and_plan(call);
  std::shared_ptr<Executor> made = call.take();
  const std::uint64_t needed = made->prepared->workspace_size;
  *executor = static_cast<aclOpExecutor*>(executors().insert(std::move(made)));
  *workspace_size = needed;
  return ACLNN_SUCCESS;
}

}  // namespace

aclnnStatus plan_call(const char* first_phase, const char* api, std::uint64_t* workspace_size,
                      aclOpExecutor** executor,
                      FunctionRef<void(OperatorCall&)> read_and_plan) noexcept {
  return entry(first_phase, [&] { return plan_now(api, workspace_size, executor, read_and_plan); });
}

}  // namespace pyaclnn::sim
