// Missing synchronisation with graphs and inside them, and how hazards are told.
// SPDX-License-Identifier: MIT
#include <string>

#include "runtime/races.hpp"

CASE(a_graph_is_work_of_the_stream_it_runs_on) {
  Setup setup;
  EXPECT_OK(aclmdlRICaptureBegin(setup.first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  setup.fill(setup.first, setup.a);
  setup.copy(setup.first, setup.b, setup.a);
  aclmdlRI graph = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(setup.first, &graph));
  // Captured, not run.
  setup.fill(setup.second, setup.a);
  EXPECT_NONE();
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.first));
  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.first));
  EXPECT_NONE();
  setup.copy(setup.second, setup.a, setup.b, 10);
  EXPECT_EQ(pyaclnnSimHazardCount(), 1u);
  pyaclnnSimHazard hazard;
  EXPECT_OK(pyaclnnSimGetHazard(0, &hazard));
  EXPECT_EQ(hazard.earlier.captured_on, setup.id(setup.first));
  EXPECT_EQ(hazard.earlier.stream, setup.id(setup.first));
  EXPECT_HAZARD("write-after-read, aclrtMemcpyAsync reads src, aclrtMemcpyAsync writes dst, 0:10");
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.first));
  setup.second_waits_for_first();
  setup.copy(setup.second, setup.a, setup.b, 10);
  EXPECT_NONE();
}

CASE(branches_of_a_graph_need_events_too) {
  for (bool right : {true, false}) {
    Setup setup("error");
    aclrtEvent back = nullptr;
    EXPECT_OK(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
    EXPECT_OK(aclmdlRICaptureBegin(setup.first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    setup.second_waits_for_first();
    setup.fill(setup.first, setup.a);
    if (right) setup.second_waits_for_first();
    setup.copy(setup.second, setup.b, setup.a);
    EXPECT_OK(aclrtRecordEvent(back, setup.second));
    EXPECT_OK(aclrtStreamWaitEvent(setup.first, back));
    aclmdlRI graph = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(setup.first, &graph));
    EXPECT_OK(aclmdlRIExecuteAsync(graph, setup.first));
    EXPECT_EQ(aclrtSynchronizeStream(setup.first), right ? 0 : 507015);
    if (right) {
      EXPECT_NONE();
    } else {
      EXPECT_MESSAGE("read-after-write hazard");
      EXPECT_HAZARD(
          "read-after-write, aclrtMemsetAsync writes devPtr, aclrtMemcpyAsync reads src, 0:4096");
    }
  }
}

CASE(in_error_mode_the_later_stream_fails) {
  Setup setup("error");
  setup.fill(setup.first, setup.a);
  setup.copy(setup.second, setup.b, setup.a);
  EXPECT_OK(aclrtSynchronizeStream(setup.first));
  EXPECT_EQ(aclrtSynchronizeStream(setup.second), 507015);
  EXPECT_MESSAGE("read-after-write hazard on bytes 0 to 4096");
  EXPECT_OK(aclrtSynchronizeStream(setup.second));
}

CASE(one_forgotten_wait_is_one_hazard) {
  Setup setup;
  for (int i = 0; i < 3; ++i) {
    setup.fill(setup.first, setup.a);
    setup.copy(setup.second, setup.b, setup.a);
    setup.copy(setup.second, setup.b, setup.a, 100);
    setup.copy(setup.second, at(setup.b, 2000), at(setup.a, 2000), 100);
    EXPECT_OK(aclrtSynchronizeDevice());
  }
  EXPECT_EQ(pyaclnnSimHazardCount(), 1u);
  pyaclnnSimHazard hazard;
  EXPECT_OK(pyaclnnSimGetHazard(0, &hazard));
  EXPECT_EQ(hazard.count, 3u);
  EXPECT_EQ(pyaclnnSimGetHazard(1, &hazard), 100000);
}

CASE(two_streams_in_turn_for_long_stay_in_order) {
  Setup setup;
  aclrtEvent back = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
  for (int i = 0; i < 3000; ++i) {
    setup.fill(setup.first, at(setup.a, size_t(i)), 1);
    setup.second_waits_for_first();
    setup.copy(setup.second, setup.b, setup.a);
    EXPECT_OK(aclrtRecordEvent(back, setup.second));
    EXPECT_OK(aclrtStreamWaitEvent(setup.first, back));
  }
  EXPECT_NONE();
}

CASE(the_check_is_switched) {
  Setup setup("off");
  EXPECT_EQ(std::string(pyaclnnSimRaces()), std::string("off"));
  setup.fill(setup.first, setup.a);
  EXPECT_EQ(pyaclnnSimSetRaces("both"), 100000);
  EXPECT_OK(pyaclnnSimSetRaces("collect"));
  // What was submitted before is not known.
  setup.fill(setup.second, setup.a);
  EXPECT_NONE();
  EXPECT_OK(pyaclnnSimSetRaces("off"));
  setup.fill(setup.first, setup.a);
  EXPECT_NONE();
  EXPECT_OK(pyaclnnSimSetRaces(nullptr));
  EXPECT_EQ(std::string(pyaclnnSimRaces()), std::string("off"));
}
