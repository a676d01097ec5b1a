// What workers wait for where attention and experts run on devices of their own: flags in device
// memory, which the other side sets, by addresses in a context of 1,024 bytes.
// SPDX-License-Identifier: MIT
#include <cstring>
#include <thread>

#include "core/memory.hpp"
#include "core/status.hpp"
#include "core/task_deadline.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/InplaceAttentionWorkerScheduler.hpp"
#include "parameters/InplaceFfnWorkerScheduler.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int32_t kReady = 1;
constexpr std::uint64_t kWord = sizeof(std::int32_t);

/// Device memory that the context names.
struct Area {
  std::uint64_t address;
  std::uint64_t size;
};

/// The context as it lies in memory.
struct Context {
  std::uint32_t sessions;
  std::uint32_t batches;
  std::uint32_t batch_size;
  std::uint32_t experts;  // that a token goes to
  std::uint32_t unused[3];
  std::int32_t mode;  // 0: experts, 1: attention
  std::uint8_t reserved0[96];
  std::int32_t runs;
  std::uint8_t reserved1[124];
  struct {
    Area info;
    Area data;
    std::uint32_t batch;
    std::uint8_t reserved[92];
  } attention;
  struct {
    Area info;
    Area data;
    std::uint64_t next_batch;
    std::uint8_t reserved0[88];
    Area layers;
    Area sessions;
    Area batches;
    Area experts;
    std::uint32_t done;
    std::uint8_t reserved1[60];
  } ffn;
  std::uint8_t reserved2[384];
};
static_assert(sizeof(Context) == 1024, "CANN's context has 1,024 bytes");

/// What CANN's kernel refuses shows where the stream is waited for.
void demand(bool holds, const char* what) {
  if (!holds) fail(kRtAicpuException, "the context of a worker: %s", what);
}

/// a b c words and `more`, none of which may be too large.
std::uint64_t words(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t more = 0) {
  std::uint64_t product = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &product) ||
                         __builtin_add_overflow(product, more, &product) ||
                         __builtin_mul_overflow(product, c, &product) ||
                         __builtin_mul_overflow(product, kWord, &product);
  demand(!overflows, "its sizes are too large");
  return product;
}

std::int32_t* memory_of(const Area& area, std::uint64_t bytes) {
  demand(area.address != 0, "an address is null");
  demand(area.size >= bytes, "an area is too small");
  const auto* pointer = reinterpret_cast<const void*>(std::uintptr_t(area.address));
  const Allocation block = find_allocation(pointer);
  demand(block && block.device >= 0 && area.address % kWord == 0 &&
             block.base + block.size - area.address >= bytes,
         "an address is not of as much device memory");
  return static_cast<std::int32_t*>(kernel_address(pointer));
}

