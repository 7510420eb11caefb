// SPDX-License-Identifier: Apache-2.0
/* Prints the bars of distributions and pictures. */
#include <string.h>

#include "print/print.h"

#define MIN_BAR_COLUMNS 10
#define TITLE		" Distribution "

__extension__ typedef unsigned __int128 u128;

/* Which bars a picture needs: to the right, to the left, or both from the middle. */
enum signs { SIGNS_NONNEG, SIGNS_NONPOS, SIGNS_MIXED };

static enum signs signs_of(const struct bars *b)
{
	return !b->negative ? SIGNS_NONNEG : b->positive ? SIGNS_MIXED : SIGNS_NONPOS;
}

static uint64_t magnitude(int64_t n)
{
	return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

void bars_add(struct bars *b, int64_t n)
{
	uint64_t m = magnitude(n);

	b->negative |= n < 0;
	b->positive |= n > 0;
	b->total += m;
	if (m > b->largest)
		b->largest = m;
}

/* ---- how long ---- */

/* Part of the whole, exactly: the numerator has less than 80 bits, room for what it is to be of. */
struct share {
	u128 num, den;
};

static struct share share_of(const struct printer *pr, const struct bars *b, int64_t n)
{
	struct share s = {magnitude(n), b->total};

	/* the largest shall be 95 of 100 */
	if (pr->opts.aggzoom)
		s = (struct share){19 * (u128)magnitude(n), 20 * (u128)b->largest};
	if (!s.den)
		s.den = 1;
	return s;
}

/* Its part of N, the nearest integer; halves up. */
static uint32_t rounded(struct share s, uint32_t n)
{
	return (uint32_t)((2 * s.num * n + s.den) / (2 * s.den));
}

/* ---- drawing ---- */

static void put_many(struct buf *b, char c, uint32_t n)
{
	while (n--)
		buf_putc(b, c);
}

/* U+2580 + CODE, CODE < 64. */
static void put_block(struct buf *b, uint32_t code)
{
	buf_puts(b, "\xe2\x96");
	buf_putc(b, (char)(0x80 | code));
}

static uint32_t columns_of(const struct bars *b)
{
	return b->columns ? b->columns : BAR_COLUMNS;
}

uint32_t bar_columns(const struct printer *pr, uint32_t others)
{
	uint32_t width = pr->opts.width;

	if (!width || width >= others + BAR_COLUMNS)
		return BAR_COLUMNS;
	/* an even number: bars may begin in the middle */
	return width < others + MIN_BAR_COLUMNS ? MIN_BAR_COLUMNS : (width - others) & ~1u;
}

/* Prints full blocks from the left, one block of the remaining eighths, and blanks. */
static void put_blocks(struct buf *b, struct share s, uint32_t columns)
{
	u128 n = s.num * columns;
	uint32_t whole = (uint32_t)(n / s.den), eighths = (uint32_t)(n % s.den * 8 / s.den);

	for (uint32_t i = 0; i < whole; i++)
		put_block(b, 8);
	if (eighths)
		put_block(b, 16 - eighths);
	put_many(b, ' ', columns - whole - !!eighths);
}

void print_bar(struct printer *pr, const struct bars *bars, int64_t count)
{
	struct buf *b = &pr->buf;
	enum signs signs = signs_of(bars);
	struct share share = share_of(pr, bars, count);
	uint32_t columns = columns_of(bars);
	uint32_t width = signs == SIGNS_MIXED ? columns / 2 : columns;
	uint32_t n = rounded(share, width);
	bool left = signs == SIGNS_NONPOS || (signs == SIGNS_MIXED && count <= 0);

	if (left) {
		put_many(b, ' ', width - n);
		put_many(b, '@', n);
	} else if (signs == SIGNS_MIXED) {
		put_many(b, ' ', width);
	}
	buf_putc(b, '|');
	if (signs == SIGNS_NONNEG && pr->opts.encoding == PRINT_UTF8) {
		put_blocks(b, share, columns);
	} else if (!left) {
		put_many(b, '@', n);
		put_many(b, ' ', width - n);
	} else if (signs == SIGNS_MIXED) {
		put_many(b, ' ', width);
	}
}

void print_bar_title(struct printer *pr, const char *what, uint32_t width, uint32_t columns)
{
	struct buf *b = &pr->buf;
	uint32_t dashes = columns > strlen(TITLE) ? columns - (uint32_t)strlen(TITLE) : 0;

	buf_printf(b, "\n%*s  ", (int)width, what);
	put_many(b, '-', dashes / 2);
	buf_puts(b, dashes ? TITLE : "          ");
	put_many(b, '-', dashes - dashes / 2);
	/* DTrace's trailing blanks, unless there is no room */
	buf_puts(b, columns < BAR_COLUMNS ? " count\n" : " count    \n");
}

void print_cell(struct printer *pr, const struct bars *bars, int64_t count)
{
	struct buf *b = &pr->buf;
	struct share share = share_of(pr, bars, count);

	if (!count)
		buf_putc(b, ' ');
	else if (count < 0)
		buf_putc(b, "vvvvVV"[rounded(share, 5)]);
	else if (pr->opts.encoding == PRINT_ASCII)
		buf_putc(b, "__xxxxXX"[rounded(share, 7)]);
	else
		put_block(b, 1 + rounded(share, 7));
}
