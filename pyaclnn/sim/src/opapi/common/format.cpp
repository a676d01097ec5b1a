// SPDX-License-Identifier: MIT
#include "opapi/common/format.hpp"

#include <algorithm>
#include <string>

namespace pyaclnn::sim {
namespace {

struct Name {
  int format;
  const char* text;
};

constexpr Name kNames[] = {
    {ACL_FORMAT_NCHW, "NCHW"},       {ACL_FORMAT_NHWC, "NHWC"},   {ACL_FORMAT_ND, "ND"},
    {ACL_FORMAT_HWCN, "HWCN"},       {ACL_FORMAT_NDHWC, "NDHWC"}, {ACL_FORMAT_NCDHW, "NCDHW"},
    {ACL_FORMAT_FRACTAL_NZ, "NZ"},   {ACL_FORMAT_NC, "NC"},       {ACL_FORMAT_NCL, "NCL"},
    {ACL_FORMAT_NC1HWC0, "NC1HWC0"},
};

/// "NCHW (0) or ND (2)"
std::string text_of(const FormatSet& formats) {
  std::string result;
  for (const Name& name : kNames) {
    if (!formats.contains(name.format)) continue;
    if (!result.empty()) result += " or ";
    result += name.text;
    result += " (" + std::to_string(name.format) + ")";
  }
  return result;
}

/// Whether `name`, without the index of a list's element, is one of the words of `list`.
bool is_among(std::string_view list, std::string_view name) {
  name = name.substr(0, name.find('['));
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

void check_alike(const Check& check, const FormatDemand& demand,
                 std::initializer_list<const TensorArgument*> tensors) {
  const std::string_view first = demand.tensors.substr(0, demand.tensors.find(' '));
  const TensorArgument* reference = nullptr;
  for (const TensorArgument* tensor : tensors) {
    if (reference == nullptr && tensor->given() && is_among(first, tensor->name()))
      reference = tensor;
  }
  if (reference == nullptr) return;
  const int format = reference->meta().format;
  for (const TensorArgument* tensor : tensors) {
    if (!tensor->given() || !is_among(demand.tensors, tensor->name())) continue;
    check.that(tensor->meta().format == format, "%s has format %d, it must be %d as %s has it",
               tensor->name(), int(tensor->meta().format), format, reference->name());
  }
}

void check_set(const Check& check, const FormatDemand& demand, const TensorArgument& tensor) {
  const bool wants = demand.kind == FormatDemand::Kind::kOneOf;
  const int format = tensor.meta().format;
  if (demand.formats.contains(format) == wants) return;
  check.that(false, "%s, which has %zu dimensions, has format %d, it must %sbe %s", tensor.name(),
             tensor.rank(), format, wants ? "" : "not ",
             wants ? text_of(demand.formats).c_str() : "that one: it is private");
}

}  // namespace

void check_format(const Check& check, const FormatDemand& demand,
                  std::initializer_list<const TensorArgument*> tensors) {
  if (demand.where != nullptr && !demand.where()) return;
  if (demand.kind == FormatDemand::Kind::kAlike) return check_alike(check, demand, tensors);
  for (const TensorArgument* tensor : tensors) {
    const bool is_meant = tensor->given() && is_among(demand.tensors, tensor->name()) &&
                          (demand.rank == 0 || tensor->rank() == demand.rank);
    if (is_meant) check_set(check, demand, *tensor);
  }
}

void check_formats(const Check& check, const FormatRow& row,
                   std::initializer_list<const TensorArgument*> tensors) {
  for (const FormatDemand& demand : row.demands) {
    if (demand.kind == FormatDemand::Kind::kNothing) return;
    check_format(check, demand, tensors);
  }
}

}  // namespace pyaclnn::sim
