// SPDX-License-Identifier: MIT
#include "opapi/collective/experts.hpp"

#include <algorithm>

#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"

namespace pyaclnn::sim {
namespace {

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

}  // namespace

std::int64_t Homes::shared_home(std::int64_t number, std::int64_t token,
                                std::int64_t tokens) const {
  if (!parted) return number * copies() + rank % copies();
  if (is_shared()) return rank;
  std::int64_t part = 0;
  while (before(part + 1, tokens) <= token) ++part;
  return part;
}

Sending::Sending(const KernelMemory& memory, const View& experts, const View& mask,
                 const Homes& homes)
    : columns(experts.shape[1] + homes.shared),
      places(at(homes.all())),
      active(at(experts.shape[0]), false) {
  const auto numbers = numbers_of<std::int64_t>(memory, experts);
  const std::size_t chosen = at(experts.shape[1]);
  const std::int64_t count = homes.weightless() + homes.without_weights;
  std::vector<std::int64_t> wanted;
  if (is_there(mask)) wanted = numbers_of<std::int64_t>(memory, mask);
  const bool by_place = wanted.size() == numbers.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t token = i / chosen;
    if (!wanted.empty() && wanted[by_place ? i : token] == 0) continue;
    if (numbers[i] < 0 || numbers[i] >= count)
      fail(kRtAicoreException, "expertIds has %lld, there are %lld experts", ll(numbers[i]),
           ll(count));
    if (numbers[i] >= homes.experts && numbers[i] < homes.weightless())
      fail(kRtAicoreException, "expertIds has %lld, elasticInfo leaves %lld experts",
           ll(numbers[i]), ll(homes.experts));
    active[token] = true;
    const auto place = std::int32_t(token * at(columns) + i % chosen);
    auto& to = numbers[i] < homes.experts ? places[at(homes.shared_ranks + numbers[i])] : elsewhere;
    to.push_back(place);
  }
  const std::int64_t shared = homes.shared_ranks == 0 ? 0 : homes.shared;
  for (std::int64_t number = 0; number < shared; ++number) {
    for (std::size_t token = 0; token < active.size(); ++token) {
      const std::int64_t home =
          homes.shared_home(number, std::int64_t(token), std::int64_t(active.size()));
      if (active[token])
        places[at(home)].push_back(std::int32_t(token * at(columns) + chosen + at(number)));
    }
  }
}

std::vector<std::int32_t> Sending::earlier(std::int64_t chosen) const {
  std::vector<std::int32_t> result(active.size() * at(chosen), 0);
  for (const auto& of_expert : places) {
    for (std::size_t i = 0; i < of_expert.size(); ++i) {
      const std::int64_t token = of_expert[i] / columns, column = of_expert[i] % columns;
      if (column < chosen) result[at(token * chosen + column)] = std::int32_t(i);
    }
  }
  return result;
}

bool is_there(const View& view) { return view.dtype != ACL_DT_UNDEFINED; }

View read_or_none(Plan& plan, const TensorArgument& tensor) {
  return tensor.given() ? plan.reads(tensor) : View();
}

std::byte* row_of(const KernelMemory& memory, const View& matrix, std::int64_t row) {
  const std::int64_t first = row * matrix.shape[1];
  if (!is_half_byte(matrix.dtype)) return first_element(memory, matrix, first);
  return memory.operands[matrix.operand] + (matrix.offset + first) / 2;
}

std::size_t row_bytes(std::int64_t width, aclDataType dtype) {
  return is_half_byte(dtype) ? at(width / 2) : at(width) * dtype_size(dtype);
}

void WeightedSum::operator()(const KernelMemory& memory, const Sending& sending,
                             const std::vector<ExpertRow>& found) const {
  const auto factors = numbers_of<float>(memory, weights);
  const auto width = out.shape[1];
  const StoreFn store = storer<float>(out.dtype, Rounding::kNearestEven);
  std::vector<float> total(at(width)), line(at(width));
  for (std::int64_t token = 0; token < out.shape[0]; ++token) {
    if (!sending.active[at(token)]) continue;
    std::fill(total.begin(), total.end(), 0.0f);
    for (std::int64_t k = 0; k < sending.columns; ++k) {
      const ExpertRow& row = found[at(token * sending.columns + k)];
      if (row.data == nullptr) continue;
      loader<float>(row.dtype)(static_cast<const std::byte*>(row.data), 1, width, line.data());
      const float factor = k < chosen ? factors[at(token * chosen + k)] : 1.0f;
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += factor * line[i];
    }
    if (is_there(shared)) {
      loader<float>(shared.dtype)(row_of(memory, shared, token), 1, width, line.data());
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += line[i];
    }
    store(total.data(), width, row_of(memory, out, token), 1);
  }
}

void check_shared_rows(const Plan& plan, const TensorArgument& shared, const Dims& shape) {
  check_tiling(plan,
               (shared.rank() == 2 || shared.rank() == 3) && shared.shape().back() == shape[1] &&
                   shared.elements() == shape.product(),
               "sharedExpertX has shape %s", shared.shape().text().c_str());
}

}  // namespace pyaclnn::sim
