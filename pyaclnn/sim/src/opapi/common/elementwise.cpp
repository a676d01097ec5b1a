// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "aclnn/opdev/op_errno.h"
#include "core/bulk_copy.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert_wide.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/common/turned.hpp"

namespace pyaclnn::sim {
namespace {

// Values of each operand worked on at a time. They stay in the L1 cache with room for what streams
// through it.
constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kBlockBytes = 1024;  // of compute values, in long rows
// Memory asked for before the block that reads it is begun, in bytes of each operand, where results
// pass by the caches: the processor would wait there, 22 ms for 16 Mi float16 values of a sine in
// place of 13. Elsewhere it sees coming what is read from one place to the next.
constexpr std::int64_t kAhead = 2048;
constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kGrain = 32768;
// What is filled passes by the caches from so many bytes on: nothing else wants room there, and
// processors write whole lines without reading them before. 32 MiB take 0.9 ms in place of 1.2.
constexpr std::size_t kBulkFill = std::size_t(48) << 20;
// Shorter rows than this, in bytes, take longer to write past the caches than there.
constexpr std::int64_t kBulkRow = 512;
constexpr std::size_t kMaxViews = 9;
constexpr std::size_t kMostTurned = 2;     // views of which a tile is turned round
constexpr std::size_t kMaxValueSize = 16;  // of compute values and of elements

/// Writes floats as another type to whole cache lines; returns how many.
using StreamFn = std::int64_t (*)(const float* from, std::int64_t count, std::byte* to);

/// Reads elements of many rows by whole cache lines, where those of one row lie far apart.
TurnLines turn_of(std::int64_t size) {
  switch (size) {
    case 1:
      return turn_lines<std::uint8_t>();
    case 2:
      return turn_lines<std::uint16_t>();
    case 4:
      return turn_lines<std::uint32_t>();
    case 8:
      return turn_lines<std::uint64_t>();
    default:
      return nullptr;
  }
}

/// The loop of one kernel over one run's memory.
class BlockRunner {
 public:
  BlockRunner(const ElementwiseKernel& kernel, const LoopNest& nest, const KernelMemory& memory)
      : kernel_(kernel), nest_(nest) {
    for (std::size_t k = 0; k < kernel.views.size(); ++k) {
      const View& view = kernel.views[k];
      sizes_[k] = static_cast<std::int64_t>(dtype_size(view.dtype));
      steps_[k] = nest.inner_stride(k);
      bases_[k] = memory.operands[view.operand] + view.offset * sizes_[k];
      direct_[k] = view.dtype == kernel.compute_dtype && steps_[k] == 1 &&
                   (k > 0 || kernel.via_store == nullptr);
      in_place_ = in_place_ && (direct_[k] || (k > 0 && steps_[k] == 0 && !kernel.copies));
    }
    bulk_ = nest.inner_stride(0) == 1 && std::size_t(nest.count * sizes_[0]) >= kBulkBytes &&
            nest.inner_extent() * sizes_[0] >= kBulkRow;
    if (bulk_ && kernel.compute_size == sizeof(float)) stream_ = stream_of(kernel);
    if (nest.extents.size() > 1) look_for_turned(nest.extents.size() - 2);
  }

  /// Values worth a hand-over to another thread; more where each piece ends with a wait for what
  /// was written past the caches, and whole tiles.
  std::int64_t grain() const {
    const std::int64_t grain = bulk_ ? 4 * kGrain : kGrain;
    const std::int64_t tile = std::max<std::int64_t>(1, tile_rows_ * nest_.inner_extent());
    return (grain + tile - 1) / tile * tile;
  }

  void run(std::int64_t begin, std::int64_t end) const {
    LoopCursor cursor(nest_, begin);
    for (std::int64_t left = end - begin; left > 0;) {
      const std::int64_t row = std::min(cursor.left_in_row(), left);
      if (tile_rows_ > 0 && row == nest_.inner_extent() && left >= tile_rows_ * row &&
          cursor.rows_left() >= tile_rows_) {
        run_tile(cursor);
        cursor.advance(tile_rows_ * row);
        left -= tile_rows_ * row;
      } else if (in_place_ && !bulk_ && kernel_.views.size() > 1 &&
                 (kernel_.copies || row >= kBlock / 4)) {
        const bool whole = row == nest_.inner_extent() && nest_.extents.size() > 1;
        const std::int64_t rows = whole ? std::min(cursor.rows_left(), left / row) : 1;
        run_in_place(cursor, rows, row);
        cursor.advance(rows * row);
        left -= rows * row;
      } else if (row >= kBlock) {
        run_row(cursor, row);
        cursor.advance(row);
        left -= row;
      } else {
        left -= run_block(cursor, std::min(left, kBlock));
      }
    }
    if (bulk_) bulk_copy_done();
  }

