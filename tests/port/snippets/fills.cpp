// Loops that fill arrays, which the translator does at once: draws, elements of others, what
// repeats.
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
double Sum(const std::vector<T>& values) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); i++) sum += values[i] * (i % 7 + 1.0);
  return sum;
}

void Draws() {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> narrow(-1.0f, 3.0f);
  std::uniform_real_distribution<double> wide(-1.0, 3.0);
  std::normal_distribution<float> normal(1.0f, 2.0f);
  std::uniform_int_distribution<int> whole(-5, 99);
  std::vector<float> a(100), b(100), c(101);
  std::vector<double> d(100);
  std::vector<int> e(100);
  for (int i = 0; i < 100; i++) a[i] = narrow(generator);
  for (int i = 0; i < 100; i++) d[i] = wide(generator);
  for (int i = 0; i < 101; i++) c[i] = normal(generator);
  for (int i = 0; i < 100; i++) e[i] = whole(generator);
  printf("%.17g %.17g %.17g %.17g\n", Sum(a), Sum(d), Sum(c), Sum(e));
  // Two draws in a turn take turns, and what fails after a draw gives the number back.
  for (int i = 0; i < 70; i++) {
    b[i] = narrow(generator);
    c[i] = b[i] * narrow(generator);
  }
  for (int i = 0; i < 70; i++) d[i] = wide(generator) * i / (i - 200);
  std::vector<int> index(70);
  for (int i = 0; i < 70; i++) index[i] = (i * 3 - 100) / 7 + whole(generator);
  printf("%.17g %.17g %.17g %.17g\n", Sum(b), Sum(c), Sum(d), Sum(index));
  printf("%.9g\n", narrow(generator));
  printf("%.9g\n", normal(generator));
  printf("%.17g\n", wide(generator));
}

void Elements() {
  std::vector<float> a(100), b(100);
  std::vector<int> e(100);
  std::vector<uint16_t> bits(100);
  for (int i = 0; i < 100; i++) e[i] = 99 - i * 3;
  for (int i = 0; i < 100; i++) a[i] = e[i] * 0.25f;
  for (int i = 0; i < 100; i++) b[i] = -a[i] * 2.5f + e[99 - i];
  for (int i = 0; i < 100; i++) bits[i] = static_cast<uint16_t>(static_cast<int16_t>(a[i] * 100));
  for (int i = 1; i < 100; i++) a[i] = a[i - 1] + 1;  // what the turn before has written
  for (int i = 0; i < 99; i++) e[i + 1] = e[i] - 2;
  for (int i = 0; i < 100; i++) {
    e[i] = i;
    b[i] = b[i] + e[99 - i];
  }
  printf("%.17g %.17g %.17g %.17g\n", Sum(a), Sum(b), Sum(e), Sum(bits));
}

// Arrays that their own length goes into, cast to a type by its name as if it were a function.
using Byte = int8_t;

void Lengths() {
  std::vector<Byte> a(1 << 12);
  std::vector<float> b(300), c;
  for (size_t i = 0; i < a.size(); i++) a[i] = (Byte)(static_cast<int>(i) - (int)a.size() / 2);
  for (int i = 0; i < 300; i++) b[i] = (float)(i * 2) / b.size();
  for (int i = 0; i < 300; i++) c.push_back(i + c.size());
  for (int i = 0; i < 300; i++) b[i] = Byte(i / 3) + b[i] * int16_t(7);
  printf("%.17g %.17g %.17g\n", Sum(a), Sum(b), Sum(c));
}

// More than is kept but for its pattern, as long as it has one.
void Large() {
  std::vector<float> ones(3 << 20, 1.5f);
  std::vector<int8_t> zeros(9 << 20);
  std::vector<float> copy(ones.begin(), ones.end());
  std::vector<float> other = ones;
  other[5] = 2;
  other.resize(100);
  std::vector<int16_t> grown(3 << 20, 258);
  grown.resize(4 << 20, 7);
  std::vector<int16_t> shrunk(4 << 20, 258);
  shrunk.resize(3 << 20);
  shrunk.push_back(-1);
  printf("%g %g %g %d\n", ones[5], other[5], copy[(3 << 20) - 1], zeros[77]);
  printf("%zu %d %d\n", grown.size(), grown[5], grown.back());
  printf("%zu %d %d\n", shrunk.size(), shrunk[5], shrunk.back());
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(shrunk.data());
  printf("%d %d\n", bytes[2], bytes[3]);

  void* address = nullptr;
  aclrtMalloc(&address, ones.size() * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, ones.size() * 4, ones.data(), ones.size() * 4, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {3 << 10, 1 << 10}, strides[] = {1 << 10, 1};
  aclTensor* tensor =
      aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 2, address);
  std::vector<float> out(1000);
  aclrtMemcpy(out.data(), 4000, address, 4000, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("%g %g\n", out[0], out[999]);
  aclDestroyTensor(tensor);
  aclrtFree(address);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  Draws();
  Elements();
  Lengths();
  Large();
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
