// Compiling single operators: the options are kept, and operators are run by their names.
// SPDX-License-Identifier: MIT
#include "acl/acl_op_compiler.h"

#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

#include "core/config.hpp"
#include "runtime/entry.hpp"
#include "toolkit/acl_op_compiler/by_name.hpp"

namespace sim = pyaclnn::sim;

struct aclGraphDumpOption {};

namespace {

constexpr int kOptions = ACL_OP_DEBUG_OPTION + 1;

struct Options {
  std::mutex mutex;
  std::array<std::optional<std::string>, kOptions> texts;
};

Options& options() {
  static Options& options = [&]() -> Options& {
    auto& made = *new Options;
    // What CANN begins with, as far as programs ask for it before they set it.
    bool compiles =
        sim::chip().soc == sim::Soc::kAscend910 || sim::chip().soc == sim::Soc::kAscend310P;
    made.texts[ACL_OP_JIT_COMPILE] = compiles ? "enable" : "disable";
    made.texts[ACL_PRECISION_MODE] = "allow_fp32_to_fp16";
    made.texts[ACL_OP_DETERMINISTIC] = "0";
    return made;
  }();
  return options;
}

void require_option(aclCompileOpt option) {
  if (int(option) < 0 || int(option) >= kOptions)
    sim::fail(ACL_ERROR_INVALID_PARAM, "%d is not an option of the compiler", int(option));
}

aclError refuse(const char* function, const char* op_type) {
  return sim::entry(function, [&]() -> aclError {
    sim::require_not_null(op_type, "opType");
    sim::fail(ACL_ERROR_FEATURE_UNSUPPORTED,
              "operator %s is asked for by its name, through %s: single operators are not "
              "simulated, only the aclnn functions of libopapi",
              op_type, function);
  });
}

}  // namespace

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(value, "value");
    require_option(opt);
    Options& all = options();
    std::lock_guard<std::mutex> guard(all.mutex);
    all.texts[std::size_t(opt)] = value;
    return ACL_SUCCESS;
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  size_t size = 0;
  sim::entry(__func__, [&] {
    require_option(opt);
    Options& all = options();
    std::lock_guard<std::mutex> guard(all.mutex);
    if (const auto& text = all.texts[std::size_t(opt)]) size = text->size() + 1;
    return ACL_SUCCESS;
  });
  return size;
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(value, "value");
    require_option(opt);
    Options& all = options();
    std::lock_guard<std::mutex> guard(all.mutex);
    const auto& text = all.texts[std::size_t(opt)];
    if (!text) sim::fail(ACL_ERROR_INVALID_PARAM, "option %d was never set", int(opt));
    if (length < text->size() + 1)
      sim::fail(ACL_ERROR_INVALID_PARAM, "the text has %zu bytes with its end, length is %zu",
                text->size() + 1, length);
    std::memcpy(value, text->c_str(), text->size() + 1);
    return ACL_SUCCESS;
  });
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  return sim::entry(__func__, [&] {
    if (flag != ACL_OP_COMPILE_DEFAULT && flag != ACL_OP_COMPILE_FUZZ)
      sim::fail(ACL_ERROR_INVALID_PARAM, "%d is not a flag of the compiler", int(flag));
    return ACL_SUCCESS;
  });
}

aclError aclopCompile(const char* opType, int, const aclTensorDesc* const[], int,
                      const aclTensorDesc* const[], const aclopAttr*, aclopEngineType,
                      aclopCompileType, const char*) {
  return refuse(__func__, opType);
}

aclError aclopCompileAndExecute(const char* opType, int numInputs,
                                const aclTensorDesc* const inputDesc[],
                                const aclDataBuffer* const inputs[], int numOutputs,
                                const aclTensorDesc* const outputDesc[],
                                aclDataBuffer* const outputs[], const aclopAttr* attr,
                                aclopEngineType, aclopCompileType, const char*,
                                aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::run_by_name(
        {opType, {numInputs, inputDesc, inputs}, {numOutputs, outputDesc, outputs}, attr, stream});
    return ACL_SUCCESS;
  });
}

aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                  aclDataBuffer* inputs[], int numOutputs,
                                  aclTensorDesc* outputDesc[], aclDataBuffer* outputs[],
                                  aclopAttr* attr, aclopEngineType, aclopCompileType, const char*,
                                  aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::run_by_name({opType,
                      {numInputs, inputDesc, inputs},
                      {numOutputs, outputDesc, outputs},
                      attr,
                      stream,
                      outputDesc});
    return ACL_SUCCESS;
  });
}

aclError aclGenGraphAndDumpForOp(const char* opType, int, const aclTensorDesc* const[],
                                 const aclDataBuffer* const[], int, const aclTensorDesc* const[],
                                 aclDataBuffer* const[], const aclopAttr*, aclopEngineType,
                                 const char*, const aclGraphDumpOption*) {
  return refuse(__func__, opType);
}

aclGraphDumpOption* aclCreateGraphDumpOpt() {
  return sim::entry_or_null(__func__, [] { return new aclGraphDumpOption; });
}

aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption* graphDumpOpt) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(graphDumpOpt, "graphDumpOpt");
    delete graphDumpOpt;
    return ACL_SUCCESS;
  });
}
