// SPDX-License-Identifier: MIT
#include "opapi/attention/rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr float kMostHalf = 65504;

std::optional<RowView> rows_like(const AttentionRows& rows, const std::optional<View>& view) {
  if (!view.has_value()) return std::nullopt;
  if (view->shape.size() > 4) return RowView(*view);
  Dims shape = AttentionRows::shape_of(rows.view);
  if (rows.scales_sequences) shape.set(0, view->shape[0]);
  if (rows.scales_sequences || rows.rows_of_scale > 1) shape.set(2, view->shape[2]);
  return RowView(broadcast_view(*view, shape));
}

}  // namespace

RowView::RowView(const View& view)
    : operand_(view.operand),
      offset_(view.offset),
      size_(static_cast<std::int64_t>(dtype_size(view.dtype))),
      lane_(view.shape.size() > 4 ? view.shape[4] : 0),
      lane_step_(view.strides[3]),
      steps_{view.strides[0], view.strides[1], view.strides[2], view.strides[lane_ > 0 ? 4 : 3]},
      length_(AttentionRows::shape_of(view)[3]),
      is_floats_(view.dtype == ACL_FLOAT && lane_ == 0 && (steps_[3] == 1 || length_ == 1)),
      is_halves_(is_half_byte(view.dtype)),
      dtype_(view.dtype),
      load_(loader<float>(view.dtype)),
      store_(storer<float>(view.dtype, Rounding::kNearestEven)) {}

const float* RowView::floats(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                             std::int64_t row) const {
  return is_floats_ ? reinterpret_cast<const float*>(at(memory, batch, head, row)) : nullptr;
}

void RowView::load_lanes(const KernelMemory& memory, std::int64_t batch, std::int64_t head,
                         std::int64_t row, std::int64_t from, std::int64_t count, float* to) const {
  const std::int64_t first = element(batch, head, row);
  for (const std::int64_t end = from + count; from < end;) {
    const std::int64_t within = from % lane_;
    const std::int64_t some = std::min(lane_ - within, end - from);
    load_from(memory, first + from / lane_ * lane_step_ + within * steps_[3], some, to);
    from += some;
    to += some;
  }
}

void fill_rows(const View& view, const KernelMemory& memory, float value) {
  const RowView rows(view);
  const std::vector<float> row(static_cast<std::size_t>(view.shape[3]), value);
  for (std::int64_t b = 0; b < view.shape[0]; ++b)
    for (std::int64_t n = 0; n < view.shape[1]; ++n)
      for (std::int64_t s = 0; s < view.shape[2]; ++s)
        rows.store(memory, b, n, s, row.data(), view.shape[3]);
}

StatisticRows::StatisticRows(const AttentionStatistics& statistics)
    : view_(statistics.view), is_packed_(statistics.is_packed) {}

float* StatisticRows::at(const KernelMemory& memory, const AttentionSequence& sequence,
                         std::int64_t head, std::int64_t row) const {
  const Dims& steps = view_.strides;
  std::int64_t element = view_.offset;
  if (is_packed_) {
    // In the order of elements, however the tensor lies in memory.
    const std::int64_t heads = view_.shape[1];
    const std::int64_t line = sequence.first_row * heads + head * sequence.rows + row;
    element += line / heads * steps[2] + line % heads * steps[1];
  } else {
    element +=
        sequence.query_batch * steps[0] + head * steps[1] + (sequence.first_row + row) * steps[2];
  }
  return reinterpret_cast<float*>(memory.operands[view_.operand]) + element;
}

float StatisticRows::load(const KernelMemory& memory, const AttentionSequence& sequence,
                          std::int64_t head, std::int64_t row) const {
  return *at(memory, sequence, head, row);
}

void StatisticRows::store(const KernelMemory& memory, const AttentionSequence& sequence,
                          std::int64_t head, std::int64_t row, float value) const {
  float* to = at(memory, sequence, head, row);
  for (std::int64_t i = 0; i < view_.shape[3]; ++i) to[i * view_.strides[3]] = value;
}

RowReader::RowReader(const AttentionRows& rows)
    : depth_(rows.depth()),
      has_pairs_(rows.view.dtype == ACL_BF16 && !rows.rope && !rows.pages && !rows.scale &&
                 !rows.added),
      is_plain_(!rows.rope && !rows.pages && !rows.scale && !rows.added),
      rows_(rows.view),
      scale_(rows_like(rows, rows.scale)),
      offset_(rows_like(rows, rows.offset)),
      scales_sequences_(rows.scales_sequences),
      starts_(rows.starts),
      rows_of_scale_(rows.rows_of_scale),
      pages_(rows.pages),
      page_count_(rows.view.shape[0]),
      page_rows_(rows.view.shape[2]) {
  if (rows.rope.has_value()) rope_.emplace(*rows.rope);
  if (rows.added.has_value()) added_.emplace(*rows.added);
  if (!rows.rounded_to.has_value()) return;
  rounded_.emplace(*rows.rounded_to);
  has_exponents_ = rows.scale.has_value() && rows.scale->dtype == ACL_FLOAT8_E8M0;
}

