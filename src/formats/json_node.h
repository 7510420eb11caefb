/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_node: JSON text as trees of values, one for each line of docs/json.md, with libyajl.
 *
 * It knows JSON and the names of the members in docs/json.md, and not what they mean.  The rows of
 * tables are handed over one at a time and are not part of the tree, because a table can be larger
 * than memory should hold.  A text can be foreign, damaged or hostile: everything has a bound.
 *
 * Nodes belong to the parser and are valid during the call that passes them.  Failures do not
 * return: they jump to the problem's buffer.
 */
#ifndef FORMATS_JSON_NODE_H
#define FORMATS_JSON_NODE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members that have a meaning. */
enum json_key {
	KEY_NONE, /* of an element of an array, or without a meaning */
#define JSON_KEY(name) KEY_##name,
#include "formats/json_keys.def"
	JSON_KEYS_END
};

enum json_kind {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER, /* text: as it is written */
	JSON_STRING, /* text: the bytes that it stands for */
	JSON_ARRAY,  /* first, n */
	JSON_OBJECT, /* first, n */
	JSON_ROWS,   /* rows */
};

struct json_node {
	uint8_t kind, key;
	uint32_t n;
	struct json_node *next; /* of the same array or object */
	union {
		struct json_node *first;
		const char *text; /* NUL-terminated */
		void *rows;	  /* what the handler gave */
	};
	size_t len; /* of text */
};

/* The place where a failure continues: setjmp() gives 1 without memory, JSON_BAD with a text. */
struct json_problem {
	jmp_buf jump;
	char text[256];
};

#define JSON_BAD 2

/* Says in PROBLEM what is wrong with the text and jumps. */
_Noreturn void json_bad(struct json_problem *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
_Noreturn void json_no_memory(struct json_problem *p);

/* ---- parsing ---- */

struct json_handler {
	void *arg;
	/* An array of rows begins: what is given is passed to row() and is in the tree. */
	void *(*rows)(void *arg);
	void (*row)(void *arg, void *rows, const struct json_node *row);
	/* A value of the outermost level is complete. */
	void (*line)(void *arg, const struct json_node *value);
};

struct json_parser;

/* Returns a parser, which json_parser_free() frees; NULL without memory.  P stays the caller's. */
struct json_parser *json_parser_new(const struct json_handler *h, struct json_problem *p);
void json_parser_free(struct json_parser *p);

/* Parse LEN bytes more. */
void json_parser_feed(struct json_parser *p, const char *text, size_t len);

/* True if a value has begun and not ended. */
bool json_parser_is_inside(const struct json_parser *p);

/* ---- members of objects: a failure names the member ---- */

/* Returns member KEY of OBJECT; NULL: it has none. */
static inline const struct json_node *json_get(const struct json_node *object, enum json_key key)
{
	for (const struct json_node *n = object->first; n; n = n->next)
		if (n->key == key)
			return n;
	return NULL;
}

const char *json_key_name(enum json_key key);

/* Returns member KEY, which must be there and of this kind. */
const struct json_node *json_need(struct json_problem *p, const struct json_node *object,
	enum json_key key, enum json_kind kind);

/* Returns member KEY, which must be of this kind if it is there; NULL: it is not. */
const struct json_node *json_may(struct json_problem *p, const struct json_node *object,
	enum json_key key, enum json_kind kind);

/* A string without NUL; "" if it is missing. */
const char *json_text(struct json_problem *p, const struct json_node *object, enum json_key key);

/* The same, but it must be there. */
const char *json_need_text(
	struct json_problem *p, const struct json_node *object, enum json_key key);

/* A boolean; USUAL if it is missing. */
bool json_bool(
	struct json_problem *p, const struct json_node *object, enum json_key key, bool usual);

/* Integers, which must be there; of MOST at most. */
uint64_t json_unsigned(
	struct json_problem *p, const struct json_node *object, enum json_key key, uint64_t most);
int64_t json_signed(struct json_problem *p, const struct json_node *object, enum json_key key);

/* An integer from INT64_MIN to UINT64_MAX, in 64 bits; *NEGATIVE may be NULL. */
uint64_t json_integer(
	struct json_problem *p, const struct json_node *object, enum json_key key, bool *negative);

/* An integer of at most 128 bits, in two halves. */
void json_integer128(struct json_problem *p, const struct json_node *object, enum json_key key,
	uint64_t *low, uint64_t *high);

#endif
