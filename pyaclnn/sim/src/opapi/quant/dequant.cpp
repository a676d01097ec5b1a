// SPDX-License-Identifier: MIT
#include "opapi/quant/dequant.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "opapi/common/first_element.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

std::int32_t wrapped_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(std::uint32_t(a) + std::uint32_t(b));
}

}  // namespace

Dequant::Dequant(Plan& plan, const TensorArgument& scale, const TensorArgument* row_scale,
                 const TensorArgument* bias, std::int64_t width)
    : width_(width), scale_(plan, scale, width) {
  if (row_scale != nullptr && row_scale->given() && !row_scale->is_empty())
    row_scale_ = RowMajor(plan.reads(*row_scale));
  if (bias == nullptr || !bias->given() || bias->is_empty()) return;
  if (bias->dtype() == ACL_INT32) {
    whole_bias_ = plan.reads(*bias);
    has_whole_bias_ = true;
  } else {
    bias_ = RowFactors(plan, *bias, width);
  }
}

void Dequant::operator()(const KernelMemory& memory, const RowPlace& place,
                         const std::int32_t* sums, float* to, float* buffer) const {
  if (has_whole_bias_) {
    const Dims& shape = whole_bias_.shape;
    const Dims& strides = whole_bias_.strides;
    const bool of_group = shape.size() > 1 && place.group < shape[0];
    const std::int64_t first = of_group ? place.group * strides[0] : 0;
    for (std::int64_t i = 0; i < width_; ++i) {
      std::int32_t bias;
      std::memcpy(&bias, first_element(memory, whole_bias_, first + i * strides.back()),
                  sizeof bias);
      to[i] = float(wrapped_sum(sums[i], bias));
    }
  } else {
    for (std::int64_t i = 0; i < width_; ++i) to[i] = float(sums[i]);
  }
  if (scale_.given()) {
    const float* const scales = scale_.read(memory, place.row, place.group, buffer);
    for (std::int64_t i = 0; i < width_; ++i) to[i] *= scales[i];
  }
  if (row_scale_.given()) {
    const RowMajorAccess access(row_scale_, memory);
    float factor;
    factor = *access.read(access.count() > 1 ? place.row : 0, 1, &factor);
    for (std::int64_t i = 0; i < width_; ++i) to[i] *= factor;
  }
  if (bias_.given()) {
    const float* const bias = bias_.read(memory, place.row, place.group, buffer);
    for (std::int64_t i = 0; i < width_; ++i) to[i] += bias[i];
  }
}

RowSource dequantised(Plan& plan, const TensorArgument& sums, const Dequant& dequant) {
  const View view = contiguous_view(plan, sums);
  return [view, dequant](const KernelMemory& memory, const RowPlace& place, float* to) {
    const auto* const from = reinterpret_cast<const std::int32_t*>(first_element(memory, view));
    std::vector<float> buffer(std::size_t(place.width));
    dequant(memory, place, from + place.row * place.width, to, buffer.data());
  };
}

RowSink stored(Plan& plan, const TensorArgument& out) {
  const auto layout = std::make_shared<const RowMajor>(plan.writes(out));
  return [layout](const KernelMemory& memory, const RowPlace& place, float* values, float*) {
    RowMajorAccess(*layout, memory).write(place.row * place.width, place.width, values);
  };
}

}  // namespace pyaclnn::sim
