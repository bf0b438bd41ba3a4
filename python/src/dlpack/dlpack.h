/** The structs of DLPack 1.3 as its document states them, under its names, for tessera/dlpack.h: what two libraries of
 *  one process hand to each other in a capsule. An installed dlpack/dlpack.h is not needed.
 *
 *  Source  DLPack, "C API" and "Python specification". */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stdint.h>

typedef enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLROCMHost = 11, kDLCUDAManaged = 13 } DLDeviceType;
typedef enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5 } DLDataTypeCode;

typedef struct {
    int32_t device_type, device_id;
} DLDevice;

typedef struct {
    uint8_t code, bits;
    uint16_t lanes;
} DLDataType;

typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} DLTensor;

/* The capsule "dltensor" */
typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/* The capsule "dltensor_versioned" */
typedef struct {
    uint32_t major, minor;
} DLPackVersion;

#define DLPACK_FLAG_BITMASK_READ_ONLY 1u

typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

/* The capsule "dlpack_exchange_api", which a type of tensors has as its attribute __dlpack_c_exchange_api__. Functions
 * that fail return -1 and have set Python's exception. */
typedef struct DLPackExchangeAPI {
    DLPackVersion version;
    struct DLPackExchangeAPI *prev_api;
    void *managed_tensor_allocator, *managed_tensor_from_py_object_no_sync, *managed_tensor_to_py_object_no_sync;
    int (*dltensor_from_py_object_no_sync)(void *object, DLTensor *tensor); /* NULL: there is none */
    int (*current_work_stream)(DLDeviceType device, int32_t id, void **stream);
} DLPackExchangeAPI;

#endif
