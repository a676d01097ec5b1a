// SPDX-License-Identifier: MIT
#include "core/exported_names.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <cstddef>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace pyaclnn::sim {
namespace {

constexpr const char* kLibraries[] = {"libascendcl.so", "libnnopbase.so", "libopapi.so"};

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

/// The bytes of a file, of which parts are read that may not be there.
class File {
 public:
  explicit File(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  template <class T>
  bool read(std::size_t at, T* value) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return false;
    std::memcpy(value, bytes_.data() + at, sizeof(T));
    return true;
  }

  std::string text(std::size_t at) const {
    if (at >= bytes_.size()) return {};
    const std::size_t end = bytes_.find('\0', at);
    return end == std::string::npos ? std::string() : bytes_.substr(at, end - at);
  }

  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

void add_names(const File& file, std::vector<std::string>& names) {
  Header header;
  if (!file.read(0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Section section;
    Section strings;
    if (!file.read(header.e_shoff + i * sizeof section, &section)) return;
    if (section.sh_type != SHT_DYNSYM || section.sh_size > file.size()) continue;
    if (!file.read(header.e_shoff + section.sh_link * sizeof strings, &strings)) return;
    for (std::size_t at = 0; at < section.sh_size; at += sizeof(Symbol)) {
      Symbol symbol;
      if (!file.read(section.sh_offset + at, &symbol)) return;
      // The type is in the low bits for 32 and 64 bits alike.
      if (symbol.st_shndx == SHN_UNDEF || (symbol.st_info & 0xf) != STT_FUNC) continue;
      std::string name = file.text(strings.sh_offset + symbol.st_name);
      // Not what C++ exports.
      if (name.rfind("acl", 0) == 0 || name.rfind("Acl", 0) == 0) names.push_back(std::move(name));
    }
  }
}

/// How many letters have to be changed, put in or left out; capitals count half.
double distance(const std::string& a, const std::string& b) {
  std::vector<double> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double diagonal = std::exchange(row[0], double(i + 1));
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool alike = std::tolower(static_cast<unsigned char>(a[i])) ==
                         std::tolower(static_cast<unsigned char>(b[j]));
      const double change = a[i] == b[j] ? 0.0 : alike ? 0.5 : 1.0;
      const double best = std::min({diagonal + change, row[j] + 1.0, row[j + 1] + 1.0});
      diagonal = std::exchange(row[j + 1], best);
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> exported_names() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&exported_names), &own) == 0 || own.dli_fname == nullptr)
    return {};
  std::string folder = own.dli_fname;
  folder.erase(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/') + 1);
  std::vector<std::string> names;
  for (const char* library : kLibraries) add_names(File(folder + library), names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> nearest_names(const std::string& name,
                                       const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<double, const std::string*>> ranked;
  for (const std::string& known : names) ranked.emplace_back(distance(name, known), &known);
  const std::size_t count = std::min(kMost, ranked.size());
  const auto nearer = [](const auto& a, const auto& b) {
    return std::tie(a.first, *a.second) < std::tie(b.first, *b.second);
  };
  std::partial_sort(ranked.begin(), ranked.begin() + std::ptrdiff_t(count), ranked.end(), nearer);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) {
    if (ranked[i].first <= double(name.size()) / 2.0) result.push_back(*ranked[i].second);
  }
  return result;
}

}  // namespace pyaclnn::sim
