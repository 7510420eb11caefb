// SPDX-License-Identifier: Apache-2.0
/* Edits class files: the constant pool, fields and methods; code.c edits the code of a method. */
#include "edit.h"

#include <stdlib.h>
#include <string.h>

#include "code.h"

#define OBJ "Ljava/lang/Object;"

const struct helper_method edit_helpers[NHELPERS] = {
	[HELPER_ENTRY] = {"entry", "(I)V"},
	[HELPER_ARGS] = {"args", "(JJJJJJ" OBJ OBJ OBJ OBJ OBJ OBJ "I)V"},
	[HELPER_VOID] = {"returned", "(I)V"},
	[HELPER_INT] = {"returnedInt", "(II)V"},
	[HELPER_LONG] = {"returnedLong", "(JI)V"},
	[HELPER_OBJECT] = {"returnedObject", "(" OBJ "I)V"},
	[HELPER_STRING] = {"returnedString", "(Ljava/lang/String;I)V"},
	[HELPER_THROWN] = {"thrown", "(I)V"},
};

/* ---- bytes ---- */

void out_bytes(struct class_bytes *o, const void *p, size_t n)
{
	if (o->n + n > o->cap) {
		size_t cap = (o->n + n) * 2;
		uint8_t *more = realloc(o->p, cap);

		if (!more) {
			o->why = "no memory";
			return;
		}
		o->p = more;
		o->cap = cap;
	}
	memcpy(o->p + o->n, p, n);
	o->n += n;
}

void out_u1(struct class_bytes *o, unsigned v)
{
	uint8_t b = (uint8_t)v;

	out_bytes(o, &b, 1);
}

void out_u2(struct class_bytes *o, unsigned v)
{
	out_u1(o, v >> 8);
	out_u1(o, v);
}

void out_u4(struct class_bytes *o, uint32_t v)
{
	out_u2(o, v >> 16);
	out_u2(o, v & 0xffff);
}

/* ---- the constant pool: additions at its end ---- */

enum tag { UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, METHODREF = 10, NAME_AND_TYPE = 12 };

static unsigned add_utf8(struct constants *p, const char *text)
{
	out_u1(&p->added, UTF8);
	out_u2(&p->added, (unsigned)strlen(text));
	out_bytes(&p->added, text, strlen(text));
	return p->count++;
}

static unsigned add_class(struct constants *p, const char *name)
{
	unsigned text = add_utf8(p, name);

	out_u1(&p->added, CLASS);
	out_u2(&p->added, text);
	return p->count++;
}

static unsigned add_method(struct constants *p, unsigned class, const char *name, const char *desc)
{
	unsigned n = add_utf8(p, name), d = add_utf8(p, desc);

	out_u1(&p->added, NAME_AND_TYPE);
	out_u2(&p->added, n);
	out_u2(&p->added, d);
	p->count++;
	out_u1(&p->added, METHODREF);
	out_u2(&p->added, class);
	out_u2(&p->added, p->count - 1);
	return p->count++;
}

static void add_all(struct constants *p, const char *helper)
{
	unsigned class = add_class(p, helper);

	for (int i = 0; i < NHELPERS; i++)
		p->helpers[i] = add_method(p, class, edit_helpers[i].name, edit_helpers[i].desc);
	p->float_bits = add_method(p, add_class(p, "java/lang/Float"), "floatToRawIntBits", "(F)I");
	p->double_bits =
		add_method(p, add_class(p, "java/lang/Double"), "doubleToRawLongBits", "(D)J");
	p->throwable = add_class(p, "java/lang/Throwable");
	p->stack_map = add_utf8(p, "StackMapTable");
}

/* Reads the pool of IN, whose count is next: the places of its entries to P->at. */
static void read_pool(struct in *in, struct constants *p)
{
	static const uint8_t sizes[] = {[3] = 4,
		[4] = 4,
		[5] = 8,
		[6] = 8,
		[7] = 2,
		[8] = 2,
		[9] = 4,
		[10] = 4,
		[11] = 4,
		[12] = 4,
		[15] = 3,
		[16] = 2,
		[17] = 4,
		[18] = 4,
		[19] = 2,
		[20] = 2};

	p->count = p->old_count = in_u2(in);
	p->at = calloc(p->count + 1, sizeof(*p->at));
	for (unsigned i = 1; p->at && i < p->count && !in->bad; i++) {
		unsigned tag;

		p->at[i] = in->p;
		tag = in_u1(in);
		if (tag == UTF8)
			in_skip(in, in_u2(in));
		else if (tag < sizeof(sizes) && sizes[tag])
			in_skip(in, sizes[tag]);
		else
			in->bad = true;
		i += tag == LONG || tag == DOUBLE;
	}
	in->bad |= !p->at;
}

bool pool_is(const struct constants *p, unsigned i, const char *text)
{
	const uint8_t *e = i && i < p->old_count ? p->at[i] : NULL;
	size_t n = strlen(text);

	return e && e[0] == UTF8 && (size_t)(e[1] << 8 | e[2]) == n && !memcmp(e + 3, text, n);
}

/* ---- methods ---- */

/* The kind of the type at *D, which is moved past it. */
static char next_kind(const char **d)
{
	const char *t = *d;
	char kind = *t;

	while (**d == '[')
		(*d)++;
	if (**d == 'L')
		*d = strchr(*d, ';');
	(*d)++;
	if (kind == 'L' && !strncmp(t, "Ljava/lang/String;", 18))
		return 's';
	return kind == '[' ? 'L' : strchr("BCSZ", kind) ? 'I' : kind;
}

