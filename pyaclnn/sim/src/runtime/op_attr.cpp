// Attributes of the single-operator interface: they keep what they are given.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acl/acl_op.h"
#include "core/handle_table.hpp"
#include "runtime/descriptions.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

using Lists = std::vector<std::vector<int64_t>>;
using Value = std::variant<bool, int64_t, float, std::string, aclDataType, std::vector<bool>,
                           std::vector<int64_t>, std::vector<float>, std::vector<std::string>,
                           std::vector<aclDataType>, Lists>;

struct Attributes {
  std::mutex mutex;
  std::map<std::string, Value> values;
};

sim::HandleTable<Attributes>& attributes() {
  static auto& table = *new sim::HandleTable<Attributes>(sim::HandleType::kOperatorAttributes);
  return table;
}

template <class Make>
aclError store(const char* function, aclopAttr* handle, const char* name, Make&& make) {
  return sim::entry(function, [&] {
    sim::require_not_null(handle, "attr");
    sim::require_not_null(name, "attrName");
    auto attr = attributes().get(handle, sim::kInvalidParam);
    Value value = make();
    std::lock_guard<std::mutex> guard(attr->mutex);
    attr->values[name] = std::move(value);
    return ACL_SUCCESS;
  });
}

void require_list(int count, const void* values) {
  if (count < 0) sim::fail(sim::kInvalidParam, "a list cannot have %d values", count);
  if (count > 0) sim::require_not_null(values, "values");
}

template <class Element, class From>
std::vector<Element> list(int count, const From* values) {
  require_list(count, values);
  std::vector<Element> copied;
  for (int i = 0; i < count; ++i) copied.push_back(Element(values[i]));
  return copied;
}

}  // namespace

std::vector<std::string> sim::attribute_names(const aclopAttr* handle) {
  std::vector<std::string> names;
  if (handle == nullptr) return names;
  auto attr = attributes().get(handle, kInvalidParam);
  std::lock_guard<std::mutex> guard(attr->mutex);
  for (const auto& [name, value] : attr->values) names.push_back(name);
  return names;
}

aclopAttr* aclopCreateAttr() {
  return sim::entry_or_null(__func__, [] {
    return static_cast<aclopAttr*>(attributes().insert(std::make_shared<Attributes>()));
  });
}

void aclopDestroyAttr(const aclopAttr* attr) {
  if (attr == nullptr) return;
  sim::entry(__func__, [&] {
    attributes().remove(attr, sim::kInvalidParam);
    return ACL_SUCCESS;
  });
}

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return store(__func__, attr, attrName, [&] { return attrValue != 0; });
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return store(__func__, attr, attrName, [&] { return attrValue; });
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return store(__func__, attr, attrName, [&] { return attrValue; });
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  return store(__func__, attr, attrName, [&] {
    sim::require_not_null(attrValue, "attrValue");
    return std::string(attrValue);
  });
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  return store(__func__, attr, attrName, [&] { return attrValue; });
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                  const aclDataType values[]) {
  return store(__func__, attr, attrName, [&] { return list<aclDataType>(numValues, values); });
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  return store(__func__, attr, attrName, [&] { return list<bool>(numValues, values); });
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  return store(__func__, attr, attrName, [&] { return list<int64_t>(numValues, values); });
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  return store(__func__, attr, attrName, [&] { return list<float>(numValues, values); });
}

aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues,
                                const char** values) {
  return store(__func__, attr, attrName, [&] {
    require_list(numValues, values);
    for (int i = 0; i < numValues; ++i) sim::require_not_null(values[i], "an element of values");
    return list<std::string>(numValues, values);
  });
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                 const int* numValues, const int64_t* const values[]) {
  return store(__func__, attr, attrName, [&] {
    require_list(numLists, numValues);
    require_list(numLists, values);
    Lists lists;
    for (int i = 0; i < numLists; ++i) lists.push_back(list<int64_t>(numValues[i], values[i]));
    return lists;
  });
}
