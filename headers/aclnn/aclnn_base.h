// Start and end of use of the aclnn operator library.
#ifndef PYACLNN_ACLNN_ACLNN_BASE_H_
#define PYACLNN_ACLNN_ACLNN_BASE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

// Loads the operator library. The path of a JSON file may be null. May be called again.
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char* configPath);

// Ends the use of the operator library.
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACLNN_ACLNN_BASE_H_
