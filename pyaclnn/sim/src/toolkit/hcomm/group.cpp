// SPDX-License-Identifier: MIT
#include "toolkit/hcomm/group.hpp"

#include <utility>
#include <vector>

#include "core/status.hpp"
#include "hccl/entry.hpp"

namespace pyaclnn::sim::hccl {
namespace {

struct Group {
  int depth = 0;
  std::vector<std::function<void()>> acts;
};

thread_local Group group;

}  // namespace

bool in_group() noexcept { return group.depth > 0; }

void at_group_end(std::function<void()> act) { group.acts.push_back(std::move(act)); }

}  // namespace pyaclnn::sim::hccl

using namespace pyaclnn::sim::hccl;

extern "C" SIM_API HcclResult HcclGroupStart() {
  return enter(__func__, [] { ++group.depth; });
}

extern "C" SIM_API HcclResult HcclGroupEnd() {
  return enter(__func__, [] {
    if (group.depth == 0) pyaclnn::sim::fail(HCCL_E_PARA, "there was no HcclGroupStart");
    if (--group.depth > 0) return;
    const std::vector<std::function<void()>> acts = std::exchange(group.acts, {});
    for (const auto& act : acts) act();
  });
}
