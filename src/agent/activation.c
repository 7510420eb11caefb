// SPDX-License-Identifier: Apache-2.0
/* Reads activations, and says how long they are valid. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* timegm(), strptime() */
#endif
#include "agent/activation.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/units.h"
#include "fleet/tables.h"
#include "target/words.h"

/* A clock may be this many seconds behind the one that made a row. */
#define SKEW 300

/* ---- rows ---- */

/*
 * The last row of each id.  One that is over is left out; one without `until` is not, so that it
 * can be refused, for a day.
 */
const char activations_query[] =
	"SELECT id, i, h, p, v, m, u FROM (SELECT id, argMax(instrument, seq) AS i, "
	"argMax(host, seq) AS h, argMax(parameters, seq) AS p, argMax(arguments, seq) AS v, "
	"toUInt32(argMax(made, seq)) AS m, toUInt32(argMax(until, seq)) AS u "
	"FROM " FLEET_DATABASE ".activations FINAL GROUP BY id) "
	"WHERE (u > toUInt32(now()) OR (u = 0 AND m > toUInt32(now()) - 86400)) "
	"AND (h = '' OR h IN (SELECT host FROM me) OR position(h, '*') > 0 "
	"OR position(h, '?') > 0 OR position(h, '[') > 0) "
	"ORDER BY m, id LIMIT 257 FORMAT TabSeparated";

/* A text under way: *AT moves on in what ends at END. */
struct row_reading {
	struct arena *arena;
	const char *at, *end;
	const char *problem; /* of the row */
};

/* Returns the character that backslash and C stand for; -1: none. */
static int unescaped(char c)
{
	static const char from[] = "\\'tnrbf0", to[] = "\\'\t\n\r\b\f";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? (unsigned char)to[at - from] : -1;
}

/* Reads a text up to the character STOP, which stays.  NULL: it is not one. */
static const char *read_text(struct row_reading *r, char stop)
{
	char *text = arena_alloc(r->arena, (size_t)(r->end - r->at) + 1);
	size_t len = 0;

	for (; r->at < r->end && *r->at != stop; r->at++) {
		int c = (unsigned char)*r->at;

		if (c == '\\')
			c = ++r->at < r->end ? unescaped(*r->at) : -1;
		else if (strchr("\t\n", c))
			return NULL;
		if (c < 0)
			return NULL;
		if (!c)
			r->problem = "it has a NUL character";
		text[len++] = (char)c;
	}
	if (len > ACTIVATION_TEXT) {
		r->problem = "a text is too long";
		text[ACTIVATION_TEXT] = '\0';
	}
	return r->at < r->end ? text : NULL;
}

