/* SPDX-License-Identifier: Apache-2.0 */
/* java_image: the agent for Java VMs, embedded when dtrace is built. */
#ifndef MANAGED_JAVA_IMAGE_H
#define MANAGED_JAVA_IMAGE_H

#include <stddef.h>

/* Returns the shared library and its length; 0: dtrace was built without Java's headers. */
const void *java_image(size_t *len);

#endif
