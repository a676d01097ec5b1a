// SPDX-License-Identifier: MIT
#include "opapi/collective/exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/stream.hpp"
#include "objects/communicators.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

/// A tensor without gaps in one run's memory.
struct PackedOperand {
  View view;
  std::size_t bytes;

  explicit PackedOperand(const View& of)
      : view(of), bytes(std::size_t(of.shape.product()) * dtype_size(of.dtype)) {}

  std::byte* data(const KernelMemory& memory) const { return first_element(memory, view); }
  std::size_t count() const { return std::size_t(view.shape.product()); }
  std::size_t rows() const { return std::size_t(view.shape[0]); }
  /// As many parts of one length.
  std::vector<Parcel> parts(const KernelMemory& memory, int parts) const {
    std::vector<Parcel> result;
    const std::size_t each = bytes / std::size_t(parts);
    for (int i = 0; i < parts; ++i) result.push_back({data(memory) + std::size_t(i) * each, each});
    return result;
  }
};

/// Plans an exchange of tensors without gaps; `body` is given it, and where they are.
template <class Body>
void exchange(Plan& plan, const Ranks& ranks, const TensorArgument& in, const TensorArgument& out,
              Body body) {
  const TensorArgument from = without_gaps(plan, in);
  const bool direct = out.meta().is_contiguous();
  const TensorArgument to =
      direct ? plan.described(out, out.shape(), contiguous_strides(out.shape()), out.meta().offset)
             : plan.scratch("exchanged", out.dtype(), out.shape());
  const PackedOperand source(plan.reads(from));
  const PackedOperand target(direct ? plan.writes(out) : plan.writes(to));
  plan.launch([=](const KernelMemory& memory) {
    body(*memory.exchanges[ranks.place], source, target, memory);
  });
  if (!direct) copy(plan, to, out);
}

/// The bytes for each rank, or from it, of rows that lie by expert and are copied for that.
class Packed {
 public:
  Packed(const PackedOperand& rows, const RowCounts& counts, int ranks, const KernelMemory& memory)
      : first_(rows.data(memory)),
        width_(rows.bytes / std::max<std::size_t>(1, rows.rows())),
        counts_(counts),
        places_(counts.places(true)),
        parts_(std::size_t(ranks)) {
    for (std::size_t i = 0; i < counts.counts.size(); ++i)
      part_of(i).resize(part_of(i).size() + length(i));
  }

  std::vector<Parcel> parcels() {
    std::vector<Parcel> result;
    for (auto& part : parts_) result.push_back({part.data(), part.size()});
    return result;
  }
  void pack() {
    each([](std::byte* part, std::byte* row, std::size_t bytes) { std::memcpy(part, row, bytes); });
  }
  void unpack() {
    each([](std::byte* part, std::byte* row, std::size_t bytes) { std::memcpy(row, part, bytes); });
  }

 private:
  std::vector<std::byte>& part_of(std::size_t i) {
    return parts_[i / std::size_t(counts_.experts)];
  }
  std::size_t length(std::size_t i) const { return std::size_t(counts_.counts[i]) * width_; }
  template <class Copy>
  void each(Copy copy_one) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (i % std::size_t(counts_.experts) == 0) at = 0;
      if (length(i) > 0)
        copy_one(part_of(i).data() + at, first_ + std::size_t(places_[i]) * width_, length(i));
      at += length(i);
    }
  }

  std::byte* first_;
  std::size_t width_;
  const RowCounts& counts_;
  std::vector<std::int64_t> places_;
  std::vector<std::vector<std::byte>> parts_;
};

/// The same of rows that lie by rank, where they are.
std::vector<Parcel> in_place(const PackedOperand& rows, const RowCounts& counts, int ranks,
                             const KernelMemory& memory) {
  const std::vector<std::int64_t> places = counts.places(false);
  const std::size_t width = rows.bytes / std::max<std::size_t>(1, rows.rows());
  std::vector<Parcel> result;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::size_t begin = std::size_t(rank) * std::size_t(counts.experts);
    std::int64_t total = 0;
    for (std::size_t i = begin; i < begin + std::size_t(counts.experts); ++i)
      total += counts.counts[i];
    result.push_back(
        {rows.data(memory) + std::size_t(places[begin]) * width, std::size_t(total) * width});
  }
  return result;
}

}  // namespace

