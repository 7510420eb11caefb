/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format: printf() and printa() format strings, taken apart.
 *
 * One table (format.def) has a row for each conversion; the type checker and the printing
 * engine both read it.
 */
#ifndef LANG_FORMAT_H
#define LANG_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* The operands of a conversion. */
enum conv_class {
	CONV_INT_SIGNED,   /* d i: signed or unsigned by the argument's type */
	CONV_INT_UNSIGNED, /* u o x X */
	CONV_CHAR,	   /* c C: up to 4 bytes */
	CONV_STRING,	   /* s S */
	CONV_POINTER,	   /* p: pointer or integer */
	CONV_KSYM,	   /* a: address, or sym()/mod() */
	CONV_USYM,	   /* A */
	CONV_STACK,	   /* k */
	CONV_TIME,	   /* Y T: 8-byte integer */
	CONV_FLOAT,	   /* e E f g G */
	CONV_SHARE,	   /* r R: percent of an aggregation's total; with @ only */
	CONV_LITERAL,	   /* %% */
};

struct conv_info {
	char letter;
	enum conv_class klass;
	const char *sizes; /* size prefixes it accepts, comma-separated: "h,l,ll" */
	const char *proto; /* how error messages name what it takes */
};

/* NULL for an unknown letter. */
const struct conv_info *format_conv(char letter);

enum conv_flags {
	FLAG_ALT = 1 << 0,  /* # */
	FLAG_ZERO = 1 << 1, /* 0 */
	FLAG_LEFT = 1 << 2, /* - */
	FLAG_PLUS = 1 << 3, /* + */
	FLAG_SPACE = 1 << 4,
	FLAG_GROUP = 1 << 5, /* ' */
	FLAG_AGG = 1 << 6,   /* @ */
	FLAG_DYNWIDTH = 1 << 7,
	FLAG_DYNPREC = 1 << 8,
};

struct conv {
	const char *text; /* literal text before the conversion */
	uint32_t text_len;
	const struct conv_info *info; /* NULL in the last one when only text is left */
	char size[3];		      /* "", "h", "l", "ll", "L" or "w" */
	uint16_t flags;
	int width, prec;     /* 0 = none; only a precision above 0 counts */
	const char *spelled; /* "%-5d", for messages */
};

struct format {
	const char *source;
	const struct conv *convs;
	uint32_t nconvs;
};

/*
 * Take TEXT (LEN bytes) apart.  On failure returns NULL and *ERROR (in arena A) holds DTrace's
 * message, for D_SYNTAX.
 */
const struct format *format_parse(
	struct arena *a, const char *text, size_t len, const char **error);

/* True if a conversion of F is one of KLASS. */
bool format_has(const struct format *f, enum conv_class klass);

#endif
