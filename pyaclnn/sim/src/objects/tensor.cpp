// SPDX-License-Identifier: MIT
#include "objects/tensor.hpp"

#include <limits>

namespace pyaclnn::sim {
namespace {

bool is_private(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_NC1HWC0:
    case ACL_FORMAT_FRACTAL_Z:
    case ACL_FORMAT_NC1HWC0_C04:
    case ACL_FORMAT_NDC1HWC0:
    case ACL_FRACTAL_Z_3D:
    case ACL_FORMAT_FRACTAL_NZ:
    case ACL_FORMAT_FRACTAL_NZ_C0_2:
    case ACL_FORMAT_FRACTAL_NZ_C0_4:
    case ACL_FORMAT_FRACTAL_NZ_C0_8:
    case ACL_FORMAT_FRACTAL_NZ_C0_16:
    case ACL_FORMAT_FRACTAL_NZ_C0_32:
      return true;
    default:
      return false;
  }
}

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? std::numeric_limits<std::int64_t>::max()
                            : std::numeric_limits<std::int64_t>::min();
}

template <class T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_dims(std::string& key, const Dims& dims) {
  append(key, dims.size());
  for (std::int64_t value : dims) append(key, value);
}

}  // namespace

void TensorMeta::write_key() {
  key.clear();
  append_dims(key, shape);
  append_dims(key, strides);
  append_dims(key, storage_shape);
  append(key, offset);
  append(key, dtype);
  append(key, format);
}

bool TensorMeta::is_contiguous() const {
  if (is_private(format)) return true;
  const std::int64_t count = elements();
  if (count == 0 || count == 1) return true;
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected = multiply(expected, shape[i]);
  }
  return true;
}

Reach reach_of(const TensorMeta& meta) {
  Reach reach;
  const std::int64_t count = meta.elements();
  if (count <= 0) return reach;
  reach.first = reach.last = meta.offset;
  if (is_private(meta.format)) {
    reach.last = add(meta.offset, count - 1);
    return reach;
  }
  for (std::size_t i = 0; i < meta.shape.size(); ++i) {
    const std::int64_t step = multiply(meta.shape[i] - 1, meta.strides[i]);
    std::int64_t& end = step < 0 ? reach.first : reach.last;
    end = add(end, step);
  }
  return reach;
}

HandleTable<Tensor>& tensors() {
  static HandleTable<Tensor>& table = *new HandleTable<Tensor>(HandleType::kTensor);
  return table;
}

}  // namespace pyaclnn::sim
