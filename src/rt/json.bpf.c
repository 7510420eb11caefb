// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Implements json(): the value that a path leads to in a JSON text.
 *
 *	path = [ name | index ] { "." name | [ "." ] index }
 *	index = "[" digits "]"
 *
 * One pass over the text, a byte a round; it ends with the value, or where the text stops being
 * JSON, or where it is clear that there is no such value: so a text that was cut off still gives
 * what is before the cut.  What follows the value is not looked at.  No path is the whole text.
 */
#include "rt/conf.h"
#include "rt/rt.h"
#include "rt/text.h"

#define MAX_DEPTH 64 /* bits of json.arrays */
#define NOWHERE	  ~0ull

enum json_state {
	/* between tokens: what may come next */
	J_VALUE,
	J_FIRST_VALUE, /* or "]" */
	J_NAME,
	J_FIRST_NAME, /* or "}" */
	J_COLON,
	J_NEXT, /* "," or an end */

	J_TOKENS, /* from here on inside of one */
	J_STRING = J_TOKENS,
	J_ESCAPE,
	J_HEX,
	J_WORD,	 /* true, false, null */
	J_MINUS, /* of a number: what was last */
	J_ZERO,
	J_INT,
	J_POINT,
	J_FRAC,
	J_E,
	J_SIGN,
	J_EXP,

	J_INDEX, /* in the path */
};

enum json_found {
	J_NOTHING,
	J_TEXT,	   /* the text from `start` to `pos` */
	J_DECODED, /* what was put into the result */
};

struct json {
	__u64 pos; /* in the text */
	__u64 state;
	__u64 depth;  /* arrays and objects around */
	__u64 arrays; /* a bit for each: it is an array; the innermost is lowest */
	__u64 level;  /* the depth inside of the one that the path has led to */
	__u64 path;   /* where in the path the name or index to find in that one is */
	__u64 name; /* in a name: how far the path is the same, NOWHERE when it isn't; 0: a value */
	__u64 index;	  /* in an array: so many elements to go */
	__u64 here;	  /* the next value is where the path leads */
	__u64 target;	  /* the value that is wanted has begun, this - 1 deep */
	__u64 start;	  /* there */
	__u64 queue;	  /* bytes of a character to put, the first is lowest */
	__u64 code;	  /* J_HEX: the digits, below a 1; J_WORD: the letters to come */
	__u64 high;	  /* a surrogate that waits for the other half */
	__u32 len, limit; /* of the result */
	__u64 found;
};

_Static_assert(sizeof(struct json) <= DT_TAIL_STATE, "room behind a slot");

struct json_ctx {
	const char *text, *path;
	char *to;
	struct json *json;
	__u64 mask;
};

static inline char path_at(const struct json_ctx *ctx, __u64 pos)
{
	return ctx->path[pos & ctx->mask];
}

static inline int ends_name(char c)
{
	return !c || c == '.' || c == '[';
}

static inline int is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline int is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* ---- callbacks' parts: as theirs, the result is 1 when all is done ---- */

/* True if this is the value that is wanted, not one inside of it or before it. */
static inline int in_target(const struct json *j)
{
	return j->target == j->depth + 1;
}

/* A value ended before `pos`. */
static inline long value_end(struct json *j)
{
	if (in_target(j)) {
		j->found = J_TEXT;
		return 1;
	}
	j->state = J_NEXT;
	return 0;
}

/* The array or object that the path led to ends without what is looked for: no need to go on. */
static inline long container_end(struct json *j, char c)
{
	if (!j->depth || c != (j->arrays & 1 ? ']' : '}') || j->depth == j->level)
		return 1;
	j->depth--;
	j->arrays >>= 1;
	j->pos++;
	return value_end(j);
}

static inline long container_start(struct json *j, int array, int follow)
{
	if (j->depth == MAX_DEPTH)
		return 1;
	j->depth++;
	j->arrays = j->arrays << 1 | array;
	j->state = array ? J_FIRST_VALUE : J_FIRST_NAME;
	if (!follow)
		return 0;
	j->level = j->depth;
	j->index = 0;
	if (array) {
		j->state = J_INDEX;
		j->code = 0;
		j->path++;
	}
	return 0;
}

/* True if the path leads to the value that begins here. */
static inline int is_here(struct json *j)
{
	__u64 here = j->here;

	if (j->depth == j->level && j->depth && j->arrays & 1) {
		here = !j->index;
		j->index--;
	}
	j->here = 0;
	return !!here;
}

static inline long word(struct json *j, __u64 rest)
{
	j->code = rest;
	j->state = J_WORD;
	return 0;
}

