// Sets, and what it means to copy a container.
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

void Found() {
  std::map<std::string, int> ages = {{"ada", 36}, {"alan", 41}};
  auto it = ages.find("ada");
  if (it != ages.end()) it->second++;
  printf("%s %d\n", it->first.c_str(), ages["ada"]);
  printf("%d %d\n", ages.find("grace") == ages.end(), ages.find("alan") == ages.end());
  ages.erase(it);
  printf("%d %d %d\n", (int)ages.size(), (int)ages.erase("nobody"), (int)ages.count("ada"));
}

int main() {
  std::unordered_set<int16_t> ranks{0, 1, /* 2, */ 6, 7, 1};
  uint32_t wanted = 6;
  if (ranks.find(wanted) != ranks.end()) {
    printf("%u is there, of %zu\n", wanted, ranks.size());
  }
  printf("%d %d\n", int(ranks.count(2)), int(ranks.find(65536 + 7) == ranks.end()));

  std::vector<int> numbers = {5, 3, 5, 9};
  std::set<int> ordered(numbers.begin(), numbers.end());
  std::set<int> other = ordered;
  ordered.insert(4);
  ordered.erase(9);
  for (int value : ordered) {
    printf("%d ", value);
  }
  printf("| %zu %d\n", other.size(), *other.find(9));
  std::set<std::string> words;
  words.insert("b");
  words.insert("a");
  for (const auto& word : words) {
    printf("%s ", word.c_str());
  }
  words.clear();
  printf("%d\n", int(words.empty()));

  std::map<int, std::vector<int>> rows = {{1, {1, 2}}};
  auto copy = rows;
  copy[1][0] = 7;
  copy[2] = {3};
  std::map<int, std::vector<int>> assigned;
  assigned = rows;
  assigned[1].push_back(8);
  printf("%d %zu %zu %zu\n", rows[1][0], rows.size(), rows[1].size(), assigned[1].size());
  std::pair<int, float> first{1, 0.5f};
  auto second = first;
  second.first = 9;
  std::pair<int, float> third;
  third = first;
  third.second = 2;
  printf("%d %g %d %g\n", first.first, first.second, second.first, third.second);

  printf(
      "%s \
joined %d\n",
      "a line", 3);
  std::vector<uint8_t> bytes(3, 1);
  uint8_t* kept = bytes.data();
  for (auto& byte : bytes) {
    byte = 7;
  }
  for (auto byte : bytes) byte = 9;
  printf("%d %d %zu\n", kept[0], bytes[2], bytes.size());
  Found();
  return 0;
}
