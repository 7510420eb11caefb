// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the io provider: requests to block devices, a bio each, and their completion.
 *
 * start is block_bio_queue(bio).  The end comes in one of two ways (include/trace/events/block.h).
 * Most drivers are given requests, into which bios are merged: block_rq_complete(rq, error,
 * nr_bytes), before the bios are told of it.  The others are given the bios themselves:
 * block_bio_complete(q, bio), when the bio has nothing left in it; its size and place are
 * remembered from when it was queued.
 *
 * A bio that is too large for the device is split: block_split(split), where SPLIT is a new bio for
 * its first part, and the bio itself is what is left.  Nobody asked for the parts, so they are not
 * done; the bio is with its last part, as large as it was.
 *
 * arg0 bio, arg1 file (none), arg3 bytes, arg4 sector, arg5 1 when done, arg6 blk_status_t: of what
 * is gone from the bio, dlib/io.d takes the probe's own arguments.
 */
#include "probe/stability.h"
#include "prov/constants.h"
#include "prov/derived.h"

#define ARGS                                                                       \
	3,                                                                         \
	{                                                                          \
		{0, "_io_bio", "bufinfo_t *"}, {0, "struct bio *", "devinfo_t *"}, \
		{                                                                  \
			0, "struct bio *", "fileinfo_t *"                          \
		}                                                                  \
	}

static const struct derived_probe probes[] = {
	{"start", ARGS},
	{"done", ARGS},
	{"wait-start", ARGS},
	{"wait-done", ARGS},
	/* for the state */
	{"-queue", 0, {}},
	{"-split", 0, {}},
	{"-complete", 0, {}},
	{"-wait", 0, {}},
	{NULL, 0, {}},
};

/*
 * dt_io_bytes, dt_io_sector: what was asked for, of a bio in which it is not to be found when it is
 * done; dt_io_part: the bio is a part.  Bios are used again: queueing one forgets what was.
 */
#define STATE_SPLIT                                                     \
	"io:::-queue { dt_io_bytes[arg0] = 0; dt_io_part[arg0] = 0; } " \
	"io:::-split /!dt_io_bytes[arg1]/ { dt_io_bytes[arg1] = arg3; " \
	"dt_io_sector[arg1] = arg4; } "                                 \
	"io:::-split { dt_io_part[arg0] = 1; }"

#define STATE_BIO                                                                      \
	"io:::-queue /arg2/ { dt_io_bytes[arg0] = arg3; dt_io_sector[arg0] = arg4; } " \
	"io:::-complete { dt_io_bytes[arg0] = 0; dt_io_sector[arg0] = 0; }"

/* Of a bio that is done. */
#define BYTES(now) "dt_io_bytes[(long)bio] ? dt_io_bytes[(long)bio] : " now
#define SECTOR	   "dt_io_bytes[(long)bio] ? dt_io_sector[(long)bio] : bio->bi_iter.bi_sector"

/* True if the driver takes bios. */
#define TAKES_BIOS "bio->bi_bdev->bd_disk->fops->submit_bio != 0"

/*
 * The bio that bio_split() took from: it holds the rest.  Device mappers call block_split for
 * others.
 */
#define LEFT "((struct bio *)bio->bi_private)"
#define IS_SPLIT                                                                         \
	"bio->bi_private && bio->bi_bdev == " LEFT "->bi_bdev && "                       \
	"bio->bi_iter.bi_sector + (bio->bi_iter.bi_size >> " K_SECTOR_SHIFT ") == " LEFT \
	"->bi_iter.bi_sector"

/* A thread waits for one bio; when it is done there may be nothing left in it. */
#define STATE_WAIT "io:::-wait { self->dt_io_bytes = arg3; self->dt_io_sector = arg4; }"

/* Not a driver's own command: that has no start. */
#define ASKED_FOR "(bio->bi_opf & " K_REQ_OP_MASK ") < " K_REQ_OP_DRV_IN

/* The rest of the bio. */
#define NOW(bio) bio, NULL, NULL, bio "->bi_iter.bi_size", bio "->bi_iter.bi_sector"

/* A buffer's size and place are in sectors. */
#define XFS NULL, NULL, NULL, "(uint64_t)buf->b_length << " K_SECTOR_SHIFT, "buf->b_rhash_key"

static const struct derived_hook hooks[] = {
	{"start", .kind = HOOK_TRACEPOINT, .hook = "block_bio_queue", .params = "bio",
		.args = {NOW("bio")}},
	{"done", .kind = HOOK_TRACEPOINT, .hook = "block_rq_complete", .each = "dt_each_bio",
		.items = "struct bio *, unsigned int, unsigned int", .params = "bio bytes status",
		.when = ASKED_FOR " && !dt_io_part[(long)bio]",
		.args = {"bio", NULL, NULL, BYTES("bytes"), SECTOR, "1", "status"},
		.state = STATE_SPLIT},
	{"done", .kind = HOOK_TRACEPOINT, .hook = "block_bio_complete", .params = "q bio",
		.args = {"bio", NULL, NULL, BYTES("bio->bi_iter.bi_size"), SECTOR, "1",
			"bio->bi_status"},
		.state = STATE_BIO},
	{"wait-start", .kind = HOOK_FUNCTION, .hook = "submit_bio_wait", .params = "bio",
		.args = {NOW("bio")}},
	{"wait-done", .kind = HOOK_RETURN, .hook = "submit_bio_wait", .params = "bio",
		.args = {"bio", NULL, NULL, "self->dt_io_bytes", "self->dt_io_sector", "1",
			"bio->bi_status"},
		.state = STATE_WAIT},
	/* XFS's metadata: whoever waits does not know the bio */
	{"wait-start", .optional = true, .kind = HOOK_TRACEPOINT, .hook = "xfs_buf_iowait",
		.params = "buf", .args = {XFS}},
	{"wait-done", .optional = true, .kind = HOOK_TRACEPOINT, .hook = "xfs_buf_iowait_done",
		.params = "buf", .args = {XFS, "1", "buf->b_error ? " K_BLK_STS_IOERR " : 0"}},
	{"-wait", .kind = HOOK_FUNCTION, .hook = "submit_bio_wait", .params = "bio",
		.args = {NOW("bio")}},
	{"-queue", .kind = HOOK_TRACEPOINT, .hook = "block_bio_queue", .params = "bio",
		.args = {"bio", NULL, TAKES_BIOS, "bio->bi_iter.bi_size",
			"bio->bi_iter.bi_sector"}},
	{"-split", .kind = HOOK_TRACEPOINT, .hook = "block_split", .params = "bio",
		.when = IS_SPLIT,
		.args = {"bio", "bio->bi_private", NULL,
			"bio->bi_iter.bi_size + " LEFT "->bi_iter.bi_size",
			"bio->bi_iter.bi_sector"}},
	{"-complete", .kind = HOOK_TRACEPOINT, .hook = "block_bio_complete", .params = "q bio",
		.args = {"bio"}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "block_bio_queue"};

DERIVED_PROVIDER(io, 3700, 64, CLASS_ISA, &table);
