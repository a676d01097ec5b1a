// Uses an operator that is declared and not simulated: prints what both phases answer, then why.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include "acl/acl.h"
#include "aclnnop/aclnn_silent_check.h"

int main() {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const int planned = aclnnSilentCheckGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, 1, 1, 1,
                                                       1, 1, 1, nullptr, &size, &executor);
  const char* why = aclGetRecentErrMsg();
  std::printf("%d %d\n%s\n", planned, aclnnSilentCheck(nullptr, 0, nullptr, nullptr),
              why ? why : "");
}
