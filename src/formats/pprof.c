// SPDX-License-Identifier: Apache-2.0
/*
 * Writes all stacks that were aggregated or recorded as a profile for pprof, when the session has
 * ended: the message Profile of github.com/google/pprof/proto/profile.proto, compressed.
 *
 * Aggregations whose keys are alike are the sample types of one profile.  Keys that are no stacks
 * are labels.  Frames of many processes merge, so locations have no addresses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "formats/gather.h"
#include "formats/profile.h"
#include "formats/protobuf.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "formats/stack_tree.h"

/* The numbers of the fields that are written, by message. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STR = 2,
	LABEL_NUM = 3,
	LABEL_NUM_UNIT = 4,
	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILENAME = 4,
};

static const char no_stacks[] = "no aggregation has a stack in its key, and no stack is recorded";
static const char no_sums[] = "no aggregation with a stack in its key has values that add up";

struct pprof {
	struct stream s;
	struct gather gather;
	struct writer_info info;
	uint64_t began; /* ns since 1970 */
};

/* The message as it is written. */
struct encoding {
	struct arena *arena;
	struct buf *out;
	const struct profile *profile;
	const char *keys; /* struct graph's, of all columns */
	struct strmap strings;
	struct rectab mappings, functions; /* by the numbers of their strings */
	HEAPVEC(uint32_t) path;		   /* nodes, innermost first */
};

struct function_key {
	uint64_t name, object, file;
};

static uint64_t wall_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Returns the number of TEXT in the string table, where number 0 is "". */
static uint64_t string(struct encoding *e, const char *text)
{
	uintptr_t n = (uintptr_t)strmap_get(&e->strings, text);

	if (n)
		return n - 1;
	n = e->strings.entries.len + 1ul;
	strmap_put(e->arena, &e->strings, text, (void *)n);
	protobuf_put_text(e->out, PROFILE_STRING_TABLE, text);
	return n - 1;
}

/* ---- sample types ---- */

static const char *type_name(struct encoding *e, const struct profile_column *c)
{
	const struct graph *g = c->graph;
	bool sum = c->value == GATHER_SUM || !strcmp(g->function, "sum");
	bool named = *g->name && strcmp(g->name, "_") != 0;

	return arena_printf(
		e->arena, "%s%s%s", named ? g->name : "", named ? "_" : "", sum ? "sum" : "count");
}

static void put_type(struct encoding *e, unsigned field, const struct profile_column *c)
{
	uint64_t type = string(e, type_name(e, c));
	/* what is summed up is unknown: pprof shows this unit as a plain number */
	bool sum = c->value == GATHER_SUM || !strcmp(c->graph->function, "sum");
	uint64_t unit = string(e, sum ? "unit" : "count");
	size_t at = protobuf_begin(e->out, field);

	protobuf_put_unsigned(e->out, VALUE_TYPE_TYPE, type);
	protobuf_put_unsigned(e->out, VALUE_TYPE_UNIT, unit);
	protobuf_end(e->out, at);
}

/* ---- locations ---- */

static uint64_t mapping(struct encoding *e, const char *object)
{
	uint64_t name = string(e, object);
	uint32_t known = e->mappings.n;
	int64_t n;
	size_t at;

	if (!*object)
		return 0;
	n = rectab_put(&e->mappings, &name);
	if (n < 0) {
		e->out->failed = true;
		return 0;
	}
	if (n < known)
		return (uint64_t)n + 1;
	at = protobuf_begin(e->out, PROFILE_MAPPING);
	protobuf_put_unsigned(e->out, MAPPING_ID, (uint64_t)n + 1);
	protobuf_put_unsigned(e->out, MAPPING_FILENAME, name);
	protobuf_put_unsigned(e->out, MAPPING_HAS_FUNCTIONS, 1);
	protobuf_end(e->out, at);
	return (uint64_t)n + 1;
}

