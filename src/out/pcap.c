// SPDX-License-Identifier: Apache-2.0
/* Writes packets in the pcap format of draft-ietf-opsawg-pcap. */
#include "out/pcap.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "out/print.h"

#define MAGIC	      0xa1b2c3d4 /* times in microseconds, the byte order of the machine */
#define VERSION_MAJOR 2
#define VERSION_MINOR 4
#define SNAP_LEN      262144 /* no packet is longer */

#define DLT_RAW	     12	 /* what PCAP_IP is in D: libpcap's own number */
#define LINKTYPE_RAW 101 /* which in files is this */

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t reserved[2];
	uint32_t snap_len, link;
};

struct packet_header {
	uint32_t sec, usec, len, whole;
};

_Static_assert(sizeof(struct file_header) == PCAP_HEADER_SIZE, "as in the file");

void pcap_put_header(struct buf *b, uint32_t link)
{
	const struct file_header h = {
		.magic = MAGIC,
		.major = VERSION_MAJOR,
		.minor = VERSION_MINOR,
		.snap_len = SNAP_LEN,
		.link = link,
	};

	buf_put(b, &h, sizeof(h));
}

void pcap_put_packet(struct buf *b, const struct packet *p)
{
	const struct packet_header h = {
		.sec = (uint32_t)(p->ns / 1000000000),
		.usec = (uint32_t)(p->ns % 1000000000 / 1000),
		.len = p->len,
		.whole = p->whole,
	};

	buf_put(b, &h, sizeof(h));
	buf_put(b, p->bytes, p->len);
}

bool pcap_is_header(const void *bytes, size_t len, uint32_t *link)
{
	struct file_header h;

	if (len < sizeof(h))
		return false;
	memcpy(&h, bytes, sizeof(h));
	*link = h.link;
	return h.magic == MAGIC && h.major == VERSION_MAJOR;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

bool pcap_packet(const struct rec_action *act, const struct rec_view *src, struct packet *p)
{
	const struct datum *d = act->data;
	int64_t len, link, whole = 0;
	uint64_t ns = 0;

	if (!datum_signed(&d[0], src, &len) || !datum_signed(&d[1], src, &link) || len <= 0)
		return false;
	if (act->ndata > 3)
		datum_signed(&d[3], src, &whole);
	if (act->ndata > 4)
		datum_unsigned(&d[4], src, &ns);
	p->bytes = datum_bytes(&d[2], src);
	p->len = len < d[2].size ? (uint32_t)len : d[2].size;
	p->whole = whole > p->len ? (uint32_t)whole : p->len;
	p->link = link == DLT_RAW ? LINKTYPE_RAW : (uint32_t)link;
	p->ns = ns ? ns : now();
	return true;
}
