// SPDX-License-Identifier: Apache-2.0
/* Converts events and tables into the records of the public interface. */
#include "out/view.h"

#include <string.h>

#include "abi/kernel.h"
#include "abi/managed.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "calls/call.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "out/print.h"
#include "sym/sym.h"

const char *view_text(struct view *v, size_t from, size_t *len)
{
	struct buf *b = &v->pr->buf;
	const char *text;

	if (b->failed) { /* as much as there was memory for */
		b->failed = false;
		from = b->len;
	}
	*len = b->len - from;
	text = arena_strndup(v->arena, b->data ? b->data + from : "", *len);
	b->len = from;
	return text;
}

/* ---- addresses ---- */

/* Adds to F what a managed language knows of it. */
static void add_managed(struct dtrace_frame *f, const struct sym_info *info)
{
	f->address = f->offset = 0;
	f->file = sym_base_name(info->file);
	f->line = *info->file ? info->line : 0;
	f->first_line = f->line && info->first_line;
	f->inlined = info->kind == DT_KIND_INLINED;
	f->kind = sym_managed_kind(info->kind);
}

/* Makes the frame of ADDR from INFO; its text was printed from byte FROM on. */
static struct dtrace_frame frame_of(
	struct view *v, const struct sym_info *info, bool user, uint64_t addr, size_t from)
{
	size_t len;
	struct dtrace_frame f = {
		.address = addr,
		.object = info->object,
		.symbol = info->name,
		.text = view_text(v, from, &len),
		.file = "",
		.kind = "",
	};

	if (info->managed)
		add_managed(&f, info);
	else if (*info->name)
		f.offset = addr - info->start;
	else if (*info->object)
		f.offset = user ? info->vaddr : addr - info->object_start;
	return f;
}

/* Returns frame FROM with its source line. */
static struct dtrace_frame frame_with_line(struct view *v, pid_t pid,
	const struct dtrace_frame *from, const struct sym_line *line, bool inlined)
{
	size_t at = v->pr->buf.len, len;
	struct dtrace_frame f = *from;

	if (inlined) {
		f.symbol = v->pr->opts.demangle ? sym_demangled(v->pr->env.syms, line->name)
						: line->name;
		f.offset = 0;
		f.inlined = true;
		print_inlined(v->pr, pid, f.address, line);
	} else {
		buf_puts(&v->pr->buf, from->text);
		print_line(v->pr, line);
	}
	f.text = view_text(v, at, &len);
	if (v->pr->opts.ustackline && line->line) {
		f.file = line->file;
		f.line = line->line;
	}
	return f;
}

/* Stores frame I of S, after the functions inlined there, in OUT; returns their number. */
static unsigned put_frames(
	struct view *v, const struct stack_frames *s, uint32_t i, struct dtrace_frame *out)
{
	const struct sym_line *lines;
	uint32_t n = stack_lines(v->pr, s, i, &lines);
	size_t from = v->pr->buf.len;
	struct sym_info info;
	struct dtrace_frame f;
	unsigned put = 0;

	stack_look_up(v->pr, s, i, &info);
	print_frame(v->pr, s, i);
	f = frame_of(v, &info, s->user, stack_frame(s, i), from);
	if (!n) {
		out[0] = f;
		return 1;
	}
	if (!v->pr->opts.ustackinline)
		n = 1;
	for (uint32_t k = 0; k < n; k++)
		out[put++] = frame_with_line(v, s->pid, &f, &lines[k], k + 1 < n);
	return put;
}

static void stack(
	struct view *v, const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	const struct sym_line *lines;
	struct stack_frames s;
	struct dtrace_frame *frames;
	uint32_t room = 1;

	stack_frames(v->pr, d, src, &s);
	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t n = stack_lines(v->pr, &s, i, &lines);

		room += n ? n : 1;
	}
	frames = arena_new_array(v->arena, struct dtrace_frame, room);
	out->kind = s.user ? DTRACE_KIND_USTACK : DTRACE_KIND_STACK;
	out->pid = s.pid;
	if (datum_is_kept_stack(d)) /* not that of its id */
		out->size = sizeof(uint64_t) * (s.n + s.user);
	out->incomplete = s.part;
	out->frames = frames;
	if (s.evicted)
		frames[out->nframes++] = (struct dtrace_frame){
			.object = "", .symbol = "", .file = "", .kind = "", .text = STACK_EVICTED};
	for (uint32_t i = 0; i < s.n; i++)
		out->nframes += put_frames(v, &s, i, frames + out->nframes);
}

static void symbol(
	struct view *v, const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	static const char *const names[] = {
		[DATUM_SYM] = "sym",
		[DATUM_MOD] = "mod",
		[DATUM_USYM] = "usym",
		[DATUM_UADDR] = "uaddr",
		[DATUM_UMOD] = "umod",
	};
	bool user = d->kind != DATUM_SYM && d->kind != DATUM_MOD;
	struct dtrace_frame *f = arena_new_obj(v->arena, struct dtrace_frame);
	size_t from = v->pr->buf.len;
	struct dt_uaddr at = {0};
	struct sym_info info;

	memcpy(user ? &at.tgid : &at.addr, datum_bytes(d, src), user ? sizeof(at) : 8);
	print_look_up(v->pr, user, (pid_t)at.tgid, at.addr, &info);
	print_sym_text(v->pr, d, src);
	*f = frame_of(v, &info, user, at.addr, from);
	out->type = names[d->kind];
	out->kind = user ? DTRACE_KIND_USYMBOL : DTRACE_KIND_SYMBOL;
	out->pid = (pid_t)at.tgid;
	out->frames = f;
	out->nframes = 1;
}

/* ---- values ---- */

