/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image: the bytes of a C value as they were recorded, which may be its first bytes only, and the
 * values within it.
 */
#ifndef DECODE_IMAGE_H
#define DECODE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct rec_action;
struct rec_view;

#define IMAGE_MAX_DEPTH 10 /* levels of nested structs and arrays that are shown */

struct value_image {
	const uint8_t *bytes;
	size_t have;
	bool raw;		      /* option rawbytes: characters are shown one by one */
	bool cut;		      /* the end of what was recorded has been shown */
	const struct rec_action *act; /* of print(): has the texts of strings .. */
	const uint8_t *record;	      /* .. in this record */
};

/* A value within the image. */
struct spot {
	const char *name; /* of a member, NULL or "" = none */
	const struct type *type;
	uint64_t bit;  /* where it begins */
	uint32_t bits; /* of a bit-field, else 0 */
	unsigned depth;
	unsigned index; /* of an array's element */
};

/* Struct, union or array. */
bool image_is_aggregate(const struct type *t);

bool spot_is_recorded(const struct value_image *im, const struct spot *s);

/* Its low 64 bits. */
uint64_t spot_unsigned(const struct value_image *im, const struct spot *s);
int64_t spot_signed(const struct value_image *im, const struct spot *s);

/* Returns an enumerator's name; NULL: it has none. */
const char *spot_enumerator(const struct value_image *im, const struct spot *s);

/*
 * True if S is an array of char that is shown as one string: its bytes up to the first NUL are
 * printable, and that or the array's end was recorded.  Stores where it begins and its length.
 */
bool spot_is_text(
	const struct value_image *im, const struct spot *s, const char **text, size_t *len);

/*
 * True if S is a string of C++ whose text is in the record.  CUT: it has more than LEN bytes.
 */
struct spot_text {
	const char *text;
	size_t len;
	bool cut;
};
bool spot_is_string(const struct value_image *im, const struct spot *s, struct spot_text *out);

/* Prints the decimal digits of an integer of 128 bits. */
void spot_put_int128(struct buf *b, const struct value_image *im, const struct spot *s);

/*
 * The fate of a member or element when S's aggregate is shown in order: it is left out (its bytes
 * are zero, or it has none), the recorded bytes end there (IM->cut is set), or its value is shown.
 */
enum spot_fate { SPOT_LEFT_OUT, SPOT_CUT, SPOT_SHOWN };

/* Each member or element of S that is not left out, until one is cut. */
void spot_each(struct value_image *im, const struct spot *s,
	void (*visit)(
		void *arg, struct value_image *im, const struct spot *inner, enum spot_fate fate),
	void *arg);

#endif
