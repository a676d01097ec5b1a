// Views and shapes at the limits of what describes them.
// SPDX-License-Identifier: MIT
#include <functional>

#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_foreach_abs.h"
#include "aclnnop/aclnn_gelu_mul.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_selu.h"
#include "call.hpp"

namespace {

/// A tensor over one element of memory, with the shape and offset that are given.
struct Described {
  Described(const Shape& shape, void* data, int64_t offset = 0, int64_t stride = 1) {
    const Shape strides(shape.size(), stride);
    const int64_t stored = int64_t(1) << 40;
    tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), offset,
                             ACL_FORMAT_ND, &stored, 1, data);
    EXPECT(tensor != nullptr);
  }
  ~Described() { EXPECT_OK(aclDestroyTensor(tensor)); }
  Described(const Described&) = delete;
  aclTensor* tensor;
};

Shape ones(size_t rank, int64_t last = 1) {
  Shape shape(rank, 1);
  shape.back() = last;
  return shape;
}

}  // namespace

CASE(a_view_that_begins_in_the_padding_of_a_block_touches_no_other) {
  Session session;
  Memory small(4);
  Array<float> victim({1024}, std::vector<float>(1024, 0));
  Array<float> values({300}, std::vector<float>(300, 7));
  for (int64_t offset = 0; offset < 16; ++offset) {
    for (int64_t size : {1, 300}) {
      const Described in({size}, values.data());
      const Described out({size}, small.data(), offset);
      const int status = run(session, PHASES(aclnnRelu), in.tensor, out.tensor);
      EXPECT_EQ(status, offset == 0 && size == 1 ? 0 : kKernelFault);
      if (offset > 1) EXPECT_MESSAGE("bytes behind the end of the allocation of 4 bytes");
    }
  }
  for (float value : victim.read()) EXPECT_EQ(value, 0.0f);
}

CASE(a_view_larger_than_any_memory_from_the_padding_on) {
  Session session;
  Memory small(4);
  const Described view({int64_t(1) << 28}, small.data(), 2);
  EXPECT_EQ(run(session, PHASES(aclnnInplaceRelu), view.tensor), kKernelFault);
}

CASE(a_view_of_negative_reach) {
  Session session;
  Memory ahead(4096), block(4096);
  const Described view({64}, block.data(), 0, -1);
  EXPECT(run(session, PHASES(aclnnInplaceRelu), view.tensor) != 0);
}

CASE(more_dimensions_than_an_aclTensor_keeps_are_refused) {
  Session session;
  Memory memory(4096);
  for (size_t rank : {26, 27, 31, 40, 63, 300}) {
    const Described x(ones(rank, 4), memory.data()), one(ones(rank), memory.data());
    const Described plain({1}, memory.data());
    const char* none = "none";
    EXPECT_EQ(refusal(aclnnGeluMulGetWorkspaceSize, x.tensor, const_cast<char*>(none), one.tensor),
              kInvalid);
    EXPECT_MESSAGE("dimensions; an aclTensor keeps 25 of them");
    EXPECT_EQ(refusal(aclnnInplaceSeluGetWorkspaceSize, x.tensor), kInvalid);
    EXPECT_EQ(refusal(aclnnReluGetWorkspaceSize, plain.tensor, x.tensor), kInvalid);
    const Number number(3);
    for (int64_t axis : {int64_t(0), int64_t(rank) - 1, int64_t(-1)}) {
      int64_t value = axis;
      aclScalar* dim = aclCreateScalar(&value, ACL_INT64);
      EXPECT_EQ(refusal(aclnnInplaceCumprodGetWorkspaceSize, x.tensor, dim), kInvalid);
      EXPECT_OK(aclDestroyScalar(dim));
    }
    EXPECT_EQ(refusal(aclnnLinspaceGetWorkspaceSize, number, number, int64_t(4), x.tensor),
              kInvalid);
  }
}

CASE(as_many_dimensions_as_it_keeps_are_taken) {
  Session session;
  Array<float> x(ones(25, 4), {-1, 0, 1, 2});
  EXPECT_OK(run(session, PHASES(aclnnInplaceSelu), x));
  EXPECT_EQ(x.read()[3] > 2, true);
}

CASE(a_fault_in_an_empty_first_output_goes_to_the_next) {
  Session session;
  Memory memory(4);
  EXPECT_OK(pyaclnnSimSetFault("aclnnForeachAbs:1:result"));
  aclTensor* in[2];
  aclTensor* out[2];
  const float values[4] = {1, 2, 3, 4};
  void* data[2];
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclrtMalloc(&data[i], sizeof values, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemcpy(data[i], 16, values, 16, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  const int64_t sizes[2] = {0, 4};
  for (int i = 0; i < 2; ++i) {
    const auto make = [&](void* at) {
      return aclCreateTensor(&sizes[i], 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &sizes[i], 1,
                             sizes[i] == 0 ? nullptr : at);
    };
    in[i] = make(data[0]);
    out[i] = make(data[1]);
  }
  aclTensorList* from = aclCreateTensorList(in, 2);
  aclTensorList* to = aclCreateTensorList(out, 2);
  EXPECT_OK(run(session, PHASES(aclnnForeachAbs), from, to));
  float back[4];
  EXPECT_OK(aclrtMemcpy(back, 16, data[1], 16, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT(back[0] != 1 && back[1] == 2 && back[3] == 4);
  EXPECT_OK(pyaclnnSimSetFault(""));
  EXPECT_OK(aclDestroyTensorList(from));
  EXPECT_OK(aclDestroyTensorList(to));
  for (void* each : data) EXPECT_OK(aclrtFree(each));
}
