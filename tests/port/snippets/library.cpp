// Functions of the standard library, each with what it is for.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// Of variables: a compiler computes functions of literals itself, and rounds better than a library.
#define UNARY(name) printf(#name " %.17g %.9g %.9g\n", std::name(x), std::name(y), name##f(y))
#define BINARY(name) \
  printf(#name " %.17g %.9g %.9g\n", std::name(x, 1.7), std::name(y, 1.7f), name##f(y, 1.3f))

void Mathematics() {
  double x = 0.7;
  float y = 0.7f;
  UNARY(sqrt);
  UNARY(exp);
  UNARY(exp2);
  UNARY(log);
  UNARY(log2);
  UNARY(log10);
  UNARY(sin);
  UNARY(cos);
  UNARY(tan);
  UNARY(tanh);
  UNARY(sinh);
  UNARY(cosh);
  UNARY(asin);
  UNARY(acos);
  UNARY(atan);
  UNARY(asinh);
  UNARY(atanh);
  UNARY(log1p);
  UNARY(expm1);
  UNARY(erf);
  UNARY(erfc);
  UNARY(tgamma);
  UNARY(lgamma);
  UNARY(cbrt);
  UNARY(ceil);
  UNARY(floor);
  UNARY(trunc);
  UNARY(rint);
  UNARY(nearbyint);
  UNARY(round);
  float z = 1.7f;
  printf("%.9g %.9g\n", std::acosh(z), acoshf(z));
  BINARY(hypot);
  BINARY(pow);
  BINARY(fmod);
  BINARY(atan2);
  BINARY(copysign);
  BINARY(remainder);
  BINARY(fdim);
  BINARY(fmax);
  BINARY(fmin);
  printf("%.9g %.9g %.9g %.9g\n", sqrtf(2.0f), expf(1.5f), sinf(1.0f), powf(2.0f, 0.3f));
  printf("%.9g %.9g %.9g %.9g\n", fabsf(-1.5f), logf(3.0f), fmaxf(1, 2), roundf(2.5f));
  printf("%.17g %.17g\n", std::pow(2, 10), std::pow(2.0f, 3));
  printf("%.17g %.17g\n", std::sqrt(2), sqrt(2.0f) * 1.0);
  printf("%zu %zu\n", sizeof(std::sqrt(2.0f)), sizeof(std::pow(2.0f, 2)));
  printf("%ld %ld %ld %ld\n", std::lround(2.5), std::lround(-2.5), std::lrint(2.5), llround(0.4));
  printf("%.1f %.1f %.1f %.1f\n", std::round(-2.5), std::rint(2.5), std::trunc(-2.7), floor(-2.5));
  printf("%d %ld %.1f %.1f %ld\n", std::abs(-3), labs(-4l), std::fabs(-2.5), std::abs(-1.5f),
         std::abs(-5l));
  printf("%d %d %d %d\n", std::isnan(NAN), std::isinf(-INFINITY), std::isfinite(1.0),
         std::signbit(-0.0));
  printf("%.1f %.1f %.1f\n", std::ldexp(1.5, 4), std::scalbn(1.5f, 3), ldexpf(1.5f, -1));
  printf("%lld %lld %ld\n", llabs(-6ll), llrint(3.5), lroundf(-1.5f));
  printf("%d %.2f %u\n", std::max(3, 4), std::min(2.5, 1.5), std::max<uint32_t>(3, 7u));
  printf("%d %d\n", std::max({3, 9, 4}), std::min({3, 9, 4}));
  printf("%d %.1f\n", std::clamp(12, 0, 10), std::clamp(-1.5, 0.0, 1.0));
  printf("%f %f\n", std::sqrt(-1.0) != std::sqrt(-1.0) ? 1.0 : 0.0, std::log(0.0));
}

void Algorithms() {
  std::vector<int> v = {5, 3, 9, 1, 9, 4};
  printf("%d %d\n", *std::min_element(v.begin(), v.end()), *std::max_element(v.begin(), v.end()));
  printf("%ld %ld\n", std::min_element(v.begin(), v.end()) - v.begin(),
         std::distance(v.begin(), std::max_element(v.begin(), v.end())));
  auto ends = std::minmax_element(v.begin(), v.end());
  printf("%d %ld\n", *ends.first, ends.second - v.begin());
  printf("%d\n", *std::min_element(v.begin(), v.end(), [](int a, int b) { return a > b; }));
  auto large = [](int x) { return x > 4; };
  printf("%d %d %d\n", std::all_of(v.begin(), v.end(), large),
         std::any_of(v.begin(), v.end(), large), std::none_of(v.begin(), v.end(), large));
  printf("%ld %ld\n", std::count(v.begin(), v.end(), 9), std::count_if(v.begin(), v.end(), large));
  printf("%ld\n", std::find(v.begin(), v.end(), 1) - v.begin());
  printf("%d\n", *std::find_if(v.begin(), v.end(), [](int x) { return x < 4; }));
  printf("%d\n", std::find(v.begin(), v.end(), 77) == v.end());
  std::vector<float> f = {0.1f, 0.2f, 0.3f, 2.5f};
  printf("%d\n", std::accumulate(f.begin(), f.end(), 0));
  printf("%.9f %.9f\n", std::accumulate(f.begin(), f.end(), 0.0f),
         std::accumulate(f.begin(), f.end(), 0.0));
  printf("%ld\n", std::accumulate(v.begin(), v.end(), int64_t{1}, std::multiplies<int64_t>()));
  printf("%d\n", std::accumulate(v.begin(), v.end(), 1, std::multiplies<int>()));
  printf("%.9f\n", std::inner_product(f.begin(), f.end(), f.begin(), 0.0f));
  std::vector<int> sums(v.size());
  std::partial_sum(v.begin(), v.end(), sums.begin());
  printf("%d %d\n", sums[1], sums.back());
  std::vector<int> w(v);
  std::sort(w.begin(), w.end());
  printf("%d %d %d\n", w[0], w[1], w[5]);
  std::sort(w.begin(), w.end(), std::greater<int>());
  printf("%d %d\n", w.front(), w.back());
  std::stable_sort(w.begin(), w.end(), [](int a, int b) { return a % 3 < b % 3; });
  for (int x : w) printf("%d ", x);
  printf("\n");
  std::reverse(w.begin(), w.end());
  std::fill(w.begin(), w.begin() + 2, -7);
  std::fill_n(w.begin() + 2, 1, 8);
  for (auto x : w) printf("%d ", x);
  printf("\n");
  std::iota(w.begin(), w.end(), 3);
  std::transform(w.begin(), w.end(), v.begin(), [](int x) { return x * x; });
  std::transform(w.begin(), w.end(), v.begin(), sums.begin(), std::plus<int>());
  printf("%d %d\n", v[5], sums[5]);
  std::for_each(v.begin(), v.end(), [](int& x) { x += 1; });
  int seen = 0;
  std::for_each(v.begin(), v.end(), [&seen](int x) { seen += x; });
  printf("%d %d\n", v[0], seen);
  int next = 10;
  std::generate(v.begin(), v.end(), [&next]() { return next--; });
  std::copy(v.begin(), v.begin() + 3, w.begin());
  std::copy_n(v.begin(), 1, w.begin() + 4);
  printf("%d %d %d %d\n", w[0], w[2], w[3], w[4]);
  printf("%d %d\n", std::equal(v.begin(), v.begin() + 3, w.begin()), v == w);
  std::swap(v[0], v[1]);
  std::swap(v, w);
  printf("%d %d %zu\n", v[0], w[0], std::size(v));
  int raw[] = {4, 2};
  printf("%d %ld\n", *std::begin(raw), std::end(raw) - std::begin(raw));
  std::vector<uint8_t> bytes(3);
  std::iota(bytes.begin(), bytes.end(), 254);
  printf("%d %d %d\n", bytes[0], bytes[1], bytes[2]);
  printf("%d %.2f\n", std::less<int>()(1, 2), std::minus<float>()(1.5f, 1.0f));
  printf("%d %d\n", std::less_equal<int>()(2, 2), std::greater_equal<int>()(1, 2));
  printf("%d %ld\n", std::reduce(v.begin(), v.end(), 5), std::cend(v) - std::cbegin(v));
  for (const int& x : std::as_const(w)) printf("%d ", x);
  auto adder = [](const int& a, const int& b) { return a + b; };
  printf("%d\n", adder(std::cref(v[0]), std::ref(v[1])));
}

void Containers() {
  std::vector<int> v;
  v.reserve(5);
  v.push_back(1);
  v.emplace_back(2);
  v.insert(v.begin(), 7);
  v.insert(v.end(), {8, 9});
  v.erase(v.begin() + 1);
  v.at(0) = 70;
  v.front() += 1;
  v.back() *= 2;
  v.pop_back();
  v.resize(5, -1);
  for (auto it = v.begin(); it != v.end(); ++it) printf("%d ", *it);
  printf("%d %d\n", v.empty(), static_cast<int>(v.size()));
  v.assign(2, 6);
  std::vector<int> other = {1};
  v.swap(other);
  v.shrink_to_fit();
  printf("%d\n", *other.cbegin() + static_cast<int>(other.cend() - other.cbegin()));
  v.clear();
  printf("%zu %zu %d\n", v.size(), other.size(), *other.data());
  std::map<int, const char*> names;
  names[3] = "three";
  names[1] = "one";
  names.insert({2, "two"});
  names.emplace(1, "again");
  for (const auto& entry : names) printf("%d=%s ", entry.first, entry.second);
  printf("%zu %zu %zu\n", names.size(), names.count(2), names.count(9));
  std::map<std::string, int> counts = {{"b", 1}, {"a", 2}};
  counts["c"] += 5;
  for (auto& [key, value] : counts) printf("%s:%d ", key.c_str(), value);
  printf("%d\n", counts.at("a"));
  auto pair = std::make_pair(1, 2.5);
  auto triple = std::make_tuple(1, 2.5f, 'x');
  printf("%d %.1f %.1f %c\n", pair.first, pair.second, std::get<1>(triple), std::get<2>(triple));
  auto owned = std::make_unique<int>(5);
  *owned += 1;
  auto shared = std::make_shared<float>(0.5f);
  std::unique_ptr<int> moved = std::move(owned);
  printf("%d %.1f %d\n", *moved, *shared, owned == nullptr);
  int* released = moved.release();
  printf("%d %d\n", *released, moved == nullptr);
}

void Texts() {
  std::string s = "hello";
  s += " world";
  s.append("!");
  s.push_back('?');
  printf("%s %zu %zu %c %c\n", s.c_str(), s.size(), s.length(), s.front(), s[1]);
  printf("%zu %zu %d %d\n", s.find("wor"), s.rfind("o"), s.find("zz") == std::string::npos,
         s.empty());
  printf("%s %d %zu\n", s.substr(6, 5).c_str(), s.compare("hello") > 0, s.find_last_of("ol"));
  printf("%s %s\n", std::to_string(42).c_str(), std::to_string(1.5f).c_str());
  printf("%d %ld %ld %.3f %.3f %.3f\n", atoi("12abc"), atol("-7"), std::stol("123456789012"),
         atof("2.5e1x"), std::stof("0.1"), std::stod("0.1"));
  printf("%d %lu\n", std::stoi(" 19"), std::stoull("18446744073709551615"));
  printf("%lu %lld %lld\n", std::stoul("7"), std::stoll("-8"), atoll("9"));
  fprintf(stdout, "%s\n", "to stdout");
  char text[16];
  strcpy(text, "abc");
  printf("%zu %d %d %s\n", strlen(text), strcmp(text, "abc"), strcmp("a", "b") < 0,
         strstr("find me", "me"));
  strncpy(text, "xyz", 2);
  printf("%s\n", text);
  memset(text, 0, sizeof(text));
  snprintf(text, sizeof(text), "%d-%.1f", 7, 2.5);
  printf("%s\n", text);
  sprintf(text, "%s", "new");
  puts(text);
  putchar('z');
  putchar('\n');
}

void Memory() {
  float number = 1.0f;
  uint32_t bits = 0;
  memcpy(&bits, &number, sizeof(bits));
  printf("%x\n", bits);
  memset(&bits, 0xFF, sizeof(bits));
  printf("%u\n", bits);
  int32_t* block = static_cast<int32_t*>(malloc(4 * sizeof(int32_t)));
  memset(block, 0, 16);
  block[2] = -5;
  int32_t* copy = static_cast<int32_t*>(calloc(4, sizeof(int32_t)));
  memcpy(copy, block, 16);
  memmove(copy + 1, copy + 2, 4);
  printf("%d %d %d\n", copy[0], copy[1], copy[2]);
  free(block);
  free(copy);
  uint16_t half = 0x3F80;
  uint32_t wide = static_cast<uint32_t>(half) << 16;
  printf("%.1f\n", *reinterpret_cast<float*>(&wide));
  std::complex<float> a(1.5f, -2.0f), b(0.1f, 0.2f);
  auto product = a * b + std::complex<float>(1, 0);
  printf("%.9g %.9g %.1f\n", product.real(), product.imag(), std::real(a));
}

int main() {
  Mathematics();
  Algorithms();
  Containers();
  Texts();
  Memory();
  return 0;
}
