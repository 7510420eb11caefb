/* SPDX-License-Identifier: Apache-2.0 */
/* datum: the bytes of recorded data (abi/record.h), read by their description. */
#ifndef DECODE_DATUM_H
#define DECODE_DATUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi/record.h"

/* The bytes that datum offsets count from, and the probe that DATUM_PROBE* are about. */
struct rec_view {
	const uint8_t *base;
	const struct probe *probe; /* NULL in aggregation keys */
};

static inline const void *datum_bytes(const struct datum *d, const struct rec_view *src)
{
	return src->base + d->offset;
}

/* An integer of 1, 2, 4 or 8 bytes, extended by its sign or by zeros; false: another size. */
static inline bool datum_unsigned(
	const struct datum *d, const struct rec_view *src, uint64_t *value)
{
	const void *p = datum_bytes(d, src);
	uint16_t v16;
	uint32_t v32;

	switch (d->size) {
	case 1:
		*value = *(const uint8_t *)p;
		return true;
	case 2:
		memcpy(&v16, p, sizeof(v16));
		*value = v16;
		return true;
	case 4:
		memcpy(&v32, p, sizeof(v32));
		*value = v32;
		return true;
	case 8:
		memcpy(value, p, sizeof(*value));
		return true;
	default:
		return false;
	}
}

static inline bool datum_signed(const struct datum *d, const struct rec_view *src, int64_t *value)
{
	uint64_t v;

	if (!datum_unsigned(d, src, &v))
		return false;
	if (d->is_signed) {
		int unused = 64 - 8 * (int)d->size;

		*value = (int64_t)(v << unused) >> unused;
	} else {
		*value = (int64_t)v;
	}
	return true;
}

static inline bool datum_is_stack(const struct datum *d)
{
	return d->kind == DATUM_STACK || d->kind == DATUM_USTACK || datum_is_kept_stack(d);
}

static inline bool datum_is_sym(const struct datum *d)
{
	return d->kind >= DATUM_SYM && d->kind <= DATUM_UMOD;
}

/*
 * True if D, an array of char, is to be shown as text: its bytes up to the first NUL are text.
 * Integers of a byte that are not char are shown as bytes.  WHOLE: nothing but NULs may follow the
 * first, as trace() wants it.
 */
bool datum_is_text(const struct datum *d, const struct rec_view *src, bool whole);

/* Returns the bytes of string-like datum D, whose text has LEN characters: those of its D type. */
size_t datum_string_size(const struct datum *d, size_t len);

#endif
