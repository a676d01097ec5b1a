// SPDX-License-Identifier: MIT
#include "toolkit/acl_op_compiler/asked.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "aclnnop/aclnn_npu_format_cast.h"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "runtime/entry.hpp"

namespace pyaclnn::sim {
namespace {

/// libopapi, which stands above this library, is looked for beside it.
void* operators() {
  static void* const library = [] {
    Dl_info here;
    if (dladdr(reinterpret_cast<void*>(&operator_symbol), &here) == 0)
      return static_cast<void*>(nullptr);
    std::string path = here.dli_fname;
    path.resize(path.find_last_of('/') + 1);
    return dlopen((path + "libopapi.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  return library;
}

/// A function that is declared, looked up.
#define DECLARED(name) reinterpret_cast<decltype(&(name))>(operator_symbol(#name))

/// Strides of contiguous elements, and how many these are.
std::vector<std::int64_t> strides_of(const NamedCall& call, const std::vector<std::int64_t>& dims,
                                     int i, std::int64_t* elements) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  std::int64_t count = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = count;
    if (__builtin_mul_overflow(count, dims[axis], &count))
      fail(kInvalidParam, "operator %s: tensor %d is too large", call.name, i);
  }
  *elements = count;
  return strides;
}

/// The values of a buffer of the host, or of a description, as whole numbers.
template <class Element>
std::vector<std::int64_t> numbers_in(const std::vector<char>& bytes) {
  std::vector<Element> values(bytes.size() / sizeof(Element));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Element));
  return {values.begin(), values.end()};
}

void require_four(const NamedCall& call, const std::vector<std::int64_t>& numbers,
                  const char* attribute) {
  if (numbers.size() != 4)
    fail(ACL_ERROR_GE_FAILURE, "operator %s: attribute %s has %zu numbers, it takes four",
         call.name, attribute, numbers.size());
}

bool on_host(const Description& d) { return d.placement != ACL_MEMTYPE_DEVICE; }

bool in_blocks(const Description& d) {
  return kPrivateFormats.contains(storage_of(d)) && !d.storage_dims.empty();
}

void swap_last(std::vector<std::int64_t>* dims, std::vector<std::int64_t>* strides) {
  if (dims->size() < 2) return;
  std::swap(dims->back(), (*dims)[dims->size() - 2]);
  std::swap(strides->back(), (*strides)[strides->size() - 2]);
}

}  // namespace

aclFormat storage_of(const Description& d) {
  return d.storage_format == ACL_FORMAT_UNDEFINED ? d.format : d.storage_format;
}

void* operator_symbol(const std::string& name) {
  return operators() == nullptr ? nullptr : dlsym(operators(), name.c_str());
}

void check_answer(const NamedCall& call, const std::string& function, int status) {
  if (status == ACL_SUCCESS) return;
  const char* const said = aclGetRecentErrMsg();
  fail(ACL_ERROR_GE_FAILURE, "operator %s: %s answers %d: %s", call.name, function.c_str(), status,
       said == nullptr ? "" : said);
}

Asked::~Asked() {
  if (executor_ != nullptr) DECLARED(aclDestroyAclOpExecutor)(executor_);
  // Nobody else knows of this memory, so it is waited for.
  if (!copies_.empty()) aclrtSynchronizeStream(call_.stream);
  for (void* copy : copies_) aclrtFree(copy);
}

Description Asked::described(const NamedTensors& tensors, int i) {
  const char* const what = &tensors == &call_.inputs ? "inputs" : "outputs";
  if (i >= tensors.count)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s has %d %s, what stands for it takes more",
         call_.name, tensors.count, what);
  require_not_null(tensors.descriptions, what);
  require_not_null(tensors.buffers, what);
  require_not_null(tensors.descriptions[i], what);
  require_not_null(tensors.buffers[i], what);
  return description_of(tensors.descriptions[i]);
}

Description Asked::input(int i) {
  read_.insert(i);
  return described(call_.inputs, i);
}

const aclTensor* Asked::own(aclTensor* tensor) {
  held_.emplace_back(tensor, [this](const aclTensor* made) {
    if (in_lists_.count(made) == 0) DECLARED(aclDestroyTensor)(made);
  });
  return tensor;
}

aclFormat Asked::format_of(aclFormat format, const std::vector<std::int64_t>& dims) const {
  return dims.size() == 3 && three_axes_ != ACL_FORMAT_UNDEFINED ? three_axes_ : format;
}

