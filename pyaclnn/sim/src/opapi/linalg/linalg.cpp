// SPDX-License-Identifier: MIT
#include "opapi/linalg/linalg.hpp"

#include <algorithm>
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/linalg/batch.hpp"
#include "opapi/linalg/cholesky.hpp"
#include "opapi/linalg/householder.hpp"
#include "opapi/linalg/lu.hpp"
#include "opapi/linalg/svd.hpp"
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

namespace {

Dims with_matrix(const Dims& shape, std::int64_t rows, std::int64_t columns) {
  Dims result = batch_of(shape);
  result.push_back(rows);
  result.push_back(columns);
  return result;
}

/// A view of vectors as one of matrices with one row.
View as_rows(View view) {
  Dims shape;
  Dims strides;
  for (std::size_t i = 0; i + 1 < view.shape.size(); ++i) {
    shape.push_back(view.shape[i]);
    strides.push_back(view.strides[i]);
  }
  shape.push_back(1);
  strides.push_back(0);
  shape.push_back(view.shape.back());
  strides.push_back(view.strides.back());
  view.shape = shape;
  view.strides = strides;
  return view;
}

}  // namespace

void check_qr(const Check& check, const TensorArgument& a, bool complete, bool wants_q,
              const TensorArgument& q, const TensorArgument& r) {
  const std::int64_t rows = a.shape()[a.rank() - 2];
  const std::int64_t columns = a.shape().back();
  const std::int64_t inner = complete ? rows : std::min(rows, columns);
  check.shape_is(q, wants_q ? with_matrix(a.shape(), rows, inner) : Dims{0}, "the factor");
  check.shape_is(r, with_matrix(a.shape(), inner, columns), "the factor");
}

void factor_qr(Plan& plan, const TensorArgument& a, const TensorArgument& q, bool wants_q,
               const TensorArgument& r) {
  const aclDataType type = a.dtype() == ACL_FLOAT16 ? ACL_FLOAT : a.dtype();
  plan.stage(a).contiguous().cast_to(type);
  if (wants_q) plan.result(type, q.shape()).cast_to(q.dtype()).copy_to(q);
  plan.result(type, r.shape()).cast_to(r.dtype()).copy_to(r);
  const Dims batch = batch_of(a.shape());
  const MatrixBatch from(plan.reads(a), batch);
  const MatrixBatch orthogonal = wants_q ? MatrixBatch(plan.writes(q), batch) : MatrixBatch();
  const MatrixBatch triangle(plan.writes(r), batch);
  const std::int64_t inner = r.shape()[r.rank() - 2];
  for_each_matrix(
      plan, type, batch, [=](auto number, const KernelMemory& memory, std::int64_t index) {
        const QrFactors<decltype(number)> factors(from.read<decltype(number)>(memory, index));
        if (wants_q) orthogonal.write(memory, index, factors.q(inner));
        triangle.write(memory, index, factors.r(inner));
      });
}

void factor_cholesky(Plan& plan, const TensorArgument& a, bool upper, const TensorArgument& out) {
  plan.stage(a).contiguous();
  if (!upper) plan.reserve(a.elements(), a.dtype());
  if (a.dtype() == ACL_BF16) plan.reserve(a.elements(), ACL_FLOAT);
  plan.result(a.dtype(), out.shape()).copy_to(out);
  const Dims batch = batch_of(a.shape());
  const MatrixBatch from(plan.reads(a), batch);
  const MatrixBatch to(plan.writes(out), batch);
  plan.launch([=](const KernelMemory& memory) {
    parallel_for(batch.product(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        Dense<double> matrix = from.read<double>(memory, i);
        if (upper) matrix = matrix.adjoint();
        matrix = cholesky(std::move(matrix));
        to.write(memory, i, upper ? matrix.adjoint() : matrix);
      }
    });
  });
}

void check_svd(const Check& check, const TensorArgument& a, bool full, bool wants_vectors,
               const TensorArgument& values, const TensorArgument& u, const TensorArgument& v) {
  const std::int64_t rows = a.shape()[a.rank() - 2];
  const std::int64_t columns = a.shape().back();
  const std::int64_t count = std::min(rows, columns);
  Dims shape = batch_of(a.shape());
  shape.push_back(count);
  check.shape_is(values, shape, "the singular values");
  if (!wants_vectors) return;
  check.shape_is(u, with_matrix(a.shape(), rows, full ? rows : count), "the left vectors");
  check.shape_is(v, with_matrix(a.shape(), columns, full ? columns : count), "the right vectors");
}

void factor_svd(Plan& plan, const TensorArgument& a, bool full, bool wants_vectors,
                const TensorArgument& values, const TensorArgument& u, const TensorArgument& v) {
  plan.stage(a).contiguous();
  plan.result(a.dtype(), values.shape()).copy_to(values);
  const Dims batch = batch_of(a.shape());
  const MatrixBatch from(plan.reads(a), batch);
  const MatrixBatch singular(as_rows(plan.writes(values)), batch);
  MatrixBatch left;
  MatrixBatch right;
  if (wants_vectors) {
    plan.result(a.dtype(), u.shape()).copy_to(u);
    plan.result(a.dtype(), v.shape()).copy_to(v);
    left = MatrixBatch(plan.writes(u), batch);
    right = MatrixBatch(plan.writes(v), batch);
  }
  for_each_matrix(
      plan, a.dtype(), batch, [=](auto number, const KernelMemory& memory, std::int64_t index) {
        using T = decltype(number);
        const SvdFactors<T> factors = factor_svd(from.read<T>(memory, index), full, wants_vectors);
        Dense<T> row(1, std::int64_t(factors.values.size()));
        std::copy(factors.values.begin(), factors.values.end(), row.row(0));
        singular.write(memory, index, row);
        if (!wants_vectors) return;
        left.write(memory, index, factors.u);
        right.write(memory, index, factors.v);
      });
}

}  // namespace pyaclnn::sim
