// What the first phase of an operator decides: immutable, free of addresses, shared by every
// executor with the same arguments.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_base.h"
#include "check/access.hpp"
#include "objects/launch.hpp"

namespace pyaclnn::sim {

/// The bytes an operand's view covers, relative to the start of its storage.
struct Footprint {
  std::size_t operand = 0;
  std::int64_t first = 0;
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;
  bool writes = false;
  aclDataType dtype = ACL_DT_UNDEFINED;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // in elements; empty where the view is contiguous
};

/// What is made of the footprints once somebody looks for races.
struct LazyAccessKinds {
  std::once_flag once;
  std::vector<AccessKind> values;
};

/// An element of a result, for the tests that corrupt one.
struct ResultElement {
  std::size_t operand = 0;
  std::int64_t first = 0;
  std::size_t bytes = 0;
};

/// A communicator that the kernels communicate in, by its name.
struct NamedGroup {
  std::string name;
  int size = 0;
};

// In cache lines of its own: those who share it count their references in the line before.
struct alignas(64) PreparedCall {
  const char* api = "";  // name of the second phase; static storage
  std::uint64_t workspace_size = 0;
  std::vector<std::string> operand_names;
  std::vector<Footprint> footprints;
  std::vector<Launch> launches;  // empty for empty tensors
  ResultElement first_result;
  std::vector<std::size_t> shaped;     // operands whose shape the kernels find
  std::vector<std::uint64_t> scratch;  // places in the workspace of operands beyond the caller's
  std::vector<NamedGroup> groups;
  mutable LazyAccessKinds access_kinds;
};

}  // namespace pyaclnn::sim
