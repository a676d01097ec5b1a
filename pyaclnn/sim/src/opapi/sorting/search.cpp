// SPDX-License-Identifier: MIT
#include "opapi/sorting/search.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/result_types.hpp"
#include "opapi/indexing/chosen.hpp"
#include "opapi/sorting/keys_as.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 4096;

bool is_floating(aclDataType dtype) {
  return !is_integral(dtype) && dtype != ACL_COMPLEX64 && dtype != ACL_COMPLEX128;
}

/// The first tensor's type if it is floating, that they have in common if only the other one is.
aclDataType by_category(const Check& check, aclDataType first, aclDataType other) {
  return is_floating(first) || !is_floating(other) ? first : common_type(check, {first, other});
}

// Searches at a time: each waits for memory, and none for another.
constexpr std::int64_t kTogether = 8;

/// Where numbers belong among sorted keys, before equal ones or behind them. Each step halves what
/// is left without a branch, which would be guessed wrong half the time.
template <bool kRight>
void find_places(const std::vector<std::uint64_t>& keys, const std::uint64_t* wanted,
                 std::int64_t* places) {
  const auto is_before = [&](std::int64_t at, std::uint64_t number) {
    const std::uint64_t key = keys[std::size_t(at)];
    return kRight ? key <= number : key < number;
  };
  std::fill_n(places, kTogether, 0);
  for (std::int64_t left = std::int64_t(keys.size()); left > 0;) {
    const std::int64_t half = (left + 1) / 2;
    for (std::int64_t k = 0; k < kTogether; ++k)
      places[k] += is_before(places[k] + half - 1, wanted[k]) ? half : 0;
    left -= half;
  }
}

/// Everything that finds places in sorted numbers.
struct Search {
  FlatView sequence;
  FlatView queries;
  FlatView sorter;
  FlatView out;
  KeysAs sequence_keys;
  KeysAs query_keys;
  bool has_sorter = false;
  bool right = false;
  std::int64_t length = 1;    // of a line of sequence
  std::int64_t per_line = 1;  // queries of each line
  LoadFn load_place = nullptr;
  StoreFn store = nullptr;

  void find(const KernelMemory& memory, const std::vector<std::uint64_t>& keys, std::int64_t begin,
            std::int64_t end) const {
    const auto find_places_of = right ? find_places<true> : find_places<false>;
    std::vector<std::uint64_t> wanted(std::size_t(end - begin + kTogether));
    query_keys.read(memory, queries, begin, end, wanted.data());
    std::int64_t places[kTogether];
    for (std::int64_t i = 0; i < end - begin; ++i) {
      if (i % kTogether == 0) find_places_of(keys, wanted.data() + i, places);
      store(places + i % kTogether, 1, out.at(memory, begin + i), 1);
    }
  }

  /// The keys of a line in order; false where the sorter names a place that there is not.
  bool line(const KernelMemory& memory, std::int64_t number,
            std::vector<std::uint64_t>& keys) const {
    keys.resize(std::size_t(length));
    const std::int64_t begin = number * length;
    sequence_keys.read(memory, sequence, begin, begin + length, keys.data());
    if (!has_sorter) return true;
    std::vector<std::uint64_t> sorted(keys.size());
    for (std::int64_t i = 0; i < length; ++i) {
      std::int64_t place = 0;
      load_place(sorter.at(memory, begin + i), 1, 1, &place);
      if (place < 0 || place >= length) return false;
      sorted[std::size_t(i)] = keys[std::size_t(place)];
    }
    keys.swap(sorted);
    return true;
  }

  void operator()(const KernelMemory& memory, const char* api) const {
    const std::int64_t lines = sequence.count() / length;
    std::atomic<bool> outside{false};
    const auto each_line = [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::uint64_t> keys;
      for (std::int64_t i = begin; i < end; ++i) {
        if (line(memory, i, keys)) {
          find(memory, keys, i * per_line, (i + 1) * per_line);
        } else {
          outside = true;
        }
      }
    };
    if (lines > 1) {
      const std::int64_t grain = kGrain / std::max<std::int64_t>(1, per_line + length);
      parallel_for(lines, std::max<std::int64_t>(1, grain), each_line);
    } else {
      std::vector<std::uint64_t> keys;
      outside = !line(memory, 0, keys);
      if (!outside)
        parallel_for(per_line, kGrain,
                     [&](std::int64_t begin, std::int64_t end) { find(memory, keys, begin, end); });
    }
    if (outside) refuse_index(api, length);
  }
};

std::int64_t last_extent(const TensorArgument& tensor) {
  return tensor.rank() == 0 ? 1 : tensor.shape().back();
}

}  // namespace

void check_search(const Check& check, const TensorArgument& sequence, const TensorArgument& self,
                  const TensorArgument& out, const TensorArgument& sorter) {
  check.rank_at_most(8, sequence, self);
  check.shape_is(out, self.shape(), "self");
  if (sorter.given()) check.shape_is(sorter, sequence.shape(), "sortedSequence");
  const bool one = self.rank() == 1 && self.shape()[0] == 1;
  bool fits = sequence.rank() == 1;
  if (!one && !fits && sequence.rank() == self.rank()) {
    fits = true;
    for (std::size_t i = 0; i + 1 < self.rank(); ++i)
      fits = fits && self.shape()[i] == sequence.shape()[i];
  }
  check.that(fits,
             "sortedSequence has shape %s and self %s: it must have one dimension, or theirs "
             "but the last",
             sequence.shape().text().c_str(), self.shape().text().c_str());
}

