// What published samples include and take for granted: compiled with -I include/aclnnop.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/fp16_t.h"
#include "aclnn_gelu_backward.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "aclnnop/aclnn_sparse4to2quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_trans_convolution_weight.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "aclnnop/level2/aclnn_gemm.h"
#include "aclnnop/level2/aclnn_iou.h"
#include "securec.h"

int main() {
  const std::array<bool, 2> mask = {true, false};
  std::vector<op::fp16_t> halves(2, 1.0);
  halves[0] += 2.5F;
  std::printf("%d %g %g %d\n", mask[0], float(halves[0]), float(op::fp16_t(1e-7F)),
              halves[1] < halves[0]);

  char text[6] = "";
  const int fits = strcpy_s(text, sizeof text, "abc");
  std::printf("%d %s", fits, text);
  const int is_full = strcat_s(text, sizeof text, "def");
  std::printf(" %d [%s]\n", is_full != EOK, text);

  uint64_t size = 0, count = 0, *words = nullptr;
  int64_t* shape = nullptr;
  int format = 0;
  std::printf("%d %d %d %d %d %d\n", aclnnCalculateMatmulWeightSize(nullptr, &size),
              aclnnCalculateMatmulWeightSizeV2(nullptr, ACL_FLOAT16, &size),
              aclnnCalculateConvolutionWeightSize(nullptr, false, 1, ACL_FLOAT16, &size),
              aclnnNpuFormatCastCalculateSizeAndFormat(nullptr, 29, 1, &shape, &size, &format),
              aclnnTransQuantParam(nullptr, 0, nullptr, 0, &words, &count),
              aclnnTransSparse4to2Para(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                       nullptr, nullptr));
}
