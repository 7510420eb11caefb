// SPDX-License-Identifier: Apache-2.0
/* Decodes stacks and symbols: names their frames. */
#include <inttypes.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/managed.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "consume/stacks.h"
#include "decode/datum.h"
#include "decode/decode.h"
#include "decode/sink.h"
#include "dtrace/data.h"
#include "print/print.h"
#include "sym/sym.h"

#define STACK_EVICTED "[stack evicted]" /* in place of its frames */

/* ---- the addresses of a stack ---- */

/* The program counters of a stack that are to be shown, innermost first. */
struct stack_frames {
	bool user;
	bool part;     /* a user stack that is not whole */
	bool evicted;  /* a stack that is not known any more */
	bool unwanted; /* no frames were asked for (ustackframes=0) */
	pid_t pid;     /* of a user stack */
	uint32_t n;
	const uint8_t *pcs; /* in the record, or of the stack that it names */
};

static uint64_t frame(const uint8_t *pcs, uint32_t i)
{
	uint64_t pc;

	memcpy(&pc, pcs + i * sizeof(pc), sizeof(pc));
	return pc;
}

/*
 * Skips the frames of the program that took the stack.  To make up for it, DT_STACK_EXTRA more
 * frames were taken.
 */
static uint32_t skip_tracing(const struct decoder *dec, const uint8_t *pcs, uint32_t n)
{
	uint32_t i = 0;

	while (dec->pr->syms && i < n && frame(pcs, i) &&
		sym_kernel_is_tracing(dec->pr->syms, frame(pcs, i)))
		i++;
	return i;
}

static uint64_t stack_frame(const struct stack_frames *s, uint32_t i)
{
	return frame(s->pcs, i);
}

/* The frames of a stack that D names by its id; none of id 0. */
static void kept_frames(const struct decoder *dec, const struct datum *d,
	const struct rec_view *src, struct stack_frames *out)
{
	struct stacks *stacks = dec->env->stacks ? *dec->env->stacks : NULL;
	const struct kept_stack *k = NULL;
	uint64_t id = frame(datum_bytes(d, src), 0);

	*out = (struct stack_frames){.user = d->kind == DATUM_USTACK_ID};
	if (id && stacks)
		k = stacks_find(stacks, id);
	if (!k) {
		out->evicted = id != 0;
		if (id && stacks)
			stacks_miss(stacks, id);
		return;
	}
	out->pid = k->pid;
	out->part = k->part;
	out->n = k->n;
	out->pcs = (const uint8_t *)k->pc;
	out->unwanted = k->unwanted;
}

/* True if the kernel had no room for more of a stack: of the N frames at PCS, MOST are wanted. */
static bool is_cut(const struct decoder *dec, const uint8_t *pcs, uint32_t n, uint32_t most)
{
	uint32_t given = dec->env->kernel_frames, skipped;

	if (!given || given > n || !frame(pcs, given - 1) || (given < n && frame(pcs, given)))
		return false;
	skipped = skip_tracing(dec, pcs, n);
	return given - skipped < most || most == given;
}

static void stack_frames(const struct decoder *dec, const struct datum *d,
	const struct rec_view *src, struct stack_frames *out)
{
	const uint8_t *pcs = datum_bytes(d, src);
	uint32_t n = d->size / sizeof(uint64_t), first = 0;

	if (datum_is_kept_stack(d)) {
		kept_frames(dec, d, src, out);
		return;
	}
	*out = (struct stack_frames){.user = d->kind == DATUM_USTACK};
	if (out->user) {
		out->pid = (pid_t)frame(pcs, 0);
		out->part = frame(pcs, 0) & DT_USTACK_PART;
		pcs += sizeof(struct dt_ustack);
		n--;
	} else {
		uint32_t most = n > DT_STACK_EXTRA ? n - DT_STACK_EXTRA : 0;

		out->part = is_cut(dec, pcs, n, most);
		first = skip_tracing(dec, pcs, n);
		n = n - first > most ? most : n - first;
	}
	out->pcs = pcs + first * sizeof(uint64_t);
	while (out->n < n && frame(out->pcs, out->n))
		out->n++;
	out->unwanted = out->user && d->size <= sizeof(struct dt_ustack);
}

