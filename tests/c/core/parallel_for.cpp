// What kernels rely on in parallel_for: every piece once, reproducible pieces, errors passed on.
// SPDX-License-Identifier: MIT
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "check.hpp"
#include "core/status.hpp"
#include "core/task_deadline.hpp"
#include "core/thread_pool.hpp"

using pyaclnn::sim::parallel_for;

namespace {

using Pieces = std::set<std::pair<int64_t, int64_t>>;

Pieces pieces_of(int64_t count, int64_t grain) {
  std::mutex mutex;
  Pieces pieces;
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    std::lock_guard<std::mutex> guard(mutex);
    EXPECT(pieces.emplace(begin, end).second);
  });
  return pieces;
}

}  // namespace

CASE(pieces_cover_the_range_once) {
  for (int64_t count : {1, 63, 64, 65, 1000, 123457}) {
    int64_t next = 0;
    for (auto [begin, end] : pieces_of(count, 64)) {
      EXPECT_EQ(begin, next);
      EXPECT(end == count || (end - begin) % 64 == 0);
      next = end;
    }
    EXPECT_EQ(next, count);
  }
}

CASE(nothing_is_done_for_an_empty_range) {
  EXPECT(pieces_of(0, 64).empty());
  EXPECT(pieces_of(-5, 64).empty());
}

CASE(pieces_do_not_depend_on_timing) {
  Pieces first = pieces_of(1000000, 100);
  for (int i = 0; i < 20; ++i) EXPECT(pieces_of(1000000, 100) == first);
}

// Helpers that move away from the thread that woke them are not bound to where they went.
CASE(helpers_may_run_where_the_process_may) {
  const auto allowed_here = [] {
    cpu_set_t set;
    EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
  };
  const cpu_set_t all = allowed_here();
  for (int i = 0; i < 50; ++i) {
    parallel_for(64, 1, [&](int64_t, int64_t) {
      const cpu_set_t mine = allowed_here();
      EXPECT(CPU_EQUAL(&mine, &all));
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    });
  }
}

CASE(a_range_of_one_grain_stays_on_the_calling_thread) {
  auto caller = std::this_thread::get_id();
  parallel_for(64, 64,
               [caller](int64_t, int64_t) { EXPECT(std::this_thread::get_id() == caller); });
}

CASE(the_first_exception_reaches_the_caller) {
  std::string text;
  try {
    parallel_for(1000, 10, [](int64_t begin, int64_t) {
      if (begin == 500) throw std::runtime_error("piece 500");
    });
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  EXPECT_EQ(text, std::string("piece 500"));
}

CASE(calls_nest_and_run_beside_each_other) {
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&sum] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        parallel_for(40, 10, [&sum](int64_t begin, int64_t end) {
          parallel_for((end - begin) * 10, 10,
                       [&sum](int64_t from, int64_t to) { sum += to - from; });
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum.load(), 4 * 50 * 400);
}

CASE(the_pool_comes_back_after_its_release) {
  EXPECT(!pieces_of(1000, 10).empty());
  pyaclnn::sim::release_thread_pool();
  pyaclnn::sim::release_thread_pool();
  EXPECT(!pieces_of(1000, 10).empty());
}

namespace {

/// The code with which work of about a minute ends, as part of a task.
int code_of_long_work(int64_t count, int64_t grain) {
  try {
    pyaclnn::sim::TaskDeadline limit;
    parallel_for(count, grain, [](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        parallel_for(1, 1, [](int64_t, int64_t) {});
      }
    });
  } catch (const pyaclnn::sim::Failure& failure) {
    return failure.code();
  }
  return 0;
}

}  // namespace

// In the environment of these, a task may take a second.
CASE(limited_a_task_that_takes_too_long_is_given_up) {
  EXPECT_EQ(code_of_long_work(7000, 1), 507014);
}

CASE(limited_work_in_one_piece_is_given_up_where_it_looks) {
  EXPECT_EQ(code_of_long_work(1000, 1000), 507014);
}

CASE(limited_what_no_task_does_has_no_limit) {
  int64_t count = 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  parallel_for(1, 1, [&](int64_t begin, int64_t end) { count += end - begin; });
  EXPECT_EQ(count, 1);
}

CASE(the_largest_ranges_are_cut_without_overflow) {
  constexpr int64_t kAll = INT64_MAX;
  Pieces pieces = pieces_of(kAll, INT64_MAX / 3);
  EXPECT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces.rbegin()->second, kAll);
}
