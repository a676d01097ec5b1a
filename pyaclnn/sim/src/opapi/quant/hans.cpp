// Lossless codes of floats: the byte of the exponent becomes its rank among all such bytes, in as
// few bits as the largest rank beside it takes. The other bytes stay as they are.
//
// Elements are dealt to vector cores, and of a core to 64 rows of 64 lanes, 4096 at a time. A row
// has a number of bits for each turn, a lane a stack of bits. What is beyond 16 bits of a stack
// goes to the results, the bits put last; so they are read backwards.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/checked.hpp"
#include "core/config.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/HansDecode.hpp"
#include "parameters/HansEncode.hpp"

namespace pyaclnn::sim {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::int64_t kLanes = 64, kRows = 64, kTurn = kLanes * kRows;
constexpr std::int64_t kLeast = 32768;           // elements of a core
constexpr std::int64_t kWord = 2, kCount = 4;    // bytes of a part of a stack, of a number
constexpr std::int64_t kLevels = kRows * kWord;  // bytes of the numbers of bits of a turn
constexpr std::int64_t kRowBytes = kLanes * kWord;
constexpr std::int64_t kTail = kTurn * kWord + kRows * kCount;  // bytes of what stacks still hold
constexpr int kWordBits = 16, kMostBits = 8;
constexpr std::size_t kSymbols = 256;

// The header: int32 numbers, some of them sums over cores.
constexpr std::size_t kMark = 0, kCores = 1, kLoops = 2, kCodedLoops = 3, kRawLoops = 4,
                      kCodedBytes = 8, kRawElements = 64, kNumbers = 128;
constexpr std::int64_t kHeader = std::int64_t(kNumbers) * kCount;
constexpr std::int32_t kMarkOfCore = 12138;

using Header = std::array<std::int32_t, kNumbers>;

/// A tensor's memory as it is.
class Memory {
 public:
  Memory() = default;
  explicit Memory(View view) : size_(std::int64_t(dtype_size(view.dtype))) {
    view.dtype = size_ == 2 ? ACL_INT16 : ACL_INT32;
    whole_ = PackedOperand(view);
  }

  std::int64_t bytes() const { return whole_.size() * size_; }
  Bytes read(const KernelMemory& memory) const {
    return size_ == 2 ? read_as<std::int16_t>(memory) : read_as<std::int32_t>(memory);
  }
  void write(const KernelMemory& memory, const Bytes& bytes) const {
    size_ == 2 ? write_as<std::int16_t>(memory, bytes) : write_as<std::int32_t>(memory, bytes);
  }

 private:
  template <class Number>
  Bytes read_as(const KernelMemory& memory) const {
    const auto numbers = whole_.read<Number>(memory);
    Bytes bytes(numbers.size() * sizeof(Number));
    if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  }
  template <class Number>
  void write_as(const KernelMemory& memory, const Bytes& bytes) const {
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    whole_.write(memory, numbers);
  }

  std::int64_t size_ = 0;
  PackedOperand whole_;
};

/// Symbols by how often they are, those that are as often in their own order. CANN sorts the
/// numbers as if they were floats.
std::array<std::uint8_t, kSymbols> by_frequency(const std::vector<std::int32_t>& counts) {
  std::array<std::uint8_t, kSymbols> symbols{};
  std::iota(symbols.begin(), symbols.end(), std::uint8_t(0));
  const auto key = [&](std::uint8_t symbol) {
    const std::int64_t bits = counts[symbol];
    return bits < 0 ? -(bits & INT32_MAX) : bits;
  };
  std::stable_sort(symbols.begin(), symbols.end(),
                   [&](std::uint8_t a, std::uint8_t b) { return key(a) > key(b); });
  return symbols;
}

std::array<std::uint8_t, kSymbols> ranks_of(const std::vector<std::int32_t>& counts) {
  const auto symbols = by_frequency(counts);
  std::array<std::uint8_t, kSymbols> ranks{};
  for (std::size_t i = 0; i < kSymbols; ++i) ranks[symbols[i]] = std::uint8_t(i);
  return ranks;
}

int bits_of(unsigned rank) {
  int bits = 1;
  while (rank >> bits != 0) ++bits;
  return bits;
}

template <class Number>
void append(Bytes& bytes, const Number* numbers, std::int64_t count) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(numbers);
  bytes.insert(bytes.end(), from, from + count * std::int64_t(sizeof(Number)));
}

