// Attributes of the single-operator interface: they keep what they are given.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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

namespace {

std::optional<Value> value_of(const aclopAttr* handle, const std::string& name) {
  if (handle == nullptr) return std::nullopt;
  auto attr = attributes().get(handle, sim::kInvalidParam);
  std::lock_guard<std::mutex> guard(attr->mutex);
  const auto found = attr->values.find(name);
  if (found == attr->values.end()) return std::nullopt;
  return found->second;
}

}  // namespace

std::optional<std::vector<std::int64_t>> sim::whole_attribute(const aclopAttr* handle,
                                                              const std::string& name) {
  using Numbers = std::vector<std::int64_t>;
  const std::optional<Value> value = value_of(handle, name);
  if (!value) return std::nullopt;
  if (const auto* all = std::get_if<Numbers>(&*value)) return *all;
  if (const auto* one = std::get_if<int64_t>(&*value)) return Numbers{*one};
  if (const auto* flag = std::get_if<bool>(&*value)) return Numbers{*flag ? 1 : 0};
  if (const auto* type = std::get_if<aclDataType>(&*value)) return Numbers{*type};
  fail(kInvalidParam, "attribute %s is neither whole numbers nor a flag", name.c_str());
}

std::optional<float> sim::real_attribute(const aclopAttr* handle, const std::string& name) {
  const std::optional<Value> value = value_of(handle, name);
  if (!value) return std::nullopt;
  if (const auto* real = std::get_if<float>(&*value)) return *real;
  if (const auto* whole = std::get_if<int64_t>(&*value)) return float(*whole);
  fail(kInvalidParam, "attribute %s is no number", name.c_str());
}

std::optional<std::string> sim::text_attribute(const aclopAttr* handle, const std::string& name) {
  const std::optional<Value> value = value_of(handle, name);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  fail(kInvalidParam, "attribute %s is no text", name.c_str());
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
