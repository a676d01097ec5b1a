// A kernel in a plan, and the memory it runs on.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/inline_vector.hpp"

namespace pyaclnn::sim {

class Exchange;     // objects/communicators.hpp
class FoundShapes;  // objects/found_shapes.hpp

/// Where the kernels of one run find their memory.
struct KernelMemory {
  InlineVector<std::byte*, 12> operands;  // start of each operand's storage; null where not given
  std::byte* workspace = nullptr;
  FoundShapes* found =
      nullptr;  // of outputs whose shape depends on data; null where there are none
  Exchange* const* exchanges = nullptr;  // one for each of the plan's groups
};

/// A function of the memory that owns what it holds, and moves only.
class Launch {
 public:
  template <class Function,
            class = std::enable_if_t<!std::is_same_v<std::decay_t<Function>, Launch>>>
  Launch(Function function)  // NOLINT: converts as std::function does
      : function_(new Function(std::move(function))),
        run_([](const void* function, const KernelMemory& memory) {
          (*static_cast<const Function*>(function))(memory);
        }),
        destroy_([](const void* function) { delete static_cast<const Function*>(function); }) {}
  Launch(Launch&& other) noexcept
      : function_(std::exchange(other.function_, nullptr)),
        run_(other.run_),
        destroy_(other.destroy_) {}
  Launch& operator=(Launch&&) = delete;
  ~Launch() {
    if (function_ != nullptr) destroy_(function_);
  }

  void operator()(const KernelMemory& memory) const { run_(function_, memory); }

 private:
  const void* function_;
  void (*run_)(const void* function, const KernelMemory& memory);
  void (*destroy_)(const void* function);
};

}  // namespace pyaclnn::sim