/// What a core makes of its elements.
struct Coded {
  Bytes bytes;
  std::int64_t elements = 0;  // that are in them
  std::int64_t split = 0;     // of which the bytes beside the exponent's are moved
};

/// The stacks of a core, and what left them.
class Encoder {
 public:
  Encoder(const std::array<std::uint8_t, kSymbols>& ranks, std::int64_t room)
      : ranks_(ranks), room_(room) {}

  /// `symbols` are `step` bytes apart.
  Coded operator()(const std::uint8_t* symbols, std::int64_t step, std::int64_t count) {
    Coded coded;
    if (room_ < kTail) return coded;
    while (coded.elements < count) {
      const std::int64_t rows = std::min(kTurn, count - coded.elements) / kLanes;
      coded.split = coded.elements + rows * kLanes;
      if (!turn(symbols + coded.elements * step, step, rows, coded.bytes)) break;
      coded.elements = coded.split;
    }
    std::array<std::uint16_t, kTurn> left{};
    std::transform(stacks_.begin(), stacks_.end(), left.begin(),
                   [](std::uint32_t stack) { return std::uint16_t(stack); });
    append(coded.bytes, left.data(), kTurn);
    append(coded.bytes, held_.data(), kRows);
    return coded;
  }

 private:
  /// False where the room might not do for one more turn.
  bool turn(const std::uint8_t* symbols, std::int64_t step, std::int64_t rows, Bytes& to) {
    std::array<std::uint32_t, kTurn> pushed;
    std::array<std::uint16_t, kRows> levels{};
    for (std::int64_t i = 0; i < rows * kLanes; ++i) {
      const unsigned rank = ranks_[symbols[i * step]];
      pushed[std::size_t(i)] = rank;
      auto& level = levels[std::size_t(i / kLanes)];
      level = std::max(level, std::uint16_t(bits_of(rank)));
    }
    std::int64_t full = 0;
    for (std::size_t r = 0; r < kRows; ++r) full += held_[r] + levels[r] > kWordBits;
    const auto size = std::int64_t(to.size());
    if (size + kTail > room_ - kTail && size + kRows * kCount + full * kRowBytes > room_ - kTail)
      return false;
    for (std::int64_t r = 0; r < rows; ++r) {
      std::uint32_t* const stack = stacks_.data() + r * kLanes;
      std::int32_t& held = held_[std::size_t(r)];
      const int level = levels[std::size_t(r)];
      for (std::int64_t i = 0; i < kLanes; ++i)
        stack[i] = (stack[i] << level) + pushed[std::size_t(r * kLanes + i)];
      held += level;
      if (held <= kWordBits) continue;
      std::array<std::uint16_t, kLanes> words;
      for (std::int64_t i = 0; i < kLanes; ++i) {
        words[std::size_t(i)] = std::uint16_t(stack[i]);
        stack[i] >>= kWordBits;
      }
      held -= kWordBits;
      append(to, words.data(), kLanes);
    }
    append(to, levels.data(), kRows);
    return true;
  }

  const std::array<std::uint8_t, kSymbols>& ranks_;
  std::int64_t room_;
  std::array<std::uint32_t, kTurn> stacks_{};
  std::array<std::int32_t, kRows> held_{};
};

/// Takes a core's elements back, the last first. False for bytes that no encoder makes.
class Decoder {
 public:
  Decoder(const std::array<std::uint8_t, kSymbols>& symbols, const std::uint8_t* bytes,
          std::int64_t count)
      : symbols_(symbols), bytes_(bytes), left_(count) {}

  /// `to` are `step` bytes apart.
  bool operator()(std::int64_t count, std::uint8_t* to, std::int64_t step) {
    if (left_ < kTail || count % kLanes != 0) return false;
    left_ -= kRows * kCount;
    std::memcpy(held_.data(), bytes_ + left_, std::size_t(kRows * kCount));
    std::array<std::uint16_t, kTurn> words;
    left_ -= kTurn * kWord;
    std::memcpy(words.data(), bytes_ + left_, std::size_t(kTurn * kWord));
    std::copy(words.begin(), words.end(), stacks_.begin());
    if (!std::all_of(held_.begin(), held_.end(),
                     [](std::int32_t held) { return held >= 0 && held <= kWordBits; }))
      return false;
    while (count > 0) {
      const std::int64_t rows = (count - 1) % kTurn / kLanes + 1;
      count -= rows * kLanes;
      if (!turn(rows, to + count * step, step)) return false;
    }
    return true;
  }

