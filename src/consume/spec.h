/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec: records of speculations, held until commit() or discard() says what becomes of them.
 *
 * Knows nothing of what a record holds but its speculation's word (enum dt_spec_state,
 * abi/kernel.h).  Records must come in the order of the ring buffer.  One that came too late, when
 * its speculation's number was given out again, or beyond SPECSIZE bytes, is lost and counted.
 */
#ifndef CONSUME_SPEC_H
#define CONSUME_SPEC_H

#include <stddef.h>
#include <stdint.h>

struct dt_rec;
struct dt_spec_end;
struct specs;

/*
 * Numbers go from 1 to NSPEC.  SPECSIZE bounds the bytes of one speculation's records.  NULL: no
 * memory.
 */
struct specs *specs_new(uint32_t nspec, uint64_t specsize);

/* Frees S and the records that it still holds. */
void specs_free(struct specs *s);

/*
 * Keep a copy of the record REC of SIZE bytes for the speculation that WORD (not 0) names.
 * 0, also when it was dropped; SPECS_COMMITTED: that speculation was committed before, which REC's
 * CPU had not seen yet, and REC is to be shown; -EBADMSG: no such word is ever given out.
 */
#define SPECS_COMMITTED 1
int specs_hold(struct specs *s, uint64_t word, const struct dt_rec *rec, size_t size);

/*
 * END: hand what was held to EMIT, oldest first, if it was committed.  EMIT returns 0 to go on, or
 * another value to stop, which is returned: the speculation has ended all the same.  Otherwise 0,
 * -EBADMSG or -ENOMEM.
 */
int specs_end(struct specs *s, const struct dt_spec_end *end,
	int (*emit)(void *arg, const struct dt_rec *rec, size_t size), void *arg);

/* Returns the number of records lost so far. */
uint64_t specs_dropped(const struct specs *s);

#endif
