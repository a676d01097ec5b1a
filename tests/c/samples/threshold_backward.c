/* Gradient of threshold on int32, in plain C11.
 *
 * Needs -lascendcl -lnnopbase -lopapi of a toolkit root, and nothing else.
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_threshold_backward.h"

enum { COUNT = 6 };

static int failed(const char* step, int status) {
  if (status == 0) return 0;
  const char* message = aclGetRecentErrMsg();
  printf("%s: status %d\n%s\n", step, status, message != NULL ? message : "");
  return 1;
}

/* Device memory for COUNT integers, filled, and the tensor that describes it. */
static aclTensor* make_tensor(const int32_t* values, void** data) {
  const int64_t shape[] = {COUNT};
  const size_t bytes = COUNT * sizeof(int32_t);
  if (failed("aclrtMalloc", aclrtMalloc(data, bytes, ACL_MEM_MALLOC_HUGE_FIRST))) return NULL;
  if (failed("aclrtMemcpy", aclrtMemcpy(*data, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE)))
    return NULL;
  return aclCreateTensor(shape, 1, ACL_INT32, NULL, 0, ACL_FORMAT_ND, shape, 1, *data);
}

static int compute(aclrtStream stream, const aclTensor* grad, const aclTensor* self,
                   aclTensor* result) {
  int32_t limit = 2;
  aclScalar* threshold = aclCreateScalar(&limit, ACL_INT32);
  uint64_t size = 0;
  aclOpExecutor* executor = NULL;
  void* workspace = NULL;
  int bad = failed("first phase", aclnnThresholdBackwardGetWorkspaceSize(grad, self, threshold,
                                                                         result, &size, &executor));
  if (!bad && size > 0)
    bad = failed("aclrtMalloc", aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  if (!bad) bad = failed("second phase", aclnnThresholdBackward(workspace, size, executor, stream));
  if (!bad) bad = failed("aclrtSynchronizeStream", aclrtSynchronizeStream(stream));
  if (workspace != NULL) aclrtFree(workspace);
  aclDestroyScalar(threshold);
  return bad;
}

int main(void) {
  const int32_t grad_host[COUNT] = {10, 20, 30, 40, 50, 60};
  const int32_t self_host[COUNT] = {-5, 1, 2, 3, 4, 1000};
  int32_t result_host[COUNT] = {0};
  void* data[3] = {NULL, NULL, NULL};
  aclrtStream stream = NULL;
  if (failed("aclInit", aclInit(NULL)) || failed("aclrtSetDevice", aclrtSetDevice(0)) ||
      failed("aclrtCreateStream", aclrtCreateStream(&stream)))
    return 1;

  aclTensor* grad = make_tensor(grad_host, &data[0]);
  aclTensor* self = make_tensor(self_host, &data[1]);
  aclTensor* result = make_tensor(result_host, &data[2]);
  int bad = grad == NULL || self == NULL || result == NULL;
  if (!bad) bad = compute(stream, grad, self, result);
  if (!bad)
    bad = failed("aclrtMemcpy", aclrtMemcpy(result_host, sizeof result_host, data[2],
                                            sizeof result_host, ACL_MEMCPY_DEVICE_TO_HOST));
  for (int i = 0; !bad && i < COUNT; ++i) printf("result[%d] = %" PRId32 "\n", i, result_host[i]);

  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(result);
  for (int i = 0; i < 3; ++i) aclrtFree(data[i]);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return bad;
}