static uint64_t function(struct encoding *e, const struct tree_frame *f)
{
	const struct function_key key = {
		string(e, f->name), string(e, f->object), string(e, f->file)};
	uint32_t known = e->functions.n;
	int64_t n = rectab_put(&e->functions, &key);
	size_t at;

	if (n < 0) {
		e->out->failed = true;
		return 0;
	}
	if (n < known)
		return (uint64_t)n + 1;
	at = protobuf_begin(e->out, PROFILE_FUNCTION);
	protobuf_put_unsigned(e->out, FUNCTION_ID, (uint64_t)n + 1);
	protobuf_put_unsigned(e->out, FUNCTION_NAME, key.name);
	protobuf_put_unsigned(e->out, FUNCTION_SYSTEM_NAME, key.name);
	if (*f->file)
		protobuf_put_unsigned(e->out, FUNCTION_FILENAME, key.file);
	protobuf_end(e->out, at);
	return (uint64_t)n + 1;
}

/* Writes frame number I of the tree as the location I + 1. */
static void put_location(struct encoding *e, uint32_t i)
{
	const struct tree_frame *f = tree_frame_at(e->profile->tree, i);
	uint64_t map, func;
	size_t at, line;

	if (f->kind == FRAME_KEY)
		return;
	map = mapping(e, f->object);
	func = function(e, f);
	at = protobuf_begin(e->out, PROFILE_LOCATION);
	protobuf_put_unsigned(e->out, LOCATION_ID, i + 1ul);
	if (map)
		protobuf_put_unsigned(e->out, LOCATION_MAPPING_ID, map);
	line = protobuf_begin(e->out, LOCATION_LINE);
	protobuf_put_unsigned(e->out, LINE_FUNCTION_ID, func);
	if (f->line)
		protobuf_put_unsigned(e->out, LINE_LINE, f->line);
	protobuf_end(e->out, line);
	protobuf_end(e->out, at);
}

/* ---- samples ---- */

/* Returns the place among the keys, from 0, of key number N of those that are no stacks. */
static unsigned key_place(const char *keys, unsigned n)
{
	unsigned i = 0;

	for (;; i++)
		if (keys[i] != 's' && keys[i] != 'u' && !n--)
			return i;
}

static bool is_int64(const char *text, int64_t *out)
{
	errno = 0;
	*out = strtoll(text, NULL, 10);
	return !errno;
}

static void put_label(struct encoding *e, unsigned n, const char *text)
{
	unsigned place = key_place(e->keys, n);
	uint64_t key = string(e, arena_printf(e->arena, "key%u", place + 1));
	int64_t number = 0;
	bool is_number = e->keys[place] == 'n' && is_int64(text, &number);
	/* a number without a unit would be taken for one that is missing if it is 0 */
	uint64_t str = string(e, is_number ? "unit" : text);
	size_t at = protobuf_begin(e->out, SAMPLE_LABEL);

	protobuf_put_unsigned(e->out, LABEL_KEY, key);
	if (is_number)
		protobuf_put_signed(e->out, LABEL_NUM, number);
	protobuf_put_unsigned(e->out, is_number ? LABEL_NUM_UNIT : LABEL_STR, str);
	protobuf_end(e->out, at);
}

/* Strings must not begin within a message: those of the labels are written before. */
static void intern_labels(struct encoding *e)
{
	const struct tree *t = e->profile->tree;

	string(e, "unit");
	for (uint32_t i = 0; *e->keys && i < tree_frames(t); i++)
		if (tree_frame_at(t, i)->kind == FRAME_KEY)
			string(e, tree_frame_at(t, i)->name);
	for (unsigned i = 0; e->keys[i]; i++)
		string(e, arena_printf(e->arena, "key%u", i + 1));
}

static int find_path(struct encoding *e, uint32_t node)
{
	int err = 0;

	e->path.len = 0;
	for (; node != TREE_ROOT && !err; node = tree_node_at(e->profile->tree, node).parent)
		err = heapvec_push(&e->path, node);
	return err;
}

