// SPDX-License-Identifier: MIT
#include "opapi/indexing/blocks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/embedding/embedding.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {
namespace {

std::int64_t clamped(std::int64_t number, std::int64_t extent) {
  if (number < 0) number += extent;
  return std::min(std::max<std::int64_t>(number, 0), extent);
}

}  // namespace

void assign_slice(Plan& plan, const TensorArgument& var, const TensorArgument& value,
                  const IntArrayIn& begin, const IntArrayIn& end, const IntArrayIn& strides,
                  const IntArrayIn& axes) {
  const std::size_t rank = var.rank();
  check_tiling(plan, rank > 0 && rank <= 8 && value.rank() == rank,
               "varRef has %zu dimensions, inputValue %zu", rank, value.rank());
  check_tiling(plan, !var.is_empty(), "varRef has no elements");
  const std::size_t count = axes.given() ? axes.values().size() : rank;
  check_tiling(plan,
               begin.values().size() == count && end.values().size() == count &&
                   strides.values().size() == count,
               "begin, end and strides have %zu, %zu and %zu numbers for %zu dimensions",
               begin.values().size(), end.values().size(), strides.values().size(), count);
  std::vector<std::int64_t> first(rank, 0);
  std::vector<std::int64_t> last(var.shape().begin(), var.shape().end());
  std::vector<std::int64_t> step(rank, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t axis = axes.given() ? axes.values()[i] : std::int64_t(i);
    check_tiling(plan, axis >= 0 && axis < std::int64_t(rank), "an axis is %lld of %zu",
                 static_cast<long long>(axis), rank);
    const std::int64_t extent = var.shape()[std::size_t(axis)];
    first[std::size_t(axis)] = clamped(begin.values()[i], extent);
    last[std::size_t(axis)] = clamped(end.values()[i], extent);
    step[std::size_t(axis)] = strides.values()[i];
  }
  for (std::size_t i = 0; i < rank; ++i)
    check_tiling(plan, step[i] > 0 && (i + 1 < rank || step[i] == 1),
                 "strides are positive, and 1 for the last dimension; one is %lld",
                 static_cast<long long>(step[i]));
  plan.stage(var).contiguous();
  plan.stage(value).contiguous();
  View slice = plan.writes(var);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t span = last[i] - first[i];
    const std::int64_t extent = span <= 0 ? 0 : (span - 1) / step[i] + 1;
    check_tiling(plan, extent == value.shape()[i],
                 "inputValue has shape %s; along dimension %zu the slice has %lld places",
                 value.shape().text().c_str(), i, static_cast<long long>(extent));
    slice.shape.set(i, extent);
    slice.offset += first[i] * slice.strides[i];
    if (extent > 1) slice.strides.set(i, slice.strides[i] * step[i]);
  }
  plan.result(var.dtype(), var.shape()).copy_to(var);
  if (!value.is_empty()) launch_cast(plan, slice, plan.reads(value));
}

void scatter_list(Plan& plan, const TensorListIn& vars, const TensorArgument& indices,
                  const TensorArgument& updates, const TensorArgument& mask, std::int64_t axis) {
  const auto rank = std::int64_t(updates.rank());
  const auto count = std::int64_t(vars.tensors.size());
  check_tiling(plan, count > 0, "varRef has no tensors");
  const Dims& shape = vars.tensors[0].shape();
  for (const TensorArgument& var : vars.tensors)
    check_tiling(plan, var.shape() == shape, "tensors of varRef have shapes %s and %s",
                 shape.text().c_str(), var.shape().text().c_str());
  const std::int64_t along = axis < 0 ? axis + rank : axis;
  check_tiling(plan,
               rank >= 2 && std::int64_t(shape.size()) == rank - 1 && along > 0 && along < rank &&
                   updates.shape()[0] == count && !updates.is_empty(),
               "updates has shape %s, %lld tensors of varRef %s, and axis is %lld",
               updates.shape().text().c_str(), static_cast<long long>(count), shape.text().c_str(),
               static_cast<long long>(axis));
  for (std::int64_t i = 1; i < rank; ++i) {
    const std::int64_t own = updates.shape()[std::size_t(i)];
    const std::int64_t there = shape[std::size_t(i) - 1];
    check_tiling(plan, there > 0 && (own == there || (i == along && own < there)),
                 "updates has shape %s, tensors of varRef %s: it may be shorter along axis only",
                 updates.shape().text().c_str(), shape.text().c_str());
  }
  check_tiling(plan,
               (indices.rank() == 1 || (indices.rank() == 2 && indices.shape()[1] == 2)) &&
                   indices.shape()[0] == count,
               "indice has shape %s for %lld tensors", indices.shape().text().c_str(),
               static_cast<long long>(count));
  check_tiling(plan, !mask.given() || (mask.rank() == 1 && mask.shape()[0] == count),
               "maskOptional has not one number for each of %lld tensors",
               static_cast<long long>(count));
  for (const TensorArgument& var : vars.tensors) {
    plan.stage(var).contiguous();
    plan.result(var.dtype(), var.shape()).copy_to(var);
  }
  plan.stage(indices).contiguous();
  plan.stage(updates).contiguous();
  if (mask.given()) plan.stage(mask).contiguous();

  std::vector<FlatView> to;
  for (const TensorArgument& var : vars.tensors) to.emplace_back(plan.writes(var));
  const FlatView from(plan.reads(updates));
  const View numbers = plan.reads(indices);
  const View flags = mask.given() ? plan.reads(mask) : View();
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  for (std::int64_t i = 1; i < rank; ++i)
    (i < along ? outer : inner) *= i == along ? 1 : updates.shape()[std::size_t(i)];
  const std::int64_t length = updates.shape()[std::size_t(along)];
  const std::int64_t room = shape[std::size_t(along) - 1];
  plan.launch([=, pairs = indices.rank() == 2, masks = mask.given(),
               api = plan.api()](const KernelMemory& memory) {
    const auto begins = read_integers(numbers, memory);
    const auto wanted = masks ? read_integers(flags, memory) : std::vector<std::int64_t>();
    const auto size = std::size_t(from.element_size());
    for (std::int64_t i = 0; i < count; ++i) {
      if (masks && wanted[std::size_t(i)] != 1) continue;
      const std::int64_t begin = begins[std::size_t(pairs ? 2 * i : i)];
      const std::int64_t many = pairs ? begins[std::size_t(2 * i) + 1] : length;
      if (many < 0 || many > length || begin < 0 || begin > room - many) refuse_index(api, room);
      const FlatView& var = to[std::size_t(i)];
      for (std::int64_t block = 0; block < outer; ++block) {
        const std::int64_t source = (i * outer + block) * length * inner;
        const std::int64_t target = (block * room + begin) * inner;
        for (std::int64_t k = 0; k < many * inner; ++k)
          std::memmove(var.at(memory, target + k), from.at(memory, source + k), size);
      }
    }
  });
}

}  // namespace pyaclnn::sim