 private:
  bool turn(std::int64_t rows, std::uint8_t* to, std::int64_t step) {
    if (left_ < kLevels) return false;
    left_ -= kLevels;
    std::array<std::uint16_t, kRows> levels;
    std::memcpy(levels.data(), bytes_ + left_, std::size_t(kLevels));
    std::int64_t empty = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
      if (levels[r] > kMostBits) return false;
      held_[r] -= levels[r];
      empty += held_[r] <= 0;
    }
    // Before the first turn all stacks are empty, and nothing is there to fill them.
    if (left_ >= empty * kRowBytes) {
      left_ -= empty * kRowBytes;
      const std::uint8_t* from = bytes_ + left_;
      for (std::size_t r = 0; r < kRows; ++r)
        if (held_[r] <= 0) {
          std::array<std::uint16_t, kLanes> words;
          std::memcpy(words.data(), from, std::size_t(kRowBytes));
          from += kRowBytes;
          for (std::size_t i = 0; i < kLanes; ++i) {
            std::uint32_t& stack = stacks_[r * kLanes + i];
            stack = (stack << kWordBits) + words[i];
          }
          held_[r] += kWordBits;
        }
    }
    for (std::int64_t i = 0; i < rows * kLanes; ++i) {
      const int level = levels[std::size_t(i / kLanes)];
      std::uint32_t& stack = stacks_[std::size_t(i)];
      to[i * step] = symbols_[stack & ((1U << level) - 1)];
      stack >>= level;
    }
    return true;
  }

  const std::array<std::uint8_t, kSymbols>& symbols_;
  const std::uint8_t* bytes_;
  std::int64_t left_;
  std::array<std::uint32_t, kTurn> stacks_{};
  std::array<std::int32_t, kRows> held_{};
};

/// How elements are dealt to cores, which take turns of 64.
struct Shares {
  std::int64_t cores, each, last;

  Shares(std::int64_t loops, std::int64_t count)
      : cores(count), each(loops / count * kLanes), last(each + loops % count * kLanes) {}
  std::int64_t first(std::int64_t core) const { return core * each; }
  std::int64_t count(std::int64_t core) const { return core + 1 < cores ? each : last; }
};

void split(const std::uint8_t* elements, std::int64_t count, std::int64_t size,
           std::uint8_t* others) {
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(others + i * (size - 1), elements + i * size, std::size_t(size - 1));
}

struct Encoding {
  Memory input, mantissa, fixed, var;
  PackedOperand counts;
  bool reshuffles, finds_counts;
  std::int64_t size;  // bytes of an element
  std::int64_t room;  // bytes of `fixed` that are filled
  const char* api;