void* Asked::on_device(const Description& d, const aclDataBuffer* buffer, int i) {
  void* const address = aclGetDataBufferAddr(buffer);
  if (!on_host(d)) return address;
  std::int64_t elements = 0;
  strides_of(call_, d.dims, i, &elements);
  const std::size_t bytes = aclGetDataBufferSizeV2(buffer);
  const std::size_t each = std::max<std::size_t>(1, aclDataTypeSize(d.dtype));
  if (address == nullptr || elements < 1 || bytes / each < std::size_t(elements))
    fail(kInvalidParam, "operator %s: the memory of the host for tensor %d has %zu bytes",
         call_.name, i, bytes);
  void* const copy = allocated(bytes);
  check_answer(call_, "aclrtMemcpy",
               aclrtMemcpy(copy, bytes, address, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  return copy;
}

void* Asked::allocated(std::size_t bytes) {
  void* made = nullptr;
  check_answer(call_, "aclrtMalloc", aclrtMalloc(&made, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  copies_.push_back(made);
  return made;
}

aclTensor* Asked::tensor(const NamedTensors& tensors, int i, bool swapped) {
  const Description d = described(tensors, i);
  return in_blocks(d) ? in_rows(tensors, i, d, swapped) : as_stored(tensors, i, swapped);
}

aclTensor* Asked::as_stored(const NamedTensors& tensors, int i, bool swapped) {
  const Description d = described(tensors, i);
  if (on_host(d) && &tensors == &call_.outputs)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: output %d is in memory of the host",
         call_.name, i);
  std::int64_t elements = 0;
  std::vector<std::int64_t> dims = d.dims;
  std::vector<std::int64_t> strides = strides_of(call_, dims, i, &elements);
  if (swapped) swap_last(&dims, &strides);
  const std::vector<std::int64_t>& stored = in_blocks(d) ? d.storage_dims : d.dims;
  return DECLARED(aclCreateTensor)(dims.data(), dims.size(), d.dtype, strides.data(), 0,
                                   in_blocks(d) ? storage_of(d) : format_of(storage_of(d), dims),
                                   stored.data(), stored.size(),
                                   on_device(d, tensors.buffers[i], i));
}

aclTensor* Asked::in_rows(const NamedTensors& tensors, int i, const Description& d, bool swapped) {
  std::int64_t elements = 0;
  std::vector<std::int64_t> dims = d.dims;
  std::vector<std::int64_t> strides = strides_of(call_, dims, i, &elements);
  std::size_t bytes = 0;
  if (elements < 0 ||
      __builtin_mul_overflow(std::size_t(elements), aclDataTypeSize(d.dtype), &bytes))
    fail(kInvalidParam, "operator %s: tensor %d is too large", call_.name, i);
  void* const memory = allocated(std::max<std::size_t>(1, bytes));
  aclFormat format = kPrivateFormats.contains(d.format) ? ACL_FORMAT_ND : d.format;
  const auto rows = [&] {
    return DECLARED(aclCreateTensor)(dims.data(), dims.size(), d.dtype, strides.data(), 0, format,
                                     d.dims.data(), d.dims.size(), memory);
  };
  aclTensor* const whole = rows();
  own(whole);
  aclTensor* const blocks = as_stored(tensors, i);
  own(blocks);
  if (&tensors == &call_.outputs)
    results_.emplace_back(whole, blocks);
  else
    cast_format(blocks, whole);
  if (swapped) swap_last(&dims, &strides);
  format = format_of(format, dims);
  return rows();
}

void Asked::cast_format(const aclTensor* from, aclTensor* to) {
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  check_answer(call_, "aclnnNpuFormatCastGetWorkspaceSize",
               DECLARED(aclnnNpuFormatCastGetWorkspaceSize)(from, to, &size, &executor));
  second("aclnnNpuFormatCast", size, executor);
}

const aclTensor* Asked::in(int i) {
  read_.insert(i);
  return own(tensor(call_.inputs, i));
}

const aclTensor* Asked::in_as_stored(int i) {
  read_.insert(i);
  return own(as_stored(call_.inputs, i));
}

aclTensor* Asked::out_as_stored(int i) {
  written_.insert(i);
  aclTensor* const made = as_stored(call_.outputs, i);
  own(made);
  return made;
}

aclTensor* Asked::of_shape(const NamedTensors& tensors, int i,
                           const std::vector<std::int64_t>& dims) {
  const Description d = described(tensors, i);
  if (in_blocks(d) || on_host(d))
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: another shape of tensor %d, which is not in rows of the device", call_.name,
         i);
  std::int64_t there = 0;
  std::int64_t wanted = 0;
  strides_of(call_, d.dims, i, &there);
  const std::vector<std::int64_t> strides = strides_of(call_, dims, i, &wanted);
  const bool none_below = std::all_of(dims.begin(), dims.end(), [](auto n) { return n >= 0; });
  if (there != wanted || !none_below)
    fail(ACL_ERROR_GE_FAILURE, "operator %s: tensor %d has %lld elements, its other shape %lld",
         call_.name, i, static_cast<long long>(there), static_cast<long long>(wanted));
  aclTensor* const made = DECLARED(aclCreateTensor)(
      dims.data(), dims.size(), d.dtype, strides.data(), 0, format_of(ACL_FORMAT_ND, dims),
      dims.data(), dims.size(), aclGetDataBufferAddr(tensors.buffers[i]));
  own(made);
  return made;
}

const aclTensor* Asked::in_of_shape(int i, const std::vector<std::int64_t>& dims) {
  read_.insert(i);
  return of_shape(call_.inputs, i, dims);
}

aclTensor* Asked::out_of_shape(const std::vector<std::int64_t>& dims, int i) {
  written_.insert(i);
  return of_shape(call_.outputs, i, dims);
}

const aclTensor* Asked::first_along(int i, std::int64_t axis) {
  const Description d = input(i);
  if (in_blocks(d) || on_host(d) || std::int64_t(d.dims.size()) < -axis)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: input %d has no axis %lld in rows of the device", call_.name, i,
         static_cast<long long>(axis));
  std::int64_t elements = 0;
  std::vector<std::int64_t> dims = d.dims;
  std::vector<std::int64_t> strides = strides_of(call_, dims, i, &elements);
  dims.erase(dims.end() + axis);
  strides.erase(strides.end() + axis);
  return own(DECLARED(aclCreateTensor)(dims.data(), dims.size(), d.dtype, strides.data(), 0,
                                       ACL_FORMAT_ND, d.dims.data(), d.dims.size(),
                                       aclGetDataBufferAddr(call_.inputs.buffers[i])));
}

const aclTensor* Asked::in_if_there(int i) {
  if (i >= call_.inputs.count) return nullptr;
  return input(i).dtype == ACL_DT_UNDEFINED ? nullptr : in(i);
}

void Asked::absent(int i) {
  if (i >= call_.inputs.count) return;
  const Description d = input(i);
  if (d.dtype != ACL_DT_UNDEFINED && !d.dims.empty())
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: input %d is not simulated by name",
         call_.name, i);
}

