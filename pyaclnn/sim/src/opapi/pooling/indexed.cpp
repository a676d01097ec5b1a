// SPDX-License-Identifier: MIT
#include "opapi/pooling/indexed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // indices worth a hand-over to another thread

struct Kernel {
  BatchedView values;
  BatchedView index;
  BatchedView out;
  LoadFn load = nullptr;
  LoadFn load_index = nullptr;
  StoreFn store = nullptr;
  aclDataType index_dtype = ACL_INT64;
  aclDataType compute_dtype = ACL_FLOAT;  // whose planes need no conversion
};

/// One thread's buffers for planes that are not plain arrays of C.
template <class C>
class Buffers {
 public:
  explicit Buffers(const Kernel& kernel)
      : kernel_(kernel),
        values_(kernel.values.is_array_of(kernel.compute_dtype) ? 0 : kernel.values.size()),
        index_(kernel.index.is_array_of(kernel.index_dtype) ? 0 : kernel.index.size()),
        out_(kernel.out.is_array_of(kernel.compute_dtype) ? 0 : kernel.out.size()) {}

  const C* values(const std::byte* plane) {
    if (values_.empty()) return reinterpret_cast<const C*>(plane);
    kernel_.values.load(kernel_.load, plane, sizeof(C), values_.data());
    return values_.data();
  }

  template <class Visit>
  void with_index(const std::byte* plane, Visit visit) {
    if (!index_.empty()) {
      kernel_.index.load(kernel_.load_index, plane, sizeof(std::int64_t), index_.data());
      visit(index_.data());
    } else if (kernel_.index_dtype == ACL_INT32) {
      visit(reinterpret_cast<const std::int32_t*>(plane));
    } else {
      visit(reinterpret_cast<const std::int64_t*>(plane));
    }
  }

  C* out(std::byte* plane) { return out_.empty() ? reinterpret_cast<C*>(plane) : out_.data(); }
  void flush(std::byte* plane) const {
    if (!out_.empty()) kernel_.out.store(kernel_.store, out_.data(), sizeof(C), plane);
  }

 private:
  const Kernel& kernel_;
  std::vector<C> values_;
  std::vector<std::int64_t> index_;
  std::vector<C> out_;
};

/// Calls body(buffers, plane of values, plane of indices, plane of out) for every plane.
template <class C, class Body>
void for_each_plane(const Kernel& kernel, const KernelMemory& memory, Body body) {
  const std::byte* values = kernel.values.base(memory);
  const std::byte* index = kernel.index.base(memory);
  std::byte* out = kernel.out.base(memory);
  const std::int64_t work = std::max({kernel.index.size(), kernel.out.size(), std::int64_t(1)});
  parallel_for(kernel.out.count(), std::max<std::int64_t>(1, kGrain / work),
               [&](std::int64_t begin, std::int64_t end) {
                 Buffers<C> buffers(kernel);
                 for (std::int64_t i = begin; i < end; ++i)
                   body(buffers, values + kernel.values.plane_bytes(i),
                        index + kernel.index.plane_bytes(i), out + kernel.out.plane_bytes(i));
               });
}

/// Put every value at the element of a plane of zeros that its index names; \p put takes the
/// element and the value.
template <class C, class Put>
void scatter(const Kernel& kernel, const KernelMemory& memory, Put put) {
  const auto size = static_cast<std::uint64_t>(kernel.out.size());
  const std::int64_t count = kernel.index.size();
  for_each_plane<C>(kernel, memory,
                    [=](Buffers<C>& buffers, const std::byte* value_plane,
                        const std::byte* index_plane, std::byte* out_plane) {
                      const C* values = buffers.values(value_plane);
                      C* out = buffers.out(out_plane);
                      std::fill_n(out, std::size_t(size), C(0));
                      buffers.with_index(index_plane, [=](const auto* index) {
                        for (std::int64_t i = 0; i < count; ++i) {
                          const auto at = static_cast<std::uint64_t>(index[i]);
                          if (at < size) put(out[at], values[i]);
                        }
                      });
                      buffers.flush(out_plane);
                    });
}

template <class C>
void gather(const Kernel& kernel, const KernelMemory& memory) {
  const auto size = static_cast<std::uint64_t>(kernel.values.size());
  const std::int64_t count = kernel.index.size();
  for_each_plane<C>(kernel, memory,
                    [=](Buffers<C>& buffers, const std::byte* value_plane,
                        const std::byte* index_plane, std::byte* out_plane) {
                      const C* values = buffers.values(value_plane);
                      C* out = buffers.out(out_plane);
                      buffers.with_index(index_plane, [=](const auto* index) {
                        for (std::int64_t i = 0; i < count; ++i) {
                          const auto at = static_cast<std::uint64_t>(index[i]);
                          out[i] = at < size ? values[at] : C(0);
                        }
                      });
                      buffers.flush(out_plane);
                    });
}

