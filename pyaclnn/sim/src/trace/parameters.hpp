// The parameters of a call, one after the other, wherever the calling convention put them.
#ifndef PYACLNN_TRACE_PARAMETERS_HPP_
#define PYACLNN_TRACE_PARAMETERS_HPP_

#include <cstdint>
#include <cstring>

#include "trace/functions.hpp"

namespace pyaclnn::trace {

class Parameters {
 public:
  explicit Parameters(const Frame& frame) : frame_(frame) {}

  /// Return the next one as eight bytes: integers extended, floating point as a double.
  std::uint64_t next(char code) {
    const bool is_float = code == 'f' || code == 'd';
    std::uint64_t value = 0;
    if (is_float && floats_ < 8) {
      std::memcpy(&value, &frame_.floats[floats_++], 8);
    } else if (!is_float && integers_ < Frame::kIntegers) {
      value = frame_.integers[integers_++];
    } else {
      value = frame_.stack[stack_++];
    }
    return widened(value, code);
  }

 private:
  /// The bits beyond a parameter's type are anything.
  static std::uint64_t widened(std::uint64_t value, char code) {
    const auto extended = [](auto narrow) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(narrow));
    };
    switch (code) {
      case 'b':
        return value & 0xff;
      case 'c':
        return extended(static_cast<std::int8_t>(value));
      case 'h':
        return extended(static_cast<std::int16_t>(value));
      case 'H':
        return value & 0xffff;
      case 'i':
        return extended(static_cast<std::int32_t>(value));
      case 'I':
        return value & 0xffffffff;
      case 'f': {
        float single = 0;
        std::memcpy(&single, &value, sizeof single);
        const double wide = single;
        std::memcpy(&value, &wide, sizeof wide);
        return value;
      }
      default:
        return value;
    }
  }

  const Frame& frame_;
  int integers_ = 0, floats_ = 0, stack_ = 0;
};

}  // namespace pyaclnn::trace

#endif  // PYACLNN_TRACE_PARAMETERS_HPP_
