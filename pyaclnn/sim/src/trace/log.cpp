#include "trace/log.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "trace/file.hpp"
#include "trace/parameters.hpp"
#include "trace/shadow.hpp"

namespace pyaclnn::trace {
namespace {

enum class Wish { kNothing, kCalls, kErrors, kSlow };

Wish wished = Wish::kNothing;
std::uint64_t slow = 0;

const char* const kDtypes[] = {"float32", "float16", "int8",   "int32", "uint8",     "?",
                               "int16",   "uint16",  "uint32", "int64", "uint64",    "float64",
                               "bool",    "string",  "?",      "?",     "complex64", "complex128"};

template <class T>
T read(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Return a handle's description in words: float16[2, 3], list of 4, int[5].
std::string shown(std::uint64_t handle) {
  char text[24 << 10];
  const std::uint32_t size = describe(handle, text, sizeof text);
  if (size == 0) return "null";
  if (*text == 'T') {
    const int dtype = read<std::int8_t>(text + 1);
    std::string made = dtype == 27                 ? "bfloat16"
                       : dtype >= 0 && dtype <= 17 ? kDtypes[dtype]
                                                   : "dtype" + std::to_string(dtype);
    made += '[';
    for (int i = 0; i < read<std::uint8_t>(text + 4); ++i) {
      made += (i ? ", " : "") + std::to_string(read<std::int64_t>(text + 22 + 8 * i));
    }
    return made + ']';
  }
  if (*text == 'S') return "scalar";
  if (*text == '?') return "?";
  const char* kind = *text == 'I' ? "int" : *text == 'F' ? "float" : *text == 'B' ? "bool" : "list";
  return kind + ("[" + std::to_string(read<std::uint32_t>(text + 1)) + "]");
}

}  // namespace

void read_log_wish(const char* wish) {
  char* end = nullptr;
  if (std::strcmp(wish, "calls") == 0) {
    wished = Wish::kCalls;
  } else if (std::strcmp(wish, "errors") == 0) {
    wished = Wish::kErrors;
  } else if (std::strncmp(wish, "slow:", 5) == 0) {
    const double number = std::strtod(wish + 5, &end);
    const double unit = std::strcmp(end, "us") == 0 ? 1e3 : std::strcmp(end, "s") == 0 ? 1e9 : 1e6;
    if (number >= 0 && number < 1e9) {
      slow = static_cast<std::uint64_t>(number * unit);
      wished = Wish::kSlow;
    }
  }
  if (wished == Wish::kNothing && *wish) {
    std::fprintf(stderr, "PYACLNN_LOG=%s: calls, errors or slow:5ms is what there is\n", wish);
  }
  if (wished != Wish::kNothing) active.store(true);
}

bool logging() { return wished != Wish::kNothing; }

void log_call(const Frame& frame, const Signature& known, std::uint64_t end) {
  const std::uint64_t took = end - frame.begin;
  const auto status = static_cast<std::int32_t>(frame.result);
  const bool failed = known.codes[0] == 'i' && status != 0;
  if ((wished == Wish::kErrors && !failed) || (wished == Wish::kSlow && took < slow)) return;
  std::string line = "pyaclnn " + std::to_string(::getpid()) + ": " + known.name + '(';
  Parameters parameters(frame);
  const char* name = known.parameters;
  for (const char* code = known.codes + 1; *code; ++code) {
    const std::uint64_t value = parameters.next(*code);
    const std::size_t length = std::strcspn(name, ",");
    if (code != known.codes + 1) line += ", ";
    line.append(name, length) += '=';
    name += length + (name[length] == ',');
    char number[32];
    switch (*code) {
      case 't':
      case 'T':
        line += shown(value);
        break;
      case 'f':
      case 'd':
        std::snprintf(number, sizeof number, "%g",
                      read<double>(reinterpret_cast<const char*>(&value)));
        line += number;
        break;
      case 's':
        line += value ? '"' +
                            std::string(reinterpret_cast<const char*>(value),
                                        ::strnlen(reinterpret_cast<const char*>(value), 80)) +
                            '"'
                      : "null";
        break;
      case 'p':
      case '4':
      case '5':
      case '8':
        std::snprintf(number, sizeof number, "%#llx", static_cast<unsigned long long>(value));
        line += number;
        break;
      default:
        line +=
            *code == 'Q' ? std::to_string(value) : std::to_string(static_cast<std::int64_t>(value));
    }
  }
  line += ')';
  if (known.codes[0] == 'i') line += " = " + std::to_string(status);
  char time[32];
  std::snprintf(time, sizeof time, " %.3f ms\n", static_cast<double>(took) * 1e-6);
  line += time;
  // In one piece, so that threads do not mix.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

}  // namespace pyaclnn::trace
