// SPDX-License-Identifier: MIT
#include "opapi/common/round_stored.hpp"

#include <algorithm>
#include <cstddef>

#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

void round_as_stored(float* values, std::int64_t count, aclDataType dtype) {
  if (!is_16_bit_float(dtype)) return;
  constexpr std::int64_t kBlock = 1024;
  alignas(64) std::byte rounded[kBlock * sizeof(std::uint16_t)];
  const StoreFn store = storer<float>(dtype, Rounding::kNearestEven);
  const LoadFn load = loader<float>(dtype);
  for (; count > 0; values += kBlock, count -= kBlock) {
    store(values, std::min(count, kBlock), rounded, 1);
    load(rounded, 1, std::min(count, kBlock), values);
  }
}

}  // namespace pyaclnn::sim
