// SPDX-License-Identifier: MIT
#include "objects/tensor.hpp"

#include <memory>
#include <new>

#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "nnopbase/arguments.hpp"

namespace pyaclnn::sim {
namespace {

std::shared_ptr<Tensor> tensor_of(const aclTensor* tensor) {
  return tensors().get(tensor, ACLNN_ERR_PARAM_INVALID);
}

/// Copies dimensions into memory from new[], as callers are told to release it with delete[].
int copy_dims(const Dims& dims, int64_t** values, uint64_t* count) {
  auto copy = std::make_unique<int64_t[]>(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) copy[i] = dims[i];
  *values = copy.release();
  *count = dims.size();
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace pyaclnn::sim

using namespace pyaclnn::sim;

extern "C" {

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  return entry_or_null("aclCreateTensor", [&] {
    require(viewDims != nullptr || viewDimsNum == 0, "viewDims");
    require(storageDims != nullptr || storageDimsNum == 0, "storageDims");
    auto meta = std::make_shared<TensorMeta>();
    if (viewDimsNum != 0) meta->shape = Dims(viewDims, viewDimsNum);
    meta->strides = stride != nullptr && viewDimsNum != 0 ? Dims(stride, viewDimsNum)
                                                          : contiguous_strides(meta->shape);
    if (storageDimsNum != 0) meta->storage_shape = Dims(storageDims, storageDimsNum);
    meta->offset = offset;
    meta->dtype = dataType;
    meta->format = format;
    meta->write_key();
    return static_cast<aclTensor*>(
        tensors().insert(std::make_shared<Tensor>(std::move(meta), tensorData)));
  });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                          aclDataType dataType, const int64_t* stride, int64_t offset,
                          aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                          void* tensorDataAddr) {
  return entry("aclInitTensor", [&] {
    require(tensor != nullptr, "tensor");
    const auto target = tensor_of(tensor);
    auto meta = std::make_shared<TensorMeta>(*target->meta());
    // Null or empty dimensions and a null address leave the old ones in force.
    if (viewDims != nullptr && viewDimsNum != 0) {
      meta->shape = Dims(viewDims, viewDimsNum);
      meta->strides =
          stride != nullptr ? Dims(stride, viewDimsNum) : contiguous_strides(meta->shape);
    } else if (stride != nullptr && viewDimsNum == meta->shape.size() && viewDimsNum != 0) {
      meta->strides = Dims(stride, viewDimsNum);
    }
    if (storageDims != nullptr && storageDimsNum != 0)
      meta->storage_shape = Dims(storageDims, storageDimsNum);
    meta->offset = offset;
    meta->dtype = dataType;
    meta->format = format;
    meta->write_key();
    target->set_meta(std::move(meta));
    if (tensorDataAddr != nullptr) target->set_address(tensorDataAddr);
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return destroy("aclDestroyTensor", tensors(), tensor);
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return entry("aclGetViewShape", [&] {
    require(tensor != nullptr, "tensor");
    require(viewDims != nullptr, "viewDims");
    require(viewDimsNum != nullptr, "viewDimsNum");
    return copy_dims(tensor_of(tensor)->meta()->shape, viewDims, viewDimsNum);
  });
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return entry("aclGetStorageShape", [&] {
    require(tensor != nullptr, "tensor");
    require(storageDims != nullptr, "storageDims");
    require(storageDimsNum != nullptr, "storageDimsNum");
    return copy_dims(tensor_of(tensor)->meta()->storage_shape, storageDims, storageDimsNum);
  });
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return entry("aclGetViewStrides", [&] {
    require(tensor != nullptr, "tensor");
    require(stridesValue != nullptr, "stridesValue");
    require(stridesNum != nullptr, "stridesNum");
    return copy_dims(tensor_of(tensor)->meta()->strides, stridesValue, stridesNum);
  });
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return entry("aclGetViewOffset", [&] {
    require(tensor != nullptr, "tensor");
    require(offset != nullptr, "offset");
    *offset = tensor_of(tensor)->meta()->offset;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return entry("aclGetFormat", [&] {
    require(tensor != nullptr, "tensor");
    require(format != nullptr, "format");
    *format = tensor_of(tensor)->meta()->format;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return entry("aclGetDataType", [&] {
    require(tensor != nullptr, "tensor");
    require(dataType != nullptr, "dataType");
    *dataType = tensor_of(tensor)->meta()->dtype;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return entry("aclSetRawTensorAddr", [&] {
    require(tensor != nullptr, "tensor");
    tensor_of(tensor)->set_address(addr);
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return entry("aclGetRawTensorAddr", [&] {
    require(tensor != nullptr, "tensor");
    require(addr != nullptr, "addr");
    *addr = tensor_of(tensor)->address();
    return ACLNN_SUCCESS;
  });
}

}  // extern "C"
