// SPDX-License-Identifier: Apache-2.0
/* Prints bytes as a hex dump. */
#include "print/print.h"

#include <string.h>

#define ROW	     16
#define PADDING_MOST (1 << 20) /* NULs after a string; a damaged file can ask for more */

static void hexdump_row(struct buf *b, size_t offset, const uint8_t *p, size_t n)
{
	buf_printf(b, "     %5zx:", offset);
	for (size_t i = 0; i < ROW; i++) {
		if (i < n)
			buf_printf(b, " %02x", p[i]);
		else
			buf_puts(b, "   ");
	}
	buf_puts(b, "  ");
	for (size_t i = 0; i < n; i++)
		buf_putc(b, p[i] >= 0x20 && p[i] <= 0x7e ? (char)p[i] : '.');
	buf_putc(b, '\n');
}

static void hexdump_header(struct buf *b)
{
	buf_printf(b, "\n%11s", "");
	for (int i = 0; i < ROW; i++)
		buf_printf(b, "  %x", i);
	buf_puts(b, "  0123456789abcdef\n");
}

void print_hex_string(struct printer *pr, const char *text, size_t len, size_t size)
{
	if (size > len + PADDING_MOST)
		size = len + 1;
	hexdump_header(&pr->buf);
	for (size_t off = 0; off < size; off += ROW) {
		uint8_t row[ROW] = {0};

		if (off < len)
			memcpy(row, text + off, len - off < ROW ? len - off : ROW);
		hexdump_row(&pr->buf, off, row, size - off < ROW ? size - off : ROW);
	}
}

void print_hexdump(struct printer *pr, const void *data, size_t len)
{
	struct buf *b = &pr->buf;

	if (!len)
		return;
	hexdump_header(b);
	for (size_t off = 0; off < len; off += ROW)
		hexdump_row(b, off, (const uint8_t *)data + off, len - off < ROW ? len - off : ROW);
}
