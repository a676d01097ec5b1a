// What a run decides: helpers that return early, switches, maps, and labels.
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
std::vector<T> OnDevice(const std::vector<T>& host, aclDataType type) {
  void* address = nullptr;
  size_t size = host.size() * sizeof(T);
  aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())};
  int64_t stride[] = {1};
  aclTensor* tensor = aclCreateTensor(shape, 1, type, stride, 0, ACL_FORMAT_ND, shape, 1, address);
  std::vector<T> out(host.size());
  aclrtMemcpy(out.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  return out;
}

using Floats = std::vector<float>;

static int total = 0;

struct Noisy {
  ~Noisy() { printf("gone "); }
};

int Find(const Floats& values, float wanted) {
  for (int i = 0; i < (int)values.size(); i++) {
    if (values[i] == wanted) return i;
  }
  return -1;
}

int FindInRange(const Floats& values, float wanted) {
  int i = 0;
  for (auto value : values) {
    if (value == wanted) return i;
    i++;
  }
  return -1;
}

bool Any(const Floats& values) {
  for (float value : values)
    if (value > 6) return true;
  return false;
}

bool All(const Floats& values) {
  for (float value : values)
    if (value > 6) return false;
  return true;
}

int Sign(float x) {
  if (x > 0) return 1;
  if (x < 0) return -1;
  return 0;
}

float Clamped(float x) {
  float r = x;
  r *= 2;
  if (r > 6) return 6;
  r += 1;
  printf("%g\n", r);
  return r;
}

void Show(float x) {
  if (x > 0) return;
  printf("negative %g\n", x);
  if (x < -6) {
    printf("far\n");
    return;
  }
  printf("near\n");
}

const char* Name(float x) {
  if (x > 0) return "positive";
  return "negative";
}

int Steps(const Floats& values) {
  int i = 0;
  int steps = 0;
  while (i < 4) {
    if (values[i] > 5) return steps;
    steps += 2;
    i++;
  }
  return steps;
}

int Nested(const Floats& values) {
  if (values[0] < 0) {
    if (values[1] > 0) return 5;
    printf("inner\n");
  } else {
    return 2;
  }
  return 7;
}

float Pushed(const Floats& values) {
  Floats made;
  if (values[3] > 50) return 1;
  made.push_back(values[0]);
  made.push_back(2);
  return made[0] + made[1];
}

int Case(float x) {
  switch ((int)x) {
    case 7:
      return 1;
    case -5:
      return 2;
    default:
      return 3;
  }
}

int Destroyed(float x) {
  if (x > 0) return 1;
  Noisy noisy;
  return 2;
}

int Recursive(int n, float x) {
  if (x > n) return n;
  if (n > 5) return -7;
  return Recursive(n + 1, x);
}

int Counting(float x, int& times) {
  if (x > 0) return 1;
  total += 2;
  times += 3;
  return 2;
}

void Leave(const Floats& values) {
  int at = -1;
  for (int i = 0; i < 4; i++) {
    if (values[i] > 0) {
      at = i;
      break;
    }
    printf("not at %d\n", i);
  }
  int count = 0;
  for (float value : values) {
    if (value > 0) break;
    count++;
  }
  int all = 0;
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 4; i++) {
      if (values[i] > j * 3) break;
      all++;
    }
    all += 10;
  }
  int rest = 0;
  for (float value : values) {
    if (value > 5) {
      rest += 3;
      continue;
    } else if (value < -6) {
      continue;
    }
    rest++;
  }
  printf("%d %d %d %d\n", at, count, all, rest);
}

int Inner(const Floats& values) {
  int x = 1;
  if (values[3] < 0) {
    if (values[0] > 0) return 9;
    x = 5;
  }
  for (int i = 0; i < 3; i++) {
    if (values[i] > 4) return x;
    x += i;
  }
  if (values[1] < 0) x += 7;
  return x;
}

int Labelled(int n) {
  int r = 0;
  for (int i = 0; i < 5; i++) {
    if (i == n) goto fail;
    r += i;
  }
again:
  r += 10;
  if (r < 40) goto again;
  printf("fine %d\n", r);
  goto done;
fail:
  printf("failed %d\n", r);
done:
  return r;
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  auto a = OnDevice(Floats{-10, -5, 0.1f, 7}, ACL_FLOAT);
  auto n = OnDevice(std::vector<int32_t>{-7, 300, -70000, 1467753208}, ACL_INT32);
  auto b = OnDevice(std::vector<int8_t>{3, -1}, ACL_INT8);

  printf("%d %d %d %d\n", Find(a, 7), Find(a, 3), FindInRange(a, -10), FindInRange(a, 3));
  if (Find(a, -5) >= 0) printf("found\n");
  printf("%d %d\n", Any(a), All(a));
  if (All(a)) {
    printf("all\n");
  } else {
    printf("not all\n");
  }
  printf("%d %d %d\n", Sign(a[0]), Sign(a[3]), Sign(0 * a[1]));
  float low = Clamped(a[2]);
  float high = Clamped(a[3]);
  printf("%g %g\n", low, high);
  for (float x : a) Show(x);
  printf("%s %s %d %d %g\n", Name(a[0]), Name(a[3]), Steps(a), Nested(a), Pushed(a));
  printf("%d %d %d\n", Case(a[3]), Case(a[1]), Case(a[0]));
  int left = Destroyed(a[3]);
  int gone = Destroyed(a[0]);
  printf("%d %d %d\n", left, gone, Recursive(0, a[3]));
  int times = 1;
  int counted = Counting(a[0], times);
  counted += Counting(a[3], times);
  printf("%d %d %d\n", counted, times, total);

  for (int i = 0; i < 4; i++) {
    switch ((int)a[i]) {
      case 7:
      case 0:
        printf("A\n");
      case 4:
        printf("B\n");
        break;
      case -5:
        printf("C\n");
        break;
      default:
        printf("D\n");
    }
  }
  std::map<std::string, float> map;
  map["first one"] = a[0] * 2;
  map["b"] += a[1];
  map["b"] *= a[1];
  for (auto& entry : map) entry.second += 1;
  if (a[2] > 0) map["b"] = 3;
  for (auto& [key, value] : map) printf("%s %g\n", key.c_str(), value);

  std::pair<int, float> pair{1, a[1]};
  pair.second += a[2];
  auto other = pair;
  other.second *= 2;
  if (a[0] < 0) pair.first = 4;
  printf("%d %g %g\n", pair.first, pair.second, other.second);

  uint16_t shifted = (n[3] & 15) << 7;
  int8_t truth = 0u - (b[1] < b[0]);
  printf("%d %d %d %u\n", shifted, truth, (n[0] & 255) << 4, (uint32_t)n[2] << 3);
  int failed = Labelled(3);
  int fine = Labelled(9);
  printf("%d %d %d\n", failed, fine, Inner(a));
  Leave(a);
  return 0;
}
