// SPDX-License-Identifier: MIT
#include "objects/scalar.hpp"

#include <cfloat>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "core/handle_table.hpp"
#include "objects/dtype.hpp"
#include "objects/half.hpp"

namespace pyaclnn::sim {

bool Scalar::supported(aclDataType dtype) {
  switch (dtype) {
    case ACL_STRING:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_COMPLEX32:
      return false;
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2:
      return true;
    default:
      return dtype_size(dtype) != 0;
  }
}

Scalar::Scalar(const void* value, aclDataType dtype) : dtype_(dtype) {
  // The narrow floats without whole bytes travel in one byte.
  const std::size_t size = dtype_size(dtype);
  std::memcpy(bytes_.data(), value, size != 0 ? size : 1);
}

template <class T>
T Scalar::as() const {
  T value;
  std::memcpy(&value, bytes_.data(), sizeof value);
  return value;
}

double Scalar::to_double() const {
  switch (dtype_) {
    case ACL_FLOAT:
      return as<float>();
    case ACL_FLOAT16:
      return half_to_float(as<std::uint16_t>());
    case ACL_BF16:
      return bfloat16_to_float(as<std::uint16_t>());
    case ACL_DOUBLE:
      return as<double>();
    case ACL_COMPLEX64:
      return as<std::complex<float>>().real();
    case ACL_COMPLEX128:
      return as<std::complex<double>>().real();
    case ACL_UINT64:
      return static_cast<double>(as<std::uint64_t>());
    default:
      return static_cast<double>(to_int());
  }
}

double Scalar::imaginary() const {
  if (dtype_ == ACL_COMPLEX64) return double(as<std::complex<float>>().imag());
  if (dtype_ == ACL_COMPLEX128) return as<std::complex<double>>().imag();
  return 0;
}

std::int64_t Scalar::to_int() const {
  switch (dtype_) {
    case ACL_INT8:
      return as<std::int8_t>();
    case ACL_INT16:
    case ACL_UINT16:  // CANN reads uint16 through int16
      return as<std::int16_t>();
    case ACL_INT32:
      return as<std::int32_t>();
    case ACL_INT64:
      return as<std::int64_t>();
    case ACL_UINT32:
      return as<std::uint32_t>();
    case ACL_UINT64:
      return static_cast<std::int64_t>(as<std::uint64_t>());
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
    case ACL_COMPLEX128: {
      const double value = to_double();
      if (std::isnan(value)) return 0;
      if (value >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
      if (value < -0x1p63) return std::numeric_limits<std::int64_t>::min();
      return static_cast<std::int64_t>(value);
    }
    case ACL_BOOL:
      return as<std::uint8_t>() != 0;
    default:  // uint8, and the bits of the 8-bit floats, which no operator here reads
      return as<std::uint8_t>();
  }
}

bool Scalar::to_bool() const {
  if (is_integral(dtype_)) return to_int() != 0;
  return !(std::fabs(to_double()) < FLT_EPSILON && std::fabs(imaginary()) < FLT_EPSILON);
}

HandleTable<Scalar>& scalars() {
  static HandleTable<Scalar>& table = *new HandleTable<Scalar>(HandleType::kScalar);
  return table;
}

}  // namespace pyaclnn::sim
