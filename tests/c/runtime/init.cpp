// aclInit and its kin, versions, error messages, last errors.
// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <thread>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

std::string write_config(const char* text) {
  char path[] = "config-XXXXXX";
  int file = mkstemp(path);
  EXPECT_EQ(write(file, text, std::strlen(text)), ssize_t(std::strlen(text)));
  close(file);
  return path;
}

}  // namespace

CASE(first_init_and_finalize_succeed) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
}

CASE(second_init_answers_repeat_and_one_finalize_ends_both) {
  EXPECT_OK(aclInit(""));
  EXPECT_EQ(aclInit(nullptr), 100002);
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(aclFinalize(), 100037);
}

CASE(finalize_without_init_is_refused) {
  EXPECT_EQ(aclFinalize(), 100037);
  EXPECT_MESSAGE("aclFinalize");
}

CASE(init_after_finalize_is_allowed) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
}

CASE(finalize_reference_counts_down) {
  uint64_t remaining = 9;
  EXPECT_EQ(aclFinalizeReference(&remaining), 100037);
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(aclInit(nullptr), 100002);
  EXPECT_OK(aclFinalizeReference(&remaining));
  EXPECT_EQ(remaining, 1u);
  EXPECT_OK(aclFinalizeReference(nullptr));
  EXPECT_EQ(aclFinalizeReference(nullptr), 100037);
}

CASE(finalize_ends_streams_and_contexts) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclFinalize());
  int32_t device = 0;
  EXPECT_EQ(aclrtGetDevice(&device), 107002);
  EXPECT_EQ(pyaclnnSimCount("stream"), 0u);
}

CASE(missing_config_file_is_refused) {
  EXPECT_EQ(aclInit("/nonexistent/acl.json"), 100003);
  EXPECT_MESSAGE("/nonexistent/acl.json");
  EXPECT_OK(aclInit(nullptr));
}

CASE(malformed_config_file_is_refused) {
  std::string path = write_config("{\"a\": [1, 2}");
  EXPECT_EQ(aclInit(path.c_str()), 100006);
  std::remove(path.c_str());
}

CASE(config_file_can_name_a_default_device) {
  std::string path = write_config(
      "{\"other\": [1, {\"x\": null}], \"defaultDevice\": {\"default_device\": \"0\"}}");
  EXPECT_OK(aclInit(path.c_str()));
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  std::remove(path.c_str());
}

CASE(config_may_not_change_between_inits) {
  std::string first = write_config("{}");
  std::string second = write_config("{\"a\": 1}");
  EXPECT_OK(aclInit(first.c_str()));
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(aclInit(second.c_str()), 100000);
  EXPECT_OK(aclInit(first.c_str()));
  std::remove(first.c_str());
  std::remove(second.c_str());
}

CASE(versions_are_those_of_the_release) {
  int32_t major = 0, minor = 0, patch = -1;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  EXPECT_EQ(minor, ACL_MINOR_VERSION);
  EXPECT_EQ(patch, ACL_PATCH_VERSION);
  EXPECT_EQ(aclrtGetVersion(nullptr, &minor, &patch), 100000);
  aclCANNPackageVersion version;
  EXPECT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
  EXPECT_EQ(std::string(version.version), "9.1.0");
  EXPECT_EQ(std::string(version.majorVersion), "9");
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr), 100000);
  EXPECT_EQ(aclsysGetCANNVersion(aclCANNPackageName(99), &version), 100000);
  char name[] = "runtime", unknown[] = "nonsense", text[ACL_PKG_VERSION_MAX_SIZE];
  EXPECT_OK(aclsysGetVersionStr(name, text));
  EXPECT_EQ(std::string(text), "9.1.0");
  EXPECT_EQ(aclsysGetVersionStr(unknown, text), 100003);
  int32_t number = 0;
  EXPECT_OK(aclsysGetVersionNum(name, &number));
  EXPECT(number > 0);
  EXPECT_EQ(aclsysGetVersionNum(nullptr, &number), 100000);
}

CASE(soc_name_is_given_without_a_context) {
  EXPECT_EQ(std::string(aclrtGetSocName()), "Ascend910B1");
}

CASE(messages_are_read_once_and_merged) {
  EXPECT(aclGetRecentErrMsg() == nullptr);
  EXPECT_EQ(aclrtSetDevice(-1), 107001);
  EXPECT_EQ(aclrtSetDevice(-1), 107001);
  EXPECT_EQ(aclrtFree(nullptr), 100000);
  const char* message = aclGetRecentErrMsg();
  EXPECT(message != nullptr);
  EXPECT(std::strncmp(message, "[PID: ", 6) == 0);
  const char* first = std::strstr(message, "aclrtSetDevice");
  EXPECT(first != nullptr);
  EXPECT(std::strstr(first + 1, "aclrtSetDevice") == nullptr);
  EXPECT(std::strstr(message, "aclrtFree") != nullptr);
  EXPECT(std::strstr(message, "Solution: ") != nullptr);
  EXPECT(aclGetRecentErrMsg() == nullptr);
}

