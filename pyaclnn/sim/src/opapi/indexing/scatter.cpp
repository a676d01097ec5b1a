// SPDX-License-Identifier: MIT
#include "opapi/indexing/scatter.hpp"

#include <algorithm>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

/// Beyond the range both ends stand for it, as in CANN, which looks at shapes before dim.
std::size_t nearest_axis(std::int64_t dim, std::size_t rank) {
  const auto all = std::int64_t(rank);
  return std::size_t(dim < 0 ? std::max<std::int64_t>(dim + all, 0)
                             : std::min(dim, std::max<std::int64_t>(all - 1, 0)));
}

}  // namespace

Combine combine_of(std::int64_t reduce) {
  switch (reduce) {
    case 1:
      return Combine::kAdd;
    case 2:
      return Combine::kMultiply;
    case 3:
      return Combine::kMaximum;
    case 4:
      return Combine::kMinimum;
    default:
      return Combine::kReplace;
  }
}

std::size_t check_scatter(const Check& check, const TensorArgument& self, std::int64_t dim,
                          const TensorArgument& index, const TensorArgument* src,
                          const TensorArgument& out) {
  // The 950 takes a scalar for a list of one.
  const std::size_t least = on_950() ? 1 : 0;
  const auto rank = [=](const TensorArgument& t) { return std::max(t.rank(), least); };
  check.that(rank(self) == rank(index), "self has %zu dimensions, index has %zu", self.rank(),
             index.rank());
  if (src != nullptr)
    check.that(rank(self) == rank(*src), "self has %zu dimensions, src has %zu", self.rank(),
               src->rank());
  if (out.rank() != 0) check.shape_is(out, self.shape(), "self");
  const std::size_t axis = nearest_axis(dim, self.rank());
  for (std::size_t i = 0; i < index.rank(); ++i) {
    const std::int64_t extent = index.shape()[i];
    if (src != nullptr && i < src->rank())
      check.that(extent <= src->shape()[i], "index has shape %s, src only %s",
                 index.shape().text().c_str(), src->shape().text().c_str());
    if (i != axis && i < self.rank())
      check.that(extent <= self.shape()[i],
                 "index has shape %s, self %s: only along dim it may be longer",
                 index.shape().text().c_str(), self.shape().text().c_str());
  }
  check.rank_at_most(8, self);
  return check.dim_of(self, dim);
}

void copy_self(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  const Table table = table_of(plan, self, out);
  if (table.before) launch_cast(plan, table.view, *table.before);
}

Table table_of(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  plan.stage(self).contiguous();
  const bool as_it_is = same_or_one(out.shape(), self.shape());
  plan.result(self.dtype(), as_it_is ? out.shape() : self.shape()).copy_to(out);
  View written = plan.writes(out);
  if (written.shape != self.shape()) {
    written.shape = self.shape();
    written.strides = contiguous_strides(self.shape());
  }
  Table table{listed(written), std::nullopt};
  if (self.index() != out.index() && !self.is_empty()) table.before = listed(plan.reads(self));
  return table;
}

void scatter(Plan& plan, const TensorArgument& self, std::size_t axis, const TensorArgument& index,
             const TensorArgument& src, const TensorArgument& out, Combine combine,
             bool include_self) {
  plan.stage(index).contiguous();
  plan.stage(src).contiguous();
  check_tiling_inside(plan, src.rank() != 0 || index.elements() <= 1,
                      "src is a scalar beside an index of shape %s", index.shape().text().c_str());
  const Table table = table_of(plan, self, out);
  const View numbers = listed(plan.reads(index));
  const View other = listed(plan.reads(src));
  Chosen chosen = chosen_elements(table.view, axis, numbers, other, true);
  chosen.before = table.before;
  launch_scatter(plan, chosen, combine, include_self);
}

void scatter_value(Plan& plan, const TensorArgument& self, std::size_t axis,
                   const TensorArgument& index, const ScalarIn& value, const TensorArgument& out,
                   Combine combine) {
  plan.stage(index).contiguous();
  plan.reserve(index.elements(), self.dtype());
  const Table table = table_of(plan, self, out);
  const View numbers = listed(plan.reads(index));
  Chosen chosen = chosen_elements(table.view, axis, numbers, numbers, true);
  chosen.before = table.before;
  set_constant(chosen, value, self.dtype(), numbers.shape);
  launch_scatter(plan, chosen, combine);
}

}  // namespace pyaclnn::sim
