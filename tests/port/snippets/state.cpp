// What a program remembers: statics, closures, moved objects, destructors, bits of fields.
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

static int Next() {
  static int count;
  return count++;
}

static std::vector<float>& Shared() {
  static std::vector<float> values;
  return values;
}

struct Counted {
  static int made;
  int number;
  Counted() { number = ++made; }
};
int Counted::made = 0;

struct Loud {
  const char* name;
  explicit Loud(const char* n) : name(n) {}
  ~Loud() { printf("~%s ", name); }
};

struct Bits {
  unsigned low : 3;
  unsigned high : 5;
  int sign : 4;
};

struct Layout {
  int8_t a;
  int64_t b;
  int16_t c;
};

struct Setter {
  int value = 0;
  void set(int v) { value = v; }
  void set(const std::string& v) { value = -static_cast<int>(v.size()); }
  int get() { return value; }
  int get() const { return value; }
};

int main() {
  printf("%d", Next());
  printf(" %d", Next());
  printf(" %d\n", Next());
  Shared().push_back(2);
  Shared().push_back(3);
  printf("%zu %g\n", Shared().size(), Shared()[1]);
  Counted first, second;
  printf("%d %d %d\n", first.number, second.number, Counted::made);

  int start = 0;
  auto next = [start]() mutable { return start++; };
  printf("%d ", next());
  printf("%d ", next());
  auto other = next;
  printf("%d ", other());
  printf("%d %d\n", next(), start);

  std::vector<int> source = {1, 2};
  auto taken = std::move(source);
  std::string text = "words";
  std::string words = std::move(text);
  printf("%zu %zu %zu %s\n", source.size(), taken.size(), text.size(), words.c_str());

  std::map<int, float> map = {{1, 1.f}, {2, 2.f}};
  for (auto& entry : map) entry.second *= 3;
  for (auto [key, value] : map) value += key;
  map[5] += 2;
  for (auto& [key, value] : map) printf("%d:%g ", key, value);
  printf("\n");

  {
    Loud outer("outer");
    {
      Loud inner("inner");
    }
    std::vector<Loud*> held;
    held.push_back(new Loud("held"));
    delete held[0];
  }
  printf("\n");

  Bits bits = {9 & 7, 31, -3};
  bits.low += 7;
  printf("%u %u %d\n", bits.low, bits.high, bits.sign);
  int array[] = {1, 2, 3};
  printf("%zu %zu %zu %zu\n", sizeof(Layout), sizeof(int[5]), sizeof(short[2][3]),
         sizeof(array) / sizeof(*array));
  Setter setter;
  setter.set(4);
  printf("%d ", setter.get());
  setter.set(std::string("abc"));
  printf("%d\n", setter.get());

  std::mt19937 generator(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::normal_distribution<float> normal(0, 1);
  float a = uniform(generator);
  float b = normal(generator);
  printf("%.9g %.9g\n", a, b);
  return 0;
}
