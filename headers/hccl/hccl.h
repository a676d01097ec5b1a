// Collective communication between devices. All functions but those that ask return before the
// communication is done: it is enqueued on the stream.
#ifndef PYACLNN_HCCL_HCCL_H_
#define PYACLNN_HCCL_HCCL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "acl/acl.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Joins the communicator that a rank table, a JSON file, describes.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank,
                                                       HcclComm* comm);

// The same with a configuration, prepared by HcclCommConfigInit.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                                             HcclCommConfig* config,
                                                             HcclComm* comm);

// Makes a communicator of some ranks of another one; the other ranks pass rankIds NULL.
ACL_FUNC_VISIBILITY HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum,
                                                       uint32_t* rankIds, uint64_t subCommId,
                                                       uint32_t subCommRankId,
                                                       HcclCommConfig* config, HcclComm* subComm);

// Makes, on one rank, what all ranks need to meet. It has to be sent to the others by other means.
ACL_FUNC_VISIBILITY HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);

// Joins a communicator of nRanks by the root's information; returns when all have joined.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                    uint32_t rank, HcclComm* comm);

// The same with a configuration, prepared by HcclCommConfigInit.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks,
                                                          const HcclRootInfo* rootInfo,
                                                          uint32_t rank,
                                                          const HcclCommConfig* config,
                                                          HcclComm* comm);

// Sets a process-wide option: whether reductions are deterministic.
ACL_FUNC_VISIBILITY HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);

// Reads a process-wide option.
ACL_FUNC_VISIBILITY HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);

// Stores the communicator's name, which operators take as their group. The buffer has at least 128
// bytes.
ACL_FUNC_VISIBILITY HcclResult HcclGetCommName(HcclComm comm, char* commName);

// recvBuf on every rank = reduction of all ranks' sendBuf.
ACL_FUNC_VISIBILITY HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                             HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                             aclrtStream stream);

// buf on every rank = buf of the root.
ACL_FUNC_VISIBILITY HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType,
                                             uint32_t root, HcclComm comm, aclrtStream stream);

// recvBuf = this rank's part, recvCount elements, of the reduction of all ranks' sendBuf.
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                                 HcclDataType dataType, HcclReduceOp op,
                                                 HcclComm comm, aclrtStream stream);

// The same with parts of different lengths.
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts,
                                                  const void* sendDispls, void* recvBuf,
                                                  uint64_t recvCount, HcclDataType dataType,
                                                  HcclReduceOp op, HcclComm comm,
                                                  aclrtStream stream);

// recvBuf = this rank's part, recvCount elements, of the root's sendBuf.
ACL_FUNC_VISIBILITY HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                           HcclDataType dataType, uint32_t root, HcclComm comm,
                                           aclrtStream stream);

// recvBuf on every rank = the sendBuf of all ranks one after the other.
ACL_FUNC_VISIBILITY HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount,
                                             HcclDataType dataType, HcclComm comm,
                                             aclrtStream stream);

// The same with parts of different lengths.
ACL_FUNC_VISIBILITY HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf,
                                              const void* recvCounts, const void* recvDispls,
                                              HcclDataType dataType, HcclComm comm,
                                              aclrtStream stream);

// Stores the number of ranks.
ACL_FUNC_VISIBILITY HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);

// Stores this process's rank.
ACL_FUNC_VISIBILITY HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);

// Lets the stream wait until all ranks have come here.
ACL_FUNC_VISIBILITY HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);

// Sends to a rank, which has to receive as much.
ACL_FUNC_VISIBILITY HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType,
                                        uint32_t destRank, HcclComm comm, aclrtStream stream);

// Receives from a rank, which has to send as much.
ACL_FUNC_VISIBILITY HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType,
                                        uint32_t srcRank, HcclComm comm, aclrtStream stream);

// Sends a part of sendBuf to each rank and receives one from each; lengths and places are arrays of
// uint64_t with one value for each rank.
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts,
                                             const void* sdispls, HcclDataType sendType,
                                             const void* recvBuf, const void* recvCounts,
                                             const void* rdispls, HcclDataType recvType,
                                             HcclComm comm, aclrtStream stream);

// The same with parts of one length.
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount,
                                            HcclDataType sendType, const void* recvBuf,
                                            uint64_t recvCount, HcclDataType recvType,
                                            HcclComm comm, aclrtStream stream);

// recvBuf on the root = reduction of all ranks' sendBuf.
ACL_FUNC_VISIBILITY HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                          HcclDataType dataType, HcclReduceOp op, uint32_t root,
                                          HcclComm comm, aclrtStream stream);

// Leaves and frees a communicator.
ACL_FUNC_VISIBILITY HcclResult HcclCommDestroy(HcclComm comm);

// Makes communicators for several devices of one process.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);

// Stores the error that an enqueued communication ran into, or HCCL_SUCCESS.
ACL_FUNC_VISIBILITY HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);

// Returns the text of a result code.
ACL_FUNC_VISIBILITY const char* HcclGetErrorString(HcclResult code);

// Sends and receives several times at once, in no particular order.
ACL_FUNC_VISIBILITY HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum,
                                                 HcclComm comm, aclrtStream stream);

// Returns up to which HcclCommConfigCapability this library understands configurations.
ACL_FUNC_VISIBILITY uint32_t HcclGetCommConfigCapability(void);

// Fills a configuration with defaults; to be done before its fields are set.
static inline void HcclCommConfigInit(HcclCommConfig* config) {
  struct {
    size_t size;
    uint32_t magic_word;
    uint32_t version;
    uint64_t unused;
  } head = {sizeof(HcclCommConfig), HCCL_COMM_CONFIG_MAGIC_WORD, HCCL_COMM_CONFIG_VERSION, 0};
  memset(config, 0, sizeof(*config));
  memcpy(config->reserved, &head, sizeof(head));
  config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
  config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
  config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
  config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
  config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
}

// Stops using a communicator, so that its devices can be recovered.
ACL_FUNC_VISIBILITY HcclResult HcclCommSuspend(HcclComm comm);

// Uses a suspended communicator again.
ACL_FUNC_VISIBILITY HcclResult HcclCommResume(HcclComm comm);

// Registers a reserved address range whose memory may be sent without copies.
ACL_FUNC_VISIBILITY HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size,
                                                      size_t alignment, uint64_t flags);

// Takes a registered address range back.
ACL_FUNC_VISIBILITY HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr);

// Makes mapped memory of a registered range usable for communication.
ACL_FUNC_VISIBILITY HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size,
                                                          size_t offset, aclrtDrvMemHandle handle,
                                                          uint64_t flags);

// Ends the use of memory for communication; to be done before it is unmapped.
ACL_FUNC_VISIBILITY HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_HCCL_HCCL_H_
