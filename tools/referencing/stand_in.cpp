// What CANN's first phase needs of libraries that are not compiled for tools/reference.py.
//
// Executors keep what is made for them, kernels are accepted and never run, caches are empty and
// logs silent. Level-0 operators allocate outputs themselves or ask for a shape: that comes from
// the function that IMPL_OP_INFERSHAPE registered. Declarations are opbase's own headers.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "base/context_builder/op_infer_shape_context_builder.h"
#include "base/err_msg.h"
#include "opdev/aicpu/aicpu_task.h"
#include "opdev/framework_op.h"
#include "opdev/make_op_executor.h"
#include "opdev/op_cache.h"
#include "opdev/op_def.h"
#include "opdev/op_dfx.h"
#include "opdev/platform.h"
#include "register/op_impl_registry_base.h"
#include "thread_local_context.h"

extern "C" [[noreturn]] void pyaclnn_reference_open();

namespace {

/// Kernels that CANN would have looked for and tiled so far.
uint64_t prepared = 0;

/// What phase 1 asks of a chip, by the beginning of its name; the longest beginning comes first.
struct Chip {
  const char* begins;
  op::SocVersion version;
  NpuArch arch;
  uint32_t cubes;
  uint32_t vectors;
};

constexpr Chip kChips[] = {
    {"Ascend910_93", op::SocVersion::ASCEND910_93, NpuArch::DAV_2201, 24, 48},
    {"Ascend910B", op::SocVersion::ASCEND910B, NpuArch::DAV_2201, 24, 48},
    {"Ascend950", op::SocVersion::ASCEND950, NpuArch::DAV_3510, 32, 64},
    {"Ascend910", op::SocVersion::ASCEND910, NpuArch::DAV_1001, 32, 32},
    {"Ascend310P", op::SocVersion::ASCEND310P, NpuArch::DAV_2002, 8, 8},
    {"Ascend310B", op::SocVersion::ASCEND310B, NpuArch::DAV_3002, 1, 1},
};

const Chip& chip() {
  static const Chip found = [] {
    const char* name = aclrtGetSocName();
    for (const Chip& one : kChips) {
      if (name != nullptr && std::string(name).rfind(one.begins, 0) == 0) {
        return one;
      }
    }
    std::fprintf(stderr, "no chip is called %s\n", name == nullptr ? "nothing" : name);
    std::abort();
  }();
  return found;
}

/// Asked when the library is loaded: the comparison forks, and the runtime is not for children.
const std::string kName = aclrtGetSocName() == nullptr ? "" : aclrtGetSocName();
const Chip& kLoaded = chip();

/// Names of level-0 operators; their ids are places in it.
std::vector<std::string>& kernels() {
  static std::vector<std::string> names{""};
  return names;
}

uint32_t id_of(const char* name) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  auto& names = kernels();
  for (size_t i = 1; i < names.size(); ++i) {
    if (names[i] == name) {
      return static_cast<uint32_t>(i);
    }
  }
  names.emplace_back(name);
  return static_cast<uint32_t>(names.size() - 1);
}

}  // namespace

