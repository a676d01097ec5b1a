// SPDX-License-Identifier: MIT
#include "opapi/unfold/unfold.hpp"

#include <algorithm>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/pooling/window.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // values worth a hand-over to another thread

void check_values(const Check& check, const IntArrayIn& array, std::int64_t least) {
  check.that(array.values().size() == 2, "%s has %zu values, it must have 2: height and width",
             array.name(), array.values().size());
  check_at_least(check, array, least);
}

struct Kernel {
  RowMajor image;
  RowMajor columns;
  Window window[2];
  std::int64_t extent[2];
  std::int64_t count[2];

  std::int64_t size() const { return extent[0] * extent[1]; }
  std::int64_t windows() const { return count[0] * count[1]; }
  std::int64_t taps() const { return window[0].kernel * window[1].kernel; }

  void run(const KernelMemory& memory) const {
    const RowMajorAccess from(image, memory);
    const RowMajorAccess to(columns, memory);
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max(size(), windows()));
    const std::int64_t planes = image.count() / size();
    parallel_for(planes, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(static_cast<std::size_t>(size()));
      std::vector<float> line(static_cast<std::size_t>(windows()));
      for (std::int64_t plane = begin; plane < end; ++plane) {
        const float* x = from.read(plane * size(), size(), buffer.data());
        for (std::int64_t tap = 0; tap < taps(); ++tap) {
          const std::int64_t at = (plane * taps() + tap) * windows();
          float* target = to.target(at, line.data());
          see(x, tap / window[1].kernel, tap % window[1].kernel, target);
          to.write(at, windows(), target);
        }
      }
    });
  }

  /// What all windows have under one tap.
  void see(const float* x, std::int64_t row_tap, std::int64_t column_tap, float* to) const {
    for (std::int64_t i = 0; i < count[0]; ++i) {
      const std::int64_t y = window[0].start(i) + row_tap * window[0].dilation;
      const bool is_row = y >= 0 && y < extent[0];
      for (std::int64_t j = 0; j < count[1]; ++j) {
        const std::int64_t place = window[1].start(j) + column_tap * window[1].dilation;
        const bool is_inside = is_row && place >= 0 && place < extent[1];
        *to++ = is_inside ? x[y * extent[1] + place] : 0.0f;
      }
    }
  }
};

}  // namespace

void im2col(const Check& check, Plan& plan, const TensorArgument& self, const IntArrayIn& kernel,
            const IntArrayIn& dilation, const IntArrayIn& padding, const IntArrayIn& stride,
            const TensorArgument& out) {
  check.that(self.rank() == 3 || self.rank() == 4, "self has %zu dimensions, it must have 3 or 4",
             self.rank());
  for (std::size_t i = self.rank() - 3; i < self.rank(); ++i)
    check.that(self.shape()[i] > 0, "self has shape %s: only the batch may be empty",
               self.shape().text().c_str());
  check_values(check, kernel, 1);
  check_values(check, dilation, 1);
  check_values(check, padding, 0);
  check_values(check, stride, 1);
  check_plane(check, self, 2);
  Kernel columns;
  using Extent = Checked<std::int64_t>;
  Extent rows = self.shape()[self.rank() - 3];
  Extent windows = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    columns.window[i] = {kernel.values()[i], stride.values()[i], padding.values()[i],
                         dilation.values()[i]};
    columns.extent[i] = self.shape()[self.rank() - 2 + i];
    columns.count[i] = columns.window[i].count(columns.extent[i], false);
    check.that(columns.count[i] >= 1, "self of shape %s is too small for the kernel",
               self.shape().text().c_str());
    rows = rows * kernel.values()[i];
    windows = windows * columns.count[i];
  }
  Dims shape(self.shape().begin(), self.rank() - 3);
  shape.push_back(rows.saturated());
  shape.push_back(windows.saturated());
  check.shape_is(out, shape, "the taps of each channel and the windows");
  if (self.is_empty()) return;
  if (self.dtype() == ACL_BF16 && !config().has_bf16())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: there is no kernel for bfloat16 on %s", plan.api(),
         config().soc_name.c_str());
  plan.stage(self).contiguous();
  plan.result(self.dtype(), shape).cast_to(out.dtype()).copy_to(out);
  columns.image = RowMajor(plan.reads(self));
  columns.columns = RowMajor(plan.writes(out));
  if (!columns.columns.given())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: a result cannot be cast to out's type", plan.api());
  plan.launch([columns](const KernelMemory& memory) { columns.run(memory); });
}

}  // namespace pyaclnn::sim
