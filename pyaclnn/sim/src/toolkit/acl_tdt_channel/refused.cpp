// Channels that bring data sets to a device.
// SPDX-License-Identifier: MIT
#include <cstddef>

#include "core/refuse.hpp"

// ACL_ERROR_API_NOT_SUPPORT; enumerations have -1 for what is not known.
#define TDT_REFUSES(function) SIM_REFUSE(200001, function)
#define TDT_HAS_NO_POINTER(function) SIM_REFUSE_AS(200001, function, void*, nullptr)
#define TDT_HAS_NO_SIZE(function) SIM_REFUSE_AS(200001, function, std::size_t, 0)
#define TDT_HAS_NO_TYPE(function) SIM_REFUSE_AS(200001, function, int, -1)

TDT_REFUSES(acltdtAddDataItem)
TDT_REFUSES(acltdtCleanChannel)
TDT_REFUSES(acltdtDestroyChannel)
TDT_REFUSES(acltdtDestroyDataItem)
TDT_REFUSES(acltdtDestroyDataset)
TDT_REFUSES(acltdtGetDimsFromItem)
TDT_REFUSES(acltdtGetSliceInfoFromItem)
TDT_REFUSES(acltdtQueryChannelSize)
TDT_REFUSES(acltdtReceiveTensor)
TDT_REFUSES(acltdtSendTensor)
TDT_REFUSES(acltdtStopChannel)
TDT_HAS_NO_POINTER(acltdtCreateChannel)
TDT_HAS_NO_POINTER(acltdtCreateChannelWithCapacity)
TDT_HAS_NO_POINTER(acltdtCreateDataItem)
TDT_HAS_NO_POINTER(acltdtCreateDataset)
TDT_HAS_NO_POINTER(acltdtGetDataAddrFromItem)
TDT_HAS_NO_POINTER(acltdtGetDataItem)
TDT_HAS_NO_POINTER(acltdtGetDatasetName)
TDT_HAS_NO_SIZE(acltdtGetDataSizeFromItem)
TDT_HAS_NO_SIZE(acltdtGetDatasetSize)
TDT_HAS_NO_SIZE(acltdtGetDimNumFromItem)
TDT_HAS_NO_TYPE(acltdtGetDataTypeFromItem)
TDT_HAS_NO_TYPE(acltdtGetTensorTypeFromItem)
