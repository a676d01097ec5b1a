// Communicators as C functions.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "core/context.hpp"
#include "core/visible.hpp"
#include "hccl/entry.hpp"
#include "hccl/exchange.hpp"
#include "hccl/hccl.h"
#include "hccl/rank_table.hpp"
#include "hccl/rendezvous.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// What a rank that is not part of a communicator says of it.
constexpr std::uint64_t kNoSubComm = 0xFFFFFFFF;

/// What HcclCommConfigInit writes.
struct ConfigHead {
  std::size_t size;
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t unused;
};
static_assert(sizeof(ConfigHead) == HCCL_COMM_CONFIG_INFO_BYTES);

/// A program may have been compiled with more or fewer fields than this library knows.
HcclCommConfig read_config(const HcclCommConfig* given) {
  require_pointer(given, "config");
  ConfigHead head;
  std::memcpy(&head, given->reserved, sizeof head);
  constexpr std::size_t kLeast = offsetof(HcclCommConfig, hcclUdi);
  if (head.magic != HCCL_COMM_CONFIG_MAGIC_WORD || head.size < sizeof head)
    fail(HCCL_E_PARA, "config was not initialised by HcclCommConfigInit");
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::memcpy(config.reserved + sizeof head, given->reserved + sizeof head,
              std::min({head.size, sizeof config, head.version < 2 ? kLeast : sizeof config}) -
                  sizeof head);
  if (memchr(config.hcclCommName, 0, sizeof config.hcclCommName) == nullptr)
    fail(HCCL_E_PARA, "hcclCommName has no end");
  if (config.hcclBufferSize == 0) fail(HCCL_E_PARA, "hcclBufferSize is 0 MB");
  if (config.hcclDeterministic > 2 &&
      config.hcclDeterministic != HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET)
    fail(HCCL_E_PARA, "hcclDeterministic is %u, not 0, 1 or 2", config.hcclDeterministic);
  return config;
}

std::string name_of(const HcclCommConfig* config) {
  if (config == nullptr) return unused_name();
  const HcclCommConfig read = read_config(config);
  return read.hcclCommName[0] == '\0' ? unused_name() : read.hcclCommName;
}

void require_rank_of(std::uint32_t rank, std::uint32_t size) {
  constexpr std::uint32_t kMost = 4096;
  if (size == 0 || size > kMost) fail(HCCL_E_PARA, "nRanks is %u; it is from 1 to %u", size, kMost);
  if (rank >= size) fail(HCCL_E_PARA, "rank is %u of %u", rank, size);
}

HcclComm publish_wired(std::string name, Wiring wiring, const Settings& settings) {
  return publish(
      std::make_shared<Member>(std::move(name), current_device(), std::move(wiring), settings));
}

void init_by_root(std::uint32_t size, const HcclRootInfo* info, std::uint32_t rank,
                  std::string name, HcclComm* comm) {
  require_pointer(info, "rootInfo");
  require_pointer(comm, "comm");
  require_rank_of(rank, size);
  current_device();
  const Settings settings = read_settings();
  Wiring wiring = join(from_root_info(*info), int(size), int(rank), settings, false);
  *comm = publish_wired(std::move(name), std::move(wiring), settings);
}

void init_by_table(const char* path, std::uint32_t rank, std::string name, HcclComm* comm) {
  require_pointer(path, "clusterInfo");
  require_pointer(comm, "comm");
  current_device();
  const Settings settings = read_settings();
  constexpr std::uint32_t kMost = 1 << 20;
  const RankTable table = read_rank_table(path, int(std::min(rank, kMost)), settings);
  Meeting meeting = table.meeting;
  if (rank == 0) meeting = hold_meeting(meeting.place, meeting.cookie, settings);
  Wiring wiring = join(meeting, table.size, int(rank), settings, true);
  *comm = publish_wired(std::move(name), std::move(wiring), settings);
}

/// The ranks of a part of a communicator, by their ranks in the whole.
std::vector<int> checked_ranks(const Member& whole, std::uint32_t count, const std::uint32_t* ids,
                               std::uint32_t own) {
  std::set<std::uint32_t> distinct(ids, ids + count);
  if (distinct.size() != count || *distinct.rbegin() >= std::uint32_t(whole.size()))
    fail(HCCL_E_PARA, "rankIds has a rank twice, or one that is not among %d", whole.size());
  if (ids[own] != std::uint32_t(whole.rank()))
    fail(HCCL_E_PARA, "subCommRankId is %u, where rankIds has rank %u; this is rank %d", own,
         ids[own], whole.rank());
  return {ids, ids + count};
}

