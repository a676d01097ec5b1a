// Status codes of the aclnn operator library.
#ifndef PYACLNN_ACLNN_OPDEV_OP_ERRNO_H_
#define PYACLNN_ACLNN_OPDEV_OP_ERRNO_H_

// Call succeeded.
#define ACLNN_SUCCESS 0
// A required pointer argument is null (also a null workspace with size > 0).
#define ACLNN_ERR_PARAM_NULLPTR 161001
// Argument rejected: dtype, shape, format, range or SoC support.
#define ACLNN_ERR_PARAM_INVALID 161002
// A runtime call made by the operator failed.
#define ACLNN_ERR_RUNTIME_ERROR 361001
// Unclassified failure inside aclnn (also: executor cannot be made repeatable).
#define ACLNN_ERR_INNER 561000
// Output shape inference failed.
#define ACLNN_ERR_INNER_INFERSHAPE_ERROR 561001
// Kernel tiling failed.
#define ACLNN_ERR_INNER_TILING_ERROR 561002
// No kernel binary fits (kernel package missing?).
#define ACLNN_ERR_INNER_FIND_KERNEL_ERROR 561003
// Executor could not be created.
#define ACLNN_ERR_INNER_CREATE_EXECUTOR 561101
// Operator returned without handing over its executor.
#define ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR 561102
// Internal step produced null; also null executor/tensor in the executor utilities.
#define ACLNN_ERR_INNER_NULLPTR 561103
// Operator attribute count wrong.
#define ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE 561104
// Old misspelt alias of ACLNN_ERR_INNER_KEY_CONFLICT.
#define ACLNN_ERR_INNER_KEY_CONFILICT 561105
// Kernel lookup hash collision.
// Since CANN 9.0.
#define ACLNN_ERR_INNER_KEY_CONFLICT 561105
// Implementation mode invalid.
#define ACLNN_ERR_INNER_INVALID_IMPL_MODE 561106
// ASCEND_OPP_PATH not set.
#define ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND 561107
// Kernel description JSON could not be loaded.
#define ACLNN_ERR_INNER_LOAD_JSON_FAILED 561108
// Key missing in kernel description JSON.
#define ACLNN_ERR_INNER_JSON_VALUE_NOT_FOUND 561109
// Bad format value in kernel description JSON.
#define ACLNN_ERR_INNER_JSON_FORMAT_INVALID 561110
// Bad dtype value in kernel description JSON.
#define ACLNN_ERR_INNER_JSON_DTYPE_INVALID 561111
// Operator kernel package not found.
#define ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND 561112
// Operator JSON malformed.
#define ACLNN_ERR_INNER_OP_FILE_INVALID 561113
// More attributes than the JSON declares.
#define ACLNN_ERR_INNER_ATTR_NUM_OUT_OF_BOUND 561114
// Fewer attributes than the JSON declares.
#define ACLNN_ERR_INNER_ATTR_LEN_NOT_ENOUGH 561115
// Operator has more than 32 inputs.
#define ACLNN_ERR_INNER_INPUT_NUM_IN_JSON_TOO_LARGE 561116
// Operator JSON lacks input descriptions.
#define ACLNN_ERR_INNER_INPUT_JSON_IS_NULL 561117
// Workspace entry of a static kernel invalid.
#define ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID 561118
// Core-count entry of a static kernel invalid.
#define ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID 561119

#endif  // PYACLNN_ACLNN_OPDEV_OP_ERRNO_H_
