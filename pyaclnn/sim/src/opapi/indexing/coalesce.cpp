// Values of equal indices of a sparse tensor added up.
// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>
#include <vector>

#include "check/undefined.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/CoalesceSparse.hpp"

namespace pyaclnn::sim {
namespace {

/// What the outputs hold is read as well: the kernel adds to it.
template <class C>
void coalesce(const KernelMemory& memory, const PackedOperand& places, const PackedOperand& indices,
              const PackedOperand& values, const PackedOperand& new_indices,
              const PackedOperand& new_values, std::size_t axes) {
  const auto place = places.read<std::int64_t>(memory);
  const auto index = indices.read<std::int64_t>(memory);
  const auto value = values.read<C>(memory);
  auto new_index = new_indices.read<std::int64_t>(memory);
  auto sum = new_values.read<C>(memory);
  const std::size_t width = value.size() / place.size();
  const std::size_t count = axes == 0 ? 0 : new_index.size() / axes;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0 || std::size_t(place[i]) >= count ||
        (std::size_t(place[i]) + 1) * width > sum.size()) {
      if (undefined::enabled())
        undefined::tell("aclnnCoalesceSparse: uniqueIndices has " + std::to_string(place[i]) +
                        ", there are " + std::to_string(count) + " places");
      continue;
    }
    const auto to = std::size_t(place[i]);
    for (std::size_t axis = 0; axis < axes; ++axis)
      new_index[to * axes + axis] = index[i * axes + axis];
    for (std::size_t column = 0; column < width; ++column) {
      C& out = sum[to * width + column];
      if constexpr (std::is_same_v<C, float>)
        out = as_stored(out + value[i * width + column], new_values.dtype());
      else
        out = C(std::uint32_t(out) + std::uint32_t(value[i * width + column]));
    }
  }
  new_indices.write(memory, new_index);
  new_values.write(memory, sum);
}

}  // namespace

void coalesce_sparse(const Check&, Plan& plan, const CoalesceSparseParameters& given) {
  const TensorArgument& indices = given.indices;
  const TensorArgument& values = given.values;
  check_tiling(plan, indices.rank() == 2 && values.rank() > 0, "indices has shape %s, values %s",
               indices.shape().text().c_str(), values.shape().text().c_str());
  const std::int64_t count = indices.shape()[0];
  check_tiling(plan, values.shape()[0] == count && given.uniqueIndices.elements() == count,
               "there are %lld indices, uniqueIndices has shape %s and values %s",
               static_cast<long long>(count), given.uniqueIndices.shape().text().c_str(),
               values.shape().text().c_str());
  const std::int64_t kept = given.uniqueLen.rank() == 0 ? 1 : given.uniqueLen.shape()[0];
  Dims shape = values.shape();
  shape.set(0, kept);
  check_tiling(plan,
               given.newIndicesOut.shape() == Dims({kept, indices.shape()[1]}) &&
                   given.newValuesOut.shape() == shape,
               "newIndicesOut has shape %s and newValuesOut %s, for %lld places",
               given.newIndicesOut.shape().text().c_str(),
               given.newValuesOut.shape().text().c_str(), static_cast<long long>(kept));
  if (count == 0) return;
  const PackedOperand places = reads_packed(plan, given.uniqueIndices);
  const PackedOperand from = reads_packed(plan, indices);
  const PackedOperand added = reads_packed(plan, values);
  const PackedOperand to = writes_packed(plan, given.newIndicesOut);
  const PackedOperand sums = writes_packed(plan, given.newValuesOut);
  const auto axes = static_cast<std::size_t>(indices.shape()[1]);
  const bool whole = values.dtype() == ACL_INT32;
  plan.launch([=](const KernelMemory& memory) {
    (whole ? coalesce<std::int32_t> : coalesce<float>)(memory, places, from, added, to, sums, axes);
  });
}

}  // namespace pyaclnn::sim
