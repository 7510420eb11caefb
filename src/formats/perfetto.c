// SPDX-License-Identifier: Apache-2.0
/*
 * Writes records as a timeline for Perfetto: the message Trace of perfetto's trace.proto, whose
 * packets are written as the records come.
 *
 * A record is an instant on the track of its thread, or of its CPU if no process was running.  With
 * option flowindent a pair of entry and return is a slice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/protobuf.h"
#include "formats/writer.h"
#include "formats/writers.h"

/* The numbers of the fields that are written, by message. */
enum {
	TRACE_PACKET = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_CLOCK_ID = 58,
	PACKET_TRACK_DESCRIPTOR = 60,
	CLOCKS_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK_UUID = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_DOUBLE = 5,
	ANNOTATION_STRING = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_NAME = 10,
	ANNOTATION_DICT_ENTRY = 11,
};

/* TrackEvent.Type */
enum event_type { EVENT_SLICE_BEGIN = 1, EVENT_SLICE_END = 2, EVENT_INSTANT = 3 };

/* BuiltinClock */
enum { CLOCK_OF_RECORDS = 1 /* REALTIME */, CLOCK_OF_MONOTONIC = 3, CLOCK_OF_BOOT = 6 };

#define SEQUENCE_ID    1
#define SEQUENCE_FIRST 1 /* SEQ_INCREMENTAL_STATE_CLEARED */

/* A function that was entered; the strings are the session's. */
struct slice {
	const char *provider, *module, *function, *name;
};

struct track {
	uint64_t uuid;
	char name[16];		      /* of the thread */
	HEAPVEC(struct slice) slices; /* innermost last */
	/* of the record before */
	uint32_t probe, clause;
	bool any;
};

/* CPU is 0 unless TID is. */
struct track_key {
	int32_t pid, tid;
	uint32_t cpu;
};

struct perfetto {
	struct stream s;
	bool flow;
	bool finished;		       /* the stream is gone */
	uint64_t began;		       /* ns since 1970 */
	struct rectab keys, processes; /* struct track_key; pids */
	HEAPVEC(struct track) tracks;  /* by number of the key */
	/* the record under way */
	struct buf annotations, name, key;
	unsigned nitems;
	uint32_t track;
};

static uint64_t clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- packets ---- */

static size_t begin_packet(struct buf *b)
{
	size_t at = protobuf_begin(b, TRACE_PACKET);

	protobuf_put_unsigned(b, PACKET_SEQUENCE_ID, SEQUENCE_ID);
	return at;
}

static void put_clock(struct buf *b, unsigned id, clockid_t clock)
{
	size_t at = protobuf_begin(b, CLOCKS_CLOCK);

	protobuf_put_unsigned(b, CLOCK_ID, id);
	protobuf_put_unsigned(b, CLOCK_TIMESTAMP, clock_now(clock));
	protobuf_end(b, at);
}

/* Says how the clock of the records relates to those of other traces. */
static void put_clocks(struct buf *b)
{
	size_t packet = begin_packet(b), at;

	protobuf_put_unsigned(b, PACKET_SEQUENCE_FLAGS, SEQUENCE_FIRST);
	at = protobuf_begin(b, PACKET_CLOCK_SNAPSHOT);
	put_clock(b, CLOCK_OF_RECORDS, CLOCK_REALTIME);
	put_clock(b, CLOCK_OF_MONOTONIC, CLOCK_MONOTONIC);
	put_clock(b, CLOCK_OF_BOOT, CLOCK_BOOTTIME);
	protobuf_end(b, at);
	protobuf_end(b, packet);
}

/* Numbers of other traces that are shown together with this one are unlikely to be the same. */
static uint64_t uuid_of(const struct perfetto *p, uint32_t track, bool process)
{
	return p->began * 2654435761u + 2ul * track + process + 1;
}

static void put_process(struct perfetto *p, const struct dtrace_record *r)
{
	struct buf *b = &p->s.buf;
	uint32_t known = p->processes.n;
	int64_t n = rectab_put(&p->processes, &r->pid);
	size_t packet, track, process;

	if (n < 0)
		b->failed = true;
	if (n < known)
		return;
	packet = begin_packet(b);
	track = protobuf_begin(b, PACKET_TRACK_DESCRIPTOR);
	protobuf_put_unsigned(b, TRACK_UUID, uuid_of(p, (uint32_t)n, true));
	process = protobuf_begin(b, TRACK_PROCESS);
	protobuf_put_signed(b, PROCESS_PID, r->pid);
	protobuf_put_text(b, PROCESS_NAME, r->execname);
	protobuf_end(b, process);
	protobuf_end(b, track);
	protobuf_end(b, packet);
}

