/* Control surface of the pyaclnn simulator: what a test may ask of it beyond CANN's own interface.
 *
 * A real CANN installation has none of these symbols; programs that use them only make sense on the
 * simulator. SPDX-License-Identifier: MIT */
#ifndef PYACLNN_SIM_H_
#define PYACLNN_SIM_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of live objects of one kind, or live bytes; UINT64_MAX for an unknown kind.
 * Kinds: "context" "stream" "event" "tensor" "scalar" "int_array" "float_array" "bool_array"
 * "tensor_list" "scalar_list" "executor" "data_buffer" "graph" "device_block" "host_block"
 * "device_bytes" "host_bytes" "queued_task". "total" counts every handle and block, not the
 * bytes. */
uint64_t pyaclnnSimCount(const char* kind);

/* Installs a fault plan, in the syntax of PYACLNN_SIM_FAULT: `function:n:code[,...]` makes the n-th
 * call of `function` from now on fail with `code`; `aclnnXxx:n:result` spoils the first element of
 * the result of its n-th execution; `aclnnXxx:n:async=code` lets the n-th execution fail on the
 * stream. n = 0 means every call. NULL or "" removes the plan. Returns 0, or 100000 when the text
 * is not understood (the plan in force is then unchanged). */
int32_t pyaclnnSimSetFault(const char* plan);

/* Version of the simulator, "major.minor.patch"; static storage. */
const char* pyaclnnSimVersion(void);

#ifdef __cplusplus
}
#endif
#endif /* PYACLNN_SIM_H_ */
