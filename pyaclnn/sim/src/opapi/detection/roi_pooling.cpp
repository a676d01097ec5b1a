// The largest element of each bin of a region of interest, and where gradients of those go.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/chip_check.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/RoiPoolingGradWithArgMax.hpp"
#include "parameters/RoiPoolingWithArgMax.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16};
constexpr std::int64_t kBoxValues = 5;

/// A stretch of one axis that a bin covers, cut to the image.
struct Stretch {
  std::int64_t begin;
  std::int64_t end;
};

Stretch stretch(float from, float to, std::int64_t bin, std::int64_t bins, float scale,
                std::int64_t extent) {
  const float start = from * scale;
  const float size = ((to + 1.0f) * scale - start) / float(bins);
  const auto inside = [&](float place) {
    return std::isnan(place) ? 0 : std::int64_t(std::clamp(place, 0.0f, float(extent)));
  };
  return {inside(std::floor(float(bin) * size + start)),
          inside(std::ceil(float(bin + 1) * size + start))};
}

std::int64_t image_of(const char* api, float number, std::int64_t images) {
  if (!(number > -1.0f && number < float(images)))
    fail(kRtAicoreException, "%s: a box is of image %g, there are %lld", api, double(number),
         static_cast<long long>(images));
  return std::int64_t(number);
}

}  // namespace

void roi_pooling_with_arg_max(const Check& check, Plan& plan,
                              const RoiPoolingWithArgMaxParameters& given) {
  check_chip_has(plan, on_950());
  check.not_null(given.x, given.rois, given.y, given.argmax);
  check.dtype_in(kFloats, given.x);
  check.same_dtype(given.x, given.rois, given.y);
  check.dtype_in(DtypeSet{ACL_INT32}, given.argmax);
  for (const TensorArgument* tensor : {&given.x, &given.rois, &given.y, &given.argmax})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s is not of format ND", tensor->name());
  check.that(given.x.rank() == 4, "x has %zu dimensions, it must have 4", given.x.rank());
  check.that(given.rois.rank() == 2 && given.rois.shape()[1] == kBoxValues, "rois has shape %s",
             given.rois.shape().text().c_str());
  const Dims& image = given.x.shape();
  const Dims pooled{given.rois.shape()[0], image[1], given.pooled_h, given.pooled_w};
  check.shape_is(given.y, pooled, "the boxes");
  check.shape_is(given.argmax, pooled, "the boxes");
  check.that(given.pooled_h > 0 && given.pooled_w > 0, "there are no bins");
  const float scales[2] = {given.spatial_scale_h, given.spatial_scale_w};
  check.that(!(scales[0] <= 0.0f) && !(scales[1] <= 0.0f), "a scale is not positive");
  if (given.x.is_empty()) return;
  const PackedOperand x = reads_packed(plan, given.x);
  const PackedOperand rois = reads_packed(plan, given.rois);
  const PackedOperand y = writes_packed(plan, given.y);
  const PackedOperand argmax = writes_packed(plan, given.argmax);
  const char* api = plan.api();
  plan.launch([=, h_scale = scales[0], w_scale = scales[1]](const KernelMemory& memory) {
    const std::vector<float> planes = x.read(memory);
    const std::vector<float> boxes = rois.read(memory);
    std::vector<float> largest(static_cast<std::size_t>(y.size()));
    std::vector<std::int64_t> places(largest.size(), -1);
    for (std::size_t box = 0; box < boxes.size(); box += kBoxValues)
      image_of(api, boxes[box], image[0]);
    parallel_for(pooled[0] * pooled[1], 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t at = begin; at < end; ++at) {
        const float* box = &boxes[std::size_t(at / pooled[1] * kBoxValues)];
        if (!((box[3] - box[1] + 1.0f) * w_scale > 0.0f &&
              (box[4] - box[2] + 1.0f) * h_scale > 0.0f))
          continue;
        const std::int64_t plane = std::int64_t(box[0]) * image[1] + at % pooled[1];
        const float* values = &planes[std::size_t(plane * image[2] * image[3])];
        for (std::int64_t bin = 0; bin < pooled[2] * pooled[3]; ++bin) {
          const Stretch rows =
              stretch(box[2], box[4], bin / pooled[3], pooled[2], h_scale, image[2]);
          const Stretch columns =
              stretch(box[1], box[3], bin % pooled[3], pooled[3], w_scale, image[3]);
          if (rows.end <= rows.begin || columns.end <= columns.begin) continue;
          float best = -std::numeric_limits<float>::infinity();
          std::int64_t place = -1;
          for (std::int64_t r = rows.begin; r < rows.end; ++r)
            for (std::int64_t c = columns.begin; c < columns.end; ++c)
              if (values[r * image[3] + c] > best) {
                place = r * image[3] + c;
                best = values[place];
              }
          largest[std::size_t(at * pooled[2] * pooled[3] + bin)] = best;
          places[std::size_t(at * pooled[2] * pooled[3] + bin)] = place;
        }
      }
    });
    y.write(memory, largest);
    argmax.write(memory, places);
  });
}

