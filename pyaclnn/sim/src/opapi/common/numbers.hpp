// The elements of an operand in row-major order, as numbers of one kind, whatever its strides.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"

namespace pyaclnn::sim {

/// Calls body(first element, stride, position, count) for each line along the last axis.
template <class Body>
void for_each_line(const KernelMemory& memory, const View& view, Body body) {
  const std::int64_t total = view.shape.product();
  if (total == 0) return;
  const std::size_t rank = view.shape.size();
  const std::int64_t length = rank == 0 ? 1 : view.shape[rank - 1];
  const std::int64_t stride = rank == 0 ? 1 : view.strides[rank - 1];
  for (std::int64_t position = 0; position < total; position += length) {
    std::int64_t offset = 0;
    std::int64_t line = position / length;
    for (std::size_t i = rank; i-- > 1;) {
      offset += line % view.shape[i - 1] * view.strides[i - 1];
      line /= view.shape[i - 1];
    }
    body(first_element(memory, view, offset), stride, position, length);
  }
}

/// All elements, as T.
template <class T>
std::vector<T> numbers_of(const KernelMemory& memory, const View& view) {
  std::vector<T> result(static_cast<std::size_t>(view.shape.product()));
  const LoadFn load = loader<T>(view.dtype);
  for_each_line(memory, view,
                [&](std::byte* from, std::int64_t stride, std::int64_t position,
                    std::int64_t count) { load(from, stride, count, result.data() + position); });
  return result;
}

/// Writes the first elements; those behind them stay as they are.
template <class T>
void write_numbers(const KernelMemory& memory, const View& view, const std::vector<T>& values) {
  const StoreFn store = storer<T>(view.dtype, Rounding::kTruncate);
  const auto given = static_cast<std::int64_t>(values.size());
  for_each_line(memory, view,
                [&](std::byte* to, std::int64_t stride, std::int64_t position, std::int64_t count) {
                  const std::int64_t take = position >= given ? 0 : count;
                  if (take > 0)
                    store(values.data() + position, std::min(take, given - position), to, stride);
                });
}

}  // namespace pyaclnn::sim
