// SPDX-License-Identifier: MIT
#include "opapi/indexing/masked.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/found_shapes.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/element_cast.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/result_types.hpp"
#include "opapi/indexing/chosen.hpp"
#include "opapi/indexing/compress.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kChunk = 1 << 15;  // elements that are counted, then written, as one

/// Whether elements of a type are not zero.
class Truth {
 public:
  explicit Truth(const View& view) : flat_(view), load_(loader<double>(view.dtype)) {
    if (is_integral(view.dtype)) load_ = loader<std::int64_t>(view.dtype);
    whole_ = is_integral(view.dtype);
  }

  std::int64_t count() const { return flat_.count(); }

  /// Bytes one behind the other, or null.
  const std::byte* bytes(const KernelMemory& memory) const {
    const bool is_array = flat_.element_size() == 1 && flat_.step() == 1 && flat_.count() > 0 &&
                          flat_.left_in_run(0) == flat_.count();
    return is_array ? flat_.at(memory, 0) : nullptr;
  }

  /// Calls body(position) for each element from `begin` to `end` that is not zero.
  template <class Body>
  void for_each(const KernelMemory& memory, std::int64_t begin, std::int64_t end, Body body) const {
    constexpr std::int64_t kBlock = 512;
    std::array<std::int64_t, kBlock> whole;
    std::array<double, kBlock> real;
    std::array<std::int16_t, kBlock> places;
    while (begin < end) {
      const std::int64_t run = std::min({end - begin, flat_.left_in_run(begin), kBlock});
      const std::byte* from = flat_.at(memory, begin);
      std::size_t found = 0;
      // Which ones there are is found without branches, which nothing could foresee.
      const auto note = [&](std::int64_t i, bool holds) {
        places[found] = std::int16_t(i);
        found += holds ? 1 : 0;
      };
      if (flat_.element_size() == 1) {
        for (std::int64_t i = 0; i < run; ++i) note(i, from[i * flat_.step()] != std::byte{0});
      } else {
        const std::int64_t step = flat_.step() / flat_.element_size();
        load_(from, step, run, whole_ ? static_cast<void*>(whole.data()) : real.data());
        for (std::int64_t i = 0; i < run; ++i)
          note(i, whole_ ? whole[std::size_t(i)] != 0 : real[std::size_t(i)] != 0.0);
      }
      for (std::size_t i = 0; i < found; ++i) body(begin + places[i]);
      begin += run;
    }
  }

 private:
  FlatView flat_;
  LoadFn load_;
  bool whole_ = false;
};

/// Where the ranks of the elements that are not zero begin in each chunk, and how many there are.
std::vector<std::int64_t> ranks_of_chunks(const KernelMemory& memory, const Truth& truth) {
  const std::int64_t chunks = (truth.count() + kChunk - 1) / kChunk;
  std::vector<std::int64_t> begins(std::size_t(chunks) + 1, 0);
  const std::byte* bytes = truth.bytes(memory);
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      const std::int64_t first = chunk * kChunk;
      const std::int64_t last = std::min(first + kChunk, truth.count());
      std::int64_t count = 0;
      if (bytes != nullptr) {
        count = count_true(bytes + first, last - first);
      } else {
        truth.for_each(memory, first, last, [&](std::int64_t) { ++count; });
      }
      begins[std::size_t(chunk) + 1] = count;
    }
  });
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  return begins;
}

/// Calls write(rank, position, all) for each element that is not zero, which is the rank-th of all;
/// returns how many there are.
template <class Write>
std::int64_t for_each_true(const KernelMemory& memory, const Truth& truth, Write write) {
  const std::vector<std::int64_t> begins = ranks_of_chunks(memory, truth);
  const std::int64_t all = begins.back();
  parallel_for(std::int64_t(begins.size()) - 1, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      std::int64_t rank = begins[std::size_t(chunk)];
      truth.for_each(memory, chunk * kChunk, std::min((chunk + 1) * kChunk, truth.count()),
                     [&](std::int64_t position) { write(rank++, position, all); });
    }
  });
  return all;
}

