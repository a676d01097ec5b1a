// std::cout and printf: what is written of each type.
#include <complex>
#include <cstdint>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

int main() {
  uint8_t u8 = 65;
  int8_t i8 = 66;
  uint16_t u16 = 67;
  char c = 'D';
  bool b = true;
  float f = 0.1f;
  double d = 0.1;
  std::vector<uint8_t> bytes = {70, 71};
  std::cout << u8 << i8 << u16 << c << b << std::endl;
  std::cout << +u8 << " " << +i8 << " " << static_cast<int>(c) << " " << c + 1 << "\n";
  std::cout << f << " " << d << " " << f * 3 << " " << 1e10 << " " << 1.0f << " " << 2.5e-7 << "\n";
  std::cout << bytes[0] << +bytes[1] << " " << std::to_string(bytes[0]) << "\n";
  std::cout << std::complex<float>(1.5f, -2) << " " << std::complex<double>(0, 1) << "\n";
  std::cout << std::fixed << std::setprecision(3) << f << " " << d * 2 << "\n";
  std::cout << std::scientific << f << std::defaultfloat << " " << 1.23456789 << "\n";
  std::cout << std::setw(6) << 42 << "|" << std::setfill('0') << std::setw(5) << 7 << "\n";
  std::cout << std::hex << 255 << " " << -1 << " " << std::oct << 8 << std::dec << " " << 10
            << "\n";
  std::cout << (1 < 2) << " " << (b ? 1 : 2) << " " << "text" << std::string(3, 'x') << '\n';
  std::cout << 0u - 1 << " " << ~0ul << " " << -1l << " " << 'a' << "\n";
  std::cout << (b ? 'y' : 'n') << (b ? 1 : 0.5) << "\n";
  printf("%d %i %u %ld %lld %zu\n", -1, 2, 3u, 4L, 5LL, sizeof(int));
  printf("%u %x %X %o %lx\n", -1, 255, 255, 8, -1L);
  printf("%d %hhd %hhu %hd\n", 3000000000u, 200, 300, 70000);
  printf("%5d|%-5d|%05d|%+d|% d\n", 42, 42, 42, 42, 42);
  printf("%f %.2f %8.3f %-8.1f| %e %g %G\n", 1.5, 1.005, 3.14159, 2.5, 12345.678, 0.0001, 1e-10);
  printf("%.0f %.0f %5.1f%% %c%c\n", 0.5, 1.5, 99.5, 'o', 75);
  printf("%s %10s|%-10s|%.2s\n", "text", "right", "left", "cut");
  printf("%*d %.*f\n", 5, 42, 2, 3.14159);
  printf("%f,", 3, 0.5);
  printf("%d %f\n", 0.25, 7);
  printf("%d%%\n", 100);
  return 0;
}
