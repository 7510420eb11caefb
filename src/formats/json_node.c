// SPDX-License-Identifier: Apache-2.0
/* Parses JSON text into trees of values. */
#include "formats/json_node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "base/arena.h"

#define MAX_DEPTH  64		/* print() has ten levels, of two each */
#define MAX_STRING (16u << 20)	/* bytes of text without the end of a value */
#define MAX_LINE   (256u << 20) /* bytes of memory of a line's tree, or a row's */
#define SLOTS	   256

struct level {
	struct json_node *node;
	struct json_node **tail; /* where the next child goes */
	enum json_key key;	 /* of an object's next child */
};

struct json_parser {
	struct json_handler to;
	struct json_problem *problem;
	yajl_handle yajl;
	struct arena *line, *row;
	unsigned row_depth; /* of the array of rows that we are in; 0 = in none */
	unsigned depth;
	struct level levels[MAX_DEPTH];
	struct json_node ignored; /* stands for each value that is not kept */
	uint64_t events, quiet;	  /* values so far, bytes since the last one */
	uint8_t slots[SLOTS];	  /* keys by hash */
};

/* ---- problems ---- */

void json_bad(struct json_problem *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->text, sizeof(p->text), fmt, ap);
	va_end(ap);
	longjmp(p->jump, JSON_BAD);
}

void json_no_memory(struct json_problem *p)
{
	longjmp(p->jump, 1);
}

/* ---- keys ---- */

static const struct {
	const char *name;
	size_t len;
} keys[JSON_KEYS_END] = {
#define JSON_KEY(name) [KEY_##name] = {#name, sizeof(#name) - 1},
#include "formats/json_keys.def"
};

const char *json_key_name(enum json_key key)
{
	return keys[key].name;
}

static unsigned key_hash(const char *name, size_t len)
{
	const unsigned char *p = (const unsigned char *)name;

	return ((unsigned)len * 31 + p[0] * 7u + p[len - 1] * 3u + p[len / 2]) % SLOTS;
}

static void make_slots(uint8_t *slots)
{
	for (unsigned k = KEY_NONE + 1; k < JSON_KEYS_END; k++) {
		unsigned i = key_hash(keys[k].name, keys[k].len);

		while (slots[i])
			i = (i + 1) % SLOTS;
		slots[i] = (uint8_t)k;
	}
}

static enum json_key find_key(const struct json_parser *p, const char *name, size_t len)
{
	unsigned i = len ? key_hash(name, len) : 0;

	for (; len && p->slots[i]; i = (i + 1) % SLOTS)
		if (keys[p->slots[i]].len == len && !memcmp(keys[p->slots[i]].name, name, len))
			return p->slots[i];
	return KEY_NONE;
}

/* ---- the tree ---- */

/* True for members of objects that have no meaning here, and for what is in them. */
static bool ignores(const struct json_parser *p, const struct level *l)
{
	return l->node == &p->ignored || (l->node->kind == JSON_OBJECT && l->key == KEY_NONE);
}

static struct json_node *add_node(struct json_parser *p, enum json_kind kind)
{
	struct level *l = p->depth ? &p->levels[p->depth - 1] : NULL;
	struct json_node *n;

	p->events++;
	if (!l)
		json_bad(p->problem, "a line must be a JSON object");
	if (ignores(p, l))
		return &p->ignored;
	n = arena_new_obj(p->row_depth ? p->row : p->line, struct json_node);
	n->kind = (uint8_t)kind;
	if (l->node->kind == JSON_ROWS) {
		if (kind != JSON_OBJECT)
			json_bad(p->problem, "\"rows\" has an element that is no object");
		return n;
	}
	n->key = (uint8_t)l->key;
	l->node->n++;
	*l->tail = n;
	l->tail = &n->next;
	return n;
}

static void push(struct json_parser *p, struct json_node *n)
{
	if (p->depth == MAX_DEPTH)
		json_bad(p->problem, "it is nested more than %d levels deep", MAX_DEPTH);
	p->levels[p->depth++] = (struct level){.node = n, .tail = &n->first};
}

/* True if an array that begins now is that of a table's rows. */
static bool is_rows(const struct json_parser *p)
{
	const struct level *l = p->levels;

	if (p->row_depth || !p->depth || l[p->depth - 1].node->kind != JSON_OBJECT ||
		l[p->depth - 1].key != KEY_rows)
		return false;
	return p->depth == 1 || (p->depth == 3 && l[1].node->key == KEY_items);
}

static int on_null(void *arg)
{
	add_node(arg, JSON_NULL);
	return 1;
}

static int on_boolean(void *arg, int value)
{
	add_node(arg, value ? JSON_TRUE : JSON_FALSE);
	return 1;
}

