// The base types under the file name that CANN 9.0 gives them.
#ifndef PYACLNN_ACL_ACL_BASE_RT_H_
#define PYACLNN_ACL_ACL_BASE_RT_H_

#include "acl/acl_base.h"

#endif  // PYACLNN_ACL_ACL_BASE_RT_H_
