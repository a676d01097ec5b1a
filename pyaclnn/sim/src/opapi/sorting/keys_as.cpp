// SPDX-License-Identifier: MIT
#include "opapi/sorting/keys_as.hpp"

#include <algorithm>
#include <array>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {

KeysAs::KeysAs(aclDataType from, aclDataType to) : read_(key_reader(to)) {
  if (from == to) return;
  const bool whole = is_integral(from);
  load_ = whole ? loader<std::int64_t>(from) : loader<double>(from);
  store_ = whole ? storer<std::int64_t>(to, Rounding::kTruncate)
                 : storer<double>(to, Rounding::kTruncate);
}

void KeysAs::block(const std::byte* from, std::int64_t stride, std::int64_t count,
                   std::uint64_t* to) const {
  if (load_ == nullptr) return read_(from, stride, count, to);
  alignas(8) std::array<std::byte, 8 * kBlock> values;  // of int64_t or double
  std::array<std::byte, 8 * kBlock> cast;
  load_(from, stride, count, values.data());
  store_(values.data(), count, cast.data(), 1);
  read_(cast.data(), 1, count, to);
}

void KeysAs::read(const KernelMemory& memory, const FlatView& view, std::int64_t begin,
                  std::int64_t end, std::uint64_t* to) const {
  while (begin < end) {
    const std::int64_t run = std::min({view.left_in_run(begin), end - begin, kBlock});
    block(view.at(memory, begin), view.step() / view.element_size(), run, to);
    begin += run;
    to += run;
  }
}

std::uint64_t key_of(const Scalar& number, aclDataType dtype) {
  std::array<std::byte, 16> element{};
  if (is_integral(dtype) && is_integral(number.dtype())) {
    const std::int64_t value = number.to_int();
    storer<std::int64_t>(dtype, Rounding::kTruncate)(&value, 1, element.data(), 1);
  } else {
    const double value = number.to_double();
    storer<double>(dtype, Rounding::kTruncate)(&value, 1, element.data(), 1);
  }
  std::uint64_t key = 0;
  key_reader(dtype)(element.data(), 1, 1, &key);
  return key;
}

}  // namespace pyaclnn::sim
