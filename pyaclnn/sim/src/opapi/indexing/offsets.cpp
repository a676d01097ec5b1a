// SPDX-License-Identifier: MIT
#include "opapi/common/cpu_wide.hpp"
#include "opapi/indexing/chosen_walk.hpp"

namespace pyaclnn::sim {
namespace {

template <class I>
struct Offsets {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::byte* numbers, std::int64_t count,
                                    std::int64_t extent, std::int64_t below, std::int64_t step,
                                    std::int64_t* offsets, bool* inside) {
    // Processors without AVX-512 multiply by 64 bits in many steps.
    *inside = step == 1 ? each(numbers, count, extent, below, 1, offsets)
                        : each(numbers, count, extent, below, step, offsets);
  }

 private:
  static SIM_ALWAYS_INLINE bool each(const std::byte* numbers, std::int64_t count,
                                     std::int64_t extent, std::int64_t below, std::int64_t step,
                                     std::int64_t* offsets) {
    // The sign of the number, or of how far it is below the extent: no branch, no comparison. Of
    // numbers far out of range the differences wrap, as unsigned ones may, and are looked at again
    // one by one.
    std::uint64_t signs = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      I given;
      std::memcpy(&given, numbers + i * std::int64_t(sizeof(I)), sizeof given);
      const auto wide = std::int64_t(given);
      const std::uint64_t number = std::uint64_t(wide) + std::uint64_t((wide >> 63) & below);
      signs |= number | (std::uint64_t(extent - 1) - number);
      offsets[i] = std::int64_t(number * std::uint64_t(step));
    }
    return (signs >> 63) == 0;
  }
};

template <class I>
bool offsets_of(const std::byte* numbers, std::int64_t count, std::int64_t extent,
                std::int64_t below, std::int64_t step, std::int64_t* offsets) {
  static const auto run =
      wide_loop_for_cpu<Offsets<I>, const std::byte*, std::int64_t, std::int64_t, std::int64_t,
                        std::int64_t, std::int64_t*, bool*>();
  bool inside = false;
  run(numbers, count, extent, below, step, offsets, &inside);
  return inside;
}

}  // namespace

OffsetsOf offsets_for_cpu(std::int64_t size) {
  return size == 8 ? &offsets_of<std::int64_t> : &offsets_of<std::int32_t>;
}

}  // namespace pyaclnn::sim