static void put_track(struct perfetto *p, const struct track *t, const struct dtrace_record *r)
{
	struct buf *b = &p->s.buf;
	size_t packet, track, thread;

	if (r->tid)
		put_process(p, r);
	packet = begin_packet(b);
	track = protobuf_begin(b, PACKET_TRACK_DESCRIPTOR);
	protobuf_put_unsigned(b, TRACK_UUID, t->uuid);
	if (r->tid) {
		thread = protobuf_begin(b, TRACK_THREAD);
		protobuf_put_signed(b, THREAD_PID, r->pid);
		protobuf_put_signed(b, THREAD_TID, r->tid);
		protobuf_put_text(b, THREAD_NAME, r->threadname);
		protobuf_end(b, thread);
	} else {
		p->key.len = 0;
		buf_printf(&p->key, "CPU %u", r->cpu);
		protobuf_put_string(b, TRACK_NAME, p->key.data, p->key.len);
	}
	protobuf_end(b, track);
	protobuf_end(b, packet);
}

/* Finds the track of R, and describes it if it is new or has another name. */
static int find_track(struct perfetto *p, const struct dtrace_record *r)
{
	const struct track_key key = {r->pid, r->tid, r->tid ? 0 : r->cpu};
	int64_t n = rectab_put(&p->keys, &key);
	struct track *t;
	bool new;

	if (n < 0 || heapvec_extend(&p->tracks, (uint64_t)n + 1))
		return -ENOMEM;
	p->track = (uint32_t)n;
	t = &p->tracks.data[n];
	new = !t->uuid;
	if (!new && (!r->tid || !strncmp(t->name, r->threadname, sizeof(t->name))))
		return 0;
	t->uuid = uuid_of(p, p->track, false);
	if (r->tid)
		strncpy(t->name, r->threadname, sizeof(t->name) - 1);
	put_track(p, t, r);
	return 0;
}

/* ---- values ---- */

static void put_value(struct perfetto *p, const struct dtrace_value *v);

static void put_members(struct perfetto *p, const struct dtrace_value *v)
{
	struct buf *b = &p->annotations;

	for (unsigned i = 0; i < v->nmembers; i++) {
		const struct dtrace_member *m = &v->members[i];
		size_t at = protobuf_begin(b, ANNOTATION_DICT_ENTRY);

		p->key.len = 0;
		if (v->kind == DTRACE_KIND_ARRAY || !*m->name)
			buf_printf(&p->key, "[%u]", m->index);
		else
			buf_puts(&p->key, m->name);
		protobuf_put_string(b, ANNOTATION_NAME, p->key.data, p->key.len);
		put_value(p, &m->value);
		protobuf_end(b, at);
	}
}

static void put_value(struct perfetto *p, const struct dtrace_value *v)
{
	struct buf *b = &p->annotations;

	switch (v->kind) {
	case DTRACE_KIND_INT:
		if (v->is_signed)
			protobuf_put_signed(b, ANNOTATION_INT, (int64_t)v->number);
		else
			protobuf_put_unsigned(b, ANNOTATION_UINT, v->number);
		break;
	case DTRACE_KIND_POINTER:
		protobuf_put_unsigned(b, ANNOTATION_POINTER, v->number);
		break;
	case DTRACE_KIND_FLOAT:
		protobuf_put_double(b, ANNOTATION_DOUBLE, (double)v->real);
		break;
	case DTRACE_KIND_STRUCT:
	case DTRACE_KIND_UNION:
	case DTRACE_KIND_ARRAY:
		put_members(p, v);
		break;
	default:
		p->key.len = 0;
		writer_put_value_text(&p->key, v);
		protobuf_put_string(b, ANNOTATION_STRING, p->key.data, p->key.len);
		break;
	}
}

static size_t begin_annotation(struct perfetto *p, const char *name)
{
	size_t at = protobuf_begin(&p->annotations, EVENT_ANNOTATION);

	protobuf_put_text(&p->annotations, ANNOTATION_NAME, name);
	return at;
}

