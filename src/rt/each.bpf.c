// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* Fires probes for each element of a list: dt_each(), with their clauses, is the compiler's. */
#include "rt/rt.h"

/* This one stands in where no probe is such a one; nobody calls it. */
__attribute__((weak, noinline)) ulong dt_each(ulong item, ulong a, ulong b)
{
	return item ^ a ^ b;
}

/* ---- the bios of a request ---- */

#define MAX_BIOS 4096

struct bios {
	__u64 bio, status;
	__u64 left; /* bytes of those that are done */
};

static long one_bio(__u32 i, struct bios *b)
{
	__u32 size;

	if (!b->bio || KREAD(size, b->bio, bio_size) || size > b->left || (i && !b->left))
		return 1;
	dt_each(b->bio, size, b->status);
	b->left -= size;
	return KREAD(b->bio, b->bio, bio_next) != 0;
}

/*
 * Called before the bios are told of it, so that their sizes are still what was asked for.  One of
 * which only a part is done is not done.  A request to flush has a bio of no bytes, or none.
 */
ulong dt_each_bio(ulong request, ulong status, ulong bytes)
{
	struct bios b = {.status = status, .left = bytes};

	if (!KREAD(b.bio, request, rq_bio))
		bpf_loop(MAX_BIOS, one_bio, &b, 0);
	return 0;
}
