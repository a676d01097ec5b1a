// SPDX-License-Identifier: MIT
#include "hccl/rank_table.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "core/json.hpp"
#include "core/status.hpp"
#include "hccl/meeting.hpp"

namespace pyaclnn::sim::hccl {
namespace {

using Scalars = std::map<std::string, std::string>;

std::string value_of(const Scalars& scalars, const std::string& path) {
  const auto found = scalars.find(path);
  return found == scalars.end() ? std::string() : found->second;
}

int number_of(const std::string& text, const std::string& path) {
  const bool digits =
      !text.empty() && text.size() <= 9 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!digits) fail(HCCL_E_PARA, "the rank table has no number for %s", path.c_str());
  return std::atoi(text.c_str());
}

bool is_address(const std::string& text) {
  in_addr parsed = {};
  return inet_pton(AF_INET, text.c_str(), &parsed) == 1;
}

/// The same for all who read the same file.
Cookie digest(const std::string& text) {
  Cookie cookie;
  for (std::size_t half = 0; half < 2; ++half) {
    std::uint64_t hash = 0xcbf29ce484222325u + half;
    for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
    for (std::size_t i = 0; i < 8; ++i) cookie[half * 8 + i] = std::uint8_t(hash >> (8 * i));
  }
  return cookie;
}

/// Where rank 0 listens. Servers have names; of those that are no addresses, one server needs none.
std::string address_of_root(const Scalars& scalars, const std::string& server, int servers) {
  for (const char* field : {".host_ip", ".server_id"}) {
    const std::string address = value_of(scalars, server + field);
    if (is_address(address)) return address;
  }
  if (servers == 1) return "127.0.0.1";
  fail(HCCL_E_PARA,
       "the server of rank 0 needs an address the simulator can listen at: \"host_ip\", or one as "
       "its \"server_id\"");
}

}  // namespace

RankTable read_rank_table(const char* path, int rank, const Settings& settings) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) fail(HCCL_E_OPEN_FILE_FAILURE, "%s cannot be read", path);
  Scalars scalars;
  try {
    scalars = read_json_scalars(content.str());
  } catch (const Failure& failure) {
    fail(HCCL_E_PARA, "%s is no rank table: %s", path, failure.what());
  }
  if (value_of(scalars, "status") != "completed" || value_of(scalars, "version") != "1.0")
    fail(HCCL_E_PARA,
         "%s needs \"status\": \"completed\" and \"version\": \"1.0\"; other versions are not read",
         path);
  RankTable table;
  std::map<int, std::string> servers_of_ranks;
  int servers = 0;
  for (;; ++servers) {
    const std::string server = "server_list[" + std::to_string(servers) + "]";
    int devices = 0;
    for (;; ++devices) {
      const std::string device = server + ".device[" + std::to_string(devices) + "]";
      const auto found = scalars.find(device + ".rank_id");
      if (found == scalars.end()) break;
      number_of(value_of(scalars, device + ".device_id"), device + ".device_id");
      const int id = number_of(found->second, device + ".rank_id");
      if (!servers_of_ranks.emplace(id, server).second)
        fail(HCCL_E_PARA, "%s has rank %d twice", path, id);
    }
    if (devices == 0) break;
  }
  table.size = int(servers_of_ranks.size());
  if (number_of(value_of(scalars, "server_count"), "server_count") != servers)
    fail(HCCL_E_PARA, "%s lists %d servers, which is not its \"server_count\"", path, servers);
  if (table.size == 0 || table.size > int(kMostRanks) ||
      servers_of_ranks.rbegin()->first != table.size - 1)
    fail(HCCL_E_PARA, "%s has no ranks, or not all from 0 on", path);
  if (rank < 0 || rank >= table.size)
    fail(HCCL_E_PARA, "rank %d is none of the %d in %s", rank, table.size, path);
  table.meeting.place =
      parse_place(address_of_root(scalars, servers_of_ranks.at(0), servers), settings.base_port);
  table.meeting.cookie = digest(content.str());
  return table;
}

}  // namespace pyaclnn::sim::hccl
