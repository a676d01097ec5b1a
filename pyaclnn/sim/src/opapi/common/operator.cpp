// SPDX-License-Identifier: MIT
#include "opapi/common/operator.hpp"

#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/per_thread.hpp"
#include "core/status.hpp"
#include "objects/op_cache.hpp"

namespace pyaclnn::sim {
namespace {

int plan_now(const char* api, std::uint64_t* workspace_size, aclOpExecutor** executor,
             ReadArguments read) {
  const Check check(api);
  check.that_given(workspace_size != nullptr, "workspaceSize");
  check.that_given(executor != nullptr, "executor");
  // One at a time on a thread: an operator does not call another one.
  ArgumentReader& reader = per_thread<ArgumentReader>();
  reader.begin(api);
  std::shared_ptr<Executor> made = blank_executor();
  read(reader, [&](PlanBody body) {
    const bool cacheable = config().op_cache && reader.key().size() <= OpCache::kKeyBytes;
    if (cacheable) made->recipe = op_cache().find(reader.key());
    made->from_cache = made->recipe != nullptr;
    if (made->from_cache) return;
    Plan plan(api, reader.operands().size());
    body(check, plan);
    made->recipe = plan.take({reader.names().begin(), reader.names().end()});
    if (cacheable) made->cache_key = std::move(reader.key());
  });
  made->operands.swap(reader.operands());
  const std::uint64_t needed = made->recipe->workspace_size;
  *executor = static_cast<aclOpExecutor*>(executors().insert(std::move(made)));
  *workspace_size = needed;
  return ACLNN_SUCCESS;
}

}  // namespace

aclnnStatus plan_call(const char* first_phase, const char* api, std::uint64_t* workspace_size,
                      aclOpExecutor** executor, ReadArguments read) noexcept {
  return entry(first_phase, [&] { return plan_now(api, workspace_size, executor, read); });
}

}  // namespace pyaclnn::sim
