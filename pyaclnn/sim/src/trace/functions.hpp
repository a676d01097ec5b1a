// The functions that the tracer stands in for: a table that is generated from the declarations.
#ifndef PYACLNN_TRACE_FUNCTIONS_HPP_
#define PYACLNN_TRACE_FUNCTIONS_HPP_

#include <atomic>
#include <cstdint>

namespace pyaclnn::trace {

/// A declaration. `codes` has the result's code, then one for each parameter: b c h H i I q Q
/// integers, f d floating point, p an address, s a string, t T a handle whose content is known
/// (const or not), 4 8 5 what the call stores (4 or 8 bytes, a float).
struct Signature {
  const char* name;
  const char* codes;
  const char* parameters;
};

/// What the entry's code left: the registers of a call, and what `enter` tells it.
struct Frame {
  static constexpr int kIntegers =
#if defined(__x86_64__)
      6;
#else
      8;
#endif
  std::uint64_t integers[8];
  double floats[8];
  const std::uint64_t* stack;  ///< Parameters that did not fit registers, eight bytes each.
  std::uint64_t words;         ///< How many of these there are; `enter` sets it.
  std::uint64_t result;
  double float_result;
  void* record;  ///< Where `leave` completes what `enter` wrote, or null.
  std::uint32_t function;
  std::uint32_t outermost;
  std::uint64_t begin;
};
static_assert(sizeof(Frame) == 184, "forward.cpp reserves this much");

/// Something to do after a call, such as noting what a new handle describes.
using Hook = void (*)(const Frame& frame);

/// What is known of a function since its first call.
struct Function {
  std::atomic<void*> real{nullptr};
  std::uint32_t words = 0;
  Hook hook = nullptr;
  bool silent = false;  ///< Of handles' making: seen through the calls that take them.
  bool first_phase = false, second_phase = false;
  std::atomic<std::uint32_t> defined{0};  ///< The file that has its definition, by number.
};

extern const Signature kSignatures[];
extern Function functions[];
extern const unsigned kFunctionCount;

}  // namespace pyaclnn::trace

#if defined(__x86_64__)
#define TRACE_ENTRY(name, number)                                               \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n.p2align 3\n" #name \
      ":\n endbr64\n"                                                           \
      " movl $" #number ", %eax\n jmp pyaclnn_trace_forward\n.size " #name ", . - " #name "\n");
#else
#define TRACE_ENTRY(name, number)                                               \
  asm(".text\n.globl " #name "\n.type " #name ", %function\n.p2align 2\n" #name \
      ":\n hint #34\n"                                                          \
      " mov w9, #" #number "\n b pyaclnn_trace_forward\n.size " #name ", . - " #name "\n");
#endif

#endif  // PYACLNN_TRACE_FUNCTIONS_HPP_
