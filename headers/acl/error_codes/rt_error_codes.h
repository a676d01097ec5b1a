// Status codes of the runtime layer. The leading digit tells the family: 1 the caller's mistake,
// 2 a resource or feature that is not there, 5 a failure inside the runtime or on the device.
#ifndef PYACLNN_ACL_ERROR_CODES_RT_ERROR_CODES_H_
#define PYACLNN_ACL_ERROR_CODES_RT_ERROR_CODES_H_

#define ACL_RT_SUCCESS 0
// Runtime-layer argument check failed.
#define ACL_ERROR_RT_PARAM_INVALID 107000
// Device number out of range.
#define ACL_ERROR_RT_INVALID_DEVICEID 107001
// Calling thread has no current context (no set-device / set-context).
#define ACL_ERROR_RT_CONTEXT_NULL 107002
// Stream belongs to another context.
#define ACL_ERROR_RT_STREAM_CONTEXT 107003
// Model belongs to another context.
#define ACL_ERROR_RT_MODEL_CONTEXT 107004
// Stream is not bound to this model.
#define ACL_ERROR_RT_STREAM_MODEL 107005
// Event has no usable timestamp yet.
#define ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID 107006
// Event timestamps run backwards.
#define ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL 107007
// Address not aligned as required.
#define ACL_ERROR_RT_ADDR_UNALIGNED 107008
// Runtime could not open a file.
#define ACL_ERROR_RT_FILE_OPEN 107009
// Runtime could not write a file.
#define ACL_ERROR_RT_FILE_WRITE 107010
// Stream callback subscription missing or duplicated.
#define ACL_ERROR_RT_STREAM_SUBSCRIBE 107011
// Thread callback subscription missing or duplicated.
#define ACL_ERROR_RT_THREAD_SUBSCRIBE 107012
// No group chosen.
#define ACL_ERROR_RT_GROUP_NOT_SET 107013
// Group id does not exist.
#define ACL_ERROR_RT_GROUP_NOT_CREATE 107014
// Callback launched on a stream without a registered thread.
#define ACL_ERROR_RT_STREAM_NO_CB_REG 107015
// Wrong memory type.
#define ACL_ERROR_RT_INVALID_MEMORY_TYPE 107016
// Handle invalid or destroyed.
#define ACL_ERROR_RT_INVALID_HANDLE 107017
// Wrong allocation kind.
#define ACL_ERROR_RT_INVALID_MALLOC_TYPE 107018
// Wait timed out.
#define ACL_ERROR_RT_WAIT_TIMEOUT 107019
// Task timed out.
#define ACL_ERROR_RT_TASK_TIMEOUT 107020
// The queried system option was never set.
#define ACL_ERROR_RT_SYSPARAMOPT_NOT_SET 107021
// A device-wide task abort is in progress.
#define ACL_ERROR_RT_DEVICE_TASK_ABORT 107022
// The stream is being aborted.
#define ACL_ERROR_RT_STREAM_ABORT 107023
// Captured event wait has no captured record.
#define ACL_ERROR_RT_CAPTURE_DEPENDENCY 107024
// Captured side stream never joined back.
#define ACL_ERROR_RT_STREAM_UNJOINED 107025
// Model is being captured.
#define ACL_ERROR_RT_MODEL_CAPTURED 107026
// Operation not allowed while the stream is captured.
#define ACL_ERROR_RT_STREAM_CAPTURED 107027
// Operation not allowed while the event is captured.
#define ACL_ERROR_RT_EVENT_CAPTURED 107028
// Stream is not being captured.
#define ACL_ERROR_RT_STREAM_NOT_CAPTURED 107029
// Capture mode forbids this operation.
#define ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT 107030
// Default stream used during capture.
#define ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT 107031
// Event and stream belong to different captures.
#define ACL_ERROR_STREAM_CAPTURE_CONFLICT 107032
// Task group used in the wrong state.
#define ACL_ERROR_STREAM_TASK_GROUP_STATUS 107033
// Task-group recording was broken off.
#define ACL_ERROR_STREAM_TASK_GROUP_INTR 107034
// Runtime or driver does not support the operation.
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT 207000
// Out of memory.
#define ACL_ERROR_RT_MEMORY_ALLOCATION 207001
// Memory could not be freed.
#define ACL_ERROR_RT_MEMORY_FREE 207002
// Numeric overflow on AI Core.
#define ACL_ERROR_RT_AICORE_OVER_FLOW 207003
// No usable device.
#define ACL_ERROR_RT_NO_DEVICE 207004
// Runtime resource exhausted.
#define ACL_ERROR_RT_RESOURCE_ALLOC_FAIL 207005
// Insufficient permission.
#define ACL_ERROR_RT_NO_PERMISSION 207006
// No events left.
#define ACL_ERROR_RT_NO_EVENT_RESOURCE 207007
// No streams left.
#define ACL_ERROR_RT_NO_STREAM_RESOURCE 207008
// No notifies left.
#define ACL_ERROR_RT_NO_NOTIFY_RESOURCE 207009
// No model slots left.
#define ACL_ERROR_RT_NO_MODEL_RESOURCE 207010
// No CDQ resources left.
#define ACL_ERROR_RT_NO_CDQ_RESOURCE 207011
// A count exceeded its limit.
#define ACL_ERROR_RT_OVER_LIMIT 207012
// Queue has nothing to read.
#define ACL_ERROR_RT_QUEUE_EMPTY 207013
// Queue has no room.
#define ACL_ERROR_RT_QUEUE_FULL 207014
// Queue initialised twice.
#define ACL_ERROR_RT_REPEATED_INIT 207015
// Numeric overflow on vector core.
#define ACL_ERROR_RT_AIVEC_OVER_FLOW 207016
// Numeric overflow (generic).
#define ACL_ERROR_RT_OVER_FLOW 207017
// Device-side process ran out of memory.
#define ACL_ERROR_RT_DEVICE_OOM 207018
// Runtime internal error (also elapsed time of unrecorded events).
#define ACL_ERROR_RT_INTERNAL_ERROR 507000
// Task scheduler internal error.
#define ACL_ERROR_RT_TS_ERROR 507001
// Stream queue full.
#define ACL_ERROR_RT_STREAM_TASK_FULL 507002
// Stream queue empty.
#define ACL_ERROR_RT_STREAM_TASK_EMPTY 507003
// Stream still has pending tasks.
#define ACL_ERROR_RT_STREAM_NOT_COMPLETE 507004
// AI CPU task signalled end of sequence.
#define ACL_ERROR_RT_END_OF_SEQUENCE 507005
// Event not completed yet.
#define ACL_ERROR_RT_EVENT_NOT_COMPLETE 507006
// Context or device already released / being destroyed.
#define ACL_ERROR_RT_CONTEXT_RELEASE_ERROR 507007
// Chip version could not be determined.
#define ACL_ERROR_RT_SOC_VERSION 507008
// Task type not supported.
#define ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT 507009
// Task scheduler stopped responding.
#define ACL_ERROR_RT_LOST_HEARTBEAT 507010
// Model execution failed.
#define ACL_ERROR_RT_MODEL_EXECUTE 507011
// No report or callback arrived in time.
#define ACL_ERROR_RT_REPORT_TIMEOUT 507012
// System DMA hardware error.
#define ACL_ERROR_RT_SYS_DMA 507013
// AI Core kernel timed out.
#define ACL_ERROR_RT_AICORE_TIMEOUT 507014
// AI Core kernel raised an exception.
#define ACL_ERROR_RT_AICORE_EXCEPTION 507015
// AI Core kernel trapped.
#define ACL_ERROR_RT_AICORE_TRAP_EXCEPTION 507016
// AI CPU kernel timed out.
#define ACL_ERROR_RT_AICPU_TIMEOUT 507017
// AI CPU kernel raised an exception.
#define ACL_ERROR_RT_AICPU_EXCEPTION 507018
// AI CPU did not answer a dump request.
#define ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR 507019
// AI CPU did not answer a model request.
#define ACL_ERROR_RT_AICPU_MODEL_RSP_ERR 507020
// Profiling failed.
#define ACL_ERROR_RT_PROFILING_ERROR 507021
// Inter-process communication failed.
#define ACL_ERROR_RT_IPC_ERROR 507022
// Model exited on request.
#define ACL_ERROR_RT_MODEL_ABORT_NORMAL 507023
// Kernel is being unregistered.
#define ACL_ERROR_RT_KERNEL_UNREGISTERING 507024
// Error ring buffer not initialised.
#define ACL_ERROR_RT_RINGBUFFER_NOT_INIT 507025
// Error ring buffer empty.
#define ACL_ERROR_RT_RINGBUFFER_NO_DATA 507026
// Kernel not registered with the runtime.
#define ACL_ERROR_RT_KERNEL_LOOKUP 507027
// Kernel registered twice.
#define ACL_ERROR_RT_KERNEL_DUPLICATE 507028
// Debug registration failed.
#define ACL_ERROR_RT_DEBUG_REGISTER_FAIL 507029
// Debug unregistration failed.
#define ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL 507030
// Label belongs to another context.
#define ACL_ERROR_RT_LABEL_CONTEXT 507031
// Too many registered programs.
#define ACL_ERROR_RT_PROGRAM_USE_OUT 507032
// Device could not be brought up.
#define ACL_ERROR_RT_DEV_SETUP_ERROR 507033
// Vector core kernel timed out.
#define ACL_ERROR_RT_VECTOR_CORE_TIMEOUT 507034
// Vector core kernel raised an exception.
#define ACL_ERROR_RT_VECTOR_CORE_EXCEPTION 507035
// Vector core kernel trapped.
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION 507036
// CDQ batch allocation went wrong.
#define ACL_ERROR_RT_CDQ_BATCH_ABNORMAL 507037
// Die mode cannot be changed now.
#define ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR 507038
// Die cannot be chosen in single-die mode.
#define ACL_ERROR_RT_DIE_SET_ERROR 507039
// Die number invalid.
#define ACL_ERROR_RT_INVALID_DIEID 507040
// Die mode not chosen.
#define ACL_ERROR_RT_DIE_MODE_NOT_SET 507041
// AI Core read out of bounds.
#define ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW 507042
// AI Core write out of bounds.
#define ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW 507043
// Vector core read out of bounds.
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW 507044
// Vector core write out of bounds.
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW 507045
// Stream (or device) synchronisation timed out.
#define ACL_ERROR_RT_STREAM_SYNC_TIMEOUT 507046
// Event synchronisation timed out.
#define ACL_ERROR_RT_EVENT_SYNC_TIMEOUT 507047
// FFTS+ task timed out.
#define ACL_ERROR_RT_FFTS_PLUS_TIMEOUT 507048
// FFTS+ task raised an exception.
#define ACL_ERROR_RT_FFTS_PLUS_EXCEPTION 507049
// FFTS+ task trapped.
#define ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION 507050
// Host-device message could not be sent.
#define ACL_ERROR_RT_SEND_MSG 507051
// Data copy failed while enqueuing.
#define ACL_ERROR_RT_COPY_DATA 507052
// Uncorrectable device-memory error at an address.
#define ACL_ERROR_RT_DEVICE_MEM_ERROR 507053
// Multi-bit ECC error in HBM.
#define ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR 507054
// Driver internal error.
#define ACL_ERROR_RT_DRV_INTERNAL_ERROR 507899
// AI CPU internal error.
#define ACL_ERROR_RT_AICPU_INTERNAL_ERROR 507900
// Host-device channel disconnected.
#define ACL_ERROR_RT_SOCKET_CLOSE 507901
// AI CPU could not load its information.
#define ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR 507902
// Capture became invalid.
#define ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED 507903
// Task abort stopped before its post-processing.
// Since CANN 9.0.
#define ACL_ERROR_RT_TASK_ABORT_STOP 107035
// Capture end on a stream whose capture was not begun there.
// Since CANN 9.0.
#define ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED 107036
// Model still executing, cannot be destroyed.
// Since CANN 9.0.
#define ACL_ERROR_RT_MODEL_RUNNING 107037
// Capture begun and ended on different threads.
// Since CANN 9.0.
#define ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD 107038
// Caller's array is too small.
// Since CANN 9.0.
#define ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY 107039
// Captured model could not be updated.
// Since CANN 9.0.
#define ACL_ERROR_RT_MODEL_UPDATE_FAILED 107040
// Capture forbids an async call that would fall back to a sync one.
// Since CANN 9.0.
#define ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC 107041
// Device symbol name not found.
// Since CANN 9.0.
#define ACL_ERROR_RT_SYMBOL_NOT_FOUND 107042
// Not a device symbol.
// Since CANN 9.0.
#define ACL_ERROR_RT_INVALID_SYMBOL 107043
// Not a device function.
// Since CANN 9.0.
#define ACL_ERROR_RT_INVALID_DEVICE_FUNCTION 107044
// A sub-graph is being captured.
// Since CANN 9.0.
#define ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING 107045
// Driver cannot update this operator.
// Since CANN 9.0.
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP 207019
// Driver call timed out.
// Since CANN 9.0.
#define ACL_ERROR_RT_TIMEOUT 207020
// Interconnect type not supported.
// Since CANN 9.0.
#define ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED 207021
// Peer device's memory suspected faulty.
// Since CANN 9.0.
#define ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR 507055
// Link between devices lost.
// Since CANN 9.0.
#define ACL_ERROR_RT_LINK_ERROR 507056
// Peer memory fault or local out-of-bounds access suspected.
// Since CANN 9.0.
#define ACL_ERROR_RT_SUSPECT_REMOTE_ERROR 507057
// Retry of a collective failed.
// Since CANN 9.0.
#define ACL_ERROR_RT_COMM_OP_RETRY_FAIL 507904
// Process snapshot lock timed out.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT 507905
// Process snapshot lock failed.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_LOCK_FAILED 507906
// Process snapshot unlock failed.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_UNLOCK_FAILED 507907
// Process snapshot backup failed.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_BACKUP_FAILED 507908
// Process snapshot restore failed.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_RESTORE_FAILED 507909
// Host range already registered.
// Since CANN 9.0.
#define ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED 507910
// Host range was not registered.
// Since CANN 9.0.
#define ACL_ERROR_HOST_MEMORY_NOT_REGISTERED 507911
// Snapshot callback failed.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_CALLBACK_FAILED 507912
// Snapshot callback could not be registered.
// Since CANN 9.0.
#define ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED 507913
// L3 port error.
// Since CANN 9.0.
#define ACL_ERROR_RT_L3_PORT_ERROR 507914
// CCU task timed out.
// Since CANN 9.0.
#define ACL_ERROR_RT_CCU_TIMEOUT 507915
// CCU task raised an exception.
// Since CANN 9.0.
#define ACL_ERROR_RT_CCU_EXCEPTION 507916

#endif  // PYACLNN_ACL_ERROR_CODES_RT_ERROR_CODES_H_
