// SPDX-License-Identifier: MIT
#include "opapi/common/plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "objects/prepared_call.hpp"
#include "opapi/common/has_cast.hpp"

namespace pyaclnn::sim {
namespace {

void check_extents(const Plan& plan, const TensorArgument& tensor) {
  for (std::int64_t extent : tensor.shape()) {
    if (extent < 0)
      fail(ACLNN_ERR_PARAM_INVALID, "%s: %s has the negative extent %lld", plan.api(),
           tensor.name(), static_cast<long long>(extent));
  }
}

/// CANN looks at the storage only when it has to copy a strided view.
void check_storage(const Plan& plan, const TensorArgument& tensor) {
  const Reach reach = reach_of(tensor.meta());
  const std::int64_t stored = tensor.meta().storage_shape.product();
  if (reach.empty() || (reach.first >= 0 && reach.last < stored)) return;
  fail(ACLNN_ERR_INNER_NULLPTR,
       "%s: the view of %s (shape %s, strides %s, offset %lld) reaches elements %lld to %lld of a "
       "storage of %lld",
       plan.api(), tensor.name(), tensor.shape().text().c_str(),
       tensor.meta().strides.text().c_str(), static_cast<long long>(tensor.meta().offset),
       static_cast<long long>(reach.first), static_cast<long long>(reach.last),
       static_cast<long long>(stored));
}

/// CANN has no kernel that copies these to a strided output.
void check_copies(const Plan& plan, aclDataType dtype, const TensorArgument& out) {
  if (!is_half_byte(dtype) && dtype != ACL_COMPLEX32) return;
  plan.find_kernel();
  fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s cannot be copied to %s of strides %s, which leave gaps",
       plan.api(), dtype_name(dtype), out.name(), out.meta().strides.text().c_str());
}

/// The byte of the storage that an element begins in; those of four bits share one with another.
std::int64_t byte_of(aclDataType dtype, std::int64_t element) {
  return is_half_byte(dtype) ? element >> 1 : element * std::int64_t(dtype_size(dtype));
}

/// Whether a kernel may write its result where the caller wants it.
bool is_written_directly(const TensorMeta& out) {
  if (!out.is_contiguous()) return false;
  const Soc soc = chip().soc;
  if (soc != Soc::kAscend910 && soc != Soc::kAscend310P) return true;
  return out.storage_shape.product() == out.elements() + out.offset;
}

}  // namespace

StagedInput::StagedInput(Plan& plan, const TensorArgument& tensor)
    : plan_(plan), tensor_(tensor), shape_(tensor.shape()), dtype_(tensor.dtype()) {
  check_extents(plan, tensor);
}

StagedInput& StagedInput::contiguous() {
  if (tensor_.meta().is_contiguous()) return *this;
  check_storage(plan_, tensor_);
  plan_.reserve(shape_.product(), dtype_);
  return *this;
}

StagedInput& StagedInput::broadcast_to(const Dims& shape) {
  if (shape_ == shape) return *this;
  shape_ = shape;
  plan_.reserve(shape_.product(), dtype_);
  return *this;
}

StagedInput& StagedInput::cast_to(aclDataType dtype) {
  if (dtype_ == dtype) return *this;
  check_has_cast(plan_, dtype_, dtype);
  dtype_ = dtype;
  plan_.reserve(shape_.product(), dtype_);
  return *this;
}

StagedResult& StagedResult::cast_to(aclDataType dtype) {
  if (dtype_ == dtype) return *this;
  check_has_cast(plan_, dtype_, dtype);
  plan_.reserve(shape_.product(), dtype_);
  dtype_ = dtype;
  return *this;
}

void StagedResult::copy_to(const TensorArgument& out) {
  check_extents(plan_, out);
  // The kernel comes before its result is copied.
  if (out.dtype() != dtype_ || out.shape() != shape_) plan_.find_kernel();
  if (out.dtype() != dtype_)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the result is %s and cannot be copied to %s, which is %s",
         plan_.api(), dtype_name(dtype_), out.name(), dtype_name(out.dtype()));
  if (out.shape() != shape_)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the result of shape %s cannot be copied to %s of shape %s",
         plan_.api(), shape_.text().c_str(), out.name(), out.shape().text().c_str());
  if (is_written_directly(out.meta())) return;
  if (!out.meta().is_contiguous()) {
    check_storage(plan_, out);
    check_copies(plan_, dtype_, out);
  }
  plan_.reserve(shape_.product(), dtype_);
}

Plan::Plan(const char* api, std::size_t operands)
    : api_(api), prepared_(std::make_shared<PreparedCall>()), touched_(operands) {
  prepared_->api = api;
}

void fail_without_kernel(const Plan& plan) {
  fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for %s", plan.api(), chip().name);
}

void Plan::find_kernel() const {
  if (lacks_kernel_) fail_without_kernel(*this);
}

