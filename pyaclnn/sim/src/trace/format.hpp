// The file of a process: a page that says what it is, then blocks, each written by one thread.
//
// pyaclnn/trace/reader.py reads it. Numbers are those of the machine; a block's `used` is moved on
// when a record is complete, so what a killed process leaves is whole records.
#ifndef PYACLNN_TRACE_FORMAT_HPP_
#define PYACLNN_TRACE_FORMAT_HPP_

#include <cstdint>

namespace pyaclnn::trace {

constexpr char kMagic[8] = {'P', 'Y', 'A', 'C', 'L', 'T', 'R', '1'};
constexpr std::uint32_t kBlockMagic = 0x4b4c4254;  // "TBLK"
constexpr std::uint32_t kPage = 4096;
constexpr std::uint32_t kBlock = 256 << 10;
/// No record is longer; what a list has beyond it is counted, not written.
constexpr std::uint32_t kRecordLimit = 24 << 10;

struct FileHead {
  char magic[8];
  std::uint32_t block_size;
  std::uint32_t process;
  std::uint64_t monotonic;  ///< Nanoseconds of the clock of records,
  std::uint64_t realtime;   ///< and since 1970, at the same moment.
  std::uint64_t last;       ///< Calls that are kept at least; 0 for all.
};

enum BlockKind : std::uint32_t { kCalls = 1, kDefinitions = 2 };

struct BlockHead {
  std::uint32_t magic;
  std::uint32_t kind;
  std::uint32_t used;  ///< Bytes from the block's begin.
  std::uint32_t thread;
  std::uint64_t number;  ///< Rises by one for each block that is begun.
};

/// A call: parameters follow, eight bytes each; those of codes s, t and T have two bytes with their
/// length before them. Written when the call begins, completed when it returns (`end` is 0 before).
struct Record {
  std::uint32_t size;
  std::uint16_t function;  ///< A number of `kSignatures`, or a kind of `Special`.
  std::uint16_t flags;
  std::uint64_t begin, end;
  std::uint64_t result;
};

enum Special : std::uint16_t {
  /// name, codes and parameters of function `flags`, each with a 0 at its end.
  kDefinition = 0xffff,
  /// What a tensor held before (flags 0) or after (1) the call of this thread that began at
  /// `begin`.
  kContent = 0xfffe,
};

/// What follows the record of a content.
struct Content {
  std::uint16_t parameter, item;  ///< Of the first phase; the place in a list.
  std::uint16_t form;             ///< 1 hash, 2 statistics, 3 all, 0 it could not be read
  std::uint16_t padding;
  std::uint64_t bytes;  ///< Of all elements.
  std::uint64_t hash;   ///< FNV-1a over words of the elements.
  std::uint64_t where;  ///< In the file of contents.
  double minimum, maximum, mean;
  std::uint64_t nans, infinities;
};

}  // namespace pyaclnn::trace

#endif  // PYACLNN_TRACE_FORMAT_HPP_
