// SPDX-License-Identifier: MIT
#include "opapi/common/arguments.hpp"

#include <algorithm>
#include <cstring>

namespace pyaclnn::sim {

void ArgumentReader::begin(const char* api) {
  lookup_ = &tensor_lookup();
  operands_.clear();
  kept_.clear();
  names_.clear();
  made_names_.clear();
  addresses_.clear();
  key_.assign(api).push_back('\0');
}

ArgumentReader::BoundIndex ArgumentReader::tensor(const aclTensor* handle, const char* name) {
  const std::size_t index = operands_.size();
  names_.push_back(name);
  operands_.push_back(handle);
  if (handle == nullptr) {
    addresses_.push_back(nullptr);
    key_bytes("-", 1);
    return {index, nullptr};
  }
  TensorLookup::Found found = lookup_->find(handle);
  if (found.tensor == nullptr) detail::refuse_handle(handle, HandleType::kTensor, kStaleHandle);
  if (index >= TensorLookup::kKept) {
    const auto& [tensor, meta] = kept_.emplace_back(get(tensors(), handle), nullptr);
    kept_.back().second = tensor->meta();
    found = {tensor.get(), meta.get()};
  }
  key_bytes("T", 1);
  key_bytes(found.meta->key.data(), found.meta->key.size());
  // Which earlier tensor shares the memory, not where it is.
  void* address = found.tensor->address();
  key_value(std::find(addresses_.begin(), addresses_.end(), address) - addresses_.begin());
  addresses_.push_back(address);
  return {index, found.meta};
}

std::shared_ptr<const Scalar> ArgumentReader::scalar(const aclScalar* handle) {
  if (handle == nullptr) {
    key_bytes("-", 1);
    return nullptr;
  }
  std::shared_ptr<const Scalar> scalar = get(scalars(), handle);
  key_bytes("S", 1);
  key_value(scalar->dtype());
  key_value(scalar->bytes());
  return scalar;
}

std::shared_ptr<const TensorList> ArgumentReader::tensor_list(const aclTensorList* handle) {
  if (handle == nullptr) {
    key_bytes("-", 1);
    return nullptr;
  }
  std::shared_ptr<const TensorList> list = get(tensor_lists(), handle);
  key_bytes("L", 1);
  key_value(list->handles.size());
  return list;
}

TensorListIn TensorListIn::read(ArgumentReader& reader, C handle, const char* name) {
  const std::shared_ptr<const TensorList> list = reader.tensor_list(handle);
  TensorListIn result{name, list != nullptr, {}};
  if (list == nullptr) return result;
  for (std::size_t i = 0; i < list->handles.size(); ++i) {
    const char* element = reader.keep(std::string(name) + "[" + std::to_string(i) + "]");
    result.tensors.emplace_back(
        element, reader.tensor(static_cast<const aclTensor*>(list->handles[i]), element));
  }
  return result;
}

Text Text::read(ArgumentReader& reader, const char* text, const char* name) {
  reader.key_bytes(text == nullptr ? "-" : "C", 1);
  if (text == nullptr) return {"", false, name};
  reader.key_bytes(text, std::strlen(text) + 1);
  return {text, true, name};
}

}  // namespace pyaclnn::sim
