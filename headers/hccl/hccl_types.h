// Types of the collective communication library.
#ifndef PYACLNN_HCCL_HCCL_TYPES_H_
#define PYACLNN_HCCL_HCCL_TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sizes of names and opaque fields, including the final zero.
#define HCCL_ROOT_INFO_BYTES 4108
#define COMM_NAME_MAX_LENGTH 128
#define UDI_MAX_LENGTH 128
#define HCCL_COMM_CONFIG_INFO_BYTES 24
// Marks a configuration that was initialised.
#define HCCL_COMM_CONFIG_MAGIC_WORD 0xf0f0f0f0
#define HCCL_COMM_CONFIG_VERSION 5
// Defaults, and what stands for a field that was not set.
#define HCCL_COMM_DEFAULT_BUFFSIZE 200
#define HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_DEFAULT_DETERMINISTIC 0
#define HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_DEFAULT_OP_EXPANSION_MODE 0
#define HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET 0xffffffff
#define HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET 0xffffffff

#ifdef __cplusplus
extern "C" {
#endif

// What the functions return.
typedef enum HcclResult {
  // Call succeeded.
  HCCL_SUCCESS = 0,
  // Argument rejected.
  HCCL_E_PARA = 1,
  // Null pointer.
  HCCL_E_PTR = 2,
  // Memory problem.
  HCCL_E_MEMORY = 3,
  // Internal error.
  HCCL_E_INTERNAL = 4,
  // Not supported.
  HCCL_E_NOT_SUPPORT = 5,
  // Resource not found.
  HCCL_E_NOT_FOUND = 6,
  // Resource unavailable.
  HCCL_E_UNAVAIL = 7,
  // System call failed.
  HCCL_E_SYSCALL = 8,
  // Timed out.
  HCCL_E_TIMEOUT = 9,
  // File could not be opened.
  HCCL_E_OPEN_FILE_FAILURE = 10,
  // TCP connection failed.
  HCCL_E_TCP_CONNECT = 11,
  // RoCE connection failed.
  HCCL_E_ROCE_CONNECT = 12,
  // TCP transfer failed.
  HCCL_E_TCP_TRANSFER = 13,
  // RoCE transfer failed.
  HCCL_E_ROCE_TRANSFER = 14,
  // Runtime call failed.
  HCCL_E_RUNTIME = 15,
  // Driver call failed.
  HCCL_E_DRV = 16,
  // Profiling call failed.
  HCCL_E_PROFILING = 17,
  // CCE call failed.
  HCCL_E_CCE = 18,
  // Network call failed.
  HCCL_E_NETWORK = 19,
  // Try again.
  HCCL_E_AGAIN = 20,
  // Completion-queue error from the remote side.
  HCCL_E_REMOTE = 21,
  // Communicator is being suspended.
  HCCL_E_SUSPENDING = 22,
  HCCL_E_RESERVED = 23,
} HcclResult;

// How values are put together.
typedef enum HcclReduceOp {
  HCCL_REDUCE_SUM = 0,
  HCCL_REDUCE_PROD = 1,
  HCCL_REDUCE_MAX = 2,
  HCCL_REDUCE_MIN = 3,
  HCCL_REDUCE_RESERVED = 255,
} HcclReduceOp;

// Types of elements.
typedef enum HcclDataType {
  HCCL_DATA_TYPE_INT8 = 0,
  HCCL_DATA_TYPE_INT16 = 1,
  HCCL_DATA_TYPE_INT32 = 2,
  HCCL_DATA_TYPE_FP16 = 3,
  HCCL_DATA_TYPE_FP32 = 4,
  HCCL_DATA_TYPE_INT64 = 5,
  HCCL_DATA_TYPE_UINT64 = 6,
  HCCL_DATA_TYPE_UINT8 = 7,
  HCCL_DATA_TYPE_UINT16 = 8,
  HCCL_DATA_TYPE_UINT32 = 9,
  HCCL_DATA_TYPE_FP64 = 10,
  HCCL_DATA_TYPE_BFP16 = 11,
  HCCL_DATA_TYPE_INT128 = 12,
  HCCL_DATA_TYPE_RESERVED = 255,
} HcclDataType;

// Process-wide options.
typedef enum HcclConfig {
  HCCL_DETERMINISTIC = 0,
  HCCL_CONFIG_RESERVED = 1,
} HcclConfig;

// The fields of HcclCommConfig, in the order they came in.
typedef enum HcclCommConfigCapability {
  HCCL_COMM_CONFIG_BUFFER_SIZE = 0,
  HCCL_COMM_CONFIG_DETERMINISTIC = 1,
  HCCL_COMM_CONFIG_COMM_NAME = 2,
  HCCL_COMM_CONFIG_OP_EXPANSION_MODE = 3,
  HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV = 4,
  HCCL_COMM_CONFIG_RESERVED = 5,
} HcclCommConfigCapability;

// Direction of an item.
typedef enum HcclSendRecvType {
  HCCL_SEND = 0,
  HCCL_RECV = 1,
  HCCL_SEND_RECV_RESERVED = 2,
} HcclSendRecvType;

// The value of an option.
typedef union HcclConfigValue {
  int32_t value;
} HcclConfigValue;

// What ranks need to meet; opaque.
typedef struct HcclRootInfoDef {
  char internal[4108];
} HcclRootInfo;

// Options of one communicator.
typedef struct HcclCommConfigDef {
  // Written by HcclCommConfigInit.
  char reserved[24];
  // Size of the shared buffer in MB.
  uint32_t hcclBufferSize;
  // 1 for deterministic reductions.
  uint32_t hcclDeterministic;
  char hcclCommName[128];
  char hcclUdi[128];
  uint32_t hcclOpExpansionMode;
  uint32_t hcclRdmaTrafficClass;
  uint32_t hcclRdmaServiceLevel;
} HcclCommConfig;

// One transfer of HcclBatchSendRecv.
typedef struct HcclSendRecvItemDef {
  HcclSendRecvType sendRecvType;
  void* buf;
  uint64_t count;
  HcclDataType dataType;
  uint32_t remoteRank;
} HcclSendRecvItem;

// A communicator: a group of ranks, each with a device.
typedef void* HcclComm;

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_HCCL_HCCL_TYPES_H_