const aclTensor* Asked::turned(int i) {
  read_.insert(i);
  return own(tensor(call_.inputs, i, true));
}

aclTensor* Asked::turned_out(int i) {
  written_.insert(i);
  aclTensor* const made = tensor(call_.outputs, i, true);
  own(made);
  return made;
}

aclTensor* Asked::turned_rows_of(const NamedTensors& tensors, int i, std::int64_t first,
                                 std::int64_t count) {
  const Description d = described(tensors, i);
  if (in_blocks(d) || on_host(d) || d.dims.size() != 2 || first < 0 || count < 0 ||
      first > d.dims[0] || count > d.dims[0] - first)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: tensor %d has no rows from %lld to %lld in memory of the device", call_.name,
         i, static_cast<long long>(first), static_cast<long long>(first + count));
  const std::int64_t dims[] = {d.dims[1], count};
  const std::int64_t strides[] = {1, d.dims[1]};
  aclTensor* const made = DECLARED(aclCreateTensor)(dims, 2, d.dtype, strides, first * d.dims[1],
                                                    ACL_FORMAT_ND, d.dims.data(), d.dims.size(),
                                                    aclGetDataBufferAddr(tensors.buffers[i]));
  own(made);
  return made;
}

const aclTensor* Asked::turned_rows(int i, std::int64_t first, std::int64_t count) {
  read_.insert(i);
  return turned_rows_of(call_.inputs, i, first, count);
}

