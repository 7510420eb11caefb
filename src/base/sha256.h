/* SPDX-License-Identifier: Apache-2.0 */
/* sha256: the hash of FIPS 180-4. The kernel's own (AF_ALG) is missing in many kernels. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>

/* Characters of a hash in hexadecimal, without the NUL. */
#define SHA256_TEXT 64

/* Writes the hash of LEN bytes to TEXT in lower-case hexadecimal. */
void sha256_text(const void *data, size_t len, char text[SHA256_TEXT + 1]);

#endif
