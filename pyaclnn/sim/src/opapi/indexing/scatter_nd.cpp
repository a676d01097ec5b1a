// SPDX-License-Identifier: MIT
#include "opapi/indexing/scatter_nd.hpp"

#include <algorithm>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/indexing/scatter.hpp"
#include "parameters/GatherNd.hpp"

namespace pyaclnn::sim {
namespace {

/// `other` lies as the tuples' axes and then the table's that they do not name.
Chosen chosen_tuples(const View& table, const View& tuples, const View& other, bool wraps) {
  Chosen chosen;
  chosen.table = table;
  chosen.other = other;
  chosen.positions = tuples.shape.size() - 1;
  chosen.position_axes.assign(chosen.positions, Chosen::kNone);
  const auto named = std::size_t(tuples.shape.back());
  for (std::size_t i = named; i < table.shape.size(); ++i) chosen.slice_axes.push_back(i);
  View numbers = tuples;
  numbers.shape = Dims(tuples.shape.begin(), chosen.positions);
  numbers.strides = Dims(tuples.strides.begin(), chosen.positions);
  for (std::size_t i = 0; i < named; ++i) {
    chosen.choices.push_back({numbers, i, wraps});
    numbers.offset += tuples.strides.back();
  }
  return chosen;
}

/// Whether the axes from `first` on follow one another without gaps.
bool are_dense(const TensorMeta& table, std::size_t first) {
  const Dims dense = contiguous_strides(table.shape);
  for (std::size_t i = first; i < table.shape.size(); ++i)
    if (table.shape[i] != 1 && table.strides[i] != dense[i]) return false;
  return true;
}

/// The kernel of the 950 takes gaps between slices, that of Atlas A2 those of the first axis.
bool knows_gaps(const TensorMeta& table, std::int64_t named) {
  constexpr std::int64_t kMost = 4;
  if (named < 0 || named > std::min(kMost, std::int64_t(table.shape.size()))) return false;
  if (on_950()) return named > 0 && !are_dense(table, 0) && are_dense(table, std::size_t(named));
  if (!on_a2_or_a3() || named == 0 || !are_dense(table, 1)) return false;
  return table.strides[0] > table.shape.product(1);
}

}  // namespace

void check_gaps(const Plan& plan, const TensorArgument& table, const TensorArgument& indices) {
  const TensorMeta& meta = table.meta();
  if (meta.is_contiguous() || knows_gaps(meta, indices.shape().back())) return;
  check_inside(plan, false, "%s of shape %s has the strides %s, which no kernel takes here",
               table.name(), meta.shape.text().c_str(), meta.strides.text().c_str());
}

Dims tuples_shape(const TensorArgument& table, const TensorArgument& indices) {
  Dims shape(indices.shape().begin(), indices.rank() - 1);
  for (auto i = std::size_t(indices.shape().back()); i < table.rank(); ++i)
    shape.push_back(table.shape()[i]);
  return shape;
}

bool fits_tuples(const TensorArgument& table, const TensorArgument& indices,
                 const TensorArgument& other) {
  return indices.rank() > 0 && indices.shape().back() >= 0 &&
         std::size_t(indices.shape().back()) <= table.rank() &&
         other.shape() == tuples_shape(table, indices);
}

bool fits_numbers(const TensorArgument& table, const TensorArgument& indices,
                  const TensorArgument& other) {
  Dims shape = indices.shape();
  for (std::size_t i = 1; i < table.rank(); ++i) shape.push_back(table.shape()[i]);
  return table.rank() > 0 && other.shape() == shape;
}

void check_tuples_inside(const Plan& plan, const TensorArgument& table,
                         const TensorArgument& indices, const TensorArgument& updates) {
  check_tiling_inside(plan, indices.rank() >= 2 && fits_tuples(table, indices, updates),
                      "updates has shape %s, which is not that of what indices of shape %s choose "
                      "of %s",
                      updates.shape().text().c_str(), indices.shape().text().c_str(),
                      table.shape().text().c_str());
}

/// aclnnGatherNd.
void gather_tuples(const Check&, Plan& plan, const GatherNdParameters& given) {
  plan.stage(given.self).contiguous();
  plan.stage(given.indices).contiguous();
  plan.result(given.self.dtype(), given.out.shape()).copy_to(given.out);
  const View to = plan.writes(given.out);
  launch_gather(plan, chosen_tuples(plan.reads(given.self), plan.reads(given.indices), to,
                                    given.negativeIndexSupport));
}

void scatter_tuples(Plan& plan, const TensorArgument& data, const TensorArgument& indices,
                    const TensorArgument& updates, const TensorArgument& out, Combine combine,
                    bool ignores_outside) {
  plan.stage(indices).contiguous();
  plan.stage(updates).contiguous();
  copy_self(plan, data, out);
  const View table = plan.writes(out);
  Chosen chosen = chosen_tuples(table, plan.reads(indices), plan.reads(updates), false);
  chosen.ignores_outside = ignores_outside;
  launch_scatter(plan, chosen, combine);
}

void scatter_first(Plan& plan, const TensorArgument& var, const TensorArgument& indices,
                   const TensorArgument& updates, Combine combine, bool ignores_outside) {
  plan.stage(var).contiguous();
  plan.stage(indices).contiguous();
  plan.stage(updates).contiguous();
  plan.result(var.dtype(), var.shape()).copy_to(var);
  const View table = plan.writes(var);
  Chosen chosen = chosen_slices(table, 0, plan.reads(indices), plan.reads(updates), false);
  chosen.ignores_outside = ignores_outside;
  launch_scatter(plan, chosen, combine);
}

}  // namespace pyaclnn::sim
