/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest: the nearest of many names to one that does not exist.
 *
 * Begin with the wrong name, offer each name that would have been right, ask for the best.  The
 * order of the offers does not matter.  Nothing is allocated; names are borrowed: the wanted one
 * until the last offer, an offered one as long as suggest_best() is used.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stdint.h>

/* Longer names are neither corrected nor suggested. */
#define SUGGEST_MAX_LEN 128

struct suggest {
	const char *wanted;
	uint32_t distance; /* of `best` */
	const char *best;  /* NULL = none yet */
};

void suggest_begin(struct suggest *s, const char *wanted);
void suggest_offer(struct suggest *s, const char *candidate);

/*
 * Returns the nearest name that was offered; NULL when none is near, or the wanted one was among
 * them.
 */
const char *suggest_best(const struct suggest *s);

/*
 * Returns the distance of WANTED from CANDIDATE: 0 = differs in case only; SUGGEST_FAR = too far to
 * have been meant, or a name is empty or too long.
 */
#define SUGGEST_FAR UINT32_MAX
uint32_t suggest_distance(const char *wanted, const char *candidate);

#endif
