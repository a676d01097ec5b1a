// Data sets and their items, which channels would carry.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_tdt.h"
#include "core/live_objects.hpp"
#include "core/memory.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr size_t kMostDims = 128;

struct Item {
  acltdtTensorType type = ACL_TENSOR_DATA_UNDEFINED;
  aclDataType dtype = ACL_DT_UNDEFINED;
  std::vector<int64_t> dims;
  void* data = nullptr;
  size_t size = 0;
};

enum class Place { kUnknown, kHost, kDevice };

struct Dataset {
  std::mutex mutex;
  std::string name;
  std::vector<acltdtDataItem*> items;
  Place place = Place::kUnknown;
};

sim::LiveObjects<Item>& items() {
  static auto& table = *new sim::LiveObjects<Item>("acltdtDataItem");
  return table;
}

sim::LiveObjects<Dataset>& datasets() {
  static auto& table = *new sim::LiveObjects<Dataset>("acltdtDataset");
  return table;
}

Place place_of(const void* data) {
  if (data == nullptr) return Place::kUnknown;
  return sim::device_of(data) >= 0 ? Place::kDevice : Place::kHost;
}

/// What `read` gives of an object, `none` where there is no such object.
template <class T, class Result, class Read>
Result of(const char* function, const sim::LiveObjects<T>& table, const void* handle, Result none,
          Read read) {
  Result result = none;
  sim::entry(function, [&] {
    result = read(*table.get(handle, ACL_ERROR_INVALID_PARAM));
    return ACL_SUCCESS;
  });
  return result;
}

void check_dims(const int64_t* dims, size_t count) {
  if ((dims == nullptr) != (count == 0))
    sim::fail(ACL_ERROR_INVALID_PARAM, "dims is %s and dimNum is %zu",
              dims == nullptr ? "null" : "not null", count);
}

}  // namespace

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  return of(__func__, items(), dataItem, ACL_TENSOR_DATA_UNDEFINED,
            [](const Item& item) { return item.type; });
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  return of(__func__, items(), dataItem, ACL_DT_UNDEFINED,
            [](const Item& item) { return item.dtype; });
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  return of(__func__, items(), dataItem, static_cast<void*>(nullptr),
            [](const Item& item) { return item.data; });
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) {
  return of(__func__, items(), dataItem, size_t(0), [](const Item& item) { return item.size; });
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  return of(__func__, items(), dataItem, size_t(0),
            [](const Item& item) { return item.dims.size(); });
}

/// Only what a channel brings comes in slices.
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum,
                                    size_t* sliceId) {
  return sim::entry(__func__, [&] {
    items().get(dataItem, ACL_ERROR_INVALID_PARAM);
    if (sliceNum == nullptr || sliceId == nullptr)
      sim::fail(ACL_ERROR_INVALID_PARAM, "sliceNum or sliceId is null");
    *sliceNum = *sliceId = 0;
    return ACL_SUCCESS;
  });
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  return sim::entry(__func__, [&] {
    const auto item = items().get(dataItem, ACL_ERROR_INVALID_PARAM);
    check_dims(dims, dimNum);
    if (dimNum < item->dims.size())
      sim::fail(ACL_ERROR_INVALID_PARAM, "dimNum is %zu, and the item has %zu dims", dimNum,
                item->dims.size());
    std::copy(item->dims.begin(), item->dims.end(), dims);
    return ACL_SUCCESS;
  });
}

acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t* dims, size_t dimNum,
                                     aclDataType dataType, void* data, size_t size) {
  return sim::entry_or_null(__func__, [&] {
    check_dims(dims, dimNum);
    if (dimNum > kMostDims)
      sim::fail(ACL_ERROR_INVALID_PARAM, "dimNum is %zu, more than %zu", dimNum, kMostDims);
    auto item = std::make_shared<Item>();
    item->type = tdtType;
    if (tdtType == ACL_TENSOR_DATA_TENSOR) {
      item->dtype = dataType;
      item->dims.assign(dims, dims + dimNum);
      item->data = data;
      item->size = size;
    } else if (dims != nullptr) {
      sim::fail(ACL_ERROR_INVALID_PARAM, "only ACL_TENSOR_DATA_TENSOR has dims, not %d",
                int(tdtType));
    }
    return static_cast<acltdtDataItem*>(items().add(std::move(item)));
  });
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return sim::entry(__func__, [&] {
    items().remove(dataItem, ACL_ERROR_INVALID_PARAM);
    return ACL_SUCCESS;
  });
}

acltdtDataset* acltdtCreateDataset() {
  return sim::entry_or_null(__func__, [&] {
    return static_cast<acltdtDataset*>(datasets().add(std::make_shared<Dataset>()));
  });
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return sim::entry(__func__, [&] {
    datasets().remove(dataset, ACL_ERROR_INVALID_PARAM);
    return ACL_SUCCESS;
  });
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  return of(__func__, datasets(), dataset, static_cast<acltdtDataItem*>(nullptr),
            [index](Dataset& set) {
              std::lock_guard<std::mutex> guard(set.mutex);
              if (index >= set.items.size())
                sim::fail(ACL_ERROR_INVALID_PARAM, "there is no item %zu of %zu", index,
                          set.items.size());
              return set.items[index];
            });
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  return sim::entry(__func__, [&] {
    const auto set = datasets().get(dataset, ACL_ERROR_INVALID_PARAM);
    const auto item = items().get(dataItem, ACL_ERROR_INVALID_PARAM);
    const Place place = place_of(item->data);
    std::lock_guard<std::mutex> guard(set->mutex);
    if (place != Place::kUnknown) {
      if (set->place != Place::kUnknown && set->place != place)
        sim::fail(ACL_ERROR_INVALID_PARAM,
                  "the data of one set lies on the host or on a device, not on both");
      set->place = place;
    }
    set->items.push_back(dataItem);
    return ACL_SUCCESS;
  });
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  return of(__func__, datasets(), dataset, size_t(0), [](Dataset& set) {
    std::lock_guard<std::mutex> guard(set.mutex);
    return set.items.size();
  });
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  return of(__func__, datasets(), dataset, static_cast<const char*>(nullptr),
            [](const Dataset& set) { return set.name.c_str(); });
}
