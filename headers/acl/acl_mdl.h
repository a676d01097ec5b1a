// Loading and running compiled offline models.
#ifndef PYACLNN_ACL_ACL_MDL_H_
#define PYACLNN_ACL_ACL_MDL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#define ACL_DIM_ENDPOINTS 2
#define ACL_MAX_DIM_CNT 128
#define ACL_MAX_TENSOR_NAME_LEN 128
#define ACL_MAX_BATCH_NUM 128
#define ACL_MAX_HW_NUM 128
#define ACL_MAX_SHAPE_COUNT 128
#define ACL_INVALID_NODE_INDEX 0xFFFFFFFF
#define ACL_MDL_LOAD_FROM_FILE 1
#define ACL_MDL_LOAD_FROM_FILE_WITH_MEM 2
#define ACL_MDL_LOAD_FROM_MEM 3
#define ACL_MDL_LOAD_FROM_MEM_WITH_MEM 4
#define ACL_MDL_LOAD_FROM_FILE_WITH_Q 5
#define ACL_MDL_LOAD_FROM_MEM_WITH_Q 6
#define ACL_WORKSPACE_MEM_OPTIMIZE_DEFAULT 0
#define ACL_WORKSPACE_MEM_OPTIMIZE_INPUTOUTPUT 1

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aclAippInputFormat {
  ACL_YUV420SP_U8 = 1,
  ACL_XRGB8888_U8 = 2,
  ACL_RGB888_U8 = 3,
  ACL_YUV400_U8 = 4,
  ACL_NC1HWC0DI_FP16 = 5,
  ACL_NC1HWC0DI_S8 = 6,
  ACL_ARGB8888_U8 = 7,
  ACL_YUYV_U8 = 8,
  ACL_YUV422SP_U8 = 9,
  ACL_AYUV444_U8 = 10,
  ACL_RAW10 = 11,
  ACL_RAW12 = 12,
  ACL_RAW16 = 13,
  ACL_RAW24 = 14,
  ACL_AIPP_RESERVED = 65535,
} aclAippInputFormat;

typedef enum aclmdlConfigAttr {
  ACL_MDL_PRIORITY_INT32 = 0,
  ACL_MDL_LOAD_TYPE_SIZET = 1,
  ACL_MDL_PATH_PTR = 2,
  ACL_MDL_MEM_ADDR_PTR = 3,
  ACL_MDL_MEM_SIZET = 4,
  ACL_MDL_WEIGHT_ADDR_PTR = 5,
  ACL_MDL_WEIGHT_SIZET = 6,
  ACL_MDL_WORKSPACE_ADDR_PTR = 7,
  ACL_MDL_WORKSPACE_SIZET = 8,
  ACL_MDL_INPUTQ_NUM_SIZET = 9,
  ACL_MDL_INPUTQ_ADDR_PTR = 10,
  ACL_MDL_OUTPUTQ_NUM_SIZET = 11,
  ACL_MDL_OUTPUTQ_ADDR_PTR = 12,
  ACL_MDL_WORKSPACE_MEM_OPTIMIZE = 13,
  ACL_MDL_WEIGHT_PATH_PTR = 14,
  ACL_MDL_MODEL_DESC_PTR = 15,
  ACL_MDL_MODEL_DESC_SIZET = 16,
  ACL_MDL_KERNEL_PTR = 17,
  ACL_MDL_KERNEL_SIZET = 18,
  ACL_MDL_KERNEL_ARGS_PTR = 19,
  ACL_MDL_KERNEL_ARGS_SIZET = 20,
  ACL_MDL_STATIC_TASK_PTR = 21,
  ACL_MDL_STATIC_TASK_SIZET = 22,
  ACL_MDL_DYNAMIC_TASK_PTR = 23,
  ACL_MDL_DYNAMIC_TASK_SIZET = 24,
  ACL_MDL_MEM_MALLOC_POLICY_SIZET = 25,
  ACL_MDL_FIFO_PTR = 26,
  ACL_MDL_FIFO_SIZET = 27,
} aclmdlConfigAttr;

