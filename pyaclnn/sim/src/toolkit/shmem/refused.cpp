// Memory shared between devices, a package of its own.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// The package documents -1 for a call that failed.
#define SHMEM_REFUSES(function) SIM_REFUSE(-1, function)
#define SHMEM_HAS_NO_POINTER(function) SIM_REFUSE_AS(-1, function, void*, nullptr)

SHMEM_REFUSES(aclshmem_finalize)
SHMEM_REFUSES(aclshmem_free)
SHMEM_HAS_NO_POINTER(aclshmem_malloc)
SHMEM_HAS_NO_POINTER(aclshmem_ptr)
SHMEM_REFUSES(aclshmemx_get_uniqueid)
SHMEM_REFUSES(aclshmemx_getmem_on_stream)
SHMEM_REFUSES(aclshmemx_init_attr)
SHMEM_REFUSES(aclshmemx_putmem_on_stream)
SHMEM_REFUSES(aclshmemx_set_attr_uniqueid_args)
SHMEM_REFUSES(aclshmemx_set_conf_store_tls)
SHMEM_REFUSES(shmem_finalize)
SHMEM_REFUSES(shmem_free)
SHMEM_REFUSES(shmem_get_uniqueid)
SHMEM_HAS_NO_POINTER(shmem_malloc)
SHMEM_HAS_NO_POINTER(shmem_ptr)
SHMEM_REFUSES(shmem_set_attr)
SHMEM_REFUSES(shmem_set_attr_uniqueid_args)
SHMEM_REFUSES(shmem_set_conf_store_tls)
