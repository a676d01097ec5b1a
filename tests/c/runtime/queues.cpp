// What describes queues and routes, what is told of the chip, and dumps and profiles of graphs.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>

#include "acl/acl_dump.h"
#include "acl/acl_platform.h"
#include "acl/acl_tdt_queue.h"
#include "check.hpp"
#include "ge/ge_prof.h"

CASE(attributes_of_a_queue_are_kept) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  const char* name = "frames";
  const uint32_t depth = 5;
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof name, &name));
  EXPECT_OK(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof depth, &depth));
  const char* kept = nullptr;
  uint32_t found = 0;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof kept, &size, &kept));
  EXPECT_EQ(std::string(kept), "frames");
  EXPECT_OK(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof found, &size, &found));
  EXPECT_EQ(found, 5u);
  EXPECT_EQ(size, sizeof found);
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
  EXPECT_EQ(acltdtDestroyQueueAttr(attr), 100000);
}

CASE(attributes_of_a_queue_are_checked) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  const std::string text(128, 'x');
  const char *name = text.c_str(), *none = nullptr;
  const uint64_t depth = 5;
  size_t size = 0;
  char room[8] = {};
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof name, &name), 100000);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof none, &none), 100000);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof depth, &depth), 100000);
  EXPECT_EQ(acltdtSetQueueAttr(attr, acltdtQueueAttrType(7), 4, &depth), 100000);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr), 100000);
  EXPECT_EQ(acltdtSetQueueAttr(nullptr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth), 100000);
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 3, &size, room), 100000);
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr, room), 100000);
  EXPECT_EQ(acltdtGetQueueAttr(attr, acltdtQueueAttrType(7), 4, &size, room), 100000);
  EXPECT_OK(acltdtDestroyQueueAttr(attr));
}

CASE(routes_are_listed) {
  acltdtQueueRoute* route = acltdtCreateQueueRoute(3, 4);
  acltdtQueueRoute* other = acltdtCreateQueueRoute(0, 0);
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  EXPECT_OK(acltdtAddQueueRoute(list, route));
  EXPECT_EQ(acltdtGetQueueRouteNum(list), 1u);
  EXPECT_EQ(acltdtGetQueueRouteNum(nullptr), 0u);
  EXPECT_OK(acltdtGetQueueRoute(list, 0, other));
  EXPECT_EQ(acltdtGetQueueRoute(list, 1, other), 100000);
  uint32_t id = 0;
  int32_t status = -1;
  size_t size = 0;
  EXPECT_OK(acltdtGetQueueRouteParam(other, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &size, &id));
  EXPECT_EQ(id, 3u);
  EXPECT_OK(acltdtGetQueueRouteParam(other, ACL_TDT_QUEUE_ROUTE_DST_UINT32, 4, &size, &id));
  EXPECT_EQ(id, 4u);
  EXPECT_OK(acltdtGetQueueRouteParam(other, ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, &size, &status));
  EXPECT_EQ(status, ACL_TDT_QUEUE_ROUTE_UNBIND);
  EXPECT_EQ(acltdtGetQueueRouteParam(other, acltdtQueueRouteParamType(9), 4, &size, &id), 100000);
  EXPECT_EQ(acltdtBindQueueRoutes(list), 200006);
  EXPECT_EQ(acltdtUnbindQueueRoutes(list), 200006);
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_EQ(acltdtAddQueueRoute(list, other), 100000);
  EXPECT_OK(acltdtDestroyQueueRoute(other));
}

CASE(queries_say_what_they_ask) {
  acltdtQueueRouteQueryInfo* query = acltdtCreateQueueRouteQueryInfo();
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  EXPECT_EQ(acltdtQueryQueueRoutes(query, list), 100000);
  int32_t mode = ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST;
  const uint32_t id = 1;
  EXPECT_OK(acltdtSetQueueRouteQueryInfo(query, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, 4, &mode));
  EXPECT_OK(acltdtSetQueueRouteQueryInfo(query, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &id));
  EXPECT_EQ(acltdtQueryQueueRoutes(query, list), 100000);
  EXPECT_OK(acltdtSetQueueRouteQueryInfo(query, ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, 4, &id));
  EXPECT_EQ(acltdtQueryQueueRoutes(query, list), 200006);
  mode = 55;
  EXPECT_OK(acltdtSetQueueRouteQueryInfo(query, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, 4, &mode));
  EXPECT_EQ(acltdtQueryQueueRoutes(query, list), 100000);
  EXPECT_EQ(acltdtQueryQueueRoutes(nullptr, list), 100000);
  EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(query));
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
}

CASE(queues_and_buffers_are_refused) {
  uint32_t queue = 0;
  acltdtBuf buffer = nullptr;
  EXPECT_EQ(acltdtCreateQueue(nullptr, &queue), 200006);
  EXPECT_MESSAGE("acltdtCreateQueue is not simulated");
  EXPECT_EQ(acltdtAllocBuf(16, ACL_TDT_NORMAL_MEM, &buffer), 200006);
  EXPECT_EQ(acltdtAllocBuf(16, 2, &buffer), 100000);
  EXPECT_EQ(acltdtAllocBuf(16, ACL_TDT_DVPP_MEM, nullptr), 100000);
  EXPECT_EQ(acltdtEnqueue(queue, buffer, -1), 200006);
}

CASE(the_chip_is_described) {
  char text[32] = {};
  EXPECT_OK(aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, sizeof text));
  EXPECT_EQ(std::string(text), "Ascend910B1");
  EXPECT_OK(aclplatformGetDeviceInfo(ACL_PLATFORM_VECTOR_CORE_CNT, text, 3));
  EXPECT_EQ(std::string(text), "48");
  EXPECT_EQ(aclplatformGetDeviceInfo(ACL_PLATFORM_VECTOR_CORE_CNT, text, 2), 100000);
  EXPECT_EQ(aclplatformGetDeviceInfo(ACL_PLATFORM_VECTOR_CORE_CNT, nullptr, 2), 100000);
  EXPECT_EQ(aclplatformGetDeviceInfo(aclplatformDevInfo(17), text, 2), 100000);
  EXPECT_EQ(aclplatformGetDeviceInfo(ACL_PLATFORM_CUBE_FREQ, text, sizeof text), 200006);
  const auto type = ACL_PLATFORM_CORE_TYPE_VECTOR_CORE;
  EXPECT_EQ(aclplatformGetInstructionInfo(type, "vadd", text, sizeof text), 200006);
  EXPECT_EQ(aclplatformGetInstructionInfo(type, nullptr, text, sizeof text), 100000);
}

CASE(nothing_is_dumped_and_no_graph_profiled) {
  EXPECT(acldumpGetPath(DATA_DUMP) == nullptr);
  EXPECT_EQ(acldumpRegCallback(nullptr, 0), 200006);
  acldumpUnregCallback();
  EXPECT_EQ(ge::aclgrphProfInit("/tmp", 4), ge::GE_PROF_FAILED);
  EXPECT_MESSAGE("aclgrphProfInit is not simulated");
  uint32_t device = 0;
  EXPECT(ge::aclgrphProfCreateConfig(&device, 1, ge::kAicoreMemory, nullptr, 1) == nullptr);
  EXPECT_EQ(ge::aclgrphProfStart(nullptr), ge::GE_PROF_FAILED);
  EXPECT_EQ(ge::aclgrphProfStop(nullptr), ge::GE_PROF_FAILED);
  EXPECT_EQ(ge::aclgrphProfDestroyConfig(nullptr), ge::GE_PROF_FAILED);
  EXPECT_EQ(ge::aclgrphProfFinalize(), ge::GE_PROF_FAILED);
}