namespace op {

// ---- the chip

class PlatformInfoImpl {
 public:
  std::string name{kName};
};

class PlatformThreadLocalCtx {
 public:
  static const PlatformInfo& get() {
    static PlatformInfo info(0);
    static PlatformInfoImpl impl;
    info.valid_ = true;
    info.impl_ = &impl;
    return info;
  }
};

PlatformInfo::~PlatformInfo() {}
SocVersion PlatformInfo::GetSocVersion() const { return chip().version; }
const std::string& PlatformInfo::GetSocLongVersion() const { return impl_->name; }
int32_t PlatformInfo::GetDeviceId() const { return deviceId_; }
bool PlatformInfo::CheckSupport(SocSpec, SocSpecAbility ability) const {
  // Matrix products of float tensors in float: not on the first chips.
  const bool early = chip().arch == NpuArch::DAV_1001 || chip().arch == NpuArch::DAV_2002;
  return !(early && ability == SocSpecAbility::INST_MMAD_F322F32);
}
int64_t PlatformInfo::GetBlockSize() const { return 32; }
uint32_t PlatformInfo::GetCubeCoreNum() const { return chip().cubes; }
uint32_t PlatformInfo::GetVectorCoreNum() const { return chip().vectors; }
bool PlatformInfo::Valid() const { return true; }
bool PlatformInfo::GetFftsPlusMode() const { return chip().arch == NpuArch::DAV_2201; }
NpuArch PlatformInfo::GetCurNpuArch() const { return chip().arch; }
fe::PlatFormInfos* PlatformInfo::GetPlatformInfos() const { return nullptr; }
const PlatformInfo& GetCurrentPlatformInfo() { return PlatformThreadLocalCtx::get(); }
ge::AscendString ToString(SocVersion version) {
  return ge::AscendString(std::to_string(static_cast<int>(version)).c_str());
}

// ---- kernels

uint32_t GenOpTypeId(const char* name) { return id_of(name); }
uint32_t GenOpTypeId(const char* name, const OP_RESOURCES&) { return id_of(name); }
uint32_t GenOpTypeId(const char* name, const OP_SOC_RESOURCES&) { return id_of(name); }

namespace {

/// Tensors of an argument, and how many places each argument takes.
struct Places {
  std::vector<aclTensor*> tensors;
  std::vector<uint32_t> counts;

  explicit Places(OpArgList& list) {
    list.VisitByNoReturn([this](size_t, OpArg& arg) {
      const size_t before = tensors.size();
      if (arg.type == OpArgType::OPARG_ACLTENSOR) {
        add(static_cast<aclTensor*>(arg->pointer));
      } else if (arg.type == OpArgType::OPARG_ACLTENSOR_LIST && arg->pointer != nullptr) {
        auto& members = *static_cast<aclTensorList*>(arg->pointer);
        for (uint64_t i = 0; i < members.Size(); ++i) {
          add(const_cast<aclTensor*>(members[i]));
        }
      }
      counts.push_back(static_cast<uint32_t>(tensors.size() - before));
    });
  }

