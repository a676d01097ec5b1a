// Everything of the AscendCL runtime, model and operator interfaces in one include.
#ifndef PYACLNN_ACL_ACL_H_
#define PYACLNN_ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif  // PYACLNN_ACL_ACL_H_