void Plan::launch(Launch kernel) { prepared_->launches.push_back(std::move(kernel)); }

std::shared_ptr<const PreparedCall> Plan::take(std::vector<std::string> operand_names) {
  find_kernel();
  prepared_->operand_names = std::move(operand_names);
  return std::move(prepared_);
}

View Plan::reads(const TensorArgument& tensor) {
  const TensorMeta& meta = tensor.meta();
  View view{tensor.index(), meta.dtype, meta.offset, meta.shape, meta.strides};
  if (meta.is_contiguous()) view.strides = contiguous_strides(meta.shape);
  // Of what has no elements, nobody has checked where it is.
  if (tensor.is_empty()) view.offset = 0;
  if (tensor.index() >= touched_.size() || touched_[tensor.index()]) return view;
  touched_[tensor.index()] = true;
  check_extents(*this, tensor);
  const Reach reach = reach_of(meta);
  if (reach.empty()) return view;
  // No word of a kernel is longer than 8 bytes.
  const auto size =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(dtype_size(meta.dtype)), 1, 8);
  constexpr std::int64_t kLimit = std::numeric_limits<std::int64_t>::max() / 32;
  if (reach.first < -kLimit || reach.last > kLimit)
    fail(ACLNN_ERR_PARAM_INVALID, "%s: %s of shape %s is larger than any memory", api(),
         tensor.name(), meta.shape.text().c_str());
  Footprint footprint;
  footprint.operand = tensor.index();
  footprint.first = byte_of(meta.dtype, reach.first);
  footprint.bytes = byte_of(meta.dtype, reach.last) - footprint.first +
                    std::max<std::int64_t>(std::int64_t(dtype_size(meta.dtype)), 1);
  footprint.alignment = size;
  footprint.dtype = meta.dtype;
  footprint.shape.assign(meta.shape.begin(), meta.shape.end());
  if (!meta.is_contiguous()) footprint.strides.assign(meta.strides.begin(), meta.strides.end());
  prepared_->footprints.push_back(std::move(footprint));
  return view;
}

View Plan::writes(const TensorArgument& tensor) {
  View view = reads(tensor);
  if (tensor.index() >= touched_.size()) return view;
  for (Footprint& footprint : prepared_->footprints)
    footprint.writes = footprint.writes || footprint.operand == tensor.index();
  if (prepared_->first_result.bytes == 0 && !tensor.is_empty())
    prepared_->first_result = {view.operand, byte_of(view.dtype, view.offset),
                               dtype_size(view.dtype)};
  return view;
}

void Plan::finds_shape_of(const TensorArgument& output) {
  prepared_->shaped.push_back(output.index());
}

TensorArgument Plan::scratch(const char* name, aclDataType dtype, const Dims& shape) {
  own_.push_back(std::make_unique<TensorMeta>());
  TensorMeta& meta = *own_.back();
  meta.shape = shape;
  meta.storage_shape = shape;
  meta.strides = contiguous_strides(shape);
  meta.dtype = dtype;
  meta.format = ACL_FORMAT_ND;
  prepared_->scratch.push_back(reserve(shape.product(), dtype));
  return TensorArgument(name, touched_.size() + prepared_->scratch.size() - 1, &meta);
}

TensorArgument Plan::described(const TensorArgument& tensor, const Dims& shape, const Dims& strides,
                               std::int64_t offset) {
  own_.push_back(std::make_unique<TensorMeta>(tensor.meta()));
  TensorMeta& meta = *own_.back();
  meta.shape = shape;
  meta.strides = strides;
  meta.offset = offset;
  return TensorArgument(tensor.name(), tensor.index(), &meta);
}

std::size_t Plan::communicates(const std::string& group, int ranks) {
  std::vector<NamedGroup>& groups = prepared_->groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].name == group) return i;
  }
  groups.push_back({group, ranks});
  return groups.size() - 1;
}

std::uint64_t Plan::reserve(std::int64_t elements, aclDataType dtype) {
  constexpr std::uint64_t kPadding = 32;
  constexpr std::uint64_t kAlignment = 512;
  constexpr std::int64_t kLimit = std::int64_t(1) << 56;
  if (elements >= kLimit)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: an intermediate tensor is larger than any memory", api());
  const std::uint64_t offset = prepared_->workspace_size;
  const bool halves = is_half_byte(dtype);
  const auto units = Checked(std::uint64_t(halves ? (elements + 1) / 2 : elements));
  const auto bytes = units * (halves ? 1 : dtype_size(dtype)) + kPadding;
  const auto size = bytes.rounded_up(kAlignment) + offset;
  if (elements < 0 || !size.fits())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the intermediate tensors are larger than any memory", api());
  prepared_->workspace_size = size.saturated();
  return offset;
}

}  // namespace pyaclnn::sim