/// Where the elements of a view lie, without a division where they lie at equal steps.
class Places {
 public:
  Places(const FlatView& view, const KernelMemory& memory)
      : view_(view),
        memory_(memory),
        even_(view.left_in_run(0) == view.count()),
        first_(view.at(memory, 0)) {}
  /// Whether elements lie one behind the other.
  bool is_array() const { return even_ && view_.step() == view_.element_size(); }
  std::byte* operator()(std::int64_t position) const {
    return even_ ? first_ + position * view_.step() : view_.at(memory_, position);
  }

 private:
  const FlatView& view_;
  const KernelMemory& memory_;
  bool even_;
  std::byte* first_;
};

/// Copies elements of so many bytes that are true one behind the other; returns how many there are.
template <std::size_t kSize>
std::int64_t select_elements(const KernelMemory& memory, const Truth& truth, const Places& to,
                             const Places& from) {
  static const Compress compress = compress_for_cpu(std::int64_t(kSize));
  const std::byte* mask = truth.bytes(memory);
  if (mask != nullptr && to.is_array() && from.is_array()) {
    const std::vector<std::int64_t> begins = ranks_of_chunks(memory, truth);
    parallel_for(std::int64_t(begins.size()) - 1, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk) {
        const std::int64_t first = chunk * kChunk;
        const std::int64_t rank = begins[std::size_t(chunk)];
        compress(mask + first, from(first), std::min(kChunk, truth.count() - first), to(rank),
                 begins[std::size_t(chunk) + 1] - rank);
      }
    });
    return begins.back();
  }
  return for_each_true(memory, truth, [&](std::int64_t rank, std::int64_t position, std::int64_t) {
    std::memcpy(to(rank), from(position), kSize);
  });
}

using SelectElements = std::int64_t (*)(const KernelMemory&, const Truth&, const Places&,
                                        const Places&);

SelectElements select_elements_of(std::int64_t size) {
  switch (size) {
    case 1:
      return select_elements<1>;
    case 2:
      return select_elements<2>;
    case 4:
      return select_elements<4>;
    default:
      return select_elements<8>;
  }
}

/// Chooses between two operands, or an operand and a number, in the type of the result.
void launch_where(Plan& plan, aclDataType compute, const View& out, const View& mask,
                  const View& yes, const View& no) {
  launch_pointwise(plan, formulas::where, compute, compute, out, {mask, yes, no}, {});
}

}  // namespace

void check_filled_in_order(const Check& check, const TensorArgument& out) {
  check.that(out.meta().is_contiguous(), "%s is not contiguous; the kernel writes it as if it were",
             out.name());
}

void masked_select(const Check& check, Plan& plan, const TensorArgument& self,
                   const TensorArgument& mask, const TensorArgument& out) {
  check_filled_in_order(check, out);
  const Dims shape = check.broadcast(self, mask);
  plan.stage(self).contiguous().cast_to(out.dtype()).broadcast_to(shape);
  plan.stage(mask).contiguous().cast_to(ACL_BOOL).broadcast_to(shape);
  plan.finds_shape_of(out);
  const FlatView to(plan.writes(out));
  const FlatView from(broadcast_view(plan.reads(self), shape));
  const Truth truth(broadcast_view(plan.reads(mask), shape));
  const ElementCast cast(self.dtype(), out.dtype());
  const SelectElements select =
      self.dtype() == out.dtype() ? select_elements_of(to.element_size()) : nullptr;
  plan.launch([=, operand = out.index()](const KernelMemory& memory) {
    const Places target(to, memory);
    const Places source(from, memory);
    const std::int64_t count =
        select != nullptr
            ? select(memory, truth, target, source)
            : for_each_true(memory, truth,
                            [&](std::int64_t rank, std::int64_t position, std::int64_t) {
                              cast(source(position), target(rank));
                            });
    memory.found->set(operand, {count});
  });
}

