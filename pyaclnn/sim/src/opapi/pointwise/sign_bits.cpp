// SPDX-License-Identifier: MIT
#include "opapi/pointwise/sign_bits.hpp"

#include <algorithm>
#include <memory>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBytes = 64;   // of a block
constexpr std::int64_t kGrain = 256;  // blocks worth a hand-over to another thread
constexpr std::int64_t kNumbers = 8 * kBytes;

/// Calls body(block, bytes of it) for each block, with the bytes and the numbers.
template <class Body>
void for_each_block(Plan& plan, const TensorArgument& from, const TensorArgument& to,
                    std::int64_t bytes, Body body) {
  struct Operands {
    RowMajor from;
    RowMajor to;
  };
  plan.stage(from).contiguous();
  plan.result(to.dtype(), to.shape()).copy_to(to);
  const auto operands = std::make_shared<const Operands>(
      Operands{RowMajor(plan.reads(from)), RowMajor(plan.writes(to))});
  plan.launch([operands, bytes, body](const KernelMemory& memory) {
    parallel_for((bytes + kBytes - 1) / kBytes, kGrain, [&](std::int64_t begin, std::int64_t end) {
      const RowMajorAccess source(operands->from, memory);
      const RowMajorAccess target(operands->to, memory);
      for (std::int64_t i = begin; i < end; ++i)
        body(source, target, i * kBytes, std::min(kBytes, bytes - i * kBytes));
    });
  });
}

}  // namespace

void check_sign_bits(const Check& check, const TensorArgument& self, std::int64_t size,
                     std::int64_t elements, const TensorArgument& out) {
  check.that(size > 0, "size is %lld, it must be positive", static_cast<long long>(size));
  check.that(self.rank() == 1, "self has %zu dimensions, it must have one", self.rank());
  check.that(elements % size == 0, "%lld elements are no %lld rows",
             static_cast<long long>(elements), static_cast<long long>(size));
  check.that(out.rank() == 2, "out has %zu dimensions, it must have 2", out.rank());
}

void pack_signs(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  const std::int64_t numbers = self.elements();
  // The newest kernel asks whether a number is negative, the others whether it is not: NaN is
  // neither.
  const bool of_nan = has_950_kernels();
  for_each_block(plan, self, out, sign_bytes(numbers),
                 [numbers, of_nan](const RowMajorAccess& from, const RowMajorAccess& to,
                                   std::int64_t at, std::int64_t bytes) {
                   float values[kNumbers];
                   float packed[kBytes];
                   const std::int64_t count = std::min(bytes * 8, numbers - at * 8);
                   const float* found = from.read(at * 8, count, values);
                   for (std::int64_t i = 0; i < bytes; ++i) {
                     unsigned bits = 0;
                     for (std::int64_t k = i * 8; k < std::min(count, i * 8 + 8); ++k)
                       if (of_nan ? !(found[k] < 0) : found[k] >= 0)
                         bits |= 1u << unsigned(k - i * 8);
                     packed[i] = static_cast<float>(bits);
                   }
                   to.write(at, bytes, packed);
                 });
}

void unpack_signs(Plan& plan, const TensorArgument& self, const TensorArgument& out) {
  for_each_block(plan, self, out, self.elements(),
                 [](const RowMajorAccess& from, const RowMajorAccess& to, std::int64_t at,
                    std::int64_t bytes) {
                   float packed[kBytes];
                   float values[kNumbers];
                   const float* found = from.read(at, bytes, packed);
                   for (std::int64_t i = 0; i < bytes; ++i) {
                     const auto bits = static_cast<unsigned>(found[i]);
                     for (unsigned k = 0; k < 8; ++k)
                       values[i * 8 + k] = (bits >> k & 1u) != 0 ? 1.0f : -1.0f;
                   }
                   to.write(at * 8, bytes * 8, values);
                 });
}

}  // namespace pyaclnn::sim
