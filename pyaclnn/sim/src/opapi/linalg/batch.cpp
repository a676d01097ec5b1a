// SPDX-License-Identifier: MIT
#include "opapi/linalg/batch.hpp"

#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"

namespace pyaclnn::sim {
namespace {

// std::complex is two numbers behind one another, as Complex is.
LoadFn loader_of(const double*, aclDataType dtype) { return loader<double>(dtype); }
LoadFn loader_of(const Complex128*, aclDataType dtype) { return loader<Complex<double>>(dtype); }
StoreFn storer_of(const double*, aclDataType dtype) {
  return storer<double>(dtype, Rounding::kTruncate);
}
StoreFn storer_of(const Complex128*, aclDataType dtype) {
  return storer<Complex<double>>(dtype, Rounding::kTruncate);
}

}  // namespace

Dims batch_of(const Dims& shape) {
  Dims batch;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) batch.push_back(shape[i]);
  return batch;
}

MatrixBatch::MatrixBatch(const View& view, const Dims& batch) : view_(view), batch_(batch) {
  const std::size_t own = view.shape.size() - 2;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::size_t missing = batch.size() - own;
    const bool repeats = i < missing || view.shape[i - missing] == 1;
    steps_.push_back(repeats ? 0 : view.strides[i - missing]);
  }
}

std::int64_t MatrixBatch::at(std::int64_t index) const {
  std::int64_t offset = 0;
  for (std::size_t i = batch_.size(); i-- > 0; index /= batch_[i])
    offset += index % batch_[i] * steps_[i];
  return offset;
}

template <class T>
Dense<T> MatrixBatch::read(const KernelMemory& memory, std::int64_t index) const {
  const std::size_t rank = view_.shape.size();
  Dense<T> result(view_.shape[rank - 2], view_.shape[rank - 1]);
  const LoadFn load = loader_of(static_cast<const T*>(nullptr), view_.dtype);
  for (std::int64_t i = 0; i < result.rows(); ++i)
    load(first_element(memory, view_, at(index) + i * view_.strides[rank - 2]),
         view_.strides[rank - 1], result.columns(), result.row(i));
  return result;
}

template <class T>
void MatrixBatch::write(const KernelMemory& memory, std::int64_t index,
                        const Dense<T>& matrix) const {
  const std::size_t rank = view_.shape.size();
  const StoreFn store = storer_of(static_cast<const T*>(nullptr), view_.dtype);
  for (std::int64_t i = 0; i < view_.shape[rank - 2]; ++i)
    store(matrix.row(i), view_.shape[rank - 1],
          first_element(memory, view_, at(index) + i * view_.strides[rank - 2]),
          view_.strides[rank - 1]);
}

template Dense<double> MatrixBatch::read(const KernelMemory&, std::int64_t) const;
template Dense<Complex128> MatrixBatch::read(const KernelMemory&, std::int64_t) const;
template void MatrixBatch::write(const KernelMemory&, std::int64_t, const Dense<double>&) const;
template void MatrixBatch::write(const KernelMemory&, std::int64_t, const Dense<Complex128>&) const;

}  // namespace pyaclnn::sim