unsigned edit_kinds(const char *name, const char *desc, bool is_static, char *kinds)
{
	const char *d = desc + 1;
	unsigned n = 0;

	while (*d != ')' && n < METHOD_VALUES)
		kinds[n++] = next_kind(&d);
	if (!is_static && strcmp(name, "<init>") && n < METHOD_VALUES)
		kinds[n++] = 'T';
	return n;
}

#define ACC_STATIC 8

/* Copies the attributes of IN, whose count is next. */
static void copy_attributes(struct in *in, struct class_bytes *o)
{
	const uint8_t *start = in->p;

	for (unsigned n = in_u2(in); n && !in->bad; n--) {
		in_skip(in, 2);
		in_skip(in, in_u4(in));
	}
	if (!in->bad)
		out_bytes(o, start, (size_t)(in->p - start));
}

static void edit_method(struct in *in, struct class_bytes *o, struct constants *p, unsigned version,
	const struct method_edit *edits, unsigned nedits)
{
	unsigned access = in_u2(in), name = in_u2(in), desc = in_u2(in), n;
	const struct method_edit *e = NULL;

	for (unsigned i = 0; i < nedits && !e; i++)
		if (pool_is(p, name, edits[i].name) && pool_is(p, desc, edits[i].desc))
			e = &edits[i];
	out_u2(o, access);
	out_u2(o, name);
	out_u2(o, desc);
	if (!e) {
		copy_attributes(in, o);
		return;
	}
	n = in_u2(in);
	out_u2(o, n);
	for (; n && !in->bad; n--) {
		unsigned attr = in_u2(in);
		uint32_t len = in_u4(in);
		struct in body = {in->p, in->p + len, false};

		in_skip(in, len);
		if (in->bad)
			return;
		out_u2(o, attr);
		if (pool_is(p, attr, "Code")) {
			code_edit(&body, o, p, e, access & ACC_STATIC, version);
			in->bad |= body.bad;
		} else {
			out_u4(o, len);
			out_bytes(o, body.p, len);
		}
	}
}

static void edit_members(struct in *in, struct class_bytes *o, struct constants *p,
	unsigned version, const struct method_edit *edits, unsigned n)
{
	const uint8_t *start = in->p;
	unsigned count;

	in_skip(in, 6);
	in_skip(in, 2 * in_u2(in));
	out_bytes(o, start, (size_t)(in->p - start));
	for (int methods = 0; methods < 2; methods++) {
		count = in_u2(in);
		out_u2(o, count);
		for (; count && !in->bad; count--)
			edit_method(in, o, p, version, edits, methods ? n : 0);
	}
	copy_attributes(in, o);
}

uint8_t *edit_class(const uint8_t *data, size_t len, const char *helper,
	const struct method_edit *edits, unsigned n, size_t *new_len, const char **why)
{
	struct in in = {data, data + len, false};
	struct class_bytes o = {0};
	struct constants p = {0};
	unsigned version;
	const uint8_t *start;

	in_skip(&in, 6);
	version = in_u2(&in);
	start = in.p + 2;
	read_pool(&in, &p);
	if (!in.bad) {
		add_all(&p, helper);
		out_bytes(&o, data, 8);
		out_u2(&o, p.count);
		out_bytes(&o, start, (size_t)(in.p - start));
		out_bytes(&o, p.added.p, p.added.n);
		edit_members(&in, &o, &p, version, edits, n);
	}
	free(p.at);
	free(p.added.p);
	*why = in.bad		       ? "its class file cannot be read"
		: p.count > UINT16_MAX ? "its class file has no room for more constants"
		: p.added.why	       ? p.added.why
				       : o.why;
	*new_len = o.n;
	if (!*why)
		return o.p;
	free(o.p);
	return NULL;
}

/* ---- the helper ---- */

#define VERSION_6  50
#define ACC_HELPER 0x1031 /* public final super synthetic */
#define ACC_NATIVE 0x1109 /* public static native synthetic */

uint8_t *edit_helper_class(const char *name, size_t *len)
{
	struct constants p = {.count = 1};
	struct class_bytes o = {0};
	unsigned this = add_class(&p, name), super = add_class(&p, "java/lang/Object");
	unsigned first = p.count;

	for (int i = 0; i < NHELPERS; i++) {
		add_utf8(&p, edit_helpers[i].name);
		add_utf8(&p, edit_helpers[i].desc);
	}
	out_u4(&o, 0xcafebabe);
	out_u4(&o, VERSION_6);
	out_u2(&o, p.count);
	out_bytes(&o, p.added.p, p.added.n);
	out_u2(&o, ACC_HELPER);
	out_u2(&o, this);
	out_u2(&o, super);
	out_u4(&o, 0); /* interfaces, fields */
	out_u2(&o, NHELPERS);
	for (unsigned i = 0; i < NHELPERS; i++) {
		out_u2(&o, ACC_NATIVE);
		out_u2(&o, first + 2 * i);
		out_u2(&o, first + 2 * i + 1);
		out_u2(&o, 0);
	}
	out_u2(&o, 0);
	*len = o.n;
	free(p.added.p);
	if (!o.why && !p.added.why)
		return o.p;
	free(o.p);
	return NULL;
}