/* ---- names of addresses ---- */

/* Frames are where a call returns to, but for the first and those that a signal interrupted. */
static bool is_return(const struct printer *pr, const struct stack_frames *s, uint32_t i)
{
	return i && !sym_user_is_sigreturn(pr->syms, s->pid, stack_frame(s, i - 1));
}

/*
 * Looks up frame I of S.  The return address of a call may be after the last instruction of the
 * calling function.
 */
static void look_up_frame(
	const struct printer *pr, const struct stack_frames *s, uint32_t i, struct sym_info *info)
{
	uint64_t addr = stack_frame(s, i);
	struct sym_info before;

	print_look_up(pr, s->user, s->pid, addr, info);
	if (!s->user || info->managed || !*info->name || info->start != addr ||
		!is_return(pr, s, i))
		return;
	/* a function whose last instruction calls one that never returns: abort() */
	print_look_up(pr, true, s->pid, addr - 1, &before);
	if (before.sized && before.object_start == info->object_start)
		*info = before;
}

/* ---- source lines ---- */

/*
 * Returns the source lines to be shown with frame I of a user stack: those of the functions inlined
 * there, and last that of the frame itself; 0 = none are wanted or known.
 */
static uint32_t frame_lines(const struct printer *pr, const struct stack_frames *s, uint32_t i,
	const struct sym_line **lines)
{
	*lines = NULL;
	if (!s->user || pr->opts.noresolve || !pr->syms ||
		!(pr->opts.ustackline || pr->opts.ustackinline))
		return 0;
	/* where a call returns to may be the next line already */
	return sym_user_lines(pr->syms, s->pid, stack_frame(s, i) - is_return(pr, s, i), lines);
}

/* Prints " (file.c:12)", if the option is set and the line known. */
static void put_line(struct printer *pr, const struct sym_line *line)
{
	if (pr->opts.ustackline && line->line)
		buf_printf(&pr->buf, " (%s:%" PRIu32 ")", line->file, line->line);
}

/* Prints "object`function (file.c:12) [inlined]" for PID's ADDR. */
static void put_inlined(struct printer *pr, pid_t pid, uint64_t addr, const struct sym_line *line)
{
	struct sym_info info;

	print_look_up(pr, true, pid, addr, &info);
	info.name = pr->opts.demangle ? sym_demangled(pr->syms, line->name) : line->name;
	print_address(pr, PRINT_SYMBOL, true, &info, addr);
	put_line(pr, line);
	buf_puts(&pr->buf, " [inlined]");
}

/* ---- frames ---- */

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
	struct decoder *dec, const struct sym_info *info, bool user, uint64_t addr, size_t from)
{
	size_t len;
	struct dtrace_frame f = {
		.address = addr,
		.object = info->object,
		.symbol = info->name,
		.text = decode_text(dec, from, &len),
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
static struct dtrace_frame frame_with_line(struct decoder *dec, pid_t pid,
	const struct dtrace_frame *from, const struct sym_line *line, bool inlined)
{
	size_t at = dec->pr->buf.len, len;
	struct dtrace_frame f = *from;

	if (inlined) {
		f.symbol = dec->pr->opts.demangle ? sym_demangled(dec->pr->syms, line->name)
						  : line->name;
		f.offset = 0;
		f.inlined = true;
		put_inlined(dec->pr, pid, f.address, line);
	} else {
		buf_puts(&dec->pr->buf, from->text);
		put_line(dec->pr, line);
	}
	f.text = decode_text(dec, at, &len);
	if (dec->pr->opts.ustackline && line->line) {
		f.file = line->file;
		f.line = line->line;
	}
	return f;
}

/* Stores frame I of S, after the functions inlined there, in OUT; returns their number. */
static unsigned put_frames(
	struct decoder *dec, const struct stack_frames *s, uint32_t i, struct dtrace_frame *out)
{
	const struct sym_line *lines;
	uint32_t n = frame_lines(dec->pr, s, i, &lines);
	size_t from = dec->pr->buf.len;
	struct sym_info info;
	struct dtrace_frame f;
	unsigned put = 0;

