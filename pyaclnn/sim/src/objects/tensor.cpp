// SPDX-License-Identifier: MIT
#include "objects/tensor.hpp"

#include "core/checked.hpp"
#include "objects/formats.hpp"

namespace pyaclnn::sim {
namespace {

bool is_private(aclFormat format) { return kPrivateFormats.contains(format); }

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
  Checked<std::int64_t> expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected = expected * shape[i];
  }
  return true;
}

Reach reach_of(const TensorMeta& meta) {
  const std::int64_t count = meta.elements();
  if (count <= 0) return {};
  Checked<std::int64_t> first = meta.offset;
  Checked<std::int64_t> last = meta.offset;
  if (is_private(meta.format)) {
    last = last + (count - 1);
    return {first.saturated(), last.saturated()};
  }
  for (std::size_t i = 0; i < meta.shape.size(); ++i) {
    const auto step = (Checked(meta.shape[i]) - 1) * meta.strides[i];
    Checked<std::int64_t>& end = step.saturated() < 0 ? first : last;
    end = end + step;
  }
  return {first.saturated(), last.saturated()};
}

HandleTable<Tensor>& tensors() {
  static HandleTable<Tensor>& table = *new HandleTable<Tensor>(HandleType::kTensor);
  return table;
}

}  // namespace pyaclnn::sim
