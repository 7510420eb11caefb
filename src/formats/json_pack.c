// SPDX-License-Identifier: Apache-2.0
/* Packs values that were read as JSON, and makes those of the public interface of them. */
#include "formats/json_pack.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "dtrace/data.h"
#include "formats/json.h"
#include "formats/json_node.h"
#include "formats/json_number.h"

#define POOL_MOST (32u << 20) /* bytes of names and frames that are kept from line to line */

/* A frame, without padding: it is compared bytewise.  Texts are numbers of strings. */
struct packed_frame {
	uint64_t address, offset;
	uint32_t object, symbol, file, line;
	uint32_t text; /* one more than its number; 0: as it follows from the others */
	uint32_t kind;
	uint32_t inlined, first_line;
	uint32_t pad;
};

/* The last bits of a value's second byte. */
enum { HAS_SIGN = 1, IS_CHAR = 2, IS_CUT = 4, IS_INCOMPLETE = 8 };

/* ---- names and frames ---- */

int json_pool_init(struct json_pool *pool, struct json_problem *p)
{
	memset(pool, 0, sizeof(*pool));
	pool->problem = p;
	rectab_init(&pool->frames, sizeof(struct packed_frame), sizeof(const char *));
	pool->arena = arena_new();
	if (!pool->arena)
		return -ENOMEM;
	arena_on_oom(pool->arena, &p->jump);
	return 0;
}

void json_pool_fini(struct json_pool *pool)
{
	arena_free(pool->arena);
	rectab_fini(&pool->frames);
	pool->arena = NULL;
}

int json_pool_relieve(struct json_pool *pool)
{
	if (arena_used(pool->arena) + (size_t)pool->frames.n * pool->frames.stride < POOL_MOST)
		return 0;
	json_pool_fini(pool);
	return json_pool_init(pool, pool->problem);
}

/* Returns the number of TEXT, 0 if it is empty; it is kept once. */
static uint32_t string_number(struct json_pool *pool, const char *text)
{
	uintptr_t n;

	if (!*text)
		return 0;
	n = (uintptr_t)strmap_get(&pool->strings, text);
	if (n)
		return (uint32_t)n;
	n = pool->strings.entries.len + 1ul;
	strmap_put(pool->arena, &pool->strings, arena_strdup(pool->arena, text), (void *)n);
	return (uint32_t)n;
}

static const char *string_at(const struct json_pool *pool, uint32_t number)
{
	return number ? pool->strings.entries.data[number - 1].key : "";
}

/* Returns the text that the text output has for a frame without a text of its own (docs/json.md).
 */
static const char *usual_text(const struct json_pool *pool, const struct packed_frame *f)
{
	const char *object = string_at(pool, f->object), *symbol = string_at(pool, f->symbol);
	char number[24] = "", line[16] = "";

	if (!*symbol && f->kind)
		return "";
	if (!*symbol)
		snprintf(number, sizeof(number), "0x%llx", (unsigned long long)f->address);
	else if (f->offset)
		snprintf(number, sizeof(number), "+0x%llx", (unsigned long long)f->offset);
	if (f->line)
		snprintf(line, sizeof(line), ":%lu%s", (unsigned long)f->line,
			f->first_line ? "+" : "");
	return arena_printf(pool->arena, "%s%s%s%s%s%s%s%s%s", object, *object ? "`" : "", symbol,
		number, f->file ? " (" : "", string_at(pool, f->file), line, f->file ? ")" : "",
		f->inlined ? " [inlined]" : "");
}

