// Ranges of a jagged tensor in another order.
// SPDX-License-Identifier: MIT
#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/ExpandIntoJaggedPermute.hpp"

namespace pyaclnn::sim {

void expand_into_jagged_permute(const Check&, Plan& plan,
                                const ExpandIntoJaggedPermuteParameters& given) {
  const TensorArgument& permute = given.permute;
  check_tiling(
      plan, permute.rank() == 1 && given.inputOffset.rank() == 1 && given.outputOffset.rank() == 1,
      "permute and offsets must be lists");
  const std::int64_t count = permute.shape()[0];
  const std::int64_t offsets = given.inputOffset.shape()[0];
  check_tiling(plan,
               offsets > 0 && offsets - 1 == count &&
                   given.outputOffset.shape() == given.inputOffset.shape(),
               "there are %lld ranges, inputOffset has %lld values", static_cast<long long>(count),
               static_cast<long long>(offsets));
  check_tiling(plan, given.outputPermuteOut.shape() == Dims{given.outputSize},
               "outputPermute has shape %s", given.outputPermuteOut.shape().text().c_str());
  const PackedOperand order = reads_packed(plan, permute);
  const PackedOperand from = reads_packed(plan, given.inputOffset);
  const PackedOperand to = reads_packed(plan, given.outputOffset);
  const PackedOperand out = writes_packed(plan, given.outputPermuteOut);
  const char* api = plan.api();
  plan.launch([=](const KernelMemory& memory) {
    const auto numbers = order.read<std::int64_t>(memory);
    const auto begins = from.read<std::int64_t>(memory);
    const auto places = to.read<std::int64_t>(memory);
    std::vector<std::int64_t> result(static_cast<std::size_t>(out.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t begin = places[i];
      const std::int64_t end = places[i + 1];
      if (numbers[i] < 0 || numbers[i] >= count || begin < 0 || end < begin || end > out.size())
        fail(kRtAicoreException, "%s: range %zu is that of %lld, from %lld to %lld", api, i,
             static_cast<long long>(numbers[i]), static_cast<long long>(begin),
             static_cast<long long>(end));
      for (std::int64_t k = begin; k < end; ++k)
        result[std::size_t(k)] = begins[std::size_t(numbers[i])] + k - begin;
    }
    out.write(memory, result);
  });
}

}  // namespace pyaclnn::sim
