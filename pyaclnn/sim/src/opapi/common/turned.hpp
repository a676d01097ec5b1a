// Squares and blocks of elements whose rows become columns.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {

/// A square of as many elements along each side as a register has, turned by exchanging halves of
/// pairs of rows: after log2(side) rounds every row is a column.
template <class T>
struct TurnedSquare {
  static constexpr std::int64_t kSide = 16 / std::int64_t(sizeof(T));
  typedef T Row __attribute__((vector_size(16)));

  static SIM_ALWAYS_INLINE Row low_halves(Row a, Row b) {
    if constexpr (kSide == 2)
      return __builtin_shufflevector(a, b, 0, 2);
    else if constexpr (kSide == 4)
      return __builtin_shufflevector(a, b, 0, 4, 1, 5);
    else if constexpr (kSide == 8)
      return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    else
      return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
  static SIM_ALWAYS_INLINE Row high_halves(Row a, Row b) {
    if constexpr (kSide == 2)
      return __builtin_shufflevector(a, b, 1, 3);
    else if constexpr (kSide == 4)
      return __builtin_shufflevector(a, b, 2, 6, 3, 7);
    else if constexpr (kSide == 8)
      return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    else
      return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                     31);
  }

  static SIM_ALWAYS_INLINE void run(const std::byte* from, std::int64_t from_step, std::byte* to,
                                    std::int64_t to_step) {
    Row rows[kSide];
    for (std::int64_t i = 0; i < kSide; ++i) std::memcpy(&rows[i], from + i * from_step, 16);
    for (std::int64_t round = 1; round < kSide; round *= 2) {
      Row next[kSide];
      for (std::int64_t i = 0; i < kSide / 2; ++i) {
        next[2 * i] = low_halves(rows[i], rows[i + kSide / 2]);
        next[2 * i + 1] = high_halves(rows[i], rows[i + kSide / 2]);
      }
      for (std::int64_t i = 0; i < kSide; ++i) rows[i] = next[i];
    }
    for (std::int64_t i = 0; i < kSide; ++i) std::memcpy(to + i * to_step, &rows[i], 16);
  }
};

/// A cache line of each of `count` rows becomes as many rows as the line has elements.
template <class T>
struct TurnedLines {
  static constexpr std::int64_t kBytes = 64;

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::byte* from, std::int64_t from_step,
                                    std::int64_t count, std::byte* to, std::int64_t to_step) {
    constexpr auto kSize = std::int64_t(sizeof(T));
    constexpr std::int64_t kLine = kBytes / kSize;
    constexpr std::int64_t kSide = TurnedSquare<T>::kSide;
    std::int64_t row = 0;
    for (; row + kSide <= count; row += kSide) {
      // The processor foresees no steps of several lines.
      for (std::int64_t next = row + kSide; next < std::min(row + 2 * kSide, count); ++next)
        __builtin_prefetch(from + next * from_step);
      for (std::int64_t i = 0; i < kLine; i += kSide)
        TurnedSquare<T>::run(from + row * from_step + i * kSize, from_step,
                             to + i * to_step + row * kSize, to_step);
    }
    for (; row < count; ++row) {
      for (std::int64_t i = 0; i < kLine; ++i)
        std::memcpy(to + i * to_step + row * kSize, from + row * from_step + i * kSize, kSize);
    }
  }
};

using TurnLines = void (*)(const std::byte* from, std::int64_t from_step, std::int64_t count,
                           std::byte* to, std::int64_t to_step);

template <class T>
TurnLines turn_lines() {
  return loop_for_cpu<TurnedLines<T>, const std::byte*, std::int64_t, std::int64_t, std::byte*,
                      std::int64_t>();
}

/// to[column][row] = from[row][column], for values side by side.
template <class T>
struct TurnedBlock {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
    constexpr std::int64_t kSide = TurnedSquare<T>::kSide;
    constexpr auto kSize = std::int64_t(sizeof(T));
    const std::int64_t whole_rows = rows - rows % kSide;
    const std::int64_t whole_columns = columns - columns % kSide;
    for (std::int64_t i = 0; i < whole_rows; i += kSide) {
      for (std::int64_t j = 0; j < whole_columns; j += kSide)
        TurnedSquare<T>::run(reinterpret_cast<const std::byte*>(from + i * columns + j),
                             columns * kSize, reinterpret_cast<std::byte*>(to + j * rows + i),
                             rows * kSize);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j)
        to[j * rows + i] = from[i * columns + j];
    }
  }
};

}  // namespace pyaclnn::sim
