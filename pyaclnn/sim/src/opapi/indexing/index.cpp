// SPDX-License-Identifier: MIT
#include "opapi/indexing/index.hpp"

#include <algorithm>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/indexing/chosen.hpp"
#include "parameters/IndexPutImpl.hpp"

namespace pyaclnn::sim {
namespace {

/// Which dimensions are chosen by numbers, and how the result is put together.
struct Indexing {
  std::vector<std::size_t> chosen;  // dimensions with numbers
  std::vector<std::size_t> whole;   // the others
  Dims numbers;                     // the shape the index tensors have in common
  std::size_t place = 0;            // of the numbers' dimensions in the result

  Indexing(const Check& check, const TensorArgument& self, const TensorListIn& indices) {
    check.that(indices.tensors.size() <= self.rank(),
               "there are %zu indices, self has %zu dimensions", indices.tensors.size(),
               self.rank());
    bool first = true;
    for (std::size_t i = 0; i < self.rank(); ++i) {
      if (i >= indices.tensors.size() || indices.tensors[i].is_empty()) {
        whole.push_back(i);
        continue;
      }
      const TensorArgument& tensor = indices.tensors[i];
      // Numbers of dimensions that are neighbours take their place, others come first.
      if (first) place = i;
      if (!chosen.empty() && chosen.back() + 1 != i) place = 0;
      numbers = first ? tensor.shape() : joined(check, numbers, tensor.shape());
      first = false;
      chosen.push_back(i);
    }
  }

  Dims shape(const TensorArgument& self) const {
    Dims result;
    for (std::size_t axis : whole) {
      if (result.size() == place) add(result, numbers);
      result.push_back(self.shape()[axis]);
    }
    if (whole.size() <= place) add(result, numbers);
    return result;
  }

  /// The axes of the result: the numbers' first.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < numbers.size(); ++i) result.push_back(place + i);
    for (std::size_t i = 0; i < whole.size(); ++i)
      result.push_back(i < place ? i : i + numbers.size());
    return result;
  }

 private:
  static void add(Dims& to, const Dims& extents) {
    for (std::int64_t extent : extents) to.push_back(extent);
  }

  static Dims joined(const Check& check, const Dims& a, const Dims& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    Dims result;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
      const std::int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
      check.that(x == y || x == 1 || y == 1, "indices of shapes %s and %s do not broadcast",
                 a.text().c_str(), b.text().c_str());
      result.push_back(x == 1 ? y : x);
    }
    return result;
  }
};

/// `other` lies as the result does.
Chosen chosen_by(Plan& plan, const Indexing& indexing, const View& table,
                 const TensorListIn& indices, const View& other) {
  Chosen chosen;
  chosen.table = table;
  chosen.positions = indexing.numbers.size();
  chosen.position_axes.assign(chosen.positions, Chosen::kNone);
  chosen.slice_axes = indexing.whole;
  chosen.other = with_axes(other, indexing.order());
  for (std::size_t axis : indexing.chosen)
    chosen.choices.push_back({plan.reads(indices.tensors[axis]), axis, true});
  return chosen;
}

}  // namespace

bool chooses_nothing(const TensorListIn& indices) {
  return std::all_of(indices.tensors.begin(), indices.tensors.end(),
                     [](const TensorArgument& tensor) { return tensor.is_empty(); });
}

Dims indexed_shape(const Check& check, const TensorArgument& self, const TensorListIn& indices) {
  return Indexing(check, self, indices).shape(self);
}

bool chooses_transposed(const TensorArgument& self, const TensorListIn& indices) {
  constexpr std::int64_t kShortRow = 32;
  DtypeSet moved{ACL_FLOAT, ACL_FLOAT16, ACL_INT64, ACL_INT32, ACL_BOOL, ACL_INT8, ACL_UINT8};
  if (on_a2_or_a3()) moved = moved.with_bf16();
  if (on_950() || !moved.contains(self.dtype())) return false;
  const TensorArgument* first = nullptr;
  for (const TensorArgument& tensor : indices.tensors) {
    // Whole dimensions come before all others, which have one shape.
    if (tensor.is_empty() && first != nullptr) return false;
    if (tensor.is_empty()) continue;
    if (first != nullptr && first->shape() != tensor.shape()) return false;
    first = &tensor;
  }
  const std::int64_t row = self.shape().product(indices.tensors.size());
  return first != nullptr && indices.tensors.front().is_empty() && row < kShortRow;
}

void index(const Check& check, Plan& plan, const TensorArgument& self, const TensorListIn& indices,
           const TensorArgument& out) {
  const Indexing indexing(check, self, indices);
  plan.stage(self).contiguous();
  for (std::size_t axis : indexing.chosen)
    plan.stage(indices.tensors[axis]).contiguous().broadcast_to(indexing.numbers);
  plan.result(self.dtype(), indexing.shape(self)).copy_to(out);
  const View to = plan.writes(out);
  const View table = plan.reads(self);
  launch_gather(plan, chosen_by(plan, indexing, table, indices, to));
}

/// self[indices] = values, or += values; these broadcast.
void index_put(const Check& check, Plan& plan, const IndexPutImplParameters& given) {
  const Indexing indexing(check, given.selfRef, given.indices);
  const Dims shape = indexing.shape(given.selfRef);
  check.that(given.values.rank() <= shape.size(), "values has shape %s, the chosen part has %s",
             given.values.shape().text().c_str(), shape.text().c_str());
  for (std::size_t i = 0; i < given.values.rank(); ++i) {
    const std::int64_t own = given.values.shape()[i];
    const std::int64_t there = shape[i + shape.size() - given.values.rank()];
    check.that(own == there || own == 1, "values has shape %s, the chosen part has %s",
               given.values.shape().text().c_str(), shape.text().c_str());
  }
  plan.stage(given.selfRef).contiguous();
  for (std::size_t axis : indexing.chosen)
    plan.stage(given.indices.tensors[axis]).contiguous().broadcast_to(indexing.numbers);
  plan.stage(given.values).contiguous().broadcast_to(shape);
  plan.result(given.selfRef.dtype(), given.selfRef.shape()).copy_to(given.selfRef);
  const View table = plan.writes(given.selfRef);
  const View other = broadcast_view(plan.reads(given.values), shape);
  launch_scatter(plan, chosen_by(plan, indexing, table, given.indices, other),
                 given.accumulate ? Combine::kAdd : Combine::kReplace);
}

}  // namespace pyaclnn::sim
