// SPDX-License-Identifier: MIT
#include "opapi/common/blocks.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLines = 16;  // of a block
constexpr std::int64_t kBytes = 32;  // of a line of a block
constexpr std::int64_t kMost = std::int64_t(1) << 56;

struct Name {
  int format;
  std::string_view axes;
};

constexpr Name kPublic[] = {
    {ACL_FORMAT_NCHW, "NCHW"},   {ACL_FORMAT_NHWC, "NHWC"},   {ACL_FORMAT_HWCN, "HWCN"},
    {ACL_FORMAT_NCDHW, "NCDHW"}, {ACL_FORMAT_NDHWC, "NDHWC"},
};

/// Axes from the outermost to the innermost, before the pieces of C; those in small letters are
/// filled up to whole blocks.
constexpr Name kPrivate[] = {
    {ACL_FORMAT_NC1HWC0, "NCHW"},
    {ACL_FORMAT_NDC1HWC0, "NDCHW"},
    {ACL_FORMAT_FRACTAL_Z, "CHWn"},
    {ACL_FRACTAL_Z_3D, "DCHWn"},
};

constexpr int kDhwcn = 31;  // ACL_FORMAT_DHWCN, which acl_base.h lacks

std::string_view axes_of(int format) {
  if (format == kDhwcn) return "DHWCN";
  for (const Name& name : kPublic)
    if (name.format == format) return name.axes;
  return {};
}

/// An axis on its way into blocks.
struct Step {
  std::size_t axis;
  bool filled;
};

/// The order of the axes; empty where the format does not have these.
std::vector<Step> order_of(int format, int axes, std::size_t rank) {
  std::vector<Step> steps;
  if (is_nz(format)) {
    if (rank < 2) return steps;
    for (std::size_t i = 0; i + 2 < rank; ++i) steps.push_back({i, false});
    steps.push_back({rank - 1, false});
    steps.push_back({rank - 2, true});
    return steps;
  }
  const std::string_view given = axes_of(axes);
  for (const Name& name : kPrivate) {
    if (name.format != format || given.size() != rank || name.axes.size() != rank) continue;
    for (const char letter : name.axes) {
      const bool filled = letter == 'n';
      steps.push_back({given.find(filled ? 'N' : letter), filled});
      if (steps.back().axis == std::string_view::npos) return {};
    }
  }
  return steps;
}

/// How far apart the elements of a copy's line are, and how many bytes each has.
using CopyFn = void (*)(const std::byte* from, std::int64_t from_step, std::byte* to,
                        std::int64_t to_step, std::int64_t count);

template <std::size_t size>
void copy_elements(const std::byte* from, std::int64_t from_step, std::byte* to,
                   std::int64_t to_step, std::int64_t count) {
  if (from_step == 1 && to_step == 1) {
    // A caller may give the same memory twice: then the result is undefined, and nothing else.
    std::memmove(to, from, std::size_t(count) * size);
    return;
  }
  constexpr auto kSize = std::int64_t(size);
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step * kSize, from + i * from_step * kSize, size);
}

CopyFn copier(std::int64_t size) {
  switch (size) {
    case 1:
      return &copy_elements<1>;
    case 2:
      return &copy_elements<2>;
    case 4:
      return &copy_elements<4>;
    default:
      return &copy_elements<8>;
  }
}

/// A copy between a strided view and blocks, of whole bytes.
struct BlockCopy {
  Dims plain;  // strides
  Blocks blocks;
  std::int64_t size;
  CopyFn copy;

  BlockCopy(const View& view, const Blocks& given)
      : plain(view.strides), blocks(given), size(std::int64_t(dtype_size(view.dtype))) {
    if (is_half_byte(view.dtype)) in_pairs();
    copy = copier(size);
  }

  std::int64_t lines() const {
    return blocks.shape.product() / std::max<std::int64_t>(1, extent());
  }
  std::int64_t extent() const { return blocks.shape[blocks.cut]; }

  /// Calls `body` with where a line of the cut axis begins, in either.
  template <class Body>
  void for_each_line(Body body) const {
    constexpr std::int64_t kGrain = 8192;
    parallel_for(lines(), std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, extent())),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t line = begin; line < end; ++line) {
                     std::int64_t left = line, from = 0, to = 0;
                     for (std::size_t i = blocks.shape.size(); i-- > 0;) {
                       if (i == blocks.cut) continue;
                       const std::int64_t at = left % blocks.shape[i];
                       left /= blocks.shape[i];
                       from += at * plain[i];
                       to += at * blocks.strides[i];
                     }
                     body(from * size, to * size);
                   }
                 });
  }

  template <class Body>
  void for_each_piece(Body body) const {
    const std::int64_t step = plain[blocks.cut];
    for_each_line([&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = 0; i < extent(); i += blocks.width)
        body(from + i * step * size, step,
             to + i / blocks.width * blocks.strides[blocks.cut] * size,
             std::min(blocks.width, extent() - i));
    });
  }

  void to_blocks(const std::byte* from, std::byte* to) const {
    std::memset(to, 0, std::size_t(blocks.elements * size));
    for_each_piece([&](std::int64_t at, std::int64_t step, std::int64_t block, std::int64_t count) {
      copy(from + at, step, to + block, 1, count);
    });
  }

  void from_blocks(const std::byte* from, std::byte* to) const {
    for_each_piece([&](std::int64_t at, std::int64_t step, std::int64_t block, std::int64_t count) {
      copy(from + block, 1, to + at, step, count);
    });
  }

 private:
  /// Elements of four bits go in twos along the cut axis, of which there is an even number.
  void in_pairs() {
    size = 1;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (i != blocks.cut) plain.set(i, plain[i] / 2);
      blocks.strides.set(i, blocks.strides[i] / 2);
    }
    blocks.shape.set(blocks.cut, (blocks.shape[blocks.cut] + 1) / 2);
    blocks.width /= 2;
    blocks.elements /= 2;
  }
};

