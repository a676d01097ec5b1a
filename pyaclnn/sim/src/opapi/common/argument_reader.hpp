// Reads the arguments of one call.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "core/handle_table.hpp"
#include "objects/arrays.hpp"
#include "objects/scalar.hpp"
#include "objects/tensor.hpp"
#include "objects/tensor_lookup.hpp"

namespace pyaclnn::sim {

/// Resolves the handles of one call, keeps what they stand for alive, and writes the op cache key:
/// everything about the arguments that a plan may depend on, addresses left out.
class ArgumentReader {
 public:
  ArgumentReader() = default;
  ArgumentReader(const ArgumentReader&) = delete;
  ArgumentReader& operator=(const ArgumentReader&) = delete;

  /// Forgets the last call: a reader that is kept takes 0.1 us less of one than a new one.
  void begin(const char* api);

  /// Where a tensor is among the operands, and its description; null for an argument that was not
  /// given. What this and the next ones give lives until begin().
  struct BoundIndex {
    std::size_t index;
    const TensorMeta* meta;
  };
  /// `name` is kept as it is and must outlive the reader, or come from element_names().
  BoundIndex tensor(const aclTensor* handle, const char* name);
  /// The names of a list's first `count` elements: "x[0]", "x[1]", ... They are made once.
  const std::deque<std::string>& element_names(const char* list, std::size_t count);
  const Scalar* scalar(const aclScalar* handle);
  /// The handles of a list; null for one that was not given.
  template <class List>
  const std::vector<const void*>* list(HandleTable<List>& table, const void* handle) {
    const List* list = keep(table, handle);
    key_bytes(list == nullptr ? "-" : "L", 1);
    if (list != nullptr) key_value(list->handles.size());
    return list == nullptr ? nullptr : &list->handles;
  }
  template <class T>
  const Array<T>* array(HandleTable<Array<T>>& table, const void* handle) {
    const Array<T>* array = keep(table, handle);
    key_bytes(array == nullptr ? "-" : "A", 1);
    if (array != nullptr) {
      key_value(array->values.size());
      key_bytes(array->values.data(), array->values.size() * sizeof(T));
    }
    return array;
  }
  template <class T>
  void key_value(const T& value) {
    key_bytes(&value, sizeof value);
  }
  void key_bytes(const void* bytes, std::size_t count) {
    key_.append(static_cast<const char*>(bytes), count);
  }

  /// Refuses tensors of more dimensions than a description holds; to be called after the last one.
  void require_ranks() const;

  /// Handles of the tensors.
  std::vector<const void*>& operands() { return operands_; }
  const std::vector<const char*>& names() const { return names_; }
  std::string& key() { return key_; }

 private:
  static constexpr int kStaleHandle = 161002;
  static constexpr std::size_t kNone = ~std::size_t(0);

  /// The number of the first tensor with this address; this one's if there is none before it.
  std::size_t first_with(void* address);

  template <class T>
  const T* keep(HandleTable<T>& table, const void* handle) {
    if (handle == nullptr) return nullptr;
    std::shared_ptr<T> object = table.get(handle, kStaleHandle);
    const T* kept = object.get();
    kept_objects_.push_back(std::move(object));
    return kept;
  }

  TensorLookup* lookup_ = nullptr;
  std::vector<const void*> operands_;
  // Those that the look-up might lose.
  std::vector<std::pair<std::shared_ptr<Tensor>, std::shared_ptr<const TensorMeta>>> kept_;
  std::vector<std::shared_ptr<const void>> kept_objects_;
  std::vector<const char*> names_;
  std::unordered_map<std::string, std::deque<std::string>> element_names_;
  std::vector<void*> addresses_;
  // Numbers of tensors, counted from 1, by a hash of their addresses; empty while there are few.
  std::vector<std::uint32_t> by_address_;
  std::string key_;
  std::size_t too_deep_ = kNone;  // number of the first tensor of too many dimensions
  std::size_t its_rank_ = 0;
};

}  // namespace pyaclnn::sim
