// SPDX-License-Identifier: MIT
#include "objects/executor.hpp"

#include "objects/run_executor.hpp"

#include <cstring>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "check/races.hpp"
#include "check/undefined.hpp"
#include "core/fault.hpp"
#include "core/memory.hpp"
#include "core/per_thread.hpp"
#include "core/status.hpp"
#include "core/stream.hpp"
#include "objects/accesses.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "objects/found_shapes.hpp"
#include "objects/memory_check.hpp"
#include "objects/op_cache.hpp"
#include "objects/read_first.hpp"
#include "objects/tensor_lookup.hpp"

namespace pyaclnn::sim {
namespace {

/// One execution, owned by the task that carries it to the stream.
struct Execution {
  const PreparedCall* prepared;  // which the task keeps
  KernelMemory memory;
  ExecutionFault fault;
  std::shared_ptr<const ShapedOutputs> shaped;  // null for most operators

  int operator()() const { return run(memory); }

  int run(const KernelMemory& memory) const {
    if (fault.async_status != 0) fail(fault.async_status, "injected fault");
    if (undefined::enabled()) look_for_unwritten(memory);
    if (shaped != nullptr) {
      shaped->run(*prepared, memory);
    } else {
      for (const auto& launch : prepared->launches) launch(memory);
    }
    if (fault.corrupt_result) corrupt(memory);
    return 0;
  }

  /// Here, and not as the call is made: what comes before it on the stream has written by now.
  void look_for_unwritten(const KernelMemory& memory) const {
    const std::vector<AccessKind>& kinds = access_kinds(*prepared);
    for (std::size_t i = 0; i < prepared->footprints.size(); ++i) {
      const Footprint& read = prepared->footprints[i];
      if (read.writes) continue;
      const std::byte* const lowest = memory.operands[read.operand] + read.first;
      const std::size_t element = read.strides.empty() ? 1 : dtype_size(read.dtype);
      const std::vector<std::int64_t> bytes{read.bytes};
      if (undefined::is_unwritten(lowest, read.strides.empty() ? bytes : read.shape, read.strides,
                                  element))
        undefined::tell(std::string(prepared->api) + " reads " + kinds[i].operand + " (" +
                        kinds[i].tensor +
                        "), where nothing was written since its memory was "
                        "allocated: CANN leaves the result undefined");
    }
  }

  void corrupt(const KernelMemory& memory) const {
    const ResultElement& element = prepared->first_result;
    std::byte* bytes = memory.operands[element.operand] + element.first;
    for (std::size_t i = 0; i < element.bytes; ++i) bytes[i] ^= std::byte{0x55};
  }
};

/// One execution that reads some inputs before it writes.
struct CopyingExecution {
  Execution execution;
  std::vector<std::size_t> footprints;  // of these inputs

  int operator()() const {
    KernelMemory memory = execution.memory;
    const CopiedInputs copied(*execution.prepared, footprints, memory);
    return execution.run(memory);
  }
};

/// One execution whose kernels communicate.
struct CommunicatingExecution {
  Execution execution;
  Communicators communicators;
  // Ends with the task; null where that is of a graph, and takes one whenever it runs.
  std::shared_ptr<Communicators::Turn> turn;

