/* SPDX-License-Identifier: Apache-2.0 */
/* pcap: the packets of pcap(), in libpcap's file format or shown by tshark. */
#ifndef PRINT_PCAP_H
#define PRINT_PCAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct buf;
struct dtrace_item;

struct packet {
	const void *bytes;
	uint32_t len;	/* of them */
	uint32_t whole; /* length of the packet, of which they are the beginning */
	uint32_t link;	/* LINKTYPE_* */
	uint64_t ns;	/* since 1970 */
};

/*
 * The packet of a DTRACE_ACTION_PCAP; false: there is none.  Where the record does not say its
 * whole length or its time, these are what was captured, and now.
 */
bool pcap_packet(const struct dtrace_item *i, struct packet *p);

void pcap_put_header(struct buf *b, uint32_t link);
void pcap_put_packet(struct buf *b, const struct packet *p);

/* True if LEN bytes, the first of a file, are a header as pcap_put_header() makes it; for *LINK. */
bool pcap_is_header(const void *bytes, size_t len, uint32_t *link);
#define PCAP_HEADER_SIZE 24

/* ---- viewer.c ---- */

#define MAX_VIEWERS 4

/* A tshark for each link type, because a capture has only one.  Zeroed = none runs. */
struct viewers {
	struct viewer {
		uint32_t link;
		int fd; /* to its standard input */
		pid_t pid;
	} v[MAX_VIEWERS];
	uint32_t n;
	bool failed; /* it is not installed, or it ended */
};

/* Hand P to tshark, which writes lines of text to descriptor OUT in its own time. 0 or -errno. */
int viewers_show(struct viewers *v, const struct packet *p, int out);

/* Let them end, and wait until they have written everything. */
void viewers_finish(struct viewers *v);

#endif
