// throw, try and catch; structs within structs; bytes that are compared; the environment.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

struct Noisy {
  int number;
  ~Noisy() { printf("~%d\n", number); }
};

struct Failure {
  int code;
  std::string text;
};

static int Half(int value) {
  Noisy noisy{value};
  if (value % 2) throw std::invalid_argument("odd");
  if (value < 0) throw Failure{value, "negative"};
  return value / 2;
}

static void Tried(int value) {
  try {
    Noisy outer{100};
    printf("half %d\n", Half(value));
  } catch (const std::runtime_error& error) {
    printf("not this: %s\n", error.what());
  } catch (const std::logic_error& error) {
    printf("logic: %s\n", error.what());
  } catch (const Failure& failure) {
    printf("%d %s\n", failure.code, failure.text.c_str());
  }
}

static void Again() {
  try {
    for (int i = 0; i < 3; i++) {
      try {
        if (i == 1) throw 5;
        printf("turn %d\n", i);
      } catch (long) {
        printf("not this\n");
      } catch (...) {
        printf("anything\n");
        throw;
      }
    }
  } catch (int code) {
    printf("int %d\n", code);
  }
}

struct Outer {
  struct Inner {
    int32_t a;
    float b;
  };
  Inner inner;
  struct {
    int32_t d;
  } unnamed;
  int32_t c;
};

static void Structs() {
  Outer outer = {};
  outer.inner.b = 2.5f;
  outer.unnamed.d = 3;
  outer.c = 4;
  Outer copy = outer;
  copy.inner.a = 7;
  printf("%d %g %d %d %d\n", outer.inner.a, outer.inner.b, outer.unnamed.d, outer.c, copy.inner.a);
}

static const std::vector<int64_t>& Longer(const std::vector<int64_t>& a,
                                          const std::vector<int64_t>& b) {
  return a.size() > b.size() ? a : b;
}

static void Bytes() {
  int p[3] = {1, 2, 3}, q[3] = {1, 2, 4};
  printf("%d %d %d\n", memcmp(p, q, 8) == 0, memcmp(p, q, 12) < 0, memcmp(q, p, 12) > 0);
  void* address = nullptr;
  aclrtMalloc(&address, 12, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, 12, p, 12, ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {3}, strides[] = {1};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, ACL_INT32, strides, 0, ACL_FORMAT_ND, shape, 1, address);
  int out[3];
  aclrtMemcpy(out, 12, address, 12, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("%s\n", memcmp(out, p, sizeof(p)) == 0 ? "same" : "other");
  bool equal = memcmp(out, q, sizeof(q)) == 0;
  printf("%d\n", equal);
  aclDestroyTensor(tensor);
  aclrtFree(address);
}

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  Tried(8);
  Tried(7);
  Tried(-4);
  Again();
  Structs();
  Bytes();
  std::vector<int64_t> small{1, 2}, large{1, 2, 3};
  const auto& longer = Longer(small, large);
  printf("%zu\n", longer.size());
  const char* there = std::getenv("PYACLNN_SNIPPET_VARIABLE");
  printf("%s\n", there ? there : "none");
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
