// SPDX-License-Identifier: Apache-2.0
/* Finds the name that a misspelt one was probably meant to be, by edit distance. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* An addition at an end that is nevertheless suggested: stat for newstat, pread for pread64. */
#define MAX_ADDED    3
#define MIN_ADDED_TO 4

static bool same(char a, char b, bool any_case)
{
	return a == b || (any_case && tolower((unsigned char)a) == tolower((unsigned char)b));
}

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Returns the edits between A and B: insertions, deletions, replacements and exchanges of
 * neighbours, none of which touches a character twice ("optimal string alignment").  Above MOST any
 * larger number may come out.
 */
static uint32_t edits(
	const char *a, uint32_t alen, const char *b, uint32_t blen, uint32_t most, bool any_case)
{
	uint32_t rows[3][SUGGEST_MAX_LEN + 1];
	uint32_t *before = rows[0], *last = rows[1], *row = rows[2], *spare;

	for (uint32_t j = 0; j <= blen; j++)
		last[j] = j;
	for (uint32_t i = 1; i <= alen; i++) {
		uint32_t least = row[0] = i;

		for (uint32_t j = 1; j <= blen; j++) {
			row[j] = min3(last[j] + 1, row[j - 1] + 1,
				last[j - 1] + !same(a[i - 1], b[j - 1], any_case));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2], any_case) &&
				same(a[i - 2], b[j - 1], any_case) && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
			if (row[j] < least)
				least = row[j];
		}
		/* the row before had no less than most, and an exchange adds one to it */
		if (least > most)
			return least;
		spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return last[blen];
}

/* True if SHORTER is the beginning or the end of LONGER. */
static bool at_an_end(const char *shorter, uint32_t slen, const char *longer, uint32_t llen)
{
	return !strncasecmp(shorter, longer, slen) ||
		!strncasecmp(shorter, longer + llen - slen, slen);
}

uint32_t suggest_distance(const char *wanted, const char *candidate)
{
	size_t wlen = strlen(wanted), clen = strlen(candidate);
	uint32_t shorter = (uint32_t)(wlen < clen ? wlen : clen);
	uint32_t longer = (uint32_t)(wlen < clen ? clen : wlen);
	uint32_t most = wlen < 5 ? 1 : (uint32_t)(wlen + 1) / 3, n;

	if (!shorter || longer > SUGGEST_MAX_LEN)
		return SUGGEST_FAR;
	if (longer - shorter <= most) {
		n = edits(wanted, (uint32_t)wlen, candidate, (uint32_t)clen, most, true);
		/* what is spelled differently too is not the same in capitals */
		if (n > 1)
			n = edits(wanted, (uint32_t)wlen, candidate, (uint32_t)clen, most, false);
		/* something has to be left of the shorter one */
		if (n <= most && n < shorter)
			return n;
	}
	if (clen > wlen && wlen >= MIN_ADDED_TO && clen - wlen <= MAX_ADDED &&
		at_an_end(wanted, (uint32_t)wlen, candidate, (uint32_t)clen))
		return most + (uint32_t)(clen - wlen);
	return SUGGEST_FAR;
}

void suggest_begin(struct suggest *s, const char *wanted)
{
	s->wanted = wanted;
	s->best = NULL;
	s->distance = SUGGEST_FAR;
}

static uint32_t common_start(const char *a, const char *b)
{
	uint32_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static size_t length_apart(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);

	return na < nb ? nb - na : na - nb;
}

/*
 * True if A is better than an equally distant name: by the common start, then by length, then by
 * name.
 */
static bool is_better(const struct suggest *s, const char *a, const char *b)
{
	uint32_t na = common_start(s->wanted, a), nb = common_start(s->wanted, b);
	size_t la = length_apart(s->wanted, a), lb = length_apart(s->wanted, b);

	if (na != nb)
		return na > nb;
	return la != lb ? la < lb : strcmp(a, b) < 0;
}

void suggest_offer(struct suggest *s, const char *candidate)
{
	uint32_t n = suggest_distance(s->wanted, candidate);

	if (n == SUGGEST_FAR || n > s->distance)
		return;
	if (n < s->distance || is_better(s, candidate, s->best)) {
		s->distance = n;
		s->best = candidate;
	}
}

const char *suggest_best(const struct suggest *s)
{
	return s->best && strcmp(s->best, s->wanted) ? s->best : NULL;
}