static int put_sample(struct encoding *e, uint32_t node, const int64_t *values)
{
	const struct tree *t = e->profile->tree;
	int err = find_path(e, node);
	unsigned label = 0;
	size_t sample, at;

	if (err)
		return err;
	sample = protobuf_begin(e->out, PROFILE_SAMPLE);
	at = protobuf_begin(e->out, SAMPLE_LOCATION_ID);
	vec_for (p, &e->path) {
		uint32_t frame = tree_node_at(t, *p).frame;

		if (tree_frame_at(t, frame)->kind != FRAME_KEY)
			protobuf_put_varint(e->out, frame + 1ul);
	}
	protobuf_end(e->out, at);
	at = protobuf_begin(e->out, SAMPLE_VALUE);
	for (uint32_t c = 0; c < e->profile->columns.len; c++)
		protobuf_put_varint(e->out, (uint64_t)values[c]);
	protobuf_end(e->out, at);
	for (uint32_t i = e->path.len; i--;) {
		const struct tree_frame *f =
			tree_frame_at(t, tree_node_at(t, e->path.data[i]).frame);

		if (f->kind == FRAME_KEY)
			put_label(e, label++, f->name);
	}
	protobuf_end(e->out, sample);
	return 0;
}

static int put_samples(struct encoding *e)
{
	uint32_t n = e->profile->columns.len;
	int err = 0;

	for (uint32_t node = 0; node < tree_nodes(e->profile->tree) && !err; node++) {
		const int64_t *values = &e->profile->values.data[(size_t)node * n];
		bool any = false;

		for (uint32_t c = 0; c < n; c++)
			any |= values[c] != 0;
		if (any)
			err = put_sample(e, node, values);
	}
	return err;
}

/* ---- the program ---- */

/* Returns the outermost frame of NODE's stack that is of a program; NULL if there is none. */
static const struct tree_frame *program_of(const struct tree *t, uint32_t node)
{
	const struct tree_frame *found = NULL;

	for (; node != TREE_ROOT; node = tree_node_at(t, node).parent) {
		const struct tree_frame *f = tree_frame_at(t, tree_node_at(t, node).frame);

		if (f->kind == FRAME_PROGRAM)
			found = f;
	}
	return found;
}

/*
 * Writes the mapping of the program that most of the first number is of, before all others: pprof
 * takes the first mapping for the main program.
 */
static void put_program(struct encoding *e)
{
	const struct profile *p = e->profile;
	const char *most = NULL;
	struct strmap weights = {0};
	uint64_t largest = 0;

	for (uint32_t node = 0; node < tree_nodes(p->tree); node++) {
		int64_t value = p->values.data[(size_t)node * p->columns.len];
		const struct tree_frame *f = value > 0 ? program_of(p->tree, node) : NULL;
		uint64_t *weight = f ? strmap_get(&weights, f->object) : NULL;

		if (!f)
			continue;
		if (!weight) {
			weight = arena_new_obj(e->arena, uint64_t);
			strmap_put(e->arena, &weights, f->object, weight);
		}
		*weight += (uint64_t)value;
		if (*weight > largest) {
			largest = *weight;
			most = f->object;
		}
	}
	if (most)
		mapping(e, most);
}

/* ---- the profile ---- */

static int put_profile(struct encoding *e, const struct pprof *p)
{
	const struct profile *profile = e->profile;
	uint64_t comment;
	int err;

	string(e, "");
	vec_for (c, &profile->columns)
		put_type(e, PROFILE_SAMPLE_TYPE, c);
	put_program(e);
	for (uint32_t i = 0; i < tree_frames(profile->tree); i++)
		put_location(e, i);
	intern_labels(e);
	err = put_samples(e);
	comment = string(e, arena_printf(e->arena, "dtrace %s", p->info.version));
	protobuf_put_unsigned(e->out, PROFILE_COMMENT, comment);
	protobuf_put_unsigned(e->out, PROFILE_TIME_NANOS, p->began);
	protobuf_put_unsigned(e->out, PROFILE_DURATION_NANOS, wall_clock() - p->began);
	put_type(e, PROFILE_PERIOD_TYPE, &profile->columns.data[0]);
	protobuf_put_unsigned(e->out, PROFILE_PERIOD, 1);
	protobuf_put_unsigned(e->out, PROFILE_DEFAULT_SAMPLE_TYPE,
		string(e, type_name(e, &profile->columns.data[0])));
	return err || e->out->failed ? -ENOMEM : 0;
}

