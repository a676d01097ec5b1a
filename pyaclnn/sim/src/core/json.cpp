// SPDX-License-Identifier: MIT
#include "core/json.hpp"

#include <cctype>
#include <cstring>
#include <utility>

#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::map<std::string, std::string> read() {
    if (peek() != '{') refuse("an object");
    value("");
    if (peek() != '\0') refuse("the end");
    return std::move(scalars_);
  }

 private:
  static constexpr int kDepth = 64;

  [[noreturn]] void refuse(const char* expected) {
    fail(kParseFile, "the configuration is not JSON: expected %s at byte %zu", expected, at_);
  }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void take(char wanted, const char* name) {
    if (peek() != wanted) refuse(name);
    ++at_;
  }

  std::string string() {
    take('"', "a string");
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      result += text_[at_++];
    }
    take('"', "the end of a string");
    return result;
  }

  std::string word() {
    std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  std::strchr("+-.", text_[at_]) != nullptr))
      ++at_;
    if (at_ == start) refuse("a value");
    return text_.substr(start, at_ - start);
  }

  void members(const std::string& path) {
    ++at_;
    while (peek() != '}') {
      std::string name = string();
      take(':', "a colon");
      value(path.empty() ? name : path + "." + name);
      if (peek() != ',') break;
      ++at_;
    }
    take('}', "the end of an object");
  }

  void elements(const std::string& path) {
    ++at_;
    for (int index = 0; peek() != ']'; ++index) {
      value(path + "[" + std::to_string(index) + "]");
      if (peek() != ',') break;
      ++at_;
    }
    take(']', "the end of an array");
  }

  void value(const std::string& path) {
    if (++depth_ > kDepth) refuse("less nesting");
    switch (peek()) {
      case '{':
        members(path);
        break;
      case '[':
        elements(path);
        break;
      case '"':
        scalars_[path] = string();
        break;
      default:
        scalars_[path] = word();
        break;
    }
    --depth_;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::map<std::string, std::string> scalars_;
};

}  // namespace

std::map<std::string, std::string> read_json_scalars(const std::string& text) {
  return Reader(text).read();
}

}  // namespace pyaclnn::sim
