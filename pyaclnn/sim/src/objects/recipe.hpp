// What the first phase of an operator decides: immutable, free of addresses, shared by every
// executor with the same arguments.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/inline_vector.hpp"

namespace pyaclnn::sim {

/// Where the kernels of one run find their memory.
struct KernelMemory {
  InlineVector<std::byte*, 12> operands;  // start of each operand's storage; null where not given
  std::byte* workspace = nullptr;
};

/// The bytes an operand's view covers, relative to the start of its storage.
struct Footprint {
  std::size_t operand = 0;
  std::int64_t first = 0;
  std::int64_t bytes = 0;
};

/// An element of a result, for the tests that spoil one.
struct ResultElement {
  std::size_t operand = 0;
  std::int64_t first = 0;
  std::size_t bytes = 0;
};

// In cache lines of its own: those who share it count their references in the line before.
struct alignas(64) Recipe {
  const char* api = "";  // name of the second phase; static storage
  std::uint64_t workspace_size = 0;
  std::vector<std::string> operand_names;
  std::vector<Footprint> footprints;
  std::vector<std::function<void(const KernelMemory&)>> launches;  // empty for empty tensors
  ResultElement first_result;
};

}  // namespace pyaclnn::sim