/* A function of its own: the caller frees what E refers to, however this ends (setjmp(3)). */
static int try_profile(struct encoding *e, const struct pprof *p)
{
	return ARENA_TRY(e->arena, put_profile(e, p), -ENOMEM);
}

/* Appends the profile to OUT. */
static int encode_profile(const struct pprof *p, const struct profile *profile, struct buf *out)
{
	struct arena *arena = arena_new();
	struct encoding e = {.arena = arena,
		.out = out,
		.profile = profile,
		.keys = profile->columns.data[0].graph->keys};
	int err = -ENOMEM;

	rectab_init(&e.mappings, sizeof(uint64_t), 0);
	rectab_init(&e.functions, sizeof(struct function_key), 0);
	if (arena)
		err = try_profile(&e, p);
	rectab_fini(&e.mappings);
	rectab_fini(&e.functions);
	heapvec_free(&e.path);
	arena_free(arena);
	return err;
}

/* Appends FROM to TO, compressed as gzip(1) does it. */
static int compress_buf(const struct buf *from, struct buf *to)
{
	z_stream z = {.next_in = (unsigned char *)from->data};
	size_t left = from->len;
	unsigned char part[32768];
	int status = Z_OK;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY))
		return -ENOMEM;
	while (status != Z_STREAM_END) {
		if (!z.avail_in) {
			z.avail_in = left > 1u << 30 ? 1u << 30 : (unsigned)left;
			left -= z.avail_in;
		}
		z.next_out = part;
		z.avail_out = sizeof(part);
		status = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
		buf_put(to, part, sizeof(part) - z.avail_out);
	}
	deflateEnd(&z);
	return to->failed ? -ENOMEM : 0;
}

static int put_joined(struct pprof *p, const struct profile *profile)
{
	struct buf message = {0};
	int err = encode_profile(p, profile, &message);

	if (!err)
		err = compress_buf(&message, &p->s.buf);
	buf_free(&message);
	return err ? err : stream_flush(&p->s);
}

static int pprof_finish(void *arg)
{
	struct pprof *p = arg;
	struct profile profile = {0};
	int err = profile_join(&profile, &p->gather, &p->info);

	if (!err)
		err = put_joined(p, &profile);
	else if (err == -ENODATA)
		*p->info.problem = p->gather.graphs.len ? no_sums : no_stacks;
	profile_fini(&profile);
	return err;
}

static int pprof_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct pprof *p = arg;

	return gather_item(&p->gather, r, i);
}

static int pprof_end(void *arg, const struct dtrace_record *r)
{
	struct pprof *p = arg;

	return gather_end(&p->gather);
}

static int pprof_table(void *arg, const struct dtrace_table *t)
{
	struct pprof *p = arg;

	return gather_table(&p->gather, t);
}

static void pprof_release(void *arg)
{
	struct pprof *p = arg;

	gather_fini(&p->gather);
	buf_free(&p->s.buf);
	free(p);
}

int pprof_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct pprof *p;

	if (info->no_stacks) {
		*info->problem = no_stacks;
		return -ENODATA;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->s.out = out;
	p->info = *info;
	p->began = wall_clock();
	*w = (struct writer){
		.consumer =
			{
				.arg = p,
				.item = pprof_item,
				.end = pprof_end,
				.table = pprof_table,
				.finish = pprof_finish,
			},
		.release = pprof_release,
	};
	return 0;
}
