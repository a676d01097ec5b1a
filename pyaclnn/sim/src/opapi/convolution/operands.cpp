// SPDX-License-Identifier: MIT
#include "opapi/convolution/operands.hpp"

#include <algorithm>
#include <cstddef>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/hfloat32.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {

namespace {

constexpr std::int64_t kPiece = 1 << 16;  // elements converted at a time

/// A matrix of `rows` by `columns`, turned.
Scratch<float> turn(const float* from, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kColumns = 64;
  Scratch<float> to(rows * columns);
  parallel_for(columns, kColumns, [&](std::int64_t begin, std::int64_t end) {
    for (; begin < end; begin += kColumns) {
      transpose(from + begin, columns, rows, std::min(kColumns, end - begin),
                to.data() + begin * rows, rows);
    }
  });
  return to;
}

}  // namespace

View reversed_axes(View view) {
  const Dims shape = view.shape;
  const Dims strides = view.strides;
  for (std::size_t i = 0; i < 3; ++i) {
    view.shape.set(i, shape[2 - i]);
    view.strides.set(i, strides[2 - i]);
  }
  return view;
}

SourceArray::SourceArray(const RowMajor& layout, const KernelMemory& memory,
                         CubePrecision precision, std::int64_t turned) {
  if (!layout.given()) return;
  const RowMajorAccess access(layout, memory);
  if (layout.is_float_array() && precision == CubePrecision::kKeep) {
    values_ = access.read(0, layout.count(), nullptr);
  } else {
    copy_ = Scratch<float>(layout.count());
    parallel_for(layout.count(), kPiece, [&](std::int64_t begin, std::int64_t end) {
      float* to = copy_.data() + begin;
      const float* from = access.read(begin, end - begin, to);
      if (from != to) std::copy_n(from, end - begin, to);
      if (precision == CubePrecision::kKeep) return;
      if (precision == CubePrecision::kHfloat32) {
        std::transform(to, to + (end - begin), to, to_hfloat32);
      } else {
        round_as_stored(to, end - begin, ACL_FLOAT16);
      }
    });
    values_ = copy_.data();
  }
  if (turned == 1) return;
  copy_ = turn(values_, turned, layout.count() / turned);
  values_ = copy_.data();
}

ResultArray::ResultArray(const RowMajor& layout, const KernelMemory& memory, std::int64_t turned)
    : count_(layout.count()), turned_(turned), access_(layout, memory) {
  const bool is_in_place = layout.is_float_array() && turned == 1;
  if (!is_in_place) copy_ = Scratch<float>(count_);
  values_ = is_in_place ? access_.target(0, nullptr) : copy_.data();
}

void ResultArray::round(aclDataType type) {
  if (!is_16_bit_float(type)) return;
  parallel_for(count_, kPiece, [&](std::int64_t begin, std::int64_t end) {
    round_as_stored(values_ + begin, end - begin, type);
  });
}

void ResultArray::write() {
  if (turned_ > 1) {
    copy_ = turn(values_, count_ / turned_, turned_);
    values_ = copy_.data();
  }
  parallel_for(count_, kPiece, [&](std::int64_t begin, std::int64_t end) {
    access_.write(begin, end - begin, values_ + begin);
  });
}

}  // namespace pyaclnn::sim
