// SPDX-License-Identifier: Apache-2.0
/*
 * The io provider: what block devices are asked for, a bio each, and what comes of it.
 *
 * start is block_bio_queue(bio).  The end comes in one of two ways (include/trace/events/block.h).
 * Most drivers are given requests, into which bios are merged: block_rq_complete(rq, error,
 * nr_bytes), before the bios are told of it.  The others are given the bios themselves:
 * block_bio_complete(q, bio), when the bio has nothing left in it; its size and place are
 * remembered from when it was queued.
 *
 * arg0 bio, arg1 file (none), arg3 bytes, arg4 sector, arg5 1 when done, arg6 blk_status_t: of what
 * is gone from the bio, dlib/io.d takes the probe's own arguments.
 */
#include "prov/derived.h"
#include "prov/prov.h"

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
	{"-complete", 0, {}},
	{"-wait", 0, {}},
	{NULL, 0, {}},
};

/* Of drivers that are given bios. */
#define STATE                                                                   \
	"io:::-queue { dt_io_bytes[arg0] = arg3; dt_io_sector[arg0] = arg4; } " \
	"io:::-complete { dt_io_bytes[arg0] = 0; dt_io_sector[arg0] = 0; }"

/* A thread waits for one bio; when it is done there may be nothing left in it. */
#define STATE_WAIT "io:::-wait { self->dt_io_bytes = arg3; self->dt_io_sector = arg4; }"

/* include/linux/blk_types.h: not a driver's own command, REQ_OP_DRV_IN, which has no start */
#define ASKED_FOR "(bio->bi_opf & 0xff) < 34"

/* What is still in the bio. */
#define NOW(bio) bio, NULL, NULL, bio "->bi_iter.bi_size", bio "->bi_iter.bi_sector"

static const struct derived_hook hooks[] = {
	{"start", .kind = HOOK_TRACEPOINT, .hook = "block_bio_queue", .params = "bio",
		.args = {NOW("bio")}},
	{"done", .kind = HOOK_TRACEPOINT, .hook = "block_rq_complete", .each = "dt_each_bio",
		.items = "struct bio *, unsigned int, unsigned int", .params = "bio bytes status",
		.when = ASKED_FOR,
		.args = {"bio", NULL, NULL, "bytes", "bio->bi_iter.bi_sector", "1", "status"}},
	{"done", .kind = HOOK_TRACEPOINT, .hook = "block_bio_complete", .params = "q bio",
		.args = {"bio", NULL, NULL,
			"dt_io_bytes[(long)bio] ? dt_io_bytes[(long)bio] : bio->bi_iter.bi_size",
			"dt_io_bytes[(long)bio] ? dt_io_sector[(long)bio] : "
			"bio->bi_iter.bi_sector",
			"1", "bio->bi_status"},
		.state = STATE},
	{"wait-start", .kind = HOOK_FUNCTION, .hook = "submit_bio_wait", .params = "bio",
		.args = {NOW("bio")}},
	{"wait-done", .kind = HOOK_RETURN, .hook = "submit_bio_wait", .params = "bio",
		.args = {"bio", NULL, NULL, "self->dt_io_bytes", "self->dt_io_sector", "1",
			"bio->bi_status"},
		.state = STATE_WAIT},
	{"-wait", .kind = HOOK_FUNCTION, .hook = "submit_bio_wait", .params = "bio",
		.args = {NOW("bio")}},
	{"-queue", .kind = HOOK_TRACEPOINT, .hook = "block_bio_queue", .params = "bio",
		.when = "bio->bi_bdev->bd_disk->fops->submit_bio != 0", .args = {NOW("bio")}},
	{"-complete", .kind = HOOK_TRACEPOINT, .hook = "block_bio_complete", .params = "q bio",
		.args = {"bio"}},
	{.kind = HOOK_END},
};

static const struct derived table = {probes, hooks, "block_bio_queue"};

DERIVED_PROVIDER(io, 3700, 64, CLASS_ISA, &table);