std::int64_t byte_of(const View& view) {
  return is_half_byte(view.dtype) ? view.offset / 2
                                  : view.offset * std::int64_t(dtype_size(view.dtype));
}

TensorMeta whole(const TensorArgument& tensor, std::int64_t elements) {
  TensorMeta meta = tensor.meta();
  meta.format = ACL_FORMAT_ND;
  meta.shape = meta.storage_shape = Dims{elements};
  meta.strides = Dims{1};
  return meta;
}

View row_of(View view, std::int64_t elements) {
  view.shape = Dims{elements};
  view.strides = Dims{1};
  return view;
}

Dims turned(const Dims& dims) {
  Dims result = dims;
  result.set(dims.size() - 1, dims[dims.size() - 2]);
  result.set(dims.size() - 2, dims[dims.size() - 1]);
  return result;
}

}  // namespace

std::optional<Blocks> blocks_of(int format, int axes, const Dims& shape, std::int64_t width) {
  const std::vector<Step> steps = order_of(format, axes, shape.size());
  if (steps.empty() || width < 1) return std::nullopt;
  Blocks blocks;
  blocks.shape = shape;
  blocks.width = width;
  blocks.strides = shape;
  const std::size_t channel = is_nz(format) ? shape.size() - 1 : axes_of(axes).find('C');
  blocks.cut = channel;
  Checked<std::int64_t> step = width;
  std::vector<std::int64_t> extents;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const std::int64_t extent = shape[steps[i].axis];
    if (extent < 0 || extent > kMost) return std::nullopt;
    const std::int64_t unit = steps[i].axis == channel ? width : steps[i].filled ? kLines : 1;
    const std::int64_t count = pieces(extent, unit);
    blocks.strides.set(steps[i].axis, step.saturated());
    step = step * Checked(steps[i].filled ? count * kLines : count);
    extents.push_back(count);
    if (steps[i].filled) extents.insert(extents.end() - 1, kLines);
  }
  if (!step.fits() || step.saturated() > kMost) return std::nullopt;
  blocks.elements = step.saturated();
  std::reverse(extents.begin(), extents.end());
  // A fractal's outer axes are one.
  const bool is_flat = format == ACL_FORMAT_FRACTAL_Z || format == ACL_FRACTAL_Z_3D;
  const std::size_t outer = is_flat ? extents.size() - 2 : 0;
  if (is_flat) blocks.storage.push_back(Dims(extents.data(), outer).product());
  for (std::size_t i = outer; i < extents.size(); ++i) blocks.storage.push_back(extents[i]);
  blocks.storage.push_back(width);
  return blocks;
}

bool is_nz(int format) {
  constexpr FormatSet kNz{ACL_FORMAT_FRACTAL_NZ,       ACL_FORMAT_FRACTAL_NZ_C0_16,
                          ACL_FORMAT_FRACTAL_NZ_C0_32, ACL_FORMAT_FRACTAL_NZ_C0_2,
                          ACL_FORMAT_FRACTAL_NZ_C0_4,  ACL_FORMAT_FRACTAL_NZ_C0_8};
  return kNz.contains(format);
}

void check_not_in_nz(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    check.that(!tensor->given() || !is_nz(tensor->meta().format), "%s is in FRACTAL_NZ",
               tensor->name());
}

void check_not_private(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    check.that(!tensor->given() || !kPrivateFormats.contains(tensor->meta().format),
               "%s is in a private format", tensor->name());
}

std::int64_t nz_width(int format, aclDataType dtype) {
  switch (format) {
    case ACL_FORMAT_FRACTAL_NZ_C0_2:
      return 2;
    case ACL_FORMAT_FRACTAL_NZ_C0_4:
      return 4;
    case ACL_FORMAT_FRACTAL_NZ_C0_8:
      return 8;
    case ACL_FORMAT_FRACTAL_NZ_C0_16:
      return 16;
    case ACL_FORMAT_FRACTAL_NZ_C0_32:
      return 32;
    default:
      if (is_half_byte(dtype)) return 2 * kBytes;
      return kBytes / std::clamp<std::int64_t>(std::int64_t(dtype_size(dtype)), 1, kBytes);
  }
}

void to_blocks(const View& plain, const Blocks& blocks, const std::byte* from, std::byte* to) {
  BlockCopy(plain, blocks).to_blocks(from, to);
}

