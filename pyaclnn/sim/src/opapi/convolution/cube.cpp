// SPDX-License-Identifier: MIT
#include "core/release.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/convolution/convolution.hpp"

namespace pyaclnn::sim {

namespace {

// The values of cubeMathType.
constexpr std::int8_t kKeepDtype = 0;
constexpr std::int8_t kAllowDownPrecision = 1;
constexpr std::int8_t kUseFloat16 = 2;
constexpr std::int8_t kUseHfloat32 = 3;
constexpr std::int8_t kAddInFloat = 4;
constexpr std::int8_t kHighPrecision = 5;

}  // namespace

bool has_float32_cube() { return !on_first_generation(); }

void check_cube_math_type(const Check& check, std::int8_t cube_math_type, aclDataType dtype) {
  const std::int8_t last = behaves(Behaviour::kMultipliesPrecisely) ? kHighPrecision
                           : behaves(Behaviour::kHasHighPrecision)  ? kAddInFloat
                                                                    : kUseHfloat32;
  check.that(cube_math_type >= kKeepDtype && cube_math_type <= last,
             "cubeMathType is %d, it must be from 0 to %d", int(cube_math_type), int(last));
  const bool is_free = cube_math_type == kAllowDownPrecision || cube_math_type == kUseFloat16 ||
                       cube_math_type == kHighPrecision;
  check.that(has_float32_cube() || dtype != ACL_FLOAT || is_free,
             "cubeMathType is %d, the matrix unit of %s has no float32: use 1 or 2",
             int(cube_math_type), chip().name);
}

CubePrecision cube_precision(std::int8_t cube_math_type, aclDataType dtype) {
  if (dtype == ACL_FLOAT16) return CubePrecision::kKeep;
  if (cube_math_type == kUseFloat16) return CubePrecision::kFloat16;
  if (dtype == ACL_BF16) return CubePrecision::kKeep;
  if (cube_math_type == kAllowDownPrecision && !has_float32_cube()) return CubePrecision::kFloat16;
  const bool may_round = cube_math_type == kAllowDownPrecision || cube_math_type == kUseHfloat32;
  return may_round ? CubePrecision::kHfloat32 : CubePrecision::kKeep;
}

}  // namespace pyaclnn::sim