 private:
  struct Segment {
    std::byte* to;
    std::int64_t count;
  };

  /// What converts the results of a float kernel and writes them past the caches in one step.
  static StreamFn stream_of([[maybe_unused]] const ElementwiseKernel& kernel) {
#if SIM_HAS_AVX2_PATH
    const aclDataType dtype = kernel.views[0].dtype;
    if (kernel.store != storer<float>(dtype, Rounding::kTruncate)) return nullptr;
    if (dtype == ACL_FLOAT16) return wide::stream_halves;
    if (dtype == ACL_BF16) return wide::stream_bfloat16s;
    if (dtype == ACL_INT32) return wide::stream_int32s;
#endif
    return nullptr;
  }

  /// Finds the views that are dense along the dimension around the rows, and far apart along them.
  void look_for_turned(std::size_t around) {
    std::int64_t size = 0;
    const auto is_turned = [&](std::size_t k) {
      return std::abs(steps_[k]) * sizes_[k] >= kCacheLine && nest_.strides[k][around] == 1 &&
             turn_of(sizes_[k]) != nullptr;
    };
    for (std::size_t k = 1; k < kernel_.views.size(); ++k)
      if (is_turned(k)) size = std::max(size, sizes_[k]);
    if (size == 0 || nest_.extents[around] < kCacheLine / size || nest_.inner_extent() < kBlock / 4)
      return;
    turn_ = turn_of(size);
    tile_rows_ = kCacheLine / size;
    std::size_t found = 0;
    for (std::size_t k = 1; k < kernel_.views.size(); ++k)
      turned_[k] = is_turned(k) && sizes_[k] == size && found++ < kMostTurned;
  }

  std::byte* at(const LoopCursor& cursor, std::size_t view) const {
    return bases_[view] + cursor.offset(view) * sizes_[view];
  }

  /// Rows whose operands are computed with where they lie, or are one value each.
  void run_in_place(const LoopCursor& cursor, std::int64_t rows, std::int64_t count) const {
    alignas(64) std::byte buffers[kMaxViews][kBlock * kMaxValueSize];
    alignas(16) std::byte numbers[kMostNumberBytes];
    std::byte* row[kMaxViews];
    std::int64_t step[kMaxViews];
    const void* inputs[kMaxViews];
    const bool any_around = nest_.extents.size() > 1;
    std::int64_t block = count;
    for (std::size_t k = 0; k < kernel_.views.size(); ++k) {
      row[k] = at(cursor, k);
      step[k] = any_around ? *(nest_.strides[k].end() - 2) * sizes_[k] : 0;
    }
    const Computation computation = computation_of(numbers);
    for (std::size_t k = 1; k < computation.views; ++k)
      if (steps_[k] == 0) block = std::min(block, block_of_row());
    for (std::int64_t r = 0; r < rows; ++r) {
      if (computation.has_number) load_number(row[kernel_.views.size() - 1], numbers);
      for (std::size_t k = 1; k < computation.views; ++k)
        if (steps_[k] == 0) kernel_.loads[k - 1](row[k], 0, block, buffers[k]);
      for (std::int64_t done = 0; done < count; done += block) {
        const std::int64_t take = std::min(block, count - done);
        for (std::size_t k = 1; k < computation.views; ++k)
          inputs[k - 1] = steps_[k] == 0 ? buffers[k] : row[k] + done * sizes_[k];
        std::byte* to = row[0] + done * sizes_[0];
        if (kernel_.copies)
          std::memmove(to, inputs[0], std::size_t(take * sizes_[0]));
        else
          computation.block(computation.function, take, inputs, to);
      }
      for (std::size_t k = 0; k < kernel_.views.size(); ++k) row[k] += step[k];
    }
  }

  /// What computes a row: the loop, what it is given beside the values, and the views of those.
  struct Computation {
    BlockFn block;
    const void* function;
    std::size_t views;
    bool has_number;
  };

  /// If the last input is one value for a row, that goes to `numbers` in place of a view.
  Computation computation_of(std::byte* numbers) const {
    const std::size_t views = kernel_.views.size();
    const auto& with_number = kernel_.with_number;
    if (with_number.block == nullptr || steps_[views - 1] != 0)
      return {kernel_.block, kernel_.function.get(), views, false};
    std::memcpy(numbers + with_number.size, kernel_.function.get(), with_number.others);
    return {with_number.block, numbers, views - 1, true};
  }

