// aclScalar: one number, copied at creation, read in the first phase of an operator.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"
#include "core/export.hpp"

namespace pyaclnn::sim {

template <class T>
class HandleTable;

class Scalar {
 public:
  /// Copies the value of `dtype` at `value`. `dtype` must be supported().
  SIM_API Scalar(const void* value, aclDataType dtype);

  /// Whether a scalar of this type can be made; strings, int4 and complex32 cannot.
  SIM_API static bool supported(aclDataType dtype);

  aclDataType dtype() const { return dtype_; }
  /// The value's bytes in its own type, zero-padded.
  const std::array<std::byte, 16>& bytes() const { return bytes_; }

  /// Of a complex number its real part.
  SIM_API double to_double() const;
  SIM_API double imaginary() const;
  float to_float() const { return static_cast<float>(to_double()); }
  /// Truncates towards zero; saturates where the value does not fit, NaN is 0.
  SIM_API std::int64_t to_int() const;
  /// Floating point values are true from FLT_EPSILON on, as in CANN: 1e-8 is false.
  SIM_API bool to_bool() const;

 private:
  template <class T>
  T as() const;

  std::array<std::byte, 16> bytes_{};
  aclDataType dtype_;
};

SIM_API HandleTable<Scalar>& scalars();

}  // namespace pyaclnn::sim