static uint32_t frame_number(struct json_pool *pool, const struct json_node *object)
{
	struct json_problem *p = pool->problem;
	const struct json_node *text = json_may(p, object, KEY_text, JSON_STRING);
	struct packed_frame f = {
		.object = string_number(pool, json_text(p, object, KEY_object)),
		.symbol = string_number(pool, json_text(p, object, KEY_symbol)),
		.file = string_number(pool, json_text(p, object, KEY_file)),
		.kind = string_number(pool, json_text(p, object, KEY_kind)),
		.inlined = json_bool(p, object, KEY_inlined, false),
		.first_line = json_bool(p, object, KEY_first_line, false),
	};
	int64_t at;

	if (!f.kind)
		f.address = json_unsigned(p, object, KEY_address, UINT64_MAX);

	if (json_get(object, KEY_offset))
		f.offset = json_unsigned(p, object, KEY_offset, UINT64_MAX);
	if (json_get(object, KEY_line))
		f.line = (uint32_t)json_unsigned(p, object, KEY_line, UINT32_MAX);
	if (text)
		f.text = 1 + string_number(pool, json_text(p, object, KEY_text));
	at = rectab_put(&pool->frames, &f);
	if (at < 0)
		json_no_memory(p);
	/* a new one has no text yet */
	if (!*(const char **)rectab_rec(&pool->frames, (uint32_t)at))
		*(const char **)rectab_rec(&pool->frames, (uint32_t)at) =
			text ? string_at(pool, f.text - 1) : usual_text(pool, &f);
	return (uint32_t)at;
}

static void make_frame(const struct json_pool *pool, uint32_t number, struct dtrace_frame *out)
{
	const struct packed_frame *f = rectab_key(&pool->frames, number);

	*out = (struct dtrace_frame){
		.address = f->address,
		.object = string_at(pool, f->object),
		.symbol = string_at(pool, f->symbol),
		.offset = f->offset,
		.text = *(const char **)rectab_rec(&pool->frames, number),
		.file = string_at(pool, f->file),
		.line = f->line,
		.first_line = f->first_line,
		.inlined = f->inlined,
		.kind = string_at(pool, f->kind),
	};
}

/* ---- packing ---- */

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Appends the bytes of hexadecimal digits. */
static void pack_hex(struct json_pool *pool, struct buf *b, const struct json_node *n)
{
	if (n->len % 2)
		json_bad(pool->problem, "an odd number of hexadecimal digits");
	pack_number(b, n->len / 2);
	for (size_t i = 0; i < n->len; i += 2) {
		int high = hex_digit(n->text[i]), low = hex_digit(n->text[i + 1]);

		if (high < 0 || low < 0)
			json_bad(pool->problem, "bytes that are not hexadecimal");
		buf_putc(b, (char)(high << 4 | low));
	}
}

static void pack_bytes(struct buf *b, const char *text, size_t len)
{
	pack_number(b, len);
	buf_put(b, text, len);
}

static void pack_pid(struct json_pool *pool, struct buf *b, const struct json_node *object)
{
	int64_t pid = json_signed(pool->problem, object, KEY_pid);

	if (pid < INT32_MIN || pid > INT32_MAX)
		json_bad(pool->problem, "member \"pid\" is out of range");
	pack_signed(b, pid);
}

static void pack_frames(struct json_pool *pool, struct buf *b, const struct json_node *object)
{
	const struct json_node *list = json_need(pool->problem, object, KEY_value, JSON_ARRAY);

	pack_number(b, list->n);
	for (const struct json_node *n = list->first; n; n = n->next) {
		if (n->kind != JSON_OBJECT)
			json_bad(pool->problem, "a frame is no object");
		pack_number(b, frame_number(pool, n));
	}
}

static void pack_symbol(struct json_pool *pool, struct buf *b, const struct json_node *object)
{
	const struct json_node *frame = json_get(object, KEY_value);

	if (frame && frame->kind == JSON_NULL) {
		pack_number(b, 0);
		return;
	}
	frame = json_need(pool->problem, object, KEY_value, JSON_OBJECT);
	pack_number(b, 1);
	pack_number(b, frame_number(pool, frame));
}

/* An integer of more than 64 bits is known by its digits. */
static void pack_integer(
	struct json_pool *pool, struct buf *b, const struct json_node *object, uint64_t size)
{
	uint64_t low, high;

	if (size > sizeof(uint64_t)) {
		const struct json_node *n =
			json_need(pool->problem, object, KEY_value, JSON_NUMBER);

		json_integer128(pool->problem, object, KEY_value, &low, &high);
		pack_signed(b, (int64_t)low);
		pack_bytes(b, n->text, n->len);
		return;
	}
	pack_signed(b, (int64_t)json_integer(pool->problem, object, KEY_value, NULL));
	pack_number(b, 0);
}

static void pack_enum(
	struct json_pool *pool, struct buf *b, const struct json_node *object, uint64_t size)
{
	const struct json_node *name = json_may(pool->problem, object, KEY_enumerator, JSON_STRING);