  void load_number(const std::byte* from, std::byte* numbers) const {
    kernel_.with_number.load(from, 1, 1, numbers);
  }

  /// Values of a long row that are worked on at a time. What goes by way of another type, which may
  /// be wider, has the room of kBlock values there; what is asked for ahead, that many lines.
  std::int64_t block_of_row() const {
    if (kernel_.via_store != nullptr || bulk_) return kBlock;
    return std::max(kBlock, kBlockBytes / static_cast<std::int64_t>(kernel_.compute_size));
  }

  /// A long row of one value, that of a kernel without inputs.
  void fill_row(const LoopCursor& cursor, std::int64_t count) const {
    alignas(64) std::byte values[kBlock * kMaxValueSize];
    alignas(64) std::byte stored[kBlock * kMaxValueSize];
    kernel_.block(kernel_.function.get(), kBlock, nullptr, values);
    kernel_.store(values, kBlock, stored, 1);
    // As often as there is room: fewer and longer stretches.
    const std::int64_t block = kBlock * sizes_[0];
    const std::int64_t stretch = std::int64_t(sizeof stored) / block * block;
    for (std::int64_t at = block; at < stretch; at += block)
      std::memcpy(stored + at, stored, std::size_t(block));
    const bool past = std::size_t(nest_.count * sizes_[0]) >= kBulkFill;
    std::byte* to = at(cursor, 0);
    for (std::int64_t left = count * sizes_[0]; left > 0;) {
      const std::int64_t bytes = std::min(stretch, left);
      if (past)
        write_past_caches(stored, bytes, to);
      else
        std::memcpy(to, stored, std::size_t(bytes));
      to += bytes;
      left -= bytes;
    }
  }

  /// A long row, block by block.
  void run_row(const LoopCursor& cursor, std::int64_t count) const {
    const bool fills = kernel_.views.size() == 1 && !kernel_.copies &&
                       kernel_.via_store == nullptr && steps_[0] == 1;
    if (fills) return fill_row(cursor, count);
    if (kernel_.copies && !bulk_ && steps_[1] != 0 && kernel_.via_store == nullptr &&
        (direct_[0] || direct_[1]))
      return copy_row(cursor, count);
    if (is_reversed()) return run_row_from_end(cursor, count);
    alignas(64) std::byte buffers[kMaxViews][kBlock * kMaxValueSize];
    const std::byte* from[kMaxViews];
    alignas(16) std::byte numbers[kMostNumberBytes];
    const void* inputs[kMaxViews];
    const Computation computation = computation_of(numbers);
    if (computation.has_number) load_number(at(cursor, kernel_.views.size() - 1), numbers);
    const std::size_t views = computation.views;
    const std::int64_t block = block_of_row();
    for (std::size_t k = 1; k < views; ++k) {
      from[k] = at(cursor, k);
      inputs[k - 1] = buffers[k];
      // One value for all of the row.
      if (steps_[k] == 0) kernel_.loads[k - 1](from[k], 0, std::min(block, count), buffers[k]);
    }
    std::byte* to = at(cursor, 0);
    for (std::int64_t done = 0; done < count; done += block) {
      const std::int64_t take = std::min(block, count - done);
      for (std::size_t k = 1; k < views; ++k) {
        if (steps_[k] == 0) continue;
        if (bulk_ && steps_[k] == 1) prefetch(from[k] + kAhead, take * sizes_[k]);
        // AVX-512 code reads what a selection may drop under a mask, which is slow when it comes
        // from memory: 16 Mi float32 values take 10 ms with a copy, 15 without.
        if (direct_[k] && (!bulk_ || kernel_.copies || kernel_.in_registers)) {
          inputs[k - 1] = from[k];
        } else {
          kernel_.loads[k - 1](from[k], steps_[k], take, buffers[k]);
        }
        from[k] += steps_[k] * take * sizes_[k];
      }
      write(computation.block, computation.function, inputs, take, buffers[0], to);
      to += steps_[0] * take * sizes_[0];
    }
  }

