// Dumps of tensors and of failures. In libascend_dump, acldumpGetPath in libascendcl.
#ifndef PYACLNN_ACL_ACL_DUMP_H_
#define PYACLNN_ACL_ACL_DUMP_H_

#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U

// A part of a file, followed by its bytes; an offset of -1 appends.
typedef struct acldumpChunk {
  char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
  uint32_t bufLen;
  uint32_t isLastChunk;
  int64_t offset;
  int32_t flag;
  __extension__ uint8_t dataBuf[0];
} acldumpChunk;

typedef enum acldumpType {
  AIC_ERR_BRIEF_DUMP = 1,
  AIC_ERR_NORM_DUMP = 2,
  AIC_ERR_DETAIL_DUMP = 3,
  DATA_DUMP = 4,
  OVERFLOW_DUMP = 5,
} acldumpType;

ACL_FUNC_VISIBILITY aclError acldumpRegCallback(int32_t (*messageCallback)(const acldumpChunk*,
                                                                           int32_t),
                                                int32_t flag);

ACL_FUNC_VISIBILITY void acldumpUnregCallback(void);

// Since CANN 9.0. Where a kind of dump is written; null where it is not on.
ACL_FUNC_VISIBILITY const char* acldumpGetPath(acldumpType dumpType);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACL_ACL_DUMP_H_
