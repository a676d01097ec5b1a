// The export marker of operator functions.
#ifndef PYACLNN_ACLNNOP_ACLNN_UTIL_H_
#define PYACLNN_ACLNNOP_ACLNN_UTIL_H_

#if defined(__GNUC__)
#define ACLNN_API __attribute__((visibility("default")))
#else
#define ACLNN_API
#endif

#endif  // PYACLNN_ACLNNOP_ACLNN_UTIL_H_
