// SPDX-License-Identifier: MIT
#include "opapi/matmul/vectors.hpp"

#include <type_traits>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/matmul/matmul.hpp"

namespace pyaclnn::sim {
namespace {

bool is_floating(aclDataType dtype) {
  return dtype == ACL_DOUBLE || dtype == ACL_FLOAT || is_16_bit_float(dtype);
}

double added(double a, double b) { return a + b; }
double multiplied(double a, double b) { return a * b; }
// Integers wrap.
std::int64_t added(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t multiplied(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

template <class T>
T factor_as(const Number& number, aclDataType type) {
  if constexpr (std::is_same_v<T, double>) {
    return number.value.real();
  } else {
    return type == ACL_BOOL ? std::int64_t(number.value != 0.0) : number.integer;
  }
}

/// beta * addend + alpha * matrix vector, for each row.
struct Sums {
  View matrix;  // [rows, depth]
  View vector;  // [depth]
  View addend;  // [rows], if it counts
  View out;     // [rows]
  bool has_product = true;
  bool has_addend = false;
  Number alpha{std::int64_t(1)};
  Number beta{std::int64_t(1)};
  aclDataType type = ACL_INT64;  // that products and factors have
};

/// P is what the products are computed in, T what they are added to something in.
template <class P, class T>
void run_sums(const Sums& sums, const KernelMemory& memory) {
  const std::int64_t rows = sums.out.shape[0];
  const std::int64_t depth = sums.has_product ? sums.matrix.shape[1] : 0;
  const LoadFn load = loader<P>(sums.matrix.dtype);
  const StoreFn store = storer<T>(sums.out.dtype, Rounding::kTruncate);
  std::vector<P> right(static_cast<std::size_t>(depth));
  if (depth > 0)
    loader<P>(sums.vector.dtype)(first_element(memory, sums.vector), sums.vector.strides[0], depth,
                                 right.data());
  const T alpha = factor_as<T>(sums.alpha, sums.type);
  const T beta = factor_as<T>(sums.beta, sums.type);
  parallel_for(rows, 64, [&](std::int64_t begin, std::int64_t end) {
    std::vector<P> left(static_cast<std::size_t>(depth));
    for (std::int64_t i = begin; i < end; ++i) {
      P product(0);
      if (depth > 0) {
        load(first_element(memory, sums.matrix, i * sums.matrix.strides[0]), sums.matrix.strides[1],
             depth, left.data());
        for (std::int64_t k = 0; k < depth; ++k)
          product = added(product, multiplied(left[std::size_t(k)], right[std::size_t(k)]));
      }
      T result = sums.has_product ? multiplied(alpha, static_cast<T>(product)) : T(0);
      if (sums.has_addend) {
        T addend;
        loader<T>(sums.addend.dtype)(first_element(memory, sums.addend, i * sums.addend.strides[0]),
                                     1, 1, &addend);
        result = added(result, multiplied(beta, addend));
      }
      store(&result, 1, first_element(memory, sums.out, i * sums.out.strides[0]), 1);
    }
  });
}

void launch_sums(Plan& plan, const Sums& sums, bool floating_products, bool floating_sums) {
  plan.launch([=](const KernelMemory& memory) {
    if (floating_products) {
      run_sums<double, double>(sums, memory);
    } else if (floating_sums) {
      run_sums<std::int64_t, double>(sums, memory);
    } else {
      run_sums<std::int64_t, std::int64_t>(sums, memory);
    }
  });
}

/// A vector as a matrix of one row.
View as_row(View view) {
  view.shape = Dims{1, view.shape[0]};
  view.strides = Dims{0, view.strides[0]};
  return view;
}

View as_vector(View view) {
  view.shape = Dims{1};
  view.strides = Dims{0};
  return view;
}

}  // namespace

bool is_cube_type(aclDataType dtype) { return dtype == ACL_FLOAT || is_16_bit_float(dtype); }

void dot(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& out) {
  // It is no product of the cube unit, which lacks float32 on older chips.
  const bool floats = a.dtype() == ACL_FLOAT && !chip().has_bf16();
  if (is_cube_type(a.dtype()) && !floats) return matmul(plan, a, b, out, 0);
  plan.stage(a).contiguous();
  plan.stage(b).contiguous();
  plan.result(a.dtype(), out.shape()).copy_to(out);
  Sums sums;
  sums.matrix = as_row(plan.reads(a));
  sums.vector = plan.reads(b);
  sums.out = as_vector(plan.writes(out));
  sums.type = a.dtype();
  launch_sums(plan, sums, floats, floats);
}

aclDataType addmv_type(const Check& check, const TensorArgument& added,
                       const TensorArgument& matrix, const TensorArgument& vector,
                       const ScalarIn& alpha, const ScalarIn& beta) {
  const auto in_common = [&](aclDataType a, aclDataType b) {
    const aclDataType type = promote(a, b);
    check.that(type != ACL_DT_UNDEFINED, "%s and %s have no element type in common", dtype_name(a),
               dtype_name(b));
    return type;
  };
  aclDataType product = in_common(matrix.dtype(), vector.dtype());
  if (!is_nearly(Number(alpha), 1)) product = in_common(alpha->dtype(), product);
  aclDataType addend = added.dtype();
  if (!is_nearly(Number(beta), 1)) addend = in_common(beta->dtype(), addend);
  return in_common(addend, product);
}

void addmv(Plan& plan, const TensorArgument& added, const TensorArgument& matrix,
           const TensorArgument& vector, Number alpha, Number beta, aclDataType type,
           const TensorArgument& out, std::int8_t cube_math_type) {
  const aclDataType product = promote(matrix.dtype(), vector.dtype());
  const bool has_product = !is_nearly(alpha, 0) && !matrix.is_empty() && !vector.is_empty();
  const bool has_addend = !has_product || !is_nearly(beta, 0);
  if (has_product && is_cube_type(product))
    return addmm(plan, added, matrix, vector, beta, alpha, out, cube_math_type, Sum::kOfRounded);
  if (has_product) {
    plan.stage(matrix).contiguous().cast_to(product);
    plan.stage(vector).contiguous().cast_to(product);
    plan.reserve(matrix.elements(), product);
  }
  if (has_addend) plan.stage(added).contiguous();
  plan.result(type, out.shape()).cast_to(out.dtype()).copy_to(out);
  Sums sums;
  sums.has_product = has_product;
  sums.has_addend = has_addend;
  if (has_product) {
    sums.matrix = plan.reads(matrix);
    sums.vector = plan.reads(vector);
  }
  if (has_addend) sums.addend = broadcast_view(plan.reads(added), out.shape());
  sums.out = plan.writes(out);
  sums.alpha = alpha;
  sums.beta = beta;
  sums.type = type;
  launch_sums(plan, sums, is_floating(product), is_floating(type));
}

}  // namespace pyaclnn::sim