  int operator()() const {
    const auto now = turn ? turn : std::make_shared<Communicators::Turn>(communicators, false);
    KernelMemory memory = execution.memory;
    memory.exchanges = now->exchanges();
    return execution.run(memory);
  }
};

void submit_communicating(const PreparedCall& prepared, Stream& stream, Execution execution,
                          Task task) {
  const Communicators communicators(prepared, stream_device(stream));
  communicators.submit(stream, [&](std::shared_ptr<Communicators::Turn> turn) {
    task.run = CommunicatingExecution{std::move(execution), communicators, std::move(turn)};
    submit(stream, std::move(task));
  });
}

/// Where the operands' storage begins now.
using Addresses = InlineVector<void*, 12>;

Addresses addresses_of(const Executor& executor) {
  TensorLookup& lookup = tensor_lookup();
  Addresses addresses;
  addresses.resize(executor.operands.size());
  for (std::size_t i = 0; i < executor.operands.size(); ++i) {
    const void* handle = executor.operands[i];
    const Tensor* tensor = handle == nullptr ? nullptr : lookup.find(handle).tensor;
    if (tensor == nullptr && handle != nullptr)
      fail(ACLNN_ERR_INNER_NULLPTR,
           "%s: the aclTensor of '%s' was destroyed before the second phase; keep tensors until it "
           "has returned, for a repeatable executor until that is destroyed",
           executor.prepared->api, executor.prepared->operand_names[i].c_str());
    addresses[i] = tensor == nullptr ? nullptr : tensor->address();
  }
  return addresses;
}

/// Resolves the addresses of this run; returns what is wrong with one, or nothing. That is not
/// refused: the device would find it while the kernel runs, so it becomes a failure of the task.
std::string resolve(const PreparedCall& prepared, const Addresses& addresses,
                    const Workspace& workspace, int device, KernelMemory& memory,
                    MemoryUses& uses) {
  memory.operands.resize(addresses.size());
  uses.resize(prepared.footprints.size());
  MemoryUse* use = uses.begin();
  for (const Footprint& footprint : prepared.footprints) {
    const Stretch stretch{addresses[footprint.operand], footprint.first, footprint.bytes,
                          footprint.alignment};
    const Allocation allocation = stretch.allocation();
    const std::string problem = stretch.problem(allocation, device);
    if (!problem.empty())
      return "the data of " + prepared.operand_names[footprint.operand] + ": " + problem;
    memory.operands[footprint.operand] = stretch.kernel_base();
    *use++ = {stretch.begin(), std::size_t(footprint.bytes), allocation.id};
  }
  if (prepared.workspace_size > 0) {
    memory.workspace = workspace.stretch.kernel_base();
    uses.push_back(
        {workspace.stretch.begin(), std::size_t(prepared.workspace_size), workspace.allocation.id});
  }
  for (std::uint64_t place : prepared.scratch) memory.operands.push_back(memory.workspace + place);
  return {};
}

Workspace check_workspace(const PreparedCall& prepared, void* pointer, std::uint64_t size,
                          int device) {
  const std::uint64_t needed = prepared.workspace_size;
  if (size < needed)
    fail(ACLNN_ERR_PARAM_INVALID,
         "%s: the workspace has %llu bytes, the first phase asked for %llu; CANN does not check "
         "this and corrupts memory",
         prepared.api, static_cast<unsigned long long>(size),
         static_cast<unsigned long long>(needed));
  Workspace workspace;
  if (needed == 0) return workspace;
  workspace.stretch = {pointer, 0, static_cast<std::int64_t>(needed), 1};
  workspace.allocation = workspace.stretch.allocation();
  const std::string problem = workspace.stretch.problem(workspace.allocation, device);
  if (!problem.empty())
    fail(ACLNN_ERR_PARAM_INVALID, "%s: workspace: %s", prepared.api, problem.c_str());
  return workspace;
}

/// What is told where that is an error, as a failure of the task.
void tell_of_overlap(const AccessList& accesses, std::string& problem) {
  const std::string text = undefined::overlap_of(accesses);
  if (text.empty()) return;
  try {
    undefined::tell(text);
  } catch (const Failure& failure) {
    problem = failure.what();
  }
}

[[noreturn]] void refuse_executor(const aclOpExecutor* handle) {
  const auto bits = reinterpret_cast<std::uint64_t>(handle);
  if (detail::HandleBits::marked(bits) && detail::HandleBits::type(bits) == HandleType::kExecutor)
    fail(ACLNN_ERR_INNER,
         "aclOpExecutor %p was run or destroyed already; one second phase ends an executor that "
         "aclSetAclOpExecutorRepeatable has not kept",
         static_cast<const void*>(handle));
  detail::refuse_handle(handle, HandleType::kExecutor, ACLNN_ERR_INNER);
}

/// Executors that were run and wait to be filled again: making one takes 0.1 us of a call.
struct SpareExecutors {
  static constexpr std::size_t kMost = 4;
  SpareExecutors() { executors.reserve(kMost); }
  std::vector<std::shared_ptr<Executor>> executors;
};

/// Keeps an executor, once it was run, if nobody else can reach it any more.
class Reuse {
 public:
  explicit Reuse(std::shared_ptr<Executor>& executor) : executor_(executor) {}
  Reuse(const Reuse&) = delete;
  Reuse& operator=(const Reuse&) = delete;
  ~Reuse() {
    std::vector<std::shared_ptr<Executor>>& spare = per_thread<SpareExecutors>().executors;
    if (executor_.use_count() != 1 || spare.size() == SpareExecutors::kMost) return;
    executor_->prepared.reset();
    executor_->operands.clear();
    executor_->cache_key.clear();
    executor_->from_cache = false;
    executor_->repeatable = false;
    spare.push_back(std::move(executor_));
  }

