// Status codes of the graph engine: model loading and execution, single operators.
#ifndef PYACLNN_ACL_ERROR_CODES_GE_ERROR_CODES_H_
#define PYACLNN_ACL_ERROR_CODES_GE_ERROR_CODES_H_

// Graph-engine argument check failed.
#define ACL_ERROR_GE_PARAM_INVALID 145000U
// Graph engine not initialised.
#define ACL_ERROR_GE_EXEC_NOT_INIT 145001U
// Model path invalid.
#define ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID 145002U
// Model id invalid.
#define ACL_ERROR_GE_EXEC_MODEL_ID_INVALID 145003U
// Model size invalid.
#define ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID 145006U
// Model memory address invalid.
#define ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID 145007U
// Queue id invalid.
#define ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID 145008U
// Model loaded twice.
#define ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED 145009U
// Dynamic-shape input address invalid.
#define ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID 145011U
// Dynamic-shape input length invalid.
#define ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID 145012U
// Dynamic batch size invalid.
#define ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID 145013U
// AIPP batch size invalid.
#define ACL_ERROR_GE_AIPP_BATCH_EMPTY 145014U
// No AIPP configuration.
#define ACL_ERROR_GE_AIPP_NOT_EXIST 145015U
// AIPP mode invalid.
#define ACL_ERROR_GE_AIPP_MODE_INVALID 145016U
// Operator task type invalid.
#define ACL_ERROR_GE_OP_TASK_TYPE_INVALID 145017U
// Operator kernel type invalid.
#define ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID 145018U
// Plugin library path invalid.
#define ACL_ERROR_GE_PLGMGR_PATH_INVALID 145019U
// Tensor format invalid.
#define ACL_ERROR_GE_FORMAT_INVALID 145020U
// Tensor shape invalid.
#define ACL_ERROR_GE_SHAPE_INVALID 145021U
// Tensor data type invalid.
#define ACL_ERROR_GE_DATATYPE_INVALID 145022U
// Graph engine could not allocate memory.
#define ACL_ERROR_GE_MEMORY_ALLOCATION 245000U
// Graph engine memory set/copy failed.
#define ACL_ERROR_GE_MEMORY_OPERATE_FAILED 245001U
// Graph engine device-memory operation failed.
#define ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED 245002U
// Deployment is degraded but usable.
#define ACL_ERROR_GE_SUBHEALTHY 345102U
// User function raised an error.
#define ACL_ERROR_GE_USER_RAISE_EXCEPTION 345103U
// Data-flow outputs out of step.
#define ACL_ERROR_GE_DATA_NOT_ALIGNED 345104U
// Graph engine internal error.
#define ACL_ERROR_GE_INTERNAL_ERROR 545000U
// Graph engine could not load the model.
#define ACL_ERROR_GE_LOAD_MODEL 545001U
// Model partition could not be loaded.
#define ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED 545002U
// Weight partition could not be loaded.
#define ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED 545003U
// Task partition could not be loaded.
#define ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED 545004U
// Kernel partition could not be loaded.
#define ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED 545005U
// Model memory could not be released.
#define ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA 545006U
// Graph engine command failed.
#define ACL_ERROR_GE_COMMAND_HANDLE 545007U
// Tensor information could not be obtained.
#define ACL_ERROR_GE_GET_TENSOR_INFO 545008U
// Model could not be unloaded.
#define ACL_ERROR_GE_UNLOAD_MODEL 545009U
// Model execution timed out.
#define ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT 545601U
// Redeployment in progress, retry later.
#define ACL_ERROR_GE_REDEPLOYING 545602U

#endif  // PYACLNN_ACL_ERROR_CODES_GE_ERROR_CODES_H_