static void set_text(struct json_parser *p, struct json_node *n, const char *text, size_t len)
{
	if (n == &p->ignored)
		return;
	n->text = arena_strndup(p->row_depth ? p->row : p->line, text, len);
	n->len = len;
}

static int on_number(void *arg, const char *text, size_t len)
{
	set_text(arg, add_node(arg, JSON_NUMBER), text, len);
	return 1;
}

/* The characters U+EF80 to U+EFFF stand for bytes that are no UTF-8. */
static void decode_bytes(struct json_node *n)
{
	char *to = memchr(n->text, '\xee', n->len), *end = (char *)n->text + n->len;

	for (char *from = to; from && from < end; to++) {
		if (from + 2 < end && *from == '\xee' && (from[1] & 0xfe) == 0xbe) {
			*to = (char)((from[1] & 3) << 6 | (from[2] & 0x3f));
			from += 3;
		} else {
			*to = *from++;
		}
	}
	if (!to)
		return;
	*to = '\0';
	n->len = (size_t)(to - n->text);
}

static int on_string(void *arg, const unsigned char *text, size_t len)
{
	struct json_node *n = add_node(arg, JSON_STRING);

	set_text(arg, n, (const char *)text, len);
	if (n->text)
		decode_bytes(n);
	return 1;
}

static int on_key(void *arg, const unsigned char *name, size_t len)
{
	struct json_parser *p = arg;

	p->levels[p->depth - 1].key = find_key(p, (const char *)name, len);
	return 1;
}

static int on_start_object(void *arg)
{
	struct json_parser *p = arg;
	struct json_node *n;

	if (p->depth) {
		n = add_node(p, JSON_OBJECT);
	} else {
		p->events++;
		arena_reset(p->line);
		n = arena_new_obj(p->line, struct json_node);
		n->kind = JSON_OBJECT;
	}
	push(p, n);
	return 1;
}

static int on_end_object(void *arg)
{
	struct json_parser *p = arg;
	const struct json_node *n = p->levels[--p->depth].node;

	p->events++;
	if (!p->depth) {
		p->to.line(p->to.arg, n);
	} else if (p->depth == p->row_depth) {
		p->to.row(p->to.arg, p->levels[p->depth - 1].node->rows, n);
		arena_reset(p->row);
	}
	return 1;
}

static int on_start_array(void *arg)
{
	struct json_parser *p = arg;
	bool rows = is_rows(p);
	struct json_node *n = add_node(p, rows ? JSON_ROWS : JSON_ARRAY);

	push(p, n);
	if (rows) {
		n->rows = p->to.rows(p->to.arg);
		p->row_depth = p->depth;
	}
	return 1;
}

static int on_end_array(void *arg)
{
	struct json_parser *p = arg;

	p->events++;
	if (p->row_depth == p->depth)
		p->row_depth = 0;
	p->depth--;
	return 1;
}

/* ---- parsing ---- */

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_start_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end_object,
	.yajl_start_array = on_start_array,
	.yajl_end_array = on_end_array,
};

struct json_parser *json_parser_new(const struct json_handler *h, struct json_problem *problem)
{
	struct json_parser *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->to = *h;
	p->problem = problem;
	make_slots(p->slots);
	p->line = arena_new();
	p->row = arena_new();
	p->yajl = yajl_alloc(&callbacks, NULL, p);
	if (!p->line || !p->row || !p->yajl) {
		json_parser_free(p);
		return NULL;
	}
	arena_on_oom(p->line, &problem->jump);
	arena_on_oom(p->row, &problem->jump);
	yajl_config(p->yajl, yajl_allow_multiple_values, 1);
	return p;
}

void json_parser_free(struct json_parser *p)
{
	if (!p)
		return;
	if (p->yajl)
		yajl_free(p->yajl);
	arena_free(p->line);
	arena_free(p->row);
	free(p);
}

/* Fails with the words of the library, "lexical error: invalid char in json text.". */
static void fail(struct json_parser *p)
{
	unsigned char *error = yajl_get_error(p->yajl, 0, NULL, 0);
	const char *text = error ? strstr((const char *)error, ": ") : NULL;
	char words[128] = "a syntax error";

	if (text)
		snprintf(words, sizeof(words), "%.*s", (int)strcspn(text + 2, ".\n"), text + 2);
	if (error)
		yajl_free_error(p->yajl, error);
	json_bad(p->problem, "this is no JSON: %s", words);
}

void json_parser_feed(struct json_parser *p, const char *text, size_t len)
{
	uint64_t before = p->events;

	if (yajl_parse(p->yajl, (const unsigned char *)text, len) != yajl_status_ok)
		fail(p);
	p->quiet = p->events == before ? p->quiet + len : 0;
	if (p->quiet > MAX_STRING)
		json_bad(p->problem, "a string or number is longer than %u bytes", MAX_STRING);
	if (arena_used(p->line) > MAX_LINE || arena_used(p->row) > MAX_LINE)
		json_bad(p->problem, "the line is too long");
}