void masked_scatter(Plan& plan, const TensorArgument& self, const TensorArgument& mask,
                    const TensorArgument& source) {
  plan.stage(self).contiguous();
  plan.stage(mask).contiguous().cast_to(ACL_BOOL);
  if (!source.is_empty()) plan.stage(source).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(self);
  const FlatView to(plan.writes(self));
  const FlatView from(plan.reads(source));
  const Truth truth(broadcast_view(plan.reads(mask), self.shape()));
  plan.launch([=, api = plan.api()](const KernelMemory& memory) {
    const auto size = std::size_t(to.element_size());
    const std::int64_t count =
        for_each_true(memory, truth, [&](std::int64_t rank, std::int64_t position, std::int64_t) {
          if (rank < from.count())
            std::memmove(to.at(memory, position), from.at(memory, rank), size);
        });
    if (count > from.count()) refuse_index(api, from.count());
  });
}

void nonzero(const Check& check, Plan& plan, const TensorArgument& self, const TensorArgument& out,
             bool columns) {
  check_filled_in_order(check, out);
  const auto rank = std::int64_t(self.rank());
  const std::int64_t most = out.elements() / std::max<std::int64_t>(rank, 1);
  plan.stage(self).contiguous();
  plan.finds_shape_of(out);
  const View to = plan.writes(out);
  const Truth truth(plan.reads(self));
  plan.launch([=, shape = self.shape(), api = plan.api()](const KernelMemory& memory) {
    auto* base = reinterpret_cast<std::int64_t*>(memory.operands[to.operand]) + to.offset;
    const std::int64_t count = for_each_true(
        memory, truth, [&](std::int64_t number, std::int64_t position, std::int64_t all) {
          if (all > most) return;
          for (std::size_t i = shape.size(); i-- > 0;) {
            const auto axis = std::int64_t(i);
            base[columns ? axis * all + number : number * rank + axis] = position % shape[i];
            position /= shape[i];
          }
        });
    if (count > most)
      fail(kRtAicoreException,
           "%s: %lld elements are not zero, out has room for the places of %lld; the device would "
           "write outside of the tensor",
           api, static_cast<long long>(count), static_cast<long long>(most));
    memory.found->set(to.operand, columns ? Dims{rank, count} : Dims{count, rank});
  });
}

void masked_fill(Plan& plan, const TensorArgument& self, const TensorArgument& mask,
                 const ScalarIn& value) {
  const aclDataType dtype = self.dtype();
  plan.stage(self).contiguous();
  plan.stage(mask).contiguous();
  plan.result(dtype, self.shape()).copy_to(self);
  const View to = plan.writes(self);
  launch_pointwise(plan, formulas::where_scalar, dtype, dtype, to, {plan.reads(mask), to},
                   {Number(value)});
}

void masked_fill(Plan& plan, const TensorArgument& self, const TensorArgument& mask,
                 const TensorArgument& value) {
  plan.stage(self).contiguous();
  plan.stage(mask).contiguous();
  plan.stage(value).contiguous().cast_to(self.dtype());
  plan.result(self.dtype(), self.shape()).copy_to(self);
  const View to = plan.writes(self);
  launch_where(plan, self.dtype(), to, plan.reads(mask), plan.reads(value), to);
}

void where(const Check& check, Plan& plan, const TensorArgument& condition,
           const TensorArgument& self, const TensorArgument& other, const TensorArgument& out) {
  const aclDataType compute = common(check, self, other);
  plan.stage(condition).contiguous().cast_to(ACL_BOOL);
  plan.stage(self).contiguous().cast_to(compute);
  plan.stage(other).contiguous().cast_to(compute);
  plan.result(compute, out.shape()).cast_to(out.dtype()).copy_to(out);
  const View to = plan.writes(out);
  launch_where(plan, compute, to, plan.reads(condition), plan.reads(self), plan.reads(other));
}

}  // namespace pyaclnn::sim
