// SPDX-License-Identifier: MIT
#include "opapi/common/view.hpp"

#include <algorithm>
#include <cstdlib>

namespace pyaclnn::sim {

View broadcast_view(const View& view, const Dims& shape) {
  View result = view;
  result.shape = shape;
  result.strides = shape;
  const std::size_t missing = shape.size() - view.shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool repeats = i < missing || (view.shape[i - missing] == 1 && shape[i] != 1);
    result.strides.set(i, repeats ? 0 : view.strides[i - missing]);
  }
  return result;
}

View exchanged(View view, std::size_t i, std::size_t j) {
  for (Dims* dims : {&view.shape, &view.strides}) {
    const std::int64_t first = (*dims)[i];
    dims->set(i, (*dims)[j]);
    dims->set(j, first);
  }
  return view;
}

LoopNest plan_loops(const std::vector<View>& views) {
  const Dims& shape = views.front().shape;
  std::vector<std::size_t> order;
  const bool any = shape.product() != 0;  // extents beside one of 0 may have any product
  for (std::size_t i = 0; any && i < shape.size(); ++i) {
    if (shape[i] != 1) order.push_back(i);
  }
  const Dims& leading = views.front().strides;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::llabs(leading[a]) > std::llabs(leading[b]);
  });

  LoopNest nest;
  nest.count = any ? 1 : 0;
  nest.strides.resize(views.size());
  for (std::size_t dim : order) {
    const std::int64_t extent = shape[dim];
    const bool merges =
        !nest.extents.empty() &&
        std::all_of(views.begin(), views.end(), [&, k = std::size_t(0)](const View& view) mutable {
          return nest.strides[k++].back() == view.strides[dim] * extent;
        });
    if (merges) {
      nest.extents.back() *= extent;
    } else {
      nest.extents.push_back(extent);
    }
    for (std::size_t k = 0; k < views.size(); ++k) {
      if (merges) {
        nest.strides[k].back() = views[k].strides[dim];
      } else {
        nest.strides[k].push_back(views[k].strides[dim]);
      }
    }
    nest.count *= extent;
  }
  if (nest.extents.empty()) {
    nest.extents.push_back(1);
    for (auto& strides : nest.strides) strides.push_back(1);
  }
  return nest;
}

LoopCursor::LoopCursor(const LoopNest& nest, std::int64_t position)
    : nest_(nest), index_(nest.extents.size()), offsets_(nest.strides.size()) {
  if (nest.count == 0) return;  // no place to be at; an extent of 0 divides nothing
  for (std::size_t dim = nest.extents.size(); dim-- > 0;) {
    index_[dim] = position % nest.extents[dim];
    position /= nest.extents[dim];
    for (std::size_t k = 0; k < offsets_.size(); ++k)
      offsets_[k] += index_[dim] * nest.strides[k][dim];
  }
}

void LoopCursor::advance(std::int64_t elements) {
  std::size_t dim = index_.size() - 1;
  if (elements > nest_.extents[dim]) elements /= nest_.extents[dim--];
  index_[dim] += elements;
  for (std::size_t k = 0; k < offsets_.size(); ++k) offsets_[k] += elements * nest_.strides[k][dim];
  while (index_[dim] == nest_.extents[dim] && dim > 0) {
    for (std::size_t k = 0; k < offsets_.size(); ++k)
      offsets_[k] += nest_.strides[k][dim - 1] - index_[dim] * nest_.strides[k][dim];
    index_[dim] = 0;
    ++index_[--dim];
  }
}

}  // namespace pyaclnn::sim
