/* An operator library with a fault in each of five operators; the rest is the one it is linked to.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

typedef aclnnStatus (*First)(const aclTensor*, const aclTensor*, aclTensor*, uint64_t*,
                             aclOpExecutor**);
typedef aclnnStatus (*Second)(void*, uint64_t, aclOpExecutor*, aclrtStream);

#define FIRST(Name)                                                                             \
  aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self, \
                                            aclTensor* out, uint64_t* workspaceSize,            \
                                            aclOpExecutor** executor)
#define REAL_FIRST(Name) \
  ((First)dlsym(RTLD_NEXT, Name "GetWorkspaceSize"))(gradOutput, self, out, workspaceSize, executor)

static void* result;

/* Another status. */
FIRST(SeluBackward) {
  (void)gradOutput, (void)self, (void)out, (void)workspaceSize, (void)executor;
  return 361001;
}

/* Another size of the workspace. */
FIRST(HardswishBackward) {
  aclnnStatus status = REAL_FIRST("aclnnHardswishBackward");
  if (status == 0) *workspaceSize += 512;
  return status;
}

/* One bit of the first element. */
FIRST(TanhBackward) {
  aclnnStatus status = REAL_FIRST("aclnnTanhBackward");
  if (status == 0) aclGetRawTensorAddr(out, &result);
  return status;
}

aclnnStatus aclnnTanhBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  Second real = (Second)dlsym(RTLD_NEXT, "aclnnTanhBackward");
  aclnnStatus status = real(workspace, workspaceSize, executor, stream);
  unsigned char byte = 0;
  if (status != 0 || result == NULL) return status;
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(&byte, 1, result, 1, ACL_MEMCPY_DEVICE_TO_HOST);
  byte ^= 1;
  aclrtMemcpy(result, 1, &byte, 1, ACL_MEMCPY_HOST_TO_DEVICE);
  return status;
}

/* A crash. */
FIRST(SigmoidBackward) {
  (void)gradOutput, (void)self, (void)out, (void)workspaceSize, (void)executor;
  abort();
}

/* A hang. */
FIRST(SiluBackward) {
  (void)gradOutput, (void)self, (void)out, (void)workspaceSize, (void)executor;
  for (;;) sleep(1);
}