static void annotate_text(struct perfetto *p, const char *name, const char *text, size_t len)
{
	size_t at = begin_annotation(p, name);

	protobuf_put_string(&p->annotations, ANNOTATION_STRING, text, len);
	protobuf_end(&p->annotations, at);
}

/* Names value number VALUE of the item: "trace", "trace 2" if it is the record's second one. */
static void name_value(struct perfetto *p, const struct dtrace_item *i, unsigned value)
{
	struct buf *b = &p->key;

	b->len = 0;
	buf_puts(b, i->name);
	if (p->nitems > 1)
		buf_printf(b, " %u", p->nitems);
	if (i->nvalues > 1)
		buf_printf(b, "[%u]", value);
	buf_putc(b, '\0');
	p->annotations.failed |= b->failed;
}

/* ---- records ---- */

static int perfetto_begin(void *arg, const struct dtrace_record *r)
{
	struct perfetto *p = arg;

	p->annotations.len = p->name.len = 0;
	p->nitems = 0;
	return find_track(p, r);
}

/* The text of the first printf() is the name of the event, without the blanks around it. */
static void take_name(struct perfetto *p, const struct dtrace_item *i)
{
	size_t from = 0, to = i->text_len;

	while (from < to && memchr(" \t\r\n", i->text[from], 4))
		from++;
	while (to > from && memchr(" \t\r\n", i->text[to - 1], 4))
		to--;
	if (!p->name.len)
		buf_put(&p->name, i->text + from, to - from);
}

static int perfetto_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct perfetto *p = arg;

	p->nitems++;
	if (i->action == DTRACE_ACTION_PRINTF && i->text) {
		take_name(p, i);
		name_value(p, &(struct dtrace_item){.name = i->name}, 0);
		if (!p->annotations.failed)
			annotate_text(p, p->key.data, i->text, i->text_len);
	}
	if (i->action == DTRACE_ACTION_PRINTA || i->action == DTRACE_ACTION_SETOPT || i->table)
		return 0;
	for (unsigned k = 0; k < i->nvalues && !p->annotations.failed; k++) {
		struct dtrace_item named = *i;
		size_t at;

		if (i->action == DTRACE_ACTION_PRINTF)
			named.nvalues = 2; /* the text has the name without a number */
		name_value(p, &named, k);
		if (p->annotations.failed)
			break;
		at = begin_annotation(p, p->key.data);
		put_value(p, &i->values[k]);
		protobuf_end(&p->annotations, at);
	}
	return p->annotations.failed || p->key.failed || p->name.failed ? -ENOMEM : 0;
}

static void put_event(struct perfetto *p, const struct dtrace_record *r, enum event_type type,
	const struct buf *name, const struct buf *annotations)
{
	struct buf *b = &p->s.buf;
	size_t packet = begin_packet(b), at;

	protobuf_put_unsigned(b, PACKET_TIMESTAMP, r->time);
	protobuf_put_unsigned(b, PACKET_CLOCK_ID, CLOCK_OF_RECORDS);
	at = protobuf_begin(b, PACKET_TRACK_EVENT);
	protobuf_put_unsigned(b, EVENT_TYPE, type);
	protobuf_put_unsigned(b, EVENT_TRACK_UUID, p->tracks.data[p->track].uuid);
	protobuf_put_text(b, EVENT_CATEGORY, r->probe->provider);
	if (name)
		protobuf_put_string(b, EVENT_NAME, name->data, name->len);
	if (annotations)
		buf_put(b, annotations->data, annotations->len);
	protobuf_end(b, at);
	protobuf_end(b, packet);
}

/* ---- slices ---- */

/* True if NAME is WHAT, or ends in it after a '-': "entry", "query-entry". */
static bool ends_call(const char *name, const char *what)
{
	size_t len = strlen(name), n = strlen(what);

	return len >= n && !strcmp(name + len - n, what) && (len == n || name[len - n - 1] == '-');
}

/* A further clause of one firing has a higher number than the one before. */
static bool is_further(const struct track *t, const struct dtrace_record *r)
{
	return r->continued || (t->any && t->probe == r->probe->id && t->clause < r->clause);
}

/* Entry and return of a function have its name; "query-entry" and "query-return" have "query". */
static bool is_return_of(const struct slice *s, const struct dtrace_probe *p)
{
	size_t prefix = strlen(p->name) - strlen("return");

	if (strcmp(s->provider, p->provider) != 0 || strlen(s->name) != prefix + strlen("entry") ||
		strncmp(s->name, p->name, prefix) != 0)
		return false;
	return prefix || (!strcmp(s->module, p->module) && !strcmp(s->function, p->function));
}

