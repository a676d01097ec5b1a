// Base types, enums and status codes of AscendCL, and the interfaces on plain data: buffers,
// tensor descriptions, float16 conversion.
//
// A line "Since CANN x." or "Only in CANN x." right before a declaration says which releases
// have it; a declaration without one is in 8.1 and, as far as 9.0 has the interface, in 9.0.
#ifndef PYACLNN_ACL_ACL_BASE_H_
#define PYACLNN_ACL_ACL_BASE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/error_codes/ge_error_codes.h"
#include "acl/error_codes/rt_error_codes.h"

#if defined(__GNUC__)
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#else
#define ACL_FUNC_VISIBILITY
#define ACL_DEPRECATED
#define ACL_DEPRECATED_MESSAGE(message)
#endif

// Logs a printf-style message with the place of the call.
#define ACL_APP_LOG(level, ...) aclAppLog((level), __func__, __FILE__, __LINE__, __VA_ARGS__)

// A range has a lower and an upper end.
#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2
// Stands for a number of dimensions that is not known before the model runs.
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFEULL
#define ACL_ERROR_NONE 0
// Call succeeded.
#define ACL_SUCCESS 0
// An argument failed the acl-layer check (null pointer, zero size, bad enum, ...).
#define ACL_ERROR_INVALID_PARAM 100000
// aclInit (or the feature's own init) has not been called.
#define ACL_ERROR_UNINITIALIZE 100001
// aclInit called again; harmless, newer versions still count the call.
#define ACL_ERROR_REPEAT_INITIALIZE 100002
// File missing, unreadable or not acceptable.
#define ACL_ERROR_INVALID_FILE 100003
// Could not write a file.
#define ACL_ERROR_WRITE_FILE 100004
// File size not allowed.
#define ACL_ERROR_INVALID_FILE_SIZE 100005
// File content could not be parsed (e.g. bad JSON).
#define ACL_ERROR_PARSE_FILE 100006
// Required key absent from a file.
#define ACL_ERROR_FILE_MISSING_ATTR 100007
// Key in a file has an unacceptable value.
#define ACL_ERROR_FILE_ATTR_INVALID 100008
// Dump section of the configuration is wrong.
#define ACL_ERROR_INVALID_DUMP_CONFIG 100009
// Profiling section of the configuration is wrong.
#define ACL_ERROR_INVALID_PROFILING_CONFIG 100010
// No loaded model has this id.
#define ACL_ERROR_INVALID_MODEL_ID 100011
// Offline model could not be decoded.
#define ACL_ERROR_DESERIALIZE_MODEL 100012
// Offline model could not be parsed.
#define ACL_ERROR_PARSE_MODEL 100013
// Offline model could not be read.
#define ACL_ERROR_READ_MODEL_FAILURE 100014
// Offline model has an impossible size.
#define ACL_ERROR_MODEL_SIZE_INVALID 100015
// Offline model lacks an attribute.
#define ACL_ERROR_MODEL_MISSING_ATTR 100016
// Inputs given do not fit the model.
#define ACL_ERROR_MODEL_INPUT_NOT_MATCH 100017
// Outputs given do not fit the model.
#define ACL_ERROR_MODEL_OUTPUT_NOT_MATCH 100018
// Dynamic feature used on a static model.
#define ACL_ERROR_MODEL_NOT_DYNAMIC 100019
// Single-operator type mismatch.
#define ACL_ERROR_OP_TYPE_NOT_MATCH 100020
// Single-operator inputs mismatch.
#define ACL_ERROR_OP_INPUT_NOT_MATCH 100021
// Single-operator outputs mismatch.
#define ACL_ERROR_OP_OUTPUT_NOT_MATCH 100022
// Single-operator attributes mismatch.
#define ACL_ERROR_OP_ATTR_NOT_MATCH 100023
// Operator not available.
#define ACL_ERROR_OP_NOT_FOUND 100024
// Operator could not be loaded.
#define ACL_ERROR_OP_LOAD_FAILED 100025
// Data type unknown or unsupported.
#define ACL_ERROR_UNSUPPORTED_DATA_TYPE 100026
// Tensor layout mismatch.
#define ACL_ERROR_FORMAT_NOT_MATCH 100027
// No kernel selector registered for the operator.
#define ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED 100028
// Operator kernel not registered.
#define ACL_ERROR_KERNEL_NOT_FOUND 100029
// Kernel selector registered twice.
#define ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED 100030
// Operator kernel registered twice.
#define ACL_ERROR_KERNEL_ALREADY_REGISTERED 100031
// No such queue.
#define ACL_ERROR_INVALID_QUEUE_ID 100032
// Stream subscribed to a callback thread twice.
#define ACL_ERROR_REPEAT_SUBSCRIBE 100033
// Stream has no callback thread (superseded by 107015).
#define ACL_ERROR_STREAM_NOT_SUBSCRIBE 100034
// Thread not subscribed for callbacks (superseded by 107012).
#define ACL_ERROR_THREAD_NOT_SUBSCRIBE 100035
// No callback arrived in time (superseded by 507012).
#define ACL_ERROR_WAIT_CALLBACK_TIMEOUT 100036
// Finalize without a matching initialisation.
#define ACL_ERROR_REPEAT_FINALIZE 100037
// No static AIPP settings (superseded by 145015).
#define ACL_ERROR_NOT_STATIC_AIPP 100038
// A link-time stub library was loaded instead of the real one.
#define ACL_ERROR_COMPILING_STUB_MODE 100039
// No group chosen (superseded by 107013).
#define ACL_ERROR_GROUP_NOT_SET 100040
// Group id does not exist (superseded by 107014).
#define ACL_ERROR_GROUP_NOT_CREATE 100041
// A profiling session is already active.
#define ACL_ERROR_PROF_ALREADY_RUN 100042
// Profiling not initialised.
#define ACL_ERROR_PROF_NOT_RUN 100043
// A dump session is already active.
#define ACL_ERROR_DUMP_ALREADY_RUN 100044
// Dump not initialised.
#define ACL_ERROR_DUMP_NOT_RUN 100045
// Model subscribed for profiling twice.
#define ACL_ERROR_PROF_REPEAT_SUBSCRIBE 148046
// Two profiling interfaces mixed.
#define ACL_ERROR_PROF_API_CONFLICT 148047
// Operator-cache ageing setting invalid.
#define ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG 148048
// ASCEND_OPP_PATH unset or wrong.
#define ACL_ERROR_INVALID_OPP_PATH 148049
// Operator cannot run with dynamic shapes.
#define ACL_ERROR_OP_UNSUPPORTED_DYNAMIC 148050
// Dependent resource still alive.
#define ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED 148051
// JPEG encoding not supported.
#define ACL_ERROR_UNSUPPORTED_JPEG 148052
// Bundled model id invalid.
#define ACL_ERROR_INVALID_BUNDLE_MODEL_ID 148053
// Host-side allocation failed in the acl layer.
#define ACL_ERROR_BAD_ALLOC 200000
// Call not supported on this platform.
#define ACL_ERROR_API_NOT_SUPPORT 200001
// Device invalid (superseded by 107001).
#define ACL_ERROR_INVALID_DEVICE 200002
// Memory address not aligned.
#define ACL_ERROR_MEMORY_ADDRESS_UNALIGNED 200003
// Stream/context/... do not belong together.
#define ACL_ERROR_RESOURCE_NOT_MATCH 200004
// Stream/context/... handle is stale.
#define ACL_ERROR_INVALID_RESOURCE_HANDLE 200005
// Feature not supported.
#define ACL_ERROR_FEATURE_UNSUPPORTED 200006
// Requested profiling module not supported.
#define ACL_ERROR_PROF_MODULES_UNSUPPORTED 200007
// Storage limit exceeded.
#define ACL_ERROR_STORAGE_OVER_LIMIT 300000
// Unclassified internal error.
#define ACL_ERROR_INTERNAL_ERROR 500000
// Internal failure.
#define ACL_ERROR_FAILURE 500001
// Failure inside the graph engine.
#define ACL_ERROR_GE_FAILURE 500002
// Failure inside the runtime.
#define ACL_ERROR_RT_FAILURE 500003
// Failure inside the driver.
#define ACL_ERROR_DRV_FAILURE 500004
// Failure inside profiling.
#define ACL_ERROR_PROFILING_FAILURE 500005