  void operator()(const KernelMemory& memory) const {
    const Bytes elements = input.read(memory);
    const std::int64_t count = std::int64_t(elements.size()) / size;
    const Shares shares(count / kLanes, cores_for(count));
    auto found = counts.read<std::int32_t>(memory);
    if (finds_counts) {
      std::fill(found.begin(), found.end(), 0);
      for (std::int64_t i = 0; i < count; ++i) ++found[elements[std::size_t((i + 1) * size - 1)]];
      counts.write(memory, found);
    }
    const auto ranks = ranks_of(found);
    const std::int64_t share = (room - kHeader) / shares.cores;
    std::vector<Coded> coded(static_cast<std::size_t>(shares.cores));
    parallel_for(shares.cores, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) {
        const std::int64_t spare = c + 1 < shares.cores ? 0 : (room - kHeader) % shares.cores;
        coded[std::size_t(c)] = Encoder(ranks, share + spare)(
            elements.data() + (shares.first(c) + 1) * size - 1, size, shares.count(c));
      }
    });
    Bytes others = mantissa.read(memory), code = fixed.read(memory), raw = var.read(memory);
    Header header{};
    std::int64_t place = kHeader, raw_place = 0;
    for (std::int64_t c = 0; c < shares.cores; ++c) {
      const Coded& of = coded[std::size_t(c)];
      const std::int64_t first = shares.first(c), mine = shares.count(c);
      const std::int64_t left = mine - of.elements;
      std::copy(of.bytes.begin(), of.bytes.end(),
                code.begin() + (reshuffles ? place : kHeader + c * share));
      place += std::int64_t(of.bytes.size());
      split(elements.data() + first * size, reshuffles ? of.split : mine, size,
            others.data() + first * (size - 1));
      if (!reshuffles) {
        if (left > std::int64_t(raw.size()) - raw_place)
          fail(kRtAicoreException, "%s: varOut has no room for what fixedOut has none for", api);
        for (std::int64_t i = 0; i < left; ++i)
          raw[std::size_t(raw_place + i)] =
              elements[std::size_t((first + of.elements + i + 1) * size - 1)];
        raw_place += left;
      }
      header[kMark] += kMarkOfCore;
      header[kCores] += 1;
      header[kLoops] += std::int32_t(mine / kLanes);
      header[kCodedLoops] += std::int32_t(of.elements / kLanes);
      header[kRawLoops] += std::int32_t(left / kLanes);
      header[kCodedBytes + std::size_t(c)] = std::int32_t(of.bytes.size());
      header[kRawElements + std::size_t(c)] = std::int32_t(left);
    }
    std::memcpy(code.data(), header.data(), std::size_t(kHeader));
    mantissa.write(memory, others);
    fixed.write(memory, code);
    var.write(memory, raw);
  }

  static std::int64_t cores_for(std::int64_t count) {
    return std::min<std::int64_t>(count / kLeast, chip().vector_cores);
  }
};

struct Decoding {
  Memory mantissa, fixed, var, out;
  PackedOperand counts;
  bool reshuffled;
  std::int64_t size;
  const char* api;

  void operator()(const KernelMemory& memory) const {
    const Bytes others = mantissa.read(memory), code = fixed.read(memory), raw = var.read(memory);
    Bytes elements = out.read(memory);
    const auto symbols = by_frequency(counts.read<std::int32_t>(memory));
    Header header;
    std::memcpy(header.data(), code.data(), std::size_t(kHeader));
    if (header[kCores] < 1) return;
    const Shares shares(header[kLoops], header[kCores]);
    const std::int64_t cores = std::min<std::int64_t>(shares.cores, chip().vector_cores);
    const std::int64_t share = (std::int64_t(code.size()) - kHeader) / shares.cores;
    std::vector<std::int64_t> places, raw_places;
    std::int64_t place = 0, raw_place = 0;
    for (std::int64_t c = 0; c < cores; ++c) {
      const std::int64_t bytes = header[kCodedBytes + std::size_t(c)];
      const std::int64_t left = header[kRawElements + std::size_t(c)];
      if (!reshuffled) place = c * share;
      if (header[kLoops] < 0 || bytes < 0 || left < 0 || left > shares.count(c) ||
          bytes > std::int64_t(code.size()) - kHeader - place ||
          shares.first(c) + shares.count(c) > std::int64_t(elements.size()) / size ||
          (header[kRawLoops] > 0 && left > std::int64_t(raw.size()) - raw_place))
        fail(kRtAicoreException, "%s: fixed has a header that no encoder writes", api);
      places.push_back(kHeader + place);
      raw_places.push_back(raw_place);
      place += bytes;
      raw_place += left;
    }
    std::atomic<bool> sound{true};
    parallel_for(cores, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) {
        const auto at = std::size_t(c);
        const std::int64_t first = shares.first(c), left = header[kRawElements + at];
        const std::int64_t mine = shares.count(c) - left;
        std::uint8_t* const to = elements.data() + first * size;
        if (mine > 0 && header[kCodedLoops] > 0 &&
            !Decoder(symbols, code.data() + places[at], header[kCodedBytes + at])(
                mine, to + size - 1, size))
          sound = false;
        if (header[kRawLoops] > 0)
          for (std::int64_t i = 0; i < left; ++i)
            to[(mine + i + 1) * size - 1] = raw[std::size_t(raw_places[at] + i)];
        for (std::int64_t i = 0; i < shares.count(c); ++i)
          std::memcpy(to + i * size, others.data() + (first + i) * (size - 1),
                      std::size_t(size - 1));
      }
    });
    if (!sound) fail(kRtAicoreException, "%s: fixed has what no encoder writes", api);
    out.write(memory, elements);
  }
};