/* Moves on over C. */
static bool take(struct row_reading *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* Reads ['a','b'] to TEXTS.  False: it is not of that form. */
static bool read_array(struct row_reading *r, const char **texts, unsigned *n)
{
	*n = 0;
	if (!take(r, '['))
		return false;
	while (!take(r, ']')) {
		const char *text = NULL;

		if ((*n && !take(r, ',')) || !take(r, '\'') || !(text = read_text(r, '\'')) ||
			!take(r, '\''))
			return false;
		if (*n < ACTIVATION_PARAMS)
			texts[(*n)++] = text;
		else
			r->problem = "it has too many parameters";
	}
	return true;
}

static bool read_number(struct row_reading *r, char stop, uint64_t *n)
{
	const char *text = read_text(r, stop), *end;
	int64_t number;

	if (!text || units_parse_integer(text, UNITS_DECIMAL, &number, &end) || *end)
		return false;
	*n = (uint64_t)number;
	return true;
}

static bool read_row(struct row_reading *r, struct activation *a)
{
	unsigned nvalues;

	a->id = read_text(r, '\t');
	if (!a->id || !take(r, '\t'))
		return false;
	a->instrument = read_text(r, '\t');
	if (!a->instrument || !take(r, '\t'))
		return false;
	a->host = read_text(r, '\t');
	if (!a->host || !take(r, '\t') || !read_array(r, a->names, &a->nparams) || !take(r, '\t') ||
		!read_array(r, a->values, &nvalues) || !take(r, '\t') ||
		!read_number(r, '\t', &a->made) || !take(r, '\t') ||
		!read_number(r, '\n', &a->until) || !take(r, '\n'))
		return false;
	a->problem = r->problem;
	if (!a->problem && nvalues != a->nparams)
		a->problem = "it has not as many arguments as parameters";
	if (nvalues < a->nparams)
		a->nparams = nvalues;
	return true;
}

int activations_read_rows(struct activations *a, const char *text, size_t len)
{
	struct row_reading r = {.arena = a->arena, .at = text, .end = text + len};

	a->problem = NULL;
	while (r.at < r.end) {
		struct activation new = {0};

		r.problem = NULL;
		if (!read_row(&r, &new))
			return -EBADMSG;
		if (a->list.len == ACTIVATIONS_MOST) {
			a->problem = "there are more activations than one machine runs";
			return 0;
		}
		vec_push(a->arena, &a->list, new);
	}
	return 0;
}

/* ---- lines ---- */

static bool read_time(const char *text, uint64_t *seconds)
{
	struct tm tm = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	time_t t = end && !*end ? timegm(&tm) : -1;

	*seconds = (uint64_t)t;
	return t > 0;
}

static const char *take_word(struct arena *arena, struct activation *a, char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		return arena_printf(arena, "expected PARAMETER=VALUE: %s", word);
	*value++ = '\0';
	if (!strcmp(word, "until")) {
		if (a->until)
			return "until is given twice";
		return read_time(value, &a->until)
			? NULL
			: "until takes a time such as 2026-11-26T10:00:00Z";
	}
	if (a->nparams == ACTIVATION_PARAMS)
		return "it has too many parameters";
	a->names[a->nparams] = arena_strdup(arena, word);
	a->values[a->nparams++] = arena_strdup(arena, value);
	return NULL;
}

static void read_words(struct arena *arena, struct activation *a, char *line, const char *where)
{
	char unmatched, **words = words_split(line, &unmatched);
	const char *problem = words ? NULL : "a quote is not closed, or a backslash ends it";

	arena_own(arena, free, words);
	for (size_t i = 0; words && words[i] && !problem; i++) {
		if (strlen(words[i]) > ACTIVATION_TEXT)
			problem = "a text is too long";
		else if (i)
			problem = take_word(arena, a, words[i]);
		else
			a->instrument = arena_strdup(arena, words[i]);
	}
	arena_release(arena, words);
	if (problem)
		a->problem = arena_printf(arena, "%s: %s", where, problem);
}

static bool has_id(const struct activations *a, const char *id)
{
	vec_for (other, &a->list)
		if (!strcmp(other->id, id))
			return true;
	return false;
}

void activations_read_file(struct activations *a, const char *path, const char *text, size_t len)
{
	const char *end = text + len, *next;

	a->problem = NULL;
	for (unsigned number = 1; text < end; text = next, number++) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((nl ? nl : end) - text);
		char *line = arena_strndup(a->arena, text, n);
		const char *where = arena_printf(a->arena, "%s:%u", path, number);
		struct activation new = {.host = ""};

		next = nl ? nl + 1 : end;
		line += strspn(line, " \t\r");
		if (!*line || *line == '#')
			continue;
		new.instrument = arena_strndup(a->arena, line, strcspn(line, " \t\r"));
		if (a->list.len == ACTIVATIONS_MOST) {
			a->problem = "there are more activations than one machine runs";
			return;
		}
		if (memchr(text, '\0', n))
			new.problem = arena_printf(a->arena, "%s: it has a NUL character", where);
		read_words(a->arena, &new, line, where);
		/* the same line with another time is the same activation */
		new.id = new.problem ? arena_printf(a->arena, "line-%u", number)
				     : arena_printf(a->arena, "%s-%016" PRIx64, new.instrument,
					       activation_hash(&new));
		if (!has_id(a, new.id))
			vec_push(a->arena, &a->list, new);
	}
}

/* ---- meaning ---- */

const char *activation_end(const struct activation *a, uint64_t first, uint64_t *end)
{
	uint64_t made = a->made ? a->made : first;

	*end = a->until;
	if (!a->until)
		return "it has no time at which it ends (until)";
	if (a->until > made && a->until - made > ACTIVATION_SECONDS)
		return "it ends more than a day after it was made";
	if (a->until > first + ACTIVATION_SECONDS + SKEW)
		return "it ends more than a day from now";
	if (a->until > first + ACTIVATION_SECONDS)
		*end = first + ACTIVATION_SECONDS;
	return NULL;
}

int activation_is_for(const struct activation *a, const char *host)
{
	return !*a->host || !fnmatch(a->host, host, 0);
}

/* Each text with its NUL, so that no two lists of texts are the same bytes. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	return fleet_hash_more(hash, text, strlen(text) + 1);
}

uint64_t activation_hash(const struct activation *a)
{
	uint64_t hash = hash_text(fleet_hash(NULL, 0), a->instrument);

	for (unsigned i = 0; i < a->nparams; i++)
		hash = hash_text(hash_text(hash, a->names[i]), a->values[i]);
	return hash;
}