	if (size > sizeof(int64_t))
		json_bad(pool->problem, "an enumeration has more than 8 bytes");
	pack_signed(b, (int64_t)json_integer(pool->problem, object, KEY_value, NULL));
	pack_bytes(b, name ? name->text : "", name ? name->len : 0);
}

/* The value of a floating-point number is that of its bytes. */
static void pack_float(struct json_pool *pool, struct buf *b, const struct json_node *object)
{
	const struct json_node *value = json_get(object, KEY_value);

	if (!value || (value->kind != JSON_NUMBER && value->kind != JSON_STRING))
		json_bad(pool->problem, "member \"value\" is not a number");
	pack_hex(pool, b, json_need(pool->problem, object, KEY_bytes, JSON_STRING));
}

static void pack_members(struct json_pool *pool, struct buf *b, const struct json_node *object,
	enum dtrace_kind kind)
{
	const struct json_node *list = json_need(pool->problem, object, KEY_value, JSON_ARRAY);

	pack_number(b, list->n);
	for (const struct json_node *n = list->first; n; n = n->next) {
		if (n->kind != JSON_OBJECT)
			json_bad(pool->problem, "a member or element is no object");
		if (kind == DTRACE_KIND_ARRAY)
			pack_number(b, json_unsigned(pool->problem, n, KEY_index, UINT32_MAX));
		else
			pack_number(b,
				string_number(pool, json_need_text(pool->problem, n, KEY_member)));
		json_pack_value(pool, b, n);
	}
}

static enum dtrace_kind kind_of(struct json_pool *pool, const struct json_node *object)
{
	const char *name = json_need_text(pool->problem, object, KEY_kind);

	for (unsigned i = 0; i < JSON_KINDS; i++)
		if (!strcmp(json_kinds[i], name))
			return (enum dtrace_kind)i;
	json_bad(pool->problem, "there is no kind of value \"%.32s\"", name);
}

/* Appends what a kind alone has. */
static void pack_kind(struct json_pool *pool, struct buf *b, const struct json_node *object,
	enum dtrace_kind kind, uint64_t size)
{
	const struct json_node *n;

	switch (kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		pack_integer(pool, b, object, size);
		break;
	case DTRACE_KIND_ENUM:
		pack_enum(pool, b, object, size);
		break;
	case DTRACE_KIND_FLOAT:
		pack_float(pool, b, object);
		break;
	case DTRACE_KIND_STRING:
		n = json_need(pool->problem, object, KEY_value, JSON_STRING);
		pack_bytes(b, n->text, n->len);
		break;
	case DTRACE_KIND_BYTES:
		pack_hex(pool, b, json_need(pool->problem, object, KEY_value, JSON_STRING));
		break;
	case DTRACE_KIND_USTACK:
		pack_pid(pool, b, object);
		pack_frames(pool, b, object);
		break;
	case DTRACE_KIND_STACK:
		pack_frames(pool, b, object);
		break;
	case DTRACE_KIND_USYMBOL:
		pack_pid(pool, b, object);
		pack_symbol(pool, b, object);
		break;
	case DTRACE_KIND_SYMBOL:
		pack_symbol(pool, b, object);
		break;
	case DTRACE_KIND_STRUCT:
	case DTRACE_KIND_UNION:
	case DTRACE_KIND_ARRAY:
		pack_members(pool, b, object, kind);
		break;
	}
}

void json_pack_value(struct json_pool *pool, struct buf *b, const struct json_node *object)
{
	struct json_problem *p = pool->problem;
	enum dtrace_kind kind = kind_of(pool, object);
	uint64_t size = json_unsigned(p, object, KEY_size, UINT32_MAX);
	bool integer = kind == DTRACE_KIND_INT || kind == DTRACE_KIND_ENUM;
	unsigned flags = 0;

	if (integer && !json_get(object, KEY_signed))
		json_bad(p, "member \"signed\" is missing");
	/* others do not have the member, whose meaning here would be lost when they are written */
	flags |= integer && json_bool(p, object, KEY_signed, false) ? HAS_SIGN : 0;
	flags |= json_bool(p, object, KEY_char, false) ? IS_CHAR : 0;
	flags |= json_bool(p, object, KEY_cut, false) ? IS_CUT : 0;
	flags |= json_bool(p, object, KEY_complete, true) ? 0 : IS_INCOMPLETE;
	buf_putc(b, (char)kind);
	buf_putc(b, (char)flags);
	pack_number(b, string_number(pool, json_text(p, object, KEY_type)));
	pack_number(b, size);
	pack_kind(pool, b, object, kind, size);
}

