// Blocks of tensors that are overwritten: slices with steps, and one of each tensor of a list.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/indexing/chosen.hpp"
#include "parameters/ScatterList.hpp"
#include "parameters/StridedSliceAssignV2.hpp"

namespace pyaclnn::sim {
namespace {

std::int64_t clamped(std::int64_t number, std::int64_t extent) {
  if (extent <= 0) return 0;
  if (number < 0) number += extent;
  return std::min(std::max<std::int64_t>(number, 0), extent);
}

}  // namespace

/// aclnnStridedSliceAssignV2: numbers below 0 count from the end, others are clamped; `axes` says
/// what dimensions they belong to, all where it is not given. What does not fit is 561002.
void assign_slice(const Check&, Plan& plan, const StridedSliceAssignV2Parameters& given) {
  const std::size_t rank = given.varRef.rank();
  check_tiling(plan, rank > 0 && rank <= 8 && given.inputValue.rank() == rank,
               "varRef has %zu dimensions, inputValue %zu", rank, given.inputValue.rank());
  check_tiling(plan, !given.varRef.is_empty(), "varRef has no elements");
  const std::size_t count = given.axesOptional.given() ? given.axesOptional.values().size() : rank;
  check_tiling(plan,
               given.begin.values().size() == count && given.end.values().size() == count &&
                   given.strides.values().size() == count,
               "begin, end and strides have %zu, %zu and %zu numbers for %zu dimensions",
               given.begin.values().size(), given.end.values().size(),
               given.strides.values().size(), count);
  std::vector<std::int64_t> first(rank, 0);
  std::vector<std::int64_t> last(given.varRef.shape().begin(), given.varRef.shape().end());
  std::vector<std::int64_t> step(rank, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t axis =
        given.axesOptional.given() ? given.axesOptional.values()[i] : std::int64_t(i);
    check_tiling(plan, axis >= 0 && axis < std::int64_t(rank), "an axis is %lld of %zu",
                 static_cast<long long>(axis), rank);
    const std::int64_t extent = given.varRef.shape()[std::size_t(axis)];
    first[std::size_t(axis)] = clamped(given.begin.values()[i], extent);
    last[std::size_t(axis)] = clamped(given.end.values()[i], extent);
    step[std::size_t(axis)] = given.strides.values()[i];
  }
  for (std::size_t i = 0; i < rank; ++i)
    check_tiling(plan, step[i] > 0 && (i + 1 < rank || step[i] == 1),
                 "strides are positive, and 1 for the last dimension; one is %lld",
                 static_cast<long long>(step[i]));
  plan.stage(given.varRef).contiguous();
  plan.stage(given.inputValue).contiguous();
  View slice = plan.writes(given.varRef);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t span = last[i] - first[i];
    const std::int64_t extent = span <= 0 ? 0 : (span - 1) / step[i] + 1;
    check_tiling(plan, extent == given.inputValue.shape()[i],
                 "inputValue has shape %s; along dimension %zu the slice has %lld places",
                 given.inputValue.shape().text().c_str(), i, static_cast<long long>(extent));
    slice.shape.set(i, extent);
    slice.offset += first[i] * slice.strides[i];
    if (extent > 1) slice.strides.set(i, slice.strides[i] * step[i]);
  }
  plan.result(given.varRef.dtype(), given.varRef.shape()).copy_to(given.varRef);
  if (!given.inputValue.is_empty()) launch_cast(plan, slice, plan.reads(given.inputValue));
}

/// aclnnScatterList: in each tensor a block along `axis` of updates, from a number on, and as long
/// as a second one says; of those whose mask is not 1 nothing. What does not fit is 561002.
void scatter_list(const Check&, Plan& plan, const ScatterListParameters& given) {
  const auto rank = std::int64_t(given.updates.rank());
  const auto count = std::int64_t(given.varRef.tensors.size());
  check_tiling(plan, count > 0, "varRef has no tensors");
  const Dims& shape = given.varRef.tensors[0].shape();
  for (const TensorArgument& var : given.varRef.tensors)
    check_tiling(plan, var.shape() == shape, "tensors of varRef have shapes %s and %s",
                 shape.text().c_str(), var.shape().text().c_str());
  const std::int64_t along = given.axis < 0 ? given.axis + rank : given.axis;
  check_tiling(plan,
               rank >= 2 && std::int64_t(shape.size()) == rank - 1 && along > 0 && along < rank &&
                   given.updates.shape()[0] == count && !given.updates.is_empty(),
               "updates has shape %s, %lld tensors of varRef %s, and axis is %lld",
               given.updates.shape().text().c_str(), static_cast<long long>(count),
               shape.text().c_str(), static_cast<long long>(given.axis));
  for (std::int64_t i = 1; i < rank; ++i) {
    const std::int64_t own = given.updates.shape()[std::size_t(i)];
    const std::int64_t there = shape[std::size_t(i) - 1];
    check_tiling(plan, there > 0 && (own == there || (i == along && own < there)),
                 "updates has shape %s, tensors of varRef %s: it may be shorter along axis only",
                 given.updates.shape().text().c_str(), shape.text().c_str());
  }
  check_tiling(
      plan,
      (given.indice.rank() == 1 || (given.indice.rank() == 2 && given.indice.shape()[1] == 2)) &&
          given.indice.shape()[0] == count,
      "indice has shape %s for %lld tensors", given.indice.shape().text().c_str(),
      static_cast<long long>(count));
  check_tiling(plan,
               !given.maskOptional.given() ||
                   (given.maskOptional.rank() == 1 && given.maskOptional.shape()[0] == count),
               "maskOptional has not one number for each of %lld tensors",
               static_cast<long long>(count));
  for (const TensorArgument& var : given.varRef.tensors) {
    plan.stage(var).contiguous();
    plan.result(var.dtype(), var.shape()).copy_to(var);
  }
  plan.stage(given.indice).contiguous();
  plan.stage(given.updates).contiguous();
  if (given.maskOptional.given()) plan.stage(given.maskOptional).contiguous();

  std::vector<FlatView> to;
  for (const TensorArgument& var : given.varRef.tensors) to.emplace_back(plan.writes(var));
  const FlatView from(plan.reads(given.updates));
  const View numbers = plan.reads(given.indice);
  const View flags = given.maskOptional.given() ? plan.reads(given.maskOptional) : View();
  const Dims& updates = given.updates.shape();
  const std::int64_t outer = updates.product(1, std::size_t(along));
  const std::int64_t inner = updates.product(std::size_t(along) + 1);
  const std::int64_t length = given.updates.shape()[std::size_t(along)];
  const std::int64_t room = shape[std::size_t(along) - 1];
  plan.launch([=, pairs = given.indice.rank() == 2, masks = given.maskOptional.given(),
               api = plan.api()](const KernelMemory& memory) {
    const auto begins = integers_of(numbers, memory);
    const auto wanted = masks ? integers_of(flags, memory) : std::vector<std::int64_t>();
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
