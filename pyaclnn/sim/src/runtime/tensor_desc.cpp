// Tensor descriptions of the single-operator interface: they keep what they are given.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_base.h"
#include "core/handle_table.hpp"
#include "runtime/descriptions.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

using Range = std::pair<int64_t, int64_t>;

struct TensorDesc {
  std::mutex mutex;
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> dims;
  aclFormat storage_format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> storage_dims;
  std::vector<Range> shape_range;
  std::vector<Range> value_range;
  std::string name;
  std::string dynamic_input;
  std::vector<char> constant;
  aclMemType placement = ACL_MEMTYPE_DEVICE;
  void* address = nullptr;
};

sim::HandleTable<TensorDesc>& descriptions() {
  static auto& table = *new sim::HandleTable<TensorDesc>(sim::HandleType::kTensorDesc);
  return table;
}

std::vector<int64_t> copy_dims(int count, const int64_t* dims) {
  if (count < 0) sim::fail(sim::kInvalidParam, "numDims is %d", count);
  if (count > 0) sim::require_not_null(dims, "dims");
  return count == 0 ? std::vector<int64_t>() : std::vector<int64_t>(dims, dims + count);
}

/// Changes one thing of a description.
template <class Change>
aclError change(const char* function, aclTensorDesc* handle, Change&& apply) {
  return sim::entry(function, [&] {
    sim::require_not_null(handle, "desc");
    auto desc = descriptions().get(handle, sim::kInvalidParam);
    std::lock_guard<std::mutex> guard(desc->mutex);
    apply(*desc);
    return ACL_SUCCESS;
  });
}

/// Reads one thing of a description; `otherwise` where there is none.
template <class Value, class Read>
Value read(const char* function, const aclTensorDesc* handle, Value otherwise, Read&& from) {
  if (handle == nullptr) return otherwise;
  sim::entry(function, [&] {
    auto desc = descriptions().get(handle, sim::kInvalidParam);
    std::lock_guard<std::mutex> guard(desc->mutex);
    otherwise = from(*desc);
    return ACL_SUCCESS;
  });
  return otherwise;
}

/// Elements; 0 where a dimension is not known.
size_t element_count(const TensorDesc& desc) {
  size_t count = 1;
  for (int64_t dim : desc.dims) {
    if (dim < 0) return 0;
    if (dim != 0 && count > std::numeric_limits<size_t>::max() / size_t(dim)) return 0;
    count *= size_t(dim);
  }
  return count;
}

void require_index(const TensorDesc& desc, size_t index) {
  if (index >= desc.dims.size())
    sim::fail(sim::kInvalidParam, "index %zu: the description has %zu dimensions", index,
              desc.dims.size());
}

std::vector<Range> copy_ranges(size_t count, int64_t ranges[][2]) {
  if (count > 0) sim::require_not_null(ranges, "range");
  std::vector<Range> copied;
  for (size_t i = 0; i < count; ++i) copied.emplace_back(ranges[i][0], ranges[i][1]);
  return copied;
}

}  // namespace

sim::Description sim::description_of(const aclTensorDesc* handle) {
  auto desc = descriptions().get(handle, kInvalidParam);
  std::lock_guard<std::mutex> guard(desc->mutex);
  return {desc->dtype,        desc->format,   desc->dims,     desc->storage_format,
          desc->storage_dims, desc->constant, desc->placement};
}

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  return sim::entry_or_null(__func__, [&] {
    auto desc = std::make_shared<TensorDesc>();
    desc->dtype = dataType;
    desc->dims = copy_dims(numDims, dims);
    desc->format = format;
    return static_cast<aclTensorDesc*>(descriptions().insert(std::move(desc)));
  });
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  if (desc == nullptr) return;
  sim::entry(__func__, [&] {
    descriptions().remove(desc, sim::kInvalidParam);
    return ACL_SUCCESS;
  });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return read(__func__, desc, ACL_DT_UNDEFINED, [](const TensorDesc& d) { return d.dtype; });
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return read(__func__, desc, ACL_FORMAT_UNDEFINED, [](const TensorDesc& d) { return d.format; });
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return read(__func__, desc, size_t(0), [](const TensorDesc& d) { return d.dims.size(); });
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return read(__func__, desc, size_t(0), element_count);
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return read(__func__, desc, size_t(0),
              [](const TensorDesc& d) { return element_count(d) * aclDataTypeSize(d.dtype); });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  return read(__func__, desc, int64_t(-1), [&](const TensorDesc& d) {
    require_index(d, index);
    return d.dims[index];
  });
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  return change(__func__, const_cast<aclTensorDesc*>(desc), [&](TensorDesc& d) {
    sim::require_not_null(dimSize, "dimSize");
    require_index(d, index);
    *dimSize = d.dims[index];
  });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  return change(__func__, const_cast<aclTensorDesc*>(desc), [&](TensorDesc& d) {
    sim::require_not_null(dimRange, "dimRange");
    if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM)
      sim::fail(sim::kInvalidParam, "dimRangeNum is %zu, a range has 2 numbers", dimRangeNum);
    if (index >= d.shape_range.size())
      sim::fail(sim::kInvalidParam, "index %zu: the description has %zu ranges", index,
                d.shape_range.size());
    dimRange[0] = d.shape_range[index].first;
    dimRange[1] = d.shape_range[index].second;
  });
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  if (desc == nullptr) return;
  change(__func__, desc, [&](TensorDesc& d) { d.name = name == nullptr ? "" : name; });
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return read(__func__, desc, "", [](const TensorDesc& d) { return d.name.c_str(); });
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount, int64_t dimsRange[][2]) {
  return change(__func__, desc,
                [&](TensorDesc& d) { d.shape_range = copy_ranges(dimsCount, dimsRange); });
}

aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount, int64_t valueRange[][2]) {
  return change(__func__, desc,
                [&](TensorDesc& d) { d.value_range = copy_ranges(valueCount, valueRange); });
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return change(__func__, desc, [&](TensorDesc& d) { d.storage_format = format; });
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return change(__func__, desc, [&](TensorDesc& d) { d.storage_dims = copy_dims(numDims, dims); });
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return change(__func__, desc, [&](TensorDesc& d) { d.storage_format = format; });
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return change(__func__, desc, [&](TensorDesc& d) { d.storage_dims = copy_dims(numDims, dims); });
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return change(__func__, desc, [&](TensorDesc& d) { d.format = format; });
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return change(__func__, desc, [&](TensorDesc& d) { d.dims = copy_dims(numDims, dims); });
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  return read(__func__, desc, static_cast<void*>(nullptr),
              [](const TensorDesc& d) { return d.address; });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  return change(__func__, desc, [&](TensorDesc& d) {
    sim::require_not_null(dynamicInputName, "dynamicInputName");
    d.dynamic_input = dynamicInputName;
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  return change(__func__, desc, [&](TensorDesc& d) {
    sim::require_not_null(dataBuffer, "dataBuffer");
    sim::require_positive(length, "length");
    auto first = static_cast<const char*>(dataBuffer);
    d.constant.assign(first, first + length);
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  return change(__func__, desc, [&](TensorDesc& d) { d.placement = memType; });
}