#ifdef __cplusplus
extern "C" {
#endif

// Element types.
typedef enum aclDataType {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  // Elements are strings, for a few operators of the host only.
  ACL_STRING = 13,
  ACL_COMPLEX64 = 16,
  ACL_COMPLEX128 = 17,
  ACL_BF16 = 27,
  ACL_INT4 = 29,
  ACL_UINT1 = 30,
  ACL_COMPLEX32 = 33,
  // Since CANN 9.0.
  ACL_HIFLOAT8 = 34,
  // Since CANN 9.0.
  ACL_FLOAT8_E5M2 = 35,
  // Since CANN 9.0.
  ACL_FLOAT8_E4M3FN = 36,
  // Since CANN 9.0.
  ACL_FLOAT8_E8M0 = 37,
  // Since CANN 9.0.
  ACL_FLOAT6_E3M2 = 38,
  // Since CANN 9.0.
  ACL_FLOAT6_E2M3 = 39,
  // Since CANN 9.0.
  ACL_FLOAT4_E2M1 = 40,
  // Since CANN 9.0.
  ACL_FLOAT4_E1M2 = 41,
} aclDataType;

// Memory layouts of tensors. ND is the plain layout of any number of dimensions.
typedef enum aclFormat {
  ACL_FORMAT_UNDEFINED = -1,
  ACL_FORMAT_NCHW = 0,
  ACL_FORMAT_NHWC = 1,
  ACL_FORMAT_ND = 2,
  ACL_FORMAT_NC1HWC0 = 3,
  ACL_FORMAT_FRACTAL_Z = 4,
  ACL_FORMAT_NC1HWC0_C04 = 12,
  ACL_FORMAT_HWCN = 16,
  ACL_FORMAT_NDHWC = 27,
  ACL_FORMAT_FRACTAL_NZ = 29,
  ACL_FORMAT_NCDHW = 30,
  ACL_FORMAT_NDC1HWC0 = 32,
  ACL_FRACTAL_Z_3D = 33,
  ACL_FORMAT_NC = 35,
  ACL_FORMAT_NCL = 47,
  // Since CANN 9.0.
  ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
  // Since CANN 9.0.
  ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
  // Since CANN 9.0.
  ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
  // Since CANN 9.0.
  ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
  // Since CANN 9.0.
  ACL_FORMAT_FRACTAL_NZ_C0_8 = 54,
} aclFormat;

// Severities of log messages.
typedef enum aclLogLevel {
  ACL_DEBUG = 0,
  ACL_INFO = 1,
  ACL_WARNING = 2,
  ACL_ERROR = 3,
} aclLogLevel;

// Where the memory of a single-operator argument is.
typedef enum aclMemType {
  ACL_MEMTYPE_DEVICE = 0,
  ACL_MEMTYPE_HOST = 1,
  ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2,
} aclMemType;

// Process and context options that change how operators compute.
typedef enum aclSysParamOpt {
  // 1: the same input gives the same bits every time.
  ACL_OPT_DETERMINISTIC = 0,
  ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
  // Since CANN 9.0.
  ACL_OPT_STRONG_CONSISTENCY = 2,
  // Since CANN 9.0.
  ACL_OPT_ENABLE_KERNEL_EARLY_START = 3,
} aclSysParamOpt;

// Features that an installation may have.
typedef enum aclCannAttr {
  ACL_CANN_ATTR_UNDEFINED = -1,
  ACL_CANN_ATTR_INF_NAN = 0,
  ACL_CANN_ATTR_BF16 = 1,
  ACL_CANN_ATTR_JIT_COMPILE = 2,
} aclCannAttr;

// Properties of a device.
typedef enum aclDeviceInfo {
  ACL_DEVICE_INFO_UNDEFINED = -1,
  ACL_DEVICE_INFO_AI_CORE_NUM = 0,
  ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
  ACL_DEVICE_INFO_L2_SIZE = 2,
} aclDeviceInfo;

// A queue of device work that runs in order.
typedef void* aclrtStream;

// A mark in a stream that other streams and the host can wait for.
typedef void* aclrtEvent;

// The owner of streams, events and memory on one device; each thread has a current one.
typedef void* aclrtContext;

// A status; 0 is success.
typedef int aclError;

// The bits of an IEEE 754 binary16 number.
typedef uint16_t aclFloat16;

// An address and a size in bytes.
typedef struct aclDataBuffer aclDataBuffer;

// Data type, shape and format of a tensor, without its data.
typedef struct aclTensorDesc aclTensorDesc;

typedef void* aclrtAllocatorDesc;

typedef void* aclrtAllocator;

typedef void* aclrtAllocatorBlock;

typedef void* aclrtAllocatorAddr;

typedef void* aclrtTaskGrp;

// Since CANN 9.0.
typedef void* aclmdlRITask;

// Since CANN 9.0.
typedef void* aclrtNotify;

// Since CANN 9.0.
typedef void* aclrtCntNotify;

// Since CANN 9.0.
typedef void* aclrtLabel;

// Since CANN 9.0.
typedef void* aclrtLabelList;

// Since CANN 9.0.
typedef void* aclrtMbuf;

// Widens a half-precision number; exact.
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

// Rounds a single-precision number to half precision.
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

// Describes memory of the caller; the memory stays the caller's.
ACL_FUNC_VISIBILITY aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);