	look_up_frame(dec->pr, s, i, &info);
	print_address(dec->pr, PRINT_PLACE, s->user, &info, stack_frame(s, i));
	f = frame_of(dec, &info, s->user, stack_frame(s, i), from);
	if (!n) {
		out[0] = f;
		return 1;
	}
	if (!dec->pr->opts.ustackinline)
		n = 1;
	for (uint32_t k = 0; k < n; k++)
		out[put++] = frame_with_line(dec, s->pid, &f, &lines[k], k + 1 < n);
	return put;
}

void decode_stack(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out)
{
	const struct sym_line *lines;
	struct stack_frames s;
	struct dtrace_frame *frames;
	uint32_t room = 1;

	stack_frames(dec, d, src, &s);
	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t n = frame_lines(dec->pr, &s, i, &lines);

		room += n ? n : 1;
	}
	frames = arena_new_array(dec->arena, struct dtrace_frame, room);
	out->kind = s.user ? DTRACE_KIND_USTACK : DTRACE_KIND_STACK;
	out->pid = s.pid;
	if (datum_is_kept_stack(d)) /* not that of its id */
		out->size = sizeof(uint64_t) * (s.n + 1);
	if (s.unwanted)
		out->size = 0;
	out->incomplete = s.part;
	out->frames = frames;
	if (s.evicted)
		frames[out->nframes++] = (struct dtrace_frame){
			.object = "", .symbol = "", .file = "", .kind = "", .text = STACK_EVICTED};
	for (uint32_t i = 0; i < s.n; i++)
		out->nframes += put_frames(dec, &s, i, frames + out->nframes);
}

/* Prints what an action on an address prints. */
static void put_symbol(struct printer *pr, const struct datum *d, const struct dt_uaddr *at,
	const struct sym_info *info)
{
	bool user = datum_is_user(d), place = d->kind == DATUM_UADDR;

	if (d->kind == DATUM_MOD || d->kind == DATUM_UMOD)
		print_address(pr, PRINT_OBJECT, user, info, at->addr);
	else if (place || (d->kind == DATUM_USYM && pr->opts.noresolve))
		print_address(pr, PRINT_PLACE, user, info, at->addr);
	else
		print_address(pr, PRINT_SYMBOL, user, info, at->addr);
}

void decode_symbol(struct decoder *dec, const struct datum *d, const struct rec_view *src,
	struct dtrace_value *out)
{
	static const char *const names[] = {
		[DATUM_SYM] = "sym",
		[DATUM_MOD] = "mod",
		[DATUM_USYM] = "usym",
		[DATUM_UADDR] = "uaddr",
		[DATUM_UMOD] = "umod",
	};
	bool user = datum_is_user(d);
	struct dtrace_frame *f = arena_new_obj(dec->arena, struct dtrace_frame);
	size_t from = dec->pr->buf.len;
	struct dt_uaddr at = {0};
	struct sym_info info;

	memcpy(user ? &at.tgid : &at.addr, datum_bytes(d, src), user ? sizeof(at) : 8);
	print_look_up(dec->pr, user, (pid_t)at.tgid, at.addr, &info);
	put_symbol(dec->pr, d, &at, &info);
	*f = frame_of(dec, &info, user, at.addr, from);
	out->type = names[d->kind];
	out->kind = user ? DTRACE_KIND_USYMBOL : DTRACE_KIND_SYMBOL;
	out->pid = (pid_t)at.tgid;
	out->frames = f;
	out->nframes = 1;
}
