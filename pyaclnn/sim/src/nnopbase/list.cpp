// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include "nnopbase/arguments.hpp"
#include "objects/arrays.hpp"
#include "objects/scalar.hpp"
#include "objects/tensor.hpp"

namespace pyaclnn::sim {
namespace {

template <class List, class Element>
void* make(HandleTable<List>& table, const Element* const* handles, uint64_t size) {
  auto list = std::make_shared<List>();
  if (handles != nullptr && size != 0) list->handles.assign(handles, handles + size);
  return table.insert(std::move(list));
}

/// Ends the list and every element that is not null; an element destroyed before is reported
/// after the others are gone.
template <class List, class Element>
aclnnStatus destroy_with_elements(const char* function, HandleTable<List>& table,
                                  HandleTable<Element>& elements, const void* handle) {
  return entry(function, [&] {
    if (handle == nullptr) return ACLNN_SUCCESS;
    const std::shared_ptr<List> list = table.remove(handle, ACLNN_ERR_PARAM_INVALID);
    std::string problem;
    for (std::size_t i = 0; i < list->handles.size(); ++i) {
      if (list->handles[i] == nullptr) continue;
      try {
        elements.remove(list->handles[i], ACLNN_ERR_PARAM_INVALID);
      } catch (const Failure& failure) {
        problem = "element " + std::to_string(i) + ": " + failure.what();
      }
    }
    if (!problem.empty())
      fail(ACLNN_ERR_PARAM_INVALID, "%s; a list owns its elements: destroy only the list",
           problem.c_str());
    return ACLNN_SUCCESS;
  });
}

template <class List>
aclnnStatus get_size(const char* function, HandleTable<List>& table, const char* argument,
                     const void* list, uint64_t* size) {
  return entry(function, [&] {
    require(list != nullptr, argument);
    require(size != nullptr, "size");
    *size = table.get(list, ACLNN_ERR_PARAM_INVALID)->handles.size();
    return ACLNN_SUCCESS;
  });
}

}  // namespace
}  // namespace pyaclnn::sim

using namespace pyaclnn::sim;

extern "C" {

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return entry_or_null("aclCreateTensorList", [&] {
    return static_cast<aclTensorList*>(make(tensor_lists(), value, size));
  });
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return entry_or_null("aclCreateScalarList", [&] {
    return static_cast<aclScalarList*>(make(scalar_lists(), value, size));
  });
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return destroy_with_elements("aclDestroyTensorList", tensor_lists(), tensors(), array);
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return destroy_with_elements("aclDestroyScalarList", scalar_lists(), scalars(), array);
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return get_size("aclGetTensorListSize", tensor_lists(), "tensorList", tensorList, size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return get_size("aclGetScalarListSize", scalar_lists(), "scalarList", scalarList, size);
}

}  // extern "C"
