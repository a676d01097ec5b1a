// What a single operator is asked for with: tensors, constants and attributes, as the parameters of
// an aclnn function.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "runtime/descriptions.hpp"
#include "toolkit/acl_op_compiler/by_name.hpp"

namespace pyaclnn::sim {

aclFormat storage_of(const Description& described);

/// A function of libopapi or of what it stands on; null where there is none.
void* operator_symbol(const std::string& name);

/// Fails with 500002 and what was said, unless a function answered 0.
void check_answer(const NamedCall& call, const std::string& function, int status);

/// Every method makes a parameter, which lives as long as this does, and notes that the call's
/// input or attribute was read. Failure(200006) for what has no such parameter.
class Asked {
 public:
  Asked(const NamedCall& call, const char* function) : call_(call), function_(function) {}
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  ~Asked();

  const aclTensor* in(int i);
  aclTensor* out(int i = 0);
  /// An output whose shape follows from values: the stream is waited for, and the caller told.
  aclTensor* out_of_any_shape();
  /// The same as they are stored, for what knows blocks; for all else these are put into rows
  /// before, and back behind.
  const aclTensor* in_as_stored(int i);
  aclTensor* out_as_stored(int i = 0);
  /// The same elements with other extents.
  const aclTensor* in_of_shape(int i, const std::vector<std::int64_t>& dims);
  aclTensor* out_of_shape(const std::vector<std::int64_t>& dims, int i = 0);
  /// The elements at the first place of an axis, counted from the last: -1, -2…
  const aclTensor* first_along(int i, std::int64_t axis);
  /// An input, or null where the call has none there.
  const aclTensor* in_if_there(int i);
  /// Fails where the input is there: nothing, or a number in its place, is simulated.
  void absent(int i);
  /// Tensors of three axes are of this format from here on: some functions know them by it.
  void three_axes_as(aclFormat format) { three_axes_ = format; }
  std::vector<std::int64_t> dims_of_input(int i) { return input(i).dims; }
  std::vector<std::int64_t> dims_of_output(int i) { return described(call_.outputs, i).dims; }
  /// The matrices of an input, whose last axes change places where the attribute says so.
  const aclTensor* matrix(int i, const char* transposed);
  /// Matrices whose axes have changed places.
  const aclTensor* turned(int i);
  aclTensor* turned_out(int i);
  /// Some rows of such a matrix, which is in rows of the device.
  const aclTensor* turned_rows(int i, std::int64_t first, std::int64_t count);
  aclTensor* turned_rows_out(int i, std::int64_t first, std::int64_t count);
  /// Zeros of the first input's type, or room for what nobody asks for.
  aclTensor* zeros(const std::vector<std::int64_t>& dims);
  /// A list of what was made before.
  aclTensorList* list_of(const std::vector<const aclTensor*>& tensors);
  /// All inputs.
  const aclTensorList* ins();
  /// Part of an input that begins at these places and has the shape of the output.
  const aclTensor* window(int i, int begins);
  aclDataType type(int i = 0);  // of an output
  /// Fails unless the first inputs have the same type: no kernel is compiled for others.
  void alike(int count);

  /// The whole numbers of an input whose value the host knows.
  const aclIntArray* numbers(int i);
  /// Those in the order that ConstantPadNd takes: from the last axis to the first.
  const aclIntArray* padding(int i);
  std::int64_t number(int i);
  /// An input of one number that the host knows.
  const aclScalar* value(int i);
  /// The same of a floating type.
  double floating(int i);

  std::int64_t whole(const char* attribute, std::int64_t otherwise);
  /// A list of one axis.
  std::int64_t axis(const char* attribute);
  const aclIntArray* list(const char* attribute);
  /// The last two of four numbers, which are of height and width; Failure(200006) where those of
  /// images and channels are other ones than usual.
  const aclIntArray* of_image(const char* attribute, const std::vector<std::int64_t>& otherwise);
  /// The borders of height and width, of which both sides must be alike.
  const aclIntArray* borders(const char* attribute);
  std::vector<std::int64_t> numbers_of(const char* attribute) {
    return attribute_numbers(attribute, {});
  }
  bool flag(const char* attribute, bool otherwise = false);
  float float_of(const char* attribute, float otherwise);
  const aclScalar* real(const char* attribute, float otherwise);
  const aclScalar* scalar(float value);
  /// The number that every type has.
  const aclScalar* one();