// Destroys the description, not the memory.
ACL_FUNC_VISIBILITY aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);

ACL_FUNC_VISIBILITY aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data,
                                                 size_t size);

ACL_FUNC_VISIBILITY void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);

// Use aclGetDataBufferSizeV2, whose result holds any size.
ACL_DEPRECATED ACL_FUNC_VISIBILITY uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);

// Returns the size in bytes.
ACL_FUNC_VISIBILITY size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);

// Returns the bytes of one element, 0 for an unknown type.
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

// Makes a tensor description; null on failure.
ACL_FUNC_VISIBILITY aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims,
                                                       const int64_t* dims, aclFormat format);

// Destroys a tensor description.
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                                    int64_t dimsRange[][2]);

ACL_FUNC_VISIBILITY aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                                    int64_t valueRange[][2]);

ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);

// Use aclGetTensorDescDimV2, which reports failure.
ACL_DEPRECATED ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(const aclTensorDesc* desc,
                                                               size_t index);

ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index,
                                                   int64_t* dimSize);

ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index,
                                                      size_t dimRangeNum, int64_t* dimRange);

ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc* desc, const char* name);

ACL_FUNC_VISIBILITY const char* aclGetTensorDescName(aclTensorDesc* desc);

ACL_FUNC_VISIBILITY aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc,
                                                      aclFormat dstFormat, aclTensorDesc** dstDesc);

ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclSetTensorStorageFormat(aclTensorDesc* desc,
                                                                      aclFormat format);