/* ---- unpacking ---- */

static const char *unpack_bytes(struct arena *a, const char **p, size_t *len)
{
	const char *text;

	*len = (size_t)unpack_number(p);
	text = *len ? arena_strndup(a, *p, *len) : "";
	*p += *len;
	return text;
}

static void unpack_frames(
	const struct json_pool *pool, struct arena *a, const char **p, struct dtrace_value *out)
{
	uint32_t n = (uint32_t)unpack_number(p);
	struct dtrace_frame *frames = arena_new_array(a, struct dtrace_frame, n + 1ul);

	for (uint32_t i = 0; i < n; i++)
		make_frame(pool, (uint32_t)unpack_number(p), &frames[i]);
	out->frames = frames;
	out->nframes = n;
}

static void unpack_members(
	const struct json_pool *pool, struct arena *a, const char **p, struct dtrace_value *out)
{
	uint32_t n = (uint32_t)unpack_number(p);
	struct dtrace_member *members = arena_new_array(a, struct dtrace_member, n + 1ul);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t number = (uint32_t)unpack_number(p);

		members[i].name = "";
		if (out->kind == DTRACE_KIND_ARRAY)
			members[i].index = number;
		else
			members[i].name = string_at(pool, number);
		json_unpack_value(pool, a, p, &members[i].value);
	}
	out->members = members;
	out->nmembers = n;
}

static void make_real(struct dtrace_value *out)
{
	double dbl;
	float flt;

	if (out->len == sizeof(flt)) {
		memcpy(&flt, out->bytes, sizeof(flt));
		out->real = flt;
	} else if (out->len == sizeof(dbl)) {
		memcpy(&dbl, out->bytes, sizeof(dbl));
		out->real = dbl;
	} else {
		memcpy(&out->real, out->bytes,
			out->len < sizeof(out->real) ? out->len : sizeof(out->real));
	}
}

static void unpack_kind(
	const struct json_pool *pool, struct arena *a, const char **p, struct dtrace_value *out)
{
	switch (out->kind) {
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
	case DTRACE_KIND_ENUM:
		out->number = (uint64_t)unpack_signed(p);
		out->bytes = unpack_bytes(a, p, &out->len);
		break;
	case DTRACE_KIND_FLOAT:
		out->bytes = unpack_bytes(a, p, &out->len);
		make_real(out);
		break;
	case DTRACE_KIND_STRING:
	case DTRACE_KIND_BYTES:
		out->bytes = unpack_bytes(a, p, &out->len);
		break;
	case DTRACE_KIND_USTACK:
	case DTRACE_KIND_USYMBOL:
		out->pid = (pid_t)unpack_signed(p);
		unpack_frames(pool, a, p, out);
		break;
	case DTRACE_KIND_STACK:
	case DTRACE_KIND_SYMBOL:
		unpack_frames(pool, a, p, out);
		break;
	case DTRACE_KIND_STRUCT:
	case DTRACE_KIND_UNION:
	case DTRACE_KIND_ARRAY:
		unpack_members(pool, a, p, out);
		break;
	}
}

void json_unpack_value(
	const struct json_pool *pool, struct arena *a, const char **p, struct dtrace_value *out)
{
	unsigned flags;

	*out = (struct dtrace_value){.kind = (enum dtrace_kind) * (*p)++, .bytes = ""};
	flags = (unsigned char)*(*p)++;
	out->is_signed = flags & HAS_SIGN;
	out->is_char = flags & IS_CHAR;
	out->cut = flags & IS_CUT;
	out->incomplete = flags & IS_INCOMPLETE;
	out->type = string_at(pool, (uint32_t)unpack_number(p));
	out->size = (uint32_t)unpack_number(p);
	unpack_kind(pool, a, p, out);
}
