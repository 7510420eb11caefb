// SPDX-License-Identifier: Apache-2.0
/* Writes the wire format of protocol buffers. */
#include "formats/protobuf.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "formats/json.h"

/* How a field is stored, in the lowest three bits of its tag. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

#define VARINT_MOST 10

/* Stores V in OUT, seven bits a byte, the lowest first; returns the number of bytes. */
static size_t encode(uint64_t v, char out[VARINT_MOST])
{
	size_t n = 0;

	for (; v > 127; v >>= 7)
		out[n++] = (char)(v | 128);
	out[n++] = (char)v;
	return n;
}

void protobuf_put_varint(struct buf *b, uint64_t v)
{
	char bytes[VARINT_MOST];

	put_bytes(b, bytes, encode(v, bytes));
}

static void put_tag(struct buf *b, unsigned field, enum wire_type type)
{
	protobuf_put_varint(b, (uint64_t)field << 3 | type);
}

void protobuf_put_unsigned(struct buf *b, unsigned field, uint64_t v)
{
	put_tag(b, field, WIRE_VARINT);
	protobuf_put_varint(b, v);
}

void protobuf_put_signed(struct buf *b, unsigned field, int64_t v)
{
	protobuf_put_unsigned(b, field, (uint64_t)v);
}

void protobuf_put_double(struct buf *b, unsigned field, double v)
{
	uint64_t bits;
	char bytes[8];

	memcpy(&bits, &v, sizeof(bits));
	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(bits >> 8 * i);
	put_tag(b, field, WIRE_FIXED64);
	put_bytes(b, bytes, sizeof(bytes));
}

static bool never(struct buf *b, unsigned char c)
{
	(void)b;
	(void)c;
	return false;
}

void protobuf_put_string(struct buf *b, unsigned field, const char *s, size_t len)
{
	size_t at = protobuf_begin(b, field);

	json_put_utf8(b, s, len, never);
	protobuf_end(b, at);
}

void protobuf_put_text(struct buf *b, unsigned field, const char *s)
{
	protobuf_put_string(b, field, s, strlen(s));
}

size_t protobuf_begin(struct buf *b, unsigned field)
{
	put_tag(b, field, WIRE_LENGTH);
	return b->len;
}

void protobuf_end(struct buf *b, size_t begun)
{
	char bytes[VARINT_MOST];
	size_t len = b->len - begun, n;

	if (b->failed)
		return;
	n = encode(len, bytes);
	put_bytes(b, bytes, n); /* room */
	if (b->failed)
		return;
	memmove(b->data + begun + n, b->data + begun, len);
	memcpy(b->data + begun, bytes, n);
}