bool json_parser_is_inside(const struct json_parser *p)
{
	return p->depth != 0;
}

/* ---- members ---- */

static const char *const kinds[] = {
	[JSON_NULL] = "null",
	[JSON_FALSE] = "a boolean",
	[JSON_TRUE] = "a boolean",
	[JSON_NUMBER] = "a number",
	[JSON_STRING] = "a string",
	[JSON_ARRAY] = "an array",
	[JSON_OBJECT] = "an object",
	[JSON_ROWS] = "an array",
};

const struct json_node *json_may(struct json_problem *p, const struct json_node *object,
	enum json_key key, enum json_kind kind)
{
	const struct json_node *n = json_get(object, key);

	if (n && n->kind != kind)
		json_bad(p, "member \"%s\" is not %s", keys[key].name, kinds[kind]);
	return n;
}

const struct json_node *json_need(struct json_problem *p, const struct json_node *object,
	enum json_key key, enum json_kind kind)
{
	const struct json_node *n = json_may(p, object, key, kind);

	if (!n)
		json_bad(p, "member \"%s\" is missing", keys[key].name);
	return n;
}

static const char *plain_text(struct json_problem *p, const struct json_node *n, enum json_key key)
{
	if (memchr(n->text, '\0', n->len))
		json_bad(p, "member \"%s\" has a NUL character", keys[key].name);
	return n->text;
}

const char *json_text(struct json_problem *p, const struct json_node *object, enum json_key key)
{
	const struct json_node *n = json_may(p, object, key, JSON_STRING);

	return n ? plain_text(p, n, key) : "";
}

const char *json_need_text(
	struct json_problem *p, const struct json_node *object, enum json_key key)
{
	return plain_text(p, json_need(p, object, key, JSON_STRING), key);
}

bool json_bool(
	struct json_problem *p, const struct json_node *object, enum json_key key, bool usual)
{
	const struct json_node *n = json_get(object, key);

	if (!n)
		return usual;
	if (n->kind != JSON_TRUE && n->kind != JSON_FALSE)
		json_bad(p, "member \"%s\" is not a boolean", keys[key].name);
	return n->kind == JSON_TRUE;
}

/* Returns the digits of an integer, as a magnitude. */
static unsigned __int128 magnitude(
	struct json_problem *p, const struct json_node *object, enum json_key key, bool *negative)
{
	const struct json_node *n = json_need(p, object, key, JSON_NUMBER);
	const char *s = n->text;
	unsigned __int128 v = 0, more;

	*negative = *s == '-';
	for (s += *negative; *s; s++) {
		if (*s < '0' || *s > '9')
			json_bad(p, "member \"%s\" is not an integer", keys[key].name);
		if (__builtin_mul_overflow(v, 10, &more) ||
			__builtin_add_overflow(more, (unsigned)(*s - '0'), &v))
			json_bad(p, "member \"%s\" is out of range", keys[key].name);
	}
	return v;
}

uint64_t json_integer(
	struct json_problem *p, const struct json_node *object, enum json_key key, bool *negative)
{
	bool minus;
	unsigned __int128 v = magnitude(p, object, key, &minus);

	if (v > (minus ? (uint64_t)1 << 63 : UINT64_MAX))
		json_bad(p, "member \"%s\" is out of range", keys[key].name);
	if (negative)
		*negative = minus;
	return minus ? -(uint64_t)v : (uint64_t)v;
}

uint64_t json_unsigned(
	struct json_problem *p, const struct json_node *object, enum json_key key, uint64_t most)
{
	bool minus;
	uint64_t v = json_integer(p, object, key, &minus);

	if ((minus && v) || v > most)
		json_bad(p, "member \"%s\" is out of range", keys[key].name);
	return v;
}

int64_t json_signed(struct json_problem *p, const struct json_node *object, enum json_key key)
{
	bool minus;
	uint64_t v = json_integer(p, object, key, &minus);

	if (!minus && v > INT64_MAX)
		json_bad(p, "member \"%s\" is out of range", keys[key].name);
	return (int64_t)v;
}

void json_integer128(struct json_problem *p, const struct json_node *object, enum json_key key,
	uint64_t *low, uint64_t *high)
{
	bool minus;
	unsigned __int128 v = magnitude(p, object, key, &minus);

	if (minus && v > (unsigned __int128)1 << 127)
		json_bad(p, "member \"%s\" is out of range", keys[key].name);
	v = minus ? -v : v;
	*low = (uint64_t)v;
	*high = (uint64_t)(v >> 64);
}