ACL_DEPRECATED ACL_FUNC_VISIBILITY aclError aclSetTensorStorageShape(aclTensorDesc* desc,
                                                                     int numDims,
                                                                     const int64_t* dims);

ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);

ACL_FUNC_VISIBILITY aclError aclSetTensorShape(aclTensorDesc* desc, int numDims,
                                               const int64_t* dims);

ACL_FUNC_VISIBILITY aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);

ACL_FUNC_VISIBILITY aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims,
                                                     const int64_t* dims);

ACL_FUNC_VISIBILITY aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);

ACL_FUNC_VISIBILITY void* aclGetTensorDescAddress(const aclTensorDesc* desc);

ACL_FUNC_VISIBILITY aclError aclSetTensorDynamicInput(aclTensorDesc* desc,
                                                      const char* dynamicInputName);

ACL_FUNC_VISIBILITY aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer,
                                               size_t length);

ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);

// Writes a printf-style message to the log.
ACL_FUNC_VISIBILITY void aclAppLog(aclLogLevel logLevel, const char* func, const char* file,
                                   uint32_t line, const char* fmt, ...);

// Returns the name of the chip of device 0, owned by the library; null on failure.
ACL_FUNC_VISIBILITY const char* aclrtGetSocName(void);

ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num);

ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value);

ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo,
                                                    int64_t* value);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACL_ACL_BASE_H_
