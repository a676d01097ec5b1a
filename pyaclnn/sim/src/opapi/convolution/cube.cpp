// SPDX-License-Identifier: MIT
#include "opapi/convolution/convolution.hpp"

namespace pyaclnn::sim {

namespace {

// The values of cubeMathType.
constexpr std::int8_t kKeepDtype = 0;
constexpr std::int8_t kAllowDownPrecision = 1;
constexpr std::int8_t kUseFloat16 = 2;
constexpr std::int8_t kUseHfloat32 = 3;

}  // namespace

bool has_float32_cube() {
  return config().soc != Soc::kAscend910 && config().soc != Soc::kAscend310P;
}

void check_cube_math_type(const Check& check, std::int8_t cube_math_type, aclDataType dtype) {
  check.that(cube_math_type >= kKeepDtype && cube_math_type <= kUseHfloat32,
             "cubeMathType is %d, it must be 0, 1, 2 or 3", int(cube_math_type));
  check.that(cube_math_type != kUseFloat16 || dtype != ACL_BF16,
             "cubeMathType is 2, bfloat16 is not computed in float16: use 0");
  check.that(has_float32_cube() || dtype != ACL_FLOAT ||
                 (cube_math_type != kKeepDtype && cube_math_type != kUseHfloat32),
             "cubeMathType is %d, the matrix unit of %s has no float32: use 1 or 2",
             int(cube_math_type), config().soc_name.c_str());
}

CubePrecision cube_precision(std::int8_t cube_math_type, aclDataType dtype) {
  if (dtype != ACL_FLOAT || cube_math_type == kKeepDtype) return CubePrecision::kKeep;
  if (cube_math_type == kUseFloat16) return CubePrecision::kFloat16;
  const bool is_half = cube_math_type == kAllowDownPrecision && !has_float32_cube();
  return is_half ? CubePrecision::kFloat16 : CubePrecision::kHfloat32;
}

}  // namespace pyaclnn::sim
