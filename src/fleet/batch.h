/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch: the bytes of a batch: the compressed rows of some tables, in the order of the tables.  A
 * batch is a file that another version of dtrace may read, or that a full disk has cut: what is
 * damaged is found, not sent.
 */
#ifndef FLEET_BATCH_H
#define FLEET_BATCH_H

#include <stddef.h>
#include <stdint.h>

struct buf;

struct batch_section {
	uint32_t table; /* enum fleet_table */
	uint64_t rows;
	const char *gzip; /* the rows' text, compressed; in the batch */
	size_t len;
};

/* Append a section with LEN bytes of text.  0 or -ENOMEM. */
int batch_put(struct buf *b, uint32_t table, uint64_t rows, const char *text, size_t len);

/* Reads the section at *AT, from 0, and moves *AT after it.  1; 0 at the end; -EBADMSG. */
int batch_next(const struct buf *b, size_t *at, struct batch_section *s);

#endif
