/* The same in C11: arrays, structs and no helpers from C++. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_softshrink_backward.h"

#define ROWS 2
#define COLUMNS 3

typedef struct {
  void* address;
  aclTensor* tensor;
} Matrix;

static void Must(int status, const char* what) {
  if (status != 0) {
    printf("%s: error %d\n", what, status);
    exit(1);
  }
}

static Matrix MakeMatrix(const float* values) {
  Matrix matrix;
  int64_t shape[2] = {ROWS, COLUMNS};
  int64_t strides[2] = {COLUMNS, 1};
  const size_t bytes = ROWS * COLUMNS * sizeof(float);
  memset(&matrix, 0, sizeof(matrix));
  Must(aclrtMalloc(&matrix.address, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(matrix.address, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  matrix.tensor =
      aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 2, matrix.address);
  return matrix;
}

int main(void) {
  float gradient[ROWS * COLUMNS] = {1, 2, 3, 4, 5, 6};
  float input[ROWS * COLUMNS] = {-1, -0.5f, 0, 0.25f, 0.5f, 1};
  float* result = (float*)malloc(sizeof(gradient));
  float bound = 0.3f;
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = NULL;
  void* workspace = NULL;
  aclrtStream stream = NULL;
  Matrix matrices[3];
  aclScalar* lambd;
  int i;

  Must(aclInit(NULL), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");
  memset(result, 0, sizeof(gradient));
  matrices[0] = MakeMatrix(gradient);
  matrices[1] = MakeMatrix(input);
  matrices[2] = MakeMatrix(result);
  lambd = aclCreateScalar(&bound, ACL_FLOAT);
  Must(aclnnSoftshrinkBackwardGetWorkspaceSize(matrices[0].tensor, matrices[1].tensor, lambd,
                                               matrices[2].tensor, &workspaceSize, &executor),
       "first phase");
  if (workspaceSize != 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSoftshrinkBackward(workspace, workspaceSize, executor, stream), "second phase");
  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(result, sizeof(gradient), matrices[2].address, sizeof(gradient),
                   ACL_MEMCPY_DEVICE_TO_HOST),
       "copy back");
  for (i = 0; i < ROWS * COLUMNS; i++) {
    printf("%d: %.2f\n", i, result[i]);
  }
  for (i = 0; i < 3; i++) {
    aclDestroyTensor(matrices[i].tensor);
    aclrtFree(matrices[i].address);
  }
  aclDestroyScalar(lambd);
  if (workspace != NULL) {
    aclrtFree(workspace);
  }
  free(result);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