typedef enum aclmdlExecConfigAttr {
  ACL_MDL_STREAM_SYNC_TIMEOUT = 0,
  ACL_MDL_EVENT_SYNC_TIMEOUT = 1,
  ACL_MDL_WORK_ADDR_PTR = 2,
  ACL_MDL_WORK_SIZET = 3,
  ACL_MDL_MPAIMID_SIZET = 4,
  ACL_MDL_AICQOS_SIZET = 5,
  ACL_MDL_AICOST_SIZET = 6,
  ACL_MDL_MEC_TIMETHR_SIZET = 7,
} aclmdlExecConfigAttr;

typedef enum aclmdlInputAippType {
  ACL_DATA_WITHOUT_AIPP = 0,
  ACL_DATA_WITH_STATIC_AIPP = 1,
  ACL_DATA_WITH_DYNAMIC_AIPP = 2,
  ACL_DYNAMIC_AIPP_NODE = 3,
} aclmdlInputAippType;

typedef struct aclmdlIODims {
  char name[128];
  size_t dimCount;
  int64_t dims[128];
} aclmdlIODims;

typedef struct aclmdlIODimsRange {
  size_t rangeCount;
  int64_t range[128][2];
} aclmdlIODimsRange;

typedef struct aclAippDims {
  aclmdlIODims srcDims;
  size_t srcSize;
  aclmdlIODims aippOutdims;
  size_t aippOutSize;
} aclAippDims;

typedef struct aclmdlBatch {
  size_t batchCount;
  uint64_t batch[128];
} aclmdlBatch;

typedef struct aclmdlHW {
  size_t hwCount;
  uint64_t hw[128][2];
} aclmdlHW;

typedef struct aclAippExtendInfo aclAippExtendInfo;

typedef struct aclAippInfo {
  aclAippInputFormat inputFormat;
  int32_t srcImageSizeW;
  int32_t srcImageSizeH;
  int8_t cropSwitch;
  int32_t loadStartPosW;
  int32_t loadStartPosH;
  int32_t cropSizeW;
  int32_t cropSizeH;
  int8_t resizeSwitch;
  int32_t resizeOutputW;
  int32_t resizeOutputH;
  int8_t paddingSwitch;
  int32_t leftPaddingSize;
  int32_t rightPaddingSize;
  int32_t topPaddingSize;
  int32_t bottomPaddingSize;
  int8_t cscSwitch;
  int8_t rbuvSwapSwitch;
  int8_t axSwapSwitch;
  int8_t singleLineMode;
  int32_t matrixR0C0;
  int32_t matrixR0C1;
  int32_t matrixR0C2;
  int32_t matrixR1C0;
  int32_t matrixR1C1;
  int32_t matrixR1C2;
  int32_t matrixR2C0;
  int32_t matrixR2C1;
  int32_t matrixR2C2;
  int32_t outputBias0;
  int32_t outputBias1;
  int32_t outputBias2;
  int32_t inputBias0;
  int32_t inputBias1;
  int32_t inputBias2;
  int32_t meanChn0;
  int32_t meanChn1;
  int32_t meanChn2;
  int32_t meanChn3;
  float minChn0;
  float minChn1;
  float minChn2;
  float minChn3;
  float varReciChn0;
  float varReciChn1;
  float varReciChn2;
  float varReciChn3;
  aclFormat srcFormat;
  aclDataType srcDatatype;
  size_t srcDimNum;
  size_t shapeCount;
  aclAippDims outDims[128];
  aclAippExtendInfo* aippExtend;
} aclAippInfo;

typedef struct aclmdlExeOMDesc {
  size_t workSize;
  size_t weightSize;
  size_t modelDescSize;
  size_t kernelSize;
  size_t kernelArgsSize;
  size_t staticTaskSize;
  size_t dynamicTaskSize;
  size_t fifoTaskSize;
  size_t reserved[8];
} aclmdlExeOMDesc;

typedef struct aclmdlDataset aclmdlDataset;

typedef struct aclmdlDesc aclmdlDesc;

typedef struct aclmdlAIPP aclmdlAIPP;

typedef struct aclmdlConfigHandle aclmdlConfigHandle;

typedef struct aclmdlExecConfigHandle aclmdlExecConfigHandle;

ACL_FUNC_VISIBILITY aclmdlDesc* aclmdlCreateDesc(void);