void RowReader::dequantise(const KernelMemory& memory, const Place& scale, std::int64_t head,
                           std::int64_t count, float* to) const {
  std::vector<float> more(static_cast<std::size_t>(count));
  const auto read = [&](const RowView& rows) {
    rows.load(memory, scale.batch, head, scale.row, 0, count, more.data());
    if (rounded_.has_value() && !has_exponents_) rounded_->round(more.data(), count);
  };
  const auto round = [&] {
    // A float of 4 bits times a power of two is at most the largest float16, never infinite.
    if (has_exponents_ && rounded_->dtype() == ACL_FLOAT16)
      for (std::int64_t i = 0; i < count; ++i) to[i] = std::clamp(to[i], -kMostHalf, kMostHalf);
    if (rounded_.has_value()) rounded_->round(to, count);
  };
  if (offset_.has_value()) {
    read(*offset_);
    for (std::int64_t i = 0; i < count; ++i) to[i] += more[std::size_t(i)];
    round();
  }
  read(*scale_);
  for (std::int64_t i = 0; i < count; ++i) to[i] *= more[std::size_t(i)];
  round();
}

void RowReader::load_at(const KernelMemory& memory, const Place& place, std::int64_t head,
                        const Place& scale, float* to) const {
  const auto [batch, row] = place;
  const std::int64_t count = rows_.length();
  rows_.load(memory, batch, head, row, 0, count, to);
  if (scale_.has_value()) dequantise(memory, scale, head, count, to);
  if (added_.has_value()) {
    std::vector<float> more(static_cast<std::size_t>(count));
    added_->load(memory, batch, head, row, 0, count, more.data());
    for (std::int64_t i = 0; i < count; ++i) to[i] += more[std::size_t(i)];
  }
  if (rope_.has_value()) rope_->load(memory, batch, head, row, 0, rope_->length(), to + count);
}

std::int64_t RowReader::page_of(const KernelMemory& memory, std::int64_t sequence,
                                std::int64_t row) const {
  const View& table = *pages_;
  const std::int64_t number = row / page_rows_;
  if (number >= table.shape[1]) return -1;
  const std::int64_t at = table.offset + sequence * table.strides[0] + number * table.strides[1];
  std::int32_t page = -1;
  std::memcpy(&page, memory.operands[table.operand] + at * std::int64_t(sizeof page), sizeof page);
  return page < page_count_ ? page : -1;
}

void RowReader::load(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
                     std::int64_t head, std::int64_t row, float* to) const {
  if (!pages_.has_value()) {
    const Place own = scales_sequences_
                          ? Place{sequence, (row - starts_[std::size_t(sequence)]) / rows_of_scale_}
                          : Place{batch, row / rows_of_scale_};
    return load_at(memory, {batch, row}, head, own, to);
  }
  const std::int64_t page = page_of(memory, sequence, row);
  // The table is data: a page that is none has no numbers.
  if (page < 0) {
    std::fill_n(to, depth_, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const Place place{page, row % page_rows_};
  const Place own{page, place.row / rows_of_scale_};
  load_at(memory, place, head, scales_sequences_ ? Place{sequence, row} : own, to);
}

const float* RowReader::one(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
                            std::int64_t head, std::int64_t row, float* scratch) const {
  const float* there = is_plain_ ? rows_.floats(memory, batch, head, row) : nullptr;
  if (there != nullptr) return there;
  load(memory, sequence, batch, head, row, scratch);
  return scratch;
}

void RowReader::expect(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
                       std::int64_t head, std::int64_t row) const {
  if (!pages_.has_value()) return rows_.expect(memory, batch, head, row);
  const std::int64_t page = page_of(memory, sequence, row);
  if (page >= 0) rows_.expect(memory, page, head, row % page_rows_);
}

FloatRows RowReader::some(const KernelMemory& memory, std::int64_t sequence, std::int64_t batch,
                          std::int64_t head, std::int64_t first, std::int64_t count,
                          float* scratch) const {
  if (is_plain_) {
    // Rows far apart are not in the cache when they are needed again.
    constexpr std::int64_t kNear = 512;
    const float* rows = rows_.floats(memory, batch, head, first);
    if (rows != nullptr && rows_.row_step() <= kNear) return {rows, rows_.row_step()};
  }
  for (std::int64_t i = 0; i < count; ++i) {
    if (i + kAhead < count) expect(memory, sequence, batch, head, first + i + kAhead);
    load(memory, sequence, batch, head, first + i, scratch + i * depth_);
  }
  return {scratch, depth_};
}

}  // namespace pyaclnn::sim