std::vector<std::int64_t> RowCounts::places(bool by_expert) const {
  std::vector<std::int64_t> result(counts.size());
  const std::size_t each = std::size_t(experts);
  const std::size_t ranks = counts.size() / each;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t place = by_expert ? i % ranks * each + i / ranks : i;
    result[place] = next;
    next += counts[place];
  }
  return result;
}

std::int64_t RowCounts::of_expert(std::int64_t expert) const {
  std::int64_t result = 0;
  for (std::size_t i = std::size_t(expert); i < counts.size(); i += std::size_t(experts))
    result += counts[i];
  return result;
}

Ranks ranks_of(Plan& plan, const Text& group, std::initializer_list<int> accepted) {
  check_tiling(plan, group.given(), "group is null");
  const auto found = find_communicator(group.text, current_device());
  check_tiling(plan, found != nullptr, "group \"%.127s\" is no communicator of this device",
               group.text.c_str());
  const int count = found->size();
  check_tiling(plan, std::find(accepted.begin(), accepted.end(), count) != accepted.end(),
               "group \"%.127s\" has %d ranks, which the operator does not take on this chip",
               group.text.c_str(), count);
  return {plan.communicates(group.text, count), count};
}

void check_sum(const Check& check, const Text& reduce_op) {
  check.that(reduce_op.given() && reduce_op.text == "sum", "reduceOp is \"%s\", it must be \"sum\"",
             reduce_op.text.c_str());
}

void check_stream_mode(const Check& check, std::int64_t mode) {
  check.that(mode == 1, "streamMode is %lld, it must be 1", static_cast<long long>(mode));
}

void check_comm_mode(const Check& check, const Text& mode) {
  constexpr const char* kAbsent = "";  // what an older version of an operator calls it
  if (!mode.given() && std::string(kAbsent) == mode.name()) return;
  const bool ai_cpu = mode.given() && mode.text == "ai_cpu";
  if (on_950()) {
    check.that(ai_cpu || (mode.given() && mode.text == "ccu"),
               "commMode is \"%s\", it must be \"ccu\" or \"ai_cpu\"", mode.text.c_str());
  } else {
    check.that(ai_cpu || !mode.given(), "commMode is \"%s\", it must be \"ai_cpu\" or null",
               mode.text.c_str());
  }
}

void check_one_turn(const Plan& plan, std::int64_t turns) {
  check_tiling(plan, turns == 0, "commTurn is %lld, it must be 0", static_cast<long long>(turns));
}

void check_window(const Plan& plan, std::uint64_t needed) {
  constexpr std::uint64_t kUsual = 200, kMegabyte = 1 << 20, kMost = 1 << 24;
  const char* text = std::getenv("HCCL_BUFFSIZE");
  const std::uint64_t given = text == nullptr ? kUsual : std::strtoull(text, nullptr, 10);
  const std::uint64_t window = std::min(given, kMost) * kMegabyte;
  check_tiling(plan, needed <= window,
               "HCCL_BUFFSIZE allows for %llu bytes, the exchange takes %llu",
               static_cast<unsigned long long>(window), static_cast<unsigned long long>(needed));
}

bool is_transposed(const TensorArgument& matrix) {
  if (matrix.rank() != 2) return false;
  const Dims& shape = matrix.shape();
  const Dims& strides = matrix.meta().strides;
  return strides[0] == 1 && strides[1] == shape[0] && !(shape[0] == 1 && shape[1] == 1);
}

void check_matrix_view(const Check& check, const TensorArgument& matrix) {
  if (chip().soc != Soc::kAscend910B || matrix.is_empty()) return;
  check.that(matrix.meta().is_contiguous() || is_transposed(matrix),
             "%s is neither contiguous nor a transposed matrix", matrix.name());
}

TensorArgument without_gaps(Plan& plan, const TensorArgument& tensor) {
  if (tensor.meta().is_contiguous())
    return plan.described(tensor, tensor.shape(), contiguous_strides(tensor.shape()),
                          tensor.meta().offset);
  TensorArgument result = plan.scratch(tensor.name(), tensor.dtype(), tensor.shape());
  copy(plan, tensor, result);
  return result;
}

void land(Plan& plan, const TensorArgument& landed, const TensorArgument& tensor) {
  if (!tensor.meta().is_contiguous()) copy(plan, landed, tensor);
}

TensorArgument reshaped(Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  return plan.described(tensor, shape, contiguous_strides(shape), tensor.meta().offset);
}

