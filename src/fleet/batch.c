// SPDX-License-Identifier: Apache-2.0
/* Writes and reads the bytes of a batch. */
#include "fleet/batch.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "fleet/tables.h"

#define BATCH_MAGIC 0x31626474u /* "tdb1", little-endian: the format's number is in it */

struct batch_head {
	uint32_t magic, table;
	uint64_t rows, len;
	uint32_t crc; /* of the compressed bytes */
	uint32_t zero;
};

/* Appends TEXT, compressed as a file of gzip(1). */
static int put_gzip(struct buf *b, const char *text, size_t len)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)text};
	unsigned char chunk[16384];
	int status = Z_OK;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY))
		return -ENOMEM;
	while (status == Z_OK) {
		if (!z.avail_in) {
			z.avail_in = len > 1u << 30 ? 1u << 30 : (uInt)len;
			len -= z.avail_in;
		}
		z.next_out = chunk;
		z.avail_out = sizeof(chunk);
		status = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
		buf_put(b, chunk, sizeof(chunk) - z.avail_out);
	}
	deflateEnd(&z);
	return status == Z_STREAM_END && !b->failed ? 0 : -ENOMEM;
}

int batch_put(struct buf *b, uint32_t table, uint64_t rows, const char *text, size_t len)
{
	struct batch_head head = {.magic = BATCH_MAGIC, .table = table, .rows = rows};
	size_t from = b->len;
	int err;

	buf_put(b, &head, sizeof(head));
	err = put_gzip(b, text, len);
	if (err)
		return err;
	head.len = b->len - from - sizeof(head);
	head.crc = (uint32_t)crc32(0, (const Bytef *)b->data + from + sizeof(head), (uInt)head.len);
	memcpy(b->data + from, &head, sizeof(head));
	return 0;
}

int batch_next(const struct buf *b, size_t *at, struct batch_section *s)
{
	struct batch_head head;

	if (*at == b->len)
		return 0;
	if (b->len - *at < sizeof(head))
		return -EBADMSG;
	memcpy(&head, b->data + *at, sizeof(head));
	*at += sizeof(head);
	if (head.magic != BATCH_MAGIC || head.table >= FLEET_TABLES || head.len > b->len - *at ||
		head.len > UINT32_MAX)
		return -EBADMSG;
	if (head.crc != (uint32_t)crc32(0, (const Bytef *)b->data + *at, (uInt)head.len))
		return -EBADMSG;
	*s = (struct batch_section){head.table, head.rows, b->data + *at, (size_t)head.len};
	*at += (size_t)head.len;
	return 1;
}