  /// As many rows as a cache line of a turned view has elements of, block by block.
  void run_tile(const LoopCursor& cursor) const {
    alignas(64) std::byte lines[kMostTurned][kBlock * kCacheLine];
    alignas(64) std::byte buffers[kMaxViews][kBlock * kMaxValueSize];
    const void* inputs[kMaxViews];
    const std::size_t around = nest_.extents.size() - 2;
    const std::int64_t count = nest_.inner_extent();
    const auto place = [&](std::size_t k, std::int64_t row, std::int64_t column) {
      return at(cursor, k) + (row * nest_.strides[k][around] + column * steps_[k]) * sizes_[k];
    };
    for (std::int64_t done = 0; done < count; done += kBlock) {
      const std::int64_t take = std::min(kBlock, count - done);
      std::size_t next = 0;
      const std::byte* of[kMaxViews] = {};
      for (std::size_t k = 1; k < kernel_.views.size(); ++k) {
        if (!turned_[k]) continue;
        turn_(place(k, 0, done), steps_[k] * sizes_[k], take, lines[next], kBlock * sizes_[k]);
        of[k] = lines[next++];
      }
      for (std::int64_t row = 0; row < tile_rows_; ++row) {
        for (std::size_t k = 1; k < kernel_.views.size(); ++k) {
          const bool turned = of[k] != nullptr;
          const std::byte* from = turned ? of[k] + row * kBlock * sizes_[k] : place(k, row, done);
          inputs[k - 1] = from;
          if (direct_[k] || (turned && kernel_.views[k].dtype == kernel_.compute_dtype)) continue;
          kernel_.loads[k - 1](from, turned ? 1 : steps_[k], take, buffers[k]);
          inputs[k - 1] = buffers[k];
        }
        std::byte* to = place(0, row, done);
        write(kernel_.block, kernel_.function.get(), inputs, take, buffers[0], to);
      }
    }
  }

  /// A long row that takes one step: it is loaded to where it goes, or stored from where it lies.
  void copy_row(const LoopCursor& cursor, std::int64_t count) const {
    if (direct_[0])
      kernel_.loads[0](at(cursor, 1), steps_[1], count, at(cursor, 0));
    else
      kernel_.store(at(cursor, 1), count, at(cursor, 0), steps_[0]);
  }

  bool is_reversed() const { return kernel_.copies && steps_[0] == 1 && steps_[1] == -1; }

  /// A long row whose values are read in the order of memory, and written from the end on.
  void run_row_from_end(const LoopCursor& cursor, std::int64_t count) const {
    alignas(64) std::byte values[kBlock * kMaxValueSize];
    const std::byte* last = at(cursor, 1);
    std::byte* to = at(cursor, 0);
    // Whole blocks of the output begin where a line does, if the row does.
    for (std::int64_t end = count; end > 0;) {
      const std::int64_t begin = (end - 1) / kBlock * kBlock;
      const std::int64_t take = end - begin;
      if (bulk_) prefetch(last - (end - 1) * sizes_[1] + kAhead, take * sizes_[1]);
      std::byte* const there = to + begin * sizes_[0];
      const bool in_place = direct_[0] && !bulk_;
      kernel_.loads[0](last - begin * sizes_[1], -1, take, in_place ? there : values);
      if (!in_place) store(values, take, there);
      end = begin;
    }
  }

  /// Gathers up to `count` values from several short rows, computes, and stores them.
  std::int64_t run_block(LoopCursor& cursor, std::int64_t count) const {
    alignas(64) std::byte buffers[kMaxViews][kBlock * kMaxValueSize];
    Segment segments[kBlock];
    const void* inputs[kMaxViews];
    const std::size_t views = kernel_.views.size();
    for (std::size_t k = 1; k < views; ++k) inputs[k - 1] = buffers[k];

    std::int64_t filled = 0;
    std::size_t used = 0;
    while (filled < count) {
      const std::int64_t take = std::min(cursor.left_in_row(), count - filled);
      for (std::size_t k = 1; k < views; ++k)
        kernel_.loads[k - 1](at(cursor, k), steps_[k], take,
                             buffers[k] + std::size_t(filled) * kernel_.compute_size);
      segments[used++] = {at(cursor, 0), take};
      filled += take;
      cursor.advance(take);
    }
    if (!kernel_.copies) kernel_.block(kernel_.function.get(), filled, inputs, buffers[0]);
    const std::byte* from = buffers[kernel_.copies ? 1 : 0];
    for (std::size_t i = 0; i < used; ++i) {
      store(from, segments[i].count, segments[i].to);
      from += std::size_t(segments[i].count) * kernel_.compute_size;
    }
    return filled;
  }

  /// Computes a block and writes it to its row, by way of `results` where it is not dense there.
  void write(BlockFn compute, const void* function, const void* const* inputs, std::int64_t count,
             std::byte* results, std::byte* to) const {
    if (kernel_.copies) return store(static_cast<const std::byte*>(inputs[0]), count, to);
    const bool in_place = direct_[0] && !bulk_;
    compute(function, count, inputs, in_place ? to : results);
    if (!in_place) store(results, count, to);
  }

