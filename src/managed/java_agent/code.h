/* SPDX-License-Identifier: Apache-2.0 */
/* code: what edit.c and code.c share: bytes in and out, the constant pool. */
#ifndef JAVA_AGENT_CODE_H
#define JAVA_AGENT_CODE_H

#include "edit.h"

/* Bytes to read; BAD once they were too few. */
struct in {
	const uint8_t *p, *end;
	bool bad;
};

static inline void in_skip(struct in *in, size_t n)
{
	in->bad |= (size_t)(in->end - in->p) < n;
	in->p = in->bad ? in->end : in->p + n;
}

static inline unsigned in_u1(struct in *in)
{
	const uint8_t *p = in->p;

	in_skip(in, 1);
	return in->bad ? 0 : p[0];
}

static inline unsigned in_u2(struct in *in)
{
	unsigned high = in_u1(in);

	return high << 8 | in_u1(in);
}

static inline uint32_t in_u4(struct in *in)
{
	uint32_t high = in_u2(in);

	return high << 16 | in_u2(in);
}

/* Bytes written; WHY: the reason for which they are not to be used. */
struct class_bytes {
	uint8_t *p;
	size_t n, cap;
	const char *why;
};

void out_bytes(struct class_bytes *o, const void *p, size_t n);
void out_u1(struct class_bytes *o, unsigned v);
void out_u2(struct class_bytes *o, unsigned v);
void out_u4(struct class_bytes *o, uint32_t v);

struct constants {
	const uint8_t **at; /* entries that the class has */
	unsigned old_count, count;
	struct class_bytes added;
	/* indexes of additions */
	unsigned helpers[NHELPERS], float_bits, double_bits, throwable, stack_map;
};

/* True if entry I of the class's own is the string TEXT. */
bool pool_is(const struct constants *p, unsigned i, const char *text);

/* Writes the length and the content of the Code attribute IN, edited as E says. */
void code_edit(struct in *in, struct class_bytes *o, struct constants *p,
	const struct method_edit *e, bool is_static, unsigned version);

#endif
