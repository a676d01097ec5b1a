// SPDX-License-Identifier: MIT
#include "core/lifecycle.hpp"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>

#include "check/census.hpp"
#include "core/context.hpp"
#include "core/error_log.hpp"
#include "core/json.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/visible.hpp"

namespace pyaclnn::sim {
namespace {

struct Lifecycle {
  std::recursive_mutex mutex;
  std::uint64_t references = 0;
  bool configured = false;
  std::size_t config_hash = 0;
};

Lifecycle& lifecycle() {
  static Lifecycle& state = *new Lifecycle;
  return state;
}

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(kInvalidFile, "the configuration file %s cannot be read", path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void configure(Lifecycle& state, const char* path) {
  std::string text = read_file(path);
  std::size_t hash = std::hash<std::string>()(text);
  if (state.configured && hash != state.config_hash)
    fail(kInvalidParam, "%s differs from the configuration of the first aclInit of this process",
         path);
  auto scalars = read_json_scalars(text);
  auto device = scalars.find("defaultDevice.default_device");
  if (device != scalars.end()) {
    int id = std::atoi(device->second.c_str());
    require_device(id);
    set_default_device(id);
  }
  auto mode = scalars.find("err_msg_mode");
  share_messages_between_threads(mode != scalars.end() && mode->second == "1");
  state.configured = true;
  state.config_hash = hash;
}

void tear_down(Lifecycle& state) {
  state.references = 0;
  report_leaks("at aclFinalize");
  release_all_contexts();
  release_thread_pool();
}

}  // namespace

void initialize(const char* config_path) {
  Lifecycle& state = lifecycle();
  std::lock_guard<std::recursive_mutex> guard(state.mutex);
  if (state.references != 0) {
    ++state.references;
    fail(kRepeatInitialize, "the library is initialised already; the call is counted");
  }
  keep_visible_devices();
  if (config_path != nullptr && *config_path != '\0') configure(state, config_path);
  state.references = 1;
}

void finalize() {
  Lifecycle& state = lifecycle();
  std::lock_guard<std::recursive_mutex> guard(state.mutex);
  if (state.references == 0) fail(kRepeatFinalize, "the library is not initialised");
  tear_down(state);
}

std::uint64_t release_reference() {
  Lifecycle& state = lifecycle();
  std::lock_guard<std::recursive_mutex> guard(state.mutex);
  if (state.references == 0) fail(kRepeatFinalize, "the library is not initialised");
  if (state.references == 1) {
    tear_down(state);
  } else {
    --state.references;
  }
  return state.references;
}

}  // namespace pyaclnn::sim