void from_blocks(const View& plain, const Blocks& blocks, const std::byte* from, std::byte* to) {
  BlockCopy(plain, blocks).from_blocks(from, to);
}

void copy_to_blocks(Plan& plan, const View& from, const View& to, const Blocks& blocks) {
  plan.launch([=](const KernelMemory& memory) {
    to_blocks(from, blocks, memory.operands[from.operand] + byte_of(from),
              memory.operands[to.operand] + byte_of(to));
  });
}

void copy_from_blocks(Plan& plan, const View& from, const Blocks& blocks, const View& to) {
  plan.launch([=](const KernelMemory& memory) {
    from_blocks(to, blocks, memory.operands[from.operand] + byte_of(from),
                memory.operands[to.operand] + byte_of(to));
  });
}

View reads_storage(Plan& plan, const TensorArgument& tensor, std::int64_t elements) {
  const TensorMeta meta = whole(tensor, elements);
  return row_of(plan.reads(TensorArgument(tensor.name(), tensor.index(), &meta)), elements);
}

View writes_storage(Plan& plan, const TensorArgument& tensor, std::int64_t elements) {
  const TensorMeta meta = whole(tensor, elements);
  return row_of(plan.writes(TensorArgument(tensor.name(), tensor.index(), &meta)), elements);
}

bool is_turned(const TensorArgument& tensor) {
  const Dims& shape = tensor.shape();
  const Dims& strides = tensor.meta().strides;
  const std::size_t rank = shape.size();
  return rank >= 2 && strides[rank - 2] == 1 && strides[rank - 1] == shape[rank - 2] &&
         !(shape[rank - 1] == 1 && shape[rank - 2] == 1);
}

TensorArgument exchanged_axes(Plan& plan, const TensorArgument& tensor, std::size_t axis) {
  plan.reads(tensor);
  Dims shape = tensor.shape(), strides = tensor.meta().strides;
  for (Dims* dims : {&shape, &strides}) {
    const std::int64_t first = (*dims)[axis];
    dims->set(axis, (*dims)[axis + 1]);
    dims->set(axis + 1, first);
  }
  return plan.described(tensor, shape, strides, tensor.meta().offset);
}

TensorArgument same_view(Plan& plan, const TensorArgument& tensor) {
  plan.reads(tensor);
  return plan.described(tensor, tensor.shape(), tensor.meta().strides, tensor.meta().offset);
}

PlainOperand::PlainOperand(Plan& plan, const TensorArgument& tensor, bool in_blocks) {
  if (!in_blocks || tensor.rank() < 2) {
    view_ = plan.reads(tensor);
    return;
  }
  const TensorMeta& meta = tensor.meta();
  const bool turn = is_turned(tensor);
  const Dims shape = turn ? turned(meta.shape) : meta.shape;
  const int format = is_nz(meta.format) ? int(meta.format) : int(ACL_FORMAT_FRACTAL_NZ);
  // Of words that hold int4 the storage may count other elements than the view.
  const bool in_words = meta.dtype == ACL_INT32;
  // Words of int4 may be described in blocks of 16, which hold more than a line of a block.
  constexpr std::int64_t kMostHalves = 64;
  const bool has_width = !in_words && meta.storage_shape.size() == shape.size() + 2 &&
                         !(is_half_byte(meta.dtype) && meta.storage_shape.back() > kMostHalves);
  blocks_ = blocks_of(format, ACL_FORMAT_ND, shape,
                      has_width ? meta.storage_shape.back() : nz_width(format, meta.dtype));
  if (!blocks_ || (has_width ? blocks_->storage != meta.storage_shape
                             : meta.storage_shape.product() < blocks_->elements))
    fail(ACLNN_ERR_PARAM_INVALID,
         "%s: %s of shape %s has a storage of %s, which is not that of FRACTAL_NZ", plan.api(),
         tensor.name(), meta.shape.text().c_str(), meta.storage_shape.text().c_str());
  if (meta.offset != 0)
    fail_not_simulated(plan, "a tensor in FRACTAL_NZ that begins within its storage");
  stored_ = reads_storage(plan, tensor, blocks_->elements);
  const Dims strides = contiguous_strides(shape);
  const bool half = is_half_byte(meta.dtype);
  copy_ = plan.reserve(half ? (shape.product() + 1) / 2 : shape.product(),
                       half ? ACL_INT8 : meta.dtype);
  view_ = {stored_.operand, meta.dtype, 0, meta.shape, turn ? turned(strides) : strides};
}

Launch PlainOperand::before(Launch kernel) const {
  if (!blocks_) return kernel;
  View row = view_;
  row.strides = contiguous_strides(blocks_->shape);
  return [row, blocks = *blocks_, from = stored_, to = copy_,
          kernel = std::move(kernel)](const KernelMemory& memory) {
    std::byte* const plain = memory.workspace + to;
    from_blocks(row, blocks, memory.operands[from.operand] + byte_of(from), plain);
    KernelMemory with = memory;
    with.operands[from.operand] = plain;
    kernel(with);
  };
}

}  // namespace pyaclnn::sim