  void add(aclTensor* tensor) {
    if (tensor != nullptr) {
      tensors.push_back(tensor);
    }
  }
};

template <typename Value, typename Array>
std::vector<Value> numbers(const void* pointer) {
  std::vector<Value> found;
  if (pointer != nullptr) {
    const auto& array = *static_cast<const Array*>(pointer);
    for (uint64_t i = 0; i < array.Size(); ++i) {
      found.push_back(array[i]);
    }
  }
  return found;
}

void add_attribute(gert::OpInferShapeContextBuilder& builder, OpArg& arg) {
  switch (arg.type) {
    case OpArgType::OPARG_BOOL:
      builder.AppendAttr(arg->value != 0);
      break;
    case OpArgType::OPARG_INT:
      builder.AppendAttr(arg->ivalue);
      break;
    case OpArgType::OPARG_UINT:
    case OpArgType::OPARG_IMPLMODE:
    case OpArgType::OPARG_DATATYPE:
      builder.AppendAttr(static_cast<int64_t>(arg->value));
      break;
    case OpArgType::OPARG_FLOAT:
      builder.AppendAttr(arg->fvalue);
      break;
    case OpArgType::OPARG_DOUBLE:
      builder.AppendAttr(static_cast<float>(arg->dvalue));
      break;
    case OpArgType::OPARG_STRING: {
      const auto* text = static_cast<const char*>(arg->pointer);
      builder.AppendAttr(ge::AscendString(text == nullptr ? "" : text));
      break;
    }
    case OpArgType::OPARG_ACLSCALAR: {
      const auto* scalar = static_cast<const aclScalar*>(arg->pointer);
      builder.AppendAttr(scalar == nullptr ? 0.0F : scalar->ToFloat());
      break;
    }
    case OpArgType::OPARG_INT_LIST:
      builder.AppendAttr(numbers<int64_t, aclIntArray>(arg->pointer));
      break;
    case OpArgType::OPARG_FLOAT_LIST:
      builder.AppendAttr(numbers<float, aclFloatArray>(arg->pointer));
      break;
    case OpArgType::OPARG_BOOL_LIST:
      builder.AppendAttr(numbers<bool, aclBoolArray>(arg->pointer));
      break;
    default:
      builder.AppendAttr(static_cast<int64_t>(0));
      break;
  }
}

aclnnStatus infer(const std::string& name, OpArgList& inputs, OpArgList& outputs,
                  OpArgList& attributes) {
  const auto* functions = gert::OpImplRegistry::GetInstance().GetOpImpl(name.c_str());
  if (functions == nullptr || functions->infer_shape == nullptr) {
    // Not a status of CANN's: the comparison leaves such calls out.
    if (std::getenv("PYACLNN_REFERENCE_LOG") != nullptr) {
      std::fprintf(stderr, "no shape of %s\n", name.c_str());
    }
    pyaclnn_reference_open();
  }
  const Places in(inputs);
  const Places out(outputs);
  std::vector<gert::Tensor*> tensors;
  for (aclTensor* tensor : in.tensors) {
    // The two descriptions of a tensor begin alike; CANN casts here, too.
    tensors.push_back(reinterpret_cast<gert::Tensor*>(tensor->GetTensor()));
  }
  gert::OpInferShapeContextBuilder builder;
  builder.OpType(name.c_str()).OpName(name.c_str()).IOInstanceNum(in.counts, out.counts);
  builder.InputTensors(tensors);
  for (size_t i = 0; i < out.tensors.size(); ++i) {
    const aclTensor& tensor = *out.tensors[i];
    builder.OutputTensorDesc(i, tensor.GetDataType(), tensor.GetOriginalFormat(),
                             tensor.GetStorageFormat());
  }
  attributes.VisitByNoReturn([&](size_t, OpArg& arg) { add_attribute(builder, arg); });
  auto holder = builder.Build();
  gert::InferShapeContext* context = holder.GetContext();
  if (context == nullptr || functions->infer_shape(context) != ge::GRAPH_SUCCESS) {
    return ACLNN_ERR_INNER;
  }
  for (size_t i = 0; i < out.tensors.size(); ++i) {
    const gert::Shape* shape = context->GetOutputShape(i);
    if (shape == nullptr) {
      return ACLNN_ERR_INNER;
    }
    // Of a private format the storage would be blocks, which phase 1 does not look at again.
    out.tensors[i]->SetOriginalShape(*shape);
    out.tensors[i]->SetStorageShape(*shape);
    out.tensors[i]->SetViewShape(*shape);
  }
  return ACLNN_SUCCESS;
}

}  // namespace

// ---- executors

class OpExecutorImpl {
 public:
  std::vector<const aclTensor*> tensors;
  FVector<uint64_t> offsets;
  internal::OpLogInfo log;
  OpConfigInfo config;
};

namespace internal {

OpProfilingSwitch::OpProfilingSwitch() {}
OpProfilingSwitch opProfilingSwitch;
std::string GetLogApiInfo() { return ""; }
void InitExecutorCacheThreadLocal() {}
void AddOpConfigInfoToBuf() {}
bool CheckCacheable() { return false; }
bool GetFromCache(aclOpExecutor**, uint64_t*) { return false; }
thread_local char g_hashBuf[K_HASH_BUF_SIZE];
thread_local uint64_t g_hashOffset;
thread_local char g_cacheBuf[K_CACHE_BUF_SIZE];
void AddParamToBuf(const aclTensor*) {}
void AddParamToBuf(aclTensor*) {}
void AddParamToBuf(const aclScalar*) {}
void AddParamToBuf(aclScalar*) {}
void AddParamToBuf(const aclIntArray*) {}
void AddParamToBuf(const aclBoolArray*) {}
void AddParamToBuf(const aclFloatArray*) {}
void AddParamToBuf(const aclFp16Array*) {}
void AddParamToBuf(const aclTensorList*) {}
void AddParamToBuf(const aclScalarList*) {}
void AddParamToBuf(aclTensorList*) {}
void AddParamToBuf(aclScalarList*) {}
void AddParamToBuf(const std::string&) {}
void AddParamToBuf(const aclDataType) {}
void AddParamToBuf(const char*) {}
void AddParamToBuf(char*) {}
void AddParamToBuf() {}

OpThreadLocalContext& GetThreadLocalContext() {
  static thread_local OpThreadLocalContext context;
  return context;
}

aclnnStatus CreatAicpuKernelLauncher(uint32_t, AicpuTaskSpace&, aclOpExecutor* executor,
                                     const FVector<std::string>&, OpArgContext* args) {
  if (executor == nullptr || args == nullptr) {
    return ACLNN_ERR_PARAM_NULLPTR;
  }
  DestroyOpArgContext(args);
  return ACLNN_SUCCESS;
}

}  // namespace internal

aclnnStatus CheckPhase1Params(aclOpExecutor** executor, uint64_t* workspaceSize) {
  return executor == nullptr || workspaceSize == nullptr ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_SUCCESS;
}
void InitThreadLocalContext() {}
bool IsDumpEnabled() { return false; }
void AddInputTensorToThreadLocalCtx(const aclTensor*) {}
void AddInputTensorToThreadLocalCtx(aclTensor*) {}
void AddInputTensorToThreadLocalCtx(const aclTensorList*) {}
void AddInputTensorToThreadLocalCtx(aclTensorList*) {}
void AddOutputTensorToThreadLocalCtx(const aclTensor*) {}
void AddOutputTensorToThreadLocalCtx(aclTensor*) {}
void AddOutputTensorToThreadLocalCtx(const aclTensorList*) {}
void AddOutputTensorToThreadLocalCtx(aclTensorList*) {}
OpDfxProfiler* CreateDfxProfiler(const char*) { return nullptr; }
OpDfxProfiler* CreateDfxProfiler(uint32_t) { return nullptr; }
void OpDfxGuard::StringToVec(const char*, std::vector<std::string>&) {}
void OpDfxGuard::StringToVecWithBrackets(const char*, std::vector<std::string>&) {}

// Between host and device nothing is copied in the first phase.
const aclTensor* CopyToNpu(const aclTensor* tensor, aclOpExecutor* executor) {
  return executor->AllocTensor(tensor->GetStorageShape(), tensor->GetOriginalShape(),
                               tensor->GetDataType(), tensor->GetStorageFormat(),
                               tensor->GetOriginalFormat());
}
const aclTensor* CopyToNpuSync(const aclTensor* tensor, aclOpExecutor* executor) {
  return CopyToNpu(tensor, executor);
}
aclnnStatus CopyNpuToNpu(const aclTensor*, const aclTensor*, aclOpExecutor*) {
  return ACLNN_SUCCESS;
}

OpDfxGuard::~OpDfxGuard() {}
OpDfxGuard::OpDfxGuard(const char*, int, OpLevel, const char*) {}
OpDfxGuard::OpDfxGuard(uint64_t, DfxProfilingType) {}

}  // namespace op

