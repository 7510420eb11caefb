/* SPDX-License-Identifier: Apache-2.0 */
/* header: the C and C++ header that dtrace -h makes from provider blocks. */
#ifndef USDT_HEADER_H
#define USDT_HEADER_H

#include <stdint.h>
#include <stdio.h>

struct provider_block;
struct report;

/*
 * Writes the header of the probes of N provider BLOCKS to OUT.  NAME is the header's file name, for
 * its include guard.  0; -E2BIG a probe has too many arguments; -ENOMEM; -errno OUT cannot be
 * written.  Errors come with a message.
 */
int usdt_header_write(const struct provider_block *const *blocks, uint32_t n, const char *name,
	FILE *out, struct report *report);

#endif
