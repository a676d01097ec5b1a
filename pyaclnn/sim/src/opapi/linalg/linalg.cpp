// SPDX-License-Identifier: MIT
#include "opapi/linalg/linalg.hpp"

#include <algorithm>

#include "core/thread_pool.hpp"
#include "opapi/linalg/batch.hpp"
#include "opapi/linalg/lu.hpp"
#include "opapi/linalg/triangular.hpp"

namespace pyaclnn::sim {
namespace {

/// Plans `body(number, memory, index)` for each matrix of a batch; number is a double or a
/// Complex128, whichever holds elements of this type.
template <class Body>
void for_each_matrix(Plan& plan, aclDataType dtype, const Dims& batch, Body body) {
  plan.launch([dtype, count = batch.product(), body](const KernelMemory& memory) {
    parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        if (is_complex(dtype)) {
          body(Complex128(), memory, i);
        } else {
          body(double(), memory, i);
        }
      }
    });
  });
}

template <class T>
Dense<T> transposed(const Dense<T>& matrix) {
  Dense<T> result(matrix.columns(), matrix.rows());
  for (std::int64_t i = 0; i < matrix.rows(); ++i)
    for (std::int64_t j = 0; j < matrix.columns(); ++j) result(j, i) = matrix(i, j);
  return result;
}

}  // namespace

void check_equations(const Check& check, const TensorArgument& b, const TensorArgument& a,
                     const TensorArgument& x, const TensorArgument& copy) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  const std::int64_t equations = a.shape().back();
  check.that(b.shape()[b.rank() - 2] == equations,
             "%s of shape %s and %s of shape %s: there must be as many rows as equations", b.name(),
             b.shape().text().c_str(), a.name(), a.shape().text().c_str());
  Dims batch;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    const std::int64_t one = i + a.rank() < rank ? 1 : a.shape()[i + a.rank() - rank];
    const std::int64_t other = i + b.rank() < rank ? 1 : b.shape()[i + b.rank() - rank];
    check.that(one == other || one == 1 || other == 1,
               "the batches of %s %s and %s %s do not broadcast", b.name(),
               b.shape().text().c_str(), a.name(), a.shape().text().c_str());
    batch.push_back(one == 1 ? other : one);
  }
  batch.push_back(equations);
  Dims shape = batch;
  shape.push_back(b.shape().back());
  check.shape_is(x, shape, "the solution");
  batch.push_back(equations);
  if (copy.given()) check.shape_is(copy, batch, "the broadcast matrices");
}

void triangular_solve(Plan& plan, const TensorArgument& b, const TensorArgument& a,
                      Triangle triangle, const TensorArgument& x, const TensorArgument& copy) {
  plan.stage(b).contiguous().broadcast_to(x.shape());
  if (copy.given()) {
    plan.stage(a).contiguous().broadcast_to(copy.shape());
  } else {
    plan.stage(a).contiguous();
  }
  plan.result(b.dtype(), x.shape()).copy_to(x);
  const Dims batch = batch_of(x.shape());
  const MatrixBatch matrices(plan.reads(a), batch);
  const MatrixBatch right(plan.reads(b), batch);
  const MatrixBatch solution(plan.writes(x), batch);
  const MatrixBatch copies = copy.given() ? MatrixBatch(plan.writes(copy), batch) : MatrixBatch();
  for_each_matrix(
      plan, b.dtype(), batch,
      [=, copied = copy.given()](auto number, const KernelMemory& memory, std::int64_t index) {
        using T = decltype(number);
        Dense<T> matrix = matrices.read<T>(memory, index);
        Dense<T> values = right.read<T>(memory, index);
        if (copied) copies.write(memory, index, matrix);
        const bool lower = triangle.upper == triangle.transpose;
        if (triangle.transpose) matrix = transposed(matrix);
        (lower ? solve_lower<T> : solve_upper<T>)(matrix, triangle.unit, values);
        solution.write(memory, index, values);
      });
}

void invert(Plan& plan, const TensorArgument& a, const TensorArgument& out) {
  const aclDataType type = a.dtype() == ACL_FLOAT16 ? ACL_FLOAT : a.dtype();
  plan.stage(a).contiguous().cast_to(type);
  plan.result(type, out.shape()).cast_to(out.dtype()).copy_to(out);
  const Dims batch = batch_of(out.shape());
  const MatrixBatch from(plan.reads(a), batch);
  const MatrixBatch to(plan.writes(out), batch);
  for_each_matrix(plan, type, batch,
                  [=](auto number, const KernelMemory& memory, std::int64_t index) {
                    using T = decltype(number);
                    to.write(memory, index, inverse(factor_lu(from.read<T>(memory, index))));
                  });
}

}  // namespace pyaclnn::sim