aclTensor* Asked::turned_rows_out(int i, std::int64_t first, std::int64_t count) {
  written_.insert(i);
  return turned_rows_of(call_.outputs, i, first, count);
}

aclTensor* Asked::zeros(const std::vector<std::int64_t>& dims) {
  const aclDataType dtype = described(call_.inputs, 0).dtype;
  std::int64_t elements = 0;
  const std::vector<std::int64_t> strides = strides_of(call_, dims, 0, &elements);
  std::size_t bytes = 0;
  if (elements < 0 || __builtin_mul_overflow(std::size_t(elements), aclDataTypeSize(dtype), &bytes))
    fail(kInvalidParam, "operator %s: tensor 0 is too large", call_.name);
  bytes = std::max<std::size_t>(1, bytes);
  void* const memory = allocated(bytes);
  check_answer(call_, "aclrtMemsetAsync", aclrtMemsetAsync(memory, bytes, 0, bytes, call_.stream));
  aclTensor* const made =
      DECLARED(aclCreateTensor)(dims.data(), dims.size(), dtype, strides.data(), 0,
                                format_of(ACL_FORMAT_ND, dims), dims.data(), dims.size(), memory);
  own(made);
  return made;
}

aclTensorList* Asked::list_of(const std::vector<const aclTensor*>& tensors) {
  aclTensorList* const made = DECLARED(aclCreateTensorList)(tensors.data(), tensors.size());
  held_.emplace_back(made, DECLARED(aclDestroyTensorList));
  in_lists_.insert(tensors.begin(), tensors.end());
  return made;
}

const aclTensor* Asked::matrix(int i, const char* transposed) {
  read_.insert(i);
  return own(tensor(call_.inputs, i, flag(transposed)));
}

aclTensor* Asked::out(int i) {
  written_.insert(i);
  aclTensor* const made = tensor(call_.outputs, i);
  own(made);
  return made;
}

aclTensor* Asked::out_of_any_shape() {
  aclTensor* const made = out();
  of_any_shape_ = made;
  return made;
}

aclDataType Asked::type(int i) { return described(call_.outputs, i).dtype; }

const aclTensorList* Asked::ins() {
  std::vector<const aclTensor*> all;
  for (int i = 0; i < call_.inputs.count; ++i) {
    read_.insert(i);
    all.push_back(tensor(call_.inputs, i));
  }
  // The list destroys its tensors.
  aclTensorList* const made = DECLARED(aclCreateTensorList)(all.data(), all.size());
  held_.emplace_back(made, DECLARED(aclDestroyTensorList));
  return made;
}

const aclTensor* Asked::window(int i, int begins) {
  const Description whole = input(i);
  if (in_blocks(whole))
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: part of input %d, which is in blocks",
         call_.name, i);
  const std::vector<std::int64_t> first = constant(begins);
  const std::vector<std::int64_t> dims = described(call_.outputs, 0).dims;
  std::int64_t elements = 0;
  const std::vector<std::int64_t> strides = strides_of(call_, whole.dims, i, &elements);
  bool fits = first.size() == whole.dims.size() && dims.size() == whole.dims.size();
  std::int64_t offset = 0;
  for (std::size_t axis = 0; fits && axis < dims.size(); ++axis) {
    fits = first[axis] >= 0 && dims[axis] >= 0 && first[axis] <= whole.dims[axis] &&
           dims[axis] <= whole.dims[axis] - first[axis];
    if (fits) offset += first[axis] * strides[axis];
  }
  if (!fits)
    fail(ACL_ERROR_GE_FAILURE, "operator %s: the part is not inside of input %d", call_.name, i);
  return own(DECLARED(aclCreateTensor)(
      dims.data(), dims.size(), whole.dtype, strides.data(), offset, storage_of(whole),
      whole.dims.data(), whole.dims.size(), on_device(whole, call_.inputs.buffers[i], i)));
}

std::vector<std::int64_t> Asked::constant(int i) {
  const Description d = input(i);
  std::vector<char> bytes = d.constant;
  if (bytes.empty() && on_host(d)) {
    const auto* const data =
        static_cast<const char*>(aclGetDataBufferAddr(call_.inputs.buffers[i]));
    if (data != nullptr) bytes.assign(data, data + aclGetDataBufferSizeV2(call_.inputs.buffers[i]));
  }
  std::vector<std::int64_t> values;
  if (d.dtype == ACL_INT64) values = numbers_in<std::int64_t>(bytes);
  if (d.dtype == ACL_INT32) values = numbers_in<std::int32_t>(bytes);
  if (values.empty())
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: input %d is no constant list of integers",
         call_.name, i);
  return values;
}