void search(Plan& plan, aclDataType type, const TensorArgument& sequence,
            const TensorArgument& self, bool right, const TensorArgument* sorter,
            const TensorArgument& out) {
  if (sorter != nullptr && !sorter->given()) sorter = nullptr;
  plan.stage(sequence).contiguous().cast_to(type);
  plan.stage(self).contiguous().cast_to(type);
  if (sorter != nullptr) plan.stage(*sorter).contiguous();
  plan.result(out.dtype(), self.shape()).copy_to(out);
  Search search;
  search.out = FlatView(plan.writes(out));
  search.sequence = FlatView(plan.reads(sequence));
  search.queries = FlatView(plan.reads(self));
  search.sequence_keys = KeysAs(sequence.dtype(), type);
  search.query_keys = KeysAs(self.dtype(), type);
  search.right = right;
  search.length = last_extent(sequence);
  search.per_line = sequence.rank() <= 1 ? self.elements() : last_extent(self);
  search.store = storer<std::int64_t>(out.dtype(), Rounding::kTruncate);
  if (sorter != nullptr) {
    search.has_sorter = true;
    search.sorter = FlatView(plan.reads(*sorter));
    search.load_place = loader<std::int64_t>(sorter->dtype());
  }
  plan.launch([search, api = plan.api()](const KernelMemory& memory) { search(memory, api); });
}

void search_number(Plan& plan, const TensorArgument& sequence, const ScalarIn& number, bool right,
                   const TensorArgument& sorter, const TensorArgument& out) {
  plan.stage(sequence).contiguous();
  if (sorter.given()) plan.stage(sorter).contiguous();
  View to = plan.writes(out);
  to.shape = to.strides = Dims();
  Search search;
  search.out = FlatView(to);
  search.sequence = FlatView(plan.reads(sequence));
  search.sequence_keys = KeysAs(sequence.dtype(), sequence.dtype());
  search.length = sequence.shape()[0];
  search.store = storer<std::int64_t>(out.dtype(), Rounding::kTruncate);
  if (sorter.given()) {
    search.has_sorter = true;
    search.sorter = FlatView(plan.reads(sorter));
    search.load_place = loader<std::int64_t>(sorter.dtype());
  }
  // The number is a float on its way, whatever it was.
  const float narrow = number->to_float();
  const std::uint64_t key = key_of(Scalar(&narrow, ACL_FLOAT), sequence.dtype());
  plan.launch([search, key, right, api = plan.api()](const KernelMemory& memory) {
    std::vector<std::uint64_t> keys;
    if (!search.line(memory, 0, keys)) refuse_index(api, search.length);
    const auto found = right ? std::upper_bound(keys.begin(), keys.end(), key)
                             : std::lower_bound(keys.begin(), keys.end(), key);
    const std::int64_t place = found - keys.begin();
    search.store(&place, 1, search.out.at(memory, 0), 1);
  });
}

aclDataType bucket_type(const Check& check, const TensorArgument& self,
                        const TensorArgument& boundaries) {
  if (self.rank() == 0) return by_category(check, boundaries.dtype(), self.dtype());
  return common(check, self, boundaries);
}

void check_buckets_exist(const Check& check) {
  if (!on_950())
    fail(ACLNN_ERR_INNER, "aclnn%s: %s does not have this operator", check.name(), chip().name);
}

aclDataType scalar_among_type(const Check& check, const ScalarIn& number,
                              const TensorArgument& tensor) {
  constexpr std::int64_t kFew = 10;
  const aclDataType type = tensor.elements() >= kFew
                               ? common(check, tensor, number)
                               : by_category(check, tensor.dtype(), number->dtype());
  check.that(can_cast(number->dtype(), type) && can_cast(tensor.dtype(), type),
             "element cannot be cast to what the elements are compared as");
  return type;
}

aclDataType among_scalar_type(const Check& check, const TensorArgument& tensor,
                              const ScalarIn& number) {
  const bool narrow = on_950() && number->dtype() == ACL_DOUBLE;
  return by_category(check, tensor.dtype(), narrow ? ACL_FLOAT : number->dtype());
}

void is_in(Plan& plan, aclDataType type, const TensorArgument& tensor, const ScalarIn& number,
           bool invert, const TensorArgument& out, bool any) {
  plan.stage(tensor).contiguous().cast_to(type);
  plan.result(ACL_BOOL, out.shape()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView from(plan.reads(tensor));
  const KeysAs keys(tensor.dtype(), type);
  const std::uint64_t wanted = key_of(*number.operator->(), type);
  const bool possible = !is_nan_key(type, wanted);
  plan.launch([=](const KernelMemory& memory) {
    constexpr std::int64_t kBlock = 512;
    std::atomic<bool> found{false};
    parallel_for(from.count(), 4 * kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::uint64_t block[kBlock];
      for (; begin < end; begin += kBlock) {
        const std::int64_t part = std::min(kBlock, end - begin);
        keys.read(memory, from, begin, begin + part, block);
        for (std::int64_t i = 0; i < part; ++i) {
          const bool same = possible && block[i] == wanted;
          if (any) {
            if (same) found = true;
          } else {
            *to.at(memory, begin + i) = std::byte(same != invert);
          }
        }
      }
    });
    if (any) *to.at(memory, 0) = std::byte(found != invert);
  });
}

}  // namespace pyaclnn::sim
