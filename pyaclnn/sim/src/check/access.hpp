// What work does to memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/byte_pattern.hpp"

namespace pyaclnn::sim {

enum class AccessMode { kRead, kWrite, kFree };

/// All that is known of an access but its place. Calls of one plan share it.
struct AccessKind {
  std::string operand;  // what the interface calls it, such as "self"; empty where it has no name
  std::string tensor;   // such as "float32[2, 3]"; empty where none is known
  AccessMode mode = AccessMode::kRead;
  BytePattern bytes;

  bool writes() const { return mode != AccessMode::kRead; }
};

struct Access {
  std::shared_ptr<const AccessKind> kind;
  std::uintptr_t begin = 0;      // the lowest byte
  std::uint64_t allocation = 0;  // Allocation::id
  const char* operation = "";    // static storage: the function that asked for it
  int captured_on = 0;           // id of the stream it was captured on, for work of graphs

  std::uintptr_t end() const { return begin + std::uintptr_t(kind->bytes.span()); }
};

using AccessList = std::vector<Access>;

/// Who makes an access.
struct Actor {
  int stream = 0;  // its id; 0: the host
  bool is_default_stream = false;
};

}  // namespace pyaclnn::sim
