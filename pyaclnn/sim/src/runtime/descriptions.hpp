// What the single-operator interface was told of tensors and attributes, for those who run one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_op.h"
#include "core/export.hpp"

namespace pyaclnn::sim {

/// A tensor description as it is now.
struct Description {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<std::int64_t> dims;
  aclFormat storage_format = ACL_FORMAT_UNDEFINED;  // undefined where it was not set
  std::vector<std::int64_t> storage_dims;
  std::vector<char> constant;
  aclMemType placement = ACL_MEMTYPE_DEVICE;
};

/// Failure(100000) for what is no description.
SIM_API Description description_of(const aclTensorDesc* desc);

/// The names of the attributes that were set; none for null.
SIM_API std::vector<std::string> attribute_names(const aclopAttr* attr);

/// The whole numbers of an attribute, of a list or of one, a flag or a type; none where it was not
/// set. Failure(100000) where it is set to something else.
SIM_API std::optional<std::vector<std::int64_t>> whole_attribute(const aclopAttr* attr,
                                                                 const std::string& name);

/// A number, likewise.
SIM_API std::optional<float> real_attribute(const aclopAttr* attr, const std::string& name);

/// A text, likewise.
SIM_API std::optional<std::string> text_attribute(const aclopAttr* attr, const std::string& name);

}  // namespace pyaclnn::sim
