// SPDX-License-Identifier: MIT
#include "opapi/indexing/parts.hpp"

#include <algorithm>
#include <utility>

#include "core/config.hpp"
#include "opapi/indexing/add_rows.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLeast = 1 << 15;  // elements that are worth a part, and stay in the cache
// Places of a part along the axis it is cut from: neighbours are walked through together, and their
// numbers, which others lie between, are read in lines. 16,384 x 64 of float16 take 2.3 ms, 8.2
// with 16.
constexpr std::int64_t kNarrowest = 64;
// Of parts that are written where they lie. Threads that come late find some left; smaller ones
// take longer.
constexpr std::int64_t kInPlace = 1 << 17;

/// The longest axis that no number moves along.
struct Cut {
  std::int64_t extent = 1;
  std::size_t of_other = 0;
  std::size_t of_table = 0;

  explicit Cut(const Chosen& chosen) {
    for (std::size_t i = 0; i < chosen.other.shape.size(); ++i) {
      const bool is_slice = i >= chosen.positions;
      const std::size_t axis =
          is_slice ? chosen.slice_axes[i - chosen.positions] : chosen.position_axes[i];
      if (axis == Chosen::kNone || chosen.other.shape[i] <= extent) continue;
      extent = chosen.other.shape[i];
      of_other = i;
      of_table = axis;
    }
  }
};

/// The part [begin, end) of a view along an axis.
void narrow(View& view, std::size_t axis, std::int64_t begin, std::int64_t end) {
  view.offset += begin * view.strides[axis];
  view.shape.set(axis, end - begin);
}

/// Whether elements of a part lie close to one another: those of other parts do not lie between.
bool is_outermost(const View& view, std::size_t axis) {
  return std::all_of(view.strides.begin(), view.strides.end(),
                     [&](std::int64_t stride) { return stride <= view.strides[axis]; });
}

}  // namespace

std::vector<Chosen> parts_of(const Chosen& chosen, bool buffer) {
  const Cut cut(chosen);
  std::int64_t count = std::max(1, config().threads);
  const std::int64_t elements = chosen.table.shape.product();
  if (chosen.slice_axes.empty() && buffer) {
    count = std::max(count, std::min(elements / kLeast, cut.extent / kNarrowest));
  } else if (chosen.slice_axes.empty() && is_outermost(chosen.table, cut.of_table)) {
    count = std::max(count, elements / kInPlace);
  }
  count = std::min(count, cut.extent);
  if (count <= 1 || chosen.other.shape.product() < kLeast) return {chosen};
  std::vector<Chosen> parts;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = cut.extent * i / count;
    const std::int64_t end = cut.extent * (i + 1) / count;
    Chosen part = chosen;
    narrow(part.table, cut.of_table, begin, end);
    if (part.before) narrow(*part.before, cut.of_table, begin, end);
    narrow(part.other, cut.of_other, begin, end);
    for (Choice& choice : part.choices) {
      // Numbers repeat along the axes that they lack, and those of extent 1.
      const std::size_t rank = choice.numbers.shape.size();
      if (cut.of_other >= chosen.positions || cut.of_other + rank < chosen.positions) continue;
      const std::size_t own = cut.of_other + rank - chosen.positions;
      if (choice.numbers.shape[own] != 1) narrow(choice.numbers, own, begin, end);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

TableCopy copy_of(const Chosen& part) {
  return part.before ? TableCopy(part.table, *part.before) : TableCopy();
}

bool copies_on_the_way(const Chosen& chosen, Combine combine, bool include_self) {
  if (chosen.other.shape.product() == 0) return false;
  if (adds_rows(chosen, combine, include_self)) return true;
  if (!Walk(chosen).is_of_elements()) return false;
  if (!copy_of(chosen).has_rows()) return false;
  // Where parts are all of the table, or it is small enough for one thread.
  const Cut cut(chosen);
  if (cut.extent > 1 && cut.extent < chosen.table.shape[cut.of_table]) return false;
  if (chosen.table.shape.product() < kLeast) return true;
  return cut.extent > 1 && chosen.other.shape.product() >= kLeast;
}

}  // namespace pyaclnn::sim
