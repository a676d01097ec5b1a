// Casts of the 950 from and to elements of 4 bits: float4 beside floats, and int32 to int4.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/copy/halves.hpp"

namespace pyaclnn::sim {
namespace {

/// A view with rows, of which a number alone is one.
View in_rows(View view) {
  if (view.shape.size() > 0) return view;
  view.shape = {1};
  view.strides = {1};
  return view;
}

/// So many rows together begin and end with a byte.
constexpr std::int64_t kPair = 2;

template <class Row>
void for_each_pair(const StoredRows& rows, Row&& row) {
  const std::int64_t pairs = (rows.count() + kPair - 1) / kPair;
  parallel_for(pairs, std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, rows.length())),
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<float> values(std::size_t(rows.length()));
                 const std::int64_t last = std::min(end * kPair, rows.count());
                 for (std::int64_t i = begin * kPair; i < last; ++i) row(i, values.data());
               });
}

void write_half(std::byte* packed, std::int64_t index, unsigned code) {
  const unsigned shift = index & 1 ? 4 : 0;
  std::byte& byte = packed[index >> 1];
  byte = (byte & std::byte(0xF0 >> shift)) | std::byte(code << shift);
}

void launch_from_halves(Plan& plan, const View& out, const View& in) {
  const StoredRows rows(in_rows(out));
  plan.launch([rows, in](const KernelMemory& memory) {
    for_each_pair(rows, [&](std::int64_t row, float* values) {
      const std::int64_t first = in.offset + row * rows.length();
      read_halves(in.dtype, memory.operands[in.operand], first, 1, rows.length(), values);
      rows.store(memory, row, values);
    });
  });
}

/// By way of bfloat16, as the kernel goes; beyond the largest number it is that.
void launch_to_float4(Plan& plan, const View& out, const View& in) {
  const StoredRows rows(in_rows(in));
  plan.launch([rows, out](const KernelMemory& memory) {
    const NarrowFormat& format = *NarrowFormat::of(out.dtype);
    for_each_pair(rows, [&](std::int64_t row, float* values) {
      rows.load(memory, row, values);
      round_as_stored(values, rows.length(), ACL_BF16);
      const std::int64_t first = out.offset + row * rows.length();
      for (std::int64_t i = 0; i < rows.length(); ++i)
        write_half(memory.operands[out.operand], first + i, format.code(values[i], Round::kRint));
    });
  });
}

/// The lowest four bits.
void launch_to_int4(Plan& plan, const View& out, const View& in) {
  plan.launch([out, in](const KernelMemory& memory) {
    const std::vector<std::int64_t> numbers = integers_of(in, memory);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      write_half(memory.operands[out.operand], out.offset + std::int64_t(i),
                 unsigned(numbers[i]) & 0xF);
  });
}

}  // namespace

void check_int4(const Check& check, const Plan& plan, const TensorArgument& self,
                const TensorArgument& out) {
  if (out.dtype() != ACL_INT4) return;
  check.that(self.meta().is_contiguous(), "self is a strided view, which no cast to int4 takes");
  if (self.is_empty()) return;
  check_tiling(plan, self.rank() > 0 && self.shape().back() % 2 == 0,
               "self has shape %s, whose rows are no whole bytes of int4",
               self.shape().text().c_str());
}

void cast_halves(Plan& plan, const TensorArgument& in, aclDataType dtype,
                 const TensorArgument& out) {
  plan.stage(in).contiguous();
  plan.result(dtype, in.shape()).copy_to(out);
  for (const TensorArgument* tensor : {&in, &out})
    if (is_half_byte(tensor->dtype()) && !are_dense_halves(*tensor))
      fail_not_simulated(plan, "float4 with gaps");
  const View from = plan.reads(in);
  const View to = plan.writes(out);
  if (from.dtype == to.dtype)
    return launch_cast(plan, bytes_of_halves(to, 0), bytes_of_halves(from, 0));
  if (is_half_byte(from.dtype)) return launch_from_halves(plan, to, from);
  if (to.dtype == ACL_INT4) return launch_to_int4(plan, to, from);
  launch_to_float4(plan, to, from);
}

}  // namespace pyaclnn::sim
