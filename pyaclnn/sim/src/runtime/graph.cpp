// Capturing streams, and running what was captured.
// SPDX-License-Identifier: MIT
#include "core/graph.hpp"

#include "acl/acl_rt.h"
#include "core/capture.hpp"
#include "core/context.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::begin_capture(*sim::resolve_stream(stream), mode);
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI) {
  return sim::entry(__func__, [&] {
    if (status == nullptr && modelRI == nullptr)
      sim::fail(sim::kInvalidParam, "status and modelRI are both null");
    auto graph = sim::resolve_stream(stream)->capture();
    if (status != nullptr) {
      *status = !graph                ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
                : graph->is_invalid() ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                                      : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
    }
    if (modelRI != nullptr) *modelRI = graph ? sim::capture_handle(*graph) : nullptr;
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(mode, "mode");
    sim::require_capture_mode(*mode);
    *mode = sim::exchange_capture_mode(*mode);
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(stream, "stream");
    sim::require_not_null(modelRI, "modelRI");
    *modelRI = sim::end_capture(*sim::resolve_stream(stream));
    return ACL_SUCCESS;
  });
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(modelRI, "modelRI");
    sim::execute_graph(modelRI, *sim::resolve_stream(stream), "aclmdlRIExecuteAsync");
    return ACL_SUCCESS;
  });
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(modelRI, "modelRI");
    sim::require_timeout(timeout, sim::kRtParamInvalid);
    auto stream = sim::resolve_stream(nullptr);
    sim::execute_graph(modelRI, *stream, "aclmdlRIExecute");
    stream->synchronize(sim::deadline_after(timeout));
    return ACL_SUCCESS;
  });
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(modelRI, "modelRI");
    sim::destroy_graph(modelRI);
    return ACL_SUCCESS;
  });
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(modelRI, "modelRI");
    auto graph = sim::graphs().get(modelRI, sim::kRtParamInvalid);
    if (graph->is_capturing())
      sim::fail(sim::kRtModelCaptured, "the capture of the graph has not ended");
    graph->print();
    return ACL_SUCCESS;
  });
}
