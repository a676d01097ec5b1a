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
 * "tensor_list" "scalar_list" "executor" "data_buffer" "graph" "tensor_desc"
 * "operator_attributes" "physical_memory" "device_block" "host_block" "device_bytes" "host_bytes"
 * "queued_task". "total" counts every handle and block, not the bytes. "fault" is how often the
 * fault plan in force has acted. */
uint64_t pyaclnnSimCount(const char* kind);

/* Installs a fault plan, in the syntax of PYACLNN_SIM_FAULT: `function:n:code[,...]` makes the n-th
 * call of `function` from now on fail with `code`; `function:n:signal=number` raises a signal, such
 * as 2 for SIGINT, in the thread of the n-th call, which then goes on; `aclnnXxx:n:result` spoils
 * the first element of the result of its n-th execution; `aclnnXxx:n:async=code` lets the n-th
 * execution fail on the stream. The function `*` is any of them, n = 0 means every call. NULL or ""
 * removes the plan. Returns 0, or 100000 when the text is not understood or names a function that
 * does not exist (the plan in force is then unchanged, and aclGetRecentErrMsg says what is wrong).
 */
int32_t pyaclnnSimSetFault(const char* plan);

/* 1 for a function of an operator that is declared and not simulated: it can be linked and looked
 * up, and answers 561003. 0 for all others. In libopapi. */
int32_t pyaclnnSimIsStub(const char* function);

/* Why an operator, named by either of its functions, cannot be simulated from what is public; ""
 * for those that could be, and for those that are. In libopapi. */
const char* pyaclnnSimReason(const char* function);

/* The instructions that kernels use: "amx", "avx512", "avx2" or "baseline", which is what every
 * processor of the architecture has; PYACLNN_SIM_ISA asks for fewer than there are. In libopapi. */
const char* pyaclnnSimIsa(void);

/* Missing synchronisation, as PYACLNN_SIM_CHECK=races looks for: two accesses to the same bytes, of
 * which one writes, by different streams or a stream and the host, that no event, wait or
 * synchronisation orders. */
typedef struct {
  const char* operation; /* the C function, such as "aclnnSeluBackward" */
  int32_t stream;        /* what aclrtStreamGetId gives; 0: the host */
  int32_t captured_on;   /* for work of a graph, the stream it was captured on; else 0 */
  const char* access;    /* "reads" "writes" "frees" */
  const char* operand;   /* "self", "dst", "workspace"; "" for a block */
  const char* tensor;    /* "float32[2, 3]"; "" where no tensor is known */
  uint64_t begin;        /* the bytes it touches, from the first to behind the last, counted from */
  uint64_t end;          /* the start of the block */
} pyaclnnSimAccess;

typedef struct {
  const char* kind;         /* "read-after-write" "write-after-read" "free-after-write" ... */
  pyaclnnSimAccess earlier; /* in the order of submission */
  pyaclnnSimAccess later;
  const void* block; /* start of the allocation */
  uint64_t begin;    /* the bytes both touch, or of strided views the stretch in which they do, */
  uint64_t end;      /* counted from the start of the block */
  uint64_t count;    /* how often it was found; addresses aside, these are the same */
  const char* text;  /* all of it, for people */
} pyaclnnSimHazard;

/* What is done about hazards from now on: "off", "warn" (told on stderr), "error" (507015 of the
 * later stream, 507004 of the host's call, which then does nothing), "collect" (kept only). NULL or
 * "" is what PYACLNN_SIM_CHECK asks for. Returns 0, or 100000 for any other text. */
int32_t pyaclnnSimSetRaces(const char* mode);

/* The mode in force; static storage. */
const char* pyaclnnSimRaces(void);

/* How many different hazards were found, in whatever mode, since pyaclnnSimForgetHazards(). */
uint64_t pyaclnnSimHazardCount(void);

/* Describes one of them, in the order they were found. The texts live until
 * pyaclnnSimForgetHazards(). Returns 0, or 100000 where there is none of this number. */
int32_t pyaclnnSimGetHazard(uint64_t index, pyaclnnSimHazard* hazard);

void pyaclnnSimForgetHazards(void);

/* Version of the simulator, "major.minor.patch"; static storage. */
const char* pyaclnnSimVersion(void);

#ifdef __cplusplus
}
#endif
#endif /* PYACLNN_SIM_H_ */
