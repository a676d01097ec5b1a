// SPDX-License-Identifier: MIT
#include "objects/accesses.hpp"

#include <string>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

std::string list_text(const std::vector<std::int64_t>& values) {
  std::string text = "[";
  for (std::int64_t value : values) text += (text.size() == 1 ? "" : ", ") + std::to_string(value);
  return text + "]";
}

AccessKind kind_of(const Footprint& footprint, const std::string& operand) {
  AccessKind kind;
  kind.operand = operand;
  kind.tensor = dtype_name(footprint.dtype) + list_text(footprint.shape);
  kind.mode = footprint.writes ? AccessMode::kWrite : AccessMode::kRead;
  kind.bytes = std::size_t(footprint.bytes);
  if (footprint.strides.empty()) return kind;
  kind.tensor += " with strides " + list_text(footprint.strides);
  const auto element = std::int64_t(dtype_size(footprint.dtype));
  std::vector<ByteAxis> axes;
  for (std::size_t i = 0; i < footprint.strides.size(); ++i)
    axes.push_back({footprint.strides[i] * element, footprint.shape[i]});
  kind.bytes = BytePattern(std::move(axes), element);
  return kind;
}

}  // namespace

const std::vector<AccessKind>& access_kinds(const PreparedCall& prepared) {
  LazyAccessKinds& kinds = prepared.access_kinds;
  std::call_once(kinds.once, [&] {
    for (const Footprint& footprint : prepared.footprints)
      kinds.values.push_back(kind_of(footprint, prepared.operand_names[footprint.operand]));
    AccessKind workspace;
    workspace.operand = "workspace";
    workspace.mode = AccessMode::kWrite;
    workspace.bytes = std::size_t(prepared.workspace_size);
    kinds.values.push_back(std::move(workspace));
  });
  return kinds.values;
}

std::shared_ptr<const AccessList> accesses_of(const std::shared_ptr<const PreparedCall>& prepared,
                                              const MemoryUses& uses) {
  const std::vector<AccessKind>& kinds = access_kinds(*prepared);
  auto accesses = std::make_shared<AccessList>();
  accesses->reserve(uses.size());
  for (std::size_t i = 0; i < uses.size(); ++i)
    accesses->push_back({std::shared_ptr<const AccessKind>(prepared, &kinds[i]),
                         reinterpret_cast<std::uintptr_t>(uses[i].pointer), uses[i].allocation,
                         prepared->api, 0});
  return accesses;
}

}  // namespace pyaclnn::sim
