// Graphs: the work of captured streams, run again as a whole (CANN's model running instances).
//
// Tasks are kept in the order of submission over all streams of the capture. That order respects
// every event between them, because a wait can only follow its record, so one stream that runs
// them one after the other is a faithful replay.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "check/capture_races.hpp"
#include "core/export.hpp"
#include "core/handle_table.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim {

/// How much of each stream of a capture lies before a mark: operations counted by stream.
using CaptureMark = std::vector<std::uint64_t>;

class SIM_API Graph : public std::enable_shared_from_this<Graph> {
 public:
  explicit Graph(std::shared_ptr<Stream> origin) : origin_(std::move(origin)) {}

  int device() const { return origin_->device(); }
  void* context() const { return origin_->context(); }
  /// The stream that the capture began on.
  const Stream& origin() const { return *origin_; }

  /// Captures the stream from now on.
  void join(Stream& stream);
  void append(Stream& stream, Task task);
  /// Marks what the stream has done so far, as an event would.
  CaptureMark mark(Stream& stream);
  /// Lets the stream come after a mark; a stream outside the capture joins it.
  void wait(Stream& stream, const CaptureMark& mark);

  bool is_capturing() const;
  bool is_invalid() const;
  /// The capture failed: it goes on, but its end will say so.
  void invalidate();

  /// Ends the capture of all streams. Returns whether all of them were led back to the first.
  bool finish();

  /// Runs every task; called by the task of a stream. Failure where one fails, which ends the run.
  void run() const;
  /// What a run does to memory.
  std::shared_ptr<const AccessList> accesses() const;
  /// The first pair of tasks that nothing orders, in words; empty where none was found.
  const std::string& hazard() const { return races_.first_hazard(); }
  /// One line for each task on stderr.
  void print() const;

 private:
  struct Node {
    int stream;
    Task task;
  };
  struct Branch {
    std::shared_ptr<Stream> stream;
    CaptureMark seen;  // what of each branch lies before the branch's next operation
  };

  std::size_t branch_of(Stream& stream);
  std::size_t join_locked(Stream& stream);
  /// Counts one operation of a branch.
  void advance(std::size_t branch);

  const std::shared_ptr<Stream> origin_;
  mutable std::mutex mutex_;
  bool capturing_ = true;
  bool invalid_ = false;
  std::vector<Branch> branches_;
  std::vector<Node> nodes_;
  CaptureRaces races_;
};

SIM_API HandleTable<Graph>& graphs();

/// Queues a run of a graph on a stream. Failures 107000, 107004, 107026, 107027.
SIM_API void execute_graph(const void* handle, Stream& stream, const char* function);
SIM_API void destroy_graph(const void* handle);
/// Ends the graphs and captures of a context that goes.
SIM_API void release_graphs(void* context);

}  // namespace pyaclnn::sim