const aclIntArray* Asked::array(const std::vector<std::int64_t>& values) {
  aclIntArray* const made = DECLARED(aclCreateIntArray)(values.data(), values.size());
  held_.emplace_back(made, DECLARED(aclDestroyIntArray));
  return made;
}

const aclIntArray* Asked::numbers(int i) { return array(constant(i)); }

const aclIntArray* Asked::padding(int i) {
  const std::vector<std::int64_t> pairs = constant(i);
  std::vector<std::int64_t> turned;
  for (std::size_t pair = pairs.size() / 2; pair-- > 0;)
    turned.insert(turned.end(), {pairs[2 * pair], pairs[2 * pair + 1]});
  return array(turned);
}

std::int64_t Asked::number(int i) { return constant(i).front(); }

const aclScalar* Asked::value(int i) {
  const Description d = input(i);
  std::int64_t elements = 0;
  strides_of(call_, d.dims, i, &elements);
  const std::size_t bytes = aclGetDataBufferSizeV2(call_.inputs.buffers[i]);
  void* data = aclGetDataBufferAddr(call_.inputs.buffers[i]);
  if (!on_host(d) || data == nullptr || elements != 1 || bytes == 0 ||
      bytes < aclDataTypeSize(d.dtype))
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: input %d is no number of the host",
         call_.name, i);
  return number_of(data, d.dtype);
}

double Asked::floating(int i) {
  value(i);  // which refuses what is none
  const void* const data = aclGetDataBufferAddr(call_.inputs.buffers[i]);
  switch (const aclDataType dtype = input(i).dtype) {
    case ACL_FLOAT:
      return *static_cast<const float*>(data);
    case ACL_FLOAT16:
      return aclFloat16ToFloat(*static_cast<const aclFloat16*>(data));
    default:
      fail(ACL_ERROR_FEATURE_UNSUPPORTED,
           "operator %s: input %d is %s, float32 and float16 are "
           "simulated by name",
           call_.name, i, dtype_name(dtype));
  }
}

std::vector<std::int64_t> Asked::attribute_numbers(const char* attribute,
                                                   std::vector<std::int64_t> otherwise) {
  asked_.insert(attribute);
  const auto found = whole_attribute(call_.attributes, attribute);
  return found ? *found : std::move(otherwise);
}

std::int64_t Asked::one_of(const std::vector<std::int64_t>& values, const char* attribute) const {
  if (values.size() != 1)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: attribute %s has %zu numbers, one is simulated", call_.name, attribute,
         values.size());
  return values.front();
}

std::int64_t Asked::whole(const char* attribute, std::int64_t otherwise) {
  return one_of(attribute_numbers(attribute, {otherwise}), attribute);
}

std::int64_t Asked::axis(const char* attribute) {
  return one_of(attribute_numbers(attribute, {-1}), attribute);
}

const aclIntArray* Asked::list(const char* attribute) {
  return array(attribute_numbers(attribute, {}));
}

const aclIntArray* Asked::of_image(const char* attribute,
                                   const std::vector<std::int64_t>& otherwise) {
  const std::vector<std::int64_t> all = attribute_numbers(attribute, otherwise);
  require_four(call_, all, attribute);
  if (all[0] != otherwise[0] || all[1] != otherwise[1])
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: attribute %s is %lld and %lld for images and channels, only %lld is "
         "simulated by name",
         call_.name, attribute, static_cast<long long>(all[0]), static_cast<long long>(all[1]),
         static_cast<long long>(otherwise[0]));
  return array({all[2], all[3]});
}

const aclIntArray* Asked::borders(const char* attribute) {
  const std::vector<std::int64_t> all = attribute_numbers(attribute, {0, 0, 0, 0});
  require_four(call_, all, attribute);
  if (all[0] != all[1] || all[2] != all[3])
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: attribute %s differs between both sides, alike is simulated by name",
         call_.name, attribute);
  return array({all[0], all[2]});
}

bool Asked::flag(const char* attribute, bool otherwise) {
  return whole(attribute, otherwise ? 1 : 0) != 0;
}

float Asked::float_of(const char* attribute, float otherwise) {
  asked_.insert(attribute);
  return real_attribute(call_.attributes, attribute).value_or(otherwise);
}

