// SPDX-License-Identifier: Apache-2.0
/* Writes packets in the pcap format of draft-ietf-opsawg-pcap. */
#include "print/pcap.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "dtrace/data.h"

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

bool pcap_packet(const struct dtrace_item *i, struct packet *p)
{
	const struct dtrace_value *v = i->values;
	int64_t whole = i->nvalues > 3 ? (int64_t)v[3].number : 0;
	uint64_t ns = i->nvalues > 4 ? v[4].number : 0;

	if (i->nvalues < 3 || (int64_t)v[0].number <= 0)
		return false;
	p->bytes = v[2].bytes;
	p->len = (uint32_t)v[2].len;
	p->whole = whole > p->len ? (uint32_t)whole : p->len;
	p->link = v[1].number == DLT_RAW ? LINKTYPE_RAW : (uint32_t)v[1].number;
	p->ns = ns ? ns : now();
	return true;
}
