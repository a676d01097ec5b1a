// What all entries jump to: keep the registers, ask `enter` for the real function, call it with the
// same registers and a copy of the stack's parameters, tell `leave` what it returned.
//
// The frame is a `trace::Frame`; the offsets are those of its fields. The real function is called,
// not jumped to, so that a debugger and an exception find their way back.
#include "trace/functions.hpp"

#if defined(__x86_64__)

// eax has the function's number; no function with a variable number of parameters has an entry, so
// it is free.
asm(R"(
.text
.hidden pyaclnn_trace_forward
.globl pyaclnn_trace_forward
.type pyaclnn_trace_forward, @function
.p2align 4
pyaclnn_trace_forward:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset 6, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register 6
  pushq %rbx
  .cfi_offset 3, -24
  subq $200, %rsp
  movq %rsp, %rbx
  movq %rdi, 0(%rbx)
  movq %rsi, 8(%rbx)
  movq %rdx, 16(%rbx)
  movq %rcx, 24(%rbx)
  movq %r8, 32(%rbx)
  movq %r9, 40(%rbx)
  movsd %xmm0, 64(%rbx)
  movsd %xmm1, 72(%rbx)
  movsd %xmm2, 80(%rbx)
  movsd %xmm3, 88(%rbx)
  movsd %xmm4, 96(%rbx)
  movsd %xmm5, 104(%rbx)
  movsd %xmm6, 112(%rbx)
  movsd %xmm7, 120(%rbx)
  leaq 16(%rbp), %rdx
  movq %rdx, 128(%rbx)
  movl %eax, %edi
  movq %rbx, %rsi
  call pyaclnn_trace_enter
  movq 136(%rbx), %rcx
  leaq 1(%rcx), %rdx
  andq $-2, %rdx
  shlq $3, %rdx
  subq %rdx, %rsp
  movq 128(%rbx), %rsi
  movq %rsp, %rdi
  rep movsq
  movq %rax, %r11
  movq 0(%rbx), %rdi
  movq 8(%rbx), %rsi
  movq 16(%rbx), %rdx
  movq 24(%rbx), %rcx
  movq 32(%rbx), %r8
  movq 40(%rbx), %r9
  movsd 64(%rbx), %xmm0
  movsd 72(%rbx), %xmm1
  movsd 80(%rbx), %xmm2
  movsd 88(%rbx), %xmm3
  movsd 96(%rbx), %xmm4
  movsd 104(%rbx), %xmm5
  movsd 112(%rbx), %xmm6
  movsd 120(%rbx), %xmm7
  call *%r11
  movq %rax, 144(%rbx)
  movsd %xmm0, 152(%rbx)
  movq %rbx, %rdi
  call pyaclnn_trace_leave
  movq 144(%rbx), %rax
  movsd 152(%rbx), %xmm0
  leaq -8(%rbp), %rsp
  popq %rbx
  popq %rbp
  .cfi_def_cfa 7, 8
  ret
  .cfi_endproc
.size pyaclnn_trace_forward, . - pyaclnn_trace_forward
)");

#else

// w9 has the function's number.
asm(R"(
.text
.hidden pyaclnn_trace_forward
.globl pyaclnn_trace_forward
.type pyaclnn_trace_forward, %function
.p2align 4
pyaclnn_trace_forward:
  .cfi_startproc
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset 29, -32
  .cfi_offset 30, -24
  mov x29, sp
  .cfi_def_cfa_register 29
  str x19, [sp, #16]
  .cfi_offset 19, -16
  sub sp, sp, #192
  mov x19, sp
  stp x0, x1, [x19, #0]
  stp x2, x3, [x19, #16]
  stp x4, x5, [x19, #32]
  stp x6, x7, [x19, #48]
  stp d0, d1, [x19, #64]
  stp d2, d3, [x19, #80]
  stp d4, d5, [x19, #96]
  stp d6, d7, [x19, #112]
  add x10, x29, #32
  str x10, [x19, #128]
  mov w0, w9
  mov x1, x19
  bl pyaclnn_trace_enter
  mov x16, x0
  ldr x10, [x19, #136]
  add x11, x10, #1
  and x11, x11, #-2
  sub sp, sp, x11, lsl #3
  ldr x12, [x19, #128]
  mov x13, sp
1:
  cbz x10, 2f
  ldr x14, [x12], #8
  str x14, [x13], #8
  sub x10, x10, #1
  b 1b
2:
  ldp x0, x1, [x19, #0]
  ldp x2, x3, [x19, #16]
  ldp x4, x5, [x19, #32]
  ldp x6, x7, [x19, #48]
  ldp d0, d1, [x19, #64]
  ldp d2, d3, [x19, #80]
  ldp d4, d5, [x19, #96]
  ldp d6, d7, [x19, #112]
  blr x16
  str x0, [x19, #144]
  str d0, [x19, #152]
  mov x0, x19
  bl pyaclnn_trace_leave
  ldr x0, [x19, #144]
  ldr d0, [x19, #152]
  mov sp, x29
  ldr x19, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_def_cfa 31, 0
  .cfi_restore 30
  .cfi_restore 29
  .cfi_restore 19
  ret
  .cfi_endproc
.size pyaclnn_trace_forward, . - pyaclnn_trace_forward
)");

#endif
