// A test program: named cases, each of which runs in a process of its own.
//
//   program           runs every case
//   program NAME...   runs these
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "acl/acl.h"
#include "pyaclnn/sim.h"

namespace check {

struct Case {
  const char* name;
  void (*body)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

struct Registration {
  Registration(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

template <class Value>
std::string show(const Value& value) {
  std::ostringstream text;
  if constexpr (std::is_enum_v<Value>) {
    text << static_cast<long long>(value);
  } else {
    text << value;
  }
  return text.str();
}

template <class Actual, class Expected>
void equal(const char* file, int line, const char* expression, const Actual& actual,
           const Expected& expected) {
  if (actual == static_cast<Actual>(expected)) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s:%d: %s is %s, expected %s\n%s", file, line, expression,
               show(actual).c_str(), show(expected).c_str(), message == nullptr ? "" : message);
  std::_Exit(1);
}

inline void that(const char* file, int line, const char* expression, bool holds) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: %s does not hold\n", file, line, expression);
  std::_Exit(1);
}

/// The latest messages, which must mention `text`.
inline void message_has(const char* file, int line, const char* text) {
  const char* message = aclGetRecentErrMsg();
  if (message != nullptr && std::strstr(message, text) != nullptr) return;
  std::fprintf(stderr, "%s:%d: no \"%s\" in the message: %s\n", file, line, text,
               message == nullptr ? "(none)" : message);
  std::_Exit(1);
}

inline int run(int count, char** names) {
  int ran = 0;
  for (const Case& one : cases()) {
    bool wanted = count == 1;
    for (int i = 1; i < count; ++i) wanted = wanted || std::strcmp(names[i], one.name) == 0;
    if (!wanted) continue;
    one.body();
    ++ran;
  }
  if (ran == 0) std::fprintf(stderr, "no such case\n");
  return ran == 0 ? 2 : 0;
}

}  // namespace check

#define CASE(name)                                                       \
  static void name();                                                    \
  static const check::Registration registration_of_##name(#name, &name); \
  static void name()

#define EXPECT_EQ(actual, expected) check::equal(__FILE__, __LINE__, #actual, (actual), (expected))
#define EXPECT_OK(call) check::equal(__FILE__, __LINE__, #call, (call), 0)
#define EXPECT(condition) check::that(__FILE__, __LINE__, #condition, bool(condition))
#define EXPECT_MESSAGE(text) check::message_has(__FILE__, __LINE__, text)

int main(int count, char** names) { return check::run(count, names); }