using op::OpExecutorImpl;

aclOpExecutor::aclOpExecutor() : impl_(new OpExecutorImpl) {}

aclOpExecutor::~aclOpExecutor() {
  for (op::Object* object : allocatedObjList_) {
    delete object;
  }
  delete impl_;
}

// Constructors take references, too, which must not be copied on the way.
#define KEEP(Object, ...)                   \
  do {                                      \
    try {                                   \
      auto* made = new Object(__VA_ARGS__); \
      allocatedObjList_.push_back(made);    \
      return made;                          \
    } catch (...) {                         \
      return nullptr;                       \
    }                                       \
  } while (false)

aclTensor* aclOpExecutor::AllocTensor(const op::Shape& shape, op::DataType type,
                                      op::Format format) {
  KEEP(aclTensor, shape, type, format, nullptr);
}
aclTensor* aclOpExecutor::AllocTensor(const op::Shape& storage, const op::Shape& origin,
                                      op::DataType type, op::Format stored, op::Format original) {
  KEEP(aclTensor, storage, origin, type, stored, original, nullptr);
}
aclTensor* aclOpExecutor::AllocTensor(op::DataType type, op::Format stored, op::Format original) {
  KEEP(aclTensor, type, stored, original);
}
aclTensor* aclOpExecutor::AllocHostTensor(const op::Shape& shape, op::DataType type,
                                          op::Format format) {
  KEEP(aclTensor, shape, type, format);
}
aclTensor* aclOpExecutor::AllocHostTensor(const op::Shape& storage, const op::Shape& origin,
                                          op::DataType type, op::Format stored,
                                          op::Format original) {
  KEEP(aclTensor, storage, origin, type, stored, original);
}

