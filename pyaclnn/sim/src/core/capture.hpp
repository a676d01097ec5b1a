// Captures that are going on: which thread began which, and what their modes forbid.
// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_rt.h"
#include "core/export.hpp"
#include "core/graph.hpp"

namespace pyaclnn::sim {

/// Captures what is submitted to a stream from now on, into a new graph.
SIM_API void begin_capture(Stream& stream, aclmdlRICaptureMode mode);

/// Ends what begin_capture() began; gives the handle of the graph. Where it fails with anything
/// but 107029 and 107036, the capture ended all the same and the graph is gone.
SIM_API void* end_capture(Stream& stream);

/// Ends the capture of a graph, if it is going on, without a result.
SIM_API void abandon_capture(Graph& graph);

/// Handle of a graph that is being captured.
SIM_API void* capture_handle(const Graph& graph);

/// Sets what the calling thread asks for, and gives what it asked for before.
SIM_API aclmdlRICaptureMode exchange_capture_mode(aclmdlRICaptureMode mode);

/// Failure(code) where a capture forbids the calling thread to make calls that do not go through
/// a stream.
SIM_API void require_unsafe_call(int code = kRtCaptureModeNotSupport);

/// Failure(107000) for a number that is no mode.
SIM_API void require_capture_mode(aclmdlRICaptureMode mode);

}  // namespace pyaclnn::sim
