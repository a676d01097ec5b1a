// SPDX-License-Identifier: MIT
#include "opapi/indexing/index_masks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {
namespace {

/// An index tensor and the dimensions it chooses from: a mask has as many as they are.
struct Part {
  View tensor;
  std::size_t axis;  // the first of them
  bool is_mask;

  std::size_t axes() const { return is_mask ? tensor.shape.size() : 1; }
};

using Columns = std::vector<std::vector<std::int64_t>>;

/// The places of what is true, a column for each dimension of the mask.
Columns places_of(const KernelMemory& memory, const View& mask) {
  const std::size_t rank = mask.shape.size();
  Columns columns(rank);
  std::vector<std::int64_t> at(rank, 0);
  const std::byte* const first = first_element(memory, mask);
  for (std::int64_t left = mask.shape.product(); left > 0; --left) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < rank; ++i) offset += at[i] * mask.strides[i];
    if (first[offset] != std::byte{0})
      for (std::size_t i = 0; i < rank; ++i) columns[i].push_back(at[i]);
    for (std::size_t i = rank; i-- > 0 && ++at[i] == mask.shape[i];) at[i] = 0;
  }
  return columns;
}

/// The kernel, one of the AI CPU, which looks at shapes and numbers when it runs; `other` is the
/// result of a look-up, or what is put.
struct ByMasks {
  const char* api;
  View table;
  View other;
  std::vector<Part> parts;
  std::vector<std::size_t> whole;  // dimensions that nothing chooses from
  std::size_t axes;                // all that the index tensors stand for
  bool puts;
  Combine combine;

  void operator()(const KernelMemory& memory) const {
    if (axes > table.shape.size())
      fail(kRtAicpuException, "%s: the indices choose from %zu dimensions, self has %zu", api, axes,
           table.shape.size());
    KernelMemory with = memory;
    Chosen chosen;
    chosen.table = table;
    chosen.slice_axes = whole;
    std::vector<Columns> found;  // owns the numbers that the views name
    found.reserve(parts.size());
    Dims numbers;
    for (const Part& part : parts) {
      if (!part.is_mask) {
        chosen.choices.push_back({part.tensor, part.axis, true});
        numbers = joined(numbers, part.tensor.shape);
        continue;
      }
      check_mask(part);
      found.push_back(places_of(memory, part.tensor));
      const Columns& columns = found.back();
      const Dims count{std::int64_t(columns.front().size())};
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const View view{with.operands.size(), ACL_INT64, 0, count, Dims{1}};
        chosen.choices.push_back({view, part.axis + i, true});
        // Only read, but operands may be written.
        auto* const from = const_cast<std::int64_t*>(columns[i].data());
        with.operands.push_back(reinterpret_cast<std::byte*>(from));
      }
      numbers = joined(numbers, count);
    }
    chosen.positions = numbers.size();
    chosen.position_axes.assign(chosen.positions, Chosen::kNone);
    const std::size_t place = place_of_numbers();
    const Dims shape = result_shape(numbers, place);
    check_other(shape);
    if (shape.product() == 0) return;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < numbers.size(); ++i) order.push_back(place + i);
    for (std::size_t i = 0; i < whole.size(); ++i)
      order.push_back(i < place ? i : i + numbers.size());
    chosen.other = with_axes(broadcast_view(other, shape), order);
    if (puts) {
      scatter_kernel(api, chosen, combine)(with);
    } else {
      gather_kernel(api, chosen)(with);
    }
  }

 private:
  void check_mask(const Part& part) const {
    const Dims& extents = part.tensor.shape;
    bool fits = !extents.empty();
    for (std::size_t i = 0; fits && i < extents.size(); ++i)
      fits = extents[i] == table.shape[part.axis + i];
    if (!fits)
      fail(kRtAicpuException, "%s: a mask has shape %s from dimension %zu of self on, which has %s",
           api, extents.text().c_str(), part.axis, table.shape.text().c_str());
  }

  Dims joined(const Dims& a, const Dims& b) const {
    const std::size_t rank = std::max(a.size(), b.size());
    Dims result;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
      const std::int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
      if (x != y && x != 1 && y != 1)
        fail(kRtAicpuException,
             "%s: indices choose places of shapes %s and %s, which do not "
             "broadcast",
             api, a.text().c_str(), b.text().c_str());
      result.push_back(x == 1 ? y : x);
    }
    return result;
  }

  /// Numbers of dimensions that are neighbours take their place, others come first.
  std::size_t place_of_numbers() const {
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (parts[i - 1].axis + parts[i - 1].axes() != parts[i].axis) return 0;
    return parts.front().axis;
  }

  Dims result_shape(const Dims& numbers, std::size_t place) const {
    Dims result;
    for (std::size_t i = 0; i <= whole.size(); ++i) {
      if (i == place)
        for (std::int64_t extent : numbers) result.push_back(extent);
      if (i < whole.size()) result.push_back(table.shape[whole[i]]);
    }
    return result;
  }

  void check_other(const Dims& shape) const {
    bool fits = puts ? other.shape.size() <= shape.size() : other.shape == shape;
    for (std::size_t i = 0; puts && fits && i < other.shape.size(); ++i) {
      const std::int64_t own = other.shape[i];
      fits = own == 1 || own == shape[i + shape.size() - other.shape.size()];
    }
    if (!fits)
      fail(kRtAicpuException, "%s: the indices choose a part of shape %s, and %s has shape %s", api,
           shape.text().c_str(), puts ? "values" : "out", other.shape.text().c_str());
  }
};

