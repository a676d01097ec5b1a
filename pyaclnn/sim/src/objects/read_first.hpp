// Inputs that lie across an output in another layout, as in x += x.T: CANN brings a strided input
// into a tensor of its own before it computes, and a strided output is written once all is read.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/stream.hpp"
#include "objects/launch.hpp"
#include "objects/prepared_call.hpp"

namespace pyaclnn::sim {

/// The footprints that have to be copied before this run writes; nearly always none. `uses` says
/// where they are. Of contiguous tensors that overlap CANN copies neither.
std::vector<std::size_t> read_first(const std::shared_ptr<const PreparedCall>& prepared,
                                    const MemoryUses& uses);

/// Copies of these, which a run reads in their place.
class CopiedInputs {
 public:
  /// Takes the copies, and has `memory` point to them.
  CopiedInputs(const PreparedCall& prepared, const std::vector<std::size_t>& footprints,
               KernelMemory& memory);

 private:
  std::vector<std::unique_ptr<std::byte[]>> copies_;
};

}  // namespace pyaclnn::sim
