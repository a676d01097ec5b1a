// Uses an operator that is declared and not simulated: prints what both phases answer, then why.
// SPDX-License-Identifier: MIT
#include <cstdio>

#include "acl/acl.h"
#include "aclnnop/aclnn_moe_distribute_dispatch.h"

int main() {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const int planned = aclnnMoeDistributeDispatchGetWorkspaceSize(
      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, 0, 1, nullptr, 1, 0, 0, 0, 0, 0, 0,
      0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &size, &executor);
  const char* why = aclGetRecentErrMsg();
  std::printf("%d %d\n%s\n", planned, aclnnMoeDistributeDispatch(nullptr, 0, nullptr, nullptr),
              why ? why : "");
}