ByMasks by_masks(Plan& plan, const TensorArgument& self, const TensorListIn& indices) {
  ByMasks kernel{};
  kernel.api = plan.api();
  std::size_t axis = 0;
  for (const TensorArgument& tensor : indices.tensors) {
    if (tensor.is_empty()) {
      kernel.whole.push_back(axis++);
      continue;
    }
    plan.stage(tensor).contiguous();
    const bool is_mask = tensor.dtype() == ACL_BOOL;
    kernel.parts.push_back({plan.reads(tensor), axis, is_mask});
    axis += kernel.parts.back().axes();
  }
  kernel.axes = axis;
  for (; axis < self.rank(); ++axis) kernel.whole.push_back(axis);
  return kernel;
}

}  // namespace

bool has_masks(const TensorListIn& indices) {
  return std::any_of(indices.tensors.begin(), indices.tensors.end(),
                     [](const TensorArgument& tensor) {
                       return !tensor.is_empty() && tensor.dtype() == ACL_BOOL;
                     });
}

void check_mask_shapes(const Check& check, const TensorArgument& self,
                       const TensorListIn& indices) {
  if (!has_masks(indices)) return;
  std::size_t axis = 0;
  for (const TensorArgument& index : indices.tensors) {
    if (index.is_empty()) {
      ++axis;
      continue;
    }
    bool fits = axis + index.rank() <= self.rank();
    for (std::size_t i = 0; fits && i < index.rank(); ++i)
      fits = index.shape()[i] == self.shape()[axis + i];
    check.that(fits, "%s has shape %s beside a mask, self %s from dimension %zu on", index.name(),
               index.shape().text().c_str(), self.shape().text().c_str(), axis);
    axis += index.rank();
  }
}

void index_by_masks(Plan& plan, const TensorArgument& self, const TensorListIn& indices,
                    const TensorArgument& out) {
  plan.stage(self).contiguous();
  ByMasks kernel = by_masks(plan, self, indices);
  plan.result(self.dtype(), out.shape()).copy_to(out);
  kernel.table = plan.reads(self);
  kernel.other = plan.writes(out);
  plan.launch(std::move(kernel));
}

void index_put_by_masks(Plan& plan, const TensorArgument& self, const TensorListIn& indices,
                        const TensorArgument& values, bool accumulate) {
  plan.stage(self).contiguous();
  plan.stage(values).contiguous();
  ByMasks kernel = by_masks(plan, self, indices);
  plan.result(self.dtype(), self.shape()).copy_to(self);
  kernel.table = plan.writes(self);
  kernel.other = plan.reads(values);
  kernel.puts = true;
  kernel.combine = accumulate ? Combine::kAdd : Combine::kReplace;
  plan.launch(std::move(kernel));
}

}  // namespace pyaclnn::sim
