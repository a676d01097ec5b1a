// Quantising a whole tensor, or groups of its rows, beside their largest magnitudes; and back from
// blocks that share an exponent.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/dequant.hpp"
#include "opapi/quant/mx.hpp"
#include "parameters/AntiMxQuant.hpp"
#include "parameters/GroupedQuantMax.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostGroups = 384;

/// Plans the largest magnitude of each group of rows.
void largest_of_groups(Plan& plan, const View& x, const QuantRowsCall& call,
                       const TensorArgument& amax) {
  const RowSource source = rows_of(x, call.width);
  const RowGroups groups = call.groups;
  const std::int64_t rows = call.rows, width = call.width;
  const auto out = std::make_shared<const RowMajor>(plan.writes(amax));
  plan.launch([=](const KernelMemory& memory) {
    std::vector<float> most(static_cast<std::size_t>(rows));
    parallel_for(rows, std::max<std::int64_t>(1, 16384 / width),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<float> values(static_cast<std::size_t>(width));
                   for (std::int64_t row = begin; row < end; ++row) {
                     source(memory, {row, 0, width}, values.data());
                     float size = 0;
                     for (float value : values) size = std::max(size, std::fabs(value));
                     most[std::size_t(row)] = size;
                   }
                 });
    std::vector<std::int64_t> ends{rows};
    if (groups.given()) ends = groups.ends(memory, rows);
    std::vector<float> found;
    std::int64_t begin = 0;
    for (std::int64_t end : ends) {
      float size = 0;
      for (; begin < end; ++begin) size = std::max(size, most[std::size_t(begin)]);
      found.push_back(size);
    }
    RowMajorAccess(*out, memory).write(0, std::int64_t(found.size()), found.data());
  });
}

}  // namespace

void quant_max(const Check&, Plan& plan, const GroupedQuantMaxParameters& given) {
  if (given.roundMode.text == "hybrid")
    fail_not_simulated(plan, "the hybrid rounding of hifloat8, which draws");
  const bool grouped = given.groupList.given();
  if (grouped) {
    const std::int64_t groups = given.groupList.elements();
    check_tiling(plan, given.groupList.rank() == 1 && groups <= kMostGroups,
                 "groupList has shape %s, it must be a list of up to 384",
                 given.groupList.shape().text().c_str());
    for (const TensorArgument* tensor : {&given.scale, &given.amax})
      check_tiling(plan, tensor->rank() == 1 && tensor->elements() == groups,
                   "%s has shape %s beside %lld groups", tensor->name(),
                   tensor->shape().text().c_str(), static_cast<long long>(groups));
  }
  plan.stage(given.x).contiguous();
  const View x = plan.reads(given.x);
  QuantRowsCall call;
  call.rows = grouped ? given.x.shape()[0] : given.x.elements() / given.x.shape().back();
  call.width = given.x.elements() / call.rows;
  call.source = rows_of(x, call.width);
  if (grouped) {
    plan.stage(given.groupList).contiguous();
    call.groups = RowGroups(plan.reads(given.groupList), false);
  }
  RowQuantiser quantiser;
  quantiser.scale = RowFactors(plan, given.scale, call.width, true);
  quantiser.round = given.dstType == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.out = QuantOut(plan, given.y);
  call.stores.push_back(std::move(quantiser));
  largest_of_groups(plan, x, call, given.amax);
  quantise_rows(plan, std::move(call));
}

void anti_mx_quant(const Check&, Plan& plan, const AntiMxQuantParameters& given) {
  const std::size_t last = given.x.rank() - 1;
  check_tiling(plan, given.axis == -1 || given.axis == std::int64_t(last),
               "axis is %lld, only the last has a kernel", static_cast<long long>(given.axis));
  check_mx_shape(plan, given.y, given.x);
  check_mx_scales(plan, given.x, last, kMxBlock, given.mxscale);
  plan.stage(given.mxscale).contiguous();
  const auto numbers = std::make_shared<const QuantIn>(plan, given.x, false);
  const auto scales = std::make_shared<const RowMajor>(plan.reads(given.mxscale));
  const std::int64_t length = 2 * given.mxscale.shape()[last];
  QuantRowsCall call;
  call.width = given.x.shape().back();
  call.rows = given.x.elements() / call.width;
  call.source = [=](const KernelMemory& memory, const RowPlace& place, float* to) {
    std::vector<float> row(static_cast<std::size_t>(length));
    const float* const found =
        RowMajorAccess(*scales, memory).read(place.row * length, length, row.data());
    const float* const from = numbers->read(memory, place.row * place.width, place.width, to);
    for (std::int64_t i = 0; i < place.width; ++i) to[i] = from[i] * found[i / kMxBlock];
  };
  call.stores.push_back(stored(plan, given.y));
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
