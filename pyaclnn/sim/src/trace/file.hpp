// The file that a process writes: blocks are handed to threads, which fill them without a lock.
#ifndef PYACLNN_TRACE_FILE_HPP_
#define PYACLNN_TRACE_FILE_HPP_

#include <atomic>
#include <cstdint>
#include <string>

#include "trace/format.hpp"

namespace pyaclnn::trace {

enum class ContentForm { kNone, kHash, kStatistics, kFull };

/// What is wanted; from the environment, or from who starts it.
struct Options {
  std::string folder;
  std::uint64_t last = 0;
  ContentForm content = ContentForm::kNone;
  std::uint64_t limit = ~std::uint64_t{0};
};

/// The number of the file that is open, 0 where none is. Another one is another file.
extern std::atomic<std::uint32_t> current_file;
/// Whether there is anything to do at a call: a file, or a log.
extern std::atomic<bool> active;

const Options& options();
void start(const Options& wanted);
void stop();

/// Nanoseconds of the clock that records have.
std::uint64_t now();

/// Return room for a record in this thread's block, or null. The room is not part of the file
/// before `commit`.
char* reserve(std::uint32_t size);
void commit(std::uint32_t size);

/// Write the definition of a function into the file.
void define(std::uint16_t function);

/// Append to the file of contents and return where it went; ~0 where it did not.
std::uint64_t append_content(const void* data, std::uint64_t bytes);

}  // namespace pyaclnn::trace

#endif  // PYACLNN_TRACE_FILE_HPP_
