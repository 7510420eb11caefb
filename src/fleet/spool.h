/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool: the batches that wait to be sent, files of a folder that dtrace processes share.
 *
 * The folder is bounded in bytes, and a batch in age: the oldest are dropped first, and their rows
 * counted.  A batch that cannot be written waits in memory.  A batch is the target's that it was
 * added for: other targets' batches are left alone but for the bounds.  Knows nothing of what a
 * batch holds.  The owner calls spool_free().
 */
#ifndef FLEET_SPOOL_H
#define FLEET_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct spool;

struct spool_limits {
	uint64_t bytes; /* of all batches in the folder */
	uint64_t age;	/* seconds */
};

/* A batch that is being sent; the caller frees it with spool_release(). */
struct spool_batch {
	char name[128];
	struct buf data;
	int fd; /* locked, so that no other process sends it; -1 = it is in memory */
};

/* What became of rows, in this process. */
struct spool_counts {
	uint64_t dropped;	   /* rows: too old, or too many bytes */
	uint64_t waiting, batches; /* rows and batches of this target, now */
	int error; /* positive errno of the last write to the folder; 0: it worked */
};

/*
 * Use FOLDER, made with mode 0700 if it is missing, for batches to TARGET.  RUN is a number of this
 * process alone.  0, or -errno: the folder cannot be used, *OUT is still valid and keeps batches in
 * memory; -ENOMEM and *OUT NULL.
 */
int spool_open(const char *folder, const char *target, uint64_t run,
	const struct spool_limits *limits, struct spool **out);
void spool_free(struct spool *s);

/* Add a batch of ROWS rows, whose bytes are copied.  A batch that is lost is counted.  0 or
 * -ENOMEM. */
int spool_add(struct spool *s, uint64_t now, const void *data, size_t len, uint64_t rows);

/*
 * Takes the oldest batch after the last one taken, beginning again after the youngest: one that is
 * refused does not stop the others.  1 and *B; 0: there is none.  NOW is in seconds since 1970, as
 * above.
 */
int spool_take(struct spool *s, uint64_t now, struct spool_batch *b);

/* Ends the use of B; SENT: it is removed. */
void spool_release(struct spool *s, struct spool_batch *b, bool sent);

/* Returns the rows that wait in memory and go with the process, and in *BATCHES those of batches.
 */
uint64_t spool_unwritten(const struct spool *s, uint64_t *batches);

/* Counts what waits. */
struct spool_counts spool_counts(struct spool *s);

#endif