static void integer(const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	int64_t n = 0;

	out->kind = d->kind == DATUM_PTR ? DTRACE_KIND_POINTER : DTRACE_KIND_INT;
	out->is_signed = d->kind == DATUM_INT && d->is_signed;
	if (out->is_signed)
		datum_signed(d, src, &n);
	else
		datum_unsigned(d, src, (uint64_t *)&n);
	out->number = (uint64_t)n;
}

static void real(const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	const void *p = datum_bytes(d, src);
	double dbl;
	float flt;

	out->kind = DTRACE_KIND_FLOAT;
	out->bytes = p;
	out->len = d->size;
	if (d->size == sizeof(flt)) {
		memcpy(&flt, p, sizeof(flt));
		out->real = flt;
	} else if (d->size == sizeof(dbl)) {
		memcpy(&dbl, p, sizeof(dbl));
		out->real = dbl;
	} else {
		memcpy(&out->real, p, d->size < sizeof(out->real) ? d->size : sizeof(out->real));
	}
}

static void characters(
	const struct datum *d, const struct rec_view *src, bool text, struct dtrace_value *out)
{
	out->kind = text ? DTRACE_KIND_STRING : DTRACE_KIND_BYTES;
	out->is_char = true;
	out->bytes = datum_bytes(d, src);
	out->len = text ? strnlen(out->bytes, d->size) : d->size;
}

void view_value(
	struct view *v, const struct datum *d, const struct rec_view *src, struct dtrace_value *out)
{
	size_t from = v->pr->buf.len;
	struct datum_room room;
	bool nul;

	*out = (struct dtrace_value){.type = d->type ? d->type : "", .size = d->size, .bytes = ""};
	if (datum_is_stack(d)) {
		stack(v, d, src, out);
		return;
	}
	if (datum_is_sym(d)) {
		symbol(v, d, src, out);
		return;
	}
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
		integer(d, src, out);
		break;
	case DATUM_FLOAT:
		real(d, src, out);
		break;
	case DATUM_CHARS:
		characters(d, src, datum_is_text(v->pr, d, src), out);
		break;
	case DATUM_BYTES:
		out->kind = DTRACE_KIND_BYTES;
		out->bytes = datum_bytes(d, src);
		out->len = d->size;
		break;
	case DATUM_SYSCALL:
		out->kind = DTRACE_KIND_STRING;
		call_print(&v->pr->buf, datum_bytes(d, src));
		out->bytes = view_text(v, from, &out->len);
		out->size = (uint32_t)out->len + 1;
		break;
	default:
		out->kind = DTRACE_KIND_STRING;
		out->bytes = datum_text(v->pr, d, src, &room, &out->len, &nul);
		if (out->bytes == room.text)
			out->bytes = arena_strndup(v->arena, room.text, out->len);
		out->size = (uint32_t)datum_string_size(d, out->len);
		break;
	}
}

/* ---- actions ---- */

static const enum dtrace_action actions[] = {
	[REC_TRACE] = DTRACE_ACTION_TRACE,
	[REC_TRACEMEM] = DTRACE_ACTION_TRACEMEM,
	[REC_PRINTF] = DTRACE_ACTION_PRINTF,
	[REC_PRINTA] = DTRACE_ACTION_PRINTA,
	[REC_STACK] = DTRACE_ACTION_STACK,
	[REC_SYM] = DTRACE_ACTION_SYMBOL,
	[REC_EXIT] = DTRACE_ACTION_EXIT,
	[REC_CLEAR] = DTRACE_ACTION_CLEAR,
	[REC_TRUNC] = DTRACE_ACTION_TRUNC,
	[REC_NORMALIZE] = DTRACE_ACTION_NORMALIZE,
	[REC_DENORMALIZE] = DTRACE_ACTION_DENORMALIZE,
	[REC_SETOPT] = DTRACE_ACTION_SETOPT,
	[REC_PRINT] = DTRACE_ACTION_PRINT,
	[REC_FREOPEN] = DTRACE_ACTION_FREOPEN,
	[REC_FTRUNCATE] = DTRACE_ACTION_FTRUNCATE,
	[REC_SYSTEM] = DTRACE_ACTION_SYSTEM,
	[REC_NONE] = DTRACE_ACTION_NONE,
	[REC_PCAP] = DTRACE_ACTION_PCAP,
};

/* The bytes that tracemem() is asked to show. */
static void tracemem(
	const struct rec_action *act, const struct rec_view *src, struct dtrace_value *out)
{
	out->len = tracemem_size(act, src);
}

void view_item(struct view *v, const struct event *ev, uint32_t i, struct dtrace_item *out)
{
	const struct rec_action *act = &ev->desc->actions[i];
	const struct rec_view src = {.base = ev->data, .probe = ev->probe};
	struct dtrace_value *values =
		arena_new_array(v->arena, struct dtrace_value, act->ndata + 1);

	*out = (struct dtrace_item){
		.action = actions[act->kind],
		.name = act->name ? act->name : "",
		.values = values,
		.nvalues = act->ndata,
		.format = act->format ? act->format->source : NULL,
	};
	for (uint32_t k = 0; k < act->ndata; k++) {
		if (act->kind == REC_PRINT && k == 0)
			view_typed(v, act, &src, &values[k]);
		else
			view_value(v, &act->data[k], &src, &values[k]);
		if (act->kind == REC_TRACE && act->data[k].kind == DATUM_CHARS)
			characters(&act->data[k], &src,
				datum_is_all_text(v->pr, &act->data[k], &src), &values[k]);
	}
	if (act->kind == REC_TRACEMEM) {
		tracemem(act, &src, &values[0]);
		out->nvalues = 1;
	}
	/* the room is larger than what was captured */
	if (act->kind == REC_PCAP && act->ndata > 2 && values[0].number < values[2].len)
		values[2].len = (size_t)values[0].number;
}