TensorArgument permuted(Plan& plan, const TensorArgument& tensor, const Dims& shape,
                        std::initializer_list<std::size_t> order) {
  const Dims from = contiguous_strides(shape);
  Dims to = shape;
  Dims strides = shape;
  std::size_t axis = 0;
  for (const std::size_t source : order) {
    to.set(axis, shape[source]);
    strides.set(axis++, from[source]);
  }
  TensorArgument result = plan.scratch("permuted", tensor.dtype(), to);
  plan.reads(tensor);
  copy(plan, plan.described(tensor, to, strides, tensor.meta().offset), result);
  return result;
}

TensorArgument as_rows(Plan& plan, const TensorArgument& tensor) {
  const std::int64_t length = tensor.shape().back();
  const std::int64_t rows = tensor.shape().product(0, tensor.rank() - 1);
  return reshaped(plan, without_gaps(plan, tensor), Dims{rows, length});
}

void all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                const TensorArgument& out) {
  exchange(plan, ranks, in, out,
           [](Exchange& with, const PackedOperand& from, const PackedOperand& to,
              const KernelMemory& memory) {
             with.all_reduce(from.data(memory), to.data(memory), from.count(), from.view.dtype);
           });
}

void reduce_scatter(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                    const TensorArgument& out) {
  exchange(plan, ranks, in, out,
           [](Exchange& with, const PackedOperand& from, const PackedOperand& to,
              const KernelMemory& memory) {
             with.reduce_scatter(from.data(memory), to.data(memory), to.count(), from.view.dtype);
           });
}

void all_gather(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                const TensorArgument& out) {
  exchange(plan, ranks, in, out,
           [](Exchange& with, const PackedOperand& from, const PackedOperand& to,
              const KernelMemory& memory) {
             const std::vector<Parcel> same(std::size_t(with.size()),
                                            Parcel{from.data(memory), from.bytes});
             with.move(same, to.parts(memory, with.size()));
           });
}

void all_to_all(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                const TensorArgument& out) {
  exchange(plan, ranks, in, out,
           [](Exchange& with, const PackedOperand& from, const PackedOperand& to,
              const KernelMemory& memory) {
             with.move(from.parts(memory, with.size()), to.parts(memory, with.size()));
           });
}

void rows_to_experts(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                     const RowCounts& sent, const TensorArgument& out, const RowCounts& received) {
  exchange(plan, ranks, in, out,
           [=](Exchange& with, const PackedOperand& from, const PackedOperand& to,
               const KernelMemory& memory) {
             Packed parts(to, received, with.size(), memory);
             with.move(in_place(from, sent, with.size(), memory), parts.parcels());
             parts.unpack();
           });
}

void rows_from_experts(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                       const RowCounts& sent, const TensorArgument& out,
                       const RowCounts& received) {
  exchange(plan, ranks, in, out,
           [=](Exchange& with, const PackedOperand& from, const PackedOperand& to,
               const KernelMemory& memory) {
             Packed parts(from, sent, with.size(), memory);
             parts.pack();
             with.move(parts.parcels(), in_place(to, received, with.size(), memory));
           });
}

std::vector<std::vector<std::byte>> met_by_all(const Ranks& ranks, const KernelMemory& memory,
                                               std::byte* own, std::size_t size, std::size_t step) {
  std::vector<std::vector<std::byte>> met(std::size_t(ranks.count), std::vector<std::byte>(size));
  std::vector<Parcel> outgoing, incoming;
  for (std::size_t peer = 0; peer < met.size(); ++peer) {
    outgoing.push_back({own + peer * step, size});
    incoming.push_back({met[peer].data(), size});
  }
  memory.exchanges[ranks.place]->move(outgoing, incoming);
  return met;
}

void meet(Plan& plan, const Ranks& ranks, TermsOf terms) {
  plan.launch([ranks, terms = std::move(terms)](const KernelMemory& memory) {
    Exchange& with = *memory.exchanges[ranks.place];
    std::vector<char> sent(std::size_t(with.size())), here(sent.size());
    std::vector<Parcel> outgoing, incoming;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      outgoing.push_back({&sent[i], 1});
      incoming.push_back({&here[i], 1});
    }
    with.move(outgoing, incoming, terms ? terms(memory, with.rank()) : Terms());
  });
}

}  // namespace pyaclnn::sim
