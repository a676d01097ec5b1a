// SPDX-License-Identifier: MIT
#include "opapi/copy/interleave.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;

/// Which place each result is of, once it is known how often each comes.
class PlacesOfResults {
 public:
  /// All places come equally often, or `ends` says where the results of each end.
  PlacesOfResults(std::int64_t each, std::int64_t found) : each_(each), found_(found) {}
  explicit PlacesOfResults(std::vector<std::int64_t> ends)
      : ends_(std::move(ends)), found_(ends_.empty() ? 0 : ends_.back()) {}

  std::int64_t found() const { return found_; }
  std::int64_t operator[](std::int64_t result) const {
    if (ends_.empty()) return result / each_;
    return std::upper_bound(ends_.begin(), ends_.end(), result) - ends_.begin();
  }

 private:
  std::vector<std::int64_t> ends_;
  std::int64_t each_ = 1;
  std::int64_t found_;
};

/// How often each place comes: as a tensor says, which is read when the kernel runs.
class Repeats {
 public:
  Repeats(const View& view, std::int64_t places)
      : counts_(view), load_(loader<std::int64_t>(view.dtype)), places_(places) {}

  /// The first `room` results.
  PlacesOfResults results(const KernelMemory& memory, std::int64_t room) const {
    if (counts_.count() == 1) {
      const std::int64_t each = count(memory, 0);
      std::int64_t found = 0;
      if (__builtin_mul_overflow(each, places_, &found)) found = room;
      return {std::max<std::int64_t>(each, 1), std::min(found, room)};
    }
    std::vector<std::int64_t> ends;
    std::int64_t end = 0;
    for (std::int64_t place = 0; place < places_; ++place) {
      end += std::min(count(memory, place), room - end);
      ends.push_back(end);
    }
    return PlacesOfResults(std::move(ends));
  }

 private:
  std::int64_t count(const KernelMemory& memory, std::int64_t place) const {
    std::int64_t count = 0;
    load_(counts_.at(memory, place), 1, 1, &count);
    return std::max<std::int64_t>(count, 0);
  }

  FlatView counts_;
  LoadFn load_;
  std::int64_t places_;
};

/// Copies elements from one position on to another.
void copy_positions(const KernelMemory& memory, const FlatView& to, std::int64_t to_place,
                    const FlatView& from, std::int64_t from_place, std::int64_t count) {
  while (count > 0) {
    const std::int64_t run =
        std::min({count, to.left_in_run(to_place), from.left_in_run(from_place)});
    copy_elements(to.at(memory, to_place), to.step(), from.at(memory, from_place), from.step(), run,
                  to.element_size());
    to_place += run;
    from_place += run;
    count -= run;
  }
}

/// Of `outer` blocks of `places` rows of `inner` elements each, those that `repeats` says, to
/// blocks of `room` rows.
void launch_repeats(Plan& plan, const TensorArgument& self, const TensorArgument& repeats,
                    const TensorArgument& out, std::int64_t outer, std::int64_t places,
                    std::int64_t inner, std::int64_t room) {
  plan.stage(self).contiguous();
  plan.stage(repeats).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView from(plan.reads(self));
  const Repeats counts(plan.reads(repeats), places);
  plan.launch([=](const KernelMemory& memory) {
    const PlacesOfResults rows = counts.results(memory, room);
    const std::int64_t found = rows.found();
    parallel_for(outer * found, std::max<std::int64_t>(1, kGrain / inner),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t block = i / found;
                     const std::int64_t row = i % found;
                     copy_positions(memory, to, (block * room + row) * inner, from,
                                    (block * places + rows[row]) * inner, inner);
                   }
                 });
  });
}

}  // namespace

void check_repeats(const Check& check, const TensorArgument& repeats, std::int64_t places) {
  check.that(repeats.rank() == 0 || repeats.shape()[0] == 1 || repeats.shape()[0] == places,
             "repeats has shape %s, it must have 1 element or %lld", repeats.shape().text().c_str(),
             static_cast<long long>(places));
}

void repeat_interleave(Plan& plan, const TensorArgument& self, const TensorArgument& repeats,
                       std::size_t axis, const TensorArgument& out) {
  const Dims& shape = self.shape();
  launch_repeats(plan, self, repeats, out, shape.product(0, axis), shape[axis],
                 shape.product(axis + 1), out.shape()[axis]);
}

void repeat_interleave(Plan& plan, const TensorArgument& self, const TensorArgument& repeats,
                       const TensorArgument& out) {
  launch_repeats(plan, self, repeats, out, 1, self.elements(), 1, out.elements());
}

void repeat_places(Plan& plan, const TensorArgument& repeats, const TensorArgument& out) {
  plan.stage(repeats).contiguous().cast_to(ACL_INT64);
  plan.reserve(repeats.elements(), ACL_INT64);  // the places
  plan.result(ACL_INT64, out.shape()).cast_to(out.dtype()).copy_to(out);
  const FlatView to(plan.writes(out));
  const Repeats counts(plan.reads(repeats), repeats.elements());
  const StoreFn store = storer<std::int64_t>(out.dtype(), Rounding::kTruncate);
  plan.launch([=](const KernelMemory& memory) {
    const PlacesOfResults rows = counts.results(memory, to.count());
    for (std::int64_t i = 0; i < rows.found(); ++i) {
      const std::int64_t place = rows[i];
      store(&place, 1, to.at(memory, i), 1);
    }
  });
}

}  // namespace pyaclnn::sim