bool is_integer(aclDataType dtype) {
  return dtype != ACL_FLOAT && !is_16_bit_float(dtype) && dtype != ACL_DOUBLE;
}

/// An integer type of the same size: a selection copies bits.
aclDataType bits_of(aclDataType dtype) {
  switch (dtype_size(dtype)) {
    case 1:
      return ACL_INT8;
    case 2:
      return ACL_INT16;
    case 4:
      return ACL_INT32;
    default:
      return ACL_INT64;
  }
}

template <class C>
void launch_gather_in(Plan& plan, std::shared_ptr<Kernel> kernel, aclDataType from,
                      aclDataType to) {
  kernel->load = loader<C>(from);
  kernel->store = storer<C>(to, Rounding::kTruncate);
  kernel->compute_dtype = dtype_of<C>();
  if (kernel->load == nullptr || kernel->store == nullptr)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  plan.launch(
      [kernel = std::move(kernel)](const KernelMemory& memory) { gather<C>(*kernel, memory); });
}

template <class C>
void launch_scatter_in(Plan& plan, std::shared_ptr<Kernel> kernel, aclDataType bits) {
  kernel->load = loader<C>(bits);
  kernel->store = storer<C>(bits, Rounding::kTruncate);
  kernel->compute_dtype = bits;
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) {
    scatter<C>(*kernel, memory, [](C& element, C value) { element = value; });
  });
}

}  // namespace

void launch_scatter_sums(Plan& plan, const TensorArgument& values, const View& index,
                         const TensorArgument& out, std::size_t trailing) {
  auto kernel = std::make_shared<Kernel>();
  kernel->out = BatchedView(plan.writes(out), trailing);
  kernel->values = BatchedView(plan.reads(values), trailing);
  kernel->index = BatchedView(index, trailing);
  kernel->index_dtype = index.dtype;
  kernel->load = loader<float>(values.dtype());
  kernel->load_index = loader<std::int64_t>(index.dtype);
  kernel->store = storer<float>(out.dtype(), Rounding::kNearestEven);
  plan.launch([kernel](const KernelMemory& memory) {
    scatter<float>(*kernel, memory, [](float& element, float value) { element += value; });
  });
}

void launch_scatter(Plan& plan, const TensorArgument& values, const TensorArgument& index,
                    const TensorArgument& out, std::size_t trailing) {
  View to = plan.writes(out);
  View from = plan.reads(values);
  const aclDataType bits = bits_of(values.dtype());
  to.dtype = from.dtype = bits;
  auto kernel = std::make_shared<Kernel>();
  kernel->out = BatchedView(to, trailing);
  kernel->values = BatchedView(from, trailing);
  kernel->index = BatchedView(plan.reads(index), trailing);
  kernel->index_dtype = index.dtype();
  kernel->load_index = loader<std::int64_t>(index.dtype());
  switch (bits) {
    case ACL_INT8:
      return launch_scatter_in<std::int8_t>(plan, std::move(kernel), bits);
    case ACL_INT16:
      return launch_scatter_in<std::int16_t>(plan, std::move(kernel), bits);
    case ACL_INT32:
      return launch_scatter_in<std::int32_t>(plan, std::move(kernel), bits);
    default:
      return launch_scatter_in<std::int64_t>(plan, std::move(kernel), bits);
  }
}

void launch_gather(Plan& plan, const TensorArgument& values, const TensorArgument& index,
                   const TensorArgument& out, std::size_t trailing) {
  View to = plan.writes(out);
  View from = plan.reads(values);
  if (values.dtype() == out.dtype()) to.dtype = from.dtype = bits_of(values.dtype());
  auto kernel = std::make_shared<Kernel>();
  kernel->out = BatchedView(to, trailing);
  kernel->values = BatchedView(from, trailing);
  kernel->index = BatchedView(plan.reads(index), trailing);
  kernel->index_dtype = index.dtype();
  kernel->load_index = loader<std::int64_t>(index.dtype());
  if (from.dtype == ACL_INT8 && to.dtype == ACL_INT8)
    return launch_gather_in<std::int8_t>(plan, std::move(kernel), from.dtype, to.dtype);
  if (from.dtype == ACL_INT16 && to.dtype == ACL_INT16)
    return launch_gather_in<std::int16_t>(plan, std::move(kernel), from.dtype, to.dtype);
  if (from.dtype == ACL_INT32 && to.dtype == ACL_INT32)
    return launch_gather_in<std::int32_t>(plan, std::move(kernel), from.dtype, to.dtype);
  if (is_integer(from.dtype) && is_integer(to.dtype))
    return launch_gather_in<std::int64_t>(plan, std::move(kernel), from.dtype, to.dtype);
  launch_gather_in<double>(plan, std::move(kernel), from.dtype, to.dtype);
}

}  // namespace pyaclnn::sim
