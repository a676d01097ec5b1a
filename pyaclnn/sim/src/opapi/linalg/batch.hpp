// Matrices in a batch: the last two axes of an operand, any strides and element type.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"
#include "opapi/linalg/dense.hpp"

namespace pyaclnn::sim {

class MatrixBatch {
 public:
  MatrixBatch() = default;
  /// `view` has at least two axes. Leading axes of extent 1 and missing ones repeat over `batch`.
  MatrixBatch(const View& view, const Dims& batch);

  /// T is double for real and Complex128 for complex element types, or any of the two for real.
  template <class T>
  Dense<T> read(const KernelMemory& memory, std::int64_t index) const;
  /// Writes the first rows and columns of a matrix, as many as there are.
  template <class T>
  void write(const KernelMemory& memory, std::int64_t index, const Dense<T>& matrix) const;

 private:
  std::int64_t at(std::int64_t index) const;

  View view_;
  Dims batch_;
  Dims steps_;
};

/// All axes but the last two.
Dims batch_of(const Dims& shape);

/// Whether numbers of this type have an imaginary part.
inline bool is_complex(aclDataType dtype) {
  return dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128;
}

}  // namespace pyaclnn::sim
