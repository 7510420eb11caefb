/* SPDX-License-Identifier: Apache-2.0 */
/* The file in which victim.c counts: whether it still runs. */
#ifndef VICTIM_BEAT_H
#define VICTIM_BEAT_H

#include <stdint.h>

struct beat {
	uint64_t count;	    /* of its turns */
	uint64_t semaphore; /* address of the probe's */
	int64_t pid;
};

#endif
