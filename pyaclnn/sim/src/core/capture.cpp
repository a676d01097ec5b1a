// SPDX-License-Identifier: MIT
#include "core/capture.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "core/context.hpp"
#include "core/release.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

struct Session {
  std::shared_ptr<Graph> graph;
  void* handle;
  aclmdlRICaptureMode mode;
  std::thread::id thread;
};

// The modes in the order of their numbers, strictest first; one more for "no capture".
constexpr int kNoMode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED + 1;

struct Sessions {
  std::mutex mutex;
  std::vector<Session> active;
  std::atomic<int> count{0};  // spares programs that capture nothing the lock

  std::vector<Session>::iterator find(const Graph& graph) {
    return std::find_if(active.begin(), active.end(),
                        [&](const Session& session) { return session.graph.get() == &graph; });
  }
};

Sessions& sessions() {
  static Sessions& sessions = *new Sessions;
  return sessions;
}

thread_local aclmdlRICaptureMode asked_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

/// Whether the calling thread may make calls that do not go through a stream.
bool is_unsafe_call_allowed(void* context) {
  if (asked_mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return true;
  int of_context = kNoMode;
  int of_thread = kNoMode;
  Sessions& all = sessions();
  std::lock_guard<std::mutex> guard(all.mutex);
  for (const Session& session : all.active) {
    if (session.graph->context() == context) of_context = std::min<int>(of_context, session.mode);
    if (session.thread == std::this_thread::get_id())
      of_thread = std::min<int>(of_thread, session.mode);
  }
  if (of_context == kNoMode) return true;
  if (asked_mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL)
    return of_context != ACL_MODEL_RI_CAPTURE_MODE_GLOBAL &&
           of_thread != ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  return of_thread >= ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
}

bool can_be_captured(const Stream& stream) {
  constexpr std::uint32_t kUncapturable =
      ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
  return (stream.options().flags & kUncapturable) == 0;
}

/// Takes a session off the list and ends its capture.
Session end_session(const Graph& graph, bool* joined) {
  Sessions& all = sessions();
  Session session;
  {
    std::lock_guard<std::mutex> guard(all.mutex);
    auto found = all.find(graph);
    if (found == all.active.end())
      fail(kRtStreamNotCaptured, "the capture was ended by another thread");
    session = *found;
    all.active.erase(found);
    all.count.fetch_sub(1);
  }
  *joined = session.graph->finish();
  return session;
}

}  // namespace

void require_capture_mode(aclmdlRICaptureMode mode) {
  if (int(mode) < 0 || int(mode) >= kNoMode)
    fail(kRtParamInvalid, "%d is not a capture mode", int(mode));
}

void begin_capture(Stream& stream, aclmdlRICaptureMode mode) {
  require_capture_mode(mode);
  if (chip().soc == Soc::kAscend910 ||
      (chip().soc == Soc::kAscend310P && !behaves(Behaviour::kCapturesOn310P)))
    fail(kRtNotSupported, "%s cannot capture streams", chip().name);
  if (!can_be_captured(stream))
    fail(kRtParamInvalid, "stream %d has flags 0x%x and cannot be captured", stream.id(),
         stream.options().flags);
  if (stream.options().is_default) fail(kRtNotSupported, "the default stream cannot be captured");
  auto graph = std::make_shared<Graph>(stream.shared_from_this());
  graph->join(stream);
  void* handle = graphs().insert(graph);
  Sessions& all = sessions();
  std::lock_guard<std::mutex> guard(all.mutex);
  all.active.push_back({std::move(graph), handle, mode, std::this_thread::get_id()});
  all.count.fetch_add(1);
}

void* end_capture(Stream& stream) {
  std::shared_ptr<Graph> graph = stream.capture();
  if (!graph) fail(kRtStreamNotCaptured, "stream %d is not captured", stream.id());
  if (&graph->origin() != &stream)
    fail(kRtStreamCaptureUnmatched, "stream %d joined a capture that began on stream %d",
         stream.id(), graph->origin().id());
  bool joined = false;
  Session session = end_session(*graph, &joined);
  auto refuse = [&](int code, const char* text) {
    graphs().remove(session.handle, kRtParamInvalid);
    fail(code, "stream %d: %s", stream.id(), text);
  };
  if (session.mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED &&
      session.thread != std::this_thread::get_id())
    refuse(kRtStreamCaptureWrongThread, "the capture was begun by another thread");
  if (graph->is_invalid())
    refuse(kRtStreamCaptureInvalidated, "a call failed that the capture depends on");
  if (!joined)
    refuse(kRtStreamUnjoined, "a stream of the capture has work that the first did not wait for");
  return session.handle;
}

void abandon_capture(Graph& graph) {
  if (!graph.is_capturing()) return;
  bool joined = false;
  end_session(graph, &joined);
}

void* capture_handle(const Graph& graph) {
  Sessions& all = sessions();
  std::lock_guard<std::mutex> guard(all.mutex);
  auto found = all.find(graph);
  return found == all.active.end() ? nullptr : found->handle;
}

aclmdlRICaptureMode exchange_capture_mode(aclmdlRICaptureMode mode) {
  return std::exchange(asked_mode, mode);
}

void require_unsafe_call(int code) {
  if (sessions().count.load(std::memory_order_relaxed) == 0) return;
  if (is_unsafe_call_allowed(current_context_handle())) return;
  fail(code,
       "a capture is going on whose mode forbids calls that wait on this thread; "
       "aclmdlRICaptureThreadExchangeMode can allow them");
}

}  // namespace pyaclnn::sim
