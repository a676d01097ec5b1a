// SPDX-License-Identifier: MIT
#include "opapi/common/measured.hpp"

#include <dlfcn.h>
#include <fnmatch.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "core/config.hpp"
#include "core/json.hpp"
#include "core/release.hpp"

namespace pyaclnn::sim {
namespace {

using Table = std::map<std::string, Measured, std::less<>>;
using Fields = std::map<std::string, std::string>;

// No workspace is larger than a device, and none of ours comes near the end of 64 bits with it.
constexpr std::uint64_t kMostWorkspace = std::uint64_t{1} << 40;

std::string own_root() {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&measured), &own) == 0 || own.dli_fname == nullptr)
    return "";
  std::string library = own.dli_fname;
  std::size_t slash = library.rfind('/');
  return slash == std::string::npos ? "../" : library.substr(0, slash) + "/../";
}

bool matches(const Fields& fields, const std::string& name, const std::string& text) {
  auto pattern = fields.find(name);
  return pattern == fields.end() || fnmatch(pattern->second.c_str(), text.c_str(), 0) == 0;
}

std::uint64_t number(const Fields& fields, const std::string& name, std::uint64_t most) {
  auto text = fields.find(name);
  if (text == fields.end()) return 0;
  std::uint64_t value = std::strtoull(text->second.c_str(), nullptr, 10);
  return value > most ? 0 : value;
}

Table read(const std::string& path) {
  Table table;
  std::ifstream file(path, std::ios::binary);
  if (!file) return table;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Fields fields = read_json_scalars(text);
  for (std::size_t i = 0;; ++i) {
    const std::string entry = "differences[" + std::to_string(i) + "].";
    auto name = fields.find(entry + "c_name");
    if (name == fields.end()) return table;
    if (!matches(fields, entry + "soc", chip().name)) continue;
    if (!matches(fields, entry + "cann", current_release().name)) continue;
    Measured& row = table[name->second];
    if (std::uint64_t more = number(fields, entry + "workspace", kMostWorkspace); more != 0)
      row.workspace = more;
    if (std::uint64_t status = number(fields, entry + "status", 999999); status != 0)
      row.status = static_cast<int>(status);
  }
}

Table load() noexcept {
  const char* given = std::getenv("PYACLNN_SIM_DIFFERENCES");
  const bool is_given = given != nullptr && *given != '\0';
  try {
    return read(is_given ? given : own_root() + "differences.json");
  } catch (const std::exception&) {
    std::fprintf(stderr, "pyaclnn simulator: %s is not JSON; what was measured is left out\n",
                 is_given ? given : "differences.json");
    return {};
  }
}

}  // namespace

const Measured* measured(const char* api) noexcept {
  static const Table table = load();
  if (table.empty()) return nullptr;
  auto row = table.find(std::string_view(api));
  return row == table.end() ? nullptr : &row->second;
}

}  // namespace pyaclnn::sim
