// SPDX-License-Identifier: MIT
#include "opapi/common/arguments.hpp"

#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/argument_reader.hpp"

namespace pyaclnn::sim {

void ArgumentReader::begin(const char* api) {
  lookup_ = &tensor_lookup();
  operands_.clear();
  kept_.clear();
  kept_objects_.clear();
  names_.clear();
  addresses_.clear();
  by_address_.clear();
  key_.assign(api).push_back('\0');
  too_deep_ = kNone;
}

ArgumentReader::BoundIndex ArgumentReader::tensor(const aclTensor* handle, const char* name) {
  const std::size_t index = operands_.size();
  names_.push_back(name);
  operands_.push_back(handle);
  if (handle == nullptr) {
    first_with(nullptr);
    key_bytes("-", 1);
    return {index, nullptr};
  }
  TensorLookup::Found found = lookup_->find(handle);
  if (found.tensor == nullptr) detail::refuse_handle(handle, HandleType::kTensor, kStaleHandle);
  if (index >= TensorLookup::kKept) {
    const auto& [tensor, meta] = kept_.emplace_back(tensors().get(handle, kStaleHandle), nullptr);
    kept_.back().second = tensor->meta();
    found = {tensor.get(), meta.get()};
  }
  if (found.meta->shape.size() > Dims::kCapacity && too_deep_ == kNone) {
    too_deep_ = index;
    its_rank_ = found.meta->shape.size();
  }
  key_bytes("T", 1);
  key_bytes(found.meta->key.data(), found.meta->key.size());
  // Which earlier tensor shares the memory, not where it is.
  key_value(first_with(found.tensor->address()));
  return {index, found.meta};
}

void ArgumentReader::require_ranks() const {
  if (too_deep_ == kNone) return;
  fail(ACLNN_ERR_PARAM_INVALID,
       "%s: %s has %zu dimensions; an aclTensor keeps %zu of them, and CANN reads what is behind",
       key_.c_str(), names_[too_deep_], its_rank_, Dims::kCapacity);
}

std::size_t ArgumentReader::first_with(void* address) {
  constexpr std::size_t kFew = 16;  // which are looked at one by one
  const std::size_t number = addresses_.size();
  addresses_.push_back(address);
  if (number < kFew)
    return std::size_t(std::find(addresses_.begin(), addresses_.end(), address) -
                       addresses_.begin());
  const auto place = [this](const void* key) -> std::uint32_t& {
    const std::size_t mask = by_address_.size() - 1;
    // Blocks begin at multiples of 512 bytes: what is above tells them apart.
    const auto bits = reinterpret_cast<std::uintptr_t>(key);
    std::size_t at = (bits ^ bits >> 9) & mask;
    while (by_address_[at] != 0 && addresses_[by_address_[at] - 1] != key) at = (at + 1) & mask;
    return by_address_[at];
  };
  if (by_address_.size() < 2 * addresses_.size()) {
    by_address_.assign(std::max<std::size_t>(8 * kFew, 4 * by_address_.size()), 0);
    for (std::size_t i = 0; i < number; ++i) {
      std::uint32_t& known = place(addresses_[i]);
      if (known == 0) known = std::uint32_t(i + 1);
    }
  }
  std::uint32_t& known = place(address);
  if (known == 0) known = std::uint32_t(number + 1);
  return known - 1;
}

const std::deque<std::string>& ArgumentReader::element_names(const char* list, std::size_t count) {
  std::deque<std::string>& names = element_names_[list];
  while (names.size() < count)
    names.push_back(std::string(list) + "[" + std::to_string(names.size()) + "]");
  return names;
}

const Scalar* ArgumentReader::scalar(const aclScalar* handle) {
  const Scalar* scalar = keep(scalars(), handle);
  key_bytes(scalar == nullptr ? "-" : "S", 1);
  if (scalar != nullptr) {
    key_value(scalar->dtype());
    key_value(scalar->bytes());
  }
  return scalar;
}

namespace {

/// Reads the elements of a list, whose type is `Handle`, into `elements`.
template <class Handle, class List, class Element>
bool read_list(ArgumentReader& reader, HandleTable<List>& table, const void* handle,
               const char* name, std::vector<Element>& elements) {
  const std::vector<const void*>* handles = reader.list(table, handle);
  if (handles == nullptr) return false;
  const std::deque<std::string>& names = reader.element_names(name, handles->size());
  elements.reserve(handles->size());
  for (std::size_t i = 0; i < handles->size(); ++i)
    elements.emplace_back(reader, static_cast<const Handle*>((*handles)[i]), names[i].c_str());
  return true;
}

const Array<std::int64_t>* read_array(ArgumentReader& reader, const void* handle, std::int64_t) {
  return reader.array(int_arrays(), handle);
}
const Array<float>* read_array(ArgumentReader& reader, const void* handle, float) {
  return reader.array(float_arrays(), handle);
}
const Array<std::uint8_t>* read_array(ArgumentReader& reader, const void* handle, std::uint8_t) {
  return reader.array(bool_arrays(), handle);
}

}  // namespace

TensorArgument::TensorArgument(ArgumentReader& reader, const aclTensor* handle, const char* name)
    : name_(name) {
  const ArgumentReader::BoundIndex bound = reader.tensor(handle, name);
  index_ = bound.index;
  meta_ = bound.meta;
}

void TensorArgument::refuse_null() const {
  fail(ACLNN_ERR_PARAM_NULLPTR, "%s is null, which the operator looks at all the same", name_);
}

TensorListIn::TensorListIn(ArgumentReader& reader, const aclTensorList* handle, const char* name)
    : list_name(name) {
  is_given = read_list<aclTensor>(reader, tensor_lists(), handle, name, tensors);
}

ScalarIn::ScalarIn(ArgumentReader& reader, C handle, const char* name)
    : name_(name), scalar_(reader.scalar(handle)) {}

ScalarListIn::ScalarListIn(ArgumentReader& reader, C handle, const char* name) : list_name(name) {
  is_given = read_list<aclScalar>(reader, scalar_lists(), handle, name, scalars);
}

template <class T>
ArrayArgument<T>::ArrayArgument(ArgumentReader& reader, const void* handle, const char* name)
    : name_(name), array_(read_array(reader, handle, T())) {}

template class ArrayArgument<std::int64_t>;
template class ArrayArgument<float>;
template class ArrayArgument<std::uint8_t>;

void detail::note_value(ArgumentReader& reader, const void* value, std::size_t size) {
  reader.key_bytes(value, size);
}

Text::Text(ArgumentReader& reader, const char* given, const char* name)
    : text(given == nullptr ? "" : given), is_given(given != nullptr), argument(name) {
  reader.key_bytes(is_given ? "C" : "-", 1);
  if (is_given) reader.key_bytes(given, text.size() + 1);
}

}  // namespace pyaclnn::sim
