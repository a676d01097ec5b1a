// SPDX-License-Identifier: MIT
#include "core/quota.hpp"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <initializer_list>

namespace pyaclnn::sim {
namespace {

/// The first numbers of files, 0 where a file does not begin with one: "max", and -1, are no limit.
double share(std::initializer_list<std::string> files) {
  double numbers[2] = {0, 0};
  int found = 0;
  for (const std::string& name : files) {
    std::ifstream file(name);
    while (found < 2 && file >> numbers[found]) ++found;
  }
  return found == 2 && numbers[0] > 0 && numbers[1] > 0 ? numbers[0] / numbers[1] : 0;
}

bool has_controller(const std::string& list) {
  return ("," + list + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

int processors_of_quota(const std::string& groups, const std::string& root, int most) {
  double least = most;
  const auto limit = [&least](double shares) {
    if (shares > 0 && shares < least) least = shares;
  };
  std::ifstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    // hierarchy:controllers:path, of the second version without controllers.
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !has_controller(controllers)) continue;
    const std::string base = controllers.empty() ? root : root + "/cpu";
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
      const std::string own = base + path;
      limit(share({own + "/cpu.max"}));
      limit(share({own + "/cpu.cfs_quota_us", own + "/cpu.cfs_period_us"}));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return static_cast<int>(std::ceil(least));
}

}  // namespace pyaclnn::sim
