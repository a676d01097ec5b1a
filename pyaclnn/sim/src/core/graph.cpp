// SPDX-License-Identifier: MIT
#include "core/graph.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "check/races.hpp"
#include "core/capture.hpp"
#include "core/status.hpp"
#include "core/task_deadline.hpp"

namespace pyaclnn::sim {

void Graph::join(Stream& stream) {
  std::lock_guard<std::mutex> guard(mutex_);
  join_locked(stream);
}

std::size_t Graph::join_locked(Stream& stream) {
  stream.enter_capture(shared_from_this());
  branches_.push_back({stream.shared_from_this(), {}});
  for (Branch& branch : branches_) branch.seen.resize(branches_.size());
  return branches_.size() - 1;
}

std::size_t Graph::branch_of(Stream& stream) {
  if (!capturing_)
    fail(kRtStreamNotCaptured, "the capture of stream %d ended on another thread", stream.id());
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (branches_[i].stream.get() == &stream) return i;
  }
  return join_locked(stream);
}

void Graph::advance(std::size_t branch) { ++branches_[branch].seen[branch]; }

void Graph::append(Stream& stream, Task task) {
  std::lock_guard<std::mutex> guard(mutex_);
  const std::size_t branch = branch_of(stream);
  advance(branch);
  if (task.accesses)
    races_.work({stream.id(), false}, *task.accesses, branch, branches_[branch].seen);
  nodes_.push_back({stream.id(), std::move(task)});
}

CaptureMark Graph::mark(Stream& stream) {
  std::lock_guard<std::mutex> guard(mutex_);
  std::size_t branch = branch_of(stream);
  advance(branch);
  return branches_[branch].seen;
}

void Graph::wait(Stream& stream, const CaptureMark& mark) {
  std::lock_guard<std::mutex> guard(mutex_);
  std::size_t branch = branch_of(stream);
  CaptureMark& seen = branches_[branch].seen;
  for (std::size_t i = 0; i < mark.size(); ++i) seen[i] = std::max(seen[i], mark[i]);
  advance(branch);
}

bool Graph::is_capturing() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return capturing_;
}

bool Graph::is_invalid() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return invalid_;
}

void Graph::invalidate() {
  std::lock_guard<std::mutex> guard(mutex_);
  invalid_ = true;
}

bool Graph::finish() {
  std::vector<Branch> left;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    capturing_ = false;
    left.swap(branches_);
  }
  bool joined = true;
  for (std::size_t i = 0; i < left.size(); ++i) {
    joined = joined && left[0].seen[i] == left[i].seen[i];
    left[i].stream->leave_capture();
  }
  return joined;
}

void Graph::run() const {
  for (const Node& node : nodes_) {
    try {
      require_unfreed(node.task.uses);
      const TaskDeadline limit;
      if (int code = node.task.run()) fail(code, "the task failed");
    } catch (const Failure& failure) {
      fail(failure.code(), "%s, captured on stream %d: %s", node.task.name, node.stream,
           failure.what());
    }
  }
}

std::shared_ptr<const AccessList> Graph::accesses() const {
  auto all = std::make_shared<AccessList>();
  for (const Node& node : nodes_) {
    if (!node.task.accesses) continue;
    for (Access access : *node.task.accesses) {
      access.captured_on = node.stream;
      all->push_back(std::move(access));
    }
  }
  return all;
}

void Graph::print() const {
  std::fprintf(stderr, "pyaclnn simulator: graph of device %d, %zu tasks\n", device(),
               nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    std::fprintf(stderr, "  task %zu, captured on stream %d: %s\n", i, nodes_[i].stream,
                 nodes_[i].task.name);
}

HandleTable<Graph>& graphs() {
  static HandleTable<Graph>& table = *new HandleTable<Graph>(HandleType::kGraph);
  return table;
}

void execute_graph(const void* handle, Stream& stream, const char* function) {
  std::shared_ptr<Graph> graph = graphs().get(handle, kRtParamInvalid);
  if (graph->is_capturing())
    fail(kRtModelCaptured, "the capture of the graph has not ended; call aclmdlRICaptureEnd");
  if (graph->context() != stream.context())
    fail(kRtForeignGraph, "the graph belongs to another context than stream %d", stream.id());
  stream.require_uncaptured("a graph cannot run inside another");
  Task task;
  task.name = function;
  if (races::enabled()) {
    task.accesses = graph->accesses();
    if (races::mode() == RaceCheck::kError && !graph->hazard().empty())
      stream.fail_with(kRtAicoreException, graph->hazard());
  }
  task.run = [graph = std::move(graph)] {
    graph->run();
    return 0;
  };
  stream.submit(std::move(task));
}

void destroy_graph(const void* handle) {
  if (graphs().get(handle, kRtParamInvalid)->is_capturing())
    fail(kRtModelCaptured, "the capture of the graph has not ended; call aclmdlRICaptureEnd");
  graphs().remove(handle, kRtParamInvalid);
}

void release_graphs(void* context) {
  for (auto& [handle, graph] : graphs().snapshot()) {
    if (graph->context() != context) continue;
    abandon_capture(*graph);
    graphs().remove(handle, kRtParamInvalid);
  }
}

}  // namespace pyaclnn::sim
