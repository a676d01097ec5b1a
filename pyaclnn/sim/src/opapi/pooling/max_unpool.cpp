// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_max_unpool2d_backward.h"
#include "aclnnop/aclnn_max_unpool3d_backward.h"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/indexed.hpp"
#include "opapi/pooling/window.hpp"

using namespace pyaclnn::sim;

namespace {

/// bool, integers, floating point: results may be converted upwards or within a kind.
int kind_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_BOOL:
      return 0;
    case ACL_FLOAT:
    case ACL_FLOAT16:
      return 2;
    default:
      return 1;
  }
}

/// Refuses where the last axes of gradOutput are not `size`.
void check_size(const Check& check, const TensorArgument& grad_output, const IntArrayIn& size) {
  const std::size_t axes = size.values().size();
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t extent = grad_output.shape()[grad_output.rank() - axes + i];
    check.that(extent == size.values()[i], "gradOutput has shape %s, outputSize has %lld at %zu",
               grad_output.shape().text().c_str(), static_cast<long long>(size.values()[i]), i);
  }
}

/// Refuses where the axes before the last `axes` differ.
void check_channels(const Check& check, const TensorArgument& grad_output,
                    const TensorArgument& self, std::size_t axes) {
  for (std::size_t i = 0; i + axes < self.rank(); ++i)
    check.that(grad_output.shape()[i] == self.shape()[i],
               "gradOutput has shape %s, self has %s: they differ in batch or channels",
               grad_output.shape().text().c_str(), self.shape().text().c_str());
}

void check_rank(const Check& check, const TensorArgument& self, std::size_t axes) {
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
}

void check_three(const Check& check, const IntArrayIn& array) {
  check.that(array.values().size() == 3, "%s has %zu entries, it takes 3", array.name(),
             array.values().size());
}

}  // namespace

// out[i] = gradOutput[indices[i]] in every channel.
OPERATOR(MaxUnpool2dBackward, (In, gradOutput), (In, self), (In, indices), (IntArrayIn, outputSize),
         (Out, out)) {
  check.not_null(gradOutput, self, indices, outputSize, out);
  check.dtype_in(
      {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_BOOL},
      gradOutput, self, out);
  check.that(kind_of(gradOutput.dtype()) <= kind_of(out.dtype()),
             "gradOutput cannot be converted to the type of out");
  check.same_dtype(self, gradOutput);
  check.dtype_in({ACL_INT64, ACL_INT32}, indices);
  check_rank(check, self, 2);
  check.that(gradOutput.rank() == self.rank(), "gradOutput has %zu dimensions, self has %zu",
             gradOutput.rank(), self.rank());
  check_channels(check, gradOutput, self, 2);
  check.same_shape(self, indices, out);
  check.that(outputSize.values().size() == 2, "outputSize has %zu entries, it takes 2",
             outputSize.values().size());
  check_size(check, gradOutput, outputSize);
  check.that(!gradOutput.is_empty() || self.is_empty(), "gradOutput is empty, self is not");
  if (self.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(indices).contiguous();
  plan.result(gradOutput.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_gather(plan, gradOutput, indices, out, 2);
}

// out[i] = gradOutput[indices[i]] in every channel.
OPERATOR(MaxUnpool3dBackward, (In, gradOutput), (In, self), (In, indices), (IntArrayIn, outputSize),
         (IntArrayIn, stride), (IntArrayIn, padding), (Out, out)) {
  check.not_null(gradOutput, self, indices, outputSize, stride, padding, out);
  check.that(out.meta().is_contiguous(), "out is not contiguous");
  check.dtype_in(
      {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_DOUBLE},
      gradOutput, self, out);
  check.same_dtype(gradOutput, self, out);
  check.dtype_in({ACL_INT64}, indices);
  check_rank(check, self, 3);
  check.same_shape(self, indices, out);
  for (std::size_t i = 1; i < self.rank(); ++i)
    check.that(self.shape()[i] > 0, "self has shape %s: only the first extent may be 0",
               self.shape().text().c_str());
  check_three(check, outputSize);
  check_three(check, stride);
  check_three(check, padding);
  check_at_least(check, stride, 1);
  check_at_least(check, outputSize, 1);
  double places = 1;
  double taken = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    places *= double(outputSize.values()[i]);
    taken *= double(self.shape()[self.rank() - 3 + i]);
  }
  check.that(places >= taken, "outputSize has room for %.0f elements, a volume of self has %.0f",
             places, taken);
  check.that(gradOutput.rank() == self.rank(), "gradOutput has %zu dimensions, self has %zu",
             gradOutput.rank(), self.rank());
  check_size(check, gradOutput, outputSize);
  check_channels(check, gradOutput, self, 3);
  if (gradOutput.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(indices).contiguous();
  plan.result(gradOutput.dtype(), out.shape()).copy_to(out);
  launch_gather(plan, gradOutput, indices, out, 3);
}
