// Communicators for the operators that communicate.
// SPDX-License-Identifier: MIT
#pragma once

namespace pyaclnn::sim::hccl {

/// Lets operators find the communicators of this library, from now on.
void serve_operators();

}  // namespace pyaclnn::sim::hccl
