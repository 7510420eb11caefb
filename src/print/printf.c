// SPDX-License-Identifier: Apache-2.0
/* Prints records and aggregations by the format strings of printf() and printa(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/aggregation.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "print/kinds.h"
#include "print/print.h"

/*
 * Widths and precisions beyond this are cut: a width taken from traced data may be anything, and
 * must not end the session for lack of memory.
 */
#define MAX_WIDTH (1 << 20)

/* One conversion with its width and precision known. */
struct print_spec {
	const struct conv *conv;
	uint32_t flags;
	int width, prec; /* 0 = none */
};

struct engine {
	struct printer *pr;
	const struct format_args *args;
	unsigned next_value, next_agg;
};

static const struct dtrace_value *take_value(struct engine *e)
{
	return e->next_value < e->args->nvalues ? &e->args->values[e->next_value++] : NULL;
}

/* True if the value that was taken last is a constant of the program. */
static bool is_literal(const struct engine *e)
{
	return e->next_value <= 64 && e->args->literals >> (e->next_value - 1) & 1;
}

/* Returns the number of V without its sign: the bytes of its type alone. */
static uint64_t unsigned_number(const struct dtrace_value *v)
{
	return v->is_signed && v->size && v->size < sizeof(v->number)
		? v->number & ((UINT64_C(1) << 8 * v->size) - 1)
		: v->number;
}

/* ---- text ---- */

/* Pad or cut what was appended from FROM on. */
static void finish_text(struct printer *pr, const struct print_spec *s, size_t from)
{
	struct buf *b = &pr->buf;
	size_t len, pad, width = (size_t)s->width;

	if (b->failed)
		return;
	if (s->prec > 0 && b->len - from > (size_t)s->prec)
		b->len = from + (size_t)s->prec;
	len = b->len - from;
	if (len >= width)
		return;
	pad = width - len;
	buf_fill(b, ' ', pad);
	if (b->failed || (s->flags & FLAG_LEFT))
		return;
	memmove(b->data + from + pad, b->data + from, len);
	memset(b->data + from, ' ', pad);
}

/* Does the same for traced text; the precision counts its own bytes, not those that are shown. */
static void finish_traced(struct printer *pr, const struct print_spec *s, size_t from)
{
	struct print_spec whole = *s;

	if (s->prec > 0 && pr->buf.len - from > (size_t)s->prec)
		pr->buf.len = from + (size_t)s->prec;
	print_safe(pr, from);
	whole.prec = 0;
	finish_text(pr, &whole, from);
}

static bool is_wide(const struct print_spec *s)
{
	return s->conv->size[0] == 'l' || s->conv->size[0] == 'w';
}