  /// Converts `count` results and writes them to their row.
  void store(const std::byte* from, std::int64_t count, std::byte* to) const {
    if (kernel_.via_store != nullptr) return store_via_own_type(from, count, to);
    store_values(from, count, to);
  }

  void store_via_own_type(const std::byte* from, std::int64_t count, std::byte* to) const {
    alignas(64) std::byte own[kBlock * kMaxValueSize];
    alignas(64) std::byte values[kBlock * kMaxValueSize];
    kernel_.via_store(from, count, own, 1);
    kernel_.via_load(own, 1, count, values);
    store_values(values, count, to);
  }

  void store_values(const std::byte* from, std::int64_t count, std::byte* to) const {
    if (!bulk_) {
      kernel_.store(from, count, to, steps_[0]);
      return;
    }
    std::int64_t done = 0;
    if (direct_[0]) return write_past_caches(from, count * sizes_[0], to);
    if (stream_ != nullptr && is_line(to))
      done = stream_(reinterpret_cast<const float*>(from), count, to);
    if (done == count) return;
    from += done * std::int64_t(sizeof(float));
    to += done * sizes_[0];
    count -= done;
    alignas(64) std::byte converted[kBlock * kMaxValueSize];
    kernel_.store(from, count, converted, 1);
    write_past_caches(converted, count * sizes_[0], to);
  }

  static bool is_line(const std::byte* place) {
    return reinterpret_cast<std::uintptr_t>(place) % kCacheLine == 0;
  }

  static void write_past_caches(const std::byte* from, std::int64_t bytes, std::byte* to) {
    std::int64_t done = 0;
#if SIM_HAS_AVX2_PATH
    if (wide::stream_bytes != nullptr && is_line(to)) done = wide::stream_bytes(from, bytes, to);
#endif
    if (done < bytes) bulk_copy(to + done, from + done, std::size_t(bytes - done));
  }

  const ElementwiseKernel& kernel_;
  const LoopNest& nest_;
  std::byte* bases_[kMaxViews];
  std::int64_t sizes_[kMaxViews];
  std::int64_t steps_[kMaxViews];  // of elements in a row
  bool direct_[kMaxViews];
  bool in_place_ = true;  // each operand lies as it is computed with, or is one value for a row
  bool turned_[kMaxViews] = {};
  std::int64_t tile_rows_ = 0;  // that are computed together, for the turned ones; 0 without any
  TurnLines turn_ = nullptr;
  StreamFn stream_ = nullptr;
  bool bulk_ = false;  // the output is long and is written past the caches
};

}  // namespace

ElementwiseKernel detail::kernel_for(Plan& plan, const TensorArgument& out, const Dims& shape,
                                     StoreFn store, const Computes& computes, BlockFn block,
                                     std::initializer_list<const TensorArgument*> inputs) {
  ElementwiseKernel kernel;
  kernel.views.reserve(inputs.size() + 1);
  kernel.views.push_back(plan.writes(out));
  kernel.store = store;
  for (const TensorArgument* input : inputs) {
    kernel.views.push_back(broadcast_view(plan.reads(*input), shape));
    kernel.loads.push_back(computes.loader(input->dtype()));
  }
  kernel.compute_size = computes.size;
  kernel.compute_dtype = computes.dtype;
  kernel.block = block;
  return kernel;
}

std::shared_ptr<const void> detail::keep_bytes(const void* function, std::size_t size) {
  std::shared_ptr<void> kept(::operator new(size), [](void* bytes) { ::operator delete(bytes); });
  std::memcpy(kept.get(), function, size);
  return kept;
}

void launch_elementwise(Plan& plan, ElementwiseKernel kernel) {
  const bool convertible =
      kernel.store != nullptr && (kernel.block != nullptr || kernel.copies) &&
      std::find(kernel.loads.begin(), kernel.loads.end(), nullptr) == kernel.loads.end();
  if (!convertible || kernel.views.size() > kMaxViews)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  LoopNest nest = plan_loops(kernel.views);
  plan.launch([kernel = std::move(kernel), nest = std::move(nest)](const KernelMemory& memory) {
    const BlockRunner runner(kernel, nest, memory);
    parallel_for(nest.count, runner.grain(),
                 [&](std::int64_t begin, std::int64_t end) { runner.run(begin, end); });
  });
}

}  // namespace pyaclnn::sim