static inline long value_start(struct json_ctx *ctx, struct json *j, char c)
{
	int follow = 0;

	if (is_here(j)) {
		char next = path_at(ctx, j->path);

		follow = c == (next == '[' ? '[' : '{');
		if (!next) {
			j->target = j->depth + 1;
			j->start = j->pos;
			follow = 0;
		} else if (!follow) {
			return 1;
		}
	}
	j->pos++;
	switch (c) {
	case '[':
	case '{':
		return container_start(j, c == '[', follow);
	case '"':
		j->name = 0;
		j->state = J_STRING;
		return 0;
	case 't':
		return word(j, 'r' | 'u' << 8 | 'e' << 16);
	case 'f':
		return word(j, 'a' | 'l' << 8 | 's' << 16 | (__u64)'e' << 24);
	case 'n':
		return word(j, 'u' | 'l' << 8 | 'l' << 16);
	}
	j->state = c == '-' ? J_MINUS : c == '0' ? J_ZERO : J_INT;
	return c != '-' && !is_digit(c);
}

static inline long name_start(struct json *j, char c)
{
	j->name = j->depth == j->level ? j->path + 1 : NOWHERE;
	j->state = J_STRING;
	j->pos++;
	return c != '"';
}

/* Handles a character between tokens. */
static inline long between(struct json_ctx *ctx, struct json *j, char c)
{
	if (is_space(c)) {
		j->pos++;
		return 0;
	}
	if ((j->state == J_FIRST_VALUE && c == ']') || (j->state == J_FIRST_NAME && c == '}'))
		return container_end(j, c);
	switch (j->state) {
	case J_VALUE:
	case J_FIRST_VALUE:
		return value_start(ctx, j, c);
	case J_NAME:
	case J_FIRST_NAME:
		return name_start(j, c);
	case J_COLON:
		j->pos++;
		j->state = J_VALUE;
		return c != ':';
	}
	if (c != ',')
		return container_end(j, c);
	j->pos++;
	j->state = j->arrays & 1 ? J_VALUE : J_NAME;
	return !j->depth;
}

/* ---- true, false, null; numbers ---- */

/* Nothing is cut off: at the end of the text there might be more of it. */
static inline long scalar_end(struct json *j, char c)
{
	if (!is_space(c) && c != ',' && c != ']' && c != '}' && (c || j->depth))
		return 1;
	return value_end(j);
}

static inline long in_word(struct json *j, char c)
{
	if (!j->code)
		return scalar_end(j, c);
	if ((j->code & 0xff) != (unsigned char)c)
		return 1;
	j->code >>= 8;
	j->pos++;
	return 0;
}

static inline long in_number(struct json *j, char c)
{
	__u64 state = j->state, next = 0;
	int exponent = (c | 0x20) == 'e';

	switch (state) {
	case J_MINUS:
		next = c == '0' ? J_ZERO : is_digit(c) ? J_INT : 0;
		break;
	case J_ZERO:
	case J_INT:
		next = c == '.'				? J_POINT
			: exponent			? J_E
			: is_digit(c) && state == J_INT ? J_INT
							: 0;
		break;
	case J_POINT:
		next = is_digit(c) ? J_FRAC : 0;
		break;
	case J_FRAC:
		next = is_digit(c) ? J_FRAC : exponent ? J_E : 0;
		break;
	case J_E:
		next = is_digit(c) ? J_EXP : c == '+' || c == '-' ? J_SIGN : 0;
		break;
	default:
		next = is_digit(c) ? J_EXP : 0;
	}
	if (!next) {
		if (state == J_ZERO || state == J_INT || state == J_FRAC || state == J_EXP)
			return scalar_end(j, c);
		return 1;
	}
	j->state = next;
	j->pos++;
	return 0;
}

/* ---- strings ---- */

/* A byte of a string's meaning: compare it with the path or put it into the result. */
static inline void put_byte(struct json_ctx *ctx, struct json *j, char c)
{
	if (j->name) {
		char want = path_at(ctx, j->name - 1);

		if (j->name != NOWHERE)
			j->name = c == want && !ends_name(want) ? j->name + 1 : NOWHERE;
	} else if (in_target(j) && j->len < j->limit) {
		ctx->to[j->len & ctx->mask] = c;
		j->len++;
	}
}

/* Writes a character as UTF-8.  A string cannot contain a zero: the result ends before it. */
static inline void put_code(struct json *j, __u64 code)
{
	if (!code && j->name)
		j->name = NOWHERE;
	else if (!code && in_target(j))
		j->limit = j->len;
	if (code < 0x80)
		j->queue = code;
	else if (code < 0x800)
		j->queue = 0x80c0 | code >> 6 | (code & 63) << 8;
	else if (code < 0x10000)
		j->queue = 0x8080e0 | code >> 12 | (code >> 6 & 63) << 8 | (code & 63) << 16;
	else
		j->queue = 0x808080f0 | code >> 18 | (code >> 12 & 63) << 8 |
			(code >> 6 & 63) << 16 | (code & 63) << 24;
}

/*
 * Writes the replacement of half a surrogate pair.  The byte that shows it is looked at once more.
 */