#define HOST_TENSOR(type)                                                     \
  aclTensor* aclOpExecutor::AllocHostTensor(const type* value, uint64_t size, \
                                            op::DataType dataType) {          \
    KEEP(aclTensor, value, size, dataType);                                   \
  }
HOST_TENSOR(int64_t)
HOST_TENSOR(uint64_t)
HOST_TENSOR(bool)
HOST_TENSOR(char)
HOST_TENSOR(int32_t)
HOST_TENSOR(uint32_t)
HOST_TENSOR(int16_t)
HOST_TENSOR(uint16_t)
HOST_TENSOR(int8_t)
HOST_TENSOR(uint8_t)
HOST_TENSOR(double)
HOST_TENSOR(float)
HOST_TENSOR(op::fp16_t)
HOST_TENSOR(op::bfloat16)

#define CONVERTED(type)                                                                       \
  const aclTensor* aclOpExecutor::ConvertToTensor(const type* value, op::DataType dataType) { \
    KEEP(aclTensor, value, dataType);                                                         \
  }
CONVERTED(aclIntArray)
CONVERTED(aclBoolArray)
CONVERTED(aclFloatArray)
CONVERTED(aclFp16Array)
CONVERTED(aclBf16Array)
CONVERTED(aclScalar)

aclTensor* aclOpExecutor::CreateView(const aclTensor* tensor, const op::Shape& shape,
                                     int64_t offset) {
  KEEP(aclTensor, *tensor, shape, offset);
}
aclTensor* aclOpExecutor::CreateView(const aclTensor* tensor, const op::Shape& origin,
                                     const op::Shape& storage, const op::Strides& strides,
                                     int64_t offset) {
  int64_t left = 1;
  for (uint64_t i = 0; i < storage.GetDimNum(); ++i) {
    left *= storage.GetDim(i);
  }
  if (offset < 0 || offset > left) {
    return nullptr;
  }
  const op::Shape behind{left - offset};
  KEEP(aclTensor, *tensor, origin, behind, strides, offset);
}
aclIntArray* aclOpExecutor::AllocIntArray(const int64_t* value, uint64_t size) {
  KEEP(aclIntArray, value, size);
}
aclFloatArray* aclOpExecutor::AllocFloatArray(const float* value, uint64_t size) {
  KEEP(aclFloatArray, value, size);
}
aclBoolArray* aclOpExecutor::AllocBoolArray(const bool* value, uint64_t size) {
  KEEP(aclBoolArray, value, size);
}
aclTensorList* aclOpExecutor::AllocTensorList(const aclTensor* const* tensors, uint64_t size) {
  KEEP(aclTensorList, tensors, size);
}
aclScalarList* aclOpExecutor::AllocScalarList(const aclScalar* const* scalars, uint64_t size) {
  KEEP(aclScalarList, scalars, size);
}
aclScalar* aclOpExecutor::AllocScalar(const void* data, op::DataType type) {
  KEEP(aclScalar, data, type);
}

#define SCALAR(type) \
  aclScalar* aclOpExecutor::AllocScalar(type value) { KEEP(aclScalar, value); }
SCALAR(float)
SCALAR(double)
SCALAR(op::fp16_t)
SCALAR(op::bfloat16)
SCALAR(int32_t)
SCALAR(int64_t)
SCALAR(int16_t)
SCALAR(int8_t)
SCALAR(uint32_t)
SCALAR(uint64_t)
SCALAR(uint16_t)
SCALAR(uint8_t)
SCALAR(bool)

