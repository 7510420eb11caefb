/* SPDX-License-Identifier: Apache-2.0 */
/* rt_image: the run-time library's object (src/rt), embedded in this one; never freed. */
#ifndef LOAD_RT_IMAGE_H
#define LOAD_RT_IMAGE_H

#include <stddef.h>

const void *rt_image(size_t *len);

#endif
