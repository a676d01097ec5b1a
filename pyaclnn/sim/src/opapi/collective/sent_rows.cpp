// SPDX-License-Identifier: MIT
#include "opapi/collective/sent_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "objects/dtype.hpp"
#include "opapi/collective/experts.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/quant/tiles.hpp"

namespace pyaclnn::sim {
namespace {

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

std::int8_t to_int8(float value) {
  return std::isnan(value) ? std::int8_t(0)
                           : std::int8_t(std::clamp(std::nearbyint(value), -128.0f, 127.0f));
}

/// Makes numbers of a part of a row that span all of the type's; the scale.
float spread(float* values, std::size_t count, float largest) {
  float most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(values[i]));
  const float factor = largest / most;
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
  return 1.0f / factor;
}

}  // namespace

void quantise_mx(Plan& plan, const TensorArgument& x, const TensorArgument& y,
                 const TensorArgument& scales) {
  TilesCall call;
  call.width = x.shape()[1];
  call.rows = x.shape()[0];
  call.stores.push_back(mx_of_rows(plan, y, scales, call.width, kMxBlock));
  call.source = rows_of(plan.reads(x), call.width);
  call.stores[0].round = Round::kRint;
  call.stores[0].scale = mx_scaler({y.dtype(), 0});
  quantise_tiles(plan, std::move(call));
}

std::size_t SentRows::bytes() const { return row_bytes(width(), dtype); }

void SentRows::make(const KernelMemory& memory, std::int64_t token,
                    const std::vector<float>& factors_of_all, std::int64_t expert,
                    unsigned char* to) const {
  const std::byte* const from = row_of(memory, x, token);
  if (mode == kNoQuant && dtype == x.dtype) {
    std::memcpy(to, from, bytes());
    if (scale_bytes > 0)
      std::memcpy(to + bytes(), first_element(memory, own_scales, token * own_scales.shape[1]),
                  scale_bytes);
    return;
  }
  std::vector<float> line(at(width()));
  loader<float>(x.dtype)(from, 1, width(), line.data());
  const std::vector<float>& factors = factors_of_all;
  const std::size_t first = factors.size() <= line.size() ? 0 : at(expert) * line.size();
  if (!factors.empty())
    for (std::size_t i = 0; i < line.size(); ++i)
      line[i] *= factors[factors.size() == 1 ? 0 : first + i];
  std::vector<float> scales;
  if (mode == kByRow || mode == kByGroup) {
    const std::size_t part = mode == kByRow ? line.size() : at(kQuantGroup);
    for (std::size_t i = 0; i < line.size(); i += part)
      scales.push_back(spread(&line[i], std::min(part, line.size() - i), largest_quantised(dtype)));
  }
  if (dtype == ACL_INT8) {
    for (std::size_t i = 0; i < line.size(); ++i)
      to[i] = static_cast<unsigned char>(to_int8(line[i]));
  } else {
    storer<float>(dtype, Rounding::kNearestEven)(line.data(), width(),
                                                 reinterpret_cast<std::byte*>(to), 1);
  }
  if (!scales.empty()) std::memcpy(to + bytes(), scales.data(), scale_bytes);
}

}  // namespace pyaclnn::sim