void aclOpExecutor::AddToKernelLauncherList(op::KernelLauncher*) {}
aclnnStatus aclOpExecutor::AddToKernelLauncherListDvpp(uint32_t, op::KernelLauncher*,
                                                       op::OpArgContext*) {
  return ACLNN_SUCCESS;
}
aclnnStatus aclOpExecutor::AddToKernelLauncherListCopyTask(uint32_t, op::KernelLauncher*,
                                                           op::OpArgList&, op::OpArgList&,
                                                           op::OpArgList&) {
  return ACLNN_SUCCESS;
}
aclnnStatus aclOpExecutor::AddToKernelLauncherListAiCpu(int32_t, op::KernelLauncher*,
                                                        op::OpArgContext*) {
  ++prepared;
  return ACLNN_SUCCESS;
}
void aclOpExecutor::UpdateTensorAddr(void*, const size_t) {}
void* aclOpExecutor::GetWorkspaceAddr() const { return nullptr; }
uint64_t aclOpExecutor::GetWorkspaceSize() const { return 0; }
uint64_t aclOpExecutor::GetLinearWorkspaceSize() const { return 0; }
const op::FVector<uint64_t>& aclOpExecutor::GetWorkspaceOffsets() const { return impl_->offsets; }
void aclOpExecutor::SetWorkspaceOffsets(const op::FVector<uint64_t>&) {}
aclnnStatus aclOpExecutor::Run() { return ACLNN_SUCCESS; }
aclrtStream aclOpExecutor::GetStream() const { return nullptr; }
std::vector<const aclTensor*>& aclOpExecutor::GetInputTensors() { return impl_->tensors; }
std::vector<const aclTensor*>& aclOpExecutor::GetOutputTensors() { return impl_->tensors; }
op::internal::OpLogInfo aclOpExecutor::GetLogInfo() const { return impl_->log; }
void aclOpExecutor::SetLogInfo(const op::internal::OpLogInfo&) {}
op::OpConfigInfo aclOpExecutor::GetOpConfigInfo() const { return impl_->config; }
void aclOpExecutor::SetOpConfigInfo(const op::OpConfigInfo&) {}
void aclOpExecutor::SetStream(aclrtStream) {}
void aclOpExecutor::AddTensorRelation(const aclTensor*, const aclTensor*) {}
void aclOpExecutor::AbandonCache(bool) {}
void aclOpExecutor::UpdateStorageAddr() {}
aclnnStatus aclOpExecutor::SetRepeatable() { return ACLNN_SUCCESS; }
bool aclOpExecutor::IsRepeatable() const { return false; }
void aclOpExecutor::FinalizeCache() {}
aclnnStatus aclOpExecutor::RepeatRunWithCache(void*, const aclrtStream) { return ACLNN_ERR_INNER; }
bool aclOpExecutor::CheckLauncherRepeatable() { return false; }
void aclOpExecutor::AddCache() {}
void aclOpExecutor::DeleteCache() {}
op::internal::OpExecCache* aclOpExecutor::GetOpExecCache() { return nullptr; }
void aclOpExecutor::SetIOTensorList() {}
void* aclOpExecutor::GetGraph() { return nullptr; }
uint64_t aclOpExecutor::GetMagicNumber() { return magicNumber_; }

UniqueExecutor::UniqueExecutor(const char* name)
    : funcName_(name), uniqueExecutor_(new aclOpExecutor) {}

aclnnStatus CommonOpExecutorRun(void*, uint64_t, aclOpExecutor*, aclrtStream) {
  return ACLNN_ERR_INNER;
}
void InitL2Phase1Context(const char*, aclOpExecutor**) {}
void InitL2Phase2Context(const char*, aclOpExecutor*) {}
void InitL0Context(const char*, aclOpExecutor*) {}

aclnnStatus CreatAiCoreKernelLauncher(const char*, uint32_t, aclOpExecutor* executor,
                                      op::OpArgContext* args) {
  if (executor == nullptr || args == nullptr) {
    return ACLNN_ERR_PARAM_NULLPTR;
  }
  op::DestroyOpArgContext(args);
  ++prepared;
  return ACLNN_SUCCESS;
}

void CreatDSAKernelLauncher(const char*, uint32_t, DSA_TASK_TYPE, aclOpExecutor*,
                            op::OpArgContext* args) {
  op::DestroyOpArgContext(args);
}

aclnnStatus InferShape(uint32_t type, op::OpArgList& inputs, op::OpArgList& outputs,
                       op::OpArgList& attributes) {
  return op::infer(kernels().at(type), inputs, outputs, attributes);
}

// ---- logs