void roi_pooling_grad_with_arg_max(const Check& check, Plan& plan,
                                   const RoiPoolingGradWithArgMaxParameters& given) {
  const TensorArgument& grad = given.gradOutput;
  const TensorArgument& out = given.gradInputRef;
  check.not_null(grad, given.rois, given.argmax, out);
  check.dtype_in(kFloats, grad, given.rois, out);
  check.dtype_in(DtypeSet{ACL_INT32}, given.argmax);
  if (on_950())
    for (const TensorArgument* tensor : {&given.rois, &given.argmax, &out})
      check.that(tensor->meta().format == grad.meta().format,
                 "%s has another format than gradOutput", tensor->name());
  constexpr std::int64_t kMost = 1024;
  const Dims& boxes = given.rois.shape();
  check.that(grad.rank() == 4 && out.rank() == 4 && boxes.size() == 2, "rois has shape %s",
             boxes.text().c_str());
  check.that(boxes[0] == grad.shape()[0] && boxes[1] == kBoxValues && boxes[0] <= kMost,
             "rois has shape %s", boxes.text().c_str());
  check.that(out.shape()[0] <= kMost, "gradInput has more than 1024 images");
  check.same_shape(grad, given.argmax);
  // CANN is content where one of the two fits.
  check.that(grad.shape()[2] == given.pooledH || grad.shape()[3] == given.pooledW,
             "gradOutput has shape %s", grad.shape().text().c_str());
  check.that(grad.shape()[1] == out.shape()[1], "gradInput has other channels than gradOutput");
  check.that(given.pooledH > 0 && given.pooledW > 0, "there are no bins");
  if (grad.is_empty()) return;
  needs_kernel(plan, on_950());
  const PackedOperand from = reads_packed(plan, grad);
  const PackedOperand rois = reads_packed(plan, given.rois);
  const PackedOperand argmax = reads_packed(plan, given.argmax);
  const PackedOperand to = writes_packed(plan, out);
  const Dims image = out.shape();
  const std::int64_t bins = grad.shape().product(2, 4);
  const char* api = plan.api();
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> values = from.read(memory);
    const std::vector<float> box = rois.read(memory);
    const auto places = argmax.read<std::int64_t>(memory);
    const std::int64_t size = image[2] * image[3];
    std::vector<float> sums(static_cast<std::size_t>(to.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (places[i] == -1) continue;
      if (places[i] < 0 || places[i] >= size)
        fail(kRtAicoreException, "%s: argmax is %lld, a plane has %lld elements", api,
             static_cast<long long>(places[i]), static_cast<long long>(size));
      const std::int64_t row = std::int64_t(i) / bins;
      const std::int64_t of =
          image_of(api, box[std::size_t(row / image[1] * kBoxValues)], image[0]);
      sums[std::size_t((of * image[1] + row % image[1]) * size + places[i])] += values[i];
    }
    to.write(memory, sums);
  });
}

}  // namespace pyaclnn::sim
