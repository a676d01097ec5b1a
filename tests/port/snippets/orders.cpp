// Orders of numbers: sorted results, shuffled ones, and iterators that go backwards.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
std::vector<T> OnDevice(const std::vector<T>& host, aclDataType type) {
  void* address = nullptr;
  size_t bytes = host.size() * sizeof(T);
  aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())}, strides[] = {1};
  aclTensor* tensor = aclCreateTensor(shape, 1, type, strides, 0, ACL_FORMAT_ND, shape, 1, address);
  std::vector<T> out(host.size());
  aclrtMemcpy(out.data(), bytes, address, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  aclrtFree(address);
  return out;
}

template <typename T>
void Show(const std::vector<T>& values) {
  for (const auto& value : values) std::cout << value << " ";
  std::cout << "\n";
}

template <typename Engine>
void Shuffle(size_t count, Engine engine) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  std::shuffle(values.begin(), values.end(), engine);
  for (size_t i = 0; i < count && i < 12; i++) printf("%d ", values[i]);
  printf("%d\n", (int)engine() % 7);
}

// Engines and distributions are copied with their state.
void Draw(std::mt19937 engine, std::mt19937& same) {
  std::mt19937 third = engine;
  unsigned long a = engine(), b = same(), c = third();
  printf("%lu %lu %lu\n", a, b, c);
}

void Copies() {
  std::mt19937 engine(7);
  engine();
  Draw(engine, engine);
  Draw(engine, engine);
  std::normal_distribution<float> normal(0.0f, 1.0f);
  normal(engine);
  auto other = normal;
  std::mt19937 twin(engine);
  printf("%.6f\n", normal(engine));
  printf("%.6f\n", other(twin));
  auto draw = [engine]() mutable { return (unsigned long)engine(); };
  printf("%lu\n", draw());
  printf("%lu\n", draw());
  printf("%lu\n", (unsigned long)engine());
  std::mt19937 fresh(11);
  printf("%.6f\n", std::uniform_real_distribution<float>(-1.0f, 1.0f)(fresh));
  printf("%d\n", std::uniform_int_distribution<int>(0, 99)(fresh));
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto r = OnDevice<int32_t>({7, -300, 70000, 7, -2147483647}, ACL_INT32);
  auto f = OnDevice<float>({0.1f, -2.75f, 1e9f, 3.5f, 0.0f, 2.0f}, ACL_FLOAT);
  auto u = OnDevice<uint8_t>({3, 200, 100, 0}, ACL_UINT8);
  std::sort(f.begin() + 1, f.end() - 1);
  Show(f);
  std::sort(r.rbegin(), r.rend());
  Show(r);
  r[0]--;
  printf("%d %d\n", r[0], r[0] + r[1]);
  std::stable_sort(std::begin(u), std::end(u));
  printf("%d %d\n", u[0], u[3] * 2);
  std::sort(u.rbegin() + 1, u.rend());
  printf("%d %d %d %d\n", u[0], u[1], u[2], u[3]);

  std::vector<int> known = {3, 1, 2, 5, 4};
  std::sort(known.rbegin(), known.rend() - 1);
  Show(known);
  for (auto it = known.rbegin(); it != known.rend(); ++it) printf("%d ", *it);
  printf("%d\n",
         std::accumulate(known.rbegin(), known.rend(), 10, [](int a, int b) { return 2 * a - b; }));
  *known.rbegin() = 9;
  printf("%d %d\n", known.back(), (int)(known.rend() - known.rbegin()));
  printf("%d\n", known.rbegin() < known.rend());
  printf("%d %d\n", *std::crbegin(known),
         (int)std::distance(std::crbegin(known), std::crend(known)));
  printf("%d %d\n", *std::rbegin(known), std::rend(known) == known.rend());

  for (size_t count : {0, 1, 2, 3, 5, 8, 33}) Shuffle(count, std::mt19937(count));
  Shuffle(70000, std::mt19937(3));
  Shuffle(10, std::minstd_rand(4));
  Shuffle(11, std::mt19937_64(5));
  Copies();
  return 0;
}