const aclScalar* Asked::real(const char* attribute, float otherwise) {
  return scalar(float_of(attribute, otherwise));
}

const aclScalar* Asked::number_of(void* value, aclDataType dtype) {
  aclScalar* const made = DECLARED(aclCreateScalar)(value, dtype);
  held_.emplace_back(made, DECLARED(aclDestroyScalar));
  return made;
}

const aclScalar* Asked::scalar(float value) { return number_of(&value, ACL_FLOAT); }

const aclScalar* Asked::one() {
  bool value = true;
  return number_of(&value, ACL_BOOL);
}

void Asked::only(const char* attribute, std::int64_t value) {
  if (whole(attribute, value) != value)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: only %s = %lld is simulated by name",
         call_.name, attribute, static_cast<long long>(value));
}

void Asked::only_real(const char* attribute, float value) {
  const float given = float_of(attribute, value);
  if (given != value)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: attribute %s is %g, only %g is simulated by name", call_.name, attribute,
         double(given), double(value));
}

void Asked::require(bool condition, const char* what) const {
  if (!condition) fail(ACL_ERROR_GE_FAILURE, "operator %s takes %s", call_.name, what);
}

void Asked::only_text(const char* attribute, const char* value, const char* otherwise) {
  asked_.insert(attribute);
  const std::string given = text_attribute(call_.attributes, attribute)
                                .value_or(otherwise == nullptr ? value : otherwise);
  if (given != value)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED,
         "operator %s: attribute %s is %s, only %s is simulated by name", call_.name, attribute,
         given.c_str(), value);
}

void Asked::alike(int count) {
  const aclDataType first = input(0).dtype;
  for (int i = 1; i < count; ++i)
    if (input(i).dtype != first)
      fail(ACL_ERROR_GE_FAILURE,
           "operator %s: input 0 is %s and input %d is %s, kernels take one type", call_.name,
           dtype_name(first), i, dtype_name(input(i).dtype));
}

void Asked::require_all_read() const {
  for (const std::string& attribute : attribute_names(call_.attributes))
    if (asked_.count(attribute) == 0)
      fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s: attribute %s is not simulated by name",
           call_.name, attribute.c_str());
  if (int(read_.size()) != call_.inputs.count)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s has %d inputs, what stands for it takes %zu",
         call_.name, call_.inputs.count, read_.size());
  if (int(written_.size()) != call_.outputs.count)
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "operator %s has %d outputs, what stands for it has %zu",
         call_.name, call_.outputs.count, written_.size());
}

void Asked::copy_bytes() {
  require_all_read();
  void* const to = aclGetDataBufferAddr(call_.outputs.buffers[0]);
  const std::size_t room = aclGetDataBufferSizeV2(call_.outputs.buffers[0]);
  const std::size_t bytes = aclGetDataBufferSizeV2(call_.inputs.buffers[0]);
  check_answer(call_, "aclrtMemcpyAsync",
               aclrtMemcpyAsync(to, room, aclGetDataBufferAddr(call_.inputs.buffers[0]), bytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, call_.stream));
}

void Asked::second(const std::string& name, std::uint64_t size, aclOpExecutor* executor) {
  using Phase = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);
  const auto phase = reinterpret_cast<Phase>(operator_symbol(name));
  void* const workspace = size > 0 ? allocated(size) : nullptr;
  check_answer(call_, name, phase(workspace, size, executor, call_.stream));
}

void Asked::run() {
  if (executor_ == nullptr) return;
  second(name(), size_, std::exchange(executor_, nullptr));
  for (const auto& [rows, blocks] : results_) cast_format(rows, blocks);
  if (of_any_shape_ != nullptr && call_.shapes != nullptr) report_shape();
}

void Asked::report_shape() {
  check_answer(call_, "aclrtSynchronizeStream", aclrtSynchronizeStream(call_.stream));
  std::int64_t* dims = nullptr;
  std::uint64_t count = 0;
  check_answer(call_, "aclGetViewShape", DECLARED(aclGetViewShape)(of_any_shape_, &dims, &count));
  const std::unique_ptr<std::int64_t[]> owned(dims);
  check_answer(call_, "aclSetTensorOriginShape",
               aclSetTensorOriginShape(call_.shapes[0], int(count), dims));
}

}  // namespace pyaclnn::sim