ACL_FUNC_VISIBILITY aclError aclmdlDestroyDesc(aclmdlDesc* modelDesc);

ACL_FUNC_VISIBILITY aclError aclmdlGetDesc(aclmdlDesc* modelDesc, uint32_t modelId);

ACL_FUNC_VISIBILITY aclError aclmdlGetDescFromFile(aclmdlDesc* modelDesc, const char* modelPath);

ACL_FUNC_VISIBILITY aclError aclmdlGetDescFromMem(aclmdlDesc* modelDesc, const void* model,
                                                  size_t modelSize);

ACL_FUNC_VISIBILITY size_t aclmdlGetNumInputs(aclmdlDesc* modelDesc);

ACL_FUNC_VISIBILITY size_t aclmdlGetNumOutputs(aclmdlDesc* modelDesc);

ACL_FUNC_VISIBILITY size_t aclmdlGetInputSizeByIndex(aclmdlDesc* modelDesc, size_t index);

ACL_FUNC_VISIBILITY size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* modelDesc, size_t index);

ACL_FUNC_VISIBILITY aclmdlExecConfigHandle* aclmdlCreateExecConfigHandle(void);

ACL_FUNC_VISIBILITY aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle* handle);

ACL_FUNC_VISIBILITY aclmdlDataset* aclmdlCreateDataset(void);

ACL_FUNC_VISIBILITY aclError aclmdlDestroyDataset(const aclmdlDataset* dataset);

ACL_FUNC_VISIBILITY aclError aclmdlAddDatasetBuffer(aclmdlDataset* dataset,
                                                    aclDataBuffer* dataBuffer);

ACL_FUNC_VISIBILITY aclError aclmdlSetDatasetTensorDesc(aclmdlDataset* dataset,
                                                        aclTensorDesc* tensorDesc, size_t index);

ACL_FUNC_VISIBILITY aclTensorDesc* aclmdlGetDatasetTensorDesc(const aclmdlDataset* dataset,
                                                              size_t index);

ACL_FUNC_VISIBILITY size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset);

ACL_FUNC_VISIBILITY aclDataBuffer* aclmdlGetDatasetBuffer(const aclmdlDataset* dataset,
                                                          size_t index);

ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId);

ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadFromFile(const char* modelPath, uint32_t* bundleId);

ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadFromMem(const void* model, size_t modelSize,
                                                     uint32_t* bundleId);

ACL_FUNC_VISIBILITY aclError aclmdlBundleUnload(uint32_t bundleId);

ACL_FUNC_VISIBILITY aclError aclmdlBundleGetModelNum(uint32_t bundleId, size_t* modelNum);

ACL_FUNC_VISIBILITY aclError aclmdlBundleGetModelId(uint32_t bundleId, size_t index,
                                                    uint32_t* modelId);

ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMem(const void* model, size_t modelSize,
                                               uint32_t* modelId);

ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithMem(const char* modelPath, uint32_t* modelId,
                                                       void* workPtr, size_t workSize,
                                                       void* weightPtr, size_t weightSize);

ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithMem(const void* model, size_t modelSize,
                                                      uint32_t* modelId, void* workPtr,
                                                      size_t workSize, void* weightPtr,
                                                      size_t weightSize);

ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithQ(const char* modelPath, uint32_t* modelId,
                                                     const uint32_t* inputQ, size_t inputQNum,
                                                     const uint32_t* outputQ, size_t outputQNum);

ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithQ(const void* model, size_t modelSize,
                                                    uint32_t* modelId, const uint32_t* inputQ,
                                                    size_t inputQNum, const uint32_t* outputQ,
                                                    size_t outputQNum);

ACL_FUNC_VISIBILITY aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset* input,
                                           aclmdlDataset* output);

ACL_FUNC_VISIBILITY aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset* input,
                                             aclmdlDataset* output, aclrtStream stream,
                                             const aclmdlExecConfigHandle* handle);

ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsyncV2(uint32_t modelId, const aclmdlDataset* input,
                                                  aclmdlDataset* output, aclrtStream stream,
                                                  const aclmdlExecConfigHandle* handle);

ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset* input,
                                                aclmdlDataset* output, aclrtStream stream);

