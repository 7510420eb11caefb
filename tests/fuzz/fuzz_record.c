// SPDX-License-Identifier: Apache-2.0
/*
 * Decodes any bytes as the record of a clause with an action of each kind, in an output format that
 * the second byte chooses.  All of them would take twenty times as long.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "base/arena.h"
#include "lang/format.h"
#include "decode/sink.h"
#include "print/print.h"
#include "formats/writer.h"
#include "session/formats.h"
#include "../unit/test_sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct probe probe = {
	.id = 1, .prov = "syscall", .mod = "vmlinux", .func = "read", .name = "entry"};

static const struct probe *by_id(void *arg, uint64_t id)
{
	return id == probe.id ? &probe : NULL;
}

/* The kinds of data, each traced once and printed with a conversion that takes it. */
static const struct {
	struct datum d;
	enum rec_action_kind kind;
	const char *format;
} rows[] = {
	{{.kind = DATUM_INT, .size = 1, .is_signed = true}, REC_TRACE, "%c %C %d"},
	{{.kind = DATUM_INT, .size = 2}, REC_TRACE, "%5d %x"},
	{{.kind = DATUM_INT, .size = 4, .is_signed = true}, REC_TRACE, "%-8i|%c"},
	{{.kind = DATUM_INT, .size = 8, .is_signed = true}, REC_TRACE, "%Y %T %'d"},
	{{.kind = DATUM_PTR, .size = 8}, REC_TRACE, "%p %a"},
	{{.kind = DATUM_FLOAT, .size = 4}, REC_TRACE, "%f %G"},
	{{.kind = DATUM_FLOAT, .size = 8}, REC_TRACE, "%e"},
	{{.kind = DATUM_FLOAT, .size = 16}, REC_TRACE, "%Lg"},
	{{.kind = DATUM_STRING, .size = 16}, REC_TRACE, "%s %S %.3s %10S"},
	{{.kind = DATUM_CHARS, .size = 7}, REC_TRACE, "%s %S"},
	{{.kind = DATUM_BYTES, .size = 21}, REC_TRACEMEM, NULL},
	{{.kind = DATUM_LITERAL, .literal = "text"}, REC_TRACE, "%s"},
	{{.kind = DATUM_PROBEFUNC}, REC_TRACE, "%s"},
	{{.kind = DATUM_STACK, .size = 40}, REC_STACK, "%k"},
	{{.kind = DATUM_USTACK, .size = 48}, REC_STACK, "%k"},
	{{.kind = DATUM_SYM, .size = 8}, REC_SYM, "%a"},
	{{.kind = DATUM_MOD, .size = 8}, REC_SYM, "%a"},
	{{.kind = DATUM_USYM, .size = 16}, REC_SYM, "%A"},
	{{.kind = DATUM_UADDR, .size = 16}, REC_SYM, "%A"},
	{{.kind = DATUM_UMOD, .size = 16}, REC_SYM, "%A"},
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

static struct datum data_of[NROWS], traced_mem[2], three[NROWS][4];
static struct rec_action actions[2 * NROWS + 1];
static struct rec_desc desc = {.actions = actions};

static void describe(void)
{
	static struct arena *arena; /* no leak */
	uint32_t end = sizeof(struct dt_rec);
	const char *error;

	arena = arena_new();
	for (unsigned i = 0; i < NROWS; i++) {
		struct rec_action *act = &actions[desc.nactions++];

		data_of[i] = rows[i].d;
		data_of[i].type = "";
		end = (end + 7) & ~7u;
		data_of[i].offset = end;
		end += data_of[i].size;
		*act = (struct rec_action){.kind = rows[i].kind, .data = &data_of[i], .ndata = 1};
		if (rows[i].kind == REC_TRACEMEM) { /* how much to show comes from the record too */
			traced_mem[0] = data_of[i];
			traced_mem[1] = data_of[3];
			act->data = traced_mem;
			act->ndata = 2;
		}
		if (!rows[i].format)
			continue;
		act = &actions[desc.nactions++];
		*act = (struct rec_action){.kind = REC_PRINTF, .data = three[i]};
		act->format = format_parse(arena, rows[i].format, strlen(rows[i].format), &error);
		for (uint32_t k = 0; k < act->format->nconvs; k++)
			if (act->format->convs[k].info)
				three[i][act->ndata++] = data_of[i];
	}
	desc.size = (end + 7) & ~7u;
}

static void show(struct sink *s, const struct event *ev)
{
	sink_event(s, ev);
	sink_event(s, ev);
	sink_newline(s);
	sink_finish(s);
	sink_flush(s);
}

/* What is done with an input. */
struct run {
	const struct sink_env *env;
	const struct event *ev;
	FILE *to;
	unsigned next, chosen; /* number of an output, from 0 */
};

#define NONE UINT32_MAX

static bool is_chosen(struct run *r)
{
	return r->next++ == r->chosen;
}

static void show_format(const struct writer_format *f, const char *ending, const struct run *r)
{
	const char *problem = NULL;
	const struct writer_info info = {.version = "0",
		.pretty = r->ev->cpu & 1,
		.flow = r->env->opts->flowindent,
		.ending = ending,
		.format = f->name,
		.problem = &problem};
	struct writer w = {0};
	struct sink *s;

	if (f->open(r->to, &info, &w))
		abort();
	s = sink_new(r->env, &w.consumer, NULL);
	show(s, r->ev);
	sink_free(s);
	w.release(w.consumer.arg);
}

/* Output format F, for each kind of file. */
static void show_endings(const struct writer_format *f, struct run *r)
{
	const char *endings = f->endings ? f->endings : "";

	do {
		size_t n = strcspn(endings, " ");
		char *ending = strndup(endings, n);

		if (is_chosen(r))
			show_format(f, ending, r);
		free(ending);
		endings += n + (endings[n] == ' ');
	} while (*endings);
}

/* The text, each output format that is a consumer, and a consumer that wants every text. */
static void show_outputs(struct run *r)
{
	const struct dtrace_consumer texts = {.want_text = true};
	struct sink *s;

	if (is_chosen(r)) {
		s = sink_text_new(r->env, r->to);
		show(s, r->ev);
		sink_free(s);
	}
	for (const struct writer_format *f = writer_formats; f->name; f++)
		if (f->open && !f->address) /* else it sends: nobody listens */
			show_endings(f, r);
	if (is_chosen(r)) {
		s = sink_new(r->env, &texts, NULL);
		show(s, r->ev);
		sink_free(s);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct print_options opts = {.stackindent = 14};
	struct sink_env env = {.opts = &opts, .probe = by_id};
	struct event ev = {.probe = &probe, .desc = &desc};
	struct run r = {.env = &env, .ev = &ev, .chosen = NONE};
	static unsigned outputs;
	static FILE *nowhere;
	uint8_t *rec;

	if (size < 2)
		return 0;
	if (!nowhere) {
		describe();
		nowhere = fopen("/dev/null", "w");
		show_outputs(&r); /* counts them */
		outputs = r.next;
	}
	opts.quiet = data[0] & 1;
	opts.flowindent = data[0] & 2;
	opts.rawbytes = data[0] & 4;
	opts.noresolve = data[0] & 8;
	opts.noprefix = data[0] & 16;
	rec = calloc(1, desc.size);
	memcpy(rec, data + 2, size - 2 < desc.size ? size - 2 : desc.size);
	ev.data = rec;
	ev.cpu = data[0];
	r.to = nowhere;
	r.next = 0;
	r.chosen = data[1] % outputs;
	show_outputs(&r);
	free(rec);
	return 0;
}