 private:
  std::shared_ptr<Executor>& executor_;
};

void remember(const Executor& executor, const std::shared_ptr<const PreparedCall>& prepared) {
  const bool is_long = executor.cache_key.size() > OpCache::kKeyBytes;
  (is_long ? long_plans() : op_cache()).insert(executor.cache_key, prepared);
}

int run(const char* api, void* workspace_pointer, std::uint64_t workspace_size,
        aclOpExecutor* handle, aclrtStream stream_handle) {
  if (handle == nullptr) fail(ACLNN_ERR_PARAM_NULLPTR, "%s: executor is null", api);
  // The executor leaves the table before anything can fail: it ends here unless it is repeatable.
  std::shared_ptr<Executor> executor =
      executors().find_and_remove(handle, [](const Executor& found) { return !found.repeatable; });
  if (executor == nullptr) refuse_executor(handle);
  const Reuse reuse(executor);
  const std::shared_ptr<const PreparedCall>& prepared = executor->prepared;
  if (prepared->api != api && std::strcmp(prepared->api, api) != 0)
    fail(ACLNN_ERR_INNER, "%s was given an executor of %sGetWorkspaceSize", api, prepared->api);
  if (workspace_pointer == nullptr && (prepared->workspace_size > 0 || workspace_size > 0)) {
    if (executor->repeatable) executors().remove(handle, ACLNN_ERR_INNER);
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: workspace is null, %llu bytes are needed", api,
         static_cast<unsigned long long>(prepared->workspace_size));
  }
  const Addresses addresses = addresses_of(*executor);
  Stream& stream = borrow_stream(stream_handle);
  const int device = stream_device(stream);
  const Workspace workspace = check_workspace(*prepared, workspace_pointer, workspace_size, device);
  const bool to_remember = !executor->cache_key.empty() && !executor->from_cache;
  const std::shared_ptr<const PreparedCall> remembered = to_remember ? prepared : nullptr;
  bool sound = true;
  if (!prepared->launches.empty()) {
    Task task;
    task.name = prepared->api;
    KernelMemory memory;
    std::string problem = resolve(*prepared, addresses, workspace, device, memory, task.uses);
    sound = problem.empty();
    if (sound && undefined::enabled()) tell_of_overlap(*accesses_of(prepared, task.uses), problem);
    if (problem.empty()) {
      if (races::enabled()) task.accesses = accesses_of(prepared, task.uses);
      Execution execution{prepared.get(), std::move(memory), execution_fault(api),
                          shaped_outputs(*prepared, executor->operands)};
      if (!prepared->groups.empty()) {
        task.keeps = prepared;
        submit_communicating(*prepared, stream, std::move(execution), std::move(task));
        if (to_remember) remember(*executor, remembered);
        return ACLNN_SUCCESS;
      }
      std::vector<std::size_t> copied = read_first(prepared, task.uses);
      if (copied.empty())
        task.run = std::move(execution);
      else
        task.run = CopyingExecution{std::move(execution), std::move(copied)};
      task.keeps = executor->repeatable ? prepared : std::move(executor->prepared);
    } else {
      task.uses = {};
      task.run = [problem = std::move(problem)]() -> int {
        fail(kRtAicoreException, "%s", problem.c_str());
      };
    }
    submit(stream, std::move(task));
  }
  if (sound && to_remember) remember(*executor, remembered);
  return ACLNN_SUCCESS;
}

}  // namespace

HandleTable<Executor>& executors() {
  static HandleTable<Executor>& table = *new HandleTable<Executor>(HandleType::kExecutor);
  return table;
}

std::shared_ptr<Executor> blank_executor() {
  std::vector<std::shared_ptr<Executor>>& spare = per_thread<SpareExecutors>().executors;
  if (spare.empty()) return std::make_shared<Executor>();
  std::shared_ptr<Executor> executor = std::move(spare.back());
  spare.pop_back();
  return executor;
}

std::shared_ptr<Executor> find_executor(const aclOpExecutor* handle) {
  if (auto executor = executors().find(handle)) return executor;
  refuse_executor(handle);
}

aclnnStatus run_executor(const char* api, void* workspace, std::uint64_t workspace_size,
                         aclOpExecutor* executor, aclrtStream stream) noexcept {
  const int status =
      entry(api, [&] { return run(api, workspace, workspace_size, executor, stream); });
  if (status == ACLNN_SUCCESS) return status;
  // An injected fault answers before `run` could end the executor.
  entry("aclOpExecutor", [&] {
    executors().find_and_remove(executor, [](const Executor& left) { return !left.repeatable; });
    return 0;
  });
  return status;
}

}  // namespace pyaclnn::sim
