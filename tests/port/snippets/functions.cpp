// Overloads, templates and their specialisations, references, lambdas.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

const char* Name(int) { return "int"; }
const char* Name(double) { return "double"; }
const char* Name(float) { return "float"; }
const char* Name(unsigned) { return "unsigned"; }
const char* Name(int64_t) { return "long"; }
const char* Name(bool) { return "bool"; }
const char* Name(char) { return "char"; }
const char* Name(uint8_t) { return "byte"; }
const char* Name(const std::string&) { return "string"; }
const char* Name(const std::vector<float>&) { return "floats"; }
const char* Name(const std::vector<int>&) { return "ints"; }

const char* Kind(const float*) { return "float*"; }
const char* Kind(const int*) { return "int*"; }
const char* Kind(const char*) { return "text"; }

template <typename T>
const char* Label(T) {
  return "other";
}
template <>
const char* Label<float>(float) {
  return "float";
}
template <>
const char* Label<int64_t>(int64_t) {
  return "long";
}

template <typename T>
T Half(T value) {
  return value / 2;
}

template <typename T>
T Zero() {
  return T(1) / 2;
}
template <>
float Zero<float>() {
  return 0.75f;
}

template <typename T>
double Sum(const std::vector<T>& values) {
  T total = 0;
  for (const T& value : values) total += value;
  return total;
}

void Add(int& target, int amount = 10) { target += amount; }
void Change(std::vector<int>& v) { v[0] = 100; }
void Keep(std::vector<int> v) { v[0] = 200; }
uint8_t Narrow(int value) { return value; }
float Rounded(double value) { return value; }
int& Element(std::vector<int>& v, int i) { return v[i]; }
const char* Word(int) { return "whole"; }
const char* Word(double) { return "fraction"; }

struct Counter {
  int count = 0;
  uint8_t small = 255;
  void Step() {
    count++;
    small++;
  }
  float Scaled(float by) const { return count * by; }
};

// Methods that are templates, of which some are defined behind their class.
class Bytes {
 public:
  explicit Bytes(size_t size) : raw_(size, 0) {}
  template <typename T>
  T* As(size_t at) {
    return reinterpret_cast<T*>(raw_.data()) + at;
  }
  template <typename T>
  T Sum(T a, T b) const {
    return a + b;
  }
  size_t Count() const;
  template <typename T>
  void Put(size_t at, T value);

 private:
  std::vector<uint8_t> raw_;
};

size_t Bytes::Count() const { return raw_.size(); }

template <typename T>
void Bytes::Put(size_t at, T value) {
  *As<T>(at) = value;
}

void MethodTemplates() {
  Bytes bytes(16);
  bytes.Put<float>(1, 2.5f);
  bytes.Put(4, (int16_t)-3);
  Bytes* address = &bytes;
  printf("%g %d %zu\n", bytes.As<float>(0)[1], *address->As<int16_t>(4), bytes.Count());
  printf("%d %d %g\n", bytes.Sum<uint8_t>(200, 100), bytes.Sum(200, 100), bytes.Sum(0.5, 1.0));
}

int main() {
  uint8_t byte = 1;
  float x = 0.5f;
  std::vector<float> floats = {1, 2};
  std::vector<int> ints = {1, 2, 3};
  printf("%s %s %s %s %s\n", Name(1), Name(1.0), Name(1.0f), Name(1u), Name(1L));
  printf("%s %s %s %s\n", Name(true), Name('c'), Name(byte), Name(byte + 1));
  printf("%s %s %s\n", Name(std::string("s")), Name(floats), Name(ints));
  printf("%s %s %s %s\n", Name(x), Name(x * 2), Name(x * 2.0), Name(1 < 2));
  printf("%s %s\n", Name(sizeof(int) > 2 ? 1 : 2.0), Name(ints[0] * 1L));
  printf("%s %s %s %s\n", Kind(&x), Kind(ints.data()), Kind("c"), Kind(floats.data()));
  printf("%s %s\n", Word(x), Word('c'));
  printf("%s %s %s %s\n", Label(1), Label(1.0f), Label(1.0), Label(int64_t{3}));
  printf("%s %s\n", Label<float>(1), Label(x));
  printf("%d %.2f %.2f %d\n", Half(5), Half(5.0f), Half<double>(5), Half<int>(5.9));
  printf("%d %.2f %.2f\n", Zero<int>(), Zero<float>(), Zero<double>());
  printf("%.9f %.1f\n", Sum(std::vector<float>{0.1f, 0.2f, 0.3f}), Sum(ints));
  int n = 1;
  Add(n);
  Add(n, std::forward<int>(5));
  Change(ints);
  Keep(ints);
  printf("%d %d %d %.9f\n", n, ints[0], Narrow(300), Rounded(0.1));
  int& alias = ints[1];
  alias = 42;
  auto copy = ints[1];
  copy = 0;
  printf("%d\n", ints[1]);
  Counter counter;
  counter.Step();
  counter.Step();
  printf("%d %d %.2f\n", counter.count, counter.small, counter.Scaled(0.25f));
  int captured = 3;
  auto by_value = [captured](int a) { return captured + a; };
  auto by_reference = [&captured](int a) { captured += a; };
  auto as_float = [](double value) -> float { return value; };
  by_reference(4);
  printf("%d %d %.9f\n", by_value(1), captured, as_float(0.1));
  auto generic = [](auto a, auto b) { return a / b; };
  printf("%d %.3f\n", generic(7, 2), generic(7.0f, 2));
  std::function<int(int)> twice = [](int a) { return a * 2; };
  printf("%d\n", twice(21));
  switch (n % 3) {
    case 0:
      printf("zero\n");
      break;
    case 1:
      printf("one\n");
    default:
      printf("falls\n");
  }
  int turns = 0;
  for (unsigned u = 3; u < 4; u--) turns++;
  do {
    turns += 10;
  } while (turns < 25);
  printf("%d\n", turns);
#if defined(__cplusplus) && __cplusplus >= 201703L
  printf("new\n");
#elif __cplusplus
  printf("old\n");
#else
  printf("C\n");
#endif
#ifdef UNKNOWN
  printf("unknown\n");
#elif __cplusplus
  printf("C++\n");
#endif
  MethodTemplates();
  return 0;
}
