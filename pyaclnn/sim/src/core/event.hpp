// Events: marks in streams that other streams and threads wait for.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "check/races.hpp"
#include "core/export.hpp"
#include "core/graph.hpp"
#include "core/handle_table.hpp"
#include "core/ipc_event.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim {

/// Which creation call made an event; they differ in what the event may do.
enum class EventKind { kPlain, kWithFlag, kExWithFlag };

class SIM_API Event : public std::enable_shared_from_this<Event> {
 public:
  Event(EventKind kind, std::uint32_t flags, int device)
      : kind_(kind), flags_(flags), device_(device) {}
  /// An event of another process.
  Event(std::shared_ptr<IpcMarks> marks, std::uint32_t flags, int device)
      : kind_(EventKind::kExWithFlag), flags_(flags), device_(device), ipc_(std::move(marks)) {}

  /// What open_event() takes in another process. Failure(107000) unless made with ACL_EVENT_IPC.
  std::string handle();

  void record(Stream& stream, const char* function);
  /// Lets the stream wait for the latest record as of now; -1 waits without limit.
  void make_wait(Stream& stream, std::int64_t timeout_ms, const char* function);
  void reset(Stream& stream, const char* function);

  /// True once the latest record is done; before the first one it depends on the kind.
  bool is_complete();
  bool is_deprecated_query_allowed() const { return kind_ != EventKind::kExWithFlag; }
  bool has_pending_waits();
  void synchronize(Clock::time_point deadline);
  /// Nanoseconds at which the latest record was done; Failure as aclrtEventElapsedTime answers.
  std::int64_t timestamp();
  /// Wakes the streams that wait for a record that can no longer come.
  void destroy();

 private:
  bool makes_streams_wait() const;
  std::uint64_t recorded() const { return ipc_ ? ipc_->recorded() : recorded_; }
  std::uint64_t completed() const { return ipc_ ? ipc_->completed() : completed_; }
  /// No record can come: the event is destroyed, or who recorded it is gone.
  bool is_over(std::uint64_t target) const;
  void finish_record(std::uint64_t number);
  void record_in_capture(Graph& graph, Stream& stream);
  /// True where the wait became part of a graph.
  bool wait_in_capture(Stream& stream);
  /// The graph being captured that the latest record is part of, or empty.
  std::shared_ptr<Graph> capture() const;
  void require_uncaptured() const;
  /// The program has learnt that the latest record is done.
  void pass_latest() const;

  const EventKind kind_;
  const std::uint32_t flags_;
  const int device_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t recorded_ = 0;   // records submitted
  std::uint64_t completed_ = 0;  // the latest record that is done
  std::uint64_t reset_at_ = 0;   // records that a reset made forgotten
  std::uint64_t waits_ = 0;      // waits submitted and not over
  std::int64_t timestamp_ = 0;
  bool destroyed_ = false;
  MomentRef latest_;            // when the latest record is, for the search for races
  MomentRef promised_;          // when the next one will be, if a stream waits for it
  std::weak_ptr<Graph> graph_;  // of the latest record in a capture
  CaptureMark mark_;
  std::shared_ptr<IpcMarks> ipc_;  // of an event that other processes have, in place of the counts
};

SIM_API HandleTable<Event>& events();

/// Creates an event for the current context's device; Failure(107000) for flags that do not exist.
SIM_API void* create_event(EventKind kind, std::uint32_t flags);

/// The event behind a handle of another process, for the current context's device.
SIM_API void* open_event(const std::string& handle);

/// Limit of aclrtSetOpWaitTimeout for waits that bring none of their own, in seconds; 0: none.
SIM_API void set_default_wait_timeout(std::uint32_t seconds);
SIM_API std::int64_t default_wait_timeout_ms();

}  // namespace pyaclnn::sim