/// The first rank holds a meeting and tells the others, through the whole, where.
Meeting agree(Member& whole, const std::vector<int>& ranks, std::uint64_t id,
              const Settings& settings) {
  std::lock_guard<std::mutex> guard(whole.controlling);
  Signature signature;
  signature.function = Function::kCreateSubComm;
  signature.count = ranks.size();
  signature.sequence = id;
  Meeting meeting;
  Exchange exchange(whole, nullptr, Lane::kControl, signature);
  if (ranks.front() != whole.rank()) {
    exchange.expect(ranks.front(), signature, sizeof meeting);
    exchange.receive(ranks.front(), &meeting, sizeof meeting);
    exchange.skip_padding(ranks.front(), sizeof meeting);
    return meeting;
  }
  meeting = hold_meeting(parse_place(settings.address, 0), random_cookie(), settings);
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    exchange.announce(ranks[i], signature, sizeof meeting);
    exchange.send(ranks[i], &meeting, sizeof meeting);
    exchange.pad(ranks[i], sizeof meeting);
  }
  exchange.flush();
  return meeting;
}

}  // namespace
}  // namespace pyaclnn::sim::hccl

using namespace pyaclnn::sim::hccl;
using pyaclnn::sim::fail;

HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  return enter(__func__, [&] {
    require_pointer(rootInfo, "rootInfo");
    const Settings settings = read_settings();
    *rootInfo =
        to_root_info(hold_meeting(parse_place(settings.address, 0), random_cookie(), settings));
  });
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                HcclComm* comm) {
  return enter(__func__, [&] { init_by_root(nRanks, rootInfo, rank, unused_name(), comm); });
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  return enter(__func__, [&] {
    require_pointer(config, "config");
    init_by_root(nRanks, rootInfo, rank, name_of(config), comm);
  });
}

HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm) {
  return enter(__func__, [&] { init_by_table(clusterInfo, rank, unused_name(), comm); });
}

HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                         HcclCommConfig* config, HcclComm* comm) {
  return enter(__func__, [&] {
    require_pointer(config, "config");
    init_by_table(clusterInfo, rank, name_of(config), comm);
  });
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  return enter(__func__, [&] {
    require_pointer(devices, "devices");
    require_pointer(comms, "comms");
    require_rank_of(0, ndev);
    const std::set<int32_t> distinct(devices, devices + ndev);
    if (distinct.size() != ndev) fail(HCCL_E_PARA, "devices has a device twice");
    for (int32_t device : distinct) {
      const int count = pyaclnn::sim::device_count();
      if (device < 0 || device >= count)
        fail(HCCL_E_PARA, "device %d is none of the %d that are there", device, count);
    }
    const Settings settings = read_settings();
    const File memory = Region::create(int(ndev));
    std::vector<int> places(ndev);
    for (std::size_t rank = 0; rank < places.size(); ++rank) places[rank] = int(rank);
    const std::string name = unused_name();
    std::vector<std::shared_ptr<Member>> members;
    for (int rank = 0; rank < int(ndev); ++rank) {
      Wiring wiring(rank, int(ndev));
      if (ndev > 1) wiring.share(std::make_shared<Region>(memory, int(ndev), rank), places);
      members.push_back(std::make_shared<Member>(name, devices[rank], std::move(wiring), settings));
    }
    for (std::size_t rank = 0; rank < members.size(); ++rank)
      comms[rank] = publish(std::move(members[rank]));
  });
}

HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                   uint64_t subCommId, uint32_t subCommRankId,
                                   HcclCommConfig* config, HcclComm* subComm) {
  return enter(__func__, [&] {
    require_pointer(comm, "comm");
    require_pointer(subComm, "subComm");
    const std::shared_ptr<Member> whole = find_member(*comm);
    if (rankIds == nullptr) {
      if (subCommId != kNoSubComm)
        fail(HCCL_E_PTR, "rankIds is null, which needs subCommId 0xFFFFFFFF: not a part of it");
      *subComm = nullptr;
      return;
    }
    require_pointer(config, "config");
    std::string name = name_of(config);
    require_rank_of(subCommRankId, rankNum);
    const std::vector<int> ranks = checked_ranks(*whole, rankNum, rankIds, subCommRankId);
    whole->require_sound();
    const Meeting meeting = agree(*whole, ranks, subCommId, whole->settings);
    Wiring wiring = join(meeting, int(rankNum), int(subCommRankId), whole->settings, false);
    *subComm = publish(std::make_shared<Member>(std::move(name), whole->device, std::move(wiring),
                                                whole->settings));
  });
}

HcclResult HcclCommDestroy(HcclComm comm) {
  return enter(__func__, [&] { withdraw(comm); });
}

HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  return enter(__func__, [&] {
    require_pointer(commName, "commName");
    std::snprintf(commName, COMM_NAME_MAX_LENGTH, "%s", find_member(comm)->name.c_str());
  });
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  return enter(__func__, [&] {
    require_pointer(rankSize, "rankSize");
    *rankSize = uint32_t(find_member(comm)->size());
  });
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  return enter(__func__, [&] {
    require_pointer(rank, "rank");
    *rank = uint32_t(find_member(comm)->rank());
  });
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
  return enter(__func__, [&] {
    require_pointer(asyncError, "asyncError");
    *asyncError = find_member(comm)->error();
  });
}
