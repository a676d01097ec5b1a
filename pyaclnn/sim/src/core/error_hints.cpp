// SPDX-License-Identifier: MIT
#include "core/error_hints.hpp"

namespace pyaclnn::sim {
namespace {

struct Row {
  int code;
  ErrorHint hint;
};

constexpr Row kHints[] = {
    {100002,
     {"Repeated_Call(EE1001)", "Another part of the program has initialised the library.",
      "Nothing needs to be done: the library is ready."}},
    {100037,
     {"Repeated_Call(EE1001)", "aclInit was not called, or aclFinalize already was.",
      "Call aclFinalize once, after the last use."}},
    {107001,
     {"Invalid_Device(EE1001)", "The id is not below aclrtGetDeviceCount.",
      "Use an id from 0 to the count minus one; ASCEND_RT_VISIBLE_DEVICES renumbers devices."}},
    {107002,
     {"No_Context(EE1002)", "The context of a thread is its own: a new thread has none.",
      "Call aclrtSetDevice or aclrtSetCurrentContext on this thread first."}},
    {107003,
     {"Foreign_Stream(EE1002)", "The stream was created while another context was current.",
      "Make the stream's context current, or use a stream of the current one."}},
    {107006,
     {"No_Timestamp(EE1002)",
      "The record has not finished, or the event has no ACL_EVENT_TIME_LINE.",
      "Synchronise the event first; create it with ACL_EVENT_TIME_LINE."}},
    {107025,
     {"Capture_Unjoined(EE1002)", "A stream joined the capture and was not led back.",
      "Record an event at the end of each joined stream and let the first stream wait for it."}},
    {107027,
     {"Stream_Captured(EE1016)", "What was submitted to the stream is recorded and does not run.",
      "End the capture first, or use a stream that is not captured."}},
    {107030,
     {"Capture_Mode(EE1016)", "A capture is going on whose mode forbids calls that wait.",
      "Call aclmdlRICaptureThreadExchangeMode on this thread first, or end the capture."}},
    {200006,
     {"Not_Supported(EE1003)", "The simulator does not have what the text names.",
      "Run this part where CANN is installed, or choose another way."}},
    {207000,
     {"Not_Supported(EE1003)", "This chip or toolkit release does not offer the function.",
      "Check the product table of the function, or choose another way."}},
    {207001,
     {"Out_Of_Memory(EL0004)", "The device has no free block of this size.",
      "Free memory that is no longer needed, or work on smaller pieces."}},
    {207008,
     {"No_Stream_Resource(EL0005)", "Streams were created and never destroyed.",
      "Destroy streams that are no longer used, or share them."}},
    {507004,
     {"Stream_Not_Complete(EE1002)", "The host uses memory that work of a stream may still use.",
      "Synchronise the stream first, or an event that is recorded after the work."}},
    {507007,
     {"Released(EE1002)", "The device or context was reset or never set.",
      "Pair every aclrtResetDevice with one aclrtSetDevice."}},
    {507012,
     {"Report_Timeout(EE1002)", "No callback arrived within the time given.",
      "Wait longer, or check that a callback was launched on a subscribed stream."}},
    {507015,
     {"Kernel_Exception(EZ9999)", "A task touched memory it must not touch.",
      "Keep every buffer alive until the stream has passed the work that uses it; let streams that "
      "share memory wait for one another."}},
    {507046,
     {"Stream_Timeout(EE1002)", "Work is still running, or waits for an event.",
      "Wait longer, or look for an event that nobody records."}},
    {507047, {"Event_Timeout(EE1002)", "The recorded work is still running.", "Wait longer."}},
    {507903,
     {"Capture_Invalidated(EE1002)", "An earlier call failed and made the capture useless.",
      "Look at the first failure after aclmdlRICaptureBegin."}},
    {561003,
     {"Kernel_Missing(EZ3003)", "No kernel of this operator is installed.",
      "Run the program where CANN is installed, or use an operator that is simulated."}},
    {507899,
     {"Driver_Error(EE9999)", "The connection to the driver does not survive fork().",
      "Start worker processes with spawn, or call the library only in the child."}},
};

constexpr ErrorHint kArgument = {"Invalid_Argument(EE1001)",
                                 "An argument is null, out of range, stale or of another kind.",
                                 "Correct the argument the text names."};
constexpr ErrorHint kOperator = {"Invalid_Argument(EZ1001)",
                                 "A tensor or attribute is not one the operator accepts.",
                                 "Compare dtype, shape and range with the operator's declaration."};
constexpr ErrorHint kResource = {"Resource_Error(EL0003)", "A resource is exhausted.",
                                 "Release what is no longer used."};
constexpr ErrorHint kInternal = {"Inner_Error(EZ9999)",
                                 "The failure lies below the function that was called.",
                                 "Read the text; earlier messages may name the first failure."};

}  // namespace

ErrorHint error_hint(int code) noexcept {
  for (const Row& row : kHints) {
    if (row.code == code) return row.hint;
  }
  if (code >= 160000 && code < 170000) return kOperator;
  if (code / 100000 == 1) return kArgument;
  if (code / 100000 == 2) return kResource;
  return kInternal;
}

}  // namespace pyaclnn::sim