void ReportErrorMessageInner(const std::string&, const char*, ...) {}
void DlogRecordInner(int32_t, int32_t level, const char* text, ...) {
  if (level >= OP_LOG_ERROR && std::getenv("PYACLNN_REFERENCE_LOG") != nullptr) {
    va_list arguments;
    va_start(arguments, text);
    std::vfprintf(stderr, text, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
  }
}
int32_t CheckLogLevelInner(int32_t, int32_t level) {
  static const bool asked = std::getenv("PYACLNN_REFERENCE_LOG") != nullptr;
  return asked && level == OP_LOG_ERROR ? 1 : 0;
}

// Declared in C by one header of theirs and in C++ by another.
int32_t CheckLogLevelInCpp(int32_t, int32_t) __asm__("_Z13CheckLogLevelii");
int32_t CheckLogLevelInCpp(int32_t, int32_t) { return 0; }
extern "C" {
int32_t CheckLogLevel(int32_t, int32_t) { return 0; }
void DlogRecord(int32_t, int32_t, const char*, ...) {}
char* mmSysGetEnv(int) { return nullptr; }
// Nobody asked for sums that are the same again.
int32_t rtCtxGetSysParamOpt(int32_t, int64_t* value) {
  *value = 0;
  return 0;
}
}

namespace error_message {
int32_t RegisterFormatErrorMessage(const char*, size_t) { return 0; }
int32_t ReportInnerErrMsg(const char*, const char*, uint32_t, const char*, const char*, ...) {
  return 0;
}
int32_t ReportPredefinedErrMsg(const char*, const std::vector<const char*>&,
                               const std::vector<const char*>&) {
  return 0;
}
int32_t ReportPredefinedErrMsg(const char*) { return 0; }
}  // namespace error_message

// ---- handles of callers

extern "C" {

/// What functions of files that did not compile come to.
void pyaclnn_reference_open() { std::_Exit(86); }

uint64_t pyaclnn_reference_prepared() { return prepared; }

aclTensor* aclCreateTensor(const int64_t* dims, uint64_t count, aclDataType type,
                           const int64_t* strides, int64_t offset, aclFormat format,
                           const int64_t* storage, uint64_t storageCount, void* data) {
  if ((dims == nullptr && count > 0) || (storage == nullptr && storageCount > 0)) {
    return nullptr;
  }
  return new aclTensor(dims, count, type, strides, offset, format, storage, storageCount, data);
}
aclScalar* aclCreateScalar(void* value, aclDataType type) {
  return value == nullptr ? nullptr : new aclScalar(value, op::ToOpDataType(type));
}
aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return new aclIntArray(value, size);
}
aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return new aclFloatArray(value, size);
}
aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return new aclBoolArray(value, size);
}
aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return new aclTensorList(value, size);
}
aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return new aclScalarList(value, size);
}

#define DESTROY(Kind)                                     \
  aclnnStatus aclDestroy##Kind(const acl##Kind* handle) { \
    delete handle;                                        \
    return ACLNN_SUCCESS;                                 \
  }
DESTROY(Tensor)
DESTROY(Scalar)
DESTROY(IntArray)
DESTROY(FloatArray)
DESTROY(BoolArray)

aclnnStatus aclDestroyTensorList(const aclTensorList* list) {
  for (uint64_t i = 0; list != nullptr && i < list->Size(); ++i) {
    delete (*list)[i];
  }
  delete list;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyScalarList(const aclScalarList* list) {
  for (uint64_t i = 0; list != nullptr && i < list->Size(); ++i) {
    delete (*list)[i];
  }
  delete list;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  delete executor;
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  *size = array->Size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  *size = array->Size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  *size = array->Size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size) {
  *size = list->Size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* type) {
  *type = op::ToAclDataType(tensor->GetDataType());
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** dims, uint64_t* count) {
  const op::Shape& shape = tensor->GetViewShape();
  *count = shape.GetDimNum();
  *dims = new int64_t[*count];
  for (uint64_t i = 0; i < *count; ++i) {
    (*dims)[i] = shape.GetDim(i);
  }
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  *format = op::ToAclFormat(tensor->GetViewFormat());
  return ACLNN_SUCCESS;
}

}  // extern "C"
