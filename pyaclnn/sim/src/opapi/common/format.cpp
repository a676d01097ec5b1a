// SPDX-License-Identifier: MIT
#include "opapi/common/format.hpp"

namespace pyaclnn::sim {

bool is_plain_format(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_ND:
    case ACL_FORMAT_NC:
    case ACL_FORMAT_NCL:
    case ACL_FORMAT_NCHW:
    case ACL_FORMAT_NHWC:
    case ACL_FORMAT_HWCN:
    case ACL_FORMAT_NCDHW:
    case ACL_FORMAT_NDHWC:
      return true;
    default:
      return false;
  }
}

}  // namespace pyaclnn::sim