ACL_FUNC_VISIBILITY aclError aclmdlUnload(uint32_t modelId);

ACL_FUNC_VISIBILITY aclError aclmdlQuerySize(const char* fileName, size_t* workSize,
                                             size_t* weightSize);

ACL_FUNC_VISIBILITY aclError aclmdlQueryExeOMDesc(const char* fileName,
                                                  aclmdlExeOMDesc* mdlPartitionSize);

ACL_FUNC_VISIBILITY aclError aclmdlQuerySizeFromMem(const void* model, size_t modelSize,
                                                    size_t* workSize, size_t* weightSize);

ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset* dataset,
                                                       size_t index, uint64_t batchSize);

ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset* dataset,
                                                    size_t index, uint64_t height, uint64_t width);

ACL_FUNC_VISIBILITY aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset* dataset,
                                                       size_t index, const aclmdlIODims* dims);

ACL_FUNC_VISIBILITY aclError aclmdlGetInputDims(const aclmdlDesc* modelDesc, size_t index,
                                                aclmdlIODims* dims);

ACL_FUNC_VISIBILITY aclError aclmdlGetInputDimsV2(const aclmdlDesc* modelDesc, size_t index,
                                                  aclmdlIODims* dims);

ACL_FUNC_VISIBILITY aclError aclmdlGetInputDimsRange(const aclmdlDesc* modelDesc, size_t index,
                                                     aclmdlIODimsRange* dimsRange);

ACL_FUNC_VISIBILITY aclError aclmdlGetOutputDims(const aclmdlDesc* modelDesc, size_t index,
                                                 aclmdlIODims* dims);

ACL_FUNC_VISIBILITY aclError aclmdlGetCurOutputDims(const aclmdlDesc* modelDesc, size_t index,
                                                    aclmdlIODims* dims);

ACL_FUNC_VISIBILITY const char* aclmdlGetOpAttr(aclmdlDesc* modelDesc, const char* opName,
                                                const char* attr);

ACL_FUNC_VISIBILITY const char* aclmdlGetInputNameByIndex(const aclmdlDesc* modelDesc,
                                                          size_t index);

ACL_FUNC_VISIBILITY const char* aclmdlGetOutputNameByIndex(const aclmdlDesc* modelDesc,
                                                           size_t index);

ACL_FUNC_VISIBILITY aclFormat aclmdlGetInputFormat(const aclmdlDesc* modelDesc, size_t index);

ACL_FUNC_VISIBILITY aclFormat aclmdlGetOutputFormat(const aclmdlDesc* modelDesc, size_t index);

ACL_FUNC_VISIBILITY aclDataType aclmdlGetInputDataType(const aclmdlDesc* modelDesc, size_t index);

ACL_FUNC_VISIBILITY aclDataType aclmdlGetOutputDataType(const aclmdlDesc* modelDesc, size_t index);

ACL_FUNC_VISIBILITY aclError aclmdlGetInputIndexByName(const aclmdlDesc* modelDesc,
                                                       const char* name, size_t* index);

ACL_FUNC_VISIBILITY aclError aclmdlGetOutputIndexByName(const aclmdlDesc* modelDesc,
                                                        const char* name, size_t* index);

ACL_FUNC_VISIBILITY aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch);

ACL_FUNC_VISIBILITY aclError aclmdlGetDynamicHW(const aclmdlDesc* modelDesc, size_t index,
                                                aclmdlHW* hw);

ACL_FUNC_VISIBILITY aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* modelDesc,
                                                            size_t index, size_t* gearCount);

ACL_FUNC_VISIBILITY aclError aclmdlGetInputDynamicDims(const aclmdlDesc* modelDesc, size_t index,
                                                       aclmdlIODims* dims, size_t gearCount);

ACL_FUNC_VISIBILITY aclmdlAIPP* aclmdlCreateAIPP(uint64_t batchSize);

ACL_FUNC_VISIBILITY aclError aclmdlDestroyAIPP(const aclmdlAIPP* aippParmsSet);