static inline long put_lone(struct json *j)
{
	put_code(j, 0xfffd);
	j->high = 0;
	return 0;
}

static inline long string_end(struct json_ctx *ctx, struct json *j)
{
	char next;

	if (!j->name) {
		long end = value_end(j);

		if (end)
			j->found = J_DECODED;
		return end;
	}
	j->state = J_COLON;
	next = path_at(ctx, j->name - 1);
	if (j->name != NOWHERE && ends_name(next)) {
		j->here = 1;
		j->path = j->name - (next != '.');
	}
	return 0;
}

static inline long in_string(struct json_ctx *ctx, struct json *j, char c)
{
	if (j->high && c != '\\')
		return put_lone(j);
	j->pos++;
	if (c == '"')
		return string_end(ctx, j);
	if (c == '\\') {
		j->state = J_ESCAPE;
		return 0;
	}
	put_byte(ctx, j, c);
	return (unsigned char)c < ' ';
}

static inline long in_escape(struct json_ctx *ctx, struct json *j, char c)
{
	if (c == 'u') {
		j->code = 1;
		j->state = J_HEX;
		j->pos++;
		return 0;
	}
	if (j->high)
		return put_lone(j);
	switch (c) {
	case '"':
	case '\\':
	case '/':
		break;
	case 'b':
		c = '\b';
		break;
	case 'f':
		c = '\f';
		break;
	case 'n':
		c = '\n';
		break;
	case 'r':
		c = '\r';
		break;
	case 't':
		c = '\t';
		break;
	default:
		return 1;
	}
	put_byte(ctx, j, c);
	j->state = J_STRING;
	j->pos++;
	return 0;
}

static inline long in_hex(struct json *j, char c)
{
	ulong digit = digit_value(c);
	__u64 code = j->code << 4 | digit, unit = code & 0xffff;

	if (digit > 15)
		return 1;
	if (code < 0x10000) {
		j->code = code;
		j->pos++;
		return 0;
	}
	if (j->high && unit >> 10 != 0xdc00 >> 10)
		return put_lone(j);
	j->state = J_STRING;
	j->pos++;
	if (unit >> 10 == 0xd800 >> 10) {
		j->high = unit;
		return 0;
	}
	if (j->high)
		unit = 0x10000 + ((j->high & 0x3ff) << 10) + (unit & 0x3ff);
	else if (unit >> 10 == 0xdc00 >> 10)
		unit = 0xfffd;
	j->high = 0;
	put_code(j, unit);
	return 0;
}

/* ---- all ---- */

/* Read an index of the path; `code` says that there was a digit. */
static inline long in_index(struct json_ctx *ctx, struct json *j)
{
	char c = path_at(ctx, j->path), next = path_at(ctx, j->path + 1);

	j->path++;
	if (is_digit(c)) {
		j->index = j->index * 10 + (c - '0');
		j->code = NOWHERE;
		return j->index >> 32 != 0;
	}
	if (c != ']' || j->code != NOWHERE || !ends_name(next))
		return 1;
	j->path += next == '.';
	j->code = 0;
	j->state = J_FIRST_VALUE;
	return 0;
}

static long json_byte(__u32 round, struct json_ctx *ctx)
{
	struct json *j = ctx->json;
	char c = ctx->text[j->pos & ctx->mask];

	if (j->queue) {
		put_byte(ctx, j, (char)j->queue);
		j->queue >>= 8;
		return 0;
	}
	if (j->state < J_TOKENS)
		return between(ctx, j, c);
	switch (j->state) {
	case J_STRING:
		return in_string(ctx, j, c);
	case J_ESCAPE:
		return in_escape(ctx, j, c);
	case J_HEX:
		return in_hex(j, c);
	case J_WORD:
		return in_word(j, c);
	case J_INDEX:
		return in_index(ctx, j);
	}
	return in_number(j, c);
}

ulong dt_json(ulong slot, ulong dst, ulong json, ulong path)
{
	struct json_ctx ctx;
	struct rt_mem mem;
	struct json *j;
	char *text;

	if (!rt_open(&mem, slot))
		return 0;
	ctx.to = rt_string(&mem, dst);
	ctx.text = text = rt_string(&mem, json);
	ctx.path = rt_string(&mem, path);
	if (!ctx.to || !text || !ctx.path)
		return 0;
	ctx.json = j = rt_state(&mem);
	ctx.mask = rt_mask(&mem);
	__builtin_memset(j, 0, sizeof(*j));
	j->here = 1;
	j->limit = mem.strsize;
	/* a byte of the text makes two rounds at most, and the path has as many */
	bpf_loop(4 * (__u32)mem.strsize + 4, json_byte, &ctx, 0);
	if (j->found == J_TEXT)
		return str_part(&mem, ctx.to, text, j->start, j->pos - j->start);
	if (j->found != J_DECODED)
		return RT_NONE;
	ctx.to[j->len & ctx.mask] = '\0';
	return j->len;
}
