// Images laid over one another, in the float16 that the chip computes them in.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "opapi/common/packed_operand.hpp"
#include "opapi/common/round_stored.hpp"
#include "parameters/BackgroundReplace.hpp"
#include "parameters/BlendImagesCustom.hpp"
#include "parameters/MrgbaCustom.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

constexpr float kPerShade = 1.0f / 255.0f;

/// Each result is rounded to float16.
template <class Function>
Floats in_half(const Floats& a, const Floats& b, Function function) {
  Floats result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = function(a[i], b[i]);
  round_as_stored(result.data(), std::int64_t(result.size()), ACL_FLOAT16);
  return result;
}

Floats times(const Floats& a, const Floats& b) {
  return in_half(a, b, [](float x, float y) { return x * y; });
}

/// background (1 - weight) + front weight, or front weight alone, rounded down. A weight is of all
/// channels of a point, and a part of 255 where it is of whole numbers.
void lay_over(const Check& check, Plan& plan, const TensorArgument* background,
              const TensorArgument& front, const TensorArgument& weight,
              const TensorArgument& out) {
  const Dims& shape = front.shape();
  check.same_shape(front, out);
  if (background != nullptr) check.same_shape(front, *background);
  const std::int64_t points = weight.elements();
  const bool same = weight.shape() == shape;
  Dims one = shape;
  if (!shape.empty()) one.set(shape.size() - 1, 1);
  check.that(same || (!shape.empty() && shape.back() == 3 && weight.shape() == one),
             "%s has shape %s, the image has %s", weight.name(), weight.shape().text().c_str(),
             shape.text().c_str());
  if (points == 0) return;
  const bool whole = weight.dtype() == ACL_UINT8;
  const std::size_t channels = same ? 1 : 3;
  PackedOperand back;
  if (background != nullptr) back = reads_packed(plan, *background);
  const PackedOperand fore = reads_packed(plan, front);
  const PackedOperand weights = reads_packed(plan, weight);
  const PackedOperand result = writes_packed(plan, out);
  plan.launch([=](const KernelMemory& memory) {
    Floats share = weights.read(memory);
    if (whole) {
      Floats factor{kPerShade};
      round_as_stored(factor.data(), 1, ACL_FLOAT16);
      for (float& value : share) value *= factor[0];
      round_as_stored(share.data(), std::int64_t(share.size()), ACL_FLOAT16);
    }
    Floats of_each(share.size() * channels);
    for (std::size_t i = 0; i < of_each.size(); ++i) of_each[i] = share[i / channels];
    const Floats added = times(fore.read(memory), of_each);
    if (!back.given()) {
      Floats floors = added;
      for (float& value : floors) value = std::floor(value);
      return result.write(memory, floors);
    }
    const Floats under = back.read(memory);
    const Floats left =
        in_half(under, times(under, of_each), [](float x, float y) { return x - y; });
    result.write(memory, in_half(left, added, [](float x, float y) { return x + y; }));
  });
}

}  // namespace

void background_replace(const Check& check, Plan& plan, const BackgroundReplaceParameters& given) {
  lay_over(check, plan, &given.bkg, given.src, given.mask, given.out);
}

void blend_images_custom(const Check& check, Plan& plan, const BlendImagesCustomParameters& given) {
  check.that(given.rgb.rank() > 0 && given.rgb.shape().back() == 3, "rgb has shape %s",
             given.rgb.shape().text().c_str());
  lay_over(check, plan, &given.frame, given.rgb, given.alpha, given.out);
}

void mrgba_custom(const Check& check, Plan& plan, const MrgbaCustomParameters& given) {
  check.that(given.rgb.rank() > 0 && given.rgb.shape().back() == 3, "rgb has shape %s",
             given.rgb.shape().text().c_str());
  lay_over(check, plan, nullptr, given.rgb, given.alpha, given.out);
}

}  // namespace pyaclnn::sim
