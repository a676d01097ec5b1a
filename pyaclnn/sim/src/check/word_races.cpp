// SPDX-License-Identifier: MIT
#include "check/word_races.hpp"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaclnn::sim::races {
namespace {

struct Write {
  std::uint64_t value;
  MomentRef moment;
};

struct Wait {
  std::function<bool(std::uint64_t)> holds;
  MomentRef promised;
};

/// What was submitted about one word.
struct Word {
  std::vector<Write> writes;
  std::vector<Wait> waits;  // of which no write was submitted yet
};

struct Words {
  std::mutex mutex;
  std::map<const void*, Word> at;
};

Words& words() {
  static Words& words = *new Words;
  return words;
}

// More writes to one word than programs leave unwaited for.
constexpr std::size_t kMostWrites = 64;

}  // namespace

void word_written(Stream& stream, const void* address, std::uint64_t value) {
  Words& all = words();
  std::lock_guard<std::mutex> guard(all.mutex);
  Word& word = all.at[address];
  if (word.writes.size() == kMostWrites) word.writes.erase(word.writes.begin());
  word.writes.push_back({value, mark(stream)});
  for (auto wait = word.waits.begin(); wait != word.waits.end();) {
    if (!wait->holds(value)) {
      ++wait;
      continue;
    }
    mark(stream, wait->promised);
    wait = word.waits.erase(wait);
  }
}

void word_awaited(Stream& stream, const void* address, std::function<bool(std::uint64_t)> holds) {
  Words& all = words();
  std::lock_guard<std::mutex> guard(all.mutex);
  Word& word = all.at[address];
  bool written = false;
  for (const Write& write : word.writes) {
    wait(stream, write.moment);
    written = written || holds(write.value);
  }
  if (!written) word.waits.push_back({std::move(holds), wait_for_next(stream, nullptr)});
}

}  // namespace pyaclnn::sim::races
