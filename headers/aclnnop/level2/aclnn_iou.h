// Where some samples look for aclnnop/aclnn_iou.h.
#ifndef PYACLNN_ACLNNOP_LEVEL2_ACLNN_IOU_H_
#define PYACLNN_ACLNNOP_LEVEL2_ACLNN_IOU_H_

#include "../aclnn_iou.h"

#endif  // PYACLNN_ACLNNOP_LEVEL2_ACLNN_IOU_H_
