// Unions, and objects that are made of bytes.
#include <cstdint>
#include <cstdio>
#include <vector>
union Bits {
  float f;
  uint32_t u;
  uint8_t b[4];
};
struct Table {
  uint32_t head;
  uint16_t small[3];
  double wide;
  int8_t grid[2][3];
};
struct Outer {
  Table table;
  int32_t tail[2];
};
static void dump(void* data) {
  Table* table = (Table*)data;
  printf("%u %d %g %d\n", table->head, table->small[1], table->wide, table->grid[1][2]);
  table->head += 5;
}
using Wide = int64_t;
int main() {
  std::vector<int32_t> counts = {3, -4};
  printf("%d %ld\n", (int)(counts[1]) * 2, (Wide)(counts[0]) << 40);
  Bits bits;
  bits.f = 1.5f;
  printf("%08x %d\n", bits.u, bits.b[3]);
  bits.u = 0x40490fdb;
  printf("%.6f\n", bits.f);
  union {
    uint32_t i;
    float f;
  } u;
  u.i = (uint32_t)0x3fc0 << 16;
  printf("%f\n", u.f);
  Bits second = bits;
  second.u = 0;
  printf("%f %f %zu\n", second.f, bits.f, sizeof(Bits));
  std::vector<uint8_t> raw(3 * sizeof(Table));
  for (size_t i = 0; i < raw.size(); i++) raw[i] = (uint8_t)(i % 7);
  Table* tables = reinterpret_cast<Table*>(raw.data());
  tables[1].wide = 2.5;
  tables[1].grid[1][2] = -4;
  tables[1].small[1] = 77;
  tables[1].head = 9;
  dump(raw.data() + sizeof(Table));
  Table copy = tables[1];
  copy.head = 1;
  printf("%u %u %zu\n", tables[1].head, copy.head, sizeof(Outer));
  Outer* outer = (Outer*)raw.data();
  outer->tail[1] = 12;
  outer->table.head = 3;
  printf("%d %u\n", outer->tail[1], tables->head);
  return 0;
}
