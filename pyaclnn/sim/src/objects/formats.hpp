// Sets of memory formats.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

class FormatSet {
 public:
  constexpr FormatSet(std::initializer_list<int> formats) : bits_(0) {
    for (int format : formats) bits_ |= bit(format);
  }
  constexpr bool contains(int format) const { return (bits_ & bit(format)) != 0; }

 private:
  // Callers may pass any number for an enumerator; none of those is a member.
  static constexpr std::uint64_t bit(int format) {
    return format < 0 || format >= 64 ? 0 : std::uint64_t(1) << unsigned(format);
  }
  std::uint64_t bits_;
};

/// Elements in the blocks of a matrix unit, and not as shape and strides say.
constexpr FormatSet kPrivateFormats{
    ACL_FORMAT_NC1HWC0,          ACL_FORMAT_FRACTAL_Z,        ACL_FORMAT_NC1HWC0_C04,
    ACL_FORMAT_FRACTAL_NZ,       ACL_FORMAT_NDC1HWC0,         ACL_FRACTAL_Z_3D,
    ACL_FORMAT_FRACTAL_NZ_C0_16, ACL_FORMAT_FRACTAL_NZ_C0_32, ACL_FORMAT_FRACTAL_NZ_C0_2,
    ACL_FORMAT_FRACTAL_NZ_C0_4,  ACL_FORMAT_FRACTAL_NZ_C0_8};

}  // namespace pyaclnn::sim
