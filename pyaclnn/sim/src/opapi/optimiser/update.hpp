// Steps of optimisers: several tensors of one shape, gone through side by side, some of them
// written.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

class Update {
 public:
  /// Changes `count` values of each tensor, in the order in which these were named; null for one
  /// that was not given. `numbers` are the tensors of one element, as they are when it runs.
  using Body = std::function<void(const float* numbers, std::int64_t count, float* const* values)>;

  /// `compute` is what CANN casts all tensors to before, or ACL_DT_UNDEFINED.
  explicit Update(Plan& plan, aclDataType compute = ACL_DT_UNDEFINED)
      : plan_(plan), compute_(compute) {}

  Update& reads(const TensorArgument& tensor);
  Update& writes(const TensorArgument& tensor);
  Update& number(const TensorArgument& tensor);

  /// Plans it. The tensors have elements, and `body` lives as long as the plan.
  void launch(Body body);

 private:
  void stage(const TensorArgument& tensor);

  Plan& plan_;
  aclDataType compute_;
  std::vector<RowMajor> tensors_;
  std::vector<bool> written_;
  std::vector<RowMajor> numbers_;
};

}  // namespace pyaclnn::sim