static int enter(struct perfetto *p, const struct dtrace_record *r)
{
	const struct dtrace_probe *probe = r->probe;
	size_t prefix = strlen(probe->name) - strlen("entry");

	p->name.len = 0;
	if (prefix)
		buf_put(&p->name, probe->name, prefix - 1);
	else
		buf_puts(&p->name, probe->function);
	put_event(p, r, EVENT_SLICE_BEGIN, &p->name, &p->annotations);
	return heapvec_push(&p->tracks.data[p->track].slices,
		(struct slice){probe->provider, probe->module, probe->function, probe->name});
}

/* Ends the slice that R returns from, and those within it whose return is not known. */
static bool leave(struct perfetto *p, const struct dtrace_record *r)
{
	struct track *t = &p->tracks.data[p->track];
	uint32_t n = t->slices.len;

	while (n && !is_return_of(&t->slices.data[n - 1], r->probe))
		n--;
	if (!n)
		return false;
	for (; t->slices.len > n; t->slices.len--)
		put_event(p, r, EVENT_SLICE_END, NULL, NULL);
	put_event(p, r, EVENT_SLICE_END, NULL, &p->annotations);
	t->slices.len--;
	return true;
}

static int put_record(struct perfetto *p, const struct dtrace_record *r)
{
	bool begins = p->flow && !is_further(&p->tracks.data[p->track], r);

	if (begins && ends_call(r->probe->name, "entry"))
		return enter(p, r);
	if (begins && ends_call(r->probe->name, "return") && leave(p, r))
		return 0;
	if (!p->name.len)
		buf_printf(&p->name, "%s:%s", r->probe->function, r->probe->name);
	put_event(p, r, EVENT_INSTANT, &p->name, &p->annotations);
	return 0;
}

static int perfetto_end(void *arg, const struct dtrace_record *r)
{
	struct perfetto *p = arg;
	struct track *t = &p->tracks.data[p->track];
	size_t at;
	int err;

	p->key.len = 0;
	buf_printf(&p->key, "%s:%s:%s:%s", r->probe->provider, r->probe->module, r->probe->function,
		r->probe->name);
	annotate_text(p, "probe", p->key.data ? p->key.data : "", p->key.len);
	at = begin_annotation(p, "cpu");
	protobuf_put_unsigned(&p->annotations, ANNOTATION_UINT, r->cpu);
	protobuf_end(&p->annotations, at);
	err = put_record(p, r);
	t->probe = r->probe->id;
	t->clause = r->clause;
	t->any = true;
	if (p->annotations.failed || p->name.failed || p->key.failed)
		err = -ENOMEM;
	return err ? err : stream_relieve(&p->s);
}

/* ---- the rest ---- */

static int perfetto_flush(void *arg)
{
	struct perfetto *p = arg;

	return p->finished ? 0 : stream_flush(&p->s);
}

static int perfetto_finish(void *arg)
{
	struct perfetto *p = arg;
	int err = stream_flush(&p->s);

	p->finished = true;
	return err;
}

static void perfetto_release(void *arg)
{
	struct perfetto *p = arg;

	vec_for (t, &p->tracks)
		heapvec_free(&t->slices);
	heapvec_free(&p->tracks);
	rectab_fini(&p->keys);
	rectab_fini(&p->processes);
	buf_free(&p->annotations);
	buf_free(&p->name);
	buf_free(&p->key);
	buf_free(&p->s.buf);
	free(p);
}

int perfetto_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct perfetto *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->s.out = out;
	p->flow = info->flow;
	p->began = clock_now(CLOCK_REALTIME);
	rectab_init(&p->keys, sizeof(struct track_key), 0);
	rectab_init(&p->processes, sizeof(pid_t), 0);
	put_clocks(&p->s.buf);
	*w = (struct writer){
		.consumer =
			{
				.arg = p,
				.want_time = true,
				.want_thread = true,
				.begin = perfetto_begin,
				.item = perfetto_item,
				.end = perfetto_end,
				.finish = perfetto_finish,
				.flush = perfetto_flush,
			},
		.release = perfetto_release,
	};
	return 0;
}
