// Collectives as a program in C calls them: all devices of one process, and a thread for each rank.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "check.hpp"
#include "hccl/hccl.h"

namespace {

constexpr int kRanks = 3;

/// A device with a stream and two arrays of floats.
struct Rank {
  int device = 0;
  aclrtStream stream = nullptr;
  HcclComm comm = nullptr;
  void* in = nullptr;
  void* out = nullptr;
  std::size_t count = 0;

  void open(int number, std::size_t elements) {
    device = number;
    count = elements;
    EXPECT_OK(aclrtSetDevice(device));
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtMalloc(&in, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMalloc(&out, kRanks * count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
    fill(float(device + 1));
  }

  void fill(float value) const {
    const std::vector<float> values(count, value);
    EXPECT_OK(aclrtMemcpy(in, count * sizeof(float), values.data(), count * sizeof(float),
                          ACL_MEMCPY_HOST_TO_DEVICE));
  }

  void sum() const {
    EXPECT_OK(aclrtSetDevice(device));
    EXPECT_OK(HcclAllReduce(in, out, count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
  }

  /// The result, of which all values are alike.
  float result() const {
    EXPECT_OK(aclrtSetDevice(device));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    std::vector<float> values(count);
    EXPECT_OK(aclrtMemcpy(values.data(), count * sizeof(float), out, count * sizeof(float),
                          ACL_MEMCPY_DEVICE_TO_HOST));
    for (float value : values) EXPECT_EQ(value, values[0]);
    return values[0];
  }

  void close() const {
    EXPECT_OK(aclrtSetDevice(device));
    EXPECT_OK(HcclCommDestroy(comm));
    EXPECT_OK(aclrtDestroyStream(stream));
    EXPECT_OK(aclrtFree(in));
    EXPECT_OK(aclrtFree(out));
  }
};

/// One communicator for the devices of this process.
std::vector<Rank> all_ranks(std::size_t count) {
  EXPECT_OK(aclInit(nullptr));
  std::vector<Rank> ranks(kRanks);
  int32_t devices[kRanks];
  HcclComm comms[kRanks];
  for (int i = 0; i < kRanks; ++i) {
    devices[i] = i;
    ranks[std::size_t(i)].open(i, count);
  }
  EXPECT_OK(HcclCommInitAll(kRanks, devices, comms));
  for (std::size_t i = 0; i < kRanks; ++i) ranks[i].comm = comms[i];
  return ranks;
}

}  // namespace

CASE(devices_of_one_process_add_up) {
  for (std::size_t count : {1, 5, 4097, 300001}) {
    std::vector<Rank> ranks = all_ranks(count);
    for (const Rank& rank : ranks) rank.sum();
    for (const Rank& rank : ranks) EXPECT_EQ(rank.result(), 6.0f);
    for (const Rank& rank : ranks) rank.close();
    EXPECT_OK(aclFinalize());
  }
}

CASE(threads_meet_at_a_root) {
  EXPECT_OK(aclInit(nullptr));
  HcclRootInfo root;
  EXPECT_OK(HcclGetRootInfo(&root));
  std::vector<std::thread> threads;
  for (int i = 0; i < kRanks; ++i) {
    threads.emplace_back([i, &root] {
      Rank rank;
      rank.open(i, 20000);
      HcclCommConfig config;
      HcclCommConfigInit(&config);
      std::strcpy(config.hcclCommName, "trainers");
      EXPECT_OK(HcclCommInitRootInfoConfig(kRanks, &root, uint32_t(i), &config, &rank.comm));
      char name[COMM_NAME_MAX_LENGTH];
      EXPECT_OK(HcclGetCommName(rank.comm, name));
      EXPECT_EQ(std::string(name), std::string("trainers"));
      uint32_t number = 9;
      EXPECT_OK(HcclGetRankId(rank.comm, &number));
      EXPECT_EQ(int(number), i);
      rank.sum();
      EXPECT_EQ(rank.result(), 6.0f);
      // The outer two, the other way round.
      uint32_t outer[] = {2, 0};
      HcclComm part = nullptr;
      const bool is_part = i != 1;
      EXPECT_OK(HcclCreateSubCommConfig(&rank.comm, 2, is_part ? outer : nullptr,
                                        is_part ? 4 : 0xFFFFFFFF, i == 2 ? 0 : 1, &config, &part));
      EXPECT_EQ(part != nullptr, is_part);
      if (is_part) {
        EXPECT_OK(HcclBroadcast(rank.in, rank.count, HCCL_DATA_TYPE_FP32, 0, part, rank.stream));
        EXPECT_OK(HcclCommDestroy(part));
      }
      rank.sum();
      EXPECT_EQ(rank.result(), 8.0f);
      rank.close();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_OK(aclFinalize());
}

CASE(a_graph_communicates_whenever_it_runs) {
  std::vector<Rank> ranks = all_ranks(100);
  std::vector<aclmdlRI> graphs(kRanks);
  for (const Rank& rank : ranks) {
    EXPECT_OK(aclrtSetDevice(rank.device));
    EXPECT_OK(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
    rank.sum();
    EXPECT_OK(aclmdlRICaptureEnd(rank.stream, &graphs[std::size_t(rank.device)]));
  }
  for (float step : {1.0f, 2.0f}) {
    for (const Rank& rank : ranks) {
      EXPECT_OK(aclrtSetDevice(rank.device));
      rank.fill(step);
      EXPECT_OK(aclmdlRIExecuteAsync(graphs[std::size_t(rank.device)], rank.stream));
      // And what is not captured, in between.
      rank.sum();
    }
    for (const Rank& rank : ranks) EXPECT_EQ(rank.result(), 3 * step);
  }
  for (const Rank& rank : ranks) {
    EXPECT_OK(aclrtSetDevice(rank.device));
    EXPECT_OK(aclmdlRIDestroy(graphs[std::size_t(rank.device)]));
    rank.close();
  }
  EXPECT_OK(aclFinalize());
}

CASE(a_rank_that_does_something_else_is_named) {
  std::vector<Rank> ranks = all_ranks(100);
  ranks[0].sum();
  ranks[1].sum();
  EXPECT_OK(aclrtSetDevice(2));
  EXPECT_OK(HcclAllGather(ranks[2].in, ranks[2].out, 100, HCCL_DATA_TYPE_FP32, ranks[2].comm,
                          ranks[2].stream));
  for (const Rank& rank : ranks) {
    EXPECT_OK(aclrtSetDevice(rank.device));
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
    const std::string text = aclGetRecentErrMsg();
    EXPECT(text.find("HcclAllReduce #0 (100 float32, sum)") != std::string::npos);
    EXPECT(text.find("HcclAllGather #0 (100 float32)") != std::string::npos);
    HcclResult error = HCCL_SUCCESS;
    EXPECT_OK(HcclGetCommAsyncError(rank.comm, &error));
    EXPECT_EQ(int(error), int(HCCL_E_PARA));
  }
  for (const Rank& rank : ranks) rank.close();
  EXPECT_OK(aclFinalize());
}

CASE(work_that_waits_for_ever_does_not_keep_a_program) {
  std::vector<Rank> ranks = all_ranks(100);
  ranks[0].sum();
  EXPECT_OK(aclFinalize());
}
