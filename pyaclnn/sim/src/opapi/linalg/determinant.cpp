// SPDX-License-Identifier: MIT
#include "opapi/linalg/determinant.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "core/thread_pool.hpp"
#include "opapi/linalg/batch.hpp"
#include "opapi/linalg/lu.hpp"

namespace pyaclnn::sim {
namespace {

double sign_of(double pivot) { return pivot < 0 ? -1.0 : 1.0; }
Complex128 sign_of(Complex128 pivot) { return pivot / std::abs(pivot); }

template <class T>
struct Determinant {
  T sign;
  double log = 0;  // of its magnitude
};

template <class T>
Determinant<T> determinant_of(Dense<T> matrix) {
  const LuFactors<T> factors = factor_lu(std::move(matrix));
  if (factors.singular) return {T(0), -std::numeric_limits<double>::infinity()};
  Determinant<T> result{T(factors.sign)};
  for (std::int64_t i = 0; i < factors.lu.rows(); ++i) {
    const T pivot = factors.lu(i, i);
    result.sign *= sign_of(pivot);
    result.log += std::log(std::abs(pivot));
  }
  return result;
}

/// An output of one number for each matrix, as matrices of one element.
class Numbers {
 public:
  explicit Numbers(View view) : dtype_(view.dtype) {
    const Dims batch = view.shape;
    for (int i = 0; i < 2; ++i) {
      view.shape.push_back(1);
      view.strides.push_back(0);
    }
    to_ = MatrixBatch(view, batch);
  }

  template <class T>
  void put(const KernelMemory& memory, std::int64_t index, T number) const {
    if (is_complex(dtype_)) return store(memory, index, Complex128(number));
    store(memory, index, std::real(number));
  }

 private:
  template <class T>
  void store(const KernelMemory& memory, std::int64_t index, T number) const {
    Dense<T> one(1, 1);
    one(0, 0) = number;
    to_.write(memory, index, one);
  }

  aclDataType dtype_;
  MatrixBatch to_;
};

/// Plans `body(determinant, memory, index)` for each matrix.
template <class Body>
void for_each_determinant(Plan& plan, const TensorArgument& matrices, Body body) {
  plan.stage(matrices).contiguous();
  const Dims batch = batch_of(matrices.shape());
  const MatrixBatch from(plan.reads(matrices), batch);
  plan.launch(
      [from, body, count = batch.product(), dtype = matrices.dtype()](const KernelMemory& memory) {
        parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) {
            if (is_complex(dtype)) {
              body(determinant_of(from.read<Complex128>(memory, i)), memory, i);
            } else {
              body(determinant_of(from.read<double>(memory, i)), memory, i);
            }
          }
        });
      });
}

Complex128 log_of(const Determinant<Complex128>& found) {
  if (found.sign == 0.0) return {found.log, 0};
  return {found.log, std::arg(found.sign)};
}
double log_of(const Determinant<double>& found) {
  return found.sign < 0 ? std::numeric_limits<double>::quiet_NaN() : found.log;
}

}  // namespace

void check_determinants(const Check& check, const TensorArgument& matrices,
                        const TensorArgument& out) {
  const std::size_t rank = matrices.rank();
  check.that(rank >= 2, "%s has %zu dimensions, it must have 2 or more", matrices.name(), rank);
  check.that(matrices.shape()[rank - 2] == matrices.shape()[rank - 1],
             "%s of shape %s holds matrices that are not square", matrices.name(),
             matrices.shape().text().c_str());
  check.shape_is(out, batch_of(matrices.shape()), "the batch of self");
}

void log_determinants(Plan& plan, const TensorArgument& matrices, const TensorArgument& sign,
                      const TensorArgument& log) {
  for (const TensorArgument* out : {&sign, &log})
    plan.result(matrices.dtype(), out->shape()).cast_to(out->dtype()).copy_to(*out);
  const Numbers signs(plan.writes(sign));
  const Numbers logs(plan.writes(log));
  for_each_determinant(plan, matrices,
                       [signs, logs](const auto& found, const KernelMemory& memory, auto index) {
                         signs.put(memory, index, found.sign);
                         logs.put(memory, index, found.log);
                       });
}

void log_determinants(Plan& plan, const TensorArgument& matrices, const TensorArgument& log) {
  plan.result(matrices.dtype(), log.shape()).cast_to(log.dtype()).copy_to(log);
  const Numbers logs(plan.writes(log));
  for_each_determinant(plan, matrices,
                       [logs](const auto& found, const KernelMemory& memory, auto index) {
                         logs.put(memory, index, log_of(found));
                       });
}

}  // namespace pyaclnn::sim
