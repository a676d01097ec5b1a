// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/softmax/softmax_row.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;

template <class T>
class Softmax {
 public:
  Softmax(const View& out, const View& in, std::size_t axis, aclDataType gives, bool logarithm)
      : in_(in),
        out_(out),
        logarithm_(logarithm),
        load_(loader<T>(in.dtype)),
        store_(storer<T>(out.dtype, Rounding::kTruncate)),
        round_store_(gives == out.dtype ? nullptr : storer<T>(gives, Rounding::kTruncate)),
        round_load_(gives == out.dtype ? nullptr : loader<T>(gives)),
        row_(loop_for_cpu<SoftmaxRow<T>, T*, std::int64_t, bool>()),
        length_(in.shape.empty() ? 1 : in.shape[axis]),
        in_step_(in.shape.empty() ? 1 : in.strides[axis]),
        out_step_(in.shape.empty() ? 1 : out.strides[axis]) {
    for (std::size_t i = 0; i < in.shape.size(); ++i) {
      if (i == axis) continue;
      extents_.push_back(in.shape[i]);
      in_strides_.push_back(in.strides[i]);
      out_strides_.push_back(out.strides[i]);
      rows_ *= in.shape[i];
    }
  }

  bool works() const { return load_ != nullptr && store_ != nullptr; }

  void run(const KernelMemory& memory) const {
    const auto in_size = std::int64_t(dtype_size(in_.dtype));
    const auto out_size = std::int64_t(dtype_size(out_.dtype));
    const std::byte* from = memory.operands[in_.operand] + in_.offset * in_size;
    std::byte* to = memory.operands[out_.operand] + out_.offset * out_size;
    parallel_for(
        rows_, std::max<std::int64_t>(1, kGrain / length_),
        [&](std::int64_t begin, std::int64_t end) {
          std::vector<T> values(static_cast<std::size_t>(length_));
          std::vector<std::byte> rounded(values.size() * sizeof(T));
          for (std::int64_t r = begin; r < end; ++r) {
            load_(from + offset(r, in_strides_) * in_size, in_step_, length_, values.data());
            row_(values.data(), length_, logarithm_);
            if (round_store_ != nullptr) {
              round_store_(values.data(), length_, rounded.data(), 1);
              round_load_(rounded.data(), 1, length_, values.data());
            }
            store_(values.data(), length_, to + offset(r, out_strides_) * out_size, out_step_);
          }
        });
  }

 private:
  std::int64_t offset(std::int64_t row, const std::vector<std::int64_t>& strides) const {
    std::int64_t result = 0;
    for (std::size_t i = extents_.size(); i-- > 0; row /= extents_[i])
      result += row % extents_[i] * strides[i];
    return result;
  }

  View in_;
  View out_;
  bool logarithm_;
  LoadFn load_;
  StoreFn store_;
  StoreFn round_store_;
  LoadFn round_load_;
  void (*row_)(T*, std::int64_t, bool);
  std::int64_t length_;
  std::int64_t in_step_;
  std::int64_t out_step_;
  std::int64_t rows_ = 1;
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> in_strides_;
  std::vector<std::int64_t> out_strides_;
};

template <class T>
void launch(Plan& plan, const View& out, const View& in, std::size_t axis, aclDataType gives,
            bool logarithm) {
  const auto kernel = std::make_shared<const Softmax<T>>(out, in, axis, gives, logarithm);
  if (!kernel->works())
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace

void softmax(Plan& plan, const TensorArgument& in, const TensorArgument& out, std::size_t axis,
             aclDataType gives, bool logarithm) {
  plan.stage(in).contiguous().cast_to(gives);
  plan.result(gives, in.shape()).cast_to(out.dtype()).copy_to(out);
  const View to = plan.writes(out);
  const View from = plan.reads(in);
  if (gives == ACL_DOUBLE) return launch<double>(plan, to, from, axis, gives, logarithm);
  launch<float>(plan, to, from, axis, gives, logarithm);
}

}  // namespace pyaclnn::sim
