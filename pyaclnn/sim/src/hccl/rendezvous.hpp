// How the ranks of a communicator find each other.
//
// One of them, the root, listens; all tell it where they can be reached; it tells all when the last
// has come. Then those of one machine share memory, and the others connect to each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "hccl/hccl_types.h"
#include "hccl/settings.hpp"
#include "hccl/socket.hpp"
#include "hccl/wiring.hpp"

namespace pyaclnn::sim::hccl {

/// What strangers do not know.
using Cookie = std::array<unsigned char, 16>;

/// Where the root listens, and by what the ranks know each other.
struct Meeting {
  Place place;
  Cookie cookie = {};
};

/// Serves one meeting in a thread of its own; its listener ends with that.
Meeting hold_meeting(Place place, const Cookie& cookie, const Settings& settings);

Cookie random_cookie();

/// Joins as a rank of `size`; returns when all have joined. Failure(HCCL_E_TIMEOUT) names who did
/// not. `patient`: the root may still have to come.
Wiring join(const Meeting& meeting, int size, int rank, const Settings& settings, bool patient);

/// A meeting as the opaque bytes that a program hands to the other ranks, and back;
/// Failure(HCCL_E_PARA) for bytes that are none.
HcclRootInfo to_root_info(const Meeting& meeting);
Meeting from_root_info(const HcclRootInfo& info);

}  // namespace pyaclnn::sim::hccl