CASE(messages_belong_to_their_thread) {
  EXPECT_EQ(aclrtSetDevice(99), 107001);
  std::thread([] { EXPECT(aclGetRecentErrMsg() == nullptr); }).join();
  EXPECT(aclGetRecentErrMsg() != nullptr);
}

CASE(messages_can_be_shared_by_all_threads) {
  std::string path = write_config("{\"err_msg_mode\": \"1\"}");
  EXPECT_OK(aclInit(path.c_str()));
  EXPECT_EQ(aclrtSetDevice(99), 107001);
  std::thread([] { EXPECT(aclGetRecentErrMsg() != nullptr); }).join();
  EXPECT(aclGetRecentErrMsg() == nullptr);
  std::remove(path.c_str());
}

CASE(last_error_is_peeked_and_taken) {
  EXPECT_OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  EXPECT_EQ(aclrtSetDevice(99), 107001);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 107001);
  EXPECT_EQ(aclrtPeekAtLastError(aclrtLastErrLevel(1)), 107000);
  EXPECT_EQ(aclrtGetLastError(aclrtLastErrLevel(1)), 107000);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 107001);
  EXPECT_OK(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}

CASE(simulator_control_knows_its_kinds) {
  for (const char* kind :
       {"context", "stream", "event", "tensor", "scalar", "int_array", "float_array", "bool_array",
        "tensor_list", "scalar_list", "executor", "data_buffer", "device_block", "host_block",
        "device_bytes", "host_bytes", "queued_task", "total"})
    EXPECT_EQ(pyaclnnSimCount(kind), 0u);
  EXPECT_EQ(pyaclnnSimCount("nonsense"), UINT64_MAX);
  EXPECT_EQ(pyaclnnSimCount(nullptr), UINT64_MAX);
  int major = 0, minor = 0, patch = 0;
  EXPECT_EQ(std::sscanf(pyaclnnSimVersion(), "%d.%d.%d", &major, &minor, &patch), 3);
}

CASE(nth_call_fails_as_planned) {
  EXPECT_OK(pyaclnnSimSetFault("aclrtGetDeviceCount:2:207001"));
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(aclrtGetDeviceCount(&count), 207001);
  EXPECT_MESSAGE("a fault that was asked for");
  EXPECT_OK(aclrtGetDeviceCount(&count));
}

CASE(every_call_fails_until_the_plan_goes) {
  uint32_t count = 0;
  EXPECT_OK(pyaclnnSimSetFault("aclrtGetDeviceCount:0:500000,aclrtFree:1:507000"));
  EXPECT_EQ(aclrtGetDeviceCount(&count), 500000);
  EXPECT_EQ(aclrtGetDeviceCount(&count), 500000);
  EXPECT_EQ(aclrtFree(&count), 507000);
  EXPECT_OK(pyaclnnSimSetFault(nullptr));
  EXPECT_OK(aclrtGetDeviceCount(&count));
}

CASE(a_plan_that_is_not_understood_changes_nothing) {
  uint32_t count = 0;
  EXPECT_OK(pyaclnnSimSetFault("aclrtGetDeviceCount:0:500000"));
  for (const char* plan :
       {"nonsense", "aclrtFree:1", "aclrtFree:x:1", "aclrtFree:1:x", ":1:1", "aclrtFree:-1:1",
        "aclrtFree:1:async=", "aclrtFree:1:0", "aclrtFree:1:2,g"})
    EXPECT_EQ(pyaclnnSimSetFault(plan), 100000);
  EXPECT_EQ(aclrtGetDeviceCount(&count), 500000);
}

CASE(a_plan_for_a_function_that_does_not_exist_changes_nothing) {
  uint32_t count = 0;
  EXPECT_OK(pyaclnnSimSetFault("aclrtGetDeviceCount:0:500000"));
  EXPECT_EQ(pyaclnnSimSetFault("aclrtMallco:1:207001"), 100000);
  EXPECT_MESSAGE("aclrtMallco, which the simulator does not have; nearest: aclrtMalloc");
  EXPECT_EQ(pyaclnnSimSetFault("aclnnSoftShrinkBackward:1:result"), 100000);
  EXPECT_MESSAGE("nearest: aclnnSoftshrinkBackward,");
  EXPECT_EQ(pyaclnnSimSetFault("aclnnSoftshrinkBackward:1:result,printf:1:1"), 100000);
  EXPECT_MESSAGE("names printf");
  EXPECT_EQ(aclrtGetDeviceCount(&count), 500000);
  EXPECT_OK(pyaclnnSimSetFault("aclnnSoftshrinkBackwardGetWorkspaceSize:1:561000"));
}