ACL_FUNC_VISIBILITY aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t* size);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPInputFormat(aclmdlAIPP* aippParmsSet,
                                                      aclAippInputFormat inputFormat);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPCscParams(
    aclmdlAIPP* aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0, int16_t cscMatrixR0C1,
    int16_t cscMatrixR0C2, int16_t cscMatrixR1C0, int16_t cscMatrixR1C1, int16_t cscMatrixR1C2,
    int16_t cscMatrixR2C0, int16_t cscMatrixR2C1, int16_t cscMatrixR2C2, uint8_t cscOutputBiasR0,
    uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
    uint8_t cscInputBiasR1, uint8_t cscInputBiasR2);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP* aippParmsSet,
                                                         int8_t rbuvSwapSwitch);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP* aippParmsSet,
                                                       int8_t axSwapSwitch);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP* aippParmsSet,
                                                       int32_t srcImageSizeW,
                                                       int32_t srcImageSizeH);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPScfParams(aclmdlAIPP* aippParmsSet, int8_t scfSwitch,
                                                    int32_t scfInputSizeW, int32_t scfInputSizeH,
                                                    int32_t scfOutputSizeW, int32_t scfOutputSizeH,
                                                    uint64_t batchIndex);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPCropParams(aclmdlAIPP* aippParmsSet, int8_t cropSwitch,
                                                     int32_t cropStartPosW, int32_t cropStartPosH,
                                                     int32_t cropSizeW, int32_t cropSizeH,
                                                     uint64_t batchIndex);

ACL_FUNC_VISIBILITY aclError
aclmdlSetAIPPPaddingParams(aclmdlAIPP* aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop,
                           int32_t paddingSizeBottom, int32_t paddingSizeLeft,
                           int32_t paddingSizeRight, uint64_t batchIndex);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPDtcPixelMean(
    aclmdlAIPP* aippParmsSet, int16_t dtcPixelMeanChn0, int16_t dtcPixelMeanChn1,
    int16_t dtcPixelMeanChn2, int16_t dtcPixelMeanChn3, uint64_t batchIndex);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP* aippParmsSet,
                                                      float dtcPixelMinChn0, float dtcPixelMinChn1,
                                                      float dtcPixelMinChn2, float dtcPixelMinChn3,
                                                      uint64_t batchIndex);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPPixelVarReci(
    aclmdlAIPP* aippParmsSet, float dtcPixelVarReciChn0, float dtcPixelVarReciChn1,
    float dtcPixelVarReciChn2, float dtcPixelVarReciChn3, uint64_t batchIndex);

ACL_FUNC_VISIBILITY aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset* dataset,
                                                size_t index, const aclmdlAIPP* aippParmsSet);

ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset* dataset,
                                                       size_t index,
                                                       const aclmdlAIPP* aippParmsSet);

ACL_FUNC_VISIBILITY aclError aclmdlGetAippType(uint32_t modelId, size_t index,
                                               aclmdlInputAippType* type,
                                               size_t* dynamicAttachedDataIndex);

ACL_FUNC_VISIBILITY aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index,
                                                    aclAippInfo* aippInfo);

ACL_FUNC_VISIBILITY aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId,
                                                      uint32_t taskId, char* opName,
                                                      size_t opNameLen, aclTensorDesc** inputDesc,
                                                      size_t* numInputs, aclTensorDesc** outputDesc,
                                                      size_t* numOutputs);

ACL_FUNC_VISIBILITY aclError aclmdlLoadWithConfig(const aclmdlConfigHandle* handle,
                                                  uint32_t* modelId);

ACL_FUNC_VISIBILITY aclmdlConfigHandle* aclmdlCreateConfigHandle(void);

ACL_FUNC_VISIBILITY aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle);

ACL_FUNC_VISIBILITY aclError aclmdlSetConfigOpt(aclmdlConfigHandle* handle, aclmdlConfigAttr attr,
                                                const void* attrValue, size_t valueSize);

ACL_FUNC_VISIBILITY aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle* handle,
                                                    aclmdlExecConfigAttr attr,
                                                    const void* attrValue, size_t valueSize);

ACL_FUNC_VISIBILITY const char* aclmdlGetTensorRealName(const aclmdlDesc* modelDesc,
                                                        const char* name);

#ifdef __cplusplus
}
#endif

#endif  // PYACLNN_ACL_ACL_MDL_H_
