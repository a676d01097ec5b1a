// String streams, std::tie, std::unique, the bits that are set.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

static std::string Shape(const std::vector<int64_t>& shape) {
  std::ostringstream text;
  text << "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text << ", ";
    text << shape[i];
  }
  text << ")";
  return text.str();
}

static std::pair<int, double> Both(int k) { return {k + 1, k / 4.0}; }

int main() {
  std::printf("%s %s\n", Shape({2, 3, 4}).c_str(), Shape({}).c_str());
  std::stringstream line;
  line << std::fixed << std::setprecision(2) << 1.0 / 3 << std::setw(6) << 7 << std::endl
       << 'c' << true;
  std::cout << line.str() << std::endl;
  line.str("");
  line << std::hex << 255;
  std::cout << line.str() << "\n";

  int first = 0;
  double second = 0;
  std::tie(first, second) = Both(6);
  std::printf("%d %g\n", first, second);
  std::tie(first, std::ignore) = std::make_tuple(9, 2.5);
  std::printf("%d %g\n", first, second);

  std::vector<int> axes = {1, 1, 2, 3, 3, 3, 1};
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  for (int axis : axes) std::printf("%d ", axis);
  std::printf("\n%d %d %d\n", __builtin_popcount(0xF0F1u), __builtin_popcount(-1),
              __builtin_popcountl(-2L) + __builtin_popcountll(-1LL));
  return 0;
}