/// Other streams, and the other side, write meanwhile.
std::int32_t read(const std::int32_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
void write(std::int32_t* word, std::int32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Waits until `is_ready()`; false where the context says to stop before.
template <class Condition>
bool wait_for(const Context& context, Condition is_ready) {
  while (read(&context.runs) != 0) {
    if (is_ready()) return true;
    check_task_time();
    std::this_thread::yield();
  }
  return false;
}

void check_counts(const Context& context, std::int32_t mode) {
  demand(context.mode == mode, "its mode is that of the other side");
  demand(context.batches > 0 && context.batch_size > 0 && context.experts > 0,
         "a number of batches, tokens or experts is 0");
}

void wait_for_experts(Context& context) {
  check_counts(context, 1);
  auto& own = context.attention;
  const std::uint64_t flags = words(context.batch_size, context.experts, 1) / kWord;
  std::int32_t* info = memory_of(own.info, words(flags, context.batches, 1));
  demand(own.data.address != 0, "an address is null");
  demand(own.batch < context.batches, "there is no such batch");
  const std::uint32_t batch = (own.batch + 1) % context.batches;
  std::int32_t* flag = info + flags * batch;
  const bool is_ready = wait_for(context, [&] {
    for (std::uint64_t i = 0; i < flags; ++i)
      if (read(flag + i) != kReady) return false;
    return true;
  });
  if (!is_ready) return;
  for (std::uint64_t i = 0; i < flags; ++i) write(flag + i, 0);
  own.batch = batch;
}

/// What the sessions of attention have sent: a flag, a layer, and the experts of each token, of
/// [sessions, batches].
class Sessions {
 public:
  Sessions(Context& context, std::int64_t group) : context_(context) {
    check_counts(context, 0);
    demand(context.sessions > 0, "there is no session");
    const std::uint64_t all = context.sessions;
    ids_ = words(context.batch_size, context.experts, 1) / kWord;
    words(ids_, all, context.batches, 2 * all);
    info_ = memory_of(context.ffn.info, words(ids_ + 2, all, context.batches));
    demand(context.ffn.data.address != 0, "an address is null");
    layers_ = memory_of(context.ffn.layers, words(all, 1, 1));
    sessions_ = memory_of(context.ffn.sessions, words(all, 1, 1));
    batches_ = memory_of(context.ffn.batches, words(all, 1, 1));
    experts_ = memory_of(context.ffn.experts, words(ids_, all, 1));
    demand(context.ffn.next_batch < context.batches, "there is no such batch");
    demand(group > 0 && group <= std::int64_t(all) && std::int64_t(all) % group == 0,
           "its sessions are not made of groups of syncGroupSize");
    group_ = std::uint32_t(group);
  }

  void run() {
    context_.ffn.done = 0;
    if (group_ == context_.sessions) {
      auto& batch = context_.ffn.next_batch;
      if (!wait_for(context_, [&] { return is_ready(0, std::uint32_t(batch)); })) return;
      take(0, std::uint32_t(batch));
      batch = (batch + 1) % context_.batches;
      return;
    }
    const auto any = [&] {
      for (std::uint32_t first = 0; first < context_.sessions; first += group_)
        if (ready_batch(first) < context_.batches) return true;
      return false;
    };
    if (!wait_for(context_, any)) return;
    for (std::uint32_t first = 0; first < context_.sessions; first += group_) {
      const std::uint32_t batch = ready_batch(first);
      if (batch < context_.batches) take(first, batch);
    }
  }

 private:
  std::int32_t* sent(std::uint32_t session, std::uint32_t batch) const {
    return info_ + (std::uint64_t(session) * context_.batches + batch) * (ids_ + 2);
  }

  /// Whether all of the group that begins with a session have sent the batch.
  bool is_ready(std::uint32_t first, std::uint32_t batch) const {
    for (std::uint32_t s = first; s < first + group_; ++s)
      if (read(sent(s, batch)) != kReady) return false;
    return true;
  }

  /// The first batch that the group has sent, or the number of batches.
  std::uint32_t ready_batch(std::uint32_t first) const {
    std::uint32_t batch = 0;
    while (batch < context_.batches && !is_ready(first, batch)) ++batch;
    return batch;
  }

  void take(std::uint32_t first, std::uint32_t batch) {
    for (std::uint32_t s = first; s < first + group_; ++s) {
      const std::uint32_t at = context_.ffn.done++;
      std::int32_t* from = sent(s, batch);
      layers_[at] = from[1];
      sessions_[at] = std::int32_t(s);
      batches_[at] = std::int32_t(batch);
      std::memcpy(experts_ + at * ids_, from + 2, ids_ * kWord);
      std::memset(from + 2, 0x7F, ids_ * kWord);  // no expert
      write(from, 0);
    }
  }

  Context& context_;
  std::uint64_t ids_ = 0;
  std::uint32_t group_ = 1;
  std::int32_t* info_ = nullptr;
  std::int32_t* layers_ = nullptr;
  std::int32_t* sessions_ = nullptr;
  std::int32_t* batches_ = nullptr;
  std::int32_t* experts_ = nullptr;
};

template <class Run>
void launch_worker(const Check& check, Plan& plan, const TensorArgument& context, Run run) {
  check.that(!context.is_empty(), "%s is empty", context.name());
  needs_kernel(plan, on_950() || chip().soc == Soc::kAscend910_93);
  check_inside(plan, context.dtype() == ACL_INT8, "%s is not of int8", context.name());
  const View view = plan.writes(context);
  check_inside(plan, view.strides == Dims{1}, "%s is not contiguous", context.name());
  plan.launch([=](const KernelMemory& memory) {
    demand(view.shape[0] >= std::int64_t(sizeof(Context)), "it has fewer than 1,024 bytes");
    std::byte* bytes = memory.operands[view.operand] + view.offset;
    demand(reinterpret_cast<std::uintptr_t>(bytes) % alignof(Context) == 0, "it is not aligned");
    run(*reinterpret_cast<Context*>(bytes));
  });
}

}  // namespace

void attention_worker_scheduler(const Check& check, Plan& plan,
                                const InplaceAttentionWorkerSchedulerParameters& given) {
  launch_worker(check, plan, given.scheduleContextRef, wait_for_experts);
}

void ffn_worker_scheduler(const Check& check, Plan& plan,
                          const InplaceFfnWorkerSchedulerParameters& given) {
  launch_worker(
      check, plan, given.scheduleContextRef,
      [group = given.syncGroupSize](Context& context) { Sessions(context, group).run(); });
}

}  // namespace pyaclnn::sim