  /// The input says nothing that the others do not.
  void unused(int i) { read_.insert(i); }
  /// The attribute says no more than descriptions do.
  void unused(const char* attribute) { asked_.insert(attribute); }
  /// Fails unless the attribute has this value.
  void only(const char* attribute, std::int64_t value);
  void only_real(const char* attribute, float value);
  /// The same of a text, with what it is where it was not set.
  void only_text(const char* attribute, const char* value, const char* otherwise = nullptr);
  /// Fails with what it takes.
  void require(bool condition, const char* what) const;

  const NamedCall& call() const { return call_; }
  /// Another function than that of the row.
  void instead(const char* function) { function_ = function; }

  /// The first phase of the function, with what is before its last two parameters.
  template <class... Arguments>
  void first(Arguments... arguments) {
    using Phase = aclnnStatus (*)(Arguments..., std::uint64_t*, aclOpExecutor**);
    const auto phase = reinterpret_cast<Phase>(operator_symbol(name() + "GetWorkspaceSize"));
    require_all_read();
    check_answer(call_, name() + "GetWorkspaceSize",
                 phase == nullptr ? kMissing : phase(arguments..., &size_, &executor_));
  }

  /// Instead of both phases: copies the input, byte by byte.
  void copy_bytes();

  /// The second one, after the first.
  void run();

 private:
  static constexpr int kMissing = 561003;

  std::string name() const { return std::string("aclnn") + function_; }
  Description input(int i);
  /// Described and there; Failure(200006) where there are fewer.
  Description described(const NamedTensors& tensors, int i);
  aclTensor* tensor(const NamedTensors& tensors, int i, bool swapped = false);
  aclTensor* as_stored(const NamedTensors& tensors, int i, bool swapped = false);
  /// A tensor of rows; of an input with what its blocks hold, of an output to be copied back.
  aclTensor* in_rows(const NamedTensors& tensors, int i, const Description& d, bool swapped);
  aclTensor* turned_rows_of(const NamedTensors& tensors, int i, std::int64_t first,
                            std::int64_t count);
  aclTensor* of_shape(const NamedTensors& tensors, int i, const std::vector<std::int64_t>& dims);
  void* allocated(std::size_t bytes);
  void cast_format(const aclTensor* from, aclTensor* to);
  void report_shape();
  void second(const std::string& name, std::uint64_t size, aclOpExecutor* executor);
  const aclTensor* own(aclTensor* tensor);
  aclFormat format_of(aclFormat format, const std::vector<std::int64_t>& dims) const;
  void* on_device(const Description& described, const aclDataBuffer* buffer, int i);
  std::vector<std::int64_t> constant(int i);
  std::vector<std::int64_t> attribute_numbers(const char* attribute,
                                              std::vector<std::int64_t> otherwise);
  std::int64_t one_of(const std::vector<std::int64_t>& values, const char* attribute) const;
  const aclScalar* number_of(void* value, aclDataType dtype);
  const aclIntArray* array(const std::vector<std::int64_t>& values);
  void require_all_read() const;

  const NamedCall& call_;
  const char* function_;
  std::set<int> read_;
  std::set<int> written_;
  std::set<std::string> asked_;
  std::set<const aclTensor*> in_lists_;  // which destroy them
  std::vector<std::shared_ptr<const void>> held_;
  std::vector<void*> copies_;  // of what is in memory of the host, or in blocks
  std::vector<std::pair<const aclTensor*, aclTensor*>> results_;  // rows, and blocks they go to
  const aclTensor* of_any_shape_ = nullptr;
  aclFormat three_axes_ = ACL_FORMAT_UNDEFINED;
  std::uint64_t size_ = 0;
  aclOpExecutor* executor_ = nullptr;
};

}  // namespace pyaclnn::sim
