// SPDX-License-Identifier: MIT
#include "hccl/types.hpp"

#include <algorithm>
#include <string>

#include "core/config.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim::hccl {
namespace {

constexpr std::uint64_t kMostElements = 0x7FFFFFFFF;

struct Type {
  HcclDataType type;
  const char* name;
  std::size_t size;
};

constexpr Type kTypes[] = {
    {HCCL_DATA_TYPE_INT8, "int8", 1},     {HCCL_DATA_TYPE_INT16, "int16", 2},
    {HCCL_DATA_TYPE_INT32, "int32", 4},   {HCCL_DATA_TYPE_FP16, "float16", 2},
    {HCCL_DATA_TYPE_FP32, "float32", 4},  {HCCL_DATA_TYPE_INT64, "int64", 8},
    {HCCL_DATA_TYPE_UINT64, "uint64", 8}, {HCCL_DATA_TYPE_UINT8, "uint8", 1},
    {HCCL_DATA_TYPE_UINT16, "uint16", 2}, {HCCL_DATA_TYPE_UINT32, "uint32", 4},
    {HCCL_DATA_TYPE_FP64, "float64", 8},  {HCCL_DATA_TYPE_BFP16, "bfloat16", 2},
};

constexpr unsigned bit(int value) { return 1u << unsigned(value); }

constexpr unsigned kSum = bit(HCCL_REDUCE_SUM), kProd = bit(HCCL_REDUCE_PROD);
constexpr unsigned kExtrema = bit(HCCL_REDUCE_MAX) | bit(HCCL_REDUCE_MIN);
constexpr unsigned kAll = kSum | kProd | kExtrema;

/// Reductions of a type on a chip, as the documents of the functions have them.
unsigned reductions(Soc soc, HcclDataType type) {
  const bool oldest = soc == Soc::kAscend910, inference = soc == Soc::kAscend310P;
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_FP32:
      return kAll;
    case HCCL_DATA_TYPE_INT64:
      return inference ? 0 : kAll;
    case HCCL_DATA_TYPE_INT16:
      if (oldest) return 0;
      return inference ? kSum : kSum | kExtrema;
    case HCCL_DATA_TYPE_BFP16:
      return oldest || inference ? 0 : kSum | kExtrema;
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64:
      return soc == Soc::kAscend950 ? kAll : 0;
    default:
      return 0;
  }
}

/// The same for parts of different lengths.
unsigned reductions_of_parts(Soc soc, HcclDataType type) {
  switch (soc) {
    case Soc::kAscend910:
      return 0;
    case Soc::kAscend310P: {
      const bool known = type == HCCL_DATA_TYPE_INT16 || type == HCCL_DATA_TYPE_FP16 ||
                         type == HCCL_DATA_TYPE_FP32;
      return known ? kSum : 0;
    }
    case Soc::kAscend910B:
      return type == HCCL_DATA_TYPE_INT64 ? 0 : reductions(soc, type) & ~kProd;
    case Soc::kAscend910_93:
      return reductions(soc, type) & ~kProd;
    case Soc::kAscend950:
      break;
  }
  const bool wide = type == HCCL_DATA_TYPE_UINT64 || type == HCCL_DATA_TYPE_FP64;
  return wide ? 0 : reductions(soc, type);
}

unsigned allowed(Reducing reducing, HcclDataType type) {
  const Soc soc = chip().soc;
  return reducing == Reducing::kScatterV ? reductions_of_parts(soc, type) : reductions(soc, type);
}

const Type* find(HcclDataType type) {
  const Type* found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [type](const Type& each) { return each.type == type; });
  return found == std::end(kTypes) ? nullptr : found;
}

}  // namespace

HcclDataType data_type(aclDataType type) {
  switch (type) {
    case ACL_INT8:
      return HCCL_DATA_TYPE_INT8;
    case ACL_INT32:
      return HCCL_DATA_TYPE_INT32;
    case ACL_FLOAT16:
      return HCCL_DATA_TYPE_FP16;
    case ACL_BF16:
      return HCCL_DATA_TYPE_BFP16;
    case ACL_FLOAT:
      return HCCL_DATA_TYPE_FP32;
    default:
      fail(HCCL_E_NOT_SUPPORT, "elements of type %d are not added up", int(type));
  }
}

std::size_t element_size(HcclDataType type) {
  const Type* found = find(type);
  if (found == nullptr)
    fail(HCCL_E_NOT_SUPPORT,
         "dataType %d is not one of int8 to uint64, float16 to float64, bfloat16", int(type));
  if (type == HCCL_DATA_TYPE_BFP16 && !chip().has_bf16())
    fail(HCCL_E_NOT_SUPPORT, "%s has no bfloat16", chip().name);
  return found->size;
}

const char* type_name(HcclDataType type) {
  const Type* found = find(type);
  return found == nullptr ? "unknown type" : found->name;
}

const char* reduction_name(HcclReduceOp op) {
  constexpr const char* kNames[] = {"sum", "prod", "max", "min"};
  return unsigned(op) < std::size(kNames) ? kNames[op] : "unknown reduction";
}

void require_reducible(HcclDataType type, HcclReduceOp op, Reducing reducing) {
  element_size(type);
  const unsigned found = allowed(reducing, type);
  if (unsigned(op) < 4 && (found & bit(op)) != 0) return;
  std::string ways, types;
  for (const Type& each : kTypes) {
    if (allowed(reducing, each.type) != 0)
      types += (types.empty() ? "" : ", ") + std::string(each.name);
  }
  for (int way = HCCL_REDUCE_SUM; way <= HCCL_REDUCE_MIN; ++way) {
    if ((found & bit(way)) != 0)
      ways += (ways.empty() ? "" : ", ") + std::string(reduction_name(HcclReduceOp(way)));
  }
  if (found == 0)
    fail(HCCL_E_NOT_SUPPORT, "%s does not reduce %s here; it reduces %s", chip().name,
         type_name(type), types.c_str());
  fail(HCCL_E_NOT_SUPPORT, "%s does not reduce %s by %s (op %d) here; by %s", chip().name,
       type_name(type), reduction_name(op), int(op), ways.c_str());
}

void require_count(std::uint64_t count, const char* name) {
  if (count > kMostElements)
    fail(HCCL_E_PARA, "%s %llu is more than %llu elements", name,
         static_cast<unsigned long long>(count), static_cast<unsigned long long>(kMostElements));
}

}  // namespace pyaclnn::sim::hccl