/* Prints a wide character as UTF-8 (RFC 3629), whatever the locale; U+FFFD for an invalid one. */
static void put_wide(struct buf *b, uint32_t c)
{
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		c = 0xfffd;
	if (c < 0x80) {
		buf_putc(b, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_putc(b, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			buf_putc(b, (char)(0xe0 | c >> 12));
		} else {
			buf_putc(b, (char)(0xf0 | c >> 18));
			buf_putc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	buf_putc(b, (char)(0x80 | (c & 0x3f)));
}

static int put_char(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	struct buf *b = &e->pr->buf;
	size_t from = b->len;
	struct print_spec whole = *s;
	uint64_t c;

	if (!value_is_number(v))
		return -EINVAL;
	c = unsigned_number(v);
	if (s->conv->info->letter == 'C')
		print_escaped(b, (unsigned char)c, '\0');
	else if (is_wide(s))
		put_wide(b, (uint32_t)c);
	else
		buf_putc(b, (char)c);
	print_safe(e->pr, from);
	whole.prec = 0; /* says nothing of a character */
	finish_text(e->pr, &whole, from);
	return 0;
}

/* The array ends at a zero or at its own end; no character is cut in two by the precision. */
static void put_wide_string(
	struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	struct buf *b = &e->pr->buf;
	const char *p = v->bytes;
	size_t from = b->len;

	for (size_t i = 0; i + sizeof(uint32_t) <= v->len && !b->failed; i += sizeof(uint32_t)) {
		size_t before = b->len;
		uint32_t c;

		memcpy(&c, p + i, sizeof(c));
		if (!c)
			break;
		put_wide(b, c);
		if (s->prec > 0 && b->len - from > (size_t)s->prec) {
			b->len = before;
			break;
		}
	}
	finish_traced(e->pr, s, from);
}

/*
 * Makes the text from FROM on one word of sh(1), whatever is in it: in single quotes nothing is
 * special but their end.  The precision cuts the text, not the quotes.
 */
static int put_for_shell(struct printer *pr, const struct print_spec *s, size_t from)
{
	struct print_spec whole = *s;
	size_t len = pr->buf.len - from;
	char *text;

	if (s->prec > 0 && len > (size_t)s->prec)
		len = (size_t)s->prec;
	text = pr->buf.failed ? NULL : strndup(pr->buf.data + from, len);
	if (!text)
		return -ENOMEM;
	pr->buf.len = from;
	buf_putc(&pr->buf, '\'');
	for (const char *p = text; *p; p++) {
		if (*p == '\'')
			buf_puts(&pr->buf, "'\\''");
		else
			buf_putc(&pr->buf, *p);
	}
	buf_putc(&pr->buf, '\'');
	free(text);
	whole.prec = 0;
	finish_text(pr, &whole, from);
	return 0;
}

/* The NUL that ends a string is shown too. */
static void put_escaped_string(struct buf *b, const char *text, size_t len, bool nul)
{
	for (size_t i = 0; i < len; i++)
		print_escaped(b, (unsigned char)text[i], '"');
	if (nul)
		print_escaped(b, '\0', '"');
}

static bool is_sym(const struct dtrace_value *v)
{
	return v->kind == DTRACE_KIND_SYMBOL || v->kind == DTRACE_KIND_USYMBOL;
}

/* Prints the name of an address as a string. */
static int put_sym_string(
	struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	size_t from = e->pr->buf.len;

	print_sym_text(e->pr, v);
	if (s->conv->info->letter == 'q')
		return put_for_shell(e->pr, s, from);
	print_name_safe(e->pr, from);
	finish_traced(e->pr, s, from);
	return 0;
}

static int put_string(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	struct buf *b = &e->pr->buf;
	size_t from = b->len, len;

	if (is_wide(s)) {
		put_wide_string(e, s, v);
		return 0;
	}
	if (is_sym(v))
		return put_sym_string(e, s, v);
	/* an array of char that is not text as a whole is text up to its first NUL */
	if (v->kind != DTRACE_KIND_STRING && !(v->kind == DTRACE_KIND_BYTES && v->is_char))
		return -EINVAL;
	len = v->kind == DTRACE_KIND_STRING ? v->len : strnlen(v->bytes, v->len);
	if (s->conv->info->letter == 'S') {
		put_escaped_string(b, v->bytes, len, len < v->size);
		finish_text(e->pr, s, from);
		return 0;
	}
	buf_put(b, v->bytes, len);
	if (s->conv->info->letter == 'q')
		return put_for_shell(e->pr, s, from);
	if (is_literal(e))
		finish_text(e->pr, s, from);
	else
		finish_traced(e->pr, s, from);
	return 0;
}

static int put_addr(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	struct printer *pr = e->pr;
	size_t from = pr->buf.len;

	if (is_sym(v))
		print_sym_text(pr, v);
	else if (!value_is_number(v))
		return -EINVAL;
	else if (s->conv->info->klass == CONV_KSYM)
		print_kernel_addr(pr, unsigned_number(v));
	else
		print_user_addr(pr, pr->target, unsigned_number(v));
	print_name_safe(pr, from);
	finish_traced(pr, s, from);
	return 0;
}

static int put_stack(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	if (!value_is_stack(v))
		return -EINVAL;
	print_stack(e->pr, v, s->flags & FLAG_LEFT ? (uint32_t)s->width : 0);
	return 0;
}

/* Nanoseconds since 1970, local time; the zone name in %T is how DTrace does it. */
static int put_ns(struct engine *e, const struct print_spec *s, uint64_t ns)
{
	const char *layout = s->conv->info->letter == 'Y' ? "%Y %b %e %T" : "%a, %d %b %Y %T %Z";
	size_t from = e->pr->buf.len;
	char text[128];
	struct tm tm;
	time_t secs = (time_t)(ns / 1000000000);

	if (!localtime_r(&secs, &tm))
		return -EINVAL;
	buf_put(&e->pr->buf, text, strftime(text, sizeof(text), layout, &tm));
	finish_text(e->pr, s, from);
	return 0;
}

static int put_time(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	return value_is_number(v) ? put_ns(e, s, unsigned_number(v)) : -EINVAL;
}

/* ---- numbers ---- */

/* Make the C format of S for LETTER with size prefix SIZE; takes width and precision. */
static void c_format(const struct print_spec *s, const char *size, char letter, char out[16])
{
	char *p = out;

	*p++ = '%';
	if (s->flags & FLAG_ALT)
		*p++ = '#';
	if (s->flags & FLAG_ZERO)
		*p++ = '0';
	if (s->flags & FLAG_LEFT)
		*p++ = '-';
	if (s->flags & FLAG_PLUS)
		*p++ = '+';
	if (s->flags & FLAG_SPACE)
		*p++ = ' ';
	if (s->flags & FLAG_GROUP)
		*p++ = '\'';
	p = stpcpy(p, "*.*");
	p = stpcpy(p, size);
	*p++ = letter;
	*p = '\0';
}

/* A negative precision is one that was not given (C11 7.21.6.1). */
static int c_precision(const struct print_spec *s)
{
	return s->prec > 0 ? s->prec : -1;
}

/* Writes the digits of VALUE, the last one before END; returns the first one. */
static char *decimal_digits(uint64_t value, char *end)
{
	do
		*--end = (char)('0' + value % 10);
	while (value /= 10);
	return end;
}

static char *binary_digits(uint64_t value, int bits, const char *set, char *end)
{
	do
		*--end = set[value & ((1u << bits) - 1)];
	while (value >>= bits);
	return end;
}

static void put_decimal(struct buf *b, uint64_t magnitude, bool negative, uint32_t width)
{
	char text[24], *end = text + sizeof(text), *p = decimal_digits(magnitude, end);
	size_t n;

	if (negative)
		*--p = '-';
	n = (size_t)(end - p);
	if (n < width)
		buf_fill(b, ' ', width - n);
	buf_put(b, p, n);
}

void print_unsigned(struct buf *b, uint64_t value, uint32_t width)
{
	put_decimal(b, value, false, width);
}

void print_signed(struct buf *b, int64_t value, uint32_t width)
{
	put_decimal(b, value < 0 ? -(uint64_t)value : (uint64_t)value, value < 0, width);
}

void print_hex(struct buf *b, uint64_t value)
{
	char text[24], *end = text + sizeof(text), *p;

	p = binary_digits(value, 4, "0123456789abcdef", end);
	*--p = 'x';
	*--p = '0';
	buf_put(b, p, (size_t)(end - p));
}

/* Writes the digits of VALUE as LETTER wants them, before END. */
static char *digits(char letter, uint64_t value, char *end)
{
	switch (letter) {
	case 'o':
		return binary_digits(value, 3, "01234567", end);
	case 'x':
		return binary_digits(value, 4, "0123456789abcdef", end);
	case 'X':
		return binary_digits(value, 4, "0123456789ABCDEF", end);
	default:
		return decimal_digits(value, end);
	}
}

/* Returns the sign or prefix of a number that is not negative. */
static const char *sign(const struct print_spec *s, char letter, uint64_t value)
{
	if (letter == 'd')
		return s->flags & FLAG_PLUS ? "+" : s->flags & FLAG_SPACE ? " " : "";
	if (s->flags & FLAG_ALT && value)
		return letter == 'x' ? "0x" : letter == 'X' ? "0X" : "";
	return "";
}

/* Prints the prefix BEFORE, then N digits, at least LEAST of them, in the width of S. */
static void put_number(struct buf *b, const struct print_spec *s, const char *before,
	const char *number, size_t n, size_t least)
{
	size_t width = (size_t)s->width, used = strlen(before);
	bool left = s->flags & FLAG_LEFT;

	/* zeros up to the width; not with a precision or on the right */
	if (s->flags & FLAG_ZERO && !left && s->prec <= 0 && width > used + least)
		least = width - used;
	used += least > n ? least : n;
	if (!left && used < width)
		buf_fill(b, ' ', width - used);
	buf_puts(b, before);
	if (least > n)
		buf_fill(b, '0', least - n);
	buf_put(b, number, n);
	if (left && used < width)
		buf_fill(b, ' ', width - used);
}

/*
 * As printf(3) of C prints it, flags and all; not by it, as records are mostly integers, and it
 * takes several times as long.
 */
static void put_integer(
	struct printer *pr, const struct print_spec *s, uint64_t value, bool is_signed)
{
	char letter = s->conv->info->letter, fmt[16], text[24], *end = text + sizeof(text), *p;
	size_t n, least = s->prec > 0 ? (size_t)s->prec : 0;
	const char *before;

	if (letter == 'p')
		letter = 'x';
	else if (s->conv->info->klass == CONV_INT_SIGNED)
		letter = is_signed ? 'd' : 'u';
	if (s->flags & FLAG_GROUP) { /* as the locale has them */
		c_format(s, "ll", letter, fmt);
		buf_printf(&pr->buf, fmt, s->width, c_precision(s), (unsigned long long)value);
		return;
	}
	if (letter == 'd' && (int64_t)value < 0) {
		before = "-";
		value = -value;
	} else {
		before = sign(s, letter, value);
	}
	p = digits(letter, value, end);
	n = (size_t)(end - p);
	if (letter == 'o' && s->flags & FLAG_ALT && value && least <= n)
		least = n + 1;
	put_number(&pr->buf, s, before, p, n, least);
}

static int put_int_value(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	bool is_signed = s->conv->info->klass == CONV_INT_SIGNED && v->is_signed;

	if (!value_is_number(v))
		return -EINVAL;
	put_integer(e->pr, s, is_signed ? v->number : unsigned_number(v), is_signed);
	return 0;
}

static int put_float(struct engine *e, const struct print_spec *s, const struct dtrace_value *v)
{
	char fmt[16];

	if (v->kind != DTRACE_KIND_FLOAT)
		return -EINVAL;
	c_format(s, "L", s->conv->info->letter, fmt);
	buf_printf(&e->pr->buf, fmt, s->width, c_precision(s), v->real);
	return 0;
}

/* ---- one conversion ---- */

static int put_value(struct engine *e, const struct print_spec *s)
{
	const struct dtrace_value *v = take_value(e);

	if (!v)
		return -EINVAL;
	switch (s->conv->info->klass) {
	case CONV_INT_SIGNED:
	case CONV_INT_UNSIGNED:
	case CONV_POINTER:
		return put_int_value(e, s, v);
	case CONV_CHAR:
		return put_char(e, s, v);
	case CONV_STRING:
		return put_string(e, s, v);
	case CONV_KSYM:
	case CONV_USYM:
		return put_addr(e, s, v);
	case CONV_STACK:
		return put_stack(e, s, v);
	case CONV_TIME:
		return put_time(e, s, v);
	case CONV_FLOAT:
		return put_float(e, s, v);
	default:
		return -EINVAL;
	}
}

#define SHARE_DECIMALS 15 /* what fits 128 bits */

/* GNU C's own spelling of 128-bit integers is not ISO C */
__extension__ typedef __int128 i128;

/*
 * PART of TOTAL in percent, rounded to the precision of S, half away from zero; 0 if the total is
 * 0.
 */
static void put_share(struct printer *pr, const struct print_spec *s, int64_t part, int64_t total)
{
	int decimals = s->prec < 0 ? 0 : s->prec > SHARE_DECIMALS ? SHARE_DECIMALS : s->prec;
	bool negative = (part < 0) != (total < 0);
	struct print_spec whole = *s;
	char text[64], *end = text + sizeof(text), *p = end;
	i128 n = part, of = total;

	n = n < 0 ? -n : n;
	of = of < 0 ? -of : of;
	n *= 100;
	for (int i = 0; i < decimals; i++)
		n *= 10;
	n = of ? (n + of / 2) / of : 0;
	negative = negative && n;
	for (int i = 0; i <= decimals || n; i++) {
		if (i && i == decimals)
			*--p = '.';
		*--p = (char)('0' + (int)(n % 10));
		n /= 10;
	}
	whole.prec = 0; /* not the least number of digits */
	put_number(&pr->buf, &whole, negative ? "-" : sign(s, 'd', 0), p, (size_t)(end - p), 0);
}

/* %@: the next aggregation's value; the last one repeats. */
static int put_agg_value(struct engine *e, const struct print_spec *s)
{
	enum conv_class klass = s->conv->info->klass;
	const struct dtrace_agg_value *v;
	const struct agg_share *share;
	const struct agg_info *info;

	if (!e->args->naggs)
		return -EINVAL;
	v = &e->args->aggs[e->next_agg];
	share = e->args->shares ? &e->args->shares[e->next_agg] : NULL;
	if (e->next_agg + 1 < e->args->naggs)
		e->next_agg++;
	info = agg_public(v->aggregation->function);
	if (info->kind == AGG_DISTRIBUTION) {
		print_distribution(e->pr, v);
		return 0;
	}
	if (klass == CONV_TIME)
		return put_ns(e, s, (uint64_t)v->number);
	if (klass == CONV_SHARE) {
		if (!share)
			return -EINVAL;
		put_share(e->pr, s,
			s->conv->info->letter == 'R' ? share->upto : (int64_t)v->words[0],
			share->total);
		return 0;
	}
	if (klass != CONV_INT_SIGNED && klass != CONV_INT_UNSIGNED && klass != CONV_POINTER)
		return -EINVAL;
	put_integer(e->pr, s, (uint64_t)v->number, agg_shows_signed(info));
	return 0;
}

static bool take_int(struct engine *e, int *value)
{
	const struct dtrace_value *v = take_value(e);
	int64_t n;

	if (!v || !value_is_number(v))
		return false;
	n = (int64_t)v->number;
	*value = n < -MAX_WIDTH ? -MAX_WIDTH : n > MAX_WIDTH ? MAX_WIDTH : (int)n;
	return true;
}

/* Takes width and precision given as '*', which come before the value. */
static bool resolve_stars(struct engine *e, const struct conv *c, struct print_spec *s)
{
	*s = (struct print_spec){c, c->flags, c->width, c->prec};
	if ((c->flags & FLAG_DYNWIDTH) && !take_int(e, &s->width))
		return false;
	if ((c->flags & FLAG_DYNPREC) && !take_int(e, &s->prec))
		return false;
	if (s->width < 0) {
		s->width = -s->width;
		s->flags = (s->flags & ~FLAG_ZERO) | FLAG_LEFT;
	}
	if (s->width > MAX_WIDTH)
		s->width = MAX_WIDTH;
	if (s->prec > MAX_WIDTH)
		s->prec = MAX_WIDTH;
	return true;
}

int print_format(struct printer *pr, const struct format *f, const struct format_args *args)
{
	struct engine e = {.pr = pr, .args = args};

	for (uint32_t i = 0; i < f->nconvs; i++) {
		const struct conv *c = &f->convs[i];
		struct print_spec s;
		int err;

		buf_put(&pr->buf, c->text, c->text_len);
		if (!c->info)
			continue;
		if (c->info->klass == CONV_LITERAL) {
			buf_putc(&pr->buf, '%');
			continue;
		}
		if (!resolve_stars(&e, c, &s))
			return -EINVAL;
		err = c->flags & FLAG_AGG ? put_agg_value(&e, &s) : put_value(&e, &s);
		if (err)
			return err;
	}
	return 0;
}
