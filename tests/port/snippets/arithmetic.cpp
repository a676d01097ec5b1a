// Types of expressions: promotions, widths, wrap-around, rounding, conversions.
#include <array>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

enum Colour { RED, GREEN = 5, BLUE };
enum class Small : uint8_t { FIRST = 250, SECOND };

struct Mixed {
  char tag;
  double value;
  int16_t count;
};

struct Packed {
  int32_t rows[3];
  float scale;
  bool flag;
};

void Widths() {
  uint8_t small = 200;
  small += 100;
  int8_t wrapped = 127;
  wrapped++;
  uint16_t word = 65535;
  word += 2;
  int16_t cut = static_cast<int16_t>(70000);
  uint32_t bits = 0;
  bits--;
  uint64_t large = 0;
  large -= 1;
  printf("%d %d %d %d %u %lu\n", small, wrapped, word, cut, bits, large);
  printf("%d %d %d\n", 0u - 1 > 5, -1 < 5u, -1 < 5l);
  printf("%u %d %lu\n", ~0u, ~0, ~0ul);
  uint8_t a = 250, b = 10;
  printf("%d %d %d\n", a + b, a - b - 250, static_cast<uint8_t>(a + b));
  printf("%d %d\n", static_cast<int8_t>(200), static_cast<uint8_t>(-1));
  printf("%ld %lu\n", 1l << 40, 1ul << 63);
  printf("%d %d %d\n", -7 / 2, -7 % 2, 7 % -2);
  printf("%d %d %u\n", 1 << 4, -16 >> 2, 0xF0000000u >> 28);
  printf("%d %u\n", 0x7fffffff, 0xffffffff);
  printf("%d\n", 'a' + 1);
  printf("%d %d\n", true + true, !5);
  printf("%d %d %d\n", 6 & 3, 6 | 3, 6 ^ 3);
  printf("%zu %zu %zu\n", sizeof(0xffffffff), sizeof(4294967296), sizeof(1u + 1l));
  std::vector<int> v = {1, 2};
  printf("%d %zu\n", v.size() - 3 > 5, v.size() - 1);
  int i = 5;
  i = i++ + 2;
  printf("%d %d\n", i, -i);
  printf("%lu\n", -1 + sizeof(int));
  int64_t product = static_cast<int64_t>(100000) * 100000;
  printf("%ld\n", product);
  printf("%d %d\n", GREEN + 1, BLUE);
  printf("%d %zu\n", static_cast<int>(Small::SECOND), sizeof(Small));
  printf("%d\n", INT_MAX == std::numeric_limits<int32_t>::max());
  printf("%u %lu\n", UINT_MAX, static_cast<unsigned long>(UINT32_MAX) + 1);
  bool flag = 7;
  printf("%d %d\n", flag, static_cast<bool>(0.5));
}

void Fractions() {
  float sum = 0;
  for (int i = 0; i < 10; i++) sum += 0.1f;
  printf("%.9f\n", sum);
  double wide = 0;
  for (int i = 0; i < 10; i++) wide += 0.1f;
  printf("%.9f\n", wide);
  float third = 1.0f / 3;
  printf("%.9f %.9f %.9f\n", third, third * 3, third * 0.1);
  printf("%.9f %.9f\n", 1 / 3.0f, 1 / 3.0);
  float big = 16777216.0f;
  printf("%.1f %.1f %d\n", big + 1.0f, big + 1.0, big + 1.0f == big);
  printf("%d %d\n", static_cast<int>(2.9f), static_cast<int>(-2.9));
  printf("%d %d\n", 0.1f == 0.1, 0.5f == 0.5);
  int count = 3;
  printf("%.6f %d\n", count / 2 * 1.0, static_cast<int>(count * 0.5f));
  float mixed = 0;
  mixed += 0.1;
  mixed *= 3;
  printf("%.9f\n", mixed);
  printf("%.9f\n", static_cast<float>(0.1) + 0.2);
  int64_t exact = 16777217;
  printf("%.1f %.1f\n", static_cast<float>(exact), static_cast<double>(exact));
  printf("%.9f %.9f\n", count > 2 ? 0.1f : 0.2, count > 2 ? 1 : 0.5);
  printf("%e %g\n", std::numeric_limits<float>::max(), std::numeric_limits<double>::epsilon());
  auto half = 0.1f;
  printf("%zu %.9f\n", sizeof(half * 2), half * 2);
  printf("%zu %zu\n", sizeof(half * 2.0), sizeof(half + 1l));
  printf("%f %f %f\n", 1.0 / 0.0, -1.0f / 0.0f, 0x1.8p1);
}

