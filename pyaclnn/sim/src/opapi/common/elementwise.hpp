// out[i] = f(a[i], b[i], ...) over strided, broadcast operands of any element type.
//
// An operator gives the function on compute values. Loading and converting, the loop over blocks,
// converting and storing are the same code for all.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Applies an operator's function to `count` contiguous compute values.
using BlockFn = void (*)(const void* function, std::int64_t count, const void* const* inputs,
                         void* output);

/// Everything the block loop needs that does not depend on addresses.
struct ElementwiseKernel {
  std::vector<View> views;  // the output first
  std::vector<LoadFn> loads;
  StoreFn store = nullptr;
  std::size_t compute_size = 0;
  aclDataType compute_dtype = ACL_DT_UNDEFINED;  // whose elements need no conversion
  BlockFn block = nullptr;
  std::shared_ptr<const void> function;
  // Results of one element type for outputs of another: written as the first, read back as values
  // that `store` takes. Both null where there is no such step.
  StoreFn via_store = nullptr;
  LoadFn via_load = nullptr;
  bool copies = false;  // the only input is stored as it is; there is no `block`
  // `block` loads whole registers, and so may as well do it from memory.
  bool in_registers = false;

  /// `block` for rows along which the last input is one value. It is handed over behind `function`,
  /// as the first of its numbers; theirs are the next.
  struct WithNumber {
    BlockFn block = nullptr;  // null: there is none
    LoadFn load = nullptr;
    std::size_t size = 0;    // of the value
    std::size_t others = 0;  // bytes of the numbers there are already
  } with_number;
};

constexpr std::size_t kMostNumberBytes = 160;

/// Adds the kernel to the plan.
void launch_elementwise(Plan& plan, ElementwiseKernel kernel);

namespace detail {

/// What follows from the type a kernel computes in.
struct Computes {
  LoadFn (*loader)(aclDataType);
  std::size_t size;
  aclDataType dtype;
};

template <class Compute>
constexpr Computes kComputes = {&loader<Compute>, sizeof(Compute), dtype_of<Compute>()};

/// The kernel without its function, for operands that broadcast to `shape`. Not a template: each
/// pair of a function and a type costs its loops and little else to compile.
ElementwiseKernel kernel_for(Plan& plan, const TensorArgument& out, const Dims& shape,
                             StoreFn store, const Computes& computes, BlockFn block,
                             std::initializer_list<const TensorArgument*> inputs);

/// A copy of a function that is its bytes.
std::shared_ptr<const void> keep_bytes(const void* function, std::size_t size);

template <class Function>
std::shared_ptr<const void> keep_function(const Function& function) {
  if constexpr (std::is_trivially_copyable_v<Function>) {
    return keep_bytes(&function, sizeof function);
  } else {
    return std::make_shared<const Function>(function);
  }
}

template <class Compute, class Function, std::size_t... kInputs>
struct ElementwiseLoop {
  template <class... Inputs>
  static SIM_ALWAYS_INLINE void loop(const Function& function, std::int64_t count, Compute* output,
                                     const Inputs*... inputs) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) output[i] = function(inputs[i]...);
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* function, std::int64_t count,
                                    const void* const* inputs, void* output) {
    loop(*static_cast<const Function*>(function), count, static_cast<Compute*>(output),
         static_cast<const Compute*>(inputs[kInputs])...);
  }
};

/// For AVX-512 too: a value of gelu's gradient takes 0.73 ns in place of 1.14, one of selu's in
/// bfloat16, from and to memory, 0.34 in place of 0.44.
template <class Compute, class Function, std::size_t... kInputs>
BlockFn block_fn(std::index_sequence<kInputs...>) {
  return wide_loop_for_cpu<ElementwiseLoop<Compute, Function, kInputs...>, const void*,
                           std::int64_t, const void* const*, void*>();
}

}  // namespace detail

/// Plans out = function(inputs...), computed in `Compute`. Inputs broadcast to the shape of `out`.
/// `function` takes and returns `Compute`; to vectorise, it computes every alternative and selects.
template <class Compute, class Function, class... Inputs>
void elementwise(Plan& plan, const TensorArgument& out, Rounding rounding, Function function,
                 const Inputs&... inputs) {
  ElementwiseKernel kernel = detail::kernel_for(
      plan, out, out.shape(), storer<Compute>(out.dtype(), rounding), detail::kComputes<Compute>,
      detail::block_fn<Compute, Function>(std::make_index_sequence<sizeof...(Inputs)>()),
      {&inputs...});
  kernel.function = detail::keep_function(function);
  launch_elementwise(plan, std::move(kernel));
}

template <class Compute, class Function, class... Inputs>
void elementwise(Plan& plan, const TensorArgument& out, Function function,
                 const Inputs&... inputs) {
  elementwise<Compute>(plan, out, Rounding::kNearestEven, std::move(function), inputs...);
}

}  // namespace pyaclnn::sim
