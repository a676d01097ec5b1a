// How much of the processors a container leaves to its processes.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace pyaclnn::sim {

/// Processors that the time a group of processes may take is worth, rounded up; at most `most`.
///
/// `groups` is a file like /proc/self/cgroup, below `root` are files as in /sys/fs/cgroup: cpu.max
/// of the second version, cpu.cfs_quota_us and cpu.cfs_period_us of the first. A container sees its
/// own group as the root; elsewhere groups above limit those below.
int processors_of_quota(const std::string& groups, const std::string& root, int most);

}  // namespace pyaclnn::sim
