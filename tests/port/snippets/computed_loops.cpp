// Long loops that fill arrays by more than one statement.
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

static int16_t scaled(int value, uint8_t by) {
  const int wide = value * by;
  return static_cast<int16_t>(wide >> 1);
}

static int64_t factorial(int64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

template <typename T>
static uint64_t sum(const std::vector<T>& values) {
  uint64_t total = 0;
  for (size_t i = 0; i < values.size(); i += 7) {
    total = total * 31 + static_cast<uint64_t>(static_cast<int64_t>(values[i]));
  }
  return total;
}

int main() {
  auto pack = [](int8_t low, int8_t high) -> int8_t {
    uint8_t lowNibble = static_cast<uint8_t>(low) & 0x0F;
    uint8_t highNibble = (static_cast<uint8_t>(high) & 0x0F) << 4;
    return static_cast<int8_t>(highNibble | lowNibble);
  };
  std::vector<int8_t> packed(300);
  for (int64_t i = 0; i < 300; ++i) {
    int64_t first = 2 * i;
    int64_t second = first + 1;
    int8_t low = static_cast<int8_t>(first % 8);
    int8_t high = static_cast<int8_t>(7 - (second % 16));
    packed[i] = pack(low, high);
  }
  printf("%llu %d\n", (unsigned long long)sum(packed), packed[299]);

  std::mt19937 engine(5);
  std::vector<uint16_t> words(200);
  for (int i = 0; i < 200; i++) {
    int sign = (engine() % 2) ? 0x8000 : 0;
    int exponent = 0x3F00 + (engine() % 2);
    int fraction = engine() % 128;
    words[i] = sign | exponent | fraction;
  }
  printf("%llu %u %lu\n", (unsigned long long)sum(words), words[199], (unsigned long)engine());

  std::vector<float> steps(150);
  std::vector<int16_t> shorts(150);
  for (int i = 0; i < 150; i++) {
    float half = i / 2.0f;
    steps[i] = i % 3 == 0 ? half : -half * 0.1f;
    shorts[i] = scaled(i, 300);
  }
  printf("%.9g %.9g %llu\n", steps[149], steps[147], (unsigned long long)sum(shorts));

  std::vector<int> turns(100);
  for (int i = 0; i < 100; i++) {
    int before = i > 0 ? turns[i > 0 ? i - 1 : 0] : 1;
    turns[i] = (before * 3 + i) % 1000;
  }
  printf("%d %d\n", turns[50], turns[99]);
  auto halved = [](int value) { return value / 2; };
  std::vector<int64_t> products(80), mixed(80);
  for (int i = 0; i < 80; i++) {
    products[i] = factorial(i % 12);
    mixed[i] = halved(i);
    turns[i] = engine() % 10;
  }
  printf("%llu %llu %d\n", (unsigned long long)sum(products), (unsigned long long)sum(mixed),
         turns[79]);
  std::uniform_int_distribution<int> dice(1, 6);
  std::vector<int> thrown(90), again(90);
  for (int i = 0; i < 90; i++) {
    thrown[i] = dice(engine);
    again[i] = dice(engine) * 10;
  }
  printf("%llu %llu\n", (unsigned long long)sum(thrown), (unsigned long long)sum(again));
  return 0;
}
