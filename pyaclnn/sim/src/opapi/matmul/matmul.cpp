// SPDX-License-Identifier: MIT
#include "opapi/matmul/matmul.hpp"

#include <algorithm>
#include <utility>

#include "opapi/common/promote.hpp"
#include "opapi/matmul/gemm.hpp"

namespace pyaclnn::sim {
namespace {

/// A vector as a matrix of one row (on the left) or one column (on the right).
View as_matrix(View view, bool left) {
  if (view.shape.size() != 1) return view;
  const std::int64_t extent = view.shape[0];
  const std::int64_t stride = view.strides[0];
  view.shape = left ? Dims{1, extent} : Dims{extent, 1};
  view.strides = left ? Dims{0, stride} : Dims{stride, 0};
  return view;
}

/// The result with the axes of extent 1 that vectors stand for.
View result_view(const View& out, bool left_is_vector, bool right_is_vector) {
  View view = out;
  Dims shape;
  Dims strides;
  const std::size_t rank = out.shape.size();
  const std::size_t kept = (left_is_vector ? 0 : 1) + (right_is_vector ? 0 : 1);
  const std::size_t batch = rank - std::min(rank, kept);
  for (std::size_t i = 0; i < batch; ++i) {
    shape.push_back(out.shape[i]);
    strides.push_back(out.strides[i]);
  }
  std::size_t next = batch;
  for (bool vector : {left_is_vector, right_is_vector}) {
    shape.push_back(vector ? 1 : out.shape[next]);
    strides.push_back(vector ? 0 : out.strides[next]);
    if (!vector) ++next;
  }
  view.shape = shape;
  view.strides = strides;
  return view;
}

aclDataType operand_type(const TensorArgument& a, const TensorArgument& b) {
  return promote(a.dtype(), b.dtype());
}

Gemm product(Plan& plan, const TensorArgument& a, const TensorArgument& b,
             const TensorArgument& out, std::int8_t cube_math_type) {
  const aclDataType type = operand_type(a, b);
  plan.stage(a).contiguous().cast_to(type);
  plan.stage(b).contiguous().cast_to(type);
  Gemm gemm;
  gemm.a = as_matrix(plan.reads(a), true);
  gemm.b = as_matrix(plan.reads(b), false);
  gemm.out = result_view(plan.writes(out), a.rank() == 1, b.rank() == 1);
  gemm.product = cube_math_type == kUseFloat16 ? ACL_FLOAT16 : type;
  set_math_type(gemm, type, cube_math_type);
  return gemm;
}

}  // namespace

Dims product_shape(const Check& check, const TensorArgument& a, const TensorArgument& b) {
  check.that(a.rank() > 0 && b.rank() > 0, "%s and %s must have at least one dimension", a.name(),
             b.name());
  const std::int64_t left = a.shape().back();
  const std::int64_t right = b.shape()[b.rank() == 1 ? 0 : b.rank() - 2];
  check.that(left == right, "%s of shape %s and %s of shape %s: the depths %lld and %lld differ",
             a.name(), a.shape().text().c_str(), b.name(), b.shape().text().c_str(),
             static_cast<long long>(left), static_cast<long long>(right));
  const std::size_t a_batch = a.rank() < 2 ? 0 : a.rank() - 2;
  const std::size_t b_batch = b.rank() < 2 ? 0 : b.rank() - 2;
  const std::size_t rank = std::max(a_batch, b_batch);
  Dims shape;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i + a_batch < rank ? 1 : a.shape()[i + a_batch - rank];
    const std::int64_t y = i + b_batch < rank ? 1 : b.shape()[i + b_batch - rank];
    check.that(x == y || x == 1 || y == 1, "the batches of %s %s and %s %s do not broadcast",
               a.name(), a.shape().text().c_str(), b.name(), b.shape().text().c_str());
    shape.push_back(x == 1 ? y : x);
  }
  if (a.rank() > 1) shape.push_back(a.shape()[a.rank() - 2]);
  if (b.rank() > 1) shape.push_back(b.shape().back());
  return shape;
}

void check_math_type(const Check& check, const TensorArgument& a, const TensorArgument& b,
                     std::int8_t cube_math_type) {
  check.that(cube_math_type >= -1 && cube_math_type <= 5,
             "cubeMathType is %d; it must be from 0 to 5", int(cube_math_type));
  const bool is_float = a.dtype() == ACL_FLOAT || b.dtype() == ACL_FLOAT;
  check.that(config().has_bf16() || !is_float || cube_math_type == kAllowDownPrecision ||
                 cube_math_type == kUseFloat16,
             "cubeMathType is %d; %s does not compute matrix products in float32",
             int(cube_math_type), config().soc_name.c_str());
}

void matmul(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& out,
            std::int8_t cube_math_type) {
  Gemm gemm = product(plan, a, b, out, cube_math_type);
  plan.result(gemm.product, out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_gemm(plan, std::move(gemm));
}

void addmm(Plan& plan, const TensorArgument& addend, const TensorArgument& a,
           const TensorArgument& b, Number beta, Number alpha, const TensorArgument& out,
           std::int8_t cube_math_type) {
  Gemm gemm = product(plan, a, b, out, cube_math_type);
  plan.stage(addend).contiguous();
  plan.result(promote(gemm.product, addend.dtype()), out.shape()).cast_to(out.dtype()).copy_to(out);
  gemm.alpha = static_cast<float>(alpha.value.real());
  gemm.beta = static_cast<float>(beta.value.real());
  gemm.addend = plan.reads(addend);
  launch_gemm(plan, std::move(gemm));
}

}  // namespace pyaclnn::sim