template <int64_t N>
struct Unused {};

void Sizes() {
  constexpr int64_t N = 4;
  std::array<float, 2 * N> twice;
  std::array<int32_t, sizeof(double) / 2> fourth;
  printf("%zu %zu %zu\n", twice.size(), sizeof(twice), fourth.size());
  int32_t grid[3][2 * N];
  printf("%zu %zu %zu\n", sizeof(grid), sizeof(grid[0]), sizeof(grid) / sizeof(grid[0][0]));
  printf("%zu %zu\n", sizeof(Mixed), sizeof(Packed));
  printf("%zu %zu %zu\n", sizeof(char), sizeof("text"), sizeof(bool));
  printf("%zu %zu\n", sizeof('a' + 1), sizeof(short));
  Mixed one;
  printf("%zu %zu\n", sizeof(one), sizeof(one.count));
  float values[] = {1, 2, 3};
  printf("%zu\n", sizeof(values) / sizeof(values[0]));
  float* pointer = values;
  printf("%zu %zu\n", sizeof(pointer), sizeof(*pointer));
}

// The same in a short and in a long loop.
void Loops() {
  std::vector<float> few(10), many(100);
  for (int i = 0; i < 10; i++) few[i] = i * 0.1f + 0.7;
  for (int i = 0; i < 100; i++) many[i] = i * 0.1f + 0.7;
  printf("%.9f %.9f\n", few[9], many[9]);
  std::vector<uint8_t> bytes(10), long_bytes(300);
  for (size_t i = 0; i < 10; i++) bytes[i] = i * 37 - 5;
  for (size_t i = 0; i < 300; i++) long_bytes[i] = i * 37 - 5;
  printf("%d %d %d\n", bytes[9], long_bytes[9], long_bytes[299]);
  std::vector<int32_t> signs(200);
  for (int i = 0; i < 200; i++) signs[i] = (i - 100) / 7 + (i - 100) % 7;
  printf("%d %d\n", signs[3], signs[150]);
  std::vector<double> wide(100);
  for (int i = 0; i < 100; i++) wide[i] = i / 7 + i / 7.0f;
  printf("%.9f\n", wide[99]);
  std::vector<int64_t> shifted(70);
  for (unsigned i = 0; i < 70; i++) shifted[i] = 3 - i;
  printf("%ld\n", shifted[69]);
  float total = 0;
  for (int i = 0; i < 100; i++) total += many[i];
  printf("%.6f\n", total);
}

int Twice(int n) { return 2 * n; }

int main() {
  Widths();
  Fractions();
  Sizes();
  Loops();
  // Products that read as casts to functions.
  {
    int a = 3, b = 4, c = 5;
    unsigned char d = 7;
    printf("%d %d %d\n", (a * (b * c)) - 1, (a & (b * c)) + 2 * a, (a * (b)) - c * b);
    printf("%d %d\n", (int)(a * (b * c)) - 1, 2 * (a * (b & c)) - a * (b * (c * a)) - 1);
    int e = (d & (d * d)) - a, f = (a * (b * (c * a)) - 1) - (a * (b)) * c;
    printf("%d %d\n", e, f);
    printf("%d %d\n", (a * (b * (c))) - 1, (a * (b * (c), b)) - (e * (f & (a))) * 2);
    int (*power)(int) = (int (*)(int))Twice;
    printf("%d\n", (power)(a)-1);
  }
  return 0;
}
