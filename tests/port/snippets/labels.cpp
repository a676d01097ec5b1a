// Labels behind decisions that only a run takes, as programs of C clean up.
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

static std::vector<float> Results(const std::vector<float>& data) {
  void* device = nullptr;
  int64_t shape[] = {static_cast<int64_t>(data.size())}, strides[] = {1};
  size_t size = data.size() * sizeof(float);
  aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(device, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  std::vector<float> found(data.size());
  aclrtMemcpy(found.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST);
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 1, device);
  aclDestroyTensor(tensor);
  aclrtFree(device);
  return found;
}

static int Checked(const std::vector<float>& values, float limit) {
  int code = 0;
  if (values[0] > limit) {
    printf("%g is more than %g\n", values[0], limit);
    code = 3;
    goto done;
  }
  printf("the first is not\n");
  if (values[1] > limit) {
    code += 4;
    goto done;
  }
  code += 10;
  printf("nor is the second\n");
done:
  printf("code %d\n", code);
  return code;
}

static int InLoop(const std::vector<float>& values, float limit) {
  int at = 0;
  for (int i = 0; i < 3; i++) {
    at = i;
    if (values[i] > limit) goto found;
    printf("not %d\n", i);
  }
  at = -1;
found:
  printf("at %d\n", at);
  return at;
}

static int Steps(const std::vector<float>& values) {
  int steps = 1;
  {
    if (values[0] > 3) goto last;
    steps += 2;
    if (values[1] > 3) goto last;
    steps += 4;
  }
  steps += 8;
last:
  return steps + 32;
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto values = Results({1.5f, 2.5f, 4.0f});
  for (float limit : {1.0f, 2.0f, 3.0f}) {
    int code = Checked(values, limit);
    printf("%d\n", code + 1);
  }
  printf("%d\n", InLoop(values, 0.5f));
  printf("%d\n", InLoop(values, 3.5f));
  printf("%d\n", InLoop(values, 5.0f));
  int steps = Steps(values);
  printf("%d\n", steps);
  steps = Steps(Results({5.0f, 1.0f}));
  printf("%d\n", steps);
  steps = Steps(Results({1.0f, 5.0f}));
  printf("%d\n", steps);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
