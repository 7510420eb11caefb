/* SPDX-License-Identifier: Apache-2.0 */
/* rt_image: the run-time library's objects (src/rt), embedded in this one; never freed. */
#ifndef LOAD_RT_IMAGE_H
#define LOAD_RT_IMAGE_H

#include "abi/runtime.h"

#include <stddef.h>

/* Returns the object that has what programs need, and its length in bytes in *LEN. */
const void *rt_image(enum rt_needs needs, size_t *len);

#endif