std::int64_t bytes_of(const TensorArgument& tensor) {
  return (Checked(tensor.elements()) * std::int64_t(dtype_size(tensor.dtype()))).saturated();
}

}  // namespace

void hans_encode(const Check&, Plan& plan, const HansEncodeParameters& given) {
  const aclDataType dtype = given.inputTensor.dtype();
  for (const TensorArgument* tensor : {&given.mantissaOut, &given.fixedOut, &given.varOut})
    check_kernel_exists(plan, tensor->dtype() == dtype);
  const std::int64_t count = given.inputTensor.elements(), size = std::int64_t(dtype_size(dtype));
  check_tiling(plan, given.pdfRef.elements() == std::int64_t(kSymbols),
               "pdfRef has %lld elements, it must have 256",
               static_cast<long long>(given.pdfRef.elements()));
  check_tiling(plan, count % kLanes == 0 && count >= kLeast,
               "inputTensor has %lld elements, it must have a multiple of 64, at least 32768",
               static_cast<long long>(count));
  check_tiling(plan, bytes_of(given.mantissaOut) == (size - 1) * count,
               "mantissaOut has %lld bytes, it must have %lld",
               static_cast<long long>(bytes_of(given.mantissaOut)),
               static_cast<long long>((size - 1) * count));
  const std::int64_t most = count + count / kLanes + kTail * Encoding::cores_for(count) + kHeader;
  const std::int64_t room = bytes_of(given.fixedOut);
  check_tiling(plan, !given.reshuff || room >= most,
               "fixedOut has %lld bytes, with reshuff it must have %lld",
               static_cast<long long>(room), static_cast<long long>(most));
  check_tiling(plan, room >= kHeader, "fixedOut has %lld bytes, it must have 512",
               static_cast<long long>(room));
  const std::int64_t filled = given.reshuff ? most : room;
  check_tiling(plan, bytes_of(given.varOut) >= most - filled,
               "fixedOut and varOut have fewer than %lld bytes", static_cast<long long>(most));
  Encoding encoding;
  encoding.reshuffles = given.reshuff;
  encoding.finds_counts = given.statistic;
  encoding.size = size;
  encoding.room = filled;
  encoding.api = plan.api();
  plan.stage(given.inputTensor).contiguous();
  encoding.input = Memory(plan.reads(given.inputTensor));
  encoding.counts =
      PackedOperand(given.statistic ? plan.writes(given.pdfRef) : plan.reads(given.pdfRef));
  encoding.mantissa = Memory(plan.writes(given.mantissaOut));
  encoding.fixed = Memory(plan.writes(given.fixedOut));
  encoding.var = Memory(plan.writes(given.varOut));
  plan.launch(encoding);
}

void hans_decode(const Check&, Plan& plan, const HansDecodeParameters& given) {
  const aclDataType dtype = given.mantissa.dtype();
  for (const TensorArgument* tensor : {&given.fixed, &given.var, &given.out})
    check_kernel_exists(plan, tensor->dtype() == dtype);
  const std::int64_t size = std::int64_t(dtype_size(dtype)), count = given.out.elements();
  check_tiling(plan, given.mantissa.elements() == (size - 1) * count / size,
               "mantissa has %lld elements beside %lld of out",
               static_cast<long long>(given.mantissa.elements()), static_cast<long long>(count));
  check_tiling(plan, given.pdf.elements() == std::int64_t(kSymbols),
               "pdf has %lld elements, it must have 256",
               static_cast<long long>(given.pdf.elements()));
  check_tiling(plan, bytes_of(given.fixed) >= kHeader,
               "fixed has %lld bytes, its header alone has 512",
               static_cast<long long>(bytes_of(given.fixed)));
  Decoding decoding;
  decoding.reshuffled = given.reshuff;
  decoding.size = size;
  decoding.api = plan.api();
  for (const TensorArgument* tensor : {&given.mantissa, &given.fixed, &given.var, &given.pdf})
    plan.stage(*tensor).contiguous();
  decoding.mantissa = Memory(plan.reads(given.mantissa));
  decoding.fixed = Memory(plan.reads(given.fixed));
  decoding.var = Memory(plan.reads(given.var));
  decoding.counts = PackedOperand(plan.reads(given.pdf));
  decoding.out = Memory(plan.writes(given.out));
  plan.launch(decoding);
}

}  // namespace pyaclnn::sim
