// SPDX-License-Identifier: MIT
#include "opapi/common/words.hpp"

#include <cstddef>
#include <cstdint>

#include "opapi/common/blocks.hpp"

namespace pyaclnn::sim {

TensorMeta numbers_of_words(const Check& check, const TensorArgument& tensor, aclDataType numbers) {
  constexpr std::int64_t kInWord = 8, kMost = std::int64_t(1) << 56;
  TensorMeta meta = tensor.meta();
  check.that(tensor.rank() >= 1, "%s has no dimensions", tensor.name());
  const std::size_t axis = tensor.rank() - (tensor.rank() >= 2 && is_turned(tensor) ? 2 : 1);
  const auto times = [&](std::int64_t value) {
    check.that(value > -kMost && value < kMost, "%s has shape %s", tensor.name(),
               tensor.shape().text().c_str());
    return value * kInWord;
  };
  check.that(meta.strides[axis] == 1 || meta.shape[axis] <= 1,
             "%s has numbers of 4 bits whose words do not lie behind one another", tensor.name());
  meta.shape.set(axis, times(meta.shape[axis]));
  for (std::size_t i = 0; i < meta.strides.size(); ++i)
    meta.strides.set(i, i == axis ? 1 : times(meta.strides[i]));
  meta.offset = times(meta.offset);
  if (!meta.storage_shape.empty()) {
    const std::size_t last = meta.storage_shape.size() - 1;
    meta.storage_shape.set(last, times(meta.storage_shape[last]));
  }
  meta.dtype = numbers;
  return meta;
}

bool has_whole_bytes(const TensorArgument& matrix) {
  return matrix.rank() == 2 && matrix.shape()[1] % 2 == 0 && matrix.meta().offset % 2 == 0 &&
         matrix.meta().is_contiguous();
}

TensorMeta bytes_of_numbers(const TensorArgument& matrix) {
  TensorMeta bytes = matrix.meta();
  const std::int64_t count = matrix.shape()[1] / 2;
  bytes.dtype = ACL_UINT8;
  bytes.offset /= 2;
  bytes.shape.set(1, count);
  bytes.strides = Dims{count, 1};
  bytes.write_key();
  return bytes;
}

}  // namespace pyaclnn::sim
