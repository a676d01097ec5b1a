// SPDX-License-Identifier: MIT
#include "opapi/activation/activation.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/elementwise_cast.hpp"

namespace pyaclnn::sim {
namespace {

template <class C>
void launch_sigmoid_grad(Plan& plan, const TensorArgument& out, const TensorArgument& grad,
                         const TensorArgument& y) {
  elementwise<C>(plan, out, [](C g, C value) { return g * (1 - value) * value; }, grad, y);
}

}  // namespace

void sigmoid_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& output,
                      aclDataType dtype, const TensorArgument& grad_input) {
  if (dtype == ACL_COMPLEX64) {
    launch_sigmoid_grad<Complex<float>>(plan, grad_input, grad, output);
  } else if (dtype == ACL_COMPLEX128) {
    launch_sigmoid_grad<Complex<double>>(plan, grad_input, grad, output);
  } else if (dtype == ACL_DOUBLE) {
    launch_sigmoid_grad<double>(plan, grad_input, grad, output);
  } else {
    elementwise_cast(
        plan, grad_input, dtype, [](float g, float y) { return g * (1.0f - y) * y; }, grad, output);
  }
}

}  // namespace pyaclnn::sim
