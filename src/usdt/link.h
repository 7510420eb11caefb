/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link: dtrace -G, which turns the probe calls of relocatable objects into sites and writes one
 * more object to link with them.
 */
#ifndef USDT_LINK_H
#define USDT_LINK_H

#include <stdint.h>

struct report;

struct usdt_link_job {
	const struct provider_block *const *known; /* the providers that objects may call */
	uint32_t nknown;
	const struct provider_block *const *own; /* of KNOWN: those that OUTPUT defines */
	uint32_t nown;
	char *const *objects; /* paths of relocatable files, written in place */
	unsigned nobjects;
	const char *output; /* path of the object to write */
};

/*
 * 0 or a negative errno with a message.  Objects before the one that failed stay changed; to link
 * them again is harmless.
 */
int usdt_link(const struct usdt_link_job *job, struct report *report);

#endif
